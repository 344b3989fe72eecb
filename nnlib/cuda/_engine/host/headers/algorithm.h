// <algorithm>, for pointers and what can be used as one.
#include <functional>
#include "bits/stl_algobase.h"
#include "numeric"
template <typename I> auto __value(I place) { return *place; }
template <typename I, typename N, typename O> O copy_n(I first, N count, O to) {
    for (N i = 0; i < count; i++) *to++ = *first++;
    return to;
}
template <typename I, typename O, typename F> O copy_if(I first, I last, O to, F test) {
    for (; first != last; ++first) if (test(*first)) *to++ = *first;
    return to;
}
template <typename I, typename F> void generate(I first, I last, F function) { while (first != last) *first++ = function(); }
template <typename I, typename N, typename F> I generate_n(I first, N count, F function) {
    for (N i = 0; i < count; i++) *first++ = function();
    return first;
}
template <typename I, typename O, typename F> O transform(I first, I last, O to, F function) {
    while (first != last) *to++ = function(*first++);
    return to;
}
template <typename I, typename J, typename O, typename F> O transform(I first, I last, J second, O to, F function) {
    while (first != last) *to++ = function(*first++, *second++);
    return to;
}
template <typename I, typename F> F for_each(I first, I last, F function) {
    for (; first != last; ++first) function(*first);
    return function;
}
template <typename I, typename T> I find(I first, I last, const T& value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <typename I, typename F> I find_if(I first, I last, F test) {
    while (first != last && !test(*first)) ++first;
    return first;
}
template <typename I, typename T> long count(I first, I last, const T& value) {
    long found = 0;
    for (; first != last; ++first) found += *first == value;
    return found;
}
template <typename I, typename F> long count_if(I first, I last, F test) {
    long found = 0;
    for (; first != last; ++first) found += test(*first) ? 1 : 0;
    return found;
}
template <typename I, typename F> bool all_of(I first, I last, F test) {
    for (; first != last; ++first) if (!test(*first)) return false;
    return true;
}
template <typename I, typename F> bool any_of(I first, I last, F test) {
    for (; first != last; ++first) if (test(*first)) return true;
    return false;
}
template <typename I, typename F> bool none_of(I first, I last, F test) { return !any_of(first, last, test); }
template <typename I, typename F> I max_element(I first, I last, F less) {
    I best = first;
    for (; first != last; ++first) if (less(*best, *first)) best = first;
    return best;
}
template <typename I> I max_element(I first, I last) {
    return max_element(first, last, [](const auto& a, const auto& b) { return a < b; });
}
template <typename I, typename F> I min_element(I first, I last, F less) {
    return max_element(first, last, [less](const auto& a, const auto& b) { return less(b, a); });
}
template <typename I> I min_element(I first, I last) {
    return max_element(first, last, [](const auto& a, const auto& b) { return b < a; });
}
template <typename T> T clamp(const T& x, const T& low, const T& high) { return x < low ? low : high < x ? high : x; }
template <typename I> void reverse(I first, I last) { while (first < last) swap(*first++, *--last); }
template <typename I, typename T> I remove(I first, I last, const T& value) {
    I to = first;
    for (; first != last; ++first) if (!(*first == value)) *to++ = *first;
    return to;
}
template <typename I, typename F> I remove_if(I first, I last, F test) {
    I to = first;
    for (; first != last; ++first) if (!test(*first)) *to++ = *first;
    return to;
}
template <typename I> I unique(I first, I last) {
    if (first == last) return last;
    I to = first;
    while (++first != last) if (!(*to == *first)) *++to = *first;
    return to + 1;
}
template <typename I, typename T> I upper_bound(I first, I last, const T& value) {
    return lower_bound(first, last, value, [](const T& a, const T& b) { return !(b < a); });
}
template <typename I, typename T> bool binary_search(I first, I last, const T& value) {
    I found = lower_bound(first, last, value);
    return found != last && !(value < *found);
}
template <typename I> bool is_sorted(I first, I last) {
    for (; last - first > 1; ++first) if (first[1] < first[0]) return false;
    return true;
}
// sort as libstdc++ does it, so that equal elements end in the same order.
template <typename I, typename T, typename F> void __push_heap(I first, long hole, long top, T value, F less) {
    for (long parent = (hole - 1) / 2; hole > top && less(first[parent], value); parent = (hole - 1) / 2) {
        first[hole] = first[parent];
        hole = parent;
    }
    first[hole] = value;
}
template <typename I, typename T, typename F> void __adjust_heap(I first, long hole, long count, T value, F less) {
    long top = hole, child = hole;
    while (child < (count - 1) / 2) {
        child = 2 * (child + 1);
        if (less(first[child], first[child - 1])) child--;
        first[hole] = first[child];
        hole = child;
    }
    if (count % 2 == 0 && child == (count - 2) / 2) {
        child = 2 * (child + 1);
        first[hole] = first[child - 1];
        hole = child - 1;
    }
    __push_heap(first, hole, top, value, less);
}
template <typename I, typename F> void __heap_sort(I first, I last, F less) {
    long count = last - first;
    for (long parent = (count - 2) / 2; count > 1 && parent >= 0; parent--)
        __adjust_heap(first, parent, count, __value(first + parent), less);
    while (last - first > 1) {
        --last;
        auto value = *last;
        *last = *first;
        __adjust_heap(first, 0L, (long)(last - first), value, less);
    }
}
template <typename I, typename F> I __partition(I first, I last, F less) {
    I a = first + 1, b = first + (last - first) / 2, c = last - 1;
    if (less(*a, *b)) { if (less(*b, *c)) swap(*first, *b); else if (less(*a, *c)) swap(*first, *c); else swap(*first, *a); }
    else if (less(*a, *c)) swap(*first, *a);
    else if (less(*b, *c)) swap(*first, *c);
    else swap(*first, *b);
    for (I low = first + 1, high = last;; ++low) {
        while (less(*low, *first)) ++low;
        --high;
        while (less(*first, *high)) --high;
        if (!(low < high)) return low;
        swap(*low, *high);
    }
}
template <typename I, typename F> void __insertion_sort(I first, I last, F less) {
    for (I i = first + 1; i != last; ++i) {
        auto value = *i;
        I hole = i;
        if (less(value, *first)) for (; hole != first; --hole) *hole = *(hole - 1);
        else for (; less(value, *(hole - 1)); --hole) *hole = *(hole - 1);
        *hole = value;
    }
}
template <typename I, typename F> void __quick_sort(I first, I last, int depth, F less) {
    while (last - first > 16) {
        if (depth-- == 0) { __heap_sort(first, last, less); return; }
        I cut = __partition(first, last, less);
        __quick_sort(cut, last, depth, less);
        last = cut;
    }
}
template <typename I, typename F> void sort(I first, I last, F less) {
    int depth = 0;
    for (long n = last - first; n > 1; n /= 2) depth += 2;
    if (first == last) return;
    __quick_sort(first, last, depth, less);
    __insertion_sort(first, last, less);
}
template <typename I> void sort(I first, I last) {
    sort(first, last, [](auto a, auto b) { return a < b; });
}
#define __quick(type) inline void sort(type* first, type* last) { __sort(first, last - first); }
__quick(char) __quick(unsigned char) __quick(short) __quick(unsigned short) __quick(int) __quick(unsigned)
__quick(long) __quick(unsigned long) __quick(float) __quick(double)
template <typename I, typename F> void stable_sort(I first, I last, F less) {
    for (I i = first; i != last; ++i) {
        auto value = *i;
        I hole = i;
        for (; hole != first && less(value, *(hole - 1)); --hole) *hole = *(hole - 1);
        *hole = value;
    }
}
template <typename I> void stable_sort(I first, I last) { sort(first, last); }
template <typename I> void partial_sort(I first, I middle, I last) { sort(first, last); }
template <typename I, typename F> void partial_sort(I first, I middle, I last, F less) { sort(first, last, less); }
template <typename I> void nth_element(I first, I nth, I last) { sort(first, last); }
template <typename I, typename F> void nth_element(I first, I nth, I last, F less) { sort(first, last, less); }
template <typename I> void random_shuffle(I first, I last) {
    for (I i = first; i != last && ++i != last;) {
        I j = first + rand() % ((i - first) + 1);
        if (i != j) swap(*i, *j);
    }
}
