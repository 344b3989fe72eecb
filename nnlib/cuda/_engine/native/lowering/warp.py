"""Lower collectives of a warp or block: each thread leaves its value, then each reads what it needs of the others'."""

from __future__ import annotations

from ...language import tree
from ...language.normal.collectives import BLOCK_VOTES, SHUFFLES
from ...language.normal.nodes import Collective
from ...language.refusal import Refusal
from ...language.types import Scalar
from ..code import Value
from .parts import Parts
from .state import register_kind

WARP = 32


class Collectives:
    """Lowers functions of a warp or block."""

    def __init__(self, parts: Parts) -> None:
        self.parts, self.state, self.code = parts, parts.state, parts.code
        self.lanes = self.state.lanes
        self.expressions = parts.statements.expressions

    def lower(self, s: Collective) -> None:
        if s.name in SHUFFLES:
            self.parts.part([], lambda: self._shuffle(s), s.operands, [s.result])
        elif s.name in BLOCK_VOTES:
            self._vote_of_block(s)
        else:
            self._vote(s)

    def _put_result(self, s: Collective, value: Value) -> None:
        if s.result in self.state.kept:
            self.expressions.memory.write(self.state.places[s.result], s.result.type, value)

    # --- shuffles ---------------------------------------------------------------------------

    def _shuffle(self, s: Collective) -> None:
        value, amount = s.operands
        assert isinstance(value, tree.Name)
        if not isinstance(value.type, Scalar):
            raise Refusal(f"{s.name} of {value.type}")
        if value.variable not in self.state.kept:
            self._put_result(s, self.expressions.value(value))  # the same in all threads
            return
        code, thread = self.code, self.state.thread_number
        lane = thread & WARP - 1
        source = self._source(s, lane, code.convert(self.expressions.value(amount), "i32"))
        number = thread - lane + source
        if self.parts.threads % WARP:
            there = code.compare("ult", number, self.parts.groups * self.lanes)
            number = code.select(there, number, 0)
        (at,) = self.parts.kept_at[value.variable]
        self._put_result(s, self.parts.kept_value(at, register_kind(value.type), number))

    def _source(self, s: Collective, lane: Value, amount: Value) -> Value:
        """Return the lane that each lane reads."""
        code, width = self.code, s.lanes
        first = lane & -width
        if s.name == "__shfl_sync":
            return first + (amount & width - 1)
        if s.name == "__shfl_up_sync":
            source = lane - amount
            return code.select(source < first, lane, source)
        source = code.binary("add" if s.name == "__shfl_down_sync" else "xor", lane, amount)
        outside = source >= first + width
        if s.name == "__shfl_xor_sync":
            outside |= source < 0
        return code.select(outside, lane, source)

    # --- votes ------------------------------------------------------------------------------

    def _vote(self, s: Collective) -> None:
        """Write a word for each warp, with a bit for each lane that votes yes."""
        code = self.code
        words = self.state.scratch.at(
            self.state.scratch.allocate(4 * (-(-self.parts.threads // WARP) + 1))
        )
        for k in range(-(-self.parts.threads // WARP)):
            code.store("i32", words, code.word(k), code.word(0))

        def warp() -> Value:
            return code.binary("udiv", self.state.group, WARP)

        def vote() -> None:
            yes = self.state.mask()
            if s.name != "__activemask":
                holds = code.convert(self.expressions.value(s.operands[1]), "b")
                yes &= ~holds if s.name == "__all_sync" else holds
            own = code.word_of(code.wide(yes, self.lanes))
            own <<= self.state.group & WARP - 1
            code.store("i32", words, warp(), code.load("i32", words, warp(), 1) | own)

        def read() -> None:
            word = code.load("i32", words, warp(), 1)
            if s.lanes < WARP:
                lane = self.state.thread_number & WARP - 1
                first = lane & -s.lanes
                word = code.binary("shr", word, first) & (1 << s.lanes) - 1
            if s.operands:
                word &= self.expressions.value(s.operands[0])
            if s.name in ("__any_sync", "__all_sync"):
                test = code.compare("ne" if s.name == "__any_sync" else "eq", word, 0)
                word = code.convert(test, "i32")
            self._put_result(s, word)

        self.parts.part([], vote, s.operands)
        self.parts.part([], read, s.operands, [s.result])

    def _vote_of_block(self, s: Collective) -> None:
        code = self.code
        total = code.variable(code.word(0))

        def vote() -> None:
            holds = code.convert(self.expressions.value(s.operands[0]), "b")
            yes = (~holds if s.name == "__syncthreads_and" else holds) & self.state.mask()
            yes = code.wide(yes, self.lanes)
            for k in range(self.lanes):
                total.value += code.convert(code.extract(yes, k), "i32")

        def read() -> None:
            count = total.value
            if s.name != "__syncthreads_count":
                test = code.compare("eq" if s.name == "__syncthreads_and" else "ne", count, 0)
                count = code.convert(test, "i32")
            self._put_result(s, count)

        self.parts.part([], vote, s.operands)
        self.parts.part([], read, [], [s.result])
