"""C++'s overload resolution: which of several functions a call means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..cuda_functions import Overload
from ..diagnostics import Fault
from ..parsing import syntax
from ..tree import Expr, Position
from ..types import FLOAT, Array, Pointer, Struct, Type
from .names import Callee
from .objects import decayed, is_const, is_lvalue
from .values import EXACT, fit, is_integer

REFERENCE = EXACT - 1  # of a variable for T&, which is better than const T&
Fit = Callable[[Expr, Type], int | None]
_MIXED_MAX = "one is a float, the other an int (0 is an int, 0.0f a float): of two floats fmaxf(a, b) and fminf(a, b)"


def resolve(
    at: Position,
    name: str,
    arguments: list[Expr],
    callees: list[Callee],
    overloads: list[Overload],
    fits: Fit = fit,
) -> Callee | Overload:
    """Resolve an overload as C++ does: choose the candidate that fits every argument at least as well as all others.

    fits: says how well a value fits a type.
    """
    candidates: list[Callee | Overload] = [*callees, *overloads]
    if len(candidates) == 1:
        return candidates[0]
    scored = [
        (score, candidate)
        for candidate in candidates
        if (score := _score(candidate, arguments, fits)) is not None
    ]
    best = [
        one
        for score, one in scored
        if all(a <= b for other, _ in scored for a, b in zip(score, other, strict=True))
    ]
    if len(best) > 1:  # a function is meant rather than what a template would make
        best = [c for c in best if not (isinstance(c, Callee) and "<" in c.function.name)] or best
    if len(best) == 1:
        return best[0]
    kinds = [decayed(argument).type for argument in arguments]
    given = ", ".join(map(str, kinds))
    known = "; ".join(f"{name}({', '.join(map(str, c.types))})" for c in candidates[:8])
    if scored:
        raise Fault(
            at,
            f"the call {name}({given}) fits several functions equally well",
            _MIXED_MAX
            if name in ("min", "max") and FLOAT in kinds and any(map(is_integer, kinds))
            else f"convert the arguments to one type, for example (float)x. Known are: {known}",
        )
    if name.startswith("atomic") and kinds and not isinstance(kinds[0], Pointer):
        raise Fault(
            at,
            f"no function {name} takes ({given})",
            f"it needs the address of what it changes: write & before it, as in {name}(&x[i], ...)",
        )
    raise Fault(at, f"no function {name} takes ({given})", f"known are: {known}")


def matching(callees: list[Callee], arguments: list[Expr], fits: Fit) -> list[Callee]:
    """Return the functions that the arguments fit at all."""
    return [callee for callee in callees if _score(callee, arguments, fits) is not None]


def _score(
    candidate: Callee | Overload, arguments: list[Expr], fits: Fit = fit
) -> list[int] | None:
    parameters = candidate.types
    more = isinstance(candidate, Callee) and candidate.function.variadic
    if not candidate.required <= len(arguments) <= max(len(parameters), more and len(arguments)):
        return None
    scores = [
        fits(argument if isinstance(kind, Array) else decayed(argument), kind)
        for argument, kind in zip(arguments, parameters, strict=False)
    ]
    of_callee = candidate.parameters if isinstance(candidate, Callee) else []
    for k, (argument, parameter) in enumerate(zip(arguments, of_callee, strict=False)):
        if parameter.refers and isinstance(parameter.type, Pointer) and not parameter.type.const:
            scores[k] = _fit_of_reference(argument, parameters[k], scores[k])
    return None if None in scores else [score for score in scores if score is not None]


def _fit_of_reference(argument: Expr, kind: Type, score: int | None) -> int | None:
    """Return how well an argument fits a parameter T&, which takes variables of T and of what derives from it."""
    if not is_lvalue(argument) or is_const(argument):
        return None
    derives = isinstance(argument.type, Struct) and argument.type.derives_from(kind)
    return REFERENCE if score == EXACT else score if derives else None


def fits_exactly(candidate: Callee | Overload, arguments: list[Expr]) -> bool:
    """Return whether no argument needs a conversion."""
    score = _score(candidate, arguments)
    return score is not None and all(part <= EXACT for part in score)


def need_addresses(
    name: str, template: syntax.FunctionDefinition, arguments: Sequence[Expr]
) -> None:
    """Raise Fault for a value passed for a pointer from whose type a template argument would be deduced."""
    for variable, argument in zip(template.parameters, arguments, strict=False):
        pointer = any(isinstance(step, syntax.PointerTo) for step in variable.type.derivations)
        if (
            pointer
            and variable.type.base == name
            and not isinstance(decayed(argument).type, Pointer)
        ):
            raise Fault(
                argument,
                f"'{variable.name}' of {template.name} is a pointer, but this is a value",
                "pass an address: a + k or &a[k], and not a[k]",
            )
