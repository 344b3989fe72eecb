// <random>: engines and distributions with libstdc++'s numbers, of real ones those before GCC 16.
#include <limits>
#include <type_traits>
#include "algorithm"
#include <vector>
#define __twister(name, word, N, M, R, A, U, D, S, B, T, C, L, F, bits)                                                \
    struct name {                                                                                                      \
        typedef unsigned long result_type;                                                                             \
        static const unsigned long default_seed = 5489;                                                                \
        unsigned long x[N];                                                                                            \
        int place;                                                                                                     \
        name() { seed(5489); }                                                                                         \
        name(unsigned long value) { seed(value); }                                                                     \
        void seed(unsigned long value = 5489) {                                                                        \
            unsigned long last = x[0] = value & word;                                                                  \
            for (int i = 1; i < N; i++) x[i] = last = (F * (last ^ last >> (bits - 2)) + i) & word;                    \
            place = N;                                                                                                 \
        }                                                                                                              \
        static constexpr unsigned long min() { return 0; }                                                             \
        static constexpr unsigned long max() { return word; }                                                          \
        unsigned long operator()() {                                                                                   \
            if (place >= N) { __twist(x, N, M, R, A, word); place = 0; }                                               \
            unsigned long z = x[place++];                                                                              \
            z ^= z >> U & D;                                                                                           \
            z ^= z << S & B;                                                                                           \
            z ^= z << T & C;                                                                                           \
            return z ^ z >> L;                                                                                         \
        }                                                                                                              \
        void discard(unsigned long long count) { while (count-- > 0) (*this)(); }                                      \
    };
inline void __twist(unsigned long* x, int n, int m, int r, unsigned long a, unsigned long word) {
    unsigned long lower = (1UL << r) - 1, upper = word & ~lower;
    for (int k = 0; k < n; k++) {
        unsigned long y = x[k] & upper | x[k + 1 < n ? k + 1 : 0] & lower;
        x[k] = x[k + m < n ? k + m : k + m - n] ^ y >> 1 ^ (y & 1 ? a : 0);
    }
}
__twister(mt19937, 0xffffffffUL, 624, 397, 31, 0x9908b0dfUL, 11, 0xffffffffUL, 7, 0x9d2c5680UL, 15, 0xefc60000UL, 18,
          1812433253UL, 32)
__twister(mt19937_64, 0xffffffffffffffffUL, 312, 156, 31, 0xb5026f5aa96619e9UL, 29, 0x5555555555555555UL, 17,
          0x71d67fffeda60000UL, 37, 0xfff7eee000000000UL, 43, 6364136223846793005UL, 64)
template <unsigned long A, unsigned long M> struct __linear_engine {
    typedef unsigned long result_type;
    unsigned long x;
    __linear_engine() { seed(1); }
    __linear_engine(unsigned long value) { seed(value); }
    void seed(unsigned long value = 1) { x = value % M == 0 ? 1 : value % M; }
    static constexpr unsigned long min() { return 1; }
    static constexpr unsigned long max() { return M - 1; }
    unsigned long operator()() { return x = x * A % M; }
    void discard(unsigned long long count) { while (count-- > 0) (*this)(); }
};
typedef __linear_engine<16807, 2147483647> minstd_rand0;
typedef __linear_engine<48271, 2147483647> minstd_rand;
typedef minstd_rand0 default_random_engine;
struct random_device {
    typedef unsigned result_type;
    static constexpr unsigned min() { return 0; }
    static constexpr unsigned max() { return 4294967295u; }
    unsigned operator()() { return __random_device(); }
    double entropy() const { return 0; }
};
struct seed_seq { int none; };
template <typename T, size_t bits, typename G> T generate_canonical(G& engine) {
    double range = (double)G::max() - (double)G::min() + 1;
    size_t known = 0, digits = numeric_limits<T>::digits;
    for (double power = 2; power <= range; power *= 2) known++;
    size_t rounds = ((bits < digits ? bits : digits) + known - 1) / known;
    T sum = 0, scale = 1;
    for (size_t k = rounds < 1 ? 1 : rounds; k != 0; k--) {
        sum += (T)(engine() - G::min()) * scale;
        scale = (T)(scale * range);
    }
    T result = sum / scale;
    return result < 1 ? result : 1 - numeric_limits<T>::epsilon() / 2;
}
template <typename T = double> struct uniform_real_distribution {
    T low, high;
    uniform_real_distribution(T a = 0, T b = 1) { low = a; high = b; }
    template <typename G> T operator()(G& engine) {
        return generate_canonical<T, numeric_limits<T>::digits>(engine) * (high - low) + low;
    }
    T a() const { return low; }
    T b() const { return high; }
    T min() const { return low; }
    T max() const { return high; }
    void reset() {}
};
template <typename G> unsigned long __below(G& engine, unsigned long range) {  // range 0: of all numbers of 64 bits
    unsigned long known = G::max() - G::min();
    if (known == 0xffffffffffffffffUL) {
        if (range == 0) return engine();
        unsigned long x = engine(), low = x * range, high = __umul64hi(x, range);
        if (low < range)
            for (unsigned long least = -range % range; low < least; high = __umul64hi(x, range)) { x = engine(); low = x * range; }
        return high;
    }
    if (range == 0 || known < range - 1) {
        unsigned long parts = known + 1, sum, before;
        do {
            before = parts * __below(engine, (range - 1) / parts + 1);
            sum = before + (engine() - G::min());
        } while (sum > range - 1 || sum < before);
        return sum;
    }
    if (known == range - 1) return engine() - G::min();
    if (known == 0xffffffffUL) {
        unsigned long product = engine() * range;
        unsigned low = (unsigned)product, small = (unsigned)range;
        if (low < small)
            for (unsigned least = -small % small; low < least; low = (unsigned)product) product = engine() * range;
        return product >> 32;
    }
    unsigned long scale = known / range, x;
    do x = engine() - G::min(); while (x >= range * scale);
    return x / scale;
}
template <typename T = int> struct uniform_int_distribution {
    T low, high;
    uniform_int_distribution(T a = 0, T b = numeric_limits<T>::max()) { low = a; high = b; }
    template <typename G> T operator()(G& engine) {
        return (T)(__below(engine, (unsigned long)high - (unsigned long)low + 1) + (unsigned long)low);
    }
    T a() const { return low; }
    T b() const { return high; }
    T min() const { return low; }
    T max() const { return high; }
    void reset() {}
};
template <typename T = double> struct normal_distribution {
    T mean_, deviation, saved;
    bool available;
    normal_distribution(T mean = 0, T stddev = 1) { mean_ = mean; deviation = stddev; saved = 0; available = false; }
    template <typename G> T operator()(G& engine) {
        T result;
        if (available) {
            available = false;
            result = saved;
        } else {
            T x, y, square;
            do {
                x = (T)((T)2.0 * generate_canonical<T, numeric_limits<T>::digits>(engine) - 1.0);
                y = (T)((T)2.0 * generate_canonical<T, numeric_limits<T>::digits>(engine) - 1.0);
                square = x * x + y * y;
            } while (square > 1.0 || square == 0.0);
            T factor = sqrt(-2 * log(square) / square);
            saved = x * factor;
            available = true;
            result = y * factor;
        }
        return result * deviation + mean_;
    }
    T mean() const { return mean_; }
    T stddev() const { return deviation; }
    void reset() { available = false; }
};
template <typename T = double> struct exponential_distribution {
    T rate;
    exponential_distribution(T lambda = 1) { rate = lambda; }
    template <typename G> T operator()(G& engine) {
        return -log((T)1 - generate_canonical<T, numeric_limits<T>::digits>(engine)) / rate;
    }
};
struct bernoulli_distribution {
    double chance;
    bernoulli_distribution(double p = 0.5) { chance = p; }
    template <typename G> bool operator()(G& engine) { return generate_canonical<double, 53>(engine) < chance; }
    double p() const { return chance; }
};
template <typename I, typename G> void shuffle(I first, I last, G& engine) {
    if (first == last) return;
    unsigned long known = G::max() - G::min(), count = last - first;
    I i = first + 1;
    if (known / count < count) {
        for (; i != last; ++i) swap(*i, first[__below(engine, i - first + 1)]);
        return;
    }
    if (count % 2 == 0) { swap(*i, first[__below(engine, 2)]); ++i; }
    while (i != last) {
        unsigned long range = i - first + 1, both = __below(engine, range * (range + 1));
        swap(*i, first[both / (range + 1)]);
        ++i;
        swap(*i, first[both % (range + 1)]);
        ++i;
    }
}
