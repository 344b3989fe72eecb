"""Blocks dealt out to multiprocessors: which one runs where, and how many are there at once. Lessons 01 and 02."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nnlib.course.pictures.costs import latencies, recorded_seconds
from nnlib.course.pictures.style import BLACK, BLUE, GREY, ORANGE, PALE, SKY, Picture, figure
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper
from nnlib.course.timing import recorded
from nnlib.cuda import GPUS

H200 = GPUS["H200"]
SHOWN = 1200  # clock cycles of a multiprocessor in the picture


@dataclass(frozen=True)
class Stay:
    """A block in a slot of a multiprocessor, from start to end."""

    block: int
    slot: int
    start: float
    end: float


def dealt(lengths: Sequence[float], slots: int, interval: float = 0) -> list[Stay]:
    """Deal out blocks in order, each into the first slot that is free; `interval` lies between two of them at least.

    >>> [(stay.slot, stay.start) for stay in dealt([3, 1, 1], slots=2)]
    [(0, 0), (1, 0), (1, 1)]
    """
    free, stays = [0.0] * slots, []
    for block, length in enumerate(lengths):
        ready = block * interval
        slot = next(
            (k for k in range(slots) if free[k] <= ready), min(range(slots), key=free.__getitem__)
        )
        start = max(ready, free[slot])
        free[slot] = start + length
        stays.append(Stay(block, slot, start, free[slot]))
    return stays


def dealing_stepper() -> Stepper:
    """Show how blocks wait in a row; whenever a multiprocessor has room for one, it gets the next.

    >>> dealing_stepper().pictures[2,].alt
    'Block 2 has finished, so block 6 takes its slot. 3 blocks are waiting.'
    """
    multiprocessors, room = 3, 2  # blocks that each of them holds at once
    stays = dealt((3, 5, 2, 4, 3, 4, 2, 3, 3, 2), multiprocessors * room)
    moments = sorted({stay.start for stay in stays} | {max(stay.end for stay in stays)})

    def draw(now: float) -> Drawing:
        drawing = Drawing(90 + 56 * len(stays), 190)
        drawing.text(4, 32, "grid", 13, anchor="start")
        for stay in stays:
            box = 70 + 56 * stay.block, 12, 48, 30
            fill, ink = (ORANGE, BLACK) if stay.start > now else (PALE, GREY)
            drawing.cell(box, fill, stay.block, 13, ink=ink, stroke=GREY)
        for k in range(multiprocessors):
            x = 70 + 190 * k
            drawing.cell((x, 76, 172, 100), "none", f"multiprocessor {k}", 13, stroke=GREY, down=20)
            for place in range(room):
                left, slot = x + 10 + 78 * place, k + place * multiprocessors
                drawing.rect(left, 110, 74, 52, PALE, GREY)
                for stay in stays:
                    if stay.slot == slot and stay.start <= now < stay.end:
                        box = left, 110, 74, 52
                        drawing.cell(box, BLUE, f"block {stay.block}", ink="white", stroke=GREY)
        return drawing

    def say(now: float) -> str:
        new = [stay.block for stay in stays if stay.start == now]
        waiting = sum(stay.start > now for stay in stays)
        rest = f"{waiting or 'No'} block{'s are' if waiting != 1 else ' is'} waiting."
        if now == 0:
            return f"Each of {multiprocessors} multiprocessors has room for {room} blocks, so {len(new)} start. {rest}"
        if not new:
            return f"All {len(stays)} blocks have finished. The kernel ends with the last of them."
        gone = [
            next(stay.block for stay in stays if stay.end == now and stay.slot == slot)
            for slot in (stay.slot for stay in stays if stay.start == now)
        ]
        if len(new) == 1:
            return f"Block {gone[0]} has finished, so block {new[0]} takes its slot. {rest}"
        return f"Blocks {_listed(gone)} have finished, so blocks {_listed(new)} take their slots. {rest}"

    return Stepper.over([(now,) for now in moments], draw, say, still=1)


def _listed(numbers: Sequence[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def blocks_dealt() -> Picture:
    """Draw the warps of one multiprocessor while blocks of `add` are dealt out to it: small blocks never fill it.

    Recorded are the time between two blocks of a size, and the latency of DRAM, which a block of `add` waits for once.
    """
    stay = latencies()["DRAM"]
    warps, wide, high = H200.warps, 300, 4
    drawing, said = Drawing(60 + (wide + 60) * 2, 70 + high * warps), []
    for panel, size in enumerate((33, 256)):
        x0, each, cycles = 50 + (wide + 60) * panel, -(-size // 32), cycles_between_blocks(size)
        drawing.text(x0 + wide / 2, 18, f"blocks of {size} threads ({each} warps each)", 13)
        drawing.rect(x0, 30, wide, high * warps, PALE)
        drawing.text(x0 - 6, 18, "warps", 11, GREY, "end")
        for warp in (0, warps // 2, warps):
            drawing.text(x0 - 6, 34 + high * (warps - warp), warp, 11, GREY, "end")
        stays = dealt([stay] * int(1 + SHOWN / cycles), warps // each, cycles)
        for one in stays:
            x, width = wide * one.start / SHOWN, wide * (min(one.end, SHOWN) - one.start) / SHOWN
            drawing.rect(
                x0 + x,
                30 + high * (warps - each * (one.slot + 1)),
                width,
                high * each - 1,
                (BLUE, SKY)[one.block % 2],
            )
        for cycle in range(0, SHOWN + 1, 400):
            drawing.text(x0 + wide * cycle / SHOWN, 46 + high * warps, cycle, 11, GREY)
        most = each * (1 + max(one.slot for one in stays))
        said.append(
            f"blocks of {size} threads, one every {cycles:.0f} cycles, fill {most} of {warps} warp slots"
        )
    drawing.text(drawing.width / 2, 64 + high * warps, "clock cycles", 12, GREY)
    alt = f"A model: if one multiprocessor of an H200 keeps each block for {stay:.0f} cycles, {'; '.join(said)}."
    return figure(drawing, alt=alt, caption=alt)


def cycles_between_blocks(size: int) -> float:
    """Return the clock cycles from one block of `add` to the next on one multiprocessor, as recorded."""
    seconds, patterns = recorded_seconds("additions", "blocks")[str(size)], recorded("patterns")
    blocks = patterns["additions"]["elements"] / size
    return float(H200.multiprocessors * patterns["latencies"]["clock_hz"] * seconds / blocks)
