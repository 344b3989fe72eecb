// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    o[t] = s[0][t];
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    o[t] = s[0][63 - t];
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    if (t < 32) {
        __pipeline_wait_prior(0);
        o[t] = s[0][t];
    }
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    if (t < 32) __pipeline_wait_prior(0);
    __pipeline_wait_prior(0);
    o[t] = s[0][t];
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    o[t] = x[t];
    s[1][t] = 2;
    __pipeline_wait_prior(0);
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    x[t] = 1;
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        __pipeline_memcpy_async(&s[i % 2][t], x + i * 64 + t, 4);
        __pipeline_commit();
        if (i > 0) {
            __pipeline_wait_prior(1);
            o[t] = s[(i - 1) % 2][t];
        }
    }
}

// rule: A thread waits for its own copies, the block at a barrier after that
// launch: 1, 64, [arange(256), zeros(64)]
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    if (t < 32) {
        __pipeline_memcpy_async(&s[0][t], x + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
    } else {
        __pipeline_memcpy_async(&s[0][t], x + t, 4);
        __pipeline_commit();
        __pipeline_memcpy_async(&s[1][t], x + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        o[t] = s[0][t];
    }
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][0] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    o[t] = s[0][t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][1] while thread (1,0,0)'s asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0), and then __syncthreads() for the other threads
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    o[t] = s[0][t ^ 1];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][0] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __shared__ float r[64];
    __pipeline_memcpy_async(&r[t], x + t, 4);
    o[t] = s[0][t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][0] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __syncthreads();
    o[t] = s[0][t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes s[0][0] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    s[0][t] = 1;  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes x[0] while its own asynchronous copy from it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    x[t] = 1;  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes x[7] while thread (7,0,0)'s asynchronous copy from it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0), and then __syncthreads() for the other threads
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    x[t ^ 7] = 1;  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes s[0] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __pipeline_memcpy_async(&s[0][t], x + t, 4);  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][63], which thread (63,0,0) of the same block writes in line 12
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    o[t] = s[0][63 - t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][63], which thread (63,0,0) of the same block writes in line 12
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __syncthreads();
    __pipeline_wait_prior(0);
    o[t] = s[0][63 - t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: writes x[63], which thread (63,0,0) of the same block reads in line 12
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    x[63 - t] = 1;  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][0] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_wait_prior(0);
    o[t] = s[0][t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: reads s[0][32] while its own asynchronous copy into it is under way, of line 12
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[0][t], x + t, 4);
    __pipeline_commit();
    if (t < 32) __pipeline_wait_prior(0);
    o[t] = s[0][t];  // <- here
}

// rule: A copy in flight may not be read, and its source may not be written
// launch: 1, 64, [arange(256), zeros(64)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][0] while its own asynchronous copy into it is under way, of line 13
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
// launch: 1, 64, [arange(256), zeros(64)], checks=False
extern "C" __global__ void k(float* x, float* o)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        __pipeline_memcpy_async(&s[i % 2][t], x + i * 64 + t, 4);
        __pipeline_commit();
        if (i > 0) {
            __pipeline_wait_prior(2);
            o[t] = s[(i - 1) % 2][t];  // <- here
        }
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int row = 0; row < n; row++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&s[row % 2][t], &x[row * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncthreads();
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        pipe.consumer_release();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const auto four = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
    for (int row = 0, next = 0; row < n; row++) {
        for (; next < n && next < row + 2; next++) {
            pipe.producer_acquire();
            if (4 * t < 64) cuda::memcpy_async(&s[next % 2][4 * t], &x[next * 64 + 4 * t], four, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        __syncthreads();
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        __syncthreads();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    auto pipe = cuda::make_pipeline();
    for (int row = 0; row <= n; row++) {
        if (row < n) cuda::memcpy_async(&s[row % 2][t], &x[row * 64 + t], sizeof(float), pipe);
        pipe.producer_commit();
        if (row == 0) continue;
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        y[(row - 1) * 64 + t] = 2 * s[(row - 1) % 2][63 - t];
        __syncthreads();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;

    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int row = 0, next = 0; row < n; row++) {
        for (; next < n && next < row + 2; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, s[next % 2], x + next * 64, cuda::aligned_size_t<16>(256), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        pipe.consumer_release();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier bars[2];
    if (block.thread_rank() < 2) init(&bars[block.thread_rank()], block.size());
    block.sync();
    cuda::memcpy_async(block, s[0], x, sizeof(float) * 64, bars[0]);
    for (int row = 0; row < n; row++) {
        if (row + 1 < n)
            cuda::memcpy_async(&s[(row + 1) % 2][t], &x[row * 64 + 64 + t], 4, bars[(row + 1) % 2]);
        barrier::arrival_token token = bars[row % 2].arrive();
        bars[row % 2].wait(std::move(token));
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        block.sync();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier a, b;
    if (t == 0) {
        init(&a, 64);
        init(&b, 64);
    }
    block.sync();
    for (int row = 0; row < n; row++) {
        cuda::memcpy_async(&s[0][t], &x[row * 64 + t], 4, t < 32 ? a : b);
        a.arrive_and_wait();
        b.arrive_and_wait();
        y[row * 64 + t] = 2 * s[0][63 - t];
        block.sync();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s[0], x, sizeof(float) * 64);
    for (int row = 0; row < n; row++) {
        if (row + 1 < n)
            cg::memcpy_async(block, s[(row + 1) % 2], x + 64 * (row + 1), cuda::aligned_size_t<16>(256));
        if (row + 1 < n)
            cg::wait_prior<1>(block);
        else
            cg::wait(block);
        y[row * 64 + t] = 2 * s[row % 2][63 - t];
        block.sync();
    }
}

// rule: memcpy_async has arrived after wait and a barrier
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// expect: y.reshape(4, 64) == 2 * arange(256).reshape(4, 64)[:, ::-1]
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ char bytes[256];
    for (int row = 0; row < n; row++) {
        cg::memcpy_async(block, bytes, (const char*)(x + 64 * row), 256);
        cg::wait(block);
        y[row * 64 + t] = 2 * ((float*)bytes)[63 - t];
        block.sync();
    }
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads a[0] while its own asynchronous copy into it is under way, of line 22
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ float a[64];
    auto p = cuda::make_pipeline();
    cuda::memcpy_async(&a[t], &x[t], 4, p);
    p.producer_commit();
    y[t] = a[t];  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][63], which thread (63,0,0) of the same block writes in line 21
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    auto p = cuda::make_pipeline();
    cuda::memcpy_async(&s[0][t], &x[t], 4, p);
    p.producer_commit();
    p.consumer_wait();
    y[t] = s[0][63 - t];  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[0][0] while its own asynchronous copy into it is under way, of line 26
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier a, b;
    if (t == 0) {
        init(&a, 64);
        init(&b, 64);
    }
    __syncthreads();
    cuda::memcpy_async(&s[0][t], &x[t], 4, a);
    b.arrive_and_wait();
    y[t] = s[0][t];  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: reads s[0][32] while its own asynchronous copy into it is under way, of line 26
// report: a copy has arrived for the thread that started it when it has waited
// report: hint: wait before touching it: __pipeline_commit(), __pipeline_wait_prior(0)
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier a, b;
    if (t == 0) {
        init(&a, 64);
        init(&b, 64);
    }
    __syncthreads();
    cuda::memcpy_async(&s[0][t], &x[t], 4, t < 32 ? a : b);
    a.arrive_and_wait();
    y[t] = s[0][t];  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: RaceError thread=(32,0,0) block=(0,0,0)
// report: race: reads a.expected, which thread (0,0,0) of the same block writes in line 21
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier a;
    if (t == 0) init(&a, 64);
    a.arrive_and_wait();  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: BarrierError
// report: the barrier waits for 128 arrivals, but 64 threads of the block arrive
// report: the others have ended, or the block is smaller
// report: hint: write init(&bar, n) with as many as arrive
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier a;
    if (t == 0) init(&a, 128);
    __syncthreads();
    a.arrive_and_wait();  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: UnsupportedError
// report: kernel.cu:21: not supported by the simulator: a cuda::barrier or pipeline on which only some threads of the block wait; let every thread of the block arrive and wait
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ barrier a;
    if (t == 0) init(&a, 32);
    __syncthreads();
    if (t < 32) a.arrive_and_wait();  // <- here
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: MisalignedAccessError thread=(0,0,0) block=(0,0,0)
// report: a 16-byte access at x[1], byte 4 of x
// report: its address must be a multiple of 16 bytes
// report: hint: start at an index that is a multiple of 4
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s[0], x + 1, cuda::aligned_size_t<16>(64));  // <- here
    cg::wait(block);
}

// rule: memcpy_async that nobody has waited for is reported at its line
// options: -I/usr/local/cuda/include -I/usr/local/cuda/include/cccl -std=c++17
// launch: 1, 64, [arange(256), zeros(256), 4]
// error: UnsupportedError
// report: kernel.cu:20:14: valid CUDA C++, but not supported by the simulator: pipelines with producers and consumers
// report: hint: let every thread copy, and every thread wait
#include <cuda/pipeline>
#include <cuda/barrier>
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[2][64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> a;
    auto p = cuda::make_pipeline(block, &a, cuda::pipeline_role::producer);  // <- here
}

// rule: Copies of a library cost what they do at the line that calls them
// launch: 1, 64, [zeros(64), zeros(64), 1]
// expect: [number for number, line in profile.lines.items() if line.global_load.requests] == [12]
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(const float* x, float* y, int n)
{
    __shared__ alignas(16) float s[64];
    auto block = cg::this_thread_block();
    int t = threadIdx.x;
    cg::memcpy_async(block, s, x, cuda::aligned_size_t<16>(256));  // count: global_load.sectors == 8
    cg::wait(block);
    y[t] = s[t];
}

// rule: A group reduces by an operation of one's own
// launch: 1, 64, [normal(64), zeros(64)]
// expect: allclose(y, repeat(x.reshape(2, 32).argmax(1) + [0, 32] + x.reshape(2, 32).min(1), 32))
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
struct Pair {
    float most;
    int at;
};
__device__ Pair larger(Pair a, Pair b) { return a.most > b.most ? a : b; }
extern "C" __global__ void k(const float* x, float* y)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    Pair own = {x[threadIdx.x], (int)threadIdx.x};
    Pair best = cg::reduce(tile, own, larger);
    y[threadIdx.x] = best.at + cg::reduce(tile, x[threadIdx.x], [](float a, float b) { return fminf(a, b); });
}

// rule: A copy of a few thousand accesses is made
// launch: 1, 32, [ones(4096)]
// expect: x == (arange(4096) == 4095)
extern "C" __global__ void k(float* x)
{
    if (threadIdx.x == 0) memset(x, 0, 4095 * sizeof(float));
}
