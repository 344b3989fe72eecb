"""What a judgement says, and where its borders lie: of results, counters and launches made up for it."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import mine
from nnlib.mine.contract import how_far, unwritten
from nnlib.mine.judgement import Judgement
from nnlib.mine.stars import awarded, counters, shown

RELU, CROSS_ENTROPY = mine.PIECES["relu"], mine.PIECES["softmax_cross_entropy"]


def counted(sectors=0, wavefronts=0, conflicts=0, atomics=0, operations=100, requests=0):
    return {
        "sectors": sectors,
        "shared wavefronts": wavefronts,
        "bank conflicts": conflicts,
        "load requests": requests,
        "atomics": atomics,
        "operations": operations,
    }


@pytest.fixture
def scores(monkeypatch):
    stored = {
        "relu": {
            "plain": counted(4000, 10),
            "lesson": counted(3000),
            "best": counted(1000, 600, 0, 12),
        }
    }
    monkeypatch.setitem(awarded.__globals__, "scores", lambda: stored)
    return stored["relu"]


@pytest.mark.parametrize(
    ("cost", "stars"),
    [  # best: 1000 + 600 + 32 * 12 = 1984
        (counted(1984), 3),
        (counted(2976), 3),
        (counted(2977), 2),
        (counted(0, 4960), 2),
        (counted(0, 4961), 1),
        (counted(0, 0, 9999), 3),
        (counted(atomics=93), 3),
        (counted(atomics=94), 2),
        (counted(900, 900, 0, 36), 3),
        (counted(operations=200), 3),
        (counted(operations=201), 2),
        (counted(operations=401), 1),
    ],
)
def test_stars_are_given_for_what_goes_through_the_pipe(scores, cost, stars):
    assert awarded("relu", cost) == stars
    assert shown(stars) == {1: "★☆☆", 2: "★★☆", 3: "★★★"}[stars]


def test_a_lesson_s_own_version_gets_two(scores):
    scores["lesson"] = counted(9000)
    assert awarded("relu", counted(9890)) == 2 and awarded("relu", counted(9910)) == 1


@pytest.mark.parametrize(
    ("cost", "line"),
    [
        (counted(3000), "Another star: the sectors. What do neighbouring lanes read"),
        (
            counted(1000, 2200),
            "Another star: the shared wavefronts. What could a thread keep in registers",
        ),
        (counted(1000, 2200, 1000), "Another star: the bank conflicts."),
        (
            counted(2500, 2000),
            "Another star: the memory traffic, in global and shared memory together.",
        ),
        (
            counted(operations=300),
            "Another star: the operations, which are far more than the task needs.",
        ),
    ],
)
def test_another_star_is_where_one_counter_alone_would_bring_it(scores, cost, line):
    stars = awarded("relu", cost)
    said = str(Judgement(RELU, stars=stars, counters=cost, line=7, precision=1.2e-7)).split("\n")
    assert said[-1].startswith(line) and said[-1].endswith(" Most of the work is in line 7.")


@pytest.mark.parametrize(
    ("block", "line"),
    [
        ((31, 1, 1), "Another star: the block. It fills 31 of the 32 lanes"),
        ((11, 3, 1), "Another star: the block. It fills 33 of the 64 lanes of 2 warps"),
        ((4, 8, 1), "Another star: the sectors."),
    ],
)
def test_a_block_that_fills_no_warp_is_what_costs_a_star(scores, block, line):
    said = str(Judgement(RELU, stars=2, counters=counted(3000), launched=((9, 1, 1), block))).split(
        "\n"
    )
    assert said[-1].startswith(line)


@pytest.mark.parametrize(
    ("version", "launch", "stars", "line"),
    [
        (
            "plain",
            "(n + 31) / 32, 32",
            1,
            "Another star: the block. A GPU starts no more blocks of 32 threads",
        ),
        ("plain", "132, 256", 2, "Another star: the load requests. The sectors cannot get fewer"),
        ("best", "132, 256", 3, "load requests 128"),
        (
            "best",
            "(n + 255) / 256, 64",
            3,
            "load requests 128 (the course's plain version 512, best known 128) ★★★",
        ),
    ],
)
def test_a_kernel_that_only_streams_earns_stars_by_its_block_and_its_requests(
    version, launch, stars, line
):
    piece = mine.PIECES["sgd_step"]
    text = re.sub("<<<.*>>>", f"<<<{launch}>>>", getattr(piece, version))
    verdict = mine.judge(piece, text)
    assert verdict.stars == stars and str(verdict).split("\n")[-1].startswith(line)


def test_less_traffic_than_every_version_is_a_record(scores):
    said = [str(Judgement(RELU, stars=3, counters=counted(sectors))) for sectors in (1983, 1984)]
    assert "New record: less memory traffic than the best" in said[0] and "record" not in said[1]


def test_the_block_of_a_right_piece_is_known():
    text = RELU.plain.replace("(n + 255) / 256, 256", "n, 1")
    assert "the block. It fills 1 of the 32 lanes" in str(mine.judge(RELU, text))


def test_a_right_piece_in_numbers(scores):
    scores["plain"], scores["best"] = counted(4000, 10), counted(1000, 200)
    judgement = Judgement(RELU, stars=3, counters=counted(1234, 0), precision=1.2e-7)
    assert str(judgement).split("\n") == [
        "Right: 7 shapes, 1e-07 from float64, no race.",
        "sectors 1,234 (the course's plain version 4,000, best known 1,000)",
        "shared wavefronts 0 (the course's plain version 10, best known 200) ★★★",
    ]
    assert (
        judgement.solved
        and not Judgement(RELU, "wrong").solved
        and str(Judgement(RELU, "wrong")) == "wrong"
    )
    assert "7 shapes, as exact as float64, no race." in str(
        Judgement(RELU, stars=3, counters=counted(1234, 0))
    )
    scores["plain"]["bank conflicts"] = 5
    assert "bank conflicts 0 (the course's plain version 5, best known 0) ★★★" in str(judgement)


def two(value, other=1.0):
    return np.array([1, value, other], np.float32)


@pytest.mark.parametrize(
    ("got", "want", "said"),
    [
        (two(2), [1.0, 2, 1], 0.0),
        (two(2.00003), [1.0, 2, 1], pytest.approx(1.5e-5, rel=0.02)),
        (two(2.00005), [1.0, 2, 1], "y[1] is 2.00005, it should be 2 (1 of 3 differ)."),
        (two(0.00001), [1.0, 0, 1], pytest.approx(1e-5)),
        (two(0.00002), [1.0, 0, 1], "y[1] is 2e-05, it should be 0 (1 of"),
        (two(0.00029, 100), [1.0, 0, 100], pytest.approx(2.9e-6)),
        (two(0.00031, 100), [1.0, 0, 100], "y[1] is 0.00031, it"),
        (two(3, 4), [1.0, -0.0, 1], "y[1] is 3, it should be 0 (2 of 3 differ)."),
        (two(np.nan), [1.0, 2, 1], "y[1] is nan, it should be 2 (1 of 3 differ)."),
        (np.zeros(2, np.float32), [0.0, 0.0], 0.0),
        (np.float32([0.00002]), [0.0], "y[0] is 2e-05"),
        # Little is left of two that cancel
        (np.float32([0.0005009]), [0.0005], pytest.approx(1.8e-3, rel=0.01)),
        (np.float32([0.0005011]), [0.0005], "y[0] is 0.0005011"),
        (np.zeros(0), [], 0.0),
    ],
)
def test_how_far_a_result_may_be_from_float64(got, want, said):
    found = how_far(mine.PIECES["sgd_step"], "y", got, np.array(want))
    assert found.startswith(said) if isinstance(said, str) else found == said


def test_what_nobody_wrote_is_counted():
    left = np.full((20, 60), unwritten.__globals__["_NOBODY"]).view(np.float32)
    assert (
        how_far(RELU, "y", left, np.zeros((20, 60)))
        == "no thread wrote y[0, 0] (1,200 of 1,200 are missing)."
    )
    left[0], left[0, 3] = 0, 1
    assert how_far(RELU, "y", left, np.zeros((20, 60))) == (
        "y[0, 3] is 1, it should be 0 (1,141 of 1,200 differ, and no thread wrote 1,140 of them)."
    )


def test_sums_of_a_thousand_and_losses_of_large_logits_may_be_off_by_what_rounding_leaves():
    total = mine.PIECES["sum_columns"]
    for piece, name, most in (
        (total, "sums", 1e-4),
        (total.first, "sums", 1e-4),
        (CROSS_ENTROPY, "losses", 1e-3),
    ):
        for share in (0.9, 1.1):
            found = how_far(piece, name, np.array([0.1 + share * most]), np.array([0.1]))
            assert isinstance(found, float) == (share < 1)


def test_counters_are_those_of_loads_and_stores():
    def part(**counts):
        return SimpleNamespace(**counts)

    profile = part(atomics=7, active_lanes=31.26, flops=9, thread_instructions=80)
    traffic = part(
        global_load=part(sectors=1, requests=2),
        global_store=part(sectors=20),
        shared_load=part(wavefronts=300, bank_conflicts=5),
        shared_store=part(wavefronts=4000, bank_conflicts=60),
    )
    assert counters(profile, traffic) == {
        "sectors": 21,
        "shared wavefronts": 4300,
        "bank conflicts": 65,
        "load requests": 2,
        "atomics": 7,
        "active lanes": 31.3,
        "flops": 9,
        "operations": 80,
    }


TRIALS = [  # text of relu; what is said
    ("int n) { x; y; n; }", "n = 1000: no thread wrote y[0] (1,000 of 1,000 are missing)."),
    (
        "int n, int m) { }",
        "relu has the parameters (const float* x, float* y, int n, int m); its contract is (",
    ),
    (") { y[0] = x[0]; }", "relu has the parameters (const float* x, float* y); its contract is ("),
    (
        "int n) { ((float*)x)[0] = 7.0f; y[0] = 0.0f; }",
        "n = 1000: x is an input, and the kernel changed it. Write only to y.",
    ),
]


@pytest.mark.parametrize(("rest", "said"), TRIALS)
def test_refusals_in_words(rest, said):
    comma = "" if rest.startswith(")") else ", "
    text = f'// <<<1, 1>>>\nextern "C" __global__ void relu(const float* x, float* y{comma}{rest}'
    found = mine.judge(RELU, text)
    assert said in str(found), found
    assert (
        not found.solved
        and not found.right
        and found.stars == 0
        and (found.sizes or {"n": 1000}) == {"n": 1000}
    )


def test_other_launches_must_do_as_well():
    piece = mine.PIECES["sgd_step"]
    text = (
        f"// <<<(n + 255) / 256, 256>>>\n{piece.declaration}"
        " { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) w[i] -= lr * g[i]; }"
    )
    found = mine.judge(piece, text)
    assert (
        str(found).startswith("n = 1000, launched with <<<1, 32>>>: w[3")
        and found.right
        and not found.solved
    )
    assert found.launched == ((1, 1, 1), (32, 1, 1)) and found.passed == 0
    assert mine.judge(piece, text, score=False).launched == ((1, 1, 1), (32, 1, 1))


def test_how_many_sizes_came_out_right():
    text = (
        f"// <<<(n + 255) / 256, 256>>>\n{RELU.declaration} {{ int i = blockIdx.x * 256 + threadIdx.x;"
        " if (i < n && i < 4000) y[i] = fmaxf(x[i], 0.0f); }"
    )
    found = mine.judge(RELU, text)
    assert (found.passed, found.sizes) == (6, {"n": 4099}) and found.launched == (
        (17, 1, 1),
        (256, 1, 1),
    )
    assert str(found) == "n = 4099: no thread wrote y[4000] (99 of 4,099 are missing)."
