"""Checks calls: which function is meant, and whether the arguments fit it, perhaps by a constructor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..cuda_functions import INTRINSICS, Overload
from ..diagnostics import Fault, Unsupported, belongs_to_host
from ..parsing.syntax import Braces, Identifier, Node
from ..tree import Call, Convert, Expr, Function, Literal, Position, StringLiteral
from ..types import (
    DIM3,
    DOUBLE,
    FLOAT,
    VOID,
    FunctionName,
    Pointer,
    Scalar,
    Struct,
    Type,
    Vector,
    target_of,
)
from .intrinsics import call_intrinsic, check_count, make_dim3, printf
from .names import Callee, Context, Listed, Overloads, Template
from .objects import (
    address_of,
    chosen,
    decayed,
    is_lvalue,
    named,
    no_text,
    pointee,
    with_place,
)
from .overloads import fits_exactly, resolve
from .type_names import TypeNames
from .values import EXACT, USER, as_base, convert, fit, implicit, is_integer, promoted

CONVERSION = "operator "  # how the names of such functions begin


ANY_POINTER = Pointer(Pointer(VOID))
Use = Callable[[Position, Callee, list[Expr]], Expr]
Instantiate = Callable[[Identifier, list[Template], list[Expr] | None, bool], list[Callee]]


# What of CUDA's functions the host has, too.
HOST_KINDS = ("math", "results", "vector", "check", "clock")


class CallChecker:
    """Checks calls.

    instantiate: what templates become for a call, see templates.py. listed: checks a list in braces as a value of some type.
    """

    instantiate: Instantiate
    listed: Callable[[Node, Type, str], Expr]

    def __init__(
        self, context: Context, types: TypeNames, expression: Callable[[Node], Expr]
    ) -> None:
        self.context, self.types, self.expression = context, types, expression

    def value(self, node: Node) -> Expr:
        """Check an expression as a value: arrays decay to pointers."""
        return no_text(decayed(self.expression(node)))

    def arguments(self, nodes: list[Node]) -> list[Expr]:
        """Check the arguments of a call; arrays stay arrays, and lists wait for what they are to become."""
        return [
            Listed(node.at, VOID, node) if isinstance(node, Braces) else self.expression(node)
            for node in nodes
        ]

    # --- the function that is meant -------------------------------------------------------

    def call(
        self,
        node: Identifier,
        arguments: list[Expr],
        known: Overloads,
        this: Expr | None = None,
        use: Use | None = None,
    ) -> Expr:
        """Check a call of the user's or CUDA's functions of that name.

        arguments: checked, arrays not yet decayed. this: pointer to the object, in a call of member functions. use: what to do
        with the user's function that is meant, if not call it.
        """
        at, name = node.at, node.name
        if name == "nnlib::left_out":
            what, instead = (
                argument.value for argument in arguments if isinstance(argument, StringLiteral)
            )
            raise Unsupported(at, what, instead)
        if name == "printf" and not known.callees:
            return printf(at, arguments, self.context.on_host)
        for argument in arguments:
            no_text(argument)
        callees, overloads = (
            self._of_this_side(known.callees),
            INTRINSICS.get(name, []) if this is None else [],
        )
        if self.context.on_host and callees:
            own = [callee.types for callee in callees]
            overloads = [
                overload
                for overload in overloads
                if overload.kind in HOST_KINDS and overload.types not in own
            ]
        plain: list[Callee | Overload] = [*callees, *overloads]
        if node.template_arguments:
            callees, overloads = self.instantiate(node, known.templates, arguments, False), []
        elif known.templates and not any(fits_exactly(function, arguments) for function in plain):
            callees = callees + self.instantiate(node, known.templates, arguments, bool(plain))
        if not callees and not overloads:
            raise self.context.undeclared(at, name, "function")
        chosen = resolve(
            at,
            name,
            arguments,
            self._of_object(callees, this),
            self._of_cmath(arguments, overloads),
            self.fit,
        )
        if isinstance(chosen, Callee):
            if chosen.kinds is not None and "::" in name:  # Base::f() means that one
                chosen.check()
                chosen = replace(chosen, kinds=None)
            if use is not None:
                return use(at, chosen, arguments)
            return self.call_user(at, chosen, arguments, this)
        if self.context.on_host and chosen.kind not in HOST_KINDS:
            raise Fault(
                at,
                f"'{name}' is for kernels, but this function runs on the host",
                "call it in a kernel",
            )
        return call_intrinsic(
            self.context,
            at,
            chosen,
            [self.plain(decayed(argument)) for argument in arguments],
        )

    def _of_cmath(self, arguments: list[Expr], overloads: list[Overload]) -> list[Overload]:
        """Choose the double versions for integers: pow(int, int), and ceil(int) and the like in a program with <cmath>."""
        for_integers = any(all(map(is_integer, overload.parameters)) for overload in overloads)
        takes = self.context.whole or any(overload.name == "pow" for overload in overloads)
        if (
            not takes
            or for_integers
            or not all(is_integer(decayed(value).type) for value in arguments)
        ):
            return overloads
        return [overload for overload in overloads if {*overload.types} == {DOUBLE}] or overloads

    def _of_this_side(self, callees: list[Callee]) -> list[Callee]:
        """Leave out the host library's functions in a kernel, where CUDA's own memcpy is meant."""
        if self.context.on_host:
            return callees
        return [callee for callee in callees if callee.function.kind != "library"] or (
            [] if callees and callees[0].function.name in INTRINSICS else callees
        )

    @staticmethod
    def _of_object(callees: list[Callee], this: Expr | None) -> list[Callee]:
        """Choose, among member functions that differ in const only, those for this object."""
        if this is None:
            return callees
        assert isinstance(this.type, Pointer)
        if this.type.const:
            return [callee for callee in callees if callee.const or callee.owner is None] or callees
        both = [callee.types for callee in callees if not callee.const]
        return [callee for callee in callees if not callee.const or callee.types not in both]

    def call_fitting(
        self, at: Position, name: str, arguments: list[Expr], callees: list[Callee]
    ) -> Expr:
        """Check a call of the function of the program that fits the arguments best."""
        chosen = resolve(at, name, arguments, callees, [], self.fit)
        assert isinstance(chosen, Callee)
        return self.call_user(at, chosen, arguments)

    def call_user(
        self, at: Position, callee: Callee, arguments: list[Expr], this: Expr | None = None
    ) -> Expr:
        """Check a call of one function of the program."""
        function = callee.function
        if callee.deleted:
            name, _, _ = function.name.partition("#")
            raise Fault(
                at,
                f"'{name}' is deleted in line {function.at.line}: nobody may call it",
                "call another one, or write it without = delete",
            )
        callee.used = callee.kinds is None or callee.defined
        callee.check()
        self._may_call(at, function)
        result = self.passed(at, callee, arguments)
        if callee.owner is not None:
            result.insert(0, self._object(at, callee, this))
        called = self._known_value(callee, result) or self._called(at, callee, result)
        return pointee(at, called) if function.refers else called

    def _called(self, at: Position, callee: Callee, arguments: list[Expr]) -> Call:
        if callee.kinds is not None and not self.context.on_host:
            raise Unsupported(
                at,
                "virtual functions in a kernel",
                "use a member that says which kind it is, and switch",
            )
        return Call(at, callee.function.return_type, callee.function, arguments, callee.kinds)

    def _may_call(self, at: Position, function: Function) -> None:
        """Raise Fault for a call from the wrong side, such as a kernel's call of a host function."""
        runner = self.context.function
        if runner is not None and runner.kind == "both" and function.kind in ("host", "library"):
            runner.kind = "host"  # as nvcc has it: a mistake only if a kernel calls it
            self.context.left_to_host = True
        name, on_host = function.name, self.context.on_host
        if function.kind == "kernel":
            if on_host:
                raise Fault(
                    at,
                    f"'{name}' is a kernel: it is launched, not called",
                    f"write {name}<<<grid, block>>>(arguments);",
                )
            where = "the host" if self.context.whole else "Python"
            raise Fault(
                at,
                f"'{name}' is a kernel: it is launched from {where}, not called",
                "move the common code to a __device__ function",
            )
        if on_host and function.kind == "device":
            raise Fault(
                at,
                f"'{name}' is a __device__ function, which the host cannot call",
                "write __host__ __device__ before it",
            )
        if not on_host and function.kind == "library":
            raise self.context.undeclared(at, name, "function")
        if not on_host and function.kind == "host":
            raise belongs_to_host(at, name, "function")

    def passed(self, at: Position, callee: Callee, arguments: list[Expr]) -> list[Expr]:
        """Return one converted value per parameter."""
        function = callee.function
        parameters = [f"{p.type} {p.name}" for p in callee.parameters]
        counted = arguments[: len(parameters)] if function.variadic else arguments
        check_count(at, function.name, counted, callee.required, parameters)
        result: list[Expr] = []
        for i, parameter in enumerate(callee.parameters):
            what = f"argument {i + 1} ('{parameter.name}') of {function.name}"
            argument = arguments[i] if i < len(arguments) else self._default(callee, i)
            if function.kind == "library":
                result.append(self._library_argument(decayed(argument), parameter.type, what))
            elif parameter.refers:
                assert isinstance(parameter.type, Pointer)
                result.append(self._reference(at, argument, parameter.type, what))
            else:
                result.append(self.implicit(decayed(argument), parameter.type, what))
        return result + [_unnamed(argument) for argument in arguments[len(callee.parameters) :]]

    def _library_argument(self, argument: Expr, kind: Type, what: str) -> Expr:
        """Convert an argument of a host library's function, which also takes &pointer for void** and a kernel for void*."""
        if isinstance(argument.type, FunctionName) and isinstance(kind, Pointer):
            return Convert(argument.at, kind, argument)
        if kind == ANY_POINTER and isinstance(target_of(argument.type), Pointer):
            return convert(argument, kind)
        return self.implicit(argument, kind, what)

    @staticmethod
    def _object(at: Position, callee: Callee, this: Expr | None) -> Expr:
        if this is None:
            raise Fault(
                at, f"'{callee.function.name}' needs an object", "write object.function(...)"
            )
        assert isinstance(this.type, Pointer)
        if this.type.const and not callee.const:
            raise Fault(
                at,
                f"'{callee.function.name}' may change its object, which is const here",
                "write const behind the parameters of the function",
            )
        return convert(this, callee.function.parameters[0].type)

    def _reference(self, at: Position, argument: Expr, kind: Pointer, what: str) -> Expr:
        """Return the pointer that a parameter T& receives; for const T&, a value without an address is stored first."""
        argument = as_base(chosen(argument), kind.target)
        if not is_lvalue(argument) or argument.type != kind.target:
            if not kind.const:
                raise Fault(
                    argument,
                    f"{what} is a reference and needs a variable of type {kind.target}",
                    "pass a variable",
                )
            argument = with_place(named(self.context, self.implicit(argument, kind.target, what)))
        return implicit(address_of(at, argument), kind, what)

    def _default(self, callee: Callee, index: int) -> Expr:
        node = callee.defaults[index]
        assert node is not None
        made = callee.function.return_type
        is_constructor = callee.function.name.startswith(f"{made}::")
        owner = self.context.classes.get(made) if is_constructor else None
        if owner is None and callee.owner is not None:
            owner = self.context.classes[callee.owner]
        with self.context.within(owner, callee.names):
            return self.value(node)

    def _known_value(self, callee: Callee, arguments: list[Expr]) -> Literal | None:
        """Evaluate a call of a constexpr function whose arguments are known. Recursion is left to run time."""
        values = [argument for argument in arguments if isinstance(argument, Literal)]
        if callee.formula is None or callee.owner is not None or len(values) < len(arguments):
            return None
        names = [parameter.name for parameter in callee.function.parameters]
        formula, callee.formula = callee.formula, None
        with self.context.alone({**callee.names, **dict(zip(names, values, strict=True))}):
            value = convert(self.value(formula), callee.function.return_type)
        callee.formula = formula
        return value if isinstance(value, Literal) else None

    # --- conversions, also those that the text's classes provide -----------------------------

    def fit(self, value: Expr, target: Type) -> int | None:
        """Return how well a value fits a type, as `conversions.fit` does, and USER where the program defines the conversion."""
        if isinstance(value, Listed):
            return USER if isinstance(target, Struct | Vector | Scalar) else None
        if self._is_size(value, target):
            return USER
        found = fit(value, target)
        return USER if found is None and self._way(value, target) is not None else found

    def implicit(self, value: Expr, target: Type, what: str) -> Expr:
        """Convert a value as `conversions.implicit` does, also by conversions that the program defines."""
        if isinstance(value, Listed):
            return self.listed(value.node, target, what)
        if self._is_size(value, target):
            return make_dim3(self.context, value.at, [decayed(value)])
        way = self._way(value, target) if fit(value, target) is None else None
        return implicit(value if way is None else self._converted(value, way), target, what)

    def _is_size(self, value: Expr, target: Type) -> bool:
        """Return whether this is a number that stands for a dim3, as the host allows."""
        return self.context.on_host and target == DIM3 and isinstance(decayed(value).type, Scalar)

    def plain(self, value: Expr) -> Expr:
        """Return the number or pointer that an object converts to, if it defines exactly one such conversion."""
        ways = self._operators(value.type)
        return self._converted(value, ways[0]) if len(ways) == 1 else value

    def _converted(self, value: Expr, way: Callee) -> Expr:
        if way.owner is None:
            return self.call_user(value.at, way, [value])
        return self.call_user(value.at, way, [], address_of(value.at, with_place(value)))

    def _way(self, value: Expr, target: Type) -> Callee | None:
        owner = self.context.classes.get(target)
        scored = [
            (fit(decayed(value), callee.types[0]), callee)
            for callee in (owner.constructors.callees if owner else ())
            if callee.parameters and callee.required <= 1 and not callee.explicit
        ]
        exact = [callee for score, callee in scored if score == EXACT]
        if ways := exact or [callee for score, callee in scored if score is not None]:
            return ways[0]
        operators = self._operators(value.type)
        exact = [callee for callee in operators if callee.function.return_type == target]
        near = [
            callee
            for callee in operators
            if isinstance(callee.function.return_type, Scalar) and isinstance(target, Scalar)
        ]
        return next(iter(exact or near), None)

    def _operators(self, given: Type) -> list[Callee]:
        owner = self.context.classes.get(given)
        return [
            callee
            for name, symbol in (owner.scope.items() if owner else ())
            if name.startswith(CONVERSION) and isinstance(symbol, Overloads)
            for callee in symbol.callees
        ]


def _unnamed(argument: Expr) -> Expr:
    """Convert an argument for the ... of a function: small integers become int, float becomes double."""
    value = decayed(argument)
    return (
        convert(value, DOUBLE if value.type == FLOAT else promoted(value.type))
        if isinstance(value.type, Scalar) and not isinstance(value.type, FunctionName)
        else value
    )
