"""Training on a team: the same numbers on any number of ranks, and no rank waits for another that will not come."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from nnlib.layers import Dropout, Linear
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.support import extras
from nnlib.support.processes import FolderRendezvous, started_rank
from nnlib.training import checkpoints, evaluate
from nnlib.training.parallel import Team, TeamError, checksum, connect, part_size, parts

from .team_program import OPTIMIZERS, RECORDED, run, run_recorded
from .trainings import examples, network

MPIEXEC = Path(sys.executable).with_name("mpiexec")
needs_mpi = pytest.mark.skipif(
    not (find_spec("mpi4py") and MPIEXEC.exists()), reason="needs MPI: pip install mpi4py mpich"
)


def mpiexec(ranks: int, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [MPIEXEC, "-n", str(ranks), sys.executable, *words],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


class Rank(Team):
    """A team in which only one rank is real, for tests that need nothing from the others."""

    def __init__(self, rank: int, size: int) -> None:
        self.rank, self.size = rank, size


# The same numbers


# No part of a batch of 16 or 7 is as large as another's, and of a batch of two one has none
RANKS = 3


@pytest.fixture(scope="module")
def told(tmp_path_factory) -> Path:
    """Run several ranks and return the folder with their results. One rank began a training that they resume."""
    folder = tmp_path_factory.mktemp("told")
    run(Team(), "Adam", epochs=4, checkpoint=folder / "begun", patience=3)
    result = mpiexec(RANKS, "-m", "tests.network.team_program", "same", folder)
    assert result.returncode == 0, result.stderr
    return folder


def parameters(told: Path, name: str) -> np.ndarray:
    """The parameters that each rank has in the end; all have the same bits."""
    first, *others = (np.load(told / f"{name}-rank{rank}.npy") for rank in range(RANKS))
    assert all(np.array_equal(first, other) for other in others)
    return first


@needs_mpi
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_any_number_of_ranks_trains_the_same_network(told, name):
    """With dropout and a ragged last batch."""
    model, history = run(Team(), name)
    found, again = (parameters(told, f"{name}-{time}") for time in (1, 2))
    assert np.array_equal(found, again)
    tolerance = 2e-6 * np.abs(model.parameters).max()
    np.testing.assert_allclose(found, model.parameters, rtol=0, atol=tolerance)
    for rank in range(RANKS):
        told_history = json.loads((told / f"{name}-history-rank{rank}.json").read_text())
        for part in ("train_loss", "valid_loss", "train_accuracy", "valid_accuracy"):
            np.testing.assert_allclose(told_history[part], getattr(history, part), rtol=1e-5)


@needs_mpi
def test_ranks_without_a_part_wait_and_a_checkpoint_fits_any_number(told):
    two, _ = run(Team(), "SGD", epochs=1, batch_size=2)
    whole, _ = run(Team(), "Adam", patience=3)
    np.testing.assert_allclose(parameters(told, "two"), two.parameters, atol=1e-6)
    np.testing.assert_allclose(parameters(told, "resumed"), whole.parameters, atol=1e-5)


@needs_mpi
@pytest.mark.parametrize("name", RECORDED)
def test_recorded_steps_of_a_team_train_the_same_network(told, name):
    """The launches of a CUDA graph, with the sum over all ranks between gradients and update."""
    model, evaluation = run_recorded(Team(), RECORDED[name])
    found = parameters(told, name)
    np.testing.assert_allclose(found, [*evaluation, *model.parameters], rtol=0, atol=3e-6)


@needs_mpi
def test_every_rank_says_where_the_loss_was_not_finite(told):
    said = "the loss is not finite in step 3: on rank 0, first in the output of layer 1, Linear"
    for rank in range(RANKS):
        assert (told / f"message-rank{rank}.txt").read_text().startswith(said)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("batch_size, dropout", [(16, False), (16, True), (5, True), (1, False)])
def test_every_example_of_a_batch_belongs_to_one_rank(size, batch_size, dropout):
    model = Sequential(Linear(3, 5), *[Dropout(0.5)] * dropout)
    order = np.random.default_rng(0).permutation(33)
    each = part_size(model, batch_size, Rank(0, size))
    shares = [parts(order, batch_size, each, Rank(rank, size)) for rank in range(size)]
    assert np.array_equal(
        np.concatenate([np.concatenate(batch) for batch in zip(*shares, strict=True)]), order
    )
    assert all(len(part) <= each for share in shares for part in share)
    assert not dropout or size == 1 or each % 4 == 0


def test_a_checksum_differs_with_every_bit():
    numbers = np.arange(6, dtype=np.float32)
    other = numbers.copy()
    other.view(np.uint32)[3] ^= 1
    assert checksum(numbers) == checksum(numbers.copy()) != checksum(other)


def test_a_team_of_one_changes_nothing():
    team = Team()
    assert (team.rank, team.size, team.gather(3), team.total(1, 2.5)) == (0, 1, [3], [1, 2.5])
    team.agree(anything=1)
    assert team.part(7) == slice(0, 7) and connect().size == 1 and started_rank() == 0


def test_every_rank_judges_its_part_of_the_validation_examples():
    class Noting(Rank):
        def total(self, *numbers: float) -> list[float]:
            noted.append(numbers)
            return list(numbers)

    noted: list[tuple[float, ...]] = []
    model, data = network(), examples(31)
    for rank in range(3):
        evaluate(model, CrossEntropyLoss(), data, team=Noting(rank, 3))
    whole = evaluate(model, CrossEntropyLoss(), data)
    np.testing.assert_allclose(np.sum(noted, axis=0) / 31, whole, rtol=1e-6)


# Faults


@needs_mpi
@pytest.mark.parametrize(
    "kind, message",
    [
        ("stopped", "rank 0: waited 2 seconds for the sum of the gradients: rank 1 did not answer"),
        ("hanging", "rank 0: waited 2 seconds for the sum of the gradients: rank 1 did not answer"),
        ("own error", "rank 1: IndexError: list index out of range"),
        ("killed", "EXIT CODE: 9"),
        ("full disk", "rank 0: OSError: [Errno 27]"),
        (
            "overflow",
            "the loss is not finite in step 3: on rank 1, first in the output of layer 0, Linear(4, 8)",
        ),
        ("other data", "rank 1 and rank 0 differ in their training data: checksum"),
    ],
)
def test_one_rank_in_trouble_ends_all(kind, message, tmp_path):
    """`mpiexec` comes back, with an error: within seconds, or the test runs into its limit."""
    result = mpiexec(2, "-m", "tests.network.team_program", kind, tmp_path)
    assert result.returncode != 0
    assert message in result.stdout + result.stderr
    if kind in ("killed", "stopped", "hanging", "own error", "full disk"):
        notes, _ = checkpoints.read(tmp_path / "checkpoint")
        assert len(notes["history"]["train_loss"]) == 1


def test_without_the_library_a_team_says_what_to_install(environ, without):
    environ(PMI_SIZE="2")
    without()
    with pytest.raises(extras.MissingPackageError, match="need mpi4py, .* pip install mpi4py"):
        connect()


def test_several_gpus_are_refused_where_there_are_none():
    result = subprocess.run(
        [sys.executable, "-m", "nnlib", "train", "--data", "digits", "--gpus", "2"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert result.returncode == 1
    assert "2 processes need 2 GPUs and NCCL; there are 0 GPUs" in result.stderr
    assert result.stderr.count("nnlib train:") == 1


def test_processes_of_one_machine_meet_in_a_folder(tmp_path):
    meetings = [FolderRendezvous(rank, 3, str(tmp_path)) for rank in range(3)]
    found: dict[int, list] = {}

    def meet(rank: int) -> None:
        found[rank] = [meetings[rank].exchange([rank, again]) for again in range(2)]

    threads = [threading.Thread(target=meet, args=(rank,)) for rank in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(
        found[rank] == [[[0, 0], [1, 0], [2, 0]], [[0, 1], [1, 1], [2, 1]]] for rank in range(3)
    )
    assert meetings[0].missing() == {1, 2}


@pytest.mark.parametrize(
    "what", ["version", "network", "loss", "optimizer", "seed", "epochs", "validation_data"]
)
def test_ranks_agree_on_all_that_a_training_depends_on(what):
    class Two(Rank):
        def gather(self, value: object) -> list:
            other = (
                {**value, what: "another"} if isinstance(value, dict) and what in value else value
            )
            return [value, other]

    words = f"rank 1 and rank 0 differ in their {what.replace('_', ' ')}: another and "
    with pytest.raises(TeamError, match=words):
        run(Two(0, 2), "SGD")


# The command


@needs_mpi
def test_the_command_trains_on_any_number_of_ranks(tmp_path):
    words = ("-m", "nnlib", "train", "--data", "digits", "--network", "small", "--epochs", "2")
    alone = subprocess.run([sys.executable, *words], capture_output=True, text=True, timeout=120)
    together = mpiexec(2, *words)
    assert alone.returncode == together.returncode == 0, together.stderr
    first, *lines = together.stdout.splitlines()
    assert "2 ranks through MPI, 32 of 64 examples each" in first
    assert lines[:-1] == alone.stdout.splitlines()[1:-1]
    assert lines[-1].endswith("ms a step, in the fastest epoch")
