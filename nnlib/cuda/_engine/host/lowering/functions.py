"""The functions of a program's host side, lowered and compiled."""

from __future__ import annotations

from ...errors import UnsupportedError
from ...generated import file_of
from ...language import tree
from ...language.types import VOID
from .statements import StatementPrinter
from .writer import FunctionWriter, LoweredProgram, in_memory, size_of

START = tree.Position(0, 0)


def lower_program(program: tree.TranslationUnit) -> LoweredProgram:
    """Lower all functions that the host may call; "start" gives globals their values."""
    try:
        return _lowered(program)
    except (
        RecursionError,
        MemoryError,
        SyntaxError,
    ):  # what Python says of loops in loops in loops
        raise UnsupportedError(
            f"{program.file}: the program is nested too deeply: split it into smaller functions",
            file=program.file,
        ) from None


def _lowered(program: tree.TranslationUnit) -> LoweredProgram:
    code = LoweredProgram(program)
    start = tree.Function("", "host", VOID, [], tree.Block(START, []), START)
    globals_ = [
        (variable, initial)
        for variable, initial in program.globals.values()
        if variable.space == "host"
    ]
    _define(code, "start", start, globals_)
    for function in program.functions.values():
        if function.kind in ("host", "both"):
            _define(code, code.function_name(function.name), function, [])
    return code


def _define(
    code: LoweredProgram,
    name: str,
    function: tree.Function,
    globals_: list[tuple[tree.Variable, tree.Expr | tree.InitializerList | None]],
) -> None:
    writer, at = FunctionWriter(code, function), function.at
    statements = StatementPrinter(writer)
    normalizer = statements.normalizer
    writer.depth = 2
    parameters = []
    for variable in function.parameters:
        parameters.append(writer.name_of(variable))
        if in_memory(variable):
            parameters[-1] += "_given"
            given = normalizer.identifier(at, parameters[-1], normalizer.kind(variable.type))
            normalizer.keep(at, normalizer.place(at, variable), given)
            normalizer.before += normalizer.ends(at, variable, [])
    if function.variadic:
        parameters.append("more_given")
    for variable, initial in globals_:
        code.variable(variable)
        normalizer.begin(variable.at, variable, initial)
    body = normalizer.statement(function.body)
    statements.statement(tree.Block(at, [*normalizer.before, body]))
    if function.name == "main":
        writer.emit("return 0")
    elif function.return_type != VOID:
        writer.at = function.at
        writer.emit(f"no_result({function.name!r})")
    _finish(code, name, parameters, writer)


def _finish(code: LoweredProgram, name: str, parameters: list[str], writer: FunctionWriter) -> None:
    """Put the function's memory around its body, and compile it."""
    head = [f"def {name}({', '.join(parameters)}):"]
    body, positions = writer.lines, writer.positions
    if writer.memory:
        head += [
            f"    {address} = enter({size_of(kind)}, {variable!r})"
            for address, kind, variable in writer.memory
        ]
        head.append("    try:")
        memory = ", ".join(address for address, _, _ in writer.memory)
        body = [*(body or ["        pass"]), "    finally:", f"        leave({memory})"]
    else:
        head.append("    if True:")
        body = body or ["        pass"]
    lines = [*head, *body]
    text = "\n".join(lines) + "\n"
    file = file_of(text, f"{writer.function.name}, host", code)
    code.sources.append(text)
    code.positions[file] = [writer.function.at] * len(head) + positions + [writer.function.at] * 3
    code.compiled.append(compile(text, file, "exec"))
