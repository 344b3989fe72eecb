"""Every lesson follows the template, and each check of the template can fail."""

from pathlib import Path

import pytest
from nbformat import read
from nbformat.notebooknode import from_dict

from nnlib.course.exercises import everything, lesson_exercises
from nnlib.lessons import notebooks
from nnlib.teaching.copies import student_copy
from tests.notebooks import template
from tests.notebooks.authoring import to_notebook

ROOT = Path(__file__).resolve().parents[2]
LESSONS = notebooks(ROOT / "notebooks")
TAGGED = '# %% cuda - tags=promoted\nextern "C" __global__ void f(int* x) { x[0] = 1; }'
KERNEL = '# %% cuda - --promoted vector.cu\nextern "C" __global__ void f(int* x) { x[0] = 1; }'


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_follows_the_template(path):
    problems = template.problems(read(path, 4), path, ROOT)
    assert not problems, "\n".join(problems)


def test_lessons_begin_with_the_same_set_up():
    first = {
        next(cell.source for cell in read(path, 4).cells if cell.cell_type == "code")
        for path in LESSONS
    }
    assert len(first) == 1 and 'if "google.colab" in sys.modules' in first.pop()


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_uses_exactly_the_specified_exercises(path):
    cells = read(path, 4).cells
    source = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    edition_2 = any(cell.source.startswith("## Workshop") for cell in cells)
    specified = {
        each.name for each in (everything if edition_2 else lesson_exercises)(path.name[:2])
    }
    assert {name for name in specified if f'check("{name}"' in source} == specified
    assert source.count("check(") - source.count(", count=False)") >= len(specified)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_student_copy_has_no_solution_and_no_output(path):
    copy = student_copy(read(path, 4))
    assert not [
        cell.id for cell in copy.cells if "BEGIN SOLUTION" in cell.source or cell.get("outputs")
    ]


@pytest.mark.parametrize(
    "draft, expected",
    [
        ("# %% md\n# Title", "not a title"),
        ("# %% md\n# 01 Title", "lacks 'You will be able to'"),
        ("# %% md slide\n# 01 A", "no section 'Recap'"),
        ("# %% md slide\n# 01 A", "Moved into your library"),
        ('# %% md slide\n# 01 A\n# %% code\ncheck("01.a", 1)', "01.a has no folded solution"),
        ("# %% md slide\n# 01 A\n# %% code - tags=solution\n1", "not folded"),
        (
            "# %% md\n**Solution**\n<details><summary>Answer</summary>12</details>",
            "taken out with the solution",
        ),
        ("# %% md slide\n# 01 A", "1 slides"),
        ("# %% md slide\n# 01 A", "no speaker notes"),
        ("# %% md slide\n# 01 A", "3 words"),
        ("# %% md slide\n# 01 A\n" + "# %% code\n1\n" * 4, "code cells in a row"),
        ("# %% md slide\n# 01 A\n# %% code\n" + "1\n" * 21, "21 lines of code"),
        ("# %% md slide\n# 01 A\n# %% code\n1", "not executed"),
        ("# %% md slide\n# 01 A\n# %% code\nf();", "ends in ';'"),
        ("# %% md slide\n# 01 A ![](x.png)", "without alt text"),
        ("# %% md slide\n# 01 A [b](missing.ipynb)", "not there"),
        ("# %% md slide\n# 01 A\n" + KERNEL, "differs from its copy"),
        ("# %% md slide\n# 01 A\n" + TAGGED, "differs from its copy in nnlib/kernels"),
        ("# %% md slide\n# 01 A\n" + TAGGED.replace("f(", "g("), "nnlib/kernels has no kernel g"),
        (
            "# %% md slide\n# 01 A\n# %% code\nx = 1\ny = 2\n" + KERNEL,
            "1 lines of CUDA, 2 of Python",
        ),
        (
            "# %% md slide\n# 01 A\n" + "".join(f"## S{k}\n" for k in range(13)),
            "13 sections; at most 12",
        ),
        (
            "# %% md slide\n# 01 A\n# %% md\n### E (optional)\nsome\n# %% md\n### F\n"
            + "word " * 2251,
            "2256 words",
        ),
    ],
)
def test_each_check_can_fail(tmp_path, draft, expected):
    (tmp_path / "nnlib" / "kernels").mkdir(parents=True)
    (tmp_path / "nnlib" / "kernels" / "vector.cu").write_text(
        'extern "C" __global__ void f(int* x) { x[0] = 2; }'
    )
    found = template.problems(to_notebook(draft), tmp_path / "01.ipynb", tmp_path)
    assert any(expected in problem for problem in found), found


@pytest.mark.parametrize(
    "output, expected",
    [
        (
            {"output_type": "display_data", "data": {"image/png": "x"}, "metadata": {}},
            "without alt text",
        ),
        (
            {
                "output_type": "display_data",
                "data": {"text/html": '<img alt="A plot" src="">'},
                "metadata": {},
            },
            "fewer than four",
        ),
        (
            {
                "output_type": "display_data",
                "data": {"text/plain": "IntSlider(value=0)"},
                "metadata": {},
            },
            "a bare widget",
        ),
        ({"output_type": "error", "ename": "E", "evalue": "", "traceback": []}, "stored an error"),
        ({"output_type": "stream", "name": "stderr", "text": "w"}, "stderr"),
        ({"output_type": "stream", "name": "stdout", "text": "/home/me/x"}, "path of this machine"),
    ],
)
def test_each_check_of_outputs_can_fail(output, expected):

    notebook = to_notebook("# %% md slide\n# 01 A\n# %% code\n1")
    notebook.cells[1].outputs = [from_dict(output)]
    found = template.execution(notebook) + template.pictures(notebook)
    assert any(expected in problem for problem in found), found


def test_unfolded_notes_are_found():
    notebook = to_notebook("# %% md slide\n# 01 A\n# %% md notes\nAsk.")
    assert not [found for found in template.slides(notebook) if "folded" in found]
    notebook.cells[1].source = "Ask."
    assert [found for found in template.slides(notebook) if "not folded away" in found]


def test_equal_promoted_kernel_passes(tmp_path):
    (tmp_path / "vector.cu").write_text(
        '// header\nextern "C" __global__ void f(int* x) { x[0] = 1; }\n'
    )
    assert template.promoted(to_notebook(KERNEL), tmp_path) == []
