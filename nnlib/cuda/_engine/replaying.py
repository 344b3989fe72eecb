"""Launches that repeat, on arrays that stay on a GPU through WebGPU: a step of training is one list of commands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from . import switches, webgpu
from .errors import UnsupportedError
from .kernel import RawKernel
from .language.refusal import Refusal


class Replay:
    """The object that `on_webgpu` yields. Arrays go to the GPU when a launch is prepared with them."""

    def __init__(self, session: webgpu.Session) -> None:
        self._session = session

    def prepare(
        self, kernel: RawKernel, grid: Any, block: Any, args: Sequence[Any], shared_mem: int = 0
    ) -> webgpu.PreparedDispatch:
        """Compile a launch, to be started any number of times. Arguments as for a launch of NumPy's arrays."""
        return self._session.prepare(
            kernel._call(grid, block, args, shared_mem).through_webgpu().request()
        )

    def start(self, launches: Sequence[webgpu.PreparedDispatch]) -> None:
        """Let launches run, one after the other, behind those before them. Nobody waits for them."""
        for launch in launches:
            self._session.start(launch)
        self._session.submit()

    def seconds(self, launches: Sequence[webgpu.PreparedDispatch], times: int) -> float:
        """Return what the GPU takes, by its own clock, for launches that are repeated so many times."""
        return self._session.seconds(launches, times)


def webgpu_device() -> str | None:
    """Return the name of the GPU that WebGPU reaches here, such as "Apple M2 (WebGPU)", or None.

    Asking takes a moment the first time, where the driver of a GPU is installed.
    """
    return webgpu.device_name()


async def open_page_gpu() -> str:
    """Open the GPU of a browser's page before kernels run, in a worker; say what they run on, and why.

    Await it where Python begins: a page that is cross-origin isolated has a GPU only then.
    """
    return await webgpu.begin()


def can_replay() -> bool:
    """Return whether there is a GPU for `on_webgpu`, and WebGPU is not switched off."""
    return switches.webgpu_allowed() and webgpu.device_name() is not None


@contextmanager
def on_webgpu() -> Iterator[Replay]:
    """Keep the arrays of launches on the GPU inside of the `with` block; behind it they are NumPy's again.

    It is all or nothing: raises UnsupportedError where there is no such GPU, where it cannot have a launch or is lost,
    or where a kernel met an error; then every array is as it was before.
    """
    if not switches.webgpu_allowed():
        raise UnsupportedError("WebGPU is switched off")
    try:
        with webgpu.staying() as session:
            yield Replay(session)
    except webgpu.FaultError:
        raise UnsupportedError("a kernel met an error, such as an access out of bounds") from None
    except (Refusal, webgpu.DeviceLostError) as error:
        raise UnsupportedError(f"this does not run through WebGPU: {error}") from None
