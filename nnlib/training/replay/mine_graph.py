"""Training on the student's own kernels, every step a CUDA graph.

A graph repeats its launches with the very same numbers. What changes from step to step lies in device memory (which
examples come next), or stays outside of the graph: the learning rate is a number in the launch of sgd_step.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nnlib import device, mine
from nnlib.cuda import Replay, UnsupportedError, checks, on_webgpu
from nnlib.ops.recording import KernelNode, NotCapturable
from nnlib.training.evaluation import Evaluation
from nnlib.training.replay.graph import GraphSteps, capture
from nnlib.training.replay.mine_step import MineStep, note_batch, take_batch
from nnlib.training.replay.placement import Allocate
from nnlib.training.replay.recorded_step import Epoch

_WORTH = 4  # steps in a row for which arrays are sent to a GPU through WebGPU


class MineSteps(GraphSteps):
    """`GraphSteps` on the pieces of `nnlib.mine`: one graph for full batches, one for a smaller last one.

    Batches may be of tokens, and layers may be inside layers. Without a GPU the same launches run one by one in the
    simulator, checked in the first step of each size; later steps run through WebGPU where that reaches a GPU, and their
    arrays are there until the end of an epoch.
    """

    def run(
        self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]
    ) -> Evaluation:
        """Train once on all examples in `order`, step i with learning rate `rates[i]`."""
        self._rates = rates
        return super().run(order, rates, advance)

    @functools.cached_property
    def _checked(self) -> set[int]:
        """Sizes of batches of which one step has been checked."""
        return set()

    def _lay_out(self, N: int, allocate: Allocate) -> tuple[Epoch, Any]:
        train, pixels = self.train, self.train.inputs.dtype == np.uint8
        if train.inputs.dtype == np.float32 and (train.mean, train.std) != (0, 1):
            raise NotCapturable(
                "inputs that are no bytes are normalised by the course's kernel: give bytes"
            )
        tokens = train.labels[0].size
        return Epoch(self.examples, N, allocate, tokens=tokens), {
            size: MineStep(
                self.model,
                self.loss,
                self.optimizer,
                tuple(train.inputs.shape[1:]),
                size,
                allocate,
                (float(train.mean), float(train.std)) if pixels else None,
            )
            for size in {min(N, self.examples), self.examples % N} - {0}
        }

    @functools.cached_property
    def _launches(self) -> Any:
        """Size of the batch -> the launches of its step, all but the update."""
        inputs, labels = self.train.inputs, self.train.labels.astype(np.int32, copy=False)
        return {
            N: [
                take_batch(step, inputs, labels, self._order, self.epoch),
                *step.launches,
                note_batch(step, self.epoch),
            ]
            for N, step in self.recorded.items()
        }

    def _record(self) -> None:
        for N, launches in self._launches.items():
            for node in (*launches, self.recorded[N].update(1.0)):
                node.kernel.compile()  # loading a kernel is not allowed while recording
            self._graphs[N] = capture(self._stream, *launches)
            self._graphs[N].upload(self._stream)

    def _steps(self, count: int, advance: Callable[[int], None] = lambda n: None) -> None:
        device.synchronize()  # what was copied for them ran on another stream than the graphs will
        done: Counter[int] = Counter()  # size of the batch -> steps
        sizes = [min(self.N, self.examples - step * self.N) for step in range(count)]
        step = 0
        try:
            while step < count:
                row = self._row(sizes, step)
                if not self._repeat(row, sizes[step], advance):
                    for one in row:
                        self._step(sizes[one], one, sizes[one] not in self._checked)
                        advance(1)
                self._checked.add(sizes[step])
                done[sizes[step]] += len(row)
                step = row.stop
        finally:  # also after Ctrl-C: what was launched still changes the parameters
            if self._graphs:
                self._stream.synchronize()
            for N, steps in done.items():
                for name, times in self.recorded[N].pieces.items():
                    mine.note_launches(name, times * steps)

    def _row(self, sizes: Sequence[int], step: int) -> range:
        """Return the steps from this one on that are launched alike: of one size, and checked or not."""
        last = step + 1
        while sizes[step] in self._checked and last < len(sizes) and sizes[last] == sizes[step]:
            last += 1
        return range(step, last)

    def _repeat(self, steps: range, N: int, advance: Callable[[int], None]) -> bool:
        """Run steps on a GPU through WebGPU, where arrays stay until the last; return whether that could be."""
        if len(steps) < _WORTH or self._graphs:
            return False
        try:
            with on_webgpu() as replay:
                launches = [_prepared(replay, node) for node in self._launches[N]]
                for step in steps:
                    update = _prepared(replay, self._update(N, step))
                    replay.start([*launches, update])
        except UnsupportedError:
            return False
        advance(len(steps))
        return True

    def _update(self, N: int, step: int) -> KernelNode:
        """Return the update after this step of the epoch."""
        after = self.optimizer.steps + step + 1
        update: KernelNode = self.recorded[N].update(self._rates[step], after)
        return update

    def _step(self, N: int, step: int, checked: bool) -> None:
        """Run one graph and, behind it, the update; without a GPU one launch after the other."""
        update = self._update(N, step)
        if self._graphs:
            with self._stream:
                self._graphs[N].launch(self._stream)
                update()
        else:
            with checks(checked):
                for launch in (*self._launches[N], update):
                    launch()


def _prepared(replay: Replay, node: KernelNode) -> Any:
    return replay.prepare(node.kernel, node.grid, node.block, node.args, node.shared)
