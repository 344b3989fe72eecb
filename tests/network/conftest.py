"""What the tests of networks share."""

import pytest

from nnlib import device


@pytest.fixture
def on_the_cpu(monkeypatch):
    """New layers live on the CPU also where there is a GPU, beside the NumPy arrays of a test."""
    monkeypatch.setattr(device, "has_gpu", lambda: False)
