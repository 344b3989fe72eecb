"""Hints at their borders: each sentence for results, errors and launches made up for it, and none where it is not true."""

from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import mine
from nnlib.course.exercises import checking, comparing, pieces
from nnlib.course.exercises.beyond import beyond_the_end
from nnlib.course.exercises.comparing import compare, recognised
from nnlib.course.exercises.mistakes import usual_text
from nnlib.course.exercises.pieces import PIECE_EXERCISES
from nnlib.course.exercises.unwritten import why_unwritten
from nnlib.cuda import RawKernel
from nnlib.cuda._engine.errors import (
    BarrierError,
    KernelError,
    KernelTimeoutError,
    OutOfBoundsError,
    RaceError,
    UninitializedReadError,
)
from nnlib.mine.judgement import Judgement

RELU, FORWARD, COLUMNS, SGD = (mine.PIECES[name] for name in ("relu", "linear_forward", "sum_columns", "sgd_step"))
GUARD = "A guard must stop it before it "


def beyond(piece, sizes, launched, block, thread, what="out-of-bounds read of x[9]"):
    error = OutOfBoundsError("beyond", what=what, block=(*block, 0, 0)[:3], thread=(*thread, 0, 0)[:3])
    case = piece.case(dict(zip(piece.integers, sizes, strict=True)))
    return beyond_the_end(Judgement(piece, error=error, case=case, launched=launched)) or ""


@pytest.mark.parametrize(("n", "grid", "block", "at", "said"), [
    (100, 4, 32, (3, 4), "thread number 100 has no result to compute: y has 100, counted from 0. " + GUARD),
    (100, 4, 32, (3, 3), ""), (100, 4, 32, (3, 31), "thread number 127 has no"), (100, 4, 32, (0, 0), ""),
    (100, 5, 32, (4, 31), ""), (100, 1, 128, (0, 100), "thread number 100 has"), (100, 3, 33, (2, 32), ""),
    (100, 1, 131, (0, 130), "thread number 130 has"), (1100, 9, 128, (8, 76), "thread number 1,100 has no result"),
    (100, 100, 1, (99, 0), ""), (100, 1, 100, (0, 99), ""),  # just as many
    (101, 26, 128, (25, 32), "warp number 101 has no result to compute: y has 101, counted"), (101, 26, 128, (25, 31), ""),
    (101, 26, 128, (25, 127), "warp number 103 has"), (101, 27, 128, (26, 0), ""), (100, 100, 32, (99, 31), ""),
    (101, 203, 16, (202, 0), "warp number 101 has"), (101, 204, 16, (203, 0), "block number 203 has no result"),
    (100, 104, 64, (101, 5), "block number 101 has no"), (100, 104, 64, (99, 63), "")])
def test_a_thread_behind_the_last_result_of_a_row(n, grid, block, at, said):
    found = beyond(RELU, (n,), ((grid, 1, 1), (block, 1, 1)), at[:1], at[1:])
    assert found.startswith(said) and bool(found) == bool(said), found


WRITE = "out-of-bounds write to y[9]"


@pytest.mark.parametrize(("grid", "block", "at", "thread", "what", "said"), [  # 5 rows, 7 columns
    ((2, 2, 1), (4, 4, 1), (1, 0), (3, 0), WRITE, "the thread with x = 7, y = 0 of the grid has no result: y has 7 col"),
    ((2, 2, 1), (4, 4, 1), (0, 1), (0, 1), WRITE, "the thread with x = 0, y = 5 of the grid has no"),
    ((2, 2, 1), (4, 4, 1), (1, 1), (2, 0), WRITE, ""), ((3, 2, 1), (4, 4, 1), (2, 1), (0, 1), WRITE, ""),
    ((2, 3, 1), (4, 4, 1), (1, 2), (3, 0), WRITE, ""), ((1, 2, 1), (4, 4, 1), (0, 1), (0, 1), WRITE, ""),
    ((7, 5, 1), (1, 1, 1), (6, 4), (0, 0), WRITE, ""), ((2, 2, 1), (4, 4, 1), (1, 1), (3, 3), "out-of-bounds read", ""),
    ((2, 2, 2), (4, 4, 1), (1, 1), (3, 3), WRITE, ""),
    ((1, 2, 1), (7, 3, 1), (0, 1), (0, 2), WRITE, "the thread with x = 0, y = 5 of"),  # columns that fit
    ((2, 1, 1), (6, 5, 1), (1, 0), (1, 0), WRITE, "the thread with x = 7, y = 0 of")])
def test_a_thread_beside_a_plane_of_results(grid, block, at, thread, what, said):
    found = beyond(FORWARD, (5, 3, 7), (grid, block), at, thread, what)
    assert found.startswith(said) and bool(found) == bool(said), found


def test_nothing_is_said_of_threads_that_are_not_known():
    case, launched = RELU.case({"n": 1}), ((1, 1, 1), (32, 1, 1))
    error = OutOfBoundsError("beyond", block=(0, 0, 0), thread=(1, 0, 0))
    assert beyond_the_end(Judgement(RELU, error=error, case=case, launched=launched))
    for other in (RaceError("two", block=(0, 0, 0), thread=(1, 0, 0)), OutOfBoundsError("beyond", block=(0, 0, 0)),
                  OutOfBoundsError("beyond", thread=(1, 0, 0))):
        assert beyond_the_end(Judgement(RELU, error=other, case=case, launched=launched)) is None
    assert beyond_the_end(Judgement(RELU, error=error, launched=launched)) is None
    assert beyond_the_end(Judgement(RELU, error=error, case=case)) is None


@pytest.mark.parametrize(("piece", "error", "said"), [
    (RELU, OutOfBoundsError("", what="read of x[-3]"), "the index of x is negative here: what does the kernel subtract"),
    (RELU, OutOfBoundsError("", what="read of x[9]"), "x has n elements, from 0 to n - 1: is that the index"),
    (FORWARD, OutOfBoundsError("", what="read of w[9]"),
     "w has the shape (outputs, inputs): its indices go from 0 to outputs - 1, 0 to inputs - 1; the last one is the fastest. Which"),
    (FORWARD, OutOfBoundsError("", what="read of tile[9]"), None), (RELU, OutOfBoundsError("", what="nothing"), None),
    (FORWARD, RaceError("", what="two threads write x[3]"), "x is an input: write only to y"),
    (mine.PIECES["max_pool"], RaceError("", what="x[3]"), "x is an input: write only to y and argmax"),
    (FORWARD, RaceError("", what="two threads write y[3]"), "each element of y is the work of one thread, and here two "
     "have the same: are blockIdx, blockDim and threadIdx in its index? Or do several threads bring a part of one "
     "result? Then turn it around: a thread owns a result, and fetches all that belongs to it"),
    (COLUMNS, RaceError("", what="sums[3]"), "a thread owns a result, and fetches all that belongs to it"),
    (FORWARD, RaceError("", what="tile[3]"), None),
    (FORWARD, UninitializedReadError("", what="x_tile[0][16] is read, but nobody has written it"), "a block has 16 × 8 threads here, so "
     "nobody fills column 16 of x_tile, which only keeps banks apart"),
    (FORWARD, UninitializedReadError("", what="x_tile[0][15] is read, but nobody has written it"), None), (FORWARD, KernelError("", what="x[3]"), None),
    (FORWARD, UninitializedReadError("read\n  __shared__ tile holds garbage"), "; a thread that has returned fills nothing, nor does "
     "one that was not launched: a block has 16 × 8 threads here"),
    (FORWARD, UninitializedReadError("read of sum"), None),
    (FORWARD, OutOfBoundsError("beyond\n  shared array tile is declared tile[8][8]"),
     "a block has 16 × 8 threads here, and tile has 8 rows of 8: block and tile must fit each other"),
    (FORWARD, OutOfBoundsError("beyond\n  shared array tile is declared tile[7][16]"), "block and tile must fit each other"),
    (FORWARD, OutOfBoundsError("beyond\n  shared array tile is declared tile[8][16]"), "tile has 8 rows of 16, counted from 0"),
    (COLUMNS, OutOfBoundsError("beyond\n  warps has 8 elements, warps[0] to warps[7]", what="read of warps[8]"), "warps has 8 elements: which"),
    (FORWARD, BarrierError(""), "all threads of the block must come to every __syncthreads()")])
def test_errors_in_the_words_of_the_contract(piece, error, said):
    found = pieces.hint_for(Judgement(piece, "wrong", error=error, launched=((1, 1, 1), (16, 8, 1))))
    assert said == found or said and found.endswith(said) or said and found.startswith(said), found
    assert piece is not FORWARD or "Where a warp shares" not in (found or "")
    assert "a block has" not in (pieces.hint_for(Judgement(piece, "wrong", error=error)) or "")


CONVOLUTION = mine.PIECES["conv_forward"]


@pytest.mark.parametrize(("judged", "text", "said"), [
    (Judgement(FORWARD, error=RaceError("", what="thread 1 reads tile[3]")), "__shared__ float tile[9];", "one thread fills the shared"),
    (Judgement(COLUMNS, error=RaceError("", what="race: writes warps[0]")), "__shared__ float warps[8];", "two threads write the same element"),
    (Judgement(FORWARD, error=KernelTimeoutError("", what="")), "d = p - (k = labels[r] ? 1 : 0);", "k counts the loop, and k = labels[r] ?"),
    (Judgement(FORWARD, error=KernelTimeoutError("")), "for (int i = 0; i < n; i++)", "every thread goes through the whole loop"),
    (Judgement(FORWARD, error=KernelTimeoutError(""), sizes=FORWARD.sizes[0]), "for (int i = threadIdx.x; i < n; i + 1)", None),
    (Judgement(CONVOLUTION, error=OutOfBoundsError("extern", what="tile[9]"), passed=1, sizes={"stride": 2}), "", "with stride 1 it fits"),
    (Judgement(CONVOLUTION, error=OutOfBoundsError("extern", what="tile[9]"), launched=((1, 1, 1), (16, 16, 1))), "",
     "the launch says how many bytes the shared array has: are they enough for all that the kernel keeps in it? Or does an "
     "index go too far, as it does with more threads than the kernel counts on? A block has 16 × 16 threads here"),
    (Judgement(CONVOLUTION, error=OutOfBoundsError("extern", what="tile[9]"), passed=0, sizes={"stride": 2}), "", None)])
def test_errors_that_the_text_explains(judged, text, said):
    found = pieces.hint_for(judged, text)
    assert found is None if said is None else found.startswith(said), found


def test_a_zero_has_no_sign():
    assert compare(np.array([-0.0, 1.0]), np.ones(2))[0] == "the result at [0] is 0, should be 1."


def nobody(size, *written):
    found = np.ones(size, bool)
    found[list(written)] = False
    return found


@pytest.mark.parametrize(("missing", "launched", "said"), [
    (nobody(3, 0, 1, 2), None, None), (nobody(3), None, "does any thread store a result in y?"),
    (nobody(90, 0), None, "the end is missing, only the first is written: does the grid"),
    (nobody(90, 0, 1), None, "the end is missing, only the first 2 are written"),
    (nobody(9, 0, 1, 2, 3), None, "the end is missing, only the first 4 are"),
    (nobody(8, 0, 1, 2, 3), None, "the end is missing, only the first 4 are"),
    (nobody(9, 0, 1, 2, 3, 4), None, "the end is missing: a division in the launch that cuts off"),
    (nobody(90, 0, 1, 2, 3, 4, 5, 6, 7), ((2, 1, 1), (16, 8, 1)),
     "the end is missing: the launch has 256 threads, that is 8 warps"),
    (nobody(90, 0, 1, 2, 3, 4, 5, 6, 7), ((2, 1, 1), (16, 9, 1)), "the end is missing, only the first 8"),
    (nobody(9, 1), ((1, 1, 1), (32, 1, 1)), "which thread should write that element of y? Work"),
    (nobody(9, 1), ((1, 2, 1), (32, 1, 1)), "which thread should write that element of y? Work out its index"),
    (nobody(9, 8), None, "which thread should write"), (nobody(9, 4), None, "which thread should write")])
def test_what_nobody_wrote(missing, launched, said):
    found = why_unwritten("y", ["n"], missing, launched)
    assert found is None if said is None else found.startswith(said), found


def test_a_warps_number_without_brackets_is_told():
    text = "int at = blockIdx.x * blockDim.x + threadIdx.x / 32; y[at] = sum;"
    assert "only threadIdx.x is divided" in why_unwritten("y", ["n"], nobody(9, 0), ((2, 1, 1), (256, 1, 1)), text)
    assert "only threadIdx.x" not in why_unwritten("y", ["n"], nobody(9, 0), ((2, 1, 1), (256, 1, 1)),
                                                   "int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32;")


def test_a_grid_made_of_other_sizes_is_told_where_a_size_is_larger_than_any_of_the_contract():
    image = mine.PIECES["conv_forward"]
    text = image.plain.replace("(N * F * OH * OW + 255)", "(N * F * H * W + 255)")
    assert text != image.plain
    said = PIECE_EXERCISES["05.conv_forward"].judge(RawKernel(text, "conv_forward")).text
    assert "as many as the launch has threads: of which sizes is the grid made? It needs N, F, OH and OW" in said, said


@pytest.mark.parametrize(("text", "said"), [
    ("y[i] = 1;", False), ("y[i] += 1;", True), ("atomicAdd(&y[i], 1);", True), ("*y += 1;", True), ("", False),
    ("sum += y[i];", False), ("for (int k = 0; k < n; k += 32) atomicAdd(&s[k], y[i]);", False)])
def test_only_who_adds_is_told_what_adding_does(text, said):
    found = why_unwritten("y", ["n"], nobody(3), None, text)
    assert found.startswith("does any thread store a result in y?") and ("garbage" in found) == said


@pytest.mark.parametrize(("index", "said"), [
    ("(blockIdx.x * blockDim.x + threadIdx.x) / 32", "let lane 0 of each warp store its result"),
    ("(blockIdx.x * blockDim.x + threadIdx.x) >> 5", "let lane 0 of each warp"),
    ("threadIdx.x / 32", "the grid needs a block for each")])
def test_one_result_of_each_block(index, said):
    assert said in why_unwritten("y", ["n"], nobody(7, 0), ((1, 1, 1), (256, 1, 1)), f"int r = {index};")


@pytest.mark.parametrize(("wrong", "said"), [
    ((slice(None), -1), "only the last of outputs is wrong: what is different there?"), ((0,), "only the first of N is wrong"),
    ((-1,), "only the last of N is wrong"), ((slice(None), [0, -1]), "only the first and the last of outputs are wrong: what"),
    ((1,), None), ((slice(None), slice(1, None)), None), ((slice(None),), None), ((0, 0), "only the first of N is wrong")])
def test_where_a_result_is_wrong(wrong, said):
    want = np.ones((3, 4))
    got = want.copy()
    got[wrong] = 2
    found = pieces._where(FORWARD, "y", got, want)
    assert found is None if said is None else found.startswith(said), found
    assert pieces._where(FORWARD, "y", 0 * want[:2, :2], want[:2, :2]) is None
    assert pieces._where(FORWARD, "y", np.array([[2.0, 1], [2, 1]]), want[:2, :2]) is None  # of two, each is an edge


def wrote(piece, change, sizes, launched=((2, 1, 1), (32, 1, 1)), **found):
    """The hint where the kernel left the right results, changed."""
    case = piece.case(sizes)
    got = {name: case.arguments[name].copy() for name in piece.written}
    for name in got:
        got[name][...] = case.expected[name]
    change(got[piece.written[0]])
    return pieces.hint_for(Judgement(piece, "wrong", case=case, got=got, launched=launched, **found))


def one_wrong(y):
    y[1] = 7


def one_missing(y):
    y.view(np.uint32)[1] = 0x7FC0BEEF


def as_before(w):
    w[1] = SGD.case({"n": 9}).arguments["w"][1]


@pytest.mark.parametrize(("piece", "change", "sizes", "said"), [
    (RELU, one_wrong, {"n": 9}, "work out one element by hand and compare: y[i] = max(x[i], 0)"),
    (SGD, lambda w: w.__imul__(2), {"n": 9}, "every element is 2 times the right value"),
    (RELU, one_missing, {"n": 9}, "which thread should write that element of y?"),
    (SGD, as_before, {"n": 9}, "which thread should write that element of w?"),
    (SGD, one_wrong, {"n": 9}, "work out one element by hand"),
    (FORWARD, lambda y: y[:, -1].fill(9), {"N": 4, "inputs": 5, "outputs": 6}, "only the last of outputs is wrong"),
    (RELU, lambda y: None, {"n": 9}, None)])
@pytest.mark.filterwarnings("ignore:invalid value")
def test_results_of_a_piece(piece, change, sizes, said):
    found = wrote(piece, change, sizes)
    assert found is None if said is None else found.startswith(said), found


def test_a_piece_without_results_or_with_right_ones():
    assert wrote(RELU, one_wrong, {"n": 9}, right=True).startswith("any grid must do: a thread that has done its element")
    assert pieces.hint_for(Judgement(RELU, "grid.x is 0; must be 1 or more")).startswith("integers: a division cuts off")
    assert pieces.hint_for(Judgement(RELU, "grid.w is 0; no")) is None
    assert pieces.hint_for(Judgement(RELU, "block.x is 4099; a GPU takes 1 to 1024")).startswith("take 256 threads")
    assert pieces.hint_for(Judgement(RELU, "block.x is 0; a GPU takes 1 to 1024")) is None
    assert pieces.hint_for(Judgement(RELU, "wrong", case=RELU.case({"n": 1}))) is None


def test_what_a_workshop_says(monkeypatch):
    """One hint, ours before the simulator's; how far the kernel came; nothing kept of a wrong one."""
    def said(name, **found):
        monkeypatch.setattr(pieces.mine, "judge", lambda piece, text, seed: Judgement(piece, **found))
        verdict = pieces.PIECE_EXERCISES[name].judge(SimpleNamespace(options=(), code="text"))
        assert not verdict.solved and pieces.PIECE_EXERCISES[name].stars == 0
        return verdict.text

    theirs = "linear_forward: it stops\n  at line 3\n  hint: of the simulator"
    assert said("03.linear_forward", problem=theirs, error=KernelError("")) == (
        "✗ 03.linear_forward: it stops\n  at line 3\n  hint: of the simulator")
    assert said("03.linear_forward", problem=theirs, error=BarrierError("")).startswith(
        "✗ 03.linear_forward: it stops\n  at line 3\n  Hint: all threads of the block must")
    assert said("05.conv_forward", problem="wrong", sizes={}, passed=2) == (
        "✗ 05.conv_forward: ✓ one plane  ✓ stride and padding  ✗ channels\n  wrong")
    assert said("05.conv_forward", problem="wrong", sizes={}, passed=5).endswith("✓ pictures  ✗ other sizes\n  wrong")
    assert said("05.conv_forward", problem="slow", sizes={}, right=True) == "✗ 05.conv_forward: slow"
    assert pieces.PIECE_EXERCISES["04.relu"].judge("text").text == (
        "✗ 04.relu: run the %%cuda cell with the kernel relu first.")


@pytest.mark.parametrize(("body", "use", "torn"), [
    ("W - K + 1", "at / OW", "/ OW"), ("W - K + 1", "oy * OW + ox", "* OW"), ("(W - K) / 2 + 1", "OW * 4", "OW *"),
    ("W / 2", "at % OW", "% OW"), ("(W - K + 1)", "at / OW", None), ("W - K + 1", "ox < OW", None), ("16", "at / OW", None),
    ("W * 2", "4 * OW", None), ("-1", "4 * OW", None), ("W - 1  // columns", "n - OW", "- OW")])
def test_a_define_without_brackets_is_named(body, use, torn):
    said = pieces._torn_macro(f"#define OW {body}\nint a = {use};")
    assert (f"in {torn} the operator" in said and f"({body.split(' //')[0].strip()})" in said) if torn else said is None


def test_options_of_a_cell_become_lines_of_its_text():
    kernel = SimpleNamespace(options=("-DTILE=16", "-D FAST", "--std=c++17", "-DTEXT=a=b", "-DNONE="), code="\n\nvoid\n")
    assert pieces._with_options(kernel).split("\n") == [
        "#define TILE 16", "#define FAST 1", "#define TEXT a=b", "#define NONE 1", "void"]


A = np.array([3.0, 1, 4, 1, 5])
PLANE = np.arange(1, 13.0).reshape(3, 4)


@pytest.mark.parametrize(("got", "want", "hint"), [
    (A[::-1] + 0.0, np.array([3.0, 1, 4, 2, 5]), None), (A[::-1].copy(), A, "the order is reversed"),
    (np.array([2.0, 1, 0]), np.array([0.0, 1, 2]), "the order is reversed"), (A[[1, 0]], A[:2], None),
    (np.array([1.0, 4, 1, 5, 9]), A, "everything is shifted by one element: check where the index starts"),
    (np.array([9.0, 3, 1, 4, 1]), A, "everything is shifted by one element: check where the index starts"),
    (np.array([9.0, 3, 1]), A[:3], "everything is shifted by one"), (A[2::-1] + 0.0, A[:3], "the order is reversed"),
    (np.array([1.0, 9]), np.array([3.0, 1]), None), (np.array([9.0, 3]), np.array([3.0, 2]), None),
    (np.roll(PLANE, -1), PLANE, "everything is shifted by one column"),
    (PLANE.T.reshape(3, 4), PLANE, "this is the transposed result: rows and columns are exchanged"),
    (PLANE[:1, ::-1], PLANE[:1], "the order is reversed"), (PLANE[:2, :2].T, PLANE[:2, :2], "this is the transposed"),
    (3 * A, A, "every element is 3 times the right value"), (A / 3, A, "every element is 0.33333 times"),
    (3 * A[:1], A[:1], None), (A * [1, *[1.0004] * (len(A) - 1)], A, None), (0 * A, A, None),
    (-A, A, "every element is -1 times the right value"),
    (np.array([0.0, 2, 4]), np.array([0.0, 1, 2]), None), (np.array([3.0, 1.003, 4]), np.array([1.5, 0.5, 2]), None),
    (np.array([np.nan, 1, 4, 1, np.inf]), A, "NaN or infinity: is a value used that nobody wrote"),
    (np.array([np.nan, 1, 4, 1, 6]), A, None),
    (np.float16([0.1, 0.7]), np.array([0.1, 0.7]), "this is float16, which keeps three digits: compute in float32"),
    (np.float16([0.1, 0.8]), np.array([0.1, 0.7]), None), (np.float32([0.1, 0.701]), np.array([0.1, 0.7]), None)])
def test_patterns_of_a_wrong_result(got, want, hint):
    with np.errstate(all="ignore"):
        _, found = compare(got, want)
    assert found == hint or hint and found.startswith(hint), found


def left_out(shape, *written):
    found = np.full(shape, comparing.UNWRITTEN)
    for place in written:
        found[place] = 1
    return found


@pytest.mark.parametrize(("got", "said", "hint"), [
    (left_out(4), "no thread wrote [0] of the result (4 of 4 elements are missing).", "does any thread store a result, and"),
    (left_out(4, 0, 1), "no thread wrote [2] of the result (2 of 4 elements are missing).", "the end is missing: a guard"),
    (left_out(4, 3), "no thread wrote [0] of", "which thread should write that element? Work out its index: is blockIdx in "
     "it, is the guard right?"), (left_out(4, 1), "no thread wrote [0] of", "which thread should write that element?"),
    (left_out((2, 3), (0, 0)), "no thread wrote [0, 1] of the result (5 of 6", "the end is missing"),
    (left_out((2, 3), (0, 1)), "no thread wrote [0, 0] of the result (5 of 6", "which thread should write that element? Work "
     "out its index: is blockIdx in it, for x and for y, do rows come from .y"), (left_out((1, 1, 3), (0, 0, 0)),
     "no thread wrote [0, 0, 1]", "the end is missing")])
def test_elements_that_nobody_wrote(got, said, hint):
    problem, found = compare(got, np.ones(got.shape), fresh=[True])
    assert problem.startswith(said) and found.startswith(hint)
    assert compare(got, np.ones(got.shape))[0].startswith("the result at [") and compare(
        got, np.ones(got.shape), fresh=[False])[0].startswith("the result at [")


@pytest.mark.parametrize(("agrees", "wrong", "named"), [
    ({"a": "111"}, [0, 1, 2], "a"), ({"a": "011"}, [0, 1, 2], None), ({"a": "110"}, [0, 1, 2], "a"),
    ({"a": "100"}, [0, 1, 2], None), ({"a": "10"}, [0, 1], None), ({"a": "0010"}, [2], None), ({"a": "1010"}, [2], "a"),
    ({"a": "110", "b": "111"}, [0, 1, 2], "b"), ({"a": "111", "b": "111"}, [0, 1, 2], "a"), ({}, [0], None),
    ({"a": "11100"}, [0], "a"), ({"a": "11000"}, [0], None)])
def test_which_mistake_is_recognised(agrees, wrong, named):
    assert recognised(agrees, lambda mistake, k: mistake[k] == "1", len(next(iter(agrees.values()), "1")), wrong) == named


@pytest.mark.parametrize(("got", "want", "said"), [
    ((1, 2), (1, 3), "result 2 is 2, should be 3."), ((1,), (1, 3), "1 result where 2 are expected."),
    ((), (1, 3), "0 results where 2 are expected."), ([4], 4, "the result is a list with one number."),
    (np.ones((2, 2)), (1, 1), "1 result where 2 are expected."), (1.0000001, 1, None), (1.1234567, 1, "the result is 1.12346"),
    (12345678, 1, "the result is 12345678, should be 1."), (np.array(["a"]), np.array(["a"]), None),
    ("b", "a", "the result is 'b', should be 'a'."), (("a", 1), ("a", 2), "result 2 is 1, should be 2."),
    (1 + 0.9e-5, 1, None), (1 + 2e-5, 1, "the result is 1.00002, should be 1."), (1e-6, 0, None), (3e-6, 0, "the result is")])
def test_what_is_wrong_with_a_result(got, want, said):
    problem = compare(got, want)
    assert problem is None if said is None else problem[0].startswith(said), problem


@pytest.mark.parametrize(("answer", "word"), [("Yes.", "yes"), ("(b)", "b"), ("(B) stale", "b"), ("b.", "b"), (" (so) ", "so")])
def test_words_of_an_answer(answer, word):
    assert comparing.same(answer, word) and not comparing.same(answer, word + "x")


@pytest.mark.parametrize(("most", "value", "said"), [
    (10, 10, None), (10, 10.4, "global load sectors: 10.4; at most 10 pass, and fewer are better."),
    (10, 10.5, "global load sectors: 10.5, 1.1 times as many; at most"), (0, 3, "global load sectors: 3; at most 0 pass"),
    (10, 25, "global load sectors: 25, 2.5 times as many; at most 10 pass, and fewer are better.")])
def test_a_limit_and_what_is_above_it(most, value, said):
    profile = SimpleNamespace(global_load=SimpleNamespace(sectors=value))
    found = checking.Limit("global_load.sectors", most, "").complaint(profile)
    assert found is None if said is None else found.startswith(said), found


def test_who_works_alone_may_store_some_times():
    assert [checking.alone(threads).most for threads in (1, 32, 33, 64)] == [4, 4, 8, 8]
    assert checking.alone(33, 1).most == 2


@pytest.mark.parametrize(("hint", "code", "there"), [
    ("guard with x < width", "if (x<width) y;", True), ("guard with x < width", "if (x >= width) return;", True),
    ("x < width and y < height", "if (x < width) y;", False), ("x < width and y < height", "if (x >= width || (y) >= height)", True),
    ("guard it", "if (x < width)", False), ("i < n / 4", "if (i < n)", False), ("i < n / 4", "if (i < n / 4)", True)])
def test_a_guard_that_is_there_is_not_asked_for(hint, code, there):
    assert checking._has_guard(hint, code) == there


def test_the_hint_of_an_exercise_for_an_error():
    exercise = checking.KernelExercise("00.hint", lambda rng: None, [], {OutOfBoundsError: ("guard with i < n", "count")})
    del checking._REGISTRY["00.hint"]
    beyond_it, code = OutOfBoundsError("", line=2), "{\nif (i < n)\n}"
    assert exercise._hint(beyond_it, code) == "count" and exercise._hint(beyond_it, "") == "guard with i < n"
    assert exercise._hint(beyond_it, "if (k < n)") == "guard with i < n; count"
    assert exercise._hint(RaceError(""), code) is None
    exercise.hints = {OutOfBoundsError: ("guard with x < width and y < height", "count")}
    for guard, told in (("if (x < width || y < height)", True), ("if (y >= height && x >= width) return;", True),
                        ("if (x < width && y < height)", False), ("if (x >= width || y >= height) return;", False)):
        assert exercise._hint(beyond_it, guard).startswith("the guard stops a thread only where both conditions fail") == told
    exercise.hints = {OutOfBoundsError: "guard", BarrierError: "stay"}
    assert exercise._hint(beyond_it, code) == "guard" and exercise._hint(BarrierError(""), "") == "stay"
    exercise.hints = {}
    assert exercise._hint(beyond_it, code).startswith("there is a guard") and exercise._hint(RaceError("", line=2), code) is None
    assert exercise._hint(OutOfBoundsError("", line=1), code) is None and exercise._hint(beyond_it, "x\ny") is None


@pytest.mark.parametrize(("value", "word"), [
    (np.arange(5), "array [0, 1, 2, 3, 4]"), (np.arange(6), "array of shape (6,)"), (np.eye(2), "array of shape (2, 2)"),
    ([1, 2], "[1, 2]"), ("a", "'a'")])
def test_what_a_case_is_called(value, word):
    assert checking._short(value) == word


def test_sizes_of_a_case_are_named():
    assert checking._label(lambda rng, rows, columns: None, (3, 4)) == "rows = 3, columns = 4"
    assert checking._label(lambda rng, n: None, 33) == "n = 33"
    assert checking.Out((2, 3)).make().shape == (2, 3) and np.isnan(checking.Out(2).make()).all()
    assert checking.Out(initial=[1, 2]).make().tolist() == [1, 2]
    assert [checking._kind(value) for value in (..., None, 3)] == ["nothing yet", "nothing yet", "something of type int"]


def test_what_an_earlier_contract_lacks_is_said():
    def said(piece):
        return PIECE_EXERCISES["04.sum_columns"].judge(SimpleNamespace(code=usual_text(piece), options=())).text

    assert "Lesson 05 adds the size inner to it" in said(COLUMNS.first) and "adds the size" not in said(COLUMNS)
