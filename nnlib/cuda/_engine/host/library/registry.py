"""The library's parts, and their functions by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..lowering.writer import CallSite
from ..runtime.schedule import Operation, Stream
from ..runtime.state import RunState

Method = TypeVar("Method", bound=Callable[..., Any])


def provides(*names: str) -> Callable[[Method], Method]:
    """Let programs call the decorated method by these names, or by its own."""

    def mark(method: Method) -> Method:
        method.__dict__["provides"] = names or (method.__name__,)
        return method

    return mark


provided = provides()


class LibraryPart:
    """Some functions of the library, and what of the run they need.

    A function that returns nothing returns 0 to the program, the status of a call that succeeds.
    """

    def __init__(self, run: RunState) -> None:
        self._run, self._heap, self._device, self._streams = run, run.heap, run.device, run.streams
        self._output, self._files, self._schedule = run.output, run.files, run.schedule
        self._mistakes, self._report = run.mistakes, run.mistakes.report
        self._reject, self._answer = run.mistakes.reject, run.heap.store_value

    @property
    def _site(self) -> CallSite:
        """Return the call that the program makes now."""
        return self._mistakes.site

    def _submit(
        self,
        what: tuple[str, str],
        stream: Stream,
        size: int,
        seconds: float,
        engine: str = "compute",
    ) -> Operation:
        """Start an operation of the GPU. what: its kind and its name; engine: what does it, one at a time."""
        operation = Operation(*what, self._mistakes.line(), stream, engine, size)
        return self._schedule.submit(operation, seconds)


def functions_of(parts: Iterable[LibraryPart]) -> dict[str, Callable[..., Any]]:
    """Return what these parts of the library provide."""
    return {
        name: getattr(part, method.__name__)
        for part in parts
        for method in vars(type(part)).values()
        for name in getattr(method, "provides", ())
    }
