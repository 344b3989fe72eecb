// CUDA's arrays, the memory of textures and surfaces, and the objects that describe them to kernels, for programs.
#include "nnlib_textures.h"
enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat, cudaChannelFormatKindNone
};
enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder };
enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear };
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
enum cudaResourceType {
    cudaResourceTypeArray, cudaResourceTypeMipmappedArray, cudaResourceTypeLinear, cudaResourceTypePitch2D
};
enum { cudaArrayDefault, cudaArrayLayered, cudaArraySurfaceLoadStore };

// Memory of three axes: rows with a pitch, in slices one behind the other.
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr {
    void* ptr;
    size_t pitch, xsize, ysize;
};
inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
    return {pointer, pitch, width, height};
}
inline cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}
inline cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
    for (size_t z = 0; z < extent.depth; z++)
        cudaMemset2D((char*)pointer.ptr + z * pointer.ysize * pointer.pitch, pointer.pitch, value, extent.width,
                     extent.height);
    return cudaSuccess;
}

struct cudaChannelFormatDesc {
    int x, y, z, w;
    cudaChannelFormatKind f;
};
inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}
#define __CHANNELS(type, vector, bits, kind) \
    inline cudaChannelFormatDesc __channels_of(type*) { return {bits, 0, 0, 0, kind}; } \
    inline cudaChannelFormatDesc __channels_of(vector##2*) { return {bits, bits, 0, 0, kind}; } \
    inline cudaChannelFormatDesc __channels_of(vector##4*) { return {bits, bits, bits, bits, kind}; }
__CHANNELS(signed char, char, 8, cudaChannelFormatKindSigned)
__CHANNELS(unsigned char, uchar, 8, cudaChannelFormatKindUnsigned)
__CHANNELS(short, short, 16, cudaChannelFormatKindSigned)
__CHANNELS(unsigned short, ushort, 16, cudaChannelFormatKindUnsigned)
__CHANNELS(int, int, 32, cudaChannelFormatKindSigned)
__CHANNELS(unsigned int, uint, 32, cudaChannelFormatKindUnsigned)
__CHANNELS(float, float, 32, cudaChannelFormatKindFloat)
inline cudaChannelFormatDesc __channels_of(char*) { return {8, 0, 0, 0, cudaChannelFormatKindSigned}; }
template <class T> cudaChannelFormatDesc cudaCreateChannelDesc() { return __channels_of((T*)nullptr); }

struct cudaArray {
    char* data;
    cudaChannelFormatDesc format;
    cudaExtent extent;
    unsigned flags;
};
typedef cudaArray* cudaArray_t;
typedef const cudaArray* cudaArray_const_t;
inline int __channel_count(const cudaChannelFormatDesc& format) {
    return (format.x > 0) + (format.y > 0) + (format.z > 0) + (format.w > 0);
}
inline size_t __element_size(const cudaChannelFormatDesc& format) {
    return (format.x + format.y + format.z + format.w) / 8;
}
inline size_t __row_size(const cudaArray* array) { return array->extent.width * __element_size(array->format); }
inline char* __in_array(const cudaArray* array, size_t x, size_t y, size_t z) {
    size_t rows = array->extent.height ? array->extent.height : 1;
    return array->data + (z * rows + y) * __row_size(array) + x;
}

inline cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* format, cudaExtent extent,
                                     unsigned flags = 0) {
    if (extent.width > 131072 || extent.height > 131072 || extent.depth > 16384) return cudaErrorInvalidValue;
    cudaArray* made = (cudaArray*)malloc(sizeof(cudaArray));
    made->format = *format;
    made->extent = extent;
    made->flags = flags;
    *array = made;
    return cudaMalloc((void**)&made->data, __row_size(made) * (extent.height ? extent.height : 1) *
                                               (extent.depth ? extent.depth : 1));
}
inline cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                                   size_t height = 0, unsigned flags = 0) {
    return cudaMalloc3DArray(array, format, make_cudaExtent(width, height, 0), flags);
}
inline cudaError_t cudaFreeArray(cudaArray_t array) {
    if (!array) return cudaSuccess;
    cudaError_t error = cudaFree(array->data);
    free(array);
    return error;
}
inline cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array) {
    *format = array->format;
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                       size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2D(__in_array(to, x, y, 0), __row_size(to), from, pitch, width, height, kind);
}
inline cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                         size_t width, size_t height, cudaMemcpyKind kind) {
    return cudaMemcpy2D(to, pitch, __in_array(from, x, y, 0), __row_size(from), width, height, kind);
}
inline cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t count,
                                     cudaMemcpyKind kind) {
    return cudaMemcpy(__in_array(to, x, y, 0), from, count, kind);
}
inline cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t count,
                                       cudaMemcpyKind kind) {
    return cudaMemcpy(to, __in_array(from, x, y, 0), count, kind);
}

struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
// Where the copy begins. Positions and widths count elements where an array takes part, else bytes.
inline char* __at_position(cudaArray_t array, cudaPitchedPtr pointer, cudaPos at, size_t slice, size_t unit) {
    if (array) return __in_array(array, at.x * unit, at.y, at.z + slice);
    return (char*)pointer.ptr + ((at.z + slice) * pointer.ysize + at.y) * pointer.pitch + at.x * unit;
}
inline cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy) {
    cudaArray_t to = copy->dstArray, from = copy->srcArray;
    size_t unit = to ? __element_size(to->format) : from ? __element_size(from->format) : 1;
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < copy->extent.depth && error == cudaSuccess; z++)
        error = cudaMemcpy2D(__at_position(to, copy->dstPtr, copy->dstPos, z, unit),
                             to ? __row_size(to) : copy->dstPtr.pitch,
                             __at_position(from, copy->srcPtr, copy->srcPos, z, unit),
                             from ? __row_size(from) : copy->srcPtr.pitch, copy->extent.width * unit,
                             copy->extent.height, copy->kind);
    return error;
}

// Objects. Members of `res` share their memory in CUDA, which no program relies on.
struct __array_resource { cudaArray_t array; };
struct __linear_resource {
    void* devPtr;
    cudaChannelFormatDesc desc;
    size_t sizeInBytes;
};
struct __pitch_resource {
    void* devPtr;
    cudaChannelFormatDesc desc;
    size_t width, height, pitchInBytes;
};
struct __resource {
    __array_resource array;
    __linear_resource linear;
    __pitch_resource pitch2D;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    __resource res;
};
struct cudaResourceViewDesc { int format; };
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};

inline cudaChannelFormatDesc __describe(__texture* made, const cudaResourceDesc* resource) {
    cudaChannelFormatDesc format = resource->res.linear.desc;
    made->height = made->depth = 1;
    if (resource->resType == cudaResourceTypeArray) {
        const cudaArray* array = resource->res.array.array;
        format = array->format;
        made->data = array->data;
        made->pitch = __row_size(array);
        made->width = array->extent.width;
        made->height = array->extent.height ? array->extent.height : 1;
        made->depth = array->extent.depth ? array->extent.depth : 1;
    } else if (resource->resType == cudaResourceTypeLinear) {
        made->data = (char*)resource->res.linear.devPtr;
        made->pitch = resource->res.linear.sizeInBytes;
        made->width = resource->res.linear.sizeInBytes / __element_size(format);
    } else {
        format = resource->res.pitch2D.desc;
        made->data = (char*)resource->res.pitch2D.devPtr;
        made->pitch = resource->res.pitch2D.pitchInBytes;
        made->width = resource->res.pitch2D.width;
        made->height = resource->res.pitch2D.height;
    }
    made->slice = made->pitch * made->height;
    made->channels = __channel_count(format);
    made->bits = format.x;
    made->kind = format.f;
    return format;
}
inline cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                           const cudaTextureDesc* how, const cudaResourceViewDesc* view = nullptr) {
    __texture* made;
    cudaError_t error = cudaMallocManaged((void**)&made, sizeof(__texture));
    if (error != cudaSuccess) return error;
    __describe(made, resource);
    for (int axis = 0; axis < 3; axis++) made->address[axis] = how->addressMode[axis];
    for (int channel = 0; channel < 4; channel++) made->border[channel] = how->borderColor[channel];
    made->linear = how->filterMode == cudaFilterModeLinear;
    made->fractions = how->readMode == cudaReadModeNormalizedFloat && made->bits < 32;
    made->normalized = how->normalizedCoords;
    *object = made;
    return cudaSuccess;
}
inline cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
    cudaTextureDesc how = {};
    return cudaCreateTextureObject(object, resource, &how);
}
inline cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return cudaFree(object); }
inline cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) { return cudaFree(object); }
