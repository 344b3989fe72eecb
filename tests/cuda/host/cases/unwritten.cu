// Memory that nobody has written is reported where its value is used.
#include <cstdio>
int main() {
CASE
}

// case
    int* h = (int*)malloc(16); printf("%d", h[2]);
//                             ^ h[2] is read, but nobody has written it|h is made in line 4|hint: malloc leaves it with whatever was there before: give it a value first

// case
    int* h = new int[4]; h[0] = 1; if (h[1] > 0) printf("x");
//                                 ^ h[1] is read, but nobody has written it|h is made in line 4|hint: new leaves it with whatever was there before: give it a value first

// case
    int h[4]; h[0] = 1; printf("%d", h[3]);
//                      ^ 4 bytes of h, from byte 12 on, are read, but nobody has written them|hint: its declaration leaves it with whatever was there before: give it a value first

// case
    int n; int* p = &n; printf("%d", *p);
//                      ^ n is read, but it has no value yet|hint: give it one where it is declared: n = 0

// case
    float* h = (float*)malloc(400); float s = 0; for (int i = 0; i < 100; i++) s += h[i];
//                                                                               ^ h[0] is read, but nobody has written it|h is made in line 4|hint: malloc leaves it with whatever was there before: give it a value first
    printf("%f", s);

// case
    char* t = (char*)malloc(16); strncpy(t, "abcd", 4); printf("%s", t);
//                                                      ^ t is read as a text, but nobody has written it from byte 4 on|hint: a text ends with a byte of 0: write one behind its last letter

// case
    struct { int x, y; } p; p.x = 1; printf("%d", p.y);
//                                   ^ 4 bytes of p, from byte 4 on, are read, but nobody has written them|hint: its declaration leaves it with whatever was there before: give it a value first
