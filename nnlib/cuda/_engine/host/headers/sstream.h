// <sstream>: streams in memory.
#include "iostream"
struct ostringstream : ostream {
    ostringstream() : ostream(__text_file("", 0)) {}
    string str() const {
        size_t count = 0;
        char* found = __rest_of(file, &count);
        return string(found, count);
    }
    void str(const string& text) { file = __text_file("", 0); *this << text; }
};
struct istringstream : istream {
    istringstream(const string& text) : istream(__text_file(text.c_str(), text.size())) {}
    istringstream(const char* text) : istream(__text_file(text, strlen(text))) {}
    void str(const string& text) { file = __text_file(text.c_str(), text.size()); failed = false; }
};
struct stringstream : ostringstream {
    istream source;
    stringstream() : source(file) { source.file = file; }
    stringstream(const string& text) : source(NULL) { *this << text; source.file = __text_file(text.c_str(), text.size()); }
    operator bool() const { return !source.failed; }
};
template <typename T> istream& operator>>(stringstream& in, T& x) {
    if (in.source.file == in.file) { string all = in.str(); in.source.file = __text_file(all.c_str(), all.size()); }
    return in.source >> x;
}
inline istream& getline(stringstream& in, string& text, char until = '\n') {
    if (in.source.file == in.file) { string all = in.str(); in.source.file = __text_file(all.c_str(), all.size()); }
    return getline(in.source, text, until);
}
