// Conversions, mixed signs and widths, floats, and the order of evaluation, as g++ has them.
#include <cstddef>
#include <cstdio>

void try_float_of_64_bits() {
    long long x = (1LL << 60) + (1LL << 36) + 1; float f = x; unsigned long long u = x; float g = u;
    printf("%.9g %.9g %d", f, g, (float)x == f);
}

void try_float_of_u64() {
    unsigned long long u = 0xffffff7fffffffffull; float g = u; printf("%.9g ", g); u = 0x8000008000000001ull;
    g = u; printf("%.9g", g); double d = 0x8000000000000401ull; printf(" %.17g", d);
}

void try_compare_mixed() {
    long long x = 16777217; float f = 16777216.0f; printf("%d %d %d", x == f, x > f, (int)x > f);
    unsigned u = 4294967295u; float g = 4294967296.0f; printf(" %d %d", u == g, u < g);
}

void try_switch_unsigned() {
    unsigned u = 4294967295u;
    switch (u) { case -1: puts("a"); break; default: puts("b"); } unsigned char c = 255;
    switch (c) { case (unsigned char)-1: puts("c"); break; default: puts("d"); } switch ((signed char)c) { case -1: puts("e"); break; default: puts("f"); }
}

void try_switch_bool() {
    bool b = 5; switch (b) { case 1: puts("a"); break; default: puts("b"); } long long x = 1LL << 32;
    switch (x) { case 0: puts("z"); break; case 1LL << 32: puts("y"); }
}

void try_compound_float() {
    short s = 1000; s *= 1.5; s += 0.7f; unsigned char c = 100; c *= 1.7; c /= 2.5f; int i = 7; i /= 2.5f;
    i -= 0.5; long long l = 1; l += 0.9; unsigned u = 3; u *= 2.9; printf("%d %d %d %lld %u", s, c, i, l, u);
}

void try_compound_mixed() {
    int i = -7; unsigned u = 3; i /= u; printf("%d ", i); i = -7; i %= u; printf("%d ", i); i = -7; i >>= 1;
    u = 4000000000u; u >>= 1; long long l = -5; l /= u; l *= u; printf("%d %u %lld ", i, u, l); short s = -1;
    s >>= 1; s ^= 0x8000; unsigned short t = 65535; t += 1; t -= 2; t <<= 3; printf("%d %d ", s, t);
    signed char k = 127; k++; k -= 1; printf("%d ", k); u = 1; l = -1; printf("%d %d", l < u, (int)l < u);
}

void try_shift_types() {
    unsigned char c = 200; printf("%d %d %u ", c << 4, ~c, (unsigned)-c); long long l = 1; int n = 40;
    printf("%lld %lld ", l << n, (l << 62) >> 3); unsigned long long u = ~0ull;
    printf("%llu %llu ", u >> n, u >> (unsigned char)3); int i = 1; i <<= (long long)5;
    printf("%d %d", i, -8 >> 1);
}

void try_ternary_types() {
    int i = -1; unsigned u = 1; short s = -2; long long l = 5;
    printf("%lld %lld %d %g ", (long long)(i < 0 ? i : u), (long long)(l > 3 ? u - 2 : l), (1 ? s : 'a'), 1 ? i : 2.5);
    bool b = i; printf("%d %d %d ", b + b, -b, !b); printf("%d", sizeof(b + b) == 4);
}

void try_comma_and_order() {
    int i = 1, a[4] = {1, 2, 3, 4}; int x = (i++, i + 1); a[i] = i++; printf("%d %d %d %d ", x, i, a[1], a[2]);
    i = 0; a[i++] += a[i] + 10; printf("%d %d %d", i, a[0], a[1]);
}

void try_pointer() {
    int a[10]; for (int i = 0; i < 10; i++) a[i] = i; int* p = a + 5; unsigned u = 1; p -= u; int k = -2; p += k;
    printf("%d ", *p); printf("%d ", *(p + -1)); unsigned char c = 3; printf("%d %d ", p[c], *(p - k));
    p = a + 9; printf("%td %d %d ", a - p, p > a, !p); char* q = (char*)p; q -= 4; printf("%d ", *(int*)q);
    const char* t = "hello"; printf("%c %c %s", t[1], *(t + 2), t + 3);
}

void try_unsigned_index() {
    int a[4] = {1, 2, 3, 4}; int* p = a + 3; unsigned u = 0; u -= 1; printf("%d ", p[(int)u]); size_t n = 2;
    printf("%d %zu ", p[-(long long)n], n - 1); for (size_t i = n; i-- > 0;) printf("%zu ", i);
    for (unsigned char i = 250; i > 5; i++) n++; printf("%zu", n);
}

void try_unsigned_loop() {
    unsigned s = 0; for (unsigned i = 10; i < 11; i--) s += i; printf("%u ", s); unsigned char k = 0;
    do { s += k; k += 51; } while (k); printf("%u ", s); short h = 32760; int n = 0; for (; h > 0; h++) n++;
    printf("%d %d", n, h);
}

void try_wrap() {
    int i = 2147483647; i++; printf("%d ", i); i = -i; printf("%d ", i); i = i * 3 - 7; printf("%d ", i);
    long long l = 9223372036854775807LL; l += 2; l *= 3; printf("%lld ", l); unsigned u = 0; u = -u - 1;
    printf("%u %u ", u, u * u); unsigned short a = 65535, b = 65535; printf("%d", a * b);
}

void try_abs_min() {
    int m = -2147483647 - 1; printf("%d %d ", m / 2, m % 7); printf("%d ", -m); long long q = m;
    printf("%lld %lld", -q, q * q);
}

void try_char() {
    char c = 200; printf("%d %d ", c, c > 100); char d = 'z'; d += 10; printf("%d ", d); signed char e = -128;
    e = -e; printf("%d ", e); unsigned char f = 'a' - 'b'; printf("%d %d", f, (char)f == -1);
}

void try_float_to_int() {
    double d = -1.9; printf("%d %lld %d ", (int)d, (long long)d, (signed char)d); float f = 3000000000.0f;
    printf("%u %lld ", (unsigned)f, (long long)f); d = 1e18;
    printf("%llu %d ", (unsigned long long)d, (int)(d > 1e17f)); d = 0.1; f = d;
    printf("%d %.9g %.17g", f == d, f, f * d);
}

void try_float_ops() {
    float a = 1e38f, b = a * 10, c = b - b; printf("%g %g %d %d ", b, -b, c == c, c != c); float z = 0;
    printf("%g %g ", 1 / z, -1 / z); float t = 16777216.0f; t += 1; printf("%.9g ", t); t++; printf("%.9g ", t);
    int i = 16777217; printf("%.9g %d ", i + 0.0f, (int)(i + 0.0f)); double d = i; d /= 3; f: printf("%.17g", d);
}

void try_logical() {
    int n = 0; bool r = n++ || n++ || n++; printf("%d %d ", r, n); r = n-- && n-- && n--; printf("%d %d ", r, n);
    double d = 0.5; printf("%d %d %d", d && 1, !d, (bool)d + 1);
}

void try_static() {
    for (int k = 0; k < 3; k++) { static unsigned char s = 254; printf("%d ", s++); static int* p = 0; printf("%d ", !p); }
}

void try_nested() {
    int t = 0;
    for (int i = 0; i < 5; i++) { switch (i) { case 1: continue; case 3: for (int j = 0; j < 4; j++) { if (j == 2) break; t += 10; } default: t++; break; case 4: { int k = 2; while (k--) { if (!k) continue; t += 100; } } } t += 1000; } printf("%d", t);
}

void try_do() {
    int i = 0, t = 0; do { if (i == 2) continue; t += i; if (t > 50) break; } while (++i < 20);
    printf("%d %d", i, t); do t--; while (0); printf(" %d", t);
}

void try_div_unsigned() {
    int a = -9; unsigned long long u = 4; printf("%llu %lld %u ", a / u, (long long)a / 4, (unsigned)a / 4u);
    short s = -9; unsigned short t = 4; printf("%d %d %d", s / t, s % t, (s | t) & 0xff);
}

void try_bits() {
    unsigned long long x = 0x123456789abcdef0ull; int h = x; unsigned short k = x >> 20;
    printf("%x %x %llx ", h, k, (x << 4) | (x >> 60)); long long l = h;
    printf("%llx %llx ", l, (unsigned long long)(unsigned)h); signed char c = x;
    printf("%d %d", c, (unsigned char)c);
}

void try_assign_chain() {
    int a; short b; unsigned char c; float f; a = b = c = f = 300.7f > 1 ? 200.9f : 1;
    printf("%d %d %d %g ", a, b, c, f); bool q; a = q = 7; printf("%d %d ", a, q); (a += 3) *= 2; ++(++a);
    printf("%d ", a); int& r = a; r += (r = 5) + 1; printf("%d", a);
}

void try_structs() {
    struct P { unsigned char c; short s; float f; long long l; } p = {255, -1, 1.5f, -7}, q = p; q.c++;
    q.s -= q.c; q.f += q.s; q.l %= 4; p = q; P* r = &p; r->l <<= 2; (*r).c--;
    printf("%d %d %g %lld %d", p.c, p.s, p.f, p.l, (int)sizeof(P));
}

void try_enum() {
    enum E { A = 3, B, C = -1 }; E e = B; int x = e * 2 + C; enum class F : unsigned char { X = 250, Y };
    printf("%d %d %d ", x, (int)F::Y, e > C);
    switch (e) { case A: puts("A"); break; case B: puts("B"); default: break; }
}

void try_float_loop() {
    float s = 0; for (float x = 0; x < 1; x += 0.1f) s += x; printf("%.9g ", s); double d = 0;
    for (int i = 1; i < 50; i++) d += 1.0f / i; printf("%.17g ", d); int n = 0;
    for (double x = 1; x > 1e-300; x /= 10) n++; printf("%d", n);
}

void try_u32_float() {
    unsigned u = 4294967295u; float f = u; printf("%.9g ", f); f = (float)(u - 127u); printf("%.9g ", f);
    int i = -2147483647; f = i; printf("%.9g ", f); double d = u; printf("%.17g ", d * u);
    printf("%.9g", u * 0.5f);
}

void try_ll_float_loop() {
    float f = 0;
    for (long long i = 1; i < 2000; i++) { long long x = i * 1152921504606851LL + 12345; f = f * 0.5f + (float)x; } printf("%.9g ", f);
    unsigned long long h = 0;
    for (int i = 0; i < 3000; i++) { h = h * 6364136223846793005ull + 1442695040888963407ull; f += (float)h * 1e-19f; float g = h; double d = g; h ^= (unsigned long long)(d * 1e-3); } printf("%.9g %llu", f, h);
}

void try_min_max() {
    long long big = -1; unsigned u = 1; printf("%d %d %d", big < u, (unsigned)big > u, -1 < (unsigned short)1);
    printf(" %d %d", -1 < 1u, (short)-1 < (unsigned char)1);
}

void try_mod_compound() {
    unsigned char c = 250; c += c; printf("%d ", c); c = c-- - 1; short s = 5; s = s++ + 1;
    printf("%d %d ", c, s); int i = 3; i = i++ + ++i; printf(" "); int a[3] = {0}; int k = 0; a[k] = k = 2;
    printf("%d %d %d", a[0], a[1], a[2]);
}

int main() {
    try_float_of_64_bits(); puts("");
    try_float_of_u64(); puts("");
    try_compare_mixed(); puts("");
    try_switch_unsigned(); puts("");
    try_switch_bool(); puts("");
    try_compound_float(); puts("");
    try_compound_mixed(); puts("");
    try_shift_types(); puts("");
    try_ternary_types(); puts("");
    try_comma_and_order(); puts("");
    try_pointer(); puts("");
    try_unsigned_index(); puts("");
    try_unsigned_loop(); puts("");
    try_wrap(); puts("");
    try_abs_min(); puts("");
    try_char(); puts("");
    try_float_to_int(); puts("");
    try_float_ops(); puts("");
    try_logical(); puts("");
    try_static(); puts("");
    try_nested(); puts("");
    try_do(); puts("");
    try_div_unsigned(); puts("");
    try_bits(); puts("");
    try_assign_chain(); puts("");
    try_structs(); puts("");
    try_enum(); puts("");
    try_float_loop(); puts("");
    try_u32_float(); puts("");
    try_ll_float_loop(); puts("");
    try_min_max(); puts("");
    try_mod_compound(); puts("");
}
