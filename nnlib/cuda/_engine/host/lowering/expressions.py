"""Expressions: each becomes one Python expression, side effects included."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...errors import KernelSyntaxError
from ...language import diagnostics, tree
from ...language.checking.intrinsics import places
from ...language.checking.values import characters
from ...language.layout import offset_of
from ...language.normal.rewriting import updated
from ...language.types import (
    BOOL,
    ULONG,
    VOID,
    Array,
    FunctionName,
    Half,
    Pointer,
    Scalar,
    Type,
    Vector,
    is_half,
)
from ...language.walking import nodes
from ...simulator.functions.mathematics import RESULTS
from .arithmetic import Arithmetic, wrapped
from .values import (
    code_of,
    half_negated,
    half_operator,
    mathematics,
    vector_form,
)
from .writer import (
    CallSite,
    FunctionWriter,
    element_behind,
    in_memory,
    is_container,
    name_in,
    size_of,
)

ACTIONS = (
    tree.Call
    | tree.CallPointer
    | tree.KernelLaunch
    | tree.LaunchPointer
    | tree.New
    | tree.Delete
    | tree.Assign
    | tree.CompoundAssign
    | tree.Increment
)
_RING = ("+", "-", "*")
_PRINTERS = {"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2}  # where the text stands
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(eq=False)
class Printed(tree.Expr):
    """A value whose Python is known."""

    text: str


class ExpressionLowering:
    """Lowering of expressions."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer, self.code = writer, writer.code
        self.arithmetic = Arithmetic(writer.code)
        self._lower: dict[type, Callable[[Any], str]] = {
            tree.Literal: self._literal,
            tree.SizeOf: self._literal,
            tree.Name: self._name,
            tree.Text: self._text,
            tree.StringLiteral: self._text,
            tree.Unary: self._unary,
            tree.Binary: self._binary,
            tree.Logical: self._logical,
            tree.Conditional: self._conditional,
            tree.Comma: self._comma,
            tree.Convert: self._convert,
            tree.Decay: self._decay,
            tree.PointerOffset: self._offset,
            tree.PointerDifference: self._difference,
            tree.Index: self._place,
            tree.Dereference: self._place,
            tree.Member: self._member,
            tree.AddressOf: self._address_of,
            tree.Assign: self._assign,
            tree.CompoundAssign: self._compound,
            tree.Increment: self._increment,
            tree.Call: self._call,
            tree.IntrinsicCall: self._intrinsic,
            tree.CallPointer: self._call_pointer,
            tree.LaunchPointer: self._launch,
            tree.KernelLaunch: self._launch,
            tree.New: self._new,
            tree.Delete: self._delete,
            tree.Temporary: self._temporary,
            tree.Build: self._build,
            Printed: lambda e: e.text,
        }

    def value(self, e: tree.Expr) -> str:
        return self._lower[type(e)](e)

    # --- memory ---------------------------------------------------------------------------

    def load(self, address: str, kind: Type) -> str:
        if isinstance(kind, Scalar | Pointer):
            self.code.codes.add(code_of(kind))
            return f"load_{_word(kind)}({address})"
        if is_container(kind):
            element = size_of(kind.fields[0].type.target)  # type: ignore[union-attr]
            return f"copy_vector({address}, {element}, {int(kind.name == 'string')})"
        return f"load_bytes({address}, {size_of(kind)}, False)"

    def store(self, address: str, value: str, kind: Type) -> str:
        if isinstance(kind, Scalar | Pointer):
            self.code.codes.add(code_of(kind))
            return f"store_{_word(kind)}({address}, {value})"
        return f"store_bytes({address}, {value}, False)"

    def address(self, e: tree.Expr) -> str:
        """Where the lvalue is."""
        match e:
            case tree.Name(variable=variable):
                if variable.space in ("global", "constant"):
                    return f"symbol({variable.name!r})"
                assert in_memory(variable), variable.name
                return self.writer.name_of(variable)
            case tree.Index(base=base, index=index):
                start = self.address(base) if isinstance(base.type, Array) else self.value(base)
                return self._moved(start, size_of(e.type), index)
            case tree.Dereference(pointer=pointer):
                return self.value(pointer)
            case tree.Temporary(operand=operand):
                return self.address(operand)
            case tree.Member(base=base):
                offset = offset_of(base.type, e.field)
                return f"({self.address(base)} + {offset})" if offset else self.address(base)
        kept = self.writer.place(e.type, "")
        return f"({self.store(kept, self.value(e), e.type)}, {kept})[1]"

    def _temporary(self, e: tree.Temporary) -> str:
        return self.value(e.operand)

    def _build(self, e: tree.Build) -> str:
        """A struct as its bytes: each member's offset, its letter or "" for one that is bytes already, its value."""
        parts = "".join(
            f"({place}, {_letter(value.type)!r}, {self.value(value)}), "
            for place, value in e.initializer.items
        )
        return f"built({size_of(e.type)}, ({parts}))"

    def _moved(self, start: str, size: int, index: tree.Expr) -> str:
        if isinstance(index, tree.Literal):
            return f"({start} + {int(index.value) * size})" if index.value else start
        unsigned = isinstance(index.type, Scalar) and index.type.is_unsigned and index.type.size < 8
        by = (
            self.value(index) if unsigned else self.unreduced(index)
        )  # an int that overflows here is no C
        return f"({start} + {by})" if size == 1 else f"({start} + {size} * {by})"

    # --- values ---------------------------------------------------------------------------

    def _literal(self, e: tree.Literal) -> str:
        if isinstance(e.type, Half):  # only 0 is known before it runs
            return "0"
        if isinstance(e.value, float) and not math.isfinite(e.value):
            return f"float('{e.value}')"
        return repr(e.value if isinstance(e.value, float) else int(e.value))

    def _text(self, e: tree.Text | tree.StringLiteral) -> str:
        return self.code.text(characters(e.at, e.value) + b"\0")

    def _name(self, e: tree.Name) -> str:
        if in_memory(e.variable):
            return self.load(self.address(e), e.type)
        return self.writer.name_of(e.variable)

    def _place(self, e: tree.Expr) -> str:
        return self.load(self.address(e), e.type)

    def _member(self, e: tree.Member) -> str:
        if isinstance(
            e.base, tree.Name | tree.Index | tree.Dereference | tree.Member | tree.Temporary
        ):
            return self._place(e)
        assert isinstance(e.base.type, Vector)
        form = self.code.refer("P", vector_form(e.base.type))
        return f"{form}.unpack({self.value(e.base)})[{e.base.type.fields.index(e.field)}]"

    def _decay(self, e: tree.Decay) -> str:
        return self.address(e.operand)

    def _address_of(self, e: tree.AddressOf) -> str:
        return self.address(e.operand)

    def _offset(self, e: tree.PointerOffset) -> str:
        assert isinstance(e.type, Pointer)
        return self._moved(self.value(e.pointer), size_of(e.type.target), e.index)

    def _difference(self, e: tree.PointerDifference) -> str:
        assert isinstance(e.left.type, Pointer)
        return f"(({self.value(e.left)} - {self.value(e.right)}) // {size_of(e.left.type.target)})"

    # --- arithmetic -----------------------------------------------------------------------

    def _unary(self, e: tree.Unary) -> str:
        value = self.value(e.operand)
        if e.op == "!":
            return f"(not {value})"
        if is_half(e.type):
            return f"{self.code.refer('M', half_negated(e.type))}({value})"
        assert isinstance(e.type, Scalar)
        if e.type.is_float:
            return f"(-{value})"
        return wrapped(
            f"(-{value})" if e.op == "-" else f"(-1 - {value})", e.type
        )  # Python's ~ refuses a bool

    def _binary(self, e: tree.Binary) -> str:
        if is_half(e.left.type):
            name = self.code.refer("M", half_operator(e.op, e.left.type, e.type))
            return f"{name}({self.value(e.left)}, {self.value(e.right)})"
        if e.op in _COMPARISONS:
            return f"({self.value(e.left)} {e.op} {self.value(e.right)})"
        assert isinstance(e.type, Scalar)
        if e.op in _RING and not e.type.is_float:
            return wrapped(self.unreduced(e), e.type)
        return self.arithmetic.operate(e.op, self.value(e.left), self.value(e.right), e.type)

    def unreduced(self, e: tree.Expr) -> str:
        """A value that only needs to be right modulo what its type holds."""
        if (
            isinstance(e, tree.Binary)
            and e.op in _RING
            and isinstance(e.type, Scalar)
            and not e.type.is_float
        ):
            return f"({self.unreduced(e.left)} {e.op} {self.unreduced(e.right)})"
        return self.value(e)

    def _logical(self, e: tree.Logical) -> str:
        return f"({self.value(e.left)} {'and' if e.op == '&&' else 'or'} {self.value(e.right)})"

    def _conditional(self, e: tree.Conditional) -> str:
        return f"({self.value(e.then)} if {self.value(e.condition)} else {self.value(e.otherwise)})"

    def _comma(self, e: tree.Comma) -> str:
        return f"({self.value(e.left)}, {self.value(e.right)})[1]"

    def _convert(self, e: tree.Convert) -> str:
        given, kind = e.operand.type, e.type
        if isinstance(given, FunctionName):
            return self.code.function_address(given.name, kind)
        narrows = (
            isinstance(given, Scalar)
            and isinstance(kind, Scalar)
            and kind.size < given.size
            and not (given.is_float or kind.is_float or kind == BOOL)
        )
        value = self.unreduced(e.operand) if narrows else self.value(e.operand)
        return self.arithmetic.converted(value, given, kind)

    # --- changes --------------------------------------------------------------------------

    def _assign(self, e: tree.Assign) -> str:
        value = self.named_result(e.value, e.target)
        if isinstance(e.target, tree.Name) and not in_memory(e.target.variable):
            return f"({self.writer.name_of(e.target.variable)} := {value})"
        if isinstance(e.value, tree.Index | tree.Dereference | tree.Member) and isinstance(
            e.type, Scalar
        ):
            value = value.replace(
                "load_", "raw_", 1
            )  # from memory to memory goes also what has no value
        if not isinstance(e.target, tree.Name) and (
            _acts(e.value) or _acts(e.target)
        ):  # the value comes first
            kept = self.writer.fresh()
            return (
                f"({kept} := {value}, {self.store(self.address(e.target), kept, e.target.type)})[1]"
            )
        return self.store(self.address(e.target), value, e.target.type)

    def named_result(self, e: tree.Expr, target: tree.Expr) -> str:
        """The value, which goes to this variable: memory that it allocates bears its name."""
        call = e
        while isinstance(call, tree.Convert):
            call = call.operand
        if isinstance(call, tree.Call | tree.New):
            self._result = name_in(target)
        value = self.value(e)
        self._result = ""
        return value

    _result = ""

    def _compound(self, e: tree.CompoundAssign) -> str:
        first, value = "", e.value
        if _acts(value):  # the value comes first
            kept = self.writer.fresh()
            first, value = f"{kept} := {self.value(value)}", Printed(value.at, value.type, kept)
        update = self._update(e.target, lambda old: updated(e, old, value), old=False)
        return f"({first}, {update})[1]" if first else update

    def _increment(self, e: tree.Increment) -> str:
        return self._update(e.target, lambda old: updated(e, old), old=not e.prefix)

    def _update(
        self, target: tree.Expr, change: Callable[[tree.Expr], tree.Expr], old: bool
    ) -> str:
        def changed(before: str) -> str:
            return self.value(change(Printed(target.at, target.type, before)))

        if isinstance(target, tree.Name) and not in_memory(target.variable):
            name = self.writer.name_of(target.variable)
            update = f"({name} := {changed(name)})"
            return f"({name}, {update})[0]" if old else update
        where, before = self.writer.fresh(), self.writer.fresh()
        load = self.load(f"({where} := {self.address(target)})", target.type)
        return f"(({before} := {load}), {self.store(where, changed(before), target.type)})[{int(not old)}]"

    # --- calls ----------------------------------------------------------------------------

    def site(self, e: Any, arguments: list[tree.Expr]) -> str:
        result, self._result = self._result, ""
        site = CallSite(
            e.at,
            e,
            tuple(map(name_in, arguments)),
            tuple(map(element_behind, arguments)),
            tuple(self.in_bytes(argument) for argument in arguments),
            result,
        )
        return self.code.refer("S", site)

    def in_bytes(self, e: tree.Expr) -> bool:
        """May the value be a number of bytes? Plain numbers and what is computed of them are not."""
        return any(
            isinstance(node, tree.SizeOf | tree.Call | tree.IntrinsicCall)
            or isinstance(node, tree.Name)
            and node.variable in self.writer.bytes
            for node in nodes(e)
        )

    def _call(self, e: tree.Call) -> str:
        function = e.function
        if e.kinds is not None:  # the object's first word says which struct it is
            this, *rest = map(self.value, e.arguments)
            kept = self.writer.fresh()
            kind = self.load(f"({kept} := {this})", ULONG)
            names = "".join(f"{k}: {self.code.function_name(f.name)}, " for k, f in e.kinds.items())
            return f"virtual({{{names}}}, {kind})({', '.join([kept, *rest])})"
        if function.kind != "library":
            named = len(function.parameters) if function.variadic else len(e.arguments)
            values = list(map(self.value, e.arguments))
            if function.variadic:
                more = (
                    f"({_letter(a.type)!r}, {value}), "
                    for a, value in zip(e.arguments[named:], values[named:], strict=True)
                )
                values[named:] = [f"({''.join(more)})"]
            arguments = ", ".join(values)
            return f"{self.code.function_name(function.name)}({arguments})"
        name, site = function.name.partition("#")[0], self.site(e, e.arguments)
        self.code.called.add(name)
        if name == "__more":
            return f"L___more({site}, more_given)"
        return f"L_{name}({', '.join([site, *map(self.value, e.arguments)])})"

    def _call_pointer(self, e: tree.CallPointer) -> str:
        arguments = "".join(f", {self.value(argument)}" for argument in e.arguments)
        return f"call_pointer({self.site(e, e.arguments)}, {self.value(e.pointer)}{arguments})"

    def _launch(self, e: tree.KernelLaunch | tree.LaunchPointer) -> str:
        site = self.site(e, e.arguments)
        arguments = "".join(f"{self.value(argument)}, " for argument in e.arguments)
        chevrons = ", ".join(map(self.value, (e.grid, e.block, e.shared, e.stream)))
        if isinstance(e, tree.LaunchPointer):
            return f"launch_pointer({site}, {self.value(e.pointer)}, ({chevrons}), ({arguments}))"
        return f"launch({site}, ({chevrons}), ({arguments}))"

    def _new(self, e: tree.New) -> str:
        assert isinstance(e.type, Pointer)
        site, kind = self.site(e, []), e.type.target
        count = "1" if e.count is None else self.value(e.count)
        size, many = size_of(kind), e.count is not None
        if e.initial is None:
            return f"new({site}, {count}, {size}, {many}, {e.zeroed})"
        kept, number, one = self.writer.fresh(), self.writer.fresh(), self.writer.fresh()
        memory = f"new({site}, ({number} := {count}), {size}, {many}, {e.zeroed})"
        places = f"range({kept}, {kept} + {number} * {size}, {size})"
        first = self.store(one, self.value(e.initial), kind)
        return f"(({kept} := {memory}), [{first} for {one} in {places}], {kept})[2]"

    def _delete(self, e: tree.Delete) -> str:
        arguments = f"{self.site(e, [e.pointer])}, {self.value(e.pointer)}, {e.array}"
        if e.kinds:
            kept = self.writer.fresh()
            known = "".join(f"{k}: {self.endings(found)}, " for k, found in e.kinds.items())
            kind = self.load(kept, ULONG)
            return (
                f"delete({self.site(e, [e.pointer])}, ({kept} := {self.value(e.pointer)}), {e.array}, 1 << 40, "
                f"virtual({{{known}}}, {kind}) if {kept} else ())"
            )
        if not e.endings:
            return f"delete({arguments})"
        assert isinstance(e.pointer.type, Pointer)
        return f"delete({arguments}, {size_of(e.pointer.type.target)}, {self.endings(e.endings)})"

    def endings(self, endings: list[tree.Ending]) -> str:
        """Destructors with the offsets of what they end."""
        return (
            "("
            + "".join(f"({offset}, {self.code.function_name(f.name)}), " for offset, f in endings)
            + ")"
        )

    def _intrinsic(self, e: tree.IntrinsicCall) -> str:
        if isinstance(e.type, Vector) and e.name.startswith("make_"):
            lanes = ", ".join(map(self.value, e.arguments))
            return f"{self.code.refer('P', vector_form(e.type))}.pack({lanes})"
        if e.name.endswith("printf"):
            return self._printf(e)
        if e.name == "assert":
            return f"check({self.site(e, [])}, {self.value(e.arguments[0])})"
        if e.name == "alloca":
            return f"enter({self.value(e.arguments[0])}, 'an array')"
        if e.name in RESULTS:
            return self._several(e)
        if e.name.startswith("clock"):
            return "clock()"
        if e.name.startswith("__nanosleep"):
            return "None"
        name = self.code.refer("M", mathematics(e.name, [a.type for a in e.arguments], e.type))
        return f"{name}({', '.join(map(self.value, e.arguments))})"

    def _several(self, e: tree.IntrinsicCall) -> str:
        """A function with several results, of which all but its value go through pointers."""
        pointers = [a for a in e.arguments if isinstance(a.type, Pointer)]
        inputs = [a for a in e.arguments if not isinstance(a.type, Pointer)]
        kind = inputs[0].type
        assert isinstance(kind, Scalar)
        function = self.code.refer(
            "M",
            lambda *values: [
                v.item() for v in RESULTS[e.name](*(kind.dtype.type(value) for value in values))
            ],
        )
        found = self.writer.fresh()
        given = e.type != VOID
        stores = [
            self.store(self.value(p), f"{found}[{k + given}]", p.type.target)  # type: ignore[union-attr]
            for k, p in enumerate(pointers)
        ]
        steps = [
            f"({found} := {function}({', '.join(map(self.value, inputs))}))",
            *stores,
            f"{found}[0]",
        ]
        return f"({', '.join(steps)})[-1]"

    def _printf(self, e: tree.IntrinsicCall) -> str:
        """printf(text, (codes and values)): values of char* are texts."""
        place = _PRINTERS[e.name]
        text = e.arguments[place]
        target = [self.value(a) for a in e.arguments[:place]]
        if not isinstance(text, tree.Text | tree.StringLiteral):
            values = "".join(
                f"({_letter(a.type)!r}, {self.value(a)}), " for a in e.arguments[place + 1 :]
            )
            return (
                f"{e.name}({', '.join([*target, f'*format_at({self.value(text)}, ({values}))'])})"
            )
        content = characters(e.at, text.value).decode("utf-8", "replace")
        values = "".join(
            f"({_printed(kind, bits)!r}, {self.value(a)}), "
            for (kind, _, bits), a in zip(places(content), e.arguments[place + 1 :], strict=False)
        )
        content = self.code.refer("F", content)
        return f"{e.name}({', '.join([*target, content])}, ({values}))"

    def unsupported(self, at: tree.Position, what: str, instead: str) -> KernelSyntaxError:
        fault = diagnostics.Unsupported(at, what, instead)
        return diagnostics.as_error(fault, self.code.program.text, self.code.program.file)


def _printed(kind: str, bits: int) -> str:
    """The type in which printf takes a value, s for a text."""
    if kind in "fFeEgGs":
        return "s" if kind == "s" else "d"
    if kind == "p":
        return "q"
    return ("q" if bits == 64 else "i") if kind in "dic" else ("Q" if bits == 64 else "I")


def _acts(e: tree.Expr) -> bool:
    """Does it do something beside having a value?"""
    return any(isinstance(node, ACTIONS) for node in nodes(e))


def _letter(kind: Type) -> str:
    return code_of(kind) if isinstance(kind, Scalar | Pointer) else ""


def _word(kind: Scalar | Pointer) -> str:
    code = code_of(kind)
    return "flag" if code == "?" else code
