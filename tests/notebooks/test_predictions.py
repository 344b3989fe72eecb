"""Nothing on a freshly opened page answers a prediction: notebook, student copy, exported page."""

import ast
import re
from html import unescape
from pathlib import Path

import pytest
from nbformat import read

from nnlib.course.prediction import FIRST, questions
from nnlib.lessons import notebooks
from nnlib.teaching import pages
from nnlib.teaching.copies import student_copy
from nnlib.teaching.execution import SHUT, canonical, run
from tests.notebooks.authoring import to_notebook

LESSONS = notebooks(Path(__file__).parents[2] / "notebooks")
TRUTH = re.compile(r'<details class="nn-answer"><summary>Answer</summary><p>(.*?)</p>')
DRAFT = """# %% md slide
# 01 Threads
# %% code
from nnlib.course.prediction import predict, reveal
predict("01.threads")
# %% code
n, block = len(range(10)), 4
print(-(-n // block) * block)
# %% code
reveal("01.threads", -(-n // block) * block)
# %% md
Now everybody may know: 12 threads.
"""


def calls(cell, function: str) -> dict[str, ast.Call]:
    """Name of the question -> the call of `predict` or `reveal`."""
    if (
        cell.cell_type != "code"
        or f"{function}(" not in cell.source
        or cell.source.startswith("%%")
    ):
        return {}
    return {
        node.args[0].value: node
        for node in ast.walk(ast.parse(cell.source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == function
    }


def is_written(node: ast.AST, known: set[str]) -> bool:
    """Return whether an expression needs no run: numbers, words, and names of such."""
    if isinstance(node, ast.Name):
        return node.id in known
    parts = (ast.BinOp, ast.UnaryOp, ast.Tuple, ast.operator, ast.unaryop)
    return isinstance(node, ast.Constant) or (
        isinstance(node, parts)
        and all(
            is_written(part, known)
            for part in ast.iter_child_nodes(node)
            if not isinstance(part, ast.expr_context)
        )
    )


def remember(cell, known: set[str]) -> None:
    """Adds the names that a cell gives to what needs no run, and forgets those of results."""
    if cell.cell_type != "code" or re.search(r"^\s*[%!]", cell.source, re.MULTILINE):
        return
    for node in (node for node in ast.walk(ast.parse(cell.source)) if isinstance(node, ast.Assign)):
        target, value = node.targets[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple):
            values = value.elts if isinstance(value, ast.Tuple) else [value] * len(target.elts)
            pairs = list(zip(target.elts, values, strict=False))
        for name, found in pairs:
            if isinstance(name, ast.Name):
                (known.add if is_written(found, known) else known.discard)(name.id)


def words(cell) -> set[str]:
    """The texts that stand in the Python of a cell; not those of lists and dicts, which name several results."""
    if cell.cell_type != "code" or re.search(r"^\s*[%!]", cell.source, re.MULTILINE):
        return set()
    found, left = set(), [ast.parse(cell.source)]
    while left:
        node = left.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        left += [] if isinstance(node, (ast.List, ast.Dict)) else ast.iter_child_nodes(node)
    return found


def markup(cell) -> str:
    """The outputs of a cell as text."""
    return "\n".join(
        output.get("text", "")
        + "\n".join(output.get("data", {}).get(kind, "") for kind in ("text/html", "text/plain"))
        for output in cell.get("outputs", [])
    )


def visible(cell) -> str:
    """Return what stands open on a fresh page: no shut output, no folded source, nothing in <details>."""
    parts = [] if cell.metadata.get("jupyter", {}).get("source_hidden") else [cell.source]
    if not cell.metadata.get("jupyter", {}).get("outputs_hidden"):
        parts.append(markup(cell))
    shown = re.sub(r"<details.*?</details>", "", "\n".join(parts), flags=re.DOTALL)
    # The answer stands among the choices
    return unescape(re.sub(r"<li>.*?</li>|\[[^\]]* / [^\]]*\]", "", shown))


def unfolded(html: str) -> str:
    """A page without what is folded, folds within folds as well."""
    innermost = re.compile(r"<details(?:(?!<details).)*?</details>", re.DOTALL)
    while innermost.search(html):
        html = innermost.sub("", html)
    return html


def problems(notebook) -> list[str]:
    """Everything that answers a question before its answer is asked for."""
    found, waiting = [], {}
    known: set[str] = set()
    truths = {
        name: unescape(TRUTH.search(markup(cell))[1]).split(". ")[0]
        for cell in notebook.cells
        for name in calls(cell, "reveal")
        if TRUTH.search(markup(cell))
    }
    for cell in notebook.cells:
        now = calls(cell, "reveal")
        remember(cell, known)
        for name, call in now.items():
            if name not in waiting:
                found.append(f"{name} is revealed before it is asked")
            constant = len(call.args) > 1 and is_written(call.args[1], known)
            found += (
                [f"{name}: the answer is written down, {ast.unparse(call)}"] if constant else []
            )
        said = visible(cell)
        for name in {*waiting, *now, *calls(cell, "predict")}:
            truth = truths.get(name, "")
            # A bare number or name may mean something else
            if re.match(r"[\d.,]+ \w", truth) and truth in said:
                found.append(f"{cell.id}: says {truth!r}, the answer of {name}")
            choices = {choice for choice, _ in questions(name[:2])[name].choices}
            spelt = words(cell) & choices if name in now else set()
            if spelt and spelt != choices:
                found.append(f"{cell.id}: spells {', '.join(sorted(spelt))}, of {name}")
        shown = [
            output
            for output in cell.get("outputs", [])
            if "nn-reveal" not in str(output.get("data", ""))
        ]
        if waiting and shown and not cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            found.append(
                f"{cell.id}: an output stands open between {', '.join(waiting)} and the answer"
            )
        if shown and cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            first = {"text": cell.outputs[0].get("text", SHUT), **cell.outputs[0].get("data", {})}
            if not all(text.startswith(SHUT) for text in first.values() if isinstance(text, str)):
                found.append(f"{cell.id}: JupyterLab shows the first line of its shut output")
        waiting = {name: 0 for name in {*waiting, *calls(cell, "predict")} if name not in now}
    return found + [f"{name} is never revealed" for name in waiting]


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_lesson_answers_before_the_student(path):
    notebook = read(path, 4)
    assert problems(notebook) == []
    used = {name for cell in notebook.cells for name in calls(cell, "predict")}
    assert used == set(questions(path.name[:2]))
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        if "nn-reveal" in str(output.get("data", "")):
            assert output.data["text/plain"].removeprefix(SHUT) == FIRST  # stored without a commit


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_copy_of_a_lesson_answers(path, monkeypatch):
    monkeypatch.setattr(pages.Renderer, "drawn", lambda self, html: html)  # nor are formulas drawn
    notebook = read(path, 4)
    truths = [unescape(truth) for cell in notebook.cells for truth in TRUTH.findall(markup(cell))]
    student = student_copy(notebook)
    html = pages.page(notebook, path.stem)
    assert not re.search(r"<details[^>]* open", html)
    shown = unescape(unfolded(html))
    assert truths, (
        "no stored output reveals an answer: run the lesson, python -m tests.notebooks.execute"
    )
    assert problems(student) == []
    assert [
        truth
        for truth in truths
        if truth in shown or any(truth in cell.source for cell in student.cells)
    ] == []
    solutions = [cell for cell in notebook.cells if "solution" in cell.metadata.get("tags", [])]
    assert solutions and html.count("<summary>Solution</summary>") == len(solutions)
    hidden = [
        cell for cell in notebook.cells if cell.metadata.get("jupyter", {}).get("outputs_hidden")
    ]
    assert html.count("<summary>Result (predict first)</summary>") == len(hidden)


@pytest.mark.parametrize("lesson", [path.name[:2] for path in LESSONS])
def test_questions_have_rivals_and_a_sentence_for_each(lesson):
    for name, question in questions(lesson).items():
        assert name.startswith(lesson + ".") and len(question.choices) >= 3
        assert all(sentence.strip()[-1] in ".!?" for _, sentence in question.choices), name
        assert question.answer is None or question.right(question.answer) is not None


@pytest.fixture(scope="module")
def example():
    return canonical(run(to_notebook(DRAFT), "."))


def test_the_example_says_nothing(example):
    assert problems(example) == []
    assert [cell.metadata.get("jupyter") for cell in example.cells if cell.cell_type == "code"] == [
        None,
        {"outputs_hidden": True},
        None,
    ]
