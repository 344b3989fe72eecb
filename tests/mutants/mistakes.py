"""Every single mistake that can be planted in a file: an operator, a number, a condition, or a statement left out."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Mutant:
    """One wrong version of a file; `lines` are those of the statement that changes, and `text` is the whole file."""

    file: str
    lines: range
    right: str
    wrong: str
    text: str


def mutants(file: str, text: str) -> Iterator[Callable[[], Mutant]]:
    """All of a file's. Each is written down when it is called for, which takes long."""
    return _of_python(file, text) if file.endswith(".py") else _of_cuda(file, text)


OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}
LEFT_OUT = (ast.Expr, ast.AugAssign, ast.Raise, ast.Break, ast.Continue)


def _of_python(file: str, text: str) -> Iterator[Callable[[], Mutant]]:
    tree = ast.parse(text)
    for statement, node, field, index in _places(tree):
        at = getattr(node, field)
        right = at if index is None else at[index]
        for wrong in _wrong(right):
            def mutant(statement=statement, node=node, field=field, index=index, right=right, wrong=wrong) -> Mutant:
                before = _first_line(statement)
                _put(node, field, index, wrong)
                after = _first_line(wrong if right is statement else statement)
                changed = ast.unparse(tree)
                _put(node, field, index, right)
                return Mutant(file, _lines(statement), before, after, changed)
            yield mutant


def _places(tree: ast.Module) -> Iterator[tuple[ast.stmt, ast.AST, str, int | None]]:
    """Every node below `tree` by its statement, its parent and its place in it, but for types and docstrings."""
    def visit(node: ast.AST, statement: ast.stmt | None) -> Iterator[tuple[ast.stmt, ast.AST, str, int | None]]:
        for field, value in ast.iter_fields(node):
            if field in ("annotation", "returns", "decorator_list"):
                continue
            for index, child in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(child, ast.AST) or _is_docstring(child) or _for_types(child):
                    continue
                here = child if isinstance(child, ast.stmt) else statement
                if here is not None:
                    yield here, node, field, index if isinstance(value, list) else None
                yield from visit(child, here)
    yield from list(visit(tree, None))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _wrong(node: ast.AST) -> Iterator[ast.AST]:
    if type(node) in OPERATORS:
        yield OPERATORS[type(node)]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        yield ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node.operand
    elif isinstance(node, (ast.If, ast.IfExp)):
        for always in (True, False):
            changed = copy.copy(node)
            changed.test = ast.Constant(always)
            yield changed
    elif isinstance(node, LEFT_OUT):
        yield ast.Pass()
    elif isinstance(node, ast.Assign) and isinstance(node.targets[0], (ast.Attribute, ast.Subscript)):
        yield ast.Pass()


def _put(node: ast.AST, field: str, index: int | None, child: ast.AST) -> None:
    if index is None:
        setattr(node, field, child)
    else:
        getattr(node, field)[index] = child


def _lines(statement: ast.stmt) -> range:
    """Without the body that a compound statement has: that is executed less often."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else statement.end_lineno or statement.lineno
    return range(statement.lineno, max(last, statement.lineno) + 1)


def _first_line(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


SKIPPED = re.compile(r"//[^\n]*|/\*.*?\*/|^[ \t]*#[^\n]*|\"[^\"\n]*\"", re.DOTALL | re.MULTILINE)
CUDA = re.compile(r"(?<= )(?:<=|>=|==|!=|&&|\|\||<<|>>|[-+*/%<>&|])(?= )|(?<= )[-+]=(?= )|__sync\w+\([^;]*\);"
                  r"|(?<![\w.])\d+(?![\w.])|(?<![\w.])\d+\.\d+f")
SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "<<": ">>",
           ">>": "<<", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "&": "|", "|": "&", "+=": "=", "-=": "+="}


def _of_cuda(file: str, text: str) -> Iterator[Callable[[], Mutant]]:
    code = SKIPPED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in CUDA.finditer(code):
        def mutant(found=found) -> Mutant:
            number = text.count("\n", 0, found.start())
            changed = text[:found.start()] + _wrong_token(found[0]) + text[found.end():]
            return Mutant(file, range(number + 1, number + 2), text.splitlines()[number].strip(),
                          changed.splitlines()[number].strip(), changed)
        yield mutant


def _wrong_token(token: str) -> str:
    if token in SWAPPED:
        return SWAPPED[token]
    if token.startswith("__sync"):
        return ""
    return f"{float(token[:-1]) + 1}f" if token.endswith("f") else str(int(token) + 1)
