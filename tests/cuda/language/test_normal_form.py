"""Code in its normal form has only what language/normal/nodes.py allows, at places in the source, for any kernel."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nnlib import mine
from nnlib.cuda import Program, RawKernel, RawModule
from nnlib.cuda._engine.host.addresses import Moved, RawWord
from nnlib.cuda._engine.host.lowering.actions import EndsWithBlock, HostNormalizer
from nnlib.cuda._engine.host.lowering.writer import FunctionWriter, LoweredProgram
from nnlib.cuda._engine.language import compile_source, tree
from nnlib.cuda._engine.language.exceptions import CatchClause, Throw, Try
from nnlib.cuda._engine.language.normal.collectives import is_collective
from nnlib.cuda._engine.language.normal.nodes import (
    Act,
    Barrier,
    CanonicalLoop,
    Collective,
    InlinedBody,
    Store,
    has_effect,
)
from nnlib.cuda._engine.language.walking import children, nodes
from tests.cuda import random_kernels
from tests.cuda.corpus import CASES
from tests.cuda.host.test_like_g_plus_plus import PROGRAMS
from tests.cuda.native.launching import known

EXPRESSIONS = (
    tree.Literal,
    tree.BuiltinIndex,
    tree.StringLiteral,
    tree.Name,
    tree.Index,
    tree.Dereference,
    tree.Member,
    tree.Unary,
    tree.Binary,
    tree.Convert,
    tree.Decay,
    tree.AddressOf,
    tree.PointerOffset,
    tree.PointerDifference,
    tree.Build,
    tree.Logical,
    tree.Conditional,
    tree.IntrinsicCall,
)
STATEMENTS = (
    tree.Block,
    tree.If,
    tree.Break,
    tree.Continue,
    tree.Declare,
    tree.ExprStmt,
    tree.Return,
    Store,
    CanonicalLoop,
    InlinedBody,
    Barrier,
    Collective,
)
LVALUES = (tree.Name, tree.Index, tree.Dereference, tree.Member)
POINTERS = (*LVALUES[1::2], tree.Decay, tree.AddressOf, tree.PointerOffset, tree.PointerDifference)
HOST = (Act, Moved, RawWord, EndsWithBlock, tree.Goto, tree.Label, Throw, Try, CatchClause)


def offences(body: tree.Stmt, on_host: bool = False) -> list[str]:
    """Return what a tree has that is not normal."""
    without, more = (POINTERS, HOST) if on_host else ((), ())
    expressions, statements = {*EXPRESSIONS, *more} - {*without}, {*STATEMENTS, *more}
    found, declared = [], [node.variable for node in nodes(body) if isinstance(node, tree.Declare)]
    if len(declared) != len(set(declared)):
        found.append("a variable that is declared twice")

    def look(node: Any, may_act: bool = False) -> None:
        if isinstance(node, tree.Expr):
            if type(node) not in expressions:
                found.append(f"the expression {type(node).__name__}")
            if isinstance(node, tree.IntrinsicCall) and (
                is_collective(node.name) or has_effect(node) and not may_act
            ):
                found.append(f"{node.name} in an expression")
        elif isinstance(node, tree.Stmt) and type(node) not in statements:
            found.append(f"the statement {type(node).__name__}")
        if isinstance(node, tree.Expr | tree.Stmt) and node.at.line < 1:
            found.append(f"{type(node).__name__} without a place")
        if isinstance(node, tree.Return) and node.value is not None and not on_host:
            found.append("a return with a value")
        if isinstance(node, Store) and not isinstance(node.target, LVALUES):
            found.append(f"{type(node.target).__name__} as the target of a Store")
        for child in children(node):
            look(child, isinstance(node, tree.Declare | tree.ExprStmt))

    look(body)
    return found


def normal(kernel: RawKernel) -> tree.Block | None:
    """The kernel in its normal form; None where native code refuses it."""
    return known(kernel)[1].body


@pytest.mark.parametrize("name", mine.PIECES)
def test_library_kernels_become_normal(name: str) -> None:
    for text in (mine.PIECES[name].plain, mine.PIECES[name].best):
        body = normal(RawKernel(text, name))
        assert body is not None and offences(body) == []


def test_the_corpus_becomes_normal() -> None:
    bodies = [body for case in CASES.values() if (body := normal(case.compiled())) is not None]
    assert len(bodies) > 130 and [wrong for body in bodies for wrong in offences(body)] == []


def test_random_kernels_become_normal() -> None:
    for seed in range(60):
        body = normal(RawModule(random_kernels.source([seed])).get_function(f"k{seed}"))
        assert body is not None and offences(body) == []


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_functions_of_the_host_become_normal(path: Path) -> None:
    program = Program(path.read_text())._program
    code = LoweredProgram(program)
    for function in program.functions.values():
        if function.kind in ("host", "both") and function.at.line:
            normalizer = HostNormalizer(FunctionWriter(code, function))
            assert offences(normalizer.statement(function.body), on_host=True) == []


def test_what_is_not_normal_is_noticed() -> None:
    text = """extern "C" __global__ void k(int* x) {
        int a = x[0]++; a += (x[1] = 3, 4); while (a-- > 0) x[2] = a; __syncthreads(); }"""
    assert offences(compile_source(text).functions["k"].body) == [
        "the expression CompoundAssign",
        "the expression CompoundAssign",
        "the expression Comma",
        "the expression Assign",
        "the statement LoopStmt",
        "the expression CompoundAssign",
        "the expression Assign",
        "__syncthreads in an expression",
    ]
