"""How a call of something CUDA provides becomes Python text.

Which intrinsics exist, with their types, is declared in language/cuda_functions.py. To add one here:
- element-wise: a function in mathematics.py;
- across the lanes of a warp, or a barrier: a function in warp.py;
- an atomic: an entry in atomics.py.
"""

# mypy: disable-error-code="union-attr"
# (the checker of the language has seen to it that types fit)

from __future__ import annotations

from nnlib.cuda.language import tree
from nnlib.cuda.language.types import UINT, VECTORS, Pointer, Scalar
from nnlib.cuda.simulator.codegen.places import element_size
from nnlib.cuda.simulator.functions.atomics import ATOMICS
from nnlib.cuda.simulator.functions.mathematics import MATH
from nnlib.cuda.simulator.functions.printf import unescape
from nnlib.cuda.simulator.functions.warp import LOCKSTEP

_FMA = {"fmaf", "fma", "__fmaf_rn", "__fma_rn"}
_COPY_TYPES = {4: UINT, 8: VECTORS["uint2"], 16: VECTORS["uint4"]}
_FENCES = {"__threadfence", "__threadfence_block", "__threadfence_system"}


def lower_call(lowering, e: tree.IntrinsicCall, used: bool) -> str:
    """Python text of the call's value; emits statements first where order or masks matter."""
    name, code = e.name, lowering.code
    if name == "printf":
        return _printf(lowering, e)
    if name in LOCKSTEP:
        call = _lockstep(lowering, e)
        return lowering.temporary(call) if used else call
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
    elif name == "__pipeline_memcpy_async":
        call = _copy_async(lowering, e, values)
    elif name == "__pipeline_commit":
        call = "rt.commit_async()"
    elif name == "__pipeline_wait_prior":
        call = f"rt.wait_async({values[0]})"
    else:
        raise lowering.unsupported(e.at, f"{name}()")
    return lowering.temporary(call) if used else call


def _lockstep(lowering, e: tree.IntrinsicCall) -> str:
    """A barrier, shuffle or vote. Lanes may give a shuffle a variable that they have not set, if nobody reads it there:
    the mask of lanes that have set it goes the same way as the value."""
    code, arguments = lowering.code, e.arguments
    given = arguments[1].variable if e.name.startswith("__shfl") and isinstance(arguments[1], tree.Name) else None
    given = given if given in lowering.tracked else None
    values = [lowering.name_of(given) if given and k == 1 else lowering.atom(lowering.expression(argument))
              for k, argument in enumerate(arguments)]
    lowering.note(e.at)
    call = f"{code.helper(LOCKSTEP[e.name])}(rt, m, {code.site(e.at, None, (), e.name)}"
    if given:
        is_set, site = f"_s_{values[1]}", code.site(e.at, None, (), given.name)
        moved = ", ".join([call, values[0], is_set, *values[2:]])
        lowering.emit(f"if {is_set} is not None: rt.unset_variable({moved}), m, {site})")
    lowering.segment = None
    return ", ".join([call, *values]) + ")"


def _copy_async(lowering, e: tree.IntrinsicCall, values: list[str]) -> str:
    """One access of 4, 8 or 16 bytes on either side."""
    size = int(lowering.code.namespace.get(values[2], 0))
    if size not in _COPY_TYPES:
        raise lowering.unsupported(e.at, "__pipeline_memcpy_async of other than 4, 8 or 16 bytes")
    sites, pointers = [], []
    for argument, value in zip(e.arguments[:2], values, strict=False):
        while isinstance(argument, tree.Convert) and isinstance(argument.operand.type, Pointer):
            argument = argument.operand
        site = lowering.code.site(e.at, _COPY_TYPES[size])
        sites.append(site)
        pointers.append(f"{value}.scaled({element_size(argument.type.target)}, {size}, rt.misaligned(m, {site}))")
    return f"rt.copy_async(m, {', '.join(sites + pointers)}, {values[3]})"


def _printf(lowering, e: tree.IntrinsicCall) -> str:
    text, *arguments = e.arguments
    assert isinstance(text, tree.StringLiteral)
    values = [f"address({lowering.expression(argument)}, {element_size(argument.type.target)})"
              if isinstance(argument.type, Pointer) else lowering.expression(argument) for argument in arguments]
    return f"rt.printf(m, {unescape(text.value)!r}, [{', '.join(values)}])"
