"""Find the kernels and functions that a source declares, even where the rest of it is no CUDA C. Lesson 01."""

from __future__ import annotations

from collections.abc import Sequence

from .diagnostics import Fault
from .outermost import function_name
from .parsing.lexer import Token, tokenize
from .preprocessing.directives import preprocess


def kernel_names(text: str, options: Sequence[str] = ()) -> list[str]:
    """Return the names of the kernels, in the order of the text, as far as its tokens can be read.

    >>> kernel_names('__global__ void __launch_bounds__(256) f(int* x) { x[0] = }  // __global__ is no kernel (')
    ['f']
    """
    tokens = _tokens(text, options)
    found = [
        kernel_name(tokens, k + 1) for k, token in enumerate(tokens) if token.text == "__global__"
    ]
    return list(dict.fromkeys(name for name in found if name))


def void_functions(text: str, options: Sequence[str] = ()) -> list[str]:
    """Return the names of the other functions that return nothing and stand where a kernel could, declared or defined.

    >>> void_functions('__global__ void f(int* x) { } extern "C" void g(int* x) { void h(); } __device__ void k();')
    ['g', 'k']
    """
    tokens = _tokens(text, options)
    kernels = set(kernel_names(text, options))
    depth, found = 0, []
    for one, two, three in zip(tokens, tokens[1:], tokens[2:], strict=False):
        depth += {"{": 1, "}": -1}.get(one.text, 0)
        if (
            depth == 0
            and one.text == "void"
            and two.kind == "word"
            and three.text == "("
            and two.text not in kernels
        ):
            found.append(two.text)
    return found


def _tokens(text: str, options: Sequence[str]) -> list[Token]:
    try:
        return preprocess(text, options)
    except Fault:
        pass
    try:
        return tokenize(text)
    except Fault as fault:  # a comment that is never closed: what stands before it
        lines = text.splitlines()[: fault.at.line]
        return tokenize("\n".join([*lines[:-1], lines[-1][: fault.at.column - 1]]))


def kernel_name(tokens: list[Token], at: int) -> str | None:
    """Return the word before the parameters of the kernel whose `__global__` is the token before."""
    return function_name(tokens[at - 1 :]) or None
