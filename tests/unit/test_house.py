"""How nnlib is built: imports run one way, and a name has one meaning. test_size.py bounds how large its parts are."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

NNLIB = Path(__file__).parents[2] / "nnlib"
FILES = {
    ".".join(("nnlib", *file.relative_to(NNLIB).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for file in NNLIB.rglob("*.py")
    if "build" not in file.relative_to(NNLIB).parts
}

DEFINITIONS = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def statements(module: str) -> list[tuple[str, ast.AST]]:
    """All statements of a module, each with the full name of what it defines, or of what it stands in."""

    def inside(node: ast.AST, prefix: str) -> Iterator[tuple[str, ast.AST]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                name = f"{prefix}.{child.name}" if isinstance(child, DEFINITIONS) else prefix
                yield name, child
                yield from inside(child, name)

    return [*inside(ast.parse(FILES[module].read_text(encoding="utf-8")), module)]


def imported(module: str) -> set[str]:
    """The modules of nnlib that this one imports anywhere: in a function and for the type checker as well."""
    named: set[str] = set()
    for _, node in statements(module):
        if isinstance(node, ast.Import):
            named.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".") + ["__init__"] * (FILES[module].name == "__init__.py")
            source = ".".join(
                [*package[: -node.level], *filter(None, [node.module])]
                if node.level
                else [node.module]
            )
            submodules = {f"{source}.{alias.name}" for alias in node.names} & FILES.keys()
            named |= submodules if len(submodules) == len(node.names) else {*submodules, source}
    return named & FILES.keys() - {module}


def circles(arrows: dict[str, set[str]]) -> list[set[str]]:
    """The largest sets of modules each of which imports all others, itself or through others."""
    reached = {module: _reached(module, arrows) for module in arrows}
    found = {
        frozenset(other for other in reached[module] if module in reached[other])
        for module in arrows
        if module in reached[module]
    }
    return [set(circle) for circle in found]


def _reached(module: str, arrows: dict[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = [module]
    while waiting:
        new = arrows[waiting.pop()] - found
        found |= new
        waiting += new
    return found


def in_circles() -> set[str]:
    return set().union(*circles({module: imported(module) for module in FILES}))


def twins() -> set[str]:
    """Names that two classes have, public or private: whoever searches for one finds the other."""
    names = Counter(
        node.name
        for module in FILES
        for _, node in statements(module)
        if isinstance(node, ast.ClassDef)
    )
    return {name for name, count in names.items() if count > 1}


def test_no_imports_close_a_circle():
    assert in_circles() == set()


def test_no_two_classes_have_the_same_name():
    assert twins() == set()


def test_an_import_across_the_wall_is_noticed(tmp_path):
    """Also one that only the type checker reads."""
    shutil.copytree(NNLIB, tmp_path / "nnlib", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(NNLIB.parent / "pyproject.toml", tmp_path)
    (tmp_path / "nnlib" / "layers.py").open("a", encoding="utf-8").write(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from nnlib.ops.fast import tiling\n"
        "    from nnlib.training.replay import graph\n    from nnlib.teaching import marking\n"
    )
    ran = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert set(re.findall(r"The wall: (.*) BROKEN", ran.stdout)) == {
        "one door to ops.fast",
        "one door to training.replay",
        "only the command imports teaching",
    }


def test_the_top_level_holds_what_everybody_looks_for_and_nothing_else():
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=NNLIB.parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert {file.split("/")[0] for file in files if not file.startswith(".")} <= {
        "notebooks",
        "nnlib",
        "data",
        "tests",
        "environment.yml",
        "README.md",
        "pyproject.toml",
        "Makefile",
        "LICENSE",
        "CHANGELOG.md",
        "CITATION.cff",
    }


def test_a_circle_is_found_wherever_it_closes():
    arrows = {
        "a": {"b"},
        "b": {"c"},
        "c": {"b", "d"},
        "d": set(),
        "e": {"f"},
        "f": {"g"},
        "g": {"e", "a"},
    }
    assert sorted(map(sorted, circles(arrows))) == [["b", "c"], ["e", "f", "g"]]
    assert "nnlib.cuda._engine.simulator.memory.spaces" in imported(
        "nnlib.cuda._engine.simulator.machine_protocol"
    )


def test_classes_of_one_name_are_found_wherever_they_stand(monkeypatch, tmp_path):
    for file, text in {
        "a": "class One: pass",
        "b": "def f():\n    class One: pass\nclass Two: pass",
    }.items():
        (tmp_path / file).write_text(text, "utf-8")
    monkeypatch.setattr(f"{__name__}.FILES", {f"house.{name}": tmp_path / name for name in "ab"})
    assert twins() == {"One"}


def test_the_core_of_the_simulator_is_as_small_as_its_docstring_says():
    text = FILES["nnlib.cuda._engine.simulator"].read_text(encoding="utf-8")
    core = ("masks.py", "memory/spaces.py", "running/machine.py")
    assert "fewer than 750 lines" in text and all(f"\n    {file} " in text for file in core)
    folder = NNLIB / "cuda/_engine/simulator"
    assert sum(len((folder / file).read_text(encoding="utf-8").splitlines()) for file in core) < 750
