"""A deck opened from a file, with the network off: nothing fetched, nothing cut off, steppers move, notes are there."""

import functools
import io
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from nbformat import read
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from PIL import Image

from nnlib.course.pictures.style import Picture
from nnlib.teaching import slides
from nnlib.teaching.cells import store
from nnlib.teaching.checkout import cache
from nnlib.teaching.chromium import chromium
from nnlib.teaching.execution import canonical, run
from nnlib.teaching.staging import staged, without_plumbing
from tests.notebooks import HANGS
from tests.notebooks.authoring import to_notebook
from tests.notebooks.test_template import LESSONS

DRAFT = """# %% md slide
# 01 A deck
Euler: $e^{i\\pi} = -1$
# %% md notes
Ask who has seen this.
# %% code slide
from nnlib.course.pictures.widgets import Explorer
def draw(block, grid):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200"><text y="40">{grid} {block}</text></svg>'
Explorer({"block": [32, 64], "grid": [1, 2, 3]}, draw, lambda b, g: f"{g} blocks of {b} threads")
# %% md slide
## A long list
""" + "\n".join(f"- point {i} of the list" for i in range(25))
SMALLEST_CODE, SMALLEST_ZOOM = 18, 0.6  # pixels; a slide without code may be shrunk further


@pytest.fixture
def npm():
    if shutil.which("npm") is None and not (cache() / "npm").exists():
        pytest.skip("needs npm, to fetch reveal.js and MathJax")


@pytest.fixture
def open_deck(npm, browser, tmp_path):
    """Write a deck into an empty folder and open it offline; it may request nothing that is elsewhere."""
    requests = []
    context = browser.new_context(viewport={"width": 1240, "height": 700}, offline=True)
    context.set_default_timeout(HANGS)

    def open_deck(notebook):
        file = tmp_path / "deck.html"
        file.write_text(slides.deck(notebook), "utf-8")
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.goto(file.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached")
        return page

    yield open_deck
    context.close()
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


def visit(page):
    """Return what does not fit, slide by slide."""
    return page.evaluate(
        """([smallestZoom, smallestCode]) => {
        const bad = [];
        for (let number = 1; number <= Reveal.getTotalSlides(); number++) {
            const section = Reveal.getCurrentSlide(), content = section.querySelector(':scope > div');
            const height = content.getBoundingClientRect().height / Reveal.getScale();
            const width = content.scrollWidth * (content.currentCSSZoom || 1), zoom = Number(section.dataset.zoom);
            const code = Math.min(99, ...[...section.querySelectorAll('pre')].filter(pre => pre.offsetParent)
                .map(pre => zoom * parseFloat(getComputedStyle(pre).fontSize)));
            const high = height > 701 && !section.querySelector('details[open]');  // then it scrolls
            if (high || width > 1242 || zoom < smallestZoom || code < smallestCode - 0.1)
                bad.push([number, {height, width, zoom, code}]);
            Reveal.next();
            while (Reveal.availableFragments().next) Reveal.nextFragment();
        }
        return bad;
    }""",
        [SMALLEST_ZOOM, SMALLEST_CODE],
    )


def with_steppers(text, told=str):
    """The lesson, run and stored, as a deck shows it. told: what is done to the words that are stored."""
    notebook = canonical(run(to_notebook(text), os.getcwd()))
    for output in (output for cell in notebook.cells for output in cell.get("outputs", [])):
        output.data["text/plain"] = told(output.data["text/plain"])
    with tempfile.TemporaryDirectory() as folder:
        store(notebook, path := Path(folder, "01_a.ipynb"))
        return slides.with_steppers(path)


SHOWN = """# %% code
from nnlib.course.pictures.widgets import Explorer
# %% code
most, name = 2, "frame"
# %% code
def draw(at):
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>{name} {at}</text></svg>'
# %% code
Explorer({"at": [*range(most)]}, draw, lambda at: f"{name} {at} of {most}")
# %% code
most = 3
# %% code
name = "picture"
# %% code
Explorer({"at": [*range(most)]}, draw, lambda at: f"{name} {at} of {most}")"""


def test_a_stepper_is_drawn_from_the_cells_above_it():
    cells = [cell for cell in with_steppers(SHOWN).cells if cell.outputs]
    assert [str(cell.outputs).count("<figure") for cell in cells] == [2, 3]


def test_a_stepper_that_is_not_as_stored_is_told():
    with pytest.raises(SystemExit, match="Run the lesson and store it"):
        with_steppers(SHOWN, lambda words: words.replace("picture 2", "picture 3"))


@pytest.mark.browser
def test_deck_works_offline(open_deck):
    page = open_deck(with_steppers(DRAFT))
    assert page.locator("mjx-container").count() == 1
    assert visit(page) == []
    page.evaluate("Reveal.slide(1, 1, -1)")
    slider = page.locator(".nn-stepper input").first
    caption = page.locator(".nn-stepper figcaption:visible")
    assert caption.inner_text() == "1 blocks of 32 threads"
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert caption.inner_text() == "1 blocks of 64 threads"
    assert page.evaluate("Reveal.getIndices().h") == 1  # the key moved the slider, not the deck
    assert "Ask who has seen this." in page.evaluate("Reveal.getSlideNotes()")
    page.goto(f"{page.url.partition('#')[0]}?print-pdf")
    page.wait_for_selector("html[data-ready]", state="attached")
    assert caption.inner_text() == "3 blocks of 64 threads"  # what says most is printed


STEPPER = DRAFT.split("# %% md slide\n## A long")[0].split("# %% code slide\n")[1]


@functools.cache
def stepper_between_slides():
    return with_steppers(f"# %% md slide\n# 01 A\n# %% code slide\n{STEPPER}\n# %% md slide\n## B")


@pytest.mark.browser
@pytest.mark.parametrize("focused", [False, True])
def test_a_clicker_moves_a_stepper_before_the_slide(open_deck, focused):
    page = open_deck(stepper_between_slides())
    page.evaluate("Reveal.slide(1, 1)")  # below its code
    if focused:
        page.locator(".nn-stepper input >> nth=0").focus()
    there = ["1 blocks of 32", "1 blocks of 64", "2 blocks of 64", "3 blocks of 64"]
    seen = page.locator(".present figcaption:visible")
    for key, captions in ("PageDown", there), ("PageUp", there[::-1]):
        for caption in captions:
            assert seen.inner_text() == f"{caption} threads"
            page.keyboard.press(key)
        assert page.evaluate("Reveal.getSlidePastCount()") != 2
        page.keyboard.press("PageUp")


@pytest.mark.browser
def test_a_clicker_opens_answers_after_all_else_and_no_hint(open_deck):
    folded = HINTS.replace("Hint 2", "Answer")
    page = open_deck(to_notebook(f"# %% md slide\n# 01 A\nB{folded}\n# %% md fragment\nC"))
    for opened in 0, 0, 1:
        assert page.locator("details[open]").count() == opened
        page.keyboard.press("PageDown")


@pytest.mark.browser
def test_sliders_of_other_slides_are_not_reached_by_tab(open_deck):
    page = open_deck(stepper_between_slides())
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.closest('.nn-stepper')") is None


@pytest.mark.browser
def test_an_answer_comes_with_the_next_step(open_deck):
    draft = (
        "# %% md slide\n# 01 A\n# %% code\nfrom nnlib.course.prediction import predict, reveal\n"
        "predict('01.threads')\n# %% code\nblocks = 3\nprint('seen')\n# %% code\nreveal('01.threads', 4 * blocks)"
    )
    page = open_deck(canonical(run(to_notebook(draft.replace("'", '"')), os.getcwd())))
    answer = page.locator(".present .nn-answer-step")
    seen = page.locator(".present pre", has_text=re.compile(r"^\u200b?\s*seen"))
    for revealed in False, True:
        assert shown(seen) is shown(answer) is revealed
        page.keyboard.press("PageDown")


ANSWERED = (
    '<div class="nn-reveal"><p class="nn-first">First</p><details class="nn-answer"><summary>Answer'
    "</summary><p>{}. So it is.</p><ul><li>not no: It is.</li></ul></details></div>"
)


@pytest.mark.browser
def test_questions_in_a_row_have_their_answers_below_them(open_deck):
    notebook = to_notebook("# %% md slide\n# 01 A\nB")
    asked = [f'<div class="nn-predict">Why?<ul><li>{k}</li><li>no</li></ul></div>' for k in (1, 2)]
    notebook.cells += [stored("", *asked), stored("", *map(ANSWERED.format, (1, 2)))]
    page = open_deck(notebook)
    for number, html in enumerate(
        page.evaluate("Reveal.getSlides().map(slide => slide.innerHTML)"), 1
    ):
        assert html.count("Why?") == 1 and f"<b>{number}</b>: So it is." in html
        assert f"Answer: {number}: So" in html  # a note


def shown(locator):
    """Is it on the present slide, and no step to come?"""
    return any(
        one.is_visible() and one.evaluate("e => e.closest('section') === Reveal.getCurrentSlide()")
        for one in locator.all()
    )


@pytest.mark.browser
def test_what_is_too_high_goes_on_on_the_next_slide(open_deck):
    cells = "".join(
        f"# %% code\n{chr(10).join(f'x{k} = {i}' for i in range(10))}\n" for k in range(4)
    )
    page = open_deck(to_notebook(f"# %% md slide\n# 01 A\n{cells}"))
    assert page.evaluate("Reveal.getTotalSlides()") == 3
    assert visit(page) == []


PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="{}"><text y="40">seen</text></svg>'
)


def stored(source, *outputs):
    """A code cell with outputs: texts, HTML, or heights of a picture."""
    data = [
        {"text/html" if out.startswith("<") else "text/plain": out}
        if isinstance(out, str)
        else {"text/html": Picture(PICTURE.format(out), "a").img()}
        for out in outputs
    ]
    return new_code_cell(source, outputs=[new_output("execute_result", one) for one in data])


SENTENCES = "This sentence has six words exactly. " * 9
HINTS = "".join(f"\n\n<details><summary>Hint {k}</summary>Look.</details>" for k in (1, 2))
LISTING = f"<pre>{chr(10).join(map(str, range(9)))}</pre>"


@pytest.mark.browser
@pytest.mark.parametrize(
    "cells, slides_of",
    [
        # A picture stands alone, but for a caption
        ([stored("x = 1", 640), "One line."], [["x = 1"], ["One line."]]),
        ([stored("y = 1", "out\n" * 16)], [["y = 1", "out"]]),  # code keeps what it prints
        ([stored("y = 1", "out", 400, 250, "last\nline")], [["y = 1", "out"], [], [], ["last"]]),
        (["# Head\n" + SENTENCES, SENTENCES], [["Head", "six words"], ["six words"]]),
        (["The two cases are", "- one\n- two"], [["cases", "two"]]),
        ([stored("x = 1", 100), SENTENCES], [["x = 1"], ["six words"]]),  # below a flat picture
        # A question keeps what prepares its answer, and nothing behind it
        (
            ['<div><p class="nn-predict">Why?</p></div>', stored("x = 1"), "It is."],
            [["Why", "x = 1"], ["It"]],
        ),
        ([SENTENCES + HINTS], [["six words", "Hint 1", "Hint 2"]]),
        ([stored("x = 1  # about 2 lines"), "Solved"], [["lines"], ["Solved"]]),
        ([stored("x = 1", "out"), "## Half-way"], [["out"], ["Half-way"]]),
        # A picture that would be small below words has only the last of them
        (["- A word\n" * 6 + "\nA row.", stored("", 640)], [["A word"], ["A row"]]),
        # A picture is not made small by a long text
        (
            [stored("x = 1", f"<div>{LISTING}{Picture(PICTURE.format(500), 'a').img()}</div>")],
            [["x", "8"], []],
        ),
    ],
)
def test_slides_are_dealt(open_deck, cells, slides_of):
    notebook = to_notebook("# %% md slide\n# 01 A\n# %% md slide\nB")
    first, *others = [new_markdown_cell(cell) if isinstance(cell, str) else cell for cell in cells]
    first.metadata["slideshow"] = {"slide_type": "slide"}
    notebook.cells += [first, *others]
    page = open_deck(notebook)
    assert visit(page) == []
    texts = page.evaluate("Reveal.getSlides().slice(2).map(slide => slide.textContent)")
    assert all(word in text for words, text in zip(slides_of, texts, strict=True) for word in words)


@pytest.mark.browser
def test_a_slide_scrolls_where_an_opened_hint_is_long(open_deck):
    page = open_deck(
        to_notebook(
            "# %% md slide\n# 01 A\n# %% md slide\nB" + HINTS.replace("Look.", "<p>Look.</p>" * 40)
        )
    )
    assert page.evaluate("""async () => {
        Reveal.next();
        const slide = Reveal.getCurrentSlide(), hints = slide.querySelectorAll('details');
        await new Promise((done) => {
            hints[0].addEventListener('toggle', done);
            hints[0].open = true;
        });
        slide.scrollTop = 9999;
        return hints[1].getBoundingClientRect().bottom < innerHeight + 1
            && slide.querySelector('.nn-section').getBoundingClientRect().top >= 0;
    }""")


@pytest.mark.browser
@pytest.mark.parametrize("rows, tables", [(15, [15]), (22, [11, 11])])
def test_a_table_that_fits_one_slide_has_one_head(open_deck, rows, tables):
    row = "| 12 | this row has seven more short words |\n" * rows
    page = open_deck(
        to_notebook(
            f"# %% md slide\n# 01 A\n# %% md slide\nB\n\n| what | it is |\n|---|---|\n{row}"
        )
    )
    found = page.evaluate("""Reveal.getSlides().flatMap(slide => [...slide.querySelectorAll('table')].map(
        table => table.tBodies[0].rows.length))""")
    assert found == tables


@pytest.mark.browser
def test_a_long_line_of_code_goes_on_below_further_right(open_deck):
    page = open_deck(to_notebook(f"# %% md slide\n# 01 A\n# %% code\nif x:\n    {'y += ' * 30}1"))
    high, indent = (
        page.locator(".nn-line")
        .nth(1)
        .evaluate(
            "e => [e.offsetHeight, parseFloat(getComputedStyle(e).paddingLeft)]"
            ".map(size => size / parseFloat(getComputedStyle(e).fontSize))"
        )
    )
    assert high > 2 and indent > 4  # in letters' heights
    assert visit(page) == []


@pytest.mark.browser
def test_short_code_is_large_and_there_at_once(open_deck):
    page = open_deck(to_notebook("# %% md slide\n# 01 A\n# %% code fragment\nx = 2\ny = 3"))
    assert page.evaluate(
        "parseFloat(getComputedStyle(document.querySelector('section pre')).fontSize)"
        " * Reveal.getCurrentSlide().dataset.zoom >= 27 && !document.querySelector('.fragment')"
    )


@pytest.mark.browser
def test_code_and_maps_are_light_on_a_dark_slide(open_deck):
    """Judged by a pixel of the ground and the brightest one, whatever filter makes them."""
    white = PICTURE.format(100).replace(
        "<text", '<rect width="600" height="100" fill="white"/><text'
    )
    notebook = to_notebook("# %% md slide\n# 01 A")
    notebook.cells.append(stored("letters = 1", Picture(white, "a", shades=True).img()))
    page = open_deck(notebook)
    page.keyboard.press("d")
    for element in "section pre", "img":
        shot = Image.open(io.BytesIO(page.locator(element).screenshot())).convert("L")
        assert shot.getpixel((1, 1)) < 60 and shot.getextrema()[1] > 180
        page.keyboard.press("PageDown")


@pytest.mark.browser
def test_a_printed_deck_is_tagged(open_deck, tmp_path):
    notebook = to_notebook("# %% md slide\n# 01 A\n# %% md slide\n## B\n# %% md subslide\n## C")
    notebook.cells.append(stored("x = 1", 100))
    open_deck(notebook)
    pdf = slides.print_pdf(chromium(), tmp_path / "deck.html").read_bytes()
    assert (
        b"/StructTreeRoot" in pdf
        and b"/Lang (en)" in pdf
        and b"/S /Figure" in pdf
        and b"/Alt (a)" in pdf
    )
    assert pdf.count(b"/S /H2") == 2


def test_decks_link_to_decks(npm):
    text = "Next: [02](02_vector_add.ipynb#top), [x](https://x.org/a.ipynb)"
    html = slides.deck(to_notebook(f"# %% md slide\n# 01 A\n{text}"))
    assert 'href="02_vector_add.html#top"' in html and 'href="https://x.org/a.ipynb"' in html


@pytest.mark.browser
def test_right_arrow_leaves_out_no_slide(open_deck):
    page = open_deck(
        to_notebook("# %% md slide\n# 01 A\n# %% md subslide\n### Below.\n# %% md slide\n## B")
    )
    page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getCurrentSlide().innerText.trim()") == "Below."


@pytest.mark.browser
def test_what_cannot_fit_is_found(open_deck):
    notebook = to_notebook("# %% md slide\n# 01 Too much\n# %% code\n" + "x = 1\n" * 90)
    assert [number for number, _ in visit(open_deck(notebook))] != []


MEASURED = """() => Reveal.getSlides().map((slide, number) => {
    const seen = slide.cloneNode(true), scale = Math.min(innerWidth / 1240, innerHeight / 700);
    seen.querySelectorAll('aside, pre, img, svg, style, [hidden], .nn-first, .nn-controls').forEach(gone => gone.remove());
    seen.querySelectorAll('details').forEach(folded => folded.replaceChildren(folded.querySelector('summary')));
    const count = element => element.textContent.split(/\\s+/).filter(word => /[\\p{L}\\p{N}]/u.test(word)).length;
    const cells = [...seen.querySelectorAll('td, th')].reduce((sum, cell) => sum + count(cell), 0);
    const title = slide.querySelector('h1, h2, h3, .nn-section') !== null;
    const words = count(seen) - 0.4 * cells;  // a table is looked up rather than read
    const beside = slide.querySelector('img, .nn-stepper') && slide.querySelector('.highlight') !== null;
    return {number: number + 1, title, words, beside, bad: !title || words > 90 || beside,
            labels: [...slide.querySelectorAll('img[data-label]')].map(image => scale * image.dataset.label)};
})"""


@pytest.mark.browser
@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_is_readable_from_the_last_row(open_deck, path):
    page = open_deck(read(path, 4))
    page.set_viewport_size({"width": 1280, "height": 720})
    assert visit(page) == []
    slides_of = page.evaluate(MEASURED)
    assert [slide for slide in slides_of if slide["bad"]] == []
    labels = [label for slide in slides_of for label in slide["labels"]]
    assert min(labels) >= 20


@pytest.mark.parametrize(
    "source, shown",
    [
        ("import numpy as np\nx = np.ones(3)\nadd(1, 3, (x,))", "x = np.ones(3)\nadd(1, 3, (x,))"),
        ("rows = {'a': 1}\nrows |= {'b': 2}\npictures.bars(rows)", ""),
        (
            "counts = add.profile(1, 32, (x,))\nreveal('02.bytes', counts.bytes_moved)",
            "counts = add.profile(1, 32, (x,))",
        ),
        ("with ops.engine('mine'):\n    pad = DigitPad(net)\npad", ""),
        ("x = np.ones(3)\npictures.row(x)", ""),
        ("print(1)", "print(1)"),
        (f"x = 1{' ' * 99}# a comment", "x = 1  # a comment"),
        ("x = (", "x = ("),
    ],
)
def test_a_deck_shows_no_plumbing(source, shown):
    assert without_plumbing(source) == shown


@pytest.mark.parametrize(
    "source, said",
    [
        ('check("01.rotate", rotate)', "not yet"),
        ("field([(3, 1)])", "Ellipsis"),
        ('case.repair(..., "…")', "not yet"),
    ],
)
def test_a_deck_shows_no_verdict_on_the_starter(source, said):
    notebook = to_notebook(f"# %% md slide\n# 01 A\n# %% code\n{source}")
    notebook.cells[-1].outputs = [new_output("stream", text=f"{said}\n")]
    assert staged(notebook).cells[-1].outputs == []
