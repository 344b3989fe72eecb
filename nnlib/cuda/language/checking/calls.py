"""Calls: which function is meant, and do the arguments fit it."""

from __future__ import annotations

from collections.abc import Callable

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.conversions import convert, implicit
from nnlib.cuda.language.checking.destructors import named
from nnlib.cuda.language.checking.intrinsics import call_intrinsic
from nnlib.cuda.language.checking.lvalues import address_of, chosen, decayed, is_lvalue, no_text, with_place
from nnlib.cuda.language.checking.overloads import check_count, fits_exactly, required, resolve
from nnlib.cuda.language.checking.printf import printf
from nnlib.cuda.language.checking.symbols import Callee, Overloads, Template
from nnlib.cuda.language.checking.user_conversions import UserConversions
from nnlib.cuda.language.cuda_functions import INTRINSICS, Overload
from nnlib.cuda.language.diagnostics import Fault, Unsupported
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Call, Convert, Dereference, Expr, Function, Literal, Position, StringLiteral
from nnlib.cuda.language.types import VOID, FunctionName, Pointer, Type

ANY_POINTER = Pointer(Pointer(VOID))
Use = Callable[[Position, Callee, list[Expr]], Expr]
Instantiate = Callable[[syntax.Apply, list[Template], list[Expr], bool], list[Callee]]


# What of CUDA's functions the host has, too.
HOST_KINDS = ("math", "results", "vector", "check", "clock")


class CallChecker:
    """value: checks an expression. instantiate: what templates become for a call, see templates.py."""

    instantiate: Instantiate

    def __init__(self, context: Context, value: Callable[[syntax.Node], Expr]) -> None:
        self.context, self.value = context, value
        self.conversions = UserConversions(context, self.call_user)

    def call(self, node: syntax.Apply, arguments: list[Expr], known: Overloads, this: Expr | None = None,
             use: Use | None = None) -> Expr:
        """The call of the user's functions or CUDA's by that name. arguments: checked, arrays not yet decayed.
        this: pointer to the object, in a call of member functions. use: what to do with the user's function that is
        meant, if not call it."""
        at, name = node.at, node.name
        if name == "nnlib::left_out":
            what, instead = (argument.value for argument in arguments if isinstance(argument, StringLiteral))
            raise Unsupported(at, what, instead)
        if name == "printf" and not known.callees:
            return printf(at, arguments, self.context.on_host)
        for argument in arguments:
            no_text(argument)
        callees, overloads = self._of_this_side(known.callees), INTRINSICS.get(name, []) if this is None else []
        if self.context.on_host and callees:
            own = [list(map(_type, callee.parameters)) for callee in callees]
            overloads = [overload for overload in overloads
                         if overload.kind in HOST_KINDS and list(overload.parameters) not in own]
        plain: list[Callee | Overload] = [*callees, *overloads]
        if node.template_arguments:
            callees, overloads = self.instantiate(node, known.templates, arguments, False), []
        elif known.templates and not any(fits_exactly(function, arguments) for function in plain):
            callees = callees + self.instantiate(node, known.templates, arguments, bool(plain))
        if not callees and not overloads:
            raise self.context.undeclared(at, name, "function")
        chosen = resolve(at, name, arguments, self._of_object(callees, this), overloads, self.conversions.fit)
        if isinstance(chosen, Callee):
            return use(at, chosen, arguments) if use is not None else self.call_user(at, chosen, arguments, this)
        if self.context.on_host and chosen.kind not in HOST_KINDS:
            raise Fault(at, f"'{name}' is for kernels, but this function runs on the host", "call it in a kernel")
        return call_intrinsic(self.context, at, chosen,
                              [self.conversions.plain(decayed(argument)) for argument in arguments])

    def _of_this_side(self, callees: list[Callee]) -> list[Callee]:
        """In a kernel CUDA's own memcpy is meant, not that of the host's library."""
        if self.context.on_host:
            return callees
        return [callee for callee in callees if callee.function.kind != "library"] or (
            [] if callees and callees[0].function.name in INTRINSICS else callees)

    @staticmethod
    def _of_object(callees: list[Callee], this: Expr | None) -> list[Callee]:
        """Of member functions that differ in const only, the one for this object."""
        if this is None:
            return callees
        assert isinstance(this.type, Pointer)
        if this.type.const:
            return [callee for callee in callees if callee.const or callee.owner is None] or callees
        both = {tuple(map(_type, callee.parameters)) for callee in callees if not callee.const}
        return [callee for callee in callees
                if not callee.const or tuple(map(_type, callee.parameters)) not in both]

    def call_user(self, at: Position, callee: Callee, arguments: list[Expr], this: Expr | None = None) -> Expr:
        """The call of one function of the text."""
        function = callee.function
        if callee.deleted:
            name, _, _ = function.name.partition("#")
            raise Fault(at, f"'{name}' is deleted in line {function.at.line}: nobody may call it",
                        "call another one, or write it without = delete")
        callee.used = True
        callee.check()
        self._may_call(at, function)
        result = self.arguments(at, callee, arguments)
        if callee.owner is not None:
            result.insert(0, self._object(at, callee, this))
        called = self._known_value(callee, result) or Call(at, function.return_type, function, result)
        if callee.returns_reference:
            assert isinstance(function.return_type, Pointer)
            return Dereference(at, function.return_type.target, called)
        return called

    def _may_call(self, at: Position, function: Function) -> None:
        """Complain about a call from the wrong side."""
        name, on_host = function.name, self.context.on_host
        if function.kind == "kernel":
            if on_host:
                raise Fault(at, f"'{name}' is a kernel: it is launched, not called",
                            f"write {name}<<<grid, block>>>(arguments);")
            where = "the host" if self.context.whole else "Python"
            raise Fault(at, f"'{name}' is a kernel: it is launched from {where}, not called",
                        "move the common code to a __device__ function")
        if on_host and function.kind == "device":
            raise Fault(at, f"'{name}' is a __device__ function, which the host cannot call",
                        "write __host__ __device__ before it")
        if not on_host and function.kind == "library":
            raise self.context.undeclared(at, name, "function")
        if not on_host and function.kind == "host":
            raise Fault(at, f"'{name}' is a function of the host, which a kernel cannot call",
                        "write __device__ before it, or __host__ __device__ for both sides")

    def arguments(self, at: Position, callee: Callee, arguments: list[Expr]) -> list[Expr]:
        """One value per parameter, converted."""
        function = callee.function
        check_count(at, function.name, len(arguments), required(callee), len(callee.parameters),
                    [f"{p.type} {p.name}" for p in callee.parameters])
        result: list[Expr] = []
        for i, parameter in enumerate(callee.parameters):
            what = f"argument {i + 1} ('{parameter.name}') of {function.name}"
            argument = arguments[i] if i < len(arguments) else self._default(callee, i)
            if function.kind == "library":
                result.append(self._library_argument(decayed(argument), parameter.type, what))
            elif callee.references[i]:
                assert isinstance(parameter.type, Pointer)
                result.append(self._reference(at, argument, parameter.type, what))
            else:
                result.append(self.conversions.implicit(decayed(argument), parameter.type, what))
        return result

    def _library_argument(self, argument: Expr, kind: Type, what: str) -> Expr:
        """An argument of a function of the host's library: as ever, but &pointer for void**, and a kernel for void*."""
        if isinstance(argument.type, FunctionName) and isinstance(kind, Pointer):
            return Convert(argument.at, kind, argument)
        if kind == ANY_POINTER and isinstance(argument.type, Pointer) and isinstance(argument.type.target, Pointer):
            return convert(argument, kind)
        return self.conversions.implicit(argument, kind, what)

    @staticmethod
    def _object(at: Position, callee: Callee, this: Expr | None) -> Expr:
        if this is None:
            raise Fault(at, f"'{callee.function.name}' needs an object", "write object.function(...)")
        assert isinstance(this.type, Pointer)
        if this.type.const and not callee.const:
            raise Fault(at, f"'{callee.function.name}' may change its object, which is const here",
                        "write const behind the parameters of the function")
        return convert(this, callee.function.parameters[0].type)

    def _reference(self, at: Position, argument: Expr, kind: Pointer, what: str) -> Expr:
        """The pointer that a parameter T& gets; what is no variable of the type gets a place first, for const T&."""
        argument = chosen(argument)
        if not is_lvalue(argument) or argument.type != kind.target:
            if not kind.const:
                raise Fault(argument.at, f"{what} is a reference and needs a variable of type {kind.target}",
                            "pass a variable")
            argument = with_place(named(self.context, self.conversions.implicit(argument, kind.target, what)))
        return implicit(address_of(at, argument), kind, what)

    def _default(self, callee: Callee, index: int) -> Expr:
        node = callee.defaults[index]
        assert node is not None
        return self.value(node)

    def _known_value(self, callee: Callee, arguments: list[Expr]) -> Literal | None:
        """Of a constexpr function whose arguments are known; recursion is left to run time."""
        values = [argument for argument in arguments if isinstance(argument, Literal)]
        if callee.formula is None or callee.owner is not None or len(values) < len(arguments):
            return None
        names = [parameter.name for parameter in callee.function.parameters]
        formula, callee.formula = callee.formula, None
        with self.context.alone({**callee.names, **dict(zip(names, values, strict=True))}):
            value = convert(self.value(formula), callee.function.return_type)
        callee.formula = formula
        return value if isinstance(value, Literal) else None


def _type(parameter: object) -> object:
    return getattr(parameter, "type", None)
