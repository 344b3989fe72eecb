"""printf and its family: a format and typed values become text, for the output, a file or memory. Lesson 01."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from ...language.checking.intrinsics import KNOWN, places, unknown
from ...simulator.functions.printf import formatted
from ..runtime.state import RunState
from .registry import LibraryPart, provided, provides

_TYPES: dict[str, type[np.generic]] = {
    "i": np.int32,
    "I": np.uint32,
    "q": np.int64,
    "Q": np.uint64,
    "d": np.float64,
}
WIDEST = 100_000  # characters of one value
_WIDE = re.compile(r"%[-+ #0]*(\d{6,}|\d*\.\d{6,})")
# The values: the letter of the type, s for a text, and the number or address
Given = Sequence[tuple[str, Any]]


class Printer(LibraryPart):
    """The printf family of a run, and what else writes text."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self._more: dict[int, Given] = {}

    def format(self, text: str, given: Given) -> str:
        """Return the text with the values in their places."""
        starred = any(written == "*" for _, written, _ in places(text))
        if _WIDE.search(text) or (
            starred and any(abs(v) >= WIDEST for letter, v in given if letter == "i")
        ):
            self._too_wide()
        return formatted(text, [self._typed(letter, value) for letter, value in given])

    def _too_wide(self) -> NoReturn:
        self._report(
            f"a value is printed with a width of {WIDEST:,} characters or more",
            "write a smaller width",
        )

    def _typed(self, letter: str, value: Any) -> Any:
        if letter == "t":
            return value
        if letter == "s":
            return self._heap.text(value)
        found: Any = np.array(value).astype(_TYPES[letter])
        return found[()]

    def format_at(self, address: int, given: Given) -> tuple[str, list[tuple[str, Any]]]:
        """Return a format that is only known now, and its values; report values that do not fit."""
        text = self._heap.text(address)
        if letter := unknown(text):
            self._report(f"printf does not know %{letter} of {text!r}", KNOWN)
        wanted = [kind for kind, *_ in places(text)]
        if len(wanted) < len(given):
            self._mistakes.note(
                f"line {self._mistakes.position().line}: printf is given {len(given)} values, but its text prints only "
                f"{len(wanted)}"
            )
        if len(wanted) > len(given):
            self._report(
                f"the text of printf has places for {len(wanted)} values, but {len(given)} given",
                "write one value for each % (and %% for the sign itself)",
            )
        for kind, (letter, _) in zip(wanted, given, strict=False):
            if (
                not letter
                or (letter == "d") != (kind in "fFeEgG")
                or (letter == "q") < (kind in "sp")
            ):
                self._report(
                    f"%{kind} of {text!r} does not print a value of this type",
                    "%d prints an int, %f a float or double, %s a text",
                )
        return text, [
            ("s" if kind == "s" else letter, value)
            for kind, (letter, value) in zip(wanted, given, strict=False)
        ]

    def printf(self, text: str, given: Given) -> int:
        result = self.format(text, given)
        self._output.write(result)
        return len(result.encode())

    def fprintf(self, file: int, text: str, given: Given) -> int:
        stream = self._files.opened(file)
        if stream is None:
            return self.printf(text, given)
        content = self.format(text, given).encode()
        return len(content) if self._files.write(stream, content) == len(content) else -1

    def sprintf(self, to: int, text: str, given: Given) -> int:
        content = self.format(text, given).encode()
        self._heap.store_bytes(to, content + b"\0")
        return len(content)

    def snprintf(self, to: int, size: int, text: str, given: Given) -> int:
        content = self.format(text, given).encode()
        if size:
            self._heap.store_bytes(to, content[: size - 1] + b"\0")
        return len(content)

    @provided
    def puts(self, text: int) -> int:
        self._output.write(self._heap.text(text) + "\n")
        return 1

    @provided
    def putchar(self, character: int) -> int:
        self._output.write(chr(character & 255))
        return character

    @provided
    def fputs(self, text: int, file: int) -> int:
        return self.fprintf(file, "%s", [("s", text)])

    @provides("__print_text")
    def print_text(self, file: int, text: int, width: int, fill: int) -> None:
        self._write(file, self._heap.text(text), width, fill)

    @provides("__print_real")
    def print_real(
        self, file: int, value: float, digits: int, mode: int, width: int, fill: int
    ) -> None:
        """Print a real number. mode: of std::defaultfloat, std::fixed, std::scientific."""
        if digits >= WIDEST:
            self._too_wide()
        # As C++ takes a negative one
        digits = 6 if digits < 0 else max(digits, 1) if mode == 0 else digits
        self._write(file, f"%.{digits}{'gfe'[mode]}" % value, width, fill)

    @provides("__print_whole", "__print_unsigned")
    def print_whole(self, file: int, value: int, width: int, fill: int, base: int) -> None:
        self._write(file, format(int(value), {8: "o", 16: "x"}.get(base, "d")), width, fill)

    def _write(self, file: int, text: str, width: int, fill: int) -> None:
        """Write to a stream of C++, in so many columns, at their left if width is negative."""
        if abs(width) >= WIDEST:
            self._too_wide()
        text = (
            text.ljust(-width, chr(fill & 255)) if width < 0 else text.rjust(width, chr(fill & 255))
        )
        if file:
            self.fprintf(file, "%s", [("t", text)])

    # --- functions with any number of arguments ----------------------------------------------

    @provides("__more")
    def more(self, given: Given) -> int:
        """Store the values that va_arg finds, 8 bytes each; return their address."""
        one = self._heap.claim("the arguments", 8 * max(len(given), 1), "variable", 0)
        for number, (letter, value) in enumerate(given):
            self._heap.store_bytes(
                one.address + 8 * number, struct.pack(f"<{letter or 'q'}", value).ljust(8, b"\0")
            )
        self._more[one.address] = given
        return one.address

    def _given(self, text: int, values: int) -> tuple[str, list[tuple[str, Any]]]:
        start = max(address for address in self._more if address <= values)
        form = self._heap.text(text)
        return self.format_at(text, self._more[start][(values - start) // 8 :][: len(places(form))])

    @provides("vprintf", "vfprintf", "vsprintf", "vsnprintf")
    def printf_more(self, *given: int) -> int:
        *target, text, values = given
        printer: Callable[..., int] = getattr(self, self._site.called[1:])
        return printer(*target, *self._given(text, values))

    @provided
    def perror(self, text: int) -> None:
        self._output.write(self._heap.text(text) + ": No such file or directory\n")
