// {"output": "1024 of 1024 right, sum 672865\n"}
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
