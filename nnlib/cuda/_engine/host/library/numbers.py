"""The C library's functions for random numbers and for numbers in strings."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from string import ascii_lowercase
from typing import TypeVar

from ...language.types import DOUBLE
from ..lowering.values import rounding
from ..runtime.scanning import whole
from .registry import LibraryPart, provided, provides

T = TypeVar("T", int, float)


class Numbers(LibraryPart):
    """rand, srand and drand48; atoi, strtol and strtod."""

    @provides("rand", "random")
    def rand(self) -> int:
        return self._run.random.next()

    @provides("__random_device")
    def random_device(self) -> int:
        """Return other numbers each time, as std::random_device does on a PC."""
        return secrets.randbits(32)

    @provides("srand", "srandom")
    def srand(self, seed: int) -> None:
        self._run.random.seed(seed)

    @provided
    def drand48(self) -> float:
        return self._run.random.real()

    @provided
    def srand48(self, seed: int) -> None:
        self._run.random.seed48(seed)

    @provides("atoi", "atol", "atoll")
    def atoi(self, text: int) -> int:
        return self.strtol(text, 0, 10)

    @provided
    def atof(self, text: int) -> float:
        return self.strtod(text, 0)

    @provides("strtod", "strtof")
    def strtod(self, text: int, end: int) -> float:
        kind = float if self._site.call.type == DOUBLE else rounding()
        number = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?i:inf(?:inity)?|nan)"
        hexadecimal = r"(?i:0x(?:[\da-f]+\.?[\da-f]*|\.[\da-f]+)(?:p[-+]?\d+)?)"
        return self._front(
            text,
            end,
            rf"[-+]?(?:{hexadecimal}|{number})",
            lambda found: kind((float.fromhex if "x" in found.lower() else float)(found)),
        )

    @provides("strtol", "strtoll", "strtoul", "strtoull")
    def strtol(self, text: int, end: int, base: int) -> int:
        """Read an integer. With base 0 the prefix decides: 0x is hexadecimal, 0 is octal, anything else decimal."""
        if base and not 2 <= base <= 36:
            self._reject(
                f"strtol knows no base {base}", "write 10; or 0 for as the number is written"
            )
        hexadecimal = "0[xX][0-9a-fA-F]+|"
        known = rf"(?i:[{ascii_lowercase[: base - 10]}\d]+)" if base > 10 else rf"[0-{base - 1}]+"
        digits = hexadecimal + r"0[0-7]*|\d+" if base == 0 else hexadecimal * (base == 16) + known

        def number(found: str) -> int:
            first = found.lstrip("-+").lower()
            own = base or (16 if first.startswith("0x") else 8 if first.startswith("0") else 10)
            return whole(found, own, 2**64 - 1 if "ul" in self._site.called else 2**63 - 1)

        return self._front(text, end, rf"[-+]?(?:{digits})", number)

    def _front(self, text: int, end: int, pattern: str, kind: Callable[[str], T]) -> T:
        """Return the number at the start of a string; store the address behind it at `end`, unless `end` is null."""
        found = re.match(rf"\s*({pattern})", self._heap.text(text), re.ASCII)
        if end:
            self._heap.store_value(end, "q", text + (found.end() if found else 0))
        return kind(found[1] if found else "0")
