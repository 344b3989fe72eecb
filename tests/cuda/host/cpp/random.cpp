#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

template <typename E> void engine(const char* name, E e) {
    printf("%s:", name);
    for (int i = 0; i < 5; i++) printf(" %lu", (unsigned long)e());
    e.discard(700);
    printf(" %lu\n", (unsigned long)e());
}

template <typename E> void distributions(unsigned seed) {
    E e(seed);
    std::uniform_int_distribution<int> die(1, 6), wide;
    std::uniform_int_distribution<> narrow(-1000000000, 1000000000);
    std::uniform_int_distribution<unsigned long long> longest(0, 1ULL << 62);
    std::uniform_int_distribution<unsigned long long> all(0, ~0ULL);
    std::uniform_real_distribution<float> f(-1.0f, 1.0f);
    std::uniform_real_distribution<double> d(0.0, 10.0);
    std::normal_distribution<float> nf(0.0f, 1.0f);
    std::normal_distribution<double> nd(5.0, 2.0);
    std::bernoulli_distribution coin(0.3);
    std::exponential_distribution<double> wait(2.0);
    for (int i = 0; i < 6; i++) {
        printf("%d ", die(e));
        printf("%d ", wide(e));
        printf("%d ", narrow(e));
        printf("%llu ", longest(e));
        printf("%llu ", all(e));
        printf("%.9g ", f(e));
        printf("%.17g ", d(e));
        printf("%.9g ", nf(e));
        printf("%.17g ", nd(e));
        printf("%d ", (int)coin(e));
        printf("%.17g\n", wait(e));
    }
    std::vector<int> v(37);
    std::iota(v.begin(), v.end(), 0);
    std::shuffle(v.begin(), v.end(), e);
    for (int x : v) printf("%d ", x);
    printf("\n");
}

int main() {
    engine("mt19937", std::mt19937(42));
    engine("mt19937", std::mt19937());
    engine("mt19937_64", std::mt19937_64(7));
    engine("minstd_rand0", std::minstd_rand0(1));
    engine("minstd_rand", std::minstd_rand(0));
    engine("default", std::default_random_engine());
    distributions<std::mt19937>(1);
    distributions<std::mt19937_64>(2);
    distributions<std::default_random_engine>(3);
    std::random_device device;
    std::mt19937 seeded(device());
    printf("%d\n", (int)(seeded() > seeded.max()));
    return 0;
}
