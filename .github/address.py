"""The public address of the repository: one value, and everything that follows from it.

    python .github/address.py                        prints the address, or what stands in its place
    python .github/address.py somebody/some-course   fills it in everywhere; OWNER/cuda-from-scratch takes it out again

The value is `Repository` in pyproject.toml. Metadata repeats it. Pages say one thing with an address and another
without one, between `<!-- address:NAME -->` and `<!-- /address -->`. A lesson gets a link to Colab, and its set-up
cell the repository to clone there.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOBODY = "OWNER"  # the account of a repository that is not public yet
METADATA = ("pyproject.toml", "nnlib/cuda/pyproject.toml", "CITATION.cff", "CHANGELOG.md")
PAGES = ("README.md", "notebooks/README.md", "nnlib/cuda/README.md", "nnlib/cuda/TESTING.md")
_MARKED = re.compile(r"(<!-- address:(\w+) -->)(.*?)(<!-- /address -->)", re.DOTALL)
_COLAB = re.compile(r"\n\n\[Open in Colab\]\(\S+\)$")
_COURSE = re.compile(r'(?m)^COURSE = ".*"$')

# name of a marked place -> what it says without an address, and with one
WORDS = {
    "clone": (
        "clone this repository, or unpack an archive of it, and open a terminal in its folder",
        "`git clone {repository}` and `cd {name}`",
    ),
    "tab": ("", " Or try it [in your browser]({site}) before you install anything."),
    "install": (
        "`pip install ./nnlib/cuda`",
        '`pip install "git+{repository}#subdirectory=nnlib/cuda"`',
    ),
    "link": (
        "There is no public link yet, so build the site or ask your teacher for theirs.",
        "Ours is {site}.",
    ),
}


def address(root: Path = ROOT) -> str:
    """Return the account and the name of the repository, as in somebody/some-course."""
    text = (root / "pyproject.toml").read_text("utf-8")
    return re.search(r'(?m)^Repository = "https://github\.com/(.+)"$', text)[1]  # type: ignore[index]


def waiting(root: Path = ROOT) -> list[str]:
    """Return the files whose address is still that of nobody."""
    return [
        name for name in METADATA if re.search(rf"\b{NOBODY}[./]", (root / name).read_text("utf-8"))
    ]


def page(text: str, new: str) -> str:
    """Return a page that says what fits the address."""
    account, name = new.split("/")
    facts = {
        "name": name,
        "repository": f"https://github.com/{new}",
        "site": f"https://{account}.github.io/{name}/",
    }

    def filled(match: re.Match[str]) -> str:
        return match[1] + WORDS[match[2]][account != NOBODY].format(**facts) + match[4]

    return _MARKED.sub(filled, text)


def lesson(text: str, file: str, new: str) -> str:
    """Return a notebook whose title links to Colab, and whose set-up cell clones the repository there."""
    notebook = json.loads(text)
    public = not new.startswith(f"{NOBODY}/")
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell is notebook["cells"][0]:
            link = f"https://colab.research.google.com/github/{new}/blob/main/notebooks/{file}"
            source = _COLAB.sub("", source) + (f"\n\n[Open in Colab]({link})" if public else "")
        elif cell["cell_type"] == "code":
            source = _COURSE.sub(
                f'COURSE = "https://github.com/{new}"' if public else 'COURSE = ""', source
            )
        cell["source"] = source.splitlines(keepends=True)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def fill(new: str, root: Path = ROOT) -> None:
    """Write the address wherever it belongs."""
    (account, name), (old, old_name) = new.split("/"), address(root).split("/")
    for file in METADATA:
        text = (root / file).read_text("utf-8").replace(f"{old}/{old_name}", new)
        (root / file).write_text(
            text.replace(f"{old}.github.io/{old_name}", f"{account}.github.io/{name}"), "utf-8"
        )
    for file in PAGES:
        (root / file).write_text(page((root / file).read_text("utf-8"), new), "utf-8")
    for path in (root / "notebooks").glob("[0-9]*.ipynb"):
        path.write_text(lesson(path.read_text("utf-8"), path.name, new), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:]:
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", sys.argv[1]):
            sys.exit(f"{sys.argv[1]} is not ACCOUNT/REPOSITORY")
        fill(sys.argv[1])
    print(f"https://github.com/{address()}")
