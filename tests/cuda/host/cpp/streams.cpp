#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

int main(int argc, char** argv) {
    int few[3];
    std::fill(few, few + 3, 7);  // without <algorithm>, as g++ takes it
    std::cout << few[2] << " a text that \
goes on, in line " << __LINE__ << '\n';
    std::cout << std::setw(6) << 42 << '|' << std::left << std::setw(6) << "ab" << '|' << std::right << std::setfill('0')
              << std::setw(5) << 7 << std::setfill(' ') << '\n';
    std::cout << std::fixed << std::setprecision(3) << 3.14159 << ' ' << 2.0f << ' ' << std::scientific << 12345.678
              << std::defaultfloat << ' ' << 0.1 << ' ' << 1e20 << std::endl;
    std::cout << std::setprecision(0) << 2.5 << ' ' << std::fixed << 2.5 << ' ' << 3.7f << ' ' << std::scientific << 127.0
              << ' ' << std::defaultfloat << std::setprecision(6) << 127.0 << '\n';
    std::cout << std::hex << 255 << ' ' << -1 << std::dec << ' ' << true << std::boolalpha << ' ' << false << '\n';
    short s = -3;
    unsigned char letter = 'x';
    std::cout << s << letter << 5u << ' ' << 1234567890123LL << ' ' << (size_t)7 << std::endl;
    std::ofstream out("numbers.txt");
    if (!out.is_open()) return 1;
    for (int i = 0; i < 5; i++) out << i * i << (i < 4 ? "," : "\n");
    out << "second line" << std::endl;
    out.close();
    std::ifstream in("numbers.txt");
    std::string line;
    while (std::getline(in, line)) std::cout << '[' << line << ']';
    std::cout << '\n';
    std::ifstream given(argv[3]);
    int a, b;
    double x;
    std::string word;
    given >> a >> b >> x >> word;
    std::cout << a << ' ' << b << ' ' << x << ' ' << word << '\n';
    while (given >> word) std::cout << word << ';';
    std::cout << (given.eof() ? " end" : " more") << '\n';
    std::ifstream again("numbers.txt");
    std::cout << again.eof() << again.good();
    while (!again.eof()) {
        again >> word;
        std::cout << ' ' << word << again.eof() << again.good() << again.fail();
    }
    std::cout << '\n';
    std::ostringstream text;
    text << "n = " << 5 << ", x = " << std::setprecision(4) << 2.0 / 3;
    std::cout << text.str() << ' ' << text.str().size() << '\n';
    std::stringstream both("10 20 thirty");
    int sum = 0, value;
    while (both >> value) sum += value;
    std::cout << sum << '\n';
    std::istringstream cells("1.5,2.5,x");
    std::vector<std::string> parts;
    while (std::getline(cells, line, ',')) parts.push_back(line);
    std::cout << parts.size() << parts[2] << std::stof(parts[0]) + std::stod(parts[1]) << std::endl;
    std::ifstream none("missing.txt");
    std::cout << (none ? "there" : "missing") << none.is_open() << !none << std::endl;
    std::cerr << "";
    return 0;
}
