// Every element from its neighbours.
#define RADIUS 3
#define BLOCK 64

extern "C" __global__ void stencil_1d(const int* in, int* out, int n)
{
    __shared__ int tile[BLOCK + 2 * RADIUS];
    int i = blockIdx.x * BLOCK + threadIdx.x;
    int t = threadIdx.x + RADIUS;
    tile[t] = i < n ? in[i] : 0;
    if (threadIdx.x < RADIUS) {
        tile[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
        tile[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
    }
    __syncthreads();
    int sum = 0;
#pragma unroll 1
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        sum += tile[t + offset];
    if (i < n)
        out[i] = sum;
}

extern "C" __global__ void heat_step(const float* __restrict__ now, float* __restrict__ next, int width, int height,
                                     float alpha)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int at = y * width + x;
    float v = now[at];
    if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
        v += alpha * (now[at - 1] + now[at + 1] + now[at - width] + now[at + width] - 4.0f * v);
    next[at] = v;
}

extern "C" __global__ void game_of_life(const unsigned char* now, unsigned char* next, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= size || y >= size) return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dx == 0 && dy == 0) continue;
            alive += now[(y + dy + size) % size * size + (x + dx + size) % size];
        }
    next[y * size + x] = alive == 3 || (alive == 2 && now[y * size + x]);
}

extern "C" __global__ void sobel(const unsigned char* image, unsigned char* edges, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        const unsigned char* p = image + y * width + x;
        int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
        int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[-width + 1];
        int magnitude = abs(gx) + abs(gy);
        edges[y * width + x] = min(magnitude, 255);
    } else if (x < width && y < height)
        edges[y * width + x] = 0;
}

extern "C" __global__ void box_blur_tiled(const float* in, float* out, int width, int height)
{
    __shared__ float tile[10][18];
    for (int y = threadIdx.y; y < 10; y += blockDim.y)
        for (int x = threadIdx.x; x < 18; x += blockDim.x) {
            int gx = min(max((int)(blockIdx.x * 16 + x) - 1, 0), width - 1);
            int gy = min(max((int)(blockIdx.y * 8 + y) - 1, 0), height - 1);
            tile[y][x] = in[gy * width + gx];
        }
    __syncthreads();
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x < width && y < height) {
        float sum = 0;
        for (int dy = 0; dy < 3; dy++)
            for (int dx = 0; dx < 3; dx++)
                sum += tile[threadIdx.y + dy][threadIdx.x + dx];
        out[y * width + x] = sum / 9;
    }
}
