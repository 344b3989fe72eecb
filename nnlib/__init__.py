"""Neural networks from scratch in CUDA: one kernel text that runs on a GPU and in a simulator.

Its packages, from the ground up: `device` (GPU or not), `cuda` (write a kernel, run it anywhere), `mine` (the kernels
that a student writes), `kernels` and `ops` (the operations of a network, on arrays, on our kernels or on the
student's), `layers`, `losses`, `optimizers`, `model` (a network, written out), `datasets` and `training`, and above all
of them `course`, which the lessons are written with.
"""

__version__ = "1.0.0"
__all__ = ["report"]


def report() -> None:
    """Print, one line each, where kernels run and what to type to run them faster."""
    from nnlib import device  # late: the command `nnlib` starts without NumPy
    from nnlib.support import browser

    device.report()
    if not device.has_gpu():
        from nnlib.cuda import native_engine

        name = native_engine() or "the simulator"
        print(f"Unchecked runs: {name}")
        if name != "LLVM" and not browser.HERE:
            print("To run faster:  pip install llvmlite")
