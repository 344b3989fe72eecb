"""Checked tree -> Python source that runs all threads of a chunk at once.

Each CUDA function becomes a Python function of the same name: `m` is the mask of the threads that
run the current line (see masks.py), every C variable a Python variable that holds one value for
all threads or one per thread. `Compiled.source` shows the result. Statements are in
lower_statements.py, expressions in lower_expressions.py, lvalues in lower_places.py, each a class that
extends the next; lower_writer.py is their base.
"""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

from nnlib.cuda.errors import UnsupportedError
from nnlib.cuda.language import tree
from nnlib.cuda.language.types import Type
from nnlib.cuda.simulator.codegen.statements import Statements
from nnlib.cuda.simulator.codegen.writer import Code


class FunctionLowering(Statements):
    """Writes one function."""

    def write(self) -> None:
        function = self.function
        parameters = [self.name_of(variable) for variable in function.parameters]
        self.code.lines.append(f"def {self.code.python_names[function.name]}({', '.join(['rt', 'm', *parameters])}):")
        returns_value = function.kind == "device" and not _is_void(function.return_type)
        self.leave = "return result" if returns_value else "return"
        if self.contains_return(function.body):
            self.emit("returned = False")
        if returns_value:
            self.emit(f"result = {self.zero(function.return_type)}")
        for variable in function.parameters:
            self.declared_in[variable] = self.region
            self.visible.append(variable)
            if variable.address_taken:
                name = self.name_of(variable)
                held = self.temporary(name)
                self.allocate_local(variable)
                site = self.code.site(variable.at, variable.type)
                self.emit(f"{name}.store(0, {held}, m, {site})")
            else:
                self.mark_mask(variable)
        for variable in function.shared:
            self.emit(f"{self.name_of(variable)} = rt.shared({variable.name!r}, {id(variable)})")
        self.statements(function.body.statements)
        if returns_value and self.code.checks:
            site = self.code.site(function.at, None, (), function.name)
            self.emit(f"if m is not False: rt.no_result(m, {site})")
        self.emit(self.leave)
        self._drop_unused_marks()

    def _drop_unused_marks(self) -> None:
        start = max(k for k, line in enumerate(self.code.lines) if line.startswith("def "))
        self.code.lines[start:] = [line for line in self.code.lines[start:] if line.strip()]


def _is_void(type: Type) -> bool:
    return str(type) == "void"


def lower(program: tree.Program, checks: bool = True, counts: bool = False, trace: bool = False) -> Code:
    """Generate Python for all functions of the program and make it callable in `Code.namespace`."""
    code = Code(program, checks, counts, trace)
    try:
        for function in program.functions.values():
            FunctionLowering(code, function).write()
            code.lines.append("")
        exec(compile("\n".join(code.lines), "<kernel>", "exec"), code.namespace)
    except (SyntaxError, RecursionError, MemoryError) as error:  # Python's own limits
        raise UnsupportedError("not supported by the simulator: the code is nested too deeply; "
                               f"split it into functions ({error})") from None
    return code
