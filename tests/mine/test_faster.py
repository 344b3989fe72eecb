"""Lesson 08 asks for a faster text of four pieces: right ones, as slow as before, are refused with a reason."""

import re
from pathlib import Path

import pytest
from nbformat import read

from nnlib import mine
from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .answers import change, typed

TYPED = Path(__file__).parent / "typed" / "08"
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "08_optimization.ipynb"
SHARED = (TYPED / "conv_shared.cu").read_text("utf-8").replace("conv_shared", "conv_forward")
REGISTERS = (TYPED / "conv_forward.cu").read_text("utf-8")
CHANNELS = (TYPED / "conv_grad_input.cu").read_text("utf-8")
WARPS = (TYPED / "linear_forward.cu").read_text("utf-8")
BLOCKS = """// <<<dim3(O, N), 64>>>
extern "C" __global__ void linear_forward(const float* x, const float* w, const float* b, float* y, int N, int I,
                                          int O) {
    __shared__ float part[64];
    float sum = 0;
    for (int i = threadIdx.x; i < I; i += 64) sum += x[blockIdx.y * I + i] * w[blockIdx.x * I + i];
    part[threadIdx.x] = sum;
    for (int d = 32; d; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) part[threadIdx.x] += part[threadIdx.x + d];
    }
    if (threadIdx.x == 0) y[blockIdx.y * O + blockIdx.x] = part[0] + b[blockIdx.x];
}"""


def judged(name, text):
    return find(f"08.{name}").judge(RawKernel(text, name))


def right():
    yield "conv_grad_weight", typed("conv_grad_weight")
    yield "conv_grad_weight", mine.PIECES["conv_grad_weight"].best
    yield "conv_grad_weight", change(typed("conv_grad_weight"), "#define T 256", "#define T 128")
    yield "conv_forward", REGISTERS
    yield "conv_forward", mine.PIECES["conv_forward"].best
    yield "conv_forward", change(REGISTERS, "tile[t] = inside", "tile[t] = !inside ? 0.0f : true")
    yield "conv_grad_input", CHANNELS
    yield (
        "conv_grad_input",
        change(CHANNELS, "+ 3) / 4", "+ 7) / 8", "* 4,", "* 8,", "[4]", "[8]", "k < 4", "k < 8"),
    )
    yield "conv_grad_input", mine.PIECES["conv_grad_input"].best
    yield "linear_forward", WARPS
    yield "linear_forward", change(WARPS, "(N * outputs + 7) / 8, 256", "N * outputs, 32")
    yield "linear_forward", BLOCKS


@pytest.mark.parametrize("name, text", list(right()))
def test_faster_texts_are_accepted(name, text):
    verdict = judged(name, text)
    assert verdict.solved, verdict.text


def wrong():
    yield (
        "conv_grad_weight",
        mine.PIECES["conv_grad_weight"].plain,
        "one thread walks over a whole sum",
    )
    spare = change(mine.PIECES["conv_grad_weight"].plain, "+ 63) / 64, 64", "+ 63) / 64 * 32, 64")
    yield "conv_grad_weight", spare, "one thread walks over a whole sum"
    yield (
        "conv_grad_weight",
        change(typed("conv_grad_weight"), "int d = 16", "int d = 8"),
        "it should be",
    )
    weight = typed("conv_grad_weight")
    yield (
        "conv_grad_weight",
        re.sub(r"for \(int d = 16.*?;\n", "", weight, flags=re.DOTALL),
        "products of one lane",
    )
    few = change(weight, "K + T / 32 - 1) / (T / 32), T", "K + T - 1) / T, T")
    yield "conv_grad_weight", few, "32 times as many threads"
    yield (
        "conv_grad_weight",
        change(weight, "int p = lane", "int p = 0"),
        "all lanes add the same products",
    )
    yield "conv_grad_weight", change(weight, "p += 32", "p++"), "every 32nd one: += 32"
    yield (
        "conv_grad_weight",
        change(weight, "int p = lane", "int p = 0", "p += 32", "p++"),
        "add all products",
    )
    yield (
        "conv_grad_weight",
        change(weight, "_xor_", "_down_", "if (lane == 0) ", ""),
        "one lane stores it",
    )
    yield "conv_grad_weight", change(weight, "int d = 16", "int d = 32"), "the first offset is 32"
    yield "conv_grad_weight", change(weight, "0xffffffff", "0xffff"), "a bit for each"
    yield (
        "conv_grad_weight",
        change(weight, "_xor_", "_down_", "lane == 0", "lane == 31"),
        "another lane stores its",
    )
    yield "conv_grad_weight", change(weight, "float sum", "int sum"), "all numbers are whole"
    once = "float gradient = dy[((n * F + f) * OH + oy) * OW + ox];"
    product = "gradient * w"
    again = change(CHANNELS, once, "", product, f"{once[17:-1]} * w")
    for text in (mine.PIECES["conv_grad_input"].plain, again):
        yield "conv_grad_input", text, "a thread reads 1.84 numbers for every product"
    yield "conv_grad_input", change(CHANNELS, "C + c0 + k) * K", "C + k) * K"), "of channels 0 to 3"
    yield "conv_grad_input", change(CHANNELS, "= sum[k]", "= sum[0]"), "same gradient"
    yield "conv_grad_weight", change(weight, "% 32", "% 16"), "only goes to 15"
    yield "conv_grad_weight", change(weight, "p += 32", "p += 31"), "every 31st product"
    yield (
        "linear_forward",
        change(
            WARPS,
            "i = lane; i < inputs; i += 32",
            "i = lane * (inputs / 32); i < (lane + 1) * (inputs / 32); i++",
        ),
        "the division drops the rest",
    )
    yield (
        "linear_forward",
        change(WARPS, "offset > 0", "offset > 1"),
        "every second thread is missing",
    )
    yield "linear_forward", change(WARPS, "i += 32", "i += 16"), "two lanes add the same product"
    yield (
        "linear_forward",
        change(WARPS, "float sum = 0.0f", "float sum = b[o]", "sum + b[o]", "sum"),
        "each of the 32",
    )
    yield (
        "linear_forward",
        change(WARPS, "sum + b[o]", "fmaxf(sum + b[o], 0.0f)"),
        "ReLU is another kernel",
    )
    yield "linear_forward", change(BLOCKS, "d = 32", "d = 16"), "half of the threads are missing"
    yield (
        "linear_forward",
        change(BLOCKS, "i += 64", "i += 32"),
        "by as many as the block has threads",
    )
    yield "conv_forward", change(REGISTERS, "int tiles = (OW", "int tiles = (OH"), "other sizes"
    overlap = "groups of 4 come that begin one apart"
    yield "conv_forward", change(REGISTERS, "blockIdx.y * 4", "blockIdx.y"), overlap
    yield "conv_grad_input", change(CHANNELS, "% groups * 4", "% groups"), overlap
    yield "conv_forward", change(REGISTERS, "oy < OH &&", "oy > OH &&"), "here OH < oy"
    yield "conv_forward", change(REGISTERS, "oy < OH", "oy + 4 * r < OH"), "guard oy + 4 * r < OH"
    open_end = change(CHANNELS, "if (c0 + k < C) dx", "dx")
    yield "conv_grad_input", open_end, "where C is no multiple of 4"
    yield "linear_forward", mine.PIECES["linear_forward"].plain, "one thread walks over a whole row"
    yield "linear_forward", mine.PIECES["linear_forward"].best, "one thread walks over a whole row"
    yield (
        "conv_forward",
        change(REGISTERS, "first_oy * stride", "first_oy"),
        "differ",
    )  # right where one tile is enough
    yield "conv_forward", change(REGISTERS, "first_ox * stride", "first_ox"), "differ"
    row = "(threadIdx.y + 4 * r) * stride"
    yield (
        "conv_forward",
        change(REGISTERS, row, "threadIdx.y * stride + 4 * r"),
        "multiplied by the stride",
    )
    yield "conv_forward", change(REGISTERS, row, "(4 * threadIdx.y + r) * stride"), "in both places"
    yield (
        "conv_forward",
        mine.PIECES["conv_forward"].plain,
        "every thread reads its window from global memory",
    )
    yield "conv_forward", SHARED, "a thread reads 2.12 numbers for every product"
    weight = "filters[k * K * K + tap]"
    again = change(REGISTERS, f"float weight = {weight};", "", "weight * seen", f"{weight} * seen")
    yield "conv_forward", again, "1.30 numbers for every product"
    yield "conv_forward", again, "read each weight once, into a variable"
    yield (
        "conv_forward",
        change(REGISTERS, "        __syncthreads();\n    }", "    }"),
        "__syncthreads()",
    )
    yield (
        "conv_forward",
        change(REGISTERS, "sum[k][r] + b[f0 + k]", "sum[k][r]"),
        "b[f] is not added",
    )
    yield "conv_forward", change(REGISTERS, "(F + 3) / 4", "F / 4"), "round up"
    yield (
        "conv_forward",
        change(REGISTERS, " && oy < OH && ox < OW", ""),
        "does a guard stop each that is too large",
    )


@pytest.mark.parametrize("name, text, words", list(wrong()))
def test_others_are_refused_with_a_reason(name, text, words):
    verdict = judged(name, text)
    assert not verdict.solved and words.lower() in verdict.text.lower(), verdict.text


def test_what_is_kept_takes_the_place_of_the_first_version():
    first, faster = find("06.conv_grad_weight"), find("08.conv_grad_weight")
    assert first.judge(RawKernel(mine.PIECES["conv_grad_weight"].plain, "conv_grad_weight")).solved
    first.keep()
    assert faster.judge(RawKernel(typed("conv_grad_weight"), "conv_grad_weight")).solved
    faster.keep()
    assert (
        mine.whose("conv_grad_weight") == "yours"
        and "__shfl" in mine.library.of("conv_grad_weight").kernel.code
    )


def test_an_edited_warp_per_result_is_judged_by_lesson_08(tmp_path, capsys):
    faster = find("08.linear_forward")
    assert faster.judge(
        RawKernel(f"{WARPS}// mine", "linear_forward")
    ).solved  # else it is the lesson's solution
    faster.keep()
    file = mine.folder.path(mine.PIECES["linear_forward"])
    file.write_text(
        change(file.read_text("utf-8"), "int n = at / outputs", "const int n = at / outputs"),
        "utf-8",
    )
    assert mine.whose("linear_forward") == "yours"
    mine.export(tmp_path / "library.json")
    mine.load(tmp_path / "library.json")
    assert "left out" not in capsys.readouterr().out
    file.write_text(
        change(file.read_text("utf-8"), "const int n = at / outputs", "const int n = at % N"),
        "utf-8",
    )
    assert mine.whose("linear_forward") == "course"


def test_the_products_of_the_stages_pass_the_check():
    """The lines of stage 2, as the lesson shows them, in the place of the solution's."""
    stages = next(
        cell.source
        for cell in read(NOTEBOOK, 4).cells
        if "Stage 2: the products of a tap" in cell.source
    )
    products = stages.split("Stage 2")[1].split("```")[1]
    tap = f"int i = tap / K, j = tap % K;{products}"
    text, found = re.subn(
        r"float seen\[4\];.*?(?=\}\n *__sync)", lambda _: tap, REGISTERS, flags=re.DOTALL
    )
    verdict = judged("conv_forward", text)
    assert found == 1 and verdict.solved, verdict.text


@pytest.mark.parametrize(
    "name", ["conv_shared", "conv_grad_input", "conv_forward", "linear_forward"]
)
def test_what_was_timed_is_what_the_lesson_shows(name):
    """But for where its lines are broken."""
    shown = [cell.source for cell in read(NOTEBOOK, 4).cells if f"void {name}(" in cell.source]
    assert (TYPED / f"{name}.cu").read_text("utf-8").split() == shown[-1].removeprefix(
        "%%cuda\n"
    ).split()
