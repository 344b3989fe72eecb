// Sizes, offsets and alignment.

#define PLACE(value, member) ((char*)&(value).member - (char*)&(value))  // NVRTC has no offsetof

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
    A a;
    B b;
    F f;
    H h[2];
    p[0] = sizeof(A);
    p[1] = sizeof(B);
    p[2] = PLACE(a, s);
    p[3] = PLACE(a, f);
    p[4] = PLACE(a, z);
    p[5] = sizeof(U);
    p[6] = sizeof(E);
    p[7] = sizeof(F);
    p[8] = PLACE(f, x);
    p[9] = sizeof(G);
    p[10] = sizeof(H);
    p[11] = PLACE(h[0], g);
    p[12] = PLACE(h[0], v);
    p[13] = PLACE(h[0], w);
    p[14] = PLACE(h[0], q);
    p[15] = PLACE(h[0], u);
    p[16] = alignof(H);
    p[17] = PLACE(b, t);
    p[18] = sizeof(h) / sizeof(h[0]);
    p[19] = (char*)&h[1].u.z - (char*)&h[0];
    p[20] = sizeof(h[0].v.x);
}
