// What is said of a mistake of the host, to the letter.
__global__ void k(int* x) { x[0] = 1; }
__global__ void none() { }
int main() {
CASE
}

// case
    int* p = new int; int q;
    delete p; delete p;
//            ^ p is freed twice: first in line 6|hint: free it once

// case
    int* p = (int*)malloc(8);
    cudaFree(p);
//  ^ cudaFree of p, which is made by malloc|hint: write free

// case
    int* p; cudaMalloc(&p, 8);
    free(p);
//  ^ free of p, which is made by cudaMalloc|hint: write cudaFree

// case
    int* p; cudaMallocManaged(&p, 8);
    free(p);
//  ^ free of p, which is made by cudaMallocManaged|hint: write cudaFree

// case
    int* p; cudaMallocHost(&p, 8);
    cudaFree(p);
//  ^ cudaFree of p, which is made by cudaMallocHost|hint: write cudaFreeHost

// case
    int p[2];
    free(p);
//  ^ free of p, which is made by its declaration|hint: only what was allocated can be freed

// case
    free((void*)"x");
//  ^ free of a text, which is made by a text|hint: only what was allocated can be freed

// case
    int* p = (int*)malloc(8);
    free(p + 1);
//  ^ free of an address 4 bytes behind the beginning of p|hint: pass the pointer as the allocation returned it

// case
    free((void*)5);
//  ^ free of an address that was never allocated|hint: pass what the allocation returned

// case
    int* p = (int*)malloc(8);
    free(p);
    p[0] = 1;
//       ^ p is written after it was freed in line 6|hint: free it after its last use

// case
    int* p = new int[2];
    int i = -1; p[i] = 1;
//                   ^ p[-1] is written, but p has 2 elements of 4 bytes|it has 8 bytes, since line 5|hint: the index is negative

// case
    char* p = new char[2];
    int i = -1; p[i] = 1;
//                   ^ p[-1] is written, but p has 2 bytes|it has 2 bytes, since line 5|hint: the index is negative

// case
    struct S { int* p; } s[2], *t = s; s[1].p = new int;
    delete s[1].p; delete t[1].p;
//                 ^ s.p is freed twice: first in line 6|hint: free it once

// case
    struct S { int* p; } *s = new S; s->p = (int*)malloc(4);
    free((s->p) + 1);
//  ^ free of an address 4 bytes behind the beginning of s.p|hint: pass the pointer as the allocation returned it

// case
    char* p = new char[2];
    int x = p[2];
//      ^ p[2] is read, but p has 2 bytes|it has 2 bytes, since line 5|hint: work out by hand which index the last iteration of the loop uses

// case
    double p[2];
    p[2] = 1;
//       ^ p[2] is written, but p has 2 elements of 8 bytes|hint: work out by hand which index the last iteration of the loop uses

// case
    double* p = (double*)malloc(12);
    p[1] = 1;
//       ^ p[1] is written, but p has 1 elements of 8 bytes|it has 12 bytes, since line 5|hint: work out by hand which index the last iteration of the loop uses

// case
    double* p = (double*)malloc(4);
    double x = p[0];
//         ^ p[0] is read, but p has 0 elements of 8 bytes|it has 4 bytes, since line 5|hint: work out by hand which index the last iteration of the loop uses

// case
    int* p = (int*)malloc(1 << 12);
    p[1 << 20] = 1;
//             ^ p[1048576] is written, but p has 1,024 elements of 4 bytes|it has 4,096 bytes, since line 5|hint: work out by hand which index the last iteration of the loop uses

// case
    int* p = NULL;
    int x = *p;
//      ^ read through a null pointer|hint: did malloc, or what should have set it, come before?

// case
    int* p = (int*)((1ull << 32) - 4);
    *p = 1;
//     ^ written through a null pointer|hint: did malloc, or what should have set it, come before?

// case
    int* p = (int*)(1ull << 34);
    *p = 1;
//     ^ written through a pointer that points nowhere|hint: give the pointer a value first

// case
    int* p = (int*)(1ull << 33);
    int x = *p;
//      ^ read through a pointer that points nowhere|hint: give the pointer a value first

// case
    int* d; cudaMalloc(&d, 4);
    d[0] = 1;
//       ^ d is memory of the GPU: the host cannot write it|it is made by cudaMalloc in line 5|hint: copy it: cudaMemcpy(d, host, bytes, cudaMemcpyHostToDevice)

// case
    int* d; cudaMalloc(&d, 4);
    int x = *d;
//      ^ d is memory of the GPU: the host cannot read it|it is made by cudaMalloc in line 5|hint: copy it: cudaMemcpy(host, d, bytes, cudaMemcpyDeviceToHost)

// case
    char* t = (char*)"text";
    t[0] = 1;
//       ^ a text in quotes cannot be changed|hint: make an array of it: char text[] = "...";

// case
    int x = 0;
    x = 7 % x;
//    ^ an integer is divided by zero|hint: check the divisor before

// case
    int some_name;
    int y = some_name;
//      ^ some_name is read, but it has no value yet|hint: give it one where it is declared: some_name = 0

// case
    const char* form = "%d %d\n"; int x = 1;
    printf(form, x);
//  ^ the text of printf has places for 2 values, but 1 given|hint: write one value for each % (and %% for the sign itself)

// case
    const char* form = "%d%%\n";
    printf(form, 1.5);
//  ^ %d of '%d%%\n' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text

// case
    const char* form = "%s";
    printf(form, 1);
//  ^ %s of '%s' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text

// case
    const char* form = "%*f";
    printf(form, 1.0, 1.0);
//  ^ %d of '%*f' does not print a value of this type|hint: %d prints an int, %f a float or double, %s a text

// case
    int n = -1;
    int* p = new int[n];
//           ^ new of -1 elements|hint: the number is not what was meant

// case
    long n = 1L << 31;
    int* p = new int[n];
//           ^ new of 2,147,483,648 elements|hint: the number is not what was meant

// case
    int n = -4;
    malloc(n);
//  ^ malloc of 18,446,744,073,709,551,612 bytes|hint: the size is negative, or no number of bytes

// case
    int n = -4; int* d;
    cudaMalloc(&d, n);
//  ^ cudaMalloc of 18,446,744,073,709,551,612 bytes|hint: the size is negative, or no number of bytes

// case
    int x[2] = {1, 2};
    k<<<1, 1>>>(x);
//  ^ kernel k is given x, memory of the host: a GPU cannot reach it|x is made by its declaration|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged

// case
    int* x = (int*)malloc(4);
    k<<<1, 1>>>(x);
//  ^ kernel k is given x, memory of the host: a GPU cannot reach it|x is made by malloc in line 5|hint: copy it to memory of cudaMalloc first, and pass that; or use cudaMallocManaged

// case
    k<<<1, 1>>>((int*)9);
//  ^ kernel k is given argument 1, which points nowhere|hint: did cudaMalloc(&argument 1, bytes) come before?

// case
    int* d; cudaMalloc(&d, 4);
    cudaFree(d); k<<<1, 1>>>(d);
//               ^ d is given to a kernel after it was freed in line 6|hint: free it after its last use

// case
    none<<<0, 1>>>();
//  ^ kernel none was not launched, and nobody asked: a grid of 0 x 1 x 1 has nothing in it: its x is 0|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: n / block is rounded down; write (n + block - 1) / block

// case
    none<<<1, dim3(1, 0)>>>();
//  ^ kernel none was not launched, and nobody asked: a block of 1 x 0 x 1 has nothing in it: its y is 0|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: a block has at least one thread

// case
    none<<<1, dim3(1, 1, 65)>>>();
//  ^ kernel none was not launched, and nobody asked: a block of 1 x 1 x 65 is too large: its z may be up to 64|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use a smaller one

// case
    none<<<1, dim3(32, 33)>>>();
//  ^ kernel none was not launched, and nobody asked: a block of 32 x 33 x 1 has 1,056 threads; at most 1,024 are possible|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use smaller blocks and more of them

// case
    none<<<dim3(1, 65536), 1>>>();
//  ^ kernel none was not launched, and nobody asked: a grid of 1 x 65536 x 1 is too large: its y may be up to 65,535|a launch that fails says so only to cudaGetLastError(); what follows works on old results|hint: use a smaller one

// case
    char* d; size_t p;
    cudaMallocPitch(&d, &p, -5, 2);
//  ^ cudaMallocPitch of 36,893,488,147,419,103,232 bytes|hint: the size is negative, or no number of bytes

// case
    int* x = (int*)malloc(8); free(x);
    cudaHostRegister(x, 8, 0);
//  ^ cudaHostRegister needs memory of malloc or new|hint: pass the pointer that it returned

// case
    int* x = (int*)5;
    cudaHostRegister(x, 8, 0);
//  ^ cudaHostRegister needs memory of malloc or new|hint: pass the pointer that it returned

// case
    int* x = (int*)5;
    cudaHostUnregister(x);
//  ^ cudaHostUnregister of memory that was never registered|hint: register it first

// case
    int* x = (int*)5; void* p;
    cudaHostGetDevicePointer(&p, x, 0);
//  ^ only pinned memory has an address on the GPU|hint: allocate it with cudaHostAlloc

// case
    cudaEvent_t e;
    cudaEventRecord(e);
//  ^ e is read, but it has no value yet|hint: give it one where it is declared: e = 0

// case
    cudaEvent_t e = 0;
    cudaEventRecord(e);
//  ^ an event is used that was never created|hint: write cudaEventCreate(&event) first

// case
    cudaEvent_t e; cudaEventCreate(&e);
    cudaEventDestroy(e); cudaEventRecord(e);
//                       ^ an event is used that was destroyed in line 6|hint: destroy it after its last use

// case
    cudaEvent_t e; cudaEventCreate(&e); float t;
    cudaEventElapsedTime(&t, e, e);
//  ^ e was never recorded|hint: write cudaEventRecord(e) where the time is to be taken

// case
    cudaEvent_t e, f; cudaEventCreate(&e); cudaEventCreate(&f); float t; int *d, h = 1;
    cudaMalloc(&d, 4);
    cudaEventRecord(e); cudaEventSynchronize(e); cudaEventRecord(f); cudaEventElapsedTime(&t, e, f);
//                                                                   ^ cudaEventElapsedTime asks for the time of f, which may not have happened yet|hint: wait for it first: cudaEventSynchronize(f)

// case
    cudaStream_t s = (cudaStream_t)5;
    cudaStreamSynchronize(s);
//  ^ a stream is used that was never created|hint: write cudaStreamCreate(&stream) first

// case
    cudaStream_t s; cudaStreamCreate(&s);
    cudaStreamDestroy(s); cudaStreamQuery(s);
//                        ^ a stream is used that was destroyed in line 6|hint: destroy it after its last use

// case
    int n = 1; cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, &n);
//  ^ cudaFuncGetAttributes needs the name of a kernel|hint: write the name of a __global__ function

// case
    int x; void* p;
    cudaHostGetDevicePointer(&p, &x, 0);
//  ^ only pinned memory has an address on the GPU|hint: allocate it with cudaHostAlloc

// case
    int x[2];
    cudaHostRegister(x, 8, 0);
//  ^ cudaHostRegister needs memory of malloc or new|hint: pass the pointer that it returned

// case
    int* x = new int;
    cudaHostUnregister(x);
//  ^ cudaHostUnregister of memory that was never registered|hint: register it first

// case
    system("ls");
//  ^ a program here cannot start others|hint: leave system() out

// case
    FILE* f = fopen("x", "r"); char b[4];
    fread(b, 1, 4, f);
//  ^ this FILE* is NULL: fopen did not open the file|hint: ask before it is used: if (f == NULL) { printf("no such file\n"); return 1; }

// case
    FILE* f = fopen("x", "w"); fclose(f);
    fprintf(f, "x");
//  ^ this FILE* is closed, or was never opened|hint: use it between fopen and fclose

// case
    FILE* f = fopen("x", "w"); fclose(f);
    fclose(f);
//  ^ this FILE* is closed, or was never opened|hint: use it between fopen and fclose

// case
    fopen("../x", "r");
//  ^ a program here has a folder of its own: '../x' is outside of it|hint: write a plain file name
