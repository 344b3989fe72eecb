// Texts with cooperative groups.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
/* here */

// right
__device__ int rank(cg::thread_group g) { return g.thread_rank(); } template <typename G> __device__ int size(G g) { return g.size(); } __global__ void k(int* p) { auto b = cg::this_thread_block(); const cg::thread_block_tile<8> t = cg::tiled_partition<8>(b); p[0] = rank(b) + rank(t) + size(t) + size(b); p[1] = cg::reduce(t, p[2], cg::plus<int>{}) + cg::reduce(t, p[2], cg::bit_xor<int>()); cg::sync(t); t.sync(); }

// right
using namespace cg; __global__ void k(int* p) { thread_block b = this_thread_block(); thread_block_tile<4> t = tiled_partition<4>(b); p[0] = reduce(t, 1, plus<int>()) + t.size(); sync(b); }

// error 5:60: '+' does not work on 'cooperative_groups::thread_block'
// hint: ask the group: g.thread_rank(), g.size()
__global__ void k(int* p) { p[0] = cg::this_thread_block() + 1; }

// error 5:45: a tile cannot have 7 threads
// hint: use 1, 2, 4, 8, 16 or 32
__global__ void k() { cg::thread_block_tile<7> t = cg::tiled_partition<7>(cg::this_thread_block()); }

// error 5:90: 'cooperative_groups::thread_block_tile<4>' has no tiles of 8 threads
// hint: divide a thread_block, or a larger tile
__global__ void k() { auto t = cg::tiled_partition<4>(cg::this_thread_block()); auto u = cg::tiled_partition<8>(t); }

// error 5:44: initial value of 'b': cannot convert 'cooperative_groups::grid_group' to 'cooperative_groups::thread_block'
// hint: the types must agree
__global__ void k() { cg::thread_block b = cg::this_grid(); }

// error 5:27: a condition cannot be of type 'cooperative_groups::thread_block'
// hint: compare it with something
__global__ void k() { if (cg::this_thread_block()) return; }

// error 5:28: 'int' has no tiles of 32 threads
// hint: divide a thread_block, or a larger tile
__global__ void k(int n) { cg::tiled_partition<32>(n); }

// error 5:56: no function cooperative_groups::shfl takes (cooperative_groups::coalesced_group, int)
// hint: known are: cooperative_groups::shfl(cooperative_groups::thread_group, int, int); cooperative_groups::shfl(cooperative_groups::thread_group, unsigned int, int); cooperative_groups::shfl(cooperative_groups::thread_group, long, int); cooperative_groups::shfl(cooperative_groups::thread_group, unsigned long, int); cooperative_groups::shfl(cooperative_groups::thread_group, long long, int); cooperative_groups::shfl(cooperative_groups::thread_group, unsigned long long, int); cooperative_groups::shfl(cooperative_groups::thread_group, float, int); cooperative_groups::shfl(cooperative_groups::thread_group, double, int)
__global__ void k(int n) { n = cg::coalesced_threads().shfl(n); }

// error 5:37: 'float4' has no function 'length'
// hint: remove the brackets
__global__ void k(float4* v) { v[0].length(); }

// error 5:23: 'tiled_partition' takes 1 argument, but 0 given
// hint: its parameters are (group)
__global__ void k() { cg::tiled_partition<8>(); }

// error 5:23: 'tiled_partition' takes 1 argument, but 2 given
// hint: its parameters are (group)
__global__ void k() { cg::tiled_partition<8>(cg::this_thread_block(), 3); }

// error 5:23: 'tiled_partition' takes 2 arguments, but 1 given
// hint: its parameters are (group, size)
__global__ void k() { cg::tiled_partition(cg::this_thread_block()); }

// error 5:23: 'reduce' takes 3 arguments, but 2 given
// hint: its parameters are (group, value, cg::plus<T>())
__global__ void k() { cg::reduce(cg::coalesced_threads(), 1); }

// error 5:23: 'inclusive_scan' takes 2 to 3 arguments, but 1 given
// hint: its parameters are (group, value, cg::plus<T>())
__global__ void k() { cg::inclusive_scan(cg::coalesced_threads()); }

// error 5:23: 'exclusive_scan' takes 2 to 3 arguments, but 4 given
// hint: its parameters are (group, value, cg::plus<T>())
__global__ void k() { cg::exclusive_scan(cg::coalesced_threads(), 1, cg::plus<int>(), 3); }

// error 5:47: no function cooperative_groups::shfl takes (cooperative_groups::coalesced_group)
// hint: known are: cooperative_groups::shfl(cooperative_groups::thread_group, int, int); cooperative_groups::shfl(cooperative_groups::thread_group, unsigned int, int); cooperative_groups::shfl(cooperative_groups::thread_group, long, int); cooperative_groups::shfl(cooperative_groups::thread_group, unsigned long, int); cooperative_groups::shfl(cooperative_groups::thread_group, long long, int); cooperative_groups::shfl(cooperative_groups::thread_group, unsigned long long, int); cooperative_groups::shfl(cooperative_groups::thread_group, float, int); cooperative_groups::shfl(cooperative_groups::thread_group, double, int)
__global__ void k() { cg::coalesced_threads().shfl(); }

// stricter 5:23: a thread_block_tile has a size
// hint: write thread_block_tile<32>
__global__ void k() { cg::thread_block_tile t = cg::tiled_partition<8>(cg::this_thread_block()); }

// unsupported 5:43: tiles of more than a warp
// hint: use tiles of up to 32 threads, or the block
__global__ void k() { cg::tiled_partition<64>(cg::this_thread_block()); }

// unsupported 5:43: tiles of more than a warp
// hint: use tiles of up to 32 threads, or the block
__global__ void k() { cg::tiled_partition<1024>(cg::this_thread_block()); }

// unsupported 5:98: reductions with an operation of one's own
// hint: use one of cg::plus, cg::less, cg::greater, cg::bit_and, cg::bit_or, cg::bit_xor, or a loop with shfl_down()
__global__ void k(int* p) { auto g = cg::coalesced_threads(); p[0] = cg::inclusive_scan(g, p[1], [](int a, int b) { return a * b; }); }
