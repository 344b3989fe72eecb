// {"output": "0.000000 100.000000\n0.600098 101.500000\n1.200195 103.000000\n1.799805 105.000000\n-0.450195 4 1\n0.145468 0.820181 0.550399\n"}
#include <stdio.h>
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
