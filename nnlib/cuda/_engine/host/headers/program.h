// What a whole program has without including it: the CUDA runtime and the C library, as far as teaching programs use
// them. Functions without a body are Python: see ../library. Handles are addresses of nothing.

typedef void* cudaStream_t;
typedef void* cudaEvent_t;
typedef void FILE;
typedef long time_t;
typedef long ssize_t;
typedef long off_t;

enum cudaError_t {
    cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9, cudaErrorInvalidSymbol = 13, cudaErrorInvalidDevicePointer = 17,
    cudaErrorInvalidMemcpyDirection = 21, cudaErrorNoDevice = 100, cudaErrorInvalidDevice = 101,
    cudaErrorInvalidResourceHandle = 400, cudaErrorNotReady = 600, cudaErrorIllegalAddress = 700,
    cudaErrorLaunchOutOfResources = 701, cudaErrorLaunchTimeout = 702, cudaErrorAssert = 710,
    cudaErrorLaunchFailure = 719, cudaErrorCooperativeLaunchTooLarge = 720,
    cudaErrorNotSupported = 801, cudaErrorUnknown = 999,
};
typedef cudaError_t cudaError;
enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive, cudaComputeModeProhibited };
enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1, cudaFuncCachePreferEqual };
enum cudaSharedMemConfig {
    cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte, cudaSharedMemBankSizeEightByte
};
enum cudaLimit {
    cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize, cudaLimitDevRuntimeSyncDepth,
    cudaLimitDevRuntimePendingLaunchCount, cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize
};
enum cudaMemoryAdvise {
    cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly, cudaMemAdviseSetPreferredLocation,
    cudaMemAdviseUnsetPreferredLocation, cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy
};
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8, cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaDeviceAttr {
    cudaDevAttrMaxThreadsPerBlock = 1, cudaDevAttrMaxBlockDimX = 2, cudaDevAttrMaxBlockDimY = 3,
    cudaDevAttrMaxBlockDimZ = 4, cudaDevAttrMaxGridDimX = 5, cudaDevAttrMaxGridDimY = 6, cudaDevAttrMaxGridDimZ = 7,
    cudaDevAttrMaxSharedMemoryPerBlock = 8, cudaDevAttrTotalConstantMemory = 9,
    cudaDevAttrWarpSize = 10, cudaDevAttrMaxRegistersPerBlock = 12, cudaDevAttrClockRate = 13, cudaDevAttrMultiProcessorCount = 16,
    cudaDevAttrIntegrated = 18, cudaDevAttrCanMapHostMemory = 19, cudaDevAttrConcurrentKernels = 31,
    cudaDevAttrMemoryClockRate = 36, cudaDevAttrGlobalMemoryBusWidth = 37, cudaDevAttrL2CacheSize = 38,
    cudaDevAttrMaxThreadsPerMultiProcessor = 39, cudaDevAttrAsyncEngineCount = 40, cudaDevAttrUnifiedAddressing = 41,
    cudaDevAttrComputeCapabilityMajor = 75, cudaDevAttrComputeCapabilityMinor = 76,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81, cudaDevAttrMaxRegistersPerMultiprocessor = 82,
    cudaDevAttrManagedMemory = 83, cudaDevAttrPageableMemoryAccess = 88, cudaDevAttrConcurrentManagedAccess = 89,
    cudaDevAttrCooperativeLaunch = 95, cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
    cudaDevAttrMemoryPoolsSupported = 115
};

#define CUDART_CB
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaStreamLegacy ((cudaStream_t)0)
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaHostRegisterDefault 0
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#define cudaHostRegisterMapped 2
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceBlockingSync 4
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
#define cudaCpuDeviceId (-1)
#define CUDART_VERSION 12000

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, memPitch, totalConstMem, textureAlignment, sharedMemPerMultiprocessor;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, major, minor;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver, asyncEngineCount;
    int unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize, maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported, regsPerMultiprocessor, managedMemory;
    int isMultiGpuBoard, concurrentManagedAccess, pageableMemoryAccess, cooperativeLaunch, maxBlocksPerMultiProcessor;
    int maxTexture1D, maxTexture2D[2], maxTexture3D[3], maxTexture1DLayered[2], maxTexture2DLayered[3];
    int computePreemptionSupported, cooperativeMultiDeviceLaunch, hostNativeAtomicSupported, maxSurface2D[2];
    size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock, surfaceAlignment, texturePitchAlignment;
};
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, maxDynamicSharedSizeBytes;
};
struct timeval { long tv_sec, tv_usec; };
struct timezone { int tz_minuteswest, tz_dsttime; };
struct timespec { long tv_sec, tv_nsec; };
struct tm { int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst; };

// Memory.
cudaError_t cudaMalloc(void** pointer, size_t size);
cudaError_t cudaMallocHost(void** pointer, size_t size, unsigned flags = 0);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned flags);
cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags = 1);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height);
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream);
cudaError_t cudaFree(void* pointer);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream);
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned flags);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaMemcpy(void* to, const void* from, size_t count, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t count, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t count, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t count, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t count, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream = 0);
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream = 0);
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol);
cudaError_t cudaMemset(void* pointer, int value, size_t count);
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t count, cudaStream_t stream = 0);
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = 0);

// Pools: all memory comes from one, whatever they say.
typedef void* cudaMemPool_t;
enum cudaMemPoolAttr {
    cudaMemPoolReuseFollowEventDependencies = 1, cudaMemPoolReuseAllowOpportunistic = 2,
    cudaMemPoolReuseAllowInternalDependencies = 3, cudaMemPoolAttrReleaseThreshold = 4
};
inline cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) { *pool = (void*)1; return cudaSuccess; }
inline cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { *pool = (void*)1; return cudaSuccess; }
inline cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr what, void* value) { return cudaSuccess; }
inline cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t kept) { return cudaSuccess; }
inline cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
    return cudaMallocAsync(pointer, size, stream);
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream = 0);
cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, int device);

// Errors.
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

// Streams and events.
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
typedef void (*cudaHostFn_t)(void* data);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data, unsigned flags);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);

// Devices and kernels.
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* properties);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaDeviceReset();
cudaError_t cudaThreadExit();
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int other);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaFuncSetCacheConfig(const void* kernel, cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const void* kernel, cudaSharedMemConfig config);
cudaError_t cudaFuncSetAttribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* kernel, int threads, size_t shared);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, const void* kernel, size_t shared = 0,
                                               int limit = 0);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                             cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                        cudaStream_t stream = 0);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();

// The C library.
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define CLOCKS_PER_SEC 1000000
#define EOF (-1)
#define stdout ((FILE*)1)
#define stderr ((FILE*)2)
#define stdin ((FILE*)3)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
void* malloc(size_t size);
void* calloc(size_t count, size_t size);
void* realloc(void* pointer, size_t size);
void free(void* pointer);
void* aligned_alloc(size_t alignment, size_t size);
void exit(int status);
void abort();
int atoi(const char* text);
long atol(const char* text);
double atof(const char* text);
double strtod(const char* text, char** end);
float strtof(const char* text, char** end);
long strtol(const char* text, char** end, int base);
int rand();
void srand(unsigned seed);
double drand48();
void srand48(long seed);
long random();
void srandom(unsigned seed);
int system(const char* command);
char* getenv(const char* name);
void* memcpy(void* to, const void* from, size_t count);
void* memmove(void* to, const void* from, size_t count);
void* memset(void* pointer, int value, size_t count);
int memcmp(const void* a, const void* b, size_t count);
size_t strlen(const char* text);
int strcmp(const char* a, const char* b);
int strncmp(const char* a, const char* b, size_t count);
int strcasecmp(const char* a, const char* b);
char* strcpy(char* to, const char* from);
char* strncpy(char* to, const char* from, size_t count);
char* strcat(char* to, const char* from);
void __print_text(FILE* file, const char* text, int width, int fill);
void __print_real(FILE* file, double value, int precision, int mode, int width, int fill);
void __print_whole(FILE* file, long long value, int width, int fill, int base);
void __print_unsigned(FILE* file, unsigned long long value, int width, int fill, int base);
int puts(const char* text);
int scanf(const char* format, ...);
int fscanf(FILE* file, const char* format, ...);
int sscanf(const char* text, const char* format, ...);
int vprintf(const char* format, char* values);
int vfprintf(FILE* file, const char* format, char* values);
int vsprintf(char* to, const char* format, char* values);
int vsnprintf(char* to, size_t size, const char* format, char* values);
int ferror(FILE* file);
void rewind(FILE* file);
int remove(const char* name);
int fgetc(FILE* file);
int getc(FILE* file);
int ungetc(int character, FILE* file);
int fputc(int character, FILE* file);
int putc(int character, FILE* file);
int posix_memalign(void** pointer, size_t alignment, size_t size);
int isatty(int file);
inline void qsort(void* first, size_t count, size_t size, int (*compare)(const void*, const void*)) {
    char* all = (char*)first;  // merged in rounds, as glibc does it
    char* kept = (char*)malloc(count * size);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low + width < count; low += 2 * width) {
            size_t high = low + 2 * width < count ? low + 2 * width : count, a = low, b = low + width;
            for (size_t k = low; k < high; k++) {
                bool left = b == high || a < low + width && compare(all + a * size, all + b * size) <= 0;
                memcpy(kept + k * size, all + (left ? a++ : b++) * size, size);
            }
            memcpy(all + low * size, kept + low * size, (high - low) * size);
        }
    }
    free(kept);
}
int isdigit(int c); int isspace(int c); int isalpha(int c); int isalnum(int c); int isupper(int c); int islower(int c);
int ispunct(int c); int isxdigit(int c); int isprint(int c); int toupper(int c); int tolower(int c);
char* strchr(const char* text, int c);
char* strrchr(const char* text, int c);
char* strstr(const char* text, const char* part);
char* strtok(char* text, const char* marks);
inline char* strdup(const char* text) {
    size_t n = strlen(text) + 1;
    return (char*)memcpy(malloc(n), text, n);
}
inline char* strncat(char* to, const char* from, size_t count) {
    size_t end = strlen(to), k = 0;
    for (; k < count && from[k]; k++) to[end + k] = from[k];
    to[end + k] = 0;
    return to;
}
size_t strcspn(const char* text, const char* marks);
size_t strspn(const char* text, const char* marks);
char* strerror(int error);
unsigned long strtoul(const char* text, char** end, int base);
long long strtoll(const char* text, char** end, int base);
unsigned long long strtoull(const char* text, char** end, int base);
long long atoll(const char* text);
FILE* __text_file(const char* content, size_t size);
char* __word_of(FILE* file, int until, size_t* length);
char* __rest_of(FILE* file, size_t* length);
// <stdarg.h>: the more arguments of a function, 8 bytes each.
typedef char* va_list;
char* __more();
#define va_start(list, last) ((list) = __more())
#define va_arg(list, type) (*(type*)(((list) += 8) - 8))
#define va_copy(to, from) ((to) = (from))
#define va_end(list) ((void)0)
int putchar(int character);
int fputs(const char* text, FILE* file);
int fflush(FILE* file);
int getchar();
void perror(const char* text);
FILE* fopen(const char* name, const char* mode);
int fclose(FILE* file);
size_t fread(void* pointer, size_t size, size_t count, FILE* file);
size_t fwrite(const void* pointer, size_t size, size_t count, FILE* file);
int fseek(FILE* file, long offset, int from);
long ftell(FILE* file);
char* fgets(char* text, int size, FILE* file);
int feof(FILE* file);
time_t time(void* result);
double __seconds();
int gettimeofday(timeval* now, struct timezone* zone);
int clock_gettime(int clock, timespec* now);
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define CLOCK_PROCESS_CPUTIME_ID 2
#define CLOCK_MONOTONIC_RAW 4
#define TIME_UTC 1
inline int timespec_get(timespec* now, int base) { clock_gettime(0, now); return base; }
inline double difftime(time_t end, time_t begin) { return (double)(end - begin); }
int usleep(unsigned microseconds);
inline int nanosleep(const timespec* time, timespec* rest) {
    return usleep((unsigned)(time->tv_sec * 1000000 + time->tv_nsec / 1000));
}
// The date of a second, in UTC; days are counted in eras of 400 years that begin in March.
inline tm* gmtime(const time_t* second) {
    static tm date;
    long day = *second / 86400 + 719468, rest = *second % 86400, era = day / 146097, in_era = day % 146097;
    long year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    long in_year = in_era - (365 * year + year / 4 - year / 100), month = (5 * in_year + 2) / 153;
    date.tm_sec = rest % 60; date.tm_min = rest / 60 % 60; date.tm_hour = rest / 3600;
    date.tm_mday = in_year - (153 * month + 2) / 5 + 1; date.tm_mon = month < 10 ? month + 2 : month - 10;
    date.tm_year = year + era * 400 + (date.tm_mon < 2) - 1900;
    date.tm_wday = (day + 3) % 7;
    long leap = date.tm_year % 4 == 0 && (date.tm_year % 100 != 0 || (date.tm_year + 300) % 400 == 0);
    date.tm_yday = month < 10 ? in_year + 59 + leap : in_year - 306; date.tm_isdst = 0;
    return &date;
}
inline tm* localtime(const time_t* second) { return gmtime(second); }
inline size_t strftime(char* to, size_t size, const char* form, const tm* d) {
    const char* days = "SunMonTueWedThuFriSat";
    const char* months = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char part[32];
    size_t n = 0;
    for (; *form; form++) {
        if (*form != '%') snprintf(part, 32, "%c", *form);
        else switch (*++form) {
        case 'Y': snprintf(part, 32, "%d", d->tm_year + 1900); break;
        case 'y': snprintf(part, 32, "%02d", d->tm_year % 100); break;
        case 'm': snprintf(part, 32, "%02d", d->tm_mon + 1); break;
        case 'd': snprintf(part, 32, "%02d", d->tm_mday); break;
        case 'e': snprintf(part, 32, "%2d", d->tm_mday); break;
        case 'H': snprintf(part, 32, "%02d", d->tm_hour); break;
        case 'M': snprintf(part, 32, "%02d", d->tm_min); break;
        case 'S': snprintf(part, 32, "%02d", d->tm_sec); break;
        case 'j': snprintf(part, 32, "%03d", d->tm_yday + 1); break;
        case 'a': snprintf(part, 32, "%.3s", days + 3 * d->tm_wday); break;
        case 'b': snprintf(part, 32, "%.3s", months + 3 * d->tm_mon); break;
        case 'Z': snprintf(part, 32, "UTC"); break;
        case 'F': strftime(part, 32, "%Y-%m-%d", d); break;
        case 'T': case 'X': strftime(part, 32, "%H:%M:%S", d); break;
        case 'x': strftime(part, 32, "%m/%d/%y", d); break;
        case 'c': strftime(part, 32, "%a %b %e %H:%M:%S %Y", d); break;
        default: snprintf(part, 32, "%c", *form);
        }
        size_t length = strlen(part);
        if (n + length >= size) return 0;
        for (size_t k = 0; k <= length; k++) to[n + k] = part[k];
        n += length;
    }
    return n;
}
inline char* asctime(const tm* date) {
    static char text[32];
    strftime(text, 32, "%c\n", date);
    return text;
}
inline char* ctime(const time_t* second) { return asctime(gmtime(second)); }
unsigned sleep(unsigned seconds);
unsigned __random_device();
void __sort(const void* first, size_t count);
#include <utility>
