// <numeric>, for pointers and what can be used as one.
template <typename I, typename T> T accumulate(I first, I last, T sum) { while (first != last) sum = sum + *first++; return sum; }
template <typename I, typename T, typename F> T accumulate(I first, I last, T sum, F function) {
    while (first != last) sum = function(sum, *first++);
    return sum;
}
template <typename I, typename T> T reduce(I first, I last, T sum) { return accumulate(first, last, sum); }
template <typename I, typename T, typename F> T reduce(I first, I last, T sum, F function) {
    return accumulate(first, last, sum, function);
}
template <typename I> auto reduce(I first, I last) { return accumulate(first, last, *first - *first); }
template <typename I, typename T> void iota(I first, I last, T value) { while (first != last) *first++ = value++; }
template <typename I, typename J, typename T> T inner_product(I first, I last, J other, T sum) {
    while (first != last) sum = sum + *first++ * *other++;
    return sum;
}
template <typename I, typename O> O partial_sum(I first, I last, O to) {
    if (first == last) return to;
    auto sum = *first;
    *to++ = sum;
    while (++first != last) { sum = sum + *first; *to++ = sum; }
    return to;
}
template <typename I, typename O> O inclusive_scan(I first, I last, O to) { return partial_sum(first, last, to); }
template <typename I, typename O, typename T> O exclusive_scan(I first, I last, O to, T sum) {
    while (first != last) { T next = sum + *first++; *to++ = sum; sum = next; }
    return to;
}
template <typename T> T gcd(T a, T b) { while (b != 0) { T rest = a % b; a = b; b = rest; } return a < 0 ? -a : a; }
template <typename T> T lcm(T a, T b) { return a / gcd(a, b) * b; }
