"""Several devices: chunks that go round a ring, and messages over time. Lesson 11."""

from __future__ import annotations

from collections.abc import Mapping

from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    SKY,
    Picture,
    figure,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper
from nnlib.support.devices import DeviceRun

_CHUNKS = (BLUE, ORANGE, GREEN, SKY)


def ring_stepper(devices: int = 4) -> Stepper:
    """Show an all-reduce in a ring, step by step: whose numbers each chunk of each device holds.

    >>> ring_stepper(3).pictures[2,].alt
    'Step 1 of 4: every device sends one chunk to the right, where it is added. 0 of 9 chunks are finished.'
    """
    held = [[{rank} for _ in range(devices)] for rank in range(devices)]
    steps = 2 * (devices - 1)
    frames = [
        (
            _ring(held, {}),
            f"Before: each of {devices} devices holds its own numbers, in {devices} chunks.",
        )
    ]
    for step in range(steps):
        first = step < devices - 1
        sent = {rank: (rank - step) % devices for rank in range(devices)}
        before = [[set(chunk) for chunk in column] for column in held]
        for rank, chunk in sent.items():
            held[(rank + 1) % devices][chunk] |= before[rank][chunk]
        done = sum(len(chunk) == devices for column in held for chunk in column)
        does = "it is added" if first else "it replaces what was there"
        frames.append(
            (
                _ring(held, sent),
                (
                    f"Step {step + 1} of {steps}: every device sends one chunk to the right, "
                    f"where {does}. {done} of {devices * devices} chunks are finished."
                ),
            )
        )
    return Stepper(frames, still=0)


def _ring(held: list[list[set[int]]], sent: Mapping[int, int]) -> Drawing:
    devices, width = len(held), 150
    drawing = Drawing(100 + width * devices, 64 + 44 * devices)
    for chunk in range(devices):
        drawing.text(10, 56 + 44 * chunk, f"chunk {chunk}", 12, GREY, "start")
    for rank, column in enumerate(held):
        left = 75 + width * rank
        drawing.text(left + 55, 20, f"device {rank}", 13)
        for chunk, ranks in enumerate(column):
            y, whole = 34 + 44 * chunk, len(ranks) == devices
            arrived = sent.get((rank - 1) % devices) == chunk
            drawing.cell(
                (left, y, 110, 34),
                BLUE if whole else PALE,
                "+".join(map(str, sorted(ranks))),
                13,
                ink="white" if whole else BLACK,
                stroke=ORANGE if arrived else GREY,
                stroke_width=3 if arrived else 1,
            )
        if rank in sent:
            y = 51 + 44 * sent[rank]
            drawing.arrow(left + 112, y, left + width - 4, y, ORANGE)
    drawing.text(
        10,
        54 + 44 * devices,
        "A cell lists the devices whose numbers are in its sum. The last arrow leads "
        "back to device 0.",
        12,
        GREY,
        "start",
    )
    return drawing


def transfers(runs: Mapping[str, DeviceRun]) -> Picture:
    """Draw what every device sends over time: one row per device, one box per message.

    >>> from nnlib.support.devices import ring, on_devices
    >>> import numpy as np
    >>> transfers({"ring": on_devices(ring, [np.zeros(0, np.float32) for _ in range(2)])}).alt
    'ring: 4 messages between 2 devices in 4.0 µs.'
    """
    rows = sum(len(run.arrays) + 1 for run in runs.values())
    end = max(run.seconds() for run in runs.values())
    drawing, scale, y = Drawing(760, 30 + 30 * rows), 620 / end, 8
    for name, run in runs.items():
        drawing.text(4, y + 20, f"{name}: {1e6 * run.seconds():.1f} µs", 13, anchor="start")
        y += 30
        for message in run.messages:
            left, width = 110 + message.start * scale, (message.end - message.start) * scale
            top = y + 30 * message.source
            drawing.rect(left, top, width, 26, _CHUNKS[message.target % 4], "white")
            if width > 40:
                drawing.text(
                    left + width / 2, top + 18, f"to {message.target}", 12, _ink(message.target)
                )
        for rank in range(len(run.arrays)):
            drawing.text(100, y + 18 + 30 * rank, f"device {rank} sends", 12, GREY, "end")
        y += 30 * len(run.arrays)
    said = " ".join(
        f"{name}: {len(run.messages)} messages between {len(run.arrays)} devices in "
        f"{1e6 * run.seconds():.1f} µs."
        for name, run in runs.items()
    )
    return figure(drawing, alt=said)


def _ink(colour: int) -> str:
    return "white" if _CHUNKS[colour % 4] == BLUE else BLACK
