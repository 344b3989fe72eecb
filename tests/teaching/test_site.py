"""The built site in Chromium: a visitor opens a lesson, runs kernels, is told what is missing, and loses nothing.

Every request that leaves the site is refused. Needs `make site`; all lessons with NNLIB_NIGHTLY=1.
"""

import os
from contextlib import contextmanager

import pytest
from nbformat import read

from nnlib.cuda import demo
from nnlib.lessons import notebooks
from nnlib.teaching.chromium import chromium
from nnlib.teaching.site.serve import serving
from tests.teaching.site.visit import SITE, Visit, text, visiting

LESSONS = [path.stem for path in notebooks(SITE.parent / "notebooks")]
FIRST = LESSONS[0]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not (SITE / "static/pyodide/pyodide.mjs").exists(),
        reason="no site with its own Pyodide is built: make site, with Pyodide in NNLIB_PYODIDE",
    ),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium"),
]


@pytest.fixture(scope="module")
def site():
    with serving(SITE) as address:
        yield address


@contextmanager
def at_the_start(site, saves_data=False, **options):
    """A visit of the start page. One who saves data gets no Python before asking for it."""
    with visiting(site, **options) as visit:
        if saves_data:
            visit.page.add_init_script(
                "Object.defineProperty(navigator, 'connection', { get: () => ({ saveData: true }) })"
            )
        visit.page.goto(site, wait_until="domcontentloaded")
        yield visit


def reported(visit, kind):
    """The report, once it is there: of a mistake, or that all is right."""
    visit.page.wait_for_selector(f"#report.{kind}")
    return visit.page.locator("#report").inner_text()


@pytest.mark.parametrize("width", [360, 1366])
def test_the_wrong_kernel_reports_itself_and_a_button_mends_it(width, site):
    with at_the_start(site, viewport={"width": width, "height": 800}) as visit:
        assert visit.page.locator("#kernel").input_value() == demo.WRONG
        assert reported(visit, "mistake") == demo.attempt(demo.WRONG)[1]
        visit.page.locator("#mend").click()
        assert reported(visit, "right") == demo.attempt(demo.MENDED)[1]
        assert visit.page.locator("#hint").is_visible() is (width == 360)
        assert not visit.foreign and not visit.errors


def test_a_kernel_is_edited_and_run_without_a_mouse(site):
    with at_the_start(site) as visit:
        reported(visit, "mistake")
        keys, focused = visit.page.keyboard, "document.activeElement.id"
        for _ in range(10):
            keys.press("Tab")
            if visit.page.evaluate(focused) == "kernel":
                break
        keys.press("Control+End")
        for key in ("ArrowUp", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"):
            keys.press(key)
        keys.type("if (i < n) ")
        keys.press("Control+Enter")
        assert "Right: 100 sums" in reported(visit, "right")
        for word in ("run", "mend"):
            keys.press("Tab")
            assert visit.page.evaluate(focused) == word
        keys.press("Enter")  # mended already, so this breaks it again
        assert "out-of-bounds" in reported(visit, "mistake")


def test_enter_on_run_is_answered_while_python_is_still_loading(site):
    with visiting(site) as visit:
        held = []
        visit.context.route("**/pyodide.asm.wasm", lambda route: held.append(route))
        visit.page.goto(site)
        visit.page.wait_for_function(
            "document.getElementById('state').textContent.includes('Loading')"
        )
        keys = visit.page.keyboard
        keys.press("Tab")
        keys.press("Control+A")
        keys.insert_text(demo.MENDED)
        keys.press("Tab")
        keys.press("Enter")
        assert visit.page.evaluate("document.activeElement.id") == "run"
        while not held:
            visit.page.wait_for_timeout(100)
        held[0].continue_()
        assert "Right: 100 sums" in reported(visit, "right")
        assert visit.page.url == site and visit.page.evaluate("document.activeElement.id") == "run"


def test_python_that_does_not_arrive_is_named_and_asked_for_again(site):
    with visiting(site) as visit:
        visit.context.route("**/python_stdlib.zip", lambda route: route.abort())
        visit.page.goto(site)
        visit.page.wait_for_function(
            "document.getElementById('state').textContent.includes('did not load')"
        )
        visit.context.unroute("**/python_stdlib.zip")
        visit.page.locator("#run").click()
        assert "out-of-bounds" in reported(visit, "mistake")


def test_who_saves_data_gets_python_only_when_asking(site):
    with at_the_start(site, saves_data=True) as visit:
        asked = []
        visit.context.on("request", lambda request: asked.append(request.url))
        visit.page.wait_for_load_state("networkidle")
        assert not [url for url in asked if "pyodide" in url]
        visit.page.locator("#run").click()
        assert "out-of-bounds" in reported(visit, "mistake")


def test_every_lesson_has_its_picture_and_every_page_beside_them_opens(site):
    with at_the_start(site, saves_data=True) as visit:
        for picture in visit.page.locator(".lessons img").all():
            picture.scroll_into_view_if_needed()
            visit.page.wait_for_function(
                "image => image.naturalWidth > 0", arg=picture.element_handle()
            )
        assert visit.page.locator(".lessons img").count() == len(LESSONS)
        for page in ("Glossary", "API reference", "nnlib.cuda"):
            visit.page.get_by_role("link", name=page, exact=True).click()
            visit.page.wait_for_function(
                "text => document.querySelector('h1')?.innerText.trim() === text", arg=page
            )
        assert not visit.foreign and not visit.errors


def test_the_start_page_shows_how_far_it_is_and_opens_the_lesson(site):
    with at_the_start(site, saves_data=True) as visit:
        links = visit.page.get_by_role("link", name="in JupyterLab")
        assert links.count() == len(LESSONS)
        held = []
        visit.page.route("**/pyodide.asm.wasm", lambda route: held.append(route))
        links.first.click()
        visit.page.wait_for_function("document.getElementById('what').textContent.includes(' MB')")
        held[0].continue_()
        visit.page.wait_for_url(f"**/notebooks/index.html?path={FIRST}.ipynb")
        assert not visit.foreign and not visit.errors


def test_without_webassembly_it_says_so(site):
    with visiting(site) as visit:
        visit.page.add_init_script("delete window.WebAssembly")
        visit.page.goto(f"{site}#{FIRST}")
        assert "cannot run Python" in visit.page.locator("#wrong").inner_text()
        assert (
            visit.page.locator("#loading").is_hidden() and visit.page.locator("#run").is_disabled()
        )


def test_without_storage_it_says_so(site):
    with visiting(site) as visit:
        visit.page.add_init_script(
            "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('no'); } })"
        )
        visit.page.goto(site)
        visit.page.wait_for_selector("#hint:not([hidden])")
        assert "keeps nothing" in visit.page.locator("#hint").inner_text()


def test_the_next_lesson_is_a_click_away(site):
    with visiting(site) as visit:
        # Where JupyterLite sends who clicks on it
        visit.page.goto(f"{site}tree?path={LESSONS[1]}.ipynb")
        visit.page.wait_for_url(f"**/notebooks/index.html?path={LESSONS[1]}.ipynb")
        visit.wait_for(lambda state: state and state["ids"])
        cells = read(SITE.parent / f"notebooks/{FIRST}.ipynb", 4).cells
        assert any(f"Next: [02 Vector add]({LESSONS[1]}.ipynb)" in cell.source for cell in cells)


@pytest.mark.skipif(
    not os.environ.get("NNLIB_NIGHTLY"),
    reason="runs in the nightly workflow; here: NNLIB_NIGHTLY=1",
)
@pytest.mark.parametrize("lesson", LESSONS[1:])
def test_a_lesson_runs_from_top_to_bottom(lesson, site):
    with visiting(site) as visit:
        visit.open(lesson)
        visit.run_all()
        visit.finish()
        assert not visit.failures() and not visit.foreign and not visit.errors


def test_a_kernel_waits_for_the_storage(site):
    with visiting(site) as visit:
        visit.page.add_init_script("""
          const workers = navigator.serviceWorker, register = workers.register.bind(workers);
          workers.register = async (...options) => {
            await new Promise(done => setTimeout(done, 8000));
            return register(...options);
          };""")
        visit.open(FIRST)
        assert "/drive" in visit.run(
            "01-cuda-basics-5", "from nnlib.support import browser\nprint(browser.storage())"
        )


def test_two_pages_note_progress_at_once(site):
    note = (
        "from nnlib.course import solved\nfor k in range(20):\n"
        "    solved.save('predictions', f'{page}.{{k}}', True)\nprint(len(solved.load()['predictions']))"
    )
    with visiting(site) as visit:
        other = Visit(visit.context, site)
        for page in (visit, other):
            page.open(FIRST)
        for number, page in enumerate((visit, other)):
            page.start("01-cuda-basics-5", note.format(page=number))
        for page in (visit, other):
            assert int(page.finish_cell("01-cuda-basics-5").split()[-1]) >= 20


@pytest.fixture(scope="module")
def first_lesson(site):
    """Open from here to the end of the file: one browser at a time."""
    with visiting(site) as visit:
        visit.open(FIRST)
        visit.run_all()
        visit.finish()
        yield visit


def test_the_first_lesson_runs_from_top_to_bottom(first_lesson):
    assert not first_lesson.failures() and not first_lesson.foreign and not first_lesson.errors
    assert any(
        "You are in a browser" in text(outputs) for outputs in first_lesson.outputs().values()
    )


def test_solutions_stay_folded(first_lesson):
    for cell in read(SITE.parent / f"notebooks/{FIRST}.ipynb", 4).cells:
        if "solution" in cell.metadata.get("tags", []) and cell.cell_type == "code":
            assert (
                first_lesson.select(cell.id).locator(".jp-InputArea-editor:visible").count() == 0
            ), cell.id


def test_a_prediction_is_taken_and_answered(first_lesson):
    question = first_lesson.select("ten-pixels-3")
    question.locator("input[type=radio]").last.click()
    question.locator("button:has-text('Commit')").click()
    question.locator("[role=status]", has_text="Committed").wait_for()
    assert "nn-first" not in str(first_lesson.run("ten-pixels-6"))
    assert "01.threads" in first_lesson.run(
        "01-cuda-basics-5", "from nnlib.course import solved\nprint(solved.load()['predictions'])"
    )


def test_a_slider_steps_through_a_kernel(first_lesson):
    stepper = first_lesson.select("the-threads-without-a-pixel-9")
    before = stepper.locator("figcaption:visible").first.inner_text()
    place = stepper.locator(".noUi-target").first.bounding_box()
    first_lesson.page.mouse.click(place["x"] + 3, place["y"] + place["height"] / 2)
    first_lesson.wait_for(
        lambda state: stepper.locator("figcaption:visible").first.inner_text() != before
    )


def test_kernels_have_the_colours_of_cuda(first_lesson):
    cell = first_lesson.select("ten-pixels-5")
    colours = dict(
        cell.locator(".cm-line span").evaluate_all(
            "spans => spans.map(span => [span.textContent, getComputedStyle(span).color])"
        )
    )
    assert colours["extern"] == colours["__global__"] != colours['"C"']


PAD = """
from nnlib import datasets, layers
from nnlib.course import DigitPad
from nnlib.model import Sequential
DigitPad(Sequential(layers.Flatten(), layers.Linear(784, 10)), datasets.load("digits").normalised().test)"""


def test_a_drawn_digit_is_read(first_lesson):
    first_lesson.run("01-cuda-basics-5", PAD)
    pad = first_lesson.select("01-cuda-basics-5").locator(".nn-pad")
    canvas = pad.locator("canvas.nn-draw")
    canvas.scroll_into_view_if_needed()
    place, mouse = canvas.bounding_box(), first_lesson.page.mouse
    mouse.move(place["x"] + 140, place["y"] + 40)
    mouse.down()
    mouse.move(place["x"] + 130, place["y"] + 230, steps=8)
    mouse.up()
    pad.locator(".nn-best").wait_for()
    shares = [
        float(share.rstrip("% "))
        for share in pad.locator(".nn-bar span:last-child").all_inner_texts()
    ]
    assert len(shares) == 10 and 95 < sum(shares) < 105
    before = pad.locator(".nn-said").inner_text()
    pad.locator("button:has-text('sample')").click()
    first_lesson.page.wait_for_function(
        "said => document.querySelector('.nn-said').innerText !== said", arg=before
    )


def test_nothing_turns_while_a_page_waits_for_python(first_lesson):
    turns = """() => {
      const ring = document.body.appendChild(document.createElement('div'));
      ring.className = 'jp-KernelStatus-spinner';
      return ring.getAnimations().length;
    }"""
    assert first_lesson.page.evaluate(turns) == 0


@pytest.mark.parametrize("cell", ["01-cuda-basics-5", "01-cuda-basics-2"], ids=["open", "folded"])
def test_a_long_cell_says_that_it_goes_on(cell, first_lesson):
    first_lesson.page.evaluate("() => { silence = 1; }")
    # One call of many seconds: Python cannot say a word
    first_lesson.start(cell, "sum(range(300_000_000))")
    says = "() => Boolean(document.querySelector('.nn-computing')?.innerText.includes('goes on'))"
    first_lesson.page.wait_for_function(says)
    first_lesson.page.locator(".nn-computing").wait_for(state="detached")


def test_a_wrong_kernel_gets_its_hint(first_lesson):
    said = first_lesson.run("exercise-1-1-a-quarter-turn-2", "check('01.rotate', negative)")
    assert "01.rotate" in said and "Right" not in said


def test_a_reload_in_the_middle_loses_nothing_that_was_saved(first_lesson):
    """The library, progress, an exported file, and what was typed into a cell of a saved notebook."""
    ask = (
        "from nnlib import mine\nfrom nnlib.course import solved\nfrom nnlib.mine import folder\n"
        "solved.save('exercises', '01.rotate', True) if {save} else None\n"
        "mine.export('library.json') if {save} else None\nimport os\n"
        "print(solved.load()['exercises'], *sorted(path.name for path in folder.folder().glob('*.cu')), "
        "os.path.getsize('library.json'))"
    )
    said = first_lesson.run("01-cuda-basics-5", ask.format(save=True)).splitlines()[-1]
    assert "'01.rotate': True" in said and "normalise_images.cu" in said
    assert "normalise_images" in first_lesson.page.evaluate(  # what a click on the file downloads
        "async () => JSON.stringify(await window.jupyterapp.serviceManager.contents.get('library.json', "
        "{type: 'file', format: 'text', content: true}))"
    )
    # Saves by itself
    first_lesson.page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    first_lesson.run_all()
    first_lesson.page.wait_for_timeout(3000)
    first_lesson.open(FIRST)  # the page anew, its kernel too
    assert (
        "mine.export" in first_lesson.select("01-cuda-basics-5").locator(".cm-content").inner_text()
    )
    assert first_lesson.run("01-cuda-basics-5", ask.format(save=False)).splitlines()[-1] == said


def test_what_is_typed_as_the_page_closes_is_there_when_it_opens_again(first_lesson):
    page = first_lesson.page.context.new_page()
    address = f"{first_lesson.site}notebooks/index.html?path={FIRST}.ipynb"
    ready = "window.jupyterapp?.shell?.currentWidget?.context?.isReady"
    page.goto(address)
    page.wait_for_function(ready)
    page.wait_for_timeout(2000)
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+End")
    page.keyboard.type("# the last word")
    page.close()
    again = first_lesson.page.context.new_page()
    again.goto(address)
    again.wait_for_function(ready)
    again.wait_for_function(
        "() => jupyterapp.shell.currentWidget.content.widgets.some("
        "cell => cell.model.sharedModel.getSource().includes('# the last word'))"
    )
    again.close()
