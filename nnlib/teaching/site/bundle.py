"""Pyodide with everything that a lesson imports, in one folder: the site serves it, and tests run it in Node.

nnlib and the wheels from PyPI are entered in Pyodide's lock file, so that it loads them as it loads NumPy. Modules come
with their byte code: compiling them in the browser would take longer than loading them.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
import zipfile
from pathlib import Path
from typing import Any

from nnlib.teaching.programs import call
from nnlib.teaching.site.packages import (
    BUILD,
    CDN,
    FROM_PYPI,
    LEFT_OUT,
    OF_PYODIDE,
    OLDER_KERNEL,
    TOOLS,
)

HERE = Path(__file__).resolve().parent
CORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
# The kernel that JupyterLite brings, by the names of its wheels.
KERNEL = {
    "ipykernel": ("pyodide-kernel",),
    "piplite": ("micropip",),
    "pyodide-kernel": ("comm", "ipython", "jedi"),
}
OF_NNLIB = ("numpy", "matplotlib", "pillow", "ipywidgets", "anywidget", "tqdm", "safetensors")
Lock = dict[str, Any]


def pack(pyodide: Path, folder: Path, package: Path, from_cdn: bool = False) -> None:
    """Fill the folder from a whole Pyodide that lies on this machine. package: nnlib, as the site brings it.

    from_cdn: with what Pyodide's CDN does not have, and a lock file that says where everything is.
    """
    lock = chosen(json.loads((pyodide / "pyodide-lock.json").read_text("utf-8")))
    entries = lock["packages"].values()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if from_cdn:
        for entry in entries:
            entry["file_name"] = CDN + entry["file_name"]
    else:
        for name in [
            *filter(lambda name: (pyodide / name).exists(), CORE),
            *(entry["file_name"] for entry in entries),
        ]:
            shutil.copy(pyodide / name, folder)
    add_ours(lock, folder, package)


def chosen(lock: Lock) -> Lock:
    """Reduce the lock file to the packages of Pyodide that lessons load. KeyError names one that is not there."""
    packages, found = lock["packages"], {}
    waiting = list(OF_PYODIDE)
    while waiting:
        name = normalised(waiting.pop())
        if name in found or name in FROM_PYPI or name in LEFT_OUT:
            continue
        entry = found[name] = dict(packages[name])
        entry["depends"] = [
            other for other in map(normalised, entry["depends"]) if other not in LEFT_OUT
        ]
        waiting += entry["depends"]
    if "safetensors" in packages:  # since 0.28; a page of an older Pyodide saves no checkpoint
        found["safetensors"] = packages["safetensors"]
    return {**lock, "packages": dict(sorted(found.items()))}


def normalised(name: str) -> str:
    """Write a package's name as lock files do: Pillow -> pillow, typing_extensions -> typing-extensions."""
    return re.sub(r"[-_.]+", "-", name).lower()


def add_ours(lock: Lock, folder: Path, package: Path) -> None:
    """Put nnlib and the wheels from PyPI into the folder and into the lock file."""
    files = {normalised(file.name.split("-")[0]): file for file in from_pypi()}
    for name, wheel in FROM_PYPI.items():
        _enter(lock, folder, files[name], wheel.depends)
    needed = tuple(name for name in OF_NNLIB if name in lock["packages"])
    _enter(lock, folder, own_wheel(package), needed)
    write_lock(lock, folder)


def add_kernel(folder: Path) -> None:
    """Put JupyterLite's kernel there, too."""
    lock = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))
    wheels = (
        tools() / "share/jupyter/labextensions/@jupyterlite/pyodide-kernel-extension/static/pypi"
    )
    is_old = lock["packages"]["micropip"]["version"].startswith("0.9")
    for name, depends in KERNEL.items():
        [file] = (older_piplite() if is_old and name == "piplite" else wheels).glob(
            f"{name.replace('-', '_')}-*.whl"
        )
        _enter(lock, folder, file, depends)
    write_lock(lock, folder)


def older_piplite() -> Path:
    """Return a folder with the piplite that fits an older Pyodide's micropip."""
    folder = BUILD / "older"
    if not list(folder.glob("piplite-*.whl")):
        download(folder, [OLDER_KERNEL])
        [package] = folder.glob("jupyterlite_pyodide_kernel-*.whl")
        with zipfile.ZipFile(package) as wheel:
            for name in wheel.namelist():
                if "/piplite-" in name:
                    (folder / Path(name).name).write_bytes(wheel.read(name))
    return folder


def download(folder: Path, requirements: list[str]) -> None:
    """Download wheels in pure Python from PyPI."""
    call(
        "The site, which takes packages from PyPI once,",
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--platform",
        "any",
        "--python-version",
        "3.12",
        "--dest",
        folder,
        *requirements,
    )


def _enter(lock: Lock, folder: Path, wheel: Path, depends: tuple[str, ...]) -> None:
    name, version = wheel.name.split("-")[:2]
    shutil.copy(wheel, folder)
    lock["packages"][normalised(name)] = {
        "name": normalised(name),
        "version": version,
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": "",
        "package_type": "package",
        "imports": [name],
        "depends": list(depends),
        "unvendored_tests": False,
    }


def write_lock(lock: Lock, folder: Path) -> None:
    """Write the lock file with the hashes of the files that are in the folder now."""
    for entry in lock["packages"].values():
        file = folder / entry["file_name"]
        if file.exists():
            entry["sha256"] = hashlib.sha256(file.read_bytes()).hexdigest()
    (folder / "pyodide-lock.json").write_text(json.dumps(lock, indent=1), "utf-8")


def add_byte_code(folder: Path, core: Path) -> None:
    """Compile the modules in the folder's wheels by the Python of this Pyodide."""
    lock = json.loads((folder / "pyodide-lock.json").read_text("utf-8"))
    call(
        "The site",
        "node",
        HERE / "node.mjs",
        core.resolve(),
        "",
        HERE / "byte_code.py",
        folder.resolve(),
    )
    write_lock(lock, folder)


def tools() -> Path:
    """Return an environment that has JupyterLite; it is made when first needed, and anew when the versions change."""
    folder, wanted = BUILD / "tools", "\n".join(TOOLS)
    stamp = folder / "versions.txt"
    if not stamp.exists() or stamp.read_text("utf-8") != wanted:
        call("The site", sys.executable, "-m", "venv", "--clear", folder)
        call(
            "The site, which takes JupyterLite from PyPI once,",
            folder / "bin" / "python",
            "-m",
            "pip",
            "install",
            "--quiet",
            *TOOLS,
        )
        stamp.write_text(wanted, "utf-8")
    return folder


def from_pypi() -> list[Path]:
    """Return the wheels in pure Python, which are fetched when first needed."""
    folder = BUILD / "wheels"
    found = {
        name: list(folder.glob(f"{name.replace('-', '_')}-{wheel.version}-*.whl"))
        for name, wheel in FROM_PYPI.items()
    }
    missing = [f"{name}=={FROM_PYPI[name].version}" for name, files in found.items() if not files]
    if missing:
        download(folder, missing)
        return from_pypi()
    return [files[0] for files in found.values()]


def own_wheel(package: Path) -> Path:
    """Return the wheel of nnlib. Its version stands for its content, so that a browser takes no older one."""
    files = {
        path.relative_to(package.parent).as_posix(): path.read_bytes()
        for path in sorted(package.rglob("*"))
        if path.is_file() and not {"__pycache__", "build"} & {*path.relative_to(package).parts}
    }
    content = hashlib.sha256(
        b"".join(key.encode() + value for key, value in files.items())
    ).hexdigest()
    version = f"0.{int(content[:12], 16)}"
    about = f"Metadata-Version: 2.1\nName: nnlib\nVersion: {version}\n"
    files[f"nnlib-{version}.dist-info/METADATA"] = about.encode()
    BUILD.mkdir(parents=True, exist_ok=True)
    file = BUILD / f"nnlib-{version}-py3-none-any.whl"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as wheel:
        for key, value in files.items():
            wheel.writestr(key, value)
    return file
