// What the header of this name gives the programs of CUDA by Example.
static void HandleError(cudaError_t error, const char* file, int line) {
    if (error != cudaSuccess) {
        printf("%s in %s at line %d\n", cudaGetErrorString(error), file, line);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(error) (HandleError(error, __FILE__, __LINE__))
#define HANDLE_NULL(pointer) { if (pointer == NULL) { \
    printf("Host memory failed in %s at line %d\n", __FILE__, __LINE__); exit(EXIT_FAILURE); } }
template <typename T> void swap(T& a, T& b) { T t = a; a = b; b = t; }
inline void* big_random_block(int size) {
    unsigned char* data = (unsigned char*)malloc(size);
    HANDLE_NULL(data);
    for (int i = 0; i < size; i++) data[i] = rand();
    return data;
}
inline int* big_random_block_int(int size) {
    int* data = (int*)malloc(size * sizeof(int));
    HANDLE_NULL(data);
    for (int i = 0; i < size; i++) data[i] = rand();
    return data;
}
