"""How large nnlib and its parts are: numbers that may shrink and never grow.

Size is counted in tokens of Python: no comments, no layout, no text of docstrings, no comma before a closing bracket,
an f-string as one, so that a formatter changes next to nothing.
`python -m tests.unit.test_size` prints the size of every room and of every exception.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.unit.test_house import DEFINITIONS, FILES, NNLIB, statements

MOST = {"nnlib": 551_700, "above the line": 53_690, "tests": 293_640}  # tokens
FILE, FUNCTION, PARAMETERS, LEVELS = 4000, 600, 8, 2

# Below the line, and the four rooms that hold content, one lesson or kernel after another.
NOT_ABOVE = tuple(
    """
    cuda teaching ops/fast training/replay mine/pieces mine/trials support course/exercises
    course/pictures course/clinic
    """.split()
)

# What is larger today, and how large it may be. It may shrink; what fits in the rule is deleted here.
STILL: dict[str, dict[str, int]] = {
    "file": {},
    "function": {},
    "parameters": {
        "nnlib.ops.fast.optimizers.adam_step": 10,
        "nnlib.training.loop.fit": 16,
        "nnlib.update_rules.adam_step": 10,
    },
    "levels": {},
}

_LONG = r"""'{3}(?:[^\\]|\\.)*?'{3}|"{3}(?:[^\\]|\\.)*?"{3}"""
_STRING = rf"""(?i:[rbuf]|[bf]r|r[bf])?(?:{_LONG}|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")"""
_NUMBER = r"0[xX][\da-fA-F_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d+)?j?"
_OPERATOR = r"\*\*=?|//=?|>>=?|<<=?|\.\.\.|!=|->|:=|[-+*/%&|^=<>@]=|[^\w\s\\,]|,(?!\s*[)\]}])"
_TOKEN = re.compile(rf"\#[^\n]*|({_STRING}|{_NUMBER}|\w+|{_OPERATOR})", re.DOTALL)
_DOCSTRING = re.compile(
    rf"(?:\A|:[ \t]*(?:\#[^\n]*)?\n)\s*(?:\#[^\n]*\s*)*{_STRING}[ \t]*(?:\#[^\n]*)?(?:\n|\Z)",
    re.DOTALL,
)


def tokens(text: str) -> int:
    """Count the tokens of Python source. The standard library's tokenizer takes ten times as long."""
    return sum(map(bool, _TOKEN.findall(text))) - len(_DOCSTRING.findall(text))


@cache
def counted(folder: Path) -> dict[str, int]:
    """File below that folder -> its tokens."""
    return {
        file.relative_to(folder).as_posix(): tokens(file.read_text("utf-8"))
        for file in folder.rglob("*.py")
        if "build" not in file.relative_to(folder).parts
    }


def is_above(file: str) -> bool:
    """Does a file of nnlib stand where a student or teacher reads?"""
    return not file.startswith(tuple(f"{room}/" for room in NOT_ABOVE))


def totals() -> dict[str, int]:
    nnlib = counted(NNLIB)
    return {
        "nnlib": sum(nnlib.values()),
        "above the line": sum(nnlib[file] for file in filter(is_above, nnlib)),
        "tests": sum(counted(NNLIB.parent / "tests").values()),
    }


def definitions(
    kind: type[ast.stmt] | tuple[type[ast.stmt], ...],
) -> list[tuple[str, str, ast.stmt]]:
    """Every class or function of nnlib: its module, its full name, its node."""
    return [
        (module, name, node)
        for module in FILES
        for name, node in statements(module)
        if isinstance(node, kind)
    ]


def files() -> dict[str, int]:
    return {module: tokens(file.read_text("utf-8")) for module, file in FILES.items()}


def functions() -> dict[str, int]:
    lines = {module: file.read_text("utf-8").splitlines() for module, file in FILES.items()}
    return {
        name: tokens("\n".join(lines[module][node.lineno - 1 : node.end_lineno]))
        for module, name, node in definitions(DEFINITIONS[1:])
    }


def parameters() -> dict[str, int]:
    """Return how many parameters each function has, without self or cls."""
    found = {}
    for _, name, node in definitions(DEFINITIONS[1:]):
        args = node.args
        given = [
            *args.posonlyargs,
            *args.args,
            *args.kwonlyargs,
            *filter(None, (args.vararg, args.kwarg)),
        ]
        found[name] = len(given) - (given[:1] != [] and given[0].arg in ("self", "cls"))
    return found


def levels() -> dict[str, int]:
    """Return how many classes of ours each class derives from. No two have the same name (test_house)."""
    classes = definitions(ast.ClassDef)
    bases = {
        node.name: [ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases]
        for _, _, node in classes
    }

    def depth(name: str) -> int:
        return max((1 + depth(base) for base in bases[name] if base in bases), default=0)

    return {name: depth(node.name) for _, name, node in classes}


RULES: dict[str, tuple[int, Callable[[], dict[str, int]]]] = {
    "file": (FILE, files),
    "function": (FUNCTION, functions),
    "parameters": (PARAMETERS, parameters),
    "levels": (LEVELS, levels),
}


def exceptions(rule: str) -> dict[str, int]:
    most, found = RULES[rule]
    return {name: size for name, size in sorted(found().items()) if size > most}


@pytest.mark.parametrize("part", MOST)
def test_the_house_does_not_grow(part):
    assert totals()[part] <= MOST[part], (
        "make something else smaller, or say in the commit what this is worth"
    )


@pytest.mark.parametrize("rule", RULES)
def test_nothing_grows_beyond_its_rule(rule):
    found = exceptions(rule)
    assert {name: size for name, size in found.items() if size > STILL[rule].get(name, 0)} == {}, (
        "too large"
    )
    assert sorted(STILL[rule].keys() - found) == [], "no longer too large: delete them from STILL"


def test_every_room_below_the_line_is_there():
    assert [room for room in NOT_ABOVE if not (NNLIB / room).is_dir()] == []


if __name__ == "__main__":
    rooms: Counter[str] = Counter()
    for file, size in counted(NNLIB).items():
        room = next((room for room in NOT_ABOVE if file.startswith(f"{room}/")), file.split("/")[0])
        rooms[f"{'above' if is_above(file) else 'below'}  {room}"] += size
    print(*(f"{size:9,}  {room}" for room, size in sorted(rooms.items())), totals(), sep="\n")
    print(*(f"{rule}: {exceptions(rule)}" for rule in RULES), sep="\n")
