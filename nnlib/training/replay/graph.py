"""Training at the speed of the GPU: all data on the device, the steps of an epoch recorded as a CUDA graph.

Python launches a kernel in 4 to 10 µs, a graph in half of one; a step of a small network has ten kernels of a few µs.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from nnlib import device
from nnlib.cuda import RawKernel, RawModule, dependent_launches
from nnlib.datasets import Examples
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.ops.launching import ceil_div, kernel
from nnlib.ops.recording import KernelNode, NotCapturable
from nnlib.optimizers import Optimizer
from nnlib.training.eager import NonFiniteError, first_non_finite
from nnlib.training.evaluation import Evaluation
from nnlib.training.parallel import DRAWN_TOGETHER, Team, part_size
from nnlib.training.replay.captured_step import CapturedStep, Phase
from nnlib.training.replay.placement import Allocate
from nnlib.training.replay.recorded_step import Epoch

_STEPS_PER_GRAPH = 64


class ModelTooLargeError(MemoryError):
    """Training with this batch size needs more memory than the GPU has free."""


class GraphSteps:
    """`run(order, rates, advance)` trains for one epoch on examples that lie beside the model's parameters.

    Raises NotCapturable for what is no fixed list of launches, ModelTooLargeError for what the GPU has no memory for.

    Without a GPU the same launches run one by one in the simulator.

    team: every rank records the step for its part of a batch. Rows without an example are in the graph, too, so that
    each rank launches the same; between gradients and update all ranks add up their gradients, inside the graph.
    """

    def __init__(
        self,
        model: Sequential,
        loss: Loss,
        optimizer: Optimizer,
        train: Examples,
        batch_size: int,
        team: Team | None = None,
    ) -> None:
        if model.parameters.dtype != np.float32:
            raise NotCapturable(
                f"the parameters are {model.parameters.dtype}, the kernels compute in float32"
            )
        kinds = {1: ("uint8", "float32"), 2: ("int32",)}  # a label each; or of each of its tokens
        if train.inputs.dtype not in kinds.get(train.labels.ndim, ()):
            raise NotCapturable(
                f"inputs are {train.inputs.dtype} and labels have {train.labels.ndim} dimensions"
            )
        if team and team.through == "MPI" and device.is_device_array(model.parameters):
            raise NotCapturable("MPI adds up the gradients in the memory of the CPU")
        self.model, self.loss, self.optimizer, self.batch_size = model, loss, optimizer, batch_size
        self.team = team or Team()
        # Examples of a batch that this rank works on
        self.N = part_size(model, batch_size, self.team)
        self.train, self.examples = train, len(train)
        self.steps = ceil_div(self.examples, batch_size)
        self._xp = device.array_module(model.parameters)
        self._state = [model.parameters, *optimizer.buffers]
        if self._xp is not np:
            _check_memory(
                lambda N: _bytes_needed(lambda allocate: self._lay_out(N, allocate)),
                self.N,
                self._xp,
            )
        self.epoch, self.recorded = self._lay_out(self.N, self._xp.zeros)
        self._order = self._xp.zeros((self.steps + 1) * self.N, np.int32)
        self._graphs: dict[Any, Any] = {}
        if self._xp is not np:
            self._stream = self._xp.cuda.Stream(non_blocking=True)
            self._record()

    def run(
        self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]
    ) -> Evaluation:
        """Train once on all examples in `order`, step i with learning rate `rates[i]`."""
        before = [array.copy() for array in self._state]
        self._start_epoch(order, rates)
        try:
            self._steps(len(rates), advance)
            losses, hits = (
                device.to_host(found).reshape(-1, self.train.labels[0].size)
                for found in (self.epoch.losses, self.epoch.hits)
            )
            finite = np.isfinite(losses).all(1)
            bad = self.steps if finite.all() else int(finite.argmin()) // self.N
            if (step := min(self.team.gather(bad))) < self.steps:
                self._explain(before, order, rates, step, here=bad == step)
        finally:
            self._count()
        there = self._rows(order).reshape(-1)[: len(losses)] >= 0
        loss, correct = self.team.total(
            *(found[there].mean(1, dtype=np.float64).sum() for found in (losses, hits))
        )
        return Evaluation(loss / self.examples, correct / self.examples)

    # --- one epoch --------------------------------------------------------------------------------------------

    def _rows(self, order: np.ndarray) -> np.ndarray:
        """Return the examples of this rank, a row for each step and one more; -1 where there is none."""
        padded = np.full(self.steps * self.batch_size, -1, np.int32)
        padded[: self.examples] = order
        own = padded.reshape(self.steps, -1)[:, self.team.part(self.batch_size, self.N)]
        rows = np.full((self.steps + 1, self.N), -1, np.int32)
        rows[:-1, : own.shape[1]] = own
        return rows

    def _start_epoch(self, order: np.ndarray, rates: Sequence[float]) -> None:
        self._order[...] = self._xp.asarray(self._rows(order).reshape(-1))
        self.epoch.rates[...] = self._xp.asarray(rates, np.float32)
        self.epoch.clock[...] = self._xp.asarray([self.optimizer.steps, 0, 0, 0], np.int32)
        for layer, offset, per_example in self.epoch.dropouts:
            offset[...] = layer.offset + self.team.rank * self.N * per_example // DRAWN_TOGETHER

    def _steps(self, count: int, advance: Callable[[int], None] = lambda n: None) -> None:
        """Launch `count` steps, most of them many at a time, and wait for them."""
        self._load_batch(self.recorded.phases[0])()
        device.synchronize()  # what was copied for them ran on another stream than the graphs will
        done = 0
        try:
            while done < count:
                size, phase = max(
                    (key for key in self._graphs if key[0] <= count - done and key[1] == done % 2),
                    default=(1, done % 2),
                )
                if self._graphs:
                    self._graphs[size, phase].launch(self._stream)
                else:
                    for launch in self._launches[phase]:
                        launch()
                done += size
                advance(size)
        finally:  # also after Ctrl-C: what was launched still changes the parameters
            if self._graphs:
                self._wait()

    def _wait(self) -> None:
        """Wait for the launched steps; in a team, no longer than its timeout for any one of them."""
        if self.team.size == 1:
            self._stream.synchronize()
            return
        beside = self._xp.cuda.Stream(non_blocking=True)

        def steps_done() -> int:
            return int(self.epoch.clock.get(stream=beside)[1])

        while not self._stream.done:
            seen = steps_done()
            with self.team.waiting(f"the gradients of step {seen}"):
                while not self._stream.done and steps_done() == seen:
                    time.sleep(1e-4)

    def _count(self) -> None:
        """Let optimizer and dropout layers know how far training is, as the clock on the device says.

        Also of an epoch that was interrupted: nobody but the device knows which of its steps were done.
        """
        steps = int(device.to_host(self.epoch.clock)[1])
        self.optimizer.steps += steps
        for start in range(0, self.examples, self.batch_size)[:steps]:
            for layer, _, per_example in self.epoch.dropouts:
                layer.advance(min(self.batch_size, self.examples - start) * per_example)

    def _explain(
        self, before: list[Any], order: np.ndarray, rates: Sequence[float], step: int, here: bool
    ) -> None:
        """Go back to the parameters before the bad step, by doing the good ones again, and say what went wrong.

        here: the loss of this rank's part was not finite.
        """
        self._start_epoch(order, rates)
        for array, saved in zip(self._state, before, strict=True):
            array[...] = saved
        self._steps(step)
        row = self._rows(order)[step]
        place = ""
        if here:
            x, _ = next(self.train[row[row >= 0]].batches(self.N))
            place = first_non_finite(self.model, x)
        raise NonFiniteError(step, self.team.first(place))

    # --- recording --------------------------------------------------------------------------------------------

    def _lay_out(self, N: int, allocate: Allocate) -> tuple[Epoch, Any]:
        places = self.examples if self.team.size == 1 else self.steps * self.N
        epoch = Epoch(places, N, allocate, self.batch_size, self.team.size > 1)
        shape = tuple(self.train.inputs.shape[1:])
        return epoch, CapturedStep(self.model, self.loss, self.optimizer, shape, N, epoch, allocate)

    @functools.cached_property
    def _launches(self) -> Any:
        """The launches of even and of odd steps; once the loss has counted a step, the next batch is loaded beside the rest."""
        launches = []
        for phase, other in (self.recorded.phases, self.recorded.phases[::-1]):
            first, *rest = phase.backward
            load = replace(self._load_batch(other), aside=bool(rest))
            sums = [SumOfGradients(self.team, self.model.gradients)] if self.team.size > 1 else []
            launches.append([*phase.forward, first, load, *rest[:-1], *sums, *rest[-1:]])
        return launches

    def _load_batch(self, phase: Phase) -> KernelNode:
        inputs = self.train.inputs.reshape(self.examples, -1)
        size = inputs.shape[1]
        load = kernel(
            "fast/training", "load_batch", () if inputs.dtype == np.uint8 else ("-DINPUT=float",)
        )
        labels = self.train.labels.astype(np.int32, copy=False)
        return KernelNode(
            load,
            (ceil_div(size, 256), self.N),
            (256,),
            (
                inputs,
                labels,
                self._order,
                self.epoch.clock,
                phase.x,
                phase.labels,
                size,
                self.examples,
                self.batch_size,
                *self.train.scale_and_shift(inputs),
            ),
        )

    def _record(self) -> None:
        """Capture graphs of one step, and of as many steps as leave few single ones at the end of an epoch: an even number."""
        # loading a kernel is not allowed while recording
        phases = [
            [_GraphLaunch(node) if isinstance(node, KernelNode) else node for node in launches]
            for launches in self._launches
        ]
        if self.team.size > 1:
            # Connects the GPUs, once and for all
            self.team.all_reduce(self._xp.zeros_like(self.model.gradients))
            device.synchronize()
        steps = self.steps
        many = max(
            range(2, max(2, min(steps, _STEPS_PER_GRAPH)) + 1, 2),
            key=lambda size: size - steps % size,
        )
        for size, phase in (1, 0), (1, 1), (many, 0):
            self._graphs[size, phase] = self._capture(
                [phases[(phase + step) % 2] for step in range(size)]
            )
            self._graphs[size, phase].upload(self._stream)

    def _capture(self, steps: Sequence[Sequence[_GraphLaunch | SumOfGradients]]) -> Any:
        main, beside = self._stream, self._xp.cuda.Stream(non_blocking=True)

        def event() -> Any:
            return self._xp.cuda.Event(disable_timing=True)

        def launch() -> None:
            alone = False  # True while the next launch has to wait for the latest one only
            for launches in steps:
                for one, following in zip(launches, [*launches[1:], None], strict=True):
                    if following is not None and following.aside:
                        # Where this node may start, the following may, too
                        beside.wait_event(main.record(event()))
                    if one.joins and any(each.aside for each in launches):
                        main.wait_event(beside.record(event()))
                        alone = False
                    one.start(beside if one.aside else main, alone and not one.aside)
                    alone = isinstance(one, _GraphLaunch)

        return capture(main, launch)


class SumOfGradients:
    """Adds up the gradients of all ranks, between the backward pass and the update."""

    aside = joins = False

    def __init__(self, team: Team, gradients: Any) -> None:
        self._team, self._gradients = team, gradients

    def __call__(self) -> None:
        self._team.all_reduce(self._gradients)

    def start(self, stream: Any, early: bool) -> None:
        """Join the current stream, which is the main one of a capture."""
        self()


class _GraphLaunch:
    """A launch that many graphs repeat; where the GPU can, it begins while the one before it ends."""

    def __init__(self, node: KernelNode) -> None:
        self.aside, self.joins = node.aside, node.joins
        kernel = _waiting(node.kernel) if dependent_launches.available() else node.kernel
        self._prepared = kernel.prepare(node.grid, node.block, node.args, node.shared)

    def start(self, stream: Any, early: bool) -> None:
        """Add a launch. early: it follows nothing but the launch before it in this stream."""
        if early and dependent_launches.available():
            dependent_launches.start(self._prepared, stream.ptr)
        else:
            self._prepared.start((), stream.ptr)


@functools.cache
def _waiting(kernel: RawKernel) -> RawKernel:
    text = dependent_launches.waiting(kernel.code, kernel.name)
    return RawModule(text, options=kernel.options).get_function(kernel.name)


def capture(stream: Any, *launches: Callable[[], Any]) -> Any:
    """Capture what these launch, in order, in this stream of CuPy's, as a CUDA graph; nothing runs yet."""
    with stream:
        stream.begin_capture()
        try:
            for launch in launches:
                launch()
        except BaseException:
            # A stream that goes on recording refuses all later work
            with contextlib.suppress(RuntimeError):
                stream.end_capture()
            raise
        return stream.end_capture()


# --- memory -------------------------------------------------------------------------------------------------------


def _bytes_needed(lay_out: Callable[[Allocate], Any]) -> int:
    """Return the bytes that a step would allocate, found by laying it out with arrays that take no memory."""
    total = 0

    def count(elements: int, dtype: Any) -> np.ndarray:
        nonlocal total
        total += -(-elements * np.dtype(dtype).itemsize // 512) * 512  # as the memory pool rounds
        return np.broadcast_to(np.zeros(1, dtype), (elements,))

    lay_out(count)
    return total


def _check_memory(needed: Callable[[int], int], batch_size: int, cp: Any) -> None:
    """Raise ModelTooLargeError, with the largest batch that fits, unless `batch_size` fits."""
    free = cp.cuda.runtime.memGetInfo()[0] + cp.get_default_memory_pool().free_bytes()
    if needed(batch_size) <= free:
        return
    fits = bisect.bisect(range(1, batch_size), free, key=needed)
    advice = (
        f"the largest batch that fits is {fits}"
        if fits
        else "even a batch of 1 is too large: shrink the network"
    )
    raise ModelTooLargeError(
        f"training with batches of {batch_size} needs {needed(batch_size) / 1e9:.1f} GB, "
        f"the GPU has {free / 1e9:.1f} GB free; {advice}"
    )
