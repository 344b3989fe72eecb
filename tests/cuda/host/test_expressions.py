"""Numbers of the host as C++ has them: the same text, compiled by g++, prints these lines."""

import warnings

import pytest

from nnlib.cuda import Program
from nnlib.cuda._engine.host.runtime.address_space import AddressSpace

BEFORE = r"""#include <stdio.h>
#include <math.h>
struct Inner { short a; char b[3]; };
struct Outer { char c; Inner in[2]; double d; int* p; };
typedef unsigned char byte;
int calls = 0;
int count(int x) { calls++; return x; }
void change(int& x, int* y, short z) { x += z; *y = z--; z = 9; }
int table[3] = {4, 5, 6};
static float halves[2][2] = {{0.5f, 1.5f}, {2.5f}};
"""
ROWS = [  # statements, what they print
    (
        'int x = 2147483647; x += 1; int y = -2147483647 - 1; y--; printf("%d %d %d", x, y, -y - 1);',
        "-2147483648 2147483647 -2147483648",
    ),
    (
        'signed char c = 127; c++; short s = 32767; s += 2; unsigned short u = 0; u--; byte b = 200; b *= 2; printf("%d '
        '%d %d %d", c, s, u, b);',
        "-128 -32767 65535 144",
    ),
    (
        'printf("%d %d %d %d", (signed char)200, (short)40000, (unsigned short)-1, (byte)-129);',
        "-56 -25536 65535 127",
    ),
    (
        'unsigned u = 0; u -= 1; unsigned long long w = u + 1ull; printf("%u %llu %lld", u, w, (long long)(int)u);',
        "4294967295 4294967296 -1",
    ),
    (
        'long long w = -1; unsigned long long v = w; printf("%llu %d %u", v, (int)(w << 33 >> 32), (unsigned)w);',
        "18446744073709551615 -2 4294967295",
    ),
    (
        'int a = -7, b = 2; printf("%d %d %d %d %d %d", a / b, a % b, a / -b, a % -b, 7 / -b, 7 % -b);',
        "-3 -1 3 -1 -3 1",
    ),
    ('int z = 0, a = 5; printf("%d %d %d %d", z / a, z % -a, z / -a, -6 / 3);', "0 0 0 -2"),
    (
        'unsigned a = 4294967289u; printf("%u %u %d", a / 2, a % 5, (int)(a >> 28));',
        "2147483644 4 15",
    ),
    (
        'int a = 6, b = 3; printf("%d %d %d %d %d %d", a & b, a | b, a ^ b, ~a, a << 4, -a >> 1);',
        "2 7 5 -7 96 -3",
    ),
    (
        'int a = 1; a <<= 31; unsigned b = 0x80000000u; b >>= 31; a >>= 31; printf("%d %u %d", a, b, (byte)~0);',
        "-1 1 255",
    ),
    ('int a = 12; a &= 10; a |= 1; a ^= 3; a %= 6; a -= 9; a *= -3; a /= 4; printf("%d", a);', "3"),
    (
        'float f = 0.1f; f += 0.2; double d = 0.1f; printf("%.9f %.17g %.9g %.9g", f, d, f * 3, 1.0f / 3);',
        "0.300000012 0.10000000149011612 0.900000036 0.333333343",
    ),
    (
        'float f = 16777216.0f; f += 1; double d = 16777216.0; d += 1; printf("%.1f %.1f %d", f, d, (int)-2.9);',
        "16777216.0 16777217.0 -2",
    ),
    (
        'float z = 0; printf("%g %g %d %g", 1 / z, -1.0 / z, z / z != z / z, (float)1e30 * 1e30f);',
        "inf -inf 1 inf",
    ),
    (
        'float z = 0; int n = (int)(1 / z); unsigned u = (unsigned)3.99f; printf("%u %d", u, (int)(char)65.7);',
        "3 65",
    ),
    (
        'double z = 0; printf("%lld %lld %lld %lld", (long long)(1 / z), (long long)(-1 / z), (long long)(z / z), '
        "(long long)(float)(1 / z));",
        "-9223372036854775808 -9223372036854775808 -9223372036854775808 -9223372036854775808",
    ),
    (
        "int x = {5}; int y{6}; unsigned z{}; int* p = {&x}; float f{1.5f}; bool b = {true}; p[0]++; "
        'printf("%d %d %u %g %d", x, y, z, f, b);',
        "6 6 0 1.5 1",
    ),
    ('float x = {}; double y{}; printf("%g %g %g %g", x, -x, -y, 1 / -y);', "0 -0 -0 -inf"),
    (
        'float s, c; sincosf(0.5f, &s, &c); double t, u; sincos(-0.5, &t, &u); printf("%.6f %.6f %.6f %.6f", s, c, t, u);',
        "0.479426 0.877583 -0.479426 0.877583",
    ),
    ('bool t = 5; t += 1; bool f = 0.0; printf("%d %d %d %d", t, f, !5, !0.0f + 2);', "1 0 0 3"),
    ('int a = 3; printf("%d %d %d %d", a > 2 == 1, a >= 3, a < 3, a != 3);', "1 1 0 0"),
    ('double a = 1, b = 2; printf("%d %d %d %d", a < b, a >= b, a == b, a != b);', "1 0 0 1"),
    (
        'calls = 0; int r = count(0) && count(1); r += count(2) || count(3); printf("%d %d", r, calls);',
        "1 2",
    ),
    (
        'calls = 0; int r = count(1) ? count(5) : count(6); r += (count(1), count(7)); printf("%d %d", r, calls);',
        "12 4",
    ),
    (
        'int i = 5; int a = i++; int b = ++i; int c = i--; int d = --i; printf("%d %d %d %d %d", a, b, c, d, i);',
        "5 7 7 5 5",
    ),
    ('float f = 1.5f; f++; double d = 2.5; --d; d--; printf("%g %g", f, d);', "2.5 0.5"),
    (
        'int* p = table; int a = *p++; int b = *++p; p--; p += 1; p -= 2; printf("%d %d %d %d", a, b, *p, (int)(p - '
        "table));",
        "4 6 4 0",
    ),
    (
        'double x[4] = {1, 2}; double* q = &x[3]; printf("%d %g %g %d %d", (int)(q - x), q[-2], *(x + 2), q > x, x == '
        "q);",
        "3 2 0 1 0",
    ),
    (
        '(*table)++; table[1]--; ++table[2]; table[0] += 10; printf("%d %d %d", table[0], table[1], table[2]);',
        "15 4 7",
    ),
    (
        'printf("%g %g %g %d", halves[0][1], halves[1][0], halves[1][1], (int)sizeof(halves));',
        "1.5 2.5 0 16",
    ),
    (
        'Outer o; printf("%d %d ", (int)sizeof(Inner), (int)sizeof(o)); o.in[1].a = -3; o.in[1].b[2] = 7; Outer q = o; '
        'q.in[1].a--; printf("%d %d %d %d", o.in[1].a, q.in[1].a, q.in[1].b[2], (int)((char*)&q.d - (char*)&q));',
        "6 32 -3 -4 7 16",
    ),
    (
        'Outer o = {1, {{2, {3}}, {4}}, 0.5, table}; printf("%d %d %d %d %d %g %d", o.c, o.in[0].a, o.in[0].b[0], '
        "o.in[0].b[1], o.in[1].a, o.d, o.p[1]);",
        "1 2 3 0 4 0.5 4",
    ),
    (
        'Outer o[2]; Outer* p = o; p[1].d = 2; (p + 1)->c = 4; p++; p->in[0].a = 1; printf("%g %d %d", o[1].d, o[1].c, '
        "o[1].in->a);",
        "2 4 1",
    ),
    ('int a = 1, b = 2; change(a, &b, 5); printf("%d %d", a, b);', "6 5"),
    ('char t[] = "abc"; t[1] = \'x\'; printf("%s %d %d", t, (int)sizeof(t), t[3]);', "axc 4 0"),
    ('int s = 0; for (int i = 10; i-- > 7;) s = s * 100 + i; printf("%d", s);', "90807"),
    (
        'int i = 0, s = 0; while (1) { if (++i == 3) continue; if (i > 5) break; s += i; } printf("%d %d", i, s);',
        "6 12",
    ),
    (
        'int i = 0, n = 0; do { n++; if (i == 1) continue; } while (i++ < 3); printf("%d %d", i, n);',
        "4 4",
    ),
    (
        "int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; ; j++) { if (j > i) break; if (j == 1) continue; n += j "
        '+ 1; } printf("%d", n);',
        "6",
    ),
    (
        'for (int k = 0; k < 6; k++) { switch (k % 5) { case 0: printf("a"); case 3: printf("b"); break; default: '
        'printf("c"); case 2: continue; } printf("-"); }',
        "ab-cb-cab-",
    ),
    (
        'int x = 5; if (x < 3) printf("a"); else if (x < 5) printf("b"); else if (x < 7) printf("c"); else printf("d");',
        "c",
    ),
    (
        'switch (3) { case 1: printf("a"); case 2: printf("b"); } switch (2) { default: printf("c"); break; case 1: '
        'printf("d"); } printf(".");',
        "c.",
    ),
    (
        'for (int k = 0; k < 2; k++) { static int n = 5; int m = 5; n++; m++; printf("%d%d ", n, m); }',
        "66 76 ",
    ),
    ('int n = 0; for (int i = 0, j = 5; i < j; i++, j--) n += i * j; printf("%d", n);', "10"),
    ('printf("%g %g %g %d", fabs(-2.5), floor(-2.5), fmax(1.0, 2.0), abs(-3));', "2.5 -3 2 3"),
    (
        'printf("%.6f %.6f %.6f %.3f", sqrt(2.0), pow(2.0, 0.5), sinf(1.0f), exp(1.0));',
        "1.414214 1.414214 0.841471 2.718",
    ),
    (
        'double whole; double part = modf(3.75, &whole); int e; double m = frexp(6.0, &e); printf("%g %g %g %d", part, '
        "whole, m, e);",
        "0.75 3 0.75 3",
    ),
    (
        'int x = 300; byte b = x; long w = b - 45; x = w << 2; printf("%d %ld %d", b, w, x);',
        "44 -1 -4",
    ),
    (
        'int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*r)[3] = m; printf("%d %d %d", r[1][2], *(*(m + 1) + 1), '
        "(int)(&m[1][0] - &m[0][0]));",
        "6 5 3",
    ),
    (
        'int* n = new int(7); double* d = new double[3](); *n += 1; d[2] += 2; printf("%d %g %g", *n, d[0], d[2]); '
        "delete n; delete[] d;",
        "8 0 2",
    ),
    (
        'const char* names[] = {"zero", "one"}; const char* s = names[1]; printf("%s%c%d", s, s[2], s[3]);',
        "onee0",
    ),
    (
        'long long big = 1; for (int i = 0; i < 63; i++) big *= 2; printf("%lld %d", big, big < 0);',
        "-9223372036854775808 1",
    ),
    ('unsigned char c = 250; int n = 0; for (; c >= 250; c++) n++; printf("%d %d", n, c);', "6 0"),
    (
        "int n = 3, m = 4; if (n); if (n > 3) {} else if (n) ; else {} while (n-- > 0); do ; while (m-- > 0); "
        'switch (n) { case 1: default: ; } for (; n < 9; n++); printf("%d %d", n, m);',
        "9 -1",
    ),
]


@pytest.fixture(scope="module")
def lines():
    body = "".join(f'{{ {statements} }} printf("~");\n' for statements, _ in ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a division by 0.0 is no matter of Python's
        return Program(f"{BEFORE}int main() {{\n{body}}}").run().output.split("~")[:-1]


@pytest.mark.parametrize("k", range(len(ROWS)))
def test_it_is_what_cpp_computes(k, lines):
    assert lines[k] == ROWS[k][1], ROWS[k][0]


def test_plain_memory_is_used_without_a_look_at_it():
    """What is rescued is right, too, but takes many times as long."""
    rescued = []

    class Watched(AddressSpace):
        def rescue(self, lost):
            rescued.append(lost.address - one.address)
            return memoryview(one.data)

    memory = Watched()
    one = memory.allocate("x", 8, "malloc", 1)
    load, store, _ = memory.accessors("i")
    assert (store(one.address + 4, 7), load(one.address + 4), load(one.address), rescued) == (
        7,
        7,
        0,
        [],
    )
    memory.close(one)
    assert (store(one.address, 3), load(one.address), rescued) == (3, 3, [0, 0])
