"""The Python function being written, and what it refers to by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import CodeType
from typing import Any, TypeGuard

from ...language.tree import (
    AddressOf,
    Assign,
    Call,
    CallPointer,
    CompoundAssign,
    Convert,
    Decay,
    Declare,
    Dereference,
    Expr,
    Function,
    Index,
    Member,
    Name,
    PointerOffset,
    Position,
    SizeOf,
    TranslationUnit,
    Variable,
)
from ...language.types import VOID, FunctionType, Pointer, Scalar, Struct, Type
from ...language.walking import nodes


@dataclass(frozen=True)
class CallSite:
    """A call of the library, a launch, new or delete: where, and what the program calls the things.

    names: of the arguments, as far as they are variables. elements: bytes of what pointer arguments point to.
    in_bytes: whether arguments may be numbers of bytes: sizeof has a part in them, or nobody can tell.
    result: the variable that takes the result. call: the node.
    """

    at: Position
    call: Any
    names: tuple[str, ...] = ()
    elements: tuple[int, ...] = ()
    in_bytes: tuple[bool, ...] = ()
    result: str = ""

    @property
    def called(self) -> str:
        """The name of the function that is called."""
        return str(self.call.function.name).partition("#")[0]


class LoweredProgram:
    """The Python of a whole program.

    namespace: what its functions see. positions: for each file of generated Python, the position in the program of each of
    its lines. texts: string literals, by the name of their address.
    """

    def __init__(self, program: TranslationUnit) -> None:
        self.program = program
        self.namespace: dict[str, Any] = {}
        self.positions: dict[str, list[Position]] = {}
        self.texts: dict[bytes, str] = {}
        self.addresses: dict[
            str, str
        ] = {}  # functions that are pointed to, and the names of their addresses
        self.variables: dict[Variable, str] = {}  # outside of functions, and static ones
        self.flags: list[str] = []  # of static variables that have no value yet
        self.called: set[str] = set()  # functions of the library
        self.codes: set[str] = set()  # types that are loaded and stored
        self.loops: list[Any] = []  # those that native code may run: N0, N1, ...
        self.sources: list[str] = []
        self.compiled: list[CodeType] = []
        self._names: dict[str, str] = {}

    def refer(self, prefix: str, value: Any) -> str:
        """Return a name under which the generated code finds the value."""
        name = f"{prefix}{len(self.namespace)}"
        self.namespace[name] = value
        return name

    def once(self) -> str:
        """Return the name of a list that each run begins with one element in it."""
        self.flags.append(f"O{len(self.flags)}")
        return self.flags[-1]

    def text(self, content: bytes) -> str:
        """Return the address of a text."""
        return self.texts.setdefault(content, f"T{len(self.texts)}")

    def function_name(self, name: str) -> str:
        return self._names.setdefault(name, re.sub(r"\W", "_", f"f{len(self._names)}_{name}"))

    def function_address(self, name: str, kind: Type) -> str:
        """Return the address of the function of that name to which such a pointer can lead."""
        wanted = (
            kind.target
            if isinstance(kind, Pointer) and isinstance(kind.target, FunctionType)
            else None
        )
        for known, function in self.program.functions.items():
            own = FunctionType(
                function.return_type, tuple(parameter.type for parameter in function.parameters)
            )
            if known.partition("#")[0] == name.partition("#")[0] and wanted in (None, own):
                return self.addresses.setdefault(known, f"K{len(self.addresses)}")
        raise AssertionError(name)

    def variable(self, variable: Variable) -> str:
        """Return the name of a global variable's address."""
        return self.variables.setdefault(variable, f"G{len(self.variables)}_{variable.name}")


def in_memory(variable: Variable) -> bool:
    """Return whether a variable has an address; else it is a Python variable."""
    return (
        variable.space in ("host", "static", "global", "constant")
        or variable.address_taken
        or not isinstance(variable.type, Scalar | Pointer)
    )


def is_container(kind: Type) -> TypeGuard[Struct]:
    """Return whether a type is std::vector or std::string, which own memory: copies have their own."""
    return isinstance(kind, Struct) and (kind.name == "string" or kind.name.startswith("vector<"))


class FunctionWriter:
    """Writes the Python source of one function of the host."""

    def __init__(self, code: LoweredProgram, function: Function) -> None:
        self.code, self.function = code, function
        self.lines: list[str] = []
        self.positions: list[Position] = []
        self.at = function.at
        self.depth = 1
        self.memory: list[
            tuple[str, Type, str]
        ] = []  # name of the address, type and name of each variable in memory
        self.bytes = byte_counts(function)
        self._names: dict[Variable, str] = {}
        self._count = 0

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)
        self.positions.append(self.at)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """Indent what is written below this if, while or try."""
        self.emit(head)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.emit("pass")
        self.depth -= 1

    def fresh(self, prefix: str = "t") -> str:
        self._count += 1
        return f"_{prefix}{self._count}"

    def name_of(self, variable: Variable) -> str:
        """Return the name of a Python variable, or of a variable's address."""
        if variable.space in ("host", "static"):
            return self.code.variable(variable)
        if variable.space == "python":
            return variable.name
        if variable not in self._names:
            taken = set(self._names.values())
            name = re.sub(r"\W", "_", f"v_{variable.name}") if variable.name else self.fresh("v")
            while name in taken:
                name += "_"
            self._names[variable] = name
        return self._names[variable]


def byte_counts(function: Function) -> set[Variable]:
    """Return variables that may hold numbers of bytes: parameters, globals, and what depends on sizeof."""
    found = set(function.parameters)
    changes: list[tuple[Variable, Any]] = []
    for node in nodes(function.body):
        if isinstance(node, Declare):
            changes.append((node.variable, node.initializer))
        elif isinstance(node, Assign | CompoundAssign) and isinstance(node.target, Name):
            changes.append((node.target.variable, node.value))
        elif isinstance(node, Name) and (
            node.variable.space == "host" or node.variable.address_taken
        ):
            found.add(node.variable)
    before = -1
    while before < len(found):
        before = len(found)
        found |= {
            variable
            for variable, value in changes
            if any(
                isinstance(node, SizeOf | Call | CallPointer)
                or (isinstance(node, Name) and node.variable in found)
                for node in nodes(value)
            )
        }
    return found


def size_of(kind: Type) -> int:
    return getattr(kind, "size", 1)


def name_in(e: Expr) -> str:
    """Return what the program calls an expression: x for x, &x, (void**)&x, x + 4; "" for what has no name."""
    while True:
        match e:
            case Convert(inner) | Decay(inner) | AddressOf(inner):
                e = inner
            case PointerOffset(inner) | Index(inner) | Dereference(inner):
                e = inner
            case Member(base, field):
                name = name_in(base)
                return f"{name}.{field}" if name else field
            case Name(variable):
                return variable.name
            case _:
                return ""


def element_behind(e: Expr) -> int:
    """Return the bytes of what an argument points to, before it became a void*; 0 if it is no pointer."""
    while (
        isinstance(e, Convert)
        and isinstance(e.type, Pointer)
        and isinstance(e.operand.type, Pointer)
    ):
        e = e.operand
    if not isinstance(e.type, Pointer) or (
        isinstance(e.type.target, Pointer) and e.type.target.target == VOID
    ):
        return 0
    target = e.type.target
    return size_of(target.target if isinstance(target, Pointer) else target)
