"""`%%cu`: a whole program in a cell of a notebook. `%load_ext` of this package brings it."""

from __future__ import annotations

import shlex
import sys
from typing import Any

from ..errors import KernelSyntaxError
from . import nvcc
from .program import Program


def cu_cell(line: str, cell: str, namespace: dict[str, Any]) -> None:
    """Run the program of a `%%cu` cell; what it prints appears as it comes.

    The cell leaves it as `program`, for program.timeline(), program.profile() and program.memory(). line: -DNAME=value and
    what main gets as argv[1], argv[2], …; --nvcc compiles and runs the same text with nvcc, too.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise KernelSyntaxError(f"the options after %%cu cannot be read: {error}") from None
    options = [word for word in words if word.startswith("-D")]
    args = [word for word in words if word not in options and word != "--nvcc"]
    text = "\n" + cell  # the magic's own line is line 1, so that lines are counted as in the cell
    program = namespace["program"] = Program(text, name="cell.cu", options=options)
    run = program.run(args, echo=sys.stdout)
    if run.output and not run.output.endswith("\n"):
        print()
    if run.status:
        print(f"(exit status {run.status})")
    for note in run.notes:
        print(f"note: {note}")
    if "--nvcc" in words:
        output, status = nvcc.run(text, args, options)
        print(f"--- nvcc{f', exit status {status}' * bool(status)}:\n{output}", end="")


def register(shell: Any) -> None:
    """Give a notebook the magic."""

    def cu(line: str, cell: str) -> None:
        cu_cell(line, cell, shell.user_ns)

    cu.__doc__ = cu_cell.__doc__
    shell.register_magic_function(cu, "cell", "cu")
