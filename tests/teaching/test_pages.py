"""A page for reading needs no network: formulas are drawn, pictures and steppers lie in it, nothing is fetched."""

import shutil

import pytest
from nbformat import read

from nnlib.teaching import pages
from nnlib.teaching.checkout import cache
from nnlib.teaching.site.page.shell import PageLesson
from tests.notebooks.test_template import LESSONS


@pytest.mark.browser
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_page_needs_no_network(browser, tmp_path, path):
    if shutil.which("npm") is None and not (cache() / "npm").exists():
        pytest.skip("needs npm, to fetch MathJax")
    notebook = read(path, 4)
    file = tmp_path / f"{path.stem}.html"
    file.write_text(pages.page(notebook, path.stem), "utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked, errors = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    formulas = any("$" in cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert (page.locator("math").count() > 0) >= formulas
    assert not page.evaluate("document.body.innerText.includes('$$')") and errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


@pytest.mark.browser
def test_code_stands_in_letters_of_one_width_and_has_colours(browser, tmp_path):
    lesson = next(path for path in LESSONS if path.stem.startswith("04"))
    (tmp_path / "lesson.html").write_text(pages.page(read(lesson, 4), "04"), "utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "lesson.html").as_uri())
    for code in (".source", ".outputs pre"):
        family = "pre => getComputedStyle(pre).fontFamily"
        assert "monospace" in page.locator(code).first.evaluate(family)
    kinds = page.evaluate("[...CSS.highlights].map(([kind, ranges]) => [kind, ranges.size > 9])")
    assert dict(kinds) == dict.fromkeys(["comment", "string", "number", "keyword"], True)
    page.close()


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_first_launch_of_a_lesson_runs_few_cells(path):
    """A module that cells call is not changed by them: no training runs before a kernel that needs none."""
    cells = [(cell.id, cell.source) for cell in read(path, 4).cells if cell.cell_type == "code"]
    first = next(at for at, (_, source) in enumerate(cells) if source.startswith("%%cu"))
    launch = next(
        at for at in range(first + 1, len(cells)) if not cells[at][1].startswith(("%%", "predict("))
    )
    lesson = PageLesson.__new__(PageLesson)  # of a page where nothing has run yet
    lesson._ran, lesson._bound = {}, {}
    needed = lesson.needed(cells, launch)
    assert {1, first, launch} <= {*needed} and len(needed) <= 4
