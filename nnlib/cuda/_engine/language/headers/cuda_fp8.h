// Only what it brings along: numbers of 8 bits are refused where they are used.
#include <cuda_fp16.h>
#include <cuda_bf16.h>
