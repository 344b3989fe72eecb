// <unordered_map>: a map; nobody may rely on the order of its entries.
#include "map"
template <typename K, typename V> using unordered_map = map<K, V>;
