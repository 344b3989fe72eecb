"""Every operation as our own CUDA kernels: on the GPU, or, the same text, in the simulator. float32.

Signatures and results are those of `nnlib.ops.arrays`. Nothing here calls cuBLAS, cuDNN or another library.
"""

from nnlib.ops import arrays
from nnlib.ops.arrays import normalise  # a captured training step has its own, while it loads
from nnlib.ops.fast.activations import (
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
from nnlib.ops.fast.attention import (
    add,
    attention,
    attention_backward,
    embedding,
    embedding_backward,
    rms_norm,
    rms_norm_backward,
)
from nnlib.ops.fast.convolution import col2im, conv2d, conv2d_backward, im2col
from nnlib.ops.fast.dropout import dropout, dropout_backward
from nnlib.ops.fast.linear import linear, linear_backward
from nnlib.ops.fast.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    softmax,
    softmax_cross_entropy,
)
from nnlib.ops.fast.optimizers import adam_step, adamw_step, sgd_step
from nnlib.ops.fast.pooling import avg_pool2d, avg_pool2d_backward, max_pool2d, max_pool2d_backward

__all__: list[str] = []
__all__ += arrays.__all__
