"""What is known at the place being checked: names block by block, the function, the loops around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from nnlib.cuda.language.checking.symbols import Alias, Class, Overloads, Symbol
from nnlib.cuda.language.cuda_functions import INTRINSICS
from nnlib.cuda.language.diagnostics import Fault, did_you_mean
from nnlib.cuda.language.left_out import refused
from nnlib.cuda.language.tree import Expr, Function, Literal, Position, Variable
from nnlib.cuda.language.types import BOOL, DOUBLE, FLOAT, Struct, Type

BUILTIN_INDICES = ("threadIdx", "blockIdx", "blockDim", "gridDim")


class Context:
    """scopes: names, outermost block first. constants: variables whose value is known when the kernel is compiled.
    loops, switches: how many are around the statement being checked. whole: the text is a program with a host side.
    cpp20: what only C++20 has is allowed."""

    def __init__(self, whole: bool = False, cpp20: bool = False) -> None:
        self.whole, self.cpp20 = whole, cpp20
        self.scopes: list[dict[str, Symbol]] = [{}]
        self.constants: dict[Variable, Literal] = {}
        self.warnings: list[tuple[Position, str]] = []
        self.function: Function | None = None
        self.returns_reference = False
        self.loops = self.switches = 0
        self.named_functions: dict[str, Overloads] = {}  # those that were used as values
        self.classes: dict[Struct, Class] = {}
        self._structs: dict[str, int] = {}  # how many are called so
        self.unbraced: dict[str, int] = {}  # name -> line of the statement without {} with which it ends
        self.namespaces: list[str] = []  # libraries' whose names may be written without them

    @property
    def on_host(self) -> bool:
        """Is what is being checked run by the host?"""
        return self.whole and (self.function is None or self.function.kind == "host")

    # --- names ----------------------------------------------------------------------------

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names declared inside are forgotten at the end."""
        self.scopes.append({})
        yield
        self.scopes.pop()

    @contextmanager
    def inside(self, function: Function, returns_reference: bool = False) -> Iterator[None]:
        """A block of names, which is the body of the function. returns_reference: its pointer stands for one."""
        caller = self.function, self.returns_reference
        self.function, self.returns_reference, self.unbraced = function, returns_reference, {}
        with self.block():
            yield
        self.function, self.returns_reference = caller

    @contextmanager
    def alone(self, names: Mapping[str, Symbol]) -> Iterator[None]:
        """No names but those outside of functions, and these."""
        saved = self.scopes, self.loops, self.switches
        self.scopes, self.loops, self.switches = [self.scopes[0], {**names}], 0, 0
        try:
            yield
        finally:
            self.scopes, self.loops, self.switches = saved

    @contextmanager
    def within(self, owner: Class) -> Iterator[None]:
        """The names inside of a struct, and those around it."""
        with self.alone({}):
            self.scopes = [self.scopes[0], owner.around, owner.scope]
            yield

    def declare(self, at: Position, name: str, symbol: Symbol) -> None:
        """A new name in the innermost block."""
        if name in self.scopes[-1]:
            raise Fault(at, f"'{name}' is already declared here", "choose another name, or remove one of the two")
        self.scopes[-1][name] = symbol

    def find(self, name: str) -> Symbol | None:
        """What the name means here."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        for full in self.library_names(name)[1:]:
            if full in self.scopes[0]:
                return self.scopes[0][full]
        first, separator, rest = name.partition("::")
        return self.member_of(self.find(first), rest) if separator else None

    def new_struct(self, name: str, kind: str = "struct") -> Struct:
        """A struct of which only the name is known; no other has this name."""
        number = self._structs[name] = self._structs.get(name, 0) + 1
        return Struct(name if number == 1 else f"{name}#{number}", kind)

    def member_of(self, owner: Symbol | None, name: str) -> Symbol | None:
        """What owner::name means."""
        if not isinstance(owner, Alias) or not isinstance(owner.type, Struct) or owner.type not in self.classes:
            return None
        scope = self.classes[owner.type].scope
        first, separator, rest = name.partition("::")
        return scope.get(name) or (self.member_of(scope.get(first), rest) if separator else None)

    def library_names(self, name: str) -> list[str]:
        """The full names that a name not declared in the text may have."""
        return [name, *(f"{namespace}::{name}" for namespace in self.namespaces)]

    def undeclared(self, at: Position, name: str, what: str = "name") -> Fault:
        """The complaint about a name that means nothing here."""
        fault = refused(at, name, self.on_host)
        if fault is not None:
            return fault
        known = {name for scope in self.scopes for name in scope} | INTRINSICS.keys() | {
            *BUILTIN_INDICES, "printf", "warpSize", "true", "false"}
        declaration = f": int {name} = ..." if what == "name" else ""
        if what == "name" and self.function is not None and self.function.name.startswith("lambda"):
            return Fault(at, f"undeclared name '{name}'",
                         "write [=] for a lambda that has a copy of the variables outside, or [&]")
        if what == "name" and name in self.unbraced:
            return Fault(at, f"undeclared name '{name}'",
                         f"{name} ends with the statement of line {self.unbraced[name]}, where it is declared: put all "
                         "statements that belong together between { and }")
        hint = did_you_mean(name, known) or f"declare it before its first use{declaration}"
        return Fault(at, f"undeclared {what} '{name}'", hint)

    # --- what compiles but is probably not meant --------------------------------------------

    def warn(self, at: Position, message: str) -> None:
        """Note it for RawModule.warnings."""
        self.warnings.append((at, message))

    def warn_double(self, at: Position, kinds: Sequence[Type], operands: Sequence[Expr], result: Type) -> None:
        """Note a float computation that an unsuffixed literal turns into a double one."""
        if result in (DOUBLE, BOOL) and FLOAT in kinds:
            for operand in operands:
                if isinstance(operand, Literal) and operand.type == DOUBLE:
                    self.warn(at, "computed in double, which is slow on most GPUs: "
                                  f"write {operand.value}f instead of {operand.value}")

    def warn_unmarked(self, at: Position, name: str, may_be_kernel: bool = False) -> None:
        """CuPy has NVRTC take for __device__ what says nothing; nvcc would not."""
        mark = "__global__ before a kernel, __device__ before what kernels call" if may_be_kernel else (
            "__device__ before it")
        self.warn(at, f"'{name}' is compiled as __device__: write {mark}")
