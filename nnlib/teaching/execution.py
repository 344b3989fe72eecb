"""Lessons, run from top to bottom, and stored in canonical form: a second run changes nothing."""

from __future__ import annotations

import contextlib
import copy
import os
import re
import tempfile
from collections.abc import Iterator
from typing import Any

from nbclient import NotebookClient

from nnlib.teaching.cells import METADATA

WIDGET = "application/vnd.jupyter.widget-view+json"
IGNORED = "nbval-ignore-output"
HOUR = 3600  # seconds, in which a cell of every lesson ends on every computer


def run(notebook: Any, folder: str) -> Any:
    """Execute in a fresh kernel, in that folder.

    Raises CellExecutionError, and CellTimeoutError where a cell takes longer than an HOUR on this computer.
    """
    with started(notebook, folder) as kernel:
        kernel.execute(cleanup_kc=False)
    return notebook


@contextlib.contextmanager
def started(notebook: Any, folder: str, **environment: str) -> Iterator[NotebookClient]:
    """Start a kernel for the notebook's cells, in that folder, for a student who begins."""
    client = NotebookClient(
        notebook,
        timeout=HOUR,
        startup_timeout=HOUR,
        iopub_timeout=HOUR,
        extra_arguments=["--log-level=ERROR"],  # no warning that it runs without encryption
        kernel_name="python3",
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": folder}},
    )
    with tempfile.TemporaryDirectory() as empty:  # no progress, no library
        own = {"NNLIB_PROGRESS": "", "NNLIB_MINE": f"{empty}/mine"}
        with client.setup_kernel(env=os.environ | own | environment):
            yield client


def canonical(notebook: Any, before: Any = None) -> Any:
    """Remove traces of machine and moment from a notebook, in place, and return it.

    before: the stored notebook; its outputs of cells that may differ are kept.
    """
    kept = {
        (cell.id, cell.source): cell.outputs
        for cell in (before.cells if before else [])
        if cell.cell_type == "code" and IGNORED in cell.metadata.get("tags", []) and cell.outputs
    }
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
        if cell.source.startswith("%%cu"):
            cell.metadata["magics_language"] = "cuda"  # nbconvert highlights it so
        if IGNORED in cell.metadata.get("tags", []):
            cell.outputs = kept.get((cell.id, cell.source), cell.outputs)
        cell.outputs = _joined(cell.outputs)
        for output in cell.outputs:
            _canonical_output(output, count)
    _shut_answers(notebook)
    return notebook


SHUT = "\u200b\n"  # a first line that shows nothing: JupyterLab puts the first line of a shut output on the page


def _shut_answers(notebook: Any) -> None:
    """Collapse outputs from a question to its answer; in JupyterLab they open when the cell is run."""
    asked: set[str] = set()
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        jupyter = cell.metadata.get("jupyter", {})
        jupyter.pop("outputs_hidden", None)
        revealed = set(re.findall(r'\breveal\("([\w.]+)"', cell.source))
        shown = [
            output for output in cell.outputs if "nn-reveal" not in str(output.get("data", ""))
        ]
        if asked and shown:  # an answer by itself is folded already
            jupyter["outputs_hidden"] = True
            _hide_first_line(cell.outputs[0])
        asked -= revealed
        asked |= set(re.findall(r'\bpredict\("([\w.]+)"', cell.source)) - revealed
        if jupyter:
            cell.metadata["jupyter"] = jupyter
        else:
            cell.metadata.pop("jupyter", None)


def _hide_first_line(output: Any) -> None:
    if "text" in output:
        output["text"] = SHUT + output["text"].removeprefix(SHUT)
    for kind, text in output.get("data", {}).items():
        if isinstance(text, str):
            output["data"][kind] = SHUT + text.removeprefix(SHUT)


def _joined(outputs: list[Any]) -> list[Any]:
    """Join consecutive pieces of one stream: printed text arrives in pieces that depend on timing."""
    joined: list[Any] = []
    for output in outputs:
        if (
            joined
            and output.output_type == "stream" == joined[-1].output_type
            and output.name == joined[-1].name
        ):
            joined[-1].text += output.text
        else:
            joined.append(output)
    return joined


def _canonical_output(output: Any, count: int) -> None:
    if "execution_count" in output:
        output["execution_count"] = count
    for part in ("data", "metadata"):
        output.get(part, {}).pop(WIDGET, None)
    if "traceback" in output:
        output["traceback"] = [
            re.sub(r"ipykernel_\d+/\d+", "ipykernel", line) for line in output["traceback"]
        ]
