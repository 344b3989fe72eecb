// Lambdas by value and by reference, functors with a state, range-for.

template <typename F> __device__ float each(float* x, int n, F f) {
    float s = 0;
    for (int i = 0; i < n; i++) s += f(x[i], i);
    return s;
}
struct Acc {
    float t = 0;
    __device__ void operator()(float v) {
        t += v;
    }
};
template <typename F> __device__ void visit(float* x, F& f) {
    for (int i = 0; i < 3; i++) f(x[i]);
}
extern "C" __global__ void lambdas(float* x, int* p) {
    float scale = 2;
    int count = 0;
    auto f = [=](float v, int i) {
        return v * scale + i;
    };
    scale = 100;
    x[0] = each(x, 5, f);
    auto g = [&](float v, int i) {
        count += i;
        scale = v;
        return v;
    };
    x[1] = each(x, 4, g);
    p[0] = count;
    x[2] = scale;
    auto sq = [](float v) {
        return v * v;
    };
    auto two = [sq](float v) {
        return sq(sq(v));
    };
    x[3] = two(x[9]);
    Acc acc;
    visit(x + 5, acc);
    x[4] = acc.t;
    int arr[4] = {1, 2, 3, 4};
    for (int v : arr) p[1] += v;
    for (auto& v : arr) v *= 2;
    for (const auto& v : arr) p[2] += v;
    auto h = [&arr](int i) -> int& {
        return arr[i];
    };
    h(2) = 50;
    p[3] = arr[2];
}
