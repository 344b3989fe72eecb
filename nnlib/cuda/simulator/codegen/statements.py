"""Statements. Divergence is a change of the mask `m`: `if` splits it, loops narrow it until nobody is left,
break, continue and return take their threads out of it; where control flow meets again it is put together."""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

import re

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Vector
from nnlib.cuda.simulator.codegen.expressions import Expressions


class Statements(Expressions):
    """Lowering of statements."""

    def statements(self, body: list[tree.Stmt]) -> None:
        """Statements in order; those after one that may stop every thread are skipped when nobody is left."""
        start, indent = len(self.code.lines), self.indent
        hidden = len(self.visible)
        for position, statement in enumerate(body):
            self.statement(statement)
            if isinstance(statement, tree.Break | tree.Continue | tree.Return):
                break
            if self.may_stop(statement) and position + 1 < len(body):
                self.segment = None
                if self.indent == 1:
                    self.emit(f"if m is False: {self.leave}")
                    continue
                self.emit("if m is not False:")
                self.indent += 1
                start = len(self.code.lines)
        if len(self.code.lines) == start:
            self.emit("pass")
        if self.indent != indent:
            self.segment = None
        self.indent = indent
        del self.visible[hidden:]

    def statement(self, s: tree.Stmt) -> None:
        if self.code.trace and not isinstance(s, tree.Block):
            self._emit_trace(s)
        getattr(self, f"_{type(s).__name__}_statement")(s)

    def _emit_trace(self, s: tree.Stmt) -> None:
        values = ", ".join(f"{v.name!r}: {self.name_of(v)}" for v in self.visible)
        self.emit(f"rt.trace(m, {self.code.site(s.at)}, {{{values}}})")

    def body(self, s: tree.Stmt) -> None:
        self.statements(s.statements if isinstance(s, tree.Block) else [s])

    # --- what a statement may do to the mask ---------------------------------------------

    def contains_return(self, s: tree.Stmt | None) -> bool:
        return any(isinstance(part, tree.Return) for part in walk(s))

    def may_stop(self, s: tree.Stmt | None) -> bool:
        """Whether some threads may not go on to the statement after s."""
        if isinstance(s, tree.Break | tree.Continue | tree.Return):
            return True
        if isinstance(s, tree.For | tree.While | tree.DoWhile):
            return self.contains_return(s.body)
        if isinstance(s, tree.Switch):
            inside = [part for case in s.cases for part in case.body]
            return any(self._may_stop_outside_switch(part) for part in inside)
        return any(self.may_stop(part) for part in children(s))

    def _may_stop_outside_switch(self, s: tree.Stmt) -> bool:
        if isinstance(s, tree.Break):
            return False
        if isinstance(s, tree.Block | tree.If):
            return any(self._may_stop_outside_switch(part) for part in children(s))
        return self.may_stop(s)

    def contains_continue(self, s: tree.Stmt | None) -> bool:
        if isinstance(s, tree.Continue):
            return True
        return not isinstance(s, tree.For | tree.While | tree.DoWhile) and any(
            self.contains_continue(part) for part in children(s))

    # --- simple statements ----------------------------------------------------------------

    def _Block_statement(self, s: tree.Block) -> None:
        self.statements(s.statements)
        # a block is not a region: its threads are those around it

    def _ExprStmt_statement(self, s: tree.ExprStmt) -> None:
        self.effect(s.expression)

    def _Declare_statement(self, s: tree.Declare) -> None:
        variable, initializer = s.variable, s.initializer
        if variable.space == "shared":
            return
        self.declared_in[variable] = self.region
        if self.in_memory(variable):
            self.allocate_local(variable)
            self._initialize_memory(s)
        elif isinstance(initializer, tree.InitializerList):
            values = {k: self.atom(self.expression(value)) for k, value in initializer.items}
            if isinstance(variable.type, Vector):
                zero = self.code.constant(variable.type.base.dtype, 0)
                text = f"({', '.join(values.get(k, zero) for k in range(variable.type.lanes))})"
            else:
                text = values.get(0, self.zero(variable.type))
            self.emit(f"{self.name_of(variable)} = {text}")
            self.mark_mask(variable)
        else:
            text = self.zero(variable.type) if initializer is None else self._initial(variable, initializer)
            name = self.name_of(variable)
            self.emit(f"{name} = {text}")
            self.mark_mask(variable)
            if initializer is None and self.code.checks:
                self.tracked.add(variable)
                self.emit(f"_s_{name} = False")
        self.visible.append(variable)

    def _initial(self, variable: tree.Variable, initializer: tree.Expr) -> str:
        """The initial value; in int i = i + 1 the variable is read before it has one."""
        name, room = self.name_of(variable), len(self.code.lines)
        self.emit("")
        if self.code.checks:
            self.tracked.add(variable)
        text = self.expression(initializer)
        self.tracked.discard(variable)
        if re.search(rf"\b{name}\b", "\n".join([*self.code.lines[room:], text])):
            self.code.lines[room] += f"{name} = {self.zero(variable.type)}; _s_{name} = False"
        return text

    def _initialize_memory(self, s: tree.Declare) -> None:
        variable, initializer = s.variable, s.initializer
        name = self.name_of(variable)
        if initializer is None:
            return
        if isinstance(initializer, tree.InitializerList):
            self.emit(f"{name}.fill()")
            element = tree.flat_element(variable.type)
            base = element.base if isinstance(element, Vector) else element
            for k, value in initializer.items:
                site = self.code.site(s.at, base, (), variable.name)
                self.emit(f"{name}.store({k}, {self.expression(value)}, m, {site})")
        else:
            site = self.code.site(s.at, variable.type, (), variable.name)
            self.emit(f"{name}.store(0, {self.expression(initializer)}, m, {site})")

    def _Return_statement(self, s: tree.Return) -> None:
        if self.function.kind == "kernel":
            self.emit("rt.leave(m)")
        if s.value is not None:
            value = self.atom(self.expression(s.value))
            self.emit(f"result = {value} if returned is False else select(m, {value}, result)")
        self.emit("returned = union(returned, m)")
        self.emit("m = False")
        self.segment = None

    def _Break_statement(self, s: tree.Break) -> None:
        if self.breaks[-1]:  # a switch: its end collects them
            self.emit(f"{self.breaks[-1]} = union({self.breaks[-1]}, m)")
        self.emit("m = False")
        self.segment = None

    def _Continue_statement(self, s: tree.Continue) -> None:
        self.emit(f"{self.loops[-1]} = union({self.loops[-1]}, m)")
        self.emit("m = False")
        self.segment = None

    # --- branches -------------------------------------------------------------------------

    def _If_statement(self, s: tree.If) -> None:
        n = self.fresh("")
        condition = self.condition(s.condition)
        self.note(s.at)
        self.emit(f"_t{n}, _e{n} = split(m, {condition})")
        self.emit(f"_s{n} = m")
        if self.code.counts:
            self.emit(f"rt.branch(m, _t{n}, {self.code.site(s.at)})")
        stops = self.may_stop(s)
        if stops:
            self.emit(f"_x{n}, _y{n} = _t{n}, _e{n}")
        for mask, out, part in ((f"_t{n}", f"_x{n}", s.then), (f"_e{n}", f"_y{n}", s.otherwise)):
            if part is None:
                continue
            self.emit(f"if {mask} is not False:")
            self.indent += 1
            outer = self.enter_region()
            self.emit(f"m = {mask}")
            self.body(part)
            if stops:
                self.emit(f"{out} = m")
            self.leave_region(outer)
            self.indent -= 1
        if stops:
            self.emit(f"m = _s{n} if _x{n} is _t{n} and _y{n} is _e{n} else union(_x{n}, _y{n})")
        else:
            self.emit(f"m = _s{n}")

    def _Switch_statement(self, s: tree.Switch) -> None:
        n = self.fresh("")
        value = self.atom(self.expression(s.value))
        self.note(s.at)
        self.emit(f"_s{n} = _o{n} = m")  # entered, not matched yet
        masks = []
        for k, case in enumerate(s.cases):
            masks.append(f"_c{n}_{k}")
            if case.value is not None:
                constant = self.code.constant(s.value.type.dtype, case.value)
                self.emit(f"_c{n}_{k} = False")
                self.emit(f"if _o{n} is not False: _c{n}_{k}, _o{n} = split(_o{n}, {value} == {constant})")
        self.emit(f"_b{n} = m = False")
        for k, case in enumerate(s.cases):
            if case.value is None:
                self.emit(f"_c{n}_{k}, _o{n} = _o{n}, False")
        self.breaks.append(f"_b{n}")
        for mask, case in zip(masks, s.cases, strict=True):
            self.emit(f"m = union(m, {mask})")
            self.emit("if m is not False:")
            self.indent += 1
            outer = self.enter_region()
            self.statements(case.body)
            self.leave_region(outer)
            self.indent -= 1
        self.breaks.pop()
        self.emit(f"m = rejoin(_s{n}, union(m, _o{n}), _b{n})")

    # --- loops ----------------------------------------------------------------------------

    def _For_statement(self, s: tree.For) -> None:
        hidden = len(self.visible)
        for part in s.init:
            self.statement(part)
        self._loop(s, s.condition, s.step, s.init)
        del self.visible[hidden:]

    def _While_statement(self, s: tree.While) -> None:
        self._loop(s, s.condition, None, [])

    def _DoWhile_statement(self, s: tree.DoWhile) -> None:
        self._loop(s, s.condition, None, [], condition_last=True)

    def _loop(self, s, condition, step, init, condition_last: bool = False) -> None:
        n = self.fresh("")
        continues = self.contains_continue(s.body)
        self.emit(f"_s{n} = m")
        self.emit("while True:")
        self.indent += 1
        outer = self.enter_region()
        self.emit(f"rt.tick({self.code.site(s.at)})")
        if condition is not None and not condition_last:
            self._go_on_if(condition)
        self.emit(f"_i{n} = m")
        # A loop's own variables are dead outside it: in the step, every thread still in the loop is active.
        for part in init:
            if isinstance(part, tree.Declare):
                self.declared_in[part.variable] = self.region
        self._loop_body(s, n, continues)
        if step is not None:
            self.effect(step)
        if condition_last:
            self._go_on_if(condition)
        self.leave_region(outer)
        self.indent -= 1
        self.emit(f"m = without(_s{n}, returned)" if self.contains_return(s.body) else f"m = _s{n}")

    def _loop_body(self, s, n: str, continues: bool) -> None:
        self.loops.append(f"_k{n}")
        self.breaks.append("")
        if continues:
            self.emit(f"_k{n} = False")
            region = self.enter_region()
        self.body(s.body)
        self.segment = None
        if continues:
            self.leave_region(region)
            self.emit(f"m = rejoin(_i{n}, m, _k{n})")
        self.loops.pop()
        self.breaks.pop()
        if continues or self.may_stop(s.body):
            self.emit("if m is False: break")

    def _go_on_if(self, condition: tree.Expr) -> None:
        text = self.condition(condition)
        self.note(condition.at)
        if self.code.counts:
            self.emit("_q = m")
        self.emit(f"m = narrow(m, {text})")
        if self.code.counts:
            self.emit(f"rt.branch(_q, m, {self.code.site(condition.at)})")
        self.emit("if m is False: break")
        self.segment = None


def children(s: tree.Stmt | None) -> list[tree.Stmt]:
    if isinstance(s, tree.Block):
        return s.statements
    if isinstance(s, tree.If):
        return [s.then] + ([s.otherwise] if s.otherwise else [])
    if isinstance(s, tree.For | tree.While | tree.DoWhile):
        return [s.body]
    if isinstance(s, tree.Switch):
        return [part for case in s.cases for part in case.body]
    return []


def walk(s: tree.Stmt | None):
    if s is not None:
        yield s
        for part in children(s):
            yield from walk(part)
