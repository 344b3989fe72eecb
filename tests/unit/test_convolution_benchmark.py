"""What the benchmark of lesson 05 times is right: it compares all its ways before any clock runs."""

from nnlib.cuda import force_simulator
from tests.benchmarks import convolution


def test_all_ways_agree(monkeypatch):
    monkeypatch.setitem(convolution.LAYER, "H", 8)
    monkeypatch.setitem(convolution.LAYER, "C", 4)
    with force_simulator():
        assert set(convolution.columns(1)) == {"im2col", "col2im_atomic", "col2im"}
        assert set(convolution.forward(1)) == {"first version", "best version", "product"}
    assert set(convolution.on_host(1)) == {"loops", "strides"}
