"""What every test shares: GPU tests skip, saying why, where there is no GPU, and the others see none where there is one."""

import functools
import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from nnlib import device
from nnlib.cuda._engine import device as machine
from nnlib.cuda._engine.device import GpuSearch
from nnlib.support import extras
from nnlib.teaching.marking.confinement import MARKING, confined


def pytest_configure() -> None:
    """Allow answers to run unconfined on machines without confinement: those of these tests are our own."""
    if not confined():
        os.environ.setdefault(MARKING, "trust")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    gc.disable()  # thousands of tests are made and none goes: garbage would be looked for in vain
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        # Trees of programs come in thousands, and most of them stay in caches
        gc.set_threshold(10_000)


@pytest.fixture(scope="module", autouse=True)
def old_objects_out_of_the_way() -> Generator[None, None, None]:
    """Garbage is not looked for in what earlier modules left in caches, least of all in a launch with a limit."""
    yield
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        # A cell of a lesson: nbval waits five seconds for what it has printed
        if hasattr(item, "output_timeout"):
            item.output_timeout = 600
    found = device.find()
    if found.name is None:
        skip = pytest.mark.skip(reason=f"needs an NVIDIA GPU: {found.reason}")
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(skip)


@pytest.fixture
def environ(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Set variables of the environment, as in `environ(NNLIB_MINE=tmp_path)`; those that are None are removed."""

    def change(**variables: object) -> None:
        for name, value in variables.items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, str(value))

    return change


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Run the test in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """stand_in(name, module) is what an import of that name finds; without a module it finds none."""

    def put(name: str, module: object = None) -> None:
        monkeypatch.setitem(sys.modules, name, module)

    return put


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Take packages away, as if they were not installed; without names all that an extra brings."""

    def take(*packages: str) -> None:
        monkeypatch.setattr(
            extras,
            "find_spec",
            lambda name: None if name in packages or not packages else find_spec(name),
        )

    return take


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """gpu(xp) lets the course find a GPU, and this in the place of CuPy."""

    def found(xp: object = None, synchronize: Callable[[], None] = lambda: None) -> None:
        monkeypatch.setattr(device, "has_gpu", lambda: True)
        monkeypatch.setattr(device, "synchronize", synchronize)
        monkeypatch.setitem(vars(device), "xp", xp)

    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[object]:
    """A browser for what only a browser shows."""
    from playwright.sync_api import sync_playwright  # late: few tests need it

    from nnlib.teaching.chromium import ARGUMENTS, chromium

    if (path := chromium()) is None:
        pytest.skip("needs Chromium")
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield found
        found.close()


@functools.cache
def hidden() -> GpuSearch:
    """Find no GPU."""
    return GpuSearch(None, "a test that is not marked gpu sees none")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """The same on every machine: processes that a test starts see no GPU, either. Lessons look for themselves."""
    with pytest.MonkeyPatch.context() as patch:
        if isinstance(item, pytest.Function) and not item.get_closest_marker("gpu"):
            patch.setattr(machine, "find_gpu", hidden)
            patch.setattr(device, "find", hidden)
            patch.setenv("CUDA_VISIBLE_DEVICES", "")
        return (yield)
