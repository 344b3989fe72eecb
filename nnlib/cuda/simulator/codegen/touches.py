"""What a walk through a kernel knows of memory: which values are in registers, and what was decided on each access."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Pointer
from nnlib.cuda.simulator.codegen.values import POINTER, ZERO, Spot, Value, Values, may_overlap
from nnlib.cuda.simulator.memory.spaces import READ, WRITE, Kept


@dataclass
class Touch:
    """One access, as the walk meets it. spot None: anything in memory but what is local or __restrict__.
    always: it happens whenever the loop around it makes a turn."""

    kind: str
    spot: Spot | None
    node: tree.Expr | None
    always: bool


@dataclass
class State:
    """What holds at one place: the values of variables, and of memory where they are in registers."""

    variables: dict[tree.Variable, Value] = field(default_factory=dict)
    held: dict[Spot, Value] = field(default_factory=dict)
    unseen: dict[Spot, tree.Expr] = field(default_factory=dict)  # stored, and not to be read by anybody yet

    def copy(self) -> State:
        return State(dict(self.variables), dict(self.held))


class Registers:
    """State and history of the walk.

    trial: a loop is walked through to see what it changes; nothing is decided. always: the code runs whenever the loop
    around it makes a turn. verdicts: (expression, READ or WRITE) -> what was said of it each time that it was met.
    """

    def __init__(self) -> None:
        self.values, self.state = Values(), State()
        self.touches: list[Touch] = []
        self.verdicts: dict[tuple[tree.Expr, str], set[Kept | None]] = {}
        self.trial = False
        self.always = True

    def load(self, spot: Spot, node: tree.Expr) -> Value:
        value = self.state.held.get(spot)
        if value is not None:
            self.decide(node, READ, Kept("register"))
            return value
        self.decide(node, READ, None)
        self.touches.append(Touch(READ, spot, node, self.always))
        self.state.unseen = {other: by for other, by in self.state.unseen.items() if not may_overlap(spot, other)}
        value = self.values.new()
        if isinstance(node.type, Pointer):
            value = POINTER, value, ZERO
        self.state.held[spot] = value
        return value

    def store(self, spot: Spot, value: Value, node: tree.Expr | None) -> None:
        touch = Touch(WRITE, spot, node, self.always)
        self._forget(touch)
        self.decide(node, WRITE, None)
        if spot in self.state.unseen:
            self.decide(self.state.unseen[spot], WRITE, Kept("register"), instead=True)
        if node is not None:
            self.state.unseen[spot] = node
        self.touches.append(touch)
        self.state.held[spot] = value

    def _forget(self, touch: Touch) -> None:
        self.state.held = {spot: value for spot, value in self.state.held.items() if not changes(touch, spot)}

    def clobber(self) -> None:
        """Anything may have been written by others."""
        touch = Touch(WRITE, None, None, self.always)
        self._forget(touch)
        self.state.unseen = {}
        self.touches.append(touch)

    def decide(self, node: tree.Expr | None, kind: str, kept: Kept | None, instead: bool = False) -> None:
        """instead: of what was said when the access was met, and for loops further inside."""
        if self.trial or node is None:
            return
        found = self.verdicts.setdefault((node, kind), set())
        if instead:
            found -= {other for other in found if other is None or other.why == "loop"}
        found.add(kept)

    @contextmanager
    def touches_apart(self) -> Iterator[list[Touch]]:
        outer, self.touches = self.touches, []
        yield self.touches
        self.touches = outer

    def joined(self, states: list[State]) -> State:
        first, *others = states
        for other in others:
            for variable in {*first.variables, *other.variables}:
                one = first.variables.get(variable)
                if one != other.variables.get(variable) or one is None:
                    first.variables[variable] = self.values.new()
            first.held = {spot: value for spot, value in first.held.items() if other.held.get(spot) == value}
        return first

    @contextmanager
    def sometimes(self) -> Iterator[None]:
        always, self.always = self.always, False
        yield
        self.always = always


def changes(touch: Touch, spot: Spot) -> bool:
    """May the value at a spot be another one after it?"""
    if touch.kind != WRITE:
        return False
    return not spot.is_alone if touch.spot is None else may_overlap(touch.spot, spot)
