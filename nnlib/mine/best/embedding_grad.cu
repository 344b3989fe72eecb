// dw[v] += all rows of dy whose token is v. A warp has 32 neighbouring numbers of one row of the table. It looks at 32
// tokens at once, a lane at each; the lanes vote, and only where the token was v do they read a row of dy.
// <<<(V * ((D + 31) / 32) + 7) / 8, 256>>>
extern "C" __global__ void embedding_grad(const float* dy, const int* tokens, float* dw, int rows, int D, int V) {
    int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32, tiles = (D + 31) / 32;
    int v = warp / tiles, d = warp % tiles * 32 + lane;
    if (v >= V) return;
    float sum = 0.0f;
    for (int first = 0; first < rows; first += 32) {
        unsigned found = __ballot_sync(0xffffffffu, first + lane < rows && tokens[first + lane] == v);
        for (; found != 0; found &= found - 1) {
            int r = first + __ffs(found) - 1;
            if (d < D) sum += dy[r * D + d];
        }
    }
    if (d < D) dw[v * D + d] += sum;
}
