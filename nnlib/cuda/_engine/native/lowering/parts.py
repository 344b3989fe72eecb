"""The part of a kernel between two barriers: a loop over the threads of a block, so many at a time as there are lanes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ...language.layout import leaves
from ...language.normal.nodes import changed, is_local_array
from ...language.refusal import Refusal
from ...language.tree import Declare, Expr, Name, Variable
from ...language.types import BOOL, Pointer, size_of
from ...language.walking import nodes, nodes_of
from ..code import WIDTH, Local, Value
from .control import LaneStatements, has_return
from .memory import element_size
from .plan import Plan
from .state import Address, Buffer, Frame, InRegisters, register_kind

RUNNING = "running"  # the key of the mask of threads that have not returned


class Parts:
    """Lowers rows of statements as loops over the threads of a block.

    plan: of a kernel with barriers. returns: whether threads may end before others have reached a barrier.
    shared_written: where code notes which shared memory was written, and its bytes.
    """

    def __init__(self, statements: LaneStatements) -> None:
        self.statements, self.state, self.code = statements, statements.state, statements.code
        self.lanes = self.state.lanes
        self.plan: Plan | None = None
        self.shared_written: tuple[int, int] | None = None
        self.returns = False
        self.kept_at: dict[Any, list[int]] = {}
        self.masks: list[Any] = []
        self.groups = -(-self.threads // self.lanes)

    def differs(self, axis: str) -> bool:
        """Return whether threadIdx along the axis may differ between lanes that run together."""
        x, y, z = self.state.block
        alike = {
            "x": x == 1,
            "y": y == 1 or x % self.lanes == 0,
            "z": z == 1 or x * y % self.lanes == 0,
        }
        return self.lanes > 1 and not alike[axis]

    @property
    def threads(self) -> int:
        return math.prod(self.state.block)

    # --- parts of a block -------------------------------------------------------------------

    @contextmanager
    def each_group(self) -> Iterator[None]:
        code = self.code
        if self.groups == 1:
            self.state.group = code.word(0)
            yield
            return
        with code.counted(self.groups * self.lanes, self.lanes) as self.state.group:
            yield

    def present(self) -> Value:
        """Return which lanes are threads of the block."""
        code = self.code
        if self.threads % self.lanes == 0:
            return code.constant("b", True)
        return code.counting(self.state.group, self.lanes) < self.threads

    def _index_threads(self) -> None:
        code = self.code
        x, y, z = self.state.block
        lanes, first = self.lanes, self.state.group
        number = code.counting(first, lanes)
        if y * z == 1:
            zero = code.word(0)
            self.state.thread_index = {"x": number if x > 1 else zero, "y": zero, "z": zero}
            return
        row = first if x % lanes == 0 else number
        in_row = code.binary("urem", row, x)
        rows = code.binary("udiv", row, x)
        plane = first if x * y % lanes == 0 else number
        self.state.thread_index = {
            "x": code.counting(in_row, lanes) if x % lanes == 0 else in_row,
            "y": code.binary("urem", rows, y) if z > 1 else rows,
            "z": code.binary("udiv", plane, x * y) if z > 1 else code.word(0),
        }

    def part(
        self,
        statements: Sequence[Any],
        then: Callable[[], None] | None = None,
        uses: Sequence[Expr] = (),
        results: Sequence[Variable] = (),
    ) -> None:
        """Lower statements that every thread runs by itself.

        then: writes what follows them, which uses the values `uses` and computes `results`.
        """
        code = self.code
        with self.each_group(), code.block() as end:
            mask = self.present()
            if self.masks:
                mask = self.kept_mask(self.masks[-1])
                if self.masks[-1] != RUNNING and self.returns:
                    mask &= self.kept_mask(RUNNING)
            if mask.constant is None:
                code.branch_if(~code.any(mask), end)
            self.state.active = mask if mask.constant is None and self.lanes > 1 else None
            self._index_threads()
            loops, self.state.loops = self.state.loops, []
            self._run_part(statements, then, uses, results)
            self.state.loops = loops
        self.state.active, self.state.thread_index = None, {}

    def _run_part(
        self,
        statements: Sequence[Any],
        then: Callable[[], None] | None,
        uses: Sequence[Expr],
        results: Sequence[Variable],
    ) -> None:
        code = self.code
        returns = any(has_return(s) for s in statements)
        kept = self._bring([*statements, *uses], results)
        function = Frame(None, self.state.divergence)
        if returns:
            function.returned = code.variable(code.constant("b", False), self.lanes)
        outer = self.state.active
        with code.block() as out:
            function.end = out
            self.state.functions.append(function)
            for s in statements:
                self.statements.statement(s)
            if then is not None:
                then()
            self.state.functions.pop()
        self.state.active = outer
        for variable in kept:
            self._keep_again(variable)
        if function.returned is not None and self.plan is not None:
            running = self.kept_mask(RUNNING) & ~function.returned.value
            self.keep_mask(RUNNING, running)

    def _bring(self, parts: Sequence[Any], results: Sequence[Variable]) -> list[Variable]:
        """Bring what the threads have kept; what they change has to be kept again."""
        if self.plan is None:
            return []
        inside = list(nodes(parts))
        used = [
            *(node.variable for node in inside if isinstance(node, Name | Declare)),
            *results,
        ]
        self.recompute(used)
        moved = {
            *(node.variable for node in inside if isinstance(node, Declare)),
            *results,
            *changed(parts),
        }
        wanted = [variable for variable in dict.fromkeys(used) if variable in self.state.kept]
        for variable in wanted:
            self._bring_one(variable)
        return [variable for variable in wanted if variable in moved]

    def _bring_one(self, variable: Variable) -> None:
        code = self.code
        if self._in_memory(variable):
            self.state.places[variable] = self._kept_array(variable)
            return
        self.place_kept(variable)
        if isinstance(variable.type, Pointer):
            known = self.state.places.get(variable)
            if known is not None:
                slot = code.variable(self.kept_value(self.kept_at[variable][0], "i32"), self.lanes)
                self.state.places[variable] = Address(known.target, slot, known.unit)
            return
        registers = self.state.places[variable] = self.state.slots(variable.type, self.lanes)
        for at, leaf, part in zip(
            self.kept_at[variable], leaves(variable.type), registers.parts, strict=True
        ):
            part.value = self.kept_value(at, register_kind(leaf.type))

    def _keep_again(self, variable: Variable) -> None:
        place = self.state.places[variable]
        if isinstance(place, Address):
            if isinstance(place.target, InRegisters):
                raise Refusal("a reference that is used across barriers")
            index = place.index.value if isinstance(place.index, Local) else place.index
            self.keep(self.kept_at[variable][0], "i32", index)
        elif isinstance(place, InRegisters):
            for at, leaf, part in zip(
                self.kept_at[variable], leaves(variable.type), place.parts, strict=True
            ):
                self.keep(at, register_kind(leaf.type), part.value)

    def _in_memory(self, variable: Variable) -> bool:
        return is_local_array(variable) and variable not in self.state.constants.in_registers

    def recompute(self, used: Iterable[Variable]) -> None:
        assert self.plan is not None
        for variable in self.plan.recomputed:  # in the order of their declarations
            self.state.places.pop(variable, None)
        wanted = set(used)
        while True:
            more = {
                node.variable
                for variable in wanted & self.plan.recomputed.keys()
                for node in nodes_of(Name, self.plan.recomputed[variable])
            } - wanted
            if not more:
                break
            wanted |= more
        for variable, value in self.plan.recomputed.items():
            if variable in wanted:
                self.statements.declare(Declare(variable.at, variable, value))

    # --- what is kept between parts ---------------------------------------------------------

    def place_kept(self, key: Any) -> None:
        if key not in self.kept_at:
            kinds = [leaf.type for leaf in leaves(key.type if isinstance(key, Variable) else BOOL)]
            parts = ["i32" if isinstance(one, Pointer) else register_kind(one) for one in kinds]
            threads = self.groups * self.lanes
            self.kept_at[key] = [
                self.state.scratch.allocate(threads * WIDTH.get(kind, 4)) for kind in parts
            ]

    def _kept_array(self, variable: Variable) -> Buffer:
        pitch, size = self.groups * self.lanes, size_of(variable.type)
        element_size(variable)
        if variable not in self.kept_at:
            self.kept_at[variable] = [self.state.scratch.allocate(size * pitch)]
        return Buffer(
            self.state.scratch.at(self.kept_at[variable][0]),
            size,
            pitch,
            self.state.group,
        )

    def keep(self, at: int, kind: str, value: Value) -> None:
        code = self.code
        value = code.wide(value, self.lanes)
        if kind == "b":
            kind, value = "i32", code.convert(value, "i32")
        code.store(kind, self.state.scratch.at(at), self.state.group, value)

    def kept_value(self, at: int, kind: str, number: Value | None = None) -> Value:
        """Load a kept value. number: for each lane, the thread whose value it reads."""
        code, stored, base = self.code, "i32" if kind == "b" else kind, self.state.scratch.at(at)
        if number is None or self.lanes == 1:
            value = code.load(stored, base, number or self.state.group, self.lanes)
        else:
            everyone = code.wide(code.constant("b", True), self.lanes)
            value = code.gather(stored, base, code.wide(number, self.lanes), everyone)
        return code.convert(value, "b") if kind == "b" else value

    def keep_mask(self, key: Any, mask: Value) -> None:
        self.place_kept(key)
        self.keep(self.kept_at[key][0], "b", mask)

    def kept_mask(self, key: Any) -> Value:
        return self.kept_value(self.kept_at[key][0], "b")
