"""Copies are found, a short answer that many would write is accused of nothing, starter code counts for nobody."""

import csv
import itertools
import random
import re

import pytest
from nbformat.v4 import new_code_cell, new_notebook

from nnlib import mine
from nnlib.course.exercises import find
from nnlib.teaching import options
from nnlib.teaching.cells import read, store
from nnlib.teaching.checkout import lessons
from nnlib.teaching.copies import student_copy
from tests.lessons.conftest import answers as judged
from tests.lessons.conftest import stored
from tests.mine.answers import RIGHT

similar = pytest.importorskip(
    "nnlib.teaching.similar", reason="needs copydetect", exc_type=ModuleNotFoundError
)
LONG = ["conv_forward", "conv_relu_pool", "conv_grad_weight", "conv_grad_input", "linear_forward"]
LEAST = options.LEAST_SCORE
WORDS = "alpha beta gamma delta index item value total left right size count row col part acc tmp".split()


@pytest.fixture(scope="module")
def shown():
    return similar.shown_by_lessons()


def own_names(text):
    """The names that an author has chosen in a kernel or function."""
    kind = r"\b(?:int|float\*?|char\*?|bool|for)\s+\**(\w+)"
    head = re.search(r"def \w+\((.*?)\)", text)
    found = {*re.findall(kind, text), *re.findall(r", (\w+) =", text)}
    found |= {*re.findall(r"^\s+(\w+)(?:, \w+)* = ", text, re.MULTILINE)}
    return sorted(
        found | {*re.findall(r"\w+", head[1] if head else "")} - {"True", "False", "None"}
    )


def by_student(text, seed):
    """The same answer as another student writes it: other names, layout, comments."""
    rng = random.Random(seed)
    for name in own_names(text):
        text = re.sub(
            rf"(?<![.\w]){name}\b(?!\()", rng.choice(WORDS) + f"{rng.randrange(99)}", text
        )
    text = text.replace("    ", rng.choice(["  ", "    ", "\t"]))
    return text.replace("\n", rng.choice(["\n", "  // my own\n", "\n\n"]) if "{" in text else "\n")


def reordered(text):
    """The same answer with its declarations taken apart and in the other order."""
    pair = r"\b(int|float) (\w+ = [^,;()]+), (\w+ = [^,;()]+);"
    return re.sub(pair, r"\1 \3;\n\1 \2;", text)


def of(author, *cells):
    return similar.answers(author, cells)


def short_answers():
    """Every folded solution that is not long, as its cell: each has nearly one natural form."""
    for answer in similar.course_answers():
        prints = answer.prints[True]
        if prints.token_coverage < similar.LEAST_OWN[True]:
            magic = "%%cuda\n" if "__global__" in prints.raw_code else ""
            yield answer.name, magic + prints.raw_code.lstrip("\n")


def test_twelve_independent_right_answers_are_accused_of_nothing(shown):
    """Neither as a class of twelve, nor any two of them alone, nor with the course's solution."""
    exercises = dict(short_answers())
    assert len(exercises) >= 25
    for name, cell in exercises.items():
        written = [by_student(cell, f"{name} {seed}") for seed in range(12)]
        assert len({*written}) == 12 or not own_names(cell)
        found = [one for k, text in enumerate(written) for one in of(f"s{k}", text)]
        assert similar.pairs([*found, *of(similar.COURSE, cell)], shown, LEAST) == [], name
        for one, other in itertools.combinations(written[:3], 2):
            assert similar.pairs(of("ann", one) + of("ben", other), shown, LEAST) == [], name


@pytest.mark.parametrize("name", LONG)
def test_independent_plain_answers_are_not_accused_either(name, shown):
    texts = {mine.PIECES[name].plain, *RIGHT.get(name, ())}
    found = [one for k, text in enumerate(texts) for one in of(f"s{k}", f"%%cuda\n{text}")]
    alike = similar.pairs(found, shown, LEAST)
    assert not [pair for pair in alike if pair.renamed]


@pytest.mark.parametrize("name", LONG)
def test_a_long_copy_is_found_under_other_names(name, shown):
    best = f"%%cuda\n{mine.PIECES[name].best}"
    for copy, least in ((best, 0.9), (reordered(best), LEAST)):
        (pair,) = similar.pairs(of("ann", best) + of("ben", by_student(copy, 1)), shown, LEAST)
        assert pair.score >= least and pair.renamed


def test_a_copy_as_it_was_typed_is_found_where_names_tell_nothing(shown):
    cell = f"%%cuda\n{mine.PIECES['max_pool'].plain}"
    own = by_student(cell, 3)
    (pair,) = similar.pairs(of("ann", own) + of("ben", own), shown, LEAST)
    assert pair.score == 1 and not pair.renamed
    assert similar.pairs(of("ann", own) + of("ben", by_student(cell, 4)), shown, LEAST) == []


def short_kernels(student):
    """Short kernels of one of three students, in the words of kernels.txt."""
    for part in stored("kernels.txt").split("\n## ")[1:]:
        name = part.split("\n")[0]
        bodies = [body for right, _, body in judged(part) if right and "__global__" not in body]
        if name < "06" and len(bodies) > 2:
            yield f"%%cuda\n{find(name).piece.declaration} {{\n{bodies[student]}}}"


def test_a_copy_of_many_short_answers_is_found(shown):
    natural = similar.natural_passages(similar.course_answers())
    written = [[*short_kernels(k)] for k in range(3)]
    found = []
    for k, cells in enumerate([*written, [by_student(cell, 5) for cell in written[0]]]):
        found.append(similar.whole(k, "04", of(k, *cells), natural))
    (pair,) = similar.pairs(found, shown, LEAST)
    assert (pair.one.author, pair.other.author) == (0, 3)


@pytest.fixture
def hand_in(tmp_path):
    def hand_in(student, *cells):
        path = tmp_path / student / "05_im2col_convolution.ipynb"
        path.parent.mkdir()
        store(new_notebook(cells=[new_code_cell(cell) for cell in cells]), path)
        return tmp_path

    return hand_in


def test_a_class_is_reported_in_groups(hand_in, capsys, tmp_path):
    best = f"%%cuda\n{mine.PIECES['conv_grad_weight'].best}"
    for k, student in enumerate(["ann", "ben", "cem"]):
        hand_in(student, by_student(best, k))
    pool = f"%%cuda\n{mine.PIECES['conv_grad_input'].best}"
    hand_in("dee", pool, "def f(:", "x = 1"), hand_in("eva", pool.replace("\n", "\r\n"))
    folder = hand_in("fay", "%%cuda\n" + mine.PIECES["linear_forward"].declaration + " {}")
    (folder / "broken.ipynb").write_text("{", "utf-8")
    table = tmp_path / "pairs.csv"
    similar.main([str(folder), "--csv", str(table)])
    first, head, *lines = capsys.readouterr().out.splitlines()
    assert "broken.ipynb was left out" in first and "group" in head
    told = {tuple(re.split(r"\s{2,}| (?=conv)", line)[1:]) for line in lines}
    assert told == {("conv_grad_weight", "ann, ben, cem"), ("conv_grad_input", "dee, eva")}
    with table.open(encoding="utf-8") as file:
        rows = [(row["exercise"], row["group"]) for row in csv.DictReader(file)]
    assert len(rows) == 4 and len({*rows}) == 2
    similar.main([str(folder), "--lines"])
    printed = capsys.readouterr().out
    assert "\nconv_grad_input: dee, eva, 100%\n  dee\n" in printed and "    " in printed


def test_a_table_holds_any_name_and_no_formula(tmp_path):
    one, other = (similar.Answer(name, "relu", {}) for name in ("=1+1", "ann\udcff"))
    similar.write_table([similar.Pair(one, other, 1, False)], tmp_path / "pairs.csv")
    assert "relu,1,'=1+1,ann\\udcff,1.00\n" in (tmp_path / "pairs.csv").read_text("utf-8")


def test_code_of_the_lessons_counts_for_nobody(shown):
    copies = [student_copy(read(path)) for path in lessons("a test")]
    cells = [cell.source for one in copies for cell in one.cells if cell.cell_type == "code"]
    assert similar.pairs(of("ann", *cells) + of("ben", *cells), shown, 0.0) == []
    assert similar.pairs(of("ann", *cells) + of("ben", *cells), (), 0.9)
