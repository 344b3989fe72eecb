"""Several devices, simulated in one process, send, receive and add; their mistakes are named. Lesson 11.

A program is a generator function, called once for every device; `yield` is where a device waits for a message:

    def pass_on(device, data):
        device.send(device.right, data)
        data[:] = yield device.recv(device.left)

    run = on_devices(pass_on, arrays, add)

It needs no threads, so it runs in a browser, and a run is the same each time.
"""

from __future__ import annotations

import inspect
import linecache
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, NamedTuple, NoReturn

import numpy as np

from nnlib.cuda import KernelError

# Seconds, and bytes per second each way, of a link like PCI Express between two GPUs.
LATENCY, BANDWIDTH = 2e-6, 25e9
_BLOCK = 256
_MOST = 10_000  # messages that a device may send before its program counts as endless


class DeviceError(KernelError):
    """A program for several devices is wrong; `devices` are the ones at fault."""

    def __init__(self, message: str, devices: Sequence[int] = (), line: int | None = None) -> None:
        super().__init__(message, line=line)
        self.devices = tuple(devices)


class DeadlockError(DeviceError):
    """Devices wait for messages that will never be sent."""


class EarlyReadError(DeviceError):
    """A message is used before it was received."""


class UntakenError(DeviceError):
    """A message was sent that no device received."""


class Message(NamedTuple):
    """A copy of an array on its way. start, end: seconds since the program began. place: file, line of its `send`."""

    source: int
    target: int
    content: np.ndarray
    start: float
    end: float
    place: tuple[str, int]


class Request:
    """A message that a device waits for. `yield` returns its array once it has arrived."""

    def __init__(self, device: SimulatedDevice, source: int, place: tuple[str, int]) -> None:
        self._device, self.source, self.place, self.waited = device, source, place, False

    def _early(self, *_: Any) -> NoReturn:
        me, other = self._device.rank, self.source
        raise EarlyReadError(
            f"device {me} uses the message from device {other} before it was received"
            + _shown(*_caller())
            + "\n  hint: recv only asks for a message. Wait for it: "
            "part = yield device.recv(…)",
            [me],
            self.place[1],
        )

    __array__ = __getitem__ = __len__ = __iter__ = __add__ = __radd__ = __mul__ = __iadd__ = _early


Program = Callable[["SimulatedDevice", np.ndarray], Generator[Request, np.ndarray, None]]


class SimulatedDevice:
    """A simulated GPU among several. rank: its number. size: how many there are. left, right: its neighbours in a ring."""

    def __init__(self, rank: int, size: int, world: _Simulation) -> None:
        self.rank, self.size, self._world = rank, size, world
        self.left, self.right = (rank - 1) % self.size, (rank + 1) % self.size
        # The clock of this device, and until when its two links are busy.
        self._now = self._sending = self._receiving = 0.0
        self.asked: list[Request] = []
        self._sent = 0

    def arrived(self, time: float) -> None:
        """Let the clock of the device go on to the end of a message that it has waited for."""
        self._now = max(self._now, time)

    def split(self, data: np.ndarray) -> list[np.ndarray]:
        """Return one chunk of the array per device: views, which differ in length by at most one element."""
        return np.array_split(data, self.size)

    def send(self, to: int, array: np.ndarray) -> None:
        """Send a copy of the array to another device, and go on at once."""
        place = _caller()
        other = self._world.device(to, self.rank, "sends to", place)
        if isinstance(array, Request):
            array._early()
        self._sent += 1
        if self._sent > _MOST:
            raise DeviceError(
                f"device {self.rank} has sent {_MOST:,} messages: the program does not end"
                + _shown(*place),
                [self.rank],
                place[1],
            )
        content = np.array(array)
        start = max(self._now, self._sending, other._receiving)
        end = start + LATENCY + content.nbytes / BANDWIDTH
        self._sending = other._receiving = end
        self._world.post(Message(self.rank, to, content, start, end, place))

    def recv(self, source: int) -> Request:
        """Ask for the next message of another device. `yield` waits for it."""
        place = _caller()
        self._world.device(source, self.rank, "receives from", place)
        self.asked.append(Request(self, source, place))
        return self.asked[-1]

    def lend(self, name: str) -> None:
        """Refuse a program of the course where the student's own is asked for."""
        if not self._world.lends:
            raise DeviceError(
                f"{name} is the course's own program, and the exercise asks for yours\n  hint: write the "
                "sends and receives yourself"
            )

    def add(self, mine: np.ndarray, theirs: np.ndarray) -> None:
        """Launch the kernel `add(mine, theirs, n)`: a thread for every element of mine, which grows by theirs.

        Without a kernel NumPy adds.
        """
        for array in (mine, theirs):
            if isinstance(array, Request):
                array._early()
        if mine.shape != theirs.shape:
            raise DeviceError(
                f"device {self.rank} adds {theirs.size} elements to {mine.size}"
                + _shown(*_caller())
                + "\n  hint: both chunks must have the same number on both devices. Which chunk did "
                "the other device send?",
                [self.rank],
            )
        if self._world.add is None:
            mine += theirs
        elif mine.size:
            self._world.add((-(-mine.size // _BLOCK),), (_BLOCK,), (mine, theirs, mine.size))


@dataclass
class DeviceRun:
    """The outcome of a run on several devices. arrays: of every device, changed in place. messages: in the order of sending."""

    arrays: list[np.ndarray]
    messages: list[Message]

    def bytes(self) -> dict[tuple[int, int], int]:
        """Return the bytes that went over every link, (source, target) -> bytes."""
        found: dict[tuple[int, int], int] = defaultdict(int)
        for message in self.messages:
            found[message.source, message.target] += message.content.nbytes
        return dict(found)

    def busiest(self) -> int:
        """Return the most bytes that any device sent, or any device received."""
        ports: dict[Any, int] = defaultdict(int)
        for (source, target), count in self.bytes().items():
            ports["from", source] += count
            ports["to", target] += count
        return max(ports.values(), default=0)

    def seconds(self) -> float:
        """Return when the last message arrived, with links of `LATENCY` and `BANDWIDTH`."""
        return max((message.end for message in self.messages), default=0.0)

    def __repr__(self) -> str:
        return (
            f"{len(self.arrays)} devices, {len(self.messages)} messages; the busiest device sends or receives "
            f"{self.busiest():,} bytes; {1e6 * self.seconds():.1f} µs on links of {BANDWIDTH / 1e9:g} GB/s"
        )


class _Simulation:
    """Runs a program on all devices in turn, each until it waits, and delivers the messages."""

    def __init__(self, program: Program, run: DeviceRun, add: Any, lends: bool) -> None:
        self.run, self.add, self.lends = run, add, lends
        self._mail: dict[tuple[int, int], deque[Message]] = defaultdict(deque)
        self._devices = [
            SimulatedDevice(rank, len(run.arrays), self) for rank in range(len(run.arrays))
        ]
        self._running = {
            device.rank: program(device, array)
            for device, array in zip(self._devices, run.arrays, strict=True)
        }
        if not all(map(inspect.isgenerator, self._running.values())):
            raise DeviceError(
                "the program never waits for a message: it has no yield\n  hint: "
                "part = yield device.recv(…)"
            )

    def start(self) -> None:
        """Run until all devices have finished."""
        waits: dict[int, Request] = {}
        answers: dict[int, Any] = dict.fromkeys(self._running)  # None starts a generator
        while self._running:
            for rank in list(answers):
                request = self._resume(rank, answers.pop(rank))
                if request is not None:
                    waits[rank] = request
            for rank, request in list(waits.items()):
                if mail := self._mail[request.source, rank]:
                    answers[rank] = self._deliver(waits.pop(rank), mail.popleft())
            if waits and not answers:
                self._deadlock(waits)
        self._untaken()

    def _resume(self, rank: int, answer: Any) -> Request | None:
        """Run a device until it waits, and return what for; None when it has finished."""
        generator = self._running[rank]
        try:
            request = generator.send(answer)
        except StopIteration:
            del self._running[rank]
            return None
        if not isinstance(request, Request):
            raise DeviceError(
                f"device {rank} yields {type(request).__name__}"
                + _shown(*_line_of(generator.gi_frame))
                + "\n  hint: yield what recv returns",
                [rank],
            )
        return request

    def _deliver(self, request: Request, message: Message) -> np.ndarray:
        self._devices[message.target].arrived(message.end)
        request.waited = True
        return message.content

    def device(self, rank: Any, caller: int, does: str, place: tuple[str, int]) -> SimulatedDevice:
        """Return the device of this rank; DeviceError where the caller has no such neighbour."""
        if not isinstance(rank, int | np.integer):
            raise DeviceError(
                f"device {caller} {does} something of type {type(rank).__name__}{_shown(*place)}"
                "\n  hint: the number of a device comes first: device.send(to, array), "
                "device.recv(source)",
                [caller],
                place[1],
            )
        if not 0 <= rank < len(self._devices) or rank == caller:
            raise DeviceError(
                f"device {caller} {does} device {rank}, but its others are "
                f"{', '.join(str(k) for k in range(len(self._devices)) if k != caller)}{_shown(*place)}"
                "\n  hint: ranks wrap around: (rank + 1) % size, or device.right",
                [caller],
                place[1],
            )
        return self._devices[rank]

    def post(self, message: Message) -> None:
        """Put a message into the mailbox of its link."""
        self.run.messages.append(message)
        self._mail[message.source, message.target].append(message)

    def _deadlock(self, waits: dict[int, Request]) -> NoReturn:
        first = rank = next(iter(waits))
        chain: list[int] = []
        while rank in waits and rank not in chain:
            chain.append(rank)
            rank = waits[rank].source
        circle = chain[chain.index(rank) :] if rank in chain else []
        lines = [
            f"device {k} waits for a message from device {waits[k].source}{_shown(*waits[k].place)}"
            for k in (circle or chain)[:4]
        ] + ["…"] * (len(circle or chain) > 4)
        if circle:
            missed = next(
                (mail[0] for mail in self._mail.values() if mail and mail[0].target in circle), None
            )
            lines.append(
                f"  hint: a circle, {' → '.join(map(str, [*circle, rank]))}: each waits for the next and none "
                "sends"
                + (
                    ". Send first, then receive"
                    if missed is None
                    else f" to it. Device {missed.source} has sent to device {missed.target}, which waits "
                    f"for device {waits[missed.target].source}: receive from the one that sends to "
                    "you"
                )
            )
        else:
            lines.append(
                f"  hint: device {rank} has finished and sends nothing more. Does it take as many steps, and "
                "send to the device that waits?"
            )
        raise DeadlockError(
            "deadlock: " + "\n".join(lines), circle or [first], waits[first].place[1]
        )

    def _untaken(self) -> None:
        left = [message for mail in self._mail.values() for message in mail]
        if not left:
            return
        message = left[0]
        more = f" ({len(left)} messages are left in all)" if len(left) > 1 else ""
        asked = [
            request
            for request in self._devices[message.target].asked
            if request.source == message.source and not request.waited
        ]
        why = (
            "it asked for it, but never waited: part = yield device.recv(…)"
            if asked
            else f"every send needs its recv: does device {message.target} take as many steps, from the right device?"
        )
        raise UntakenError(
            f"device {message.source} sent a message that device {message.target} never received{more}"
            + _shown(*message.place)
            + f"\n  hint: {why}",
            [message.source, message.target],
            message.place[1],
        )


def on_devices(
    program: Program, arrays: Sequence[np.ndarray], add: Any = None, lends: bool = True
) -> DeviceRun:
    """Run the program on as many devices as there are arrays, device r on array r, which changes in place.

    add: the kernel that `device.add` launches; None: NumPy adds. lends: whether the program may be, or use, one of
    the course's own, as no answer to an exercise may. Raises a DeviceError that names devices and line.
    """
    run = DeviceRun(list(arrays), [])
    _Simulation(program, run, add, lends).start()
    return run


def _caller() -> tuple[str, int]:
    """Return file and line of the program that called into this module; nothing where marking has closed the frames."""
    frame: FrameType | None = sys._getframe(1) if hasattr(sys, "_getframe") else None
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    return _line_of(frame)


def _line_of(frame: FrameType | None) -> tuple[str, int]:
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("", 0)


def _shown(file: str, line: int) -> str:
    """Return a line of the program as reports show it."""
    text = linecache.getline(file, line).strip()
    return f"\n  {line} | {text}" if text else ""


def through_device_0(
    device: SimulatedDevice, data: np.ndarray
) -> Generator[Request, np.ndarray, None]:
    """Compute an all-reduce, the first version: device 0 receives all arrays, adds them up and sends the sum to everybody."""
    device.lend("through_device_0")
    others = range(1, device.size)
    if device.rank == 0:
        for other in others:
            part = yield device.recv(other)
            device.add(data, part)
        for other in others:
            device.send(other, data)
    else:
        device.send(0, data)
        data[:] = yield device.recv(0)


def ring(device: SimulatedDevice, data: np.ndarray) -> Generator[Request, np.ndarray, None]:
    """Compute an all-reduce in a ring: in N - 1 steps every chunk is summed, in N - 1 more it goes to all devices."""
    device.lend("ring")
    chunks, n, me = device.split(data), device.size, device.rank
    for step in range(n - 1):
        device.send(device.right, chunks[(me - step) % n])
        part = yield device.recv(device.left)
        device.add(chunks[(me - step - 1) % n], part)
    for step in range(n - 1):
        device.send(device.right, chunks[(me - step + 1) % n])
        chunks[(me - step) % n][:] = yield device.recv(device.left)
