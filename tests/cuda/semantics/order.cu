// In which order things happen.

struct S {
    int v;
    int log;
    __device__ S& add(int n) {
        v = v * 10 + n;
        return *this;
    }
};
__device__ int f(S* s, int n) {
    s->add(n);
    return n;
}
extern "C" __global__ void order(float* x, int* p) {
    S s = {0, 0};
    s.add(1).add(2).add(3);
    p[0] = s.v;
    int a[4] = {0};
    int i = 0;
    a[i++] = f(&s, 4) + i;
    p[1] = a[0];
    p[2] = s.v;
    S t = s, u = t.add(5);
    p[3] = t.v + u.v;
    S arr[3] = {{1}, {2}, {3}};
    int k2 = 0;
    arr[k2++].v += 10;
    arr[k2].v++;
    p[4] = arr[0].v;
    p[5] = arr[1].v;
    p[6] = k2;
    S* q = arr;
    (q++)->v = 7;
    p[7] = arr[0].v + q->v;
    s.v = t.v = 3;
    p[8] = s.v;
    bool b = s.v > 2 && t.add(1).v > 30;
    p[9] = b + t.v;
    while (s.v-- > 0) t.v++;
    p[10] = t.v;
    do {
        S loc = {s.v, 1};
        t.log = loc.v;
    } while (++s.v < 3);
    p[11] = t.log;
    int y = 3;
    (y += 2) *= 4;
    p[12] = y;
    ++(++y);
    (y -= 1)++;
    int& same = (y ^= 5);
    same += 100;
    p[13] = y;
    (p[14] = k2) -= 7;
    int* r = &(a[2] = 40);
    *r += 2;
    p[15] = a[2];
    switch (y & 1) {
        int one;
        case 0:
            one = 10;
        default:
            one = y & 7;
            p[16] = one;
    }
}
