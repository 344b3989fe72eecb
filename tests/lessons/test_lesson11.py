"""Lesson 11: right programs for several devices are accepted, and every wrong ring is told what is wrong with it."""

import linecache

import numpy as np
import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel
from nnlib.support import devices
from nnlib.support.devices import (
    DeadlockError,
    DeviceError,
    EarlyReadError,
    UntakenError,
    on_devices,
)

from .conftest import prove

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
FIRST, SECOND = RING.split(
    "    for step in range(n - 1):\n        device.send(device.right, chunks[(me - step + 1)"
)
SECOND = (
    "    for step in range(n - 1):\n        device.send(device.right, chunks[(me - step + 1)"
    + SECOND
)


def program(text: str):
    namespace: dict = {"np": np}
    linecache.cache["<answer>"] = len(text), None, text.splitlines(keepends=True), "<answer>"
    exec(compile(text, "<answer>", "exec"), namespace)
    return next(value for name, value in namespace.items() if name in ("ring", "naive"))


def edited(*pairs: tuple[str, str], text: str = RING) -> str:
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


SEND, RECV, ADD = (
    "chunks[(me - step) % n])",
    "part = yield device.recv(device.left)",
    "chunks[(me - step - 1) % n], part",
)
SEND2, RECV2, COPY = (
    "chunks[(me - step + 1) % n])",
    "other = yield device.recv(device.left)",
    "chunks[(me - step) % n][:]",
)
LEFTWARDS = (
    RING.replace("device.right", "device.RIGHT")
    .replace("device.left", "device.right")
    .replace("device.RIGHT", "device.left")
    .replace("me - step - 1", "me + step + 1")
    .replace("me - step + 1", "me + step - 1")
    .replace("me - step)", "me + step)")
)
RIGHT = {
    "as in the lesson": RING,
    "the other way round": LEFTWARDS,
    "asks before it sends": edited(
        (
            f"        device.send(device.right, {SEND}\n        {RECV}\n",
            f"        wanted = device.recv(device.left)\n        device.send(device.right, {SEND}\n"
            "        part = yield wanted\n",
        )
    ),
    "adds by itself": edited((f"device.add({ADD})", "chunks[(me - step - 1) % n][:] += part")),
    "neighbours by hand": RING.replace("device.right", "(me + 1) % n").replace(
        "device.left", "(me - 1) % n"
    ),
}
WRONG = {
    # deadlocks
    "receives first": (
        edited(
            (
                f"        device.send(device.right, {SEND}\n        {RECV}",
                f"        {RECV}\n        device.send(device.right, {SEND}",
            )
        ),
        "a circle, 0 → 1 → 0",
    ),
    "receives first in the second half": (
        edited(
            (
                f"        device.send(device.right, {SEND2}\n        {RECV2}",
                f"        {RECV2}\n        device.send(device.right, {SEND2}",
            )
        ),
        "a circle",
    ),
    "receives from the right": (
        RING.replace("recv(device.left)", "recv(device.right)"),
        "3 devices",
    ),
    "sends to the left": (RING.replace("send(device.right", "send(device.left"), "a circle"),
    "device 0 sends nothing": (
        edited(
            (
                "        device.send(device.right, " + SEND,
                "        if me:\n            device.send(device.right, " + SEND,
            )
        ),
        "waits for a message",
    ),
    "waits for device 0": (RING.replace("recv(device.left)", "recv(0)"), "receives from device 0"),
    "one receives too often": (
        RING + "    if me == 0:\n        yield device.recv(device.left)\n",
        "has finished and sends nothing more",
    ),
    "a step more for odd ranks": (
        edited(("for step in range(n - 1)", "for step in range(n - 1 + me % 2)")),
        "device",
    ),
    "a step less in the sends": (
        edited(
            (
                "        device.send(device.right, " + SEND,
                "        if step < n - 2:\n            device.send(device.right, " + SEND,
            )
        ),
        "waits for a message",
    ),
    "waits twice": (
        edited((RECV, RECV + "\n        part = yield device.recv(device.left)")),
        "waits for a message",
    ),
    # early reads
    "no yield in the first half": (
        RING.replace(RECV, "part = device.recv(device.left)"),
        "part = yield device.recv(…)",
    ),
    "no yield in the second half": (
        RING.replace(RECV2, "other = device.recv(device.left)"),
        "before it was received",
    ),
    "no yield at all": (RING.replace("yield ", ""), "before it was received"),
    "sends what it waits for": (
        edited(
            (
                f"device.send(device.right, {SEND2}",
                "device.send(device.right, device.recv(device.left))",
            )
        ),
        "before it was received",
    ),
    "computes with the request": (
        RING.replace(RECV, "part = device.recv(device.left)").replace(
            f"device.add({ADD})", "chunks[(me - step - 1) % n][:] += part"
        ),
        "EarlyReadError",
    ),
    # messages nobody takes
    "sends twice": (
        edited(
            (
                "        device.send(device.right, " + SEND,
                2 * ("        device.send(device.right, " + SEND + "\n"),
            )
        ),
        "device",
    ),
    "a last message": (RING + "    device.send(device.right, data)\n", "never received"),
    "never waits in the second half": (
        RING.replace(RECV2, "device.recv(device.left)").replace(
            "        chunks[(me - step) % n][:] = other\n", ""
        ),
        "it asked for it, but never waited",
    ),
    "sends to both sides": (
        edited(
            (
                "        device.send(device.right, " + SEND,
                "        device.send(device.left, chunks[0])\n        device.send(device.right, "
                + SEND,
            )
        ),
        "device",
    ),
    # neighbours
    "no wrap to the right": (RING.replace("device.right", "me + 1"), "ranks wrap around"),
    "no wrap to the left": (RING.replace("device.left", "me - 1"), "ranks wrap around"),
    "sends to itself": (RING.replace("device.right", "me"), "but its others are"),
    # off by one
    "starts with the next chunk": (edited((SEND, "chunks[(me - step + 1) % n])")), "chunk"),
    "adds to the chunk it sent": (edited((ADD, "chunks[(me - step) % n], part")), "chunk"),
    "adds two behind": (edited((ADD, "chunks[(me - step - 2) % n], part")), "chunk"),
    "walks upwards": (edited((SEND, "chunks[(me + step) % n])")), "chunk"),
    "second half starts at its own": (edited((SEND2, "chunks[(me - step) % n])")), "chunk"),
    "copies over the finished chunk": (edited((COPY, "chunks[(me - step + 1) % n][:]")), "Chunk"),
    "copies one behind": (edited((COPY, "chunks[(me - step - 1) % n][:]")), "chunk"),
    "always its own chunk": (edited((SEND, "chunks[me])")), "chunk"),
    "always the same chunk": (edited((SEND, "chunks[0])")), "chunk"),
    "one step too few": (
        edited(("for step in range(n - 1)", "for step in range(n - 2)")),
        "misses those of device",
    ),
    "one step too many": (edited(("for step in range(n - 1)", "for step in range(n)")), "chunk"),
    "second half too short": (
        FIRST + SECOND.replace("range(n - 1)", "range(n - 2)"),
        "misses those of device",
    ),
    "second half too long": (FIRST + SECOND.replace("range(n - 1)", "range(n)"), "bytes"),
    # double and missing sums
    "adds in the second half": (
        edited(
            ("chunks[(me - step) % n][:] = other", "device.add(chunks[(me - step) % n], other)")
        ),
        "copied, not added",
    ),
    "copies in the first half": (
        edited((f"device.add({ADD})", "chunks[(me - step - 1) % n][:] = part")),
        "misses those of",
    ),
    "only the first half": (FIRST, "misses those of device"),
    "only the second half": (
        RING.splitlines()[0] + "\n" + RING.splitlines()[1] + "\n" + SECOND,
        "misses those of device",
    ),
    "adds to a copy": (
        RING.replace("device.split(data)", "[chunk.copy() for chunk in device.split(data)]"),
        "nothing was added to it",
    ),
    "binds instead of copying": (
        edited(("chunks[(me - step) % n][:] = other", "chunks[(me - step) % n] = other")),
        "misses those of device",
    ),
    "adds its own twice": (
        edited(("    for step", "    device.add(chunks[me], chunks[me])\n    for step")),
        "more than once",
    ),
    "keeps only a mean": (RING + "    data /= n\n", "other elements"),
    # chunks of sizes that n does not divide
    "equal chunks, the rest is lost": (
        RING.replace(
            "device.split(data)",
            "[data[k * (len(data) // device.size):"
            "(k + 1) * (len(data) // device.size)] for k in range(device.size)]",
        ),
        "4 devices, 10 elements",
    ),
    "chunks of three": (
        RING.replace("device.split(data)", "[data[3 * k:3 * k + 3] for k in range(device.size)]"),
        "elements are wrong",
    ),
    "wrong chunks added": (
        RING.replace(
            "device.split(data)",
            "[data[k::device.size] for k in range(device.size)][::-1 if device.rank % 2 else 1]",
        ),
        "device",
    ),
    # too many bytes
    "everything through device 0": (NAIVE.replace("naive", "ring"), "a ring needs"),
    "all data in every step": (
        "def ring(device, data):\n    passed = data.copy()\n    for step in range(device.size - 1):\n"
        "        device.send(device.right, passed)\n        passed = yield device.recv(device.left)\n"
        "        device.add(data, passed)\n",
        "a ring needs",
    ),
    "everybody with everybody": (
        "def ring(device, data):\n    chunks = device.split(data)\n"
        "    others = [k for k in range(device.size) if k != device.rank]\n"
        "    for k in others:\n        device.send(k, chunks[k])\n"
        "    for k in others:\n        part = yield device.recv(k)\n"
        "        device.add(chunks[device.rank], part)\n"
        "    for k in others:\n        device.send(k, chunks[device.rank])\n"
        "    for k in others:\n        chunks[k][:] = yield device.recv(k)\n",
        "not its neighbour",
    ),
    # no answers
    "not written": (
        "def ring(device, data):\n    raise NotImplementedError\n    yield\n",
        "not written yet",
    ),
    "yields something else": (
        RING.replace(RECV, "part = yield device.left"),
        "yield what recv returns",
    ),
    "a Python mistake": (
        RING.replace("chunks[(me - step - 1) % n], part", "chunk[(me - step - 1) % n], part"),
        "NameError",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_rings_are_accepted(name):
    verdict = find("11.ring").judge(program(RIGHT[name]))
    assert verdict.solved, verdict.text


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rings_are_told_why(name):
    text, said = WRONG[name]
    verdict = find("11.ring").judge(program(text))
    assert not verdict.solved
    assert said in verdict.text, verdict.text


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
    assert said in find("11.ring").judge(program(WRONG[name][0])).text


def test_there_are_forty_wrong_rings():
    assert len(WRONG) >= 40


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
        run(WRONG["receives first"][0], 3)
    assert found.value.devices == (0, 2, 1) and found.value.line == 4


def test_an_early_read_and_a_message_nobody_takes_name_device_and_line():
    with pytest.raises(EarlyReadError, match="device 0 uses the message from device 2") as early:
        run(WRONG["no yield in the first half"][0], 3)
    assert early.value.devices == (0,)
    with pytest.raises(
        UntakenError, match=r"device 0 sent a message that device 1 never received \(3 messages"
    ) as left:
        run(WRONG["a last message"][0], 3)
    assert left.value.devices == (0, 1) and left.value.line == 11


def test_a_program_without_end_is_stopped():
    with pytest.raises(DeviceError, match="the program does not end"):
        run(
            "def ring(device, data):\n    while True:\n        device.send(device.right, data[:1])\n    yield\n",
            2,
            4,
        )


# The other exercises

SIGNATURE = 'extern "C" __global__ void add(float* mine, const float* theirs, int n)'
KERNEL = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) mine[i] += theirs[i];"


def test_right_kernels_are_accepted():
    for body in (KERNEL, KERNEL.replace("+= theirs[i]", "= mine[i] + theirs[i]")):
        verdict = find("11.add").judge(RawKernel(f"{SIGNATURE} {{ {body} }}", "add"))
        assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("+=", "=", "theirs alone"),
        ("if (i < n) ", "", "if (i < n)"),
        ("+= theirs[i]", "-= theirs[i]", "mine - theirs"),
        ("+= theirs[i]", "+= mine[i]", "mine is added to itself"),
        ("mine[i] +=", "float sum = mine[i] +", "mine alone"),
        ("blockIdx.x * blockDim.x + ", "", "11.add"),
    ],
)
def test_wrong_kernels_are_told_why(old, new, said):
    verdict = find("11.add").judge(
        RawKernel(f"{SIGNATURE} {{ {KERNEL.replace(old, new)} }}", "add")
    )
    assert not verdict.solved and said in verdict.text, verdict.text


@pytest.mark.parametrize(
    "answer",
    [
        lambda gradients, counts: (
            sum(n * g for g, n in zip(gradients, counts, strict=True)) / sum(counts)
        ),
        lambda gradients, counts: np.average(gradients, axis=0, weights=counts),
    ],
)
def test_right_functions_are_accepted(answer):
    verdict = find("11.whole_gradient").judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    "answer, said",
    [
        (lambda g, n: np.mean(g, axis=0), "as if all ranks had equally many"),
        (lambda g, n: np.sum(g, axis=0), "each is a mean"),
        (lambda g, n: sum(a * b for a, b in zip(g, n, strict=True)), "divide by the number of all"),
        (lambda g, n: sum(a * b for a, b in zip(g, n, strict=True)) / len(n), "not of examples"),
        (lambda g, n: sum(a * b for a, b in zip(g, n, strict=True)) / max(n), "largest part"),
        (lambda g, n: g[0], "11.whole_gradient"),
    ],
)
def test_wrong_functions_are_told_why(answer, said):
    verdict = find("11.whole_gradient").judge(answer)
    assert not verdict.solved and said in verdict.text, verdict.text


def test_every_exercise_is_proved():
    prove("11")
