// What nobody catches ends the program.
#include <stdexcept>
#include <cstdio>
struct Own : std::logic_error { Own(const char* text) : std::logic_error(text) {} };
void f() { throw CASE; }
int main() {
    printf("before\n");
    try { f(); } catch (const std::bad_alloc&) {}
    printf("behind");
}

// case
// output: "before\nterminate called after throwing an instance of 'std::runtime_error'\n  what():  lost\n"
// status: 134
std::runtime_error("lost")

// case
// output: "before\nterminate called after throwing an instance of 'int'\n"
// status: 134
5

// case
// output: "before\nterminate called after throwing an instance of 'Own'\n  what():  mine\n"
// status: 134
Own("mine")
