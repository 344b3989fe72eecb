"""Look at CUDA C without running it: which kernels a source declares, their parameters, its tokens, its checked tree.

    >>> kernel_names('__global__ void f(int* x, float a) { x[0] = }')
    ['f']
    >>> [str(parameter) for parameter in declared_parameters("__global__ void f(int* x, float a) { x[0] = }", "f")]
    ['x (int*)', 'a (float)']

`RawModule(source).program` is the checked tree of a source that compiles: `tree` has its nodes, `types` its types, and
`nodes` walks over it. Its warnings of type `LikelyMistake` point at code that probably does not do what its author meant.
"""

from __future__ import annotations

from collections.abc import Sequence

from ._engine.arguments.signature import Parameter
from ._engine.arguments.signature import of_text as declared_parameters
from ._engine.language import tree, types
from ._engine.language.diagnostics import Fault, LikelyMistake, as_error
from ._engine.language.kernel_names import kernel_name, kernel_names, void_functions
from ._engine.language.parsing.lexer import Token
from ._engine.language.preprocessing.directives import preprocess
from ._engine.language.walking import nodes

__all__ = [
    "LikelyMistake",
    "Parameter",
    "Token",
    "declared_parameters",
    "kernel_name",
    "kernel_names",
    "nodes",
    "tokens",
    "tree",
    "types",
    "void_functions",
]


def tokens(source: str, options: Sequence[str] = ()) -> list[Token]:
    """Return what the preprocessor leaves of a source, without comments, macros expanded.

    options: as for RawModule. Raises KernelSyntaxError where the source cannot be read.
    """
    try:
        return preprocess(source, options)
    except Fault as fault:
        raise as_error(fault, source, "kernel.cu") from None
