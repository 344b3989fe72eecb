"""All checks, in the order in which they see an access. A new one is a class with a name, and a line here."""

from __future__ import annotations

from ...errors import BarrierError
from .async_copies import AsyncCopies
from .bounds import Bounds
from .observer import Check
from .races.observer import Races
from .uninitialized import Uninitialized


class Barriers(Check):
    """All threads of a block come to the same barrier.

    Where they meet, the machine itself notices who is missing; without this check it lets a block go on when all of its
    threads wait at some barrier.
    """

    name, error = "barriers", BarrierError
    hint = "move the barrier out of the if or loop that only some threads run"


CHECKS: dict[str, type[Check]] = {
    check.name: check for check in (Bounds, AsyncCopies, Uninitialized, Races, Barriers)
}
