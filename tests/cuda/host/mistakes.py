"""Programs with one mistake on the host's side each, in two forms, and what is said of them.

Each is (name, program, part of the message, line, repaired program). The programs share these kernels.
"""

KERNELS = r"""
__global__ void scale(float* x, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= a; }
__global__ void fill(float* x, float a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] = a; }
__global__ void sum(const float* x, float* total, int n) {
    extern __shared__ float part[];
    part[threadIdx.x] = threadIdx.x < n ? x[threadIdx.x] : 0;
    __syncthreads();
    if (threadIdx.x == 0) { float s = 0; for (int i = 0; i < blockDim.x; i++) s += part[i]; *total = s; }
}
"""
START = KERNELS.count("\n") + 1  # the line in which main begins


def program(body: str) -> str:
    return KERNELS + "int main() {\n" + body.strip("\n") + "\n}\n"


MALLOC = "float *h = (float*)malloc(400), *d; for (int i = 0; i < 100; i++) h[i] = i; cudaMalloc(&d, 400);\n"
TO, FROM = (
    "cudaMemcpy(d, h, 400, cudaMemcpyHostToDevice);\n",
    "cudaMemcpy(h, d, 400, cudaMemcpyDeviceToHost);\n",
)
LAUNCH = "scale<<<1, 128>>>(d, 2.0f, 100);\n"
FREE = "cudaFree(d); free(h);\n"
WHOLE = MALLOC + TO + LAUNCH + FROM + FREE
PINNED = (
    "float *h, *d; cudaMallocHost(&h, 400); cudaMalloc(&d, 400); cudaStream_t s; cudaStreamCreate(&s);\n"
    "for (int i = 0; i < 100; i++) h[i] = i;\n"
    "cudaMemcpyAsync(d, h, 400, cudaMemcpyHostToDevice, s);\nscale<<<1, 128, 0, s>>>(d, 2.0f, 100);\n"
    "cudaMemcpyAsync(h, d, 400, cudaMemcpyDeviceToHost, s);\n"
)
PINNED_END = "cudaStreamDestroy(s); cudaFree(d); cudaFreeHost(h);\n"
MANAGED = (
    "float* x; cudaMallocManaged(&x, 400); for (int i = 0; i < 100; i++) x[i] = i;\n"
    "scale<<<1, 128>>>(x, 2, 100);\n"
)
EVENTS = "cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop); float ms;\n"

MISTAKES = [
    # name, body, part of the message, line in main (1 is the first of the body), repaired body
    (
        "host pointer to kernel",
        MALLOC + TO + "scale<<<1, 128>>>(h, 2, 100);\n" + FREE,
        "kernel scale is given h, memory of the host",
        3,
        WHOLE,
    ),
    (
        "host pointer to kernel: a local array",
        "float x[4] = {1, 2, 3, 4};\nfill<<<1, 4>>>(x, 1, 4);",
        "kernel fill is given x, memory of the host",
        2,
        "float* x; cudaMalloc(&x, 16);\nfill<<<1, 4>>>(x, 1, 4); cudaDeviceSynchronize(); cudaFree(x);",
    ),
    (
        "device pointer read",
        MALLOC + TO + LAUNCH + 'printf("%f\\n", d[0]);\n' + FREE,
        "d is memory of the GPU: the host cannot read it",
        4,
        WHOLE,
    ),
    (
        "device pointer written",
        MALLOC + "for (int i = 0; i < 100; i++)\n  d[i] = i;\n" + FREE,
        "d is memory of the GPU: the host cannot write it",
        3,
        WHOLE,
    ),
    (
        "bytes and elements: malloc",
        "float *h = (float*)malloc(400), *d;\ncudaMalloc(&d, 100);\n"
        "for (int i = 0; i < 100; i++) h[i] = i;\ncudaMemcpy(d, h, 100 * sizeof(float), cudaMemcpyHostToDevice);\n"
        + FREE,
        "bytes and elements are confused",
        4,
        WHOLE,
    ),
    (
        "bytes and elements: malloc, seen in a kernel",
        "float* d; cudaMalloc(&d, 100);\nfill<<<1, 100>>>(d, 1, 100);\ncudaFree(d);",
        "d has 100 bytes, which are 25 elements of fill's x: bytes and elements are confused",
        1,
        "float* d; cudaMalloc(&d, 400);\nfill<<<1, 100>>>(d, 1, 100); cudaFree(d);",
    ),
    (
        "bytes and elements: copy",
        "int n = 100; float *h = (float*)malloc(n * sizeof(float)), *d;\n"
        "for (int i = 0; i < 100; i++) h[i] = i;\n"
        "cudaMalloc(&d, n * sizeof(float));\ncudaMemcpy(d, h, n, cudaMemcpyHostToDevice);\n"
        + LAUNCH
        + FREE,
        "100 bytes are copied, of 400: bytes and elements are confused",
        4,
        WHOLE,
    ),
    (
        "bytes and elements: sizeof twice",
        "size_t bytes = 100 * sizeof(float); float *h = (float*)malloc(bytes), *d;\n"
        "cudaMalloc(&d, bytes);\ncudaMemcpy(d, h, bytes * sizeof(float), cudaMemcpyHostToDevice);\n"
        + FREE,
        "bytes and elements are confused",
        3,
        WHOLE,
    ),
    (
        "copy direction",
        MALLOC + "cudaMemcpy(d, h, 400, cudaMemcpyDeviceToHost);\n" + FREE,
        "cudaMemcpyDeviceToHost, but the target d is memory of the GPU and the source h of the host",
        2,
        WHOLE,
    ),
    (
        "copy swapped",
        MALLOC + TO + LAUNCH + "cudaMemcpy(d, h, 400, cudaMemcpyDeviceToHost);\n" + FREE,
        "are the two swapped?",
        4,
        WHOLE,
    ),
    (
        "copy past the end",
        MALLOC + "cudaMemcpy(d, h, 404, cudaMemcpyHostToDevice);\n" + FREE,
        "404 bytes are written, past the end of d",
        2,
        WHOLE,
    ),
    (
        "copy past the end, from the middle",
        MALLOC + TO + "cudaMemcpy(h, d + 50, 400, cudaMemcpyDeviceToHost);\n" + FREE,
        "400 bytes are read, past the end of d",
        3,
        MALLOC + TO + "cudaMemcpy(h, d + 50, 200, cudaMemcpyDeviceToHost);\n" + FREE,
    ),
    (
        "use after free on the GPU",
        MALLOC + TO + "cudaFree(d);\n" + LAUNCH + "free(h);",
        "d is given to a kernel after it was freed in line",
        4,
        WHOLE,
    ),
    (
        "use after free on the host",
        MALLOC + TO + 'cudaFree(d); free(h);\nprintf("%f\\n", h[3]);',
        "h is read after it was freed in line",
        4,
        WHOLE,
    ),
    ("double free on the GPU", WHOLE + "cudaFree(d);", "d is freed twice: first in line", 6, WHOLE),
    ("double free on the host", WHOLE + "free(h);", "h is freed twice: first in line", 6, WHOLE),
    (
        "free of the other side",
        MALLOC + TO + "free(d); free(h);",
        "free of d, which is made by cudaMalloc",
        3,
        WHOLE,
    ),
    (
        "launch error",
        MALLOC + TO + "scale<<<1, 2048>>>(d, 2, 100);\n" + FROM + FREE,
        "kernel scale was not launched, and nobody asked: a block of 2048 x 1 x 1",
        3,
        WHOLE,
    ),
    (
        "launch error: shared memory",
        MALLOC + TO + "sum<<<1, 128, 1 << 20>>>(d, d, 100);\n" + FROM + FREE,
        "kernel sum was not launched, and nobody asked: 1,048,576 bytes of shared memory",
        3,
        MALLOC + TO + "sum<<<1, 128, 512>>>(d, d, 100);\n" + FROM + FREE,
    ),
    (
        "grid zero",
        MALLOC + TO + "int n = 100; scale<<<n / 128, 128>>>(d, 2, n);\n" + FROM + FREE,
        "a grid of 0 x 1 x 1 has nothing in it",
        3,
        WHOLE,
    ),
    (
        "block zero",
        MALLOC + TO + "dim3 block(16, 0);\nscale<<<1, block>>>(d, 2, 100);\n" + FROM + FREE,
        "a block of 16 x 0 x 1 has nothing in it",
        4,
        WHOLE,
    ),
    (
        "read before it is there: async",
        PINNED + 'printf("%f\\n", h[3]);\n' + PINNED_END,
        "h is read before the copy of line",
        6,
        PINNED + 'cudaStreamSynchronize(s); printf("%f\\n", h[3]);\n' + PINNED_END,
    ),
    (
        "read before it is there: managed",
        MANAGED + 'printf("%f\\n", x[3]); cudaFree(x);',
        "x is read before kernel scale of line",
        3,
        MANAGED + 'cudaDeviceSynchronize(); printf("%f\\n", x[3]); cudaFree(x);',
    ),
    (
        "uninitialised memory copied",
        MALLOC + FROM + 'printf("%f\\n", h[3]);\n' + FREE,
        "h is read, but it was copied in line",
        3,
        WHOLE,
    ),
    (
        "uninitialised memory copied, the kernel forgot",
        MALLOC
        + TO
        + "float* e; cudaMalloc(&e, 400);\n"
        + LAUNCH
        + "cudaMemcpy(h, e, 400, cudaMemcpyDeviceToHost);\nfloat s = 0; for (int i = 0; i < 100; i++)\n  s += h[i];\n"
        "cudaFree(e);" + FREE,
        "from e, which nobody had written",
        7,
        WHOLE,
    ),
    (
        "uninitialised memory read by a kernel",
        MALLOC + LAUNCH + FROM + FREE,
        "x[0] is read, but nobody has written it",
        None,
        WHOLE,
    ),
    (
        "shared memory forgotten",
        MALLOC + TO + "sum<<<1, 128>>>(d, d, 100);\n" + FREE,
        "kernel sum uses extern __shared__ part, but the launch gives it no memory",
        3,
        MALLOC + TO + "sum<<<1, 128, 128 * sizeof(float)>>>(d, d, 100);\n" + FREE,
    ),
    (
        "shared memory in elements",
        MALLOC + TO + "sum<<<1, 128, 128>>>(d, d, 100);\n" + FREE,
        "counts bytes",
        3,
        MALLOC + TO + "sum<<<1, 128, 128 * sizeof(float)>>>(d, d, 100);\n" + FREE,
    ),
    (
        "event never recorded",
        MALLOC + TO + EVENTS + LAUNCH + "cudaEventRecord(stop); cudaEventSynchronize(stop);\n"
        "cudaEventElapsedTime(&ms, start, stop);\n" + FREE,
        "start was never recorded",
        6,
        MALLOC
        + TO
        + EVENTS
        + "cudaEventRecord(start);\n"
        + LAUNCH
        + "cudaEventRecord(stop); cudaEventSynchronize(stop);\ncudaEventElapsedTime(&ms, start, stop);\n"
        + FREE,
    ),
    (
        "event never recorded, waited for",
        EVENTS + "cudaEventRecord(start);\ncudaEventSynchronize(stop);",
        "stop was never recorded",
        3,
        EVENTS + "cudaEventRecord(start);\ncudaEventSynchronize(start);",
    ),
    (
        "event not waited for",
        MALLOC + TO + EVENTS + "cudaEventRecord(start);\n" + LAUNCH + "cudaEventRecord(stop);\n"
        "cudaEventElapsedTime(&ms, start, stop);\n" + FREE,
        "may not have happened yet",
        7,
        MALLOC
        + TO
        + EVENTS
        + "cudaEventRecord(start);\n"
        + LAUNCH
        + "cudaEventRecord(stop); cudaEventSynchronize(stop);\ncudaEventElapsedTime(&ms, start, stop);\n"
        + FREE,
    ),
    (
        "stream after destruction",
        "cudaStream_t s; cudaStreamCreate(&s); float* d; cudaMalloc(&d, 400);\n"
        "cudaStreamDestroy(s);\nfill<<<1, 100, 0, s>>>(d, 1, 100);\ncudaFree(d);",
        "a stream is used that was destroyed in line",
        3,
        "cudaStream_t s; cudaStreamCreate(&s); float* d; cudaMalloc(&d, 400);\n"
        "fill<<<1, 100, 0, s>>>(d, 1, 100);\ncudaStreamDestroy(s);\ncudaFree(d);",
    ),
    (
        "stream after destruction: synchronised",
        "cudaStream_t s; cudaStreamCreate(&s);\ncudaStreamDestroy(s);\ncudaStreamSynchronize(s);",
        "a stream is used that was destroyed in line",
        3,
        "cudaStream_t s; cudaStreamCreate(&s);\ncudaStreamSynchronize(s);\ncudaStreamDestroy(s);",
    ),
    (
        "null pointer",
        "float* p = NULL;\np[0] = 1;",
        "written through a null pointer",
        2,
        "float x[1], *p = x;\np[0] = 1;",
    ),
    (
        "past the end on the host",
        "float* h = (float*)malloc(40);\nfor (int i = 0; i <= 10; i++)\n  h[i] = i;\nfree(h);",
        "h[10] is written, but h has 10 elements of 4 bytes",
        3,
        "float* h = (float*)malloc(40);\nfor (int i = 0; i < 10; i++)\n  h[i] = i;\nfree(h);",
    ),
    (
        "no value yet",
        'int s; for (int i = 0; i < 3; i++)\n  s += i;\nprintf("%d\\n", s);',
        "s is read, but it has no value yet",
        2,
        'int s = 0; for (int i = 0; i < 3; i++)\n  s += i;\nprintf("%d\\n", s);',
    ),
    (
        "division by zero",
        'int a = 4, b = 0;\nprintf("%d\\n", a / b);',
        "an integer is divided by zero",
        2,
        'int a = 4, b = 2;\nprintf("%d\\n", a / b);',
    ),
    ("another program", 'system("ls");', "a program here cannot start others", 1, 'printf("ls");'),
    (
        "another folder",
        'FILE* f = fopen("../secret", "r");',
        "is outside of it",
        1,
        'FILE* f = fopen("mine", "r");',
    ),
    (
        "another folder: absolute",
        'FILE* f = fopen("/etc/passwd", "r");',
        "is outside of it",
        1,
        'FILE* f = fopen("passwd", "r");',
    ),
]
