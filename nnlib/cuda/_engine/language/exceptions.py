"""Statements of tree.py that deal with exceptions, which only the host's side of a program has."""

from __future__ import annotations

from .tree import Expr, Stmt, Variable
from .types import Type


class Throw(Stmt):
    """value None: the exception that is being handled."""

    value: Expr | None


class CatchClause(Stmt):
    """catch: of what is of this type, or derives from it; None: of anything. variable: it, or a pointer to it for a
    reference, if it has a name."""

    kind: Type | None
    variable: Variable | None
    reference: bool
    body: Stmt


class Try(Stmt):
    body: Stmt
    handlers: list[CatchClause]
