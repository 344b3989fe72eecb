// Maps and pairs, of numbers, texts and vectors.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

int main() {
    std::map<std::string, int> words;
    words["b"] = 1;
    words["a"] += 2;
    words["c"]++;
    words["b"] = 7;
    for (auto& entry : words) std::cout << entry.first << entry.second << ' ';
    std::cout << words.size() << words.count("z") << (words.find("a") != words.end()) << words.find("a")->second;
    words.erase("a");
    for (auto it = words.begin(); it != words.end(); ++it) std::cout << it->first;
    std::cout << '\n';

    std::map<int, double> numbers;
    for (int i = 5; i > 0; i--) numbers[i * 7 % 5] = i * 1.5;
    numbers.insert({9, 1.0});
    numbers.insert(std::make_pair(9, 2.0));
    double sum = 0;
    for (const auto& entry : numbers) sum = 2 * sum + entry.first * entry.second;
    printf("%g %zu %g\n", sum, numbers.size(), numbers.at(9));

    std::map<std::string, std::vector<float>> lists;
    lists["x"].push_back(1);
    lists["x"].push_back(2);
    lists["y"].push_back(3);
    for (auto& entry : lists) printf("%s %zu ", entry.first.c_str(), entry.second.size());

    std::unordered_map<int, std::string> names;
    names[3] = "three";
    names[1] = "one";
    std::cout << names[1] << names.size() << names.count(2) << '\n';

    std::vector<std::pair<std::string, int>> pairs;
    pairs.push_back({"x", 3});
    pairs.push_back(std::make_pair(std::string("a"), 5));
    pairs.push_back(std::pair<std::string, int>("a", 4));
    std::sort(pairs.begin(), pairs.end());
    for (const auto& pair : pairs) std::cout << pair.first << pair.second << ' ';

    std::vector<int> values = {5, 3, 8, 1, 9, 2};
    std::partial_sort(values.begin(), values.begin() + 2, values.end(), [](int a, int b) { return a > b; });
    std::cout << values[0] << values[1];
    std::nth_element(values.begin(), values.begin() + 3, values.end(), std::greater<int>());
    std::cout << values[3] << '\n';
    for (int x : {1, 10, 100}) std::cout << x << ' ';
    for (auto x : {1.5, 2.5}) std::cout << x << ' ';
    for (const std::string& text : {std::string("x"), std::string("yy")}) std::cout << text.size() << '\n';
    std::chrono::duration<double, std::milli> total(0);
    for (int k = 0; k < 3; k++) {
        auto begin = std::chrono::steady_clock::now();
        total += std::chrono::steady_clock::now() - begin;
    }
    std::cout << (total.count() >= 0) << '\n';
}
