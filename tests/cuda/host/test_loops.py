"""Loops that are done in pieces give what the plain loops give, bit for bit, and mistakes in them are found."""

import numpy as np
import pytest

from nnlib.cuda import HostError, Program
from nnlib.cuda.host.lowering import statements
from nnlib.cuda.host.runtime import bulk

TEXT = r'''
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
'''


def test_in_pieces_and_turn_by_turn(monkeypatch):
    errors = np.geterr()
    quick = Program(TEXT).run().output
    assert np.geterr() == errors
    monkeypatch.setattr(bulk, "MOST", 700)
    assert Program(TEXT).run().output == quick
    monkeypatch.setattr(statements, "counter_of", lambda loop: None)
    assert Program(TEXT).run().output == quick


@pytest.mark.parametrize(("body", "part"), [
    ("float* x = new float[100]; for (int i = 0; i <= 100; i++) x[i] = i;", r"x\[100\] is written, but x has 100"),
    ("float* x; cudaMalloc(&x, 400); for (int i = 0; i < 100; i++) x[i] = i;", "x is memory of the GPU"),
    ("float s, x[100] = {1}; for (int i = 0; i < 100; i++) s += x[i];", "s is read, but it has no value yet"),
    ("int x[100] = {1}, s = 0; for (int i = 0; i < 100; i++) s += 1 / x[i];", "divided by zero"),
    ("float* x = new float[100]; delete[] x; for (int i = 0; i < 100; i++) x[i] = 0;", "after it was freed"),
])
def test_a_mistake_in_a_loop_is_named(body, part):
    with pytest.raises(HostError, match=part):
        Program(f"int main() {{ {body} }}").run()


def test_a_variable_of_a_branch_that_is_never_taken():
    assert Program("int main() { int last, x[100] = {0}; for (int i = 0; i < 100; i++) if (x[i]) last = last + 1; }"
                   ).run().status == 0


def test_a_million_elements_take_no_time():
    text = "int main() { int n = 1 << 22; float* x = new float[n]; for (int i = 0; i < n; i++) x[i] = i * 0.5f; "
    text += 'double s = 0; for (int i = 0; i < n; i++) s += x[i]; printf("%.0f\\n", s); delete[] x; }'
    assert Program(text).run().output == f"{(2**22 - 1) * 2**22 // 4}\n"
