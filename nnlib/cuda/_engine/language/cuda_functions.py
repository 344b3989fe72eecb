"""What CUDA provides to a kernel: one table, name -> overloads.

To add an intrinsic: declare it in cuda_functions.h, as the CUDA manual does, and write what it computes in
simulator/functions, under the same name. The kind says when it is evaluated, and where it is computed:
  math      element-wise, no side effect: mathematics.py (halves.py; native/headers/mathematics.h if a float is rounded)
  results   element-wise, several results, through the pointers: mathematics.py
  warp      lanes exchange values or votes: warp.py       barrier   all threads of the block: warp.py
  group     threads of a cooperative group: groups.py     atomic    the first argument is an address: atomics.py
  tensor    what a warp does together with tiles: tensor.py         clock     what time it is: clock.py
and those that simulator/codegen/calls.py lowers:
  vector    make_float4 and its kin                       fence     orders memory, computes nothing
  async     copies that overlap computation               bytes     copies and fills of memory
  check     assert, __trap
and those that checking/intrinsics.py replaces by a plain expression:
  same      the first argument as it is                   load      a plain read, *pointer
  store     a plain write, *pointer = value
`void*` parameters get the pointer as it is, without a Convert. Omitted arguments are filled in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from .types import (
    BOOL,
    CHAR,
    COALESCED_GROUP,
    GRID_GROUP,
    HALVES,
    NAMED,
    SCALARS,
    THREAD_GROUP,
    UINT,
    VECTORS,
    Pointer,
    Type,
)


@dataclass(frozen=True)
class Overload:
    """A signature of a function. name: in tree.IntrinsicCall, "sqrtf" for sqrt(float). defaults: of the last parameters.

    Mixed arguments call an overload of one type: min(int, unsigned) calls min(unsigned, unsigned).
    """

    name: str
    kind: str
    result: Type
    parameters: tuple[Type, ...]
    defaults: tuple[int, ...] = ()
    calls: bool = False  # another one, whose parameters the arguments are converted to

    @property
    def types(self) -> list[Type]:
        """Return the types of the parameters."""
        return list(self.parameters)

    @property
    def required(self) -> int:
        """Return how many arguments have no default."""
        return len(self.parameters) - len(self.defaults)

    @property
    def called(self) -> Overload:
        """The overload that the IntrinsicCall stands for."""
        if not self.calls:
            return self
        return next(o for o in INTRINSICS[self.name] if o.result == self.result and not o.calls)


INTRINSICS: dict[str, list[Overload]] = {}

_INTEGERS = ["int", "unsigned", "long", "unsigned long", "long long", "unsigned long long"]
_SETS = {
    "integers": _INTEGERS,
    "numbers": [*_INTEGERS, "float", "double"],
    "values": [*(scalar.name for scalar in SCALARS if scalar != BOOL), *VECTORS, *HALVES],
}
_KNOWN = {
    **NAMED,
    **HALVES,
    "signed char": CHAR,
    "unsigned": UINT,
    "group": THREAD_GROUP,
    "coalesced_group": COALESCED_GROUP,
    "grid_group": GRID_GROUP,
}
_SECTION = re.compile(r"// (\w+)(?:, T: (.*))?")
_FUNCTION = re.compile(r"(.*?)([\w:]+)\((.*)\);(?:  // calls (\w+))?")


def _type(text: str) -> Type:
    name, star, _ = text.replace("const ", "").partition("*")
    base = _KNOWN[name.strip()]
    return Pointer(base, text.startswith("const ")) if star else base


def _declare(kind: str, line: str) -> None:
    result, name, written, called = _FUNCTION.findall(line)[0]
    parameters = [part.partition("=") for part in written.split(", ") if part]
    overload = Overload(
        called or name,
        kind,
        _type(result),
        tuple(_type(part[0]) for part in parameters),
        tuple(int(part[2], 0) for part in parameters if part[1]),
        bool(called),
    )
    INTRINSICS.setdefault(name, []).append(overload)


for _section in Path(__file__).with_suffix(".h").read_text().split("\n\n")[1:]:
    _head, *_lines = _section.splitlines()
    _kind, _types = _SECTION.findall(_head)[0]
    for _line in _lines:
        for _actual in _SETS.get(_types) or _types.split(", "):
            _declare(_kind, re.sub(r"\bT(2?)\b", rf"{_actual}\1", _line))
# For other scopes than the GPU, which here are all the same
for _name, _overloads in list(INTRINSICS.items()):
    for _scope in ("_block", "_system"):
        if _overloads[0].kind == "atomic":
            INTRINSICS[f"{_name}{_scope}"] = [
                replace(overload, calls=True) for overload in _overloads
            ]
