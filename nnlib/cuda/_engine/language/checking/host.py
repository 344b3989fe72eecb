"""Check what only the host's side of a program has: launches, new and delete, symbols of the GPU, function pointers.

Kernels that try it are told what to do instead.
"""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics import Fault, Unsupported, belongs_to_host
from ..parsing.syntax import (
    Cast,
    DeleteSyntax,
    Identifier,
    LaunchSyntax,
    NewSyntax,
    Node,
    Number,
    Prefix,
    QuotedText,
)
from ..tree import (
    AddressOf,
    CallPointer,
    Delete,
    Expr,
    IntrinsicCall,
    KernelLaunch,
    LaunchPointer,
    Literal,
    Located,
    Name,
    New,
    Position,
    Variable,
)
from ..types import (
    CHAR,
    INT,
    ULONG,
    VOID,
    FunctionName,
    FunctionType,
    Pointer,
    Struct,
    Type,
    function_behind,
    function_name,
)
from .calls import CallChecker
from .initializers import InitializerChecker
from .intrinsics import check_count, printf
from .names import FIRST_POINTER, Callee, Overloads
from .objects import decayed, endings
from .operators import complete
from .values import implicit, is_integer

_SYMBOLS = (
    "cudaMemcpyToSymbol",
    "cudaMemcpyFromSymbol",
    "cudaMemcpyToSymbolAsync",
    "cudaMemcpyFromSymbolAsync",
    "cudaGetSymbolAddress",
    "cudaGetSymbolSize",
)
# printf's family: what stands before the text.
_PRINTERS: dict[str, list[Type]] = {
    "fprintf": [Pointer(VOID)],
    "sprintf": [Pointer(CHAR)],
    "snprintf": [Pointer(CHAR), ULONG],
}


class HostChecker:
    """special: calls that are not checked as other calls are, by name."""

    def __init__(
        self,
        calls: CallChecker,
        initializers: InitializerChecker,
    ) -> None:
        self.calls, self.context = calls, calls.context
        self.initializers = initializers
        self.special: dict[str, Callable[[Identifier, list[Node], Overloads], Expr]] = {
            **dict.fromkeys(_SYMBOLS, self._with_symbol),
            **dict.fromkeys(_PRINTERS, self._print),
        }

    def reachable(self, place: Expr) -> None:
        """Raise Fault for a variable of the other side: of the GPU on the host, or of the host in a kernel."""
        if not self.context.whole or not isinstance(place, Name):
            return
        name, space = place.variable.name, place.variable.space
        if self.context.on_host and space in ("global", "constant") and not place.variable.managed:
            if self.context.function is None:
                raise FIRST_POINTER.fault(place)
            raise Fault(
                place,
                f"'{name}' is a variable of the GPU, which the host cannot touch",
                "copy it with cudaMemcpyFromSymbol or cudaMemcpyToSymbol",
            )
        if not self.context.on_host and space == "host":
            raise belongs_to_host(place, name)

    def _only_on_host(
        self,
        where: Located,
        what: str,
        instead: str = "use a local array, or pass memory as an argument",
    ) -> None:
        if not self.context.on_host:
            raise Unsupported(where, what, instead)

    # --- launches -------------------------------------------------------------------------

    def launch(self, node: LaunchSyntax) -> Expr:
        """Check kernel<<<grid, block, shared, stream>>>(arguments)."""
        at, value, given = node.at, node.value, node.configuration
        name = value.name if isinstance(value, Identifier) else "kernel"
        instead = f"launch it from Python: {name}(grid, block, args)"
        if self.context.function and self.context.function.kind == "kernel":
            what = "dynamic parallelism, which is a kernel that launches kernels"
            instead = "launch it from the host" if self.context.whole else instead
        else:
            what = "a launch by a function of the host, where only kernels are compiled"
            instead += "; of a file, RawModule(path=...) leaves the host's part out"
        self._only_on_host(at, what, instead)
        if not 2 <= len(given) <= 4:
            raise Fault(
                at,
                f"<<<...>>> takes grid and block, and may take shared memory and a stream, but "
                f"{len(given)} given",
                f"write {name}<<<blocks, threads>>>(...)",
            )
        symbol = self.context.find(name) if isinstance(value, Identifier) else None
        if symbol is None and isinstance(value, Identifier):
            raise self.context.undeclared(at, name, "kernel")
        if not isinstance(symbol, Overloads):
            kernel = self.calls.value(value)
            if not isinstance(kernel.type, FunctionName):
                return self.launched(node, kernel, self._configuration(node))
            value = Identifier(at, kernel.type.name)
            symbol = self.context.named_functions[value.name]
        assert isinstance(value, Identifier)

        def started(at: Position, callee: Callee, arguments: list[Expr]) -> Expr:
            if callee.function.kind != "kernel":
                raise Fault(
                    at,
                    f"'{name}' is no kernel",
                    f"write __global__ before it, or call it: {name}(...)",
                )
            configuration = self._configuration(node)
            callee.used = True
            passed = self.calls.passed(at, callee, arguments)
            return KernelLaunch(at, VOID, *configuration, passed, callee.function)

        arguments = [self.calls.expression(argument) for argument in node.arguments]
        return self.calls.call(value, arguments, symbol, use=started)

    def _configuration(self, node: LaunchSyntax) -> tuple[Expr, Expr, Expr, Expr]:
        """Check grid, block, shared memory and stream of a launch."""
        grid, block, *rest = node.configuration
        zeros: list[Node] = [Number(node.at, "0")] * 2
        shared, stream = map(self.calls.value, [*rest, *zeros][:2])
        return (
            self.initializers.dimensions(grid.at, grid),
            self.initializers.dimensions(block.at, block),
            implicit(shared, ULONG, "shared memory of the launch"),
            implicit(stream, Pointer(VOID), "stream of the launch"),
        )

    # --- memory ---------------------------------------------------------------------------

    def new(self, node: NewSyntax) -> Expr:
        """Check new type, new type(value) and new type[count]."""
        self._only_on_host(node, "new")
        kind, const, _ = self.calls.types.resolve(node.target)
        count = None if node.count is None else self.calls.value(node.count)
        if count is not None and not is_integer(count.type):
            raise Fault(
                count,
                f"the number of elements must be an integer, but is '{count.type}'",
                "use an int",
            )
        initial = None
        if isinstance(kind, Struct) and node.count is None:
            initial = self.initializers.object(node.at, kind, node.arguments or [], True)
        elif node.arguments:
            initial = implicit(self.calls.value(node.arguments[0]), kind, "first value")
        else:
            first = self.initializers.default(node.at, kind)
            initial = first if isinstance(first, Expr) else None
        return New(node.at, Pointer(kind, const), count, initial, node.arguments is not None)

    def delete(self, node: DeleteSyntax) -> Expr:
        """Check delete pointer and delete[] pointer."""
        self._only_on_host(node, "delete")
        pointer = self.calls.value(node.pointer)
        if not isinstance(pointer.type, Pointer):
            raise Fault(
                node,
                f"delete needs a pointer, but this is '{pointer.type}'",
                "delete what new returned",
            )
        complete(pointer, node.at)
        found = Delete(
            node.at, VOID, pointer, node.array, endings(self.context, pointer.type.target)
        )
        owner = self.context.classes.get(pointer.type.target)
        if owner is not None and "~" in owner.slots:
            self.context.deleted.append((found, owner.struct))
        return found

    # --- calls ----------------------------------------------------------------------------

    def _with_symbol(self, name: Identifier, given: list[Node], known: Overloads) -> Expr:
        """Check cudaMemcpyToSymbol and related functions, which name a variable of the GPU."""
        place = 1 if name.name.startswith(("cudaMemcpyFrom", "cudaGet")) else 0
        arguments = [
            self._symbol(argument) if k == place else self.calls.expression(argument)
            for k, argument in enumerate(given)
        ]
        return self.calls.call(name, arguments, known)

    def _symbol(self, node: Node) -> Expr:
        while isinstance(node, Prefix | Cast) and (isinstance(node, Cast) or node.op == "&"):
            node = node.operand
        match node:
            case Identifier(name=name) | QuotedText(text=name):
                variable = self.context.find(name)
            case _:
                variable = None
        if not isinstance(variable, Variable) or variable.space not in ("global", "constant"):
            raise Fault(
                node,
                "a symbol is needed here: the name of a __device__ or __constant__ variable",
                "for memory of cudaMalloc, use cudaMemcpy",
            )
        return AddressOf(node.at, Pointer(variable.type), Name(node.at, variable.type, variable))

    def _print(self, node: Identifier, given: list[Node], known: Overloads) -> Expr:
        """Check fprintf, sprintf or snprintf: where to print, then arguments as for printf."""
        arguments = [self.calls.expression(argument) for argument in given]
        if any(callee.defined for callee in known.callees):
            return self.calls.call(node, arguments, known)
        kinds = _PRINTERS[node.name]
        call = printf(node.at, arguments[len(kinds) :], True, node.name)
        assert isinstance(call, IntrinsicCall)
        target = [
            implicit(decayed(argument), kind, f"argument {k + 1} of {node.name}")
            for k, (argument, kind) in enumerate(zip(arguments, kinds, strict=False))
        ]
        return IntrinsicCall(node.at, INT, node.name, [*target, *call.arguments])

    # --- functions as values: by name, which kernels pass to templates, or behind a pointer ----

    def alike(self, left: Expr, right: Expr) -> tuple[Expr, Expr]:
        """Return both sides of == or of ?:, with a function's name turned into a pointer to it."""
        return self._pointer(left), self._pointer(right)

    def _pointer(self, value: Expr) -> Expr:
        if not isinstance(value.type, FunctionName) or not self.context.on_host:
            return value
        kinds = [Pointer(signature) for signature in value.type.signatures]
        if len(kinds) > 1:
            raise Fault(
                value,
                f"several functions are named '{value.type}', and nothing here says which is meant",
                f"write for example ({kinds[0]}){value.type}",
            )
        return implicit(value, kinds[0], "the function") if kinds else value

    def named(self, at: Position, name: str, functions: Overloads) -> Expr:
        """Return the value that a function's name stands for."""
        own = functions.callees[0].function.name if len(functions.callees) == 1 else name
        self.context.named_functions[own] = functions
        return Literal(at, function_name(own, self._signatures(functions)), 0)

    def instance(self, node: Identifier) -> Expr:
        """Return f<int>, the function that a template makes, as a value."""
        known = self.context.find(node.name)
        if not self.context.on_host or not isinstance(known, Overloads):
            raise Unsupported(node, "functions as values", f"call it: {node.name}<...>(...)")
        found = self.calls.instantiate(node, known.templates, None, False)
        return self.named(node.at, node.name, Overloads(found))

    def _signatures(self, functions: Overloads) -> tuple[FunctionType, ...]:
        """Return the types that a pointer to one of these functions may have on the host."""
        callees = [
            callee
            for callee in functions.callees
            if callee.function.kind in ("kernel", "host", "both")
        ]
        for callee in callees if self.context.on_host else ():
            callee.used = True
            callee.check()
        return tuple(
            FunctionType(
                callee.function.return_type, tuple(p.type for p in callee.function.parameters)
            )
            for callee in callees
        )

    def called(self, at: Position, value: Expr, arguments: list[Node]) -> Expr | None:
        """Check value(arguments) of a function's name or of a pointer to a function; return None for anything else."""
        if isinstance(value.type, FunctionName):
            known = self.context.named_functions[value.type.name]
            call = Identifier(at, value.type.name)
            return self.calls.call(call, self.calls.arguments(arguments), known)
        kind = function_behind(value.type)
        if kind is None:
            return None
        return CallPointer(at, kind.result, value, self._arguments(at, kind, arguments))

    def launched(
        self, node: LaunchSyntax, value: Expr, configuration: tuple[Expr, Expr, Expr, Expr]
    ) -> Expr:
        """Check value<<<configuration>>>(arguments) of a pointer to a kernel."""
        kind = function_behind(value.type)
        if kind is None:
            raise Fault(
                node,
                f"'{value.type}' is no kernel",
                "write the name of a kernel, or of a pointer to one",
            )
        arguments = self._arguments(node.at, kind, node.arguments)
        return LaunchPointer(node.at, kind.result, *configuration, arguments, value)

    def _arguments(self, at: Position, function: FunctionType, nodes: list[Node]) -> list[Expr]:
        """Return one value for each parameter."""
        kinds = function.parameters
        check_count(at, "the function", nodes, len(kinds), kinds)
        return [
            implicit(argument, kind, f"argument {k}")
            for k, (argument, kind) in enumerate(
                zip([*map(self.calls.value, nodes)], kinds, strict=True), 1
            )
        ]
