"""Statements of tree.py that deal with exceptions, which only the host's side of a program has."""

from __future__ import annotations

from .tree import Expr, Stmt, Variable
from .types import Type


class Throw(Stmt):
    """value None: the exception that is being handled."""

    value: Expr | None


class CatchClause(Stmt):
    """A catch of exceptions of a type and of what derives from it, or of any if `kind` is None.

    variable: the exception, or for a reference a pointer to it, if it has a name.
    """

    kind: Type | None
    variable: Variable | None
    reference: bool
    body: Stmt


class Try(Stmt):
    body: Stmt
    handlers: list[CatchClause]
