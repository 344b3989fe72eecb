"""Branches: a jump where all lanes agree, masks where they do not."""

from __future__ import annotations

from collections.abc import Callable

from ..code import Local, Value
from .state import Frame, Jumps, LoweringState


class Branches:
    """Lowers what only some of the lanes run."""

    def __init__(self, state: LoweringState) -> None:
        self.state, self.code, self.lanes = state, state.code, state.lanes

    def branch(
        self,
        condition: Value,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None = None,
        losing: bool = False,
    ) -> None:
        """Write a branch. losing: lanes may leave one of its sides for good."""
        code = self.code
        if condition.constant is not None:
            chosen = then if condition.constant else otherwise
            if chosen is not None:
                chosen()
        elif condition.lanes == 1:
            if losing:
                self.track()
            with code.when(condition):
                then()
                if otherwise is not None:
                    code.otherwise()
                    otherwise()
        else:
            self._diverge(condition, then, otherwise, losing)

    def _diverge(
        self,
        condition: Value,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None,
        losing: bool,
    ) -> None:
        code = self.code
        if losing:
            self.track()
        outer, before = self.state.active, self.state.mask()
        self.state.divergence += 1
        remaining = code.variable(code.constant("b", False), self.lanes) if losing else None
        for part, taken in ((then, condition), (otherwise, ~condition)):
            mask = before & taken
            if part is None:
                if remaining is not None:
                    remaining.value |= mask
                continue
            self.state.active = mask if remaining is None else code.variable(mask, self.lanes)
            with code.when(code.any(mask)):
                part()
            if remaining is not None:
                remaining.value |= self.state.active.value
        self.state.divergence -= 1
        self.state.active = outer
        if remaining is not None:
            outer.value = remaining.value
            self.skip_if_none()

    def skip_if_none(self) -> None:
        """Jump behind what all lanes have left, where no lane remains."""
        around: Jumps | Frame = (
            self.state.loops[-1] if self.state.loops else self.state.functions[-1]
        )
        if around.level == self.state.divergence:
            behind = around.next if isinstance(around, Jumps) and around.divergent else around.end
            self.code.branch_if(~self.code.any(self.state.mask()), behind)

    def track(self) -> None:
        """Keep the active lanes where they can change."""
        if not isinstance(self.state.active, Local):
            self.state.active = self.code.variable(self.state.mask(), self.lanes)
