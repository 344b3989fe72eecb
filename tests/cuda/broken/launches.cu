// Launches and arguments that do not fit.

// expect: LaunchError
// launch: 1, 2048, [floats(2048)]
extern "C" __global__ void too_many_threads(float* a)
{
    a[threadIdx.x] = 1.0f;
}

// expect: LaunchError
// launch: 1, (32, 32, 2), [floats(2048)]
extern "C" __global__ void too_many_threads_in_three_dimensions(float* a)
{
    a[threadIdx.x] = 1.0f;
}

// expect: LaunchError
// launch: 0, 32, [floats(32)]
extern "C" __global__ void empty_grid(float* a)
{
    a[threadIdx.x] = 1.0f;
}

// expect: LaunchError
// launch: 100 / 32, 32, [floats(128)]
extern "C" __global__ void fractional_grid(float* a)
{
    a[blockIdx.x * 32 + threadIdx.x] = 1.0f;
}

// expect: LaunchError
// launch: 1, 32, [floats(32)], 300000
extern "C" __global__ void too_much_shared_memory(float* a)
{
    extern __shared__ float s[];
    s[threadIdx.x] = a[threadIdx.x];
}

// expect: LaunchError
// launch: 1, 256, [floats(256)]
extern "C" __global__ void __launch_bounds__(128) beyond_its_launch_bounds(float* a)
{
    a[threadIdx.x] = 1.0f;
}

// expect: ArgumentError
// launch: 1, 32, [np.zeros(32)]
extern "C" __global__ void float64_for_float(float* a)
{
    a[threadIdx.x] = 1.0f;
}

// expect: ArgumentError
// launch: 1, 32, [floats(32, 32).T[:, :4]]
extern "C" __global__ void transposed_view(float* a)
{
    a[threadIdx.x] = 1.0f;
}

// expect: ArgumentError
// launch: 1, 32, [floats(32), 31.5]
extern "C" __global__ void fraction_for_int(float* a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] = 1.0f;
}

// expect: ArgumentError
// launch: 1, 32, [floats(32)]
extern "C" __global__ void forgotten_length(float* a, int n)
{
    if (threadIdx.x < n)
        a[threadIdx.x] = 1.0f;
}
