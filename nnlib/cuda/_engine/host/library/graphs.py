"""CUDA graphs: work that is written down first, from a stream or node by node, and launched as a whole. Lesson 08."""

from __future__ import annotations

from ..runtime.streams import Graph, GraphNode
from .registry import LibraryPart, provides


class Graphs(LibraryPart):
    """The graphs of a run. Their nodes run one after the other, in an order that their dependencies allow."""

    # --- capture --------------------------------------------------------------------------

    @provides("cudaStreamBeginCapture")
    def begin_capture(self, stream: int, mode: int) -> None:
        self._streams.captured[self._streams.stream(stream)] = Graph()

    @provides("cudaStreamEndCapture")
    def end_capture(self, stream: int, result: int) -> None:
        captured = self._streams.captured
        graph = captured.get(self._streams.stream(stream))
        if graph is None:
            self._reject(
                f"{self._site.names[0] or 'the stream'} is not captured",
                "write cudaStreamBeginCapture(stream, mode) first",
            )
        for one in [one for one, other in captured.items() if other is graph]:
            del captured[one]
        self._answer(result, "q", self._streams.handle_of(graph))

    @provides("cudaStreamIsCapturing")
    def is_capturing(self, stream: int, status: int) -> None:
        captured = self._streams.stream(stream) in self._streams.captured
        self._answer(status, "i", captured)

    # --- graphs and their nodes -----------------------------------------------------------

    def _graph(self, handle: int) -> Graph:
        return self._streams.alive(handle, Graph)

    def _nodes(self, graph: Graph, array: int, count: int) -> list[GraphNode]:
        handles = [self._heap.load_value(array + 8 * k, "q") for k in range(count)]
        for handle in handles:
            if handle not in graph.nodes:
                self._reject(
                    f"{self._site.called} names a node that its graph does not have",
                    "add the node to the graph first",
                )
        return [graph.nodes[handle] for handle in handles]

    @provides("cudaGraphCreate")
    def create(self, result: int, flags: int) -> None:
        self._answer(result, "q", self._streams.handle_of(Graph()))

    @provides("__open_node")
    def open_node(self, result: int, handle: int, after: int, count: int) -> None:
        """Make the calls up to __close_node the work of a new node."""
        graph = self._graph(handle)
        node = GraphNode(after=self._nodes(graph, after, count))
        number, self._streams.opened = self._streams.add(graph, node)
        self._answer(result, "q", number)

    @provides("__open_again")
    def open_again(self, handle: int, node: int) -> None:
        """Make the calls up to __close_node the new work of a node."""
        opened = self._streams.opened = self._graph(handle).nodes[node]
        opened.work.clear()

    @provides("__close_node")
    def close_node(self) -> None:
        self._streams.opened = None

    @provides("__add_child")
    def add_child(self, child: int) -> None:
        assert self._streams.opened is not None
        for node in self._graph(child).in_order().values():
            self._streams.opened.work += node.work

    @provides("cudaGraphAddDependencies")
    def add_dependencies(self, handle: int, first: int, then: int, count: int) -> None:
        graph = self._graph(handle)
        for earlier, later in zip(
            self._nodes(graph, first, count),
            self._nodes(graph, then, count),
            strict=True,
        ):
            later.after.append(earlier)

    @provides("cudaGraphGetNodes")
    def get_nodes(self, handle: int, nodes: int, count: int) -> None:
        graph = self._graph(handle)
        if nodes:
            for k, number in enumerate([*graph.nodes][: self._heap.load_value(count, "q")]):
                self._heap.store_value(nodes + 8 * k, "q", number)
        self._answer(count, "q", len(graph.nodes))

    # --- launches -------------------------------------------------------------------------

    @provides("__instantiate")
    def instantiate(self, result: int, handle: int) -> None:
        self._answer(result, "q", self._streams.handle_of(self._copy(handle)))

    @provides("__update")
    def update(self, executable: int, handle: int) -> None:
        self._graph(executable).nodes = self._copy(handle).nodes

    def _copy(self, handle: int) -> Graph:
        """Return the graph as it is now, in an order in which it can run."""
        ordered = self._graph(handle).in_order()
        return Graph({number: GraphNode([*node.work]) for number, node in ordered.items()})

    @provides("cudaGraphLaunch")
    def launch(self, executable: int, stream: int) -> None:
        for node in [*self._graph(executable).nodes.values()]:
            for work in node.work:
                work(stream)

    # --- functions of the host ------------------------------------------------------------

    @provides("cudaLaunchHostFunc")
    def launch_host_func(self, stream: int, function: int, data: int) -> None:
        if not self._streams.take(
            stream, lambda other: self.launch_host_func(other, function, data)
        ):
            self._run.functions.call_pointer(function, data)

    @provides("cudaStreamAddCallback")
    def stream_add_callback(self, stream: int, function: int, data: int, flags: int) -> None:
        self._run.functions.call_pointer(function, stream, 0, data)
