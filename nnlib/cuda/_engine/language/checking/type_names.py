"""Look up the type that a type name denotes where it is used."""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics import Fault, UndeclaredName, Unsupported
from ..parsing.syntax import (
    ALIAS,
    ArrayOf,
    Enumeration,
    Node,
    PointerTo,
    StructDefinition,
    TypeName,
)
from ..parsing.type_names import FUNCTION_POINTER
from ..tree import Expr, Position
from ..types import (
    NAMED,
    UNSIZED_TILE,
    VOID,
    Array,
    FunctionType,
    Pointer,
    Struct,
    Type,
    function_behind,
    tile_of,
)
from .names import POINTER_TO_FUNCTION, Alias, ClassTemplate, Context, Symbol


class TypeNames:
    """Resolves names of types.

    constant: evaluates an integer known at compile time, such as the size of an array.
    define: declares a struct or enum that is defined where a type is written.
    instance: makes the struct of a template for such arguments.
    expression: checks an expression, for decltype.
    """

    define: Callable[[StructDefinition | Enumeration], Type]
    instance: Callable[[TypeName, ClassTemplate], Struct]

    def __init__(
        self,
        context: Context,
        constant: Callable[[Node, str], int],
        expression: Callable[[Node], Expr],
    ) -> None:
        self.context, self.constant, self.expression = context, constant, expression

    def resolve(self, name: TypeName) -> tuple[Type, bool, bool]:
        """Return (type, const, is a reference)."""
        symbol = self._to_function(name) if name.base == FUNCTION_POINTER else self._meaning(name)
        if symbol == POINTER_TO_FUNCTION:
            raise POINTER_TO_FUNCTION.fault(name)
        if isinstance(symbol, Alias):
            kind, const = symbol.type, symbol.const or name.const
        else:
            kind, const = self._library_type(name), name.const
        volatile = name.volatile
        for derivation in name.derivations:
            match derivation:
                case PointerTo():
                    kind, const, volatile = Pointer(kind, const, volatile), derivation.const, False
                case ArrayOf():
                    kind = self._array(name.at, kind, derivation)
        return kind, const, name.refers

    def _meaning(self, name: TypeName) -> Symbol | None:
        """Return what the base of a type name stands for."""
        if name.definition is not None:
            return Alias(self.define(name.definition))
        if name.within is not None:
            return self.context.member_of(Alias(self.resolve(name.within)[0]), name.base)
        symbol = self.context.find(name.base)
        if isinstance(symbol, Alias) and name.arguments and isinstance(symbol.type, Struct):
            # Its own name, inside of it
            symbol = self.context.classes[symbol.type].template or symbol
        if name.base == "decltype":
            return Alias(self.expression(name.arguments[0]).type)
        if not isinstance(symbol, ClassTemplate):
            return symbol
        made = Alias(self.instance(name, symbol))
        return self.context.member_of(made, "type") if symbol.node.kind == ALIAS else made

    def _to_function(self, name: TypeName) -> Symbol:
        """Return the type of pointers to such functions."""
        if not self.context.on_host or name.returns is None:
            return POINTER_TO_FUNCTION
        result, _, refers = self.resolve(name.returns)
        parameters = [self.resolve(parameter) for parameter in name.takes]
        if refers or any(reference for _, _, reference in parameters):
            raise Unsupported(
                name, "references in the type of a pointer to functions", "use pointers"
            )
        kinds = tuple(
            Pointer(kind.element, const) if isinstance(kind, Array) else kind
            for kind, const, _ in parameters
        )
        return Alias(Pointer(FunctionType(result, kinds)))

    def is_function_pointer(self, name: TypeName) -> bool:
        """Return whether a name means a pointer to a function."""
        if name.derivations or name.refers:
            return False
        symbol = self.context.find(name.base)
        if isinstance(symbol, Alias):
            return function_behind(symbol.type) is not None
        return name.base == FUNCTION_POINTER or symbol == POINTER_TO_FUNCTION

    def _library_type(self, name: TypeName) -> Type:
        """Return a type that the program does not declare."""
        found = next(
            (NAMED[full] for full in self.context.library_names(name.base) if full in NAMED), None
        )
        if found is None:
            raise UndeclaredName(
                name, f"unknown type '{name.base}'", "declare it before its first use", name.base
            )
        if found != UNSIZED_TILE:
            return found
        if not name.arguments:
            raise Fault(name, "a thread_block_tile has a size", "write thread_block_tile<32>")
        return tile_of(self.tile_size(name.arguments[0]))

    def tile_size(self, node: Node) -> int:
        """Return the 32 of tiled_partition<32>."""
        lanes = self.constant(node, "the size of a tile")
        if lanes in (64, 128, 256, 512, 1024):
            raise Unsupported(
                node, "tiles of more than a warp", "use tiles of up to 32 threads, or the block"
            )
        if lanes not in (1, 2, 4, 8, 16, 32):
            raise Fault(node, f"a tile cannot have {lanes} threads", "use 1, 2, 4, 8, 16 or 32")
        return lanes

    def _array(self, at: Position, element: Type, derivation: ArrayOf) -> Array:
        if element == VOID or (isinstance(element, Array) and element.length is None):
            raise Fault(
                at,
                f"an array of '{element}' is not possible",
                "only the first size may be left open",
            )
        if derivation.length is None:
            return Array(element, None)
        length = self.constant(derivation.length, "the size of an array")
        if not 0 < length <= 2**31:
            raise Fault(
                derivation.length,
                f"an array cannot have {length} elements",
                "use a size of at least 1",
            )
        return Array(element, length)
