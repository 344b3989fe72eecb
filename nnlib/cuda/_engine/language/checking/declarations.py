"""Declarations inside and outside of functions: variables, their types and initial values."""

from __future__ import annotations

from dataclasses import replace

from ....limits import MAX_CONSTANT, MAX_LOCAL
from ..diagnostics import Fault, Unsupported
from ..layout import flat_element
from ..parsing.syntax import (
    ArrayOf,
    Braces,
    Declaration,
    Declarator,
    Enumeration,
    Node,
    Number,
    PointerTo,
    StaticAssert,
    StructDefinition,
    UsingNamespace,
)
from ..tree import (
    Binary,
    Declare,
    Expr,
    InitializerList,
    IntrinsicCall,
    Literal,
    Name,
    Position,
    Stmt,
    Variable,
)
from ..types import INT, ULONG, VOID, Array, FunctionName, Pointer, Scalar, Type, size_of
from .expressions import ExpressionChecker
from .initializers import Initial, complete_array, is_constant
from .names import FIRST_POINTER, POINTER_TO_FUNCTION, Alias
from .objects import address_of, complete, endings, endless, is_const, is_lvalue
from .structs import StructChecker
from .values import (
    as_base,
    convert,
    divides_by_zero,
    fold,
    implicit,
    is_integer,
    not_constant,
)

LOCAL_MARKS = {"static", "constexpr", "register"}
SPACES = {
    "__shared__": "shared",
    "__constant__": "constant",
    "__device__": "global",
    "__managed__": "global",
}


class DeclarationChecker:
    """Declares what a declaration names. dynamic: extern __shared__ arrays of all functions."""

    def __init__(self, expressions: ExpressionChecker) -> None:
        self.context, self.expressions, self.types = (
            expressions.context,
            expressions,
            expressions.types,
        )
        self.initializers = expressions.initializers
        self.structs = StructChecker(expressions.calls)
        self.structs.alias, self.structs.declare = self.alias, self.without_variable
        self.types.define = self.define
        self.dynamic: dict[str, tuple[Type, Position]] = {}
        self.promised: dict[str, Variable] = {}  # extern, and not defined yet

    # --- in a function --------------------------------------------------------------------

    def local_declaration(self, node: Declaration) -> list[Stmt]:
        statements: list[Stmt] = []
        for declarator in node.declarators:
            if "typedef" in node.marks:
                self.alias(declarator)
            elif "__shared__" in node.marks:
                self._shared(node, declarator)
            else:
                statements += self._local(node, declarator)
        return statements

    def _local(self, node: Declaration, declarator: Declarator) -> list[Stmt]:
        at, name, marks = declarator.at, declarator.name, node.marks
        for mark in sorted(marks - LOCAL_MARKS):
            raise Fault(
                node,
                f"{mark} is not possible inside a function",
                "declare it outside of all functions",
            )
        static = "static" in marks and not ("constexpr" in marks or declarator.type.const)
        if static and not self.context.on_host:
            raise Unsupported(
                node, "static variables in functions", "declare it outside, with __device__"
            )
        length = None if static else self._variable_length(declarator)
        if length is not None:
            return self._array_of_variable_length(declarator, length)
        kind, const, reference = self._declared_type(declarator)
        if isinstance(kind, FunctionName):  # auto f = square;
            if len(kind.signatures) > 1:
                raise Fault(
                    at,
                    f"several functions are named '{kind}', and auto does not say which is meant",
                    "write the type of a pointer to it in place of auto",
                )
            self.context.declare(at, name, self.context.named_functions[kind.name])
            return []
        if reference:
            return self._reference(declarator, kind, const)
        variable = Variable(name, kind, "static" if static else "local", at, const)
        self.context.declare(at, name, variable)  # in C++ a name is known in its own initial value
        complete(at, flat_element(kind))
        initial = self.initializers.initial(declarator, kind)
        if isinstance(kind, Array):
            kind = variable.type = complete_array(kind, initial, at, name)
            if kind.size > MAX_LOCAL and not self.context.on_host:
                raise Fault(
                    at,
                    f"'{name}' takes {kind.size:,} bytes; a thread has {MAX_LOCAL:,}",
                    "use global memory",
                )
        elif const and initial is None:
            raise Fault(
                at, f"'{name}' is const and needs a value", f"write const {kind} {name} = ...;"
            )
        self._remember_constant(variable, initial, "constexpr" in marks)
        if static or not self.context.on_host:
            endless(
                self.context,
                at,
                kind,
                "a static object" if static else "an object in a kernel",
                "call a function where it ends",
            )
        return [Declare(at, variable, initial, endings(self.context, kind))]

    def _variable_length(self, declarator: Declarator) -> Expr | None:
        """Return the outermost size of a host array whose size is known only when the program runs; else None."""
        outermost = declarator.type.derivations[-1] if declarator.type.derivations else None
        if (
            not self.context.on_host
            or declarator.type.refers
            or not isinstance(outermost, ArrayOf)
            or outermost.length is None
        ):
            return None
        length = self.expressions.value(outermost.length)
        return length if is_integer(length.type) and not isinstance(length, Literal) else None

    def _array_of_variable_length(self, declarator: Declarator, length: Expr) -> list[Stmt]:
        """Declare an array of variable length, as g++ and nvcc do: memory that ends with the block, and a pointer to it."""
        at, name = declarator.at, declarator.name
        if declarator.initializer is not None:
            raise Fault(
                declarator.initializer,
                f"'{name}' may not be initialised: its size is not known yet",
                "set its elements in a loop",
            )
        element, const, _ = self.types.resolve(
            replace(declarator.type, derivations=declarator.type.derivations[:-1])
        )
        complete(at, flat_element(element))
        size = Variable(f"size of {name}", ULONG, "local", at, True)
        array = Variable(name, Pointer(element, const), "local", at)
        self.context.declare(at, name, array)
        self.context.lengths[array] = size
        bytes_ = fold(
            Binary(at, ULONG, "*", convert(length, ULONG), Literal(at, ULONG, size_of(element)))
        )
        memory = IntrinsicCall(at, array.type, "alloca", [Name(at, ULONG, size)])
        return [Declare(at, size, bytes_), Declare(at, array, memory)]

    def _declared_type(self, declarator: Declarator) -> tuple[Type, bool, bool]:
        """Return the type of a variable, and whether it is const and a reference; auto takes them from the first value."""
        at, written = declarator.at, declarator.type
        if written.base == "auto":
            return self._auto(declarator)
        kind, const, reference = self.types.resolve(written)
        is_enum = written.base in self.context.enums and not (written.derivations or written.refers)
        if is_enum and isinstance(declarator.initializer, Number):
            raise Fault(
                at,
                f"'{declarator.name}' is of the enum '{written.base}', which takes none but its names",
                f"write one of them, or ({written.base}){declarator.initializer.text}",
            )
        if kind == VOID:
            raise Fault(
                at,
                f"'{declarator.name}' cannot be of type void",
                "write a type such as float or float*",
            )
        return kind, const, reference

    def _auto(self, declarator: Declarator) -> tuple[Type, bool, bool]:
        first = declarator.initializer
        if isinstance(first, Braces) and first.direct and len(first.items) == 1:
            first = first.items[0]
        if first is None or isinstance(first, Braces):
            raise Fault(
                declarator, "auto needs a first value", "write the type, or auto x = value;"
            )
        reference = declarator.type.refers
        value = self.expressions.place(first) if reference else self.expressions.value(first)
        kind, const = (
            value.type,
            declarator.type.const or (reference and is_lvalue(value) and is_const(value)),
        )
        for derivation in declarator.type.derivations:
            if isinstance(derivation, ArrayOf):
                raise Fault(declarator, "an array cannot be auto", "write the type of its elements")
            if isinstance(derivation, PointerTo):
                if not isinstance(kind, Pointer):
                    raise Fault(
                        declarator,
                        f"auto* needs a pointer, but this is '{kind}'",
                        "remove the *",
                    )
                kind, const = (
                    Pointer(kind.target, kind.const or declarator.type.const),
                    derivation.const,
                )
        if kind == VOID:
            raise Fault(
                declarator, "a void function gives no value", "call it as a statement of its own"
            )
        return kind, const, reference

    def _reference(self, declarator: Declarator, kind: Type, const: bool) -> list[Stmt]:
        """Declare a reference as the pointer behind it."""
        at, name, first = declarator.at, declarator.name, declarator.initializer
        if isinstance(first, Braces) and len(first.items) == 1:
            first = first.items[0]
        if first is None or isinstance(first, Braces):
            raise Fault(
                at,
                f"the reference '{name}' needs a variable to refer to",
                f"write {kind}& {name} = variable;",
            )
        place = as_base(self.expressions.place(first), kind)
        if not is_lvalue(place) or place.type != kind:
            if not const:
                raise Fault(
                    at, f"the reference '{name}' needs a variable of type '{kind}'", "remove the &"
                )
            variable = Variable(name, kind, "local", at, True)
            self.context.declare(at, name, variable)
            initial = self.expressions.initializers.value(first, kind, f"initial value of '{name}'")
            return [Declare(at, variable, initial, endings(self.context, kind))]
        pointer = Variable(
            name, Pointer(kind, const, declarator.type.is_volatile), "local", at, True, refers=True
        )
        self.context.declare(at, name, pointer)
        return [
            Declare(
                at, pointer, implicit(address_of(at, place), pointer.type, f"reference '{name}'")
            )
        ]

    def _shared(self, node: Declaration, declarator: Declarator) -> None:
        at, name = declarator.at, declarator.name
        kind, const, reference = self._declared_type(declarator)
        if declarator.initializer is not None:
            raise Fault(
                declarator.initializer,
                "a __shared__ variable cannot have an initial value",
                "let the threads write it, then __syncthreads()",
            )
        if reference:
            raise Fault(at, "a __shared__ variable cannot be a reference", "remove the &")
        complete(at, flat_element(kind))
        if self.initializers.default(at, kind) is not None:
            raise Fault(
                at,
                f"'{flat_element(kind)}' has a constructor, and '{name}' is __shared__",
                "remove the constructor, or the first values of its members",
            )
        dynamic = "extern" in node.marks
        is_open = isinstance(kind, Array) and kind.length is None
        if is_open and not dynamic:
            raise Fault(
                at,
                f"the size of '{name}' is missing",
                "write a size, or extern __shared__ for one given at launch",
            )
        if dynamic and not is_open:
            raise Fault(
                at,
                f"extern __shared__ declares an array of open size, but '{name}' is '{kind}'",
                f"write extern __shared__ {flat_element(kind)} {name}[];",
            )
        if dynamic:
            first = self.dynamic.setdefault(name, (kind, at))
            if first[0] != kind:
                raise Fault(
                    at,
                    f"extern __shared__ '{name}' was '{first[0]}' in line {first[1].line}, here '{kind}'",
                    "choose another name: one name has one type in a text",
                )
        known = self.context.function.shared if self.context.function else []
        for other in known:
            if dynamic and other.dynamic and other.name != name:
                element = flat_element(kind)
                rest = (
                    f"{other.name} + n" if kind == other.type else f"({element}*)({other.name} + n)"
                )
                self.context.warn(
                    at,
                    f"extern __shared__ '{name}' begins at the same address as '{other.name}'; to "
                    f"have both, divide one array: {element}* {name} = {rest};",
                )
        variable = Variable(
            name, kind, "shared", at, const, dynamic, volatile=declarator.type.is_volatile
        )
        self.context.declare(at, name, variable)
        known.append(variable)

    # --- outside of functions -------------------------------------------------------------

    def global_declaration(self, node: Declaration) -> list[tuple[Variable, Initial]]:
        """Return the __constant__ and __device__ variables of a declaration; only remember its other names."""
        result: list[tuple[Variable, Initial]] = []
        marked = node.marks & SPACES.keys()
        for declarator in node.declarators:
            if "typedef" in node.marks:
                self.alias(declarator)
            elif "__shared__" in node.marks:
                self._shared(node, declarator)
            elif (marked or not self.context.whole) and self.types.is_function_pointer(
                declarator.type
            ):
                self.context.declare(declarator, declarator.name, POINTER_TO_FUNCTION)
            elif (
                marked
                or declarator.name in self.promised
                or not self._compile_time_constant(node, declarator)
            ):
                result.append(self._module_variable(node, declarator))
        return result

    def _promised(self, new: Variable, extern: bool) -> Variable:
        """Return the variable of this name, which an earlier declaration may have announced."""
        name, known = new.name, self.context.find(new.name)
        if (
            isinstance(known, Variable)
            and known.space == new.space
            and (extern or name in self.promised)
        ):
            new = known
        else:
            self.context.declare(new, name, new)
            if extern:
                self.promised[name] = new
        if not extern:
            self.promised.pop(name, None)
        return new

    def _module_variable(
        self, node: Declaration, declarator: Declarator
    ) -> tuple[Variable, Initial]:
        at, name, marks = declarator.at, declarator.name, node.marks
        kind, const, reference = self._declared_type(declarator)
        if reference:
            raise Unsupported(at, "references outside of functions", "use the variable itself")
        extern = "extern" in marks and declarator.initializer is None
        of_host = self.context.whole and not marks & SPACES.keys()
        if of_host:
            endless(self.context, at, kind, "an object outside of functions", "declare it in main")
        elif extern and not self.context.whole and size_of(kind) == 0:
            raise Unsupported(node, "extern variables", "declare it in this text")
        else:
            complete(at, flat_element(kind))
        device = "constant" if "__constant__" in marks else "global"
        new = Variable(
            name,
            kind,
            "host" if of_host else device,
            at,
            const,
            volatile=declarator.type.is_volatile and not of_host,
            managed="__managed__" in marks,
        )
        variable = self._promised(new, extern)
        if extern and self.context.whole:
            return variable, None
        initial = self.initializers.initial(declarator, kind)
        if isinstance(kind, Array):
            kind = variable.type = complete_array(kind, initial, at, name)
        if of_host:
            return variable, initial
        listed = (
            [v for _, v in initial.items] if isinstance(initial, InitializerList) else [initial]
        )
        for value in filter(None, listed):
            if isinstance(value.type, Pointer) and not isinstance(value, Literal):
                raise FIRST_POINTER.fault(value)
            if not is_constant(value):
                raise Fault(
                    value,
                    f"the initial value of '{name}' must be known when the kernel is compiled",
                    "use numbers, or write it from Python",
                )
        if not marks & SPACES.keys():
            self.context.warn_unmarked(at, name)
        if device == "constant" and size_of(kind) > MAX_CONSTANT:
            raise Fault(
                at,
                f"'{name}' takes {size_of(kind):,} bytes; __constant__ memory has {MAX_CONSTANT:,}",
                "use __device__, or pass an array as an argument",
            )
        self._remember_constant(variable, initial, "constexpr" in marks)
        return variable, initial

    def _compile_time_constant(self, node: Declaration, declarator: Declarator) -> bool:
        """Declare `const int N = 4;` outside of functions, to be replaced by its value; return False for anything else."""
        kind, const, reference = self._declared_type(declarator)
        if reference or not const or not isinstance(kind, Scalar):
            return False
        initial = self.initializers.initial(declarator, kind)
        if not isinstance(initial, Literal):
            return False
        self.context.declare(
            declarator, declarator.name, Literal(declarator.at, kind, initial.value)
        )
        return True

    def alias(self, declarator: Declarator) -> None:
        """Declare the name of a typedef or a using."""
        if self.types.is_function_pointer(declarator.type) and not self.context.on_host:
            self.context.scopes[-1][declarator.name] = POINTER_TO_FUNCTION
            return
        kind, const, reference = self.types.resolve(declarator.type)
        if reference or declarator.initializer is not None:
            raise Fault(
                declarator,
                f"'{declarator.name}' cannot name this type",
                "write typedef float real;",
            )
        meant = Alias(kind, const)
        if self.context.scopes[-1].get(declarator.name) != meant:  # C++ lets one say the same twice
            self.context.declare(declarator, declarator.name, meant)

    def define(self, node: StructDefinition | Enumeration) -> Type:
        """Define the type that is defined inside a declaration of something else; return it."""
        key = f"definition {id(node)}"  # in struct { ... } a, b; several names have it
        known = self.context.find(key)
        if isinstance(known, Alias):
            return known.type
        if isinstance(node, StructDefinition):
            kind: Type = self.structs.define(node)
        else:
            kind = self.enumeration(node)
        self.context.scopes[-1][key] = Alias(kind)
        return kind

    def enumeration(self, node: Enumeration) -> Type:
        """Declare an enum: its members are constants, its name is an integer type."""
        kind = self.types.resolve(node.base)[0] if node.base else INT
        if not is_integer(kind):
            raise Fault(node, f"an enum cannot be '{kind}'", "write an integer type")
        value = -1
        for at, name, given in node.members:
            value = (
                self.expressions.constant(given, f"the value of '{name}'") if given else value + 1
            )
            member = Literal(at, kind, value)
            if not node.scoped:
                self.context.declare(at, name, member)
            if node.name:
                self.context.declare(at, f"{node.name}::{name}", member)
        if node.name:
            self.context.declare(node, node.name, Alias(kind))
            self.context.enums.add(node.name)
        return kind

    def without_variable(self, node: Node) -> None:
        """Check a declaration of neither variables nor functions."""
        match node:
            case Enumeration():
                self.enumeration(node)
            case StructDefinition():
                self.structs.define(node)
            case StaticAssert():
                self._static_assertion(node)
            case UsingNamespace(name=name):  # those of the text are global anyway
                inside = [f"{namespace}::{name}" for namespace in self.context.namespaces]
                self.context.namespaces += [name, *inside]

    def _static_assertion(self, node: StaticAssert) -> None:
        """Evaluate a static_assert."""
        value = self.expressions.condition(node.condition)
        if not isinstance(value, Literal):
            raise Fault(
                node,
                "static_assert needs a condition known when the kernel is compiled",
                "use assert()",
            )
        if not value.value:
            raise Fault(node, f"static_assert failed: {node.message or 'the condition is false'}")

    def _remember_constant(self, variable: Variable, initial: Initial, constexpr: bool) -> None:
        """Remember a const integer, or any constexpr, of known value: it may be an array size or a case label."""
        if (
            constexpr
            and not isinstance(variable.type, Array)
            and not (isinstance(initial, Expr) and is_constant(initial))
        ):
            if isinstance(initial, Expr) and divides_by_zero(initial):
                raise not_constant(initial, f"'{variable.name}'", "")
            raise Fault(
                variable,
                f"'{variable.name}' is constexpr, but its value is only known at run time",
                "write const instead of constexpr",
            )
        if (
            variable.const
            and isinstance(initial, Literal)
            and (constexpr or is_integer(variable.type))
        ):
            self.context.constants[variable] = initial
