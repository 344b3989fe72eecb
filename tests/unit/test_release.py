"""A release agrees with itself: one version, complete metadata, forms that GitHub can read, a table that is whole."""

import importlib.util
import re
import shutil
from pathlib import Path

import pytest
import yaml

import nnlib

ROOT = Path(__file__).parents[2]
GITHUB = ROOT / ".github"
SPEC = importlib.util.spec_from_file_location("check_release", GITHUB / "check_release.py")
check_release = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(check_release)
READ = ("nnlib/__init__.py", "nnlib/course/labextensions/nnlib-cuda/package.json", "CITATION.cff", "CHANGELOG.md",
        "pyproject.toml", "nnlib/cuda/pyproject.toml")


@pytest.fixture
def copy(tmp_path):
    """What the check reads, ready for a release but for the one edit of a test."""
    for name in READ:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
        edit(tmp_path / name, "OWNER/", "somebody/")
    edit(tmp_path / "CHANGELOG.md", "## [Unreleased]", f"## [{nnlib.__version__}] - 2027-01-31")
    edit(tmp_path / "CITATION.cff", "license:", "date-released: 2027-01-31\nlicense:")
    return tmp_path


def edit(file, old, new):
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")


def complaints(folder, tag=f"v{nnlib.__version__}"):
    return check_release.disagreements(folder) + check_release.unready(tag, folder)


def test_the_version_stands_in_one_place_and_the_others_agree():
    assert check_release.version() == nnlib.__version__
    assert check_release.disagreements() == []
    assert re.search(r'(?m)^dynamic = \["version"\]$', (ROOT / "pyproject.toml").read_text("utf-8"))
    for page in (ROOT / "README.md", ROOT / "notebooks/TEACHING.md"):
        named = re.findall(r"cuda_from_scratch-([\d.]+\d)|version (\d[\d.]*\d)", page.read_text("utf-8"))
        assert {nnlib.__version__.startswith("".join(each)) for each in named} <= {True}, (page.name, named)


def test_a_tag_that_is_ready_is_released(copy):
    assert complaints(copy) == []


@pytest.mark.parametrize("file, old, new, said", [
    ("CITATION.cff", "version: 1", "version: 7", "CITATION.cff says version 7"),
    ("nnlib/cuda/pyproject.toml", 'version = "1', 'version = "7', "nnlib/cuda/pyproject.toml says version 7"),
    ("nnlib/course/labextensions/nnlib-cuda/package.json", '"version": "1', '"version": "7', "package.json says"),
    ("CHANGELOG.md", " - 2027-01-31", "", "no heading"),
    ("CITATION.cff", "2027-01-31", "2027-02-01", "not that of CHANGELOG.md"),
    ("pyproject.toml", "somebody/", "OWNER/", "pyproject.toml has no address yet")])
def test_what_does_not_agree_is_named(copy, file, old, new, said):
    edit(copy / file, old, new)
    assert any(said in each for each in complaints(copy))


def test_another_tag_is_refused(copy):
    assert complaints(copy, "v9.9.9") == [f"the tag is v9.9.9, the version {nnlib.__version__}"]


def test_the_notes_of_a_release_are_its_part_of_the_changelog(copy):
    edit(copy / "CHANGELOG.md", "\n[Unreleased]:", "\n## [0.0.1] - 2020-01-01\n\n- Older.\n\n[Unreleased]:")
    notes = check_release.notes(copy)
    assert notes.startswith("\nThe first edition") and "`nnlib demo`" in notes and "Older" not in notes
    assert "http" not in notes


def test_links_of_the_front_page_lead_somewhere_on_pypi(copy):
    page = copy / "README.md"
    page.write_text("[![a](https://b/c)](LICENSE) ![d](notebooks/e.svg) [f](#start) [g](tests/README.md#h) [i](http://j)")
    tag = f"v{nnlib.__version__}"
    assert check_release.absolute_links(page, copy) == (
        f"[![a](https://b/c)](https://github.com/somebody/cuda-from-scratch/blob/{tag}/LICENSE) "
        f"![d](https://raw.githubusercontent.com/somebody/cuda-from-scratch/{tag}/notebooks/e.svg) [f](#start) "
        f"[g](https://github.com/somebody/cuda-from-scratch/blob/{tag}/tests/README.md#h) [i](http://j)")
    (copy / "nnlib/cuda/README.md").write_text("[k](../../tests/l.md#m) [n](text.py)")
    assert check_release.absolute_links(copy / "nnlib/cuda/README.md", copy) == (
        f"[k](https://github.com/somebody/cuda-from-scratch/blob/{tag}/tests/l.md#m) "
        f"[n](https://github.com/somebody/cuda-from-scratch/blob/{tag}/nnlib/cuda/text.py)")


def test_what_waits_for_the_night_runs_at_night():
    nightly = (GITHUB / "workflows" / "nightly.yml").read_text("utf-8")
    asked = [file for file in (ROOT / "tests").rglob("test_*.py")
             if re.search(r"environ.*NNLIB_NIGHTLY", file.read_text("utf-8")) and file.name != Path(__file__).name]
    assert len(asked) >= 4 and [file.name for file in asked if file.name not in nightly] == []


def test_night_and_release_cover_the_pythons_that_are_promised():
    promised = set(re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8")))
    nightly = yaml.safe_load((GITHUB / "workflows" / "nightly.yml").read_text("utf-8"))
    assert set(nightly["jobs"]["pythons"]["strategy"]["matrix"]["python"]) == promised


@pytest.mark.parametrize("file", sorted((GITHUB / "workflows").glob("*.yml")), ids=lambda file: file.name)
def test_workflows_call_what_there_is(file):
    jobs = yaml.safe_load(file.read_text("utf-8"))["jobs"].values()
    typed = "\n".join(step.get("run", "") for job in jobs for step in job["steps"])
    files = re.findall(r"(?:\.ci|\.github|tests)/[\w/.]+", typed)
    assert [name for name in files if not (ROOT / name).exists()] == []
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert [target for target in re.findall(r"make (\w+)", typed) if f"\n{target}:" not in makefile] == []


def test_the_citation_has_what_its_format_requires():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= citation.keys()
    assert citation["license"] == ["MIT", "CC-BY-4.0"]


def test_the_changelog_keeps_its_format():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    versions = re.findall(r"(?m)^## (.*)$", text)
    heading = r"\[Unreleased\]|\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d"
    assert versions and all(re.fullmatch(heading, each) for each in versions)
    kinds = set(re.findall(r"(?m)^### (.*)$", text))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert [each for each in re.findall(r"\[([\w.]+)\]", "".join(versions)) if f"\n[{each}]: http" not in text] == []


@pytest.mark.parametrize("file", sorted(GITHUB.rglob("*.yml")), ids=lambda file: file.name)
def test_github_can_read_the_file(file):
    content = yaml.safe_load(file.read_text("utf-8"))
    if file.parent.name == "ISSUE_TEMPLATE" and file.name != "config.yml":
        assert {"name", "description", "body"} <= content.keys()
        ids = [field["id"] for field in content["body"]]
        assert len(ids) == len(set(ids)) and all(field["attributes"]["label"] for field in content["body"])
    elif file.parent.name == "workflows":
        assert all(job["steps"] and job["runs-on"] for job in content["jobs"].values())


def test_the_table_of_the_journal_has_its_points_each_with_a_state():
    table = (GITHUB / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"(?m)^\| (\d+) \|[^|]+\| (\w[\w ]*) \| (.+) \|$", table)
    assert [int(number) for number, _, _ in rows] == list(range(1, 16))
    assert {state for _, state, _ in rows} <= {"met", "prepared", "in part", "missing"}


def test_the_paper_cites_what_its_list_has():
    cited = set(re.findall(r"\[@(\w+)\]", (GITHUB / "paper.md").read_text("utf-8")))
    listed = set(re.findall(r"@\w+\{(\w+),", (GITHUB / "paper.bib").read_text("utf-8")))
    assert cited == listed


def test_the_two_licences_are_said_where_somebody_looks():
    for page in ("README.md", "notebooks/README.md", ".github/CONTRIBUTING.md", "notebooks/LICENSE"):
        text = (ROOT / page).read_text("utf-8")
        assert "MIT" in text and "CC BY 4.0" in text, page
