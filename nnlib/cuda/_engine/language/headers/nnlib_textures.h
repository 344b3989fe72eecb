// Textures and surfaces: what a GPU's texture units compute, in CUDA C. A handle is the address of a description, which
// cudaCreateTextureObject writes (see the host's nnlib_arrays.h).
enum { __texture_wrap, __texture_clamp, __texture_mirror, __texture_border };
enum { __texture_signed, __texture_unsigned, __texture_float };
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

struct __texture {
    char* data;
    size_t pitch, slice;             // bytes from a row, and from a slice, to the next
    int width, height, depth;        // 1 along an axis that is not there
    int channels, bits, kind;        // of an element
    int address[3];                  // what an index beyond the edge of each axis stands for
    bool linear, fractions, normalized;  // filter; integers as fractions of their largest; coordinates from 0 to 1
    float border[4];
};
typedef __texture* cudaTextureObject_t;
typedef __texture* cudaSurfaceObject_t;

// The index along an axis of n elements, -1 beyond a border.
__device__ inline int __texture_index(int i, int n, int mode) {
    if (mode == __texture_border) return i < 0 || i >= n ? -1 : i;
    if (mode == __texture_wrap) return (i % n + n) % n;
    return i < 0 ? 0 : i < n ? i : n - 1;
}

// A coordinate, counted in elements.
__device__ inline float __texture_coordinate(const __texture* t, float x, int n, int axis) {
    if (!t->normalized) return x;
    if (t->address[axis] == __texture_wrap) return (x - floorf(x)) * n;
    if (t->address[axis] == __texture_mirror) {
        float part = x - floorf(x);
        return ((int)floorf(x) % 2 == 0 ? part : 1 - part) * n;
    }
    return x * n;
}

// How an axis beyond the edge is read: wrapping and mirroring need coordinates from 0 to 1.
__device__ inline int __texture_mode(const __texture* t, int axis) {
    int mode = t->address[axis];
    return mode == __texture_border || (mode == __texture_wrap && t->normalized) ? mode : (int)__texture_clamp;
}

__device__ inline float __texture_channel(const __texture* t, const char* at, int channel) {
    if (!t->fractions) return ((const float*)at)[channel];
    if (t->bits == 8)
        return t->kind == __texture_unsigned ? ((const unsigned char*)at)[channel] / 255.0f
                                             : fmaxf(((const signed char*)at)[channel] / 127.0f, -1.0f);
    return t->kind == __texture_unsigned ? ((const unsigned short*)at)[channel] / 65535.0f
                                         : fmaxf(((const short*)at)[channel] / 32767.0f, -1.0f);
}

// An element as four numbers.
__device__ inline float4 __texture_numbers(const __texture* t, int x, int y, int z) {
    if (x < 0 || y < 0 || z < 0) return make_float4(t->border[0], t->border[1], t->border[2], t->border[3]);
    const char* at = t->data + z * t->slice + y * t->pitch + x * (t->channels * t->bits / 8);
    float4 found = make_float4(__texture_channel(t, at, 0), 0, 0, 0);
    if (t->channels > 1) found.y = __texture_channel(t, at, 1);
    if (t->channels > 2) found.z = __texture_channel(t, at, 2);
    if (t->channels > 3) found.w = __texture_channel(t, at, 3);
    return found;
}

__device__ inline float4 __texture_mix(float4 a, float4 b, float weight) {
    float rest = 1 - weight;
    return make_float4(rest * a.x + weight * b.x, rest * a.y + weight * b.y, rest * a.z + weight * b.z,
                       rest * a.w + weight * b.w);
}

// Along one axis: the two elements that a coordinate lies between. A GPU keeps 8 bits of the weight of the second.
struct __texture_between {
    int low, high;
    float weight;
};
__device__ inline __texture_between __texture_neighbours(const __texture* t, float x, int n, int axis) {
    float shifted = __texture_coordinate(t, x, n, axis) - 0.5f, low = floorf(shifted);
    int mode = __texture_mode(t, axis);
    return {__texture_index((int)low, n, mode), __texture_index((int)low + 1, n, mode),
            floorf((shifted - low) * 256 + 0.5f) / 256};
}

__device__ inline int __texture_nearest(const __texture* t, float x, int n, int axis) {
    return __texture_index((int)floorf(__texture_coordinate(t, x, n, axis)), n, __texture_mode(t, axis));
}

// dimensions: 1 to 3, of those that are filtered. z is the number of a layer where there are fewer.
__device__ inline float4 __texture_filtered(const __texture* t, float x, float y, float z, int dimensions) {
    __texture_between a = __texture_neighbours(t, x, t->width, 0);
    if (dimensions == 1) {
        int layer = __texture_index((int)z, t->depth, __texture_clamp);
        return __texture_mix(__texture_numbers(t, a.low, 0, layer), __texture_numbers(t, a.high, 0, layer), a.weight);
    }
    __texture_between b = __texture_neighbours(t, y, t->height, 1);
    int first = __texture_index((int)z, t->depth, __texture_clamp), second = first;
    float weight = 0;
    if (dimensions == 3) {
        __texture_between c = __texture_neighbours(t, z, t->depth, 2);
        first = c.low;
        second = c.high;
        weight = c.weight;
    }
    float4 front = __texture_mix(
        __texture_mix(__texture_numbers(t, a.low, b.low, first), __texture_numbers(t, a.high, b.low, first), a.weight),
        __texture_mix(__texture_numbers(t, a.low, b.high, first), __texture_numbers(t, a.high, b.high, first), a.weight),
        b.weight);
    if (dimensions < 3) return front;
    float4 back = __texture_mix(
        __texture_mix(__texture_numbers(t, a.low, b.low, second), __texture_numbers(t, a.high, b.low, second), a.weight),
        __texture_mix(__texture_numbers(t, a.low, b.high, second), __texture_numbers(t, a.high, b.high, second), a.weight),
        b.weight);
    return __texture_mix(front, back, weight);
}

struct __texture_place {
    int x, y, z;
};
__device__ inline __texture_place __texture_at(const __texture* t, float x, float y, float z, int dimensions) {
    return {__texture_nearest(t, x, t->width, 0), dimensions > 1 ? __texture_nearest(t, y, t->height, 1) : 0,
            dimensions > 2 ? __texture_nearest(t, z, t->depth, 2) : __texture_index((int)z, t->depth, __texture_clamp)};
}

// The last argument only tells the type: elements as they are, or numbers, which may be filtered.
template <class T>
__device__ T __texture_read(const __texture* t, float x, float y, float z, int dimensions, const T*) {
    __texture_place at = __texture_at(t, x, y, z, dimensions);
    T nothing = {};
    if (at.x < 0 || at.y < 0 || at.z < 0) return nothing;
    return ((const T*)(t->data + at.z * t->slice + at.y * t->pitch))[at.x];
}
__device__ inline float4 __texture_read(const __texture* t, float x, float y, float z, int dimensions, const float4*) {
    if (t->linear) return __texture_filtered(t, x, y, z, dimensions);
    __texture_place at = __texture_at(t, x, y, z, dimensions);
    return __texture_numbers(t, at.x, at.y, at.z);
}
__device__ inline float2 __texture_read(const __texture* t, float x, float y, float z, int dimensions, const float2*) {
    float4 found = __texture_read(t, x, y, z, dimensions, (const float4*)nullptr);
    return make_float2(found.x, found.y);
}
__device__ inline float __texture_read(const __texture* t, float x, float y, float z, int dimensions, const float*) {
    return __texture_read(t, x, y, z, dimensions, (const float4*)nullptr).x;
}

template <class T> __device__ T tex1Dfetch(const __texture* t, int x) {
    T nothing = {};
    return x < 0 || x >= t->width ? nothing : __texture_read(t, x, 0, 0, 1, (const T*)nullptr);
}
template <class T> __device__ T tex1D(const __texture* t, float x) {
    return __texture_read(t, x, 0, 0, 1, (const T*)nullptr);
}
template <class T> __device__ T tex2D(const __texture* t, float x, float y) {
    return __texture_read(t, x, y, 0, 2, (const T*)nullptr);
}
template <class T> __device__ T tex3D(const __texture* t, float x, float y, float z) {
    return __texture_read(t, x, y, z, 3, (const T*)nullptr);
}
template <class T> __device__ T tex1DLayered(const __texture* t, float x, int layer) {
    return __texture_read(t, x, 0, layer, 1, (const T*)nullptr);
}
template <class T> __device__ T tex2DLayered(const __texture* t, float x, float y, int layer) {
    return __texture_read(t, x, y, layer, 2, (const T*)nullptr);
}
template <class T> __device__ void tex1Dfetch(T* to, const __texture* t, int x) { *to = tex1Dfetch<T>(t, x); }
template <class T> __device__ void tex1D(T* to, const __texture* t, float x) { *to = tex1D<T>(t, x); }
template <class T> __device__ void tex2D(T* to, const __texture* t, float x, float y) { *to = tex2D<T>(t, x, y); }

// Surfaces: x counts bytes. A place that is not there reads as 0 and is not written, or is the nearest one; where the
// mode is to trap, the access goes beyond all rows, which ends the kernel.
__device__ inline char* __surface_at(const __texture* t, int x, int y, int z, int size, cudaSurfaceBoundaryMode mode) {
    int column = x / size, columns = t->width * (t->channels * t->bits / 8) / size;
    if (mode == cudaBoundaryModeClamp) {
        column = __texture_index(column, columns, __texture_clamp);
        y = __texture_index(y, t->height, __texture_clamp);
        z = __texture_index(z, t->depth, __texture_clamp);
    }
    bool outside = column < 0 || column >= columns || y < 0 || y >= t->height || z < 0 || z >= t->depth;
    if (outside && mode == cudaBoundaryModeZero) return nullptr;
    return t->data + (outside ? t->depth * t->slice : z * t->slice + y * t->pitch + column * size);
}
template <class T> __device__ T __surface_read(const __texture* t, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
    const char* at = __surface_at(t, x, y, z, sizeof(T), mode);
    T nothing = {};
    return at == nullptr ? nothing : *(const T*)at;
}
template <class T>
__device__ void __surface_write(T value, const __texture* t, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
    char* at = __surface_at(t, x, y, z, sizeof(T), mode);
    if (at != nullptr) *(T*)at = value;
}
template <class T>
__device__ T surf1Dread(const __texture* t, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return __surface_read<T>(t, x, 0, 0, mode);
}
template <class T>
__device__ T surf2Dread(const __texture* t, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return __surface_read<T>(t, x, y, 0, mode);
}
template <class T>
__device__ T surf3Dread(const __texture* t, int x, int y, int z, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return __surface_read<T>(t, x, y, z, mode);
}
template <class T> __device__ T surf2DLayeredread(const __texture* t, int x, int y, int layer,
                                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    return __surface_read<T>(t, x, y, layer, mode);
}
template <class T>
__device__ void surf1Dread(T* to, const __texture* t, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *to = __surface_read<T>(t, x, 0, 0, mode);
}
template <class T>
__device__ void surf2Dread(T* to, const __texture* t, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    *to = __surface_read<T>(t, x, y, 0, mode);
}
template <class T>
__device__ void surf1Dwrite(T value, const __texture* t, int x, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    __surface_write(value, t, x, 0, 0, mode);
}
template <class T>
__device__ void surf2Dwrite(T value, const __texture* t, int x, int y, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    __surface_write(value, t, x, y, 0, mode);
}
template <class T> __device__ void surf3Dwrite(T value, const __texture* t, int x, int y, int z,
                                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    __surface_write(value, t, x, y, z, mode);
}
template <class T> __device__ void surf2DLayeredwrite(T value, const __texture* t, int x, int y, int layer,
                                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {
    __surface_write(value, t, x, y, layer, mode);
}
