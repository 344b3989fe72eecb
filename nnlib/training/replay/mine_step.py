"""A recorded step on the student's own kernels, as the launches of a CUDA graph.

Where the student has written a fused piece that costs no more than its parts, convolution and ReLU (and 2 × 2 pooling)
behind it become one launch.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from nnlib import mine, ops
from nnlib.losses import Loss
from nnlib.model import Sequential
from nnlib.ops.launching import ceil_div, kernel
from nnlib.ops.mine import run
from nnlib.ops.recording import KernelNode
from nnlib.optimizers import Optimizer
from nnlib.training.replay.placement import Allocate
from nnlib.training.replay.recorded_step import Chain, Epoch, Launches, RecordedStep, unfused

_INPUTS = {"uint8": (), "float32": ("-DINPUT=float",), "int32": ("-DINPUT=int",)}


class MineStep:
    """The launches of one step for batches of `N` inputs of `input_shape`, and `update(rate)` behind them.

    Before: `x` holds the batch, as bytes where it is to be normalised, as int32 where it is of tokens, else as float32;
    `labels` its labels.
    logits, losses: of the batch, afterwards. normalise: mean and standard deviation of the pixels.
    allocate: makes a flat array.
    """

    def __init__(
        self,
        model: Sequential,
        loss: Loss,
        optimizer: Optimizer,
        input_shape: tuple[int, ...],
        N: int,
        allocate: Allocate,
        normalise: tuple[float, float] | None = None,
    ) -> None:
        with ops.engine("mine"):
            self._step = step = RecordedStep(model, loss, optimizer, (N, *input_shape), normalise)
        nested = any(layer.layers for layer in model.layers)
        fused = [] if nested else [self._fused(chain) for chain in step.chains()]
        losses, *_ = step.loss.launches  # without their mean, which no later launch reads
        place = step.placement(allocate)
        *self.launches, self._update = place.nodes(
            [
                *(node for forward, _ in fused for node in forward),
                *(node for one in step.forward if nested for node in one.launches),
                losses,
                *(node for _, backward in reversed(fused) for node in backward),
                *(node for one in step.backward if nested for node in one.launches),
                *step.update.launches,
            ]
        )
        self.N, self.x = N, place(step.x)
        self.logits, self.labels, self.losses = map(place, losses.args[:3])
        self.classes = self.logits.size // self.labels.size
        self.pieces = Counter(node.kernel.name for node in (*self.launches, self._update))

    def update(self, rate: float, step: int = 1) -> KernelNode:
        """Return the launch that changes the parameters in this step of the optimizer.

        The rate is one of its numbers, and what corrects the means of AdamW are others, so no graph can hold it.
        """
        signature = mine.PIECES[self._update.kernel.name].signature
        values = {
            parameter.name: value
            for parameter, value in zip(signature, self._update.args, strict=True)
        }
        values["lr"] = rate
        for mean in "12":
            if f"correction{mean}" in values:
                values[f"correction{mean}"] = 1 - values[f"beta{mean}"] ** step
        return replace(self._update, args=tuple(values.values()))

    def _fused(self, chain: Chain) -> Launches:
        behind = [stage.forward.name for stage in chain[1:]]
        if behind == ["relu", "max_pool2d"] and mine.is_used("conv_relu_pool"):
            return self._convolution_relu_pool(chain)
        if (
            chain[0].forward.name == "conv2d"
            and behind[:1] == ["relu"]
            and mine.is_used("conv_relu")
        ):
            (forward, backward), (pool, pool_gradient) = unfused(chain[:2]), unfused(chain[2:])
            x, w, b, _, *sizes = forward[0].args
            one = self._launched("conv_relu", x, w, b, chain[1].forward.result, *sizes)
            return one + pool, pool_gradient + backward
        return unfused(chain)

    def _convolution_relu_pool(self, chain: Chain) -> Launches:
        conv, relu, pool = chain
        x, w, b, _, *sizes = conv.forward.launches[0].args
        (y, argmax), dy, gradient = (
            pool.forward.result,
            pool.backward.args["dy"],
            pool.backward.launches[0],
        )
        # Where the pooled output is 0, no gradient passes: ReLU first
        largest = self._step.recording.empty(y.shape)
        return self._launched("conv_relu_pool", x, w, b, y, argmax, *sizes), [
            *self._launched("relu_grad", dy, y, largest, y.size),
            *self._launched(
                "max_pool_grad", largest, argmax, relu.backward.result, *gradient.args[3:]
            ),
            *conv.backward.launches,
        ]

    def _launched(self, piece: str, *args: Any) -> list[KernelNode]:
        return self._step.recording.launched(run, piece, *args)


def take_batch(step: MineStep, inputs: Any, labels: Any, order: Any, epoch: Epoch) -> KernelNode:
    """Return the launch that fetches the batch at clock[2]; inputs: of the type of the step's, labels: int32."""
    size = inputs.size // len(inputs)
    load = kernel("fast/training", "take_batch", _INPUTS[str(inputs.dtype)])
    tokens = step.labels.size // step.N
    return KernelNode(
        load,
        (ceil_div(size, 256), step.N),
        (256,),
        (
            inputs.reshape(len(inputs), -1),
            labels,
            order,
            epoch.clock,
            step.x,
            step.labels,
            size,
            tokens,
        ),
    )


def note_batch(step: MineStep, epoch: Epoch) -> KernelNode:
    """Return the launch that notes loss and success of each example and advances the clock."""
    return KernelNode(
        kernel("fast/training", "note_batch"),
        (1,),
        (256,),
        (
            step.logits,
            step.labels,
            step.losses,
            epoch.clock,
            epoch.losses,
            epoch.hits,
            step.N,
            step.labels.size // step.N,
            step.classes,
        ),
    )
