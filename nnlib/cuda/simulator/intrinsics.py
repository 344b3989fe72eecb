"""How a call of something CUDA provides becomes Python text.

Which intrinsics exist, with their types, is declared in language/intrinsics.py. To add one here:
- element-wise: a function in mathematics.py;
- across the lanes of a warp, or a barrier: a function in warp.py;
- an atomic: an entry in atomics.py.
"""

from __future__ import annotations

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import VECTORS, Pointer, Scalar

from .atomics import ATOMICS
from .mathematics import MATH
from .memory import READ, WRITE
from .warp import LOCKSTEP

_FMA = {"fmaf", "fma", "__fmaf_rn", "__fma_rn"}
_FENCES = {"__threadfence", "__threadfence_block", "__threadfence_system"}


def lower_call(lowering, e: tree.IntrinsicCall, used: bool) -> str:
    """Python text of the call's value; emits statements first where order or masks matter."""
    name, code = e.name, lowering.code
    if name == "printf":
        return _printf(lowering, e)
    values = [lowering.atom(lowering.expression(argument)) for argument in e.arguments]
    if name in MATH:
        real = isinstance(e.type, Scalar) and e.type.is_float
        lowering.note(e.at, flops=2 if name in _FMA else int(real))
        return f"{code.helper(MATH[name])}({', '.join(values)})"
    if name.startswith("make_") and name[5:] in VECTORS:
        return f"({', '.join(values)},)"
    lowering.note(e.at)
    if name in ATOMICS:
        site = code.site(e.at, e.arguments[0].type.target, (), name)
        call = f"rt.atomic({name!r}, m, {site}, {used}, {', '.join(values)})"
    elif name in _FENCES:
        call = f"rt.fence(m, {name!r})"
    elif name == "assert":
        call = f"rt.check_assertion({values[0]}, m, {code.site(e.at)})"
    elif name in LOCKSTEP:
        site = code.site(e.at, None, (), name)
        call = f"{code.helper(LOCKSTEP[name])}(rt, m, {', '.join([site, *values])})"
        lowering.segment = None
    elif name == "__pipeline_memcpy_async":
        to, source = (_byte_pointer(argument) for argument in e.arguments[:2])
        reads, writes = code.site(e.at, to, (), READ), code.site(e.at, source, (), WRITE)
        call = f"rt.copy_async(m, {reads}, {writes}, {', '.join(values)})"
    elif name == "__pipeline_commit":
        call = "rt.commit_async()"
    elif name == "__pipeline_wait_prior":
        call = f"rt.wait_async({values[0]})"
    else:
        raise lowering.unsupported(e.at, f"{name}()")
    return lowering.temporary(call) if used else call


def _byte_pointer(argument: tree.Expr):
    """The element type behind a void* argument, before its conversion."""
    while isinstance(argument, tree.Convert) and isinstance(argument.operand.type, Pointer):
        argument = argument.operand
    return argument.type.target


def _printf(lowering, e: tree.IntrinsicCall) -> str:
    values = [lowering.expression(argument) for argument in e.arguments[1:]]
    return f"rt.printf(m, {e.arguments[0].value!r}, [{', '.join(values)}])"
