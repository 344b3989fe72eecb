"""Look up what a name stands for where it is used: variables, functions, members, types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from ..cuda_functions import INTRINSICS
from ..diagnostics import (
    Fault,
    LikelyMistake,
    MissingFromLibrary,
    UndeclaredName,
    Unsupported,
    did_you_mean,
    misspelt_name,
)
from ..left_out import refused
from ..parsing.syntax import Assignment, Braces, FunctionDefinition, Node, StructDefinition
from ..tree import Binary, Convert, Delete, Expr, Function, Literal, Located, Position, Variable
from ..types import (
    BOOL,
    DOUBLE,
    FLOAT,
    Array,
    Pointer,
    Scalar,
    Struct,
    Type,
)
from .values import is_integer


def _double_literal(value: Expr) -> Literal | None:
    """Return the literal that makes a value double: the value itself, or one that it combines with an integer."""
    if isinstance(value, Literal) and value.type == DOUBLE:
        return value
    if isinstance(value, Binary) and value.type == DOUBLE:
        for part, other in ((value.left, value.right), (value.right, value.left)):
            if isinstance(part, Convert) and is_integer(part.operand.type):
                return _double_literal(other)
    return None


@dataclass(eq=False)
class Callee:
    """A function as its callers see it.

    formula: what a constexpr function returns, if it does nothing else.
    names: what the parameters of its template mean in it.
    owner: the struct whose object is the first parameter, `this`; const: the function does not change that object.
    pending: checks the body, for functions that are checked only when used; defined: there is a body.
    explicit: a constructor that converts only where it is written out.
    deleted: it is declared = delete.
    kinds: of a virtual function, the function of each struct, by the struct's number.
    """

    function: Function
    defaults: list[Node | None]
    formula: Node | None = None
    names: Mapping[str, Symbol] = field(default_factory=dict)
    defined: bool = False
    owner: Struct | None = None
    const: bool = False
    pending: Callable[[], None] | None = None
    used: bool = False
    explicit: bool = False
    deleted: bool = False
    kinds: dict[int, Function] | None = None

    def check(self) -> None:
        """Check the body now, if it waits for its first use."""
        if self.pending is not None:
            pending, self.pending = self.pending, None
            pending()

    @property
    def parameters(self) -> list[Variable]:
        """Return the parameters that a call passes in its parentheses."""
        return self.function.parameters[self.owner is not None :]

    @property
    def types(self) -> list[Type]:
        """Return the parameter types as the caller sees them: T for T&."""
        return [
            p.type.target if p.refers and isinstance(p.type, Pointer) else p.type
            for p in self.parameters
        ]

    @property
    def required(self) -> int:
        """Return how many arguments have no default."""
        return sum(default is None for default in self.defaults)


@dataclass(frozen=True)
class Alias:
    """The name of a type: typedef, using, enum, template parameter."""

    type: Type
    const: bool = False


@dataclass(eq=False)
class Template:
    """A function template, and the functions made of it, by what they were made for. owner: of member functions."""

    node: FunctionDefinition
    owner: Class | None = None
    made: dict[tuple[str, ...], Callee] = field(default_factory=dict)


@dataclass(eq=False)
class Overloads:
    """All functions and function templates of one name."""

    callees: list[Callee] = field(default_factory=list)
    templates: list[Template] = field(default_factory=list)

    @property
    def are_members(self) -> bool:
        """Return whether some of the functions need an object."""
        return any(c.owner for c in self.callees) or any(t.owner for t in self.templates)


@dataclass(frozen=True)
class Unavailable:
    """Something that may stand in the text as long as nobody uses it: what it is, and what to write instead."""

    what: str
    instead: str
    kind: type[Fault] = Unsupported

    def fault(self, where: Located) -> Fault:
        """Return the complaint about its use."""
        return self.kind(where, self.what, self.instead)


@dataclass(frozen=True)
class DataMember:
    """A member of the object that a member function works on.

    path: the anonymous structs that lead to it, and its name. refers: it is the pointer behind a reference.
    """

    path: tuple[str, ...]
    refers: bool = False


def own_name(struct: Struct) -> str:
    """Point of geometry::Point<float>: how its constructors are called, and it is as a base."""
    return struct.name.partition("<")[0].rpartition("::")[2].partition("#")[0]


@dataclass(eq=False)
class Listed(Expr):
    """{a, b} as the argument of a call, until the parameter says what it is."""

    node: Braces


@dataclass(eq=False)
class Class:
    """The members of a struct and what else is known of it besides its layout.

    scope: the names inside; around: the symbols of names around it, such as parameters of its template.
    template, arguments: what it was made from.
    defaults: member -> first value.
    trivial: it has a constructor without arguments that does nothing.
    destructor: its destructor, if that does something.
    private: names that only its own functions and its friends may use.
    slots: of its virtual functions, the function of each struct, by the struct's number.
    """

    struct: Struct
    scope: dict[str, Symbol]
    around: dict[str, Symbol]
    constructors: Overloads = field(default_factory=Overloads)
    destructor: Callee | None = None
    trivial: bool = False
    private: set[str] = field(default_factory=set)
    friends: set[str] = field(default_factory=set)
    defaults: dict[str, Node] = field(default_factory=dict)
    slots: dict[str, dict[int, Function]] = field(default_factory=dict)
    template: ClassTemplate | None = None
    arguments: list[Alias | Literal | Overloads | ClassTemplate] = field(default_factory=list)

    @property
    def constructs(self) -> bool:
        """Return whether a constructor does something where no value is given."""
        return bool(self.constructors.callees) and not self.trivial


@dataclass(eq=False)
class ClassTemplate:
    """A struct template, and the structs made from it.

    special: definitions for certain arguments; partial: definitions for arguments of a certain form.
    """

    node: StructDefinition
    made: dict[tuple[str, ...], Struct] = field(default_factory=dict)
    special: dict[tuple[str, ...], StructDefinition] = field(default_factory=dict)
    partial: list[StructDefinition] = field(default_factory=list)


Symbol = Variable | Literal | Alias | Overloads | Unavailable | DataMember | ClassTemplate


BUILTIN_INDICES = ("threadIdx", "blockIdx", "blockDim", "gridDim")


class Context:
    """State that the checkers share: the visible names, and where in the program the current node stands.

    scopes: names, outermost block first. constants: variables whose value is known when the kernel is compiled.
    loops, switches: how many enclose the current statement. whole: the text is a program with a host side.
    cpp20: what only C++20 has is allowed.
    """

    def __init__(self, whole: bool, cpp20: bool) -> None:
        self.whole, self.cpp20 = whole, cpp20
        self.scopes: list[dict[str, Symbol]] = [{}]
        self.given: set[str] = set()  # declared by headers, outside of functions
        self.enums: set[str] = set()
        self.constants: dict[Variable, Literal] = {}
        self.warnings: list[tuple[Position, str]] = []
        self.function: Function | None = None
        self.loops = self.switches = 0
        self.lengths: dict[Variable, Variable] = {}  # bytes of the host's arrays of variable length
        self.named_functions: dict[str, Overloads] = {}  # those that were used as values
        self.classes: dict[Type, Class] = {}  # of structs
        self._structs: dict[str, int] = {}  # how many are called so
        self.unbraced: dict[
            str, int
        ] = {}  # name -> line of the statement without {} with which it ends
        self.emptied: dict[
            str, int
        ] = {}  # name -> line of the loop, of nothing but a ;, with which it ends
        self.deleted: list[tuple[Delete, Struct]] = []  # by a virtual destructor
        # A function for both sides can only run on the host: it calls what is there
        self.left_to_host = False
        self.namespaces: list[str] = []  # libraries' whose names may be written without them

    @property
    def on_host(self) -> bool:
        """Return whether the host runs what is being checked."""
        return self.whole and (self.function is None or self.function.kind == "host")

    # --- names ----------------------------------------------------------------------------

    @contextmanager
    def block(self) -> Iterator[None]:
        """Forget the names that are declared inside at the end."""
        self.scopes.append({})
        yield
        self.scopes.pop()

    @contextmanager
    def inside(self, function: Function) -> Iterator[None]:
        """Enter the body of a function: a block of names."""
        caller = self.function
        self.function, self.unbraced, self.emptied = function, {}, {}
        with self.block():
            yield
        self.function = caller

    @contextmanager
    def alone(self, names: Mapping[str, Symbol]) -> Iterator[None]:
        """Hide all names but those outside of functions, and these."""
        saved = self.scopes, self.loops, self.switches
        self.scopes, self.loops, self.switches = [self.scopes[0], {**names}], 0, 0
        try:
            yield
        finally:
            self.scopes, self.loops, self.switches = saved

    @contextmanager
    def within(self, owner: Class | None, names: Mapping[str, Symbol] = {}) -> Iterator[None]:
        """Enter a struct: its names, and those around it."""
        with self.alone(names):
            if owner is not None:
                self.scopes[1:] = [owner.around, owner.scope, *self.scopes[1:] * bool(names)]
            yield

    def declare(self, where: Located, name: str, symbol: Symbol) -> None:
        """Declare a name in the innermost block. Raise Fault where the block has it already."""
        if not where.at.column:
            self.given.add(name)
        elif (
            name in self.given and self.scopes[-1] is self.scopes[0]
        ):  # of a header: the text has its own
            self.given.discard(name)
        elif name in self.scopes[-1]:
            raise Fault(
                where,
                f"'{name}' is already declared here",
                "choose another name, or remove one of the two",
            )
        self.scopes[-1][name] = symbol

    def find(self, name: str) -> Symbol | None:
        """Return what a name means here; None if nothing."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        for full in self.library_names(name)[1:]:
            if full in self.scopes[0]:
                return self.scopes[0][full]
        first, separator, rest = name.partition("::")
        return self.member_of(self.find(first), rest) if separator else None

    def new_struct(self, name: str, kind: str = "struct") -> Struct:
        """Make a struct of which only the name is known; no other struct has the same name."""
        number = self._structs[name] = self._structs.get(name, 0) + 1
        return Struct(name if number == 1 else f"{name}#{number}", kind)

    def number_of(self, struct: Struct) -> int:
        """Return the number by which an object with virtual functions says which struct it is."""
        return list(self.classes).index(struct) + 1

    def member_of(self, owner: Symbol | None, name: str) -> Symbol | None:
        """Return what owner::name means; None if nothing."""
        known = self.classes.get(owner.type) if isinstance(owner, Alias) else None
        if known is None:
            return None
        scope = known.scope
        first, separator, rest = name.partition("::")
        return scope.get(name) or (self.member_of(scope.get(first), rest) if separator else None)

    def library_names(self, name: str) -> list[str]:
        """Return the full names that a name not declared in the program may have."""
        return [name, *(f"{namespace}::{name}" for namespace in self.namespaces)]

    def undeclared(self, where: Located, name: str, what: str = "name") -> Fault:
        """Return the Fault for a name that means nothing here."""
        data = (Array, Scalar) if what == "function" else ()  # what cannot be called
        known = {
            name
            for scope in self.scopes
            for name, meaning in scope.items()
            if not isinstance(getattr(meaning, "type", None), data)
            and (what != "kernel" or (name not in self.given and isinstance(meaning, Overloads)))
        }
        if what != "kernel":
            known |= {*INTRINSICS, *BUILTIN_INDICES, "printf", "warpSize", "true", "false"}
        fault = refused(where, name, self.on_host, what)
        if fault is not None:
            return misspelt_name(where, name, what, known) or fault
        owner = name.rpartition("::")[0]
        if owner in self.given:
            return MissingFromLibrary(
                where,
                f"the simulator's '{owner}' has no member '{name[len(owner) + 2 :]}'",
                "leave it out, or write what it would do",
            )
        instead = self._why_undeclared(name) if what == "name" else ""
        if instead:
            return Fault(where, f"undeclared name '{name}'", instead)
        declared = "declare it before its first use"
        if what == "function" and name == "len":
            declared = (
                "a pointer does not know how long its array is: pass the length as an argument"
            )
        elif what == "function":
            declared += "; one that stands in another cell is not seen here: copy it"
        elif what == "name" and name.isupper() and name.isidentifier():
            declared = f"write #define {name} and its value above the kernel, or int {name} = ... before its first use"
        elif what == "name":
            declared += f": int {name} = ..., or float for fractions"
        full = self._qualified(name, known)
        if what == "function" and "wmma::" in full:  # C++ finds it by its arguments
            return Unsupported(where, f"{name}() without its namespace", f"write {full}")
        hint = full and f"write its full name, {full}"
        hint = hint or did_you_mean(name, known) or declared
        return UndeclaredName(where, f"undeclared {what} '{name}'", hint, name)

    def is_function(self, name: str) -> bool:
        known = self.find(name)
        return isinstance(known, Overloads) or (known is None and name in INTRINSICS)

    def _why_undeclared(self, name: str) -> str:
        """Return what to write for a name that was known elsewhere; or nothing."""
        if self.function is not None and self.function.name.startswith("lambda"):
            return "write [=] for a lambda that has a copy of the variables outside, or [&]"
        if name in self.unbraced:
            return (
                f"{name} ends with the statement of line {self.unbraced[name]}, where it is declared: put all "
                "statements that belong together between { and }"
            )
        if name in self.emptied:
            return (
                f"{name} ends with the loop of line {self.emptied[name]}, whose body is the ; behind its "
                "brackets: remove it"
            )
        if name in ("np", "numpy", "math"):
            return "a kernel knows no Python modules: call fmaxf(a, b), expf(x) or sqrtf(x) without one"
        return ""

    def _qualified(self, name: str, known: Iterable[str]) -> str:
        """Return the full name, without what `using namespace` has opened; or nothing."""
        full = min(
            (k for k in known if k.endswith(f"::{name}") and not k.startswith("nnlib::")),
            key=len,
            default="",
        )
        for namespace in self.namespaces:
            full = full.removeprefix(f"{namespace}::")
        return full

    # --- what compiles but is probably not meant --------------------------------------------

    def warn(self, where: Located, message: str) -> None:
        """Note it for RawModule.warnings."""
        self.warnings.append((where.at, message))

    def warn_double(self, where: Located, operands: Sequence[Expr], result: Type) -> None:
        """Note a float computation that an unsuffixed literal turns into a double one."""
        if result in (DOUBLE, BOOL) and FLOAT in [operand.type for operand in operands]:
            for literal in filter(None, map(_double_literal, operands)):
                self.warn(
                    where,
                    "computed in double, which is slow on most GPUs: "
                    f"write {literal.value}f instead of {literal.value}",
                )

    @contextmanager
    def condition(self, node: Node) -> Iterator[None]:
        """Warn of `if (a = b)`."""
        assigned = isinstance(node, Assignment) and not node.op
        if assigned:
            self.warn(
                node,
                LikelyMistake(
                    "= assigns here, and the condition is what it assigned: two values are compared "
                    "by =="
                ),
            )
        try:
            yield
        except Fault as fault:
            if not (assigned and "is const" in fault.message):
                raise
            raise Fault(fault, fault.message, "two values are compared by ==") from None

    def warn_unmarked(self, where: Located, name: str, may_be_kernel: bool = False) -> None:
        """Warn of a function without a mark: CuPy has NVRTC compile it as __device__; nvcc would not."""
        mark = (
            "__global__ before a kernel, __device__ before what kernels call"
            if may_be_kernel
            else ("__device__ before it")
        )
        self.warn(where, f"'{name}' is compiled as __device__: write {mark}")


POINTER_TO_FUNCTION = Unavailable(
    "pointers to functions",
    "pass the function to a template: template <typename F> "
    "__device__ void apply(F f), or call it by its name",
)
FIRST_POINTER = Unavailable(
    "first values of pointers outside of functions", "store the address in a kernel"
)
