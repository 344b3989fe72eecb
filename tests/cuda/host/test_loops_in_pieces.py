"""Which loops are done in pieces, how far, and that each ends as the plain loop does."""

import pytest

from nnlib.cuda import Program
from nnlib.cuda.host import execution
from nnlib.cuda.host.lowering import statements
from nnlib.cuda.host.runtime import bulk

BEFORE = r"""struct Pair { float x; int y; };
int g = 100;
int twice(int v) { return 2 * v; }
int main() {
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
}
"""
WHOLE, PLAIN = [(0, 100, False)], []
LOOPS = [  # loop; of its pieces: begin, how far, whether the plain loop does the rest
    ("for (int i = 0; i < n; i++) x[i] = i;", WHOLE), ("for (int i = 0; i < 49; i++) x[i] = i;", [(0, 49, False)]),
    ("for (int i = 0; i < 48; i++) x[i] = i;", PLAIN), ("for (int i = 0; i <= 48; i++) x[i] = i;", [(0, 49, False)]),
    ("for (int i = 0; i <= 47; i++) x[i] = i;", PLAIN), ("for (int i = 7; i != 100; ++i) x[i] = i;", [(7, 100, False)]),
    ("for (int i = 99; i >= 0; i--) x[i] = i;", PLAIN), ("for (int i = 0; i < n; i += 2) x[i] = i;", PLAIN),
    ("for (unsigned i = 0; i < u; i++) x[i] = i;", WHOLE), ("for (size_t i = 0; i < n; i++) h[i] = 2 * i;", WHOLE),
    ("for (short i = 0; i < n; i++) x[i] = i;", PLAIN), ("for (float i = 0; i < 100; i++) s += i;", PLAIN),
    ("for (int i = 0; i < 1e2; i++) x[i] = i;", WHOLE), ("for (int i = 0; i < n - 0.5; i++) x[i] = i;", WHOLE),
    ("for (int i = 0; i <= 99.5; i++) x[i] = i;", WHOLE), ("for (int i = 0; i != 1e2; i++) x[i] = i;", PLAIN),
    ("for (int i = 0; i < 100.0f; i++) x[i] = i;", PLAIN), ("for (int i = 0; i < 1 / (d - d); i++) break;", PLAIN),
    ("for (int i = 0; i < 1 / d; i++) { x[i] = i; if (i > 98) break; }", PLAIN),
    ("for (int i = 0; n > i; i++) x[i] = i;", PLAIN), ("for (int i = 0; i < g; i++) x[i] = i;", WHOLE),
    ("for (int i = 0; i < n; i++) { n = 100; }", PLAIN), ("for (int i = 0; i < h[1]; i++) h[i] = 100;", PLAIN),
    ("h[1] = 100; for (int i = 0; i < h[1]; i++) x[i] = i;", WHOLE), ("for (int i = 0; i < n; i++) x[i] = i++;", PLAIN),
    # values
    ("for (int i = 0; i < n; i++) x[i] = h[i] / 3 + h[i] % 7 - (h[i] / -4) * (h[i] % -5);", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = (h[i] << 3) + (h[i] >> 1) ^ (i << k) & ~h[i] | -h[i];", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = h[i] * 123456789;", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = i << 33 - k;", WHOLE),
    ("for (int i = 0; i < n; i++) t[i] = h[i] * 1000;", WHOLE),
    ("for (int i = 0; i < n; i++) z[i] = h[i] * 3;", None),  # a char may look like one that nobody has written
    ("for (int i = 0; i < n; i++) h[i] = !(i & 1) + !h[i] + (i > 3) + (h[i] <= 2) + (i != 4) + +i;", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = (i < 9 || h[i] > 2) + (i > 5 && h[i] < 0);", WHOLE),
    ("for (int i = 0; i < n; i++) x[i] = i < 50 ? h[i] : -1.5f;", WHOLE),
    ("for (int i = 0; i < n; i++) x[i] = i < 50 ? rand() : 1;", PLAIN),
    ("for (int i = 0; i < n; i++) x[i] = rand() % 7 < 3 ? 1 : 2;", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = i > 3 && rand() > 5;", PLAIN),
    ("for (int i = 0; i < n; i++) h[i] = rand() % 10 - rand() % 5;", WHOLE),
    ("for (int i = 0; i < n; i++) e[i] = rand() / (double)RAND_MAX;", WHOLE),
    ("for (int i = 0; i < n; i++) e[i] = sqrtf(fabsf(x[i])) + fmax(e[i], 1.0) + sin(e[i]) + abs(h[i]);", WHOLE),
    ("for (int i = 0; i < n; i++) e[i] = x[i] / 3 + 1 / e[i];", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = x[i];", WHOLE),
    ("for (int i = 0; i < n; i++) b = i;", PLAIN), ("for (int i = 0; i < n; i++) h[i] = (bool)h[i] + (char)i;", WHOLE),
    ("for (int i = 0; i < n; i++) x[i] = g * k + s;", WHOLE),
    ("for (int i = 0; i < n; i++) h[i] = twice(h[i]);", PLAIN),
    ("for (int i = 0; i < n; i++) e[i] = drand48();", PLAIN),
    ("for (int i = 0; i < n; i++) h[i] = abs(rand() % 9 - 4) + twice(3);", PLAIN),
    ("for (int i = 0; i < n; i++) { { x[i] = i; } { } y[i] = 2; }", WHOLE),
    ("for (int i = 0; i < n; i++);", WHOLE), ("for (int i = 0; i < n; i++) { { } ; }", WHOLE),
    ("for (int i = 0; i < n; i++) { { float v = x[i]; v += 1; x[i] = v; } k += 2; }", WHOLE),
    ("for (int i = 0; i < n; i++) x[i] = *q + *(y + i);", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) e[i] = *q + *(y + i) + q[2];", WHOLE),
    # new variables, sums
    ("for (int i = 0; i < n; i++) { float v = x[i]; v = v * v; v += 1; y[i] = v; }", WHOLE),
    ("for (int i = 0; i < n; i++) s += x[i];", WHOLE), ("for (int i = 0; i < n; i++) { s += x[i]; d += s; }", PLAIN),
    ("for (int i = 0; i < n; i++) { s += x[i]; d += x[i]; k++; w += h[i]; }", WHOLE),
    ("for (int i = 0; i < n; i++) k--;", WHOLE), ("for (int i = 0; i < n; i++) k += x[i];", PLAIN),
    ("for (int i = 0; i < n; i++) s *= x[i];", PLAIN), ("for (int i = 0; i < n; i++) s -= x[i];", PLAIN),
    ("for (int i = 0; i < n; i++) k += 100000000;", WHOLE), ("for (int i = 0; i < n; i++) s = s + x[i];", PLAIN),
    ("for (int i = 0; i < n; i++) { float v; v = x[i]; y[i] = v; }", PLAIN),
    ("for (int i = 0; i < n; i++) { x[i] += 1; y[i] *= x[i]; h[i] /= 3; h[i] <<= 1; t[i] += 7; }", [(0, 0, True)]),
    # memory
    ("for (int i = 0; i < n; i++) x[i] = x[i] + 1;", WHOLE),
    ("for (int i = 0; i < n; i++) x[i] = x[i + 1];", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) x[i + 1] = x[i];", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) x[0] = i;", [(0, 0, True)]),
    ("for (int i = 0; i < 50; i++) x[i] = x[i + 50];", [(0, 50, False)]),
    ("for (int i = 0; i < 50; i++) x[i + 50] = x[i];", [(0, 50, False)]),
    ("for (int i = 0; i < 51; i++) x[i + 50] = x[i];", [(0, 0, True)]),
    ("for (int i = 0; i < 51; i++) x[i] = x[i + 50];", [(0, 0, True)]),
    ("for (int i = 0; i < 60; i++) x[2 * i] = x[2 * i + 1];", [(0, 60, False)]),
    ("for (int i = 0; i < 59; i++) x[2 * i] = x[2 * i + 2];", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) x[99 - i] = i;", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) x[i / 2] = i;", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) x[i] = q[-10];", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) q[i] = y[i + 10];", WHOLE),
    ("for (int i = 0; i < n; i++) { x[i] = 1; x[i + 1] = 2; }", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) { x[i] = 1; x[i] = 2; }", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) { p[i].x = p[i].y; p[i].y = 2 * i; }", WHOLE),
    ("for (int i = 0; i < n; i++) { p[i].x = i; p[i + 1].y = 2 * i; }", WHOLE),
    ("for (int j = 0; j < 60; j++) m[3][j] = j;", [(0, 60, False)]),
    ("for (int j = 0; j < 60; j++) *(*(m + k) + j) = j;",
                                                                     [(0, 60, False)]),
    ("for (int i = 0; i < 50; i++) *(float*)(c + 4 * i) = 1;", PLAIN),
    ("for (int i = 0; i < n; i++) h[h[i] + 50] = 1;", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) y[i] = x[h[i] + 50];", WHOLE),
    ("for (int i = 0; i < n; i++) r[i] = r[i] * 2;", WHOLE),
    ("for (int i = 0; i < n; i++) { Pair v = p[i]; k += v.y; }", PLAIN),
    ("for (int i = 0; i < n; i++) h[i] = 7 / (i - 50 ? 1 : 2);", WHOLE),
    ("for (int i = 0; i < n; i++) w += i ? 100 % i : 3;", [(0, 0, True)]),
    # ifs that are rarely true
    ("for (int i = 0; i < n; i++) if (x[i] > 1000) break;", WHOLE),
    ("for (int i = 0; i < n; i++) if (i == 60) { last = i; break; }", [(0, 60, True)]),
    ("for (int i = 0; i < n; i++) { y[i] = i; if (i == 60) break; x[i] = i; s += i; }", [(0, 60, True)]),
    ("for (int i = 0; i < n; i++) { if (i == 0) last = i; }", [(0, 0, True)]),
    ("for (int i = 0; i < n; i++) if (rand() % 50 == 7) { last = i; break; }", None),
    ("for (int i = 0; i < n; i++) if (i < 200) x[i] = 1; else y[i] = 2;", PLAIN),
    ("for (int i = 0; i < n; i++) while (i == 200) i++;", PLAIN),
]


def pieces_of(monkeypatch, text):
    """What it prints, and its pieces: where each begins, how far it gets, whether the rest is for the plain loop."""
    seen = []

    def watched(memory, random):
        def turns(begin, end, dtype):
            for turn in bulk.pieces(memory, random)(begin, end, dtype):
                yield turn
                seen.append((turn.begin, turn.next, turn.left))
        return turns
    monkeypatch.setattr(execution, "pieces", watched)
    return Program(text).run().output, seen


@pytest.mark.parametrize(("loop", "expected"), LOOPS, ids=[loop for loop, _ in LOOPS])
def test_each_loop(loop, expected, monkeypatch):
    text = BEFORE + loop + AFTER
    output, seen = pieces_of(monkeypatch, text)
    assert expected is None or seen == expected
    monkeypatch.setattr(statements, "counter_of", lambda loop: None)
    assert Program(text).run().output == output


def test_long_loops_are_done_in_several_pieces(monkeypatch):
    monkeypatch.setattr(bulk, "MOST", 40)
    for loop, seen in (("x[i] = rand();", [(0, 40, False), (40, 80, False), (80, 100, False)]),
                       ("{ s += i; if (i == 50) break; }", [(0, 40, False), (40, 50, True)])):
        text = BEFORE + f"for (int i = 0; i < n; i++) {loop}" + AFTER
        assert pieces_of(monkeypatch, text)[1] == seen
