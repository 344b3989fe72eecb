"""Translate inline PTX of tensor cores (mma.sync, ldmatrix, cp.async, rounding to TF32) to calls of CUDA C++.

Lesson 09.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ..tensor_functions import PRODUCTS, SUMS, name_of, registers

_MMA = re.compile(
    r"mma\.sync\.aligned\.m16n8k(\d+)\.row\.col\.(\w+)\.(\w+)\.(\w+)\.\2 "
    r"\{(.*)\}, \{(.*)\}, \{(.*)\}, \{(.*)\}"
)
_LDMATRIX = re.compile(
    r"ldmatrix\.sync\.aligned((?:\.m8n8|\.x[124]|\.trans)+)\.shared(?:::cta)?\.b16 "
    r"\{(.*)\}, \[(.*)\]"
)
_COPY = re.compile(
    r"cp\.async\.c[ag]\.shared(?:::cta)?\.global(?:\.L2::\w+)* \[(.*?)\], \[(.*?)\], (\S+?)(?:, (\S+))?"
)
_MAKE = {1: "{}", 2: "make_uint2({})", 4: "make_uint4({})"}
_AXES = "xyzw"
ConstraintOf = Callable[[str], str]  # operand -> its constraint letter in asm(), such as "r" or "f"


def tensor_instruction(text: str, letter: ConstraintOf) -> str | None:
    """Translate one instruction of tensor cores to CUDA C++; return None for any other.

    letter: returns the constraint letter of an operand, "f" for a float.
    """
    if found := _MMA.fullmatch(text):
        return _product(found, letter)
    if found := _LDMATRIX.fullmatch(text):
        ways, results = found[1], found[2].split(", ")
        count = int(ways[ways.find(".x") + 2])
        call = f"nnlib::ldmatrix_x{count}{'_trans' * ('.trans' in ways)}({_address(found[3])})"
        return (
            stored_results({1: "unsigned", 2: "uint2", 4: "uint4"}[count], call, results)
            if len(results) == count
            else None
        )
    if found := _COPY.fullmatch(text):
        to, source, size, given = found.groups()
        filled = f", {size} - ({given})" if given else ""
        return f"__pipeline_memcpy_async({_address(to)}, (const void*)({source}), {size}{filled})"
    if found := re.fullmatch(r"cvt\.(rna?)\.tf32\.f32 (\S+), (\S+)", text):
        way, to, source = found.groups()
        value = f"nnlib::to_tf32_{way}({source})"
        return f"{to} = {value if letter(to) == 'f' else f'__float_as_uint({value})'}"
    if found := re.fullmatch(r"cvta\.to\.shared\.u64 (\S+), (\S+)", text):
        return f"{found[1]} = __cvta_generic_to_shared((const void*)({found[2]}))"
    return None


def _address(written: str) -> str:
    """Return the pointer for a PTX address `register` or `register + offset` in shared memory, where addresses are numbers."""
    place, _, offset = written.partition("+")
    return f"nnlib::at_shared((unsigned)({place}){f' + {offset}' if offset else ''})"


def _product(found: re.Match[str], letter: ConstraintOf) -> str | None:
    """Translate an mma D = A B + C; return None for shapes, types or operands that no tensor core has."""
    depth, d, a, b = int(found[1]), found[2], found[3], found[4]
    parts = [part.split(", ") for part in found.groups()[4:]]
    if (depth, d, a, b) not in PRODUCTS:
        return None
    kind = SUMS[d]
    of_a, of_b = registers(depth, a)
    of_sum = 2 if kind == "uint2" else 4
    if [len(part) for part in parts] != [of_sum, of_a, of_b, of_sum]:
        return None
    # Sums of float32 are in float registers ("f"), all others in 32-bit integer registers ("r")
    if any((letter(register) == "f") != (d == "f32") for register in parts[0] + parts[3]):
        return None
    factors = [
        _MAKE[count].format(", ".join(as_bits(register, letter) for register in part))
        for count, part in zip((of_a, of_b), parts[1:3], strict=True)
    ]
    start = f"make_{kind}({', '.join(parts[3])})"
    return stored_results(
        kind, f"{name_of(depth, d, a, b)}({', '.join(factors)}, {start})", parts[0]
    )


def as_bits(operand: str, letter: ConstraintOf) -> str:
    """Return an operand's 32 bits as an unsigned integer, in CUDA C++."""
    return f"__float_as_uint({operand})" if letter(operand) == "f" else f"(unsigned)({operand})"


def stored_results(kind: str, call: str, results: list[str]) -> str:
    """Write the result of a call to registers. kind: type of the result, a vector if there are several registers."""
    if len(results) == 1:
        return f"{results[0]} = {call}"
    stores = "; ".join(
        f"{register} = loaded.{axis}" for register, axis in zip(results, _AXES, strict=False)
    )
    return f"{{ {kind} loaded = {call}; {stores}; }}"
