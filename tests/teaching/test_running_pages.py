"""Lessons as pages that run, in Chromium: a cell brings along what it needs, work is kept, and what is handed in counts.

Every request that leaves the site is refused. All lessons run with NNLIB_NIGHTLY=1.
"""

import json
import os
import re
import shutil
from contextlib import contextmanager
from pathlib import Path

import nbformat
import pytest

from nnlib.lessons import notebooks
from nnlib.teaching import pages
from nnlib.teaching.checkout import root
from nnlib.teaching.chromium import chromium
from nnlib.teaching.marking.marks import mark
from nnlib.teaching.programs import call, npm
from nnlib.teaching.site import build, bundle, front, packages, reference, running
from nnlib.teaching.site.serve import serving
from nnlib.teaching.slides import deck
from tests.benchmarks.site import WAITS
from tests.teaching.site.visit import visiting

COURSE = root("the test")
LESSONS = notebooks(COURSE / "notebooks")
FIRST = LESSONS[0]
REPORT = "the-threads-without-a-pixel-5"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(packages.pyodide() is None, reason="NNLIB_PYODIDE names no Pyodide"),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium"),
    pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The site without JupyterLite."""
    folder = tmp_path_factory.mktemp("site")
    bundle.pack(packages.pyodide(), folder / running.STATIC, packages.NNLIB)
    build.add_lessons(folder / "files", COURSE, False)
    running.add_pages(folder, COURSE, False, False)
    front.start_page(folder, COURSE, False)
    glossary = (COURSE / "notebooks" / "GLOSSARY.md").read_text("utf-8")
    (folder / "glossary.html").write_text(reference.glossary(glossary), "utf-8")
    (folder / "read.html").write_text(pages.page(nbformat.read(FIRST, 4), FIRST.stem), "utf-8")
    (folder / "deck.html").write_text(deck(nbformat.read(FIRST, 4)), "utf-8")
    return folder


@pytest.fixture(scope="module")
def site(folder):
    with serving(folder) as address:
        yield address


@contextmanager
def reading(site, lesson=FIRST.stem, **options):
    """A visit of a lesson's page."""
    with visiting(site, **options) as visit:
        visit.page.goto(f"{site}{lesson}.html")
        yield visit
        assert not visit.foreign and not visit.errors


def type_into(page, cell, text):
    """Replace the text of a cell, from the keyboard."""
    page.locator(f"[id='{cell}'] code").click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(text)


def run(page, cell):
    """Run a cell and return what stands below it."""
    page.evaluate(WAITS)
    if cell:
        page.locator(f"[id='{cell}'] code").press("Shift+Enter")
    else:
        page.locator("#all").click()
    page.evaluate("window.idle")
    return page.locator(f"[id='{cell}'] .outputs").inner_text() if cell else ""


def test_a_report_needs_one_click_and_work_outlives_a_reload(site):
    with reading(site) as visit:
        page, asked = visit.page, []
        page.on("request", lambda request: asked.append(request.url))
        assert "OutOfBoundsError: out-of-bounds read of row[10]" in run(page, REPORT)
        assert not [url for url in asked if url.endswith(".whl")]  # Python is there with its memory
        started = "document.querySelectorAll('.outputs pre').length"
        assert page.evaluate(started) < 40  # of 65 cells only those it needs have run anew
        source = page.locator("#the-threads-without-a-pixel-1 code").inner_text()
        type_into(page, "the-threads-without-a-pixel-1", source.replace("row[i] =", "row[i + 1] ="))
        assert "write of row[11]" in run(page, REPORT) or "row[10]" in run(page, REPORT)
        question = page.locator("#ten-pixels-3")
        question.locator("input[type=radio]").nth(2).check()
        question.get_by_role("button", name="Commit").click()
        assert "You predicted it ✓: 12 threads" in run(page, "ten-pixels-6")
        random = "import random, numpy as np\n[random.random(), np.random.rand()]"
        type_into(page, "01-cuda-basics-5", random)
        numbers = json.loads(run(page, "01-cuda-basics-5"))
        page.on("dialog", lambda dialog: dialog.accept())
        [memory] = [url for url in asked if url.endswith(".memory.bin")]
        page.wait_for_function(f"caches.match('{memory}')")
        page.reload()
        again = json.loads(run(page, "01-cuda-basics-5"))
        assert not set(numbers) & set(again)
        assert asked.count(memory) == 1  # unpacked once
        assert "row[i + 1] =" in page.locator("#the-threads-without-a-pixel-1 code").inner_text()
        assert "Committed: 12 threads" in page.locator("#ten-pixels-3").inner_text()
        saved = "from nnlib.course import solved\nsolved.load()['predictions']"
        type_into(page, "01-cuda-basics-5", saved)
        assert "'01.threads': True" in run(page, "01-cuda-basics-5")
        page.locator("#lab").evaluate("link => { link.removeAttribute('href'); link.click(); }")
        taken = page.evaluate(f"localStorage.getItem('typed in {FIRST.stem}.ipynb')")
        assert [cell["id"] for cell in json.loads(taken)] == [
            "01-cuda-basics-5",
            "the-threads-without-a-pixel-1",
        ]


def test_a_page_with_pyodide_from_elsewhere_needs_no_stored_memory(folder, site):
    where = running.python(folder, True) | {"base": f"{running.STATIC}/"}
    with visiting(site) as visit:
        visit.context.route("**/kernel.json", lambda route: route.fulfill(json=where))
        visit.page.goto(f"{site}{FIRST.stem}.html")
        assert "out-of-bounds read of row[10]" in run(visit.page, REPORT)


def test_what_a_page_hands_in_gets_the_marks_of_a_notebook(site, tmp_path):
    notebook = nbformat.read(FIRST, 4)
    solutions = {
        cell.id: re.sub(r"(\w+)_solved\b", r"\1", cell.source)
        for cell in notebook.cells
        if "solution" in cell.metadata.get("tags", [])
    }
    answers = {
        "exercise-1-1-a-quarter-turn-1": solutions["exercise-1-1-a-quarter-turn-4"],
        "exercise-1-2-three-faults-1": solutions["exercise-1-2-three-faults-4"].replace("<", "<="),
        "workshop-the-images-of-the-network-1": solutions["workshop-the-images-of-the-network-4"],
    }
    with reading(site) as visit:
        asked = []
        visit.page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
        for cell, answer in answers.items():
            type_into(visit.page, cell, answer)
        assert "✓" in run(visit.page, "exercise-1-1-a-quarter-turn-2")
        assert "✓" in run(visit.page, "workshop-the-images-of-the-network-2")
        # Leaving with work not handed in
        visit.page.evaluate("setTimeout(() => location.reload())")
        visit.page.wait_for_timeout(1000)
        with visit.page.expect_download() as download:
            visit.page.locator("#hand-in").click()
        download.value.save_as(tmp_path / FIRST.name)
        visit.page.reload()
        assert asked == ["beforeunload"]
    for cell in notebook.cells:
        cell.source = answers.get(cell.id, cell.source)
    (tmp_path / "lab").mkdir()
    nbformat.write(notebook, tmp_path / "lab" / FIRST.name)
    marks = [
        [(each.exercise, each.solved, each.stars) for each in mark(path, "01", 3)]
        for path in (tmp_path / FIRST.name, tmp_path / "lab" / FIRST.name)
    ]
    assert marks[0] == marks[1] and [solved for _, solved, _ in marks[0]].count(True) == 2
    nbformat.validate(nbformat.read(tmp_path / FIRST.name, 4))


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem[:2])
def test_a_lesson_runs_from_top_to_bottom(site, path):
    if path != FIRST and "NNLIB_NIGHTLY" not in os.environ:
        pytest.skip("NNLIB_NIGHTLY=1")
    with reading(site, path.stem) as visit:
        run(visit.page, "")
        assert visit.page.locator(".mistake").all_inner_texts() == []
        assert visit.page.locator("#state").inner_text() == "Done."


@pytest.mark.skipif(shutil.which("firefox-esr") is None, reason="there is no Firefox")
def test_a_lesson_runs_in_firefox(site):
    puppeteer = npm("puppeteer-core@24.43.1", "The test")
    script = Path(__file__).with_name("site") / "firefox.mjs"
    firefox = shutil.which("firefox-esr")
    found = json.loads(
        call("The test", "node", script, puppeteer, firefox, f"{site}{FIRST.stem}.html")
    )
    assert found["mistakes"] == found["errors"] == found["foreign"] == []
    assert found["said"] == "Done."


@pytest.mark.parametrize(("scheme", "width"), [("light", 360), ("dark", 1366)])
def test_no_page_violates_wcag(site, scheme, width):
    names = ["index", "glossary", FIRST.stem, LESSONS[5].stem, "read", "deck"]
    axe = (npm("axe-core@4.14.1", "The test") / "axe.min.js").read_text("utf-8")
    rules = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
    found = {}
    with visiting(site, viewport={"width": width, "height": 800}, color_scheme=scheme) as visit:
        for name in names:
            visit.page.goto(f"{site}{name}.html")
            visit.page.wait_for_load_state("networkidle")
            visit.page.evaluate(
                "document.querySelectorAll('details').forEach(fold => fold.open = true)"
            )
            visit.page.evaluate(axe)
            found[name] = visit.page.evaluate(f"axe.run({json.dumps(rules)})")["violations"]
            if name != "deck":
                assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
            assert not visit.foreign and not visit.errors
    assert not any(found.values()), found
