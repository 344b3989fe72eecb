// The same bytes as different types.

union U {
    float f;
    unsigned u;
    unsigned char b[4];
    struct {
        unsigned short lo, hi;
    } h;
};
struct S {
    int tag;
    union {
        float f;
        int i;
        double d;
    };
};
__device__ S mk(int i) {
    S s;
    s.tag = i;
    if (i) s.i = 77;
    else s.d = 2.5;
    return s;
}
extern "C" __global__ void unions(float* x, int* p) {
    U a;
    a.f = x[3];
    p[0] = a.u;
    p[1] = a.b[3];
    a.b[0] = 1;
    p[2] = a.h.lo;
    a.h.hi ^= 0x8000;
    x[0] = a.f;
    U b = a;
    b.u++;
    p[3] = b.u - a.u;
    U c = {1.5f};
    p[4] = c.u;
    U arr[2] = {{2.f}, {3.f}};
    arr[p[20] & 1].u += 1;
    x[1] = arr[0].f + arr[1].f;
    S s = mk(1), t = mk(0);
    p[5] = s.i + s.tag;
    x[2] = t.d;
    S r = p[6] > 1000 ? s : t;
    x[4] = r.d;
    t = s;
    p[7] = t.i;
}
