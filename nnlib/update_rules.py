"""The update rules of optimizers, in place, as PyTorch defines them. Lesson 06.

`ops.arrays` computes with them, a kernel of the student's is judged by them, and kernels/optimizer.cu says the same in
CUDA C. The networks of the clinic have their own in course/clinic/program.py.
"""

import math

from nnlib.device import Array, array_module


def sgd_step(
    params: Array,
    grads: Array,
    velocity: Array,
    lr: float,
    momentum: float = 0.0,
    nesterov: bool = False,
    weight_decay: float = 0.0,
) -> None:
    """Update v ← momentum · v + g; w ← w - lr · v. Nesterov looks ahead: w ← w - lr · (g + momentum · v)."""
    if weight_decay:
        grads = grads + weight_decay * params
    if momentum:
        velocity *= momentum
        velocity += grads
        grads = grads + momentum * velocity if nesterov else velocity
    params -= lr * grads


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
    """Take one step of Adam, arXiv:1412.6980. `step` counts from 1 and undoes the bias of m and v towards zero."""
    if weight_decay:
        grads = grads + weight_decay * params
    m += (1 - beta1) * (grads - m)
    v += (1 - beta2) * (grads * grads - v)
    scale = lr / (1 - beta1**step)
    params -= scale * m / (array_module(v).sqrt(v) / math.sqrt(1 - beta2**step) + eps)


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
    """Take one step of Adam, and beside it w ← w - lr · weight_decay · w. Loshchilov and Hutter 2017, arXiv:1711.05101."""
    params *= 1 - lr * weight_decay
    adam_step(params, grads, *moments, step, lr, *betas, eps)
