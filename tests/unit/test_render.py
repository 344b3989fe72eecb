"""Every README shows what the benchmarks stored, and the renderer touches nothing else."""

import pytest

from tests.benchmarks.render import NUMBERS, PAGES, ROOT, SOURCES, TABLES, number, render, section
from tests.benchmarks.timing import stored_at


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_as_rendered(page) -> None:
    text = page.read_text(encoding="utf-8")
    assert render(text) == text, "run: python -m tests.benchmarks.render"


@pytest.mark.parametrize("name", TABLES)
def test_every_stored_result_renders(name: str) -> None:
    if not stored_at(SOURCES.get(name, name)).exists():
        pytest.skip("its results are not there: the benchmark has not run")
    text = section(name)
    columns = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(columns) == 1 and text.count("\n") >= 3
    assert ", torch " in text or "PyTorch" not in text


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_stands_in_its_sentence(name: str) -> None:
    shown = number(name)
    assert any(letter.isdigit() for letter in shown)
    assert (
        render(f"so <!-- number:{name} -->0<!-- /number --> it is")
        == f"so <!-- number:{name} -->{shown}<!-- /number --> it is"
    )
