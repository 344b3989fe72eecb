"""A training step as a list of kernel launches into buffers that are allocated once. Lesson 08.

Neighbouring layers become one kernel where we have one: convolution + ReLU + 2×2 max pooling, linear + ReLU, the
last linear layer + softmax cross-entropy. Every other layer has its own kernels.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnlib import layers as L
from nnlib.cuda import RawKernel
from nnlib.losses import CrossEntropyLoss, Loss
from nnlib.model import Sequential
from nnlib.ops import product
from nnlib.ops.kernels import kernel
from nnlib.ops.kernels.linear import FEW_OUTPUTS, linear_backward_bias, linear_backward_few, linear_forward_few
from nnlib.ops.product import Product
from nnlib.ops.shapes import require_countable
from nnlib.ops.tiling import PARTS, Config, Convolution, ceil_div, pooling_cells, window_options
from nnlib.optimizers import SGD, Adam, Optimizer

Shape = tuple[int, ...]
Allocate = Callable[[int, Any], Any]  # (elements, dtype) -> flat array
_CLASSES = 32  # of the loss: one lane each
_ACTIVATIONS = {L.ReLU: "relu", L.LeakyReLU: "leaky_relu", L.Sigmoid: "sigmoid", L.Tanh: "hyperbolic", L.GELU: "gelu"}


class NotCapturable(Exception):
    """The training step cannot become a fixed list of launches; the message says why."""


@dataclass(frozen=True)
class Call:
    """One launch. aside: independent of the call before it, and only the update needs its result."""

    kernel: RawKernel
    grid: Shape
    block: Shape
    args: tuple[Any, ...]
    shared: int = 0
    aside: bool = False

    def __call__(self) -> None:
        self.kernel(self.grid, self.block, self.args, self.shared)


class Plan:
    """The launches of one step for batches of `batch_size` inputs of `input_shape`.

    forward, backward, update: lists of Call, to be run in this order. Before: `x` (batch) and `labels` hold the
    batch, `clock`, `rates`, `losses` and `hits` are as kernels/training.cu describes them.
    allocate: makes a flat array; a counting one tells what the plan needs without taking it.
    """

    def __init__(self, model: Sequential, loss: Loss, optimizer: Optimizer, input_shape: Shape, batch_size: int,
                 examples: int, allocate: Allocate) -> None:
        if type(loss) is not CrossEntropyLoss:
            raise NotCapturable(f"there is no captured step for {loss}")
        if type(model) is not Sequential:  # here as below, a class derived from ours may compute something else
            raise NotCapturable(f"there is no captured step for a {type(model).__name__}")
        self.N, self._allocate = batch_size, allocate
        self.forward: list[Call] = []
        self.backward: list[Call] = []
        self.clock = allocate(4, np.int32)
        self.rates = allocate(ceil_div(examples, batch_size), np.float32)
        self.labels = allocate(batch_size, np.int32)
        self.losses, self.hits = allocate(examples, np.float32), allocate(examples, np.uint8)
        self.x = self._floats(input_shape)
        self.dropouts: list[tuple[L.Dropout, Any, int]] = []  # layer, its offset in device memory, numbers per step
        self._convolutions(model)
        backs = self._through(model, self.x, input_shape)
        dy = self._dlogits
        for index, back in reversed(list(enumerate(backs))):
            dy = back(dy, index > 0)
        self.update = self._optimizer_calls(model, optimizer)

    # --- layers: each method appends forward calls and returns (y, shape of y, what appends the backward calls) ---

    def _through(self, model: Sequential, x: Any, shape: Shape) -> list[Callable[[Any, bool], Any]]:
        backs: list[Callable[[Any, bool], Any]] = []
        rest = [layer for layer in model.layers if type(layer) is not L.Flatten]  # buffers are flat anyway
        if not rest or not isinstance(rest[-1], L.Linear):
            raise NotCapturable("the last layer is not Linear")
        while rest:
            layer = rest.pop(0)
            if type(layer) is L.Conv2d:
                x, shape, back = self._convolution(layer, x, shape, rest, first=not backs)
            elif type(layer) is L.Linear:
                x, shape, back = self._linear(layer, x, math.prod(shape), rest)
            elif type(layer) in _ACTIVATIONS:
                x, back = self._activation(layer, x, shape)
            elif type(layer) in (L.MaxPool2d, L.AvgPool2d):
                x, shape, back = self._pooling(layer, x, shape)
            elif type(layer) is L.Dropout:
                x, back = self._dropout(layer, x, shape)
            else:
                raise NotCapturable(f"there is no captured step for {layer}")
            if backs or isinstance(layer, L.ParameterLayer):  # what stands before the first parameters learns nothing
                backs.append(back)
        return backs

    def _convolution(self, layer: L.Conv2d, x: Any, shape: Shape, rest: list, first: bool) -> Any:
        layer.output_shape(shape)
        conv = Convolution.of(shape, layer.weight_shape, layer.stride, layer.padding)
        if not conv.tiled:
            raise NotCapturable(f"{layer} has windows too large for the tiled kernels")
        if first or layer.stride == (1, 1):  # only then does the backward kernel see through ReLU and pooling
            relu = take(rest, lambda layer: type(layer) is L.ReLU)
            pool = take(rest, lambda layer: type(layer) is L.MaxPool2d and layer.kernel_size == layer.stride == (2, 2))
            conv = replace(conv, relu=relu, pool=pool)
        y = self._floats(conv.output)
        argmax = self._allocate(self.N * math.prod(conv.output) if conv.pool else 1, np.int32)
        self._add(self.forward, conv.forward(self.N), x, layer.weight, layer.bias, y, argmax)
        offset = self._conv_offsets[id(layer)]
        where = argmax if conv.pool else y

        def back(dy: Any, needs_dx: bool) -> Any:
            dx: Any = self._floats(shape) if needs_dx else None
            if needs_dx and layer.stride == (1, 1):
                self._add(self.backward, conv.backward_input(self.N), dy, where, layer.weight, dx)
            elif needs_dx:
                self._each(self.backward, "convolution", "conv_backward_input_naive", dx.size, dy, layer.weight, dx,
                           *conv.sizes(self.N))
            self._add(self.backward, conv.backward_weight(self.N), dy, where, x, self.partials[offset:], self.summed,
                      self.N, aside=needs_dx)
            return dx

        return y, conv.output, back

    def _linear(self, layer: L.Linear, x: Any, inputs: int, rest: list) -> Any:
        layer.output_shape((inputs,))
        N, O = self.N, layer.settings[1]
        few = (f"-DOUT={O}", f"-DIN={inputs}")
        relu = take(rest, lambda layer: type(layer) is L.ReLU)
        if not rest:
            if O > _CLASSES:
                raise NotCapturable(f"there are {O} classes, the captured loss takes {_CLASSES}")
            self._dlogits = self._floats((O,))
        y = None
        if not rest and O <= FEW_OUTPUTS and not relu:
            per_thread = ceil_div(inputs, 512)
            threads = 32 * ceil_div(ceil_div(inputs, per_thread), 32)
            self._add(self.forward,
                      Config("training", "linear_cross_entropy", (*few, f"-DTHREADS={threads}"), (N,), (threads,)),
                      x, layer.weight, layer.bias, self.labels, self.clock, self._dlogits, self.losses, self.hits)
        else:
            y = self._floats((O,))
            self._linear_forward(layer, x, y, (N, inputs, O), relu)
            if not rest:
                self._add(self.forward, Config("training", "batch_cross_entropy", (), (N,), (32,)), y, self.labels,
                          self.clock, self._dlogits, self.losses, self.hits, O)

        def back(dy: Any, needs_dx: bool) -> Any:
            if relu:
                self._each(self.backward, "activation", "relu_backward", N * O, dy, y, dy, N * O)
            at_once = linear_backward_few(N, inputs, O)
            dx = self._floats((inputs,)) if needs_dx or at_once else None
            if at_once:
                self._add(self.backward, at_once, dy, x, layer.weight, dx, layer.grad_weight, layer.grad_bias, N)
                return dx
            sizes, biases, calls = (N, inputs, O), linear_backward_bias(N, O), self.backward
            self._product(calls, product.linear_backward_weight(*sizes), dy, x, dy, layer.grad_weight)
            self._summed(calls, biases.grid[1], layer.grad_bias, lambda db: self._add(calls, biases, dy, db, N, O))
            if needs_dx:
                self._product(calls, product.linear_backward_input(*sizes), dy, layer.weight, dy, dx)
            return dx

        return y, (O,), back

    def _linear_forward(self, layer: L.Linear, x: Any, y: Any, sizes: tuple[int, int, int], relu: bool) -> None:
        N, _, O = sizes
        few, whole = linear_forward_few(N, O), product.linear_forward(*sizes, relu=relu)
        if few:
            return self._add(self.forward, few, x, layer.weight, layer.bias, y, *sizes, int(relu))
        self._product(self.forward, whole, x, layer.weight, layer.bias, y)
        if relu and whole.parts > 1:  # a part of a sum has no sign yet
            self._each(self.forward, "activation", "activate", ceil_div(y.size, 4), y, y, y.size,
                       options=("-DACTIVATION=relu",))

    def _activation(self, layer: Any, x: Any, shape: Shape) -> Any:
        name, count = _ACTIVATIONS[type(layer)], self.N * math.prod(shape)
        slope = (f"-DSLOPE={float(layer.settings[0])!r}f",) if isinstance(layer, L.LeakyReLU) else ()
        y = self._floats(shape)
        self._each(self.forward, "activation", "activate", ceil_div(count, 4), x, y, count,
                   options=(f"-DACTIVATION={name}", *slope))

        def back(dy: Any, needs_dx: bool) -> Any:
            dx = self._floats(shape)
            self._each(self.backward, "activation", "activate_backward", ceil_div(count, 4), dy,
                       y if layer.from_y else x, dx, count,
                       options=(f"-DGRADIENT={name}_gradient", *slope))
            return dx

        return y, back

    def _pooling(self, layer: Any, x: Any, shape: Shape) -> Any:
        largest = isinstance(layer, L.MaxPool2d)
        output = layer.output_shape(shape)
        planes, H, W = self.N * shape[0], *shape[1:]
        options = window_options(H, W, layer.kernel_size, layer.stride)
        y = self._floats(output)
        argmax = (self._allocate(y.size, np.int32),) if largest else ()
        name = "max_pool" if largest else "avg_pool"
        self._each(self.forward, "windows", f"{name}_forward", y.size, x, y, *argmax, planes, options=options)

        def back(dy: Any, needs_dx: bool) -> Any:
            dx, cells = self._floats(shape), pooling_cells(planes, H, W, layer.stride)
            self._each(self.backward, "windows", f"{name}_backward", cells, dy, *argmax, dx, planes, options=options)
            return dx

        return y, output, back

    def _dropout(self, layer: L.Dropout, x: Any, shape: Shape) -> Any:
        count, scale = self.N * math.prod(shape), 1 / (1 - layer.p)
        y, mask, offset = self._floats(shape), self._allocate(count, np.uint8), self._allocate(1, np.uint64)
        self.dropouts.append((layer, offset, math.prod(shape)))
        self._each(self.forward, "dropout", "dropout_captured", ceil_div(count, 4), x, y, mask, count,
                   int(layer.p * 2**32), scale, layer.seed % 2**64, offset, self.clock[1:])

        def back(dy: Any, needs_dx: bool) -> Any:
            dx = self._floats(shape)
            self._each(self.backward, "dropout", "dropout_backward", ceil_div(count, 4), dy, mask, dx, count, scale)
            return dx

        return y, back

    # --- the optimizer ------------------------------------------------------------------------------------------

    def _convolutions(self, model: Sequential) -> None:
        """Partial sums of the weight gradients: a matrix of one row per part and one column per parameter."""
        convolutions = [layer for layer in model.layers if isinstance(layer, L.Conv2d)]
        starts = np.cumsum([0] + [layer.size for layer in convolutions])
        self._conv_offsets = {id(layer): int(start) for layer, start in zip(convolutions, starts, strict=False)}
        self.summed = int(starts[-1])
        trained = [layer for layer in model.layers if isinstance(layer, L.ParameterLayer)]
        if trained[:len(convolutions)] != convolutions:
            raise NotCapturable("a convolution comes after a linear layer")
        self.parts = PARTS  # the most that any convolution leaves; rows nobody writes stay zero
        self.partials = self._allocate(max(1, self.parts * self.summed), np.float32)

    def _optimizer_calls(self, model: Sequential, optimizer: Optimizer) -> list[Call]:
        n = model.parameters.size
        common = (n, self.parts, self.summed, self.rates, self.clock)
        rest: tuple[float, ...]
        if type(optimizer) is SGD:
            name, rest = "sgd_update", (optimizer.momentum, int(optimizer.nesterov), optimizer.weight_decay)
        elif type(optimizer) is Adam:
            name, rest = "adam_update", (*optimizer.betas, optimizer.eps, optimizer.weight_decay)
        else:
            raise NotCapturable(f"there is no captured step for {type(optimizer).__name__}")
        launch = Config("optimizer", name, (), (ceil_div(self.summed, 64) + ceil_div(n - self.summed, 512),), (64, 8))
        calls: list[Call] = []
        self._add(calls, launch, model.parameters, model.gradients, self.partials, *optimizer.buffers, *common, *rest)
        return calls

    # --- helpers ------------------------------------------------------------------------------------------------

    def _floats(self, shape: Shape) -> Any:
        require_countable((self.N, *shape))
        return self._allocate(self.N * math.prod(shape), np.float32)

    def _product(self, calls: list[Call], one: Product, a: Any, b: Any, bias: Any, result: Any) -> None:
        self._summed(calls, one.parts, result, lambda c: self._add(calls, one.launch, *one.arguments(a, b, bias, c)))

    def _summed(self, calls: list[Call], parts: int, result: Any, add: Callable[[Any], None]) -> None:
        """What add(partials) leaves in so many parts becomes the result."""
        if parts == 1:
            return add(result)
        partials = self._allocate(parts * result.size, np.float32)
        add(partials)
        self._each(calls, "linear", "sum_parts", result.size, partials, result, parts, result.size)

    def _add(self, calls: list[Call], launch: Config, *args: Any, aside: bool = False) -> None:
        calls.append(Call(kernel(launch.file, launch.kernel, launch.options), launch.grid, launch.block, args,
                          launch.shared, aside))

    def _each(self, calls: list[Call], file: str, name: str, threads: int, *args: Any,
              options: tuple[str, ...] = ()) -> None:
        self._add(calls, Config(file, name, options, (ceil_div(threads, 256),), (256,)), *args)


def take(rest: list[L.Layer], fits: Callable[[Any], bool]) -> bool:
    """Take the next layer along, into the kernel before it, if it fits."""
    return bool(rest) and fits(rest[0]) and bool(rest.pop(0))
