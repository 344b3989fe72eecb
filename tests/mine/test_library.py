"""The folder, the record and the engine where things go wrong: a clear sentence, nothing lost, training goes on."""

import json
import os
import re
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from nnlib import mine, ops
from nnlib.mine import folder, library
from tests.benchmarks.pieces import solutions

RELU = mine.PIECES["relu"]
MINE = """// <<<(n + 127) / 128, 128>>>
extern "C" __global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;
}"""
SLOW = """// <<<(n + 7) / 8, 8>>>
extern "C" __global__ void relu(const float* x, float* y, int n) {
    int i = threadIdx.x * gridDim.x + blockIdx.x;
    if (i < n) y[i] = fmaxf(0.0f, x[i]);
}"""
X = np.array([-1, 0, 2], np.float32)


def save(text=MINE, solution=False):
    verdict = mine.judge(RELU, text)
    assert verdict.solved, verdict.problem
    return mine.save("relu", verdict, text, solution)


def relu_runs():
    """Whose relu an operation launches now."""
    mine.forget_launches()
    with ops.engine("mine"):
        assert ops.relu(X).tolist() == [0, 0, 2]
    return next(whose for whose, counts in mine.launches().items() if counts)


def test_a_piece_is_saved_with_a_header_and_runs(own_folder):
    assert relu_runs() == "course"
    said = save()
    assert said.startswith("Saved as mine/relu.cu: 1 of 15 kernels is yours; ")
    text = (own_folder / "relu.cu").read_text("utf-8")
    assert text.endswith(MINE + "\n") and text.startswith(
        "// relu: y[i] = max(x[i], 0)\n// lesson 04, 20"
    )
    assert "// score 3, best 3: sectors 2,048" in text and "solution of the course" not in text
    assert relu_runs() == "yours"


def test_the_old_text_is_kept_and_the_best_score_remembered(own_folder, capsys):
    save()
    save()
    assert not (own_folder / "older").exists()
    first = mine.saved("relu")
    save(SLOW)
    assert [file.name for file in (own_folder / "older").iterdir()] == ["relu-1.cu"]
    assert MINE in (own_folder / "older" / "relu-1.cu").read_text("utf-8")
    kept = library.saved("relu")
    assert (kept.stars, kept.best) == (1, 3)
    mine.report()
    assert "★☆☆  yours (once ★★★)" in capsys.readouterr().out
    mine.take_back("relu", first)
    assert mine.stars("relu") == 3
    mine.folder.path(RELU).unlink()
    assert mine.take_back("relu", first) == "There is no relu in your library."


@pytest.mark.parametrize("earlier", [None, folder.parse("// never ran")])
def test_a_first_text_is_taken_back_and_kept(own_folder, earlier):
    save()
    assert "plain version runs" in mine.take_back("relu", earlier) and relu_runs() == "course"
    assert (own_folder / "older" / "relu-1.cu").exists()


def test_a_solution_of_the_course_is_called_so_and_never_replaces_ones_own(own_folder):
    assert "relu is solutions of the course" not in save(RELU.plain, solution=True)
    assert relu_runs() == "solution" and "relu is a solution of the course" in mine.progress()
    solution = mine.saved("relu")
    save()
    assert relu_runs() == "yours"
    assert save(RELU.plain, solution=True) == "Your own relu stays in your library."
    assert relu_runs() == "yours"
    assert "relu is a solution" in mine.take_back("relu", solution)


def test_a_short_kernel_is_ones_own_until_the_solution_is_unfolded(own_folder):
    text = solutions()["relu"][0]
    assert (
        save(text).startswith("Saved as mine/relu.cu: 1 of 15 kernels is yours; ")
        and relu_runs() == "yours"
    )
    (own_folder / "relu.cu").unlink()
    save(text, solution=True)
    save(text)
    assert relu_runs() == "solution"


def test_a_long_kernel_like_the_solution_is_the_solution():
    assert mine.is_solution("sum_columns", solutions()["sum_columns"][0])


def test_a_piece_changed_by_hand_is_judged_again(own_folder, capsys):
    save()
    file = own_folder / "relu.cu"
    file.write_text(file.read_text("utf-8").replace("x[i] : 0.0f", "x[i] : -0.0f"), "utf-8")
    assert relu_runs() == "yours" and library.saved("relu").judged
    wrong = file.read_text("utf-8").replace("x[i] > 0.0f ?", "x[i] < 0.0f ?")
    file.write_text(wrong, "utf-8")
    assert relu_runs() == "course" and relu_runs() == "course"
    said = capsys.readouterr().out
    assert (
        said.count("relu.cu is not used, the course's plain relu runs instead: n = 1000: y[") == 1
    )
    assert file.read_text("utf-8") == wrong
    mine.report()
    assert (
        "relu                        there, but not right: n = 1000: y[" in capsys.readouterr().out
    )
    file.write_text(wrong.replace("] < 0", "] > 0"), "utf-8")
    assert relu_runs() == "yours"


def test_a_file_of_ones_own_without_a_header_is_taken_when_it_is_right(own_folder):
    own_folder.mkdir()
    (own_folder / "relu.cu").write_text(MINE, "utf-8")
    assert relu_runs() == "yours"
    assert (own_folder / "relu.cu").read_text("utf-8").startswith("// relu: ")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (MINE[: len(MINE) // 2].encode(), "is not used"),
        (b"", "is not used"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"// " + b"x" * 300_000, "too large"),
        (MINE.replace("extern", "extren").encode(), "is not used"),
        (MINE.replace("relu", "rleu").encode(), "no kernel named 'relu'"),
        (MINE.replace("int n", "float n").encode(), "its contract is"),
    ],
)
def test_a_damaged_file_is_told_and_the_course_goes_on(own_folder, capsys, content, words):
    own_folder.mkdir()
    file = own_folder / "relu.cu"
    file.write_bytes(content)
    assert relu_runs() == "course" and words in capsys.readouterr().out
    assert file.read_bytes() == content


def test_a_folder_in_the_place_of_a_file(own_folder, capsys):
    (own_folder / "relu.cu").mkdir(parents=True)
    assert relu_runs() == "course" and "cannot be read" in capsys.readouterr().out
    assert "could not be saved" in save()


def test_a_folder_that_cannot_be_written(tmp_path, environ):
    (tmp_path / "file").write_text("")
    environ(NNLIB_MINE=tmp_path / "file" / "mine")
    said = save()
    assert "could not be saved in" in said and "Set NNLIB_MINE" in said
    assert relu_runs() == "yours"
    save(SLOW)
    assert library.saved("relu").body == SLOW.strip()
    environ(NNLIB_MINE=tmp_path / "mine")
    assert "Saved as" in save()
    assert library.saved("relu").body == MINE.strip()


def test_a_kernel_that_fails_at_the_sizes_of_the_network(capsys):
    few = MINE.replace(
        "int n) {", "int n) { __shared__ float all[8192]; if (threadIdx.x == 0) all[n - 1] = 1.0f;"
    )
    mine.save("relu", mine.judge(RELU, MINE), few)  # as an older verdict may have let it pass
    x = np.ones(10_000, np.float32)
    with ops.engine("mine"):
        assert (ops.relu(x) == x).all()
        assert (ops.relu(x) == x).all()
    assert mine.launches()["course"] == {"relu": 2}
    assert (
        capsys.readouterr().out.count("relu fails here, the course's plain version runs instead")
        == 1
    )


def test_two_notebooks_save_at_once(own_folder):
    verdicts = {text: mine.judge(RELU, text) for text in (MINE, SLOW)}
    workers = [
        threading.Thread(target=mine.save, args=("relu", verdicts[text], text))
        for text in (MINE, SLOW) * 8
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert folder.read(RELU).body in (MINE, SLOW) and folder.read(RELU).judged
    assert all(
        folder.parse(file.read_text("utf-8")).judged for file in (own_folder / "older").iterdir()
    )
    assert {file.suffix for file in own_folder.iterdir() if file.is_file()} == {".cu"}


def test_empty_batches_need_no_launch():
    with ops.engine("mine"):
        assert ops.relu(np.zeros((0, 3), np.float32)).shape == (0, 3)
        empty = np.zeros((0, 3), np.float32)
        dx, dw, db = ops.linear_backward(
            np.zeros((0, 2), np.float32), empty, np.ones((2, 3), np.float32)
        )
    assert dx.shape == (0, 3) and not dw.any() and not db.any()


# --- words and borders ---------------------------------------------------------------------------


def test_where_the_library_lies(monkeypatch, environ, here, stand_in):
    asked, writable = [], True
    (here / "home").mkdir()
    stand_in("jupyter_core.paths")  # else files lie where Jupyter begins
    environ(HOME=here / "home")
    monkeypatch.setattr(
        folder.os, "access", lambda place, mode: (asked.append((place, mode)), writable)[1]
    )
    assert str(folder.folder()) == os.environ["NNLIB_MINE"]
    environ(NNLIB_MINE=None, CI=None, PYTEST_VERSION=None)
    assert folder.folder() == here / "mine" and asked == [(here, os.W_OK)]
    (here / "mine").mkdir()
    assert folder.folder() == here / "mine" and asked[1:] == [(here / "mine", os.W_OK)]
    writable = False
    assert folder.folder() == here / "home" / "nnlib-mine"
    for name in ("CI", "PYTEST_VERSION"):
        environ(**{name: "1"})
        assert folder.folder() == folder.folder() != here / "home" / "nnlib-mine"
        assert folder.folder().name.startswith("nnlib-mine-")
        environ(**{name: None})


def test_a_header_and_what_is_read_of_it(own_folder):
    saved = folder.Saved("\nbody\n", stars=2, best=3, solution=True)
    head = saved.file(RELU, "sectors 9").split("\n")
    assert head[0] == "// relu: y[i] = max(x[i], 0)" and re.fullmatch(
        r"// lesson 04, \d{4}-\d\d-\d\d, solution of the course", head[1]
    )
    assert head[2:4] == [f"// {RELU.defined}", "// score 2, best 3: sectors 9"] and re.fullmatch(
        "// judged [0-9a-f]{16}: change what you like below; it is checked again before it runs",
        head[4],
    )
    assert head[5:] == ["", "body", ""]
    text = "\n".join(head)
    assert folder.parse(text) == folder.Saved("body", True, 2, 3, True, text)
    assert folder.parse(text.replace("body", "bodies")).judged is False
    assert folder.parse("body\n") == folder.Saved("body", text="body\n")
    own_folder.mkdir()
    file = own_folder / "relu.cu"
    file.write_text("x" * folder.MOST, "utf-8")
    assert len(folder.read(RELU).body) == folder.MOST == 200_000
    file.write_text("x" * (folder.MOST + 1), "utf-8")
    with pytest.raises(folder.PieceFileError, match="relu.cu is too large for a kernel"):
        folder.read(RELU)


NEEDED = library.NEEDED


@pytest.mark.parametrize(
    ("owners", "said"),
    [
        ({}, f"0 of 15 kernels are yours; {', '.join(NEEDED[:4])} and 11 more are the course's."),
        (dict.fromkeys(NEEDED, "yours"), "15 of 15 kernels are yours."),
        (
            dict.fromkeys([*NEEDED, "conv_relu"], "yours"),
            "15 of 15 kernels are yours, and conv_relu.",
        ),
        (
            dict.fromkeys([*NEEDED, "conv_relu", "conv_relu_pool"], "yours"),
            "15 of 15 kernels are yours, and conv_relu and conv_relu_pool.",
        ),
        (
            dict.fromkeys(NEEDED[1:], "yours"),
            f"14 of 15 kernels are yours; {NEEDED[0]} is the course's.",
        ),
        (
            dict.fromkeys(NEEDED[4:], "yours"),
            f"11 of 15 kernels are yours; {', '.join(NEEDED[:4])} are the course's.",
        ),
        (
            dict.fromkeys(NEEDED[5:], "yours"),
            f"10 of 15 kernels are yours; {', '.join(NEEDED[:4])} and 1 more are the course's.",
        ),
        (
            {**dict.fromkeys(NEEDED, "yours"), NEEDED[2]: "solution"},
            f"14 of 15 kernels are yours; {NEEDED[2]} is a solution of the course.",
        ),
        (
            {
                **dict.fromkeys(NEEDED, "yours"),
                **dict.fromkeys(NEEDED[2:4], "solution"),
                NEEDED[0]: "course",
            },
            f"12 of 15 kernels are yours; {NEEDED[2]}, {NEEDED[3]} are solutions of the course; {NEEDED[0]} is the "
            "course's.",
        ),
    ],
)
def test_whose_the_kernels_are_in_one_sentence(owners, said, monkeypatch):
    monkeypatch.setattr(library, "whose", lambda name: owners.get(name, "course"))
    assert mine.progress() == said


def test_the_library_on_one_page(capsys):
    save()
    mine.report()
    lines = capsys.readouterr().out.split("\n")
    mine.report(until="06")
    until = capsys.readouterr().out.split("\n")
    assert [*until[-3][:2], len(until)] == ["0", "6", 15 + 2]
    assert lines[0] == "01  normalise_images            –"
    assert lines[len(mine.PIECES)].startswith("1 of 15 kernels is yours;")
    assert "04  relu                   ★★★  yours" in lines and len(lines) == len(mine.PIECES) + 2


def test_a_score_in_one_line():
    found = SimpleNamespace(counters={"sectors": 12345, "atomics": 0, "active lanes": 31.5})
    assert library.detail(found) == "sectors 12,345, active lanes 31.5"


# --- one file for another computer -------------------------------------------------------------


def test_a_library_travels_in_one_file(own_folder, tmp_path, capsys, environ):
    save()
    text = mine.PIECES["max_pool"].plain
    mine.save("max_pool", mine.judge(mine.PIECES["max_pool"], text), text, solution=True)
    mine.export(tmp_path / "library.json")
    environ(NNLIB_MINE=tmp_path / "elsewhere")
    assert relu_runs() == "course"
    mine.load(tmp_path / "library.json")
    said = capsys.readouterr().out
    assert " holds 2 kernels. " in said and "Saved as elsewhere/relu.cu." in said
    assert "1 of 15 kernels is yours; max_pool is a solution of the course;" in said
    assert relu_runs() == "yours"
    (tmp_path / "a: file").touch()
    environ(NNLIB_MINE=tmp_path / "a: file")
    mine.load(tmp_path / "library.json")
    assert " to a folder that can be written.\n" in capsys.readouterr().out


def test_wrong_kernels_of_a_file_are_left_out(own_folder, tmp_path, capsys):
    save()
    path = tmp_path / "library.json"
    mine.export(path)
    path.write_text(path.read_text("utf-8").replace("> 0.0f", "< 0.0f"), "utf-8")
    before = (own_folder / "relu.cu").read_text("utf-8")
    mine.load(path)
    assert "relu is left out: n = 1000: y[" in capsys.readouterr().out
    assert (own_folder / "relu.cu").read_text("utf-8") == before


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"format": "nnlib library 1"}',
        '{"format": "nnlib library 1", "pieces": []}',
        '{"format": "nnlib library 1", "pieces": {"relu": 1}}',
        '{"format": "nnlib library 1", "pieces": {"../../relu": "x"}}',
        "[" * 100_000,
        "x" * 4_000_000,
        json.dumps({"format": "nnlib library 2", "pieces": {"relu": MINE}}),
    ],
)
def test_a_file_from_outside_is_refused_in_words(tmp_path, content):
    path = tmp_path / "library.json"
    path.write_text(content, "utf-8")
    with pytest.raises(mine.LibraryFileError, match="library"):
        mine.load(path)
    with pytest.raises(mine.LibraryFileError, match="is not a library"):
        mine.load(tmp_path / "nothing.json")


def test_the_course_s_versions_run_inside_the_block_whatever_the_library_holds():
    save()
    piece = mine.PIECES["conv_forward"]
    for versions, text in ((mine.plain_versions, piece.plain), (mine.best_versions, piece.best)):
        with versions():
            assert relu_runs() == "course" and library.of("conv_forward").kernel.code == text
    assert piece.plain != piece.best and relu_runs() == "yours"


MATRIX_SUM = """// <<<columns, 32>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns)
{
    float sum = 0.0f;
    for (int r = threadIdx.x; r < rows; r += 32) sum += x[r * columns + blockIdx.x];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}"""


def test_lesson_05_asks_for_the_last_size():
    verdict = mine.judge(mine.AGAIN["sum_columns"], MATRIX_SUM)
    assert not verdict.solved and "int columns, int inner)" in str(verdict)


def test_a_kernel_without_the_last_size_runs_where_that_is_one_and_the_course_elsewhere(capsys):
    piece = mine.PIECES["sum_columns"]
    verdict = mine.judge(piece, MATRIX_SUM)
    assert verdict.solved and verdict.piece is piece.first
    mine.save("sum_columns", verdict, MATRIX_SUM)
    mine.forget_launches()
    x = np.arange(12, dtype=np.float32)
    sums = np.zeros(4, np.float32)
    mine.run("sum_columns", x, sums, 3, 4, 1)
    assert sums.tolist() == x.reshape(3, 4).sum(0).tolist()
    assert (
        mine.launches()["yours"] == {"sum_columns": 1} and "no inner" not in capsys.readouterr().out
    )
    mine.run("sum_columns", x, sums[:2], 3, 2, 2)
    assert sums[:2].tolist() == x.reshape(3, 2, 2).sum((0, 2)).tolist()
    assert mine.launches()["course"] == {"sum_columns": 1}
    assert "Your sum_columns has no inner yet, and here it is not 1" in capsys.readouterr().out


def test_the_whole_contract_is_the_one_that_a_kernel_with_all_sizes_follows():
    piece = mine.PIECES["sum_columns"]
    assert mine.judge(piece, piece.plain, score=False).piece is piece
    assert piece.as_written("no kernel at all") is piece
