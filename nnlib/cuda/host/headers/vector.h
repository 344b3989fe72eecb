// std::vector, as far as teaching programs use it. Copies are made by the host's lowering: see ExpressionLowering.load.
#include "initializer_list.h"
template <typename T> struct vector {
    T* first;
    size_t count, room;
    vector() { first = NULL; count = room = 0; }
    vector(size_t n) { reserve_(n); for (size_t i = 0; i < n; i++) first[i] = T(); count = n; }
    vector(size_t n, const T& value) { reserve_(n); for (size_t i = 0; i < n; i++) first[i] = value; count = n; }
    vector(initializer_list<T> list) {
        reserve_(list.size());
        for (size_t i = 0; i < list.size(); i++) first[i] = list.first[i];
        count = room;
    }
    void reserve_(size_t n) { first = (T*)malloc(n * sizeof(T)); room = n; count = 0; }
    void reserve(size_t n) {
        if (n > room) { first = (T*)realloc(first, n * sizeof(T)); room = n; }
    }
    void resize(size_t n) {
        reserve(n);
        for (size_t i = count; i < n; i++) first[i] = T();
        count = n;
    }
    void resize(size_t n, const T& value) {
        reserve(n);
        for (size_t i = count; i < n; i++) first[i] = value;
        count = n;
    }
    void assign(size_t n, const T& value) { count = 0; resize(n, value); }
    void push_back(const T& value) {
        if (count == room) reserve(room ? 2 * room : 1);
        first[count++] = value;
    }
    void pop_back() { count--; }
    void clear() { count = 0; }
    size_t size() const { return count; }
    bool empty() const { return count == 0; }
    T* data() { return first; }
    const T* data() const { return first; }
    T& operator[](size_t i) { return first[i]; }
    const T& operator[](size_t i) const { return first[i]; }
    T& at(size_t i) { return first[i]; }
    T& front() { return first[0]; }
    T& back() { return first[count - 1]; }
    T* begin() { return first; }
    T* end() { return first + count; }
    const T* begin() const { return first; }
    const T* end() const { return first + count; }
};
