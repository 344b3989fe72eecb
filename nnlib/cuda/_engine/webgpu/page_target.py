"""The GPU of a page in a browser: navigator.gpu, from Python in a worker. page_gpu.js is the other half.

Python waits for the GPU by Atomics.wait, where the page is cross-origin isolated: the GPU then is in a worker of its own.
Elsewhere the browser suspends Python's stack (JSPI). Without either there is no GPU.
"""

from __future__ import annotations

import contextlib
import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..language.refusal import Refusal
from .shader import Abilities, Shader
from .target import Groups, TargetLimits, guarded, padded
from .writer import SUBGROUPS

TEXT = 1 << 16  # bytes of a text that is answered, at most
BROWSERS = {"Edg/": "Edge", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari"}
_opened: list[PageTarget] = []


@dataclass(frozen=True)
class PageBuffer:
    """Memory of the GPU. number: that JavaScript knows it by."""

    number: int
    size: int


class PageTarget:
    """See `Target`. page: what page_gpu.js made; wait: returns what a promise brings."""

    def __init__(self, page: Any, wait: Callable[[Any], Any]) -> None:
        from pyodide.ffi import to_js

        found = json.loads(page.info)
        self.name, self.software = found["name"], found["software"]
        self.limits = TargetLimits.of(*found["limits"])
        self.abilities = Abilities(lanes_are_warps=found["lanes"] == 32)
        self._page, self._wait, self._to_js = page, wait, to_js
        self._count = 0

    def _tell(self, name: str, *args: Any) -> None:
        self._page.tell(name, *map(self._to_js, args))

    def _ask(self, name: str, room: int, *args: Any) -> Any:
        return self._wait(self._page.ask(name, room, *map(self._to_js, args)))

    def _number(self) -> int:
        self._count += 1
        return self._count

    @guarded
    def buffer(self, size: int) -> PageBuffer:
        buffer = PageBuffer(self._number(), max(16, size))
        self._tell("buffer", buffer.number, buffer.size)
        return buffer

    @guarded
    def write(self, buffer: PageBuffer, data: Any) -> None:
        self._tell("write", buffer.number, memoryview(data).cast("B"))

    @guarded
    def read(self, buffers: Sequence[tuple[PageBuffer, int]]) -> list[memoryview]:
        sizes = [size for _, size in buffers]
        *starts, total = padded(sizes)
        numbers = [buffer.number for buffer, _ in buffers]
        data = memoryview(self._ask("read", max(TEXT, total), numbers, sizes).to_bytes())
        return [data[start : start + size] for start, size in zip(starts, sizes, strict=True)]

    @guarded
    def pipeline(self, shader: Shader) -> int:
        number, text = self._number(), SUBGROUPS * shader.subgroups + shader.text
        if rejected := self._ask("pipeline", TEXT, number, text, shader.binding_types):
            raise Refusal(f"a module that this browser {rejected}")
        return number

    @guarded
    def dispatch(
        self, pipeline: int, uniforms: bytes, buffers: Sequence[PageBuffer], groups: Groups
    ) -> None:
        numbers = [buffer.number for buffer in buffers]
        self._tell("dispatch", pipeline, uniforms, numbers, list(groups))

    @guarded
    def submit(self) -> None:
        self._tell("submit")

    @guarded
    def timed(self, dispatch: Callable[[], None]) -> float:
        self._tell("beginTiming")
        dispatch()
        return float(self._ask("endTiming", TEXT))


def _suspended(promise: Any) -> Any:
    """Wait by JSPI. Raises Refusal where JavaScript called Python in a way that cannot be suspended."""
    from pyodide.ffi import can_run_sync, run_sync

    if not can_run_sync():
        raise Refusal("the browser cannot wait for its GPU in this cell")
    return run_sync(promise)


def _page_gpu() -> Any:
    from pyodide.code import run_js

    return run_js(Path(__file__).with_name("page_gpu.js").read_text("utf-8"))


async def begin() -> None:
    """Open the page's GPU while JavaScript can still go on, as a worker of its own asks."""
    js: Any = importlib.import_module("js")
    if _opened or lack():
        return
    if js.crossOriginIsolated:
        _note(await _page_gpu().apart(), lambda answer: answer)
    else:
        _note(await _page_gpu().here(), _suspended)


def _note(page: Any, wait: Callable[[Any], Any]) -> None:
    if page.info:
        _opened.append(PageTarget(page, wait))


def find(software: bool) -> PageTarget | None:
    """Return the page's GPU, or None. software: also take a program on the CPU."""
    from pyodide.ffi import can_run_sync

    if not _opened and can_run_sync() and not lack():
        with contextlib.suppress(Exception):  # a broken driver must not take the lessons down
            _note(_suspended(_page_gpu().here()), _suspended)
    return next((target for target in _opened if software or not target.software), None)


def lack() -> str:
    """Say what keeps this browser from running kernels on a GPU; "" where that is not known beforehand."""
    js: Any = importlib.import_module("js")
    agent = js.navigator.userAgent
    name = next((name for mark, name in BROWSERS.items() if mark in agent), "this browser")
    if not hasattr(js.navigator, "gpu"):
        return f"{name} has no WebGPU on this computer"
    if not (js.crossOriginIsolated or hasattr(js.WebAssembly, "Suspending")):
        return f"{name} lets no Python wait for a GPU: it has no JSPI (WebAssembly.Suspending)"
    return ""
