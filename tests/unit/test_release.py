"""A release agrees with itself: one version, complete metadata, forms that GitHub can read, a table that is whole."""

import importlib
import re
import shutil
import sys
from pathlib import Path

import pytest
import yaml

import nnlib
from nnlib.teaching.cells import read
from nnlib.teaching.copies import student_copy
from tests.notebooks import template

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
sys.path.insert(0, str(GITHUB))
address, check_release = map(importlib.import_module, ("address", "check_release"))
CHECKED_FILES = (
    "nnlib/__init__.py",
    "nnlib/course/labextensions/nnlib-cuda/package.json",
    "CITATION.cff",
    "CHANGELOG.md",
    "pyproject.toml",
    "nnlib/cuda/pyproject.toml",
)


def copied(names, folder):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)


@pytest.fixture
def copy(tmp_path):
    """Copy the files that the check reads, ready for a release but for the one edit of a test."""
    copied(CHECKED_FILES, tmp_path)
    for name in CHECKED_FILES:
        edit(tmp_path / name, "OWNER/", "somebody/")
        edit(tmp_path / name, "OWNER.", "somebody.")
    edit(tmp_path / "CHANGELOG.md", "## [Unreleased]", f"## [{nnlib.__version__}] - 2027-01-31")
    edit(tmp_path / "CITATION.cff", "license:", "date-released: 2027-01-31\nlicense:")
    return tmp_path


def text(file):
    return file.read_text("utf-8")


def edit(file, old, new):
    file.write_text(text(file).replace(old, new), "utf-8")


def complaints(folder, tag=f"v{nnlib.__version__}"):
    return check_release.disagreements(folder) + check_release.unready(tag, folder)


def test_the_version_stands_in_one_place_and_the_others_agree():
    assert check_release.version() == nnlib.__version__
    assert check_release.disagreements() == []
    assert re.search(r'(?m)^dynamic = \["version"\]$', text(ROOT / "pyproject.toml"))
    for page in (ROOT / "README.md", ROOT / "notebooks/TEACHING.md"):
        named = re.findall(r"cuda_from_scratch-([\d.]+\d)|version (\d[\d.]*\d)", text(page))
        assert {nnlib.__version__.startswith("".join(each)) for each in named} <= {True}, (
            page.name,
            named,
        )


def test_a_tag_that_is_ready_is_released(copy):
    assert complaints(copy) == []


@pytest.mark.parametrize(
    "file, old, new, said",
    [
        ("CITATION.cff", "version: 1", "version: 7", "CITATION.cff says version 7"),
        (
            "nnlib/cuda/pyproject.toml",
            'version = "1',
            'version = "7',
            "nnlib/cuda/pyproject.toml says version 7",
        ),
        (
            "nnlib/course/labextensions/nnlib-cuda/package.json",
            '"version": "1',
            '"version": "7',
            "package.json says",
        ),
        ("CHANGELOG.md", " - 2027-01-31", "", "no heading"),
        ("CITATION.cff", "2027-01-31", "2027-02-01", "not that of CHANGELOG.md"),
        ("pyproject.toml", "somebody/", "OWNER/", "pyproject.toml has no address yet"),
    ],
)
def test_what_does_not_agree_is_named(copy, file, old, new, said):
    edit(copy / file, old, new)
    assert any(said in each for each in complaints(copy))


def test_another_tag_is_refused(copy):
    assert complaints(copy, "v9.9.9") == [f"the tag is v9.9.9, the version {nnlib.__version__}"]


def test_the_notes_of_a_release_are_its_part_of_the_changelog(copy):
    edit(
        copy / "CHANGELOG.md",
        "\n[Unreleased]:",
        "\n## [0.0.1] - 2020-01-01\n\n- Older.\n\n[Unreleased]:",
    )
    notes = check_release.notes(copy)
    assert (
        notes.startswith("\nThe first edition") and "`nnlib demo`" in notes and "Older" not in notes
    )
    assert "http" not in notes


def test_one_command_fills_in_the_address_and_takes_it_out_again(tmp_path):
    copied((*address.METADATA, *address.PAGES), tmp_path)
    for path in (ROOT / "notebooks").glob("*.ipynb"):
        shutil.copy(path, tmp_path / "notebooks")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*") if path.is_file()}
    address.fill("somebody/some-course", tmp_path)
    assert address.address(tmp_path) == "somebody/some-course" and address.waiting(tmp_path) == []
    assert [path for path, content in before.items() if path.read_bytes() == content] == []
    front = (tmp_path / "README.md").read_text("utf-8")
    assert (
        "`git clone https://github.com/somebody/some-course`" in front
        and "https://somebody.github.io/" in front
    )
    for path in (tmp_path / "notebooks").glob("*.ipynb"):
        notebook = read(path)
        assert template.problems(notebook, ROOT / "notebooks" / path.name, ROOT) == []
        assert (
            f"/github/somebody/some-course/blob/main/notebooks/{path.name})"
            in notebook.cells[0].source
        )
        assert 'COURSE = "https://github.com/somebody/some-course"' in text(path).replace("\\", "")
        assert "some-course" not in str(student_copy(notebook))  # solutions are published there
    address.fill("OWNER/cuda-from-scratch", tmp_path)
    assert {path: path.read_bytes() for path in before} == before


def test_links_of_the_front_page_lead_somewhere_on_pypi(copy):
    page = copy / "README.md"
    page.write_text(
        "[![a](https://b/c)](LICENSE) ![d](notebooks/e.svg) [f](#start) [g](tests/README.md#h) [i](http://j)"
    )
    tag = f"v{nnlib.__version__}"
    assert check_release.absolute_links(page, copy) == (
        f"[![a](https://b/c)](https://github.com/somebody/cuda-from-scratch/blob/{tag}/LICENSE) "
        f"![d](https://raw.githubusercontent.com/somebody/cuda-from-scratch/{tag}/notebooks/e.svg) [f](#start) "
        f"[g](https://github.com/somebody/cuda-from-scratch/blob/{tag}/tests/README.md#h) [i](http://j)"
    )
    (copy / "nnlib/cuda/README.md").write_text("[k](../../tests/l.md#m) [n](text.py)")
    assert check_release.absolute_links(copy / "nnlib/cuda/README.md", copy) == (
        f"[k](https://github.com/somebody/cuda-from-scratch/blob/{tag}/tests/l.md#m) "
        f"[n](https://github.com/somebody/cuda-from-scratch/blob/{tag}/nnlib/cuda/text.py)"
    )


def test_what_waits_for_the_night_runs_at_night():
    nightly = text(GITHUB / "workflows" / "nightly.yml")
    asked = [
        file
        for file in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"environ.*NNLIB_NIGHTLY", text(file)) and file.name != Path(__file__).name
    ]
    assert len(asked) >= 4 and [file.name for file in asked if file.name not in nightly] == []


def test_night_and_release_cover_the_pythons_that_are_promised():
    promised = set(re.findall(r"Python :: (3\.\d+)", text(ROOT / "pyproject.toml")))
    nightly = yaml.safe_load(text(GITHUB / "workflows" / "nightly.yml"))
    assert set(nightly["jobs"]["pythons"]["strategy"]["matrix"]["python"]) == promised


@pytest.mark.parametrize(
    "file", sorted((GITHUB / "workflows").glob("*.yml")), ids=lambda file: file.name
)
def test_workflows_call_what_there_is(file):
    jobs = yaml.safe_load(text(file))["jobs"].values()
    typed = "\n".join(step.get("run", "") for job in jobs for step in job["steps"])
    files = re.findall(r"(?:\.ci|\.github|tests)/[\w/.]+", typed)
    assert [name for name in files if not (ROOT / name).exists()] == []
    makefile = text(ROOT / "Makefile")
    assert [
        target for target in re.findall(r"make (\w+)", typed) if f"\n{target}:" not in makefile
    ] == []


def test_the_citation_has_what_its_format_requires():
    citation = yaml.safe_load(text(ROOT / "CITATION.cff"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["license"] == ["MIT", "CC-BY-4.0"]


def test_the_changelog_keeps_its_format():
    changes = text(ROOT / "CHANGELOG.md")
    versions = re.findall(r"(?m)^## (.*)$", changes)
    heading = r"\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d"
    assert versions and all(re.fullmatch(heading, each) for each in versions)
    kinds = set(re.findall(r"(?m)^### (.*)$", changes))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert [
        each
        for each in re.findall(r"\[([\w.]+)\]", "".join(versions))
        if f"\n[{each}]: http" not in changes
    ] == []


@pytest.mark.parametrize("file", sorted(GITHUB.rglob("*.yml")), ids=lambda file: file.name)
def test_github_can_read_the_file(file):
    content = yaml.safe_load(text(file))
    if file.parent.name == "ISSUE_TEMPLATE" and file.name != "config.yml":
        assert {"name", "description", "body"} <= content.keys()
        ids = [field["id"] for field in content["body"]]
        assert len(ids) == len(set(ids)) and all(
            field["attributes"]["label"] for field in content["body"]
        )
    elif file.parent.name == "workflows":
        assert all(job["steps"] and job["runs-on"] for job in content["jobs"].values())


def test_the_paper_cites_what_its_list_has():
    cited = set(re.findall(r"\[@(\w+)\]", text(GITHUB / "paper.md")))
    listed = set(re.findall(r"@\w+\{(\w+),", text(GITHUB / "paper.bib")))
    assert cited == listed
