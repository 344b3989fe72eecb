"""What one training step launches, in order: a GPU runs the very same list, as a CUDA graph."""

import numpy as np
import pytest

from nnlib import mine, ops
from nnlib.cuda import force_simulator
from nnlib.layers import Conv2d, Dropout, Flatten, Linear, ReLU
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.ops.recording import NotCapturable, Recording
from nnlib.optimizers import SGD, Adam
from nnlib.training.replay.captured_step import CapturedStep
from nnlib.training.replay.mine_step import MineStep
from nnlib.training.replay.placement import Placement
from nnlib.training.replay.recorded_step import Epoch
from tests.benchmarks.timing import reference_network

CAPTURED = """conv_forward (2, 1, 64)
conv_forward (2, 1, 64)
linear_cross_entropy (64,)
linear_backward_few (144,)
conv_backward_input (2, 1, 64)
conv_backward_weight (128, 1, 1) aside
conv_backward_weight (128, 1)
sgd_update (166,)"""
PIECES = """normalise_images conv_forward relu conv_forward relu max_pool linear_forward softmax_cross_entropy
linear_grad_input linear_grad_weight sum_columns max_pool_grad relu_grad conv_grad_input conv_grad_weight sum_columns
relu_grad conv_grad_weight sum_columns sgd_step"""
FUSED_PIECES = """normalise_images conv_relu conv_relu_pool linear_forward softmax_cross_entropy
linear_grad_input linear_grad_weight sum_columns relu_grad max_pool_grad conv_grad_input conv_grad_weight sum_columns
relu_grad conv_grad_weight sum_columns sgd_step"""


def captured(model, optimizer):
    with force_simulator():
        return CapturedStep(
            model,
            CrossEntropyLoss(),
            optimizer,
            (1, 28, 28),
            64,
            Epoch(100, 64, np.zeros),
            np.zeros,
        )


def pieces(model):
    with force_simulator():
        step = MineStep(
            model, CrossEntropyLoss(), SGD(model, 0.1), (1, 28, 28), 64, np.zeros, (0.13, 0.31)
        )
    return [node.kernel.name for node in (*step.launches, step.update(0.1))]


def test_the_reference_network_takes_eight_launches():
    model = reference_network().to("cpu")
    phase, _ = captured(model, SGD(model)).phases
    nodes = [*phase.forward, *phase.backward]
    assert [
        f"{node.kernel.name} {node.grid}" + " aside" * node.aside for node in nodes
    ] == CAPTURED.split("\n")


@pytest.mark.parametrize(
    ("written", "launches"), [((), PIECES), (("conv_relu", "conv_relu_pool"), FUSED_PIECES)]
)
def test_the_pieces_take_twenty_launches_and_fused_ones_three_fewer(written, launches, monkeypatch):
    monkeypatch.setattr(mine, "is_used", lambda name: name in written)
    assert pieces(reference_network().to("cpu")) == launches.split()


def test_recording_computes_nothing_and_leaves_everything_as_it_was():
    model = Sequential(
        Conv2d(1, 2, 3), ReLU(), Dropout(0.3, seed=5), Flatten(), Linear(1352, 4)
    ).to("cpu")
    optimizer = Adam(model)
    before, launches = model.parameters.copy(), mine.launches()
    captured(model, optimizer)
    assert (
        np.array_equal(model.parameters, before)
        and not model.gradients.any()
        and not optimizer.buffers[0].any()
    )
    assert optimizer.steps == 0 and model.layers[2].offset == 0
    assert not any(hasattr(layer, "x") or hasattr(layer, "kept") for layer in model.layers)
    assert mine.launches() == launches


def test_what_is_fused_away_takes_no_memory():
    """A step allocates one flat array for each buffer still used: none for the output of a convolution or of ReLU."""
    model, taken = reference_network().to("cpu"), []

    def allocate(size, dtype):
        taken.append(size)
        return np.zeros(size, dtype)

    with force_simulator():
        CapturedStep(
            model,
            CrossEntropyLoss(),
            SGD(model),
            (1, 28, 28),
            64,
            Epoch(100, 64, allocate),
            allocate,
        )
    assert (
        64 * 16 * 26 * 26 in taken and 64 * 32 * 12 * 12 in taken and 64 * 32 * 24 * 24 not in taken
    )


def test_an_array_that_no_kernel_writes_is_refused():
    recording = Recording()
    with ops.engine("kernels"), recording.on():
        ops.relu(np.ones(4, np.float32))
    with pytest.raises(
        NotCapturable, match="activate works on an array that was computed without a kernel of ours"
    ):
        Placement(recording, np.zeros, ()).nodes(recording.launches)


def test_views_of_a_stand_in_share_its_memory():
    recording = Recording()
    whole = recording.empty((3, 4))
    place = Placement(recording, np.zeros, ())
    place(whole)[:] = np.arange(12)
    assert place(whole[1:].reshape(-1)).tolist() == list(range(4, 12))
