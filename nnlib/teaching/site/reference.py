"""The site's pages to look things up: the glossary of the lessons, and the API reference from docstrings."""

from __future__ import annotations

import importlib
import re
import warnings
from html import escape
from pathlib import Path

import nnlib
from nnlib.support import extras
from nnlib.teaching.filling import filled
from nnlib.teaching.pages import anchor

TEMPLATE = Path(__file__).with_name("start") / "reference.html"
ENTRY = re.compile(
    r"^## (?P<term>.+)\n\n(?P<text>.+(?:\n.+)*?)\n"
    r"\[(?P<title>Lesson \d\d)\]\((?P<lesson>\w+)\.ipynb\)$",
    re.MULTILINE,
)
MODULES = """
    nnlib.cuda nnlib.mine nnlib.course nnlib.model nnlib.layers nnlib.losses nnlib.optimizers nnlib.initializers nnlib.training
    nnlib.datasets nnlib.ops nnlib.gradcheck nnlib.device nnlib
    """.split()


def add_reference(site: Path, course: Path) -> None:
    """Add glossary.html and api/ to the site. MissingPackageError where pdoc is not installed."""
    (site / "glossary.html").write_text(
        glossary((course / "notebooks" / "GLOSSARY.md").read_text("utf-8")), "utf-8"
    )
    pdoc = extras.load("pdoc", "API pages")
    # No page asks for an icon
    extras.load("pdoc.render", "API pages").configure(
        show_source=False, footer_text=f"nnlib {nnlib.__version__}", favicon="data:,"
    )
    # None of the modules inside each
    wanted = [words for name in sorted(MODULES) for words in (name, f"!{name}\\.")]
    # Of types that only type checkers import, and of each field of each error
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=UserWarning, module="pdoc")
        pdoc.pdoc(*wanted, output_directory=site / "api")
    (site / "api" / "index.html").write_text(contents(), "utf-8")


def glossary(markdown: str) -> str:
    """Return the glossary as a page. Links to an entry end as they do in GLOSSARY.md."""
    entries = [
        {**entry, "name": entry["term"], "id": anchor(entry["term"]), "text": _html(entry["text"])}
        for entry in (found.groupdict() for found in ENTRY.finditer(markdown))
    ]
    return filled(TEMPLATE, title="Glossary", top="", entries=entries)


def contents() -> str:
    """Return the first page of the API reference: every module with the first sentence of its docstring."""
    entries = [
        {"name": name, "page": f"{name.replace('.', '/')}.html", "text": _html(text)}
        for name in MODULES
        for text in [(importlib.import_module(name).__doc__ or "").split("\n\n")[0]]
    ]
    return filled(TEMPLATE, title="API reference", top="../", entries=entries)


def _html(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text, quote=False))
