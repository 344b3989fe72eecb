// C = A B in float32, multiplied as TF32 on tensor cores, lesson 09. A (M, K), B (K, N), C (M, N), all row by row.
// Factors are rounded to 10 bits behind the point; sums are float32. M and N are multiples of 128, K of 16.
// Not measured on a GPU so far; results, bank conflicts and races are tested in the simulator.
//
//   matmul_tf32  <<<(N / 128, M / 128), 256>>>   two asynchronous stages, eight warps of 64 x 32
//
// A block of 8 x 8 halves is one of 8 x 4 floats, so ldmatrix brings A. It cannot transpose floats: B is read by plain
// loads, four rows of eight columns by a warp, and padding puts them into different banks.

#define BM 128
#define BN 128
#define BK 16
#define STAGES 2
#define ROW_B (BN + 8)

__device__ __forceinline__ unsigned shared_address(const void* p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ __forceinline__ void copy16(void* to, const void* from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(shared_address(to)), "l"(from));
}

__device__ __forceinline__ unsigned rounded(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

// Where the 16 bytes number `chunk` of a row of A's tile lie.
__device__ __forceinline__ int place_a(int row, int chunk) { return row * BK + 4 * (chunk ^ (row >> 1 & 3)); }

extern "C" __global__ void __launch_bounds__(256) matmul_tf32(const float* __restrict__ A, const float* __restrict__ B,
                                                              float* C, int M, int N, int K)
{
    __shared__ __align__(128) float a_tile[STAGES][BM * BK];
    __shared__ __align__(128) float b_tile[STAGES][BK * ROW_B];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int warp_row = 64 * (warp % 2), warp_column = 32 * (warp / 2);
    const float* a_from = A + (size_t)BM * blockIdx.y * K;
    const float* b_from = B + BN * blockIdx.x;
    float c[4][4][4] = {};

    int steps = K / BK;
    for (int step = 0; step < steps + STAGES - 1; step++) {
        if (step >= STAGES - 1) {
            asm volatile("cp.async.wait_group %0;" :: "n"(STAGES - 2));
            __syncthreads();
        }
        if (step < steps) {
            float *a_to = a_tile[step % STAGES], *b_to = b_tile[step % STAGES];
            for (int i = t; i < BM * BK / 4; i += 256)
                copy16(a_to + place_a(i / 4, i % 4), a_from + (size_t)(i / 4) * K + step * BK + i % 4 * 4);
            for (int i = t; i < BK * BN / 4; i += 256)
                copy16(b_to + i / 32 * ROW_B + i % 32 * 4, b_from + (size_t)(step * BK + i / 32) * N + i % 32 * 4);
        }
        asm volatile("cp.async.commit_group;" ::);
        if (step < STAGES - 1) continue;

        const float* a_now = a_tile[(step - STAGES + 1) % STAGES];
        const float* b_now = b_tile[(step - STAGES + 1) % STAGES];
        #pragma unroll
        for (int k = 0; k < BK; k += 8) {
            unsigned a[4][4], b[4][2];
            #pragma unroll
            for (int i = 0; i < 4; i++) {
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                    : "=r"(a[i][0]), "=r"(a[i][1]), "=r"(a[i][2]), "=r"(a[i][3])
                    : "r"(shared_address(a_now + place_a(warp_row + 16 * i + lane % 16, k / 4 + lane / 16))));
                #pragma unroll
                for (int r = 0; r < 4; r++) a[i][r] = rounded(__uint_as_float(a[i][r]));
            }
            #pragma unroll
            for (int j = 0; j < 4; j++)
                #pragma unroll
                for (int r = 0; r < 2; r++)
                    b[j][r] = rounded(b_now[(k + 4 * r + lane % 4) * ROW_B + warp_column + 8 * j + lane / 4]);
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int j = 0; j < 4; j++)
                    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                        "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                        : "+f"(c[i][j][0]), "+f"(c[i][j][1]), "+f"(c[i][j][2]), "+f"(c[i][j][3])
                        : "r"(a[i][0]), "r"(a[i][1]), "r"(a[i][2]), "r"(a[i][3]), "r"(b[j][0]), "r"(b[j][1]));
        }
    }
    float* to = C + (size_t)(BM * blockIdx.y + warp_row + lane / 4) * N + BN * blockIdx.x + warp_column + lane % 4 * 2;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            *(float2*)(to + (size_t)16 * i * N + 8 * j) = make_float2(c[i][j][0], c[i][j][1]);
            *(float2*)(to + (size_t)(16 * i + 8) * N + 8 * j) = make_float2(c[i][j][2], c[i][j][3]);
        }
}
