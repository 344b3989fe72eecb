"""Lesson 11: right programs for several devices are accepted, and every wrong ring is told what is wrong with it."""

import linecache

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.support import devices
from nnlib.support.devices import (
    DeadlockError,
    DeviceError,
    EarlyReadError,
    UntakenError,
    on_devices,
)

from .conftest import answers, stored

RING = """def ring(device, data):
    chunks, n, me = device.split(data), device.size, device.rank
    for step in range(n - 1):
        device.send(device.right, chunks[(me - step) % n])
        part = yield device.recv(device.left)
        device.add(chunks[(me - step - 1) % n], part)
    for step in range(n - 1):
        device.send(device.right, chunks[(me - step + 1) % n])
        other = yield device.recv(device.left)
        chunks[(me - step) % n][:] = other
"""
NAIVE = """def naive(device, data):
    if device.rank == 0:
        for other in range(1, device.size):
            part = yield device.recv(other)
            device.add(data, part)
        for other in range(1, device.size):
            device.send(other, data)
    else:
        device.send(0, data)
        data[:] = yield device.recv(0)
"""


def program(text: str):
    namespace: dict = {"np": np}
    linecache.cache["<answer>"] = len(text), None, text.splitlines(keepends=True), "<answer>"
    exec(compile(text, "<answer>", "exec"), namespace)
    return next(value for name, value in namespace.items() if name in ("ring", "naive"))


RINGS = {
    name: (right, said, text)
    for right, words, text in answers(stored("rings.txt"))
    for name, said in [words.split(" | ")]
}


@pytest.mark.parametrize("name", RINGS)
def test_rings(name):
    right, said, text = RINGS[name]
    verdict = find("11.ring").judge(program(text))
    assert verdict.solved == right and said in verdict.text, verdict.text


@pytest.mark.parametrize(
    "answer",
    [
        devices.ring,
        devices.through_device_0,
        "    yield from ring_of_course(device, data)",
        "    from nnlib.support import devices\n    return devices.ring(device, data)",
    ],
)
def test_the_course_s_own_ring_is_no_answer(answer):
    if isinstance(answer, str):
        answer = program(
            f"from nnlib.support.devices import ring as ring_of_course\ndef ring(device, data):\n{answer}\n"
        )
    verdict = find("11.ring").judge(answer)
    assert not verdict.solved
    assert "the course's own program" in verdict.text, verdict.text


@pytest.mark.parametrize(
    "name, said",
    [
        ("receives from the right", "Device 0 has sent to device 1, which waits for device 2"),
        ("second half starts at its own", "has other elements of device 1"),
        ("binds instead of copying", "only the list"),
        ("one step too many", "N − 1 steps for each half"),
    ],
)
def test_hints_name_the_mistake_that_was_made(name, said):
    assert said in find("11.ring").judge(program(RINGS[name][2])).text


def test_there_are_forty_wrong_rings():
    assert sum(not right for right, *_ in RINGS.values()) >= 40


# The simulated devices


def run(text: str, devices: int, elements: int = 52_000):
    arrays = [
        np.random.default_rng(rank).standard_normal(elements).astype(np.float32)
        for rank in range(devices)
    ]
    return on_devices(program(text), arrays), sum(
        array.astype(np.float64) for array in map(np.copy, arrays)
    )


@pytest.mark.parametrize("devices", [2, 3, 4, 8])
def test_bytes_of_a_ring_and_of_the_naive_way(devices):
    size = 4 * 840 * devices
    ring, naive = (run(text, devices, size // 4)[0] for text in (RING, NAIVE))
    assert set(ring.bytes().values()) == {2 * (devices - 1) * size // devices} and len(
        ring.bytes()
    ) == max(2, devices)
    assert (
        ring.busiest() == 2 * (devices - 1) * size // devices
        and naive.busiest() == (devices - 1) * size
    )
    assert ring.seconds() < naive.seconds() or devices < 3
    assert all(array.tobytes() == ring.arrays[0].tobytes() for array in ring.arrays)


def test_a_deadlock_names_the_circle_and_the_lines():
    with pytest.raises(
        DeadlockError, match="device 2 waits for a message from device 1\n  4 . part = yield"
    ) as found:
        run(RINGS["receives first"][2], 3)
    assert found.value.devices == (0, 2, 1) and found.value.line == 4


def test_an_early_read_and_a_message_nobody_takes_name_device_and_line():
    with pytest.raises(EarlyReadError, match="device 0 uses the message from device 2") as early:
        run(RINGS["no yield in the first half"][2], 3)
    assert early.value.devices == (0,)
    with pytest.raises(
        UntakenError, match=r"device 0 sent a message that device 1 never received \(3 messages"
    ) as left:
        run(RINGS["a last message"][2], 3)
    assert left.value.devices == (0, 1) and left.value.line == 11


def test_a_program_without_end_is_stopped():
    with pytest.raises(DeviceError, match="the program does not end"):
        run(
            "def ring(device, data):\n    while True:\n        device.send(device.right, data[:1])\n    yield\n",
            2,
            4,
        )
