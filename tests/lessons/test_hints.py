"""Hints at their borders: sentences for results and launches made up for them, and none where it is not true."""

from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import mine
from nnlib.course.exercises import comparing, hints, kernels
from nnlib.course.exercises.comparing import compare, recognised
from nnlib.course.exercises.kernels import PIECE_EXERCISES
from nnlib.course.exercises.mistakes import usual_text
from nnlib.course.exercises.unwritten import why_unwritten
from nnlib.cuda import (
    BarrierError,
    KernelError,
    RawKernel,
)
from nnlib.mine.judgement import Judgement

FORWARD, COLUMNS = mine.PIECES["linear_forward"], mine.PIECES["sum_columns"]


def test_a_zero_has_no_sign():
    assert compare(np.array([-0.0, 1.0]), np.ones(2))[0] == "the result at [0] is 0, should be 1."


def nobody(size, *written):
    found = np.ones(size, bool)
    found[list(written)] = False
    return found


@pytest.mark.parametrize(
    ("missing", "launched", "said"),
    [
        (nobody(3, 0, 1, 2), None, None),
        (nobody(3), None, "does any thread store a result in y?"),
        (nobody(90, 0), None, "the end is missing, only the first is written: does the grid"),
        (nobody(90, 0, 1), None, "the end is missing, only the first 2 are written"),
        (nobody(9, 0, 1, 2, 3), None, "the end is missing, only the first 4 are"),
        (nobody(8, 0, 1, 2, 3), None, "the end is missing, only the first 4 are"),
        (
            nobody(9, 0, 1, 2, 3, 4),
            None,
            "the end is missing: a division in the launch that cuts off",
        ),
        (
            nobody(90, 0, 1, 2, 3, 4, 5, 6, 7),
            ((2, 1, 1), (16, 8, 1)),
            "the end is missing: the launch has 256 threads, that is 8 warps",
        ),
        (
            nobody(90, 0, 1, 2, 3, 4, 5, 6, 7),
            ((2, 1, 1), (16, 9, 1)),
            "the end is missing, only the first 8",
        ),
        (
            nobody(9, 1),
            ((1, 1, 1), (32, 1, 1)),
            "which thread should write that element of y? Work",
        ),
        (
            nobody(9, 1),
            ((1, 2, 1), (32, 1, 1)),
            "which thread should write that element of y? Work out its index",
        ),
        (nobody(9, 8), None, "which thread should write"),
        (nobody(9, 4), None, "which thread should write"),
    ],
)
def test_what_nobody_wrote(missing, launched, said):
    found = why_unwritten("y", ["n"], missing, launched)
    assert found is None if said is None else found.startswith(said), found


def test_a_warps_number_without_brackets_is_told():
    text = "int at = blockIdx.x * blockDim.x + threadIdx.x / 32; y[at] = sum;"
    assert "only threadIdx.x is divided" in why_unwritten(
        "y", ["n"], nobody(9, 0), ((2, 1, 1), (256, 1, 1)), text
    )
    assert "only threadIdx.x" not in why_unwritten(
        "y",
        ["n"],
        nobody(9, 0),
        ((2, 1, 1), (256, 1, 1)),
        "int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32;",
    )


def test_a_grid_made_of_other_sizes_is_told_where_a_size_is_larger_than_any_of_the_contract():
    image = mine.PIECES["conv_forward"]
    text = image.plain.replace("(N * F * OH * OW + 255)", "(N * F * H * W + 255)")
    assert text != image.plain
    said = PIECE_EXERCISES["05.conv_forward"].judge(RawKernel(text, "conv_forward")).text
    assert (
        "as many as the launch has threads: of which sizes is the grid made? It needs N, F, OH and OW"
        in said
    ), said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("y[i] = 1;", False),
        ("y[i] += 1;", True),
        ("y[i] = y[i] * f + 1;", True),
        ("atomicAdd(&y[i], 1);", True),
        ("*y += 1;", True),
        ("", False),
        ("sum += y[i];", False),
        ("for (int k = 0; k < n; k += 32) atomicAdd(&s[k], y[i]);", False),
    ],
)
def test_only_who_adds_is_told_what_adding_does(text, said):
    found = why_unwritten("y", ["n"], nobody(3), None, text)
    assert found.startswith("does any thread store a result in y?") and ("garbage" in found) == said


def test_a_warp_for_each_head_is_told_how_many_are_needed():
    text = "int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32; if (w >= rows) return;"
    letters = ["N", "T", "heads", "D"]
    one_head = np.ones((1, 9, 1, 4), bool)
    one_head[0, 0] = False
    few = why_unwritten("y", letters, one_head, ((1, 1, 1), (32, 1, 1)), text)
    assert "1 warps, and N * T * heads = 9 are needed" in few
    heads_first = np.ones((1, 7, 3, 4), bool)
    heads_first[0, :, 0] = heads_first[0, 0, 1] = False
    scattered = why_unwritten("y", letters, heads_first, ((1, 1, 1), (256, 1, 1)), text)
    assert "which thread should write" in scattered


@pytest.mark.parametrize(
    ("index", "said"),
    [
        (
            "(blockIdx.x * blockDim.x + threadIdx.x) / 32",
            "let lane 0 of each warp store its result",
        ),
        ("(blockIdx.x * blockDim.x + threadIdx.x) >> 5", "let lane 0 of each warp"),
        ("threadIdx.x / 32", "the grid needs a block for each"),
    ],
)
def test_one_result_of_each_block(index, said):
    assert said in why_unwritten(
        "y", ["n"], nobody(7, 0), ((1, 1, 1), (256, 1, 1)), f"int r = {index};"
    )


@pytest.mark.parametrize(
    ("shape", "wrong", "said"),
    [
        ((3, 4), (slice(None), -1), "only the last of outputs is wrong: what is different there?"),
        ((3, 4), (0,), "only the first of N is wrong"),
        ((3, 4), (-1,), "only the last of N is wrong"),
        ((3, 6), (slice(None), [0, -1]), "only the first and the last of outputs are wrong: what"),
        ((3, 4), (slice(None), [0, -1]), None),  # half of all may be any half
        ((3, 4), (1,), None),
        ((3, 4), (slice(None), slice(1, None)), None),
        ((3, 4), (slice(None),), None),
        ((3, 4), (0, 0), "only the first of N is wrong"),
        ((2, 2), (slice(None),), None),  # of two, each is an edge
        ((2, 2), (slice(None), 0), None),
    ],
)
def test_where_a_result_is_wrong(shape, wrong, said):
    want = np.ones(shape)
    got = want.copy()
    got[wrong] = 2
    found = hints._where(FORWARD, "y", got, want)
    assert found is None if said is None else found.startswith(said), found


def test_what_a_workshop_says(monkeypatch):
    """One hint, ours before the simulator's; how far the kernel came; nothing kept of a wrong one."""

    def said(name, **found):
        monkeypatch.setattr(
            kernels.mine, "judge", lambda piece, *_, seed: Judgement(piece, **found)
        )
        verdict = PIECE_EXERCISES[name].judge(SimpleNamespace(options=(), code="text"))
        assert not verdict.solved and PIECE_EXERCISES[name].stars == 0
        return verdict.text

    theirs = "it stops\n  at line 3\n  hint: of the simulator"
    assert said("03.linear_forward", problem=theirs, error=KernelError(theirs)) == (
        "✗ 03.linear_forward: it stops\n  at line 3\n  hint: of the simulator"
    )
    assert said(
        "03.linear_forward", problem=theirs, error=BarrierError(theirs, hint="of the simulator")
    ).startswith(
        "✗ 03.linear_forward: it stops\n  at line 3\n  Hint: all threads of the block must"
    )
    assert said("05.conv_forward", problem="wrong", sizes={}, passed=2) == (
        "✗ 05.conv_forward: ✓ one plane  ✓ stride and padding  ✗ channels\n  wrong"
    )
    assert said("05.conv_forward", problem="wrong", sizes={}, passed=5).endswith(
        "✓ pictures  ✗ other sizes\n  wrong"
    )
    assert (
        said("05.conv_forward", problem="slow", sizes={}, right=True) == "✗ 05.conv_forward: slow"
    )
    assert PIECE_EXERCISES["04.relu"].judge("text").text == (
        "✗ 04.relu: needs a kernel, and got something of type str.\n"
        '  Hint: run the %%cuda cell with the kernel first, then check("04.relu", its_name)'
    )


@pytest.mark.parametrize(
    ("body", "use", "torn"),
    [
        ("W - K + 1", "at / OW", "/ OW"),
        ("W - K + 1", "oy * OW + ox", "* OW"),
        ("(W - K) / 2 + 1", "OW * 4", "OW *"),
        ("W / 2", "at % OW", "% OW"),
        ("(W - K + 1)", "at / OW", None),
        ("W - K + 1", "ox < OW", None),
        ("16", "at / OW", None),
        ("W * 2", "4 * OW", None),
        ("-1", "4 * OW", None),
        ("W - 1  // columns", "n - OW", "- OW"),
    ],
)
def test_a_define_without_brackets_is_named(body, use, torn):
    said = hints._torn_macro(f"#define OW {body}\nint a = {use};")
    assert (
        (f"in {torn} the operator" in said and f"({body.split(' //')[0].strip()})" in said)
        if torn
        else said is None
    )


def test_options_of_a_cell_stand_where_its_magic_stood():
    given = "-DTILE=16", "-D FAST", "--std=c++17", "-DTEXT=a=b", "-DNONE="
    defined = "#define TILE 16\n#define FAST 1\n#define TEXT a=b\n#define NONE 1\n"
    for options, head in ((given, defined), ((), "\n")):
        assert (
            kernels.with_options(SimpleNamespace(options=options, code="\nvoid\n"))
            == head + "void\n"
        )


A = np.array([3.0, 1, 4, 1, 5])
PLANE = np.arange(1, 13.0).reshape(3, 4)


@pytest.mark.parametrize(
    ("got", "want", "hint"),
    [
        (A[::-1] + 0.0, np.array([3.0, 1, 4, 2, 5]), None),
        (A[::-1].copy(), A, "the order is reversed"),
        (np.array([2.0, 1, 0]), np.array([0.0, 1, 2]), "the order is reversed"),
        (A[[1, 0]], A[:2], None),
        (
            np.array([1.0, 4, 1, 5, 9]),
            A,
            "everything is shifted by one element: check where the index starts",
        ),
        (
            np.array([9.0, 3, 1, 4, 1]),
            A,
            "everything is shifted by one element: check where the index starts",
        ),
        (np.array([9.0, 3, 1]), A[:3], "everything is shifted by one"),
        (A[2::-1] + 0.0, A[:3], "the order is reversed"),
        (np.array([1.0, 9]), np.array([3.0, 1]), None),
        (np.array([9.0, 3]), np.array([3.0, 2]), None),
        (np.roll(PLANE, -1), PLANE, "everything is shifted by one column"),
        (
            PLANE.T.reshape(3, 4),
            PLANE,
            "this is the transposed result: rows and columns are exchanged",
        ),
        (PLANE[:1, ::-1], PLANE[:1], "the order is reversed"),
        (PLANE[:2, :2].T, PLANE[:2, :2], "this is the transposed"),
        (3 * A, A, "every element is 3 times the right value"),
        (A / 3, A, "every element is 0.33333 times"),
        (3 * A[:1], A[:1], None),
        (A + 8, A, "every element is too large by 8"),
        (A * [1, *[1.0004] * (len(A) - 1)], A, None),
        (0 * A, A, None),
        (-A, A, "every element is -1 times the right value"),
        (np.array([0.0, 2, 4]), np.array([0.0, 1, 2]), None),
        (np.array([3.0, 1.003, 4]), np.array([1.5, 0.5, 2]), None),
        (
            np.array([np.nan, 1, 4, 1, np.inf]),
            A,
            "NaN or infinity: is a value used that nobody wrote",
        ),
        (np.array([np.nan, 1, 4, 1, 6]), A, None),
        (
            np.float16([0.1, 0.7]),
            np.array([0.1, 0.7]),
            "this is float16, which keeps three digits: compute in float32",
        ),
        (np.float16([0.1, 0.8]), np.array([0.1, 0.7]), None),
        (np.float32([0.1, 0.701]), np.array([0.1, 0.7]), None),
    ],
)
def test_patterns_of_a_wrong_result(got, want, hint):
    with np.errstate(all="ignore"):
        found = compare(got, want).hint
    assert found == hint or hint and found.startswith(hint), found


@pytest.mark.parametrize(
    ("agrees", "wrong", "named"),
    [
        ({"a": "111"}, [0, 1, 2], "a"),
        ({"a": "011"}, [0, 1, 2], None),
        ({"a": "110"}, [0, 1, 2], "a"),
        ({"a": "100"}, [0, 1, 2], None),
        ({"a": "10"}, [0, 1], None),
        ({"a": "0010"}, [2], None),
        ({"a": "1010"}, [2], "a"),
        ({"a": "110", "b": "111"}, [0, 1, 2], "b"),
        ({"a": "111", "b": "111"}, [0, 1, 2], "a"),
        ({}, [0], None),
        ({"a": "11100"}, [0], "a"),
        ({"a": "11000"}, [0], None),
    ],
)
def test_which_mistake_is_recognised(agrees, wrong, named):
    assert (
        recognised(
            agrees,
            lambda mistake, k: mistake[k] == "1",
            len(next(iter(agrees.values()), "1")),
            wrong,
        )
        == named
    )


@pytest.mark.parametrize(
    ("got", "want", "said"),
    [
        ((1, 2), (1, 3), "result 2 is 2, should be 3."),
        ((1,), (1, 3), "1 result where 2 are expected."),
        ((), (1, 3), "0 results where 2 are expected."),
        ([4], 4, "the result is a list with one number."),
        (np.ones((2, 2)), (1, 1), "1 result where 2 are expected."),
        (1.0000001, 1, None),
        (1.1234567, 1, "the result is 1.12346"),
        (12345678, 1, "the result is 12345678, should be 1."),
        (np.array(["a"]), np.array(["a"]), None),
        ("b", "a", "the result is 'b', should be 'a'."),
        (("a", 1), ("a", 2), "result 2 is 1, should be 2."),
        (1 + 0.9e-5, 1, None),
        (1 + 2e-5, 1, "the result is 1.00002, should be 1."),
        (1e-6, 0, None),
        (3e-6, 0, "the result is"),
    ],
)
def test_what_is_wrong_with_a_result(got, want, said):
    problem = compare(got, want)
    assert problem is None if said is None else problem[0].startswith(said), problem


@pytest.mark.parametrize(
    ("answer", "word"),
    [("Yes.", "yes"), ("(b)", "b"), ("(B) stale", "b"), ("b.", "b"), (" (so) ", "so")],
)
def test_words_of_an_answer(answer, word):
    assert comparing.same(answer, word) and not comparing.same(answer, word + "x")


def test_what_an_earlier_contract_lacks_is_said():
    def said(piece):
        return (
            PIECE_EXERCISES["04.sum_columns"]
            .judge(SimpleNamespace(code=usual_text(piece), options=()))
            .text
        )

    assert "one more argument, inner" in said(COLUMNS.first) and "one more argument" not in said(
        COLUMNS
    )
