// {"output": "sums 9900 150\n0,1,4,9,9 3.14   42 49 200.00\n"}
#include <iostream>
#include <iomanip>
#include <vector>
#include <algorithm>
__global__ void twice(float* x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
float sum(const std::vector<float>& v) { float s = 0; for (size_t i = 0; i < v.size(); ++i) s += v[i]; return s; }
std::vector<int> squares(int n) {
    std::vector<int> result;
    for (int i = 0; i < n; i++) result.push_back(i * i);
    return result;
}
int main() {
    const int n = 100;
    std::vector<float> h(n), w(n, 1.5f);
    for (int i = 0; i < n; ++i) h[i] = static_cast<float>(i);
    float* d;
    cudaMalloc(&d, n * sizeof(float));
    cudaMemcpy(d, h.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<1, 128>>>(d, n);
    cudaMemcpy(h.data(), d, h.size() * sizeof(float), cudaMemcpyDeviceToHost);
    std::cout << "sums " << sum(h) << " " << sum(w) << std::endl;
    std::vector<int> s = squares(4), copy = s;
    copy[0] = 9;
    for (int x : s) std::cout << x << ',';
    std::fill(w.begin(), w.end(), 2.0f);
    auto bigger = [n](float x) { return x > n; };
    int count = 0;
    for (auto& x : h) count += bigger(x);
    std::cout << copy[0] << " " << std::fixed << std::setprecision(2) << 3.14159 << std::setw(5) << 42 << " " << count
              << " " << std::max(sum(w), 1.0f) << "\n";
    cudaFree(d);
}
