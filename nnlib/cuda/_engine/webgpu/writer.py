"""The text while it grows: lines, names, types, and what the module declares in front of its kernel."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..language.normal.intervals import fits_narrow
from ..language.refusal import Refusal
from ..language.types import (
    Array,
    Group,
    Half,
    Opaque,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    size_of,
)
from .shader import Abilities, Uniform

T = TypeVar("T")
SUBGROUPS = "enable subgroups;\n"  # what Tint demands, and naga 29 rejects
WORDS = {"i32": ("", 4), "u32": ("u", 4), "i64": ("li", 8), "u64": ("lu", 8)}


@functools.cache
def functions() -> dict[str, str]:
    """Return what functions.wgsl has: name -> text."""
    text = (Path(__file__).parent / "functions.wgsl").read_text("utf-8")
    parts = re.split(r"^(?=fn )", text, flags=re.MULTILINE)[1:]
    return {part[3:].partition("(")[0]: part.split("\n//")[0].strip() for part in parts}


def is_name(text: str) -> bool:
    """Return whether it is a name or a number, which may be written twice."""
    return text.replace("_", "").isalnum()


class ShaderWriter:
    """narrow: 64-bit whole numbers are printed as 32 bits; checked: what does not fit then is noted as a fault."""

    def __init__(self, abilities: Abilities, fits: bool) -> None:
        self.abilities = abilities
        self.narrow = fits or not abilities.int64
        self.checked = self.narrow and not fits
        self.lines: list[str] = []
        self.depth = 1
        self.helpers: dict[str, str] = {}
        self.uniforms: dict[Uniform, str] = {}
        self.structs: dict[Struct, tuple[str, str]] = {}
        self.subgroups = False
        self._count = 0

    def put(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    @contextmanager
    def braces(self, head: str = "", tail: str = "}") -> Iterator[None]:
        """Put what the `with` block writes into braces."""
        self.put(f"{head} {{".lstrip())
        self.depth += 1
        yield
        self.depth -= 1
        self.put(tail)

    def apart(self, write: Callable[[], T]) -> tuple[list[str], T]:
        """Return the lines that this writes, and what it returns."""
        lines, self.lines = self.lines, []
        result = write()
        lines, self.lines = self.lines, lines
        return lines, result

    def fresh(self, name: str) -> str:
        """Return a new name that reminds of one in the source."""
        self._count += 1
        clean = re.sub(r"[^a-zA-Z0-9]+", "_", name).strip("_") or "t"
        return f"{clean}_{self._count}"

    def let(self, name: str, value: str) -> str:
        """Name a value, unless it is a name."""
        if is_name(value):
            return value
        name = self.fresh(name)
        self.put(f"let {name} = {value};")
        return name

    def uniform(self, what: str, of: int = 0, at: int = 0) -> str:
        """Return a word that is passed, as a u32."""
        field = Uniform(what, of, at)
        return f"u.{self.uniforms.setdefault(field, f'{what}_{of}_{at}')}"

    def helper(self, name: str) -> str:
        """Declare a function of functions.wgsl, with those that it calls."""
        if name not in self.helpers:
            text = functions()[name]
            for other in re.findall(r"\b([a-z]\w*_)\(", text):
                if other != name:
                    self.helper(other)
            for what, of, at in re.findall(r"\bu\.([a-z]+)_(\d)_(\d)", text):
                self.uniform(what, int(of), int(at))
            self.helpers[name] = text
        return name

    # --- types and literals -------------------------------------------------------------------

    def type(self, kind: Type) -> str:
        """Return the type of a value in a register."""
        match kind:
            case Pointer():
                return "i32"
            case Vector(base=base, lanes=lanes):
                return f"vec{lanes}<{self.type(base)}>"
            case Struct():
                return self.struct(kind)
            case Array(element=element, length=length):
                return f"array<{self.type(element)}, {length}>"
            case Group():
                return "u32"
            case Half():
                return "f32"
            case Opaque():
                raise Refusal(f"a value of type {kind}")
            case Scalar(dtype=dtype):
                return self._scalar(kind, dtype.kind)
        raise Refusal(f"a value of type {kind}")

    def _scalar(self, kind: Scalar, code: str) -> str:
        if kind.size < 8 or (self.narrow and code != "f"):
            return {"f": "f32", "i": "i32", "u": "u32", "b": "bool"}[code]
        if code == "f" and not self.abilities.float64:
            raise Refusal("double precision")
        return f"{code}64"

    def struct(self, kind: Struct) -> str:
        if kind not in self.structs:
            if kind.kind == "union":
                raise Refusal("a union")
            fields = "".join(
                f"  {self.member(kind, k)}: {self.type(f.type)},\n"
                for k, f in enumerate(kind.fields)
            )
            name = self.fresh("S" + kind.name)
            self.structs[kind] = (
                name,
                f"struct {name} {{\n{fields or '  nothing: u32,' + chr(10)}}}",
            )
        return self.structs[kind][0]

    @staticmethod
    def member(kind: Struct, number: int) -> str:
        return f"f{number}_{kind.fields[number].name}".rstrip("_")

    def zero(self, kind: Type) -> str:
        return f"{self.type(kind)}()"

    def literal(self, value: Any, kind: Type) -> str:
        """Return a number of a scalar type. Infinity and NaN no constant expression may have."""
        name = self.type(kind)
        if name == "bool":
            return "true" if value else "false"
        if name in ("f32", "f64"):
            x = np.float64(value) if name == "f64" else np.float32(value)
            if not np.isfinite(x):
                bits = "nan" if np.isnan(x) else "inf" if x > 0 else "minus_inf"
                return self.cast(f"bitcast<f32>({bits})", "f32", name)
            text = f"{float(x)!r}{'lf' if name == 'f64' else 'f'}"
            return f"({text})" if text.startswith("-") else text
        suffix, size = WORDS[name]
        if self.checked and size_of(kind) == 8 and not fits_narrow(int(value), kind):
            raise Refusal("64-bit integers")
        word = int(value) & (1 << 8 * size) - 1
        if name[0] == "u" or not word >> (8 * size - 1):
            return f"{word}{suffix}"
        if word == 1 << (8 * size - 1):
            return f"bitcast<{name}>({word}{'u' if size == 4 else 'lu'})"
        return f"(-{(1 << 8 * size) - word}{suffix})"

    def halves(self, text: str, kind: str) -> list[str]:
        """Return a number of 64 bits as two words."""
        name = self.let("wide", self.bits(text, kind, "u64"))
        return [f"u32({name})", f"u32({name} >> 32u)"]

    def whole(self, low: str, high: str, kind: str) -> str:
        """Return the number of 64 bits that two words are."""
        return f"{self.helper(f'whole_{kind}_')}({low}, {high})"

    @staticmethod
    def bits(text: str, source: str, to: str) -> str:
        """Return the same bits in another type of WGSL."""
        return text if source == to else f"bitcast<{to}>({text})"

    def cast(self, text: str, source: str, to: str) -> str:
        """Return the same value, or what is left of it, in another type of WGSL."""
        if source == to:
            return text
        if to == "bool":
            return f"({text} != {source}(0))"
        if source == "bool":
            return f"select({to}(0), {to}(1), {text})"
        if {source, to} == {"i32", "u32"} and not text.rstrip("u").isdigit():
            return f"bitcast<{to}>({text})"
        name = f"{source}_to_{to}_"
        return f"{self.helper(name) if name in functions() else to}({text})"
