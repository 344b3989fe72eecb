// The class std::string. Copies are made by the host's lowering: see ExpressionLowering.load.
#include "bits/stl_algobase.h"
struct string {
    char* first;
    size_t count, room;
    string() { make_("", 0); }
    string(const char* text) { make_(text, strlen(text)); }
    string(const char* text, size_t n) { make_(text, n); }
    string(size_t n, char c) {
        first = (char*)malloc(n + 1);
        memset(first, c, n);
        first[n] = 0; count = room = n;
    }
    void make_(const char* text, size_t n) {
        first = (char*)malloc(n + 1);
        for (size_t i = 0; i < n; i++) first[i] = text[i];
        first[n] = 0; count = room = n;
    }
    void push_back(char c) {
        if (count == room) { room = 2 * room + 15; first = (char*)realloc(first, room + 1); }
        first[count++] = c; first[count] = 0;
    }
    string& append(const char* text) { while (*text) push_back(*text++); return *this; }
    string& append(const string& other) { return append(other.first); }
    string& operator+=(const char* text) { return append(text); }
    string& operator+=(const string& other) { return append(other.first); }
    string& operator+=(char c) { push_back(c); return *this; }
    string& operator=(const char* text) { make_(text, strlen(text)); return *this; }
    const char* c_str() const { return first; }
    const char* data() const { return first; }
    size_t size() const { return count; }
    size_t length() const { return count; }
    bool empty() const { return count == 0; }
    void clear() { count = 0; first[0] = 0; }
    char& operator[](size_t i) { return first[i]; }
    const char& operator[](size_t i) const { return first[i]; }
    char& at(size_t i) { return first[i]; }
    char& back() { return first[count - 1]; }
    char* begin() { return first; }
    char* end() { return first + count; }
    int compare(const string& other) const { return strcmp(first, other.first); }
    size_t find(const char* text, size_t from = 0) const {
        size_t n = strlen(text);
        for (size_t i = from; i + n <= count; i++) if (strncmp(first + i, text, n) == 0) return i;
        return (size_t)-1;
    }
    size_t find(char c, size_t from = 0) const {
        for (size_t i = from; i < count; i++) if (first[i] == c) return i;
        return (size_t)-1;
    }
    string substr(size_t from, size_t n = (size_t)-1) const {
        return string(first + from, n < count - from ? n : count - from);
    }
};
