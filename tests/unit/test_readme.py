"""The README files tell the truth: their examples run and print what is shown, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

from nnlib.__main__ import COMMANDS
from nnlib.cuda import KernelError
from nnlib.cuda.__main__ import main
from nnlib.lessons import LESSONS
from nnlib.teaching.site.reference import anchor
from tests.benchmarks.render import PAGES
from tests.notebooks.pictures import REPORT, report

ROOT = Path(__file__).parents[2]
FRONT, CUDA, NNLIB = ROOT / "README.md", ROOT / "nnlib/cuda/README.md", ROOT / "nnlib/README.md"
READMES = sorted(
    {
        *PAGES,
        NNLIB,
        *(ROOT / "nnlib/cuda").glob("*.md"),
        ROOT / "notebooks/README.md",
        ROOT / "tests/README.md",
        ROOT / "data/README.md",
        ROOT / "notebooks/GLOSSARY.md",
        ROOT / "CHANGELOG.md",
        *(ROOT / ".github").glob("*.md"),
    }
)
every_page = pytest.mark.parametrize("page", READMES, ids=lambda page: str(page.relative_to(ROOT)))


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def marked(page: Path, name: str) -> str:
    return read(page).split(f"<!-- {name} -->")[1].split(f"<!-- /{name} -->")[0]


def test_the_front_page_is_short_and_opens_with_three_doors():
    text = read(FRONT)
    assert text.count("\n") <= 120 and len(text.split()) <= 1090 and "<!-- results:" not in text
    tables = re.findall(r"(?m)^\| *(.*?) *\|.*\n\|---.*\n((?:\|.*\n)+)", text)
    # The last one compares courses
    assert [heading for heading, _ in tables] == ["you want to", "lesson", ""]
    assert [
        (line.count("**"), line.split("|")[2].count("`")) for line in tables[0][1].splitlines()
    ] == [(2, 2)] * 3
    assert text.index("## Your first bug") < text.index("## Start")


def test_a_bullet_of_the_front_page_has_at_most_one_number():
    bullets = re.findall(r"(?m)^- \*\*.*\n(?!  )", read(FRONT))
    rest = re.sub(r"<!-- number.*?/number -->|\bH200\b|\blesson \d\d", "", "".join(bullets))
    assert len(bullets) >= 4 and {line.count("<!-- number:") for line in bullets} == {1}
    assert not re.search(r"\d", rest)


def test_rivals_are_named_where_the_course_is_compared():
    text = read(ROOT / "notebooks/COMPARISON.md")
    rows = re.findall(r"(?m)^\| ([\w' ,-]+) \|", read(FRONT).split("## How it compares")[1])
    named = ", ".join(rows).split(", ")
    assert len(named) >= 10 and [name for name in named if name not in text] == []


def test_the_example_reports_what_is_shown():
    code, report = re.findall(r"```(?:python)?\n(.*?)```", marked(FRONT, "example"), re.DOTALL)
    with pytest.raises(KernelError) as caught:
        exec(compile(code, "README.md", "exec"), {})
    error = caught.value
    assert report.strip() == f"{type(error).__module__}.{type(error).__name__}: {error}"


def test_the_program_prints_what_is_shown(capsys):
    code, shown = re.findall(r"```(?:python)?\n(.*?)```", marked(CUDA, "program"), re.DOTALL)
    # It is called so where it is alone
    exec(compile(code.replace("cudasim", "nnlib.cuda"), "README.md", "exec"), {})
    assert capsys.readouterr().out == shown


def test_the_command_prints_what_is_shown(here, capsys, environ):
    text = read(CUDA)
    command, shown = re.search(r"\$ cudasim (check .*)\n((?:vector\.cu.*\n)+)", text).groups()
    code = re.search(r'RawKernel\(r"""\n(.*?)"""', read(FRONT), re.DOTALL)[1]
    (here / "vector.cu").write_text(code)
    environ(GITHUB_ACTIONS=None)
    assert main(command.split()) == 1
    assert capsys.readouterr().out == shown


def drawn(page: Path, name: str, above: str = "") -> list[str]:
    """Return what a tree shows: folders that end with "/", and files, each with its path from `above`."""
    lines = [
        re.fullmatch(r"( *)(\S+(?: \S+)*)(?:  +(\S.*))?", line)
        for line in marked(page, name).strip().splitlines()[1:-1]
    ]
    shown, parents = [], []
    for indent, names, sentence in (line.groups() for line in lines):
        parents = parents[: len(indent) // 2]
        for each in names.split():
            path = "/".join([above, *parents, each.rstrip("/")]).strip("/")
            shown.append(path + ("/" if each.endswith("/") else ".py"))
        parents.append(names.rstrip("/"))
        assert sentence or not indent, f"{names}: no sentence"
    return shown


def test_the_trees_are_the_real_one():
    """Every folder of nnlib, and every file at its top, stands in a tree with a sentence; nothing else does."""
    package = ROOT / "nnlib"
    ours = [
        path
        for path in package.rglob("*")
        if path.is_file()
        and not {"__pycache__", "build", "cuda_simulator.egg-info"} & {*path.parts}
    ]
    folders = {f"{path.parent.relative_to(ROOT)}/" for path in ours}
    files = {f"nnlib/{path.name}" for path in package.glob("*.py")} - {"nnlib/__init__.py"}
    design = CUDA.with_name("DESIGN.md")
    shown = [
        *drawn(NNLIB, "tree"),
        *drawn(NNLIB, "tree below")[1:],
        *drawn(design, "tree", "nnlib")[1:],
    ]
    assert sorted(shown) == sorted(folders | files)


def test_each_half_of_the_house_fits_on_a_screen():
    assert all(len(drawn(NNLIB, name)) <= 40 for name in ("tree", "tree below"))


def anchors(page: Path) -> set[str]:
    """The headings of a page as GitHub turns them into the ends of links."""
    return {anchor(heading) for heading in re.findall(r"^#+ (.*)$", read(page), re.MULTILINE)}


@every_page
def test_links_lead_somewhere(page):
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        path, _, end = link.partition("#")
        target = page.parent / path if path else page
        if "://" not in link and (not target.exists() or (end and end not in anchors(target))):
            dead.append(link)
    assert dead == []


@every_page
def test_files_and_modules_exist(page):
    text = read(page)
    roots = (ROOT, ROOT / "nnlib", page.parent, page.parent / "_engine")
    files = set(re.findall(r"`((?:\w+/)+[a-z_]+\.(?:py|cu|json))`", text))
    assert [file for file in files if not any((root / file).exists() for root in roots)] == []
    modules = set(re.findall(r"python -m ((?:nnlib|tests)[.\w]*)", text))
    assert [
        name
        for name in modules
        if not (ROOT / f"{name.replace('.', '/')}.py").exists()
        and not (ROOT / name.replace(".", "/") / "__main__.py").exists()
    ] == []


@every_page
def test_commands_exist(page):
    """`nnlib WORD`, `make TARGET` and extras of the package, in a sentence or in a block of a shell."""
    text = read(page)
    blocks = [
        lines
        for kind, lines in re.findall(r"(?ms)^```(\w*)\n(.*?)^```", text)
        if kind in ("", "bash")
    ]
    typed = (
        re.findall(r"`([^`\n]+)`", re.sub(r"(?ms)^```.*?^```", "", text))
        + "\n".join(blocks).splitlines()
    )
    words = [line.removeprefix(".venv/bin/").split() for line in typed]
    assert {line[1] for line in words if line[:1] == ["nnlib"] and line[1:]} <= COMMANDS.keys()
    makefile = read(ROOT / "Makefile").replace("$(VENV)", ".venv")
    assert [
        line
        for line in words
        if line[:1] == ["make"] and line[1:] and f"\n{line[1]}:" not in makefile
    ] == []
    project = read(ROOT / "pyproject.toml")
    extras = re.findall(r"(?:\.|cuda-from-scratch)\[([a-z,]+)\]", "\n".join(typed))
    assert [
        extra for extra in ",".join(extras).split(",") if extra and f"\n{extra} = [" not in project
    ] == []


def test_every_kernel_file_is_explained():
    text = read(ROOT / "nnlib/kernels/README.md")
    folder = ROOT / "nnlib/kernels"
    names = [path.relative_to(folder).as_posix() for path in folder.rglob("*.cu")]
    assert [name for name in names if f"`{name}`" not in text] == []


def test_the_picture_shows_the_example_and_its_report():
    assert read(REPORT) == str(report()), "run: python -m tests.notebooks.pictures"


def test_minutes_are_those_of_the_lessons():
    rows = re.findall(r"\]\((notebooks/\S+\.ipynb)\) \|[^|]*\| (\d+) \|", read(FRONT))
    assert [path for path, _ in rows] == [f"notebooks/{lesson.file}" for lesson in LESSONS]
    for lesson, minutes in rows:
        assert f"about {minutes} minutes" in read(ROOT / lesson), lesson
