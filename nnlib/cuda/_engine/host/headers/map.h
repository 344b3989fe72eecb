// <map>: the entries in the order of their keys.
#include <functional>
#include <utility>
#include "vector"
template <typename K, typename V> struct map {
    typedef pair<K, V>* iterator;
    typedef pair<K, V> value_type;
    vector<pair<K, V>> entries;
    size_t size() const { return entries.size(); }
    bool empty() const { return entries.size() == 0; }
    void clear() { entries.clear(); }
    pair<K, V>* begin() { return entries.begin(); }
    pair<K, V>* end() { return entries.end(); }
    const pair<K, V>* begin() const { return entries.begin(); }
    const pair<K, V>* end() const { return entries.end(); }
    size_t place_(const K& key) const {
        size_t low = 0, high = entries.size();
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (entries[middle].first < key) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    bool has_(size_t place, const K& key) const { return place < entries.size() && !(key < entries[place].first); }
    size_t count(const K& key) const { return has_(place_(key), key); }
    pair<K, V>* find(const K& key) {
        size_t place = place_(key);
        return has_(place, key) ? begin() + place : end();
    }
    V& operator[](const K& key) {
        size_t place = place_(key);
        if (!has_(place, key)) {
            entries.push_back(pair<K, V>(key, V()));
            for (size_t k = entries.size() - 1; k > place; k--) swap(entries[k], entries[k - 1]);
        }
        return entries[place].second;
    }
    V& at(const K& key) { return (*this)[key]; }
    void insert(const pair<K, V>& entry) { if (!count(entry.first)) (*this)[entry.first] = entry.second; }
    size_t erase(const K& key) {
        size_t place = place_(key);
        if (!has_(place, key)) return 0;
        entries.erase(entries.begin() + place);
        return 1;
    }
};
