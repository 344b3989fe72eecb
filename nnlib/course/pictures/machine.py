"""Drawings of the machine: chip, host and device, the levels of memory, multiprocessors at work. Lessons 01 and 08."""

from __future__ import annotations

import numpy as np

from nnlib.course.pictures.costs import latencies
from nnlib.course.pictures.style import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    SKY,
    YELLOW,
    Picture,
    figure,
)
from nnlib.course.pictures.svg import Drawing, tinted
from nnlib.course.pictures.widgets import Stepper


def cpu_and_gpu() -> Picture:
    """Draw what a chip spends its area on: a CPU on control for few cores, a GPU on many simple ones."""
    chip = Drawing(720, 230)
    for x, name in ((10, "CPU: few cores, each fast"), (380, "GPU: many cores, each simple")):
        chip.text(x + 165, 18, name, 15)
    for k in range(4):
        x, y = 10 + 168 * (k % 2), 30 + 78 * (k // 2)
        chip.rect(x, y, 160, 70, PALE, GREY)
        chip.cell((x + 4, y + 4, 90, 62), ORANGE, "control", 13)
        chip.cell((x + 98, y + 4, 58, 62), BLUE, "compute", 12, ink="white")
    for row in range(8):
        chip.rect(380, 30 + 19 * row, 14, 16, ORANGE)
        for k in range(20):
            chip.rect(398 + 16 * k, 30 + 19 * row, 14, 16, BLUE)
    for x, width in ((10, 328), (380, 336)):
        chip.cell((x, 190, width, 30), GREEN, "memory", 13)
    return figure(
        chip,
        alt="A CPU with 4 large cores, mostly control; a GPU with 160 small compute units and "
        "little control.",
    )


def host_and_device() -> Picture:
    """Draw the three steps of a launch: copy the input to the device, run the kernel there, copy the result back."""
    path = Drawing(720, 150)
    for x, name, memory, color in (
        (10, "host (CPU)", "main memory", SKY),
        (470, "device (GPU)", "global memory", BLUE),
    ):
        path.cell((x, 10, 240, 130), "white", name, 15, stroke=GREY, down=22)
        path.cell(
            (x + 20, 90, 200, 36), color, memory, 14, ink="white" if color == BLUE else "black"
        )
    path.cell((490, 44, 200, 34), ORANGE, "2. kernel runs", 14)
    for y, words, tip in ((98, "1. copy input", 462), (120, "3. copy result", 258)):
        path.arrow(720 - tip, y, tip, y, GREY)
        path.text(360, y - 4, words, 12)
    return figure(
        path,
        alt="Host and device, each with its own memory: 1 copy the input, 2 run the kernel, "
        "3 copy the result.",
    )


# What an H200 has: NVIDIA's H200 data sheet and CUDA programming guide.
LEVELS = (
    ("registers", "one thread", "256 kB per multiprocessor"),
    ("shared memory", "one block", "up to 227 kB of the L1 cache"),
    ("L1 cache", "its multiprocessor", "256 kB per multiprocessor"),
    ("L2 cache", "all blocks", "50 MB"),
    ("global memory (DRAM)", "all blocks", "141 GB"),
    ("host memory", "by copies", "hundreds of GB"),
)
MEANINGS = (
    "A variable such as int i lives in a register of its thread.",
    "Threads of one block share what a kernel declares __shared__ (lesson 03).",
    "A cache keeps what was used recently, in case it is needed again. L1 is that of a multiprocessor.",
    "What L1 does not have is looked up in L2, the cache of the whole GPU.",
    "What a kernel reaches through its pointers is global memory, stored in DRAM, the chips beside the processor.",
    "The CPU's own memory. A kernel sees it only after a copy.",
)


def memory_levels() -> Stepper:
    """Show the levels of memory of an H200 one after the other: which threads see it, its size, its latency."""
    answers = *(f"{cycles:.0f} cycles" for cycles in latencies().values()), "microseconds"
    levels = [(*level, answer) for level, answer in zip(LEVELS, answers, strict=True)]
    said = [f"{name}: {who}, {size}, {latency}." for name, who, size, latency in levels]
    last = f"Memory of an H200, from fast to slow. {' '.join(f'{name}: {latency}.' for name, _, _, latency in levels)}"
    captions = [f"{words} {meaning}" for words, meaning in zip(said, MEANINGS, strict=True)]
    return Stepper(
        [
            (_levels(levels, shown), caption if shown < len(levels) else f"{last} {MEANINGS[-1]}")
            for shown, caption in enumerate(captions, 1)
        ],
        "level",
    )


def _levels(levels: list[tuple[str, str, str, str]], shown: int) -> Drawing:
    """Draw the first levels, and outlines of the others."""
    drawing = Drawing(820, 40 + 48 * len(levels))
    for x, heading in (
        (170, "memory"),
        (390, "seen by"),
        (555, "size (H200)"),
        (735, "until it answers"),
    ):
        drawing.text(x, 20, heading, 13, GREY)
    for row, (name, *columns) in enumerate(levels):
        y, inset = 32 + 48 * row, 90 - 18 * row
        known = row < shown
        drawing.rect(
            10 + inset,
            y,
            320 - 2 * inset,
            40,
            (ORANGE, YELLOW, SKY, GREEN, BLUE, PALE)[row] if known else "none",
            GREY,
        )
        if known:
            drawing.text(170, y + 25, name, 12.5, "white" if row == 4 else "black")
            for x, words in zip((390, 555, 735), columns, strict=True):
                drawing.text(x, y + 25, words, 13)
    return drawing


def multiprocessors(blocks: int) -> Picture:
    """Draw the multiprocessors of an H200, and how many of them a grid of so few blocks keeps at work.

    >>> multiprocessors(3).alt
    '3 blocks: 3 of 132 multiprocessors have work, 129 have none.'
    """
    total, cell = 132, 30
    busy = min(blocks, total)
    chip = Drawing(22 * cell + 20, total // 22 * cell + 40)
    chip.text(11 * cell + 10, 16, f"{total} multiprocessors, {blocks} blocks", 13, GREY)
    colours = np.where(np.arange(total) < busy, BLUE, PALE).reshape(-1, 22)
    chip.grid((10, 26), colours, cell, gap=4, stroke=tinted(colours.shape, GREY))
    return figure(
        chip,
        alt=f"{blocks} blocks: {busy} of {total} multiprocessors have work, "
        f"{total - busy} have none.",
    )
