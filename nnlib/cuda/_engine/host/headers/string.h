// <string>, as far as teaching programs use it.
#include "stdexcept"
inline string operator+(const string& a, const string& b) { string s(a.first, a.count); return s.append(b); }
inline string operator+(const string& a, const char* b) { string s(a.first, a.count); return s.append(b); }
inline string operator+(const char* a, const string& b) { string s(a); return s.append(b); }
inline string operator+(const string& a, char b) { string s(a.first, a.count); s.push_back(b); return s; }
inline bool operator==(const string& a, const string& b) { return strcmp(a.first, b.first) == 0; }
inline bool operator==(const string& a, const char* b) { return strcmp(a.first, b) == 0; }
inline bool operator!=(const string& a, const string& b) { return strcmp(a.first, b.first) != 0; }
inline bool operator!=(const string& a, const char* b) { return strcmp(a.first, b) != 0; }
inline bool operator<(const string& a, const string& b) { return strcmp(a.first, b.first) < 0; }
inline string to_string(int x) { char text[32]; sprintf(text, "%d", x); return string(text); }
inline string to_string(long x) { char text[32]; sprintf(text, "%ld", x); return string(text); }
inline string to_string(unsigned x) { char text[32]; sprintf(text, "%u", x); return string(text); }
inline string to_string(unsigned long x) { char text[32]; sprintf(text, "%lu", x); return string(text); }
inline string to_string(double x) { char text[400]; sprintf(text, "%f", x); return string(text); }
inline string to_string(float x) { return to_string((double)x); }
// The number in front of a text, and through `past`, if it is not null, where it ends.
template <typename T> T number_(const char* function, T value, const string& text, char* end, size_t* past) {
    if (end == text.first) throw invalid_argument(function);
    if (past) *past = end - text.first;
    return value;
}
inline long stol(const string& text, size_t* past = NULL, int base = 10) {
    char* end;
    long value = strtol(text.first, &end, base);
    return number_("stol", value, text, end, past);
}
inline long long stoll(const string& text, size_t* past = NULL, int base = 10) {
    char* end;
    long long value = strtoll(text.first, &end, base);
    return number_("stoll", value, text, end, past);
}
inline unsigned long stoul(const string& text, size_t* past = NULL, int base = 10) {
    char* end;
    unsigned long value = strtoul(text.first, &end, base);
    return number_("stoul", value, text, end, past);
}
inline unsigned long long stoull(const string& text, size_t* past = NULL, int base = 10) {
    char* end;
    unsigned long long value = strtoull(text.first, &end, base);
    return number_("stoull", value, text, end, past);
}
inline int stoi(const string& text, size_t* past = NULL, int base = 10) {
    char* end;
    long value = strtol(text.first, &end, base);
    if (number_("stoi", value, text, end, past) != (int)value) throw out_of_range("stoi");
    return value;
}
inline float stof(const string& text, size_t* past = NULL) {
    char* end;
    float value = strtof(text.first, &end);
    return number_("stof", value, text, end, past);
}
inline double stod(const string& text, size_t* past = NULL) {
    char* end;
    double value = strtod(text.first, &end);
    return number_("stod", value, text, end, past);
}
