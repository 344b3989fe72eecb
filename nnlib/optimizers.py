"""Optimizers over a model's flat parameter buffer: the whole network in one step. Lesson 06.

Update rules and hyper-parameters are PyTorch's. `lr` may be changed between steps (see `nnlib.training.schedules`).
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from nnlib import device, ops


class HasParameters(Protocol):
    """The part of a model that an optimizer needs: two flat arrays of the same length and dtype."""

    parameters: Any
    gradients: Any


class Optimizer:
    """Keeps `len(moments)` buffers like the parameters, and the number of steps taken.

    lr: the learning rate, above 0, else ValueError. A class names its buffers in `moments`, and in `settings` the
    attributes, numbers or tuples of them, that shape a step beside the learning rate.
    """

    moments: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    def __init__(self, model: HasParameters, lr: float) -> None:
        if not lr > 0:
            raise ValueError(f"the learning rate must be positive, got {lr}")
        self.model, self.lr, self.steps = model, lr, 0
        self.buffers = [
            device.array_module(model.parameters).zeros_like(model.parameters) for _ in self.moments
        ]

    def step(self) -> None:
        """Change the parameters by the gradients of the latest backward pass."""
        self.steps += 1
        self._update(self.model.parameters, self.model.gradients)

    def _update(self, params: Any, grads: Any) -> None:
        raise NotImplementedError

    def state_dict(self) -> dict[str, np.ndarray]:
        """Return everything that a resumed training needs, as NumPy arrays."""
        state = {
            name: device.to_host(buffer).copy()
            for name, buffer in zip(self.moments, self.buffers, strict=True)
        }
        return {"lr": np.array(self.lr), "steps": np.array(self.steps), **state}

    def load_state_dict(self, state: dict[str, np.ndarray]) -> None:
        """Continue where the optimizer that wrote `state` stood; nothing changes if it does not fit."""
        expected = {
            "lr": (),
            "steps": (),
            **dict.fromkeys(self.moments, self.model.parameters.shape),
        }
        found = {name: np.shape(value) for name, value in state.items()}
        if found != expected:
            raise ops.ShapeError(
                f"the state of {type(self).__name__} should have {expected}, got {found}"
            )
        self.lr, self.steps = float(state["lr"]), int(state["steps"])
        for name, buffer in zip(self.moments, self.buffers, strict=True):
            buffer[...] = device.array_module(buffer).asarray(state[name])


def _require(**settings: float) -> None:
    for name, value in settings.items():
        if not value >= 0:
            raise ValueError(f"{name} must not be negative, got {value}")


class SGD(Optimizer):
    """w ← w - lr · g, with momentum v ← momentum · v + g, Nesterov's look-ahead and L2 weight decay."""

    moments = ("velocity",)
    settings = ("momentum", "weight_decay", "nesterov")

    def __init__(
        self,
        model: HasParameters,
        lr: float = 1e-3,
        momentum: float = 0.0,
        *,
        weight_decay: float = 0.0,
        nesterov: bool = False,
    ) -> None:
        _require(momentum=momentum, weight_decay=weight_decay)
        if nesterov and not momentum:
            raise ValueError("Nesterov looks ahead along the momentum: set momentum above 0")
        super().__init__(model, lr)
        self.momentum, self.weight_decay, self.nesterov = momentum, weight_decay, nesterov

    def _update(self, params: Any, grads: Any) -> None:
        (velocity,) = self.buffers
        ops.sgd_step(
            params, grads, velocity, self.lr, self.momentum, self.nesterov, self.weight_decay
        )


class Adam(Optimizer):
    """Steps scaled by running means of g and g². `steps` counts steps, not layers: it enters the bias correction."""

    moments = ("m", "v")
    settings = ("betas", "eps", "weight_decay")

    def __init__(
        self,
        model: HasParameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
    ) -> None:
        _require(eps=eps, weight_decay=weight_decay)
        if not all(0 <= beta < 1 for beta in betas):
            raise ValueError(f"betas must be at least 0 and below 1, got {betas}")
        super().__init__(model, lr)
        self.betas, self.eps, self.weight_decay = betas, eps, weight_decay

    def _update(self, params: Any, grads: Any) -> None:
        (m, v), (beta1, beta2) = self.buffers, self.betas
        ops.adam_step(
            params, grads, m, v, self.steps, self.lr, beta1, beta2, self.eps, self.weight_decay
        )


class AdamW(Adam):
    """Adam whose weight decay shrinks the weights themselves, and is not part of the gradient. Lesson 10."""

    def __init__(
        self,
        model: HasParameters,
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(model, lr, betas, eps, weight_decay)

    def _update(self, params: Any, grads: Any) -> None:
        m, v = self.buffers
        ops.adamw_step(
            params, grads, (m, v), self.steps, self.lr, self.betas, self.eps, self.weight_decay
        )
