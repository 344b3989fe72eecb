"""In which precision the products of linear layers and convolutions read their factors. Lesson 09.

    with ops.precision("bf16"):
        fit(...)

Weights, activations, gradients and all sums stay float32, the factors of a product are rounded: mixed precision with
master weights. Tensor cores multiply such factors, so on engine "kernels" this is their work (kernels/fast/product.cu).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from nnlib.device import array_module

_NAMES = ("float32", "tf32", "bf16", "half")  # numbered as in kernels/fast/product.cu


@dataclass(frozen=True)
class Precision:
    """The rounding of a product's factors: to the type `name`; gradients are multiplied by `loss_scale` first."""

    name: str = "float32"
    loss_scale: float = 1.0

    @property
    def narrow(self) -> bool:
        """Return whether anything is rounded."""
        return self.name != "float32"

    def options(self, a_scaled: bool = False, b_scaled: bool = False) -> tuple[str, ...]:
        """Return -D options for kernels/fast/product.cu. …_scaled: which operand is a gradient."""
        if not self.narrow:
            return ()
        scaled = [side for side, is_gradient in (("A", a_scaled), ("B", b_scaled)) if is_gradient]
        return (
            f"-DPRECISION={_NAMES.index(self.name)}",
            *(f"-D{side}_SCALE={self.loss_scale!r}f" for side in scaled),
        )

    def rounded(self, x: Any) -> Any:
        """Return x (float32) as a product reads it."""
        return _ROUNDED[self.name](x)

    def rounded_gradient(self, dy: Any) -> Any:
        """Round a gradient, which is scaled first and scaled back afterwards."""
        scale = dy.dtype.type(self.loss_scale)
        return self.rounded(dy * scale) / scale if self.narrow else dy


FLOAT32 = Precision()
_chosen: ContextVar[Precision] = ContextVar("precision", default=FLOAT32)
current_precision = _chosen.get


@contextmanager
def precision(name: str, loss_scale: float = 1.0) -> Iterator[None]:
    """Let products inside the `with` block read factors of that precision, and add in float32.

    Args:
        name: "float32", "tf32" (10 bits behind the point), "bf16" (7) or "half" (10, and less range).
        loss_scale: gradients are multiplied by it before they are rounded, and products are divided by it. Between two
            products gradients are float32, so that is what scaling the loss does. A power of two, such as 1024.

    Raises ValueError for another name, or a scale that is no power of two. Other threads keep their own choice.
    """
    if name not in _NAMES:
        raise ValueError(f"there is no precision {name!r}; choose one of {', '.join(_NAMES)}")
    if not loss_scale > 0 or float(loss_scale).hex().partition("p")[0] != "0x1.0000000000000":
        raise ValueError(
            f"loss_scale = {loss_scale} is no power of two, so it would round the gradients itself"
        )
    before = _chosen.set(Precision(name, float(loss_scale)))
    try:
        yield
    finally:
        _chosen.reset(before)


# --- rounding, to the nearest, of two as near ones to the even one ---------------------------------


def _to_half(x: Any) -> Any:
    return x.astype("float16").astype(x.dtype)


def _without(bits: int) -> Callable[[Any], Any]:
    """Round to float32 numbers whose last bits are zero."""

    def rounded(x: Any) -> Any:
        xp = array_module(x)
        number = xp.ascontiguousarray(x).view("uint32")
        last = number >> xp.uint32(bits) & xp.uint32(1)
        cut = (number + (xp.uint32((1 << bits - 1) - 1) + last)) & xp.uint32(
            0xFFFFFFFF << bits & 0xFFFFFFFF
        )
        return xp.where(xp.isfinite(x), cut.view(x.dtype).reshape(x.shape), x)

    return rounded


_ROUNDED: dict[str, Callable[[Any], Any]] = {
    "float32": lambda x: x,
    "tf32": _without(13),
    "bf16": _without(16),
    "half": _to_half,
}
