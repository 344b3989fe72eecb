// The class std::string. Copies are made by the host's lowering: see ExpressionLowering.load.
#include "bits/stl_algobase.h"
struct string {
    char* first;
    size_t count, room;
    static const size_t npos = (size_t)-1;
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
    size_t find(const string& text, size_t from = 0) const { return find(text.first, from); }
    size_t rfind(const char* text, size_t from = (size_t)-1) const {
        size_t n = strlen(text);
        if (n > count) return npos;
        for (size_t i = (from < count - n ? from : count - n) + 1; i-- > 0;) if (strncmp(first + i, text, n) == 0) return i;
        return npos;
    }
    size_t rfind(const string& text, size_t from = (size_t)-1) const { return rfind(text.first, from); }
    size_t rfind(char c, size_t from = (size_t)-1) const { char text[2] = {c, 0}; return rfind(text, from); }
    size_t among_(const char* set, size_t from, bool is_in) const {
        for (size_t i = from; i < count; i++) if ((strchr(set, first[i]) != NULL) == is_in) return i;
        return npos;
    }
    size_t last_among_(const char* set, size_t from, bool is_in) const {
        for (size_t i = from < count ? from + 1 : count; i-- > 0;) if ((strchr(set, first[i]) != NULL) == is_in) return i;
        return npos;
    }
    size_t find_first_of(const char* set, size_t from = 0) const { return among_(set, from, true); }
    size_t find_first_of(char c, size_t from = 0) const { return find(c, from); }
    size_t find_first_not_of(const char* set, size_t from = 0) const { return among_(set, from, false); }
    size_t find_last_of(const char* set, size_t from = (size_t)-1) const { return last_among_(set, from, true); }
    size_t find_last_of(char c, size_t from = (size_t)-1) const { return rfind(c, from); }
    size_t find_last_not_of(const char* set, size_t from = (size_t)-1) const { return last_among_(set, from, false); }
    char& front() { return first[0]; }
    void pop_back() { first[--count] = 0; }
    string& erase(size_t from, size_t n = (size_t)-1) {
        n = n < count - from ? n : count - from;
        for (size_t i = from; i + n <= count; i++) first[i] = first[i + n];
        count -= n;
        return *this;
    }
    void resize(size_t n, char c = 0) {
        while (count < n) push_back(c);
        count = n; first[n] = 0;
    }
    string substr(size_t from, size_t n = (size_t)-1) const {
        return string(first + from, n < count - from ? n : count - from);
    }
};
