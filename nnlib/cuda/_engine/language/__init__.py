"""CUDA C as a language: text -> tokens -> syntax -> checked tree. Knows nothing of how it is run. Lesson 01."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import UnsupportedError
from .checking.program import ProgramChecker
from .diagnostics import Fault, MissingHeader, UndeclaredName, as_error, belongs_to_host
from .kernel_side import kernel_side
from .parsing.program import parse
from .preprocessing.directives import expanded, preprocess
from .preprocessing.headers import foreign_headers
from .tree import TranslationUnit

__all__ = ["compile_source"]


def compile_source(
    text: str,
    options: Sequence[str] = (),
    name: str = "kernel.cu",
    name_expressions: Sequence[str] = (),
    headers: Mapping[str, str] | None = None,
    is_file: bool = False,
) -> TranslationUnit:
    """Parse and check a CUDA C text.

    options: as for NVRTC; -DNAME=value counts, -std=c++20 allows {.name = value}, which nvcc allows anyway;
    those about code generation are accepted and change nothing.
    name: of the text, for messages. name_expressions: kernels to be made of templates, as "tile<float, 16>".
    headers: the text is a whole program, with a host side; texts of the headers that it may include, by name, "" what
    it has without including it. Functions without a body in that one are those that the host's library has.
    is_file: the text is a file, of which only the kernels and what they need are read; a header of the file's own
    that is not found is then a warning, unless they need it.
    Raises KernelSyntaxError with line, column, the source line and what to write instead: for everything
    NVRTC would reject; UnsupportedError, one of its kind, for the C++ that the simulator does not know.
    """
    missing: list[Fault] = []
    of_host: dict[str, str] = {}
    try:
        tokens = preprocess(text, options, headers, name, missing if is_file else None)
        if is_file:
            kept, of_host = kernel_side(tokens[:-1])
            tokens = [*kept, tokens[-1]]
        written = {name: expanded(name, text, options) for name in name_expressions}
        nodes, names = parse(tokens, written)
        whole = headers is not None
        cpp20 = is_file or whole or any("c++20" in option for option in options)
        program = ProgramChecker(whole, cpp20).program(text, nodes, name, names)
        program.warnings[:0] = [(fault.at, fault.message) for fault in missing]
        return program
    except Fault as fault:
        if isinstance(fault, UndeclaredName) and fault.name in of_host:
            fault = belongs_to_host(fault, fault.name, of_host[fault.name])
        elif isinstance(fault, UndeclaredName) and missing:
            fault = missing[0]
        elif isinstance(fault, UndeclaredName) and (
            foreign := foreign_headers(text, headers or ())
        ):
            fault = MissingHeader(fault, foreign)
        raise as_error(fault, text, name) from None
    except RecursionError:
        raise UnsupportedError(
            f"{name}: the program is nested too deeply: split it into smaller functions", file=name
        ) from None
