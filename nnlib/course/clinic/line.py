"""What a repaired line may be: arithmetic with the names of the program, so that marking may run it, too."""

from __future__ import annotations

import ast
import builtins

_PYTHONS = set(dir(builtins)) - set(
    "abs bool enumerate float int len max min range reversed sum zip".split()
) | {"namedtuple"}
_ATTRIBUTES = set(
    """
    T add append arange argmax array asarray astype clip copy copyto divide dot dtype einsum
    equal exp fill flatten float16 float32 float64 full get greater heaviside int32 log matmul
    maximum mean minimum multiply ndim newaxis ones ones_like outer ravel reshape setdefault
    shape sign size sqrt square subtract swapaxes sum transpose uint8 where zeros zeros_like w b
    dw db y max min
    """.split()
)
_NODES = (
    ast.Module,
    ast.Assign,
    ast.AugAssign,
    ast.Expr,
    ast.Return,
    ast.Pass,
    ast.For,
    ast.If,
    ast.Name,
    ast.Attribute,
    ast.Constant,
    ast.Tuple,
    ast.List,
    ast.Subscript,
    ast.Slice,
    ast.Starred,
    ast.Call,
    ast.keyword,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)


def beyond_arithmetic(line: str) -> str | None:
    """Name the first construct in a line that is not plain arithmetic, or return None. Raises SyntaxError if it is not Python."""
    text = line.strip()
    for node in ast.walk(ast.parse(text + " pass" if text.endswith(":") else text)):
        if not isinstance(node, _NODES):
            return type(node).__name__.lower()
        if isinstance(node, ast.Name) and (node.id in _PYTHONS or node.id.startswith("_")):
            return node.id
        if isinstance(node, ast.Attribute) and (
            node.attr not in _ATTRIBUTES or not isinstance(node.ctx, ast.Load)
        ):
            return node.attr  # np.exp = … would change more than the program
    return None
