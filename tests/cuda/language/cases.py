"""What is CUDA C and what is not: the texts of cases/*.cu, each with what is said of it.

A file begins with a frame. In place of its `/* here */` goes one of the sections behind it, which begin with
  // right                       compiles; `// note 2:5: ...` below it are the warnings
  // type unsigned int           compiles, and the expression has this type
  // error 2:20: ...             is no CUDA C; `// hint: ...` below it says what to write
  // stricter 2:20: ...          is refused like an error, although NVRTC takes it
  // unsupported 2:20: ...       is CUDA C that the simulator does not know
NVRTC has to agree (test_nvrtc.py), but for the files in UNASKED.

python -m tests.cuda.language.cases     after a change that is meant: writes anew what is said; look at the difference
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from nnlib.cuda import Program
from nnlib.cuda._engine.errors import KernelSyntaxError, UnsupportedError
from nnlib.cuda._engine.language import compile_source

FOLDER = Path(__file__).with_suffix("")
UNASKED = ("host", "host_programs", "rare", "rare_statements")
_BEYOND = "valid CUDA C++, but not supported by the simulator: "


@dataclass(frozen=True)
class Case:
    """A section of a file. expected: the lines of its comment; body: what goes into the frame; text: both."""

    file: str
    line: int
    expected: tuple[str, ...]
    body: str
    text: str

    @property
    def verdict(self) -> str:
        return self.expected[0].split()[0]

    @property
    def is_asked(self) -> bool:
        return self.file not in UNASKED

    def said(self) -> tuple[str, ...]:
        """Return what is said of it now."""
        try:
            program = (Program if self.file.startswith("host") else compile_source)(self.text)
        except KernelSyntaxError as error:
            assert f"{error.file}:{error.line}:{error.column}: {error.what}\n" in f"{error}\n"
            word = "stricter" if self.verdict == "stricter" else "error"
            if isinstance(error, UnsupportedError):
                word = "unsupported"
            first = f"{word} {error.line}:{error.column}: {error.what.removeprefix(_BEYOND)}"
            return (first, f"hint: {error.hint}") if error.hint else (first,)
        if self.file == "types":
            return (f"type {program.functions['k'].body.statements[0].expression.type}",)
        return "right", *(f"note {at.line}:{at.column}: {note}" for at, note in program.warnings)


def _sections(file: Path) -> tuple[str, list[Case]]:
    """Return what stands above the sections, and those."""
    head, *parts = re.split(
        r"^(?=// (?:right|type|error|stricter|unsupported)\b)", file.read_text(), flags=re.MULTILINE
    )
    frame, found, line = head.split("\n", 1)[1].removesuffix("\n"), [], head.count("\n") + 1
    for part in parts:
        comment = re.match(r"(?:// .*\n)(?:// (?:hint|note).*\n)*", part)[0]
        body = part[len(comment) :].rstrip("\n")
        expected = tuple(row.removeprefix("// ") for row in comment.splitlines())
        found.append(Case(file.stem, line, expected, body, frame.replace("/* here */", body)))
        line += part.count("\n")
    return head, found


CASES = [case for file in sorted(FOLDER.glob("*.cu")) for case in _sections(file)[1]]
RIGHT = [case.text for case in CASES if case.verdict == "right" and case.is_asked]


def main() -> None:
    for file in FOLDER.glob("*.cu"):
        head, cases = _sections(file)
        parts = ("\n".join([*(f"// {row}" for row in case.said()), case.body]) for case in cases)
        file.write_text(head + "\n\n".join(parts) + "\n")


if __name__ == "__main__":
    main()
