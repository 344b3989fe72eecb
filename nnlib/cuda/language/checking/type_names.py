"""What a type name in the text stands for."""

from __future__ import annotations

from collections.abc import Callable

from nnlib.cuda.language.checking.context import Context
from nnlib.cuda.language.checking.symbols import Alias
from nnlib.cuda.language.diagnostics import Fault
from nnlib.cuda.language.parsing import syntax
from nnlib.cuda.language.tree import Position
from nnlib.cuda.language.types import NAMED, VOID, Array, Pointer, Type


class TypeNames:
    """constant: evaluates an integer known at compile time, such as the size of an array."""

    def __init__(self, context: Context, constant: Callable[[syntax.Node, str], int]) -> None:
        self.context, self.constant = context, constant

    def resolve(self, name: syntax.TypeName) -> tuple[Type, bool, bool]:
        """(type, const, is a reference)."""
        symbol = self.context.find(name.base)
        if isinstance(symbol, Alias):
            kind, const = symbol.type, symbol.const or name.const
        elif name.base in NAMED:
            kind, const = NAMED[name.base], name.const
        else:
            raise Fault(name.at, f"unknown type '{name.base}'", "declare it before its first use")
        reference = False
        for derivation in name.derivations:
            if reference:
                raise Fault(name.at, "a reference must be the last part of a type", "write for example float*&")
            match derivation:
                case syntax.PointerTo():
                    kind, const = Pointer(kind, const), derivation.const
                case syntax.ReferenceTo():
                    reference = True
                case syntax.ArrayOf():
                    kind = self._array(name.at, kind, derivation)
        return kind, const, reference

    def _array(self, at: Position, element: Type, derivation: syntax.ArrayOf) -> Array:
        if element == VOID or isinstance(element, Array) and element.length is None:
            raise Fault(at, f"an array of '{element}' is not possible", "only the first size may be left open")
        if derivation.length is None:
            return Array(element, None)
        length = self.constant(derivation.length, "the size of an array")
        if not 0 < length <= 2**31:
            raise Fault(derivation.length.at, f"an array cannot have {length} elements", "use a size of at least 1")
        return Array(element, length)
