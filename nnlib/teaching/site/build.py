"""`nnlib site`: a static folder with a start page, JupyterLite with all lessons, slides, glossary, API, Pyodide, nnlib.

With a Pyodide on this machine (NNLIB_PYODIDE) the site brings it along and needs no other site. With
--cdn, and without one, the page asks Pyodide's CDN for it. MNIST comes along where NNLIB_DATA has it. What the
teacher says is in no site, solutions are folded; with --student, lessons and package come without solutions.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from nnlib.datasets.idx import FILES
from nnlib.teaching import options
from nnlib.teaching.cells import read, store
from nnlib.teaching.checkout import instead_of, lessons, root
from nnlib.teaching.copies import handed_out, without_notes
from nnlib.teaching.package import sources
from nnlib.teaching.programs import call, npm
from nnlib.teaching.site.bundle import (
    KERNEL,
    add_byte_code,
    add_kernel,
    pack,
    tools,
)
from nnlib.teaching.site.front import START, start_page
from nnlib.teaching.site.packages import BUILD, CDN, CDN_VERSION, NNLIB, pyodide
from nnlib.teaching.site.reference import add_reference
from nnlib.teaching.site.running import STATIC, add_pages
from nnlib.teaching.site.serve import serve
from nnlib.teaching.slides import deck

EXTENSION = "@jupyterlite/pyodide-kernel-extension:kernel"
SAVE_AFTER = 10  # seconds: what was typed outlives a reload of the page
IMPATIENT = "AbortSignal.timeout(2000)"
STORES = re.compile(r"!!\(\(null==(\w)\?void 0:\1\.enabled\)\|\|crossOriginIsolated\)")
STORES_AFTER_ALL = (  # the worker is there, and active: a kernel that begins before is refused every file
    r"!!((await Promise.race([navigator.serviceWorker&&\1?.ready?.then(()=>navigator.serviceWorker.ready).catch(()=>0),"
    r"new Promise(done=>setTimeout(done,120000))]),\1?.enabled)||crossOriginIsolated)"
)
NOTES_OF_DECK = re.compile(r'<aside class="notes">.*?</aside>', re.DOTALL)


def build(site: Path, from_cdn: bool, students: bool, pieces: bool) -> None:
    """Make the folder anew. students: without solutions. pieces: with the course's first texts all the same."""
    course = root("nnlib site")
    with instead_of(site, "jupyter-lite.json") as fresh, tempfile.TemporaryDirectory() as copied:
        package = NNLIB
        if students:
            sources(Path(copied), pieces)
            package = Path(copied) / "nnlib"
        whole = None if from_cdn else pyodide()
        packed = BUILD / "pyodide"
        core = whole or npm(f"pyodide@{CDN_VERSION}", "The site")
        pack(core, packed, package, from_cdn=whole is None)
        add_kernel(packed)
        add_byte_code(packed, core)
        lite(fresh, course, settings(CDN if whole is None else f"./{STATIC}/"), students)
        shutil.copytree(packed, fresh / STATIC)
        add_slides(fresh, course, students)
        add_data(fresh, course)
        add_reference(fresh, course)
        add_pages(fresh, course, students, whole is None)
        start_page(fresh, course, whole is None)


def settings(base: str) -> dict[str, Any]:
    """Return JupyterLite's settings: where Pyodide is, and which packages are loaded before the first cell."""
    packages = ["micropip", "comm", "jedi", "ipython", *KERNEL, "nnlib"]
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "Neural networks from scratch in CUDA",
            "exposeAppInBrowser": True,
            "settingsOverrides": {
                "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": SAVE_AFTER}
            },
            "litePluginSettings": {
                EXTENSION: {
                    "pyodideUrl": f"{base}pyodide.mjs",
                    "disablePyPIFallback": True,
                    "loadPyodideOptions": {
                        "lockFileURL": f"./{STATIC}/pyodide-lock.json",
                        "packages": packages,
                    },
                }
            },
        },
    }


def lite(site: Path, course: Path, config: dict[str, Any], students: bool) -> None:
    """Build JupyterLite with the lessons."""
    source = BUILD / "lite"
    shutil.rmtree(source, ignore_errors=True)
    add_lessons(source / "files", course, students)
    shutil.copytree(
        NNLIB / "course" / "labextensions",
        tools() / "share/jupyter/labextensions",
        dirs_exist_ok=True,
    )
    (source / "jupyter-lite.json").write_text(json.dumps(config), "utf-8")
    call(
        "JupyterLite",
        tools() / "bin" / "python",
        "-m",
        "jupyterlite_core",
        "build",
        "--contents",
        "files",
        "--output-dir",
        site.resolve(),
        "--apps",
        "lab",
        "--apps",
        "notebooks",
        "--no-sourcemaps",
        "--no-unused-shared-packages",
        folder=source,
    )
    built = json.loads((site / "jupyter-lite.json").read_text("utf-8"))
    _merge(built, config)
    (site / "jupyter-lite.json").write_text(json.dumps(built, indent=1), "utf-8")
    be_patient(site)
    add_words(site)


def add_lessons(folder: Path, course: Path, students: bool) -> None:
    """Add the notebooks, their pictures, and the glossary that they link to."""
    shutil.copytree(course / "notebooks" / "images", folder / "images")
    shutil.copy(course / "notebooks" / "GLOSSARY.md", folder)
    for lesson in lessons("nnlib site"):
        store(handed_out(lesson) if students else without_notes(read(lesson)), folder / lesson.name)


def add_words(site: Path) -> None:
    """Add scripts to JupyterLite that show how long a cell has been running, and that save before a page is closed."""
    scripts = ("computing.js", "saving.js")
    for name in scripts:
        shutil.copy(START / name, site)
    tags = "".join(f'<script type="module" src="../{name}"></script>' for name in scripts)
    for app in ("lab", "notebooks"):
        page = site / app / "index.html"
        text = page.read_text("utf-8")
        page.write_text(text.replace("</body>", f"{tags}</body>"), "utf-8")


def be_patient(site: Path) -> None:
    """Wait for what takes longer on a slow computer.

    anywidget shows an error when a widget has not begun after two seconds. A kernel whose page has no service worker
    yet would keep no file.
    """
    _change(
        site / "extensions/anywidget",
        re.compile(re.escape(IMPATIENT)),
        "AbortSignal.timeout(120000)",
    )
    _change(site / "extensions/@jupyterlite/pyodide-kernel-extension", STORES, STORES_AFTER_ALL)


def _change(extension: Path, old: re.Pattern[str], new: str) -> None:
    """Replace a pattern in the JavaScript of an extension."""
    files = (extension / "static").glob("*.js")
    texts = {file: text for file in files if old.search(text := file.read_text("utf-8"))}
    if not texts:
        raise SystemExit(f"{extension.name} has no {old.pattern}: look how long it waits now")
    for file, text in texts.items():
        file.write_text(old.sub(new, text), "utf-8")


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


def add_slides(site: Path, course: Path, students: bool = False) -> None:
    """Add the decks that `make slides` has made, or make them from the stored outputs; without speaker notes.

    Students' decks are made of their copies: no solution, and no verdict or output that shows one.
    """
    (site / "slides").mkdir(parents=True)
    for lesson in lessons("nnlib site"):
        made = course / "slides" / f"{lesson.stem}.html"
        if students:
            html = deck(handed_out(lesson))
        else:
            html = made.read_text("utf-8") if made.exists() else deck(read(lesson))
        (site / "slides" / made.name).write_text(NOTES_OF_DECK.sub("", html), "utf-8")


def add_data(site: Path, course: Path) -> None:
    """Add MNIST's files, where this machine has them; without them the lessons use the small digits."""
    folder = Path(os.environ.get("NNLIB_DATA", course / "data")) / "mnist"
    files = [folder / f"{name}.gz" for name in FILES]
    if all(file.exists() for file in files):
        (site / "data" / "mnist").mkdir(parents=True)
        for file in files:
            shutil.copy(file, site / "data" / "mnist")


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib site`."""
    parser = options.site()
    chosen = parser.parse_args(arguments)
    if chosen.serve is not None:
        return serve(chosen.to, chosen.serve)
    if chosen.pieces and not chosen.student:
        parser.error("--pieces goes with --student; without it the site has these texts")
    build(chosen.to, chosen.cdn, chosen.student, chosen.pieces)
    files = [file for file in chosen.to.rglob("*") if file.is_file()]
    print(
        f"{chosen.to}: {len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.0f} MB"
    )
