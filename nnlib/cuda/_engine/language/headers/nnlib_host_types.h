// Types of CUDA's library for the host, which a text of kernels may name where it declares functions of the host.
typedef void* cudaStream_t;
typedef void* cudaEvent_t;
typedef int cudaError_t;
