// {"output": "44 3705032704 -3 -1 -4\n5 6 two ok\n0.333333343 1.000000030 1.234568e+04 1e-10\n[   42|42   |00042|+42|ff|10|  2.2|text|%]\n0-10 6-8 \n144 1 5\n12 1 8\nzero | one two two many | \n1.5 7 0.59999999999999998\nCUDA C 6 1 67\n946 24 8\n16843009 1\n66 40\n3 2 411\n", "status": 4}
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
enum Colour { RED, GREEN = 5, BLUE };
typedef unsigned char byte;
int counter = 3;
static const char* names[] = {"zero", "one", "two"};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int next() { static int calls = 0; return ++calls; }
void swap(int& a, int& b) { int t = a; a = b; b = t; }
void fill(float* x, int n, float value = 1.5f) { for (int i = 0; i < n; i++) x[i] = value; }
double sum(const double row[], int n) { double s = 0; while (n-- > 0) s += row[n]; return s; }

int main() {
    byte small = (byte)300;
    unsigned big = 4000000000u;
    int negative = -7, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d %u %d %d %d\n", small, big + big, negative / 2, negative % 3, negative >> 1);
    printf("%d %d %s %c%c\n", GREEN, BLUE, names[2], 'o', 'k');
    float third = 1.0f / 3;
    printf("%.9f %.9f %e %g\n", third, (double)third * 3, 12345.678, 1e-10);
    printf("[%5d|%-5d|%05d|%+d|%x|%o|%5.1f|%s|%%]\n", 42, 42, 42, 42, 255, 8, 2.25, "text");
    for (int i = 0, j = 10; i < j; i += 3, j--) {
        if (i == 3) continue;
        if (i > 6) break;
        printf("%d-%d ", i, j);
    }
    int first = next();
    printf("\n%d %d %d\n", fibonacci(12), first, next() + next());
    int a = 1, b = 2, *p = &a;
    swap(a, b);
    *p += 10;
    printf("%d %d %d\n", a, b, matrix[1][2] + (*matrix)[1]);
    for (int k = 0; k < 4; k++) {
        switch (k) {
        case 0: printf("zero "); break;
        case 1: printf("one ");
        case 2: printf("two "); continue;
        default: printf("many ");
        }
        printf("| ");
    }
    float** rows = new float*[2];
    for (int i = 0; i < 2; i++) { rows[i] = new float[3]; fill(rows[i], 3); }
    rows[1][2] = 7;
    double values[] = {0.1, 0.2, 0.3};
    printf("\n%g %g %.17g\n", rows[0][0], rows[1][2], sum(values, 3));
    for (int i = 0; i < 2; i++) delete[] rows[i];
    delete[] rows;
    char text[32] = "CUDA";
    strcat(text, " C");
    printf("%s %d %d %d\n", text, (int)strlen(text), strcmp(text, "CUDA") > 0, text[0]);
    long long wide = 1LL << 40;
    do { wide /= 3; } while (wide > 1000);
    printf("%lld %zu %lu\n", wide, sizeof(matrix), (unsigned long)sizeof(double));
    int* grown = (int*)calloc(2, sizeof(int));
    grown = (int*)realloc(grown, 4 * sizeof(int));
    memset(grown, 1, 4);
    memcpy(grown + 1, grown, sizeof(int));
    printf("%d %d\n", grown[1], grown[0] == 0x01010101);
    free(grown);
    assert(counter++ == 3);
    srand(42);
    int one = rand() % 100, two = rand() % 100;
    printf("%d %d\n", one, two);
    float4 v = make_float4(1, 2, 3, 4), w = v;
    w.y += v.x;
    dim3 size(4);
    printf("%g %g %u%u%u\n", w.y, v.y, size.x, size.y, size.z);
    if (counter == 4) exit(counter);
    printf("never\n");
}
