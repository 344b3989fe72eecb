#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

struct Item {
    int key, order;
};

template <typename V> void show(const char* name, const V& v) {
    printf("%s:", name);
    for (auto x : v) printf(" %d", (int)x);
    printf("\n");
}

template <typename T> std::enable_if_t<std::is_integral<T>::value, const char*> kind(T) { return "integer"; }
template <typename T> std::enable_if_t<std::is_floating_point_v<T>, const char*> kind(T) { return "real"; }

template <typename Op> int fold(const std::vector<int>& v, Op op) {
    return std::accumulate(v.begin() + 1, v.end(), v[0], op);
}

int main() {
    srand(5);
    std::vector<int> v(20), w, u;
    std::generate(v.begin(), v.end(), []() { return rand() % 50; });
    show("made", v);
    std::sort(v.begin(), v.end());
    show("sorted", v);
    std::sort(v.begin(), v.end(), std::greater<int>());
    show("down", v);
    std::sort(begin(v), end(v), [](int a, int b) { return a % 10 != b % 10 ? a % 10 < b % 10 : a < b; });
    show("by digit", v);
    std::vector<Item> items;
    for (int i = 0; i < 200; i++) items.push_back({rand() % 7, i});
    std::vector<Item> again = items;
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    for (auto& item : items) printf("%d/%d ", item.key, item.order);
    std::stable_sort(again.begin(), again.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    for (auto& item : again) printf("%d/%d ", item.key, item.order);
    printf("\n");
    std::transform(v.begin(), v.end(), std::back_inserter(w), [](int x) { return x * x; });
    show("squares", w);
    std::transform(v.begin(), v.end(), w.begin(), w.begin(), [](int a, int b) { return a + b + 1; });
    std::copy(w.begin(), w.end(), std::back_inserter(u));
    show("sums", u);
    std::reverse(u.begin(), u.end());
    show("back", u);
    u.erase(std::remove_if(u.begin(), u.end(), [](int x) { return x % 3 == 0; }), u.end());
    show("rest", u);
    u.insert(u.begin() + 1, 77);
    u.erase(u.begin());
    show("changed", u);
    printf("%d %d %d %d\n", *std::max_element(v.begin(), v.end()), *std::min_element(v.begin(), v.end()),
           (int)std::count(v.begin(), v.end(), v[3]), (int)(std::find(v.begin(), v.end(), v[4]) - v.begin()));
    printf("%d %d %d %d\n", fold(v, std::plus<int>()), fold(v, std::multiplies<>()), std::gcd(84, 36), std::lcm(4, 6));
    printf("%d %f\n", std::inner_product(v.begin(), v.end(), v.begin(), 0), std::accumulate(v.begin(), v.end(), 0.5));
    std::array<int, 5> a = {5, 4, 3, 2, 1};
    std::sort(a.begin(), a.end());
    a[0] = a.size();
    show("array", a);
    int plain[4] = {3, 1, 2, 0};
    std::sort(std::begin(plain), std::end(plain));
    std::partial_sum(plain, plain + 4, plain);
    show("plain", plain);
    std::pair<int, double> p = std::make_pair(3, 2.5), q(3, 3.5);
    std::swap(p, q);
    printf("%d %f %d\n", p.first, p.second, (int)(q < p));
    printf("%d %u %g %g %ld %d\n", std::numeric_limits<int>::max(), std::numeric_limits<unsigned>::max(),
           std::numeric_limits<float>::max(), std::numeric_limits<double>::epsilon(),
           std::numeric_limits<long>::min(), std::numeric_limits<float>::digits10);
    printf("%s %s %d %d\n", kind(3), kind(2.5f), (int)std::is_same<int, float>::value, (int)std::is_pointer_v<int*>);
    printf("%d %d %f\n", std::min<int>(3, 4.5), std::max(2, 7), std::pow<int, int>(2, 10));
    auto apply = [](auto f, auto x) { return f(x); };
    printf("%d %f\n", apply([](int x) { return x + 1; }, 2), apply([](double x) { return x / 2; }, 3));
    std::vector<std::string> names = {"pear", "apple", "fig"};
    std::sort(names.begin(), names.end());
    for (auto& name : names) printf("%s ", name.c_str());
    std::random_shuffle(v.begin(), v.end());
    show("shuffled", v);
    std::vector<int> lower(v.begin(), v.begin() + 5);
    std::fill_n(lower.begin(), 2, -1);
    show("part", lower);
    printf("%d %d\n", (int)std::is_sorted(v.begin(), v.end()), (int)std::equal(v.begin(), v.begin() + 5, lower.begin()));
    return 0;
}
