"""Who reads what on the site: the public one hides what teachers say, the students' one has no solutions, either."""

import re
import shutil
import subprocess

import pytest
from nbformat import read

from nnlib.teaching.cells import is_note, is_solution
from nnlib.teaching.checkout import root
from nnlib.teaching.copies import for_teachers
from nnlib.teaching.site import build, front
from nnlib.teaching.site.build import add_lessons, add_slides, main
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
        assert not students or not any(map(for_teachers, cells))


def test_decks_come_without_speaker_notes(tmp_path):
    (tmp_path / "slides").mkdir()
    for path in LESSONS:
        (tmp_path / "slides" / f"{path.stem}.html").write_text(
            f'<section>{path.stem} <aside class="notes">\n<p>Ask.</p></aside></section><aside>Beside.</aside>',
            "utf-8",
        )
    add_slides(tmp_path / "site", tmp_path)
    assert {
        file.stem: file.read_text("utf-8") for file in (tmp_path / "site" / "slides").iterdir()
    } == {path.stem: f"<section>{path.stem} </section><aside>Beside.</aside>" for path in LESSONS}


def test_the_students_decks_are_made_of_their_copies(tmp_path, monkeypatch):
    (tmp_path / "slides").mkdir()
    for path in LESSONS:  # with solutions: the teacher's
        (tmp_path / "slides" / f"{path.stem}.html").write_text("the teacher's", "utf-8")
    monkeypatch.setattr(
        build, "deck", lambda notebook: "\n".join(cell.source for cell in notebook.cells)
    )
    add_slides(tmp_path / "site", tmp_path, students=True)
    decks = {
        file.stem: file.read_text("utf-8") for file in (tmp_path / "site" / "slides").iterdir()
    }
    for path in LESSONS:
        notebook = read(path, 4)
        assert decks[path.stem] != "the teacher's"
        assert not [
            cell.id
            for cell in notebook.cells
            if is_solution(cell) and len(cell.source) > 80 and cell.source in decks[path.stem]
        ]


def test_pages_of_jupyterlite_save_before_they_close(tmp_path):
    for app in ("lab", "notebooks"):
        (tmp_path / app).mkdir()
        (tmp_path / app / "index.html").write_text("<body></body>", "utf-8")
    build.add_words(tmp_path)
    for app in ("lab", "notebooks"):
        found = re.findall(
            r'src="\.\./(\w+\.js)"', (tmp_path / app / "index.html").read_text("utf-8")
        )
        assert found == ["computing.js", "saving.js"] and all(
            (tmp_path / name).exists() for name in found
        )


SAVES = """
let saved = 0, listeners = {}, store = {}, watch;
const cell = (id, source) => ({ id, cell_type: "code", source, setSource(text) { this.source = text; } });
const opened = (...cells) => ({ path: "01.ipynb", isReady: true, save() { saved++; this.model.dirty = false; },
  model: { dirty: false, sharedModel: { cells, insertCell(index, one) { cells.splice(index, 0, one); } } } });
const widget = { context: opened(cell("a", "1"), cell("b", "2")) };
globalThis.window = { jupyterapp: { shell: { currentWidget: widget } } };
globalThis.addEventListener = (event, act) => { listeners[event] = act; };
globalThis.document = { visibilityState: "hidden", addEventListener: globalThis.addEventListener };
globalThis.localStorage = { getItem: (key) => store[key] ?? null, setItem: (key, text) => { store[key] = text; },
                            removeItem: (key) => { delete store[key]; } };
globalThis.setInterval = (act) => { watch = act; };
let now = 0, number = 0, timers = new Map();  // milliseconds of a clock that waits for nobody
globalThis.setTimeout = (act, after = 0) => { timers.set(++number, [now + after, act]); return number; };
globalThis.clearTimeout = (which) => { timers.delete(which); };
function wait(milliseconds) {
  now += milliseconds;
  for (const [which, [due, act]] of [...timers]) if (due <= now) { timers.delete(which); act(); }
}
await import(process.argv[1]);
watch();
const model = widget.context.model;
for (const event of ["visibilitychange", "pagehide"]) { model.dirty = true; listeners[event](); }
listeners.pagehide();
console.log(saved, Object.keys(store).length);
watch();
console.log(Object.keys(store).length);
model.dirty = true;
model.sharedModel.cells[0].source = "typed";
model.sharedModel.insertCell(1, cell("c", "new"));
listeners.input();
wait(50);  // the page has closed, and is opened again
widget.context = opened(cell("a", "1"), cell("b", "saved by another page"));
watch();
console.log(widget.context.model.sharedModel.cells.map((one) => one.source).join("|"));
widget.context.model.dirty = true;
listeners.input();
wait(1990);
console.log(saved);
wait(10);
console.log(saved);
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node.js")
def test_what_was_typed_last_is_kept_when_the_page_is_left(tmp_path):
    script = shutil.copy(build.START / "saving.js", tmp_path / "saving.mjs")
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", SAVES, str(script)], capture_output=True, text=True
    )
    assert ran.stdout.splitlines() == ["2 1", "0", "typed|new|saved by another page", "2", "3"], (
        ran.stderr
    )


def test_pieces_are_for_the_students_site(capsys):
    with pytest.raises(SystemExit):
        main(["--pieces"])
    assert "--pieces goes with --student" in capsys.readouterr().err


def test_the_start_page_lists_every_lesson_with_picture_minutes_and_line(tmp_path):
    course = root("the test")
    items = front.lessons(tmp_path, course)
    assert [item["name"] for item in items] == [path.stem for path in LESSONS]
    for item in items:
        assert len(item["what"]) > 20 and int(item["minutes"])
        picture = tmp_path / "pictures" / item["picture"]
        assert picture.read_bytes().lstrip()[:5] in (b"<svg ", b"\x89PNG\r", b"<?xml")
