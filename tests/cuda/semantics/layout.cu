// Sizes, offsets and alignment.

#ifndef offsetof
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif

struct A {
    char c;
    double d;
    short s;
    float f[3];
    char z;
};
struct B {
    A a[2];
    char t;
};
union U {
    char c[5];
    int i;
    double d;
};
struct E {
};
struct F {
    E e;
    int x;
};
struct __align__(16) G {
    float a;
};
struct H {
    char c;
    G g;
    float3 v;
    float4 w;
    int2 q;
    uchar4 u;
};
extern "C" __global__ void layout(float* x, int* p) {
    p[0] = sizeof(A);
    p[1] = sizeof(B);
    p[2] = offsetof(A, s);
    p[3] = offsetof(A, f);
    p[4] = offsetof(A, z);
    p[5] = sizeof(U);
    p[6] = sizeof(E);
    p[7] = sizeof(F);
    p[8] = offsetof(F, x);
    p[9] = sizeof(G);
    p[10] = sizeof(H);
    p[11] = offsetof(H, g);
    p[12] = offsetof(H, v);
    p[13] = offsetof(H, w);
    p[14] = offsetof(H, q);
    p[15] = offsetof(H, u);
    p[16] = alignof(H);
    p[17] = offsetof(B, t);
    H h[2];
    p[18] = sizeof(h) / sizeof(h[0]);
    p[19] = (char*)&h[1].u.z - (char*)&h[0];
    p[20] = sizeof(h[0].v.x);
}
