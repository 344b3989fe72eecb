#include <cstdio>

template <class T> T half_of(T x) { return x / 2; }
float half_of(float x) { return -x; }
double half_of(double x) { return 100 * x; }

int picked(int x) { return 2 * x; }
double picked(double x) { return x / 4; }
int apply(int (*f)(int), int x) { return f(x); }
template <typename T, int N = 3> T times(T x) { return N * x; }

int main() {
    printf("%g %g %d %d %g\n", half_of(3.0f), half_of<float>(3.0f), half_of(7), half_of<int>(7.9), half_of(5.0));
    int (*whole)(int) = picked;
    double (*real)(double) = picked;
    printf("%d %g %d\n", whole(21), real(10), apply(picked, 4));
    auto thrice = times<float>;
    whole = times<int, 5>;
    int (*all[])(int) = {times<int>, whole};
    printf("%g %d %d %d\n", thrice(1.5f), apply(times<int, 2>, 4), all[0](7), all[1](7));
}
