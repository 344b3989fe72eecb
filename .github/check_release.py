"""What must agree before a release: `python .github/check_release.py v1.0.0` names whatever does not."""

from __future__ import annotations

import ast
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLACEHOLDER = "OWNER/cuda-from-scratch"


def version(root: Path = ROOT) -> str:
    """The one place: `__version__` of nnlib."""
    module = ast.parse((root / "nnlib" / "__init__.py").read_text("utf-8"))
    return next(ast.literal_eval(line.value) for line in module.body
                if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__version__")


def disagreements(root: Path = ROOT) -> list[str]:
    """Files whose version is another; they must agree at any time."""
    ours = version(root)
    extension = root / "nnlib/course/labextensions/nnlib-cuda/package.json"
    others = {"CITATION.cff": _first(r"^version: (\S+)$", root / "CITATION.cff"),
              "package.json": json.loads(extension.read_text("utf-8"))["version"]}
    return [f"{file} says version {other}, nnlib/__init__.py {ours}" for file, other in others.items() if other != ours]


def unready(tag: str, root: Path = ROOT) -> list[str]:
    """What else stands against releasing this tag."""
    ours = version(root)
    found = [f"the tag is {tag}, the version {ours}"] if tag != f"v{ours}" else []
    released = _first(rf"^## \[{re.escape(ours)}\] - (\d{{4}}-\d\d-\d\d)$", root / "CHANGELOG.md")
    if not released:
        found.append(f"CHANGELOG.md has no heading '## [{ours}] - DATE'")
    if not released or _first(r"^date-released: (\S+)$", root / "CITATION.cff") != released:
        found.append("CITATION.cff has no date-released, or not that of CHANGELOG.md")
    return found + [f"{file} has no address yet, only {PLACEHOLDER}"
                    for file in ("pyproject.toml", "CITATION.cff", "CHANGELOG.md")
                    if PLACEHOLDER in (root / file).read_text("utf-8")]


def _first(pattern: str, file: Path) -> str | None:
    match = re.search(pattern, file.read_text("utf-8"), re.MULTILINE)
    return match[1] if match else None


if __name__ == "__main__":
    sys.exit("\n".join(disagreements() + unready(sys.argv[1])) or None)
