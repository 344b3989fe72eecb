// Activations, element by element, and their gradients. Lesson 04.
//
// First version, one kernel per activation: one thread per element, a guard for the last block.
//   grid = ceil(n / 256), block = 256.
// Last version, `activate` and `activate_backward`: four elements per load, each thread strides over the array;
//   -DACTIVATION and -DGRADIENT name the device function.
//   any grid, ceil(n / 1024) at most, block = 256; x, y, v, dy, dx aligned to 16 bytes.
// Both read each input once and write each output once: their floor is bytes / bandwidth.

#ifndef SLOPE
#define SLOPE 0.01f
#endif
#ifndef ACTIVATION
#define ACTIVATION relu
#endif
#ifndef GRADIENT
#define GRADIENT relu_gradient
#endif

#define GELU_SCALE 0.7978845608f  // sqrt(2 / pi)
#define GELU_CUBIC 0.044715f

__device__ float relu(float x) { return x > 0.0f ? x : 0.0f; }
__device__ float relu_gradient(float dy, float x) { return x > 0.0f ? dy : 0.0f; }

__device__ float leaky_relu(float x) { return x > 0.0f ? x : SLOPE * x; }
__device__ float leaky_relu_gradient(float dy, float x) { return x > 0.0f ? dy : SLOPE * dy; }

// By way of tanh, which does not overflow.
__device__ float sigmoid(float x) { return 0.5f * tanhf(0.5f * x) + 0.5f; }
__device__ float sigmoid_gradient(float dy, float y) { return dy * y * (1.0f - y); }

__device__ float hyperbolic(float x) { return tanhf(x); }
__device__ float hyperbolic_gradient(float dy, float y) { return dy * (1.0f - y * y); }

__device__ float gelu_inner(float x) { return GELU_SCALE * (x + GELU_CUBIC * x * x * x); }
__device__ float gelu(float x) { return 0.5f * x * (1.0f + tanhf(gelu_inner(x))); }
__device__ float gelu_gradient(float dy, float x) {
    float t = tanhf(gelu_inner(x));
    float inner_slope = GELU_SCALE * (1.0f + 3.0f * GELU_CUBIC * x * x);
    return dy * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * inner_slope);
}

// --- first version ---------------------------------------------------------------------------

extern "C" __global__ void relu_forward(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = relu(x[i]);
}

extern "C" __global__ void relu_backward(const float* dy, const float* x, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dx[i] = relu_gradient(dy[i], x[i]);
}

extern "C" __global__ void leaky_relu_forward(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = leaky_relu(x[i]);
}

extern "C" __global__ void leaky_relu_backward(const float* dy, const float* x, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dx[i] = leaky_relu_gradient(dy[i], x[i]);
}

extern "C" __global__ void sigmoid_forward(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sigmoid(x[i]);
}

extern "C" __global__ void sigmoid_backward(const float* dy, const float* y, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dx[i] = sigmoid_gradient(dy[i], y[i]);
}

extern "C" __global__ void tanh_forward(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = tanhf(x[i]);
}

extern "C" __global__ void tanh_backward(const float* dy, const float* y, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dx[i] = dy[i] * (1.0f - y[i] * y[i]);
}

extern "C" __global__ void gelu_forward(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = gelu(x[i]);
}

extern "C" __global__ void gelu_backward(const float* dy, const float* x, float* dx, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) dx[i] = gelu_gradient(dy[i], x[i]);
}

// --- last version ----------------------------------------------------------------------------

// x (n) -> y (n).
extern "C" __global__ void activate(const float* __restrict__ x, float* __restrict__ y, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = first; i < n / 4; i += threads) {
        float4 a = ((const float4*)x)[i];
        ((float4*)y)[i] = make_float4(ACTIVATION(a.x), ACTIVATION(a.y), ACTIVATION(a.z), ACTIVATION(a.w));
    }
    int tail = n / 4 * 4 + first;
    if (first < n % 4) y[tail] = ACTIVATION(x[tail]);
}

// dy (n) and v (n), the forward input or output that the gradient is written in -> dx (n).
extern "C" __global__ void activate_backward(const float* __restrict__ dy, const float* __restrict__ v,
                                             float* __restrict__ dx, int n) {
    int first = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    for (int i = first; i < n / 4; i += threads) {
        float4 d = ((const float4*)dy)[i];
        float4 a = ((const float4*)v)[i];
        ((float4*)dx)[i] = make_float4(GRADIENT(d.x, a.x), GRADIENT(d.y, a.y), GRADIENT(d.z, a.z), GRADIENT(d.w, a.w));
    }
    int tail = n / 4 * 4 + first;
    if (first < n % 4) dx[tail] = GRADIENT(dy[tail], v[tail]);
}
