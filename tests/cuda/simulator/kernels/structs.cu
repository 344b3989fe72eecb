// rule: A store through a pointer in a struct can race
// launch: 1, 32, [zeros(32)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes x[0], which thread (0,0,0) of the same block writes in line 18
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct View {
    float* data;
};
__device__ void put(View v, int i) { v.data[i / 2] = i; }  // <- here
extern "C" __global__ void k(float* x)
{
    View v = {x};
    put(v, threadIdx.x);
}

// rule: A member is one access of its size; a copied struct takes the widest accesses
// launch: 1, 32, [zeros(512, uint8), zeros(32)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 16
// expect: profile.global_store.requests == 1
// expect: profile.global_store.sectors == 4
struct Plain {
    float x, y, z, w;
};
struct __align__(16) Wide {
    float x, y, z, w;
};
extern "C" __global__ void member(const Plain* p, float* out) { out[threadIdx.x] = p[threadIdx.x].y; }
extern "C" __global__ void plain(const Plain* p, Plain* q) { q[threadIdx.x] = p[threadIdx.x]; }
extern "C" __global__ void wide(const Wide* p, Wide* q) { q[threadIdx.x] = p[threadIdx.x]; }

// rule: A member is one access of its size; a copied struct takes the widest accesses
// kernel: plain
// launch: 1, 32, [zeros(512, uint8), zeros(512, uint8)]
// expect: profile.global_load.requests == 4
// expect: profile.global_load.sectors == 64
// expect: profile.global_store.requests == 4
// expect: profile.global_store.sectors == 64
struct Plain {
    float x, y, z, w;
};
struct __align__(16) Wide {
    float x, y, z, w;
};
extern "C" __global__ void member(const Plain* p, float* out) { out[threadIdx.x] = p[threadIdx.x].y; }
extern "C" __global__ void plain(const Plain* p, Plain* q) { q[threadIdx.x] = p[threadIdx.x]; }
extern "C" __global__ void wide(const Wide* p, Wide* q) { q[threadIdx.x] = p[threadIdx.x]; }

// rule: A member is one access of its size; a copied struct takes the widest accesses
// kernel: wide
// launch: 1, 32, [zeros(512, uint8), zeros(512, uint8)]
// expect: profile.global_load.requests == 1
// expect: profile.global_load.sectors == 16
// expect: profile.global_store.requests == 1
// expect: profile.global_store.sectors == 16
struct Plain {
    float x, y, z, w;
};
struct __align__(16) Wide {
    float x, y, z, w;
};
extern "C" __global__ void member(const Plain* p, float* out) { out[threadIdx.x] = p[threadIdx.x].y; }
extern "C" __global__ void plain(const Plain* p, Plain* q) { q[threadIdx.x] = p[threadIdx.x]; }
extern "C" __global__ void wide(const Wide* p, Wide* q) { q[threadIdx.x] = p[threadIdx.x]; }

// rule: A wide access keeps members of different types
// launch: 1, 4, [zeros(64, uint8), zeros(4)]
// expect: p == [1, 249, 1, 249, 1, 249, 1, 249] + [0] * 56
// expect: out == -69
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct __align__(2) P {
    bool a;
    signed char b;
};
extern "C" __global__ void k(P* p, float* out)
{
    p[threadIdx.x] = P{true, -7};
    P q = p[threadIdx.x];
    out[threadIdx.x] = q.a + 10 * q.b;
}

// rule: A wide access keeps members of different types
// launch: 1, 4, [zeros(64, uint8), zeros(4)]
// expect: p == [0, 0, 128, 63, 249, 255, 255, 255, 0, 0, 128, 63, 249, 255, 255, 255, 0, 0, 128, 63, 249, 255, 255, 255, 0, 0, 128, 63, 249, 255, 255, 255] + [0] * 32
// expect: out == -69
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct __align__(8) P {
    float a;
    int b;
};
extern "C" __global__ void k(P* p, float* out)
{
    p[threadIdx.x] = P{1.0f, -7};
    P q = p[threadIdx.x];
    out[threadIdx.x] = q.a + 10 * q.b;
}

// rule: A wide access keeps members of different types
// launch: 1, 4, [zeros(64, uint8), zeros(4)]
// expect: p == [1] + [0] * 5 + [224, 192, 1] + [0] * 5 + [224, 192, 1] + [0] * 5 + [224, 192, 1] + [0] * 5 + [224, 192] + [0] * 32
// expect: out == -69
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct __align__(8) P {
    int a;
    float b;
};
extern "C" __global__ void k(P* p, float* out)
{
    p[threadIdx.x] = P{1, -7.0f};
    P q = p[threadIdx.x];
    out[threadIdx.x] = q.a + 10 * q.b;
}

// rule: A wide access keeps members of different types
// launch: 1, 4, [zeros(64, uint8), zeros(4)]
// expect: p == [1, 1, 249, 255] + [0] * 12 + [1, 1, 249, 255] + [0] * 12 + [1, 1, 249, 255] + [0] * 12 + [1, 1, 249, 255] + [0] * 12
// expect: out == -69
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct __align__(16) P {
    bool a, c;
    short b;
};
extern "C" __global__ void k(P* p, float* out)
{
    p[threadIdx.x] = P{true, true, -7};
    P q = p[threadIdx.x];
    out[threadIdx.x] = q.a + 10 * q.b;
}

// rule: A shared struct with an array is used in a loop
// launch: 1, 8, [arange(8), zeros(8)]
// expect: out == 8 - arange(8)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct S {
    float v[8];
};
extern "C" __global__ void k(const float* x, float* out)
{
    __shared__ S s;
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) {
        s.v[t] = x[t] + j;
        __syncthreads();
        out[t] = s.v[7 - t];
        __syncthreads();
    }
}

// rule: A shared struct with an array is used in a loop
// launch: 1, 8, [arange(8), zeros(8)]
// expect: out == (arange(8) ^ 3) + 1
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct S {
    float v[2][4];
};
extern "C" __global__ void k(const float* x, float* out)
{
    __shared__ S s;
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) {
        s.v[t / 4][t % 4] = x[t] + j;
        __syncthreads();
        out[t] = s.v[t / 4][3 - t % 4];
        __syncthreads();
    }
}

// rule: A shared struct with an array is used in a loop
// launch: 1, 8, [arange(8), zeros(8)]
// expect: out == 8 - arange(8)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
struct S {
    float first, v[8];
};
extern "C" __global__ void k(const float* x, float* out)
{
    __shared__ S s;
    int t = threadIdx.x;
    for (int j = 0; j < 2; j++) {
        s.v[t] = x[t] + j;
        __syncthreads();
        out[t] = s.v[7 - t];
        __syncthreads();
    }
}

// rule: Tiles exchange structs and vectors
// launch: 1, 32, [array([0.5118216276168823, 0.9504637122154236, 0.14415961503982544, 0.9486494660377502, 0.31183144450187683, 0.4233264625072479, 0.8277025818824768, 0.40919914841651917, 0.5495936870574951, 0.02755911275744438, 0.7535130977630615, 0.5381433367729187, 0.32973170280456543, 0.7884287238121033, 0.3031948208808899, 0.45349788665771484, 0.1340416967868805, 0.4031129777431488, 0.20345523953437805, 0.2623133361339569, 0.7503646612167358, 0.2804087698459625, 0.4851909875869751, 0.9807372093200684, 0.9616571664810181, 0.7247899174690247, 0.541226863861084, 0.27689120173454285, 0.1606520116329193, 0.9699254035949707, 0.5160685777664185, 0.11586561053991318]), zeros(32, int32)]
// expect: o == 123
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
struct Best {
    float value;
    int index;
};
extern "C" __global__ void k(const float* x, int* o)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    Best b = {x[threadIdx.x], (int)threadIdx.x};
    float2 f = {b.value, 1};
    for (int i = 16; i > 0; i /= 2) {
        Best other = tile.shfl_xor(b, i);
        if (other.value > b.value) b = other;
        f = tile.shfl(f, 3);
    }
    o[threadIdx.x] = b.index + 100 * (f.x == x[3]);
}

// rule: offsetof is the offset of a member
// launch: 1, 1, [zeros(3, int32)]
// expect: x == [8, 16, 24]
struct A {
    char c;
    double d;
    short s[2];
};
extern "C" __global__ void k(int* x)
{
    x[0] = offsetof(A, d);
    x[1] = offsetof(A, s);
    x[2] = sizeof(A);
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    b[0] = a[0];
    b[1] = a[1];
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    b[0] = a[0];
    b[1] = a[1];
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A struct may be copied once its members are set, whatever its padding holds
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// expect: out == 6
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    b[0] = a[0];
    b[1] = a[1];
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].c is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: a[0].c = 0;
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        out[0] = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].c is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        out[0] = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].c is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        out[0] = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].c is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: a[0].c = 0;
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        out[0] = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].c is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        out[0] = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].c is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        out[0] = k;
        a[k].d = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].d is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: a[0].d = 0;
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        out[0] = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].d is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        out[0] = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].d is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        out[0] = 2;
        a[k].s = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].d is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: a[0].d = 0;
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        out[0] = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].d is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        out[0] = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].d is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        out[0] = 2;
        a[k].s = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].s is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: a[0].s = 0;
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        out[0] = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].s is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        out[0] = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].s is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        out[0] = 3;
    }
    memcpy(b, a, 2 * sizeof(Pair));  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].s is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: a[0].s = 0;
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    Pair a[2], b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        out[0] = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].s is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    __shared__ Pair a[2];
    __shared__ Pair b[2];
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        out[0] = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A copy of a struct of which a member is not set is reported
// launch: 1, 1, [zeros(1, float64)], shared_mem=96
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: a[0].s is read, but nobody has written it
// report: __shared__ a holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Pair {
    char c;
    double d;
    short s;
};
extern "C" __global__ void kernel(double* out)
{
    extern __shared__ Pair a[];
    Pair* b = a + 2;
    for (int k = 0; k < 2; k++) {
        a[k].c = k;
        a[k].d = 2;
        out[0] = 3;
    }
    char *to = (char*)b, *from = (char*)a;
    for (int k = 0; k < sizeof(Pair) * 2; k++) to[k] = from[k];  // <- here
    out[0] = b[1].c + b[1].d + b[1].s;
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(4,0,0) block=(0,0,0)
// report: out-of-bounds read of p[4].velocity.y
// report: p has 4 elements, p[0] to p[3]
// report: hint: guard it, as in if (i < n): the grid has more threads than p has elements
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out) { out[threadIdx.x] = p[threadIdx.x].velocity.y; }  // <- here

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to p[-1].mass[2]
// report: p has 4 elements, p[0] to p[3]
// report: hint: threadIdx.x - 1 + 2 is negative here: guard it from below, as in if (threadIdx.x - 1 + 2 >= 0)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out) { p[(int)threadIdx.x - 1].mass[2] = 1; }  // <- here

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// report: out-of-bounds read of p[4]
// report: p has 4 elements, p[0] to p[3]
// report: hint: no condition limits threadIdx.x + 1: work out by hand which element this thread should take: guard threads that have none, and rows and columns that are too large
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q = p[threadIdx.x + 1];  // <- here
    out[0] = q.mass[0];
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes p[0].position.x, which thread (0,0,0) of the same block writes in line 16
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out) { p[0].position.x = threadIdx.x; }  // <- here

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes p[0].mass[1], which thread (28,0,0) of the same block reads in line 16
// report: no barrier orders the two
// report: hint: if threads share the element use an atomic; if one needs the other's value put __syncthreads() between
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out) { p[threadIdx.x % 4].mass[1] += 1; }  // <- here

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[31].position.y is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    __shared__ Particle s[32];
    s[threadIdx.x].position.x = 1;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x].position.y;  // <- here
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[0] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    __shared__ Particle s[32];
    if (threadIdx.x) s[threadIdx.x] = p[0];
    __syncthreads();
    Particle q = s[threadIdx.x];  // <- here
    out[threadIdx.x] = q.mass[0];
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[31].velocity.y, which thread (31,0,0) of the same block writes in line 19
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    __shared__ Particle s[32];
    s[threadIdx.x].velocity.y = 1;
    out[threadIdx.x] = s[31 - threadIdx.x].velocity.y;  // <- here
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: q.position.y is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: q.position.y = 0;
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q;
    q.position.x = 1;
    out[threadIdx.x] = q.position.y;  // <- here
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: q.mass[1] is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: q.mass[1] = 0;
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q;
    if (threadIdx.x > 3) q.mass[1] = 2;
    out[threadIdx.x] = q.mass[1];  // <- here
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: q.mass[1] is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: q.mass[1] = 0;
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q;
    q.mass[threadIdx.x % 2] = 2;
    out[threadIdx.x] = q.mass[1];  // <- here
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: q.velocity.x is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: q.velocity.x = 0;
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q;
    out[threadIdx.x] = q.velocity.x;  // <- here
    Particle r = q;
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: q is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: q = {};
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q;
    Particle r = q;  // <- here
    out[threadIdx.x] = r.mass[0];
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(3,0,0) block=(0,0,0)
// report: subscript 3 is outside of p[...].mass
// report: p[...].mass has 3 elements, [0] to [2]; behind it are other members
// report: hint: compare the index with the declared size, or enlarge the array
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out) { out[threadIdx.x] = p[0].mass[threadIdx.x % 4]; }  // <- here

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: subscript 3 is outside of q.mass
// report: q.mass has 3 elements, [0] to [2]; behind it are other members
// report: hint: compare the index with the declared size, or enlarge the array
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q = {};
    for (int i = 0; i <= 3; i++) q.mass[i] = i;  // <- here
    out[threadIdx.x] = q.mass[0];
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: read through a null pointer
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle* q = 0;
    out[threadIdx.x] = q->mass[0];  // <- here
}

// rule: A report names the member of a struct
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: a 16-byte access at p[0], byte 8 of p
// report: its address must be a multiple of 16 bytes
// report: hint: move by whole elements, not by bytes
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    float4 v = *(float4*)&p[threadIdx.x].mass[0];  // <- here
    out[0] = v.x;
}

// rule: A struct may be copied and used member by member
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// expect: out == arange(32)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q;
    q.position.x = threadIdx.x;
    Particle r = q;
    out[threadIdx.x] = r.position.x;
}

// rule: A struct may be copied and used member by member
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// expect: out == arange(32)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    __shared__ Particle s[32];
    s[threadIdx.x].velocity.y = threadIdx.x;
    __syncthreads();
    Particle q = s[threadIdx.x];
    out[threadIdx.x] = q.velocity.y;
}

// rule: A struct may be copied and used member by member
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// expect: out == arange(32)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Particle q = {};
    q.mass[threadIdx.x % 3] = threadIdx.x;
    out[threadIdx.x] = q.mass[threadIdx.x % 3] + q.mass[0] * (threadIdx.x % 3 != 0);
}

// rule: A struct may be copied and used member by member
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// expect: p == [0] * 10 + [128, 63] + [0] * 26 + [128, 63] + [0] * 26 + [128, 63] + [0] * 26 + [128, 63] + [0] * 16
// expect: out == arange(32)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    if (threadIdx.x < 4) {
        Particle& q = p[threadIdx.x];
        q.mass[0] = 1;
    }
    out[threadIdx.x] = threadIdx.x;
}

// rule: A struct may be copied and used member by member
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// expect: p == [*[0] * 46, 160, 64, *[0] * 64]
// expect: out == arange(32)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    const float* m[2] = {&p[1].mass[0], out};
    if (threadIdx.x == 0) p[1].mass[2] = 5;
    __syncthreads();
    out[threadIdx.x] = threadIdx.x + m[0][2] - 5;
}

// rule: A struct may be copied and used member by member
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// expect: out == arange(32)
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    Vec v[2];
    v[threadIdx.x % 2].x = threadIdx.x;
    out[threadIdx.x] = v[threadIdx.x % 2].x;
}

// rule: A failed launch leaves structs as they were
// launch: 1, 32, [zeros(112, uint8), zeros(32)]
// error: OutOfBoundsError thread=(4,0,0) block=(0,0,0)
// report: out-of-bounds write to p[4].mass[0]
// report: p has 4 elements, p[0] to p[3]
// report: hint: guard it, as in if (i < n): the grid has more threads than p has elements
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};

extern "C" __global__ void k(Particle* p, float* out)
{
    p[threadIdx.x].mass[0] = 1;  // <- here
    p[threadIdx.x + 2].mass[0] = 1;
}

// rule: A member of an element that moves is read at its address
// launch: 1, 4, [arange(24), zeros(4)], kernel="three"
// expect: out == [x[1::3][k : k + 4].sum() for k in range(4)]
// launch: 1, 4, [arange(32), zeros(4)], kernel="four"
// expect: out == [x[1::4][k : k + 4].sum() for k in range(4)]
// launch: 1, 4, [arange(24).view(uint8), zeros(4)], kernel="own"
// expect: out == [x.view(float32)[1::3][k : k + 4].sum() for k in range(4)]
struct Three {
    float x, y, z;
};
template <typename T> __device__ void sum(const T* e, float* out)
{
    for (int j = 0; j < 4; j++) out[threadIdx.x] += e[threadIdx.x + j].y;
}
extern "C" __global__ void three(const float3* x, float* out) { sum(x, out); }
extern "C" __global__ void four(const float4* x, float* out) { sum(x, out); }
extern "C" __global__ void own(const Three* x, float* out) { sum(x, out); }

// rule: A struct is passed as an array or scalar of its layout, as its bytes, or as a tuple of its members
// launch: 1, 1, [value, zeros(1)]
// memory: pair = dtype([("x", "f4"), ("y", "f4")])
// memory: particle = dtype([("position", pair), ("mass", "f4", 3), ("velocity", pair)])
// memory: value = zeros(28, uint8).view(particle)
// memory: value["mass"], value["velocity"]["y"] = [[1, 2, 3]], 10
// expect: out == 12
// launch: 1, 1, [value[0], zeros(1)]
// memory: pair = dtype([("x", "f4"), ("y", "f4")])
// memory: particle = dtype([("position", pair), ("mass", "f4", 3), ("velocity", pair)])
// memory: value = zeros(28, uint8).view(particle)
// memory: value["mass"], value["velocity"]["y"] = [[1, 2, 3]], 10
// expect: out == 12
// launch: 1, 1, [value.reshape(()), zeros(1)]
// memory: pair = dtype([("x", "f4"), ("y", "f4")])
// memory: particle = dtype([("position", pair), ("mass", "f4", 3), ("velocity", pair)])
// memory: value = zeros(28, uint8).view(particle)
// memory: value["mass"], value["velocity"]["y"] = [[1, 2, 3]], 10
// expect: out == 12
// launch: 1, 1, [value.tobytes(), zeros(1)]
// memory: pair = dtype([("x", "f4"), ("y", "f4")])
// memory: particle = dtype([("position", pair), ("mass", "f4", 3), ("velocity", pair)])
// memory: value = zeros(28, uint8).view(particle)
// memory: value["mass"], value["velocity"]["y"] = [[1, 2, 3]], 10
// expect: out == 12
// launch: 1, 1, [((0, 0), (1, 2, 3), (4, 10)), zeros(1)]
// expect: out == 12
struct Vec {
    float x, y;
};
struct Particle {
    Vec position;
    float mass[3];
    Vec velocity;
};
extern "C" __global__ void k(Particle p, float* out) { out[0] = p.mass[1] + p.velocity.y; }

// rule: A member behind a part that is copied does not make the part known
// launch: 1, 1, [zeros(1)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: two.first is read before it has a value
// report: members hold garbage until they are assigned
// report: hint: give it a value first: two.first = {};
struct Pair {
    float x, y;
};
struct Two {
    Pair first;
    float last;
};
extern "C" __global__ void k(float* out)
{
    Two two;
    two.last = 1;
    Pair pair = two.first;  // <- here
    out[0] = pair.x;
}

// rule: A struct of which any part is set may be copied
// launch: 1, 2, [zeros(2)]
// expect: out == 3
struct Pair {
    float x, y;
};
extern "C" __global__ void k(float* out)
{
    Pair pair, other;
    pair.y = 3;
    other = pair;
    out[threadIdx.x] = other.y;
}
