// What ?: chooses is a place.

struct P {
    float x;
    int k;
};
__device__ P& big(P& a, P& b) {
    return a.k > b.k ? a : b;
}
extern "C" __global__ void chosen(float* x, int* p) {
    P a = {x[0], p[3]}, b = {2, p[4]};
    big(a, b).x = 9;
    (p[5] > 2 ? a : b).k = 55;
    big(p[6] > 3 ? a : b, a).k += 2;
    (p[7] ? p[0] : p[1]) = 17;
    x[0] = a.x;
    x[1] = b.x;
    p[8] = a.k;
    p[9] = b.k;
}
