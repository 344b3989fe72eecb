"""Divergent control flow against the same text in Python, thread by thread."""

import numpy as np
import pytest

from . import kernel, run


def per_thread(body: str, threads: int = 40, before: str = "") -> list[int]:
    """`out` after a kernel body in t and r; out[t] = r at its end."""
    out = np.full(threads, -1, np.int32)
    run(
        kernel("int* out", f"int t = threadIdx.x; int r = 0;\n{body}\nout[t] = r;", before),
        [out],
        threads,
    )
    return out.tolist()


def divergent_loop(t):
    r = 0
    for i in range(t):
        if i % 3 == 1:
            continue
        if i == 7:
            break
        r += i
    return r


def nested(t):
    r = 0
    for i in range(5):
        for j in range(5):
            if j == t:
                break
            if (i + j) % 2:
                continue
            r += 10 * i + j
        if r > 60:
            break
    return r


def collatz(t):
    n, r = t + 1, 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        r += 1
    return r


def fallthrough(t):
    r = 0
    k = t % 5
    if k == 0:
        r += 1
    if k in (0, 1):
        r += 10
    elif k == 3:
        r += 100
    elif k not in (0, 1, 3):
        r += 1000
    return r


def loops_in_a_switch(t):
    return 100 + (3 if t % 3 == 0 else 7 if t % 3 == 1 else 6)


def continued(t):
    r = 0
    for i in range(4):
        r += 2 - (t < 2)
        if i != t % 4:
            r += 10
    return r


def left_at_different_depths(t):
    r = 0
    for i in range(4):
        while True:
            r += 1
            if r % 3 == t % 3:
                break
        if i > t % 4:
            break
        if i == 1:
            continue
        r += 5
    return r


@pytest.mark.parametrize(
    "text, python",
    [
        (
            "switch (t % 3) { case 0: for (int i = 0; i < 3; i++) r += i; break; case 1: while (r < 7) r++; break; "
            "default: do r += 2; while (r < 5); } r += 100;",
            loops_in_a_switch,
        ),
        (
            "for (int i = 0; i < 4; i++) { for (int j = 0; j < 2; j++) { if (j == t) continue; r++; } "
            "if (i == t % 4) continue; r += 10; }",
            continued,
        ),
        (
            "for (int i = 0; i < 4; i++) { while (true) { r++; if (r % 3 == t % 3) break; } if (i > t % 4) break; "
            "if (i == 1) continue; r += 5; }",
            left_at_different_depths,
        ),
        (
            "for (int i = 0; i < 3; i++) switch (i) { case 0: switch (t % 2) { case 0: break; default: r += 7; } r += 1; "
            "break; case 2: if (t > 9) break; r += 20; }",
            lambda t: 1 + 7 * (t % 2) + 20 * (t <= 9),
        ),
        (
            "for (int i = 0; i < t; i++) { if (i % 3 == 1) continue; if (i == 7) break; r += i; }",
            divergent_loop,
        ),
        (
            "for (int i = 0; i < 5; ++i) { for (int j = 0; j < 5; ++j) { if (j == t) break; if ((i + j) % 2) continue; "
            "r += 10 * i + j; } if (r > 60) break; }",
            nested,
        ),
        ("int n = t + 1; while (n != 1) { n = n % 2 == 0 ? n / 2 : 3 * n + 1; r++; }", collatz),
        (
            "switch (t % 5) { case 0: r += 1; case 1: r += 10; break; case 3: r += 100; break; default: r += 1000; }",
            fallthrough,
        ),
        ("do { r += 2; } while (r < t);", lambda t: max(2, t + t % 2)),
        (
            "for (;;) { if (r * r > t) break; r++; }",
            lambda t: next(r for r in range(40) if r * r > t),
        ),
        (
            "for (int i = 0; i < 9; i++) switch (i % 3) { case 1: continue; case 2: r += t; break; default: r++; }",
            lambda t: 3 + 3 * t,
        ),
        (
            "if (t < 10) r = 1; else if (t < 20) r = 2; else { r = 3; if (t > 30) r = 4; }",
            lambda t: 1 if t < 10 else 2 if t < 20 else 4 if t > 30 else 3,
        ),
        ("if (t > 3 && 100 / (t - 3) > 9) r = 1;", lambda t: int(t > 3 and 100 // (t - 3) > 9)),
        (
            "if (t == 3 || 100 / (t - 3) > 9) r = 1;",
            lambda t: int(t == 3 or (t > 3 and 100 // (t - 3) > 9)),
        ),
        (
            "for (int i = 0; i < 2; i++) r += (signed char)(bool)(t < 9 || t * 3 % 7 == 1);",
            lambda t: 2 * (t < 9 or t * 3 % 7 == 1),
        ),
        ("r = t == 3 ? -1 : 100 / (t - 3);", lambda t: -1 if t == 3 else int(100 / (t - 3))),
        ("int k = 0; bool b = t > 5 && k++ == 0; r = k * 2 + b;", lambda t: 3 if t > 5 else 0),
        (
            "int a[4] = {5, 6}; a[t % 4] += t; for (int i = 0; i < 4; i++) r += a[i] * (i + 1);",
            lambda t: 17 + t * (t % 4 + 1),
        ),
        (
            "int a[2][3]; for (int i = 0; i < 6; i++) a[i / 3][i % 3] = i * t; r = a[1][t % 3];",
            lambda t: (3 + t % 3) * t,
        ),
        (
            "int x = t, y = 1; int* p = t % 2 ? &x : &y; *p += 100; r = x * 1000 + y;",
            lambda t: (t + 100) * 1000 + 1 if t % 2 else t * 1000 + 101,
        ),
    ],
)
def test_divergence(text, python):
    assert per_thread(text) == [python(t) for t in range(40)]


def test_uniform_loops_stay_scalar():
    from nnlib.cuda._engine.language import compile_source
    from nnlib.cuda._engine.simulator import compile_program

    text = kernel(
        "float* x, int n", "if (threadIdx.x < n) for (int k = 0; k < n; k++) x[threadIdx.x] += k;"
    )
    source = compile_program(compile_source(text)).source
    assert "k = (k + " in source and "select(m, (k" not in source


def test_printf_prints_as_c_does(capsys):
    run(
        kernel(
            "float* x",
            r'printf("%u %x %d %i|%5d|%-3d|%*d|%c%c|%lld %llu|%e %g", -1, -2, 4000000000u, true, 7, 7, '
            r"4, 7, 'o', 107, -1ll, -1ll, 1.5f, 0.25);",
        ),
        [np.zeros(1, np.float32)],
        1,
    )
    assert capsys.readouterr().out == (
        "4294967295 fffffffe -294967296 1|    7|7  |   7|ok|-1 18446744073709551615|"
        "1.500000e+00 0.25"
    )
    run(
        kernel("float* x", r"""printf("\x41\102\7\033[1m\\ \"\'%c%c\t\n", '\103', '\x7a');"""),
        [np.zeros(1, np.float32)],
        1,
    )
    assert capsys.readouterr().out == "AB\a\033[1m\\ \"'Cz\t\n"
    run(
        kernel("float* x", 'printf("%.*f %*.*e", 2, 3.14159, 9, 1, x[0]);'),
        [np.ones(1, np.float32)],
        1,
    )
    assert capsys.readouterr().out == "3.14   1.0e+00"
    run(kernel("float* x", r'printf("%p", x);'), [np.zeros(1, np.float32)], 1)
    assert capsys.readouterr().out.startswith("0x")


def test_printf_in_thread_order(capsys):
    run(
        kernel(
            "float x",
            r'if (threadIdx.x > 1) printf("%d of %u: %5.2f%%\n", threadIdx.x, blockDim.x, x);',
        ),
        [np.float32(1.5)],
        4,
    )
    assert capsys.readouterr().out == "2 of 4:  1.50%\n3 of 4:  1.50%\n"
    run(
        kernel(
            "float x",
            r'printf("a%d%d ", blockIdx.x, threadIdx.x); printf("b%d%d ", blockIdx.x, threadIdx.x);',
        ),
        [np.float32(1.5)],
        2,
        3,
    )
    assert capsys.readouterr().out == "".join(
        f"{c}{b}{t} " for b in range(3) for c in "ab" for t in range(2)
    )
