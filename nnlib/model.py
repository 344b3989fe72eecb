"""A network as a chain of layers over one flat buffer of parameters and one of gradients. Lessons 06 and 07."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from nnlib import device, ops
from nnlib.device import Array
from nnlib.initializers import Initializer, he
from nnlib.layers import Layer, Shape


class Sequential:
    """Layers one after another; `parameters` and `gradients` are flat arrays that the layers hold views of.

    seed: draws all weights anew, layer by layer, from one generator; None keeps the values the layers have.
    init: how, for every layer with weights. dtype: float32, or float64 for gradient checks.
    """

    def __init__(
        self,
        *layers: Layer,
        seed: int | None = 0,
        init: Initializer = he,
        dtype: Any = np.float32,
    ) -> None:
        for layer in layers:
            if not isinstance(layer, Layer):
                raise TypeError(
                    f"a Sequential is made of layers, one after another, not of {layer!r}"
                )
        if len({id(layer) for layer in layers}) < len(layers):
            raise ValueError(
                "a layer appears twice; a layer remembers its latest input, so make two of them"
            )
        self.layers = list(layers)
        self.training = True
        self._bind(
            device.array_module(*(layer.parameters for layer in self._with_parameters())), dtype
        )
        if seed is not None:
            rng = np.random.default_rng(seed)
            for layer in self.layers:
                layer.initialize(rng, init)

    def forward(self, x: Array) -> Array:
        """Return the output of the last layer for the batch x, which is float32 (or float64, as the model)."""
        if x.dtype.kind not in self.takes and self.takes != "f":
            raise TypeError(
                f"the network got {x.dtype}, it takes tokens: integers, such as np.int32"
            )
        if x.dtype.kind not in self.takes:
            raise TypeError(
                f"the network got {x.dtype}, it computes with float32: let Examples prepare pixels, or "
                "divide them by 255"
            )
        for index in range(len(self.layers)):
            x = self._call(index, self.layers[index].forward, x)
        return x

    def backward(self, dy: Array, needs_dx: bool = False) -> Array:
        """Fill `gradients` from dL/d(output); dL/d(input) is computed, and returned, only if asked for."""
        learning = (i for i, layer in enumerate(self.layers) if layer.size)
        first = 0 if needs_dx else next(learning, 0)
        for index in reversed(range(first, len(self.layers))):
            dy = self._call(index, self.layers[index].backward, dy, needs_dx or index > first)
        return dy if needs_dx else None

    def train(self, mode: bool = True) -> Sequential:
        """Switch to training behaviour (dropout drops) or, with False, to evaluation behaviour."""
        self.training = mode
        for layer in self.modules():
            layer.training = mode
        return self

    def eval(self) -> Sequential:
        """Switch to evaluation behaviour."""
        return self.train(False)

    @property
    def takes(self) -> str:
        """The kinds of dtype that the first layer takes."""
        return self.layers[0].takes if self.layers else "f"

    def modules(self) -> Iterator[Layer]:
        """Yield all layers, in order, each followed by those inside it."""
        return itertools.chain.from_iterable(layer.modules() for layer in self.layers)

    def to(self, where: str | None = None, dtype: Any = None) -> Sequential:
        """Move to the "cpu" or "gpu", or to another dtype; optimizers made before keep their own buffers."""
        if where not in (None, "cpu", "gpu"):
            raise ValueError(f'a model can be on the "cpu" or the "gpu", not on {where!r}')
        if where == "gpu" and not device.has_gpu():
            raise ValueError(f"there is no GPU to move the model to: {device.find().reason}")
        here = device.array_module(self.parameters)
        self._bind({None: here, "cpu": np, "gpu": device.xp}[where], dtype or self.parameters.dtype)
        return self

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copy "0.weight", "0.bias", … and the state of random layers into NumPy arrays."""
        return {name: device.to_host(array).copy() for name, array in self.state()}

    def load_state_dict(self, state: dict[str, np.ndarray]) -> None:
        """Take over what `state_dict` of a model of the same shape returned; nothing changes if it does not fit."""
        expected = {name: tuple(array.shape) for name, array in self.state()}
        found = {name: np.shape(array) for name, array in state.items()}
        for name in expected.keys() | found.keys():
            if expected.get(name) != found.get(name):
                raise ops.ShapeError(
                    f"{name}: the model has {expected.get(name, 'no such entry')}, "
                    f"the state has {found.get(name, 'no such entry')}"
                )
        for index, layer in enumerate(self.layers):
            layer.load_state({name: state[f"{index}.{name}"] for name, _ in layer.state()})

    def summary(self, input_shape: Shape) -> str:
        """Return a table of layer, output shape, parameters and their bytes, for one input of `input_shape` (C, H, W).

        >>> from nnlib.layers import Conv2d, Flatten, Linear, ReLU
        >>> print(Sequential(Conv2d(1, 4, 3), ReLU(), Flatten(), Linear(144, 10)).summary((1, 8, 8)))
           layer            output shape  parameters  bytes
        ───────────────────────────────────────────────────
           input            (1, 8, 8)
        0  Conv2d(1, 4, 3)  (4, 6, 6)             40    160
        1  ReLU()           (4, 6, 6)              0      0
        2  Flatten()        (144,)                 0      0
        3  Linear(144, 10)  (10,)              1,450  5,800
        ───────────────────────────────────────────────────
           total                               1,490  5,960
        """
        rows = [("", "input", str(tuple(input_shape)), "", "")]
        shape, itemsize = tuple(input_shape), self.parameters.dtype.itemsize
        for index, layer in enumerate(self.layers):
            shape = self._call(index, layer.output_shape, shape)
            count = layer.size
            rows.append(
                (str(index), repr(layer), str(shape), f"{count:,}", f"{count * itemsize:,}")
            )
        total = self.parameters.size
        rows.append(("", "total", "", f"{total:,}", f"{total * itemsize:,}"))
        return _table(("", "layer", "output shape", "parameters", "bytes"), rows)

    def __call__(self, x: Array) -> Array:
        return self.forward(x)

    def __repr__(self) -> str:
        return (
            "Sequential(\n"
            + "".join(f"  ({i}): {layer}\n" for i, layer in enumerate(self.layers))
            + ")"
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Copying tears the layers' views from the flat buffers; tie them together again.
        self.__dict__.update(state)
        self._bind(device.array_module(self.parameters), self.parameters.dtype)

    def _bind(self, xp: Any, dtype: Any) -> None:
        total = sum(layer.size for layer in self._with_parameters())
        self.parameters, self.gradients = xp.zeros(total, dtype), xp.zeros(total, dtype)
        start = 0
        for layer in self._with_parameters():
            piece = slice(start, start + layer.size)
            self.parameters[piece] = xp.asarray(device.to_host(layer.parameters))
            layer.bind(self.parameters[piece], self.gradients[piece])
            start += layer.size

    def _with_parameters(self) -> Iterator[Layer]:
        return (layer for layer in self.layers if layer.size)

    def state(self) -> Iterator[tuple[str, Any]]:
        """Yield what a saved model keeps, by name; parameters in the order in which they lie in `parameters`."""
        for index, layer in enumerate(self.layers):
            yield from ((f"{index}.{name}", array) for name, array in layer.state())

    def _call(self, index: int, function: Callable[..., Any], *args: Any) -> Any:
        try:
            return function(*args)
        except ops.ShapeError as error:
            raise ops.ShapeError(f"layer {index}, {self.layers[index]}: {error}") from None


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < 3 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (header, *rows)
    ]
    rule = "─" * max(map(len, lines))
    return "\n".join([lines[0], rule, *lines[1:-1], rule, lines[-1]])
