// Reductions; those of halves need their types. The language knows the operations of the library by itself.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

// With an operation of the text's own: pair by pair in groups of a power of two, as CUDA has it, else one by one.
template <typename Group, typename T, typename Operation>
__device__ T nnlib_reduce(Group group, T value, Operation operation)
{
    unsigned int size = group.size(), rank = group.thread_rank();
    if ((size & (size - 1)) == 0) {
        for (unsigned int step = size / 2; step > 0; step /= 2) {
            T other = group.shfl(value, rank ^ step);
            value = operation(value, other);
        }
        return value;
    }
    T result = group.shfl(value, 0);
    for (unsigned int k = 1; k < size; k++) {
        T other = group.shfl(value, k);
        result = operation(result, other);
    }
    return result;
}
