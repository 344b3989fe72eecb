"""Streams, events and graphs: what a program holds by handles, how the host waits, and what is only written down.

Lesson 08.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from .heap import Heap
from .output import Output
from .schedule import CudaEvent, Operation, Schedule, Stream

Work = Callable[[int], object]  # what is done in a stream, which is given by its handle


class Destroyable(Protocol):
    """An object that a program holds by a handle. destroyed: in which line, 0 while it lives."""

    destroyed: int


Handle = TypeVar("Handle", bound=Destroyable)


@dataclass(eq=False)
class GraphNode:
    """work: in order; after: the nodes that come before it."""

    work: list[Work] = field(default_factory=list)
    after: list[GraphNode] = field(default_factory=list)


@dataclass(eq=False)
class Graph:
    """nodes: by the handles that the program has of them. destroyed: in which line."""

    nodes: dict[int, GraphNode] = field(default_factory=dict)
    destroyed: int = 0

    def in_order(self) -> dict[int, GraphNode]:
        """Return every node after those that it depends on."""
        numbers = {node: number for number, node in self.nodes.items()}
        order: dict[int, GraphNode] = {}

        def visit(node: GraphNode) -> None:
            if numbers[node] not in order:
                for earlier in node.after:
                    visit(earlier)
                order[numbers[node]] = node

        for node in numbers:
            visit(node)
        return order


CREATED: dict[type[Destroyable], tuple[str, str]] = {
    Stream: ("a stream", "cudaStreamCreate(&stream)"),
    CudaEvent: ("an event", "cudaEventCreate(&event)"),
    Graph: ("a graph", "cudaGraphCreate(&graph, 0)"),
}


class Streams:
    """The streams and events of a run.

    captured: streams whose work is captured, and the graph that it becomes. opened: the node whose work the program adds
    call by call.
    """

    def __init__(self, schedule: Schedule, heap: Heap, output: Output) -> None:
        self.schedule, self._heap, self._output = schedule, heap, output
        self._mistakes, self._handles = heap.mistakes, dict[int, object]()
        self.captured: dict[Stream, Graph] = {}
        self.opened: GraphNode | None = None

    # --- waiting --------------------------------------------------------------------------

    def wait(self, operations: Sequence[Operation | None], why: str) -> None:
        """Let the host wait; what kernels have printed appears."""
        self.schedule.wait(operations, self._mistakes.site.at.line, why)
        self._output.show_unseen()
        self._heap.settle()

    def wait_for_all(self, why: str) -> None:
        self.wait([stream.last for stream in self.schedule.streams], why)

    # --- handles --------------------------------------------------------------------------

    def handle_of(self, thing: object) -> int:
        """Return what the program is to hold of a stream, an event, or a graph."""
        number = (1 << 62) + len(self._handles) + 1
        self._handles[number] = thing
        return number

    def alive(self, handle: int, kind: type[Handle]) -> Handle:
        """Return what the handle stands for, which must have been created and not been destroyed."""
        found, (word, creation) = self._handles.get(handle), CREATED[kind]
        if not isinstance(found, kind):
            self._mistakes.reject(
                f"{word} is used that was never created", f"write {creation} first"
            )
        if found.destroyed:
            self._mistakes.reject(
                f"{word} is used that was destroyed in line {found.destroyed}",
                "destroy it after its last use",
            )
        return found

    def stream(self, handle: int) -> Stream:
        """Return the stream that a call names."""
        return self.alive(handle, Stream) if handle else self.schedule.default

    # --- graphs ---------------------------------------------------------------------------

    def take(self, handle: int, work: Work) -> bool:
        """Capture work of a stream that is to be done later; return False where it is to be done now."""
        node, site = self.opened, self._mistakes.site
        if node is None:
            graph = self.captured.get(self.stream(handle))
            if graph is None:
                if self.captured and not handle:
                    self._mistakes.reject(
                        f"{site.called} uses the default stream while a stream is captured, which ends the capture "
                        "with an error",
                        "give it the stream that is captured",
                    )
                return False
            node = self.add(graph, GraphNode(after=[*graph.nodes.values()][-1:]))[1]

        def later(stream: int) -> None:
            self._mistakes.site = site
            work(stream)

        node.work.append(later)
        return True

    def add(self, graph: Graph, node: GraphNode) -> tuple[int, GraphNode]:
        """Put a node into a graph; return its handle, and the node."""
        number = self.handle_of(node)
        graph.nodes[number] = node
        return number, node
