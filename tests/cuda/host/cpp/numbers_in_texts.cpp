// std::stoi and its kin: where the number ends, which base, and what is thrown.
#include <cstdio>
#include <stdexcept>
#include <string>

template <typename F>
void tried(const char* text, F number) {
    try {
        number(text);
    } catch (const std::invalid_argument& error) {
        printf("invalid_argument %s of \"%s\"\n", error.what(), text);
    } catch (const std::out_of_range& error) {
        printf("out_of_range %s of \"%s\"\n", error.what(), text);
    }
}

int main() {
    const char* texts[] = {"12", " -7 ", "12x", "abc", "", "-", "2147483647", "2147483648", "-2147483648", "ff", "0x1f"};
    for (const char* text : texts) {
        tried(text, [](const std::string& t) { printf("%d\n", std::stoi(t)); });
        tried(text, [](const std::string& t) {
            size_t past = 99;
            int number = std::stoi(t, &past, 16);
            printf("%d, %zu\n", number, past);
        });
        tried(text, [](const std::string& t) { printf("%ld\n", std::stol(t)); });
        tried(text, [](const std::string& t) { printf("%lld\n", std::stoll(t, nullptr, 8)); });
        tried(text, [](const std::string& t) { printf("%lu\n", std::stoul(t)); });
        tried(text, [](const std::string& t) { printf("%llu\n", std::stoull(t, nullptr, 0)); });
        tried(text, [](const std::string& t) {
            size_t past = 99;
            float number = std::stof(t + ".5e1", &past);
            printf("%g, %zu\n", number, past);
        });
        tried(text, [](const std::string& t) { printf("%g\n", std::stod(t)); });
    }
    return 0;
}
