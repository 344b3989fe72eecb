// Streams of C++: std::cout <<, std::cin >>, and the manipulators that teaching programs use.
#include "stdexcept"
#include "string"
struct ios {
    FILE* file;
    bool failed;
    static const int in = 8, out = 16, binary = 4, app = 1, trunc = 32, ate = 2, beg = 0, cur = 1, end = 2;
    typedef int fmtflags;
    static const int fixed = 1, scientific = 2, floatfield = 3, dec = 16, hex = 32, oct = 64, basefield = 112,
                     left = 128, right = 256, adjustfield = 384, boolalpha = 512, skipws = 0;
    ios* tie(const void* other) { return this; }
    bool good() const { return !failed && !eof(); }
    bool fail() const { return failed; }
    bool bad() const { return false; }
    bool eof() const { return file == NULL || feof(file); }
    bool is_open() const { return file != NULL; }
    void clear() { failed = false; }
    void open_(const char* name, const char* mode) {
        file = fopen(name, mode);
        failed = file == NULL;
    }
    void close() {
        if (file) fclose(file);
        file = NULL;
    }
    operator bool() const { return !failed; }
    bool operator!() const { return failed; }
    static void sync_with_stdio(bool on) {}
};
typedef ios ios_base;
typedef long streamsize;
typedef long streampos;
struct ostream : ios {
    int digits, columns, filler, mode, base;
    bool at_left, words;
    ostream(FILE* f) {
        file = f; failed = false;
        digits = 6; columns = 0; filler = ' '; mode = 0; base = 10;
        at_left = words = false;
    }
    int width_() {
        int n = at_left ? -columns : columns;
        columns = 0;
        return n;
    }
    ostream& flush() { return *this; }
    ostream& put(char c) { fputc(c, file); return *this; }
    ostream& write(const char* data, size_t count) { fwrite(data, 1, count, file); return *this; }
    int precision() const { return digits; }
    int precision(int n) { return exchange(digits, n); }
    int width(int n) { return exchange(columns, n); }
    char fill(char c) { return (char)exchange(filler, (int)c); }
    long tellp() const { return ftell(file); }
    int flags() const {
        return mode | (base == 10 ? dec : base == 16 ? hex : oct) | (at_left ? ios::left : 0) | (words ? ios::boolalpha : 0);
    }
    int flags(int f) {
        int before = flags();
        mode = f & floatfield; at_left = f & ios::left; words = f & ios::boolalpha;
        base = f & ios::hex ? 16 : f & ios::oct ? 8 : 10;
        return before;
    }
    int setf(int f) { return flags(flags() | f); }
    int setf(int f, int mask) { return flags((flags() & ~mask) | (f & mask)); }
    void unsetf(int f) { flags(flags() & ~f); }
};
struct istream : ios {
    long taken;
    istream(FILE* f) { file = f; failed = false; taken = 0; }
    int get() { return fgetc(file); }
    istream& get(char& c) {
        int found = fgetc(file);
        failed = found == EOF;
        if (!failed) c = (char)found;
        return *this;
    }
    istream& read(char* to, size_t count) {
        taken = fread(to, 1, count, file);
        failed = taken < count;
        return *this;
    }
    long gcount() const { return taken; }
    istream& seekg(long offset, int from = 0) { fseek(file, offset, from); failed = false; return *this; }
    long tellg() const { return ftell(file); }
    istream& ignore(long count = 1, int until = EOF) {
        for (int c = 0; count-- > 0 && c != EOF;) if ((c = fgetc(file)) == until) break;
        return *this;
    }
};
ostream cout = ostream((FILE*)1), cerr = ostream((FILE*)2), clog = ostream((FILE*)2);
istream cin = istream((FILE*)3);
struct __set { int what, value; };
__set endl = {0, 0}, flush = {1, 0}, fixed = {2, 1}, scientific = {2, 2}, defaultfloat = {2, 0}, hex = {3, 16},
      dec = {3, 10}, oct = {3, 8}, left = {4, 1}, right = {4, 0}, boolalpha = {5, 1}, noboolalpha = {5, 0}, ws = {1, 0};
inline __set setprecision(int digits) { __set s; s.what = 6; s.value = digits; return s; }
inline __set setw(int columns) { __set s; s.what = 7; s.value = columns; return s; }
inline __set setfill(char c) { __set s; s.what = 8; s.value = c; return s; }
inline ostream& operator<<(ostream& out, const __set& s) {
    switch (s.what) {
    case 0: __print_text(out.file, "\n", 0, ' '); break;
    case 2: out.mode = s.value; break;
    case 3: out.base = s.value; break;
    case 4: out.at_left = s.value; break;
    case 5: out.words = s.value; break;
    case 6: out.digits = s.value; break;
    case 7: out.columns = s.value; break;
    case 8: out.filler = s.value; break;
    }
    return out;
}
inline ostream& operator<<(ostream& out, const char* text) {
    __print_text(out.file, text, out.width_(), out.filler); return out;
}
inline ostream& operator<<(ostream& out, const string& text) { return out << text.c_str(); }
inline ostream& operator<<(ostream& out, char c) {
    char text[2] = {c, 0};
    __print_text(out.file, text, out.width_(), out.filler); return out;
}
inline ostream& operator<<(ostream& out, unsigned char c) { return out << (char)c; }
inline ostream& operator<<(ostream& out, bool b) {
    if (out.words) return out << (b ? "true" : "false");
    __print_whole(out.file, b, out.width_(), out.filler, 10); return out;
}
inline ostream& operator<<(ostream& out, const void* place) {
    out << "0x";
    __print_whole(out.file, (long)place, 0, ' ', 16); return out;
}
#define __number(type, wide, plain)                                                                                    \
    inline ostream& operator<<(ostream& out, type x) {                                                                 \
        plain(out.file, out.base == 10 ? (wide)x : (wide)(unsigned type)x, out.width_(), out.filler, out.base);       \
        return out;                                                                                                    \
    }                                                                                                                  \
    inline ostream& operator<<(ostream& out, unsigned type x) {                                                        \
        __print_unsigned(out.file, x, out.width_(), out.filler, out.base); return out;                                \
    }
__number(short, long long, __print_whole) __number(int, long long, __print_whole) __number(long, long long, __print_whole)
__number(long long, long long, __print_whole)
inline ostream& operator<<(ostream& out, double x) {
    __print_real(out.file, x, out.digits, out.mode, out.width_(), out.filler); return out;
}
inline ostream& operator<<(ostream& out, float x) { return out << (double)x; }
#define __read(type, form)                                                                                             \
    inline istream& operator>>(istream& in, type& x) { in.failed = in.failed || fscanf(in.file, form, &x) != 1; return in; }
__read(int, "%d") __read(unsigned, "%u") __read(long, "%ld") __read(unsigned long, "%lu") __read(long long, "%lld")
__read(unsigned long long, "%llu") __read(short, "%hd") __read(float, "%f") __read(double, "%lf") __read(char, " %c")
inline istream& __line(istream& in, string& text, int until) {
    size_t count = 0;
    char* found = __word_of(in.file, until, &count);
    in.failed = in.failed || found == NULL;
    if (found) text = string(found, count);
    return in;
}
inline istream& operator>>(istream& in, string& text) { return __line(in, text, -1); }
inline istream& getline(istream& in, string& text, char until = '\n') { return __line(in, text, until); }
