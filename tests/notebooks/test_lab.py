"""Cells of CUDA in a real JupyterLab: coloured as CUDA C++, while Python keeps its colours."""

import os
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from nnlib.course.pictures.style import Picture
from tests.notebooks import HANGS

EXTENSIONS = Path(__file__).parents[2] / "nnlib" / "course" / "labextensions"
PYTHON = "for x in range(3):\n    print('__global__', x)  # float"
CUDA = """%%cuda -DTILE=16
/* two
   lines */
extern "C" __global__ void scale(float* out, float4 v, int n)  // for all
{
    #pragma unroll
    for (int k = 0; k < n; k++) out[threadIdx.x] = 2.5e-3f * 0x1F;
}"""
SPANS = """number => [...document.querySelectorAll('.jp-CodeCell')[number].querySelectorAll('.cm-line span')]
    .map(span => [span.textContent, getComputedStyle(span).color])"""
HAS = f"([number, word]) => ({SPANS})(number).some(([text]) => text === word)"


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """A page with JupyterLab at a notebook of three cells: Python, CUDA, and an empty one."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "notes").mkdir()
    cells = [nbformat.v4.new_code_cell(source) for source in (PYTHON, CUDA, "")]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
    nbformat.write(
        nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / "notes" / "n.ipynb"
    )
    (folder / "notes" / "k.cu").write_text(CUDA.split("\n", 1)[1], "utf-8")
    places = {
        f"JUPYTER_{what.upper()}_DIR": str(folder / what) for what in ("config", "data", "runtime")
    }
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                "--no-browser",
                "--ServerApp.port=0",
                "--allow-root",
                "--IdentityProvider.token=",
                f"--ServerApp.root_dir={folder / 'notes'}",
                f"--LabApp.extra_labextensions_path={EXTENSIONS}",
            ],
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, **places},
        )
    try:
        address = None
        while address is None:  # the test's time limit ends this where the server does not start
            assert server.poll() is None, (folder / "log").read_text()
            time.sleep(0.2)
            found = [
                line
                for line in (folder / "log").read_text().splitlines()
                if "http://" in line and "/lab" in line
            ]
            address = found[0][found[0].index("http://") :].split("/lab")[0] if found else None
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.set_default_timeout(HANGS)
        page.problems = []
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.goto(f"{address}/lab/tree/n.ipynb")
        page.wait_for_selector(".jp-CodeCell .cm-line span")
        yield page
        page.close()
    finally:
        server.terminate()
        server.wait()


def colours(page, number):
    return dict(page.evaluate(SPANS, number))


@pytest.mark.browser
def test_cells_have_the_colours_of_their_language(lab):
    for number, last in ((0, "# float"), (1, "// for all")):  # the kernel has said: Python
        lab.wait_for_function(HAS, arg=[number, last])
    python, cuda = colours(lab, 0), colours(lab, 1)
    keyword, comment, text = python["for"], python["# float"], python["'__global__'"]
    assert {cuda[word] for word in ("extern", "__global__", "for")} == {keyword}
    assert {cuda[word] for word in ("/* two", "   lines */", "// for all")} == {comment}
    assert cuda['"C"'] == text
    assert cuda["float"] == cuda["float4"] == cuda["void"] != keyword
    assert cuda["2.5e-3f"] == cuda["0x1F"] == python["3"]
    assert cuda["%%cuda -DTILE=16"] == cuda["#pragma unroll"]
    assert "threadIdx" in cuda


@pytest.mark.browser
def test_a_cell_that_becomes_cuda_changes_its_colours_and_back(lab):
    lab.locator(".jp-CodeCell .cm-content").nth(2).click()
    lab.keyboard.type("x\nint lambda = 1")
    lab.wait_for_function(HAS, arg=[2, "lambda"])
    lab.keyboard.press("Control+Home")
    lab.keyboard.type("%%cuda\n")
    lab.wait_for_function(HAS, arg=[2, "%%cuda"])
    assert "lambda" not in {
        text for text, colour in lab.evaluate(SPANS, 2) if colour == colours(lab, 0)["for"]
    }
    lab.keyboard.press("Control+Home")
    lab.keyboard.type("# ")
    lab.wait_for_function(HAS, arg=[2, "lambda"])
    assert colours(lab, 2)["lambda"] == colours(lab, 0)["for"]


@pytest.mark.browser
def test_a_file_of_the_library_is_coloured_too(lab):
    lab.get_by_text("k.cu").first.dblclick()
    word = lab.locator(".jp-FileEditor .cm-line span", has_text="__global__")
    word.wait_for()
    assert word.evaluate("span => getComputedStyle(span).color") == colours(lab, 1)["__global__"]
    lab.locator(".lm-TabBar-tab", has_text="n.ipynb").click()


@pytest.mark.browser
def test_a_dark_theme_turns_charts_round_and_leaves_shades(lab):
    filters = """html => {
        const box = document.createElement('div');
        box.innerHTML = html;
        document.body.append(box);
        const found = ['true', 'false'].map(light => {
            document.body.dataset.jpThemeLight = light;
            return [...box.children].map(image => getComputedStyle(image).filter);
        });
        box.remove();
        document.body.dataset.jpThemeLight = 'true';
        return found;
    }"""
    light, dark = lab.evaluate(
        filters, Picture("<svg/>", "a chart").img() + Picture(b"", "a digit", shades=True).img()
    )
    assert light == ["none", "none"]
    assert dark == ["invert(0.93) hue-rotate(180deg) brightness(1.25)", "none"]


@pytest.mark.browser
def test_lines_are_indented_as_in_c(lab):
    lab.locator(".jp-CodeCell .cm-content").nth(2).click()
    lab.keyboard.press("Control+a")
    for line in ("%%cuda", "void f()", "{", "if (a)", "b();", "c();"):
        lab.keyboard.type(line)
        lab.keyboard.press("Enter")
    lab.keyboard.type("d();")
    lines = lab.locator(".jp-CodeCell").nth(2).locator(".cm-line").all_inner_texts()
    assert [line.rstrip() for line in lines[:7]] == [
        "%%cuda",
        "void f()",
        "{",
        "    if (a)",
        "        b();",
        "    c();",
        "    d();",
    ]
    assert lab.problems == []


WIDGETS = """<div class="jp-OutputArea"><select><option>a</option><option>b</option></select>
    <div class="widget-inline-hbox"><label class="widget-label">blocks</label>
    <div class="noUi-handle" role="slider" tabindex="0"></div><div class="widget-readout">3</div></div>
    <div class="widget-play"><button><i class="fa fa-stop"></i></button></div></div>"""


@pytest.mark.browser
def test_widgets_need_no_mouse(lab):
    """What stands in an output as ipywidgets draws it: each says its name, and a menu keeps its keys."""
    lab.locator(".jp-CodeCell .jp-Cell-outputArea").first.evaluate(
        "(area, html) => area.insertAdjacentHTML('beforeend', html)", WIDGETS
    )
    cells = lab.locator(".jp-Cell").count()
    menu = lab.locator(".jp-OutputArea select")
    menu.focus()
    lab.keyboard.press("ArrowDown")
    assert menu.input_value() == "b"
    lab.keyboard.press("a")  # would be: a cell above
    assert menu.input_value() == "a" and lab.locator(".jp-Cell").count() == cells
    for role, name in (("slider", "blocks"), ("button", "stop")):
        lab.locator(f".jp-OutputArea [role={role}], .jp-OutputArea {role}").focus()
        assert lab.get_by_role(role, name=name, exact=True).count() == 1
    assert lab.problems == []


@pytest.mark.browser
def test_a_prediction_is_committed_to_with_a_button(lab):
    lab.locator(".jp-CodeCell .cm-content").nth(2).click()
    lab.keyboard.press("Control+a")
    lab.keyboard.type('from nnlib.course.prediction import predict\npredict("01.threads")')
    lab.keyboard.press("Shift+Enter")
    lab.locator(".nn-predict-live input").nth(1).click()
    lab.locator(".nn-predict-live button").click()
    lab.locator(".nn-predict-live [role=status]", has_text="Committed").wait_for()
    assert lab.locator(".nn-predict-live input:disabled").count() >= 3 and not lab.problems


PAD = """from nnlib import datasets, training
from nnlib.course import DigitPad
from nnlib.layers import Conv2d, Flatten, Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import Adam
data = datasets.load("digits").normalised()
model = Sequential(Conv2d(1, 8, 3, stride=2), ReLU(), Flatten(), Linear(1352, 10))
training.fit(model, CrossEntropyLoss(), Adam(model, lr=0.003), data.train, epochs=5, progress=None)
DigitPad(model, data.test)"""


@pytest.mark.browser
def test_a_drawn_stroke_is_classified(lab):
    lab.set_viewport_size({"width": 1250, "height": 900})
    lab.locator(".jp-CodeCell .cm-content").nth(2).click()
    lab.keyboard.press("Control+a")
    lab.keyboard.insert_text(PAD)
    lab.keyboard.press("Shift+Enter")
    canvas = lab.locator("canvas.nn-draw")
    canvas.wait_for()
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    lab.mouse.move(box["x"] + 140, box["y"] + 40)
    lab.mouse.down()
    lab.mouse.move(box["x"] + 140, box["y"] + 240, steps=12)
    lab.mouse.up()
    lab.locator(".nn-said", has_text="Read as 1").wait_for()
    shares = lab.locator(".nn-bar span:last-child")
    found = [float(text.rstrip(" %")) for text in shares.all_inner_texts()]
    assert len(found) == 10 and sum(found) == pytest.approx(100, abs=1)
    assert lab.locator(".nn-best span:first-child").inner_text() == "1"
    assert lab.locator(".nn-maps canvas").count() == 2
    lab.get_by_role("button", name="clear").click()
    lab.locator(".nn-said", has_text="Draw a digit.").wait_for()
    lab.get_by_role("button", name="sample").focus()
    lab.keyboard.press("Enter")  # no mouse needed
    lab.locator(".nn-said", has_text="its label is").wait_for()
    shares.evaluate_all("all => all.forEach(share => share.textContent = '100.0 %')")
    assert lab.locator(".nn-bar").first.bounding_box()["y"] < box["y"] + 23  # beside the canvas
    assert all(share.bounding_box()["height"] < 23 for share in shares.all())
