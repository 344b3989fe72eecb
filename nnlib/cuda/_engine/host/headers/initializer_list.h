// std::initializer_list: what {a, b, c} is to a constructor that takes one.
template <typename T> struct initializer_list {
    const T* first;
    size_t count;
    const T* begin() const { return first; }
    const T* end() const { return first + count; }
    size_t size() const { return count; }
};
