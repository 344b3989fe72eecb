// {"output": "find: 3 * 4\nsum 6\ntext  | 2.50|8\nfour 3.0 1\n7 15\ndata/CUDA/42 Data/CUDA/42.txt 16\nCUDA CUDA\n3 3 9\n"}
#include <cstdio>
#include <iostream>
#include <string>
extern const int N;
extern int calls;
struct Pair {
    int a, b;
    Pair() { a = 7; b = 8; }
    Pair(int x, int y) { a = x; b = y; }
    int sum() const { return a + b; }
};

__global__ void put(int* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = n; }

int find(int wanted) {
    int i, j;
    for (i = 0; i < 5; i++)
        for (j = 0; j < 5; j++)
            if (i * j == wanted) goto found;
    return -1;
found:
    printf("%s: %d * %d\n", __func__, i, j);
    return i + j;
}

int main() {
    int twice(int);
    int sum = find(12) + find(11);
    printf(sum > 0 ? "sum %d\n" : "nothing %d\n", sum);
    const char* form = "%-6s|%5.2f|%d\n";
    printf(form, "text", 2.5, twice(4));
    char line[32];
    sprintf(line, "%s", N == 4 ? "four" : "other");
    long double wide = 1.5L;
    printf("%s %.1Lf %d\n", line, wide * 2, calls);
    Pair *one = new Pair(3, 4), *many = new Pair[2];
    printf("%d %d\n", one->sum(), many[1].sum());
    delete one;
    delete[] many;
    std::string name = "CUDA", path = "data/" + name + '/' + std::to_string(42);
    std::string copy = path;
    copy[0] = 'D';
    copy += ".txt";
    if (name == "CUDA" && copy != path) std::cout << path << " " << copy << " " << copy.size() << std::endl;
    printf("%s %s\n", copy.substr(5, 4).c_str(), name.c_str());
    int *x, n = 3, host[4] = {0, 0, 0, 9};
    cudaMalloc(&x, sizeof(host));
    cudaMemcpy(x, host, sizeof(host), cudaMemcpyHostToDevice);
    void* arguments[] = {&x, &n};
    cudaLaunchKernel((void*)put, dim3(1), dim3(32), arguments, 0, 0);
    cudaMemcpy(host, x, sizeof(host), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", host[0], host[2], host[3]);
    cudaFree(x);
}
int twice(int x) { calls++; return 2 * x; }
const int N = 4;
int calls = 0;
