// An order that makes std::sort compare as often as it can (M. D. McIlroy, "A killer adversary for quicksort", 1999), so
// that it ends as a heap sort; elements with equal keys show which steps it took.
#include <algorithm>
#include <cstdio>
#include <vector>

struct Item { int key, number; };

std::vector<int> against_sort(int n) {
    int open = n - 1, frozen = 0, candidate = 0;
    std::vector<int> value(n, open), order(n);
    for (int i = 0; i < n; i++) order[i] = i;
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        if (value[a] == open && value[b] == open) value[a == candidate ? a : b] = frozen++;
        if (value[a] == open) candidate = a;
        else if (value[b] == open) candidate = b;
        return value[a] < value[b];
    });
    return value;
}

int main() {
    for (int n : {100, 101, 257, 400}) {
        std::vector<int> keys = against_sort(n);
        std::vector<Item> items(n);
        for (int i = 0; i < n; i++) items[i] = {keys[i] / 3, i};
        std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
        printf("%d:", n);
        for (const Item& item : items) printf(" %d", item.number);
        printf("\n");
    }
    return 0;
}
