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
from nnlib.cuda import checks
from nnlib.ops.recording import NotCapturable
from nnlib.training.evaluation import Evaluation
from nnlib.training.replay.graph import GraphSteps, capture
from nnlib.training.replay.mine_step import MineStep, note_batch, take_batch
from nnlib.training.replay.placement import Allocate
from nnlib.training.replay.recorded_step import Epoch


class MineSteps(GraphSteps):
    """`GraphSteps` on the pieces of `nnlib.mine`: one graph for full batches, one for a smaller last one.

    Without a GPU the same launches run one by one in the simulator, checked in the first step of each size.
    """

    def run(
        self, order: np.ndarray, rates: Sequence[float], advance: Callable[[int], None]
    ) -> Evaluation:
        """Do as `Steps.run` says."""
        self._rates = rates
        return super().run(order, rates, advance)

    def _lay_out(self, N: int, allocate: Allocate) -> tuple[Epoch, Any]:
        train, pixels = self.train, self.train.inputs.dtype == np.uint8
        if not pixels and (train.mean, train.std) != (0, 1):
            raise NotCapturable(
                "inputs that are no bytes are normalised by the course's kernel: give bytes"
            )
        return Epoch(self.examples, N, allocate), {
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
        try:
            for step in range(count):
                N = min(self.N, self.examples - step * self.N)
                self._step(N, self._rates[step], N not in done)
                done[N] += 1
                advance(1)
        finally:  # also after Ctrl-C: what was launched still changes the parameters
            if self._graphs:
                self._stream.synchronize()
            for N, steps in done.items():
                for name, times in self.recorded[N].pieces.items():
                    mine.note_launches(name, times * steps)

    def _step(self, N: int, rate: float, checked: bool) -> None:
        """Run one graph and, behind it, the update; without a GPU one launch after the other."""
        update = self.recorded[N].update(rate)
        if self._graphs:
            with self._stream:
                self._graphs[N].launch(self._stream)
                update()
        else:
            with checks(checked):
                for launch in (*self._launches[N], update):
                    launch()
