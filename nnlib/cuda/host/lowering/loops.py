"""Loops over arrays as NumPy does them: for (int i = 0; i < n; i++) x[i] = ...; takes seconds as plain Python.

What is understood: a counter, and a body of assignments to elements, new variables, sums and `if`s that are rarely
true. The loop is done in large pieces (../runtime/bulk.py) as long as nothing is unusual about its memory; where an
`if` is true, an index leaves its array, or one turn needs the result of another, the plain loop goes on from there.
A variable that is given another value is another one in the generated code, so each name stands for one value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from nnlib.cuda.host.lowering.expressions import ACTIONS, ExpressionLowering
from nnlib.cuda.host.lowering.values import code_of
from nnlib.cuda.host.lowering.writer import in_memory, size_of
from nnlib.cuda.language import tree
from nnlib.cuda.language.layout import field_of
from nnlib.cuda.language.types import BOOL, DOUBLE, Array, Pointer, Scalar, Struct, Type
from nnlib.cuda.simulator.codegen.analysis import nodes
from nnlib.cuda.simulator.functions.mathematics import MATH

BYTE = ("i", 1)  # a char of any kind looks at everything
LEAST = 48  # turns for which it is worth it


class NotBulk(Exception):
    """The loop is not of this kind."""


def bulk(expressions: ExpressionLowering, loop: tree.For, counter: tree.Variable) -> str | None:
    """A statement that does as many turns as it can and moves the counter on; None for a loop of another kind."""
    try:
        return _Loop(expressions, loop, counter).text()
    except NotBulk:
        return None


def counter_of(loop: tree.For) -> tree.Variable | None:
    """The int that the loop counts up by 1."""
    step, condition = loop.step, loop.condition
    if isinstance(step, tree.Increment) and step.delta == 1 and isinstance(step.target, tree.Name) and isinstance(
            condition, tree.Binary) and condition.op in ("<", "<=", "!="):
        variable, left = step.target.variable, condition.left
        kept = left.operand if isinstance(left, tree.Convert) and _keeps_order(left) else left
        if isinstance(kept, tree.Name) and kept.variable is variable and not in_memory(variable) and isinstance(
                variable.type, Scalar) and variable.type.size >= 4 and not variable.type.is_float:
            return variable
    return None


def _keeps_order(e: tree.Convert) -> bool:
    """Does each value from 0 on stay what it is? The integer types that C compares in are no smaller than theirs."""
    return isinstance(e.type, Scalar) and e.type != BOOL and (e.type.is_float or size_of(e.type) >= size_of(
        e.operand.type))


def _alias(kind: Type) -> tuple[str, int]:
    """Types of which one may look at what was stored as the other: signed and unsigned ones."""
    letter = kind.dtype.kind.replace("u", "i") if isinstance(kind, Scalar) else type(kind).__name__
    return letter, size_of(kind)


class _Loop:
    def __init__(self, expressions: ExpressionLowering, loop: tree.For, counter: tree.Variable) -> None:
        self.scalar, self.code, self.writer = expressions, expressions.code, expressions.writer
        self.loop, self.counter = loop, counter
        self.changed = {counter}
        self.made: dict[tree.Variable, str] = {}
        self.sums: dict[tree.Variable, str] = {}
        self.stored: set[tuple[str, int]] = set()  # what the loop stores: see _alias
        self.lines: list[str] = []
        self.draws = 0  # calls of rand() in each turn
        self._rules: dict[type, Callable[[Any], str]] = {
            tree.Name: self._name, tree.Binary: self._binary, tree.Convert: self._convert, tree.Unary: self._unary,
            tree.Index: self._load, tree.Dereference: self._load, tree.Member: self._load,
            tree.Logical: self._logical, tree.Conditional: self._conditional, tree.Call: self._call,
            tree.IntrinsicCall: self._intrinsic,
        }

    def text(self) -> str:
        body = self.loop.body.statements if isinstance(self.loop.body, tree.Block) else [self.loop.body]
        for node in nodes(self.loop.body):
            if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment):
                if isinstance(node.target, tree.Name):
                    self.changed.add(node.target.variable)
                    if in_memory(node.target.variable):
                        self.stored.add(_alias(node.target.type))
                else:
                    self.stored.add(_alias(node.target.type))
        condition = self.loop.condition
        assert isinstance(condition, tree.Binary)
        floating = isinstance(condition.right.type, Scalar) and condition.right.type.is_float
        if not self._fixed(condition.right) or floating and (condition.right.type != DOUBLE or condition.op == "!="):
            raise NotBulk
        for statement in body:
            self._statement(statement)
        return self._call_of(condition)

    def _call_of(self, condition: tree.Binary) -> str:
        """The function, compiled with the program, and its call."""
        name = f"bulk{len(self.code.compiled)}_{len(self.code.sources)}_{self.writer.fresh('b')}"
        counter = self.writer.name_of(self.counter)
        sums = "".join(f", {name}" for name in self.sums.values())
        limit = self.scalar.value(condition.right)
        known = {self.writer.name_of(node.variable) for node in nodes(self.loop) if isinstance(node, tree.Name)
                 and node.variable.space not in ("host", "static", "global", "constant")}
        used = set(re.findall(r"\w+", " ".join([*self.lines, limit, counter, sums])))
        given = ", ".join(sorted(known & used))
        whole = {"<": f"-(-{limit} // 1)", "<=": f"{limit} // 1"}  # of a double
        end = whole[condition.op] if condition.right.type == DOUBLE else limit
        end = f"{end} + 1" if condition.op == "<=" else end
        head = [f"def {name}({given}):",
                f"    for turn in turns({counter}, {end}, {self._dtype(self.counter.type)!r}):",
                "        with turn:"]
        drawn = [f"drawn = turn.draw({self.draws})"] * bool(self.draws)
        lines = [f"            {line}" for line in drawn + self.lines or ["pass"]]
        tail = [f"        {counter} = turn.next" + "".join(f"; {s} = turn.sums.get({s!r}, {s})" for s in
                                                           self.sums.values()),
                f"    return {counter}{sums}" + ("," if not sums else "")]
        source = "\n".join([*head, *lines, *tail]) + "\n"
        self.code.sources.append(source)
        self.code.compiled.append(compile(source, f"<{name}>", "exec"))
        enough = f"{end} - {counter} > {LEAST}"
        if isinstance(condition.left, tree.Convert):  # a negative counter may become a large one
            enough = f"{counter} >= 0 and {enough}"
        return f"if {enough}: {counter}{sums}{',' * (not sums)} = {name}({given})"

    # --- statements -----------------------------------------------------------------------

    def _statement(self, s: tree.Stmt) -> None:
        match s:
            case tree.Block(statements=parts):
                for part in parts:
                    self._statement(part)
            case tree.Declare(variable=variable, initializer=initial) if (
                    isinstance(initial, tree.Expr) and not in_memory(variable) and variable.space == "local"
                    and isinstance(variable.type, Scalar)):
                self.changed.add(variable)
                self._bind(variable, self.value(initial))
            case tree.ExprStmt(expression=tree.Assign(target=target, value=value)):
                self._store(target, self.value(value))
            case tree.ExprStmt(expression=tree.CompoundAssign() as e):
                self._compound(e)
            case tree.ExprStmt(expression=tree.Increment() as e) if isinstance(e.target, tree.Name):
                self._sum(e.target, f"turn.all({e.delta}, {self._dtype(e.type)!r})")
            case tree.If(condition=condition, otherwise=None):
                self.lines.append(f"turn.until({self.value(condition)})")
            case _:
                raise NotBulk

    def _store(self, target: tree.Expr, value: str) -> None:
        if isinstance(target, tree.Name):
            if target.variable not in self.made:
                raise NotBulk
            self._bind(target.variable, value)
            return
        if not isinstance(target.type, Scalar):
            raise NotBulk
        base, offset = self._place(target)
        self.lines.append(f"turn.store({base}, {offset}, {value}, {self._dtype(target.type)!r})")

    def _bind(self, variable: tree.Variable, value: str) -> None:
        name = self.writer.fresh("x")
        self.lines.append(f"{name} = {value}")
        self.made[variable] = name

    def _compound(self, e: tree.CompoundAssign) -> None:
        if not isinstance(e.compute_type, Scalar):  # a pointer moves on
            raise NotBulk
        if isinstance(e.target, tree.Name) and e.target.variable not in self.made:
            if e.op != "+" or e.compute_type != e.type:
                raise NotBulk
            self._sum(e.target, self.value(e.value))
            return
        old = self._converted(self.value(e.target), e.type, e.compute_type)
        new = self._operate(e.op, old, self.value(e.value), e.compute_type)
        self._store(e.target, self._converted(new, e.compute_type, e.type))

    def _sum(self, target: tree.Name, values: str) -> None:
        """variable += value: the variable is used nowhere else."""
        variable = target.variable
        uses = [node for node in nodes(self.loop) if isinstance(node, tree.Name) and node.variable is variable]
        if in_memory(variable) or len(uses) != 1 or not isinstance(target.type, Scalar):
            raise NotBulk
        name = self.sums[variable] = self.writer.name_of(variable)
        self.lines.append(f"turn.add({name!r}, {name}, {values}, {self._dtype(target.type)!r})")

    # --- values ---------------------------------------------------------------------------

    def _fixed(self, e: tree.Expr) -> bool:
        """Is it the same in every turn? What is read in memory is, where nothing of its type is stored."""
        for node in nodes(e):
            if isinstance(node, tree.Name) and node.variable in self.changed:
                return False
            if isinstance(node, ACTIONS):
                return False
            reads = isinstance(node, tree.Index | tree.Dereference | tree.Member) or (
                isinstance(node, tree.Name) and in_memory(node.variable))
            if reads and (_alias(node.type) in self.stored or BYTE in self.stored
                          or self.stored and _alias(node.type) == BYTE):
                return False
        return True

    def value(self, e: tree.Expr) -> str:
        """An array with the value in each turn, or one number that goes with it."""
        if self._fixed(e):
            if not isinstance(e.type, Scalar):
                raise NotBulk
            return f"turn.all({self.scalar.value(e)}, {self._dtype(e.type)!r})"
        rule = self._rules.get(type(e))
        if rule is None:
            raise NotBulk
        return rule(e)

    @staticmethod
    def _dtype(kind: Type) -> str:
        if not isinstance(kind, Scalar):
            raise NotBulk
        code = code_of(kind)
        return {"?": "?"}.get(code, {"b": "i1", "B": "u1", "h": "i2", "H": "u2", "i": "i4", "I": "u4", "q": "i8",
                                     "Q": "u8", "f": "f4", "d": "f8"}.get(code, code))

    def _name(self, e: tree.Name) -> str:
        if e.variable is self.counter:
            return "turn.numbers"
        if e.variable not in self.made:
            raise NotBulk
        return self.made[e.variable]

    def _unary(self, e: tree.Unary) -> str:
        value = self.value(e.operand)
        return f"np.logical_not({value})" if e.op == "!" else value if e.op == "+" else f"({e.op}{value})"

    def _binary(self, e: tree.Binary) -> str:
        left, right = self.value(e.left), self.value(e.right)
        if e.op in ("<", "<=", ">", ">=", "==", "!="):
            return f"({left} {e.op} {right})"
        if not isinstance(e.type, Scalar):
            raise NotBulk
        return self._operate(e.op, left, right, e.type)

    def _operate(self, op: str, left: str, right: str, kind: Scalar) -> str:
        if op in ("/", "%") and not kind.is_float:
            return f"turn.{'quotient' if op == '/' else 'remainder'}({left}, {right})"
        if op in ("<<", ">>"):
            return f"({left} {op} ({right} & {8 * kind.size - 1}).astype({self._dtype(kind)!r}))"
        return f"({left} {op} {right})"

    def _logical(self, e: tree.Logical) -> str:
        left, right = self._always(e.left, e.right)
        return f"np.logical_{'and' if e.op == '&&' else 'or'}({left}, {right})"

    def _conditional(self, e: tree.Conditional) -> str:
        return f"np.where({', '.join(self._always(e.condition, e.then, e.otherwise))})"

    def _always(self, first: tree.Expr, *rest: tree.Expr) -> list[str]:
        """Values of which C computes the rest only if it needs to: they may be computed, but not draw numbers."""
        found = [self.value(first)]
        before = self.draws
        found += map(self.value, rest)
        if self.draws > before:
            raise NotBulk
        return found

    def _convert(self, e: tree.Convert) -> str:
        return self._converted(self.value(e.operand), e.operand.type, e.type)

    def _converted(self, value: str, given: Type, kind: Type) -> str:
        if given == kind:
            return value
        if kind == BOOL:
            return f"({value} != 0)"
        return f"turn.cast({value}, {self._dtype(kind)!r})"

    def _call(self, e: tree.Call) -> str:
        if e.function.kind != "library" or e.function.name != "rand":
            raise NotBulk
        self.draws += 1
        return f"drawn[:, {self.draws - 1}]"

    def _intrinsic(self, e: tree.IntrinsicCall) -> str:
        if e.name not in MATH or not isinstance(e.type, Scalar):
            raise NotBulk
        function = self.code.refer("M", MATH[e.name])
        arguments = ", ".join(map(self.value, e.arguments))
        return f"turn.cast({function}({arguments}), {self._dtype(e.type)!r})"

    # --- memory ---------------------------------------------------------------------------

    def _load(self, e: tree.Expr) -> str:
        if not isinstance(e.type, Scalar):
            raise NotBulk
        base, offset = self._place(e)
        return f"turn.load({base}, {offset}, {self._dtype(e.type)!r})"

    def _place(self, e: tree.Expr) -> tuple[str, str]:
        """The address as a number that does not change and bytes from there, in each turn."""
        match e:
            case tree.Index(base=base, index=index):
                if isinstance(base.type, Array):
                    start, offset = self._place(base)
                else:
                    start, offset = self._pointer(base)
                return start, self._moved(offset, index, size_of(e.type))
            case tree.Dereference(pointer=pointer):
                return self._pointer(pointer)
            case tree.Member(base=base, field=field) if isinstance(base.type, Struct):
                start, offset = self._place(base)
                return f"{start} + {field_of(base.type, field).offset}", offset
            case tree.Name(variable=variable) if in_memory(variable) and variable.space not in ("global", "constant"):
                return self.writer.name_of(variable), "0"
        raise NotBulk

    def _pointer(self, e: tree.Expr) -> tuple[str, str]:
        if self._fixed(e):
            return self.scalar.value(e), "0"
        if isinstance(e, tree.PointerOffset) and isinstance(e.type, Pointer):
            start, offset = self._pointer(e.pointer)
            return start, self._moved(offset, e.index, size_of(e.type.target))
        if isinstance(e, tree.Decay):
            return self._place(e.operand)
        raise NotBulk

    def _moved(self, offset: str, index: tree.Expr, size: int) -> str:
        by = self.scalar.value(index) if self._fixed(index) else f"turn.wide({self.value(index)})"
        return f"{size} * {by}" if offset == "0" else f"({offset} + {size} * {by})"
