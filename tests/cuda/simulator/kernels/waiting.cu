// rule: Threads of one warp and of several blocks take a lock in turn
// launch: 6, 1, [zeros(1, int32)]
// expect: o == 6
// launch: 6, 1, [zeros(1, int32)], checks=False
// expect: o == 6
// launch: 1, 8, [zeros(1, int32)]
// expect: o == 8
// launch: 1, 8, [zeros(1, int32)], checks=False
// expect: o == 8
// launch: 1, 33, [zeros(1, int32)]
// expect: o == 33
// launch: 1, 33, [zeros(1, int32)], checks=False
// expect: o == 33
// launch: 5, 4, [zeros(1, int32)]
// expect: o == 20
// launch: 5, 4, [zeros(1, int32)], checks=False
// expect: o == 20
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
extern "C" __global__ void k(int* o)
{
    take();
    o[0] = o[0] + 1;
    give();
}

// rule: A lock without fences is a race
// launch: 4, 1, [zeros(1, int32)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads o[0], which thread (0,0,0) of block (0,0,0) writes in line 14
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
__device__ int lock;
__device__ int total;
__device__ void take() { while (atomicCAS(&lock, 0, 1) != 0); }
__device__ void give() { atomicExch(&lock, 0); }
extern "C" __global__ void k(int* o)
{
    take();
    o[0] = o[0] + 1;  // <- here
    give();
}

// rule: Up to 4,096 threads wait for each other
// launch: 16, 256, [zeros(1, int32)], checks=False
// expect: flag == 1
// launch: 17, 241, [zeros(1, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for flag[0], which stays 0
// report: no thread has changed it, and none that still runs will
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(int* flag)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0)
        while (atomicAdd(flag, 0) == 0);  // <- here
    else if (i == 1)
        atomicExch(flag, 1);
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// expect: x == arange(20) + 1
// expect: flag == 1
extern "C" __global__ void k(int* x, volatile int* flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            while (flag[b - 1] == 0);
            x[b] += x[b - 1];
        }
        __threadfence();
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: reads x[1], which thread (0,0,0) of block (1,0,0) writes in line 13
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* x, volatile int* flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            while (flag[b - 1] == 0);
            x[b] += x[b - 1];  // <- here
        }
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// expect: x == arange(20) + 1
// expect: flag == 1
extern "C" __global__ void k(int* x, volatile int* flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            do state = flag[b - 1];
            while (state == 0);
            x[b] += x[b - 1];
        }
        __threadfence();
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: reads x[1], which thread (0,0,0) of block (1,0,0) writes in line 14
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* x, volatile int* flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            do state = flag[b - 1];
            while (state == 0);
            x[b] += x[b - 1];  // <- here
        }
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// expect: x == arange(20) + 1
// expect: flag == 1
extern "C" __global__ void k(int* x, volatile int* const __restrict__ flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            for (; !flag[b - 1];) {
            }
            x[b] += x[b - 1];
        }
        __threadfence();
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: reads x[1], which thread (0,0,0) of block (1,0,0) writes in line 14
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* x, volatile int* const __restrict__ flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            for (; !flag[b - 1];) {
            }
            x[b] += x[b - 1];  // <- here
        }
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// expect: x == arange(20) + 1
// expect: flag == 1
extern "C" __global__ void k(int* x, volatile int flag[])
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            volatile int& own = flag[b - 1];
            while (!own) {
            }
            x[b] += x[b - 1];
        }
        __threadfence();
        flag[b] = state;
    }
}

// rule: A volatile flag and a fence hand a value over; without the fence it is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// error: RaceError thread=(0,0,0) block=(2,0,0)
// report: race: reads x[1], which thread (0,0,0) of block (1,0,0) writes in line 15
// report: blocks run in any order and at the same time
// report: hint: use an atomic, or let each block write elements of its own and combine them in a second kernel; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* x, volatile int flag[])
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            volatile int& own = flag[b - 1];
            while (!own) {
            }
            x[b] += x[b - 1];  // <- here
        }
        flag[b] = state;
    }
}

// rule: A flag that is not volatile is a race
// launch: 20, 32, [ones(20, int32), zeros(20, int32)]
// error: RaceError thread=(0,0,0) block=(1,0,0)
// report: race: reads flag[0], which thread (0,0,0) of block (0,0,0) writes in line 16
// report: a compiler may read it once, and the loop would never end
// report: hint: wait by atomics: atomicAdd(address, 0) reads, atomicExch(address, value) sets, after __threadfence()
extern "C" __global__ void k(int* x, int* flag)
{
    if (threadIdx.x == 0) {
        int b = blockIdx.x, state = 1;
        if (b > 0) {
            while (flag[b - 1] == 0);  // <- here
            x[b] += x[b - 1];
        }
        __threadfence();
        flag[b] = state;
    }
}

// rule: Warps of a block hand over by a volatile flag and a fence
// launch: 1, 64, [zeros(1, int32)]
// expect: o == 42
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x;
    __shared__ int value;
    __shared__ volatile int flag;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 32) {
        value = 42;
        __threadfence_block();
        flag = 1;
    }
    if (t == 0) {
        while (flag == 0);
        __threadfence_block();
        o[0] = value;
    }
}

// rule: Warps of a block hand over by a volatile flag and a fence
// launch: 1, 64, [array([42], int32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads value, which thread (32,0,0) of the same block writes in line 15
// report: no barrier orders the two
// report: hint: put __syncthreads() between them; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x;
    __shared__ int value;
    __shared__ volatile int flag;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 32) {
        value = 42;
        flag = 1;
    }
    if (t == 0) {
        while (flag == 0);
        __threadfence_block();
        o[0] = value;  // <- here
    }
}

// rule: Warps of a block hand over by a volatile flag and a fence
// launch: 1, 64, [zeros(1, int32)]
// expect: o == 42
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x;
    __shared__ int value;
    __shared__ int flag_;
    volatile int& flag = flag_;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 32) {
        value = 42;
        __threadfence_block();
        flag = 1;
    }
    if (t == 0) {
        while (flag == 0);
        __threadfence_block();
        o[0] = value;
    }
}

// rule: Warps of a block hand over by a volatile flag and a fence
// launch: 1, 64, [array([42], int32)]
// error: RaceError thread=(0,0,0) block=(0,0,0)
// report: race: reads value, which thread (32,0,0) of the same block writes in line 16
// report: no barrier orders the two
// report: hint: put __syncthreads() between them; if a flag or counter tells that the other is done, that one needs __threadfence() before it
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x;
    __shared__ int value;
    __shared__ int flag_;
    volatile int& flag = flag_;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 32) {
        value = 42;
        flag = 1;
    }
    if (t == 0) {
        while (flag == 0);
        __threadfence_block();
        o[0] = value;  // <- here
    }
}

// rule: A barrier of the grid can be made of an atomic
// launch: 8, 32, [zeros(256, int32), zeros(256, int32), zeros(1, int32)]
// expect: a == arange(256)
// expect: b == 255 - arange(256)
// expect: arrived == 8
extern "C" __global__ void k(int* a, int* b, int* arrived)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(arrived, 1);
        while (atomicAdd(arrived, 0) < gridDim.x);
    }
    __syncthreads();
    b[i] = a[gridDim.x * blockDim.x - 1 - i];
}

// rule: Warps of a block wait for each other
// launch: 1, 64, [zeros(32, int32)]
// expect: o == arange(32) + 32
extern "C" __global__ void k(int* o)
{
    __shared__ int s[64];
    __shared__ int ready;
    int t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t < 32) {
        if (t == 0)
            while (atomicAdd(&ready, 0) == 0);
        __syncwarp();
        o[t] = s[t + 32];
    } else {
        s[t] = t;
        __threadfence_block();
        __syncwarp();
        if (t == 32) atomicExch(&ready, 1);
    }
}

// rule: Lanes that have waited for one another meet again in warp functions and barriers
// launch: 1, 64, [zeros(65, int32)]
// expect: o == [64, 1101, 1100, 1103, 1102, 1105, 1104, 1107, 1106, 1109, 1108, 1111, 1110, 1113, 1112, 1115, 1114, 1117, 1116, 1119, 1118, 1121, 1120, 1123, 1122, 1125, 1124, 1127, 1126, 1129, 1128, 1131, 1130, 1133, 1132, 1135, 1134, 1137, 1136, 1139, 1138, 1141, 1140, 1143, 1142, 1145, 1144, 1147, 1146, 1149, 1148, 1151, 1150, 1153, 1152, 1155, 1154, 1157, 1156, 1159, 1158, 1161, 1160, 1163, 1162]
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x, v = t;
    take();
    o[0] = o[0] + 1;
    give();
    __syncwarp();
    v = __shfl_xor_sync(0xffffffff, v, 1);
    unsigned votes = __ballot_sync(0xffffffff, t < 5);
    __syncthreads();
    o[1 + t] = v + (votes == (t / 32 ? 0 : 31)) * 100 + (o[0] == 64) * 1000;
}

// rule: Lanes that took a lock in turn bring their own values to a shuffle
// launch: 1, 32, [zeros(65, int32)]
// expect: o == [32] + [0] * 6 + [3] + [0] * 5 + [6] + [0] * 5 + [9] + [0] * 5 + [12] + [0] * 5 + [15, 0] + [1227132928] * 32
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x, v = 0, to = 31;
    take();
    o[0] = o[0] + 1;
    give();
    if (t % 3 == 0) {
        v = t;
        to = t / 2;
    }
    o[1 + t] = __shfl_sync(0xffffffff, v, to);
    o[33 + t] = __ballot_sync(0xffffffff, v > 9);
}

// rule: One half of a warp shuffles while the other half waits for it
// launch: 1, 32, [zeros(32, int32)]
// expect: o == [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x, v = t;
    __shared__ int ready;
    if (t == 0) ready = 0;
    __syncwarp();
    if (t >= 16) {
        while (atomicAdd(&ready, 0) == 0);
    } else {
        v = __shfl_xor_sync(0xffff, t, 1);
        __syncwarp(0xffff);
        if (t == 0) atomicExch(&ready, 1);
    }
    o[t] = v;
}

// rule: A barrier does not wait for threads that have returned
// launch: 1, 8, [zeros(4, int32)]
// expect: o == 8
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
extern "C" __global__ void k(int* o)
{
    int t = threadIdx.x;
    take();
    o[0] = o[0] + 1;
    give();
    if (t > 2) return;
    __syncthreads();
    o[1 + t] = o[0];
}

// rule: A loop that can never end is reported with what it waits for
// launch: 1, 1, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0
// report: no other thread is there to change it
// report: hint: which thread should change it, and can that one come so far while this one waits?
// launch: 1, 1, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0
// report: no other thread is there to change it
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(int* x)
{
    x[0] = 0;
    while (x[0] == 0);  // <- here
}

// rule: A loop that can never end is reported with what it waits for
// launch: 20, 64, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0
// report: no other thread is there to change it
// report: hint: which thread should change it, and can that one come so far while this one waits?
// launch: 20, 64, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0
// report: no other thread is there to change it
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(int* x)
{
    atomicExch(x, 0);
    while (atomicAdd(x, 0) == 0);  // <- here
}

// rule: A loop that can never end is reported with what it waits for
// launch: 300, 64, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop changes nothing any more
// report: its condition depends on nothing that another thread could change
// report: hint: does its condition ever become false?
// launch: 300, 64, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop changes nothing any more
// report: its condition depends on nothing that another thread could change
// report: hint: does its condition ever become false?
extern "C" __global__ void k(const int* x) { while (x[0] == 0); }  // <- here

// rule: A loop that can never end is reported with what it waits for
// launch: 2, 32, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop changes nothing any more
// report: its condition depends on nothing that another thread could change
// report: hint: does its condition ever become false?
// launch: 2, 32, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop changes nothing any more
// report: its condition depends on nothing that another thread could change
// report: hint: does its condition ever become false?
extern "C" __global__ void k(int* x)
{
    for (;;) {
        int a = 1;
        for (int i = 0; i < 5; i++) a += i;  // <- here
    }
}

// rule: A loop that can never end is reported with what it waits for
// launch: 1, 32, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(1,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0
// report: no thread has changed it, and none that still runs will
// report: hint: which thread should change it, and can that one come so far while this one waits?
// launch: 1, 32, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(1,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0
// report: no thread has changed it, and none that still runs will
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(int* x)
{
    if (threadIdx.x == 1)
        while (atomicAdd(x, 0) == 0);  // <- here
    if (threadIdx.x == 0) atomicExch(x + 1, 1);
}

// rule: A loop that can never end is reported with what it waits for
// launch: 1, 2, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[1], which stays 0
// report: no thread has changed it, and none that still runs will
// report: hint: which thread should change it, and can that one come so far while this one waits?
// launch: 1, 2, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[1], which stays 0
// report: no thread has changed it, and none that still runs will
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(int* x)
{
    while (atomicCAS(x, 0, 1) != 0);
    while (atomicAdd(x + 1, 0) == 0);  // <- here
    atomicExch(x + 1, 1);
}

// rule: A loop that can never end is reported with what it waits for
// launch: 1, 2, [zeros(2, int32)], checks={'bounds', 'races'}
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 1
// report: thread (1,0,0) of block (0,0,0) has changed it last, and is in the loop of line 20
// report: hint: which thread should change it, and can that one come so far while this one waits?
// launch: 1, 2, [zeros(2, int32)], checks=False
// error: KernelTimeoutError thread=(0,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 1
// report: thread (1,0,0) of block (0,0,0) has changed it last, and is in the loop of line 20
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(int* x)
{
    if (threadIdx.x == 0) __syncthreads();
    if (threadIdx.x == 0)
        while (atomicAdd(x, 0) == 1);  // <- here
    if (threadIdx.x == 1) {
        atomicExch(x, 1);
        __syncthreads();
        while (atomicAdd(x, 0) == 1);
    }
}

// rule: A loop is not endless whose memory changes every 1,000 iterations
// launch: 1, 1, [zeros(1, int32)]
// expect: x == 5
extern "C" __global__ void k(int* x)
{
    for (int k = 0; x[0] < 5; k = k == 999 ? 0 : k + 1)
        if (k == 0) x[0] += 1;
}

// rule: Threads that wait for each other are not supported in a kernel with groups
// kernel: k
// launch: 4, 32, [zeros(1, int32)]
// error: UnsupportedError
// report: kernel.cu:11: not supported by the simulator: threads that wait for each other in a kernel with cooperative groups; if this loop ends on a GPU, write __syncthreads() and __shfl_sync() instead of groups
#include <cooperative_groups.h>
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);  // <- here
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
__global__ void other()
{
    auto block = cooperative_groups::this_thread_block();
    block.sync();
}
extern "C" __global__ void k(int* o)
{
    auto block = cooperative_groups::this_thread_block();
    block.sync();
    if (threadIdx.x == 0) {
        take();
        o[0] = o[0] + 1;
        give();
    }
}

// rule: Threads that wait for each other are not supported in a kernel with groups
// kernel: k
// launch: 4, 32, [zeros(1, int32)]
// expect: o == 4
#include <cooperative_groups.h>
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
__global__ void other()
{
    auto block = cooperative_groups::this_thread_block();
    block.sync();
}
extern "C" __global__ void k(int* o)
{
    if (threadIdx.x == 0) {
        take();
        o[0] = o[0] + 1;
        give();
    }
}

// rule: A step limit stops a loop that makes progress
// launch: 1, 1, [zeros(1)], step_limit=1500
// error: KernelTimeoutError
// report: the kernel does not end: it is here, in a loop
// report: the simulator stops after 1,500 loop iterations of 1,024 threads in all, its step_limit
// report: hint: does its condition ever become false?
extern "C" __global__ void k(float* x)
{
    for (int i = 0; i >= 0; i = (i + 1) & 1023) x[0] += 1;  // <- here
}

// rule: An iteration of one of two warps counts half for the step limit
// launch: 1, 64, [zeros(1, int32), zeros(64, int32)], step_limit=2000
// expect: flag == 1
// expect: x == 1000
extern "C" __global__ void k(int* flag, int* x)
{
    int t = threadIdx.x;
    if (t == 0)
        while (atomicAdd(flag, 0) == 0);
    for (int i = 0; i < 1000; i++) x[t] += 1;
    if (t == 63) atomicExch(flag, 1);
}

// rule: Threads of a block that meet at two barriers are reported
// launch: 1, 64, [zeros(1, int32)]
// expect: o == 64
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
extern "C" __global__ void k(int* o)
{
    take();
    o[0] = o[0] + 1;
    give();
    __syncthreads();
}

// rule: Threads of a block that meet at two barriers are reported
// launch: 1, 64, [array([64], int32)]
// error: BarrierError
// report: threads of a block meet at two barriers: __syncthreads() in line 25 and in line 27
// report: CUDA's guide leaves undefined what happens; GPUs count who waits, wherever
// report: hint: put one barrier where all threads pass
__device__ int lock;
__device__ int total;
__device__ void take()
{
    while (atomicCAS(&lock, 0, 1) != 0);
    __threadfence();
}
__device__ void give()
{
    __threadfence();
    atomicExch(&lock, 0);
}
extern "C" __global__ void k(int* o)
{
    take();
    o[0] = o[0] + 1;
    give();
    if (threadIdx.x < 32)
        __syncthreads();  // <- here
    else
        __syncthreads();
}

// rule: A barrier that some threads never reach ends no launch
// launch: 1, 64, [zeros(1)], checks=False
// error: KernelTimeoutError thread=(40,0,0) block=(0,0,0)
// report: the kernel does not end: this loop waits for x[0], which stays 0.0
// report: no thread has changed it, and none that still runs will
// report: hint: which thread should change it, and can that one come so far while this one waits?
extern "C" __global__ void k(float* x)
{
    if (threadIdx.x < 40) __syncthreads();
    while (atomicAdd(x, 0.0f) == 0);  // <- here
}

// rule: Threads that wait and change something are stopped after many iterations
// launch: 1, 2, [zeros(1, int32), zeros(1, int32)], step_limit=50000
// error: KernelTimeoutError
// report: the kernel does not end: it is here, in a loop
// report: the simulator stops after 20,000 iterations of threads that wait for each other; a higher step_limit allows more
// report: hint: does its condition ever become false?
extern "C" __global__ void k(int* flag, int* x)
{
    if (threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0);  // <- here
    else
        while (x[0] >= 0) x[0] = (x[0] + 1) & 1023;
}
