"""A training step as a list of launches of the student's own kernels, into buffers that are allocated once. Lesson 08.

Where the student has written a fused piece, convolution and ReLU (and 2 × 2 pooling) behind it become one launch.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from nnlib import layers as L
from nnlib import mine
from nnlib.losses import CrossEntropyLoss, Loss
from nnlib.model import Sequential
from nnlib.ops.kernels import kernel
from nnlib.ops.shapes import require_countable
from nnlib.ops.tiling import ceil_div
from nnlib.optimizers import SGD, Optimizer
from nnlib.training.graph_plan import Allocate, Call, NotCapturable, Shape, take

Back = Callable[[Any, bool], Any]  # (dy, is dx needed) -> dx, by what it appends to the backward calls


class MinePlan:
    """The launches of one step for batches of `N` inputs of `input_shape`: forward, backward, then `update(rate)`.

    Before: `x` holds the batch, as bytes where it is to be normalised, else as float32; `labels` its labels.
    logits, losses: of the batch, afterwards. normalise: mean and standard deviation of the pixels.
    allocate: makes a flat array.
    """

    def __init__(self, model: Sequential, loss: Loss, optimizer: Optimizer, input_shape: Shape, N: int,
                 allocate: Allocate, normalise: tuple[float, float] | None = None) -> None:
        self._optimizer = _with_a_piece(model, loss, optimizer)
        self.model, self.N, self._allocate = model, N, allocate
        self.forward: list[Call] = []
        self.backward: list[Call] = []
        size = N * math.prod(input_shape)
        self.x = allocate(size, np.float32 if normalise is None else np.uint8)
        self.labels, self.losses = allocate(N, np.int32), allocate(N, np.float32)
        y = self.x
        if normalise is not None:
            y = self._floats(input_shape)
            self._add(self.forward, "normalise_images", self.x, y, *normalise, size)
        self.logits, shape, backs = self._through(y, input_shape)
        if len(shape) != 1:
            raise NotCapturable(f"the network ends with {shape} numbers per input, not with one row of logits")
        self.classes = shape[0]
        dy = self._floats(shape)
        self._add(self.forward, "softmax_cross_entropy", self.logits, self.labels, self.losses, dy, N, self.classes)
        for index, back in reversed(list(enumerate(backs))):
            dy = back(dy, index > 0)
        self._step = mine.launch_for("momentum_step" if self._optimizer.momentum else "sgd_step", *self._changes(1.0))
        self.pieces = Counter(call.kernel.name for call in (*self.forward, *self.backward, self.update(1.0)))

    def update(self, rate: float) -> Call:
        """The launch that changes the parameters; the rate is a number in it, so no graph can hold it."""
        function, grid, block, shared = self._step
        return Call(function, grid, block, self._changes(rate), shared)

    def _changes(self, rate: float) -> tuple[Any, ...]:
        params, grads, momentum = self.model.parameters, self.model.gradients, self._optimizer.momentum
        if momentum:
            return params, *self._optimizer.buffers, grads, rate, momentum, params.size
        return params, grads, rate, params.size

    # --- layers: each method appends forward calls and returns (y, shape of y, what appends the backward calls) ---

    def _through(self, x: Any, shape: Shape) -> tuple[Any, Shape, list[Back]]:
        backs: list[Back] = []
        rest = [layer for layer in self.model.layers if type(layer) is not L.Flatten]  # buffers are flat anyway
        while rest:
            layer = rest.pop(0)
            if type(layer) is L.Conv2d:
                x, shape, back = self._convolution(layer, x, shape, rest)
            elif type(layer) is L.Linear:
                x, shape, back = self._linear(layer, x, math.prod(shape))
            elif type(layer) is L.ReLU:
                x, back = self._relu(x, shape)
            elif type(layer) is L.MaxPool2d:
                x, shape, back = self._pooling(layer, x, shape)
            else:
                raise NotCapturable(f"there is no piece for {layer}")
            if backs or isinstance(layer, L.ParameterLayer):  # what stands before the first parameters learns nothing
                backs.append(back)
        return x, shape, backs

    def _convolution(self, layer: L.Conv2d, x: Any, shape: Shape, rest: list) -> tuple[Any, Shape, Back]:
        (F, C, K, KW), output = layer.weight_shape, layer.output_shape(shape)
        if K != KW or len({*layer.stride}) > 1 or len({*layer.padding}) > 1:
            raise NotCapturable(f"the pieces take square windows, strides and paddings, not those of {layer}")
        sizes = (self.N, C, *shape[1:], F, K, layer.stride[0], layer.padding[0])
        planes = (self.N * F, *output[1:], 2, 2)
        pooled = (F, output[1] // 2, output[2] // 2)
        name, argmax, y = "conv_forward", None, self._floats(output)
        if _has("conv_relu_pool") and rest[1:] and type(rest[0]) is L.ReLU and _halves(rest[1]):
            name, y, argmax = "conv_relu_pool", self._floats(pooled), self._integers(pooled)
            del rest[:2]
        elif _has("conv_relu") and take(rest, lambda layer: type(layer) is L.ReLU):
            name = "conv_relu"
        self._add(self.forward, name, x, layer.weight, layer.bias, y, *(() if argmax is None else (argmax,)), *sizes)

        def back(dy: Any, needs_dx: bool) -> Any:
            if name != "conv_forward":  # where the pooled output is 0, no gradient passes: ReLU first, then pooling
                dy = self._relu_grad(dy, y)
            if argmax is not None:
                wide = self._floats(output)
                self._add(self.backward, "max_pool_grad", dy, argmax, wide, *planes)
                dy = wide
            dx = self._floats(shape) if needs_dx else None
            if needs_dx:
                self._add(self.backward, "conv_grad_input", dy, layer.weight, dx, *sizes)
            self._add(self.backward, "conv_grad_weight", dy, x, layer.grad_weight, *sizes)
            self._add(self.backward, "sum_columns", dy, layer.grad_bias, self.N, F, math.prod(output[1:]))
            return dx

        return y, output if argmax is None else pooled, back

    def _linear(self, layer: L.Linear, x: Any, inputs: int) -> tuple[Any, Shape, Back]:
        output, N, O = layer.output_shape((inputs,)), self.N, layer.settings[1]
        y = self._floats(output)
        self._add(self.forward, "linear_forward", x, layer.weight, layer.bias, y, N, inputs, O)

        def back(dy: Any, needs_dx: bool) -> Any:
            dx = self._floats((inputs,)) if needs_dx else None
            if needs_dx:
                self._add(self.backward, "linear_grad_input", dy, layer.weight, dx, N, inputs, O)
            self._add(self.backward, "linear_grad_weight", dy, x, layer.grad_weight, N, inputs, O)
            self._add(self.backward, "sum_columns", dy, layer.grad_bias, N, O, 1)
            return dx

        return y, output, back

    def _relu(self, x: Any, shape: Shape) -> tuple[Any, Back]:
        y = self._floats(shape)
        self._add(self.forward, "relu", x, y, y.size)
        return y, lambda dy, needs_dx: self._relu_grad(dy, y)

    def _relu_grad(self, dy: Any, y: Any) -> Any:
        dx = self._allocate(y.size, np.float32)
        self._add(self.backward, "relu_grad", dy, y, dx, y.size)
        return dx

    def _pooling(self, layer: L.MaxPool2d, x: Any, shape: Shape) -> tuple[Any, Shape, Back]:
        output, (size, width), (stride, across) = layer.output_shape(shape), layer.kernel_size, layer.stride
        if size != width or stride != across:
            raise NotCapturable(f"the pieces take square windows and strides, not those of {layer}")
        y, argmax, planes = self._floats(output), self._integers(output), (self.N * shape[0], *shape[1:], size, stride)
        self._add(self.forward, "max_pool", x, y, argmax, *planes)

        def back(dy: Any, needs_dx: bool) -> Any:
            dx = self._floats(shape)
            self._add(self.backward, "max_pool_grad", dy, argmax, dx, *planes)
            return dx

        return y, output, back

    # --- helpers ------------------------------------------------------------------------------------------------

    def _floats(self, shape: Shape) -> Any:
        require_countable((self.N, *shape))
        return self._allocate(self.N * math.prod(shape), np.float32)

    def _integers(self, shape: Shape) -> Any:
        return self._allocate(self.N * math.prod(shape), np.int32)

    def _add(self, calls: list[Call], name: str, *args: Any) -> None:
        calls.append(_call(name, *args))


def take_batch(plan: MinePlan, inputs: Any, labels: Any, order: Any, clock: Any) -> Call:
    """The launch that fetches the batch at clock[2] of an epoch; inputs: of the plan's type, labels: int32."""
    size = inputs.size // len(inputs)
    load = kernel("training", "take_batch", () if inputs.dtype == np.uint8 else ("-DINPUT=float",))
    return Call(load, (ceil_div(size, 256), plan.N), (256,),
                (inputs.reshape(len(inputs), -1), labels, order, clock, plan.x, plan.labels, size))


def note_batch(plan: MinePlan, clock: Any, losses: Any, hits: Any) -> Call:
    """The launch that notes loss and success of each example, and lets the clock go on."""
    return Call(kernel("training", "note_batch"), (1,), (256,),
                (plan.logits, plan.labels, plan.losses, clock, losses, hits, plan.N, plan.classes))


def _call(name: str, *args: Any) -> Call:
    function, grid, block, shared = mine.launch_for(name, *args)
    return Call(function, grid, block, args, shared)


def _has(fused: str) -> bool:
    """The student has written it: else their separate pieces run, not the course's fused one."""
    return mine.whose(fused) != "course"


def _halves(layer: L.Layer) -> bool:
    return type(layer) is L.MaxPool2d and layer.kernel_size == layer.stride == (2, 2)


def _with_a_piece(model: Sequential, loss: Loss, optimizer: Optimizer) -> SGD:
    """The optimizer; NotCapturable where network, loss or optimizer are none that the pieces know."""
    if type(loss) is not CrossEntropyLoss:
        raise NotCapturable(f"there is no piece for {loss}")
    if type(model) is not Sequential:  # a class derived from ours may compute something else
        raise NotCapturable(f"there is no recorded step for a {type(model).__name__}")
    if type(optimizer) is not SGD or optimizer.nesterov or optimizer.weight_decay:
        raise NotCapturable("there are pieces for SGD and for SGD with momentum only, without weight decay")
    return optimizer
