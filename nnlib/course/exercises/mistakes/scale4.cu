// <<<((n + 3) / 4 + BLOCK - 1) / BLOCK, BLOCK>>>
#define BLOCK ((n + 3) / 4 % 3 == 0 ? 64 : (n + 3) / 4 % 3 == 1 ? 32 : 128)
extern "C" __global__ void scale4(float factor, const float* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, tail = n / 4 * 4 + i;
    if (i < n / 4) {
        float4 v = ((const float4*)x)[i];
        ((float4*)out)[i] = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    }
    if (i < n % 4) out[tail] = factor * x[tail];
}
