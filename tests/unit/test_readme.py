"""README tells the truth: its example runs and prints what is shown, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

from nnlib.cuda import KernelError
from nnlib.cuda.__main__ import main
from tests.notebooks.pictures import NOTEBOOKS, PICTURES, picture

README = Path(__file__).parents[2] / "README.md"


def test_the_example_reports_what_readme_shows():
    example = README.read_text(encoding="utf-8").split("<!-- example -->")[1].split("<!-- /example -->")[0]
    code, report = re.findall(r"```(?:python)?\n(.*?)```", example, re.DOTALL)
    with pytest.raises(KernelError) as caught:
        exec(compile(code, "README.md", "exec"), {})
    error = caught.value
    assert report.strip() == f"{type(error).__module__}.{type(error).__name__}: {error}"


def test_the_program_prints_what_readme_shows(capsys):
    example = README.read_text(encoding="utf-8").split("<!-- program -->")[1].split("<!-- /program -->")[0]
    code, shown = re.findall(r"```(?:python)?\n(.*?)```", example, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == shown


def test_the_tree_is_the_real_one():
    """Every folder of nnlib, and every file at its top, stands in README's tree with a sentence; nothing else does."""
    tree = README.read_text(encoding="utf-8").split("<!-- tree -->")[1].split("<!-- /tree -->")[0]
    lines = [re.fullmatch(r"( *)(\S+(?: \S+)*)(?:  +(\S.*))?", line) for line in tree.strip().splitlines()[1:-1]]
    shown, above = [], []
    for indent, names, sentence in (line.groups() for line in lines):
        above = above[:len(indent) // 2]
        for name in names.split():
            shown.append("/".join([*above, name.rstrip("/")]) + ("/" if name.endswith("/") else ".py"))
        above.append(names.rstrip("/"))
        assert sentence or not indent, f"{names}: no sentence"
    package = README.parent / "nnlib"
    ours = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    folders = {f"{path.parent.relative_to(README.parent)}/" for path in ours}
    files = {f"nnlib/{path.name}" for path in package.glob("*.py")} - {"nnlib/__init__.py"}
    assert sorted(shown) == sorted(folders | files)


def test_the_command_prints_what_readme_shows(tmp_path, monkeypatch, capsys):
    text = README.read_text(encoding="utf-8")
    command, shown = re.search(r"\$ python -m nnlib\.cuda (check .*)\n((?:vector\.cu.*\n)+)", text).groups()
    code = re.search(r'RawKernel\(r"""\n(.*?)"""', text, re.DOTALL)[1]
    (tmp_path / "vector.cu").write_text(code)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert main(command.split()) == 1
    assert capsys.readouterr().out == shown


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_make_targets_exist():
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`make (\w+)`", README.read_text(encoding="utf-8"))):
        assert f"\n{target}:" in makefile, target


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_of_the_lessons(name):
    file, content = picture(name)
    assert (NOTEBOOKS / "images" / file).read_bytes() == content, "run: python -m tests.notebooks.pictures"


def test_minutes_are_those_of_the_lessons():
    rows = re.findall(r"\]\((notebooks/\S+\.ipynb)\) \|[^|]*\| (\d+) \|", README.read_text(encoding="utf-8"))
    assert len(rows) == 8
    for lesson, minutes in rows:
        assert f"about {minutes} minutes" in (README.parent / lesson).read_text(encoding="utf-8"), lesson
