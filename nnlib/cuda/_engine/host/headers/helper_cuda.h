// What cuda-samples' header of this name gives their programs.
#define EXIT_WAIVED 2
inline void __checked(cudaError_t result, const char* call, const char* file, int line) {
    if (result != cudaSuccess) {
        fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line, (int)result, cudaGetErrorName(result), call);
        exit(EXIT_FAILURE);
    }
}
#define checkCudaErrors(call) __checked((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message) __last_error(message, __FILE__, __LINE__)
inline void __last_error(const char* message, const char* file, int line) {
    cudaError_t result = cudaGetLastError();
    if (result != cudaSuccess) {
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line, message, (int)result,
                cudaGetErrorString(result));
        exit(EXIT_FAILURE);
    }
}
inline int _ConvertSMVer2Cores(int major, int minor) { return major == 7 ? 64 : major == 8 && minor == 0 ? 64 : 128; }
inline const char* _ConvertSMVer2ArchName(int major, int minor) { return major == 7 ? "Turing" : "Hopper"; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int argc, const char** argv) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", 0,
           _ConvertSMVer2ArchName(properties.major, properties.minor), properties.major, properties.minor);
    return 0;
}
inline int gpuDeviceInit(int device) { return device; }
inline bool checkCudaCapabilities(int major, int minor) { return true; }
inline int ftoi(float value) { return value >= 0 ? (int)(value + 0.5f) : (int)(value - 0.5f); }
#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif
#ifndef MIN
#define MIN(a, b) (a < b ? a : b)
#endif
