// What <string>, <vector> and <iostream> bring of <algorithm>, as in libstdc++.
#include <utility>
template <typename I, typename T> void fill(I first, I last, const T& value) { while (first != last) *first++ = value; }
template <typename I, typename N, typename T> I fill_n(I first, N count, const T& value) {
    for (N i = 0; i < count; i++) *first++ = value;
    return first;
}
template <typename I, typename O> O copy(I first, I last, O to) { while (first != last) *to++ = *first++; return to; }
template <typename I, typename J> bool equal(I first, I last, J other) {
    for (; first != last; ++first, ++other) if (!(*first == *other)) return false;
    return true;
}
template <typename I, typename J, typename F> bool equal(I first, I last, J other, F same) {
    for (; first != last; ++first, ++other) if (!same(*first, *other)) return false;
    return true;
}
template <typename I> void iter_swap(I a, I b) { swap(*a, *b); }
template <typename I, typename T, typename F> I lower_bound(I first, I last, const T& value, F less) {
    for (long n = last - first; n > 0;) {
        if (less(first[n / 2], value)) { first += n / 2 + 1; n -= n / 2 + 1; } else n /= 2;
    }
    return first;
}
template <typename I, typename T> I lower_bound(I first, I last, const T& value) {
    return lower_bound(first, last, value, [](const T& a, const T& b) { return a < b; });
}
