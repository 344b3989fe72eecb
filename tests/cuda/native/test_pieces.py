"""The kernels that students write, plain and best, at sizes at which they are judged, and those of nnlib/kernels."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest

from nnlib import mine, ops
from nnlib.cuda import RawKernel, force_simulator, native_code
from nnlib.cuda._engine.language.refusal import Refusal
from nnlib.mine.launch import launch_of
from tests.cuda.native.launching import WAYS, natively, same_bits


def _copies(values: Any) -> list[Any]:
    return [value.copy() if isinstance(value, np.ndarray) else value for value in values]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: f"{way[0]}-{way[1] or 'lanes'}")
@pytest.mark.parametrize("version", ["plain", "best"])
@pytest.mark.parametrize("name", mine.PIECES)
def test_a_piece_has_the_bits_of_the_simulator(
    name: str, version: str, way: tuple[str, int]
) -> None:
    piece = mine.PIECES[name]
    text = getattr(piece, version)
    kernel, line = RawKernel(text, name), launch_of(piece, text)
    engine, lanes = way
    for sizes in piece.sizes[
        (engine == "llvm") ^ (lanes == 1) : 4 : 2
    ]:  # all four on each engine, with lanes and without
        given = list(piece.case(sizes).arguments.values())
        native, simulated = _copies(given), _copies(given)
        grid, block, shared = line.at(**sizes)
        try:
            assert natively(kernel, grid, block, native, shared, way) == ""
        except Refusal as refusal:
            assert str(refusal) == "lanes of 64 bits" and way == ("wasm", 0)
        with force_simulator(), native_code(False):
            kernel(grid, block, simulated, shared, checks=False)
        for mine_, wanted in zip(native, simulated, strict=True):
            if isinstance(mine_, np.ndarray):
                assert same_bits(mine_, wanted), sizes


@pytest.fixture
def shadowed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each simulated launch is repeated natively; the names of the kernels that were."""
    names: list[str] = []
    simulate = RawKernel.__call__

    def both(
        self: RawKernel, grid: Any, block: Any, args: Any, shared_mem: int = 0, **how: Any
    ) -> Any:
        native = _copies(args)
        result = simulate(self, grid, block, args, shared_mem, **how)
        with contextlib.suppress(Refusal):
            assert natively(self, grid, block, native, shared_mem, ("llvm", 0)) == "", self.name
            for mine_, wanted in zip(native, args, strict=True):
                if isinstance(mine_, np.ndarray):
                    same = (
                        np.allclose(mine_, wanted)
                        if "atomicAdd" in self.code
                        else same_bits(mine_, wanted)
                    )
                    assert same, self.name
            names.append(self.name)
        return result

    monkeypatch.setattr(RawKernel, "__call__", both)
    return names


def test_the_kernels_of_the_course_have_the_bits_of_the_simulator(shadowed: list[str]) -> None:
    rng = np.random.default_rng(0)

    def random(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    with force_simulator(), native_code(False), ops.engine("kernels"):
        x, w, b = random(3, 2, 9, 11), random(4, 2, 3, 3), random(4)
        y = ops.conv2d(x, w, b, padding=1)
        ops.conv2d_backward(y, x, w, padding=1)
        pooled, where = ops.max_pool2d(y, 2)
        ops.max_pool2d_backward(pooled, where, y.shape, 2)
        flat, u, v = random(5, 70), random(20, 70), random(20)
        z = ops.linear(flat, u, v)
        ops.linear_backward(z, flat, u)
        for name in ("relu", "sigmoid", "tanh"):
            getattr(ops, f"{name}_backward")(z, getattr(ops, name)(z))
        ops.softmax_cross_entropy(z, rng.integers(0, 20, 5).astype(np.int32))
    assert len(set(shadowed)) >= 10, shadowed
