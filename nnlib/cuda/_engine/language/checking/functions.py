"""Functions and member functions: their declarations, their bodies, and where those stand."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Sequence
from dataclasses import replace

from ....limits import STATIC_SHARED
from ..diagnostics import Fault, Unsupported, did_you_mean
from ..parsing.syntax import (
    Assignment,
    Braces,
    Compound,
    Declarator,
    Evaluate,
    FunctionDefinition,
    PointerTo,
    ReturnSyntax,
    TypeName,
)
from ..tree import (
    Assign,
    Block,
    Build,
    Declare,
    Expr,
    ExprStmt,
    Function,
    InitializerList,
    Literal,
    Member,
    Name,
    Position,
    Return,
    Stmt,
    Variable,
)
from ..types import AUTO, INT, ULONG, VOID, Array, FunctionName, Pointer, Struct, Type, size_of
from .calls import CONVERSION
from .names import (
    POINTER_TO_FUNCTION,
    Alias,
    Callee,
    Class,
    DataMember,
    Overloads,
    Symbol,
    Template,
    Unavailable,
    own_name,
)
from .objects import along, endless
from .statements import StatementChecker
from .structs import KIND
from .values import implicit


class FunctionChecker:
    """functions: those with a body, by the name they have in tree.TranslationUnit."""

    def __init__(self, statements: StatementChecker) -> None:
        self.context, self.statements = statements.context, statements
        self.expressions, self.types = statements.expressions, statements.expressions.types
        self.functions: dict[str, Function] = {}
        self._named: dict[str, int] = {}
        statements.declare = self.function

    def function(self, node: FunctionDefinition) -> None:
        """Check a function that is no template, with or without its body."""
        callee = self._callee(node)
        if node.body is None:
            return
        if callee.defined:
            raise second_body(node, callee)
        if not node.at.column:  # of a header: checked when it is used

            def check() -> None:
                with self.context.alone({}):
                    self.define(callee, node)

            callee.pending = check
        else:
            self.define(callee, node)

    def define(
        self,
        callee: Callee,
        node: FunctionDefinition,
        made: Sequence[Variable] = (),
        before: Callable[[], list[Stmt]] = list,
    ) -> None:
        """Check the body of a function. made: what a constructor fills; before: what it does first."""
        callee.defined = True
        function = callee.function
        if function.kind == "library":  # the text has its own
            function.kind = "host"
        this = function.parameters[: callee.owner is not None]
        if node.bounds is not None:
            function.max_threads = self.expressions.constant(node.bounds, "__launch_bounds__")
        with self.context.inside(function):
            function.parameters = [*this, *self.parameters(node)]
            for variable in [*this, *made]:
                self.context.declare(variable, variable.name, variable)
            for variable in callee.parameters:
                symbol: Symbol = variable
                if isinstance(variable.type, FunctionName):
                    symbol = self.context.named_functions[variable.type.name]
                if symbol is not variable or variable.name:
                    self.context.declare(variable, variable.name, symbol)
            assert node.body is not None
            function.body = Block(
                node.body.at, before() + self.statements.statements(node.body.statements)
            )
        if function.return_type == AUTO:
            function.return_type = VOID
        total = sum(size_of(variable.type) for variable in function.shared)
        if total > STATIC_SHARED:
            raise Fault(
                function,
                f"'{function.name}' declares {total:,} bytes of shared memory; a block can "
                f"declare {STATIC_SHARED:,}",
                "make the arrays smaller, or use extern __shared__ and shared_mem=",
            )
        self.functions[function.name] = function

    def signature(self, node: FunctionDefinition) -> tuple[Type, list[Variable]]:
        """Return the result type of a function, a pointer where it is a reference, and its parameters."""
        at, name, marks = node.at, node.name, node.marks
        kernel, device = "__global__" in marks, "__device__" in marks
        if name == "main" and not self.context.whole:
            raise Unsupported(
                at,
                "main(), which is for the host",
                "keep the __global__ and __device__ functions; Python makes the arrays and launches",
            )
        if not kernel and not device and not self.context.whole:
            if "__host__" in marks:
                raise Fault(
                    at,
                    f"'{name}' is a function of the host",
                    "write __device__ before it",
                )
            self.context.warn_unmarked(at, name, may_be_kernel=node.result.base == "void")
        if kernel and device:
            raise Fault(
                at,
                f"'{name}' cannot be both __global__ and __device__",
                "__global__ is launched from Python, __device__ is called from kernels",
            )
        for mark in sorted(
            marks & {"__shared__", "__constant__", "typedef", "register", "__grid_constant__"}
        ):
            raise Fault(at, f"{mark} does not go with a function", "remove it")
        result: Type = AUTO
        const = False
        if node.result.base != "auto" or node.result.derivations or node.result.refers:
            result, const, _ = self.types.resolve(node.result)
        if kernel and result != VOID:
            raise Fault(
                node.result,
                f"a kernel must return void, but '{name}' returns '{result}'",
                "write results to an array that is passed as an argument",
            )
        if isinstance(result, Array):
            raise Unsupported(node.result, "returning a reference to an array", "return a pointer")
        if node.result.refers:
            result = Pointer(result, const)
        if node.variadic and (device or kernel or not self.context.whole):
            raise Unsupported(at, "functions with any number of parameters", "name each parameter")
        parameters = self.parameters(node)
        for written, parameter in zip(node.parameters, parameters, strict=True):
            if (kernel or device) and self.types.is_function_pointer(written.type):
                raise POINTER_TO_FUNCTION.fault(written)
            if kernel and parameter.refers:
                raise Fault(
                    written,
                    f"a kernel's parameter '{written.name}' cannot be a reference",
                    "use a pointer",
                )
        return result, parameters

    def _callee(self, node: FunctionDefinition) -> Callee:
        """Return the function's entry among the names: that of an earlier declaration, or a new one."""
        result, parameters = self.signature(node)
        if node.name == "main" and "__global__" not in node.marks:
            self._check_main(node, result, parameters)
        overloads = self.overloads(node)
        known = same_function(overloads, parameters)
        if known is not None:
            of_header = not known.function.at.column and known.function.kind != "library"
            if not (node.at.column and of_header):
                if known.function.return_type != result:
                    raise Fault(
                        node,
                        f"'{node.name}' returned '{known.function.return_type}' in its first "
                        "declaration",
                        "both must agree",
                    )
                known.function.extern_c |= node.extern_c
                return known
            overloads.callees.remove(known)  # the text has its own
        elif overloads.callees and (node.extern_c or node.name == "main"):
            raise Fault(
                node,
                f"'{node.name}' is already declared, with other parameters",
                "choose another name",
            )
        callee = self.new_callee(node, self.free_name(node.name), result, parameters)
        overloads.callees.append(callee)
        return callee

    @staticmethod
    def _check_main(node: FunctionDefinition, result: Type, parameters: list[Variable]) -> None:
        kinds = [str(variable.type).removeprefix("const ") for variable in parameters]
        if result not in (INT, VOID) or kinds not in ([], ["int"], ["int", "char**"]):
            raise Fault(
                node,
                "main takes nothing, or int argc and char** argv, and returns an int",
                "write int main() or int main(int argc, char** argv)",
            )

    def free_name(self, name: str) -> str:
        """Return the name that one more function of this name has in tree.TranslationUnit."""
        number = self._named[name] = self._named.get(name, 0) + 1
        return name if number == 1 else f"{name}#{number}"

    def overloads(self, node: FunctionDefinition) -> Overloads:
        """Return all functions declared so far that have the node's name."""
        outermost = self.context.scopes[0]
        symbol = outermost.get(node.name)
        is_new = symbol is None or (node.name in self.context.given and node.at.column)
        if is_new and not isinstance(symbol, Overloads):
            symbol = outermost[node.name] = Overloads()
        return only_functions(node, symbol)

    def new_callee(
        self,
        node: FunctionDefinition,
        name: str,
        result: Type,
        parameters: list[Variable],
        owner: Struct | None = None,
    ) -> Callee:
        """Make a function whose body is not yet checked. owner: the struct whose member it is."""
        this = []
        if owner is not None and "static" not in node.marks:
            kind = Pointer(owner, node.const)
            this = [Variable("this", kind, "parameter", node.at, True)]
        function = Function(
            name,
            self._kind(node),
            result,
            [*this, *parameters],
            Block(node.at, []),
            node.at,
            extern_c=node.extern_c,
            variadic=node.variadic,
            refers=node.result.refers,
        )
        defaults = [parameter.initializer for parameter in node.parameters]
        for parameter, first in zip(parameters, defaults, strict=True):
            # unused: the host passes all arguments
            if function.kind == "kernel" and first is not None:
                implicit(
                    self.expressions.value(first),
                    parameter.type,
                    f"default value of '{parameter.name}'",
                )
        formula = None
        match node.body:
            case Compound(statements=[ReturnSyntax(value=value)]):
                formula = value if "constexpr" in node.marks else None
        return Callee(
            function,
            defaults,
            formula,
            const=node.const,
            deleted="delete" in node.marks,
            owner=owner if this else None,
        )

    def _kind(self, node: FunctionDefinition) -> str:
        """Return what runs the function: see tree.Function."""
        marks = node.marks
        if "__global__" in marks:
            return "kernel"
        if not self.context.whole:
            return "device"
        if "__device__" in marks or "constexpr" in marks:
            return "both" if "__host__" in marks or "__device__" not in marks else "device"
        return "library" if node.body is None and not node.at.column else "host"

    def parameters(self, node: FunctionDefinition) -> list[Variable]:
        """Check the parameters. A const T& of a number is passed by value, which makes no difference."""
        result: list[Variable] = []
        for parameter in node.parameters:
            kind, const, reference = self.types.resolve(parameter.type)
            volatile = parameter.type.is_volatile
            if kind == VOID:
                raise Fault(
                    parameter,
                    f"parameter '{parameter.name}' cannot be void",
                    "write a type such as float*",
                )
            if not reference:
                endless(
                    self.context,
                    parameter,
                    kind,
                    "a parameter that is an object",
                    f"pass it by reference: {kind}& {parameter.name}",
                )
            refers = reference and (not const or volatile or isinstance(kind, Array | Struct))
            if refers:
                kind, const = Pointer(kind, const, volatile), True
            elif isinstance(kind, Array):
                kind, const = Pointer(kind.element, const, volatile), False
            restrict = not reference and any(
                isinstance(last, PointerTo) and last.restrict
                for last in parameter.type.derivations[-1:]
            )
            result.append(
                Variable(
                    parameter.name,
                    kind,
                    "parameter",
                    parameter.at,
                    const,
                    restrict=restrict,
                    refers=refers,
                )
            )
        return result

    # --- member functions -------------------------------------------------------------------

    def functions_of(self, owner: Class, nodes: list[FunctionDefinition]) -> None:
        """Declare them all, then check their bodies: they may call each other. Those of a template wait for a call."""
        if KIND in owner.scope and all(node.first is None for node in nodes):
            nodes = [*nodes, _constructor_of(owner)]  # it says what it is
        for callee in [self.declare_member(owner, node) for node in nodes]:
            if callee and (owner.template is None or callee.kinds is not None):
                callee.check()

    def member_outside(self, node: FunctionDefinition) -> None:
        """Check the body of a member function, such as Point::length(), outside of its struct."""
        name, _, function = node.name.rpartition("::")
        symbol = self.context.find(name)
        if not isinstance(symbol, Alias) or not isinstance(symbol.type, Struct):
            raise self.context.undeclared(node, name, "struct")
        owner = self.context.classes[symbol.type]
        inner = replace(node, name=function)
        if function == owner.struct.name.rpartition("::")[2]:
            inner.first = inner.first or []
        if callee := self.declare_member(owner, inner):
            callee.check()

    def declare_member(self, owner: Class, node: FunctionDefinition) -> Callee | None:
        """Return a member function's entry among the names; None if it does nothing or cannot be called."""
        if "friend" in node.marks:
            owner.friends.add(node.name)
            with self.context.within(owner):
                self.function(node)
            return None
        if "default" in node.marks:
            is_default = node.first is not None and not node.parameters
            if is_default and KIND in owner.scope:
                node.body = Compound(node.at, [])
            else:
                if "virtual" in node.marks:
                    owner.slots.setdefault("~", {})
                owner.trivial |= is_default
                return None
        if "__host__" in node.marks and "__device__" not in node.marks and not self.context.whole:
            owner.scope.setdefault(
                node.name,
                Unavailable(
                    f"'{owner.struct.name}::{node.name}' is a function of the host, which a kernel cannot call",
                    "write __device__ before it",
                    Fault,
                ),
            )
            return None
        if node.template:
            self._own_overloads(owner, node).templates.append(Template(node, owner))
            return None
        if node.first is not None:
            return self._constructor(owner, node)
        if node.name.startswith("~") and not self.context.whole:
            raise Unsupported(node, "destructors", "call a function at the end of the block")
        with self.context.within(owner):
            result, parameters = self.signature(node)
            if node.name == f"{CONVERSION}type":
                node.name = f"{CONVERSION}{result}"
            overloads = self._own_overloads(owner, node)
            known = same_function(overloads, parameters, node.const)
            if known is None:
                name = self.free_name(f"{owner.struct.name}::{node.name}")
                known = self.new_callee(node, name, result, parameters, owner.struct)
                known.names = ChainMap(owner.scope, owner.around)
                overloads.callees.append(known)
                self._virtual(owner, known, node)
            if node.name.startswith("~"):
                owner.destructor = known
        return self._to_check(owner, known, node)

    def _virtual(self, owner: Class, callee: Callee, node: FunctionDefinition) -> None:
        """Put a virtual function, or one that takes the place of one, where calls find it."""
        is_destructor = node.name.startswith("~")
        types = ", ".join(str(parameter.type) for parameter in callee.parameters)
        key = "~" if is_destructor else f"{node.name}({types}){' const' * node.const}"
        if "virtual" in node.marks:
            owner.slots.setdefault(key, {})
        kinds = owner.slots.get(key)
        if kinds is not None and not is_destructor:
            callee.kinds = kinds
            if "0" not in node.marks:
                kinds[self.context.number_of(owner.struct)] = callee.function

    def _to_check(self, owner: Class, callee: Callee, node: FunctionDefinition) -> Callee:
        """Arrange for the callee's body to be checked among the names of its struct; return the callee."""

        def check() -> None:
            with self.context.within(owner):
                if node.first is None:
                    self.define(callee, node)
                else:
                    self._define_constructor(owner, callee, node)

        if node.body is not None:
            if callee.defined or callee.pending is not None:
                raise second_body(node, callee)
            callee.pending = check
        return callee

    def _own_overloads(self, owner: Class, node: FunctionDefinition) -> Overloads:
        base = self.context.classes[owner.struct.base].scope if owner.struct.base else {}
        if owner.scope.get(node.name) is base.get(node.name):  # its own hide those of its base
            owner.scope[node.name] = Overloads()
        return only_functions(node, owner.scope[node.name])

    # --- constructors -----------------------------------------------------------------------

    def _constructor(self, owner: Class, node: FunctionDefinition) -> Callee | None:
        """Make the function that a constructor is: it returns the struct. Return None if it only copies, or does nothing."""
        body = node.body
        says = (
            KIND in owner.scope
            or owner.defaults
            or node.first
            or (body is not None and body.statements)
        )
        if not node.parameters and body is not None and not says:
            owner.trivial = True
            return None
        with self.context.within(owner):
            parameters = self.parameters(node)
            types = [variable.type for variable in parameters]
            if types == [Pointer(owner.struct, True)] and parameters[0].refers:
                return self._copying(node)
            known = same_function(owner.constructors, parameters)
            if known is None:
                name = self.free_name(f"{owner.struct.name}::{own_name(owner.struct)}")
                known = self.new_callee(node, name, owner.struct, parameters)
                known.formula, known.explicit = None, "explicit" in node.marks
                owner.constructors.callees.append(known)
        return self._to_check(owner, known, node)

    @staticmethod
    def _copying(node: FunctionDefinition) -> None:
        """Accept a copy constructor, since structs are copied member by member; raise Unsupported if it does more."""
        for statement in node.body.statements if node.body else []:
            match statement:
                case Evaluate(expression=Assignment()):
                    continue
            raise Unsupported(
                statement,
                "constructors that do more than copy",
                "write a function with a name, and call it",
            )

    def _define_constructor(self, owner: Class, callee: Callee, node: FunctionDefinition) -> None:
        """Check a constructor: first values, then the body, on a variable `this` that is returned."""
        made = Variable("this", owner.struct, "local", node.at)
        self.define(callee, node, [made], lambda: self._first_values(owner, node, made))
        statements = callee.function.body.statements
        statements.append(Return(node.at, Name(node.at, owner.struct, made)))

    def _first_values(self, owner: Class, node: FunctionDefinition, made: Variable) -> list[Stmt]:
        at, struct = node.at, owner.struct
        given = dict(node.first or [])
        if own_name(owner.struct) in given:  # another constructor does it
            other = given[own_name(owner.struct)]
            assert isinstance(other, Braces)
            return [
                Declare(
                    at, made, self.expressions.initializers.object(at, struct, other.items, True)
                )
            ]
        known = {field.name for field in struct.fields}
        for name, first in given.items():
            if name not in known:
                raise Fault(
                    first,
                    f"'{struct}' has no member '{name}'",
                    did_you_mean(name, known) or "write the name of a member",
                )
        this: Expr = Name(at, struct, made)
        arrays: list[tuple[int, Expr]] = []
        result: list[Stmt] = []

        def store(place: Expr, value: Expr) -> None:
            result.append(ExprStmt(at, Assign(at, place.type, place, value)))

        for field in struct.fields:
            declared = Declarator(
                at, field.name, node.result, given.get(field.name) or owner.defaults.get(field.name)
            )
            value = self.expressions.initializers.initial(declared, field.type)
            if isinstance(value, InitializerList):
                arrays += [(field.offset + place, item) for place, item in value.items]
            elif value is not None:
                store(Member(at, field.type, this, field.name), value)
        if isinstance(kind := owner.scope.get(KIND), DataMember):
            number = Literal(at, ULONG, self.context.number_of(struct))
            store(along(at, this, kind), number)
        lists = any(isinstance(first, Braces) and not first.direct for first in given.values())
        whole = Build(at, struct, InitializerList(arrays)) if arrays or lists else None
        return [Declare(at, made, whole), *result]


def same_function(
    overloads: Overloads, parameters: list[Variable], const: bool = False
) -> Callee | None:
    """Return the function with such parameters that is declared already. const: it does not change its object."""
    wanted = [(variable.type, variable.refers) for variable in parameters]
    for known in overloads.callees:
        if known.const == const and wanted == [(p.type, p.refers) for p in known.parameters]:
            return known
    return None


def only_functions(node: FunctionDefinition, symbol: Symbol | None) -> Overloads:
    """Return the functions that a name already stands for; raise Fault where it means something else."""
    if not isinstance(symbol, Overloads):
        raise Fault(node, f"'{node.name}' is already declared here", "choose another name")
    return symbol


def second_body(node: FunctionDefinition, callee: Callee) -> Fault:
    """Return the complaint about a body of what has one."""
    return Fault(node, f"'{callee.function.name}' has a body already", "remove one of the two")


def _constructor_of(owner: Class) -> FunctionDefinition:
    """Return the syntax of a constructor for a struct that has none of its own."""
    at, name = Position(0, 0), own_name(owner.struct)
    result, body = TypeName(at, name), Compound(at, [])
    return FunctionDefinition(at, name, result, body=body, first=[])
