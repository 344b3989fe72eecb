"""The site's start page: a wrong kernel to try at once, then every lesson with a picture, its minutes and one line."""

from __future__ import annotations

import json
import re
import shutil
from html import escape
from pathlib import Path

from nnlib.cuda import demo
from nnlib.teaching.cells import pictures, read
from nnlib.teaching.site.packages import CDN, CDN_VERSION
from nnlib.teaching.site.running import STATIC

START = Path(__file__).with_name("start")
LESSON_ROW = re.compile(  # of README
    r"^\| \[(?P<title>\d\d [^]]+)\]\(notebooks/(?P<name>\w+)\.ipynb\) \| (?P<what>.*) \| (?P<minutes>\d+) \|$",
    re.M,
)


def start_page(site: Path, course: Path, from_cdn: bool) -> None:
    """Write index.html and what it alone loads."""
    lock = json.loads((site / STATIC / "pyodide-lock.json").read_text("utf-8"))
    packages = lock["packages"]
    base = CDN if from_cdn else f"{STATIC}/"
    first = [f"{base}{name}" for name in ("pyodide.asm.wasm", "python_stdlib.zip")]
    first += [
        name if name.startswith("http") else f"{STATIC}/{name}"
        for name in (package["file_name"] for package in packages.values())
    ]
    values = {
        "lessons": lessons(site, course),
        "wrong": escape(demo.WRONG),
        "launch": launch(),
        "files": _json(first),
        "mended": _json(demo.MENDED),
        "python": lock["info"]["python"],
        "numpy": packages["numpy"]["version"],
        "pyodide": lock["info"].get("version", CDN_VERSION),
        "where": "Pyodide's CDN" if from_cdn else "this site",
    }
    for name in ("start.js", "try.js"):
        shutil.copy(START / name, site)
    (
        site / "tree"
    ).mkdir()  # where the page sends those who follow a link from one lesson to the next
    shutil.copy(START / "tree.html", site / "tree" / "index.html")
    page = (START / "index.html").read_text("utf-8")
    (site / "index.html").write_text(
        re.sub(r"\{\{ (\w+) \}\}", lambda match: values[match[1]], page), "utf-8"
    )


def launch() -> str:
    """The launch of the demo in a sentence."""
    return f"It is launched on {demo.N} numbers in {demo.GRID} blocks of {demo.BLOCK} threads."


def lessons(site: Path, course: Path) -> str:
    """The list of lessons, as README's table has them, each with its first stored picture."""
    (site / "pictures").mkdir()
    items = []
    for row in LESSON_ROW.finditer((course / "README.md").read_text("utf-8")):
        name, title, what = row["name"], escape(row["title"]), escape(row["what"])
        picture = first_picture(course / "notebooks" / f"{name}.ipynb", site / "pictures")
        items.append(
            f'<li><img src="pictures/{picture}" alt="" loading="lazy"><div>'
            f'<a class="open" href="{name}.html">{title}</a>: {what}. <span class="more">{row["minutes"]} minutes '
            f'· <a href="slides/{name}.html" aria-label="Slides of {title}">slides</a> '
            f'· <a href="#{name}" aria-label="{title} in JupyterLab">JupyterLab</a></span></div></li>'
        )
    return "\n".join(items)


def first_picture(lesson: Path, folder: Path) -> str:
    """Write the first picture in a lesson's outputs into the folder; its file's name."""
    ending, content = next(each for cell in read(lesson).cells for each in pictures(cell))
    file = folder / f"{lesson.stem}.{ending}"
    file.write_bytes(content)
    return file.name


def _json(value: object) -> str:
    """JSON that ends no <script>."""
    return json.dumps(value).replace("</", r"<\/")
