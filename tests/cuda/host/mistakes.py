"""Programs with one mistake on the host's side each, and their repaired twins: cases/mistakes.cu and repaired.cu."""

import re
from pathlib import Path
from typing import NamedTuple

from tests.cuda.host.test_cases import sections


class Mistake(NamedTuple):
    """line: of the mistake, unless it shows in a kernel."""

    name: str
    text: str
    line: int | None
    repaired: str


FILES = [Path(__file__).parent / "cases" / f"{name}.cu" for name in ("mistakes", "repaired")]
START = FILES[0].read_text().partition("CASE")[0].count("\n")  # the line in which main begins


def _mistake(
    wrong: tuple[str, dict[str, list[str]], str], repaired: tuple[str, dict[str, list[str]], str]
) -> Mistake:
    text, said, report = wrong
    place = re.match(r"(\d+):\d+: (?!\w+Error:)", report)
    return Mistake(said["case"][0], text, int(place[1]) if place else None, repaired[0])


MISTAKES = list(map(_mistake, *(sections(file).values() for file in FILES)))
