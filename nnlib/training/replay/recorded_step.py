"""One step of training, recorded: its operations, each with its gradient, for fusion to look through."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib import ops
from nnlib.layers import Dropout, Layer, PositionalEmbedding
from nnlib.losses import CrossEntropyLoss, Loss
from nnlib.model import Sequential
from nnlib.ops.launching import ceil_div
from nnlib.ops.recording import KernelNode, NotCapturable, RecordedOperation, Recording
from nnlib.optimizers import Optimizer
from nnlib.training.replay.placement import Allocate, Placement

_MODULES = ("nnlib.layers", "nnlib.optimizers")


@dataclass(frozen=True)
class Stage:
    """An operation and its gradient."""

    forward: RecordedOperation
    backward: RecordedOperation = RecordedOperation("", {}, None, [])  # noqa: RUF009  before the first parameters there is none


class Epoch:
    """The progress and the results of an epoch in device memory, as kernels/fast/training.cu describes them.

    dropouts: layer, its offset in device memory, numbers per example. allocate: makes a flat array. batch_size: of all
    ranks together, where each has N examples of a batch. shared: the gradients are summed over ranks before the update.
    tokens: of an example, each with a loss.
    """

    def __init__(
        self,
        examples: int,
        N: int,
        allocate: Allocate,
        batch_size: int | None = None,
        shared: bool = False,
        tokens: int = 1,
    ) -> None:
        self.batch_size, self.shared = batch_size or N, shared
        self.clock, self.rates = allocate(4, np.int32), allocate(ceil_div(examples, N), np.float32)
        self.losses, self.hits = (
            allocate(examples * tokens, dtype) for dtype in (np.float32, np.uint8)
        )
        self.dropouts: list[tuple[Dropout, Any, int]] = []


Chain = list[Stage]  # neighbouring layers that one kernel may compute together
Launches = tuple[list[KernelNode], list[KernelNode]]  # forwards, backwards


class RecordedStep:
    """The operations of one step for batches of this shape, recorded with their launches on the current engine.

    x, labels: stand-ins for the batch; where it is to be normalised, by mean and standard deviation, x holds bytes, and
    where the model takes tokens, both hold those. forward, backward: the operations before the loss and after it.
    """

    def __init__(
        self,
        model: Sequential,
        loss: Loss,
        optimizer: Optimizer,
        shape: tuple[int, ...],
        normalise: tuple[float, float] | None = None,
    ) -> None:
        _require_our_own(model, loss, optimizer)
        self.recording = Recording()
        tokens = model.takes != "f"
        pixels = np.float32 if normalise is None else np.uint8
        self.x = self.recording.empty(shape, np.int32 if tokens else pixels)
        self.labels = self.recording.empty(shape if tokens else shape[0], np.int32)
        self.x[...], self.labels[...] = 0, 0  # operations check tokens, and that labels are classes
        self._known = (model.parameters, model.gradients, *optimizer.buffers)
        # On the same parameters; the model's layers remember nothing
        twin = Sequential.__new__(Sequential)
        twin.layers = [_twin(layer) for layer in model.layers]
        twin.train()
        loss, optimizer = copy.copy(loss), copy.copy(optimizer)
        with self.recording.on(), np.errstate(all="ignore"):
            x = self.x if normalise is None else ops.normalise(self.x, *normalise)
            loss(twin.forward(x), self.labels)
            twin.backward(loss.backward())
            optimizer.step()
        *operations, self.update = self.recording.operations
        at = [operation.name for operation in operations].index("softmax_cross_entropy")
        if at == 0:
            raise NotCapturable("the network has no layer that computes")
        self.forward, self.loss, self.backward = (
            operations[:at],
            operations[at],
            operations[at + 1 :],
        )
        self._places = [
            one.places for one in twin.modules() if isinstance(one, PositionalEmbedding)
        ]

    def placement(self, allocate: Allocate, *known: Any) -> Placement:
        """Allocate memory for the stand-ins. known: arrays that launches may use, too."""
        place = Placement(self.recording, allocate, (*self._known, *known))
        for array in self._places:
            place.keep(array)
        return place

    @property
    def stages(self) -> list[Stage]:
        """The operations with their gradients, of layers that come one after another."""
        gradients = self.backward[::-1]
        before = len(self.forward) - len(gradients)
        return [Stage(one) for one in self.forward[:before]] + [
            Stage(one, gradient)
            for one, gradient in zip(self.forward[before:], gradients, strict=True)
        ]

    def chains(self) -> list[Chain]:
        """Return the stages: a convolution together with the ReLU and 2×2 pooling behind it, and linear with ReLU."""
        chains, rest = [], self.stages
        while rest:
            chain = [rest.pop(0)]
            kind = chain[0].forward.name
            if kind in ("conv2d", "linear") and rest and rest[0].forward.name == "relu":
                chain.append(rest.pop(0))
            if kind == "conv2d" and rest and _halves(rest[0].forward):
                chain.append(rest.pop(0))
            chains.append(chain)
        return chains


def unfused(chain: Chain) -> Launches:
    """Return what the stages launch as they are."""
    return (
        [node for stage in chain for node in stage.forward.launches],
        [node for stage in reversed(chain) for node in stage.backward.launches],
    )


def _halves(operation: RecordedOperation) -> bool:
    return operation.name == "max_pool2d" and operation.args["size"] == operation.args[
        "stride"
    ] == (2, 2)


def _require_our_own(model: Sequential, loss: Loss, optimizer: Optimizer) -> None:
    """Refuse derived classes and replaced methods, which may compute something else, and losses that look at a step."""
    if type(loss) is not CrossEntropyLoss:
        raise NotCapturable(f"there is no captured step for {loss}")
    for part in (*model.modules(), optimizer) if type(model) is Sequential else (model,):
        replaced = {"forward", "backward", "step"} & vars(part).keys()
        if replaced or type(part).__module__ not in _MODULES:
            name = part if isinstance(part, Layer) else type(part).__name__
            raise NotCapturable(f"there is no captured step for {name}")


def _twin(layer: Layer) -> Layer:
    """Return a layer on the same parameters, which remembers its own inputs, as do those inside it."""
    twin = copy.copy(layer)
    twin.layers = [_twin(one) for one in layer.layers]
    return twin
