"""What is as before, once training or a recording is over."""

import numpy as np
import pytest

from nnlib import ops
from nnlib.datasets import Examples
from nnlib.layers import Linear
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.ops.recording import Recording
from nnlib.optimizers import SGD
from nnlib.training import fit


@pytest.mark.parametrize("mode", [True, False])
def test_a_model_is_in_the_mode_in_which_it_was(mode):
    model = Sequential(Linear(3, 2), seed=0)
    model.train(mode)
    data = Examples(np.ones((4, 3), np.float32), np.array([0, 1, 0, 1]))
    fit(model, CrossEntropyLoss(), SGD(model, 0.1), data, data, epochs=1, batch_size=2)
    assert model.training is mode


def test_what_runs_behind_a_recording_is_not_in_it():
    recording = Recording()
    with recording.on():
        pass
    assert ops.relu(np.array([-1.0, 2.0], np.float32)).tolist() == [0.0, 2.0]
    assert not recording.operations
