// CuPy's name for halves.
#include <cuda_fp16.h>
typedef __half float16;
