// A block per column: its threads share the numbers, then a tree adds up what they have. What a student types.
#define T 128
// <<<columns, T>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns)
{
    __shared__ float part[T];
    int c = blockIdx.x, t = threadIdx.x;
    float sum = 0.0f;
    for (int r = t; r < rows; r += T) sum += x[r * columns + c];
    part[t] = sum;
    __syncthreads();
    for (int half = T / 2; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[c] = part[0];
}
