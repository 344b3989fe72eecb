// Constants, enums and types inside of structs; templates that count.

struct K {
    static const int N = 4;
    enum {
        M = 2 * N
    };
    enum class Col : unsigned char {
        R = 3, G
    };
    static constexpr float F = 1.5f;
    int a[N];
    __device__ static int sum(const K& k) {
        int s = 0;
        for (int i = 0; i < N; i++) s += k.a[i];
        return s;
    }
    struct In {
        float q;
        __device__ float f() const {
            return q * F2;
        }
        static constexpr float F2 = 2.0f;
    };
    In in;
    Col col;
};
template <int N> struct Fib {
    static const int v = Fib<N - 1>::v + Fib<N - 2>::v;
};
template <> struct Fib<1> {
    static const int v = 1;
};
template <> struct Fib<0> {
    static const int v = 0;
};
enum E {
    E0, E1 = 5, E2
};
typedef enum {
    X = 1, Y
} XY;
extern "C" __global__ void statics(float* x, int* p) {
    K k = {{1, 2, 3}, {x[0]}, K::Col::G};
    p[0] = K::sum(k) + K::M;
    x[0] = k.in.f() + K::F;
    p[1] = (int)k.col;
    p[2] = k.col == K::Col::G;
    switch (k.col) {
        case K::Col::R: p[3] = 1;
        break;
        case K::Col::G: p[3] = 2;
    }
    p[4] = Fib<10>::v;
    E e = E2;
    XY y = Y;
    p[5] = e + y + sizeof(K) + sizeof(K::Col);
    K::In i;
    i.q = 3;
    x[1] = i.f();
    K::In* q = &k.in;
    q->q++;
    x[2] = k.in.q;
    p[6] = E::E1;
}
