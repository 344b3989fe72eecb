"""Declarations inside and outside of functions: variables, their types and initial values."""

from __future__ import annotations

from collections import deque

from nnlib.cuda.language.checking.calls import address_of, is_const, is_lvalue, no_text
from nnlib.cuda.language.checking.conversions import convert, implicit, is_integer
from nnlib.cuda.language.checking.expressions import ExpressionChecker
from nnlib.cuda.language.checking.scope import Alias, Reference
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import (
    Declare,
    Expr,
    InitializerList,
    IntrinsicCall,
    Literal,
    Position,
    Stmt,
    Variable,
    flat_element,
)
from nnlib.cuda.language.types import INT, VOID, Array, Pointer, Scalar, Type, Vector, size_of
from nnlib.cuda.limits import MAX_CONSTANT, MAX_LOCAL

LOCAL_MARKS = {"static", "constexpr", "register"}
SPACES = {"__shared__": "shared", "__constant__": "constant", "__device__": "global"}

Initial = Expr | InitializerList | None


class DeclarationChecker(ExpressionChecker):
    def __init__(self) -> None:
        super().__init__()
        self.dynamic: dict[str, tuple[Type, Position]] = {}  # extern __shared__ arrays of all functions

    # --- in a function --------------------------------------------------------------------

    def local_declaration(self, node: syntax.Declaration) -> list[Stmt]:
        statements: list[Stmt] = []
        for declarator in node.declarators:
            if "typedef" in node.marks:
                self.alias(declarator)
            elif "__shared__" in node.marks:
                self._shared(node, declarator)
            else:
                statements += self._local(node, declarator)
        return statements

    def _local(self, node: syntax.Declaration, declarator: syntax.Declarator) -> list[Stmt]:
        at, name, marks = declarator.at, declarator.name, node.marks
        for mark in sorted(marks - LOCAL_MARKS):
            raise Fault(node.at, f"{mark} is not possible inside a function", "declare it outside of all functions")
        if "static" in marks and not ("constexpr" in marks or declarator.type.const):
            raise Unsupported(node.at, "static variables in functions", "declare it outside, with __device__")
        kind, const, reference = self._declared_type(declarator)
        if reference:
            return self._reference(declarator, kind, const)
        variable = Variable(name, kind, "local", at, const)
        self.declare(at, name, variable)  # in C++ a name is known in its own initial value
        initial = self._initial(declarator, kind)
        if isinstance(kind, Array):
            kind = variable.type = _complete_array(kind, initial, at, name)
            if kind.size > MAX_LOCAL:
                raise Fault(at, f"'{name}' takes {kind.size:,} bytes; a thread has {MAX_LOCAL:,}", "use global memory")
        elif const and initial is None:
            raise Fault(at, f"'{name}' is const and needs a value", f"write const {kind} {name} = ...;")
        self._remember_constant(variable, initial, "constexpr" in marks)
        return [Declare(at, variable, initial)]

    def _declared_type(self, declarator: syntax.Declarator) -> tuple[Type, bool, bool]:
        """Type, const and reference of a variable; auto takes them from the first value."""
        at, written = declarator.at, declarator.type
        if written.base == "auto":
            return self._auto(declarator)
        kind, const, reference = self.type_of(written)
        if kind == VOID:
            raise Fault(at, f"'{declarator.name}' cannot be of type void", "write a type such as float or float*")
        return kind, const, reference

    def _auto(self, declarator: syntax.Declarator) -> tuple[Type, bool, bool]:
        first = declarator.initializer
        if isinstance(first, syntax.Braces) and declarator.direct and len(first.items) == 1:
            first = first.items[0]
        if first is None or isinstance(first, syntax.Braces):
            raise Fault(declarator.at, "auto needs a first value", "write the type, or auto x = value;")
        reference = any(isinstance(d, syntax.ReferenceTo) for d in declarator.type.derivations)
        value = self.place(first) if reference else self.value(first)
        kind, const = value.type, declarator.type.const or (reference and is_lvalue(value) and is_const(value))
        for derivation in declarator.type.derivations:
            if isinstance(derivation, syntax.ArrayOf):
                raise Fault(declarator.at, "an array cannot be auto", "write the type of its elements")
            if isinstance(derivation, syntax.PointerTo):
                if not isinstance(kind, Pointer):
                    raise Fault(declarator.at, f"auto* needs a pointer, but this is '{kind}'", "remove the *")
                kind, const = Pointer(kind.target, kind.const or declarator.type.const), derivation.const
        if kind == VOID:
            raise Fault(declarator.at, "a void function gives no value", "call it as a statement of its own")
        return kind, const, reference

    def _reference(self, declarator: syntax.Declarator, kind: Type, const: bool) -> list[Stmt]:
        """A reference is the pointer behind it."""
        at, name, first = declarator.at, declarator.name, declarator.initializer
        if isinstance(first, syntax.Braces) and len(first.items) == 1:
            first = first.items[0]
        if first is None or isinstance(first, syntax.Braces):
            raise Fault(at, f"the reference '{name}' needs a variable to refer to", f"write {kind}& {name} = variable;")
        place = self.place(first)
        if not is_lvalue(place) or place.type != kind:
            if not const:
                raise Fault(at, f"the reference '{name}' needs a variable of type '{kind}'", "remove the &")
            variable = Variable(name, kind, "local", at, True)
            self.declare(at, name, variable)
            return [Declare(at, variable, implicit(self.value(first), kind, f"initial value of '{name}'"))]
        pointer = Variable(name, Pointer(kind, const), "local", at, True)
        self.declare(at, name, Reference(pointer))
        return [Declare(at, pointer, implicit(address_of(at, place), pointer.type, f"reference '{name}'"))]

    def _shared(self, node: syntax.Declaration, declarator: syntax.Declarator) -> None:
        at, name = declarator.at, declarator.name
        kind, const, reference = self._declared_type(declarator)
        if declarator.initializer is not None:
            raise Fault(declarator.initializer.at, "a __shared__ variable cannot have an initial value",
                        "let the threads write it, then __syncthreads()")
        if reference:
            raise Fault(at, "a __shared__ variable cannot be a reference", "remove the &")
        dynamic = "extern" in node.marks
        is_open = isinstance(kind, Array) and kind.length is None
        if is_open and not dynamic:
            raise Fault(at, f"the size of '{name}' is missing",
                        "write a size, or extern __shared__ for one given at launch")
        if dynamic and not is_open:
            raise Fault(at, f"extern __shared__ declares an array of open size, but '{name}' is '{kind}'",
                        f"write extern __shared__ {flat_element(kind)} {name}[];")
        if dynamic:
            first = self.dynamic.setdefault(name, (kind, at))
            if first[0] != kind:
                raise Fault(at, f"extern __shared__ '{name}' was '{first[0]}' in line {first[1].line}, here '{kind}'",
                            "choose another name: one name has one type in a text")
        known = self.function.shared if self.function else []
        for other in known:
            if dynamic and other.dynamic and other.name != name:
                element = flat_element(kind)
                rest = f"{other.name} + n" if kind == other.type else f"({element}*)({other.name} + n)"
                raise Fault(at, f"extern __shared__ '{name}' begins at the same address as '{other.name}'",
                            f"divide one array: {element}* {name} = {rest};")
        variable = Variable(name, kind, "shared", at, const, dynamic)
        self.declare(at, name, variable)
        known.append(variable)

    # --- outside of functions -------------------------------------------------------------

    def global_declaration(self, node: syntax.Declaration) -> list[tuple[Variable, Initial]]:
        """The __constant__ and __device__ variables of a declaration; other names are only remembered."""
        result: list[tuple[Variable, Initial]] = []
        for declarator in node.declarators:
            if "typedef" in node.marks:
                self.alias(declarator)
            elif "__shared__" in node.marks:
                self._shared(node, declarator)
            elif node.marks & SPACES.keys() or not self._compile_time_constant(node, declarator):
                result.append(self._module_variable(node, declarator))
        return result

    def _module_variable(self, node: syntax.Declaration, declarator: syntax.Declarator) -> tuple[Variable, Initial]:
        at, name = declarator.at, declarator.name
        if "extern" in node.marks:
            raise Unsupported(node.at, "extern variables", "declare it in this text")
        kind, const, reference = self._declared_type(declarator)
        if reference:
            raise Unsupported(at, "references outside of functions", "use the variable itself")
        initial = self._initial(declarator, kind)
        if isinstance(kind, Array):
            kind = _complete_array(kind, initial, at, name)
        values = [v for _, v in initial.items] if isinstance(initial, InitializerList) else [initial] if initial else []
        for value in values:
            if not _is_constant(value):
                raise Fault(value.at, f"the initial value of '{name}' must be known when the kernel is compiled",
                            "use numbers, or write it from Python")
        if not node.marks & SPACES.keys():
            self.warn_unmarked(at, name)
        space = "constant" if "__constant__" in node.marks else "global"
        if space == "constant" and size_of(kind) > MAX_CONSTANT:
            raise Fault(at, f"'{name}' takes {size_of(kind):,} bytes; __constant__ memory has {MAX_CONSTANT:,}",
                        "use __device__, or pass an array as an argument")
        variable = Variable(name, kind, space, at, const)
        self.declare(at, name, variable)
        self._remember_constant(variable, initial, "constexpr" in node.marks)
        return variable, initial

    def _compile_time_constant(self, node: syntax.Declaration, declarator: syntax.Declarator) -> bool:
        """Is it const int N = 4; outside of functions? Then its uses are replaced by the value."""
        kind, const, reference = self._declared_type(declarator)
        if reference or not const or not isinstance(kind, Scalar):
            return False
        initial = self._initial(declarator, kind)
        if not isinstance(initial, Literal):
            return False
        self.declare(declarator.at, declarator.name, Literal(declarator.at, kind, initial.value))
        return True

    def warn_unmarked(self, at: Position, name: str) -> None:
        """CuPy has NVRTC take for __device__ what says nothing; nvcc would not."""
        self.warnings.append((at, f"'{name}' is compiled as __device__: write __device__ before it"))

    def alias(self, declarator: syntax.Declarator) -> None:
        kind, _, reference = self.type_of(declarator.type)
        if reference or declarator.initializer is not None:
            raise Fault(declarator.at, f"'{declarator.name}' cannot name this type", "write typedef float real;")
        self.declare(declarator.at, declarator.name, Alias(kind))

    def enumeration(self, node: syntax.Enumeration) -> None:
        value = -1
        for at, name, given in node.members:
            value = self.constant(given, f"the value of '{name}'") if given else value + 1
            self.declare(at, name, Literal(at, INT, value))
        if node.name:
            self.declare(node.at, node.name, Alias(INT))

    def static_assertion(self, node: syntax.StaticAssert) -> None:
        value = self.condition(node.condition)
        if not isinstance(value, Literal):
            raise Fault(node.at, "static_assert needs a condition known when the kernel is compiled", "use assert()")
        if not value.value:
            raise Fault(node.at, f"static_assert failed: {node.message or 'the condition is false'}")

    # --- initial values -------------------------------------------------------------------

    def _initial(self, declarator: syntax.Declarator, kind: Type) -> Initial:
        first, what = declarator.initializer, f"initial value of '{declarator.name}'"
        if first is None:
            return None
        if not isinstance(first, syntax.Braces):
            if isinstance(kind, Array):
                no_text(self.expression(first))
                raise Fault(first.at, "an array is initialised by a list", "write = {1, 2, 3}")
            return implicit(self.value(first), kind, what)
        if isinstance(kind, Array):
            return self._list(first, kind)
        if declarator.direct and isinstance(kind, Vector):
            return self.construct(syntax.Construct(first.at, declarator.type, first.items))
        return self._element(first, kind, what)

    def _element(self, node: syntax.Node, kind: Type, what: str) -> Expr:
        """One value, or a list for a vector's lanes."""
        if not isinstance(node, syntax.Braces):
            return implicit(self.value(node), kind, what)
        if isinstance(kind, Vector):
            if len(node.items) == 1 and not isinstance(node.items[0], syntax.Braces):
                value = self.value(node.items[0])
                return value if value.type == kind else self.make_vector(node.at, kind, [value])
            return self.make_vector(node.at, kind, [self._element(item, kind.base, what) for item in node.items])
        if len(node.items) > 1:
            raise Fault(node.items[1].at, f"too many values for one '{kind}'", "remove the surplus")
        if not node.items:
            return convert(Literal(node.at, INT, 0), kind) if isinstance(kind, Scalar) else Literal(node.at, kind, 0)
        return self._element(node.items[0], kind, what)

    def _list(self, node: syntax.Braces, kind: Array) -> InitializerList:
        """Flatten nested lists; inner braces may be left out, as in C."""
        result = InitializerList([])
        items = deque(node.items)
        self._fill(result, items, kind, 0)
        if items:
            raise Fault(items[0].at, f"too many values for '{kind}'", "remove the surplus, or make the array larger")
        return result

    def _fill(self, result: InitializerList, items: deque[syntax.Node], kind: Array, start: int) -> None:
        element = kind.element
        width = _flat_length(element)
        place = 0
        while items and (kind.length is None or place < kind.length):
            if not isinstance(element, Array):
                value = self._element(items.popleft(), element, "value in the list")
                result.items.append((start + place, value))
            elif isinstance(items[0], syntax.Braces):
                inner = deque(items.popleft().items)  # type: ignore[attr-defined]
                self._fill(result, inner, element, start + place * width)
                if inner:
                    raise Fault(inner[0].at, f"too many values for '{element}'", "remove the surplus")
            else:
                self._fill(result, items, element, start + place * width)
            place += 1

    def _remember_constant(self, variable: Variable, initial: Initial, constexpr: bool) -> None:
        """const integers (and any constexpr) with a known value may be array sizes and case labels."""
        if constexpr and not isinstance(variable.type, Array) and not isinstance(initial, Literal):
            raise Fault(variable.at, f"'{variable.name}' is constexpr, but its value is only known at run time",
                        "write const instead of constexpr")
        if variable.const and isinstance(initial, Literal) and (constexpr or is_integer(variable.type)):
            self.constants[variable] = initial


def _complete_array(kind: Array, initial: Initial, at: Position, name: str) -> Array:
    """float x[] = {1, 2, 3} has as many elements as its list."""
    if kind.length is not None:
        return kind
    if not isinstance(initial, InitializerList) or not initial.items:
        raise Fault(at, f"the size of '{name}' is missing", "write a size, or a list of values")
    width = _flat_length(kind.element)
    return Array(kind.element, initial.items[-1][0] // width + 1)


def _flat_length(kind: Type) -> int:
    return (kind.length or 0) * _flat_length(kind.element) if isinstance(kind, Array) else 1


def _is_constant(value: Expr) -> bool:

    if isinstance(value, IntrinsicCall):
        return value.name.startswith("make_") and all(map(_is_constant, value.arguments))
    return isinstance(value, Literal)


