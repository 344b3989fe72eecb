// Numbers and statements: one block for each rule.
#include <stdio.h>
#include <math.h>
struct Inner { short a; char b[3]; };
struct Outer { char c; Inner in[2]; double d; int* p; };
typedef unsigned char byte;
int calls = 0;
int count(int x) { calls++; return x; }
void change(int& x, int* y, short z) { x += z; *y = z--; z = 9; }
int table[3] = {4, 5, 6};
static float halves[2][2] = {{0.5f, 1.5f}, {2.5f}};

int main() {
    { int x = 2147483647; x += 1; int y = -2147483647 - 1; y--;
    printf("%d %d %d", x, y, -y - 1); puts(""); }
    { signed char c = 127; c++; short s = 32767; s += 2; unsigned short u = 0; u--;
    byte b = 200; b *= 2; printf("%d %d %d %d", c, s, u, b); puts(""); }
    { printf("%d %d %d %d", (signed char)200, (short)40000, (unsigned short)-1, (byte)-129);
    puts(""); }
    { unsigned u = 0; u -= 1; unsigned long long w = u + 1ull;
    printf("%u %llu %lld", u, w, (long long)(int)u); puts(""); }
    { long long w = -1; unsigned long long v = w;
    printf("%llu %d %u", v, (int)(w << 33 >> 32), (unsigned)w); puts(""); }
    { int a = -7, b = 2;
    printf("%d %d %d %d %d %d", a / b, a % b, a / -b, a % -b, 7 / -b, 7 % -b); puts(""); }
    { int z = 0, a = 5; printf("%d %d %d %d", z / a, z % -a, z / -a, -6 / 3); puts(""); }
    { unsigned a = 4294967289u; printf("%u %u %d", a / 2, a % 5, (int)(a >> 28)); puts(""); }
    { int a = 6, b = 3; printf("%d %d %d %d %d %d", a & b, a | b, a ^ b, ~a, a << 4, -a >> 1);
    puts(""); }
    { int a = 1; a <<= 31; unsigned b = 0x80000000u; b >>= 31; a >>= 31;
    printf("%d %u %d", a, b, (byte)~0); puts(""); }
    { int a = 12; a &= 10; a |= 1; a ^= 3; a %= 6; a -= 9; a *= -3; a /= 4; printf("%d", a);
    puts(""); }
    { float f = 0.1f; f += 0.2; double d = 0.1f;
    printf("%.9f %.17g %.9g %.9g", f, d, f * 3, 1.0f / 3); puts(""); }
    { float f = 16777216.0f; f += 1; double d = 16777216.0; d += 1;
    printf("%.1f %.1f %d", f, d, (int)-2.9); puts(""); }
    { float z = 0; printf("%g %g %d %g", 1 / z, -1.0 / z, z / z != z / z, (float)1e30 * 1e30f);
    puts(""); }
    { float z = 0; int n = (int)(1 / z); unsigned u = (unsigned)3.99f;
    printf("%u %d", u, (int)(char)65.7); puts(""); }
    { double z = 0;
    printf("%lld %lld %lld %lld", (long long)(1 / z), (long long)(-1 / z), (long long)(z / z), (long long)(float)(1 / z));
    puts(""); }
    { int x = {5}; int y{6}; unsigned z{}; int* p = {&x}; float f{1.5f}; bool b = {true};
    p[0]++; printf("%d %d %u %g %d", x, y, z, f, b); puts(""); }
    { float x = {}; double y{}; printf("%g %g %g %g", x, -x, -y, 1 / -y); puts(""); }
    { float s, c; sincosf(0.5f, &s, &c); double t, u; sincos(-0.5, &t, &u);
    printf("%.6f %.6f %.6f %.6f", s, c, t, u); puts(""); }
    { bool t = 5; t += 1; bool f = 0.0; printf("%d %d %d %d", t, f, !5, !0.0f + 2); puts(""); }
    { int a = 3; printf("%d %d %d %d", a > 2 == 1, a >= 3, a < 3, a != 3); puts(""); }
    { double a = 1, b = 2; printf("%d %d %d %d", a < b, a >= b, a == b, a != b); puts(""); }
    { calls = 0; int r = count(0) && count(1); r += count(2) || count(3);
    printf("%d %d", r, calls); puts(""); }
    { calls = 0; int r = count(1) ? count(5) : count(6); r += (count(1), count(7));
    printf("%d %d", r, calls); puts(""); }
    { int i = 5; int a = i++; int b = ++i; int c = i--; int d = --i;
    printf("%d %d %d %d %d", a, b, c, d, i); puts(""); }
    { float f = 1.5f; f++; double d = 2.5; --d; d--; printf("%g %g", f, d); puts(""); }
    { int* p = table; int a = *p++; int b = *++p; p--; p += 1; p -= 2;
    printf("%d %d %d %d", a, b, *p, (int)(p - table)); puts(""); }
    { double x[4] = {1, 2}; double* q = &x[3];
    printf("%d %g %g %d %d", (int)(q - x), q[-2], *(x + 2), q > x, x == q); puts(""); }
    { (*table)++; table[1]--; ++table[2]; table[0] += 10;
    printf("%d %d %d", table[0], table[1], table[2]); puts(""); }
    { printf("%g %g %g %d", halves[0][1], halves[1][0], halves[1][1], (int)sizeof(halves));
    puts(""); }
    { Outer o; printf("%d %d ", (int)sizeof(Inner), (int)sizeof(o)); o.in[1].a = -3;
    o.in[1].b[2] = 7; Outer q = o; q.in[1].a--;
    printf("%d %d %d %d", o.in[1].a, q.in[1].a, q.in[1].b[2], (int)((char*)&q.d - (char*)&q));
    puts(""); }
    { Outer o = {1, {{2, {3}}, {4}}, 0.5, table};
    printf("%d %d %d %d %d %g %d", o.c, o.in[0].a, o.in[0].b[0], o.in[0].b[1], o.in[1].a, o.d, o.p[1]);
    puts(""); }
    { Outer o[2]; Outer* p = o; p[1].d = 2; (p + 1)->c = 4; p++; p->in[0].a = 1;
    printf("%g %d %d", o[1].d, o[1].c, o[1].in->a); puts(""); }
    { int a = 1, b = 2; change(a, &b, 5); printf("%d %d", a, b); puts(""); }
    { char t[] = "abc"; t[1] = 'x'; printf("%s %d %d", t, (int)sizeof(t), t[3]); puts(""); }
    { int s = 0; for (int i = 10; i-- > 7;) s = s * 100 + i; printf("%d", s); puts(""); }
    { int i = 0, s = 0; while (1) { if (++i == 3) continue; if (i > 5) break; s += i; }
    printf("%d %d", i, s); puts(""); }
    { int i = 0, n = 0; do { n++; if (i == 1) continue; } while (i++ < 3);
    printf("%d %d", i, n); puts(""); }
    { int n = 0; for (int i = 0; i < 3; i++) for (int j = 0; ; j++) { if (j > i) break;
    if (j == 1) continue; n += j + 1; } printf("%d", n); puts(""); }
    { for (int k = 0; k < 6; k++) { switch (k % 5) { case 0: printf("a"); case 3: printf("b");
    break; default: printf("c"); case 2: continue; } printf("-"); } puts(""); }
    { int x = 5; if (x < 3) printf("a"); else if (x < 5) printf("b");
    else if (x < 7) printf("c"); else printf("d"); puts(""); }
    { switch (3) { case 1: printf("a"); case 2: printf("b"); } switch (2) {
    default: printf("c"); break; case 1: printf("d"); } printf("."); puts(""); }
    { for (int k = 0; k < 2; k++) { static int n = 5; int m = 5; n++; m++;
    printf("%d%d ", n, m); } puts(""); }
    { int n = 0; for (int i = 0, j = 5; i < j; i++, j--) n += i * j; printf("%d", n); puts(""); }
    { printf("%g %g %g %d", fabs(-2.5), floor(-2.5), fmax(1.0, 2.0), abs(-3)); puts(""); }
    { printf("%.6f %.6f %.6f %.3f", sqrt(2.0), pow(2.0, 0.5), sinf(1.0f), exp(1.0)); puts(""); }
    { double whole; double part = modf(3.75, &whole); int e; double m = frexp(6.0, &e);
    printf("%g %g %g %d", part, whole, m, e); puts(""); }
    { int x = 300; byte b = x; long w = b - 45; x = w << 2; printf("%d %ld %d", b, w, x);
    puts(""); }
    { int m[2][3] = {{1, 2, 3}, {4, 5, 6}}; int (*r)[3] = m;
    printf("%d %d %d", r[1][2], *(*(m + 1) + 1), (int)(&m[1][0] - &m[0][0])); puts(""); }
    { int* n = new int(7); double* d = new double[3](); *n += 1; d[2] += 2;
    printf("%d %g %g", *n, d[0], d[2]); delete n; delete[] d; puts(""); }
    { const char* names[] = {"zero", "one"}; const char* s = names[1];
    printf("%s%c%d", s, s[2], s[3]); puts(""); }
    { long long big = 1; for (int i = 0; i < 63; i++) big *= 2; printf("%lld %d", big, big < 0);
    puts(""); }
    { unsigned char c = 250; int n = 0; for (; c >= 250; c++) n++; printf("%d %d", n, c);
    puts(""); }
    { int n = 3, m = 4; if (n); if (n > 3) {} else if (n) ; else {} while (n-- > 0); do ;
    while (m-- > 0); switch (n) { case 1: default: ; } for (; n < 9; n++);
    printf("%d %d", n, m); puts(""); }
}
