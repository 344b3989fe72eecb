"""The site's glossary and API reference: each term is a lesson's, each public name has its page, nothing is foreign."""

import re
from pathlib import Path

import nbformat
import pytest

import nnlib.cuda
from nnlib.lessons import notebooks
from nnlib.support import extras
from nnlib.teaching.filling import TEMPLATES
from nnlib.teaching.site import reference
from tests.unit.test_docstrings import public

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
GLOSSARY = (NOTEBOOKS / "GLOSSARY.md").read_text("utf-8")
ENTRIES = [entry.groupdict() for entry in reference.ENTRY.finditer(GLOSSARY)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    vars(nnlib.cuda).pop("Program", None)  # as in a process that has not asked for it
    reference.add_reference(folder, NOTEBOOKS.parent)
    return folder


def test_every_heading_is_an_entry_in_order_and_short():
    terms = [entry["term"] for entry in ENTRIES]
    assert (
        terms == re.findall(r"(?m)^## (.*)$", GLOSSARY) == sorted(set(terms), key=str.lower)
        and len(terms) > 70
    )
    assert [entry["term"] for entry in ENTRIES if not 5 <= len(entry["text"].split()) <= 45] == []


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["term"])
def test_the_lesson_of_an_entry_uses_its_term(entry):
    cells = nbformat.read(NOTEBOOKS / f"{entry['lesson']}.ipynb", 4).cells
    assert entry["term"].lower() in "\n".join(cell.source for cell in cells).lower()


def test_links_of_lessons_to_the_glossary_lead_to_an_entry():
    known = {reference.anchor(entry["term"]) for entry in ENTRIES}
    linked = {
        end
        for path in notebooks(NOTEBOOKS)
        for end in re.findall(r"GLOSSARY\.md#([\w-]+)", path.read_text("utf-8"))
    }
    assert linked <= known


def test_the_page_has_every_entry_where_a_link_expects_it(site):
    html = (site / "glossary.html").read_text("utf-8")
    assert re.findall(r'<span id="([\w-]+)">', html) == [
        reference.anchor(entry["term"]) for entry in ENTRIES
    ]
    assert "`" not in html and "{{" not in html and "<code>__shared__</code>" in html


def test_every_public_name_of_every_room_is_described(site):
    index = (site / "api" / "index.html").read_text("utf-8")
    for name in reference.MODULES:
        page = site / "api" / f"{name.replace('.', '/')}.html"
        assert f'href="{page.relative_to(site / "api")}"' in index
        html = page.read_text("utf-8")
        module = __import__(name, fromlist=["_"])
        assert [thing for thing, _ in public(module) if f'id="{thing}"' not in html] == [], name
        assert f"nnlib {nnlib.__version__}" in html and 'class="view-source-button"' not in html
    assert 'id="Program.run"' in (site / "api" / "nnlib" / "cuda.html").read_text("utf-8")


def test_reference_pages_load_nothing_from_elsewhere(site):
    loads = re.compile(
        r'<(?:script|img|link|iframe)[^>]*(?:src|href)="(?:https?:)?//|@import|url\(["\']?http'
    )
    assert [
        page.name for page in site.rglob("*.html") if loads.search(page.read_text("utf-8"))
    ] == []


def test_no_page_asks_for_an_icon_that_is_not_there(site):
    pages = [
        *site.rglob("*.html"),
        *reference.TEMPLATE.parent.glob("*.html"),
        TEMPLATES / "deck" / "index.html.j2",
    ]
    assert len(pages) > 15
    assert [str(page) for page in pages if 'href="data:,"' not in page.read_text("utf-8")] == []


def test_without_pdoc_it_says_what_to_type(tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "find_spec", lambda name: None)
    with pytest.raises(extras.MissingPackageError, match="API pages need pdoc.*pip install pdoc"):
        reference.add_reference(tmp_path, NOTEBOOKS.parent)
