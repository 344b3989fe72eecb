"""A page for reading needs no network: formulas are drawn, pictures and steppers lie in it, nothing is fetched."""

import shutil

import pytest
from nbformat import read

from nnlib.teaching import pages
from nnlib.teaching.checkout import cache
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
    page.evaluate("MathJax.startup.promise.then(() => true)")
    formulas = any("$" in cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert (page.locator("mjx-container").count() > 0) >= formulas
    assert not page.evaluate("document.body.innerText.includes('$$')") and errors == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    context.close()


@pytest.mark.browser
def test_code_stands_in_letters_of_one_width_and_reports_break_between_words(
    browser, tmp_path, monkeypatch
):
    monkeypatch.setattr(pages, "mathjax", lambda what: "")  # formulas are not looked at
    file = tmp_path / "lesson.html"
    file.write_text(
        pages.page(read(next(path for path in LESSONS if path.stem.startswith("04")), 4), "04"),
        "utf-8",
    )
    page = browser.new_page()
    page.goto(file.as_uri())
    assert "monospace" in page.locator(".nn-arrange pre").evaluate(
        "pre => getComputedStyle(pre).fontFamily"
    )
    assert (
        page.locator(".jp-RenderedText pre").first.evaluate(
            "pre => getComputedStyle(pre).wordBreak"
        )
        == "normal"
    )
    page.close()
