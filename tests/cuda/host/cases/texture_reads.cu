// Textures read what the CUDA guide's formulas say: filters, edges, and integers as fractions.
#include <cstdio>
#ifndef T
#define T float
#define LARGEST 1
#define READ cudaReadModeElementType
#else
#define READ cudaReadModeNormalizedFloat
#endif
typedef unsigned char unsigned_char;
typedef unsigned short unsigned_short;
enum Mode { Wrap, Clamp, Mirror, Border };
const int W = 5, H = 3, N = 8;
__global__ void read(cudaTextureObject_t t, const float2* at, float* result) {
    int i = threadIdx.x;
    if (i < N) result[i] = tex2D<float>(t, at[i].x, at[i].y);
}
int element(int i) { return i * i % 31; }
// An element, or what stands beyond the edges.
double texel(int x, int y) {
    if (MODE == Border && (x < 0 || x >= W || y < 0 || y >= H)) return 0;
    if (MODE == Wrap) { x = (x % W + W) % W; y = (y % H + H) % H; }
    x = x < 0 ? 0 : x >= W ? W - 1 : x;
    y = y < 0 ? 0 : y >= H ? H - 1 : y;
    return element(y * W + x);
}
// A coordinate from 0 to 1, of which a GPU knows only that part.
double folded(double x) {
    double whole = floor(x), part = x - whole;
    return MODE == Wrap ? part : MODE != Mirror ? x : (int)whole % 2 == 0 ? part : 1 - part;
}
double expected(double x, double y) {
    if (NORMALIZED) { x = folded(x / W) * W; y = folded(y / H) * H; }
    if (!LINEAR) return texel(floor(x), floor(y));
    double i = floor(x - 0.5), j = floor(y - 0.5), a = x - 0.5 - i, b = y - 0.5 - j;
    a = round(a * 256) / 256; b = round(b * 256) / 256;
    return (1 - a) * (1 - b) * texel(i, j) + a * (1 - b) * texel(i + 1, j)
         + (1 - a) * b * texel(i, j + 1) + a * b * texel(i + 1, j + 1);
}
int main() {
    T image[W * H];
    for (int i = 0; i < W * H; i++) image[i] = element(i);
    double points[N][2] = {{0, 0}, {0.5, 0.5}, {1.3, 0.9}, {4.9, 2.8},
                           {-0.7, 1.1}, {6.2, -2.5}, {2.75, 3.4}, {-6.1, 7.3}};
    float2 at[N], *d_at;
    float *d_result, result[N];
    for (int i = 0; i < N; i++) {
        at[i] = make_float2(points[i][0] / (NORMALIZED ? W : 1), points[i][1] / (NORMALIZED ? H : 1));
    }
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, W, H);
    cudaMemcpy2DToArray(array, 0, 0, image, W * sizeof(T), W * sizeof(T), H, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = (cudaTextureAddressMode)MODE;
    how.filterMode = LINEAR ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = READ;
    how.normalizedCoords = NORMALIZED;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    cudaMalloc(&d_at, sizeof(at)); cudaMalloc(&d_result, sizeof(result));
    cudaMemcpy(d_at, at, sizeof(at), cudaMemcpyHostToDevice);
    read<<<1, 64>>>(texture, d_at, d_result);
    cudaMemcpy(result, d_result, sizeof(result), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {  // a weight may be rounded to the next 256th
        double right = expected(points[i][0], points[i][1]), off = fabs(result[i] * LARGEST - right);
        if (off > (i < 2 ? 1e-5 * LARGEST : LINEAR ? 31 / 128.0 : 0)) printf("%g, not %g\n", result[i], right);
    }
    cudaDestroyTextureObject(texture); cudaFreeArray(array); cudaFree(d_at); cudaFree(d_result);
}
CASE

// case: Clamp, point
// options: -DMODE=Clamp -DLINEAR=0 -DNORMALIZED=0

// case: Border, point
// options: -DMODE=Border -DLINEAR=0 -DNORMALIZED=0

// case: Clamp, point, normalized
// options: -DMODE=Clamp -DLINEAR=0 -DNORMALIZED=1

// case: Border, point, normalized
// options: -DMODE=Border -DLINEAR=0 -DNORMALIZED=1

// case: Wrap, point, normalized
// options: -DMODE=Wrap -DLINEAR=0 -DNORMALIZED=1

// case: Mirror, point, normalized
// options: -DMODE=Mirror -DLINEAR=0 -DNORMALIZED=1

// case: Clamp, linear
// options: -DMODE=Clamp -DLINEAR=1 -DNORMALIZED=0

// case: Border, linear
// options: -DMODE=Border -DLINEAR=1 -DNORMALIZED=0

// case: Clamp, linear, normalized
// options: -DMODE=Clamp -DLINEAR=1 -DNORMALIZED=1

// case: Border, linear, normalized
// options: -DMODE=Border -DLINEAR=1 -DNORMALIZED=1

// case: Wrap, linear, normalized
// options: -DMODE=Wrap -DLINEAR=1 -DNORMALIZED=1

// case: Mirror, linear, normalized
// options: -DMODE=Mirror -DLINEAR=1 -DNORMALIZED=1

// case: unsigned char as a fraction
// options: -DMODE=Clamp -DLINEAR=1 -DNORMALIZED=0 -DT=unsigned_char -DLARGEST=255

// case: unsigned short as a fraction
// options: -DMODE=Clamp -DLINEAR=1 -DNORMALIZED=0 -DT=unsigned_short -DLARGEST=65535

// case: short as a fraction
// options: -DMODE=Clamp -DLINEAR=1 -DNORMALIZED=0 -DT=short -DLARGEST=32767
