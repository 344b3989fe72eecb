// References as parameters, results and variables.

struct P {
    float x;
    int k;
    __device__ float& ref() {
        return x;
    }
    __device__ P* me() {
        return this;
    }
};
__device__ P& big(P& a, P& b) {
    if (a.k > b.k) return a;
    return b;
}
__device__ void swap(P& a, P& b) {
    P t = a;
    a = b;
    b = t;
}
__device__ int& at(int* p, int i) {
    return p[i];
}
__device__ void out(float& a, int& b) {
    a = 7;
    b = 8;
}
extern "C" __global__ void references(float* x, int* p) {
    P a = {x[0], 3}, b = {x[1], 5};
    big(a, b).x = 42;
    swap(a, b);
    x[0] = a.x;
    p[0] = b.k;
    a.ref() += 1;
    a.me()->k++;
    x[1] = a.x;
    p[1] = a.k;
    at(p, 5) = 99;
    ++at(p, 6);
    P arr[2] = {a, b};
    P& r = arr[1];
    r.k = -4;
    p[2] = arr[1].k;
    P* q = arr;
    out(q[0].x, q->k);
    x[2] = arr[0].x;
    p[3] = arr[0].k;
    const P& c = arr[0];
    r = c;
    p[4] = arr[1].k;
    float* f = &arr[1].x;
    *f = 3;
    x[3] = arr[1].x;
    int* g = &arr[0].k;
    *g = 12;
    p[7] = arr[0].k;
    P* const e = &a;
    e->k *= 2;
    p[8] = a.k;
    p[9] = (&arr[1] - arr) + (q == arr);
}
