"""printf and its family: a format and typed values become text, for the output, a file or memory. Lesson 01."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from nnlib.cuda.host.library.registry import provides
from nnlib.cuda.host.lowering.writer import CallSite
from nnlib.cuda.host.runtime.files import Files
from nnlib.cuda.host.runtime.heap import Heap
from nnlib.cuda.host.runtime.output import Output
from nnlib.cuda.language.checking.intrinsics import KNOWN, places, unknown
from nnlib.cuda.simulator.functions.printf import formatted

_TYPES: dict[str, type[np.generic]] = {"i": np.int32, "I": np.uint32, "q": np.int64, "Q": np.uint64, "d": np.float64}
WIDEST = 100_000  # characters of one value
_WIDE = re.compile(r"%[-+ #0]*(\d{6,}|\d*\.\d{6,})")
Given = Sequence[tuple[str, Any]]  # the values: the letter of the type, s for a text, and the number or address


class Printer:
    """The printf family of a run, and what else writes text."""

    def __init__(self, heap: Heap, output: Output, files: Files) -> None:
        self._heap, self._report, self._output, self._files = heap, heap.mistakes.report, output, files

    def format(self, text: str, given: Given) -> str:
        """The text with the values in their places."""
        starred = any(written == "*" for _, written, _ in places(text))
        if _WIDE.search(text) or starred and any(abs(v) >= WIDEST for letter, v in given if letter == "i"):
            self._report(f"a value is printed with a width of {WIDEST:,} characters or more",
                         "write a smaller width")
        return formatted(text, [self._typed(letter, value) for letter, value in given])

    def _typed(self, letter: str, value: Any) -> Any:
        if letter == "s":
            return self._heap.text(value)
        found: Any = np.array(value).astype(_TYPES[letter])
        return found[()]

    def format_at(self, address: int, given: Given) -> tuple[str, list[tuple[str, Any]]]:
        """A text for printf that was not known before, and its values, if they fit."""
        text = self._heap.text(address)
        if letter := unknown(text):
            self._report(f"printf does not know %{letter} of {text!r}", KNOWN)
        wanted = [kind for kind, *_ in places(text)]
        if len(wanted) != len(given):
            self._report(f"the text of printf has places for {len(wanted)} values, but {len(given)} given",
                             "write one value for each % (and %% for the sign itself)")
        for kind, (letter, _) in zip(wanted, given, strict=True):
            if (letter == "d") != (kind in "fFeEgG") or (letter == "q") < (kind in "sp"):
                self._report(f"%{kind} of {text!r} does not print a value of this type",
                             "%d prints an int, %f a float or double, %s a text")
        return text, [("s" if kind == "s" else letter, value)
                      for kind, (letter, value) in zip(wanted, given, strict=True)]

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
            self._heap.store_bytes(to, content[:size - 1] + b"\0")
        return len(content)

    @provides()
    def puts(self, site: CallSite, text: int) -> int:
        self._output.write(self._heap.text(text) + "\n")
        return 1

    @provides()
    def putchar(self, site: CallSite, character: int) -> int:
        self._output.write(chr(character & 255))
        return character

    @provides()
    def fputs(self, site: CallSite, text: int, file: int) -> int:
        return self.fprintf(file, "%s", [("s", text)])

    @provides("__print_text")
    def print_text(self, site: CallSite, file: int, text: int, width: int) -> None:
        self._output.write(self._heap.text(text).rjust(width))

    @provides("__print_real")
    def print_real(self, site: CallSite, file: int, value: float, precision: int, fixed: bool, width: int) -> None:
        self._output.write((f"%.{precision}{'f' if fixed else 'g'}" % value).rjust(width))

    @provides("__print_whole", "__print_unsigned")
    def print_whole(self, site: CallSite, file: int, value: int, width: int) -> None:
        self._output.write(str(int(value)).rjust(width))

    @provides()
    def perror(self, site: CallSite, text: int) -> None:
        self._output.write(self._heap.text(text) + ": No such file or directory\n")
