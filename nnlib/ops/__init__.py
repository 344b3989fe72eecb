"""One function per mathematical operation, two engines behind it: arrays, and our own CUDA kernels.

    with nnlib.ops.engine("kernels"):
        y = nnlib.ops.conv2d(x, w, b)

The default is "kernels" where there is a GPU, else "arrays". Signatures are those of `nnlib.ops.arrays`.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

from nnlib import device
from nnlib.ops import arrays
from nnlib.ops.shapes import ShapeError, window_output

ENGINES = ("arrays", "kernels")
_chosen: str | None = None
_Operation = TypeVar("_Operation", bound=Callable[..., Any])


def current_engine() -> str:
    """Name of the engine that the next operation runs on."""
    return _chosen or ("kernels" if device.has_gpu() else "arrays")


@contextmanager
def engine(name: str) -> Iterator[None]:
    """Run the operations inside the `with` block on the engine "arrays" or "kernels"."""
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}; choose one of {', '.join(ENGINES)}")
    global _chosen
    before, _chosen = _chosen, name
    try:
        yield
    finally:
        _chosen = before


def _dispatched(operation: _Operation) -> _Operation:
    """The operation of the same name on the current engine, under the name and documentation of this one."""

    @functools.wraps(operation)
    def call(*args: Any, **kwargs: Any) -> Any:
        module = importlib.import_module(f"nnlib.ops.{current_engine()}")
        return getattr(module, operation.__name__)(*args, **kwargs)

    return cast(_Operation, call)


conv2d = _dispatched(arrays.conv2d)
conv2d_backward = _dispatched(arrays.conv2d_backward)
im2col = _dispatched(arrays.im2col)
col2im = _dispatched(arrays.col2im)
linear = _dispatched(arrays.linear)
linear_backward = _dispatched(arrays.linear_backward)
relu = _dispatched(arrays.relu)
relu_backward = _dispatched(arrays.relu_backward)
leaky_relu = _dispatched(arrays.leaky_relu)
leaky_relu_backward = _dispatched(arrays.leaky_relu_backward)
sigmoid = _dispatched(arrays.sigmoid)
sigmoid_backward = _dispatched(arrays.sigmoid_backward)
tanh = _dispatched(arrays.tanh)
tanh_backward = _dispatched(arrays.tanh_backward)
gelu = _dispatched(arrays.gelu)
gelu_backward = _dispatched(arrays.gelu_backward)
max_pool2d = _dispatched(arrays.max_pool2d)
max_pool2d_backward = _dispatched(arrays.max_pool2d_backward)
avg_pool2d = _dispatched(arrays.avg_pool2d)
avg_pool2d_backward = _dispatched(arrays.avg_pool2d_backward)
dropout = _dispatched(arrays.dropout)
dropout_backward = _dispatched(arrays.dropout_backward)
softmax = _dispatched(arrays.softmax)
softmax_cross_entropy = _dispatched(arrays.softmax_cross_entropy)
binary_cross_entropy = _dispatched(arrays.binary_cross_entropy)
binary_cross_entropy_with_logits = _dispatched(arrays.binary_cross_entropy_with_logits)
sgd_step = _dispatched(arrays.sgd_step)
adam_step = _dispatched(arrays.adam_step)

__all__ = ["ENGINES", "ShapeError", "current_engine", "engine", "window_output", *arrays.__all__]
