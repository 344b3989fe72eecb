"""The digit pad: drawings prepared as MNIST's, read by a network, and drawn with a mouse in JupyterLab."""

import os
import socket
import subprocess
import sys
import time
import urllib.request

import numpy as np
import pytest
from nbformat import write

from nnlib import datasets, training
from nnlib.course.pictures.digit_pad import SIZE, DigitPad, like_mnist
from nnlib.layers import Conv2d, Flatten, Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import Adam
from nnlib.teaching.chromium import ARGUMENTS, chromium
from tests.notebooks import HANGS
from tests.notebooks.authoring import to_notebook

TRAIN = """
from nnlib import datasets, training
from nnlib.course.pictures.digit_pad import DigitPad
from nnlib.layers import Conv2d, Flatten, Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import Adam
data = datasets.load("digits").normalised()
model = Sequential(Conv2d(1, 8, 3, stride=2), ReLU(), Flatten(), Linear(1352, 10))
training.fit(model, CrossEntropyLoss(), Adam(model, lr=0.003), data.train, epochs=5, progress=None)
"""
TOKEN = "pad"


@pytest.fixture(scope="module")
def pad():
    data = datasets.load("digits").normalised()
    model = Sequential(Conv2d(1, 8, 3, stride=2), ReLU(), Flatten(), Linear(1352, 10))
    training.fit(
        model, CrossEntropyLoss(), Adam(model, lr=0.003), data.train, epochs=5, progress=None
    )
    return DigitPad(model, data.test)


def stroke(rows, columns):
    ink = np.zeros((SIZE, SIZE), np.uint8)
    ink[rows, columns] = 255
    return ink


def test_a_drawing_becomes_20_pixels_around_its_centre_of_mass():
    image = like_mnist(stroke(slice(3, 43), slice(50, 60)))  # 40 x 10, in a corner
    rows, columns = np.flatnonzero(image.any(1)), np.flatnonzero(image.any(0))
    assert (len(rows), len(columns)) == (20, 5)
    for axis, length in ((1, 28), (0, 28)):
        weights = image.sum(axis, dtype=float)
        assert abs((weights * np.arange(length)).sum() / weights.sum() - 14) <= 0.5


def test_place_and_size_of_a_drawing_do_not_matter():
    large, small = stroke(slice(5, 65), slice(20, 35)), stroke(slice(40, 60), slice(60, 65))
    np.testing.assert_array_equal(like_mnist(large), like_mnist(small))


@pytest.mark.parametrize(
    "ink",
    [
        np.zeros((SIZE, SIZE), np.uint8),
        stroke(0, 0),
        stroke(slice(0, 70), slice(0, 70)),
        stroke(slice(0, 70), 69),
        stroke(69, slice(0, 70)),
    ],
    ids=["nothing", "a dot in the corner", "all", "the right edge", "the lower edge"],
)
def test_odd_drawings_fit(ink):
    image = like_mnist(ink)
    assert image.shape == (28, 28) and image.any() == ink.any()


def test_ink_of_the_browser_is_read(pad):
    pad._asked(pad, "ink", [memoryview(stroke(slice(5, 65), slice(32, 38)).tobytes())])
    assert np.argmax(pad.probabilities) == 1 and sum(pad.probabilities) == pytest.approx(
        1, abs=1e-5
    )
    assert pad.truth == "" and len(pad.seen) == 784 and pad.digit.max() == 255
    assert [layer[1:] for layer in pad.maps] == [[8, 13, 13]] * 2
    assert len(pad.channels) == 2 * 8 * 13 * 13 and min(memoryview(pad.channels).cast("b")) < 0
    before = pad.answers
    pad._asked(pad, "ink", [b"too short"])
    assert pad.answers == before


def test_a_sample_is_shown_with_its_label(pad):
    right = 0
    for _ in range(20):
        right += pad.classes[int(np.argmax(pad.sample()))] == pad.truth
    assert right >= 15


def test_without_a_kernel_a_picture_and_a_sentence_stay(pad, monkeypatch):
    bundle, _ = pad._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in bundle
    assert "<img alt=" in bundle["text/html"] and "needs a running kernel" in bundle["text/plain"]
    monkeypatch.setenv("NNLIB_DECK", "1")
    assert set(pad._repr_mimebundle_()[0]) == {"text/html", "text/plain"}


@pytest.fixture
def lab(tmp_path):
    """JupyterLab in an empty folder, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        name: str(tmp_path / name.lower())
        for name in (
            "JUPYTER_CONFIG_DIR",
            "JUPYTERLAB_SETTINGS_DIR",
            "JUPYTERLAB_WORKSPACES_DIR",
            "JUPYTER_RUNTIME_DIR",
        )
    }
    folder = tmp_path / "notebooks"
    folder.mkdir()
    with open(tmp_path / "log", "w") as log:
        server = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "jupyterlab",
                "--no-browser",
                "--allow-root",
                "--ip=127.0.0.1",
                f"--port={port}",
                f"--IdentityProvider.token={TOKEN}",
                f"--notebook-dir={folder}",
            ],
            env={**os.environ, **settings},
            stdout=log,
            stderr=log,
        )
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/status?token={TOKEN}", server, tmp_path / "log")
        yield f"http://127.0.0.1:{port}", folder
    finally:
        server.terminate()
        server.wait()


def _wait_for(url, server, log):
    while True:  # the test's time limit ends this where the server does not start
        assert server.poll() is None, log.read_text()
        try:
            return urllib.request.urlopen(url, timeout=60).read()
        except OSError:
            time.sleep(0.5)


@pytest.mark.browser
def test_a_drawn_stroke_is_classified_in_jupyterlab(lab):
    if chromium() is None:
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    address, folder = lab
    draft = f"# %% md slide\n# 01 Pad\n# %% code\n{TRAIN.strip()}\n# %% code\nDigitPad(model, data.test)\n"
    write(to_notebook(draft), folder / "pad.ipynb")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        page = browser.new_page(viewport={"width": 1250, "height": 900})
        page.set_default_timeout(HANGS)
        page.goto(f"{address}/lab/tree/pad.ipynb?token={TOKEN}")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        page.get_by_text("Python 3 (ipykernel) | Idle").first.wait_for()
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        canvas = page.locator("canvas.nn-draw")
        canvas.wait_for()
        canvas.scroll_into_view_if_needed()
        page.wait_for_timeout(500)

        box = canvas.bounding_box()
        page.mouse.move(box["x"] + 140, box["y"] + 40)
        page.mouse.down()
        page.mouse.move(box["x"] + 140, box["y"] + 240, steps=12)
        page.mouse.up()
        said = page.locator(".nn-said")
        page.locator(".nn-said", has_text="Read as 1").wait_for()
        shares = [
            float(text.rstrip(" %"))
            for text in page.locator(".nn-bar span:last-child").all_inner_texts()
        ]
        assert len(shares) == 10 and sum(shares) == pytest.approx(100, abs=1)
        assert page.locator(".nn-best span:first-child").inner_text() == "1"
        assert page.locator(".nn-maps canvas").count() == 2
        if os.environ.get("NNLIB_SHOTS"):
            page.screenshot(path=os.path.join(os.environ["NNLIB_SHOTS"], "pad.png"))

        page.get_by_role("button", name="clear").click()
        assert said.inner_text() == "Draw a digit."
        page.get_by_role("button", name="sample").focus()
        page.keyboard.press("Enter")  # no mouse needed
        page.locator(".nn-said", has_text="its label is").wait_for()
        page.evaluate(
            "document.querySelectorAll('.nn-bar span:last-child').forEach(s => s.textContent = '100.0 %')"
        )
        assert (
            page.locator(".nn-bar").first.bounding_box()["y"] < box["y"] + 23
        )  # beside the canvas, not below
        page.locator(".nn-bar").evaluate_all(
            "rows => rows.forEach(row => row.classList.add('nn-best'))"
        )
        assert all(
            share.bounding_box()["height"] < 23
            for share in page.locator(".nn-bar span:last-child").all()
        )
        browser.close()
