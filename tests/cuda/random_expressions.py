"""Random C expressions that never overflow, divide by zero or shift too far; the harder half of random_kernels.py."""

from __future__ import annotations

import operator
import random
from collections.abc import Sequence
from dataclasses import dataclass

LOOSE = 200_000  # |int variable|; assignments keep it below half of that, ++ and -- may add up to the rest
WIDE = 10**12


@dataclass(frozen=True)
class Kind:
    """An arithmetic type. low, high: of a variable; None for floating point."""

    c: str
    rank: int
    low: int | None = None
    high: int | None = None

    @property
    def is_float(self) -> bool:
        return self.low is None

    @property
    def is_unsigned(self) -> bool:
        return self.low == 0 and self.rank >= 1


BOOL = Kind("bool", 0, 0, 1)
CHAR = Kind("signed char", 0, -128, 127)
UCHAR = Kind("unsigned char", 0, 0, 255)
SHORT = Kind("short", 0, -(2**15), 2**15 - 1)
USHORT = Kind("unsigned short", 0, 0, 2**16 - 1)
INT = Kind("int", 1, -LOOSE, LOOSE)
UINT = Kind("unsigned int", 2, 0, 2**32 - 1)
LONG = Kind("long long", 3, -2 * WIDE, 2 * WIDE)
ULONG = Kind("unsigned long long", 4, 0, 2**64 - 1)
FLOAT = Kind("float", 5)
DOUBLE = Kind("double", 6)

VARIABLES = {
    "i0": INT,
    "i1": INT,
    "i2": INT,
    "u0": UINT,
    "u1": UINT,
    "l0": LONG,
    "q0": ULONG,
    "f0": FLOAT,
    "f1": FLOAT,
    "d0": DOUBLE,
    "c0": CHAR,
    "b0": UCHAR,
    "s0": SHORT,
    "w0": USHORT,
    "p0": BOOL,
}
_LIMIT = {INT: 2**31 - 1, UINT: 2**32 - 1, LONG: 2**63 - 1, ULONG: 2**64 - 1}
_SIGNED = (INT, LONG)
_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_ROUNDED = {"+": "add", "-": "sub", "*": "mul", "/": "div"}


@dataclass(frozen=True)
class Value:
    """A C expression, its type after integer promotion, and its range; without one given, all of the type's."""

    text: str
    kind: Kind
    low: int | None = None
    high: int | None = None

    def __post_init__(self) -> None:
        if self.low is None and not self.kind.is_float:
            object.__setattr__(self, "low", 0 if self.kind.is_unsigned else -_LIMIT[self.kind] - 1)
            object.__setattr__(self, "high", _LIMIT[self.kind])


class Expressions:
    """Draws expressions over `variables` (a helper function's or the kernel's) and the loop counters in scope.

    rounded: operators of floats are CUDA's functions such as __fmul_rn, which every device must round alike, and
    nothing is fused."""

    def __init__(self, seed: int, rounded: bool = False) -> None:
        self.random = random.Random(seed)
        self.rounded = rounded
        self.variables = VARIABLES
        self.loops: list[str] = []  # only to be read
        self.helpers: list[tuple[str, Kind]] = []

    @property
    def in_helper(self) -> bool:
        return self.variables is not VARIABLES

    # --- chance ----------------------------------------------------------------------

    def below(self, n: int) -> int:
        return int(self.random.random() * n)

    def pick(self, things: Sequence):
        return things[self.below(len(things))]

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    # --- expressions -----------------------------------------------------------------

    def condition(self, depth: int) -> str:
        form = self.below(6)
        if form == 0 and depth:
            return f"{self.condition(depth - 1)} {self.pick(['&&', '||'])} ({self.condition(depth - 1)})"
        if form == 1:
            return (
                f"!({self.expression(depth - 1).text})"
                if depth
                else "y & 1"
                if self.in_helper
                else "p0"
            )
        if form == 2:
            return f"({self.to_integer(self.expression(depth)).text} & {1 << self.below(6)})"
        left, right = self.expression(depth), self.expression(max(depth - 1, 0))
        return f"{left.text} {self.pick(['<', '<=', '>', '>=', '==', '!='])} {right.text}"

    def expression(self, depth: int) -> Value:
        if depth <= 0 or self.chance(0.15):
            return self.leaf()
        form = self.pick(
            [
                self.arithmetic,
                self.arithmetic,
                self.arithmetic,
                self.bits,
                self.divide,
                self.shift,
                self.select,
                self.function,
                self.cast,
                self.unary,
                self.compare,
            ]
        )
        return form(depth - 1)

    def leaf(self) -> Value:
        form = self.below(10)
        if form < 6:
            name, kind = self.pick(list(self.variables.items()))
            promoted = INT if kind.rank == 0 else kind
            return Value(name, promoted, kind.low, kind.high)
        if form == 6 and self.loops:
            return Value(self.pick(self.loops), INT, -1, 8)
        if form == 7:
            return self.pick(
                [Value("threadIdx.x", UINT), Value("blockDim.x", UINT), Value("blockIdx.x", UINT)]
            )
        if form == 8:
            number = self.pick([self.below(10), self.below(1000), self.below(100_000)])
            return self.pick(
                [
                    Value(str(number), INT, number, number),
                    Value(f"0x{number:X}u", UINT),
                    Value(f"{number}LL", LONG, number, number),
                    Value("'A'", INT, 65, 65),
                ]
            )
        number = (1 + self.below(4000)) / 16
        return self.pick(
            [
                Value(f"{number!r}f", FLOAT),
                Value(f"-{number!r}f", FLOAT),
                Value(f"{number!r}", DOUBLE),
            ]
        )

    def arithmetic(self, depth: int) -> Value:
        left, right = self.expression(depth), self.expression(depth)
        kind = self.common(left, right)
        op = self.pick("+-*")
        if kind in _SIGNED:
            wide = kind is LONG
            bound = (
                (3 * 10**9 if wide else 30_000) if op == "*" else (4 * 10**18 if wide else 10**9)
            )
            left, right = self.fit(left, bound), self.fit(right, bound)
            ends = [
                _OPERATORS[op](a, b) for a in (left.low, left.high) for b in (right.low, right.high)
            ]
            return Value(f"({left.text} {op} {right.text})", kind, min(ends), max(ends))
        if kind.is_float:
            left, right = self.fit(left, 10**6), self.fit(right, 10**6)
        if kind is UINT and self.chance(0.2):
            return Value(f"MIX({left.text}, {right.text})", kind)
        return Value(self.operation(left.text, op, right.text, kind), kind)

    def operation(self, left: str, op: str, right: str, kind: Kind) -> str:
        if not (kind.is_float and self.rounded):
            return f"({left} {op} {right})"
        return f"__{'f' if kind is FLOAT else 'd'}{_ROUNDED[op]}_rn({left}, {right})"

    def square_root(self, value: str, kind: Kind) -> str:
        if self.rounded:
            return f"__{'f' if kind is FLOAT else 'd'}sqrt_rn({value})"
        return f"sqrt{'f' if kind is FLOAT else ''}({value})"

    def fused(self, left: str, right: str) -> str:
        """A product and a sum that is rounded once; where devices must round alike, twice: not all of them fuse."""
        if self.rounded:
            return self.operation(self.operation(left, "*", right, FLOAT), "+", "0.375f", FLOAT)
        return f"fmaf({left}, {right}, 0.375f)"

    def divide(self, depth: int) -> Value:
        left, right = self.expression(depth), self.expression(depth)
        kind = self.common(left, right)
        right = self.fit(right, 10**6) if kind.is_float else right
        if kind is FLOAT:
            by = self.operation(f"fabsf({right.text})", "+", "0.5f", kind)
            return Value(self.operation(left.text, "/", by, kind), kind)
        if kind is DOUBLE:
            by = self.operation(f"fabs((double){right.text})", "+", "0.5", kind)
            return Value(self.operation(left.text, "/", by, kind), kind)
        op = self.pick("/%")
        if kind in _SIGNED:
            left = self.fit(left, _LIMIT[kind])
            most = max(abs(left.low), abs(left.high))
            return Value(f"({left.text} {op} ({right.text} | 1))", kind, -most, most)
        return Value(f"({left.text} {op} ({right.text} | 1))", kind)

    def bits(self, depth: int) -> Value:
        left, right = (
            self.to_integer(self.expression(depth)),
            self.to_integer(self.expression(depth)),
        )
        kind = self.common(left, right)
        text = f"({left.text} {self.pick('&|^')} {right.text})"
        if kind.is_unsigned:
            return Value(text, kind)
        size = max(abs(v) for v in (left.low, left.high, right.low, right.high)).bit_length()
        size = min(size, _LIMIT[kind].bit_length())
        return Value(text, kind, -(2**size), 2**size - 1)

    def shift(self, depth: int) -> Value:
        left, by = self.to_integer(self.expression(depth)), self.expression(0)
        width = 31 if left.kind in (INT, UINT) else 63
        if by.kind.is_float or self.chance(0.5):
            by = Value(str(self.below(width + 1)), INT)
        count = f"({by.text} & {width})"
        if left.kind.is_unsigned:
            return Value(f"({left.text} {self.pick(['<<', '>>'])} {count})", left.kind)
        if self.chance(0.4):
            return Value(f"(({left.text} & 1023) << ({by.text} & 15))", left.kind, 0, 1023 << 15)
        return Value(f"({left.text} >> {count})", left.kind, min(left.low, 0), max(left.high, 0))

    def select(self, depth: int) -> Value:
        left, right = self.expression(depth), self.expression(depth)
        kind = self.common(left, right)
        text = f"({self.condition(depth)} ? {left.text} : {right.text})"
        if kind not in _SIGNED:
            return Value(text, kind)
        return Value(text, kind, min(left.low, right.low), max(left.high, right.high))

    def compare(self, depth: int) -> Value:
        return Value(f"(bool)({self.condition(depth)})", INT, 0, 1)

    def unary(self, depth: int) -> Value:
        value = self.expression(depth)
        if value.kind.is_float:
            return Value(f"(- {value.text})", value.kind)
        if value.kind.is_unsigned:
            return Value(f"({self.pick('-~')} {value.text})", value.kind)
        value = self.fit(value, _LIMIT[value.kind])
        return self.pick(
            [
                Value(f"(- {value.text})", value.kind, -value.high, -value.low),
                Value(f"(~ {value.text})", value.kind, -value.high - 1, -value.low - 1),
            ]
        )

    def cast(self, depth: int) -> Value:
        value = self.expression(depth)
        if value.kind.is_float:
            return self.pick(
                [
                    Value(f"(float)({value.text})", FLOAT),
                    Value(f"(double)({value.text})", DOUBLE),
                    Value(f"whole({value.text})", INT, -(10**6), 10**6),
                ]
            )
        to = self.pick([CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG, FLOAT, DOUBLE, BOOL])
        if to.rank == 0:
            return Value(f"({to.c})({value.text})", INT, to.low, to.high)
        if to.is_float:
            return Value(f"({to.c})({self.fit(value, 10**6).text})", to)
        fits = to in _SIGNED and -_LIMIT[to] <= value.low and value.high <= _LIMIT[to]
        return Value(f"({to.c})({value.text})", to, *((value.low, value.high) if fits else ()))

    def function(self, depth: int) -> Value:
        value = self.expression(depth)
        if self.helpers and not self.in_helper and self.chance(0.3):
            name, kind = self.pick(self.helpers)
            result = (
                f"{name}({self.as_kind(value, kind)}, {self.as_kind(self.expression(depth), INT)})"
            )
            return Value(result, kind, -LOOSE, LOOSE)
        if value.kind is FLOAT:
            other = self.as_kind(self.expression(depth), FLOAT)
            return Value(
                self.pick(
                    [
                        f"fabsf({value.text})",
                        f"fminf({value.text}, {other})",
                        f"fmaxf({value.text}, {other})",
                        self.square_root(f"fabsf({value.text})", FLOAT),
                        f"floorf({value.text})",
                        f"ceilf({value.text})",
                        f"truncf({value.text})",
                        f"rintf({value.text})",
                        self.fused(value.text, other),
                        f"copysignf({value.text}, {other})",
                    ]
                ),
                FLOAT,
            )
        if value.kind is DOUBLE:
            other = self.as_kind(self.expression(depth), DOUBLE)
            return Value(
                self.pick(
                    [
                        f"fabs({value.text})",
                        f"fmin({value.text}, {other})",
                        self.square_root(f"fabs({value.text})", DOUBLE),
                        f"floor({value.text})",
                        f"fmax({value.text}, {other})",
                        f"trunc({value.text})",
                    ]
                ),
                DOUBLE,
            )
        if self.chance(0.3):
            return Value(f"table[{self.fit_index(value, 8)}]", INT, -99, 12345)
        unsigned = self.as_kind(value, UINT)
        signed = (
            self.fit(value, 10**9)
            if value.kind is INT
            else Value("y" if self.in_helper else "i0", INT)
        )
        bound = 10**9
        return self.pick(
            [
                Value(f"__popc({unsigned})", INT, 0, 32),
                Value(f"__brev({unsigned})", UINT),
                Value(f"__clz({signed.text})", INT, 0, 32),
                Value(f"__ffs({signed.text})", INT, 0, 32),
                Value(f"__umulhi({unsigned}, 0x9E3779B9u)", UINT),
                Value(f"abs((int)({signed.text}))", INT, 0, bound),
                Value(f"min((int)({signed.text}), 1000)", INT, -bound, 1000),
                Value(f"max((int)({signed.text}), -17)", INT, -17, bound),
            ]
        )

    # --- keeping to the rules ----------------------------------------------------------

    def common(self, left: Value, right: Value) -> Kind:
        """C's usual arithmetic conversions."""
        return left.kind if left.kind.rank >= right.kind.rank else right.kind

    def fit(self, value: Value, bound: int) -> Value:
        """The same with |value| <= bound where it is a whole number."""
        if value.kind.is_float:
            return value
        if -bound <= value.low and value.high <= bound:
            return value
        modulus = max(
            k
            for k in (
                7,
                97,
                991,
                1009,
                9973,
                24989,
                49999,
                99991,
                999983,
                10**9 - 63,
                2 * 10**9 + 11,
                3 * 10**18 + 9,
            )
            if k <= bound and (value.kind.rank > 2 or k < 2**31)
        )
        low = 0 if value.kind.is_unsigned or value.low >= 0 else 1 - modulus
        return Value(f"({value.text} % {modulus})", value.kind, low, modulus - 1)

    def fit_index(self, value: Value, size: int) -> str:
        """An index below size, a power of two."""
        return f"({self.to_integer(value).text} & {size - 1})"

    def to_integer(self, value: Value) -> Value:
        if value.kind.is_float:
            return Value(f"whole({value.text})", INT, -(10**6), 10**6)
        return value

    def as_kind(self, value: Value, kind: Kind) -> str:
        """An expression that a variable of that kind may be assigned."""
        if kind.is_float:
            # Makes large integers fit
            scale = "" if value.kind.is_float or self.chance(0.5) else " * 1e-7f"
            return f"tame(({kind.c})(({value.text}){scale}))"
        value = self.to_integer(value)
        if kind is INT:
            value = self.fit(value, LOOSE // 2)
            return value.text if value.kind is INT else f"(int)({value.text})"
        if kind is LONG:
            return f"(long long)({self.fit(value, WIDE).text})"
        if kind is BOOL:
            return f"({value.text}) != 0"
        return f"({kind.c})({value.text})"
