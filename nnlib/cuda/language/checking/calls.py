"""Calls: which function is meant, and do the arguments fit it."""

from __future__ import annotations

from collections.abc import Callable

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.conversions import convert, implicit
from nnlib.cuda.language.checking.intrinsics import call_intrinsic
from nnlib.cuda.language.checking.lvalues import address_of, decayed, is_lvalue, no_text
from nnlib.cuda.language.checking.overloads import check_count, fits_exactly, required, resolve
from nnlib.cuda.language.checking.printf import printf
from nnlib.cuda.language.checking.symbols import Callee, Overloads, Template
from nnlib.cuda.language.cuda_functions import INTRINSICS, Overload
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Call, Convert, Expr, Function, Literal, Position
from nnlib.cuda.language.types import VOID, FunctionName, Pointer, Type

ANY_POINTER = Pointer(Pointer(VOID))
Use = Callable[[Position, Callee, list[Expr]], Expr]
Instantiate = Callable[[syntax.Apply, list[Template], list[Expr], bool], list[Callee]]


# What of CUDA's functions the host has, too.
HOST_KINDS = ("math", "results", "vector", "check", "clock")


def library_argument(argument: Expr, kind: Type, what: str) -> Expr:
    """An argument of a function of the host's library: as ever, but &pointer for void**, and a kernel for void*."""
    if isinstance(argument.type, FunctionName) and isinstance(kind, Pointer):
        return Convert(argument.at, kind, argument)
    if kind == ANY_POINTER and isinstance(argument.type, Pointer) and isinstance(argument.type.target, Pointer):
        return convert(argument, kind)
    return implicit(argument, kind, what)


class CallChecker:
    """value: checks an expression. instantiate: what templates become for a call, see templates.py."""

    instantiate: Instantiate

    def __init__(self, context: Context, value: Callable[[syntax.Node], Expr]) -> None:
        self.context, self.value = context, value

    def call(self, node: syntax.Apply, arguments: list[Expr], known: Overloads, use: Use | None = None) -> Expr:
        """The call of the user's functions or CUDA's by that name. arguments: checked, arrays not yet decayed.
        use: what to do with the user's function that is meant, if not call it."""
        at, name = node.at, node.name
        if name == "printf" and not known.callees:
            return printf(at, arguments, self.context.on_host)
        for argument in arguments:
            no_text(argument)
        callees, overloads = known.callees, INTRINSICS.get(name, [])
        plain: list[Callee | Overload] = [*callees, *overloads]
        if node.template_arguments:
            callees, overloads = self.instantiate(node, known.templates, arguments, False), []
        elif known.templates and not any(fits_exactly(function, arguments) for function in plain):
            callees = callees + self.instantiate(node, known.templates, arguments, bool(plain))
        if not callees and not overloads:
            raise self.context.undeclared(at, name, "function")
        chosen = resolve(at, name, arguments, callees, overloads)
        if isinstance(chosen, Callee):
            return (use or self._call_user)(at, chosen, arguments)
        if self.context.on_host and chosen.kind not in HOST_KINDS:
            raise Fault(at, f"'{name}' is for kernels, but this function runs on the host", "call it in a kernel")
        return call_intrinsic(self.context, at, chosen, [decayed(argument) for argument in arguments])

    def _call_user(self, at: Position, callee: Callee, arguments: list[Expr]) -> Expr:
        function = callee.function
        self._may_call(at, function)
        result = self.arguments(at, callee, arguments)
        return self._known_value(callee, result) or Call(at, function.return_type, function, result)

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
        check_count(at, function.name, len(arguments), required(callee), len(function.parameters),
                    [f"{p.type} {p.name}" for p in function.parameters])
        result: list[Expr] = []
        for i, parameter in enumerate(function.parameters):
            what = f"argument {i + 1} ('{parameter.name}') of {function.name}"
            argument = arguments[i] if i < len(arguments) else self._default(callee, i)
            if function.kind == "library":
                result.append(library_argument(decayed(argument), parameter.type, what))
            elif callee.references[i]:
                assert isinstance(parameter.type, Pointer)
                if not is_lvalue(argument) or argument.type != parameter.type.target:
                    raise Fault(argument.at, f"{what} is a reference and needs a variable of type "
                                f"{parameter.type.target}", "pass a variable")
                result.append(implicit(address_of(at, argument), parameter.type, what))
            else:
                result.append(implicit(decayed(argument), parameter.type, what))
        return result

    def _default(self, callee: Callee, index: int) -> Expr:
        node = callee.defaults[index]
        assert node is not None
        return self.value(node)

    def _known_value(self, callee: Callee, arguments: list[Expr]) -> Literal | None:
        """Of a constexpr function whose arguments are known; recursion is left to run time."""
        values = [argument for argument in arguments if isinstance(argument, Literal)]
        if callee.formula is None or len(values) < len(arguments):
            return None
        names = [parameter.name for parameter in callee.function.parameters]
        formula, callee.formula = callee.formula, None
        with self.context.alone(dict(zip(names, values, strict=True))):
            value = convert(self.value(formula), callee.function.return_type)
        callee.formula = formula
        return value if isinstance(value, Literal) else None
