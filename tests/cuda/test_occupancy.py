"""The occupancy model against NVIDIA's calculator: the driver's own answers on an H200, and known textbook cases."""

import json
from pathlib import Path

import pytest

from nnlib.cuda import GPUS, occupancy

RECORDED = Path(__file__).parent / "golden" / "occupancy.json"


def test_equals_what_the_driver_said_on_an_h200():
    rows = json.loads(RECORDED.read_text())["data"]
    assert len(rows) > 200
    for threads, dynamic, declared, registers, blocks in rows:
        got = occupancy(threads, shared_mem=dynamic + declared, registers=registers, gpu="H200")
        assert got.blocks == blocks, (threads, dynamic, declared, registers, str(got))


@pytest.mark.parametrize(
    "gpu, multiprocessors, threads, blocks, shared_per_block",
    [
        ("T4", 40, 1024, 16, 64),
        ("RTX 3060", 28, 1536, 16, 99),
        ("A100", 108, 2048, 32, 163),
        ("H100", 132, 2048, 32, 227),
        ("H200", 132, 2048, 32, 227),
    ],
)
def test_gpus_as_their_data_sheets_say(gpu, multiprocessors, threads, blocks, shared_per_block):
    """Whitepapers, and the guide's table of compute capabilities 7.5, 8.6, 8.0 and 9.0; shared memory in KB."""
    card = GPUS[gpu]
    assert (card.multiprocessors, 32 * card.warps, card.registers) == (
        multiprocessors,
        threads,
        65536,
    )
    assert card.shared_per_block == shared_per_block * 1024
    assert occupancy(32, registers=16, gpu=gpu).blocks == blocks  # as many warps would fit


@pytest.mark.parametrize(
    "gpu, block, shared, registers, blocks, warps, limit",
    [
        ("T4", 256, 0, 32, 4, 32, ["warps"]),
        ("T4", 32, 0, 32, 16, 16, ["blocks"]),
        ("T4", 256, 32 * 1024, 32, 2, 16, ["shared memory"]),
        ("RTX 3060", 256, 0, 64, 4, 32, ["registers"]),
        ("RTX 3060", (16, 16), 0, 40, 6, 48, ["warps", "registers"]),
        ("A100", 1024, 0, 33, 1, 32, ["registers"]),
        ("A100", 128, 40 * 1024, 32, 4, 16, ["shared memory"]),
        ("H100", 64, 0, 16, 32, 64, ["warps", "blocks"]),
        ("H200", 100, 0, 255, 2, 8, ["registers"]),
    ],
)
def test_textbook_cases(gpu, block, shared, registers, blocks, warps, limit):
    got = occupancy(block, shared_mem=shared, registers=registers, gpu=gpu)
    assert (got.blocks, got.warps, got.limited_by) == (blocks, warps, limit)
    assert got.fraction == warps / GPUS[gpu].warps


def test_reads_as_a_table():
    text = str(occupancy(256, registers=64, gpu="RTX 3060"))
    assert "4 blocks of 256 threads = 32 of 48 warps per multiprocessor (67%)" in text
    assert "registers        4 blocks   <- the limit" in text


@pytest.mark.parametrize(
    "changes, words",
    [
        (dict(gpu="Voodoo"), "known are T4"),
        (dict(block=0), "1 to 1024"),
        (dict(block=(64, 64)), "1 to 1024"),
        (dict(shared_mem=70_000), "up to 65536"),
        (dict(gpu="A100", shared_mem=163 * 1024 + 1), "up to 166912"),
        (dict(registers=256), "1 to 255"),
    ],
)
def test_what_no_gpu_runs(changes, words):
    with pytest.raises(ValueError, match=words):
        occupancy(**({"block": 32} | changes))
