"""A checked program made ready to run: generated Python, and the variables that outlive a launch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..language.layout import dtype_of, flat_element, holds_pointers
from ..language.tree import (
    Build,
    Call,
    Convert,
    Function,
    InitializerList,
    IntrinsicCall,
    Literal,
    Name,
    TranslationUnit,
    Unary,
    Variable,
)
from ..language.types import Pointer, Vector, size_of
from ..language.walking import inside, nodes_of
from .codegen.analysis import (
    pointer_flows,
    stored_variables,
    waits_for_flags,
    written_parameters,
)
from .codegen.code import Code, CodeOptions
from .codegen.statements import define_functions
from .functions.atomics import ATOMICS
from .rounded import install

install()
# Functions that do not always do the same, or show it elsewhere.
OPEN = {"printf", "clock", "clock64", "__nanosleep"}


class Compiled:
    """A program ready to run; its Python forms (with checks, counters, trace) are made when first needed, and of each
    only what the kernels that are launched reach."""

    def __init__(self, program: TranslationUnit) -> None:
        self.program = program
        self._codes: dict[CodeOptions, Code] = {}
        self._reached: dict[str, list[Function]] = {}
        self._calls: dict[str, set[str]] = {}
        self._flags: dict[str, bool] = {}
        self._closed: dict[str, bool] = {}
        self._written = written_parameters(program)
        self.module_data: dict[
            str, np.ndarray
        ] = {}  # __device__ and __constant__ variables outlive a launch

    def code(self, kernel: str | None = None, **flags: bool) -> Code:
        """Return the Python for a kernel; None: for all functions. flags: those of CodeOptions."""
        options = CodeOptions(**flags)
        code = self._codes.get(options)
        if code is None:
            code = self._codes[options] = Code(self.program, options)
        functions = self.program.functions.values() if kernel is None else self.reached(kernel)
        define_functions(code, functions)
        return code

    @property
    def source(self) -> str:
        """The generated Python."""
        return self.code().source

    def variable(self, name: str) -> np.ndarray:
        """What a module variable holds: elements of its innermost type, one after the other."""
        if name not in self.module_data:
            self.module_data[name] = initial_value(*self.program.globals[name])
        return self.module_data[name]

    def may_wait(self, kernel: str) -> bool:
        """Return whether threads may wait for others: there are barriers or atomics, or memory is volatile."""
        together = any(name in ATOMICS or name.startswith("__sync") for name in self.calls(kernel))
        return together or "volatile" in self.program.text

    def has_flags(self, kernel: str) -> bool:
        """Return whether volatile accesses are atomics there."""
        if kernel not in self._flags:
            self._flags[kernel] = waits_for_flags(self.reached(kernel))
        return self._flags[kernel]

    def calls(self, kernel: str) -> set[str]:
        """Return the names of CUDA's functions that the kernel calls, itself or further down."""
        if kernel not in self._calls:
            self._calls[kernel] = {
                node.name
                for function in self.reached(kernel)
                for node in nodes_of(IntrinsicCall, inside(function))
            }
        return self._calls[kernel]

    def is_closed(self, kernel: str) -> bool:
        """Return whether all that it does follows from its arguments, and shows in the arrays that they lead to."""
        if kernel not in self._closed:
            given = [
                p.type.target if isinstance(p.type, Pointer) else p.type
                for p in self.program.functions[kernel].parameters
            ]
            self._closed[kernel] = not (
                OPEN & self.calls(kernel)
                or any(map(holds_pointers, given))
                or any(
                    _is_open(node) for function in self.reached(kernel) for node in inside(function)
                )
            )
        return self._closed[kernel]

    def reached(self, kernel: str) -> list[Function]:
        """Return the kernel and the functions that it calls, directly or not."""
        if kernel not in self._reached:
            self._reached[kernel] = found = [self.program.functions[kernel]]
            for function in found:
                found += {
                    node.function: None
                    for node in nodes_of(Call, inside(function))
                    if node.function not in found
                }
        return self._reached[kernel]

    def managed(self, kernel: str) -> dict[str, bool]:
        """Return the __managed__ variables that the kernel uses, and whether it may store to them."""
        if not any(variable.managed for variable, _ in self.program.globals.values()):
            return {}
        reached = self.reached(kernel)
        stored = set[Variable]().union(
            *(stored_variables(f, pointer_flows(f), self._written) for f in reached)
        )
        return {
            node.variable.name: node.variable in stored
            for function in reached
            for node in nodes_of(Name, inside(function))
            if node.variable.managed
        }

    def written(self, kernel: str) -> set[str]:
        """Parameters through which the kernel may store."""
        return self._written[kernel]


def _is_open(node: Any) -> bool:
    """Is it a variable that outlives the launch, or an address that was a number?"""
    if isinstance(node, Name):
        return node.variable.space in ("global", "constant")
    return (
        isinstance(node, Convert)
        and isinstance(node.type, Pointer)
        and not isinstance(node.operand, Literal)
        and not isinstance(node.operand.type, Pointer)
    )


def initial_value(variable: Variable, initializer: Any) -> np.ndarray:
    """What a module variable holds before the first launch."""
    element = flat_element(variable.type)
    base: Any = element.base if isinstance(element, Vector) else element
    data = np.zeros(size_of(variable.type) // base.size, dtype_of(base))
    for offset, value in values(initializer, 0):
        where = offset + value.type.size
        data.view(np.uint8)[offset:where] = (
            np.array(literal(value)).astype(value.type.dtype).reshape(1).view(np.uint8)
        )
    return data


def values(initializer: Any, start: int) -> Iterator[tuple[int, Any]]:
    """Yield the numbers in a constant initialiser, and the byte of each."""
    if isinstance(initializer, InitializerList):
        for offset, value in initializer.items:
            yield from values(value, start + offset)
    elif isinstance(initializer, Build):
        yield from values(initializer.initializer, start)
    elif isinstance(initializer, IntrinsicCall):  # make_float4(1, 2, 3, 4)
        for k, value in enumerate(initializer.arguments):
            yield start + k * size_of(value.type), value
    elif initializer is not None and not isinstance(initializer.type, Pointer):
        yield start, initializer


def literal(value: Any) -> Any:
    """Value of a constant initialiser."""
    while isinstance(value, Convert):
        value = value.operand
    if isinstance(value, Unary) and value.op == "-":
        return -literal(value.operand)
    return value.value
