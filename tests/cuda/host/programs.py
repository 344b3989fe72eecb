"""Whole programs of our own, as teaching code has them, and what they print: on every machine the same."""

VECTOR_ADD = r'''
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                    \
    do {                                                                               \
        cudaError_t error = (call);                                                    \
        if (error != cudaSuccess) {                                                    \
            fprintf(stderr, "%s in line %d\n", cudaGetErrorString(error), __LINE__);   \
            exit(EXIT_FAILURE);                                                        \
        }                                                                              \
    } while (0)

__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    size_t bytes = n * sizeof(float);
    float* a = (float*)malloc(bytes);
    float* b = (float*)malloc(bytes);
    float* c = (float*)malloc(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = rand() / (float)RAND_MAX;
        b[i] = 1.0f - a[i];
    }
    float *dev_a, *dev_b, *dev_c;
    CHECK(cudaMalloc((void**)&dev_a, bytes));
    CHECK(cudaMalloc((void**)&dev_b, bytes));
    CHECK(cudaMalloc((void**)&dev_c, bytes));
    CHECK(cudaMemcpy(dev_a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dev_b, b, bytes, cudaMemcpyHostToDevice));
    dim3 block(256), grid((n + block.x - 1) / block.x);
    add<<<grid, block>>>(dev_a, dev_b, dev_c, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(c, dev_c, bytes, cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (fabs(c[i] - 1.0f) > 1e-6) wrong++;
    printf("%d elements, %d blocks, %d wrong\n", n, grid.x, wrong);
    CHECK(cudaFree(dev_a));
    CHECK(cudaFree(dev_b));
    CHECK(cudaFree(dev_c));
    free(a); free(b); free(c);
    return wrong != 0;
}
'''

TILED_PRODUCT = r'''
#include <cstdio>
#include <cstdlib>
const int TILE = 8;

template <typename T>
__global__ void product(const T* a, const T* b, T* c, int n) {
    __shared__ T left[TILE][TILE], right[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    T sum = 0;
    for (int t = 0; t < n / TILE; t++) {
        left[y][x] = a[row * n + t * TILE + x];
        right[y][x] = b[(t * TILE + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += left[y][k] * right[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

template <typename T>
void fill(T* x, int n, int seed) {
    srand(seed);
    for (int i = 0; i < n; i++) x[i] = (T)(rand() % 10);
}

int main() {
    const int n = 32;
    static int a[n * n], b[n * n], c[n * n];
    fill(a, n * n, 1);
    fill(b, n * n, 2);
    int *dev_a, *dev_b, *dev_c;
    cudaMalloc(&dev_a, sizeof(a));
    cudaMalloc(&dev_b, sizeof(b));
    cudaMalloc(&dev_c, sizeof(c));
    cudaMemcpy(dev_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(dev_b, b, sizeof(b), cudaMemcpyHostToDevice);
    product<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(dev_a, dev_b, dev_c, n);
    cudaMemcpy(c, dev_c, sizeof(c), cudaMemcpyDeviceToHost);
    long long right = 0, sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int s = 0;
            for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            right += s == c[i * n + j];
            sum += c[i * n + j];
        }
    printf("%lld of %d right, sum %lld\n", right, n * n, sum);
    cudaFree(dev_a); cudaFree(dev_b); cudaFree(dev_c);
}
'''

STREAMS = r'''
#include <stdio.h>
__global__ void increment(int* x, int by) { x[blockIdx.x * blockDim.x + threadIdx.x] += by; }

int main() {
    const int streams = 4, part = 256, n = streams * part;
    int *host, *device;
    cudaMallocHost(&host, n * sizeof(int));
    cudaMalloc(&device, n * sizeof(int));
    for (int i = 0; i < n; i++) host[i] = i;
    cudaStream_t stream[streams];
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    for (int s = 0; s < streams; s++) cudaStreamCreate(&stream[s]);
    cudaEventRecord(start);
    for (int s = 0; s < streams; s++) {
        int at = s * part;
        cudaMemcpyAsync(device + at, host + at, part * sizeof(int), cudaMemcpyHostToDevice, stream[s]);
        increment<<<part / 64, 64, 0, stream[s]>>>(device + at, s + 1);
        cudaMemcpyAsync(host + at, device + at, part * sizeof(int), cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    float ms = -1;
    cudaEventElapsedTime(&ms, start, stop);
    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += host[i] != i + i / part + 1;
    printf("%d wrong, time is positive: %d\n", wrong, ms > 0);
    for (int s = 0; s < streams; s++) cudaStreamDestroy(stream[s]);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    cudaFree(device);
    cudaFreeHost(host);
    return 0;
}
'''

MANAGED = r'''
#include <cstdio>
#include <cmath>
__global__ void add(int n, float* x, float* y) {
    int index = blockIdx.x * blockDim.x + threadIdx.x, stride = blockDim.x * gridDim.x;
    for (int i = index; i < n; i += stride) y[i] = x[i] + y[i];
}
int main(void) {
    int N = 1 << 12;
    float *x, *y;
    cudaMallocManaged(&x, N * sizeof(float));
    cudaMallocManaged(&y, N * sizeof(float));
    for (int i = 0; i < N; i++) { x[i] = 1.0f; y[i] = 2.0f; }
    add<<<4, 256>>>(N, x, y);
    cudaDeviceSynchronize();
    float maxError = 0.0f;
    for (int i = 0; i < N; i++) maxError = fmax(maxError, fabs(y[i] - 3.0f));
    printf("Max error: %f\n", maxError);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
'''

SYMBOLS = r'''
#include <stdio.h>
__constant__ float weights[3];
__device__ int calls;
__device__ float factor = 2.0f;

__global__ void weighted(const float* x, float* y, int n) {
    int i = threadIdx.x;
    if (i < n) y[i] = factor * (weights[0] * x[i] + weights[1] * x[i + 1] + weights[2] * x[i + 2]);
    atomicAdd(&calls, 1);
}

int main() {
    float host[3] = {0.25f, 0.5f, 0.25f}, x[10], y[8], two = 0;
    for (int i = 0; i < 10; i++) x[i] = (float)(i * i);
    cudaMemcpyToSymbol(weights, host, sizeof(host));
    float *dev_x, *dev_y;
    cudaMalloc(&dev_x, sizeof(x));
    cudaMalloc(&dev_y, sizeof(y));
    cudaMemcpy(dev_x, x, sizeof(x), cudaMemcpyHostToDevice);
    weighted<<<1, 8>>>(dev_x, dev_y, 8);
    cudaMemcpy(y, dev_y, sizeof(y), cudaMemcpyDeviceToHost);
    int counted;
    cudaMemcpyFromSymbol(&counted, calls, sizeof(counted));
    cudaMemcpyFromSymbol(&two, factor, sizeof(two));
    for (int i = 0; i < 8; i++) printf("%g%c", y[i], i < 7 ? ' ' : '\n');
    printf("%d calls, factor %g\n", counted, two);
    cudaFree(dev_x);
    cudaFree(dev_y);
}
'''

HELLO = r'''
#include <stdio.h>
__global__ void hello() { printf("block %d, thread %d\n", blockIdx.x, threadIdx.x); }
int main() {
    printf("host first\n");
    hello<<<1, 3>>>();
    printf("host again, before the GPU is waited for\n");
    cudaDeviceSynchronize();
    printf("host last\n");
    return 0;
}
'''

REFUSED_LAUNCH = r'''
#include <stdio.h>
__global__ void nothing(int* x) { x[0] = 1; }
int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    nothing<<<1, 4096>>>(x);
    cudaError_t error = cudaGetLastError();
    printf("refused: %d\n", error != cudaSuccess);  // which error it is depends on the version of CUDA
    printf("then: %s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(x);
    return error != cudaSuccess ? 3 : 0;
}
'''

C_LANGUAGE = r'''
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
enum Colour { RED, GREEN = 5, BLUE };
typedef unsigned char byte;
int counter = 3;
static const char* names[] = {"zero", "one", "two"};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
int next() { static int calls = 0; return ++calls; }
void swap(int& a, int& b) { int t = a; a = b; b = t; }
void fill(float* x, int n, float value = 1.5f) { for (int i = 0; i < n; i++) x[i] = value; }
double sum(const double row[], int n) { double s = 0; while (n-- > 0) s += row[n]; return s; }

int main() {
    byte small = (byte)300;
    unsigned big = 4000000000u;
    int negative = -7, matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    printf("%d %u %d %d %d\n", small, big + big, negative / 2, negative % 3, negative >> 1);
    printf("%d %d %s %c%c\n", GREEN, BLUE, names[2], 'o', 'k');
    float third = 1.0f / 3;
    printf("%.9f %.9f %e %g\n", third, (double)third * 3, 12345.678, 1e-10);
    printf("[%5d|%-5d|%05d|%+d|%x|%o|%5.1f|%s|%%]\n", 42, 42, 42, 42, 255, 8, 2.25, "text");
    for (int i = 0, j = 10; i < j; i += 3, j--) {
        if (i == 3) continue;
        if (i > 6) break;
        printf("%d-%d ", i, j);
    }
    int first = next();
    printf("\n%d %d %d\n", fibonacci(12), first, next() + next());
    int a = 1, b = 2, *p = &a;
    swap(a, b);
    *p += 10;
    printf("%d %d %d\n", a, b, matrix[1][2] + (*matrix)[1]);
    for (int k = 0; k < 4; k++) {
        switch (k) {
        case 0: printf("zero "); break;
        case 1: printf("one ");
        case 2: printf("two "); continue;
        default: printf("many ");
        }
        printf("| ");
    }
    float** rows = new float*[2];
    for (int i = 0; i < 2; i++) { rows[i] = new float[3]; fill(rows[i], 3); }
    rows[1][2] = 7;
    double values[] = {0.1, 0.2, 0.3};
    printf("\n%g %g %.17g\n", rows[0][0], rows[1][2], sum(values, 3));
    for (int i = 0; i < 2; i++) delete[] rows[i];
    delete[] rows;
    char text[32] = "CUDA";
    strcat(text, " C");
    printf("%s %d %d %d\n", text, (int)strlen(text), strcmp(text, "CUDA") > 0, text[0]);
    long long wide = 1LL << 40;
    do { wide /= 3; } while (wide > 1000);
    printf("%lld %zu %lu\n", wide, sizeof(matrix), (unsigned long)sizeof(double));
    int* grown = (int*)calloc(2, sizeof(int));
    grown = (int*)realloc(grown, 4 * sizeof(int));
    memset(grown, 1, 4);
    memcpy(grown + 1, grown, sizeof(int));
    printf("%d %d\n", grown[1], grown[0] == 0x01010101);
    free(grown);
    assert(counter++ == 3);
    srand(42);
    int one = rand() % 100, two = rand() % 100;
    printf("%d %d\n", one, two);
    float4 v = make_float4(1, 2, 3, 4), w = v;
    w.y += v.x;
    dim3 size(4);
    printf("%g %g %u%u%u\n", w.y, v.y, size.x, size.y, size.z);
    if (counter == 4) exit(counter);
    printf("never\n");
}
'''

PITCHED = r'''
#include <stdio.h>
__global__ void twice(float* x, size_t pitch, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {
        float* start = (float*)((char*)x + row * pitch);
        start[column] *= 2;
    }
}
int main() {
    const int width = 5, height = 3;
    float host[height][width], *device;
    for (int r = 0; r < height; r++) for (int c = 0; c < width; c++) host[r][c] = r * 10 + c;
    size_t pitch;
    cudaMallocPitch(&device, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(device, pitch, host, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    twice<<<dim3(1, 1), dim3(8, 4)>>>(device, pitch, width, height);
    cudaMemcpy2D(host, width * sizeof(float), device, pitch, width * sizeof(float), height, cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", host[0][4], host[1][0], host[2][4]);
    cudaFree(device);
}
'''

POINTERS = r'''
#include <cstdio>
struct Matrix { int width, height; float* elements; };
struct Node { int key; Node* next; };

__global__ void rows(Matrix m, float** row) {
    int x = threadIdx.x, y = threadIdx.y;
    row[y][x] = 2 * m.elements[y * m.width + x];
}
__global__ void neighbours(const int* x, int* y) { int i = threadIdx.x; y[i] = x[i - 1] + x[i] + x[i + 1]; }
__global__ void last(Node* n, int* key) { while (n->next) n = n->next; *key = n->key; }
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }

int main() {
    float host[6] = {1, 2, 3, 4, 5, 6}, back[3];
    Matrix m = {3, 2, NULL};
    cudaMalloc(&m.elements, sizeof(host));
    cudaMemcpy(m.elements, host, sizeof(host), cudaMemcpyHostToDevice);
    float *row[2], **dev_row;
    for (int y = 0; y < 2; y++) cudaMalloc(&row[y], 3 * sizeof(float));
    cudaMalloc(&dev_row, sizeof(row));
    cudaMemcpy(dev_row, row, sizeof(row), cudaMemcpyHostToDevice);
    rows<<<1, dim3(3, 2)>>>(m, dev_row);
    cudaMemcpy(back, row[1], sizeof(back), cudaMemcpyDeviceToHost);
    printf("%g %g %g\n", back[0], back[1], back[2]);

    int numbers[6] = {0, 1, 2, 3, 4, 5}, *x, *y;
    cudaMalloc(&x, sizeof(numbers));
    cudaMalloc(&y, sizeof(numbers));
    twice<<<1, 6>>>(x);  // a warm-up, on whatever is there
    cudaMemcpy(x, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    neighbours<<<1, 4>>>(x + 1, y + 1);  // looks to the left of where its array begins
    cudaMemcpy(numbers, y + 1, 4 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d\n", numbers[0], numbers[3]);

    Node* first = NULL;
    int* key;
    cudaMallocManaged(&key, sizeof(int));
    for (int k = 1; k <= 3; k++) {
        Node* n;
        cudaMallocManaged(&n, sizeof(Node));
        n->key = k;
        n->next = first;
        first = n;
    }
    last<<<1, 1>>>(first, key);
    cudaDeviceSynchronize();
    printf("%d\n", *key);
    while (first) { Node* next = first->next; cudaFree(first); first = next; }
    cudaFree(m.elements); cudaFree(row[0]); cudaFree(row[1]); cudaFree(dev_row);
    cudaFree(x); cudaFree(y); cudaFree(key);
}
'''

VECTORS = r'''
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
'''

# name -> (program, arguments, what it prints, exit status)
CPLUSPLUS = r'''
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
'''

HALVES = r"""#include <stdio.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <curand_kernel.h>

__global__ void twice(half* x, __nv_bfloat16* b, half by, int n) {
    int i = threadIdx.x;
    if (i < n) { x[i] = x[i] * by; b[i] = (float)b[i] + (float)x[i]; }
}

__global__ void setup(curandState* s, int n) {
    int i = threadIdx.x;
    if (i < n) curand_init(1234, i, 0, &s[i]);
}

__global__ void draw(curandState* s, float* x, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    curandState own = s[i];
    x[i] = curand_uniform(&own);
    s[i] = own;
}

int main() {
    half h[4], *d;
    __nv_bfloat16 b[4], *e;
    for (int i = 0; i < 4; i++) { h[i] = __float2half(0.3f * i); b[i] = __float2bfloat16(100.0f + i); }
    cudaMalloc(&d, sizeof(h));
    cudaMalloc(&e, sizeof(b));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(e, b, sizeof(b), cudaMemcpyHostToDevice);
    twice<<<1, 4>>>(d, e, __float2half(2.0f), 4);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaMemcpy(b, e, sizeof(b), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) printf("%f %f\n", __half2float(h[i]), (float)b[i]);
    half a = 1.5f;
    a = -a * a + h[3];
    printf("%f %d %d\n", (float)a, (int)sizeof(half2), a < h[1]);
    curandState* s;
    float *u, r[3];
    cudaMalloc(&s, 3 * sizeof(curandState));
    cudaMalloc(&u, sizeof(r));
    setup<<<1, 32>>>(s, 3);
    draw<<<1, 32>>>(s, u, 3);
    cudaMemcpy(r, u, sizeof(r), cudaMemcpyDeviceToHost);
    printf("%f %f %f\n", r[0], r[1], r[2]);
    cudaFree(d); cudaFree(e); cudaFree(s); cudaFree(u);
}
"""

PROGRAMS = {
    "halves and random numbers": (
        HALVES, [], "0.000000 100.000000\n0.600098 101.500000\n1.200195 103.000000\n1.799805 105.000000\n"
        "-0.450195 4 1\n0.145468 0.820181 0.550399\n", 0),
    "C++": (CPLUSPLUS, [], "find: 3 * 4\nsum 6\ntext  | 2.50|8\nfour 3.0 1\n7 15\ndata/CUDA/42 Data/CUDA/42.txt 16\n"
            "CUDA CUDA\n3 3 9\n", 0),
    "vector add": (VECTOR_ADD, ["700"], "700 elements, 3 blocks, 0 wrong\n", 0),
    "tiled product": (TILED_PRODUCT, [], "1024 of 1024 right, sum 672865\n", 0),
    "streams": (STREAMS, [], "0 wrong, time is positive: 1\n", 0),
    "managed": (MANAGED, [], "Max error: 0.000000\n", 0),
    "symbols": (SYMBOLS, [], "3 9 19 33 51 73 99 129\n8 calls, factor 2\n", 0),
    "hello": (HELLO, [], "host first\nhost again, before the GPU is waited for\nblock 0, thread 0\nblock 0, thread 1\n"
              "block 0, thread 2\nhost last\n", 0),
    "refused launch": (REFUSED_LAUNCH, [], "refused: 1\nthen: no error\n", 3),
    "pointers in memory": (POINTERS, [], "8 10 12\n3 12\n1\n", 0),
    "vectors": (VECTORS, [], "sums 9900 150\n0,1,4,9,9 3.14   42 49 200.00\n", 0),
    "pitched": (PITCHED, [], "8 20 48\n", 0),
    "C": (C_LANGUAGE, [],
              "44 3705032704 -3 -1 -4\n"
              "5 6 two ok\n"
              "0.333333343 1.000000030 1.234568e+04 1e-10\n"
              "[   42|42   |00042|+42|ff|10|  2.2|text|%]\n"
              "0-10 6-8 \n"
              "144 1 5\n"
              "12 1 8\n"
              "zero | one two two many | \n"
              "1.5 7 0.59999999999999998\n"
              "CUDA C 6 1 67\n"
              "946 24 8\n"
              "16843009 1\n"
              "66 40\n"
              "3 2 411\n", 4),
}
