// std::cout <<, std::cerr <<, std::endl and the manipulators that teaching programs use.
#include "string"
struct ostream { int file, precision, width; bool fixed; void flush() {} };
struct __endl { int line; };
struct __fixed { bool on; };
struct __precision { int digits; };
struct __width { int columns; };
ostream cout = {1, 6, 0, false}, cerr = {2, 6, 0, false};
__endl endl = {1}, flush = {0};
__fixed fixed = {true}, scientific = {false};
inline __precision setprecision(int digits) { __precision p; p.digits = digits; return p; }
inline __width setw(int columns) { __width w; w.columns = columns; return w; }
inline ostream& operator<<(ostream& out, const char* text) {
    __print_text(out.file, text, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, const string& text) { return out << text.c_str(); }
inline ostream& operator<<(ostream& out, char c) {
    char text[2] = {c, 0};
    __print_text(out.file, text, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, bool b) {
    __print_whole(out.file, b, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, int x) {
    __print_whole(out.file, x, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, unsigned x) {
    __print_unsigned(out.file, x, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, long x) {
    __print_whole(out.file, x, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, unsigned long x) {
    __print_unsigned(out.file, x, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, long long x) {
    __print_whole(out.file, x, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, unsigned long long x) {
    __print_unsigned(out.file, x, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, float x) {
    __print_real(out.file, x, out.precision, out.fixed, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, double x) {
    __print_real(out.file, x, out.precision, out.fixed, out.width); out.width = 0; return out;
}
inline ostream& operator<<(ostream& out, const __endl& end) {
    if (end.line) __print_text(out.file, "\n", 0);
    return out;
}
inline ostream& operator<<(ostream& out, const __fixed& f) { out.fixed = f.on; return out; }
inline ostream& operator<<(ostream& out, const __precision& p) { out.precision = p.digits; return out; }
inline ostream& operator<<(ostream& out, const __width& w) { out.width = w.columns; return out; }
