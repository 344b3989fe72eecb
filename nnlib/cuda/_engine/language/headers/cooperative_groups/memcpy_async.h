// Copies by all threads of a group; each call is one batch, for which the group waits.
#include <cuda/barrier>

template <typename Group, typename T>
__device__ void cooperative_groups::memcpy_async(Group group, T* to, const T* from, size_t size)
{
    nnlib_copy<alignof(T)>(to, from, size, group.thread_rank(), group.size(), (void*)nullptr);
    __pipeline_commit();
}
template <typename Group, typename T, size_t Align>
__device__ void cooperative_groups::memcpy_async(Group group, T* to, const T* from, cuda::aligned_size_t<Align> size)
{
    nnlib_copy<Align>(to, from, size.value, group.thread_rank(), group.size(), (void*)nullptr);
    __pipeline_commit();
}
template <typename Group, typename T>
__device__ void cooperative_groups::memcpy_async(Group group, T* to, size_t room, const T* from, size_t count)
{
    cooperative_groups::memcpy_async(group, to, from, (room < count ? room : count) * sizeof(T));
}
template <int Prior, typename Group> __device__ void cooperative_groups::wait_prior(Group group)
{
    __pipeline_wait_prior(Prior);
    group.sync();
}
template <typename Group> __device__ void cooperative_groups::wait(Group group)
{
    cooperative_groups::wait_prior<0>(group);
}
