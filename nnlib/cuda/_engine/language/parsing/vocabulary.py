"""The words of the language: operators and how strongly they bind, keywords, what is left out and what replaces it."""

from __future__ import annotations

from ..left_out import table

# Operators, those that bind least first.
_RANKS = "||", "&&", "|", "^", "&", "== !=", "< > <= >=", "<< >>", "+ -", "* / %"
PRECEDENCE = {operator: rank for rank, row in enumerate(_RANKS, 1) for operator in row.split()}
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="))
POSTFIXES = frozenset(("[", ".", "->", "(", "<<", "++", "--"))  # << begins a launch
PREFIXES = frozenset(("+", "-", "!", "~", "*", "&", "++", "--"))

BASE_WORDS = frozenset(
    ["void", "bool", "char", "short", "int", "long", "float", "double", "signed", "unsigned"]
)
RESTRICT = frozenset(["__restrict__", "__restrict"])
QUALIFIERS = RESTRICT | {"const", "volatile"}
MARKS = frozenset(
    [
        "static",
        "extern",
        "inline",
        "constexpr",
        "register",
        "typedef",
        "__shared__",
        "__constant__",
        "__device__",
        "__global__",
        "__host__",
        "__forceinline__",
        "__noinline__",
        "__inline__",
        "__managed__",
        "__grid_constant__",
    ]
)
STRUCTS = frozenset(("struct", "class", "union"))
ALIGNMENTS = frozenset(("__align__", "alignas", "__builtin_align__"))
# What begins the name of a type, or another declaration.
TYPE_WORDS = BASE_WORDS | QUALIFIERS | STRUCTS | {"enum", "typename", "decltype"}
DECLARING = MARKS | ALIGNMENTS | {"auto", "using", "static_assert", "__launch_bounds__"}
RESERVED = frozenset(
    """
    if else for while do switch case default break continue return goto typedef using static
    extern inline constexpr enum struct class union operator auto register __shared__
    __constant__ __device__ __global__ __host__
    """.split()
)

# C++ that the simulator leaves out, and what to write instead.
UNSUPPORTED = {
    name: why
    for names, why in table("""
template
    templates here
    write the template outside of functions

asm __asm__
    inline PTX
    use the CUDA function that does the same

new
    new
    use a local array, or pass memory as an argument

delete
    delete
    use a local array, or pass memory as an argument

namespace
    namespace
    leave it out and write the plain names

try throw
    exceptions
    write the error to an array

dynamic_cast
    dynamic_cast
    use static_cast

__int128
    numbers of 128 bits
    use two of 64: __umul64hi(a, b) is the upper half of a * b

__cluster_dims__
    clusters of blocks
    let each block work by itself, and exchange through global memory

thread_local
    thread_local
    use a local variable
""").items()
    for name in names.split()
}
NO_NAMES = (
    RESERVED
    | BASE_WORDS
    | UNSUPPORTED.keys()
    | {"true", "false", "nullptr", "this", "public", "private", "friend"}
)
