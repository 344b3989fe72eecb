"""The static folder site/: a start page, JupyterLite with all lessons, the slides, Pyodide and nnlib.

    python -m tests.notebooks.site.build [--cdn]

With a Pyodide on this machine (NNLIB_PYODIDE) the site brings it along and needs no other site. With
--cdn, and without one, the page asks Pyodide's CDN for it. MNIST comes along where NNLIB_DATA has it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
from html import escape
from pathlib import Path
from typing import Any

from nbformat import read

from nnlib.datasets.idx import FILES
from tests.notebooks.slides import deck

from .bundle import KERNEL, add_byte_code, add_kernel, npm, pack, pack_beside_cdn, tools
from .packages import BUILD, CDN, CDN_VERSION, ROOT, pyodide

HERE = Path(__file__).resolve().parent
SITE = ROOT / "site"
STATIC = "static/pyodide"
EXTENSION = "@jupyterlite/pyodide-kernel-extension:kernel"
SAVE_AFTER = 10  # seconds: what was typed outlives a reload of the page
IMPATIENT = "AbortSignal.timeout(2000)"
LESSON_ROW = re.compile(  # of README
    r"^\| \[(?P<title>\d\d [^]]+)\]\(notebooks/(?P<name>\w+)\.ipynb\) \| (?P<what>.*) \| (?P<minutes>\d+) \|$", re.M)


def build(from_cdn: bool) -> Path:
    """Make the folder anew."""
    whole = None if from_cdn else pyodide()
    packed = BUILD / "pyodide"
    core = whole or npm(f"pyodide@{CDN_VERSION}")
    (pack if whole else pack_beside_cdn)(core, packed)
    add_kernel(packed)
    add_byte_code(packed, core)
    lite(settings(CDN if whole is None else f"./{STATIC}/"))
    shutil.copytree(packed, SITE / STATIC)
    add_slides()
    add_data()
    start_page("Pyodide's CDN" if whole is None else "this site", packed)
    return SITE


def settings(base: str) -> dict[str, Any]:
    """What JupyterLite is told: where Pyodide lies, and which packages are loaded before the first cell."""
    packages = ["micropip", "comm", "jedi", "ipython", *KERNEL, "nnlib"]
    return {"jupyter-lite-schema-version": 0, "jupyter-config-data": {
        "appName": "Neural networks from scratch in CUDA", "exposeAppInBrowser": True,
        "settingsOverrides": {"@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": SAVE_AFTER}},
        "litePluginSettings": {EXTENSION: {
            "pyodideUrl": f"{base}pyodide.mjs", "disablePyPIFallback": True,
            "loadPyodideOptions": {"lockFileURL": f"./{STATIC}/pyodide-lock.json", "packages": packages}}}}}


def lite(config: dict[str, Any]) -> None:
    """JupyterLite with the lessons."""
    source = BUILD / "lite"
    shutil.rmtree(source, ignore_errors=True)
    shutil.rmtree(SITE, ignore_errors=True)
    (source / "files").mkdir(parents=True)
    for lesson in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        shutil.copy(lesson, source / "files")
    shutil.copytree(ROOT / "notebooks" / "images", source / "files" / "images")
    shutil.copytree(ROOT / "nnlib/course/labextensions", tools() / "share/jupyter/labextensions", dirs_exist_ok=True)
    (source / "jupyter-lite.json").write_text(json.dumps(config), "utf-8")
    subprocess.run([str(tools() / "bin" / "python"), "-m", "jupyterlite_core", "build", "--contents", "files",
                    "--output-dir", str(SITE), "--apps", "lab", "--apps", "notebooks", "--no-sourcemaps",
                    "--no-unused-shared-packages"], cwd=source, check=True, stdout=subprocess.DEVNULL)
    built = json.loads((SITE / "jupyter-lite.json").read_text("utf-8"))
    _merge(built, config)
    (SITE / "jupyter-lite.json").write_text(json.dumps(built, indent=1), "utf-8")
    be_patient()
    add_words()


def add_words() -> None:
    """Beside JupyterLite: what tells how long a cell computes already."""
    shutil.copy(HERE / "start" / "computing.js", SITE)
    for app in ("lab", "notebooks"):
        page = SITE / app / "index.html"
        text = page.read_text("utf-8")
        page.write_text(text.replace("</body>", '<script src="../computing.js"></script></body>'), "utf-8")


def be_patient() -> None:
    """A widget may take longer to begin: anywidget shows an error after two seconds, which slow computers need."""
    files = (SITE / "extensions/anywidget/static").glob("*.js")
    texts = {file: text for file in files if (text := file.read_text("utf-8")).count(IMPATIENT)}
    if not texts:
        raise SystemExit(f"anywidget has no {IMPATIENT}: look how long it waits for a widget now")
    for file, text in texts.items():
        file.write_text(text.replace(IMPATIENT, "AbortSignal.timeout(120000)"), "utf-8")


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict):
            _merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


def add_slides() -> None:
    """The decks that `make slides` has made, else made from the stored outputs."""
    (SITE / "slides").mkdir()
    for lesson in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        made, target = ROOT / "slides" / f"{lesson.stem}.html", SITE / "slides" / f"{lesson.stem}.html"
        if made.exists():
            shutil.copy(made, target)
        else:
            notebook = read(lesson, 4)
            target.write_text(deck(notebook, re.sub(r"^#+ *", "", notebook.cells[0].source.split("\n")[0])), "utf-8")


def add_data() -> None:
    """MNIST's files, where this machine has them; without them the lessons use the small digits."""
    folder = Path(os.environ.get("NNLIB_DATA", ROOT / "data")) / "mnist"
    files = [folder / f"{name}.gz" for name in FILES]
    if all(file.exists() for file in files):
        (SITE / "data" / "mnist").mkdir(parents=True)
        for file in files:
            shutil.copy(file, SITE / "data" / "mnist")


def start_page(where: str, packed: Path) -> None:
    """index.html: what this is, a link to every lesson, and what is loaded."""
    lock = json.loads((packed / "pyodide-lock.json").read_text("utf-8"))
    version = lock["info"].get("version", CDN_VERSION)
    packages = lock["packages"]
    core = CDN if where != "this site" else f"{STATIC}/"
    first = [f"{core}{name}" for name in ("pyodide.asm.wasm", "python_stdlib.zip")]
    first += [name if name.startswith("http") else f"{STATIC}/{name}"
              for name in (package["file_name"] for package in packages.values())]
    rows = [match.groupdict() for match in LESSON_ROW.finditer((ROOT / "README.md").read_text("utf-8"))]
    lessons = "\n".join(
        f'<li><a class="open" href="#{row["name"]}">{escape(row["title"])}</a> {escape(row["what"])}. '
        f'<span class="more">{row["minutes"]} minutes · <a href="slides/{row["name"]}.html">slides</a></span></li>'
        for row in rows)
    values = {"lessons": lessons, "where": where, "pyodide": version, "numpy": packages["numpy"]["version"],
              "python": lock["info"]["python"], "files": json.dumps(first)}
    shutil.copy(ROOT / "notebooks" / "images" / "microscope.svg", SITE)
    for name in ("start.css", "start.js"):
        shutil.copy(HERE / "start" / name, SITE)
    (SITE / "tree").mkdir()  # where the page sends those who follow a link from one lesson to the next
    shutil.copy(HERE / "start" / "tree.html", SITE / "tree" / "index.html")
    page = (HERE / "start" / "index.html").read_text("utf-8")
    (SITE / "index.html").write_text(re.sub(r"\{\{ (\w+) \}\}", lambda match: values[match[1]], page), "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cdn", action="store_true", help="Pyodide comes from its CDN, even if it lies here")
    site = build(parser.parse_args().cdn)
    files = [file for file in site.rglob("*") if file.is_file()]
    print(f"{site}: {len(files)} files, {sum(file.stat().st_size for file in files) / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
