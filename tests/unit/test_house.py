"""How nnlib is built: imports run one way, and a name has one meaning. test_size.py bounds how large its parts are."""

from __future__ import annotations

import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import grimp

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
    graph = grimp.build_graph("nnlib")
    arrows = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    TopologicalSorter(arrows).prepare()


def test_no_two_classes_have_the_same_name():
    assert twins() == set()


def test_the_top_level_holds_what_everybody_looks_for_and_nothing_else():
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=NNLIB.parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert {file.split("/")[0] for file in files if not file.startswith(".")} <= set(
        """
        notebooks nnlib data tests environment.yml README.md pyproject.toml Makefile LICENSE
        CHANGELOG.md CITATION.cff
        """.split()
    )
