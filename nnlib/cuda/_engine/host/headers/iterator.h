// <iterator>: begin, end, distance, back_inserter.
template <typename C> auto begin(C& all) { return all.begin(); }
template <typename C> auto end(C& all) { return all.end(); }
template <typename C> auto cbegin(const C& all) { return all.begin(); }
template <typename C> auto cend(const C& all) { return all.end(); }
template <typename C> size_t size(const C& all) { return all.size(); }
template <typename T, size_t N> T* begin(T (&all)[N]) { return all; }
template <typename T, size_t N> T* end(T (&all)[N]) { return all + N; }
template <typename T, size_t N> size_t size(T (&all)[N]) { return N; }
template <typename I> long distance(I first, I last) { return last - first; }
template <typename I> I next(I place, long n = 1) { return place + n; }
template <typename I> I prev(I place, long n = 1) { return place - n; }
template <typename I> void advance(I& place, long n) { place += n; }
template <typename C> struct back_insert_iterator {
    C* all;
    back_insert_iterator(C& c) { all = &c; }
    template <typename T> back_insert_iterator& operator=(const T& value) { all->push_back(value); return *this; }
    back_insert_iterator& operator*() { return *this; }
    back_insert_iterator& operator++() { return *this; }
    back_insert_iterator& operator++(int) { return *this; }
};
template <typename C> back_insert_iterator<C> back_inserter(C& all) { return back_insert_iterator<C>(all); }
template <typename T> struct reverse_iterator {
    T* place;
    reverse_iterator(T* behind) { place = behind; }
    T& operator*() const { return place[-1]; }
    T& operator[](long i) const { return place[-1 - i]; }
    reverse_iterator& operator++() { place--; return *this; }
    reverse_iterator& operator--() { place++; return *this; }
    reverse_iterator operator++(int) { reverse_iterator old(place); place--; return old; }
    reverse_iterator operator+(long n) const { return reverse_iterator(place - n); }
    reverse_iterator operator-(long n) const { return reverse_iterator(place + n); }
    long operator-(const reverse_iterator& other) const { return other.place - place; }
    bool operator==(const reverse_iterator& other) const { return place == other.place; }
    bool operator!=(const reverse_iterator& other) const { return place != other.place; }
    bool operator<(const reverse_iterator& other) const { return place > other.place; }
};
