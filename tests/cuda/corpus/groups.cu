// Cooperative groups: blocks, tiles, the threads that are there, the grid.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

extern "C" __global__ void ranks(int* out)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
    auto half = cg::tiled_partition<4>(tile);
    cg::grid_group grid = cg::this_grid();
    int i = grid.thread_rank();
    int* mine = out + 12 * i;
    mine[0] = block.thread_rank();
    mine[1] = block.size();
    mine[2] = tile.thread_rank();
    mine[3] = tile.size();
    mine[4] = tile.meta_group_rank();
    mine[5] = tile.meta_group_size();
    mine[6] = half.meta_group_rank();
    mine[7] = half.num_threads() + half.meta_group_size();
    mine[8] = grid.size();
    mine[9] = grid.block_rank() + grid.num_blocks();
    mine[10] = block.thread_index().y + 10 * block.group_index().x;
    mine[11] = block.group_dim().x + 100 * grid.group_dim().x;
}

extern "C" __global__ void tile_shuffles(const float* x, float* up, float* down, float* cross, float* first)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    up[i] = tile.shfl_up(x[i], 3);
    down[i] = tile.shfl_down(x[i], 5);
    cross[i] = tile.shfl_xor(x[i], 9);
    first[i] = tile.shfl(x[i], 18);
}

extern "C" __global__ void tile_votes(const int* x, unsigned* ballot, int* any, int* all)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = threadIdx.x;
    ballot[i] = tile.ballot(x[i] > 0);
    any[i] = tile.any(x[i] > 90);
    all[i] = tile.all(x[i] > -70);
}

extern "C" __global__ void coalesced_sums(const int* x, int* sums, int* rank, int* last)
{
    int i = threadIdx.x;
    if (x[i] % 3 == 0) {
        auto there = cg::coalesced_threads();
        sums[i] = cg::reduce(there, x[i], cg::plus<int>());
        rank[i] = 100 * there.size() + there.thread_rank();
        last[i] = there.shfl(x[i], there.size() - 1) + there.shfl_up(x[i], 1) - there.shfl_down(x[i], 2);
        there.sync();
    }
}

template <typename Group> __device__ float sum_of(Group group, float v)
{
    for (int offset = group.size() / 2; offset > 0; offset /= 2) v += group.shfl_down(v, offset);
    return v;
}

extern "C" __global__ void block_sum(const float* x, float* sum, float* largest)
{
    __shared__ float partial[4];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    float v = sum_of(warp, x[blockIdx.x * blockDim.x + threadIdx.x]);
    if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = v;
    cg::sync(block);
    if (block.thread_rank() == 0) sum[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
    float m = cg::reduce(warp, x[blockIdx.x * blockDim.x + threadIdx.x], cg::greater<float>());
    block.sync();
    if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = m;
    block.sync();
    if (block.thread_rank() == 0) largest[blockIdx.x] = fmaxf(fmaxf(partial[0], partial[1]), fmaxf(partial[2], partial[3]));
}

extern "C" __global__ void partitions(const int* x, int* by_sign, int* by_label, int* scan, int* before)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    auto sign = cg::binary_partition(warp, x[i] > 0);
    by_sign[i] = sign.size() * 100 + sign.thread_rank();
    cg::coalesced_group label = cg::labeled_partition(warp, (x[i] + 99) % 5);
    by_label[i] = cg::reduce(label, x[i], cg::less<int>());
    scan[i] = cg::inclusive_scan(warp, x[i]);
    before[i] = cg::exclusive_scan(warp, x[i], cg::plus<int>());
}

__device__ int chosen_rank(cg::thread_group group)
{
    group.sync();
    return group.thread_rank() + 1000 * group.size();
}

extern "C" __global__ void any_group(int* out)
{
    using namespace cooperative_groups;
    thread_block block = this_thread_block();
    thread_group quarter = tiled_partition(block, 8);
    out[threadIdx.x] = chosen_rank(block) - chosen_rank(quarter);
}

extern "C" __global__ void grid_reversed(float* x, float* scratch, int n)
{
    cg::grid_group grid = cg::this_grid();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) scratch[i] = 2 * x[i];
    grid.sync();
    for (int i = grid.thread_rank(); i < n; i += grid.size()) x[i] = scratch[n - 1 - i];
}
