"""Every README shows what the benchmarks stored, and the renderer touches nothing else."""

import pytest

from tests.benchmarks.render import PAGES, ROOT, render


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_as_rendered(page) -> None:
    text = page.read_text(encoding="utf-8")
    assert render(text) == text, "run: python -m tests.benchmarks.render"
