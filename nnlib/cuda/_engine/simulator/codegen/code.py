"""The result of lowering one program: Python functions, and the names that they find around them."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ...generated import file_of
from ...language import tree
from ...language.types import Type
from .. import masks
from ..functions import arithmetic
from ..machine_protocol import GroupCall
from ..memory import addresses, index, pointers
from ..memory.spaces import Site
from . import registers
from .python import (
    PyConstant,
    PyName,
    PyStmt,
)
from .python import text as text_of

HELPERS = {
    "np": np,
    "GroupCall": GroupCall,
    "split": masks.split,
    "narrow": masks.narrow,
    "union": masks.union,
    "rejoin": masks.rejoin,
    "without": masks.without,
    "select": pointers.select,
    "choose": arithmetic.choose,
    "float_to_integer": arithmetic.float_to_integer,
    "logical_not": np.logical_not,
    "invariant": index.invariant,
    "plus": index.plus,
    "is_null": addresses.is_null,
    "address": addresses.address,
    "moved": pointers.moved,
}
RESERVED = {*HELPERS, *keyword.kwlist, *dir(builtins), "m", "rt", "returned", "result"}
OURS = re.compile(r"_.*|[KLS]\d+|[hfT]_.*")  # how names of generated things look


class CodeOptions(NamedTuple):
    """Options of generated code: what it does besides computing.

    checks, counts, trace: for the observers of these kinds. waits: functions are generators, which stop at each iteration of a
    loop and where threads meet, so that threads can wait for others: coroutines.py.
    takes_turns: they also stop before each access of memory that is not a thread's own: interleaving.py.
    """

    checks: bool = True
    counts: bool = False
    trace: bool = False
    waits: bool = False
    takes_turns: bool = False


class Code:
    """Functions of one program, with what they refer to: constants, sites, segments.

    segments: pieces of straight-line code, each line -> [instructions, flops, tensor instructions]. kept, regions: what
    a compiler keeps in registers, and the loops and branches for which it does; where accesses are counted.
    """

    def __init__(self, program: tree.TranslationUnit, options: CodeOptions) -> None:
        self.program = program
        self.checks, self.counts, self.trace, self.waits, self.takes_turns = options
        self.kept = registers.plan(program) if self.counts else {}
        self.regions = {kept.region for kept in self.kept.values()}
        self.namespace: dict[str, Any] = dict(HELPERS)
        self.sites: list[Site] = []
        self.segments: list[dict[int, list[int]]] = []
        self.texts: dict[str, str] = {}  # function -> its Python
        self.python_names = {
            name: re.sub(r"\W", "_", f"f_{name}") + f"_{k}" * (re.search(r"\W", name) is not None)
            for k, name in enumerate(program.functions)
        }
        self._kinds: dict[Type, PyName] = {}
        self._lines = program.text.splitlines()
        self._constants: dict[tuple[np.dtype, bytes], PyConstant] = {}

    @property
    def source(self) -> str:
        """All functions that were lowered, as text."""
        return "\n".join(self.texts.values())

    def line(self, number: int) -> str:
        """Return a line of the CUDA C text in a form that a comment can hold."""
        text = self._lines[number - 1].strip() if number <= len(self._lines) else ""
        return "".join(c if c.isprintable() else "?" for c in text[:100])

    def constant(self, dtype: np.dtype, value: Any) -> PyConstant:
        """Return a typed scalar."""
        typed: Any = np.array(value).astype(dtype)[()]
        key = (dtype, typed.tobytes())
        if key not in self._constants:
            constant = self._constants[key] = PyConstant(f"K{len(self._constants)}", typed)
            self.namespace[constant.text] = typed
        return self._constants[key]

    def helper(self, function: Callable[..., Any], name: str = "") -> PyName:
        """Return a Python function that the generated code calls. name: CUDA's, if it has one."""
        name = f"h_{(name or function.__name__).strip('_<>')}"
        while self.namespace.setdefault(name, function) is not function:
            name += "_"
        return PyName(name)

    def dtype(self, dtype: np.dtype) -> PyName:
        name = f"T_{dtype.name}"
        self.namespace[name] = dtype
        return PyName(name)

    def kind(self, type: Type) -> PyName:
        """Return a type of CUDA C, for memory that is laid out like it."""
        if type not in self._kinds:
            name = self._kinds[type] = PyName(f"L{len(self._kinds)}")
            self.namespace[name.text] = type
        return self._kinds[type]

    def site(
        self,
        at: tree.Position,
        type: Type | None = None,
        name: str = "",
        dims: tuple[int, ...] = (),
    ) -> PyName:
        site = Site(len(self.sites), at, type, dims, name)
        self.sites.append(site)
        self.namespace[f"S{site.number}"] = site
        return PyName(f"S{site.number}")

    def function(self, name: str) -> Callable[..., Any]:
        """Return the Python function that was made of one of the program."""
        made: Callable[..., Any] = self.namespace[self.python_names[name]]
        return made

    def define(self, function: tree.Function, definition: PyStmt) -> None:
        """Make a function callable; tracebacks and pdb show its lines under a file name with the kernel's name."""
        text = text_of(definition)
        exec(
            compile(text, file_of(text, f"{function.name}, simulated", self), "exec"),
            self.namespace,
        )
        self.texts[function.name] = text
