"""The values of expressions as a compiler knows them, and what they do to memory."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...language.cuda_functions import INTRINSICS
from ...language.layout import offset_of
from ...language.normal.rewriting import updated
from ...language.tree import (
    AddressOf,
    Assign,
    Binary,
    Build,
    BuiltinIndex,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Convert,
    Decay,
    Dereference,
    Expr,
    Function,
    Index,
    IntrinsicCall,
    Literal,
    Logical,
    Member,
    Name,
    PointerDifference,
    PointerOffset,
    Temporary,
    Unary,
    Variable,
)
from ...language.types import Array, Pointer, Scalar, Vector, size_of
from .analysis import lives_in_memory, stored_through
from .touches import (
    POINTEE,
    POINTER,
    ZERO,
    RegisterWalk,
    Spot,
    Value,
    added,
    known,
    multiplied,
    number,
)

DEPTH = 8  # of calls that are looked into
ALWAYS_THE_SAME = {
    f"cooperative_groups::{name}" for name in ("thread_rank", "size", "tile", "block_rank")
}
COLLECTIVES = {"__syncwarp", "printf", "cooperative_groups::sync", "cooperative_groups::sync_grid"}


class _KnownOperand(Expr):
    """An operand whose value is known."""

    value: Value


class EvaluationWalk(RegisterWalk):
    """Evaluates expressions in the order in which they run."""

    depth = 0  # of calls

    def run(self, function: Function) -> Value:
        """Walk through a function, and return its value."""
        raise NotImplementedError

    # --- values -----------------------------------------------------------------------------

    def value(self, e: Expr) -> Value:
        match e:
            case Literal(literal):
                return number(literal) if isinstance(literal, int) else ("literal", literal)
            case _KnownOperand(value=value):
                return value
            case BuiltinIndex(name, axis):
                return "index", name, axis
            case Name() | Index() | Dereference() | Member() | Temporary():
                return self._read(e)
            case Unary(op, operand):
                value = self.value(operand)
                return (
                    added(ZERO, value, -1) if op == "-" and _is_whole(e) else ("unary", op, value)
                )
            case Binary():
                return self._binary(e)
            case Logical(_, left, right):
                first = self.value(left)
                before = self.state.copy()
                with self.sometimes():
                    second = self.value(right)
                self.state = self.joined([self.state, before])
                return "logical", e.op, first, second
            case Conditional():
                return self._conditional(e)
            case Comma(left, right):
                self.value(left)
                return self.value(right)
            case Convert(operand):
                return self._converted(e, self.value(operand))
            case Decay(operand) | AddressOf(operand):
                spot = self._spot(operand)
                return POINTER, spot.root, spot.offset
            case PointerOffset(pointer, index):
                return self._moved(self.value(pointer), self.value(index), e.type)
            case PointerDifference(left, right):
                return "difference", self.value(left), self.value(right)
            case Assign(target=target, value=inner):
                value = self.value(inner)
                self._write(target, value, e)
                return value
            case CompoundAssign():
                return self._update(e)
            case Call():
                return self._call(e)
            case IntrinsicCall():
                return self._intrinsic(e)
            case Build(initializer):
                for _, inner in initializer.items:
                    self.value(inner)
        return self.values.new()

    def _binary(self, e: Binary) -> Value:
        left, right = self.value(e.left), self.value(e.right)
        if _is_whole(e) and e.op in ("+", "-"):
            return added(left, right, 1 if e.op == "+" else -1)
        if _is_whole(e) and e.op == "*":
            return multiplied(left, right)
        if _is_whole(e) and e.op == "<<" and (shift := known(right)) is not None:
            return multiplied(left, number(2 ** (shift & 63)))
        return "binary", e.op, left, right

    def _conditional(self, e: Conditional) -> Value:
        condition = self.value(e.condition)
        before, values, states = self.state, [], []
        with self.sometimes():
            for part in (e.then, e.otherwise):
                self.state = before.copy()
                values.append(self.value(part))
                states.append(self.state)
        self.state = self.joined(states)
        return "choice", condition, *values

    def _converted(self, e: Convert, value: Value) -> Value:
        if isinstance(e.type, Pointer) or e.type == e.operand.type:
            return value
        if _is_whole(e) and _is_whole(e.operand) and size_of(e.type) >= 4:
            return value
        return "convert", str(e.type), value

    def _moved(self, pointer: Value, index: Value, type: Any) -> Value:
        if pointer[0] != POINTER:
            return self.values.new()
        return (
            POINTER,
            pointer[1],
            added(pointer[2], multiplied(index, number(size_of(type.target)))),
        )

    # --- memory -----------------------------------------------------------------------------

    def _spot(self, e: Expr) -> Spot:
        """Return where an expression that can be stored to is in memory."""
        root: Any
        offset = ZERO
        match e:
            case Name(variable):
                root = variable
            case Index(base, index):
                if isinstance(base.type, Array):
                    within = self._spot(base)
                    root, offset = within.root, within.offset
                else:
                    root, offset = _pointee(self.value(base))
                offset = added(offset, multiplied(self.value(index), number(size_of(e.type))))
            case Dereference(pointer):
                root, offset = _pointee(self.value(pointer))
            case Member(base, name):
                within = self._spot(base)
                root, offset = within.root, added(within.offset, number(offset_of(base.type, name)))
            case _:
                if isinstance(e, Temporary):
                    self.value(e.operand)
                root = self.values.new()
        return Spot(root, offset, size_of(e.type))

    def _in_register(self, e: Expr) -> bool:
        """Return whether an expression is a variable without an address, or a part of one."""
        while isinstance(e, Member) and isinstance(e.base.type, Vector):
            e = e.base
        if isinstance(e, Name):
            return not lives_in_memory(e.variable)
        return not isinstance(e, Index | Dereference | Member | Temporary)

    def _read(self, e: Expr) -> Value:
        if isinstance(e, Name) and self._in_register(e):
            variable = e.variable
            known = self.state.variables
            if variable not in known:
                is_pointer = isinstance(variable.type, Pointer)
                known[variable] = (
                    (POINTER, (POINTEE, variable), ZERO) if is_pointer else self.values.new()
                )
            return known[variable]
        if isinstance(e, Member) and self._in_register(e):
            return "member", e.field, self.value(e.base)
        spot = self._spot(e)
        value = self.load(spot, e)
        if isinstance(e, Member) and isinstance(e.base.type, Vector) and e.base.type.lanes != 3:
            self._load_neighbours(spot, e)
        return value

    def _load_neighbours(self, spot: Spot, e: Member) -> None:
        """Load the parts of a vector together, where its alignment lets one access bring them."""
        vector: Any = e.base.type
        own, held = vector.fields.index(e.field), self.state.held
        for k in range(vector.lanes):
            neighbour = replace(spot, offset=added(spot.offset, number((k - own) * spot.size)))
            if neighbour not in held:
                held[neighbour] = self.values.new()

    def assign_variable(self, variable: Variable, value: Value) -> None:
        if lives_in_memory(variable):
            self.store(Spot(variable, ZERO, size_of(variable.type)), value, None)
        else:
            self.state.variables[variable] = value

    def _write(self, target: Expr, value: Value, node: Expr) -> None:
        if self._in_register(target):
            while isinstance(target, Member):
                target, value = target.base, self.values.new()
            if isinstance(target, Name):
                self.state.variables[target.variable] = value
            return
        self.store(self._spot(target), value, target)

    def _update(self, e: CompoundAssign) -> Value:
        amount = _KnownOperand(e.at, e.value.type, self.value(e.value))
        old = self._read(e.target)
        new = self.value(updated(e, _KnownOperand(e.at, e.target.type, old), amount))
        self._write(e.target, new, e)
        return old if e.gives_old else new

    # --- calls ------------------------------------------------------------------------------

    def _call(self, e: Call) -> Value:
        arguments = [self.value(argument) for argument in e.arguments]
        if self.depth >= DEPTH:
            self.clobber()
            return self.values.new()
        for variable, value in zip(e.function.parameters, arguments, strict=True):
            self.assign_variable(variable, value)
        self.depth += 1
        result = self.run(e.function)
        self.depth -= 1
        return result

    def _intrinsic(self, e: IntrinsicCall) -> Value:
        arguments = [self.value(argument) for argument in e.arguments]
        kind = INTRINSICS[e.name][0].kind if e.name in INTRINSICS else ""
        if kind in ("math", "vector") or e.name in ALWAYS_THE_SAME:
            return "call", e.name, *arguments
        if kind in ("atomic", "results", "async", "bytes"):
            for pointer in stored_through(e):
                self._store_unknown(pointer, arguments[e.arguments.index(pointer)])
        elif (
            kind in ("barrier", "fence")
            or e.name in COLLECTIVES
            or (
                kind == "tensor"
                and any(isinstance(argument.type, Pointer) for argument in e.arguments)
            )
        ):
            self.clobber()
        return self.values.new()

    def _store_unknown(self, pointer: Expr, value: Value) -> None:
        target: Any = pointer.type
        size = size_of(target.target) if isinstance(target.target, Scalar | Vector) else 1 << 40
        spot = Spot(*_pointee(value), size)
        self.store(spot, self.values.new(), None)
        self.state.held.pop(spot, None)
        self.state.unseen = {}


def _pointee(value: Value) -> tuple[Any, Value]:
    """Return the root and the offset of where a pointer of this value leads."""
    return (value[1], value[2]) if value[0] == POINTER else (value, ZERO)


def _is_whole(e: Expr) -> bool:
    return isinstance(e.type, Scalar) and e.type.dtype.kind in "iub"
