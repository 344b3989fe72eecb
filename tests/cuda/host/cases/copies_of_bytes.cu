// Copies byte for byte: the first and the last one, what lies between rows, nothing at all.
__device__ int numbers[6];
__constant__ short shorts[4];
__global__ void gather(int* x) { x[threadIdx.x] = numbers[threadIdx.x]; }
void show(const unsigned char* x, int n) { for (int i = 0; i < n; i++) printf("%d ", x[i]); }
int main() {
    unsigned char h[24], b[24]; for (int i = 0; i < 24; i++) { h[i] = i + 1; b[i] = 0; }
    unsigned char *d; cudaMalloc(&d, 24); cudaMemset(d, 99, 24);
CASE
    cudaFree(d);
}

// case
// output: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 "
    cudaMemcpy(d, h, 24, cudaMemcpyHostToDevice); cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost);
    show(b, 24);

// case
// output: "24 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemcpy(d, h + 23, 1, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 1 "
    cudaMemcpy(d + 23, h, 1, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemcpy(d + 1, h, 0, cudaMemcpyHostToDevice);
    cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 3 4 5 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemcpy(d + 5, h + 2, 3, cudaMemcpyDefault);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 "
    cudaMemcpy(d, h, 24, cudaMemcpyHostToDevice);
    cudaMemcpy(d + 1, d, 23, cudaMemcpyDeviceToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "1 2 3 4 5 99 99 99 7 8 9 10 11 99 99 99 13 14 15 16 17 99 99 99 "
    cudaMemcpy2D(d, 8, h, 6, 5, 3, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 4 5 6 7 8 99 99 99 12 13 14 15 16 99 99 99 20 21 22 23 24 "
    cudaMemcpy2D(d + 3, 8, h + 3, 8, 5, 3, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "1 2 3 4 5 6 7 8 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemcpy2D(d, 4, h, 4, 4, 2, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemcpy2D(d, 4, h, 4, 4, 0, cudaMemcpyHostToDevice);
    cudaMemcpy2D(d, 4, h, 4, 0, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 20 99 99 99 99 99 99 99 99 24 "
    cudaMemcpy2D(d + 14, 9, h + 19, 4, 1, 2, cudaMemcpyHostToDevice);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 44 44 "
    cudaMemset(d + 22, 300, 2); cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemset(d, -1, 0); cudaMemset(NULL, 1, 0); cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost);
    show(b, 24);

// case
// output: "255 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemset(d, -1, 1); cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 7 7 99 99 99 99 99 99 99 7 7 99 99 99 99 99 99 99 7 7 "
    cudaMemset2D(d + 4, 9, 7, 2, 3); cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemset2D(d, 9, 7, 0, 3); cudaMemset2D(d, 9, 7, 3, 0);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2 3 4 "
    memcpy(b + 20, h, 4); show(b, 24);

// case
// output: "2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 24 "
    memcpy(h + 1, h, 0); memmove(h, h + 1, 23); show(h, 24);

// case
// output: "23 24 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
    cudaMemcpy(b, h + 22, 2, cudaMemcpyHostToHost); show(b, 24);

// case
// output: "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 1 2 "
    cudaMemcpyToSymbol(numbers, h, 24); cudaMemcpyToSymbol(numbers, h, 2, 22);
    cudaMemcpyFromSymbol(b, numbers, 24); show(b, 24);

// case
// output: "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 2 3 4 5 6 7 "
    cudaMemcpyToSymbol(shorts, h, 7, 1); cudaMemcpyFromSymbol(b + 16, shorts, 8); show(b, 24);

// case
// output: "6 7 8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
    cudaMemcpyToSymbol(shorts, h, 8); cudaMemcpyFromSymbol(b, shorts, 3, 5); show(b, 24);

// case
// output: "99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 99 "
    cudaMemcpyToSymbol(numbers, d, 24, 0, cudaMemcpyDeviceToDevice); gather<<<1, 6>>>((int*)d);
    cudaMemcpy(b, d, 24, cudaMemcpyDeviceToHost); show(b, 24);

// case
// output: "21 22 23 24 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
    cudaMemcpyToSymbol(numbers, h, 24); void* p; cudaGetSymbolAddress(&p, numbers);
    cudaMemcpy(b, (char*)p + 20, 4, cudaMemcpyDeviceToHost); show(b, 24);
