"""Pointers to functions: each function that is pointed to has an address."""

from __future__ import annotations

from typing import Any

from ...language import tree
from ..lowering.writer import CallSite, LoweredProgram
from .heap import Heap


class FunctionPointers:
    """namespace: the run's, in which the functions of the host are."""

    def __init__(self, code: LoweredProgram, heap: Heap, namespace: dict[str, Any]) -> None:
        self._code, self._heap, self._namespace = code, heap, namespace
        self._report = heap.mistakes.report

    def _function(self, address: int) -> tree.Function | None:
        one, _ = self._heap.find(address)
        known = one is not None and one.name in self._code.addresses
        return self._code.program.functions[one.name] if one is not None and known else None

    def kernel(self, site: CallSite, address: int) -> tree.Function:
        """The kernel that a pointer leads to."""
        function = self._function(address)
        if function is None or function.kind != "kernel":
            call = (
                f"{site.called} needs the name of a kernel"
                if isinstance(site.call, tree.Call)
                else (
                    "a kernel is launched through a pointer that leads to none"
                    if address
                    else "a kernel is launched through a null pointer"
                )
            )
            self._report(call, "write the name of a __global__ function", at=site.at)
        return function

    def call_pointer(self, site: CallSite, address: int, *arguments: Any) -> Any:
        """pointer(arguments)"""
        function = self._function(address)
        if function is None or function.kind == "kernel":
            what = "pointer that leads to none" if address else "null pointer"
            self._report(
                "the pointer leads to a kernel, which is launched, not called"
                if function
                else f"a function is called through a {what}",
                "write <<<grid, block>>>"
                if function
                else "give the pointer the name of a function first",
                at=site.at,
            )
        return self._namespace[self._code.function_name(function.name)](*arguments)
