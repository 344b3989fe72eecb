// What the header of this name gives the programs of Professional CUDA C Programming.
#define CHECK(call)                                                                                                    \
    {                                                                                                                  \
        const cudaError_t error = call;                                                                                \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);                                                     \
            fprintf(stderr, "code: %d, reason: %s\n", (int)error, cudaGetErrorString(error));                          \
            exit(1);                                                                                                   \
        }                                                                                                              \
    }
inline double seconds() { return __seconds(); }
