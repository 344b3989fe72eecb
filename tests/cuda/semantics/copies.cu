// Structs are copied whole: values, arguments, results, arrays in them.

struct V {
    float x, y;
    int n[3];
};
__device__ V twice(V v) {
    v.x *= 2;
    v.n[1] += 7;
    return v;
}
extern "C" __global__ void copies(float* x, int* p) {
    V a = {x[0], x[1], {p[0], p[1], p[2]}};
    V b = a;
    b.x = 9;
    b.n[2] = 100;
    V c = twice(a);
    V arr[3] = {a, b, c};
    arr[1] = arr[2];
    arr[2].n[p[3] & 1] = 55;
    V* q = &arr[0];
    q[0].y = -1;
    (*(q + 1)).x += 0.5f;
    for (int i = 0; i < 3; i++) {
        x[i] = arr[i].x + arr[i].y;
        for (int j = 0; j < 3; j++) p[3 * i + j] = arr[i].n[j];
    }
    x[5] = a.x;
    p[10] = a.n[1];
    V d, e;
    d = e = a;
    x[6] = d.y + e.y;
    x[7] = (d = b).x;
}
