// Reductions of halves are declared there, too.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
