"""Where the kernels of a test run."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from nnlib import device
from nnlib.cuda import force_simulator
from nnlib.device import Array


@pytest.fixture(params=["cpu", pytest.param("gpu", marks=pytest.mark.gpu)])
def place(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test twice: on the CPU, where kernels are simulated, and on a GPU."""
    if request.param == "gpu":
        yield "gpu"
    else:
        with force_simulator():
            yield "cpu"


@pytest.fixture
def move(place: str) -> Callable[[np.ndarray], Array]:
    """Take an array to where the kernels run."""
    return device.to_device if place == "gpu" else np.asarray
