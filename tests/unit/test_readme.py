"""README tells the truth: its example runs and prints what is shown, and its links lead somewhere."""

import re
from pathlib import Path

import pytest

from nnlib.cuda import KernelError
from tests.notebooks.pictures import NOTEBOOKS, PICTURES, picture

README = Path(__file__).parents[2] / "README.md"


def test_the_example_reports_what_readme_shows():
    example = README.read_text(encoding="utf-8").split("<!-- example -->")[1].split("<!-- /example -->")[0]
    code, report = re.findall(r"```(?:python)?\n(.*?)```", example, re.DOTALL)
    with pytest.raises(KernelError) as caught:
        exec(compile(code, "README.md", "exec"), {})
    error = caught.value
    assert report.strip() == f"{type(error).__module__}.{type(error).__name__}: {error}"


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
