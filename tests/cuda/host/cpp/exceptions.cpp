// What is thrown, what catches it, and what ends on the way.
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

struct Guard {
    int n;
    Guard(int n) : n(n) { printf("+%d ", n); }
    ~Guard() { printf("-%d ", n); }
};
class DeviceError : public std::exception {
    std::string message;

public:
    DeviceError(const std::string& what) : message("device: " + what) {}
    const char* what() const noexcept override { return message.c_str(); }
};
struct Coded : std::runtime_error {
    int code;
    Coded(const std::string& what, int code) : std::runtime_error(what), code(code) {}
};

void leave(int n) {
    Guard outer(n);
    for (int i = 0; i < 4; i++) {
        Guard inner(10 + i);
        if (i == n) throw i;
    }
    printf("all ");
}
int again() {
    try {
        throw DeviceError("lost");
    } catch (std::exception& error) {
        printf("%s, ", error.what());
        throw;
    }
}
std::vector<float> numbers(int n) {
    std::vector<float> v(n);
    if (n > 3) throw std::out_of_range("n is " + std::to_string(n));
    return v;
}
const char* kind(int n) {
    try {
        if (n == 0) throw std::invalid_argument("zero");
        if (n == 1) throw Coded("one", 7);
        if (n == 2) throw 2.5f;
        if (n == 3) throw "text";
        if (n == 4) throw std::bad_alloc();
        return "none";
    } catch (const std::logic_error& error) {
        return "logic";
    } catch (Coded error) {
        return error.code == 7 && std::string(error.what()) == "one" ? "coded" : "?";
    } catch (double) {
        return "double";
    } catch (const char* text) {
        return text;
    } catch (...) {
        return "other";
    }
}

int main() {
    for (int k = 0; k < 3; k++) {
        try {
            leave(2 * k);
        } catch (int value) {
            Guard handler(100);
            printf("caught %d ", value);
            if (k == 0) continue;
        }
        printf("|\n");
    }
    try {
        again();
    } catch (const DeviceError& error) {
        printf("again %s\n", error.what());
    }
    for (int k = 0; k < 6; k++) std::cout << kind(k) << ' ';
    try {
        printf("%zu ", numbers(2).size());
        numbers(4);
    } catch (std::out_of_range const& error) {
        printf("%s\n", error.what());
    }
    try {
        try {
            throw 1;
        } catch (int inner) {
            throw inner + 1;
        }
    } catch (int outer) {
        printf("%d\n", outer);
    }
    while (true) {
        try {
            break;
        } catch (...) {
        }
    }
    int caught = 0;
    for (int i = 0; i < 100; i++) {
        try {
            if (i % 3 == 0) throw i;
        } catch (int& value) {
            value++;
            caught += value;
        }
    }
    printf("%d\n", caught);
}
