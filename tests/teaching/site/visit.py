"""A visitor of the site: headless Chromium that may load nothing from elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from nnlib.teaching.chromium import ARGUMENTS, chromium
from tests.notebooks import HANGS

SITE = Path(__file__).parents[3] / "site"

# No other machine is found
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
_PANEL = "window.jupyterapp?.shell?.currentWidget"
_CELLS = f"{_PANEL}.content.widgets.filter(cell => cell.model.type === 'code')"
STATE = f"""() => {{
  const panel = {_PANEL};
  if (!panel?.content?.widgets || !panel.sessionContext) return null;
  const cells = panel.content.widgets.filter(cell => cell.model.type === 'code');
  return {{
    kernel: panel.sessionContext.kernelDisplayStatus,
    ids: cells.map(cell => cell.model.id),
    ran: cells.map(cell => Boolean(cell.model.executionCount)),
    failed: cells.some(cell => [...Array(cell.model.outputs.length).keys()]
      .some(k => cell.model.outputs.get(k).type === 'error')),
  }};
}}"""
OUTPUTS = (
    f"() => Object.fromEntries({_CELLS}.map(cell => [cell.model.id, cell.model.outputs.toJSON()]))"
)


class Visit:
    """A page of the site. `foreign`: requests that left it, each in vain. `errors`: the page's own."""

    def __init__(self, context: Any, site: str) -> None:
        self.site, self.foreign, self.errors = site, [], []
        context.set_default_timeout(HANGS)
        self.context, self.page = context, context.new_page()
        context.on("request", self._look)  # a route would switch the browser's cache off
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _look(self, request: Any) -> None:
        if not request.url.startswith((self.site, "data:", "blob:")):
            self.foreign.append(request.url)

    def open(self, lesson: str, app: str = "notebooks") -> None:
        """Open a lesson and wait for its kernel; its stored outputs are taken away."""
        self.page.goto(f"{self.site}{app}/index.html?path={lesson}.ipynb")
        self.wait_for(lambda state: state and state["ids"] and state["kernel"] == "idle")
        self.page.evaluate(
            f"() => {_CELLS}.forEach(cell => {{ cell.model.outputs.clear(); "
            "cell.model.sharedModel.execution_count = null; })"
        )

    def state(self) -> dict[str, Any] | None:
        """The kernel's state, of every code cell its id and whether it ran, and whether any failed."""
        return self.page.evaluate(STATE)

    def outputs(self) -> dict[str, list[dict[str, Any]]]:
        """Return the outputs of every code cell, by its id."""
        return self.page.evaluate(OUTPUTS)

    def failures(self) -> list[str]:
        """The errors of all cells."""
        return [
            f"{cell}: {output['ename']}: {output['evalue']}"
            for cell, outputs in self.outputs().items()
            for output in outputs
            if output["output_type"] == "error"
        ]

    def wait_for(self, condition: Any) -> dict[str, Any]:
        """Wait until the state fulfils the condition. TimeoutError."""
        end = time.monotonic() + HANGS / 1000
        while time.monotonic() < end:
            state = self.state()
            if condition(state):
                return state
            if self.errors:
                break
            self.page.wait_for_timeout(500)
        raise TimeoutError(
            f"{self.page.url} took longer than {HANGS / 1000:.0f} s on this computer, or fails: kernel "
            f"{state and state['kernel']}, {state and sum(state['ran'])} cells have run; "
            f"{self.errors[-1:]}"
        )

    def run_all(self) -> None:
        """Start all cells."""
        self.page.evaluate(
            "() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }"
        )

    def finish(self) -> dict[str, Any]:
        """Wait until all cells have run, or one has failed."""
        return self.wait_for(
            lambda state: state["kernel"] == "idle" and (all(state["ran"]) or state["failed"])
        )

    def select(self, cell: str) -> Any:
        """Make a code cell active, and its element."""
        self.page.evaluate(
            f"""id => {{
          const notebook = {_PANEL}.content;
          const index = notebook.widgets.findIndex(cell => cell.model.id === id);
          notebook.activeCellIndex = index;
          notebook.widgets[index].node.scrollIntoView();
        }}""",
            cell,
        )
        self.page.wait_for_timeout(1500)
        return self.page.locator(".jp-Notebook .jp-CodeCell.jp-mod-active").first

    def start(self, cell: str, source: str | None = None) -> None:
        """Start one cell, with this source if one is given."""
        self.select(cell)
        self.page.evaluate(
            f"""source => {{
          const cell = {_PANEL}.content.activeCell;
          cell.model.outputs.clear();
          if (source !== null) cell.model.sharedModel.setSource(source);
          cell.model.sharedModel.execution_count = null;
          window.jupyterapp.commands.execute('notebook:run-cell');
        }}""",
            source,
        )

    def run(self, cell: str, source: str | None = None) -> str:
        """Run one cell, with this source if one is given, and what it printed."""
        self.start(cell, source)
        return self.finish_cell(cell)

    def finish_cell(self, cell: str) -> str:
        """Wait until a cell that was started has run, and what it printed."""
        place = self.state()["ids"].index(cell)
        self.wait_for(lambda state: state["kernel"] == "idle" and state["ran"][place])
        return text(self.outputs()[cell])


def text(outputs: list[dict[str, Any]]) -> str:
    """Return what was printed."""
    return "".join("".join(output.get("text", "")) for output in outputs)


@contextmanager
def visiting(site: str, storage: str = "", **options: Any) -> Iterator[Visit]:
    """A visit; storage: a folder where the browser keeps its own, for a second visit."""
    from playwright.sync_api import sync_playwright

    options = {
        "executable_path": chromium(),
        "args": [*ARGUMENTS, *QUIET],
        "viewport": {"width": 1300, "height": 950},
        **options,
    }
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(storage, **options)
        yield Visit(context, site)
        context.close()


def used() -> tuple[float, int]:
    """CPU seconds so far, and bytes of memory of the largest, of the browser's processes below this one."""
    parents, usage = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        number = int(folder.name)
        with suppress(OSError):  # it has ended, or is no program
            fields = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
            parents[number] = int(fields[1])
            if "chrom" in (folder / "exe").readlink().name:  # and not Playwright's own process
                usage[number] = int(fields[11]) + int(fields[12]), int(fields[21])
    ours = [each for number, each in usage.items() if _below(number, parents)]
    ticks, pages = sum(each[0] for each in ours), max((each[1] for each in ours), default=0)
    return ticks / os.sysconf("SC_CLK_TCK"), pages * os.sysconf("SC_PAGE_SIZE")


def settle() -> None:
    """Wait until the browser has started, its own tool bars too: it then hardly computes."""
    seconds = -1.0
    while used()[0] > seconds + 0.02:
        seconds = used()[0]
        time.sleep(1.5)


def _below(number: int, parents: dict[int, int]) -> bool:
    while number in parents:
        if number == os.getpid():
            return True
        number = parents[number]
    return False
