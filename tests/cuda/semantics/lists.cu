// Lists of values with and without inner braces, defaults of members.

struct I {
    int a, b;
};
struct O {
    I i[2];
    float f;
    I j;
    int t[2][2];
};
struct D {
    int x = 1;
    I i = {2, 3};
    float f = 4;
};
extern "C" __global__ void lists(float* x, int* p) {
    O o = {{{1, 2}, {3}}, 4.5f, {5, 6}, {{7}, {8, 9}}};
    O q = {1, 2, 3, 4, 5.5f, 6, 7, 8, 9, 10};
    O z = {{{0, 0}, {0, 0}}, 2.0f, {0, 0}, {{1}}};
    D d;
    D e = {7};
    D g[2] = {{1}, {}};
    int* w = (int*)&o;
    int* v = (int*)&q;
    for (int i = 0; i < 11; i++) {
        p[i] = w[i];
        p[i + 11] = v[i];
    }
    x[0] = z.f + z.t[0][0] + z.i[1].b;
    p[30] = d.x + d.i.b * 10 + e.x * 100 + e.i.a * 1000 + g[1].i.b;
    x[1] = d.f + e.f + g[1].f;
    I arr[] = {{1, 2}, {3, 4}, {5}};
    p[31] = sizeof(arr) + arr[2].b;
    I m[2][2] = {{{1, 2}, {3, 4}}, {{5, 6}}};
    p[32] = m[1][0].b + m[0][1].a + m[1][1].a;
    D* pd = &d;
    pd->i = {8, 9};
    p[33] = d.i.b;
    o = {};
    p[34] = o.i[0].a;
}
