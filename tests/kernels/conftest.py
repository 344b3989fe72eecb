"""Where the kernels of a test run."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from nnlib import device
from nnlib.cuda import force_simulator
from nnlib.device import Array
from nnlib.ops.fast import tiling


@pytest.fixture(params=["cpu", pytest.param("gpu", marks=pytest.mark.gpu)])
def place(request: pytest.FixtureRequest) -> Iterator[str]:
    """Run the test twice: on the CPU, where kernels are simulated, and on a GPU."""
    if request.param == "gpu":
        yield "gpu"
    else:
        with force_simulator():
            yield "cpu"


@pytest.fixture
def small_gpu(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """small_gpu(most) lets kernels be cut for a GPU whose blocks have so many bytes of shared memory."""

    def limit(most: int) -> None:
        monkeypatch.setattr(tiling, "on_gpu", lambda: True)
        monkeypatch.setattr(tiling, "shared_limit", lambda: most)

    return limit


@pytest.fixture
def move(place: str) -> Callable[[np.ndarray], Array]:
    """Take an array to where the kernels run."""
    return device.to_device if place == "gpu" else np.asarray
