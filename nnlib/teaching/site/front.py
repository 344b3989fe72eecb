"""The site's start page: a wrong kernel to try at once, then every lesson with a picture, its minutes and one line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from nnlib.cuda import demo
from nnlib.teaching.cells import pictures, read
from nnlib.teaching.filling import filled
from nnlib.teaching.site.packages import CDN, CDN_VERSION
from nnlib.teaching.site.running import STATIC

START = Path(__file__).with_name("start")
LESSON_ROW = re.compile(  # of README
    r"^\| \[(?P<title>\d\d [^]]+)\]\(notebooks/(?P<name>\w+)\.ipynb\) \| (?P<what>.*) \| (?P<minutes>\d+) \|$",
    re.MULTILINE,
)


def start_page(site: Path, course: Path, from_cdn: bool) -> None:
    """Write index.html and what it alone loads."""
    lock = json.loads((site / STATIC / "pyodide-lock.json").read_text("utf-8"))
    packages = lock["packages"]
    base = CDN if from_cdn else f"{STATIC}/"
    files = [package["file_name"] for package in packages.values()]
    first = [f"{base}{name}" for name in ("pyodide.asm.wasm", "python_stdlib.zip")]
    first += [file if file.startswith("http") else f"{STATIC}/{file}" for file in files]
    values = {
        "lessons": lessons(site, course),
        "demo": demo,
        "files": first,
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
    (site / "index.html").write_text(filled(START / "index.html", **values), "utf-8")


def lessons(site: Path, course: Path) -> list[dict[str, str]]:
    """Return the lessons as README's table has them, each with its first stored picture."""
    (site / "pictures").mkdir()
    rows = LESSON_ROW.finditer((course / "README.md").read_text("utf-8"))
    return [
        {
            **row.groupdict(),
            "picture": first_picture(
                course / "notebooks" / f"{row['name']}.ipynb", site / "pictures"
            ),
        }
        for row in rows
    ]


def first_picture(lesson: Path, folder: Path) -> str:
    """Write the first picture in a lesson's outputs into the folder; its file's name."""
    ending, content = next(each for cell in read(lesson).cells for each in pictures(cell))
    file = folder / f"{lesson.stem}.{ending}"
    file.write_bytes(content)
    return file.name
