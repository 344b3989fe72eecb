"""What a release needs of the files here.

python .github/check_release.py v1.0.0                       names whatever does not agree yet
python .github/check_release.py --notes                      prints what CHANGELOG.md says about this version
python .github/check_release.py --absolute-links README.md   makes links work where the page stands alone, on PyPI
"""

from __future__ import annotations

import ast
import json
import posixpath
import re
import sys
from collections.abc import Callable
from pathlib import Path

import address

ROOT = Path(__file__).parents[1]


def version(root: Path = ROOT) -> str:
    """The one place: `__version__` of nnlib."""
    module = ast.parse((root / "nnlib" / "__init__.py").read_text("utf-8"))
    return next(
        ast.literal_eval(line.value)
        for line in module.body
        if isinstance(line, ast.Assign) and ast.unparse(line.targets[0]) == "__version__"
    )


def disagreements(root: Path = ROOT) -> list[str]:
    """Files whose version is another; they must agree at any time."""
    ours = version(root)
    extension = root / "nnlib/course/labextensions/nnlib-cuda/package.json"
    others = {
        "CITATION.cff": _first(r"^version: (\S+)$", root / "CITATION.cff"),
        "package.json": json.loads(extension.read_text("utf-8"))["version"],
        "nnlib/cuda/pyproject.toml": _first(
            r'^version = "(.+)"$', root / "nnlib/cuda/pyproject.toml"
        ),
    }
    return [
        f"{file} says version {other}, nnlib/__init__.py {ours}"
        for file, other in others.items()
        if other != ours
    ]


def unready(tag: str, root: Path = ROOT) -> list[str]:
    """What else stands against releasing this tag."""
    ours = version(root)
    found = [f"the tag is {tag}, the version {ours}"] if tag != f"v{ours}" else []
    released = _first(rf"^## \[{re.escape(ours)}\] - (\d{{4}}-\d\d-\d\d)$", root / "CHANGELOG.md")
    if not released:
        found.append(f"CHANGELOG.md has no heading '## [{ours}] - DATE'")
    if not released or _first(r"^date-released: (\S+)$", root / "CITATION.cff") != released:
        found.append("CITATION.cff has no date-released, or not that of CHANGELOG.md")
    return found + [
        f"{file} has no address yet: python .github/address.py ACCOUNT/REPOSITORY"
        for file in address.waiting(root)
    ]


def _first(pattern: str, file: Path) -> str | None:
    match = re.search(pattern, file.read_text("utf-8"), re.MULTILINE)
    return match[1] if match else None


def notes(root: Path = ROOT) -> str:
    """The section of CHANGELOG.md about this version, without its heading; "" where there is none."""
    return (
        _first(
            rf"^## \[{re.escape(version(root))}\] - [\d-]+\n((?:(?!## |\[).*\n)*)",
            root / "CHANGELOG.md",
        )
        or ""
    )


def absolute_links(page: Path, root: Path = ROOT) -> str:
    """A page of the repository whose links and pictures lead to this version on GitHub."""
    hosts = "github.com", "raw.githubusercontent.com"
    repository, raw = (f"https://{host}/{address.address(root)}" for host in hosts)
    tag = f"v{version(root)}"
    folder = page.resolve().parent.relative_to(root.resolve()).as_posix()

    def leading_to(place: str | None) -> Callable[[re.Match[str]], str]:
        return lambda link: (
            f"{link[1]}{place}/{tag}/{posixpath.normpath(posixpath.join(folder, link[2]))}"
        )

    text = re.sub(r"(!\[[^]]*\]\()(?!\w+:|#)([^)#]*)", leading_to(raw), page.read_text("utf-8"))
    return re.sub(r"(\]\()(?!\w+:|#)([^)#]*)", leading_to(f"{repository}/blob"), text)


def main(words: list[str]) -> None:
    """What the docstring above says; ends with the complaints, if there are any."""
    if words == ["--notes"]:
        print(notes())
    elif words[0] == "--absolute-links":
        page = Path(words[1])
        page.write_text(absolute_links(page), "utf-8")
    else:
        sys.exit("\n".join(disagreements() + unready(words[0])) or None)


if __name__ == "__main__":
    main(sys.argv[1:])
