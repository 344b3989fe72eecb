// What is read and written in which order, also by loops; memory that is written, but not by a name.
#include <cstdio>
#include <cstdlib>
#include <cstring>
int main() {
    { int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;
    for (int i = 0; i < 99; i++) { int k = i; int t = a[k]; k = k + 1; a[k] = t + 1; }
    printf("%d %d %d %d %d", a[1], a[2], a[3], a[4], a[5]); puts(""); }
    { int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;
    int b[200]; for (int i = 0; i < 200; i++) a[i] = i; for (int i = 0; i < 100; i++) {
    int k = i; a[k] = 5; k = k + 1; b[i] = a[k]; } printf("%d %d %d", b[0], b[1], b[2]);
    puts(""); }
    { int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;
    int b[200]; for (int i = 0; i < 200; i++) b[i] = i; for (int i = 0; i < 100; i++) {
    a[b[i]] = 1; b[i] = b[i] + 1; a[199 - i] = a[b[i]]; } printf("%d %d", a[1], a[199]);
    puts(""); }
    { int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;
    unsigned n = 100; int s = 0, *p = a + 50; for (int i = -5; i < n; i++) p[i] = 1;
    for (int i = 0; i < 200; i++) s += a[i]; printf("%d", s); puts(""); }
    { int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;
    unsigned* u = (unsigned*)a; for (int i = 0; i < 100; i++) u[i] = a[0] + 1;
    printf("%d %d", a[0], a[2]); puts(""); }
    { int a[200]; for (int i = 0; i < 200; i++) a[i] = 0;
    unsigned char* u = (unsigned char*)a; for (int i = 0; i < 100; i++) u[i] = a[0] + 1;
    printf("%d %d", u[0], u[2]); puts(""); }
    { int a[4] = {1, 2, 3, 4}; unsigned i = 2, back = (unsigned)-1; printf("%d", a[i + back]);
    puts(""); }
    { int a[3] = {0, 0, 0}, i = 0; a[i++] += i; *(a + i++) = i;
    printf("%d %d %d", a[0], a[1], i); puts(""); }
    { int* h = (int*)calloc(4, 4); printf("%d", h[2]); free(h); puts(""); }
    { int* h = (int*)malloc(16); memset(h, 0, 16); printf("%d", h[2]); free(h); puts(""); }
    { int* h = new int[4](); printf("%d", h[2]); delete[] h; puts(""); }
    { struct P { char c; double d; }; P a, b; a.c = 1; a.d = 2; b = a;
    printf("%d %g", b.c, b.d); puts(""); }
    { int a[4], b[4]; a[0] = 7; for (int i = 0; i < 4; i++) b[i] = a[i]; printf("%d", b[0]);
    puts(""); }
    { struct P { char c; double d; }; P a[2]; a[0].c = 91; a[1].c = 91;
    printf("%c%c", a[0].c, a[1].c); puts(""); }
    { static int n[4]; printf("%d", n[3]); puts(""); }
}
