"""A term of sixty students: late days, dropped homework, a broken notebook; five results are worked out by hand."""

import csv
import dataclasses

import pytest

from nnlib.__main__ import main
from nnlib.teaching.gradebook.standing import grade
from nnlib.teaching.gradebook.tables import Roster
from nnlib.teaching.marking.marks import COLUMNS
from nnlib.teaching.term import EXAMPLE, CourseTerm

# As these platforms export them: Canvas the gradebook, Moodle its grades.
CANVAS = ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
MOODLE = ["First name", "Last name", "ID number", "Email address"]
EXERCISES = {"01": 4, "02": 4, "03": 5}
DUE = {"01": "2027-04-21", "02": "2027-04-28", "03": "2027-05-12"}
ON_TIME = "T20:00:00"


def mark(student, lesson, number, points=1, stars="", when=None, message="right"):
    exercise = f"{lesson}.e{number}" if number else ""
    row = [student, lesson, exercise, points, 1, stars, 0, 7, when or DUE[lesson] + ON_TIME]
    return [*row, f"returned/{student}/{lesson}.ipynb", message]


def marks(student, lesson, right, stars=(), when=None):
    """The rows of a student, of whose answers the first `right` are right; stars: of the first ones."""
    found = []
    for number in range(1, EXERCISES[lesson] + 1):
        kernel = stars[number - 1] if number <= len(stars) else ""
        found.append(mark(student, lesson, number, int(number <= right), kernel, when))
    return found


def write(path, head, lines):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *lines])


def class_of_sixty(folder, platform):
    """Fifty-five who do everything right and in time, and s01 to s05."""
    names = [f"s{number:02}" for number in range(1, 61)]
    if platform == "canvas":
        lines = [
            ["    Points Possible", "", "", "", ""],
            *(["Lee, Ann", 4700 + k, k, who, "A"] for k, who in enumerate(names)),
        ]
        write(
            folder / "roster.csv",
            [*CANVAS, "Old exam (99)", "Final Score"],
            [[*x, 1, 2] for x in lines],
        )
    else:
        lines = [["Ann", "Lee", who, f"{who}@uni.example"] for who in names]
        write(folder / "roster.csv", [*MOODLE, "Course total"], [[*line, "-"] for line in lines])
    (folder / "term.toml").write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    all_right = {"01": [3], "02": [3], "03": [3, 3, 3]}
    work = {
        (who, lesson): marks(who, lesson, 99, all_right[lesson]) for who in names for lesson in DUE
    }
    # s01: 3 of 4, 4 of 4 and 2 of 5; stars 1, 2 and 3, 1, 1; one day late in each of 02 and 03: both free.
    work["s01", "01"] = marks("s01", "01", 3, [1])
    work["s01", "02"] = marks("s01", "02", 4, [2], "2027-04-29T09:00:00")
    work["s01", "03"] = marks("s01", "03", 2, [3, 1, 1], "2027-05-13T23:59:00")
    # s02: two days late in each lesson: 2 free, then 1 free and 1 at 20 %, then 2 at 20 %. Of 03 only points.csv says so.
    for lesson, late in (("01", "2027-04-23T10:00"), ("02", "2027-04-30T10:00"), ("03", "?")):
        work["s02", lesson] = marks("s02", lesson, 99, all_right[lesson], late)
    # s06: nobody knows when 01 came.
    work["s06", "01"] = marks("s06", "01", 99, all_right["01"], "?")
    # s03: a notebook that could not be marked in 02, and an answer not judged in 03.
    work["s03", "02"] = [mark("s03", "02", 0, "", message="could not be marked")]
    work["s03", "03"][4] = mark("s03", "03", 5, "", message="not judged")
    # s04: three days late in 03, after the closing.
    work["s04", "03"] = marks("s04", "03", 99, all_right["03"], "2027-05-15T10:00:00")
    # s05: nothing for 01, and an exam of 40 %.
    del work["s05", "01"]
    for lesson in DUE:
        rows = [row for (_, one), mine in work.items() if one == lesson for row in mine]
        write(folder / f"marks-{lesson}.csv", COLUMNS, rows)
    points = [["s02", "late 03", 2, ""]]
    homework = {
        "s01": (10, 4, 7),
        "s02": (10, 10, 10),
        "s03": (10, 8, 9),
        "s04": (6, 10, 10),
        "s05": (0, 5, 5),
    }
    for who in names:
        for lesson, reached in zip(DUE, homework.get(who, (10, 10, 10)), strict=True):
            if (who, lesson) in work:
                points.append([who, f"homework {lesson}", reached, 10])
        points += [[who, "talk 1", 8 if who == "s01" else 10, 10], [who, "talk 2", 10, 10]]
        points.append([who, "exam", {"s01": 56, "s05": 33.6}.get(who, 84), 84])
    write(folder / "points.csv", ["student", "what", "points", "of"], points)
    return names


# exercises: points after penalties of 13; stars beyond the first of 2 · 5; homework: the best two of three; talks; exam.
# mark = 0.25 e + 0.05 s + 0.15 h + 0.15 t + 0.40 x
BY_HAND = {
    # 9/13 = 69.23; stars 0 + 1 + 2 = 3/10; homework 1, .4, .7 -> (1 + .7)/2; talks .9; exam 56/84 = 66.67
    "s01": (69.23, 30, 85, 90, 66.67, "02", 1, 71.72, "C"),
    # 4 + .8 · 4 + .6 · 5 = 10.2/13 = 78.46; 10/10; homework 1, .8, .6 -> .9; the rest 100
    "s02": (78.46, 100, 90, 100, 100, "03", 0, 93.12, "A"),
    # 4 + 0 + 4 = 8/13 = 61.54; stars 2 + 0 + 6 = 8/10; homework 1, .8, .9 -> .95
    "s03": (61.54, 80, 95, 100, 100, "02", 3, 88.63, "B"),
    # 4 + 4 + 0 = 8/13; stars 2 + 2 + 0 = 4/10; homework .6, 1, 0 -> .8
    "s04": (61.54, 40, 80, 100, 100, "03", 3, 84.38, "B"),
    # 0 + 4 + 5 = 9/13; stars 0 + 2 + 6 = 8/10; homework 0, .5, .5 -> .5; exam 40 %: failed
    "s05": (69.23, 80, 50, 100, 40, "01", 3, 59.81, "F"),
    "s60": (100, 100, 100, 100, 100, "01", 3, 100, "A"),
}
PARTS = ("exercises", "stars", "homework", "talks", "exam")


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
def test_a_term_of_sixty(platform, tmp_path, capsys):
    names = class_of_sixty(tmp_path, platform)
    main(["gradebook", str(tmp_path), "--feedback"])
    said = capsys.readouterr().out
    with (tmp_path / "gradebook.csv").open(encoding="utf-8") as file:
        book = {row["student"].partition("@")[0]: row for row in csv.DictReader(file)}
    assert [*book] == names
    for who, (*parts, dropped, left, total, letter) in BY_HAND.items():
        row = book[who]
        assert [float(row[part]) for part in PARTS] == pytest.approx(parts, abs=0.005), who
        assert (row["dropped"], row["late days left"], row["grade"]) == (dropped, str(left), letter)
        assert float(row["mark"]) == pytest.approx(total, abs=0.011), who
    mail = "@uni.example" if platform == "moodle" else ""
    assert f"lesson 01: not handed in by 1: s05{mail}\n" in said
    assert f"lesson 01: in time, as long as points.csv has no late 01: s06{mail}\n" in said
    assert f"lesson 02: s03{mail}: not judged: the whole notebook\n" in said
    assert f"lesson 03: s03{mail}: not judged: 03.e5\n" in said
    page = (tmp_path / "feedback" / f"s02{mail}.html").read_text("utf-8")
    assert "2 days late, 1 of them free, so 80% counts" in page and "<pre>right</pre>" in page
    assert len([*(tmp_path / "feedback").iterdir()]) == 60


@pytest.mark.parametrize("platform", ["canvas", "moodle"])
def test_the_platform_finds_its_columns(platform, tmp_path):
    """Canvas: Student, ID, …, Section, then assignments, and a row of points. Moodle: any column that names a user."""
    class_of_sixty(tmp_path, platform)
    main(["gradebook", str(tmp_path)])
    with (tmp_path / f"{platform}.csv").open(encoding="utf-8") as file:
        head, *lines = csv.reader(file)
    grades = ["Lesson 01", "Lesson 02", "Lesson 03", "Mark"]
    if platform == "canvas":
        assert head == [*CANVAS, *grades] and lines[0][0] == "    Points Possible"
        assert lines[0][5:] == 4 * ["100"] and len(lines) == 61
        assert lines[1] == ["Lee, Ann", "4700", "0", "s01", "A", "92.86", "57.14", "60.00", "71.72"]
    else:
        assert head == [*MOODLE, *grades, "Grade"] and len(lines) == 60
        assert lines[1][-2:] == ["93.12", "A"]


def test_a_mark_that_changes_changes_nobody_elses(tmp_path):
    class_of_sixty(tmp_path, "canvas")
    main(["gradebook", str(tmp_path)])
    first = (tmp_path / "gradebook.csv").read_text("utf-8").splitlines()
    main(["gradebook", str(tmp_path)])
    assert (tmp_path / "gradebook.csv").read_text("utf-8").splitlines() == first
    again = marks("s03", "02", 4, [3])  # the file came again, and was marked alone
    write(tmp_path / "marks-again.csv", COLUMNS, again)
    main(["gradebook", str(tmp_path)])
    now = (tmp_path / "gradebook.csv").read_text("utf-8").splitlines()
    assert [line[:3] for line, before in zip(now, first, strict=True) if line != before] == ["s03"]
    assert ",92.31," in next(line for line in now if line.startswith("s03"))  # 12 of 13


def test_students_are_found_by_whatever_names_them_alone(tmp_path):
    lines = [["Ann", "Lee", "17", "al@x.org"], ["Bo", "Lee", "18", "bl@x.org"]]
    write(tmp_path / "roster.csv", MOODLE, lines)
    roster = Roster.read(tmp_path / "roster.csv")
    found = [roster.student(called) for called in ("al", "18", "ann lee", "AL@x.org", "Lee", "eva")]
    assert found == ["al@x.org", "bl@x.org", "al@x.org", "al@x.org", "Lee", "eva"]


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("term.toml", "course = 1", "has no entry 'rules'"),
        ("term.toml", "course = ", "term.toml: "),
        ("term.toml", EXAMPLE.read_text("utf-8").replace("exam = 40", "exam = 50"), "100 together"),
        (
            "term.toml",
            EXAMPLE.read_text("utf-8").replace("T23:59:00", "", 1),
            "no date with a time",
        ),
        ("roster.csv", "name\nann\n", "none of the columns"),
        ("roster.csv", "student\nann\nann\n", "ann twice"),
        ("points.csv", "student,what,points,of\ns01,exem,1,2\n", "exem is no homework NN"),
        ("points.csv", "student,what,of\ns01,exam,2\n", "no column 'points'"),
        ("points.csv", "student,what,points,of\ns01,homework 11,1,2\n", "for homework 11"),
        ("marks-01.csv", "student\ns01\n", "no column 'lesson'"),
        (
            "marks-01.csv",
            "student,lesson,exercise,notebook\ns01,01,01.e1,a\ns01,01,01.e1,b\n",
            "a and b are both lesson 01 of s01",
        ),
        ("marks-01.csv", "\udce4", "marks-01.csv is no text in UTF-8"),
        ("points.csv", "student,what,points,of\ns01,exam,1,0\n", "points.csv: "),
        ("points.csv", "student,what,points,of\ns01,exam,nan,1\n", "nan is no number from 0"),
        ("roster.csv", "student,x\n ,1\n", "roster.csv has no students"),
        ("term.toml", EXAMPLE.read_text("utf-8").replace("drop = 1", "drop = 1.5"), "drop is 1.5"),
        ("term.toml", EXAMPLE.read_text("utf-8").replace("A = 90", "A = nan"), "A of [grades]"),
        ("term.toml", EXAMPLE.read_text("utf-8").replace('"08"', '"98"'), "[due] has others"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(file, text, said, tmp_path, capsys):
    class_of_sixty(tmp_path, "canvas")
    (tmp_path / file).write_text(text, "utf-8", "surrogateescape")
    with pytest.raises(SystemExit):
        main(["gradebook", str(tmp_path)])
    assert said in capsys.readouterr().err and not (tmp_path / "gradebook.csv").exists()


@pytest.mark.parametrize(
    ("percent", "letter"), [(100, "A"), (90, "A"), (89.999, "B"), (59.99, "F"), (0, "F")]
)
def test_grades_are_not_rounded_first(percent, letter):
    assert grade(CourseTerm.read(EXAMPLE), percent) == letter


def test_parts_without_points_do_not_count_yet(tmp_path):
    class_of_sixty(tmp_path, "canvas")
    (tmp_path / "points.csv").unlink()
    main(["gradebook", str(tmp_path)])
    with (tmp_path / "gradebook.csv").open(encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert [row[part] for part in PARTS] == ["69.23", "30.00", "", "", ""]
    assert float(row["mark"]) == pytest.approx((25 * 69.23 + 5 * 30) / 30, abs=0.01)
    class_of_sixty(tmp_path, "canvas")
    for file in tmp_path.glob("marks*.csv"):
        file.unlink()
    main(["gradebook", str(tmp_path)])
    with (tmp_path / "gradebook.csv").open(encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    assert [bool(row[part]) for part in PARTS] == [False, False, True, True, True]


def test_a_pass_needs_the_exam(tmp_path):
    term = dataclasses.replace(CourseTerm.read(EXAMPLE), exam_needed=30)
    assert grade(term, 59.81) == "F" and grade(term, 60) == "D"
