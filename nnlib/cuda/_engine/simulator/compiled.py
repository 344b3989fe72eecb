"""A checked program made ready to run: generated Python, and the variables that outlive a launch."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from ..language.layout import dtype_of, holds_pointers, innermost
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
from ..language.types import Pointer, size_of
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

Answer = TypeVar("Answer")


def once_for_each(
    ask: Callable[[Compiled, str], Answer],
) -> Callable[[Compiled, str], Answer]:
    """Answer a question about a kernel once, and remember the answer."""

    @functools.wraps(ask)
    def answer(compiled: Compiled, kernel: str) -> Answer:
        key = ask.__name__, kernel
        if key not in compiled.answers:
            compiled.answers[key] = ask(compiled, kernel)
        found: Answer = compiled.answers[key]
        return found

    return answer


class Compiled:
    """A program ready to run.

    Its Python forms (with checks, counters, trace) are made when they are first needed, and only for what the launched
    kernels reach.
    """

    def __init__(self, program: TranslationUnit) -> None:
        self.program = program
        self._codes: dict[CodeOptions, Code] = {}
        self.answers: dict[tuple[str, str], Any] = {}  # see once_for_each
        self._written = written_parameters(program)
        self.module_data: dict[
            str, np.ndarray
        ] = {}  # __device__ and __constant__ variables outlive a launch

    def code(self, kernel: str | None = None, options: CodeOptions | None = None) -> Code:
        """Return the Python for a kernel; None: for all functions."""
        options = options or CodeOptions()
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
        """Return what a module variable holds: elements of its innermost type, one after the other."""
        if name not in self.module_data:
            self.module_data[name] = initial_value(*self.program.globals[name])
        return self.module_data[name]

    def may_wait(self, kernel: str) -> bool:
        """Return whether threads may wait for others: there are barriers or atomics, or memory is volatile."""
        together = any(name in ATOMICS or name.startswith("__sync") for name in self.calls(kernel))
        return together or "volatile" in self.program.text

    @once_for_each
    def has_flags(self, kernel: str) -> bool:
        """Return whether volatile accesses are atomics there."""
        return waits_for_flags(self.reached(kernel))

    @once_for_each
    def calls(self, kernel: str) -> set[str]:
        """Return the names of CUDA's functions that the kernel calls, itself or further down."""
        return {
            node.name
            for function in self.reached(kernel)
            for node in nodes_of(IntrinsicCall, inside(function))
        }

    @once_for_each
    def is_closed(self, kernel: str) -> bool:
        """Return whether all that it does follows from its arguments, and shows in the arrays that they lead to."""
        given = [
            p.type.target if isinstance(p.type, Pointer) else p.type
            for p in self.program.functions[kernel].parameters
        ]
        return not (
            OPEN & self.calls(kernel)
            or any(map(holds_pointers, given))
            or any(_is_open(node) for function in self.reached(kernel) for node in inside(function))
        )

    @once_for_each
    def reached(self, kernel: str) -> list[Function]:
        """Return the kernel and the functions that it calls, directly or not."""
        found = [self.program.functions[kernel]]
        for function in found:
            found += {
                node.function: None
                for node in nodes_of(Call, inside(function))
                if node.function not in found
            }
        return found

    @once_for_each
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
        """Return the parameters through which the kernel may store."""
        return self._written[kernel]


def _is_open(node: Any) -> bool:
    """Return whether a node is a variable that outlives the launch, or an address that was a number."""
    if isinstance(node, Name):
        return node.variable.space in ("global", "constant")
    return (
        isinstance(node, Convert)
        and isinstance(node.type, Pointer)
        and not isinstance(node.operand, Literal)
        and not isinstance(node.operand.type, Pointer)
    )


def initial_value(variable: Variable, initializer: Any) -> np.ndarray:
    """Return what a module variable holds before the first launch."""
    base = innermost(variable.type)
    data = np.zeros(size_of(variable.type) // size_of(base), dtype_of(base))
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
    """Return the value of a constant initialiser."""
    while isinstance(value, Convert):
        value = value.operand
    if isinstance(value, Unary) and value.op == "-":
        return -literal(value.operand)
    return value.value
