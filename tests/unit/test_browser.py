"""What a browser's Python is like: memory that begins anywhere, pointers of 32 bits, no Jupyter beside it."""

import logging
import runpy
import sys
import types

import numpy as np

from nnlib.course import solved
from nnlib.cuda import RawKernel
from nnlib.mine import folder
from nnlib.support import browser, files

WIDE = RawKernel(
    """extern "C" __global__ void wide(const float4* x, float4* out) {
    out[threadIdx.x] = x[threadIdx.x];
}""",
    "wide",
)


def test_a_page_is_told_by_its_platform(monkeypatch):
    fonts = logging.getLogger("matplotlib.font_manager")
    monkeypatch.setattr(fonts, "level", logging.NOTSET)
    for platform, examples, level in (
        ("linux", None, logging.NOTSET),
        ("emscripten", 1500, logging.ERROR),
    ):
        monkeypatch.setattr(sys, "platform", platform)
        assert runpy.run_path(browser.__file__)["EXAMPLES"] == examples
        # Its list of fonts takes long there, and each time it would say so
        assert fonts.level == level


def behind_a_boundary(count):
    """An array of its own, 8 bytes behind a multiple of 32, as WebAssembly's memory has them."""
    raw = bytearray(4 * count + 64)
    place = np.frombuffer(raw, np.uint8).ctypes.data
    return np.frombuffer(memoryview(raw)[(8 - place) % 32 :], np.float32, count)


def test_where_memory_begins_counts_as_aligned():
    x, out = behind_a_boundary(32), behind_a_boundary(32)
    assert x.ctypes.data % 16 == 8
    x[:] = range(32)
    WIDE((1,), (8,), (x, out))
    assert (out == x).all()
    assert WIDE.profile((1,), (8,), (x, out)).global_load.sectors == 4


def test_files_lie_in_the_browsers_storage(tmp_path, monkeypatch, environ):
    monkeypatch.setattr(browser, "_STORAGE", tmp_path)
    monkeypatch.setattr(folder.os, "access", lambda *_: False)
    environ(CI=None, PYTEST_VERSION=None, NNLIB_MINE=None, NNLIB_PROGRESS=None)
    assert solved.path() == tmp_path / "nnlib-progress.json"
    assert folder.folder() == tmp_path / "nnlib-mine"


def test_without_jupyter_files_lie_at_home(stand_in):
    stand_in("jupyter_core.paths")
    assert files.home() == files.Path.home()


def test_a_file_of_the_site_is_fetched(tmp_path, stand_in):
    asked = []

    class Request:
        status, response = 200, types.SimpleNamespace(to_bytes=lambda: b"images")

        def open(self, method, url, wait):
            asked.append(url)

        def send(self):
            pass

    page = types.SimpleNamespace(href="https://there/course/extensions/kernel/worker.js")
    stand_in(
        "js",
        types.SimpleNamespace(XMLHttpRequest=types.SimpleNamespace(new=Request), location=page),
    )
    browser.fetch("data/mnist/images.gz", tmp_path / "images.gz")
    assert asked == ["https://there/course/data/mnist/images.gz"]
    assert (tmp_path / "images.gz").read_bytes() == b"images"


def test_a_file_that_the_site_has_not_is_an_oserror(tmp_path, stand_in):
    stand_in("js", types.SimpleNamespace())  # Pyodide without a page
    try:
        browser.fetch("data/mnist/images.gz", tmp_path / "images.gz")
    except OSError:
        assert not (tmp_path / "images.gz").exists()
    else:
        raise AssertionError("no page, and no error")
