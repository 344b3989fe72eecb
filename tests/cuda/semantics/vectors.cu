// Operators on float3, structs of vectors.

inline __device__ float3 operator+(float3 a, float3 b) {
    return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
inline __device__ float3 operator*(float s, float3 a) {
    return make_float3(s * a.x, s * a.y, s * a.z);
}
inline __device__ float3 operator*(float3 a, float s) {
    return s * a;
}
inline __device__ void operator+=(float3& a, float3 b) {
    a = a + b;
}
inline __device__ float3 operator-(float3 a) {
    return make_float3(-a.x, -a.y, -a.z);
}
inline __device__ bool operator==(const float3& a, const float3& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}
struct Ray {
    float3 o, d;
};
struct Hit {
    float t;
    float3 n;
    bool any;
};
__device__ Hit sphere(const Ray& r, float3 c) {
    Hit h;
    h.any = false;
    float3 oc = r.o + -c;
    float b = oc.x * r.d.x + oc.y * r.d.y + oc.z * r.d.z;
    if (b < 0) {
        h.any = true;
        h.t = -b;
        h.n = oc + r.d * h.t;
    }
    return h;
}
extern "C" __global__ void vectors(float* x, int* p) {
    Ray r = {{x[0], x[1], x[2]}, {0, 0, 1}};
    Hit h = sphere(r, make_float3(1, 2, 3));
    if (h.any) {
        x[0] = h.t;
        x[1] = h.n.y;
    }
    Hit g = sphere({{1, 2, 30}, {0, 0, 1}}, {0, 0, 0});
    p[0] = g.any;
    float3 acc = {};
    for (int i = 0; i < 3; i++) acc += 0.5f * r.o;
    x[2] = acc.z;
    float3* v = (float3*)(x + 10);
    v[1] += v[2];
    p[1] = v[1] == v[1];
    float3 w[4];
    w[p[7] & 3] = v[0];
    w[(p[7] + 1) & 3] = -v[0];
    x[3] = w[p[7] & 3].y;
    Ray rays[2] = {r, r};
    rays[1].d += r.o;
    v[3] = rays[1].d;
    float4 q = {1, 2, 3, 4};
    *(float4*)&x[24] = q;
    float2 t2 = make_float2(1, 2);
    x[40] = t2.y;
}
