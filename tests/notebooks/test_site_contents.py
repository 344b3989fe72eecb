"""Who reads what on the site: the public one hides what teachers say, the students' one has no solutions, either."""

import re

import pytest
from nbformat import read

from nnlib.course.publishing.cells import is_note, is_solution
from nnlib.course.publishing.checkout import root
from nnlib.course.publishing.copies import for_teachers
from nnlib.course.publishing.site import front
from nnlib.course.publishing.site.build import add_lessons, add_slides, main
from tests.notebooks.test_template import LESSONS


@pytest.fixture(scope="module", params=[False, True], ids=["public", "students"])
def site(request, tmp_path_factory):
    """(is it the students'? its notebooks)"""
    folder = tmp_path_factory.mktemp("site") / "files"
    add_lessons(folder, root("the test"), request.param)
    return request.param, {path.name: read(path, 4).cells for path in folder.glob("*.ipynb")}


def test_lessons_come_without_what_teachers_say(site):
    _, lessons = site
    assert lessons.keys() == {path.name for path in LESSONS}
    assert any(is_note(cell) for cell in read(LESSONS[0], 4).cells)
    assert not [cell.id for cells in lessons.values() for cell in cells if is_note(cell)]


def test_solutions_and_outputs_are_in_the_public_site_alone(site):
    students, lessons = site
    for cells in lessons.values():
        assert any(is_solution(cell) for cell in cells) is not students
        assert any(cell.get("outputs") for cell in cells) is not students
        assert not students or not any(for_teachers(cell) or "BEGIN SOLUTION" in cell.source for cell in cells)


def test_decks_come_without_speaker_notes(tmp_path):
    (tmp_path / "slides").mkdir()
    for path in LESSONS:
        (tmp_path / "slides" / f"{path.stem}.html").write_text(
            f'<section>{path.stem} <aside class="notes">\n<p>Ask.</p></aside></section><aside>Beside.</aside>', "utf-8")
    add_slides(tmp_path / "site", tmp_path)
    assert {file.stem: file.read_text("utf-8") for file in (tmp_path / "site" / "slides").iterdir()} == {
        path.stem: f"<section>{path.stem} </section><aside>Beside.</aside>" for path in LESSONS}


def test_pieces_are_for_the_students_site(capsys):
    with pytest.raises(SystemExit):
        main(["--pieces"])
    assert "--pieces goes with --student" in capsys.readouterr().err


def test_the_start_page_lists_every_lesson_with_picture_minutes_and_line(tmp_path):
    course = root("the test")
    html = front.lessons(tmp_path, course)
    items = html.split("\n")
    assert [re.search(r'href="#(\w+)"', item)[1] for item in items] == [path.stem for path in LESSONS]
    for item in items:
        assert re.search(r"</a>: \w.{20,}\. <span", item) and re.search(r">\d+ minutes", item)
        picture = tmp_path / re.search(r'src="(pictures/\S+)"', item)[1]
        assert picture.read_bytes().lstrip()[:5] in (b"<svg ", b"\x89PNG\r", b"<?xml")
