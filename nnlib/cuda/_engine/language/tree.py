"""The tree of a CUDA C program, as the checker leaves it and the simulator reads it.

After checking, every expression has its C type, every implicit conversion is a `Convert`, every name is resolved to
its `Variable` or `Function`, and arithmetic operands have one common type.

What else a reader may rely on:
- `long` and `unsigned long` are types of their own (as in C++) that compute like the long long ones: go by `dtype`.
- `&a[i]` is PointerOffset(Decay(a), i), `&*p` is p: AddressOf has a Name, Member or Temporary.
- A null pointer is a Literal 0 whose type is a Pointer.
- Operators on literals are already folded; so are `const` and `constexpr` variables with constant values.
- A reference parameter or variable has a Pointer type, its uses are Dereference(Name), arguments AddressOf.
- A struct's member functions have a parameter `this`; its constructors return the struct.
- In `case Index(base, index)` stand a node's own fields, without `at` and `type`: its __match_args__.
- Shared variables occur in Function.shared (of each function that names them), not as Declare.
- Overloads of a __device__ function `f` are named "f", "f#2", ... in TranslationUnit.functions, instances of templates
  "f<float, 4>", "f<float, 4>#2".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from .types import Type

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Any:
        """Stand in for typing.dataclass_transform of Python 3.11."""
        return lambda kind: kind


@dataclass_transform(eq_default=False)
class NodeKind(type):
    """A kind of node, which is a dataclass by its fields. Each node equals only itself."""

    def __init__(cls, *args: Any) -> None:
        super().__init__(*args)
        kind: type[Any] = cls
        dataclass(eq=False)(kind)


@dataclass(frozen=True)
class Position:
    """A position in the student's source: line and column count from 1."""

    line: int
    column: int

    @property
    def at(self) -> Position:
        return self


class Located(Protocol):
    """A token, a node or a position: anything that has a position in the student's source."""

    @property
    def at(self) -> Position: ...


class Variable(metaclass=NodeKind):
    """A declared name.

    space: "local" (per thread), "parameter", "shared", "constant" or "global" (module scope); in whole programs also
    "host" (module scope) and "static" (of a host function). dynamic: `extern __shared__`, sized by the launch.
    address_taken: `&x` occurs, so the variable needs memory and not just a register. restrict: nothing else leads to
    where the pointer leads. volatile: the variable itself; for what a pointer points to, see its type. managed: the
    host has it, too. refers: the name means what the pointer leads to, as of T& x.
    """

    name: str
    type: Type
    space: str
    at: Position
    const: bool = False
    dynamic: bool = False
    address_taken: bool = False
    restrict: bool = False
    volatile: bool = False
    managed: bool = False
    refers: bool = False


# --- expressions: each has `at` (where) and `type` -----------------------------------------


class Expr(metaclass=NodeKind):
    at: Position
    type: Type


class Literal(Expr):
    __match_args__ = ("value",)
    value: int | float | bool


class SizeOf(Literal):
    """A number in host code that sizeof has a part in."""


class StringLiteral(Expr):
    """A string; kernels have it only as the format of printf. value: as written, with escapes."""

    value: str


class Text(Expr):
    """A text in quotes as a value of host code, a const char*. value: its characters."""

    value: str


class Name(Expr):
    """Use of a variable. An array's name in a value context is wrapped in Decay."""

    __match_args__ = ("variable",)
    variable: Variable


class BuiltinIndex(Expr):
    """threadIdx.x, blockIdx.y, blockDim.z, gridDim.x, or warpSize (axis "")."""

    __match_args__ = ("name", "axis")
    name: str
    axis: str


class Unary(Expr):
    """op: - ~ !  (unary plus leaves no trace)."""

    __match_args__ = ("op", "operand")
    op: str
    operand: Expr


class Binary(Expr):
    """An operator on two arithmetic operands of one type: + - * / % << >> & | ^ < <= > >= == !=.

    A shift has the type of its left operand. Comparisons have type bool and may compare two pointers.
    """

    __match_args__ = ("op", "left", "right")
    op: str
    left: Expr
    right: Expr


class Logical(Expr):
    """op: && ||, short-circuit; operands converted to bool."""

    __match_args__ = ("op", "left", "right")
    op: str
    left: Expr
    right: Expr


class Conditional(Expr):
    __match_args__ = ("condition", "then", "otherwise")
    condition: Expr
    then: Expr
    otherwise: Expr


class Comma(Expr):
    __match_args__ = ("left", "right")
    left: Expr
    right: Expr


class Convert(Expr):
    """Arithmetic conversion, pointer reinterpretation or vector cast to `type`."""

    __match_args__ = ("operand",)
    operand: Expr


class Decay(Expr):
    """An array lvalue as pointer to its first element."""

    __match_args__ = ("operand",)
    operand: Expr


class PointerOffset(Expr):
    """pointer + index (subtraction: index negated). In elements of the pointed-to type."""

    __match_args__ = ("pointer", "index")
    pointer: Expr
    index: Expr


class PointerDifference(Expr):
    __match_args__ = ("left", "right")
    left: Expr
    right: Expr


class Index(Expr):
    """base[index], an lvalue; base is an array lvalue or a pointer value."""

    __match_args__ = ("base", "index")
    base: Expr
    index: Expr


class Dereference(Expr):
    """*pointer, an lvalue."""

    __match_args__ = ("pointer",)
    pointer: Expr


class Member(Expr):
    """The lvalue vector.x or struct.member, where the base is one; a Temporary gives any other base an address.

    field: "#2" for the third member of a struct if it is an anonymous struct or union.
    """

    __match_args__ = ("base", "field")
    base: Expr
    field: str


class AddressOf(Expr):
    __match_args__ = ("operand",)
    operand: Expr


class Temporary(Expr):
    """A value that needs a place for a while: its members are read, or a function takes it by reference."""

    __match_args__ = ("operand",)
    operand: Expr


class Build(Expr):
    """A struct made of the values of its members; what is not in the list is zero."""

    __match_args__ = ("initializer",)
    initializer: InitializerList


class Assign(Expr):
    target: Expr
    value: Expr


class CompoundAssign(Expr):
    """The assignment target op= value.

    It is computed in `compute_type`, which value has, then converted back to the target's type. For pointers value is the
    signed element count, and op is +. gives_old: its value is the one from before, as that of i++.
    """

    op: str
    target: Expr
    value: Expr
    compute_type: Type
    gives_old: bool = False


class Call(Expr):
    """Arguments are converted to the parameter types. kinds: of a virtual function, those that structs have for it."""

    function: Function
    arguments: list[Expr]
    kinds: dict[int, Function] | None = None


class _Launching(Expr):
    """<<<grid, block, shared, stream>>>(arguments). grid, block: uint3; shared: bytes; stream: a pointer."""

    grid: Expr
    block: Expr
    shared: Expr
    stream: Expr
    arguments: list[Expr]


class KernelLaunch(_Launching):
    """A launch `kernel<<<grid, block>>>(…)` of a kernel by its name."""

    function: Function


class LaunchPointer(_Launching):
    """A launch of the kernel that a pointer leads to."""

    pointer: Expr


class CallPointer(Expr):
    """pointer(arguments), on the host: of a pointer to a function."""

    pointer: Expr
    arguments: list[Expr]


class New(Expr):
    """A new of one object, or of `count` objects, of what the type points to.

    initial: the first value of each, or None. zeroed: brackets follow the type, so the memory begins as zeros.
    """

    count: Expr | None
    initial: Expr | None
    zeroed: bool = False


class Delete(Expr):
    """endings: what ends each object first. kinds: by which struct it is, where the destructor is virtual."""

    pointer: Expr
    array: bool
    endings: list[Ending] = field(default_factory=list)
    kinds: dict[int, list[Ending]] = field(default_factory=dict)


class IntrinsicCall(Expr):
    """Call of what CUDA provides (see cuda_functions.py). The first argument of an atomic is a pointer value."""

    __match_args__ = ("name", "arguments")
    name: str
    arguments: list[Expr]


# --- statements ---------------------------------------------------------------------------


class Stmt(metaclass=NodeKind):
    at: Position


class InitializerList(metaclass=NodeKind):
    """{a, {b, c}, ...}: flattened to (bytes from the beginning, value) in `items`; the rest is zero."""

    items: list[tuple[int, Expr]]


class Declare(Stmt):
    """A declaration of one variable; shared ones do nothing at run time. endings: called at the end of its block, on the host."""

    __match_args__ = ("variable", "initializer")
    variable: Variable
    initializer: Expr | InitializerList | None = None
    endings: list[Ending] = field(default_factory=list)


class ExprStmt(Stmt):
    __match_args__ = ("expression",)
    expression: Expr


class Block(Stmt):
    __match_args__ = ("statements",)
    statements: list[Stmt]


class If(Stmt):
    __match_args__ = ("condition", "then", "otherwise")
    condition: Expr
    then: Stmt
    otherwise: Stmt | None = None


class LoopStmt(Stmt):
    """for and while; do, whose condition is asked behind the body, if not `tests_first`."""

    init: list[Stmt]
    condition: Expr | None
    step: Expr | None
    body: Stmt
    tests_first: bool = True


class SwitchCase(metaclass=NodeKind):
    """`value` None is default. Falls through to the next case unless its body breaks."""

    value: int | None
    body: list[Stmt]


class Switch(Stmt):
    value: Expr
    cases: list[SwitchCase]


class Break(Stmt):
    pass


class Continue(Stmt):
    pass


class Goto(Stmt):
    label: str


class Label(Stmt):
    """A label in a block, behind which a goto continues."""

    name: str


class Return(Stmt):
    __match_args__ = ("value",)
    value: Expr | None = None


class Function(metaclass=NodeKind):
    """A function of a program.

    kind: "kernel" (__global__) or "device"; in whole programs also "host", "both" (__host__ __device__) and
    "library", which has no body. shared: its __shared__ variables. variadic: it takes more arguments.
    refers: the pointer that it returns stands for a T&.
    """

    name: str
    kind: str
    return_type: Type
    parameters: list[Variable]
    body: Block
    at: Position
    shared: list[Variable] = field(default_factory=list)
    max_threads: int | None = None  # __launch_bounds__
    variadic: bool = False
    extern_c: bool = False  # else the compiler mangles the name, and CuPy does not find the kernel
    refers: bool = False


# A destructor, and how many bytes from the beginning of a variable its object lies
Ending = tuple[int, Function]


class TranslationUnit(metaclass=NodeKind):
    """A checked translation unit.

    text: the student's source, for carets and per-line tables. file: its name, for messages.
    globals: module-scope __constant__ and __device__ variables with their initialisers. warnings: for example of a
    double literal in float code. names: name expression, as the user wrote it -> function.
    """

    text: str
    file: str
    functions: dict[str, Function]
    globals: dict[str, tuple[Variable, Expr | InitializerList | None]]
    warnings: list[tuple[Position, str]] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    @property
    def kernels(self) -> list[str]:
        """Return their names, once each."""
        return [k for k, f in self.functions.items() if f.kind == "kernel" and "#" not in k]
