"""Pointers to functions: each function that is pointed to has an address."""

from __future__ import annotations

from typing import Any

from ...language import tree
from ..lowering.writer import LoweredProgram
from .heap import Heap

_WRONG = ("null pointer", "pointer that leads to none")


class FunctionPointers:
    """namespace: the run's, in which the functions of the host are."""

    def __init__(self, code: LoweredProgram, heap: Heap, namespace: dict[str, Any]) -> None:
        self._code, self._heap, self._namespace = code, heap, namespace
        self._mistakes = heap.mistakes

    def _function(self, address: int) -> tree.Function | None:
        one, _ = self._heap.find(address)
        known = one is not None and one.name in self._code.addresses
        return self._code.program.functions[one.name] if one is not None and known else None

    def kernel(self, address: int) -> tree.Function:
        """Return the kernel that a pointer leads to; report any other pointer."""
        function, site = self._function(address), self._mistakes.site
        if function is None or function.kind != "kernel":
            what = (
                f"{site.called} needs the name of a kernel"
                if isinstance(site.call, tree.Call)
                else f"a kernel is launched through a {_WRONG[address != 0]}"
            )
            self._mistakes.reject(what, "write the name of a __global__ function")
        return function

    def call_pointer(self, address: int, *arguments: Any) -> Any:
        """Call pointer(arguments)."""
        function = self._function(address)
        if function is None or function.kind == "kernel":
            self._mistakes.reject(
                "the pointer leads to a kernel, which is launched, not called"
                if function
                else f"a function is called through a {_WRONG[address != 0]}",
                "write <<<grid, block>>>"
                if function
                else "give the pointer the name of a function first",
            )
        return self._namespace[self._code.function_name(function.name)](*arguments)
