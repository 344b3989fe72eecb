"""Connect the processes of a team, add up their arrays, and end them together.

NCCL moves the bytes between GPUs, MPI between all other processes.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from nnlib import device
from nnlib.support import extras, files

# "rank size folder": `nnlib train --gpus` tells each of its processes so which rank it is.
FOLDER = "NNLIB_TEAM"
TIMEOUT = 30.0  # seconds that a rank waits for the others
# Variables that mpiexec sets.
_SIZES = "PMI_SIZE", "OMPI_COMM_WORLD_SIZE"
_RANKS = "PMI_RANK", "OMPI_COMM_WORLD_RANK"


class TeamError(Exception):
    """The ranks cannot train together; every rank raises it."""


class Team:
    """The processes that train one network. This class is a team of one, for which every method is trivial.

    rank: number of this process, from 0; rank 0 prints and writes checkpoints. size: number of processes.
    through: what moves the bytes.
    """

    rank, size, through = 0, 1, ""

    def all_reduce(self, array: Any) -> None:
        """Replace a contiguous array, on every rank, by the sum of the arrays of all ranks: the same bits everywhere.

        On a GPU this joins the current stream and can be captured in a CUDA graph.
        """

    def broadcast(self, array: Any) -> None:
        """Replace a contiguous array by that of rank 0."""

    def gather(self, value: Any) -> list[Any]:
        """Return the values of all ranks, in order. They are what JSON can hold."""
        return [value]

    def total(self, *numbers: float) -> list[float]:
        """Return the sum over all ranks of each number, computed in float64."""
        sums = np.array(numbers, np.float64)
        self.all_reduce(sums)
        return [*sums.tolist()]

    def first(self, text: str) -> str:
        """Return, on every rank, the first text that is not empty, with the rank that gave it."""
        texts = self.gather(text)
        rank = next((rank for rank, text in enumerate(texts) if text), 0)
        return f"on rank {rank}, {texts[rank]}" if self.size > 1 else text

    def part(self, count: int, each: int | None = None) -> slice:
        """Return this rank's part of `count` things in a row, of which every rank takes `each` while there are any."""
        each = -(-count // self.size) if each is None else each
        return slice(min(self.rank * each, count), min((self.rank + 1) * each, count))

    def agree(self, **facts: Any) -> None:
        """Raise TeamError on every rank unless these facts are the same on all of them."""
        first, *others = self.gather(json.loads(json.dumps(facts, default=str)))
        for rank, other in enumerate(others, 1):
            for name, value in first.items():
                if other[name] != value:
                    raise TeamError(
                        f"rank {rank} and rank 0 differ in their {name.replace('_', ' ')}: "
                        f"{other[name]} and {value}"
                    )

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Wait for the other ranks inside the `with` block; after the timeout, end them all."""
        yield

    @contextmanager
    def together(self, *agreed: type[Exception]) -> Iterator[None]:
        """End all ranks when this one meets an error inside the `with` block, unless all of them raise it: `agreed`."""
        yield


class MpiRendezvous:
    """Lets processes that mpiexec started exchange values. local: the number of this one on its machine."""

    def __init__(self) -> None:
        self._mpi = extras.load("mpi4py.MPI", "trainings by several processes")
        self.comm = self._mpi.COMM_WORLD
        self.rank, self.size = self.comm.rank, self.comm.size
        started = int(next(os.environ[name] for name in _SIZES if name in os.environ))
        if self.size == 1 < started:
            raise TeamError(
                f"mpiexec started {started} processes, but each sees only itself: mpiexec and mpi4py belong"
                " to two installations of MPI. Use the mpiexec beside this Python, in the folder "
                f"{Path(sys.executable).parent}"
            )
        self.local = self.comm.Split_type(self._mpi.COMM_TYPE_SHARED).rank
        self._calls = self.comm.Dup()  # on which a rank that waits in vain calls the others

    def exchange(self, value: Any) -> list[Any]:
        """Return the values of all ranks."""
        return list(self.comm.allgather(value))

    def missing(self) -> set[int]:
        """Return the ranks that do not call this, too, within a second."""
        calls = [self._calls.isend(None, rank) for rank in range(self.size)]
        time.sleep(1 if calls else 0)
        return {rank for rank in range(self.size) if not self._calls.iprobe(rank)}

    def end(self) -> None:
        """End all processes."""
        self.comm.Abort(1)


class FolderRendezvous:
    """Lets the processes of one `nnlib train --gpus` exchange values, as files in a folder."""

    def __init__(self, rank: int, size: int, folder: str) -> None:
        self.rank, self.size, self.local, self.folder = rank, size, rank, Path(folder)
        self._exchanges = 0

    def exchange(self, value: Any) -> list[Any]:
        """Return the values of all ranks, each of which has written a file."""
        notes = [self.folder / f"{self._exchanges}-{rank}.json" for rank in range(self.size)]
        self._exchanges += 1
        with files.replacing(notes[self.rank]) as temporary:
            temporary.write_text(json.dumps(value), encoding="utf-8")
        while not all(note.exists() for note in notes):
            time.sleep(0.001)
        return [json.loads(note.read_text(encoding="utf-8")) for note in notes]

    def missing(self) -> set[int]:
        """Return the ranks that write no file within a second, as they do not call this, too."""
        (self.folder / f"waits-{self.rank}").touch()
        time.sleep(1)
        return {rank for rank in range(self.size) if not (self.folder / f"waits-{rank}").exists()}

    def end(self) -> None:
        """End this process; `start` ends the others."""
        os._exit(1)


Rendezvous: TypeAlias = MpiRendezvous | FolderRendezvous


class Processes(Team):
    """A team of processes that have met; `Mpi` and `Nccl` say how they add up arrays."""

    def __init__(self, meeting: Rendezvous, timeout: float) -> None:
        self.rank, self.size, self._meeting, self._timeout = (
            meeting.rank,
            meeting.size,
            meeting,
            timeout,
        )
        self._waits: tuple[float, str] | None = None
        threading.Thread(target=self._watch, daemon=True).start()

    def gather(self, value: Any) -> list[Any]:
        """Return the values of all ranks, in their order."""
        with self.waiting("the others' news"):
            return self._meeting.exchange(value)

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Wait for the other ranks inside the `with` block; a thread ends them all after the timeout."""
        before, self._waits = self._waits, (time.monotonic(), what)
        try:
            yield
        finally:
            self._waits = before

    @contextmanager
    def together(self, *agreed: type[Exception]) -> Iterator[None]:
        """End all ranks when this one meets an error inside the `with` block, unless all of them raise it: `agreed`."""
        try:
            yield
        except BaseException as error:
            # The others would wait for this rank in vain
            if not isinstance(error, (TeamError, *agreed)):
                time.sleep(0.5 if self.rank else 0)  # what all ranks meet is said once
                self._end(f"{type(error).__name__}: {error}")
            raise

    def _watch(self) -> None:
        while True:
            time.sleep(0.1)
            since, what = self._waits or (time.monotonic(), "")
            if time.monotonic() - since > self._timeout:
                missing = self._meeting.missing()
                if self.rank > min(set(range(self.size)) - missing):
                    time.sleep(5)  # a lower rank tells the user
                names = (
                    " and ".join(f"rank {rank}" for rank in sorted(missing))
                    or "the network between the ranks"
                )
                self._end(
                    f"waited {self._timeout:g} seconds for {what}: {names} did not answer. All ranks stop; "
                    "the latest checkpoint is whole. connect(timeout=…) or --timeout lets ranks wait longer"
                )

    def _end(self, message: str) -> None:
        sys.stdout.flush()
        print(f"\nrank {self.rank}: {message}", file=sys.stderr, flush=True)
        time.sleep(0.2)  # mpiexec hands the message on before it hears of the end
        self._meeting.end()


class Mpi(Processes):
    """MPI adds up arrays in the memory of the CPU; those of a GPU are copied there and back."""

    through = "MPI"

    def __init__(self, meeting: MpiRendezvous, timeout: float) -> None:
        super().__init__(meeting, timeout)
        self._comm, self._in_place = (
            meeting.comm,
            extras.load("mpi4py.MPI", "trainings by several processes").IN_PLACE,
        )

    def all_reduce(self, array: Any) -> None:
        """Add up the array over all ranks, in place."""
        with self.waiting("the sum of the gradients"), _on_host(array) as numbers:
            self._comm.Allreduce(self._in_place, numbers)

    def broadcast(self, array: Any) -> None:
        """Copy the array of rank 0 to all ranks, in place."""
        with self.waiting("the parameters of rank 0"), _on_host(array) as numbers:
            self._comm.Bcast(numbers)


class Nccl(Processes):
    """NCCL adds up arrays from GPU to GPU; those of the CPU are copied there and back."""

    through = "NCCL"

    def __init__(self, meeting: Rendezvous, timeout: float) -> None:
        super().__init__(meeting, timeout)
        from cupy.cuda import nccl

        self._nccl = nccl
        identity, *_ = self.gather(nccl.get_unique_id().hex() if self.rank == 0 else None)
        with self.waiting("the others to join NCCL"):
            self._comm = nccl.NcclCommunicator(self.size, bytes.fromhex(identity), self.rank)

    def all_reduce(self, array: Any) -> None:
        """Add up the array over all ranks, in place."""
        with self._on_device(array) as (pointer, size, kind, stream):
            self._comm.allReduce(pointer, pointer, size, kind, self._nccl.NCCL_SUM, stream)

    def broadcast(self, array: Any) -> None:
        """Copy the array of rank 0 to all ranks, in place."""
        with self._on_device(array) as (pointer, size, kind, stream):
            self._comm.bcast(pointer, size, kind, 0, stream)

    @contextmanager
    def _on_device(self, array: Any) -> Iterator[tuple[int, int, int, int]]:
        numbers = device.to_device(array)
        kind = getattr(self._nccl, f"NCCL_{numbers.dtype.name.upper()}")
        yield numbers.data.ptr, numbers.size, kind, device.xp.cuda.get_current_stream().ptr
        if numbers is not array:
            with self.waiting("the others' numbers"):
                array[...] = device.to_host(numbers)


def connect(timeout: float = TIMEOUT) -> Team:
    """Return the team that this process belongs to: call it first, once, before anything is on a GPU.

    Started by `mpiexec -n N`, or by `nnlib train --gpus N`, it is one of N; otherwise a team of one. Where every
    process has a GPU of its own the team adds up by NCCL, else by MPI. timeout: seconds to wait for another rank before
    all are ended. Raises TeamError, and MissingPackageError with what to install.
    """
    meeting: Rendezvous
    if FOLDER in os.environ:
        rank, size, folder = os.environ[FOLDER].split(" ", 2)
        meeting = FolderRendezvous(int(rank), int(size), folder)
    elif any(int(os.environ.get(name, 1)) > 1 for name in _SIZES):
        meeting = MpiRendezvous()
    else:
        return Team()
    gpus = _gpus()
    found = meeting.exchange([meeting.local, gpus])
    if len({bool(count) for _, count in found}) > 1:
        without = [rank for rank, (_, count) in enumerate(found) if not count]
        raise TeamError(
            f"rank {without[0]} sees no GPU, other ranks do: give every rank one, or hide them all with "
            "CUDA_VISIBLE_DEVICES= in front of the command"
        )
    if gpus:
        device.use(meeting.local % gpus)
        if all(local < count for local, count in found) and _has_nccl():
            return Nccl(meeting, timeout)
    if isinstance(meeting, MpiRendezvous):
        return Mpi(meeting, timeout)
    raise TeamError(
        f"{meeting.size} processes need {meeting.size} GPUs and NCCL; there are {gpus} GPUs"
        + (
            ""
            if not gpus or _has_nccl()
            else ", and no NCCL. Type: pip install 'cuda-from-scratch[gpus]'"
        )
    )


def started_rank() -> int:
    """Return the rank with which this process was started, before it is connected; 0 for a process on its own."""
    if FOLDER in os.environ:
        return int(os.environ[FOLDER].split()[0])
    return next((int(os.environ[name]) for name in _RANKS if name in os.environ), 0)


def checksum(*arrays: Any) -> str:
    """Return a short text that differs where any of these arrays differs in a bit."""
    number = 0
    for array in arrays:
        number = zlib.crc32(np.ascontiguousarray(device.to_host(array)).data, number)
    return f"checksum {number:08x}"


@contextmanager
def _on_host(array: Any) -> Iterator[np.ndarray]:
    numbers = device.to_host(array)
    yield numbers
    if numbers is not array:
        array[...] = device.array_module(array).asarray(numbers)


def _gpus() -> int:
    """Return how many GPUs this process may use."""
    if os.environ.get("CUDA_VISIBLE_DEVICES") == "":
        return 0
    try:
        import cupy

        return int(cupy.cuda.runtime.getDeviceCount())
    except Exception:  # CuPy is not there, or finds no driver
        return 0


def _has_nccl() -> bool:
    try:
        from cupy.cuda import nccl

        return bool(nccl.available)
    except ImportError:
        return False


def start(count: int, command: list[str]) -> int:
    """Run `python -m command` in `count` processes, each with a GPU; end all when one ends in an error.

    Return the exit status: that of the process that failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", *command],
                env={**os.environ, FOLDER: f"{rank} {count} {folder}"},
            )
            for rank in range(count)
        ]
        try:
            while not any(process.poll() for process in processes) and any(
                p.poll() is None for p in processes
            ):
                time.sleep(0.05)
            deadline = time.monotonic() + 2  # time for a rank to say what it met
            while any(p.poll() is None for p in processes) and time.monotonic() < deadline:
                time.sleep(0.05)
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)
        finally:
            killed = [process for process in processes if process.poll() is None]
            for process in killed:
                process.kill()
                process.wait()
    for rank, process in enumerate(processes):
        if process.returncode < 0 and process not in killed:
            print(
                f"rank {rank} was ended by {signal.Signals(-process.returncode).name}; the others were stopped, "
                "and the latest checkpoint is whole",
                file=sys.stderr,
            )
    return max(abs(int(process.returncode)) for process in processes if process not in killed)
