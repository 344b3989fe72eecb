"""Questions on lesson 11: what can be shared out, gradients of parts, bytes of an all-reduce, when a GPU pays."""

from __future__ import annotations

from random import Random

import numpy as np

from nnlib.support.devices import DeadlockError, on_devices, ring, through_device_0
from nnlib.teaching.exam.question import Item, question


@question("11.amdahl", 5)
def amdahl(rng: Random) -> Item:
    """How much faster a step gets, and how much faster it can get."""
    serial, gpus = rng.choice([0.05, 0.1, 0.2, 0.25]), rng.choice([4, 8, 16])
    times = round(1 / (serial + (1 - serial) / gpus), 2)

    def run() -> tuple:
        step = [serial] + gpus * [
            (1 - serial) / gpus
        ]  # what stays, and what each GPU has of the rest
        return round(sum(step) / (step[0] + max(step[1:])), 2), round(1 / step[0])

    return Item(
        f"Of a training step, {serial:.0%} of the time cannot be shared out. How many times as fast is the "
        f"step on {gpus} GPUs, if nothing is added? Which number can it never reach, with any number of GPUs?",
        [
            f"1 / ({serial:g} + {1 - serial:g} / {gpus}) = {times:g}",
            f"1 / {serial:g} = {round(1 / serial)}",
        ],
        (times, round(1 / serial)),
        run,
    )


@question("11.parts", 5)
def parts(rng: Random) -> Item:
    """The gradient of a batch from the gradients of unequal parts."""
    counts = rng.choice([(3, 1), (6, 2), (5, 5, 2), (4, 4, 2)])
    gradients = [rng.randrange(1, 9) * sum(counts) for _ in counts]
    whole = sum(gradient * count for gradient, count in zip(gradients, counts, strict=True)) // sum(
        counts
    )

    def run() -> tuple:
        return (round(float(np.average(gradients, weights=counts))),)

    words = " and ".join(
        f"{count} examples with {one}" for count, one in zip(counts, gradients, strict=True)
    )
    return Item(
        f"Ranks share a batch. Each computes the mean gradient of its part for one weight: {words}. What is "
        "the gradient of the mean loss of the whole batch? What does the mean of these numbers give "
        "instead, and "
        "for which batches of a training does nobody notice?",
        [
            f"weighted by the numbers of examples: {whole}",
            f"{sum(gradients) / len(gradients):g}",
            "those with parts of equal size: often all but the last of an epoch",
        ],
        (whole,),
        run,
    )


@question("11.bytes", 6)
def sent(rng: Random) -> Item:
    """Bytes that a device receives, through device 0 and in a ring."""
    devices, kilobytes = rng.choice([(4, 100), (5, 200), (8, 400), (10, 250)])
    naive, per_ring = (devices - 1) * kilobytes, 2 * (devices - 1) * kilobytes // devices

    def run() -> tuple:
        return tuple(
            on_devices(
                program,
                [np.zeros(250 * kilobytes, np.float32) for _ in range(devices)],
                lambda grid, block, args: None,
            ).busiest()
            // 1000
            for program in (through_device_0, ring)
        )

    return Item(
        f"{devices} devices hold {kilobytes} KB of gradients each. How many KB does device 0 receive if all "
        "others send it their gradients? How many does each device receive in a ring all-reduce, and in how "
        "many steps?",
        [
            f"{devices - 1} · {kilobytes} = {naive} KB",
            f"2 · {devices - 1} / {devices} · {kilobytes} = {per_ring} KB",
            f"2 · {devices - 1} = {2 * (devices - 1)} steps",
        ],
        (naive, per_ring),
        run,
    )


@question("11.pays", 5)
def pays(rng: Random) -> Item:
    """Whether a second GPU pays, from latency and bandwidth."""
    megabytes, step = rng.choice(
        [(1, 60), (1, 4000), (80, 400), (80, 4000), (300, 6000), (300, 1500)]
    )
    reduce = 6 + megabytes * 1e6 / 300e3
    faster = "faster" if step / 2 + reduce < step else "slower"

    def run() -> tuple:
        moments = np.array([step, step / 2 + reduce])
        return ("faster" if moments.argmin() else "slower",)

    return Item(
        f"A step takes {step:,} µs on one GPU, all of it arithmetic on the examples of a batch. The network "
        f"has {megabytes} MB of gradients. An all-reduce between two GPUs takes 6 µs, and its bytes go at "
        "300 GB/s on top. How long does the all-reduce take? How long is the step on two GPUs, and "
        "does the second pay?",
        [
            f"6 + {megabytes * 1e6 / 300e3:.1f} = {reduce:.1f} µs",
            f"{step / 2:g} + {reduce:.1f} = {step / 2 + reduce:.1f} µs",
            f"{faster} than on one GPU",
        ],
        (faster,),
        run,
    )


@question("11.order", 5)
def order(rng: Random) -> Item:
    """Who waits for whom in three programs around a ring."""
    devices = rng.randrange(3, 9)

    def waiting(first: int) -> int:
        """How many devices wait forever if those below `first` send first and the others receive first."""

        def program(device, data):  # type: ignore[no-untyped-def]
            if device.rank < first:
                device.send(device.right, data)
            part = yield device.recv(device.left)
            if device.rank >= first:
                device.send(device.right, data)
            data[:] = part

        try:
            on_devices(program, [np.zeros(1, np.float32) for _ in range(devices)])
        except DeadlockError as error:
            return len(error.devices)
        return 0

    return Item(
        f"{devices} devices pass an array around a ring. In program A all of them receive from the left and "
        "then send to the right. In program B they send first. In program C only device 0 sends first. A send "
        "does not wait. How many devices wait forever in A, in B and in C? Which of the programs that end "
        "takes the longest, and why?",
        [
            f"A: {devices}, for each waits for its left neighbour",
            "B and C: 0, since the first message is sent before anybody waits",
            "C: the devices send one after the other, in B all at once",
        ],
        (devices, 0, 0),
        lambda: (waiting(0), waiting(devices), waiting(1)),
    )


@question("11.memory", 5)
def memory(rng: Random) -> Item:
    """What Adam keeps on every GPU, and what it keeps where ranks share it."""
    billions, gpus = rng.choice([1, 2, 4, 7]), rng.choice([4, 8, 16])

    def run() -> tuple:
        per_weight = sum(np.zeros(1, np.float32).nbytes for _ in ("weight", "gradient", "m", "v"))
        return per_weight * billions, per_weight * billions / gpus

    return Item(
        f"A network has {billions} billion weights and is trained with Adam, in floats. How many GB do "
        f"weights, gradients and Adam's two means take on each of {gpus} GPUs in data parallel training? And "
        "how many if each GPU keeps its share of all four? What must be sent before the next forward pass "
        "then?",
        [
            f"4 arrays of 4 bytes each: {16 * billions} GB",
            f"{16 * billions} / {gpus} = {16 * billions / gpus:g} GB",
            "the weights: an all-gather, the second half of a ring all-reduce",
        ],
        (16 * billions, 16 * billions / gpus),
        run,
    )
