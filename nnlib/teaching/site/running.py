"""The lessons of the site as pages that run: kernel.json says what Python loads, search.json what the search finds."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import zipfile
from html import unescape
from pathlib import Path
from typing import Any

from nnlib.course import prediction
from nnlib.teaching import pages
from nnlib.teaching.cells import read, title
from nnlib.teaching.checkout import lessons
from nnlib.teaching.copies import handed_out, without_notes
from nnlib.teaching.programs import call
from nnlib.teaching.site.packages import CDN

PARTS = Path(__file__).with_name("page")
STORE = Path(__file__).with_name("store.mjs")
STATIC = "static/pyodide"
# What a lesson's first cell imports; its other packages come when something imports them.
UNPACKED = (
    "numpy",
    "nnlib",
    "traitlets",
    "ipywidgets",
    "anywidget",
    "comm",
    "psygnal",
    "typing-extensions",
    "cycler",
)
_HEADING = re.compile(r'<h[1-4] id="([^"]+)">(.*?)</h[1-4]>(.*?)(?=<h[1-4] id=|\Z)', re.DOTALL)
_SEARCH = (
    '<search><label for="search">Search all lessons</label> <input type="search" id="search" '
    'autocomplete="off"> <span id="hits" role="status"></span><ul id="found"></ul></search>'
)


def add_pages(site: Path, course: Path, students: bool, from_cdn: bool) -> None:
    """Write a page for each lesson, and what they share."""
    for file in [
        *PARTS.glob("*.*js"),
        PARTS / "shell.py",
        Path(prediction.__file__).with_suffix(".js"),
        *(pages.PAGE / name for name in ("base.css", "page.css", "read.js")),
    ]:
        shutil.copy(file, site)
    (site / "kernel.json").write_text(json.dumps(python(site, from_cdn)), "utf-8")
    if not from_cdn:
        call("The site", "node", STORE, site.resolve())
    found = []
    for path in lessons("nnlib site"):
        notebook = handed_out(path) if students else without_notes(read(path))
        html = running_page(notebook, path.stem)
        (site / f"{path.stem}.html").write_text(html, "utf-8")
        found += entries(html, path.stem, title(notebook))
    (site / "search.json").write_text(json.dumps(found, ensure_ascii=False), "utf-8")


def running_page(notebook: Any, name: str) -> str:
    """Return the page of a lesson whose cells can be edited and run."""
    html = pages.page(
        notebook,
        name,
        head='<link rel="stylesheet" href="base.css">\n<link rel="stylesheet" href="page.css">',
        navigation='<nav aria-label="Course"><a href="index.html">All lessons</a> · '
        '<a href="glossary.html">Glossary</a> · <a href="api/index.html">API reference</a> · '
        f'<a href="slides/{name}.html">Slides</a></nav>',
        search=_SEARCH,
        tools=(PARTS / "tools.html").read_text("utf-8").replace("NAME", name),
    )
    return html.replace('href="GLOSSARY.md#', 'href="glossary.html#')


def python(site: Path, from_cdn: bool) -> dict[str, Any]:
    """Return where a page's Python finds what it loads, and what is there before something imports it."""
    lock = f"{STATIC}/pyodide-lock.json"
    packages = json.loads((site / lock).read_text("utf-8"))["packages"]
    where = {"lock": lock, "there": ["ipython", *UNPACKED]}
    if from_cdn:
        return {**where, "base": CDN, "nnlib": f"{STATIC}/{packages['nnlib']['file_name']}"}
    name = unpacked(site / STATIC, packages)
    return {**where, "base": f"{STATIC}/", "snapshot": f"{STATIC}/{name}"}


def unpacked(folder: Path, packages: dict[str, Any]) -> str:
    """Write the files of what every page imports as one, and a list of them; return the name of both."""
    files = {"shell.py": (PARTS / "shell.py").read_bytes()}
    for package in UNPACKED:
        with zipfile.ZipFile(folder / packages[package]["file_name"]) as wheel:
            files |= {file: wheel.read(file) for file in wheel.namelist() if file[-1] != "/"}
    content = b"".join(files.values())
    name = f"snapshot-{hashlib.sha256(content).hexdigest()[:12]}"  # so that a browser takes no older one
    (folder / f"{name}.files.bin").write_bytes(content)
    sizes = [(file, len(part)) for file, part in files.items()]
    (folder / f"{name}.json").write_text(json.dumps(sizes), "utf-8")
    return name


def entries(html: str, name: str, lesson: str) -> list[dict[str, str]]:
    """Return what the search knows of a page: its sections with their headings and words."""
    prose = re.sub(r"<(pre|style|script)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return [
        {"page": f"{name}.html", "anchor": anchor, "lesson": lesson}
        | {"heading": _words(heading), "text": _words(f"{heading} {text}")}
        for anchor, heading, text in _HEADING.findall(prose)
    ]


def _words(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())
