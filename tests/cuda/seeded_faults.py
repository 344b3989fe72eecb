"""Textbook kernels broken by one careless edit each: a barrier forgotten, a guard off by one or missing, a neighbour's
element, a variable without a value.

Not every edit is a fault: some barriers are not needed, some guards never matter. What is one is said by those who run
it: the simulator, compute-sanitizer and the result, side by side (`golden/record.py sanitizer`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nnlib.cuda import RawModule
from tests.cuda.corpus import CASES, Case

# What an edit is called, what it finds in the body of a kernel, and what it writes there.
EDITS = (
    ("barrier forgotten", r"__sync(?:threads|warp)\(\w*\);", r";"),
    ("guard off by one", r"if \((\w+) < (\w+)(?=[) ])", r"if (\1 <= \2"),
    ("guard missing", r"if \(\w+ < \w+\)", r"if (true)"),
    ("return missing", r"if \(\w+ >= \w+\)\s*return;", r""),
    ("neighbour's element", r"\b(\w+)\[(t|i|threadIdx\.x|lane)\]", r"\1[\2 + 1]"),
    ("no first value", r"\b(float|int) (\w+) = 0(?:\.0?f)?;", r"\1 \2;"),
)


@dataclass(frozen=True)
class Seeded:
    """An edit of the kernel of a case that introduces a mistake."""

    name: str
    edit: str
    case: Case
    text: str

    def launch(self) -> list[Any]:
        """Runs it where kernels run on this machine; its arguments afterwards."""
        arguments = self.case.arguments()
        RawModule(self.text, options=self.case.options).get_function(self.case.kernel)(
            self.case.grid, self.case.block, arguments, shared_mem=self.case.shared_mem
        )
        return arguments

    def is_wrong(self, arguments: list[Any]) -> bool:
        """Do the results differ from the right ones?"""
        return bool(self.case.differing(arguments))


def seeded() -> Iterator[Seeded]:
    """The first place of each edit in each kernel of its own text, and every barrier."""
    kernels: set[str] = set()
    for case in CASES.values():
        if "<" in case.kernel or case.cooperative or case.kernel in kernels:
            continue
        kernels.add(case.kernel)
        begin, end = _body(case.text, case.kernel)
        for edit, pattern, replacement in EDITS:
            for number, found in enumerate(re.finditer(pattern, case.text[begin:end])):
                if number and edit != "barrier forgotten":
                    break
                text = (
                    case.text[: begin + found.start()]
                    + found.expand(replacement)
                    + case.text[begin + found.end() :]
                )
                yield Seeded(f"{case.kernel}: {edit} {number + 1}", edit, case, text)


def _body(text: str, kernel: str) -> tuple[int, int]:
    """Return where the braces of a kernel begin and end."""
    head = re.search(rf"__global__[^;{{]*\b{kernel}\s*\([^{{]*", text)
    assert head is not None, kernel
    depth = 0
    for at in range(head.end(), len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return head.end(), at
    raise AssertionError(kernel)
