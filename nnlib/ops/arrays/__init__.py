"""Every operation written with arrays: NumPy, or CuPy for arrays in GPU memory. float32 and float64 are kept."""

from nnlib.ops.arrays.activations import (
    gelu,
    gelu_backward,
    leaky_relu,
    leaky_relu_backward,
    relu,
    relu_backward,
    sigmoid,
    sigmoid_backward,
    tanh,
    tanh_backward,
)
from nnlib.ops.arrays.attention import (
    add,
    attention,
    attention_backward,
    embedding,
    embedding_backward,
    rms_norm,
    rms_norm_backward,
)
from nnlib.ops.arrays.columns import col2im, im2col
from nnlib.ops.arrays.convolution import conv2d, conv2d_backward
from nnlib.ops.arrays.dropout import dropout, dropout_backward
from nnlib.ops.arrays.inputs import normalise
from nnlib.ops.arrays.linear import linear, linear_backward
from nnlib.ops.arrays.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy,
)
from nnlib.ops.arrays.pooling import (
    avg_pool2d,
    avg_pool2d_backward,
    max_pool2d,
    max_pool2d_backward,
)
from nnlib.update_rules import adam_step, adamw_step, sgd_step

__all__ = [
    "adam_step",
    "adamw_step",
    "add",
    "attention",
    "attention_backward",
    "avg_pool2d",
    "avg_pool2d_backward",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "col2im",
    "conv2d",
    "conv2d_backward",
    "dropout",
    "dropout_backward",
    "embedding",
    "embedding_backward",
    "gelu",
    "gelu_backward",
    "im2col",
    "leaky_relu",
    "leaky_relu_backward",
    "linear",
    "linear_backward",
    "max_pool2d",
    "max_pool2d_backward",
    "normalise",
    "relu",
    "relu_backward",
    "rms_norm",
    "rms_norm_backward",
    "sgd_step",
    "sigmoid",
    "sigmoid_backward",
    "softmax",
    "softmax_cross_entropy",
    "tanh",
    "tanh_backward",
]
