"""The built site in Chromium: a visitor opens a lesson, runs kernels, is told what is missing, and loses nothing.

Every request that leaves the site is refused. Needs `make site`; all lessons with NNLIB_NIGHTLY=1.
"""

import os

import pytest

from tests.benchmarks.site import first_kernel
from tests.notebooks.site.serve import SITE, serving
from tests.notebooks.site.visit import failures, text, visiting
from tests.notebooks.slides import chromium

LESSONS = sorted(path.stem for path in (SITE.parent / "notebooks").glob("[0-9]*.ipynb"))
FIRST = LESSONS[0]

pytestmark = [
    pytest.mark.browser, pytest.mark.timeout(1800),
    pytest.mark.skipif(not (SITE / "static/pyodide/pyodide.mjs").exists(), reason="no site with its own Pyodide is "
                       "built: make site, with Pyodide in ../shared/pyodide or NNLIB_PYODIDE"),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium"),
]


@pytest.fixture(scope="module")
def site():
    with serving() as address:
        yield address


def test_the_start_page_shows_how_far_it_is_and_opens_the_lesson(site):
    with visiting(site) as visit:
        visit.page.goto(site)
        links = visit.page.locator("a.open")
        assert links.count() == len(LESSONS)
        links.first.click()
        visit.page.wait_for_function("document.getElementById('what').textContent.includes(' MB')")
        visit.page.wait_for_url(f"**/notebooks/index.html?path={FIRST}.ipynb", timeout=120_000)
        assert not visit.foreign and not visit.errors


def test_without_webassembly_it_says_so(site):
    with visiting(site) as visit:
        visit.page.add_init_script("delete window.WebAssembly")
        visit.page.goto(f"{site}#{FIRST}")
        assert "cannot run Python" in visit.page.locator("#wrong").inner_text()
        assert visit.page.locator("#loading").is_hidden()


def test_without_storage_it_says_so(site):
    with visiting(site) as visit:
        visit.page.add_init_script("Object.defineProperty(window, 'indexedDB', { get() { throw new Error('no'); } })")
        visit.page.goto(site)
        visit.page.wait_for_selector("#hint:not([hidden])")
        assert "keeps nothing" in visit.page.locator("#hint").inner_text()


def test_a_phone_needs_no_sideways_scrolling(site):
    with visiting(site, viewport={"width": 360, "height": 740}) as visit:
        visit.page.goto(site)
        visit.page.wait_for_selector("#hint:not([hidden])")
        assert visit.page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_was_written_outlives_a_reload(site):
    saved = "import pathlib; pathlib.Path('mine').mkdir(exist_ok=True); pathlib.Path('mine/a.cu').write_text('int a;')"
    with visiting(site) as visit:
        visit.open(FIRST)
        cell = visit.state()["ids"][0]
        visit.run(cell, f"from nnlib.course import solved\nsolved.save('exercises', '01.mirror', True)\n{saved}")
        visit.open(FIRST)  # loads the page anew
        said = visit.run(cell, "from nnlib.mine import folder\nfrom nnlib.course import solved\nprint("
                               "solved.load()['exercises'], (folder.folder() / 'a.cu').read_text())")
        assert "{'01.mirror': True} int a;" in said


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_runs_from_top_to_bottom(lesson, site):
    if lesson != FIRST and not os.environ.get("NNLIB_NIGHTLY"):
        pytest.skip("runs in the nightly workflow; here with NNLIB_NIGHTLY=1")
    with visiting(site) as visit:
        visit.open(lesson)
        visit.run_all()
        state = visit.finish(1500)
        assert not failures(state) and not visit.foreign and not visit.errors
        assert any("You are in a browser" in text(outputs) for outputs in state["outputs"])
        assert state["ran"][state["ids"].index(first_kernel(lesson))]
        solutions = visit.page.locator(".jp-CodeCell:has-text('Solution') .jp-InputArea-editor:visible")
        assert solutions.count() == 0 or lesson != FIRST
