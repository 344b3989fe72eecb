"""Copied answers are found however they are disguised, independent ones are not, and starter code counts for nobody."""

import itertools
import random
import re

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from nnlib import mine
from nnlib.course.exercises import parsons
from nnlib.teaching import similar
from nnlib.teaching.cells import store
from nnlib.teaching.similar.tokens import Lexeme, normalised
from nnlib.teaching.similar.winnowing import WINDOW, K, fingerprints, likeness
from tests.mine.answers import RIGHT, lesson_solutions, typed

LONG = [
    "linear_forward",
    "sum_columns",
    "softmax_cross_entropy",
    "conv_forward",
    "conv_grad_weight",
    "conv_grad_input",
]


def prints(text):
    return fingerprints(normalised(text, "cuda"))


def renamed(text):
    """Every name that a student may choose is another one, as are layout, comments and numbers."""
    kernel = re.search(r"__global__ void (\w+)", text)[1]
    names = set(re.findall(r"\b(?:int|float\*?|char\*?)\s+\**(\w+)|, (\w+) =|#define (\w+)", text))
    for number, name in enumerate(
        sorted({name for found in names for name in found if name} - {kernel})
    ):
        text = re.sub(rf"(?<![.\w]){name}\b", f"name{number}", text)
    text = text.replace("0.0f", "0.f").replace("    ", "\t").replace("{\n", "\n{ // begin\n")
    return "/* my own work */\n" + re.sub(r"(\w+)\+\+", r"++\1", text).replace(
        "int ", "const int ", 1
    )


def shuffled(text):
    """Neighbouring declarations of the body change places, and so do the operands of products with a number."""
    lines = text.split("\n")
    for at in range(len(lines) - 1):
        if all(re.match(r"\s+(?:int|float) \w+ = .*;$", line) for line in lines[at : at + 2]):
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
    return re.sub(r"(?<![.\w])(\w+) \* (\d+)\b", r"\2 * \1", "\n".join(lines))


@pytest.mark.parametrize("name", LONG)
def test_a_renamed_copy_is_found(name):
    for text in (typed(name), mine.PIECES[name].plain, mine.PIECES[name].best):
        assert renamed(text) != text
        assert likeness(prints(text), prints(renamed(text))) >= 0.9


@pytest.mark.parametrize("name", LONG)
def test_a_reordered_copy_is_found(name):
    text = mine.PIECES[name].best
    assert likeness(prints(text), prints(renamed(shuffled(text)))) >= 0.8


def test_functions_in_another_order_are_found():
    first, *others = re.split(r"(?=__device__ float \w+\()", COMPANY)
    assert likeness(prints(COMPANY), prints(first + "".join(reversed(others)))) >= 0.8


COMPANY = """
__device__ float inner(float x) { return 0.79788456f * (x + 0.044715f * x * x * x); }
__device__ float up(float x) { float t = tanhf(inner(x)); return 0.5f * x * (1.0f + t); }
__device__ float slope(float x) { float t = tanhf(inner(x)); float s = 0.8f + 0.1f * x * x; return s * (1 - t); }
"""


@pytest.mark.parametrize("name", LONG)
def test_independent_answers_are_not_alike(name):
    texts = {mine.PIECES[name].plain, mine.PIECES[name].best}
    texts |= {
        text for text in RIGHT.get(name, ()) if text.startswith("// <<<")
    }  # the others change a few words
    assert len(texts) >= 2
    for one, other in itertools.combinations(texts, 2):
        assert likeness(prints(one), prints(other)) < similar.LEAST_SCORE


def test_what_is_long_enough_is_always_found_and_what_is_short_never():
    rng = random.Random(1)
    words = [f"w{number}" for number in range(400)]
    for _ in range(200):
        common = [Lexeme(word, 1) for word in rng.sample(words, K + WINDOW - 1)]
        one, other = (
            [Lexeme(f"{who}{number}", 1) for number in range(rng.randrange(60))] for who in "ab"
        )
        assert fingerprints(one + common).keys() & fingerprints(other + common + other).keys()
        short = common[: K - 1]
        assert (
            not fingerprints(one + short + one).keys() & fingerprints(other + short + other).keys()
        )


@pytest.mark.parametrize(
    "one, other",
    [
        ("int a = 2 * b[i] + 1;", "int x=y[k]*7+3;"),
        ("for (int i = 0; i < n; i++)", "for (int k = 1; m > k; ++k)"),
        ("if (i < n) { y[i] = x[i]; }", "if (k < m) q[k] = p[k];"),
        ("f(a); // then", "f(b);"),
    ],
)
def test_a_disguise_is_no_longer_seen(one, other):
    assert [token.word for token in normalised(one, "cuda")] == [
        token.word for token in normalised(other, "cuda")
    ]


@pytest.mark.parametrize(
    "one, other",
    [
        ("a = b + c;", "a = b - c;"),
        ("x = expf(y);", "x = logf(y);"),
        ("threadIdx.x", "blockIdx.x"),
        ("float a;", "int a;"),
    ],
)
def test_what_a_text_does_is_seen(one, other):
    assert [token.word for token in normalised(one, "cuda")] != [
        token.word for token in normalised(other, "cuda")
    ]


@pytest.fixture
def hand_in(tmp_path):
    def hand_in(student, *cells):
        path = tmp_path / student / "05_im2col_convolution.ipynb"
        path.parent.mkdir()
        store(new_notebook(cells=[new_code_cell(cell) for cell in cells]), path)
        return tmp_path

    return hand_in


def test_a_class_is_reported(hand_in, capsys):
    piece = mine.PIECES["conv_grad_weight"]
    shown = RIGHT["sum_columns"][2]
    hand_in("ann", f"%%cuda\n{piece.best}", f"%%cuda\n{mine.PIECES['sum_columns'].best}")
    hand_in("ben", f"%%cuda\n{renamed(shuffled(piece.best))}")
    hand_in("cem", f"%%cuda\n{lesson_solutions('05')['max_pool']}")
    hand_in("dee", f"%%cuda\n{shown}", "def f(:", "x = 1")
    folder = hand_in("eva", "%%cuda\n" + mine.PIECES["linear_forward"].declaration + " {}")
    (folder / "broken.ipynb").write_text("{", "utf-8")
    similar.main([str(folder)])
    printed = capsys.readouterr().out
    table = printed.split("\n\n")[0].splitlines()
    assert "broken.ipynb was left out" in table[0]
    told = {re.split(r"\s{2,}", line.strip())[-1] for line in table[2:]}
    assert told == {"ann — ben", f"{similar.COURSE} — cem"}, printed
    assert (
        re.search(r"(?m)^conv_grad_weight: ann — ben, 9\d%$|100%$", printed)
        and "  ben\n" in printed
    )


def test_code_of_the_lessons_counts_for_nobody():
    copies = [similar.student_copy(similar.read(path)) for path in similar.lessons("a test")]
    starters = [
        cell.source for notebook in copies for cell in notebook.cells if cell.cell_type == "code"
    ]
    shown = similar.shown_by_lessons()
    found = [
        answer for author in ("ann", "ben") for answer in similar.answers(author, starters, shown)
    ]
    assert len(found) > 50 and similar.pairs(found, 0.0) == []
    assert similar.pairs(
        [answer for author in ("ann", "ben") for answer in similar.answers(author, starters)]
    )


@pytest.mark.parametrize("name", parsons.WRONG)
def test_lines_that_students_arranged_count_for_nobody(name, hand_in, capsys):
    head, lines = parsons.right_order(name)
    for student in ("ann", "ben"):
        folder = hand_in(student, "\n".join(["%%cuda", head, *lines, "}"]))
    similar.main([str(folder)])
    assert " — " not in capsys.readouterr().out
