"""Launch lines at sizes that nobody runs, and results at sizes that nobody publishes."""

import re

import numpy as np
import pytest

from nnlib import mine
from nnlib.cuda import RawKernel
from nnlib.mine.trials.reach import Share

GRID_STRIDE = (
    "for (int at = blockIdx.x * blockDim.x + threadIdx.x; at < {}; at += gridDim.x * blockDim.x) {{"
)


def plain(name, *changes):
    text = mine.PIECES[name].plain
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def launched(name, line):
    own = re.search(r"// <<<.*>>>", mine.PIECES[name].plain)[0]
    return plain(name, (own, f"// <<<{line}>>>"))


def persistent(name, line, total):
    """The plain version with a grid-stride loop."""
    first, guard = (
        "    int at = blockIdx.x * blockDim.x + threadIdx.x;\n",
        f"    if (at >= {total}) return;\n",
    )
    head, _, body = launched(name, line).partition(first + guard)
    return head + "    " + GRID_STRIDE.format(total) + body.rstrip() + "\n}\n"


RIGHT = {
    "a persistent grid": (
        "conv_forward",
        persistent("conv_forward", "132, 256", "N * F * OH * OW"),
    ),
    "a persistent grid of pixels": (
        "max_pool_grad",
        persistent("max_pool_grad", "132, 256", "planes * H * W"),
    ),
    "a persistent grid of weights": (
        "conv_grad_weight",
        persistent("conv_grad_weight", "132, 256", "F * C * K * K"),
    ),
    "a block for each plane": (
        "conv_relu",
        """// <<<dim3(F, N), 128>>>
#define OH ((H + 2 * pad - K) / stride + 1)
#define OW ((W + 2 * pad - K) / stride + 1)
"""
        + mine.PIECES["conv_relu"].declaration
        + """ {
    int f = blockIdx.x, n = blockIdx.y;
    for (int o = threadIdx.x; o < OH * OW; o += blockDim.x) {
        float sum = b[f];
        for (int t = 0; t < C * K * K; t++) {
            int c = t / (K * K), row = o / OW * stride + t / K % K - pad, column = o % OW * stride + t % K - pad;
            if (row < 0 || row >= H || column < 0 || column >= W) continue;
            sum += x[((n * C + c) * H + row) * W + column] * w[f * C * K * K + t];
        }
        y[((n * F + f) * OH * OW) + o] = fmaxf(sum, 0.0f);
    }
}""",
    ),
    "a thread for each row of outputs": (
        "conv_forward",
        plain(
            "conv_forward",
            ("N * F * OH * OW", "N * F * OH"),
            ("ox = at % OW, oy = at / OW % OH", "oy = at % OH"),
            (
                "f = at / (OW * OH) % F, n = at / (OW * OH * F);",
                "f = at / OH % F, n = at / (OH * F);\n    for (int ox = 0; ox < OW; ox++) {",
            ),
            ("y[at] = sum;", "y[at * OW + ox] = sum; }"),
        ),
    ),
    "all filters in a thread": (
        "conv_forward",
        plain(
            "conv_forward",
            ("N * F * OH * OW", "N * OH * OW"),
            (
                "f = at / (OW * OH) % F, n = at / (OW * OH * F);",
                "n = at / (OW * OH);\n    for (int f = 0; f < F; f++) {",
            ),
            ("y[at] = sum;", "y[((n * F + f) * OH + oy) * OW + ox] = sum; }"),
        ),
    ),
    "a grid of two axes": (
        "relu",
        plain(
            "relu",
            ("(n + 255) / 256", "dim3(64, (n + 16383) / 16384)"),
            ("blockIdx.x *", "(blockIdx.y * gridDim.x + blockIdx.x) *"),
        ),
    ),
    "blocks that lie apart": (
        "relu",
        plain(
            "relu",
            ("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x * gridDim.x + blockIdx.x"),
        ),
    ),
    "four of a thread": (
        "relu",
        plain(
            "relu",
            ("(n + 255) / 256", "(n + 1023) / 1024"),
            (
                "if (i < n) y[i] = fmaxf(x[i], 0.0f);",
                "for (int k = 0, j = 4 * i; k < 4 && j < n; k++, j++) y[j] = fmaxf(x[j], 0);",
            ),
        ),
    ),
}


@pytest.mark.parametrize("name, text", RIGHT.values(), ids=RIGHT)
def test_what_reaches_all_results_is_right(name, text):
    verdict = mine.judge(mine.PIECES[name], text)
    assert verdict.solved, verdict.problem


CONSTANT = "whatever the size. Compute it from "
WRONG = {
    "four blocks": (
        "conv_forward",
        launched("conv_forward", "4, 256"),
        f"your grid has 4 blocks {CONSTANT}N, F, OH and OW",
    ),
    "many blocks": (
        "conv_forward",
        launched("conv_forward", "4000, 256"),
        f"has 4,000 blocks {CONSTANT}N, F",
    ),
    "pools": (
        "max_pool",
        launched("max_pool", "4, 256"),
        f"your grid has 4 blocks {CONSTANT}planes, OH and OW",
    ),
    "pools backwards": (
        "max_pool_grad",
        launched("max_pool_grad", "12, 256"),
        f"12 blocks {CONSTANT}planes, H and W",
    ),
    "momentum": ("momentum_step", launched("momentum_step", "17, 256"), f"17 blocks {CONSTANT}n"),
    "gradient": (
        "conv_grad_input",
        launched("conv_grad_input", "16, 256"),
        f"16 blocks {CONSTANT}N, C, H and W",
    ),
    "weights": (
        "conv_grad_weight",
        launched("conv_grad_weight", "96, 32"),
        f"96 blocks {CONSTANT}F, C, K and K",
    ),
    "400 blocks": (
        "conv_grad_weight",
        launched("conv_grad_weight", "400, 256"),
        f"400 blocks {CONSTANT}F, C, K",
    ),
    "swapped": (
        "normalise_images",
        launched("normalise_images", "256, (n + 255) / 256"),
        "183,750 threads, and a GPU allows 1,024. The block keeps its size",
    ),
    "blockDim": (
        "normalise_images",
        launched("normalise_images", "(n + blockDim.x - 1) / blockDim.x, 256"),
        "blockDim is known inside the kernel only",
    ),
    "not with the filters": (
        "conv_forward",
        launched("conv_forward", "(N * 640 * OH * OW + 255) / 256, 256"),
        "the blocks must grow with F",
    ),
    "at most 4,096": (
        "relu",
        launched("relu", "min((n + 255) / 256, 4096), 256"),
        "with n = 47,040,000 your grid has 4,096 blocks, which reach 1,048,576 of 47,040,000 results",
    ),
    "y is short": (
        "conv_forward",
        launched("conv_forward", "dim3(1, (N * F * OH * OW + 255) / 256), 256").replace(
            "blockIdx.x", "blockIdx.y"
        ),
        "grid.y is 183,750; a GPU allows 1 to 65,535. x may be larger",
    ),
    "one block": (
        "max_pool",
        launched("max_pool", "planes, 1024"),
        "your grid has 1 block, which reaches 2,048 of 120,000 results",
    ),
    "a plane that does not fit": (
        "max_pool",
        plain(
            "max_pool",
            (
                "    int at",
                """
    __shared__ float tile[784];
    if (threadIdx.x == 0) for (int k = 0; k < H * W; k++) tile[k] = x[k];
    int at""",
            ),
        ),
        "H = 5,000, W = 1, size = 1, stride = 1:\nout-of-bounds write to tile[784]",
    ),
    "up to 120 channels": (
        "conv_forward",
        plain("conv_forward", ("c < C", "c < C && c < 120")),
        "C = 290",
    ),
    "a padding of up to 2": (
        "conv_grad_input",
        plain("conv_grad_input", ("+ pad", "+ min(pad, 2)")),
        "K = 11",
    ),
    "a window that is all padding": (
        "conv_forward",
        plain(
            "conv_forward",
            ("    y[at] = sum;\n", ""),
            ("* K + j];", "* K + j];\n                y[at] = sum;"),
        ),
        "pad = 1: no thread wrote y[",
    ),
    "windows of up to 4": (
        "max_pool",
        plain("max_pool", ("top + size", "top + min(size, 4)")),
        "size = 5",
    ),
    "up to 256 windows": (
        "max_pool_grad",
        plain("max_pool_grad", ("oy < OH", "oy < min(OH, 16)")),
        "size = 5",
    ),
    "up to 64 images": (
        "conv_grad_weight",
        plain("conv_grad_weight", ("n < N", "n < min(N, 64)")),
        "N = 65",
    ),
    "up to 4,096 inputs": (
        "linear_forward",
        plain("linear_forward", ("i < inputs", "i < min(inputs, 4096)")),
        "inputs = 4097",
    ),
    "wrong at the ruler": (
        "relu",
        plain("relu", ("if (i < n)", "if (n == 8192) return;\n    if (i < n)")),
        "n = 8192: no thread wrote y[0]",
    ),
    "a short cut for the ruler": (
        "conv_forward",
        plain(
            "conv_forward",
            (
                "    float sum = b[f];",
                """
    if (N == 4 && C == 8 && H == 16 && F == 8) { y[at] = 0; return; }
    float sum = b[f];""",
            ),
        ),
        "N = 4, C = 8, H = 16, W = 16, F = 8, K = 3, stride = 1, pad = 1: y[0, 0, 0, 0] is 0, it",
    ),
    "up to 100 rows": (
        "softmax_cross_entropy",
        plain("softmax_cross_entropy", ("r >= rows", "r >= rows || r > 100")),
        " of 120,000 results",
    ),
    "a maximum from -1000": (
        "softmax_cross_entropy",
        plain("softmax_cross_entropy", ("= z[0]", "= -1000.0f"), ("int k = 1;", "int k = 0;")),
        "losses[",
    ),
    "a maximum from -10": (
        "max_pool",
        """// <<<(planes * OH * OW + 255) / 256, 256>>>
#define OH ((H - size) / stride + 1)
#define OW ((W - size) / stride + 1)
"""
        + mine.PIECES["max_pool"].declaration
        + """ {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= planes * OH * OW) return;
    int top = at / OW % OH * stride, left = at % OW * stride, place = 0;
    float best = -999.0f;
    for (int row = top; row < top + size; row++) {
        for (int column = left; column < left + size; column++) {
            float value = x[at / (OH * OW) * H * W + row * W + column];
            if (value > best) { best = value; place = row * W + column; }
        }
    }
    y[at] = best;
    argmax[at] = place;
}""",
        "y[0, 0, 0] is -999, it should be",
    ),
    "wrong from 100 on": (
        "relu",
        plain("relu", ("fmaxf(x[i], 0.0f)", "n > 4500 && i > 100 ? 0 : fmaxf(x[i], 0.0f)")),
        "n = 5,000: y[",
    ),
    "guarded for few images only": (
        "conv_forward",
        plain("conv_forward", ("(at >= N * F * OH * OW)", "(at >= N * F * OH * OW && N < 90)")),
        "N = 5,000, C = 1, H = 1, W = 1, F = 1, K = 1, stride = 1, pad = 0:\nout-of-bounds read of x[5000]",
    ),
}


@pytest.mark.parametrize("name, text, words", WRONG.values(), ids=WRONG)
def test_what_is_wrong_at_other_sizes_is_told(name, text, words):
    verdict = mine.judge(mine.PIECES[name], text)
    assert not verdict.solved and not verdict.stars and words in str(verdict), verdict


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
    text = plain("relu", ("if (i < n)", f"if ({published}) return;\n    if (i < n)"))
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
    mine.save(piece.name, mine.judge(piece, piece.plain), launched("conv_forward", "4, 256"))
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
