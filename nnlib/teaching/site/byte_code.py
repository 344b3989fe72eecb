"""Runs in Pyodide: packages that load quickly. The argument is their folder.

Modules come as byte code: to compile them takes the page seconds, those of Python's own library, too. nnlib's sources
stay beside theirs, for error messages. What no lesson touches goes: to unpack a file takes the page time.
"""

import importlib.util
import re
import sys
import zipfile
from collections.abc import Iterator
from importlib._bootstrap_external import _code_to_hash_pyc  # type: ignore[attr-defined]
from pathlib import Path

TAG = sys.implementation.cache_tag
UNUSED = re.compile(
    r"/tests/|^numpy/(f2py|distutils)/|^numpy/.*\.([ach]|pxd)$|^matplotlib/mpl-data/(sample_data|images|fonts/(afm|pdfcorefonts|ttf/DejaVuSerif))|"
    r"^anywidget.*/share/|^anywidget/(labextension|nbextension)/|"
    r"^jedi/third_party/(django-stubs|typeshed/(third_party|stdlib/2)/)|"
    r"^nnlib/(course/(handed_out|labextensions)|teaching)/|"
    r"^pygments/lexers/(?!(__init__|_mapping|_mql_builtins|c_cpp|c_like|python|special)\.)|^(?!jedi/).*\.pyi$"
)


def compiled(name: str, source: bytes) -> bytes:
    """Return the content of a .pyc file that Python accepts without checking whether its source has changed."""
    code = compile(source, name, "exec", dont_inherit=True)
    return bytes(_code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def with_byte_code(files: dict[str, bytes], place: str, keep: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the archive's files with their modules compiled. keep: with their sources, too."""
    for name, content in files.items():
        try:
            code = compiled(f"{place}/{name}", content) if name.endswith(".py") else None
        except SyntaxError:  # a template, or for another Python
            code = None
        folder, slash, module = name.rpartition("/")
        if code:
            yield (
                (f"{folder}{slash}__pycache__/{module[:-3]}.{TAG}.pyc" if keep else f"{name}c"),
                code,
            )
        if keep or not code:
            yield name, content


def main(folder: Path) -> None:
    """Compile the wheels in the folder, and Python's own library."""
    site = next(path for path in sys.path if path.endswith("site-packages"))
    library = next(path for path in sys.path if path.endswith(".zip"))
    for path in [*folder.glob("*.whl"), *folder.glob("python_stdlib.zip")]:
        place = site if path.suffix == ".whl" else library
        with zipfile.ZipFile(path) as archive:
            files = {
                info.filename: archive.read(info)
                for info in archive.infolist()
                if not info.is_dir() and not UNUSED.search(info.filename)
            }
        fresh = path.with_suffix(".part")
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in with_byte_code(files, place, "nnlib" in path.name):
                archive.writestr(
                    zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED
                )
        fresh.replace(path)


if __name__ == "__main__":
    main(Path("/host" + sys.argv[1]))
