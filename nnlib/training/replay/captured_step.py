"""A recorded step as the launches of a CUDA graph: neighbours become one kernel, numbers become memory.

Convolution, ReLU and 2×2 max pooling become one kernel, forwards and backwards. So do linear and ReLU, and the last
linear layer and the loss. The update adds up the partial sums of the convolutions' gradients. What changes from step to
step (which examples, the learning rate, where a random sequence stands) lies in device memory.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from nnlib import ops
from nnlib.layers import Dropout
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.ops.fast import tiling
from nnlib.ops.fast.linear import FEW_OUTPUTS, linear_into, sum_parts
from nnlib.ops.fast.tiling import Convolution
from nnlib.ops.launching import Tiling, ceil_div, each, run
from nnlib.ops.recording import KernelNode, NotCapturable
from nnlib.optimizers import Optimizer
from nnlib.training.parallel import DRAWN_TOGETHER
from nnlib.training.replay.placement import Allocate
from nnlib.training.replay.recorded_step import Chain, Epoch, Launches, RecordedStep, unfused

_CLASSES = 32  # of the loss: one lane each
_UPDATES = {
    "sgd_step": ("sgd_update", ("momentum", "nesterov", "weight_decay")),
    "adam_step": ("adam_update", ("beta1", "beta2", "eps", "weight_decay")),
}


class Phase(NamedTuple):
    """A step on one of two places for a batch: while it works, the other one is filled for the next step.

    x, labels: the place. forward: launches up to the loss. backward: launches after it; the last one is the update.
    """

    x: Any
    labels: Any
    forward: list[KernelNode]
    backward: list[KernelNode]


class CapturedStep:
    """The launches of one step for batches of `N` inputs of `input_shape`, in order: two `phases`, taken alternately.

    epoch: what the step finds and leaves; notes its dropouts.
    allocate: makes a flat array; a counting one tells what the step needs without taking it.
    """

    def __init__(
        self,
        model: Sequential,
        loss: Loss,
        optimizer: Optimizer,
        input_shape: tuple[int, ...],
        N: int,
        epoch: Epoch,
        allocate: Allocate,
    ) -> None:
        if any(layer.layers for layer in model.layers) or model.takes != "f":
            raise NotCapturable("the fused step takes no tokens, and no layers inside layers")
        with ops.engine("kernels"):
            self._step = step = RecordedStep(model, loss, optimizer, (N, *input_shape))
        self.N, self._launched, self._empty = N, step.recording.launched, step.recording.empty
        self.epoch, self._allocate = epoch, allocate
        self._dropouts = (layer for layer in model.layers if isinstance(layer, Dropout))
        chains = step.chains()
        self._share_partials(chains)
        fused = [self._fused(chain) for chain in chains]
        forward = [node for launches, _ in fused[:-1] for node in launches] + self._ending(
            chains[-1], fused[-1][0]
        )
        backward = [node for _, launches in reversed(fused) for node in launches]
        place = step.placement(
            allocate,
            epoch.clock,
            epoch.rates,
            epoch.losses,
            epoch.hits,
            *(offset for _, offset, _ in epoch.dropouts),
        )
        backward += self._update(optimizer)
        self.phases: list[Phase] = []
        for _ in range(2):
            self.phases.append(
                Phase(
                    place(step.x), place(step.labels), place.nodes(forward), place.nodes(backward)
                )
            )
            place.renew(step.x, step.labels)

    def _fused(self, chain: Chain) -> Launches:
        kind, shape = chain[0].forward.name, _tiled(chain)
        if shape:
            return self._convolution(chain, shape)
        if kind == "linear" and len(chain) > 1:
            linear, relu = chain
            forward = self._launched(
                linear_into, *linear.forward.args.values(), relu.forward.result, True
            )
            return forward, unfused(chain)[1]
        return self._dropout(chain) if kind == "dropout" else unfused(chain)

    # --- convolutions ---------------------------------------------------------------------------------------------

    def _share_partials(self, chains: list[Chain]) -> None:
        """Lay out a matrix for the gradients of the convolutions that precede all other parameters: a row per part."""
        self._starts: dict[int, int] = {}
        self._summed = 0
        for chain in itertools.takewhile(
            _tiled, (chain for chain in chains if "w" in chain[0].forward.args)
        ):
            self._starts[id(chain[0])] = self._summed
            self._summed += chain[0].backward.args["out"].size
        # Rows that no block writes stay zero
        self._partials = self._empty(max(1, tiling.PARTS * self._summed))

    def _convolution(self, chain: Chain, shape: Convolution) -> Launches:
        conv, last, N = chain[0], chain[-1], self.N
        x, w, b = (conv.forward.args[name] for name in "xwb")
        dx, dy, gradients = (
            conv.backward.result[0],
            last.backward.args["dy"],
            conv.backward.args["out"],
        )
        y, argmax = (
            last.forward.result if shape.pool else (last.forward.result, self._empty(1, np.int32))
        )
        where, weight = argmax if shape.pool else y, shape.backward_weight(N)
        forward = self._launched(run, shape.forward(N), x, w, b, y, argmax)
        backward = (
            [] if dx is None else self._launched(run, shape.backward_input(N), dy, where, w, dx)
        )
        if id(conv) in self._starts:
            partials = self._partials[self._starts[id(conv)] :]
            (node,) = self._launched(run, weight, dy, where, x, partials, self._summed, N)
            return forward, [*backward, replace(node, aside=dx is not None)]
        partials = self._empty((weight.grid[0], gradients.size))
        backward += self._launched(run, weight, dy, where, x, partials, gradients.size, N)
        return forward, backward + self._launched(sum_parts, partials, len(partials), gradients)

    # --- what changes from step to step ---------------------------------------------------------------------------

    def _ending(self, chain: Chain, forward: list[KernelNode]) -> list[KernelNode]:
        """Plan the last layer and the loss; a label is -1 where the last batch of an epoch has no example."""
        logits, labels = self._step.loss.args.values()
        if (O := logits.shape[1]) > _CLASSES:
            raise NotCapturable(f"there are {O} classes, the captured loss takes {_CLASSES}")
        epoch = self.epoch
        results = labels, epoch.clock, self._step.loss.result[1], epoch.losses, epoch.hits
        if chain[-1].forward.name != "linear" or O > FEW_OUTPUTS or ops.current_precision().narrow:
            one_warp = Tiling("fast/training", "batch_cross_entropy", (), (self.N,), (32,))
            return forward + self._launched(run, one_warp, logits, *results, O)
        I = chain[-1].forward.args["x"].shape[1]
        threads = 32 * ceil_div(ceil_div(I, ceil_div(I, 1024)), 32)
        options = (f"-DOUT={O}", f"-DIN={I}", f"-DTHREADS={threads}")
        return self._launched(
            run,
            Tiling("fast/training", "linear_cross_entropy", options, (self.N,), (threads,)),
            *chain[-1].forward.args.values(),
            *results,
        )

    def _dropout(self, chain: Chain) -> Launches:
        x, p, seed, _ = chain[0].forward.args.values()
        offset = self._allocate(1, np.uint64)
        self.epoch.dropouts.append((next(self._dropouts), offset, x.size // self.N))
        forward = self._launched(
            each,
            "dropout",
            "dropout_captured",
            ceil_div(x.size, 4),
            x,
            *chain[0].forward.result,
            x.size,
            int(p * 2**32),
            1 / (1 - p),
            seed % 2**64,
            offset,
            self.epoch.clock[1:],
            ceil_div(x.size // self.N * self.epoch.batch_size, DRAWN_TOGETHER),
        )
        return forward, unfused(chain)[1]

    def _update(self, optimizer: Optimizer) -> list[KernelNode]:
        args, rule = self._step.update.args, self._step.update.name
        if rule not in _UPDATES:
            raise NotCapturable(f"there is no captured {rule}")
        name, settings = _UPDATES[rule]
        n, summed, complete = args["params"].size, self._summed, []
        if self.epoch.shared and summed:  # gradients must be complete before the ranks add them up
            complete = self._launched(
                run,
                Tiling("optimizer", "sum_gradients", (), (ceil_div(summed, 64),), (64, 8)),
                args["grads"],
                self._partials,
                tiling.PARTS,
                summed,
            )
            summed = 0
        grid = (ceil_div(summed, 64) + ceil_div(n - summed, 512),)
        # A bool becomes a number
        update = self._launched(
            run,
            Tiling("optimizer", name, (), grid, (64, 8)),
            args["params"],
            args["grads"],
            self._partials,
            *optimizer.buffers,
            n,
            tiling.PARTS,
            summed,
            self.epoch.rates,
            self.epoch.clock,
            *(+args[setting] for setting in settings),
        )
        return [replace(node, joins=True) for node in (*complete, *update)]


def _tiled(chain: Chain) -> Convolution | None:
    """Return the convolution with what follows it, if the tiled kernels do all of it, forwards and back, in float32."""
    if chain[0].forward.name != "conv2d" or ops.current_precision().narrow:
        return None
    x, w, _, stride, padding = chain[0].forward.args.values()
    shape, dx = Convolution.of(x.shape, w.shape, stride, padding), chain[0].backward.result[0]
    behind = [stage.forward.name for stage in chain]
    if not shape.tiled or (dx is not None and stride != (1, 1)):
        return None
    return replace(shape, relu="relu" in behind, pool="max_pool2d" in behind)
