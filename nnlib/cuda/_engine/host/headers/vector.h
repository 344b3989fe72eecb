// std::vector, as far as teaching programs use it. Copies are made by the host's lowering: see ExpressionLowering.load.
#include "initializer_list.h"
#include "iterator"
#include "algorithm"
template <typename T> struct vector {
    T* first;
    size_t count, room;
    vector() { first = NULL; count = room = 0; }
    vector(size_t n) { reserve_(n); for (size_t i = 0; i < n; i++) first[i] = T(); count = n; }
    vector(size_t n, const T& value) { reserve_(n); for (size_t i = 0; i < n; i++) first[i] = value; count = n; }
    vector(const T* from, const T* to) {
        reserve_(to - from);
        for (count = 0; from != to; count++) first[count] = *from++;
    }
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
    template <typename I> void assign(I from, I to) { count = 0; while (from != to) push_back(*from++); }
    template <typename I> T* insert(T* place, I from, I to) {
        size_t k = place - first, n = to - from;
        resize(count + n);
        for (size_t i = count; i-- > k + n;) first[i] = first[i - n];
        for (size_t i = 0; i < n; i++) first[k + i] = from[i];
        return first + k;
    }
    T* insert(T* place, const T& value) {
        size_t k = place - first;
        push_back(value);
        for (size_t i = count - 1; i > k; i--) first[i] = first[i - 1];
        first[k] = value;
        return first + k;
    }
    T* erase(T* from, T* to) {
        T* rest = from;
        for (T* i = to; i != end(); i++) *rest++ = *i;
        count -= to - from;
        return from;
    }
    T* erase(T* place) { return erase(place, place + 1); }
    void swap(vector<T>& other) {
        T* place = exchange(first, other.first);
        size_t size = exchange(count, other.count), room_ = exchange(room, other.room);
        other.first = place; other.count = size; other.room = room_;
    }
    void emplace_back(const T& value) { push_back(value); }
    void shrink_to_fit() {}
    size_t capacity() const { return room; }
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
    const T& at(size_t i) const { return first[i]; }
    const T& front() const { return first[0]; }
    const T& back() const { return first[count - 1]; }
    const T* cbegin() const { return first; }
    const T* cend() const { return first + count; }
    reverse_iterator<T> rbegin() { return reverse_iterator<T>(first + count); }
    reverse_iterator<T> rend() { return reverse_iterator<T>(first); }
    T* begin() { return first; }
    T* end() { return first + count; }
    const T* begin() const { return first; }
    const T* end() const { return first + count; }
};
template <typename T> bool operator==(const vector<T>& a, const vector<T>& b) {
    return a.count == b.count && equal(a.begin(), a.end(), b.begin());
}
template <typename T> bool operator!=(const vector<T>& a, const vector<T>& b) { return !(a == b); }
