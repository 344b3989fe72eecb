"""Canonical execution and student copies."""

import copy
import re

import pytest
from nbconvert import HTMLExporter, SlidesExporter
from nbformat.v4 import new_output

from nnlib.teaching.copies import student_copy
from nnlib.teaching.execution import canonical, run
from tests.notebooks.authoring import to_notebook


def test_second_run_changes_nothing(tmp_path):
    notebook = to_notebook(
        "# %% code\nimport ipywidgets\nipywidgets.IntSlider()\n"
        "# %% code - tags=nbval-ignore-output\nimport time\ntime.perf_counter()"
    )
    once = canonical(run(notebook, str(tmp_path)))
    twice = canonical(run(copy.deepcopy(once), str(tmp_path)), before=once)
    assert once == twice
    assert [cell.execution_count for cell in twice.cells] == [1, 2]
    assert set(twice.cells[0].outputs[0].data) == {"text/plain"}
    assert "widgets" not in twice.metadata


def test_printed_text_is_one_piece_however_it_arrived():
    notebook = to_notebook("# %% code\n1")
    notebook.cells[0].outputs = [
        new_output("stream", name=name, text=text)
        for name, text in [("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")]
    ]
    assert [(o.name, o.text) for o in canonical(notebook).cells[0].outputs] == [
        ("stdout", "ab"),
        ("stderr", "c"),
        ("stdout", "d"),
    ]


def test_output_of_a_changed_cell_is_not_kept():
    before = to_notebook("# %% code - tags=nbval-ignore-output\n1")
    before.cells[0].outputs = [{"output_type": "stream", "name": "stdout", "text": "old"}]
    assert (
        canonical(to_notebook("# %% code - tags=nbval-ignore-output\n2"), before).cells[0].outputs
        == []
    )


def test_cells_of_one_text_keep_outputs_of_their_own():
    draft = 2 * "# %% code - tags=nbval-ignore-output\n1\n"
    before = to_notebook(draft)
    for cell, text in zip(before.cells, "ab", strict=True):
        cell.outputs = [{"output_type": "stream", "name": "stdout", "text": text}]
    kept = canonical(to_notebook(draft), before)
    assert [cell.outputs[0]["text"] for cell in kept.cells] == ["a", "b"]


def test_student_copy_drops_solutions_and_notes():
    notebook = to_notebook(
        "# %% code\n1\n# %% md notes\nAsk them.\n# %% md skip\n**Solution** (open it).\n"
        "# %% code - folded tags=solution\n2"
    )
    assert [cell.source for cell in student_copy(notebook).cells] == ["1"]


@pytest.mark.parametrize("exporter", [HTMLExporter, SlidesExporter])
def test_cuda_cells_are_highlighted_as_cuda(exporter):
    notebook = canonical(to_notebook("# %% cuda\n__global__ void f(int* x) { x[0] = 1; }"))
    html, _ = exporter().from_notebook_node(notebook)
    assert re.search(r'class="k\w*">__global__<', html)
