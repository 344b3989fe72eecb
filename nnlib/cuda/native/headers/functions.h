// CUDA's functions of numbers, as the simulator computes them. NaN is what differs from itself.

__device__ float native_fmaxf(float x, float y) { return x != x || x < y ? y : x; }
__device__ float native_fminf(float x, float y) { return x != x || y < x ? y : x; }
__device__ double native_fmax(double x, double y) { return x != x || x < y ? y : x; }
__device__ double native_fmin(double x, double y) { return x != x || y < x ? y : x; }
__device__ int native_max(int x, int y) { return x < y ? y : x; }
__device__ int native_min(int x, int y) { return y < x ? y : x; }
__device__ unsigned native_max(unsigned x, unsigned y) { return x < y ? y : x; }
__device__ unsigned native_min(unsigned x, unsigned y) { return y < x ? y : x; }
__device__ long native_max(long x, long y) { return x < y ? y : x; }
__device__ long native_min(long x, long y) { return y < x ? y : x; }
__device__ unsigned long native_max(unsigned long x, unsigned long y) { return x < y ? y : x; }
__device__ unsigned long native_min(unsigned long x, unsigned long y) { return y < x ? y : x; }
__device__ long long native_max(long long x, long long y) { return x < y ? y : x; }
__device__ long long native_min(long long x, long long y) { return y < x ? y : x; }
__device__ unsigned long long native_max(unsigned long long x, unsigned long long y) { return x < y ? y : x; }
__device__ unsigned long long native_min(unsigned long long x, unsigned long long y) { return y < x ? y : x; }
__device__ int native_abs(int x) { return x < 0 ? 0 - x : x; }
__device__ long native_abs(long x) { return x < 0 ? 0 - x : x; }
__device__ long long native_abs(long long x) { return x < 0 ? 0 - x : x; }
