"""One function per mathematical operation, three engines behind it: arrays, our own CUDA kernels, the student's.

    >>> import numpy as np
    >>> x, w, b = np.ones((2, 1, 28, 28), np.float32), np.ones((16, 1, 3, 3), np.float32), np.zeros(16, np.float32)
    >>> im2col(x, 3, 3).shape
    (2, 9, 676)
    >>> with engine("kernels"):
    ...     conv2d(x, w, b, padding=1).shape
    (2, 16, 28, 28)

The default is "kernels" where there is a GPU, else "arrays"; "mine" runs the kernels of `nnlib.mine`. You find `relu`
in arrays/activations.py (NumPy), in fast/activations.py, which launches nnlib/kernels/activation.cu, and in mine.py
(the student's kernel). All have the same signature. The optimizers' NumPy is nnlib/update_rules.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from nnlib import device
from nnlib.ops import arrays, recording
from nnlib.ops.arrays import *  # noqa: F403
from nnlib.ops.mixed_precision import current_precision, precision
from nnlib.ops.shapes import ShapeError, window_output

ENGINES = ("arrays", "kernels", "mine")
# Not before lesson 07
_KERNELS_ARE_HERE = Path(__file__).parents[1].joinpath("kernels", "fast", "product.cu").exists()
_chosen: ContextVar[str | None] = ContextVar("engine", default=None)


def current_engine() -> str:
    """Name of the engine that the next operation runs on; "arrays" where kernels are asked for and were left out."""
    chosen = _chosen.get() or ("kernels" if device.has_gpu() else "arrays")
    return "arrays" if chosen == "kernels" and not _KERNELS_ARE_HERE else chosen


@contextmanager
def engine(name: str) -> Iterator[None]:
    """Run the operations inside the `with` block on the engine of that name, one of `ENGINES`; else a ValueError.

    Other threads keep their own choice.
    """
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; choose one of {', '.join(ENGINES)}")
    before = _chosen.set(name)
    try:
        yield
    finally:
        _chosen.reset(before)


def _module(engine: str) -> Any:
    if engine == "arrays":
        return arrays
    if engine == "kernels":  # late, as a program without kernels needs none of them
        from nnlib.ops import kernels

        return kernels
    from nnlib.ops import mine

    return mine


def _dispatched(name: str) -> Callable[..., Any]:
    """Return the operation of that name on the current engine, documented as in `nnlib.ops.arrays`."""

    @functools.wraps(getattr(arrays, name))
    def call(*args: Any, **kwargs: Any) -> Any:
        chosen = current_engine()
        if chosen == "mine" and current_precision().narrow:
            raise ValueError(
                'engine "mine" runs the kernels of your library, and they decide on their own precision'
            )
        return recording.operate(getattr(_module(chosen), name), args, kwargs)

    return call


# Editors and type checkers see the imported functions; what runs are those that ask which engine is chosen.
globals().update({name: _dispatched(name) for name in arrays.__all__})

__all__ = [
    "ENGINES",
    "ShapeError",
    "current_engine",
    "current_precision",
    "engine",
    "precision",
    "window_output",
    *arrays.__all__,
]
