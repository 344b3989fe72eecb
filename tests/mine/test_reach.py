"""Launch lines at sizes that nobody runs, and results at sizes that nobody publishes."""

import re

import numpy as np
import pytest

from nnlib import mine
from nnlib.cuda import RawKernel
from nnlib.mine.trials.reach import Share

from .answers import save


def test_a_kernel_for_known_sizes_is_refused_with_every_seed():
    piece = mine.PIECES["relu"]
    published = " && ".join(
        f"n != {sizes['n']}"
        for sizes in (
            *piece.sizes,
            piece.ruler,
            *piece.drawn(np.random.default_rng(0)),
            piece.large[0].small,
        )
    )
    text = piece.plain.replace("if (i < n)", f"if ({published}) return;\n    if (i < n)")
    assert not any(mine.judge(piece, text, seed=seed).solved for seed in (0, 1))


@pytest.mark.parametrize(
    "share, grid, reached",
    [
        (Share(256, (256, 0, 0), (20, 1, 1), 5000), (20, 1, 1), 5120),
        (Share(16, (16, 0, 0), (9, 2, 1), 99), (9, 1, 1), 144),
        (Share(256, (256, 512, 0), (9, 9, 1), 9999), (3, 2, 1), 2304),
        (Share(0, (0, 0, 0), (9, 1, 1), 9), (9, 1, 1), 0),
        (Share(100, (36, 0, 0), (9, 1, 1), 999), (3, 1, 1), 172),
    ],
)
def test_what_blocks_reach_is_multiplied_out(share, grid, reached):
    assert share.reached(grid) == reached


def test_the_engine_says_which_results_no_thread_wrote(capsys):
    piece = mine.PIECES["conv_forward"]
    text = re.sub("// <<<.*>>>", "// <<<4, 256>>>", piece.plain)
    save(piece.name, text)
    sizes = {"N": 8, "C": 1, "H": 12, "W": 12, "F": 8, "K": 3, "stride": 1, "pad": 1}
    case = piece.case(sizes)
    arguments = case.copies()
    mine.forget_launches()
    mine.run(piece.name, *arguments.values())
    assert (
        "no thread wrote y[1024] to y[9215]: your grid has 4 blocks whatever the size. "
        "Compute it from N, F, OH and OW."
    ) in capsys.readouterr().out
    assert np.allclose(arguments["y"], case.expected["y"], 1e-4, 1e-4) and mine.launches()[
        "course"
    ] == {piece.name: 1}


def test_a_warp_for_each_weight_on_132_blocks_shares_its_sums():
    text = mine.PIECES["conv_grad_weight"].plain
    head = "\n".join(line for line in text.splitlines() if line.startswith("#define"))
    text = (
        f"// <<<132, 256>>>\n{head}\n"
        + mine.PIECES["conv_grad_weight"].declaration
        + """ {
    int lane = threadIdx.x % 32;
    for (int at = (blockIdx.x * 256 + threadIdx.x) / 32; at < F * C * K * K; at += gridDim.x * 8) {
        int j = at % K, i = at / K % K, c = at / (K * K) % C, f = at / (K * K * C);
        float sum = 0;
        for (int p = lane; p < N * OH * OW; p += 32) {
            int n = p / (OH * OW), row = p / OW % OH * stride + i - pad, column = p % OW * stride + j - pad;
            if (row < 0 || row >= H || column < 0 || column >= W) continue;
            sum += dy[(n * F + f) * OH * OW + p % (OH * OW)] * x[((n * C + c) * H + row) * W + column];
        }
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0) dw[at] = sum;
    }
}"""
    )
    RawKernel(text, "conv_grad_weight").compile()
    verdict = mine.judge(mine.AGAIN["conv_grad_weight"], text)
    assert verdict.solved, verdict.problem
