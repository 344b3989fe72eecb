import math
import zlib

import numpy as np

from . import blank, case, ints


def _out(n, *dtypes):
    return [blank(n, dtype=t) for t in dtypes or (np.int32,)]


@case("division_puzzle", 1, 64)
def division_puzzle(rng):
    a, b = (
        ints(rng, -100, 100, 60),
        ints(rng, 1, 9, 60) * np.where(rng.random(60) < 0.5, -1, 1).astype(np.int32),
    )
    q = np.trunc(a / b).astype(np.int32)
    return [a, b, *_out(60, np.int32, np.int32, np.int32), 60], {2: q, 3: a - q * b, 4: a >> 2}


@case("conversions", 1, 64)
def conversions(rng):
    x = rng.uniform(-700, 700, 60).astype(np.float32)
    whole = np.trunc(x).astype(np.int32)
    return [x, *_out(60, np.int32, np.uint8, np.int16, np.float32), 60], {
        1: whole,
        2: whole.astype(np.uint8),
        3: (whole * 1000).astype(np.int16),
        4: (whole * 16777 + 1).astype(np.float32),
    }


@case("mixed_signs", 1, 64)
def mixed_signs(rng):
    a, b = ints(rng, -(2**31), 2**31, 60), ints(rng, 0, 2**32, 60, dtype=np.uint32)
    wide = a.astype(np.int64) * b.astype(np.int64) - b.astype(np.int64)
    return [a, b, *_out(60, np.int32, np.uint32, np.int64), 60], {
        2: (a.view(np.uint32) < b).astype(np.int32),
        3: a.view(np.uint32) + b,
        4: wide,
    }


@case("collatz", 1, 64)
def collatz(rng):
    def steps(v):
        count = 0
        while v != 1:
            v, count = (3 * v + 1 if v % 2 else v // 2), count + 1
        return count

    return [*_out(60), 60], {0: np.array([steps(i + 1) for i in range(60)], np.int32)}


@case("gcd_table", (2, 2), (16, 16))
def gcd_table(rng):
    table = np.gcd.outer(np.arange(1, 26), np.arange(1, 26)).astype(np.int32)
    return [blank(25, 25, dtype=np.int32), 25], {0: table}


@case("is_prime", 3, 64)
def is_prime(rng):
    prime = [i > 1 and all(i % d for d in range(2, math.isqrt(i) + 1)) for i in range(180)]
    return [*_out(180), 180], {0: np.array(prime, np.int32)}


@case("xorshift", 1, 64)
def xorshift(rng):
    state = ints(rng, 1, 2**32, 64, dtype=np.uint32)
    x = state.copy()
    for _ in range(5):
        x ^= x << np.uint32(13)
        x ^= x >> np.uint32(17)
        x ^= x << np.uint32(5)
    return [state, 5], {0: x}


@case("lcg_64", 1, 64)
def lcg_64(rng):
    state = ints(rng, 0, 2**63, 64, dtype=np.uint64)
    after = []
    for s in map(int, state):
        s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
        while s >> 60 == 0:
            s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
        after.append(s)
    return [state, blank(64, dtype=np.float64)], {
        0: np.array(after, np.uint64),
        1: np.array([(s >> 11) / 2**53 for s in after]),
    }


@case("crc32", 1, 32)
def crc32(rng):
    x = ints(rng, 0, 256, 32, 11, dtype=np.uint8)
    return [x, *_out(32, np.uint32), 11], {
        1: np.array([zlib.crc32(row.tobytes()) for row in x], np.uint32)
    }


@case("switch_machine", 1, 64)
def switch_machine(rng):
    code = ints(rng, 0, 12, 60)
    rules = [
        lambda v: v + 100,
        lambda v: 2 * v - 7,
        lambda v: v - 7,
        lambda v: 4 * v * v,
        lambda v: 4 * v * v,
        lambda v: -v,
    ]
    return [code, *_out(60), 60], {
        1: np.array([rules[c % 6](i) for i, c in enumerate(code)], np.int32)
    }


@case("nested_loops", 1, 64)
def nested_loops(rng):
    def total(i):
        result = 0
        for a in range(8):
            if a == i % 5:
                continue
            result += sum(a * b + 1 for b in range(a, i % 11 + 1, 2) if (a + b) % 3)
            if result > 60 and i % 2:
                break
        return result

    return [*_out(60), 60], {0: np.array([total(i) for i in range(60)], np.int32)}


@case("short_circuit", 1, 64)
def short_circuit(rng):
    x = ints(rng, -9, 10, 50)
    count = 1 + (x > 0)
    either = (x % 2 == 0) | (count + 1 > 2)
    count = np.where(x % 2 == 0, count, count + 1)
    return [x, *_out(50, np.int32, np.int32), 50], {
        1: ((x > 0) * 10 + either).astype(np.int32),
        2: count.astype(np.int32),
    }


@case("morton", 1, 64)
def morton(rng):
    x, y = ints(rng, 0, 65536, 50), ints(rng, 0, 65536, 50)
    code = [
        sum((a >> b & 1) << 2 * b | (c >> b & 1) << 2 * b + 1 for b in range(16))
        for a, c in zip(x.tolist(), y.tolist(), strict=True)
    ]
    return [x, y, *_out(50, np.uint32), 50], {2: np.array(code, np.uint32)}
