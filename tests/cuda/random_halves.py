"""Random kernels of halves, with what each must compute: exact fractions, rounded once after every operation.

Numbers, pairs of them, a struct with operators, a template and a shared array, in __half or __nv_bfloat16. Values are
brought back between 1/32 and 30 after each statement, so that nothing overflows and no zero has a sign.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction

import numpy as np

THREADS = 32
DIGITS = {"__half": (11, -14, 15), "__nv_bfloat16": (8, -126, 127)}  # digits, smallest and largest exponent
PRELUDE = """#include <cuda_fp16.h>
#include <cuda_bf16.h>
template <typename T> __device__ T tame(T x)
{
    float f = x;
    return fabsf(f) < 30.0f && fabsf(f) > 0.03125f ? x : T(0.75f);
}
template <typename T> __device__ T larger(T a, T b) { return a > b ? a : b; }
template <typename T, typename P> struct Both {
    T one;
    P two;
    __device__ Both operator+(const Both& other) const { return {one + other.one, two * other.two}; }
};
"""
Lanes = list[Fraction]
Operation = Callable[..., Fraction]


def value(bits: int, kind: str) -> Fraction:
    """The number that has these bits."""
    if kind == "__half":
        return Fraction(float(np.uint16(bits).view(np.float16)))
    return Fraction(float(np.uint32(int(bits) << 16).view(np.float32)))


def nearest(exact: Fraction, kind: str) -> Fraction:
    """The nearest number of normal size, of two the even one."""
    if not exact:
        return exact
    digits, least, _ = DIGITS[kind]
    exponent = least
    while abs(exact) >= Fraction(2) ** (exponent + 1):
        exponent += 1
    step = Fraction(2) ** (exponent - digits + 1)
    return round(exact / step) * step


def tamed(x: Fraction) -> Fraction:
    return x if Fraction(1, 32) < abs(x) < 30 else Fraction(3, 4)


class Kernel:
    """The text of kernel `seed`, and what its variables hold at the end."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.kind = ("__half", "__nv_bfloat16")[seed % 2]
        self.pair = {"__half": "__half2", "__nv_bfloat16": "__nv_bfloat162"}[self.kind]
        first = np.random.default_rng(seed).uniform(-8, 8, (8, THREADS)).astype(np.float32)
        bits = first.astype(np.float16).view(np.uint16) if seed % 2 == 0 else (first.view(np.uint32) >> 16).astype("u2")
        self.bits = np.ascontiguousarray(bits)
        given = [[value(x, self.kind) for x in row] for row in self.bits]
        self.numbers = {f"h{k}": list(map(tamed, row)) for k, row in enumerate(given)}
        self.lines = [f"    {self.kind} h{k} = tame(in[{k * THREADS} + t]);" for k in range(8)]
        for _ in range(14):
            self._statement()
        self.lines += [f"    out[{k * THREADS} + t] = h{k};" for k in range(8)]
        self.text = PRELUDE + "\n".join([
            f'extern "C" __global__ void k(const {self.kind}* in, {self.kind}* out)', "{",
            f"    __shared__ {self.kind} s[{THREADS}];", "    int t = threadIdx.x;", *self.lines, "}"]) + "\n"

    def _choose(self, count: int) -> list[str]:
        return [f"h{int(self.random.random() * 8)}" for _ in range(count)]

    def _rounded(self, operation: Operation, *names: str) -> Lanes:
        rows = [self.numbers[name] for name in names]
        return [nearest(operation(*values), self.kind) for values in zip(*rows, strict=True)]

    def _statement(self) -> None:
        rules = (self._expression, self._fused, self._pairs, self._struct, self._through_float, self._compared,
                 self._exchanged)
        rules[int(self.random.random() * len(rules))]()

    def _set(self, name: str, text: str, values: Lanes) -> None:
        self.lines.append(f"    {name} = tame({text});")
        self.numbers[name] = list(map(tamed, values))

    def _expression(self) -> None:
        target, a, b, c = self._choose(4)
        op, other = "+-*/"[int(self.random.random() * 4)], "+-*"[int(self.random.random() * 3)]
        how = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y, "/": lambda x, y: x / y}
        inner = self._rounded(how[op], a, b)
        values = [nearest(how[other](x, y), self.kind) for x, y in zip(self.numbers[c], inner, strict=True)]
        self._set(target, f"{c} {other} ({a} {op} {b})", values)

    def _fused(self) -> None:
        target, a, b, c = self._choose(4)
        self._set(target, f"__hfma({a}, -{b}, {c})", self._rounded(lambda x, y, z: z - x * y, a, b, c))

    def _pairs(self) -> None:
        target, second, a, b = self._choose(4)
        if target == second:
            return
        low, high = self._rounded(lambda x, y: x + y, a, b), self._rounded(lambda x, y: x + y, b, a)
        number = len(self.lines)
        self.lines.append(f"    {self.pair} p{number}({a}, {b}); p{number} += {self.pair}({b}, {a});")
        self._set(target, f"p{number}.x", low)
        self._set(second, f"p{number}.y", high)

    def _struct(self) -> None:
        target, a, b, c = self._choose(4)
        number, kind = len(self.lines), f"Both<{self.kind}, {self.pair}>"
        sums, products = self._rounded(lambda x, y: x + y, a, b), self._rounded(lambda x, y: x * y, c, a)
        self.lines.append(f"    {kind} b{number} = {{{a}, {{{b}, {c}}}}}, d{number} = {{{b}, {{{c}, {a}}}}}; "
                          f"b{number} = b{number} + d{number};")
        values = [nearest(x - y, self.kind) for x, y in zip(sums, products, strict=True)]
        self._set(target, f"b{number}.one - b{number}.two.y", values)

    def _through_float(self) -> None:
        target, a, b = self._choose(3)
        self._set(target, f"{self.kind}((float){a} * 0.5f + (float){b})", self._rounded(lambda x, y: x / 2 + y, a, b))

    def _compared(self) -> None:
        target, a, b, c = self._choose(4)
        rows = zip(*(self.numbers[name] for name in (a, b, c)), strict=True)
        values = [max(x, y) if x != z else y for x, y, z in rows]
        self._set(target, f"{a} != {c} ? larger({a}, {b}) : {b}", values)

    def _exchanged(self) -> None:
        target, a, b = self._choose(3)
        self.lines.append(f"    __syncthreads(); s[t] = {a}; __syncthreads();")
        other = [self.numbers[b][t ^ 1] for t in range(THREADS)]
        values = [nearest(self.numbers[a][THREADS - 1 - t] + other[t], self.kind) for t in range(THREADS)]
        self._set(target, f"s[{THREADS - 1} - t] + __shfl_xor_sync(0xffffffffu, {b}, 1)", values)

    def arguments(self) -> list[np.ndarray]:
        dtype = np.float16 if self.kind == "__half" else np.uint16
        return [self.bits.view(dtype), np.zeros((8, THREADS), dtype)]

    def wanted(self) -> list[Lanes]:
        return [self.numbers[f"h{k}"] for k in range(8)]
