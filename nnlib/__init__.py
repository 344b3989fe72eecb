"""Neural networks from scratch in CUDA: one kernel text that runs on a GPU and in a simulator.

The rooms, from the ground up: `device` (GPU or not), `cuda` (write a kernel, run it anywhere),
`ops` (operations of a network, two engines), `layers`/`losses`/`optimizers`/`model`, `training`
with `datasets`, `metrics` and `checkpoints`, and on top `plots`, `widgets` and `lesson`.
"""

from .device import report

__version__ = "0.1.0"
__all__ = ["progress", "report"]


def progress() -> None:
    """Print which exercises are solved on this computer. Lesson 01."""
    from .lesson import progress  # late: plain `import nnlib` needs no notebook

    progress()
