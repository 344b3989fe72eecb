// All that is known of C++'s standard library.
#include <array>
#include <functional>
#include <limits>
#include <type_traits>
#include "algorithm"
#include "chrono"
#include "iostream"
#include "unordered_map"
#include "random"
#include "string"
#include "vector"
#include "fstream"
#include "sstream"
