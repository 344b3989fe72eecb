"""What lowering writes to, and the state of the function being written; see lower.py."""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

import builtins
import keyword
import re
from typing import Any

import numpy as np

from nnlib.cuda.errors import KernelSyntaxError
from nnlib.cuda.language import diagnostics, tree
from nnlib.cuda.language.types import Array, Pointer, Scalar, Type, Vector
from nnlib.cuda.simulator import local_memory, masks, memory
from nnlib.cuda.simulator.codegen.pointer_flow import compared_and_swapped, pointer_flows
from nnlib.cuda.simulator.functions import arithmetic
from nnlib.cuda.simulator.memory import Site

HELPERS = {
    "np": np, "split": masks.split, "narrow": masks.narrow, "union": masks.union, "rejoin": masks.rejoin,
    "without": masks.without,
    "select": memory.select, "choose": arithmetic.choose, "float_to_integer": arithmetic.float_to_integer,
    "logical_not": np.logical_not, "Pointer": memory.Pointer, "LocalMemory": local_memory.LocalMemory,
    "is_null": memory.is_null, "address": memory.address,
}
RESERVED = set(HELPERS) | set(keyword.kwlist) | set(dir(builtins)) | {"m", "rt", "returned", "result"}


class Code:
    """What the lowering of one program produces: lines of Python, constants, sites, segments."""

    def __init__(self, program: tree.Program, checks: bool, counts: bool, trace: bool):
        self.program, self.checks, self.counts, self.trace = program, checks, counts, trace
        self.namespace: dict[str, Any] = dict(HELPERS)
        self.constants: dict[tuple, str] = {}
        self.sites: list[Site] = []
        self.segments: list[dict[int, list[int]]] = []  # per segment: line -> [instructions, flops]
        self.lines: list[str] = []
        self.python_names = {name: re.sub(r"\W", "_", f"f_{name}") + f"_{k}" * ("<" in name)
                             for k, name in enumerate(program.functions)}

    def constant(self, dtype: np.dtype, value) -> str:
        """Name of a typed scalar."""
        value = np.array(value).astype(dtype)[()]
        key = (dtype, value.tobytes())
        if key not in self.constants:
            name = self.constants[key] = f"K{len(self.constants)}"
            self.namespace[name] = value
        return self.constants[key]

    def helper(self, function) -> str:
        """Name of a Python function the generated code calls."""
        name = f"h_{function.__name__.strip('_<>')}"
        while self.namespace.setdefault(name, function) is not function:
            name += "_"
        return name

    def dtype(self, dtype: np.dtype) -> str:
        name = f"T_{dtype.name}"
        self.namespace[name] = dtype
        return name

    def site(self, at: tree.Position, type: Type | None = None, dims: tuple[int, ...] = (), name: str = "") -> str:
        site = Site(len(self.sites), at, type, dims, name)
        self.sites.append(site)
        self.namespace[f"S{site.number}"] = site
        return f"S{site.number}"


class Writer:
    """Lines, names and regions of one function. Base of the classes that lower places, expressions, statements."""

    def __init__(self, code: Code, function: tree.Function):
        self.code, self.function = code, function
        self.indent = 1
        self.temporaries = 0
        self.names: dict[tree.Variable, str] = {}
        self.taken: set[str] = set()
        self.region = 0  # the innermost piece of code that runs under one mask
        self.regions = 0
        self.declared_in: dict[tree.Variable, int] = {}
        self.tracked: set[tree.Variable] = set()  # uninitialised locals whose writes are recorded
        self.mask_marks: dict[tree.Variable, int] = {}  # line that may keep the mask at the declaration
        self.loops: list[str] = []
        self.breaks: list[str] = []
        self.segment: int | None = None
        self.leave = "return"  # the function when nobody is left
        self.visible: list[tree.Variable] = []
        self.flows = pointer_flows(function)
        self.verified = compared_and_swapped(function, self.flows)

    # --- writing -------------------------------------------------------------------------

    def emit(self, line: str) -> None:
        self.code.lines.append("    " * self.indent + line)

    def temporary(self, expression: str) -> str:
        """A new Python variable with this value."""
        self.temporaries += 1
        name = f"_{self.temporaries}"
        self.emit(f"{name} = {expression}")
        return name

    def fresh(self, stem: str) -> str:
        self.temporaries += 1
        return f"{stem}{self.temporaries}"

    def name_of(self, variable: tree.Variable) -> str:
        if variable not in self.names:
            name = variable.name
            while name in RESERVED or name in self.taken or name.startswith("_") or name[:2] in ("h_", "f_", "T_"):
                name = "v" + name
            if name[0] in "KSm" and name[1:].isdigit():
                name += "_"
            while name in self.taken:
                name += "_"
            self.taken.add(name)
            self.names[variable] = name
        return self.names[variable]

    def note(self, at: tree.Position, flops: int = 0, instructions: int = 1) -> None:
        """Book operations of the current line with the straight-line segment they belong to."""
        if not self.code.counts:
            return
        if self.segment is None:
            self.segment = len(self.code.segments)
            self.code.segments.append({})
            self.emit(f"rt.count(m, {self.segment})")
        counts = self.code.segments[self.segment].setdefault(at.line, [0, 0])
        counts[0] += instructions
        counts[1] += flops

    def enter_region(self) -> int:
        """Code that some threads may not run begins; returns the region to go back to."""
        outer, self.region = self.region, self.regions + 1
        self.regions += 1
        self.segment = None
        return outer

    def leave_region(self, outer: int) -> None:
        self.region = outer
        self.segment = None

    def mark_mask(self, variable: tree.Variable) -> None:
        """Leave room for `_d_x = m`, kept only if an assignment under another mask asks for it."""
        self.mask_marks[variable] = len(self.code.lines)
        self.emit("")

    def declaration_mask(self, variable: tree.Variable) -> str:
        name = f"_d_{self.name_of(variable)}"
        line = self.mask_marks[variable]
        if not self.code.lines[line].strip():
            self.code.lines[line] += f"{name} = m"
        return name

    def in_memory(self, variable: tree.Variable) -> bool:
        """Whether uses of the variable are loads and stores instead of a Python variable."""
        return (variable.space not in ("local", "parameter") or variable.address_taken
                or isinstance(variable.type, Array))

    def allocate_local(self, variable: tree.Variable) -> None:
        """Per-thread memory for an array or a variable whose address is taken."""
        element = tree.flat_element(variable.type)
        base: Any = element.base if isinstance(element, Vector) else element
        if isinstance(base, Pointer):
            raise self.unsupported(variable.at, f"an array of pointers, or a pointer to a pointer ({variable.name})")
        count = variable.type.size // base.size
        dims = memory.array_dims(variable.type)
        name = self.name_of(variable)
        self.emit(f"{name} = rt.local({variable.name!r}, {count}, {self.code.dtype(base.dtype)}, {dims})")

    def zero(self, type: Type) -> str:
        if isinstance(type, Scalar):
            return self.code.constant(type.dtype, 0)
        if isinstance(type, Vector):
            zero = self.code.constant(type.base.dtype, 0)
            return f"({', '.join([zero] * type.lanes)})"
        return "rt.null"

    def atom(self, text: str) -> str:
        """Text that may be repeated: a name, or a temporary that holds the value."""
        return text if text.isidentifier() else self.temporary(text)

    def unsupported(self, at: tree.Position, what: str) -> KernelSyntaxError:
        fault = diagnostics.Unsupported(at, what, "use an index into one array")
        return diagnostics.as_error(fault, self.code.program.text, "kernel.cu")

    def expression(self, e: tree.Expr) -> str:
        """Python text of a value; see lower_expressions.py."""
        raise NotImplementedError
