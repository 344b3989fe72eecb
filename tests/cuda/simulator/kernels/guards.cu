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
