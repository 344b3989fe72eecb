"""Random kernels that are right by construction, to compare a GPU with the simulator bit for bit.

Every kernel has the same variables, arguments and outputs; what happens in between is random: expressions of
mixed types, conversions, control flow, local and shared arrays, barriers, shuffles, votes, atomics. Undefined
behaviour is kept out with intervals: each expression knows the range of its value, and what could overflow,
divide by zero or shift too far is brought back first. Floats stay in [1e-3, 1e3], away from denormals, which
NVRTC under CuPy flushes to zero.

Only `random.Random.random()` is drawn from, whose sequence Python promises to keep.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from .random_expressions import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LOOSE,
    UINT,
    VARIABLES,
    Expressions,
    Kind,
    Value,
)

THREADS = 64
PRELUDE = """\
#define MIX(a, b) ((a) * 31 + (b))
__device__ float tame(float x) { return fabsf(x) < 1e3f && fabsf(x) > 1e-3f ? x : 0.75f; }
__device__ double tame(double x) { return fabs(x) < 1e3 && fabs(x) > 1e-3 ? x : -1.25; }
__device__ int whole(float x) { return (int)fminf(fmaxf(x, -1e6f), 1e6f); }
__constant__ int table[8] = {3, -7, 100, 0, 12345, -99, 31, 8};
"""


def source(seeds: Sequence[int], rounded: bool = False) -> str:
    """Return a source with a kernel k<seed> per seed. rounded: see Expressions."""
    return PRELUDE + "".join(Writer(seed, rounded).kernel() for seed in seeds)


def launch_shape(seed: int) -> tuple[int, int]:
    """grid and block; always THREADS threads in all."""
    return (1, 64) if seed % 2 else (2, 32)


def arguments(seed: int) -> list[np.ndarray]:
    """in_i, in_f, out (variables by threads, as 64 bits each), cells (for atomics)."""
    mixed = (
        np.arange(1, 2 * THREADS + 1, dtype=np.uint64) * np.uint64(2654435761 * (2 * seed + 1))
    ) >> np.uint64(13)
    whole = (mixed[:THREADS] % 2001).astype(np.int32) - 1000
    fraction = (mixed[THREADS:] % 100_000).astype(np.float32) / np.float32(1024) - np.float32(50.01)
    cells = np.arange(8, dtype=np.uint32) * np.uint32(0x11111111)
    return [whole, fraction, np.full((THREADS, len(VARIABLES)), -1, np.int64), cells]


class Writer(Expressions):
    """Writes the kernel of one seed, line by line."""

    def __init__(self, seed: int, rounded: bool = False) -> None:
        super().__init__(seed, rounded)
        self.seed = seed
        self.lines: list[str] = []
        self.indent = 1
        self.names = 0
        self.atomic = self.pick(["atomicAdd", "atomicXor", "atomicOr", "atomicMax", "atomicMin"])

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    # --- the kernel ------------------------------------------------------------------

    def kernel(self) -> str:
        helpers = [self.helper() for _ in range(self.below(3))]
        self.emit("__shared__ int si[64];")
        self.emit("__shared__ float sf[4][16];")
        self.emit("const int t = threadIdx.x, g = blockIdx.x * blockDim.x + threadIdx.x;")
        self.emit("int i0 = in_i[g], i1 = t * 7 - 100, i2 = 0;")
        self.emit("unsigned int u0 = g * 2654435761u, u1 = 1u;")
        self.emit(
            "long long l0 = (long long)i0 * 1000003; unsigned long long q0 = 0x9E3779B97F4A7C15ULL ^ u0;"
        )
        self.emit("float f0 = tame(in_f[g]), f1 = 1.5f; double d0 = tame((double)f0 * 0.1);")
        self.emit(
            "signed char c0 = t; unsigned char b0 = i0; short s0 = -g; unsigned short w0 = u0; bool p0 = g & 1;"
        )
        self.emit(f"int a[4] = {{{self.below(100)}, -{self.below(100)}}};")
        for _ in range(4 + self.below(5)):
            if self.chance(0.45):
                self.exchange()
            else:
                self.statement(3)
        self.emit("i0 += a[0] ^ a[1] ^ a[2] ^ a[3];")
        for at, (name, kind) in enumerate(VARIABLES.items()):
            bits = {FLOAT: f"__float_as_int({name})", DOUBLE: f"__double_as_longlong({name})"}.get(
                kind, name
            )
            self.emit(f"out[g * {len(VARIABLES)} + {at}] = (long long){bits};")
        return "".join(helpers) + (
            f'\nextern "C" __global__ void k{self.seed}(const int* in_i, const float* in_f, long long* out, '
            "unsigned int* cells)\n{\n" + "\n".join(self.lines) + "\n}\n"
        )

    def helper(self) -> str:
        """A __device__ function; its parameters are its only variables."""
        kind = self.pick([INT, UINT, FLOAT])
        name = f"h{self.seed}_{len(self.helpers)}"
        outer = self.lines, self.variables
        self.lines = []
        self.variables = {"x": kind, "y": INT}
        if self.chance(0.7):
            self.emit(f"if ({self.condition(2)}) return {self.as_kind(self.expression(2), kind)};")
        for _ in range(self.below(3)):
            self.statement(1)
        self.emit(f"return {self.as_kind(self.expression(2), kind)};")
        text = (
            f"\n__device__ {kind.c} {name}({kind.c} x, int y)\n{{\n"
            + "\n".join(self.lines)
            + "\n}\n"
        )
        self.lines, self.variables = outer
        self.helpers.append((name, kind))
        return text

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.indent + line)

    def block(self, header: str, body: Callable[[], None], footer: str = "}") -> None:
        self.emit(header + " {")
        self.indent += 1
        body()
        self.indent -= 1
        self.emit(footer)

    # --- statements ------------------------------------------------------------------

    def statement(self, depth: int) -> None:
        simple = [self.assign, self.assign, self.compound, self.step]
        if not self.in_helper:
            simple.append(self.local_array)
        nested = [self.branch, self.branch, self.for_loop, self.while_loop, self.switch]
        if depth > 0 and self.chance(0.5):
            self.pick(nested)(depth - 1)
        else:
            self.pick(simple)()

    def several(self, depth: int) -> None:
        for _ in range(1 + self.below(3)):
            self.statement(depth)

    def target(self) -> tuple[str, Kind]:
        return self.pick(list(self.variables.items()))

    def assign(self) -> None:
        name, kind = self.target()
        self.store(name, kind, self.expression(3))

    def store(self, name: str, kind: Kind, value: Value) -> None:
        if kind.rank == 0 and not value.kind.is_float:
            self.emit(f"{name} = {value.text};")  # narrowed by the assignment
        else:
            self.emit(f"{name} = {self.as_kind(value, kind)};")

    def compound(self) -> None:
        name, kind = self.target()
        if kind.is_float:
            operand = self.as_kind(self.expression(2), kind)
            op = self.pick("+-*")
            if self.rounded:
                self.emit(f"{name} = {self.operation(name, op, operand, kind)};")
            else:
                self.emit(f"{name} {op}= {operand};")
            self.emit(f"{name} = tame({name});")
        elif kind is BOOL:
            self.emit(f"{name} = !{name};")
        elif kind.is_unsigned:
            if self.chance(0.3):
                self.emit(
                    f"{name} {self.pick(['<<=', '>>='])} {1 + self.below(kind.high.bit_length() - 1)};"
                )
            else:
                self.emit(
                    f"{name} {self.pick(['+=', '*=', '^=', '-='])} {self.as_kind(self.expression(2), kind)};"
                )
        else:
            operand = self.fit(self.to_integer(self.expression(2)), 1000)
            self.emit(f"{name} {self.pick(['+=', '-=', '^='])} {operand.text};")
            if kind.rank:
                self.emit(f"{name} %= {99991 if kind is INT else 999999999989};")

    def step(self) -> None:
        name, kind = self.target()
        if kind.is_float or kind is BOOL:
            self.assign()
        else:
            self.emit(self.pick([f"{name}++;", f"--{name};", f"++{name};", f"{name}--;"]))

    def local_array(self) -> None:
        index = self.fit_index(self.expression(1), 4)
        if self.chance(0.5):
            self.emit(
                f"a[{index}] = {self.fit(self.to_integer(self.expression(2)), LOOSE // 4).text};"
            )
        else:
            self.emit(f"i1 = a[{index}];")

    def branch(self, depth: int) -> None:
        test = self.condition(2)
        if not self.in_helper and self.chance(0.3):
            test = f"({test}) {self.pick(['&&', '||'])} ++i2 % 3"
        self.block(f"if ({test})", lambda: self.several(depth))
        if self.chance(0.5):
            self.block("else", lambda: self.several(depth))

    def leave(self) -> None:
        if self.chance(0.4):
            self.emit(f"if ({self.condition(1)}) {self.pick(['break', 'continue'])};")

    def for_loop(self, depth: int) -> None:
        counter = self.fresh("k")
        trips = (
            self.fit_index(self.expression(1), 8) if self.chance(0.6) else str(1 + self.below(6))
        )

        def body() -> None:
            self.loops.append(counter)
            self.several(depth)
            self.leave()
            if self.chance(0.5):
                self.statement(0)
            self.loops.pop()

        self.block(f"for (int {counter} = 0; {counter} < {trips}; {counter}++)", body)

    def while_loop(self, depth: int) -> None:
        counter = self.fresh("k")
        self.emit(f"int {counter} = {self.fit_index(self.expression(1), 8)};")

        def body() -> None:
            self.loops.append(counter)
            self.several(depth)
            self.leave()
            self.loops.pop()

        if self.chance(0.5):
            self.block(f"while ({counter}-- > 0)", body)
        else:
            self.block("do", body, f"}} while (--{counter} > 0 && ({self.condition(1)}));")

    def switch(self, depth: int) -> None:
        def body() -> None:
            for label in self.pick(
                [["case 0", "case 1", "case 3"], ["case 2", "default"], ["default", "case 1"]]
            ):
                self.block(f"{label}:", lambda: self.several(min(depth, 1)))
                if self.chance(0.6):
                    self.emit("    break;")

        self.block(f"switch ({self.fit_index(self.expression(1), 4)})", body)

    # --- what threads do together; only where all of them come by ----------------------

    def exchange(self) -> None:
        self.pick(
            [
                self.through_shared,
                self.through_shared_2d,
                self.shuffle,
                self.shuffle,
                self.vote,
                self.add_up,
                self.count_together,
            ]
        )()

    def through_shared(self) -> None:
        name, kind = self.pick([("i0", INT), ("i2", INT), ("u1", UINT)])
        self.emit(f"si[t] = {self.fit(self.to_integer(self.expression(2)), LOOSE // 4).text};")
        self.emit("__syncthreads();")
        self.emit(f"{name} = si[(t * {2 * self.below(8) + 1} + {self.below(64)}) % blockDim.x];")
        self.emit("__syncthreads();")

    def through_shared_2d(self) -> None:
        self.emit(f"sf[t / 16][t % 16] = {self.as_kind(self.expression(2), FLOAT)};")
        self.emit("__syncthreads();")
        self.emit(
            f"f1 = sf[(t + {self.below(4)}) % (blockDim.x / 16)][t * {2 * self.below(8) + 1} & 15];"
        )
        self.emit("__syncthreads();")

    def shuffle(self) -> None:
        name, kind = self.pick([(n, k) for n, k in VARIABLES.items() if k.rank])
        value = name if self.chance(0.5) else self.as_kind(self.expression(2), kind)
        width = self.pick(["", "", ", 16", ", 8"])
        lane = self.pick([str(self.below(32)), self.fit_index(self.expression(1), 32)])
        call = self.pick(
            [
                f"__shfl_xor_sync(0xffffffffu, ({kind.c})({value}), {1 << self.below(5)}{width})",
                f"__shfl_up_sync(0xffffffffu, ({kind.c})({value}), {self.below(8)}{width})",
                f"__shfl_down_sync(0xffffffffu, ({kind.c})({value}), {self.below(8)}{width})",
                f"__shfl_sync(0xffffffffu, ({kind.c})({value}), {lane}{width})",
            ]
        )
        self.emit(f"{name} = {call};")

    def vote(self) -> None:
        test = self.condition(2)
        self.emit(
            self.pick(
                [
                    f"u1 ^= __ballot_sync(0xffffffffu, {test});",
                    f"p0 = __any_sync(0xffffffffu, {test});",
                    f"p0 = __all_sync(0xffffffffu, {test});",
                    f"i2 = __popc(__ballot_sync(0xffffffffu, {test}));",
                ]
            )
        )

    def add_up(self) -> None:
        self.emit(f"si[t] = {self.fit(self.to_integer(self.expression(2)), LOOSE // 128).text};")
        self.emit("__syncthreads();")
        self.block(
            "for (int half = blockDim.x / 2; half > 0; half /= 2)",
            lambda: (
                self.emit("if (t < half) si[t] += si[t + half];"),
                self.emit("__syncthreads();"),
            ),
        )
        self.emit("i1 = si[0];")
        self.emit("__syncthreads();")

    def count_together(self) -> None:
        value = self.as_kind(self.expression(2), UINT)
        self.emit(f"{self.atomic}(&cells[{self.fit_index(self.expression(1), 8)}], {value});")
