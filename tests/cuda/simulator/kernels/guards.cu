// rule: The report says which condition on rows and columns is wrong
// launch: 1, (8, 8), [zeros(90000), zeros(16), 4]
// error: OutOfBoundsError thread=(0,4,0) block=(0,0,0)
// report: out-of-bounds write to y[16]
// report: y has 16 elements, y[0] to y[15]
// report: hint: guard each index with its own limit, as in if (x < columns && y < rows): here x is 0, and y is 4
// expect: error.guard == 'missing'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int c = threadIdx.x, r = threadIdx.y;
    if (c < n) y[r * n + c] = 1;  // <- here
}

// rule: The report says which condition on rows and columns is wrong
// launch: 1, (8, 8), [zeros(90000), zeros(90), 4]
// error: OutOfBoundsError thread=(0,3,0) block=(0,0,0)
// report: out-of-bounds write to y[90]
// report: y has 90 elements, y[0] to y[89]
// report: hint: the condition r < n && c < n lets this thread through, and the index r * 30 + c is 90 here: which element should this thread take? Work it out by hand
// expect: error.guard == 'passed'
// expect: error.condition == 'r < n && c < n'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int c = threadIdx.x, r = threadIdx.y;
    if (r < n && c < n) y[r * 30 + c] = 1;  // <- here
}

// rule: The report says which condition on rows and columns is wrong
// launch: 1, (8, 8), [zeros(90000), zeros(16), 4]
// error: OutOfBoundsError thread=(4,3,0) block=(0,0,0)
// report: out-of-bounds write to y[16]
// report: y has 16 elements, y[0] to y[15]
// report: hint: the condition c < n || r < n is true as soon as one of its parts is: a thread may work where all of them are, &&
// expect: error.guard == 'either'
// expect: error.condition == 'c < n || r < n'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int c = threadIdx.x, r = threadIdx.y;
    if (c < n || r < n) y[r * n + c] = 1;  // <- here
}

// rule: The report says which condition on rows and columns is wrong
// launch: 1, (8, 8), [zeros(90000), zeros(16), 4]
// error: OutOfBoundsError thread=(4,3,0) block=(0,0,0)
// report: out-of-bounds write to y[16]
// report: y has 16 elements, y[0] to y[15]
// report: hint: the condition c >= n && r >= n stops a thread only where all of its parts are true: it must stop where one of them is, ||
// expect: error.guard == 'both'
// expect: error.condition == 'c >= n && r >= n'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int c = threadIdx.x, r = threadIdx.y;
    if (!(c >= n && r >= n)) y[r * n + c] = 1;  // <- here
}

// rule: The report says which condition on rows and columns is wrong
// launch: 1, (8, 8), [zeros(90000), zeros(16), 4]
// error: OutOfBoundsError thread=(0,4,0) block=(0,0,0)
// report: out-of-bounds write to y[16]
// report: y has 16 elements, y[0] to y[15]
// report: hint: the condition r <= n lets r = 4 through, and that is one too many: indices begin at 0, so stop 4 itself, too, by < or >=
// expect: error.guard == 'equal'
// expect: error.condition == 'r <= n'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int c = threadIdx.x, r = threadIdx.y;
    if (r <= n && c < n) y[r * n + c] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: guard it, as in if (i < n): the grid has more threads than y has elements
// expect: error.guard == 'missing'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i <= n lets i = 100 through, and that is one too many: indices begin at 0, so stop 100 itself, too, by < or >=
// expect: error.guard == 'equal'
// expect: error.condition == 'i <= n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i > n lets i = 100 through, and that is one too many: indices begin at 0, so stop 100 itself, too, by < or >=
// expect: error.guard == 'equal'
// expect: error.condition == 'i > n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > n) return;
    y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition k <= n lets k = 100 through, and that is one too many: indices begin at 0, so stop 100 itself, too, by < or >=
// expect: error.guard == 'equal'
// expect: error.condition == 'k <= n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = i; k <= n; k += 128) y[k] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i <= n lets i = 100 through, and that is one too many: indices begin at 0, so stop 100 itself, too, by < or >=
// expect: error.guard == 'equal'
// expect: error.condition == 'i <= n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool in = i <= n;
    if (in) y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i < n + 20 lets every index below 120 through, and y has 100 elements: which of the two numbers is wrong?
// expect: error.guard == 'limit'
// expect: error.condition == 'i < n + 20'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n + 20) y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the guard comes too late: i >= n is asked in line 17, after this access. Ask it before you read or write
// expect: error.guard == 'late'
// expect: error.condition == 'i >= n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 1;  // <- here
    if (i >= n) return;
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i >= n lets just those threads through that should stop here: turn it around
// expect: error.guard == 'inverted'
// expect: error.condition == 'i >= n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i < n || i > 7 is true as soon as one of its parts is: a thread may work where all of them are, &&
// expect: error.guard == 'either'
// expect: error.condition == 'i < n || i > 7'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n || i > 7) y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i >= n && x[0] == 1.0 stops a thread only where all of its parts are true: it must stop where one of them is, ||
// expect: error.guard == 'both'
// expect: error.condition == 'i >= n && x[0] == 1.0'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n && x[0] == 1.0) return;
    y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(50,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i < n lets this thread through, and the index j is 100 here: which element should this thread take? Work it out by hand
// expect: error.guard == 'passed'
// expect: error.condition == 'i < n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = 2 * i;
    if (i < n) y[j] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition k < n does not limit j, on which this index depends: test j, too
// expect: error.guard == 'other'
// expect: error.condition == 'k < n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = threadIdx.x + blockIdx.y;
    int k = threadIdx.y;
    if (k < n) y[j] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: 0 <= i < n compares twice in Python only. In C the first comparison gives 0 or 1, and that is compared next: write a <= b && b < c
// expect: error.guard == 'chained'
// expect: error.condition == '0 <= i < n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (0 <= i < n) y[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i < n lets this thread through, and the index n + i is 100 here: which element should this thread take? Work it out by hand
// expect: error.guard == 'passed'
// expect: error.condition == 'i < n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float* row = y + n;
    if (i < n) row[i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(1,0,0) block=(0,0,0)
// report: out-of-bounds write to y[-1794967296]
// report: y has 100 elements, y[0] to y[99]
// report: hint: i * 50000 * 50000 is 2,500,000,000 in this thread, more than an int holds, so it has wrapped around: compute it in a wider type, with one operand a long long, and guard the result
// expect: error.guard == 'wrapped'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = i * 50000 * 50000;
    y[j] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to y[4294967295]
// report: y has 100 elements, y[0] to y[99]
// report: hint: j - 1 is -1 in this thread, and below 0 an unsigned number starts again at the largest: test it before you subtract
// expect: error.guard == 'wrapped'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned j = i;
    y[j - 1] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to y[-1]
// report: y has 100 elements, y[0] to y[99]
// report: hint: i - 1 is negative here: guard it from below, as in if (i >= 1)
// expect: error.guard == 'negative'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i - 1] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(1,0,0) block=(0,0,0)
// report: out-of-bounds write to y[-1]
// report: y has 100 elements, y[0] to y[99]
// report: hint: j is negative here although i > 0 && j < n: work it out by hand for this thread
// expect: error.guard == 'passed'
// expect: error.condition == 'i > 0 && j < n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = i - 2;
    if (i > 0 && j < n) y[j] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to y[-100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: (i - 1) * n + i is negative here: what does it subtract? Guard each direction from below before you use it
// expect: error.guard == 'missing'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[(i - 1) * n + i] = 1;  // <- here
}

// rule: The report says what is wrong with the condition on the way to an access
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(2,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i < n lets this thread through, and the index min(i, 3) + 98 is 100 here: which element should this thread take? Work it out by hand
// expect: error.guard == 'passed'
// expect: error.condition == 'i < n'
// expect: error.array == 'y'
// expect: error.limit == 100
// expect: error.access == 'write'
// expect: error.space == 'global'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[min(i, 3) + 98] = 1;  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads s[127], which thread (127,0,0) of the same block writes in line 18
// report: no barrier orders the two
// report: hint: put __syncthreads() between them
// expect: error.array == 's'
// expect: error.space == 'shared'
// expect: error.access == 'read'
// expect: error.other_access == 'write'
// expect: error.other_line == 18
// expect: error.limit == 128
// expect: error.index == 127
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[128];
    s[i] = x[i];
    y[i % 100] = s[127 - i];  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: s[1][2] is read, but nobody has written it
// report: __shared__ s holds garbage until a thread of the block writes it
// report: hint: fill it first, with __syncthreads() between the writes and the reads
// expect: error.array == 's'
// expect: error.space == 'shared'
// expect: error.access == 'read'
// expect: error.limit == 32
// expect: error.subscripts == (1, 2)
// expect: error.shape == (4, 8)
// expect: error.index == 10
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float s[4][8];
    y[i % 100] = s[1][2];  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: UninitializedReadError thread=(0,0,0) block=(0,0,0)
// report: sum is read before it has a value
// report: a local variable holds garbage until it is assigned
// report: hint: give it a value where it is declared: sum = 0
// expect: error.array == 'sum'
// expect: error.space == 'local'
// expect: error.access == 'read'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum;
    sum += x[i];  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: BarrierError thread=(5,0,0) block=(0,0,0)
// report: 123 of 128 threads of a block do not reach this __syncthreads()
// report: missing: thread (5,0,0) of block (0,0,0); 123 threads in all
// report: every thread of the block must reach the same barrier; the guide leaves undefined what happens otherwise
// report: hint: move the barrier out of the if or loop that only some threads run
// expect: error.call == '__syncthreads'
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 5) __syncthreads();  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: BarrierError thread=(1,0,0) block=(0,0,0)
// report: __shfl_down_sync: the calling lane is not in its own mask
// report: the mask names the lanes that take part
// report: hint: use 0xffffffff when the whole warp does
// expect: error.call == '__shfl_down_sync'
// expect: error.mask == 1
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shfl_down_sync(1, 1.0f, 1);  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop changes nothing any more
// report: its condition depends on nothing that another thread could change
// report: hint: does its condition ever become false?
// expect: error.loop == 12
// expect: error.may_end == False
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    while (i >= 0);  // <- here
}

// rule: An error has the fields of its kind
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(0,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition k <= n lets k = 100 through, and that is one too many: indices begin at 0, so stop 100 itself, too, by < or >=
// expect: error.array == 'y'
// expect: error.space == 'global'
// expect: error.access == 'write'
// expect: error.limit == 100
// expect: error.index == 100
// expect: error.loop == 17
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        for (int k = 0; k <= n; k++) y[k] = i;  // <- here
}

// rule: A guard in a function of its own is named
// launch: 1, 128, [zeros(90000), zeros(100), 100]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition ok(i, n) lets this thread through, and the index i is 100 here: which element should this thread take? Work it out by hand
// expect: error.guard == 'passed'
// expect: error.condition == 'ok(i, n)'
__device__ bool ok(int i, int n) { return i <= n; }
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = threadIdx.x;
    if (!ok(i, n)) return;
    y[i] = 1;  // <- here
}

// rule: A condition that has nothing to do with the index is not named
// launch: 1, (128, 2), [zeros(90000), zeros(100), 128]
// error: OutOfBoundsError thread=(100,0,0) block=(0,0,0)
// report: out-of-bounds write to y[100]
// report: y has 100 elements, y[0] to y[99]
// report: hint: the condition i < n lets every index below 128 through, and y has 100 elements: which of the two numbers is wrong?
extern "C" __global__ void f(const float* x, float* y, int n)
{
    int i = threadIdx.x, row = threadIdx.y;
    if (row <= 0 && i < n) y[i] = 1;  // <- here
}
