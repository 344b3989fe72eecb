"""What a statement does to the flow of control: may threads not come out of its end?"""

from __future__ import annotations

from collections.abc import Iterator

from nnlib.cuda.language import tree

LOOPS = (tree.For, tree.While, tree.DoWhile)


def contains_return(s: tree.Stmt) -> bool:
    return any(isinstance(part, tree.Return) for part in walk(s))


def may_stop(s: tree.Stmt) -> bool:
    """Whether some threads may not go on to the statement after s."""
    if isinstance(s, tree.Break | tree.Continue | tree.Return):
        return True
    if isinstance(s, LOOPS):
        return contains_return(s.body)
    if isinstance(s, tree.Switch):
        return any(_may_stop_outside_switch(part) for part in children(s))
    return any(may_stop(part) for part in children(s))


def _may_stop_outside_switch(s: tree.Stmt) -> bool:
    if isinstance(s, tree.Break):
        return False
    if isinstance(s, tree.Block | tree.If):
        return any(_may_stop_outside_switch(part) for part in children(s))
    return may_stop(s)


def contains_continue(s: tree.Stmt) -> bool:
    """A continue of the loop that s is the body of."""
    if isinstance(s, tree.Continue):
        return True
    return not isinstance(s, LOOPS) and any(contains_continue(part) for part in children(s))


def children(s: tree.Stmt) -> list[tree.Stmt]:
    if isinstance(s, tree.Block):
        return s.statements
    if isinstance(s, tree.If):
        return [s.then] + ([s.otherwise] if s.otherwise else [])
    if isinstance(s, tree.For | tree.While | tree.DoWhile):
        return [s.body]
    if isinstance(s, tree.Switch):
        return [part for case in s.cases for part in case.body]
    return []


def walk(s: tree.Stmt) -> Iterator[tree.Stmt]:
    yield s
    for part in children(s):
        yield from walk(part)
