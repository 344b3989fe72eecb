"""One optimizer step, one thread per parameter: nnlib/kernels/optimizer.cu."""

from nnlib.device import Array
from nnlib.ops.launching import each


def sgd_step(
    params: Array,
    grads: Array,
    velocity: Array,
    lr: float,
    momentum: float = 0.0,
    nesterov: bool = False,
    weight_decay: float = 0.0,
) -> None:
    """Update v ← momentum · v + g; w ← w - lr · v, in place; velocity may be None without momentum."""
    velocity = params if velocity is None else velocity  # untouched without momentum
    each(
        "optimizer",
        "sgd_step",
        params.size,
        params,
        grads,
        velocity,
        params.size,
        lr,
        momentum,
        int(nesterov),
        weight_decay,
    )


def adam_step(
    params: Array,
    grads: Array,
    m: Array,
    v: Array,
    step: int,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
) -> None:
    """Take one step of Adam, in place; `step` counts from 1."""
    each(
        "optimizer",
        "adam_step",
        params.size,
        params,
        grads,
        m,
        v,
        params.size,
        lr,
        beta1,
        beta2,
        eps,
        weight_decay,
        1 - beta1**step,
        1 - beta2**step,
    )


def adamw_step(
    params: Array,
    grads: Array,
    moments: tuple[Array, Array],
    step: int,
    lr: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    weight_decay: float = 0.01,
) -> None:
    """Take one step of AdamW, in place; `step` counts from 1."""
    corrections = (1 - beta**step for beta in betas)
    arrays = (params, grads, *moments, params.size)
    numbers = (lr, *betas, eps, weight_decay, *corrections)
    each("optimizer", "adamw_step", params.size, *arrays, *numbers)
