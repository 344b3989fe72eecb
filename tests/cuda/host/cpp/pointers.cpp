#include <climits>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

template <class T> struct Limits {
    static T lowest() { return T(-128); }
    static const int bits = 8 * sizeof(T);
};

// Which comparisons of a pointer with the null pointer hold, whichever side it stands on.
int compared(const int* p) {
    return (p == NULL) | (NULL == p) << 1 | (p != 0) << 2 | (0 != p) << 3 | (nullptr == p) << 4 | (p != nullptr) << 5
        | !p << 6 | (p ? 1 : 0) << 7;
}

int main() {
    int one = 1, many[5] = {INT_MIN + 1, 7, -7, 0, 12}, sum = 0;
    printf("%d %d %d\n", compared(NULL), compared(&one), compared(many + 5));
    printf("%d %d %d\n", Limits<short>::lowest(), Limits<double>::bits, (int)Limits<signed char>::lowest());
    for (int i = 0; i < 3000; i++) sum += many[i % 5] / (i % 2 ? -1 : 3) - many[i % 5] % (i % 3 ? 5 : -1);
    int* zeros = (int*)calloc(6, sizeof(int));
    for (int i = 0; i < 6; i++) sum += zeros[i];
    printf("%d %d %d %lld\n", sum, ~(sum > 3), ~sum, ~(long long)sum);
    free(zeros);
}
