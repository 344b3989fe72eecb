"""The training step launch by launch: named, counted in order, timed where there is a GPU."""

import re

import numpy as np
import pytest

from nnlib import device, layers, mine
from nnlib.course import steps
from nnlib.cuda import force_simulator
from nnlib.mine import library
from nnlib.model import Sequential
from tests.benchmarks import your_step


@pytest.fixture(autouse=True)
def own_folder():
    with your_step.own_folder():
        yield


def network():
    return Sequential(layers.Conv2d(1, 2, 3), layers.ReLU(), layers.Conv2d(2, 3, 3), layers.ReLU(),
                      layers.MaxPool2d(2), layers.Flatten(), layers.Linear(12, 4), seed=1)


def test_a_step_is_named_and_counted_launch_by_launch():
    model = network().to("cpu")
    with force_simulator():
        calls = steps.launches(steps.plan_of(model, 3, (1, 8, 8)))
        before = model.parameters.copy()
        counted = steps.profiled(calls)
    assert list(calls)[:5] == ["normalise_images", "conv_forward 1→2", "relu", "conv_forward 2→3", "relu, 2"]
    assert {"linear_grad_weight 12→4", "sum_columns of 3", "sgd_step"} < set(counted)
    assert not np.array_equal(before, model.parameters)
    assert counted["conv_forward 2→3"].flops >= 2 * 3 * 3 * 4 * 4 * 2 * 9


def test_fused_pieces_stand_in_the_step_when_they_are_there():
    your_step.put("conv_relu_pool", mine.PIECES["conv_relu_pool"].best)
    with force_simulator():
        names = list(steps.launches(steps.plan_of(network().to("cpu"), 3, (1, 8, 8))))
    assert "conv_relu_pool 2→3" in names and "max_pool" not in names and "relu" in names


def stage(piece, **kernels):
    return {"replaced": piece, "kernels": {name.replace("_to_", " "): seconds for name, seconds in kernels.items()}}


def test_the_benchmark_replaces_the_slowest_and_at_last_fuses():
    row = stage(None, conv_forward_to_1=3.0, conv_grad_weight_to_1=2.0, conv_grad_weight_to_2=2.0, relu=0.01)
    left = {"conv_forward": [1], "conv_grad_weight": [1], "relu": [1], "conv_relu": [1], "conv_relu_pool": [1]}
    order = []
    while name := your_step.next_piece(row, left):
        left[name].pop()
        order.append(name)
    assert order == ["conv_grad_weight", "conv_forward", "conv_relu", "conv_relu_pool"]  # relu is not worth it


def test_what_slows_its_piece_is_taken_back():
    before = stage(None, relu=1.0, max_pool=2.0)
    assert your_step.kept(before, stage("relu", relu=0.9, max_pool=2.5))
    assert not your_step.kept(before, stage("relu", relu=1.1, max_pool=1.5))
    assert your_step.kept(before, stage("conv_relu", conv_relu=2.9))
    assert not your_step.kept(before, stage("conv_relu", conv_relu=3.2))


@pytest.mark.parametrize("piece, words", [("conv_grad_weight", "a block per weight"),
                                          ("linear_forward", "a warp per result"),
                                          ("conv_grad_input", "4 × 2 sums per thread")])
def test_texts_between_the_workshops_and_the_best_are_right(piece, words):
    with force_simulator():
        assert library.judged(piece, your_step.rungs()[piece][words]).solved


def test_without_a_gpu_the_simulator_is_timed():
    if device.has_gpu():
        pytest.skip("times the GPU")
    times = steps.timed(steps.launches(steps.plan_of(network().to("cpu"), 3, (1, 8, 8))))
    assert set(times) and all(seconds > 0 for seconds in times.values())


def test_what_is_necessary():
    calls = steps.launches(steps.plan_of(network().to("cpu"), 3, (1, 8, 8)))
    products = 3 * 3 * 4 * 4 * 2 * 9
    assert [steps.necessary(calls[name])[0] for name in ("conv_forward 2→3", "conv_grad_input 2→3",
                                                         "conv_grad_weight 2→3")] == [2 * products] * 3
    assert steps.necessary(calls["linear_forward 12→4"]) == (2 * 3 * 12 * 4, 4 * (3 * 12 + 4 * 12 + 4 + 3 * 4))
    parameters = calls["sgd_step"].args[0].size
    assert steps.necessary(calls["sgd_step"]) == (0, 3 * 4 * parameters)
    assert steps.floor(calls["sgd_step"]) == 12 * parameters / 4.8e12


def test_our_counters_stand_beside_those_of_ncu(capsys):
    steps.beside_ncu()
    said = capsys.readouterr().out
    assert "NVIDIA H200" in said and re.search(r"global_load.sectors +89,344 +89,344", said)


def test_warps_of_each_recorded_text_are_worked_out(capsys):
    steps.residents("conv_forward 16→32")
    found = {line.split("  ")[0]: re.findall(r"(\d+) warps", line) for line in capsys.readouterr().out.splitlines()[1:]}
    assert found["best known"] == ["32", "16"] and found["plain"] == ["64", "64"]


@pytest.mark.gpu
def test_launches_are_timed_on_the_gpu():
    calls = steps.launches(steps.plan_of(network().to("gpu"), 3, (1, 8, 8)), rate=0.0)
    times = steps.timed(calls)
    assert set(times) == set(calls) and all(1e-7 < seconds < 1e-3 for seconds in times.values())
