"""Checked tree -> Python source that runs all threads of a chunk at once.

Each CUDA function becomes a Python function of the same name: `m` is the mask of the threads that
run the current line (see masks.py), every C variable a Python variable that holds one value for
all threads or one per thread. `Compiled.source` shows the result.

A Writer holds the function being written. Statements lower statements, with Expressions for the values in them,
and those with Places for what can be stored to and Calls for what CUDA provides.
"""

from __future__ import annotations

from nnlib.cuda.errors import UnsupportedError
from nnlib.cuda.language import tree
from nnlib.cuda.language.types import VOID, Pointer, Struct
from nnlib.cuda.simulator.codegen import python
from nnlib.cuda.simulator.codegen.code import Code
from nnlib.cuda.simulator.codegen.flow import contains_return
from nnlib.cuda.simulator.codegen.statements import SOMEBODY_IS_LEFT, Statements
from nnlib.cuda.simulator.codegen.writer import NOBODY, RESULT, RETURNED, RT, M, Writer


def lower(program: tree.Program, checks: bool = True, counts: bool = False, trace: bool = False,
          waits: bool = False, takes_turns: bool = False) -> Code:
    """Generate Python for all functions of the program and make it callable in `Code.namespace`."""
    code = Code(program, checks, counts, trace, waits, takes_turns)
    try:
        for function in program.functions.values():
            code.define(function, _definition(code, function))
    except (SyntaxError, RecursionError, MemoryError) as error:  # Python's own limits
        raise UnsupportedError("not supported by the simulator: the code is nested too deeply; "
                               f"split it into functions ({error})") from None
    return code


def _definition(code: Code, function: tree.Function) -> python.Stmt:
    writer = Writer(code, function)
    returns_value = function.kind != "kernel" and function.return_type != VOID
    leave = python.Return(RESULT) if returns_value else python.Word("return")
    if code.waits:
        writer.do(python.Suspended(python.Tuple(())))
    if contains_return(function.body):
        writer.let(RETURNED, NOBODY)
    if returns_value:
        writer.let(RESULT, writer.zero(function.return_type))
    parameters = [writer.name_of(variable) for variable in function.parameters]
    for variable in function.parameters:
        _receive(writer, variable)
    for variable in function.shared:
        writer.let(writer.name_of(variable), RT.method("shared", variable.name, id(variable)))
    Statements(writer, leave).statements(function.body.statements)
    if returns_value and code.checks:
        missing = RT.method("no_result", M, code.site(function.at, None, (), function.name))
        writer.emit(python.if_(SOMEBODY_IS_LEFT, python.Do(missing)))
    writer.emit(leave)
    arguments = ", ".join(map(str, [RT, M, *parameters]))
    return python.Compound(f"def {code.python_names[function.name]}({arguments})", writer.top)


def _receive(writer: Writer, variable: tree.Variable) -> None:
    """A parameter: a Python variable, or memory if its address is taken."""
    if isinstance(variable.type, Struct):
        name = writer.name_of(variable)
        held = writer.temporary(name)
        writer.allocate_local(variable)
        writer.do(name.method("begin", held))
    elif variable.address_taken:
        name = writer.name_of(variable)
        held = writer.temporary(name)
        writer.allocate_local(variable)
        store = "store_pointer" if isinstance(variable.type, Pointer) else "store"
        writer.do(name.method(store, 0, held, M, writer.code.site(variable.at, variable.type)))
    else:
        writer.declare(variable)
    writer.visible.append(variable)
