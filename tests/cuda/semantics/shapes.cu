// A tagged union, a stack, a random number generator.

enum Kind {
    CIRCLE, RECT
};
struct Shape {
    Kind kind;
    union {
        struct {
            float r;
        } c;
        struct {
            float w, h;
        } q;
    };
};
__device__ float area(const Shape& s) {
    switch (s.kind) {
        case CIRCLE: return 3.0f * s.c.r * s.c.r;
        case RECT: return s.q.w * s.q.h;
    }
    return 0;
}
class Stack {
    int data[8];
    int top;
    public: __device__ Stack() : top(0) {
    }
    __device__ void push(int v) {
        data[top++] = v;
    }
    __device__ int pop() {
        return data[--top];
    }
    __device__ bool empty() const {
        return top == 0;
    }
};
class Rng {
    unsigned s;
    public: __device__ Rng(unsigned seed) : s(seed) {
    }
    __device__ unsigned next() {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        return s;
    }
    __device__ float uniform() {
        return next() * 2.3283064e-10f;
    }
};
extern "C" __global__ void shapes(float* x, int* p) {
    Shape s[2];
    s[0].kind = CIRCLE;
    s[0].c.r = 2;
    s[1].kind = RECT;
    s[1].q.w = 3;
    s[1].q.h = x[3];
    for (int i = 0; i < 2; i++) x[i] = area(s[i]);
    Stack st;
    for (int i = 0; i < 5; i++) st.push(p[i]);
    int n = 0;
    while (!st.empty()) p[n++] = st.pop() * 2;
    Rng r(1234);
    p[20] = r.next();
    x[5] = r.uniform();
    Rng q = r;
    p[21] = q.next() == r.next();
}
