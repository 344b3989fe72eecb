"""Loops as native code give what the interpreter gives, bit for bit, and mistakes in them are told in its words."""

import functools
import subprocess
import sys

import pytest

from nnlib.cuda import HostError, Program
from nnlib.cuda._engine.host.loops import running
from nnlib.cuda._engine.native import policy
from nnlib.cuda._engine.switches import native_code
from tests.cuda.native.launching import target

TEXT = r"""
#include <stdio.h>
#include <stdlib.h>
struct Pair { float x, y; };
#define N 3000
float all[1000];
int main() {
    float *a = new float[N], *b = new float[N], *c = (float*)malloc(N * sizeof(float));
    Pair* p = new Pair[N];
    int *h = new int[N], counts[10] = {0};
    for (int i = 0; i < N; i++) a[i] = rand() / (float)RAND_MAX;
    for (int i = 0; i < N; ++i) { b[i] = (float)(rand() & 0xFF) / 10.0f; h[i] = rand() % 100 - 50; }
    for (int i = 0; i < N; i++) c[i] = a[i] + b[i] * 2;
    for (int i = 0; i < N; i++) { p[i].x = sinf(a[i]); p[i].y = i / 7 - (i % 3) + (i > 4 ? 1 : 2); }
    float s = 0;
    double d = 0;
    int wrong = 0, first = -1;
    long long t = 0;
    for (int i = 0; i < N; i++) s += c[i];
    for (int i = 0; i < N; i++) d += p[i].x * p[i].y;
    for (int i = 0; i < N; i++) t += h[i] / 3 - h[i] % 7 + (h[i] >> 1) + (h[i] & 6);
    c[1500] = 7;
    for (int i = 0; i < N; i++) if (fabs(a[i] + b[i] * 2 - c[i]) > 1e-3) { wrong++; first = i; }
    for (int i = 0; i < N; i++) if (rand() == 7) break;
    for (int i = 1; i < N; i++) a[i] = a[i] + a[i - 1] * 0.5f;
    for (int i = 0; i < 1000; i++) all[i] = i * 0.5f;
    for (int i = 0; i < 999; i++) all[i] = all[i + 1];
    for (int i = 999; i > 0; i--) all[i] += 1;
    for (int i = 0; i < N; i++) counts[(h[i] + 50) / 10]++;
    for (int i = 0; i < N; i++) { float v = b[i]; v = v * v; b[i] = v - 1; a[i] += b[i]; }
    int m[100][200];
    for (int i = 0; i < 100; i++) for (int j = 0; j < 200; j++) m[i][j] = i * 200 - j;
    for (unsigned j = 0; j != 200; j++) *(*(m + 3) + j) <<= 2;
    int ones = 0;
    for (long i = 0; i <= N; i++) ones++;
    unsigned char* bytes = (unsigned char*)malloc(N);
    for (int i = 0; i < N; i++) bytes[i] = i * 3;
    printf("%.9g %.9g %d %d %lld %.9g\n", s, d, wrong, first, t, a[N - 1]);
    printf("%.9g %d %d %d %d %d %.9g %d\n", all[998], m[99][199], m[3][7], ones, bytes[100], counts[3], b[77], rand());
}
"""

HEAD = r"""
struct Pair { float x; int y; };
int g = 100;
int twice(int v) { return 2 * v; }
"""
BEFORE = r"""
    srand(1);
    int n = 100, h[120], k = 3, m[10][60] = {}; unsigned u = 100; long long w = 0; short t[120]; char c[200];
    float x[120], y[120], s = 0, *q = x + 10; double d = 0, e[120]; Pair p[120]; bool b = false; unsigned char z[120];
    float *r = new float[100]; int last = -1;
    for (int i = 119; i >= 0; i--) { h[i] = i * 7919 % 101 - 50; x[i] = y[i] = h[i] * 0.37f; e[i] = x[i]; t[i] = h[i]; }
    for (int i = 119; i >= 0; i--) { p[i].x = i; p[i].y = -i; z[i] = i; c[i] = c[i + 80] = 0; }
    for (int i = 99; i >= 0; i--) { r[i] = i; m[i / 10][i % 10 * 6] = 1; }
    """
AFTER = r"""
    double a = 0;
    for (int i = 119; i >= 0; i--) a = a * 0.9 + h[i] + x[i] + y[i] + e[i] + t[i] + p[i].x + p[i].y + z[i] + c[i + 80];
    for (int i = 99; i >= 0; i--) a = a * 0.9 + r[i] + m[i / 10][i % 10 * 6] + m[i / 10][5];
    printf("%.17g %.9g %.17g %d %lld %d %d %u %d %d", a, s, d, k, w, b, last, u, g, rand());
    g = 100;
}
"""
LOOPS = [
    "for (int i = 0; i < n; i++) x[i] = i;",
    "for (int i = 0; i < 49; i++) x[i] = i;",
    "for (int i = 0; i < 48; i++) x[i] = i;",
    "for (int i = 0; i <= 48; i++) x[i] = i;",
    "for (int i = 0; i <= 47; i++) x[i] = i;",
    "for (int i = 7; i != 100; ++i) x[i] = i;",
    "for (int i = 99; i >= 0; i--) x[i] = i;",
    "for (int i = 0; i < n; i += 2) x[i] = i;",
    "for (unsigned i = 0; i < u; i++) x[i] = i;",
    "for (size_t i = 0; i < n; i++) h[i] = 2 * i;",
    "for (short i = 0; i < n; i++) x[i] = i;",
    "for (float i = 0; i < 100; i++) s += i;",
    "for (int i = 0; i < 1e2; i++) x[i] = i;",
    "for (int i = 0; i < n - 0.5; i++) x[i] = i;",
    "for (int i = 0; i <= 99.5; i++) x[i] = i;",
    "for (int i = 0; i != 1e2; i++) x[i] = i;",
    "for (int i = 0; i < 100.0f; i++) x[i] = i;",
    "for (int i = 0; i < 1 / (d - d); i++) break;",
    "for (int i = 0; i < 1 / d; i++) { x[i] = i; if (i > 98) break; }",
    "for (int i = 0; n > i; i++) x[i] = i;",
    "for (int i = 0; i < g; i++) x[i] = i;",
    "for (int i = 0; i < n; i++) { n = 100; }",
    "for (int i = 0; i < h[1]; i++) h[i] = 100;",
    "h[1] = 100; for (int i = 0; i < h[1]; i++) x[i] = i;",
    "for (int i = 0; i < n; i++) x[i] = i++;",
    "for (int i = 0; i < n; i++) x[i] = h[i] / 3 + h[i] % 7 - (h[i] / -4) * (h[i] % -5);",
    "for (int i = 0; i < n; i++) h[i] = (h[i] << 3) + (h[i] >> 1) ^ (i << k) & ~h[i] | -h[i];",
    "for (int i = 0; i < n; i++) h[i] = h[i] * 123456789;",
    "for (int i = 0; i < n; i++) h[i] = i << 33 - k;",
    "for (int i = 0; i < n; i++) t[i] = h[i] * 1000;",
    "for (int i = 0; i < n; i++) z[i] = h[i] * 3;",
    "for (int i = 0; i < n; i++) h[i] = !(i & 1) + !h[i] + (i > 3) + (h[i] <= 2) + (i != 4) + +i;",
    "for (int i = 0; i < n; i++) h[i] = (i < 9 || h[i] > 2) + (i > 5 && h[i] < 0);",
    "for (int i = 0; i < n; i++) x[i] = i < 50 ? h[i] : -1.5f;",
    "for (int i = 0; i < n; i++) x[i] = i < 50 ? rand() : 1;",
    "for (int i = 0; i < n; i++) x[i] = rand() % 7 < 3 ? 1 : 2;",
    "for (int i = 0; i < n; i++) h[i] = i > 3 && rand() > 5;",
    "for (int i = 0; i < n; i++) h[i] = rand() % 10 - rand() % 5;",
    "for (int i = 0; i < n; i++) e[i] = rand() / (double)RAND_MAX;",
    "for (int i = 0; i < n; i++) e[i] = sqrtf(fabsf(x[i])) + fmax(e[i], 1.0) + sin(e[i]) + abs(h[i]);",
    "for (int i = 0; i < n; i++) e[i] = x[i] / 3 + 1 / e[i];",
    "for (int i = 0; i < n; i++) h[i] = x[i];",
    "for (int i = 0; i < n; i++) b = i;",
    "for (int i = 0; i < n; i++) h[i] = (bool)h[i] + (char)i;",
    "for (int i = 0; i < n; i++) x[i] = g * k + s;",
    "for (int i = 0; i < n; i++) h[i] = twice(h[i]);",
    "for (int i = 0; i < n; i++) e[i] = drand48();",
    "for (int i = 0; i < n; i++) h[i] = abs(rand() % 9 - 4) + twice(3);",
    "for (int i = 0; i < n; i++) { { x[i] = i; } { } y[i] = 2; }",
    "for (int i = 0; i < n; i++);",
    "for (int i = 0; i < n; i++) { { } ; }",
    "for (int i = 0; i < n; i++) { { float v = x[i]; v += 1; x[i] = v; } k += 2; }",
    "for (int i = 0; i < n; i++) x[i] = *q + *(y + i);",
    "for (int i = 0; i < n; i++) e[i] = *q + *(y + i) + q[2];",
    "for (int i = 0; i < n; i++) { float v = x[i]; v = v * v; v += 1; y[i] = v; }",
    "for (int i = 0; i < n; i++) s += x[i];",
    "for (int i = 0; i < n; i++) { s += x[i]; d += s; }",
    "for (int i = 0; i < n; i++) { s += x[i]; d += x[i]; k++; w += h[i]; }",
    "for (int i = 0; i < n; i++) k--;",
    "for (int i = 0; i < n; i++) k += x[i];",
    "for (int i = 0; i < n; i++) s *= x[i];",
    "for (int i = 0; i < n; i++) s -= x[i];",
    "for (int i = 0; i < n; i++) k += 100000000;",
    "for (int i = 0; i < n; i++) s = s + x[i];",
    "for (int i = 0; i < n; i++) { float v; v = x[i]; y[i] = v; }",
    "for (int i = 0; i < n; i++) { x[i] += 1; y[i] *= x[i]; h[i] /= 3; h[i] <<= 1; t[i] += 7; }",
    "for (int i = 0; i < n; i++) x[i] = x[i] + 1;",
    "for (int i = 0; i < n; i++) x[i] = x[i + 1];",
    "for (int i = 0; i < n; i++) x[i + 1] = x[i];",
    "for (int i = 0; i < n; i++) x[0] = i;",
    "for (int i = 0; i < 50; i++) x[i] = x[i + 50];",
    "for (int i = 0; i < 50; i++) x[i + 50] = x[i];",
    "for (int i = 0; i < 51; i++) x[i + 50] = x[i];",
    "for (int i = 0; i < 51; i++) x[i] = x[i + 50];",
    "for (int i = 0; i < 60; i++) x[2 * i] = x[2 * i + 1];",
    "for (int i = 0; i < 59; i++) x[2 * i] = x[2 * i + 2];",
    "for (int i = 0; i < n; i++) x[99 - i] = i;",
    "for (int i = 0; i < n; i++) x[i / 2] = i;",
    "for (int i = 0; i < n; i++) x[i] = q[-10];",
    "for (int i = 0; i < n; i++) q[i] = y[i + 10];",
    "for (int i = 0; i < n; i++) { x[i] = 1; x[i + 1] = 2; }",
    "for (int i = 0; i < n; i++) { x[i] = 1; x[i] = 2; }",
    "for (int i = 0; i < n; i++) { p[i].x = p[i].y; p[i].y = 2 * i; }",
    "for (int i = 0; i < n; i++) { p[i].x = i; p[i + 1].y = 2 * i; }",
    "for (int j = 0; j < 60; j++) m[3][j] = j;",
    "for (int j = 0; j < 60; j++) *(*(m + k) + j) = j;",
    "for (int i = 0; i < 50; i++) *(float*)(c + 4 * i) = 1;",
    "for (int i = 0; i < n; i++) h[h[i] + 50] = 1;",
    "for (int i = 0; i < n; i++) y[i] = x[h[i] + 50];",
    "for (int i = 0; i < n; i++) r[i] = r[i] * 2;",
    "for (int i = 0; i < n; i++) { Pair v = p[i]; k += v.y; }",
    "for (int i = 0; i < n; i++) h[i] = 7 / (i - 50 ? 1 : 2);",
    "for (int i = 0; i < n; i++) w += i ? 100 % i : 3;",
    "for (int i = 0; i < n; i++) if (x[i] > 1000) break;",
    "for (int i = 0; i < n; i++) if (i == 60) { last = i; break; }",
    "for (int i = 0; i < n; i++) { y[i] = i; if (i == 60) break; x[i] = i; s += i; }",
    "for (int i = 0; i < n; i++) { if (i == 0) last = i; }",
    "for (int i = 0; i < n; i++) if (rand() % 50 == 7) { last = i; break; }",
    "for (int i = 0; i < n; i++) if (i < 200) x[i] = 1; else y[i] = 2;",
    "for (int i = 0; i < n; i++) while (i == 200) i++;",
    "for (int i = 0; i < n; i++) { int v[3] = {i, 2}; k += v[i % 3] + v[2]; }",
    'for (int i = 0; i < n; i++) { const char* text = "hello"; k += text[i % 5]; }',
    "for (int i = 0; i < n; i++) { Pair v = p[i]; v.y++; p[99 - i] = v; }",
    'for (int i = 0; i < n; i++) { if (i % 10 == 3) { printf("%d ", i); continue; } k += i; }',
    "for (int i = 0; i < n; i++) switch (h[i] & 3) { case 0: k++; break; case 1: continue; default: k++; case 2: s++;}",
    "for (float* f = x; f < x + n; f++) { *f += f - x; if (*f > 1e9) break; }",
    "int i = 0; while (i++ < n) if (h[i] > 40) { last = i; break; }",
    "int i = 0; do { x[i] += i; if (i == 70) k = 3; } while (++i < n);",
    "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { if (j == 50) break; m[j % 10][i % 60] += i * j; }",
    "for (int i = 0; i < n; i++) { int v; if (i < 3) v = 1; if (i < 3) k += v; }",
    "for (int i = 0; i < n; i++) { h[i] = (int)(x[i] * 1e8); t[i] = x[i]; z[i] = x[i] * 10; }",
    "for (int i = 0; i < n; i++) { float3 v = make_float3(i, 2, 3); v.y += v.x; s += v.y * v.z; }",
    "for (int i = 0; i < n; i++) { int* o = i % 2 ? &k : &last; *o += h[i]; }",
    "int* v[10]; for (int i = 0; i < 10; i++) v[i] = m[9 - i]; for (int i = 0; i < n; i++) v[i / 10][i % 10]++;",
    "for (int i = 0; i < n; i++) { std::swap(h[i], h[99 - i]); k = std::max(k, h[i]); }",
    "for (int i = 0; i < n; i++) { k = i % 3 - 1; h[i] = (-2147483647 - (i > 50)) / (k ? k : 2) + h[i] % (k ? k : 7);}",
    "for (int i = 0; i < n; i++) { k = i; while (k > 1) k = k % 2 ? 3 * k + 1 : k / 2; w += k; }",
]


@pytest.fixture(params=["wasm", "llvm"])
def turns(request, loops_on, monkeypatch):
    """Loops run natively from their first turn on; how many whole turns did."""
    done = []
    found = target(request.param)
    loops_on(found)
    plain = running.NativeLoop._iterations

    def counted(loop):
        found = plain(loop)
        done.append(found[0])
        return found

    monkeypatch.setattr(running.NativeLoop, "_iterations", counted)
    return done


@functools.cache
def interpreted(text):
    with native_code(False):
        return Program(text).run().output


@pytest.mark.parametrize("first", range(0, len(LOOPS), 10))
def test_each_loop(first, turns):
    functions = [
        f"void run{k}() {{{BEFORE}{loop}{AFTER}" for k, loop in enumerate(LOOPS[first : first + 10])
    ]
    calls = " ".join(f"run{k}();" for k in range(len(functions)))
    text = f"{HEAD}{''.join(functions)}int main() {{ {calls} }}"
    assert Program(text).run().output == interpreted(text)
    assert sum(turns) > 300


def test_a_loop_that_is_still_the_same_is_not_compiled_again(turns, monkeypatch):
    compiled = []
    kind = type(policy.engine())
    plain = kind.compile
    monkeypatch.setattr(
        kind, "compile", lambda engine, text: compiled.append(text) or plain(engine, text)
    )
    same = 'for (int i = 0; i < 4321; i++) s += i % 9; printf("%d", s);'
    first, edited = (
        Program(f"int main() {{ int s = 0; {more} {same} }}")
        for more in ("", "for (int i = 0; i < 1234; i++) s += i % 5;")
    )
    assert first.run().output == str(sum(i % 9 for i in range(4321)))
    assert edited.run().output == str(
        sum(i % 9 for i in range(4321)) + sum(i % 5 for i in range(1234))
    )
    assert sum(turns) == 2 * 4321 + 1234 and len(compiled) == 2


def test_what_is_kept_for_later_goes_in_silence():
    pytest.importorskip("wasmtime")
    says = (
        "import sys; sys.modules['llvmlite'] = None; from nnlib.cuda import Program; "
        "from nnlib.cuda._engine.host.loops import running; sys.kept = running; Program('int main() { int s = 0; "
        "for (int i = 0; i < 90000; i++) s += i % 9; }').run(); print(running._code.cache_info().currsize)"
    )
    ran = subprocess.run([sys.executable, "-c", says], capture_output=True, text=True)
    assert (ran.stdout, ran.stderr) == ("1\n", "")


MISTAKES = [
    (
        "float* x = new float[100]; for (int i = 0; i <= 100; i++) x[i] = i;",
        r"x\[100\] is written, but x has 100",
    ),
    (
        "float* x; cudaMalloc(&x, 400); for (int i = 0; i < 100; i++) x[i] = i;",
        "x is memory of the GPU",
    ),
    (
        "float s, x[100] = {1}; for (int i = 0; i < 100; i++) s += x[i];",
        "s is read, but it has no value yet",
    ),
    ("int x[100] = {1}, s = 0; for (int i = 0; i < 100; i++) s += 1 / x[i];", "divided by zero"),
    (
        "float* x = new float[100]; delete[] x; for (int i = 0; i < 100; i++) x[i] = 0;",
        "after it was freed",
    ),
    (
        "float* x = new float[100]; for (int i = 0; i < 100; i++) { if (i == 50) delete[] x; x[i] = 0; }",
        "after it was",
    ),
    (
        "float* x = new float[100], s = 0; x[0] = 1; for (int i = 0; i < 9; i++) s += x[i];",
        r"x\[1\] is read, but",
    ),
    (
        "char* x = (char*)malloc(99); int s = 0; x[0] = x[1] = x[2] = x[3] = 1; for (int i = 0; i < 9; i++) s += x[i];",
        r"x\[4\] is read, but nobody",
    ),
    (
        "int s = 0; for (int i = 0; i < 9; i++) { int v; if (i < 5) v = i; s += v; }",
        "v is read, but it has no value",
    ),
    (
        'char* x = (char*)"text"; for (int i = 0; i < 4; i++) x[i] = 1;',
        "a text in quotes cannot be changed",
    ),
    ("int* p = 0; for (int i = 0; i < 4; i++) *p = i;", "written through a null pointer"),
    ("int x[4] = {}, n = 4; for (int i = 0; i < 4; i++) x[n - i] = i;", r"x\[4\] is written"),
    ("int x[4] = {}; for (int i = 3; i > -5; i--) x[i] = i;", r"x\[-1\] is written"),
]


@pytest.mark.parametrize(("body", "part"), MISTAKES)
def test_a_mistake_in_a_loop_is_named(body, part, turns):
    with pytest.raises(HostError, match=part) as natively:
        Program(f"int main() {{ {body} }}").run()
    with pytest.raises(HostError) as plainly, native_code(False):
        Program(f"int main() {{ {body} }}").run()
    assert str(natively.value) == str(plainly.value)


def test_whole_programs(turns):
    assert Program(TEXT).run().output == interpreted(TEXT)
    assert sum(turns) > 30_000


HALVES = r"""
#include <cuda_fp16.h>
#include <cuda_bf16.h>
int main() {
    half a[3000], b[3000]; __nv_bfloat16 c[3000]; float sum = 0; const half one = 1.0f;
    for (int i = 0; i < 3000; i++) a[i] = 1.5;
    for (int i = 0; i < 3000; i++) { half x = a[i]; b[i] = i & 1 ? x : one; c[i] = 1.1f; }
    %s
    for (int i = 0; i < 3000; i++) sum += (float)a[i] - (float)b[i] + (float)c[i];
    printf("%%.9g", sum);
}"""


@pytest.mark.parametrize(
    ("more", "natively"),
    [
        ("", 5_000),
        ("for (int i = 0; i < 3000; i++) a[i] = a[i] + b[i];", 0),
        ("for (int i = 0; i < 3000; i++) a[i] = -b[i];", 0),
        ("for (int i = 0; i < 3000; i++) a[i] = i;", 0),
        ("for (int i = 0; i < 3000; i++) a[i] = a[i] < b[i] ? a[i] : b[i];", 0),
    ],
)
def test_halves_are_stored_and_copied_natively_and_computed_by_the_interpreter(
    more, natively, turns
):
    text = HALVES % more
    assert Program(text).run().output == interpreted(text) and sum(turns) > natively


def test_a_turn_that_stores_too_much_is_done_by_its_own_loops(turns, limits):
    limits(stores=50)
    text = "int main() { int x[100], s = 0; for (int i = 0; i < 9; i++) { for (int j = 0; j < 100; j++) x[j] = i * j; "
    text += 's += x[i + 7]; } printf("%d", s); }'
    assert Program(text).run().output == str(sum(i * (i + 7) for i in range(9)))
    assert sum(turns) == 9 * 100


def test_a_long_loop_comes_back_to_be_interrupted(turns, limits):
    limits(iterations_at_once=100)
    text = 'int main() { unsigned s = 0; for (int i = 0; i < 1000; i++) s = s * 3 + i; printf("%u", s); }'
    assert Program(text).run().output == interpreted(text)
    assert turns == [1000]


def test_numbers_of_rand_run_out(turns, limits):
    limits(numbers=100)
    text = "int main() { long long s = 0; for (int i = 0; i < 200; i++) for (int j = 0; j < i;) s += rand() % ++j;"
    text += ' printf("%lld %d", s, rand()); }'
    assert Program(text).run().output == interpreted(text)


def test_memory_that_comes_and_goes(turns):
    text = (
        "int sum(int n) { int x[50]; for (int i = 0; i < n; i++) x[i] = i; int s = 0; for (int i = 0; i < n; i++) "
        "s += x[i]; return s; } int main() { int s = 0; for (int k = 0; k < 50; k++) { int* y = new int[9]; "
        'for (int i = 0; i < 9; i++) y[i] = sum(k); s += y[k % 9]; delete[] y; } printf("%d", s); }'
    )
    assert Program(text).run().output == str(sum(k * (k - 1) // 2 for k in range(50)))


def test_a_variable_of_a_branch_that_is_never_taken():
    assert (
        Program(
            "int main() { int last, x[100] = {0}; for (int i = 0; i < 100; i++) if (x[i]) last = last + 1; }"
        )
        .run()
        .status
        == 0
    )


def test_a_million_elements_take_no_time():
    text = "int main() { int n = 1 << 22; float* x = new float[n]; for (int i = 0; i < n; i++) x[i] = i * 0.5f; "
    text += (
        'double s = 0; for (int i = 0; i < n; i++) s += x[i]; printf("%.0f\\n", s); delete[] x; }'
    )
    assert Program(text).run().output == f"{(2**22 - 1) * 2**22 // 4}\n"


def test_without_an_engine_the_interpreter_does_all(loops_on):
    loops_on(None)
    assert Program(TEXT).run().output == interpreted(TEXT)
