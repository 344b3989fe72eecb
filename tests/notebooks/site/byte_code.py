"""Runs in Pyodide: wheels that load quickly. ARGUMENTS: their folder.

Byte code comes beside every module, and what no lesson touches goes: to unpack a file takes the page time.
"""

import importlib.util
import re
import sys
import zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path

TAG = sys.implementation.cache_tag
SITE = next(path for path in sys.path if path.endswith("site-packages"))
UNUSED = re.compile(
    r"/tests/|^numpy/(f2py|distutils)/|^matplotlib/mpl-data/(sample_data|fonts/(afm|pdfcorefonts))/|^anywidget.*/share/|"
    r"^anywidget/(labextension|nbextension)/|^jedi/third_party/(django-stubs|typeshed/third_party)/|"
    r"^nnlib/course/labextensions/|^(?!jedi/).*\.pyi$")


def compiled(name, source):
    """The content of a .pyc file that is taken without asking when its source was changed."""
    code = compile(source, f"{SITE}/{name}", "exec", dont_inherit=True)
    return _code_to_hash_pyc(code, importlib.util.source_hash(source), False)


for path in sorted(Path("/host" + ARGUMENTS[0]).glob("*.whl")):  # noqa: F821  (node.mjs puts it there)
    with zipfile.ZipFile(path) as wheel:
        files = {info.filename: wheel.read(info) for info in wheel.infolist()
                 if not info.is_dir() and not UNUSED.search(info.filename)}
    for name, source in list(files.items()):
        folder, _, module = name.rpartition("/")
        if name.endswith(".py") and ".dist-info/" not in name:
            try:
                files[f"{folder}/__pycache__/{module[:-3]}.{TAG}.pyc".lstrip("/")] = compiled(name, source)
            except SyntaxError:  # a template, or for another Python
                continue
    fresh = path.with_suffix(".part")
    with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    fresh.replace(path)
