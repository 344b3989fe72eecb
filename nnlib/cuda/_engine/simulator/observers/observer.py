"""The base of every observer: named hooks, called as the threads run, that do nothing unless overridden.

The simulator runs kernels and knows no check. Bounds, races, counters, the trace ... are observers of the same events,
one file each. A new one derives from `Observer`, or from `Check` if it stops a launch that is wrong, and overrides the
hooks that it needs. `checks.py` lists the checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NoReturn, Protocol

from ...errors import Dim3, KernelError
from ..codegen.code import Code
from ..compiled import Compiled
from ..fault_report import FaultReport
from ..machine_protocol import MachineProtocol
from ..masks import Mask
from ..memory.spaces import Access, Hook, Site, Watch

ALL_SPACES = ("read-only", "written", "constant", "shared", "local")  # the first two: global memory
_OF_MEMORY = ("load", "store", "atomic")


class LaunchProtocol(Protocol):
    """The interface of a launch to its observers.

    machine: the chunk that runs now. threads: of a block. blocks: the numbers of those that run.
    coroutine_size: how many threads run in lock step and wait by themselves; 0 for whole chunks.
    steps: iterations of loops in the chunks that have ended. warnings: lines, and what the profile says of them.
    repeated_stores: see `Profile`.
    """

    machine: MachineProtocol
    compiled: Compiled
    code: Code
    name: str
    grid: Dim3
    threads: int
    blocks: Sequence[int]
    coroutine_size: int
    steps: float
    fault_report: FaultReport
    warnings: list[tuple[int, str]]
    repeated_stores: dict[int, str]
    overflows: set[int]
    late_barriers: set[int]


class Observer:
    """Sees what the threads of one launch do.

    A mask says which threads of the chunk do it; None is all of them. Accesses are seen before they happen.
    """

    spaces: tuple[str, ...] = ()  # the memories whose accesses it sees
    launch: LaunchProtocol

    @property
    def machine(self) -> MachineProtocol:
        """The chunk of blocks that runs now."""
        return self.launch.machine

    def kernel_begin(self) -> None:
        """See `self.launch` begin."""

    def chunk_begin(self) -> None:
        """See the blocks of `self.machine` begin to run together."""

    def chunk_end(self) -> None:
        """See the blocks of `self.machine` end."""

    def kernel_end(self) -> None:
        """See all blocks end."""

    def before_failure(self) -> None:
        """Report an earlier fault before another observer, or the machine, reports one."""

    # --- memory: the active threads of an access read, write, or update atomically ----------

    def load(self, access: Access) -> None: ...
    def store(self, access: Access) -> None: ...
    def atomic(self, access: Access) -> None: ...

    # --- order ------------------------------------------------------------------------------

    def barrier(self, blocks: Mask) -> None:
        """See all threads of some blocks meet. blocks: a mask of the chunk's blocks; None for all."""

    def grid_barrier(self) -> None:
        """See all threads of all blocks meet."""

    def warp_sync(self, mask: Mask, named: Any) -> None:
        """See __syncwarp(named): lanes of the mask have met those of their warp that `named` has as bits."""

    def fence(self, mask: Mask, name: str) -> None:
        """See __threadfence() or a related fence, by name."""

    def copy_started(self, access: Access) -> None:
        """See an asynchronous copy begin that reads or writes here; its load or store has just been seen."""

    def copy_arrived(self, access: Access) -> None:
        """See the threads of an asynchronous copy's access finish waiting for it."""

    # --- flow -------------------------------------------------------------------------------

    def statement(self, mask: Mask, site: Site, variables: dict[str, Any]) -> None:
        """See a statement that is about to run, and what the visible variables hold. Only in code made for a trace."""

    def straight_line(self, mask: Mask, segment: int) -> None:
        """See code without branches run once; `Code.segments` says what is in it. Only in code made for counting."""

    def branch(self, mask: Mask, taken: Mask, site: Site) -> None:
        """See the threads of mask reach a branch, which those of `taken` take. Only in code made for counting."""

    def enter(self, mask: Mask, region: int) -> None:
        """See threads reach a loop or branch for which a compiler makes accesses once: see `Kept`. Only for counting."""


class Check(Observer):
    """An observer that stops a launch in which something is wrong.

    name: as `with checks(False, name):` calls it. error: what it raises. hint: what to do about it, where the check
    cannot tell more precisely.
    """

    name: ClassVar[str]
    error: ClassVar[type[KernelError]]
    hint: ClassVar[str]

    def fail(
        self,
        site: Site,
        lanes: Mask,
        what: str,
        allowed: str = "",
        hint: str | None = None,
        **fields: Any,
    ) -> NoReturn:
        """Raise an error for the first of the lanes, a mask.

        what: happened; allowed: would have been. hint: None for that of the check. fields: of the error.
        """
        self.machine.fail(
            self.error, site, lanes, what, allowed, self.hint if hint is None else hint, **fields
        )


class Hooks:
    """The functions to call, per hook: the methods of those observers that override it. A hook of no observer costs nothing."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self._of: dict[tuple[str, str], list[Hook]] = {}  # by name, and space of memory
        for name, hook in vars(Observer).items():
            for space in ALL_SPACES if name in _OF_MEMORY else ("",):
                self._of[name, space] = [
                    getattr(observer, name)
                    for observer in observers
                    if callable(hook) and getattr(type(observer), name) is not hook
                    if not space or space in observer.spaces
                ]

    def tell(self, hook: str, *details: Any) -> None:
        """Call that hook of all observers."""
        for told in self._of[hook, ""]:
            told(*details)

    def add(self, observer: Observer) -> None:
        """Call one more, for a while, for what happens to memory."""
        for hooks, hook in self._seen_by(observer):
            hooks.append(hook)

    def remove(self, observer: Observer) -> None:
        for hooks, hook in self._seen_by(observer):
            hooks.remove(hook)

    def _seen_by(self, observer: Observer) -> Iterator[tuple[list[Hook], Hook]]:
        yield self._of["copy_started", ""], observer.copy_started
        for name in _OF_MEMORY:
            for space in observer.spaces:
                yield self._of[name, space], getattr(observer, name)

    def watch(self, space: str) -> Watch:
        """Return who sees the accesses to memories of a space."""
        return Watch(*(self._of[name, space] for name in _OF_MEMORY))
