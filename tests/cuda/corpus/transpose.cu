// Rows become columns: without shared memory, through a tile, through a padded tile, through a swizzled tile.
#define TILE 32

extern "C" __global__ void transpose_naive(const float* in, float* out, int width, int height)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

extern "C" __global__ void transpose_tiled(const float* in, float* out, int width, int height)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < width && y < height)
        tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < height && y < width)
        out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose_padded(const float* in, float* out, int width, int height)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y0 = blockIdx.y * TILE + threadIdx.y;
#pragma unroll 1
    for (int j = 0; j < TILE; j += 8)
        if (x < width && y0 + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y0 + j) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y0 = blockIdx.x * TILE + threadIdx.y;
#pragma unroll 1
    for (int j = 0; j < TILE; j += 8)
        if (x < height && y0 + j < width)
            out[(y0 + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

extern "C" __global__ void transpose_swizzled(const int* in, int* out, int size)
{
    __shared__ int tile[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    tile[ty][tx ^ ty] = in[(blockIdx.y * TILE + ty) * size + blockIdx.x * TILE + tx];
    __syncthreads();
    out[(blockIdx.x * TILE + ty) * size + blockIdx.y * TILE + tx] = tile[tx][ty ^ tx];
}

// Shared memory read with a stride: 2-way, 4-way, ... bank conflicts.
extern "C" __global__ void shared_stride(const float* in, float* out, int stride)
{
    __shared__ float s[1024];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 32)
        s[i] = in[i];
    __syncthreads();
    out[t] = s[t * stride % 1024];
}

extern "C" __global__ void shared_doubles(const double* in, double* out, int stride)
{
    __shared__ double s[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    out[t] = s[t * stride % 256];
}

extern "C" __global__ void shared_vectors(const float4* in, float4* out, int stride)
{
    __shared__ float4 s[128];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    out[t] = s[t * stride % 128];
}

extern "C" __global__ void shared_bytes(const unsigned char* in, unsigned char* out, int stride)
{
    __shared__ unsigned char s[2048];
    int t = threadIdx.x;
    for (int i = t; i < 2048; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    out[t] = s[t * stride % 2048];
}
