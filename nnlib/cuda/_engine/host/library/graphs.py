"""CUDA graphs: work that is written down first, from a stream or node by node, and launched as a whole. Lesson 08."""

from __future__ import annotations

from ..lowering.writer import CallSite
from ..runtime.streams import Graph, GraphNode
from .registry import LibraryPart, provides


class Graphs(LibraryPart):
    """The graphs of a run. Their nodes run one after the other, in an order that their dependencies allow."""

    # --- capture --------------------------------------------------------------------------

    @provides("cudaStreamBeginCapture")
    def begin_capture(self, site: CallSite, stream: int, mode: int) -> int:
        self._streams.captured[self._streams.stream(site, stream)] = Graph()
        return 0

    @provides("cudaStreamEndCapture")
    def end_capture(self, site: CallSite, stream: int, result: int) -> int:
        captured = self._streams.captured
        graph = captured.get(self._streams.stream(site, stream))
        if graph is None:
            self._reject(
                site,
                f"{site.names[0] or 'the stream'} is not captured",
                "write cudaStreamBeginCapture(stream, mode) first",
            )
        for one in [one for one, other in captured.items() if other is graph]:
            del captured[one]
        return self._answer(result, "q", self._streams.handle_of(graph))

    @provides("cudaStreamIsCapturing")
    def is_capturing(self, site: CallSite, stream: int, status: int) -> int:
        captured = self._streams.stream(site, stream) in self._streams.captured
        return self._answer(status, "i", captured)

    # --- graphs and their nodes -----------------------------------------------------------

    def _graph(self, site: CallSite, handle: int) -> Graph:
        return self._streams.alive(site, handle, Graph)

    def _nodes(self, site: CallSite, graph: Graph, array: int, count: int) -> list[GraphNode]:
        handles = [self._heap.load_value(array + 8 * k, "q") for k in range(count)]
        for handle in handles:
            if handle not in graph.nodes:
                self._reject(
                    site,
                    f"{site.called} names a node that its graph does not have",
                    "add the node to the graph first",
                )
        return [graph.nodes[handle] for handle in handles]

    @provides("cudaGraphCreate")
    def create(self, site: CallSite, result: int, flags: int) -> int:
        return self._answer(result, "q", self._streams.handle_of(Graph()))

    @provides("__open_node")
    def open_node(self, site: CallSite, result: int, handle: int, after: int, count: int) -> int:
        """The calls up to __close_node are the work of a new node."""
        graph = self._graph(site, handle)
        node = GraphNode(after=self._nodes(site, graph, after, count))
        number, self._streams.opened = self._streams.add(graph, node)
        return self._answer(result, "q", number)

    @provides("__open_again")
    def open_again(self, site: CallSite, handle: int, node: int) -> int:
        """The same for a node that gets other work."""
        opened = self._streams.opened = self._graph(site, handle).nodes[node]
        opened.work.clear()
        return 0

    @provides("__close_node")
    def close_node(self, site: CallSite) -> int:
        self._streams.opened = None
        return 0

    @provides("__add_child")
    def add_child(self, site: CallSite, child: int) -> int:
        assert self._streams.opened is not None
        for node in self._graph(site, child).in_order().values():
            self._streams.opened.work += node.work
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
        return self._answer(count, "q", len(graph.nodes))

    # --- launches -------------------------------------------------------------------------

    @provides("__instantiate")
    def instantiate(self, site: CallSite, result: int, handle: int) -> int:
        return self._answer(result, "q", self._streams.handle_of(self._copy(site, handle)))

    @provides("__update")
    def update(self, site: CallSite, executable: int, handle: int) -> int:
        self._graph(site, executable).nodes = self._copy(site, handle).nodes
        return 0

    def _copy(self, site: CallSite, handle: int) -> Graph:
        """The graph as it is now, in an order in which it can run."""
        ordered = self._graph(site, handle).in_order()
        return Graph({number: GraphNode([*node.work]) for number, node in ordered.items()})

    @provides("cudaGraphLaunch")
    def launch(self, site: CallSite, executable: int, stream: int) -> int:
        for node in [*self._graph(site, executable).nodes.values()]:
            for work in node.work:
                work(stream)
        return 0

    # --- functions of the host ------------------------------------------------------------

    @provides("cudaLaunchHostFunc")
    def launch_host_func(self, site: CallSite, stream: int, function: int, data: int) -> int:
        if not self._streams.take(
            site, stream, lambda other: self.launch_host_func(site, other, function, data)
        ):
            self._run.functions.call_pointer(site, function, data)
        return 0

    @provides("cudaStreamAddCallback")
    def stream_add_callback(
        self, site: CallSite, stream: int, function: int, data: int, flags: int
    ) -> int:
        self._run.functions.call_pointer(site, function, stream, 0, data)
        return 0
