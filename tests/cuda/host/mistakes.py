"""Programs with one mistake on the host's side each, and their repaired twins: cases/mistakes.cu and repaired.cu."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.cuda.host.test_cases import sections


class Mistake(NamedTuple):
    """line: of the mistake, unless it shows in a kernel."""

    name: str
    text: str
    line: int | None
    repaired: str


WRONG, REPAIRED = (
    Path(__file__).parent / "cases" / f"{name}.cu" for name in ("mistakes", "repaired")
)
START = WRONG.read_text().partition("CASE")[0].count("\n")  # the line in which main begins


def _mistakes() -> Iterator[Mistake]:
    twins = {
        name: text
        for text, said, _ in sections(REPAIRED).values()
        for name in [*said["case"], *said.get("and", [])]
    }
    for text, said, report in sections(WRONG).values():
        (name,) = said["case"]
        place = re.match(r"(\d+):\d+: (?!\w+Error:)", report)
        yield Mistake(name, text, int(place[1]) if place else None, twins.pop(name))
    assert not twins, twins


MISTAKES = list(_mistakes())
