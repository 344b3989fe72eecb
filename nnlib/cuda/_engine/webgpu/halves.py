"""Half precision: a value is held as a float of 32 bits, and what an operation gives is rounded to 16.

WGSL's own f16 few browsers have, and how it rounds is left to the device. Sums, products, quotients and roots of floats
that are rounded once more are right: 24 binary digits are more than twice those of a half.
"""

from __future__ import annotations

import re

from ..language import tree
from ..language.refusal import Refusal
from ..language.types import BOOL, FLOAT, HALF, UINT, Half, Scalar, Type, Vector, is_half
from .writer import ShaderWriter, functions

OPERATORS = dict(
    zip(
        ["+", "-", "*", "/", "==", "!=", "<", "<=", ">", ">="],
        ["add", "sub", "mul", "div", "eq", "neu", "lt", "le", "gt", "ge"],
        strict=True,
    )
)
ROUNDINGS = {"rn": "rintf", "rd": "floorf", "ru": "ceilf", "rz": ""}
MOVED = {  # functions that put together or take apart what they are given
    "__float2half2_rn": "vec2<f32>({0})",
    "__half2half2": "vec2<f32>({0})",
    "__floats2half2_rn": "vec2<f32>({0}, {1})",
    "__halves2half2": "vec2<f32>({0}, {1})",
    "__lows2half2": "vec2<f32>({0}.x, {1}.x)",
    "__highs2half2": "vec2<f32>({0}.y, {1}.y)",
    "__half22float2": "{0}",
    "__float22half2_rn": "{0}",
    "__low2half": "{0}.x",
    "__high2half": "{0}.y",
    "__low2float": "{0}.x",
    "__high2float": "{0}.y",
    "__low2half2": "{0}.xx",
    "__high2half2": "{0}.yy",
    "__lowhigh2highlow": "{0}.yx",
}


def _moved(name: str) -> str:
    return MOVED.get(name.replace("bfloat16", "half"), "")


def _function(name: str) -> str:
    """Return what functions.wgsl calls the function of one half: that of __hadd2_sat is half_add_sat_."""
    one = re.sub(r"^(__h[a-z]*|h)2", r"\1", name).replace("__hb", "__h").removesuffix("_mask")
    return f"half_{one.strip('_').removeprefix('h')}_"


def is_known(name: str) -> bool:
    """Return whether a function of halves, or one that gives them, is printed here."""
    return bool(_moved(name)) or "_as_" in name or _function(name) in functions()


def conversion(e: tree.IntrinsicCall) -> tree.Expr | None:
    """Return the conversion that a function such as __half2int_rd is; None for another function. Raises Refusal."""
    found = re.fullmatch(r"__[a-z]+(?:16)?2[a-z]+(?:16)?(?:_(r[nzdu]))?", e.name)
    operand = e.arguments[0] if found else None
    if not found or operand is None or not isinstance(operand.type, Scalar):
        return None
    if isinstance(operand.type, Half) == isinstance(e.type, Half):
        return None
    mode = found[1] or "rn"
    if isinstance(e.type, Half):
        if mode != "rn":
            raise Refusal(e.name)
        return tree.Convert(e.at, e.type, operand)
    assert isinstance(e.type, Scalar)
    if not e.type.is_float and ROUNDINGS[mode]:
        wide = tree.Convert(e.at, FLOAT, operand)
        operand = tree.IntrinsicCall(e.at, FLOAT, ROUNDINGS[mode], [wide])
    return tree.Convert(e.at, e.type, operand)


def _helper(writer: ShaderWriter, kind: Type, what: str = "") -> str:
    """Return the function that rounds to a type, or gives its bits, or takes them."""
    base = kind.base if isinstance(kind, Vector) else kind
    return writer.helper(f"{'half' if base == HALF else 'bfloat16'}_{what}")


def rounded(writer: ShaderWriter, text: str, kind: Type) -> str:
    """Return floats as halves."""
    helper = _helper(writer, kind)
    if not isinstance(kind, Vector):
        return f"{helper}({text})"
    pair = writer.let("pair", text)
    return f"vec2<f32>({helper}({pair}.x), {helper}({pair}.y))"


def bits(writer: ShaderWriter, text: str, kind: Type) -> str:
    """Return the bits of a half, as a u32."""
    return f"{_helper(writer, kind, 'bits_')}({text})"


def of_bits(writer: ShaderWriter, word: str, kind: Type) -> str:
    """Return the half that the lower bits of a word are."""
    return f"{_helper(writer, kind, 'of_')}({word} & 0xffffu)"


def called(writer: ShaderWriter, name: str, values: list[str], first: Type, result: Type) -> str:
    """Return what a function gives. first: the type of its first argument."""
    if moved := _moved(name):
        text = moved.format(*values)
        return rounded(writer, text, result) if is_half(result) > is_half(first) else text
    if "_as_" in name:
        if is_half(result):
            return of_bits(writer, f"u32({values[0]})", result)
        own = writer.type(result)
        return f"extractBits({own}({bits(writer, values[0], first)}), 0u, 16u)"
    function = writer.helper(_function(name))
    if not isinstance(first, Vector):
        text = f"{function}({', '.join(values)})"
        return rounded(writer, text, result) if is_half(result) else text
    pairs = [writer.let("pair", value) for value in values]
    low, high = (f"{function}({', '.join(f'{pair}.{lane}' for pair in pairs)})" for lane in "xy")
    if result == BOOL:
        return f"({low} && {high})"
    if result == UINT:
        return f"(select(0u, 0xffffu, {low}) | select(0u, 0xffff0000u, {high}))"
    if functions()[function].partition("{")[0].endswith("bool "):
        return f"vec2<f32>(select(0.0f, 1.0f, {low}), select(0.0f, 1.0f, {high}))"
    return rounded(writer, f"vec2<f32>({low}, {high})", result)
