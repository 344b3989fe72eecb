"""Kernels on the GPU of a page, in Chromium with a GPU that is a program: navigator.gpu, reached from Python in a worker."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from nnlib.cuda import demo, webgpu
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.cuda._engine.webgpu.execution import grouped
from nnlib.cuda._engine.webgpu.printer import print_kernel
from nnlib.cuda._engine.webgpu.shader import Abilities
from nnlib.teaching.chromium import chromium
from nnlib.teaching.site import packages, running
from nnlib.teaching.site.serve import Handler, serving
from tests.benchmarks.webgpu_coverage import pieces, textbook
from tests.cuda.webgpu import in_page
from tests.notebooks import HANGS
from tests.teaching.site.visit import QUIET

HERE = Path(__file__).parent
GPU = ["--no-sandbox", "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", *QUIET]
CASES = {  # the page's own headers, the browser's arguments, and how Python waits there
    "suspended": ({}, GPU),
    "apart": (
        {
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Embedder-Policy": "require-corp",
        },
        GPU,
    ),
    "without": ({}, ["--no-sandbox", "--disable-features=WebGPU", *QUIET]),
}
JUDGED = """async (modules) => {
  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
  const wrong = {};
  device.pushErrorScope("validation");
  for (const [name, code] of Object.entries(modules)) {
    const { messages } = await device.createShaderModule({ code }).getCompilationInfo();
    const mistake = messages.find(({ type }) => type === "error");
    if (mistake) wrong[name] = mistake.message;
  }
  return wrong;
}"""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(packages.pyodide() is None, reason="NNLIB_PYODIDE names no Pyodide"),
    pytest.mark.skipif(chromium() is None, reason="there is no Chromium"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Pack what a page needs for kernels: Pyodide, nnlib and the site's worker."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "pyodide").symlink_to(str(packages.pyodide()))
    for file in (HERE / "page.html", *running.PARTS.glob("*.*js")):
        shutil.copy(file, folder)
    left_out = shutil.ignore_patterns("__pycache__", "node_modules")
    shutil.copytree(packages.NNLIB, folder / "package" / "nnlib", ignore=left_out)
    shutil.copy(HERE / "in_page.py", folder / "package")
    shutil.make_archive(str(folder / "nnlib"), "zip", folder / "package")
    where = {
        "base": "pyodide/",
        "lock": "pyodide/pyodide-lock.json",
        "nnlib": "nnlib.zip",
        "env": {"NNLIB_WEBGPU": "software"},
    }
    (folder / "kernel.json").write_text(json.dumps(where))
    return folder


@pytest.fixture(scope="module")
def modules() -> dict[str, str]:
    """The text that a page gets of each textbook kernel and of each kernel of the library."""
    launches = {label.partition("{")[0]: launch for label, *launch in (*textbook(), *pieces())}
    found = {}
    for name, (kernel, *launch) in launches.items():
        with contextlib.suppress(Refusal):
            request = kernel._call(*launch).through_webgpu().request()
            page: Any = SimpleNamespace(
                abilities=Abilities(), limits=SimpleNamespace(array_bytes=2**31)
            )
            shape = request.shape(page, grouped(request.arrays()))
            found[name] = print_kernel(request.source, shape, request.written).text
    return found


def test_tint_accepts_every_module_that_is_printed_for_a_page(
    folder: Path, modules: dict[str, str]
) -> None:
    from playwright.sync_api import sync_playwright

    with serving(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=GPU)
        page = browser.new_page()
        page.set_default_timeout(HANGS)
        page.goto(f"{address}kernel.json")
        wrong = page.evaluate(JUDGED, modules)
        browser.close()
    assert len(modules) > 150 and not wrong


@pytest.mark.parametrize("case", CASES)
def test_a_page_trains_on_its_gpu_with_the_losses_of_the_simulator(
    folder: Path, case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from playwright.sync_api import sync_playwright

    headers, arguments = CASES[case]
    monkeypatch.setattr(Handler, "extra", headers)
    with serving(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        page = browser.new_page()
        page.set_default_timeout(HANGS)
        page.goto(f"{address}page.html")

        def asked(message: dict[str, Any]) -> dict[str, Any]:
            before = page.evaluate("messages.length")
            page.evaluate("message => worker.postMessage(message)", message)
            page.wait_for_function(f"messages.slice({before}).some(each => each.kind !== 'gpu')")
            answer = dict(page.evaluate("messages.at(-1)"))
            assert "failed" not in answer, answer
            return answer

        tried = asked({"act": "attempt", "source": demo.MENDED})
        (said,) = page.evaluate("messages.filter(each => each.kind === 'gpu')")
        name = "as_a_task" if case == "suspended" else "text"
        ran = asked({"act": "call", "module": "in_page", "name": name})
        browser.close()
    found = json.loads(ran["text"])
    with webgpu(False):
        wanted = in_page.losses()
    assert tried["right"]
    if case == "without":
        assert said["gpu"].startswith("Kernels run on the processor: no GPU that WebGPU reaches")
        assert found["steps"] == 0 and "WebGPU" not in tried["text"]
    else:
        assert "(WebGPU on the CPU, for tests)" in said["gpu"] and "(WebGPU" in tried["text"]
        assert found["steps"] == 9  # but for the checked first one
        assert "x[100]" in found["report"] and found["report"].endswith(" 0")
    np.testing.assert_allclose(found["losses"], wanted, rtol=1e-5)
