// rule: A kernel computes with halves of every kind, shuffles them and adds them atomically
// launch: 1, 32, [linspace(-2, 2, 32).astype(float16), zeros((32, 2), float16), zeros(32, uint16), zeros(32), 0.75, 1.5]
// memory: start = linspace(-2, 2, 32).astype(float16)
// memory: h, one, two = float16(0.75), float16(1), float16(2)
// memory: pair = stack([start[::-1] * two + one, (start[::-1] + h) * two - one], 1)
// memory: squares = (pair.astype(float64) ** 2 + [0.5, 0.75]).astype(float16)
// memory: squares[:, 0] += one
// memory: bits = lambda v: v.astype(float32).view(uint32)
// memory: bfloat = lambda v: ((bits(v) + 0x7FFF + (bits(v) >> 16 & 1)) >> 16).astype(uint16)
// memory: wide = lambda v: (v.astype(uint32) << 16).view(float32)
// memory: products = bfloat(wide(bfloat(pair[:, 1])) * float32(1.5))
// memory: swapped, below = start.reshape(16, 2)[:, ::-1].ravel(), append(pair[1:, 0], pair[31:, 0])
// expect: y[1:] == squares[1:]
// expect: y[0] == reduce(lambda total, part: total + part, pair, squares[0])
// expect: z[1:] == products[1:]
// expect: allclose(f, start + wide(products) + (pair[:, 0] > h) + 1 + sqrt(float32(h)), 1e-6)
// expect: x == where((swapped != 0) & (below < swapped), -swapped, h)
#include <cuda_fp16.h>
#include <cuda_bf16.h>
extern "C" __global__ void k(half* x, half2* y, __nv_bfloat16* z, float* f, half h, __nv_bfloat16 b)
{
    __shared__ half2 tile[32];
    int i = threadIdx.x;
    tile[i] = __halves2half2(x[i], x[i] + h);
    __syncthreads();
    half2 pair = tile[31 - i] * __float2half2_rn(2.0f);
    pair += half2(1.0f, -1.0f);
    y[i] = __hfma2(pair, pair, make_half2(0.5f, h));
    y[i].x += 1;
    z[i] = (float)pair.y;
    z[i] *= b;
    f[i] = __half2float(x[i]) + (float)z[i] + (pair.x > h ? 1 : 0) + (tile[i] == tile[i]) + sqrtf(h);
    half c = __shfl_xor_sync(0xffffffff, x[i], 1);
    half2 d = __shfl_down_sync(0xffffffff, pair, 1);
    x[i] = (c && d.x < c) ? -c : h;
    __syncthreads();
    atomicAdd(&y[0], pair);
    atomicAdd(z, b);
}

// rule: The halves of a pair race like all memory
// launch: 1, 32, [zeros((1, 2), float16)]
// error: RaceError thread=(1,0,0) block=(0,0,0)
// report: race: writes a[0], which thread (0,0,0) of the same block writes in line 10
// report: nothing says which of the two stays
// report: hint: use an atomic, or let one thread write
#include <cuda_fp16.h>
extern "C" __global__ void k(half2* a)
{
    a[0].x = __int2half_rn(threadIdx.x);  // <- here
}

// rule: A comparison of pairs holds if it holds for both numbers
// launch: 1, 81, [pairs[0].ravel(), pairs[1].ravel(), zeros((6, 81), bool_)]
// memory: pairs = stack([array(v, float16)[indices((3,) * 4).reshape(4, 81)[k]] for k, v in enumerate([[1, 2, 3]] * 4)], 1)
// memory: pairs = ascontiguousarray(pairs.reshape(81, 2, 2).transpose(1, 0, 2))
// expect: o[0] == (pairs[0] == pairs[1]).all(1)
// expect: o[1] == (pairs[0] != pairs[1]).all(1)
// expect: o[2] == (pairs[0] < pairs[1]).all(1)
// expect: o[3] == (pairs[0] <= pairs[1]).all(1)
// expect: o[4] == (pairs[0] > pairs[1]).all(1)
// expect: o[5] == (pairs[0] >= pairs[1]).all(1)
#include <cuda_fp16.h>
extern "C" __global__ void k(const half2* a, const half2* b, bool (*o)[81])
{
    int t = threadIdx.x;
    o[0][t] = __hbeq2(a[t], b[t]);
    o[1][t] = __hbne2(a[t], b[t]);
    o[2][t] = __hblt2(a[t], b[t]);
    o[3][t] = __hble2(a[t], b[t]);
    o[4][t] = __hbgt2(a[t], b[t]);
    o[5][t] = __hbge2(a[t], b[t]);
}

// rule: Ordered comparisons with NaN are false, unordered ones true
// launch: 1, 9, [zeros((18, 9), bool_), array([1, 2, nan], float16)]
// memory: a, b = repeat(array([1, 2, nan], float16), 3), tile(array([1, 2, nan], float16), 3)
// expect: o[0] == ((a == b) & ~isnan(a + b))
// expect: o[1] == ((a == b) | isnan(a + b))
// expect: o[2] == (a == b)
// expect: o[3] == ((a != b) & ~isnan(a + b))
// expect: o[4] == ((a != b) | isnan(a + b))
// expect: o[5] == (a != b)
// expect: o[6] == ((a < b) & ~isnan(a + b))
// expect: o[7] == ((a < b) | isnan(a + b))
// expect: o[8] == (a < b)
// expect: o[9] == ((a <= b) & ~isnan(a + b))
// expect: o[10] == ((a <= b) | isnan(a + b))
// expect: o[11] == (a <= b)
// expect: o[12] == ((a > b) & ~isnan(a + b))
// expect: o[13] == ((a > b) | isnan(a + b))
// expect: o[14] == (a > b)
// expect: o[15] == ((a >= b) & ~isnan(a + b))
// expect: o[16] == ((a >= b) | isnan(a + b))
// expect: o[17] == (a >= b)
#include <cuda_fp16.h>
extern "C" __global__ void k(bool (*o)[9], const half* x)
{
    int t = threadIdx.x;
    half a = x[t / 3], b = x[t % 3];
    o[0][t] = __heq(a, b);
    o[1][t] = __hequ(a, b);
    o[2][t] = a == b;
    o[3][t] = __hne(a, b);
    o[4][t] = __hneu(a, b);
    o[5][t] = a != b;
    o[6][t] = __hlt(a, b);
    o[7][t] = __hltu(a, b);
    o[8][t] = a < b;
    o[9][t] = __hle(a, b);
    o[10][t] = __hleu(a, b);
    o[11][t] = a <= b;
    o[12][t] = __hgt(a, b);
    o[13][t] = __hgtu(a, b);
    o[14][t] = a > b;
    o[15][t] = __hge(a, b);
    o[16][t] = __hgeu(a, b);
    o[17][t] = a >= b;
}
