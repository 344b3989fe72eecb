// Struct templates: deduced, nested, with types and numbers inside.

template <typename T, int N> struct Vec {
    T v[N];
    __device__ T& operator[](int i) {
        return v[i];
    }
    __device__ const T& operator[](int i) const {
        return v[i];
    }
    static const int size = N;
    typedef T value_type;
    __device__ Vec operator+(const Vec& o) const {
        Vec r;
        for (int i = 0; i < N; i++) r[i] = v[i] + o[i];
        return r;
    }
};
template <typename T, int N> __device__ T dot(const Vec<T, N>& a, const Vec<T, N>& b) {
    T s = 0;
    for (int i = 0; i < N; i++) s += a[i] * b[i];
    return s;
}
template <typename V> __device__ typename V::value_type sum(const V& v) {
    typename V::value_type s = 0;
    for (int i = 0; i < V::size; i++) s += v[i];
    return s;
}
template <typename K, typename W> struct Pair {
    K first;
    W second;
};
template <typename K, typename W> __device__ Pair<K, W> mkp(K k, W w) {
    return {k, w};
}
extern "C" __global__ void templates(float* x, int* p) {
    Vec<float, 3> a = {{x[0], x[1], x[2]}}, b{{1, 2, 3}};
    Vec<int, 5> c = {};
    for (int i = 0; i < 5; i++) c[i] = p[i] * i;
    Vec<float, 3> d = a + b + a;
    x[0] = dot(a, d);
    p[0] = sum(c);
    x[1] = sum(d);
    Vec<Vec<int, 2>, 2> m;
    m[0][1] = 3;
    m[1] = m[0];
    p[1] = m[1][1];
    auto q = mkp(2, 1.5f);
    x[2] = q.first * q.second;
    Pair<int, Pair<char, double>> z = {1, {'a', 2.5}};
    x[3] = z.second.second + z.second.first;
}
