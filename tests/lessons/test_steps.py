"""The training step launch by launch: named, counted in order, timed where there is a GPU."""

import re
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
from nbformat import read

from nnlib import device, layers, mine, model
from nnlib.course import OwnPath, own_path, pictures, steps
from nnlib.course.roofs import Roofs
from nnlib.cuda import force_simulator
from nnlib.cuda._engine.switches import checking
from nnlib.mine import contract
from nnlib.model import Sequential
from tests.benchmarks import your_step
from tests.mine.answers import save


@pytest.fixture(autouse=True)
def own_folder():
    with your_step.own_folder():
        yield


def cell_with(words):
    """The first cell of lesson 08 with these words."""
    cells = read(Path(__file__).parents[2] / "notebooks/08_optimization.ipynb", 4).cells
    return next(cell.source for cell in cells if words in cell.source)


def network():
    return Sequential(
        layers.Conv2d(1, 2, 3),
        layers.ReLU(),
        layers.Conv2d(2, 3, 3),
        layers.ReLU(),
        layers.MaxPool2d(2),
        layers.Flatten(),
        layers.Linear(12, 4),
    )


def test_a_step_is_named_and_counted_launch_by_launch():
    model = network().to("cpu")
    with force_simulator():
        calls = steps.launches(steps.plan_of(model, 3, (1, 8, 8)))
        before = model.parameters.copy()
        counted = steps.profiled(calls)
    assert list(calls)[:5] == [
        "normalise_images",
        "conv_forward 1→2",
        "relu",
        "conv_forward 2→3",
        "relu, 2",
    ]
    assert {"linear_grad_weight 12→4", "sum_columns of 3", "sgd_step"} < set(counted)
    assert not np.array_equal(before, model.parameters)
    assert counted["conv_forward 2→3"].flops >= 2 * 3 * 3 * 4 * 4 * 2 * 9


def planned():
    with force_simulator():
        return list(steps.launches(steps.plan_of(network().to("cpu"), 3, (1, 8, 8))))


def test_fused_pieces_stand_in_the_step_when_they_are_there():
    save("conv_relu_pool", mine.PIECES["conv_relu_pool"].best)
    names = planned()
    assert "conv_relu_pool 2→3" in names and "max_pool" not in names and "relu" in names


@pytest.mark.parametrize("order", [1, -1])
def test_no_plan_takes_a_fused_kernel_that_costs_more_than_its_parts(order):
    for name, which in [("conv_relu_pool", "plain"), ("conv_forward", "best")][::order]:
        save(name, getattr(mine.PIECES[name], which))
    names = planned()
    assert "conv_forward 2→3" in names and "conv_relu_pool 2→3" not in names
    (said,) = mine.unused()
    assert re.fullmatch(
        r"conv_relu_pool costs 160,320 .* your conv_forward, relu and max_pool together [\d,]+: a plan goes on .*",
        said,
    )
    save("conv_relu", mine.PIECES["conv_relu"].best)
    assert mine.is_used("conv_relu") and "your conv_relu and max_pool" in mine.unused()[0]
    save("conv_relu_pool", mine.PIECES["conv_relu_pool"].best)
    assert mine.is_used("conv_relu_pool") and not mine.unused()


def test_lesson_08_begins_with_plain_kernels_whatever_the_library_holds():
    for name in ("conv_grad_weight", "conv_relu", "conv_relu_pool"):
        save(name, mine.PIECES[name].best)
    names = {"mine": mine, "model": model, "L": layers, "steps": steps}
    exec(cell_with("def plain_step"), names)
    exec(cell_with("first = steps").splitlines()[0], names)
    assert {"conv_forward 16→32", "relu, 2", "max_pool"} < names["calls"].keys()
    assert max(names["first"], key=names["first"].get) == "conv_grad_weight 16→32"


def test_images_are_those_of_mnist_where_nobody_says_more():
    model = Sequential(layers.Flatten(), layers.Linear(784, 2)).to("cpu")
    with force_simulator():
        assert steps.plan_of(model, 3).x.size == 3 * 784


@pytest.mark.parametrize(
    "has_gpu, engine, words, unit",
    [
        (True, True, "this GPU", "3,000 µs"),
        (False, True, "processor", "3 ms"),
        (False, False, "the simulator", "3 ms"),
    ],
)
def test_times_name_their_clock(gpu, monkeypatch, has_gpu, engine, words, unit):
    if has_gpu:
        gpu()
    monkeypatch.setattr(steps, "native_engine", lambda: engine or None)
    assert words in steps.clock() and steps.shown(0.003) == unit


@pytest.fixture
def path(monkeypatch):
    """The path of a small network, whose every launch takes a second per line and per stage so far: the machine slows down."""
    monkeypatch.setattr(
        steps,
        "timed",
        lambda calls: {
            name: call.kernel.code.count("\n") * len(own.stages) for name, call in calls.items()
        },
    )
    model = Sequential(
        layers.Conv2d(1, 2, 3, stride=4),
        layers.ReLU(),
        layers.Conv2d(2, 3, 3),
        layers.ReLU(),
        layers.Flatten(),
        layers.Linear(75, 4),
        seed=1,
    )
    monkeypatch.setattr(own_path, "BATCH", 2)
    own = OwnPath(lambda where: model)
    return own


def test_the_own_path_is_counted_and_timed_after_every_change(path, capsys):
    def said():
        return capsys.readouterr().out.splitlines()

    with mine.plain_versions():
        path.count("plain")
        path.time()
    (plain,) = path.stages
    assert said()[0] == f"plain: {plain.cost:,} sectors and wavefronts; {len(plain.calls)} launches"
    path.longest()
    assert said()[-1] == "conv_grad_input 2→3 is cured in section “One read, several sums”."
    path.count("yours")
    path.time()
    assert said() == ["yours: the same kernels as in “plain”"]
    save("conv_grad_input", your_step.typed("08/conv_grad_input.cu"))
    path.count("conv_grad_input: 4 × 2 sums per thread")
    path.count("conv_grad_input: 4 × 2 sums per thread")  # the cell runs twice
    path.time()
    lines = said()
    assert len(path.stages) == 3 and f": {path.stages[1].cost:,} -> " in lines[3]
    assert re.search(r"conv_grad_input 16→32 +\d+ µs -> \d+ µs", lines[5])  # as recorded
    assert len(lines) == 10 and "conv_grad_input" in lines[7]  # nothing else is timed again
    assert path.stages[1].seconds["sgd_step"] == plain.seconds["sgd_step"]
    save("conv_relu", mine.PIECES["conv_relu"].plain)
    path.count("fused")
    path.time()
    assert own_path.changed(path) == [
        ("conv_forward 1→2", "conv_relu 1→2"),
        ("conv_forward 2→3", "conv_relu 2→3"),
        ("conv_grad_input 2→3", "conv_grad_input 2→3"),
    ]
    said()
    path.stages[3].seconds["conv_relu 2→3"] = 1e6  # a slow stage does not count
    assert path.summary() == min(stage.time for stage in path.stages[:3])
    assert [line.split()[0] for line in said()[1:]][:3] == ["plain", "now", "the"]
    drawn = pictures.own_path(path).alt
    assert all(f"{stage.words}: {stage.cost:,}" in drawn for stage in path.stages)
    drawn = pictures.own_roofline(path, Roofs("a laptop", 1e12, {"DRAM": 1e11}))
    assert "then conv_relu 2→3" in drawn.alt


@pytest.mark.parametrize("lines", [30, 20, 10])
def test_what_is_not_faster_gives_way_to_what_the_stage_before_had(path, lines):
    typed = your_step.typed("08/conv_grad_input.cu")
    first, last = typed + "//\n" * 20 + "//", typed + "\n//" * lines
    for words, text in (("plain", first), ("new", first + " twice"), ("new", last)):
        save("conv_grad_input", text)
        path.count(words)
        path.time()
    cell = cell_with("def keep_if_faster").replace("conv_grad_weight", "conv_grad_input")
    exec(cell, globals() | {"path": path})
    assert mine.saved("conv_grad_input").body == (last if lines == 10 else first)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5.7e-4, "0.57 ms"), (42.04, "42 s"), (2634, "43.9 min"), (11_100, "3 h 5 min")],
)
def test_seconds_as_a_person_writes_them(seconds, words):
    assert own_path.duration(seconds) == words


def test_a_copy_without_the_plain_versions_says_how_to_get_them(monkeypatch, capsys):
    own_path.ready()
    monkeypatch.setattr(mine, "plain_versions", Mock(side_effect=contract.MissingTextError("relu")))
    own_path.ready()
    there, missing = capsys.readouterr().out.splitlines()
    assert "everything" in there and "make student STUDENT_ARGS=--pieces" in missing


def test_without_a_gpu_every_launch_is_timed():
    if device.has_gpu():
        pytest.skip("times the GPU")
    times = steps.timed(steps.launches(steps.plan_of(network().to("cpu"), 3, (1, 8, 8))))
    assert times and all(seconds > 0 for seconds in times.values())


def test_without_a_gpu_no_timed_launch_is_checked():  # the library has judged the kernels before
    looked_for = []
    steps.timed({"relu": lambda: looked_for.append(checking())})
    assert set(looked_for) == {frozenset()}


def test_what_is_necessary():
    calls = steps.launches(steps.plan_of(network().to("cpu"), 3, (1, 8, 8)))
    products = 3 * 3 * 4 * 4 * 2 * 9
    assert [
        steps.necessary(calls[name])[0]
        for name in ("conv_forward 2→3", "conv_grad_input 2→3", "conv_grad_weight 2→3")
    ] == [2 * products] * 3
    assert steps.necessary(calls["linear_forward 12→4"]) == (
        2 * 3 * 12 * 4,
        4 * (3 * 12 + 4 * 12 + 4 + 3 * 4),
    )
    parameters = calls["sgd_step"].args[0].size
    assert steps.moved(calls["sgd_step"]) == (8 * parameters, 4 * parameters)
    assert steps.moved(calls["linear_forward 12→4"]) == (4 * (3 * 12 + 4 * 12 + 4), 4 * 3 * 4)
    assert steps.necessary(calls["sgd_step"]) == (0, 3 * 4 * parameters)
    assert steps.floor(calls["sgd_step"]) == 12 * parameters / 4.8e12


def test_our_counters_stand_beside_those_of_ncu(capsys):
    steps.beside_ncu()
    said = capsys.readouterr().out
    assert "NVIDIA H200" in said and re.search(r"global_load.sectors +89,344 +89,344", said)


def test_warps_of_each_recorded_text_are_worked_out(capsys):
    steps.residents("conv_forward 16→32")
    found = {
        line.split("  ")[0]: re.findall(r"(\d+) warps", line)
        for line in capsys.readouterr().out.splitlines()[1:]
    }
    assert found["best known"] == ["32", "16"] and found["plain"] == ["64", "64"]


def test_arithmetic_or_bytes_are_the_floor(monkeypatch):
    for necessary in ((66.9e12, 4.8), (66.9, 4.8e12), (66.9e12, 4.8e12)):
        monkeypatch.setattr(steps, "necessary", lambda call, necessary=necessary: necessary)
        assert steps.floor(None) == 1


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, ""),
        (12.0, "12"),
        (12.3456, "12.35"),
        (0.5, "0.5"),
        (999.9, "999.9"),
        (1000.4, "1,000"),
        (1234567, "1,234,567"),
    ],
)
def test_counters_in_few_letters(value, words):
    assert steps._short(value) == words


def test_a_launch_is_timed_in_a_graph_that_repeats_it(monkeypatch, gpu):
    captured, launched, stream = [], [], nullcontext()
    graph = SimpleNamespace(launch=launched.append)
    monkeypatch.setattr(
        steps, "capture", lambda on, *calls: (captured.append((on, calls)), graph)[1]
    )
    monkeypatch.setattr(
        steps, "measure", lambda call, repeats: (call(), SimpleNamespace(median=5.0))[1]
    )
    gpu(SimpleNamespace(cuda=SimpleNamespace(Stream=lambda non_blocking: stream)))
    first = []
    assert steps.timed({"relu": lambda: first.append(1)}) == {"relu": 5.0 / 20}
    assert (
        first == [1]
        and launched == [stream]
        and len(captured[0][1]) == 20
        and captured[0][0] is stream
    )


@pytest.mark.gpu
def test_launches_are_timed_on_the_gpu():
    calls = steps.launches(steps.plan_of(network().to("gpu"), 3, (1, 8, 8)), rate=0.0)
    times = steps.timed(calls)
    assert set(times) == set(calls) and all(1e-7 < seconds < 1e-3 for seconds in times.values())
