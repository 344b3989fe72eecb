// Texts that are no CUDA C, or call for what the simulator does not have.

// expect: KernelSyntaxError
extern "C" __global__ void semicolon_missing(float* a)
{
    int i = threadIdx.x  // <- here
    a[i] = 1.0f;
}

// expect: KernelSyntaxError
extern "C" __global__ void undeclared_name(float* a)
{
    a[i] = 1.0f;  // <- here
}

// expect: KernelSyntaxError
extern "C" __global__ void brace_missing(float* a)
{
    if (threadIdx.x < 4) {
        a[threadIdx.x] = 1.0f;
}

// expect: KernelSyntaxError
extern "C" __global__ void writes_to_const(const float* a)
{
    a[threadIdx.x] = 1.0f;  // <- here
}

// expect: KernelSyntaxError
extern "C" __global__ void pointer_in_arithmetic(float* a, float* b)
{
    a[threadIdx.x] = a * b;  // <- here
}

// expect: KernelSyntaxError
extern "C" __global__ void misspelt_function(float* a)
{
    a[threadIdx.x] = sqrtt(a[threadIdx.x]);  // <- here
}

// expect: KernelSyntaxError
extern "C" __global__ void misspelt_barrier(float* a)
{
    a[threadIdx.x] = 1.0f;
    __syncthread();  // <- here
}

// expect: KernelSyntaxError
__device__ float twice(float x) { return x + x; }
extern "C" __global__ void too_few_arguments(float* a)
{
    a[threadIdx.x] = twice();  // <- here
}

// expect: KernelSyntaxError
extern "C" __global__ void size_not_constant(float* a, int n)
{
    __shared__ float s[n];  // <- here
    s[threadIdx.x] = a[threadIdx.x];
}

// expect: KernelSyntaxError
extern "C" __global__ void declared_twice(float* a)
{
    int i = threadIdx.x;
    float i = 2.0f;  // <- here
    a[0] = i;
}

// expect: KernelSyntaxError
extern "C" __global__ int kernel_returns_a_value(float* a)  // <- here
{
    return 1;
}

// expect: KernelSyntaxError
extern "C" __global__ void float_as_index(float* a)
{
    float i = 1.0f;
    a[i] = 2.0f;  // <- here
}

// expect: KernelSyntaxError
extern "C" __global__ void break_outside_a_loop(float* a)
{
    if (threadIdx.x > 3)
        break;  // <- here
    a[threadIdx.x] = 1.0f;
}

// expect: KernelSyntaxError
extern "C" __global__ void comment_never_closed(float* a)
{
    a[0] = 1.0f; /* and now  // <- here
}
