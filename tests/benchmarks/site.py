"""The lessons in a browser, from the built site, in JupyterLite and as pages: seconds to the first kernel, of the whole
lesson, and memory.

    make site && python -m tests.benchmarks.site [lessons ...]

Seconds are the browser's CPU seconds, all its processes together: on a busy machine the clock tells little. Stores
results/browser.json; lessons that are not named keep their rows. A cell that fails ends it.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbformat import read

from nnlib.lessons import notebooks
from nnlib.teaching.site.serve import Handler, serving
from tests.teaching.site.visit import SITE, Visit, settle, used, visiting

from .timing import environment, stored_at

ROOT = Path(__file__).parents[2]


WAITS = (
    "() => { window.idle = new Promise(done =>"
    " document.addEventListener('lesson-idle', () => done(true), { once: true })); }"
)
KERNELS = ".cell > .source > .cuda"  # folded ones are no direct children
LAUNCHES = (
    ".cell:has(> .source > .cuda) ~ .cell:not(.question) > .source:has(.python) + .run button"
)


def first_kernel(lesson: str) -> str:
    """The id of the cell behind the first `%%cuda` cell, or of an earlier one that computes with an engine."""
    cells = [
        cell
        for cell in read(ROOT / "notebooks" / f"{lesson}.ipynb", 4).cells
        if cell.cell_type == "code"
    ]
    pairs = zip([None, *cells], cells, strict=False)
    return next(
        cell.id
        for before, cell in pairs
        if (before and before.source.startswith("%%cuda")) or "with ops.engine(" in cell.source
    )


def since(before: float) -> float:
    """Return the CPU seconds that browsers have used since then."""
    return round(used()[0] - before, 1)


def to_first_kernel(visit: Visit, lesson: str) -> float:
    """Open the lesson, start all cells, and the CPU seconds until the first kernel has run."""
    before = used()[0]
    visit.open(lesson)
    visit.run_all()
    place = visit.state()["ids"].index(first_kernel(lesson))
    visit.wait_for(lambda state: state["ran"][place] or state["failed"])
    return since(before)


def to_report(visit: Visit) -> float:
    """Change the page's first kernel, run the cell below that launches it, and the CPU seconds until its report."""
    before = used()[0]
    kernel, launch = (
        visit.page.evaluate_handle(
            f"[...document.querySelectorAll('{cells}')].find(cell => cell.checkVisibility())"
        )
        for cells in (KERNELS, LAUNCHES)
    )
    kernel.click()
    visit.page.keyboard.press("Control+End")
    visit.page.keyboard.insert_text(" // changed")
    visit.page.evaluate(WAITS)
    launch.click()
    visit.page.evaluate("window.idle")
    return since(before)


def visits(site: str) -> Iterator[tuple[str, Visit]]:
    """Yield a first and a second visit with one browser's storage, each once the browser itself has started."""
    with tempfile.TemporaryDirectory() as storage:
        for turn in ("cold", "warm"):
            with visiting(site, storage) as visit:
                settle()
                yield turn, visit
                if visit.foreign or visit.errors:
                    raise SystemExit(f"{visit.page.url}: {visit.foreign} {visit.errors}")


def as_page(site: str, lesson: str) -> dict[str, float]:
    """Measure one lesson as a page: a report on a first visit, the next one, one on a second visit, then all cells."""
    row = {}
    for turn, visit in visits(site):
        before = used()[0]
        visit.page.goto(f"{site}{lesson}.html")
        to_report(visit)
        row[turn] = since(before)
        row["again"] = to_report(visit)
        if turn == "warm":
            visit.page.evaluate(WAITS)
            visit.page.locator("#all").click()
            visit.page.evaluate("window.idle")
            row["whole"] = since(before)
    return row


def start_page(site: str) -> dict[str, float]:
    """The start page: its report on a first and on a second visit."""
    row = {}
    for turn, visit in visits(site):
        before = used()[0]
        visit.page.goto(site)
        visit.page.wait_for_selector("#report.mistake")
        row[turn] = since(before)
    return row


def measure(site: str, lesson: str) -> dict[str, Any]:
    """Measure one lesson in JupyterLite: a first visit to its end, then a second one to the first kernel."""
    row: dict[str, Any] = {}
    for turn, visit in visits(site):
        before, sent = used()[0], Handler.sent
        row[turn] = to_first_kernel(visit, lesson)
        if turn == "warm":
            break
        visit.finish()
        if visit.failures():
            raise SystemExit(f"{lesson}: {visit.failures()}")
        row |= {"whole": since(before), "memory": used()[1], "loaded": Handler.sent - sent}
    return row


def main() -> None:
    known = stored_at("browser")
    rows = json.loads(known.read_text("utf-8"))["lessons"]
    names = sys.argv[1:] or [path.stem for path in notebooks(ROOT / "notebooks")]
    with serving(SITE) as site:
        for lesson in names:
            rows[lesson] = measure(site, lesson) | {"page": as_page(site, lesson)}
            print(lesson, rows[lesson], flush=True)
            size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
            versions = json.loads((SITE / "static/pyodide/pyodide-lock.json").read_text("utf-8"))[
                "info"
            ]
            known.write_text(
                json.dumps(
                    {
                        "environment": environment(),
                        "start": start_page(site),
                        "size": size,
                        "pyodide": versions,
                        "lessons": dict(sorted(rows.items())),
                    },
                    indent=1,
                )
                + "\n",
                "utf-8",
            )


if __name__ == "__main__":
    main()
