// Of <algorithm> and <numeric>, what teaching programs use, for pointers.
template <typename T, typename U> void fill(T* first, T* last, const U& value) { while (first != last) *first++ = value; }
template <typename T, typename U> void fill_n(T* first, size_t count, const U& value) {
    for (size_t i = 0; i < count; i++) first[i] = value;
}
template <typename T> void copy(const T* first, const T* last, T* to) { while (first != last) *to++ = *first++; }
template <typename T, typename F> void generate(T* first, T* last, F function) {
    while (first != last) *first++ = function();
}
template <typename T, typename U> U accumulate(const T* first, const T* last, U sum) {
    while (first != last) sum = sum + *first++;
    return sum;
}
template <typename T, typename U> void iota(T* first, T* last, U value) { while (first != last) *first++ = value++; }
