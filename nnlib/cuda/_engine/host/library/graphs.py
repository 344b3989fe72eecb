"""CUDA graphs: work that is written down first, from a stream or node by node, and launched as a whole. Lesson 08."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..lowering.writer import CallSite
from ..runtime.function_pointers import FunctionPointers
from ..runtime.heap import Heap
from ..runtime.schedule import Stream
from .registry import provides
from .streams import Streams

Work = Callable[[int], object]  # what is done in a stream, which is given by its handle


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

    def in_order(self) -> list[GraphNode]:
        """Every node after those that it depends on."""
        order: dict[GraphNode, None] = {}

        def visit(node: GraphNode) -> None:
            for earlier in node.after:
                if earlier not in order:
                    visit(earlier)
            order[node] = None

        for node in self.nodes.values():
            if node not in order:
                visit(node)
        return list(order)


class Graphs:
    """The graphs of a run. Their nodes run one after the other, in an order that their dependencies allow."""

    def __init__(self, heap: Heap, streams: Streams, functions: FunctionPointers) -> None:
        self._heap, self._streams, self._functions = heap, streams, functions
        self._captured: dict[Stream, Graph] = streams.captured
        self._open: GraphNode | None = None  # what is called now becomes its work

    def take(self, site: CallSite, handle: int, work: Work) -> bool:
        """Is this work of a stream written down, to be done later?"""
        graph = None if self._open else self._captured.get(self._streams.stream(site, handle))
        if self._open is None and graph is None:
            if self._captured and not handle:
                self._heap.mistakes.report(
                    f"{site.called} uses the default stream while a stream is captured, which ends the capture with an "
                    "error",
                    "give it the stream that is captured",
                    at=site.at,
                )
            return False
        if graph is not None:
            self._node(graph).work.append(work)
        elif self._open is not None:
            self._open.work.append(work)
        return True

    def _node(self, graph: Graph) -> GraphNode:
        """A new one, after all that there are."""
        node = GraphNode(after=[*graph.nodes.values()][-1:])
        graph.nodes[self._streams.handle_of(node)] = node
        return node

    # --- capture --------------------------------------------------------------------------

    @provides("cudaStreamBeginCapture")
    def begin_capture(self, site: CallSite, stream: int, mode: int) -> int:
        self._captured[self._streams.stream(site, stream)] = Graph()
        return 0

    @provides("cudaStreamEndCapture")
    def end_capture(self, site: CallSite, stream: int, result: int) -> int:
        graph = self._captured.get(self._streams.stream(site, stream))
        if graph is None:
            self._heap.mistakes.report(
                f"{site.names[0] or 'the stream'} is not captured",
                "write cudaStreamBeginCapture(stream, mode) first",
                at=site.at,
            )
        for one in [one for one, other in self._captured.items() if other is graph]:
            del self._captured[one]
        self._heap.store_value(result, "q", self._streams.handle_of(graph))
        return 0

    @provides("cudaStreamIsCapturing")
    def is_capturing(self, site: CallSite, stream: int, status: int) -> int:
        self._heap.store_value(
            status, "i", int(self._streams.stream(site, stream) in self._captured)
        )
        return 0

    @provides("cudaEventRecord")
    def event_record(self, site: CallSite, event: int, stream: int) -> int:
        graph = self._captured.get(self._streams.stream(site, stream))
        self._streams.event(site, event).graph = graph
        return 0 if graph else self._streams.record(site, event, stream)

    @provides("cudaStreamWaitEvent")
    def stream_wait_event(self, site: CallSite, stream: int, event: int, flags: int) -> int:
        """A stream that waits for an event of a captured one is captured, too."""
        graph = self._streams.event(site, event).graph
        if not isinstance(graph, Graph) or graph not in self._captured.values():
            return self._streams.wait_event(site, stream, event)
        self._captured[self._streams.stream(site, stream)] = graph
        return 0

    # --- graphs and their nodes -----------------------------------------------------------

    def _graph(self, site: CallSite, handle: int) -> Graph:
        return self._streams.alive(site, handle, Graph, "a graph", "cudaGraphCreate(&graph, 0)")

    def _nodes(self, site: CallSite, graph: Graph, array: int, count: int) -> list[GraphNode]:
        handles = [self._heap.load_value(array + 8 * k, "q") for k in range(count)]
        for handle in handles:
            if handle not in graph.nodes:
                self._heap.mistakes.report(
                    f"{site.called} names a node that its graph does not have",
                    "add the node to the graph first",
                    at=site.at,
                )
        return [graph.nodes[handle] for handle in handles]

    @provides("cudaGraphCreate")
    def create(self, site: CallSite, result: int, flags: int) -> int:
        self._heap.store_value(result, "q", self._streams.handle_of(Graph()))
        return 0

    @provides("__open_node")
    def open_node(self, site: CallSite, result: int, handle: int, after: int, count: int) -> int:
        """The calls up to __close_node are the work of a new node."""
        graph = self._graph(site, handle)
        self._open = GraphNode(after=self._nodes(site, graph, after, count))
        number = self._streams.handle_of(self._open)
        graph.nodes[number] = self._open
        self._heap.store_value(result, "q", number)
        return 0

    @provides("__open_again")
    def open_again(self, site: CallSite, handle: int, node: int) -> int:
        """The same for a node that gets other work."""
        graph = self._graph(site, handle)
        self._open = graph.nodes[node]
        self._open.work.clear()
        return 0

    @provides("__close_node")
    def close_node(self, site: CallSite) -> int:
        self._open = None
        return 0

    @provides("__add_child")
    def add_child(self, site: CallSite, child: int) -> int:
        assert self._open is not None
        for node in self._graph(site, child).in_order():
            self._open.work += node.work
        return 0

    @provides("cudaGraphAddDependencies")
    def add_dependencies(
        self, site: CallSite, handle: int, first: int, then: int, count: int
    ) -> int:
        graph = self._graph(site, handle)
        for earlier, later in zip(
            self._nodes(site, graph, first, count),
            self._nodes(site, graph, then, count),
            strict=True,
        ):
            later.after.append(earlier)
        return 0

    @provides("cudaGraphGetNodes")
    def get_nodes(self, site: CallSite, handle: int, nodes: int, count: int) -> int:
        graph = self._graph(site, handle)
        if nodes:
            for k, number in enumerate([*graph.nodes][: self._heap.load_value(count, "q")]):
                self._heap.store_value(nodes + 8 * k, "q", number)
        self._heap.store_value(count, "q", len(graph.nodes))
        return 0

    # --- launches -------------------------------------------------------------------------

    @provides("__instantiate")
    def instantiate(self, site: CallSite, result: int, handle: int) -> int:
        nodes = {
            number: GraphNode([*node.work], node.after)
            for number, node in self._ordered(site, handle).items()
        }
        self._heap.store_value(result, "q", self._streams.handle_of(Graph(nodes)))
        return 0

    def _ordered(self, site: CallSite, handle: int) -> dict[int, GraphNode]:
        graph = self._graph(site, handle)
        numbers = {node: number for number, node in graph.nodes.items()}
        return {numbers[node]: node for node in graph.in_order()}

    @provides("__update")
    def update(self, site: CallSite, executable: int, handle: int) -> int:
        kept, graph = self._graph(site, executable), self._ordered(site, handle)
        kept.nodes = {number: GraphNode([*node.work]) for number, node in graph.items()}
        return 0

    @provides("cudaGraphLaunch")
    def launch(self, site: CallSite, executable: int, stream: int) -> int:
        for node in [*self._graph(site, executable).nodes.values()]:
            for work in node.work:
                work(stream)
        return 0

    @provides("cudaGraphDestroy", "cudaGraphExecDestroy")
    def destroy(self, site: CallSite, handle: int) -> int:
        self._graph(site, handle).destroyed = self._heap.mistakes.line(site)
        return 0

    # --- functions of the host ------------------------------------------------------------

    @provides("cudaLaunchHostFunc")
    def launch_host_func(self, site: CallSite, stream: int, function: int, data: int) -> int:
        if not self.take(
            site, stream, lambda other: self.launch_host_func(site, other, function, data)
        ):
            self._functions.call_pointer(site, function, data)
        return 0

    @provides("cudaStreamAddCallback")
    def stream_add_callback(
        self, site: CallSite, stream: int, function: int, data: int, flags: int
    ) -> int:
        self._functions.call_pointer(site, function, stream, 0, data)
        return 0
