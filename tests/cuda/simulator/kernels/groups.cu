// rule: Every thread of the block reaches block.sync()
// launch: 1, 32, [zeros(256, int32)]
// error: BarrierError thread=(16,0,0) block=(0,0,0)
// report: 16 of 32 threads of a block do not reach this sync()
// report: missing: thread (16,0,0) of block (0,0,0); 16 threads in all
// report: every thread of the block must reach the same barrier; the guide leaves undefined what happens otherwise
// report: hint: move the barrier out of the if or loop that only some threads run
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    if (threadIdx.x < 16) block.sync();  // <- here
}

// rule: Every lane of a tile reaches tile.sync()
// launch: 1, 32, [zeros(256, int32)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: sync: the mask 0xff names lanes that do not take part: 4, 5, 6, 7
// report: every lane named in the mask must make the same call
// report: hint: move it out of the if, or give it the mask of the lanes that are there
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    if (threadIdx.x < 4) tile.sync();  // <- here
}

// rule: Every lane of a tile reaches tile.sync()
// launch: 1, 32, [zeros(256, int32)]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    if (threadIdx.x < 8) tile.sync();
}

// rule: Every lane of a tile takes part in its reductions
// launch: 1, 32, [zeros(256, int32)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: reduce: the mask 0xff names lanes that do not take part: 4, 5, 6, 7
// report: every lane named in the mask must make the same call
// report: hint: move it out of the if, or give it the mask of the lanes that are there
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    if (threadIdx.x < 4) x[0] = cg::reduce(tile, 1, cg::plus<int>());  // <- here
}

// rule: Every lane of a tile takes part in its reductions
// launch: 1, 32, [zeros(256, int32)]
// error: BarrierError thread=(0,0,0) block=(0,0,0)
// report: inclusive_scan: the mask 0xff names lanes that do not take part: 4, 5, 6, 7
// report: every lane named in the mask must make the same call
// report: hint: move it out of the if, or give it the mask of the lanes that are there
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    if (threadIdx.x < 4) x[0] = cg::inclusive_scan(tile, 1, cg::less<int>());  // <- here
}

// rule: Every lane of a tile takes part in its shuffles
// launch: 1, 32, [zeros(256, int32)]
// error: BarrierError thread=(1,0,0) block=(0,0,0)
// report: shfl_down: the mask 0xff names lanes that do not take part: 0, 2, 4, 6
// report: every lane named in the mask must make the same call
// report: hint: move it out of the if, or give it the mask of the lanes that are there
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    if (threadIdx.x % 2) x[0] = tile.shfl_down(1, 1);  // <- here
}

// rule: A shuffle needs a value only in the lane that it reads
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [*[5] * 32, *[0] * 224]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    auto g = cg::coalesced_threads();
    int v;
    int2 w;
    if (g.thread_rank() == 0) v = 5, w = make_int2(2, 3);
    w = g.shfl(w, 0);
    x[threadIdx.x] = g.shfl(v, 0) * (w.y - w.x);
}

// rule: A shuffle needs a value only in the lane that it reads
// launch: 1, 32, [zeros(256, int32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: v is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: v = 0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    auto g = cg::coalesced_threads();
    int v;
    int2 w;
    if (g.thread_rank() == 0) v = 5, w = make_int2(2, 3);
    w = g.shfl(w, 0);
    x[threadIdx.x] = g.shfl(v, 1) * (w.y - w.x);  // <- here
}

// rule: A shuffle of a struct needs the members of the lane that it reads
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [*[10] * 8, *[18] * 8, *[26] * 8, *[34] * 8, *[0] * 224]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    struct In {
        int v;
    };
    struct P {
        int a;
        In in;
    } p;
    if (tile.thread_rank() == 3) p.a = 7;
    if (tile.thread_rank() == 3) p.in.v = threadIdx.x;
    p = tile.shfl(p, 3);
    x[threadIdx.x] = p.a + p.in.v;
}

// rule: A shuffle of a struct needs the members of the lane that it reads
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [*[7] * 32, *[0] * 224]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    struct In {
        int v;
    };
    struct P {
        int a;
        In in;
    } p;
    if (tile.thread_rank() == 3) p.a = 7;
    if (tile.thread_rank() == 3) p.in.v = threadIdx.x;
    p = tile.shfl(p, 3);
    x[threadIdx.x] = p.a + ((char*)&p)[4] - ((char*)&p)[4];
}

// rule: A shuffle of a struct needs the members of the lane that it reads
// launch: 1, 32, [zeros(256, int32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: p.a is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: p.a = 0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    struct In {
        int v;
    };
    struct P {
        int a;
        In in;
    } p;
    if (tile.thread_rank() == 3) p.a = 7;
    if (tile.thread_rank() == 3) p.in.v = threadIdx.x;
    p = tile.shfl(p, 2);  // <- here
    x[threadIdx.x] = p.a;
}

// rule: A shuffle of a struct needs the members of the lane that it reads
// launch: 1, 32, [zeros(256, int32)]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: p.in.v is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: p.in.v = 0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    struct In {
        int v;
    };
    struct P {
        int a;
        In in;
    } p;
    if (tile.thread_rank() == 3) p.a = 7;
    p = tile.shfl(p, 3);  // <- here
}

// rule: tile.sync() orders the lanes of its tile and no others
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [*range(7, -1, -1), *range(15, 7, -1), *range(23, 15, -1), *range(31, 23, -1), *[0] * 224]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    tile.sync();
    x[threadIdx.x] = s[threadIdx.x ^ 7];
}

// rule: tile.sync() orders the lanes of its tile and no others
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [*range(31, -1, -1), *[0] * 224]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    block.sync();
    x[threadIdx.x] = s[threadIdx.x ^ 31];
}

// rule: tile.sync() orders the lanes of its tile and no others
// launch: 1, 32, [zeros(256, int32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[31], which thread (31,0,0) of the same block writes in line 16
// report: lanes of a warp are not ordered by themselves
// report: hint: put __syncthreads() (or __syncwarp(), if one warp does both) between the two
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    tile.sync();
    x[threadIdx.x] = s[threadIdx.x ^ 31];  // <- here
}

// rule: grid.sync() orders blocks
// cooperative
// launch: 4, 32, [zeros(256, int32)]
// expect: x == [*range(0, 128), *range(63, -1, -1), *range(127, 63, -1)]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    x[i] = i;
    grid.sync();
    x[(i + 64) % 128 + 128] = x[127 - i];
}

// rule: grid.sync() orders blocks
// cooperative
// launch: 4, 32, [zeros(256, int32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads x[127], which thread (31,0,0) of block (3,0,0) writes in line 16
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    x[i] = i;
    __syncthreads();
    x[(i + 64) % 128 + 128] = x[127 - i];  // <- here
}

// rule: grid.sync() needs a cooperative launch
// launch: 4, 32, [zeros(256, int32)]
// error: LaunchError
// report: grid.sync() in a launch whose blocks need not run at the same time
// report: all blocks must be on the GPU at once to wait for each other
// report: hint: write RawModule(..., enable_cooperative_groups=True)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    grid.sync();  // <- here
}

// rule: A cooperative launch has no more blocks than run at once
// cooperative
// launch: 264, 1024, [zeros(256, int32)]
// launch: 265, 1024, [zeros(256, int32)]
// error: LaunchError
// report: kernel k: a cooperative launch of 265 blocks. All must run at the same time, and an H100 holds at most 264 of this size. Launch fewer, and let each thread do more than one element
// launch: 264, 1000, [zeros(256, int32)]
// launch: 265, 1000, [zeros(256, int32)]
// error: LaunchError
// report: kernel k: a cooperative launch of 265 blocks. All must run at the same time, and an H100 holds at most 264 of this size. Launch fewer, and let each thread do more than one element
// launch: 1584, 160, [zeros(256, int32)]
// launch: 1585, 160, [zeros(256, int32)]
// error: LaunchError
// report: kernel k: a cooperative launch of 1,585 blocks. All must run at the same time, and an H100 holds at most 1,584 of this size. Launch fewer, and let each thread do more than one element
// launch: 4224, 32, [zeros(256, int32)]
// launch: 4225, 32, [zeros(256, int32)]
// error: LaunchError
// report: kernel k: a cooperative launch of 4,225 blocks. All must run at the same time, and an H100 holds at most 4,224 of this size. Launch fewer, and let each thread do more than one element
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    grid.sync();
}

// rule: Every block reaches grid.sync()
// cooperative
// launch: 4, 32, [zeros(256, int32)]
// error: BarrierError thread=(0,0,0) block=(3,0,0)
// report: 32 threads of the grid do not reach this grid.sync()
// report: missing: thread (0,0,0) of block (3,0,0); 32 threads in all
// report: every thread of every block must reach the same barrier
// report: hint: move the barrier out of the if or loop that only some threads run
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    if (blockIdx.x < 3) grid.sync();  // <- here
}

// rule: Every block reaches grid.sync()
// cooperative
// launch: 4, 32, [zeros(256, int32)]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    if (blockIdx.x == 3) return;
    grid.sync();
}

// rule: Many blocks wait for each other at grid.sync()
// cooperative
// launch: 100, 256, [zeros(256, int32)]
// expect: x == [100, 100, *[0] * 254]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    if (threadIdx.x == 0) atomicAdd(x, 1);
    grid.sync();
    if (i == 0) x[1] = x[0];
}

// rule: A reduction takes any number of lanes
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [105] + [0] * 31 + [304, 304] + [0] * 30 + [804, 804, 804] + [0] * 29 + [9800] * 7 + [0] * 25 + [14800] * 8 + [0] * 24 + [51800] * 12 + [0] * 20 + [948600] * 31 + [0] + [1044800] * 32
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    int t = threadIdx.x;
    if (t < 1) {
        auto g = cg::coalesced_threads();
        x[0 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 2) {
        auto g = cg::coalesced_threads();
        x[32 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 3) {
        auto g = cg::coalesced_threads();
        x[64 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 7) {
        auto g = cg::coalesced_threads();
        x[96 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 8) {
        auto g = cg::coalesced_threads();
        x[128 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 12) {
        auto g = cg::coalesced_threads();
        x[160 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 31) {
        auto g = cg::coalesced_threads();
        x[192 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
    if (t < 32) {
        auto g = cg::coalesced_threads();
        x[224 + t] = cg::reduce(g, t * t + 1, cg::plus<int>()) * 100 + cg::reduce(g, t ^ 5, cg::less<int>());
    }
}

// rule: A scan takes any number of lanes
// launch: 1, 32, [zeros(256, int32)]
// expect: x[224:] == cumsum(arange(1, 33))
// expect: x.reshape(8, 32) == where(arange(32) < array([1, 2, 3, 7, 8, 12, 31, 32])[:, None], x[224:], 0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    int t = threadIdx.x;
    if (t < 1) {
        auto g = cg::coalesced_threads();
        x[0 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 2) {
        auto g = cg::coalesced_threads();
        x[32 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 3) {
        auto g = cg::coalesced_threads();
        x[64 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 7) {
        auto g = cg::coalesced_threads();
        x[96 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 8) {
        auto g = cg::coalesced_threads();
        x[128 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 12) {
        auto g = cg::coalesced_threads();
        x[160 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 31) {
        auto g = cg::coalesced_threads();
        x[192 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
    if (t < 32) {
        auto g = cg::coalesced_threads();
        x[224 + t] = cg::inclusive_scan(g, t + 1, cg::plus<int>());
    }
}

// rule: A scan takes any number of lanes
// launch: 1, 32, [zeros(256, int32)]
// expect: x[224:] == maximum.accumulate(arange(32) * 7 % 10 - 5)
// expect: x.reshape(8, 32) == where(arange(32) < array([1, 2, 3, 7, 8, 12, 31, 32])[:, None], x[224:], 0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    int t = threadIdx.x;
    if (t < 1) {
        auto g = cg::coalesced_threads();
        x[0 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 2) {
        auto g = cg::coalesced_threads();
        x[32 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 3) {
        auto g = cg::coalesced_threads();
        x[64 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 7) {
        auto g = cg::coalesced_threads();
        x[96 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 8) {
        auto g = cg::coalesced_threads();
        x[128 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 12) {
        auto g = cg::coalesced_threads();
        x[160 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 31) {
        auto g = cg::coalesced_threads();
        x[192 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
    if (t < 32) {
        auto g = cg::coalesced_threads();
        x[224 + t] = cg::inclusive_scan(g, (t * 7) % 10 - 5, cg::greater<int>());
    }
}

// rule: A scan takes any number of lanes
// launch: 1, 32, [zeros(256, int32)]
// expect: x[224:] == cumsum(arange(32))
// expect: x.reshape(8, 32) == where(arange(32) < array([1, 2, 3, 7, 8, 12, 31, 32])[:, None], x[224:], 0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    int t = threadIdx.x;
    if (t < 1) {
        auto g = cg::coalesced_threads();
        x[0 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 2) {
        auto g = cg::coalesced_threads();
        x[32 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 3) {
        auto g = cg::coalesced_threads();
        x[64 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 7) {
        auto g = cg::coalesced_threads();
        x[96 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 8) {
        auto g = cg::coalesced_threads();
        x[128 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 12) {
        auto g = cg::coalesced_threads();
        x[160 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 31) {
        auto g = cg::coalesced_threads();
        x[192 + t] = cg::exclusive_scan(g, t + 1);
    }
    if (t < 32) {
        auto g = cg::coalesced_threads();
        x[224 + t] = cg::exclusive_scan(g, t + 1);
    }
}

// rule: A scan takes any number of lanes
// launch: 1, 32, [zeros(256, int32)]
// expect: x[224:] == bitwise_or.accumulate([0, *(1 << arange(31) % 30)])
// expect: x.reshape(8, 32) == where(arange(32) < array([1, 2, 3, 7, 8, 12, 31, 32])[:, None], x[224:], 0)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    int t = threadIdx.x;
    if (t < 1) {
        auto g = cg::coalesced_threads();
        x[0 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 2) {
        auto g = cg::coalesced_threads();
        x[32 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 3) {
        auto g = cg::coalesced_threads();
        x[64 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 7) {
        auto g = cg::coalesced_threads();
        x[96 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 8) {
        auto g = cg::coalesced_threads();
        x[128 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 12) {
        auto g = cg::coalesced_threads();
        x[160 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 31) {
        auto g = cg::coalesced_threads();
        x[192 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
    if (t < 32) {
        auto g = cg::coalesced_threads();
        x[224 + t] = cg::exclusive_scan(g, 1 << t % 30, cg::bit_or<int>());
    }
}

// rule: A reduction adds floats pair by pair
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [*[1279179814] * 32, *[0] * 32, *[1279179809] * 5, *[0] * 187]
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    float v[8] = {1e+08, 1.0, -1e+08, 3.0, 5e+07, 2.0, 7.0, 11.0};
    int t = threadIdx.x;
    float w = v[t % 8];
    x[t] = __float_as_int(cg::reduce(tile, w, cg::plus<float>()));
    if (t < 5) {
        auto g = cg::coalesced_threads();
        x[64 + t] = __float_as_int(cg::reduce(g, w, cg::plus<float>()));
    }
}

// rule: Vectors and structs are exchanged part by part
// launch: 1, 32, [zeros(256, int32)]
// expect: x == [3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 19, 18, 17, 16, 23, 22, 21, 20, 27, 26, 25, 24, 31, 30, 29, 28, -3, -2, -1, 0, -7, -6, -5, -4, -11, -10, -9, -8, -15, -14, -13, -12, -19, -18, -17, -16, -23, -22, -21, -20, -27, -26, -25, -24, -31, -30, -29, -28] + [2] * 8 + [10] * 8 + [18] * 8 + [26] * 8 + [2] * 8 + [10] * 8 + [18] * 8 + [26] * 8 + [0] * 128
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void k(int* x)
{
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    int t = threadIdx.x;
    int2 v = make_int2(t, -t);
    int2 w = tile.shfl_xor(v, 3);
    struct P {
        int a;
        float b;
    } p = {t, t * 0.5f};
    P q = tile.shfl(p, 2);
    x[t] = w.x;
    x[32 + t] = w.y;
    x[64 + t] = q.a;
    x[96 + t] = q.b * 2;
}
