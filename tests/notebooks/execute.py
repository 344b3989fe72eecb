"""Run lessons from top to bottom and store them in canonical form: a second run changes nothing.

    python -m tests.notebooks.execute notebooks/*.ipynb

Cells tagged nbval-ignore-output (timings, device names) keep the outputs they have as long as their
source has not changed; `--fresh` renews them as well.
"""

from __future__ import annotations

import argparse
import copy
import os
import re
import sys
import tempfile
import time
from pathlib import Path

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import read, write

from .authoring import METADATA

WIDGET = "application/vnd.jupyter.widget-view+json"
IGNORED = "nbval-ignore-output"


def run(notebook, folder: str, environment: dict[str, str] | None = None, timeout: int = 300):
    """Execute in a fresh kernel, in that folder, with these environment variables; raises CellExecutionError."""
    client = NotebookClient(notebook, timeout=timeout, kernel_name="python3", record_timing=False,
                            store_widget_state=False, resources={"metadata": {"path": folder}})
    with tempfile.TemporaryDirectory() as empty:  # a student who begins: no progress, no library
        client.execute(env={**os.environ, "NNLIB_PROGRESS": "", "NNLIB_MINE": f"{empty}/mine", **(environment or {})})
    return notebook


def canonical(notebook, before=None):
    """The notebook without traces of machine and moment, in place.

    before: the stored notebook; its outputs of cells that may differ are kept.
    """
    kept = {cell.source: cell.outputs for cell in (before.cells if before else [])
            if cell.cell_type == "code" and IGNORED in cell.metadata.get("tags", []) and cell.outputs}
    notebook.metadata = copy.deepcopy(METADATA)
    count = 0
    for cell in notebook.cells:
        cell.source = "\n".join(line.rstrip() for line in cell.source.strip("\n").split("\n"))
        cell.metadata.pop("execution", None)
        cell.metadata.pop("magics_language", None)
        if cell.cell_type != "code":
            continue
        count += 1
        cell.execution_count = count
        if cell.source.startswith("%%cuda"):
            cell.metadata["magics_language"] = "cuda"  # nbconvert highlights it so
        if IGNORED in cell.metadata.get("tags", []) and cell.source in kept:
            cell.outputs = kept[cell.source]
        cell.outputs = _joined(cell.outputs)
        for output in cell.outputs:
            _canonical_output(output, count)
    _shut_answers(notebook)
    return notebook


SHUT = "\u200b\n"  # a first line that shows nothing: JupyterLab puts the first line of a shut output on the page


def _shut_answers(notebook) -> None:
    """Outputs from a question to its answer are stored shut; in JupyterLab they open when the cell is run."""
    asked: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        jupyter = cell.metadata.get("jupyter", {})
        jupyter.pop("outputs_hidden", None)
        revealed = set(re.findall(r'\breveal\("([\w.]+)"', cell.source))
        shown = [output for output in cell.outputs if "nn-reveal" not in str(output.get("data", ""))]
        if asked and shown:  # an answer by itself is folded already
            jupyter["outputs_hidden"] = True
            _hide_first_line(cell.outputs[0])
        asked -= revealed
        asked |= set(re.findall(r'\bpredict\("([\w.]+)"', cell.source)) - revealed
        if jupyter:
            cell.metadata["jupyter"] = jupyter
        else:
            cell.metadata.pop("jupyter", None)


def _hide_first_line(output) -> None:
    if "text" in output:
        output["text"] = SHUT + output["text"].removeprefix(SHUT)
    for kind, text in output.get("data", {}).items():
        if isinstance(text, str):
            output["data"][kind] = SHUT + text.removeprefix(SHUT)


def _joined(outputs: list) -> list:
    """Printed text arrives in pieces, cut where the clock wants; pieces of one stream in a row become one."""
    joined: list = []
    for output in outputs:
        if joined and output.output_type == "stream" == joined[-1].output_type and output.name == joined[-1].name:
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _canonical_output(output, count: int) -> None:
    if "execution_count" in output:
        output["execution_count"] = count
    for part in ("data", "metadata"):
        output.get(part, {}).pop(WIDGET, None)
    if "traceback" in output:
        output["traceback"] = [re.sub(r"ipykernel_\d+/\d+", "ipykernel", line) for line in output["traceback"]]


def store(notebook, path: Path) -> None:
    """Write it whole or not at all."""
    fresh = path.with_suffix(".ipynb.tmp")
    with open(fresh, "w", encoding="utf-8", newline="\n") as file:
        write(notebook, file)
    fresh.replace(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--fresh", action="store_true", help="also renew outputs that differ between machines")
    arguments = parser.parse_args()
    for path in arguments.notebooks:
        before = read(path, 4)
        start = time.perf_counter()
        try:
            notebook = run(copy.deepcopy(before), str(path.parent))
        except CellExecutionError as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
        store(canonical(notebook, None if arguments.fresh else before), path)
        print(f"{path.name}: {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
