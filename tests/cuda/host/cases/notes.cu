// What is no mistake, but worth a note.
__global__ void said() { printf("x\n"); } __global__ void bare() { printf("x"); }
__global__ void silent() { }
int main() {
CASE
}

// case
// note: line 5: delete of what new[] made; write delete[]
// note: line 5: free of q, which is made by new; write delete[]
// note: line 5: delete of r, which is made by malloc; write free
    int *p = new int[3], *q = new int[3], *r = (int*)malloc(4); delete p; free(q); delete r;

// case
// note: line 5: 1 bytes of p are never freed; write delete p;
// note: line 5: 8 bytes of memory are never freed; write delete[] ;
    char* p = new char; new int[2]; p = 0;

// case
// note: line 5: 4,000 bytes of p are never freed; write cudaFreeHost(p);
// note: line 5: 4 bytes of q are never freed; write cudaFree(q);
// note: line 5: 4 bytes of r are never freed; write cudaFree(r);
    int *p, *q, *r; cudaMallocHost(&p, 4000); cudaMallocManaged(&q, 4); cudaMalloc(&r, 4);

// case
// output: "x\n"
// note: 1 line of printf in kernels are not shown, as on a GPU: the program ended before it waited for them; write cudaDeviceSynchronize();
    said<<<1, 1>>>(); cudaDeviceSynchronize(); said<<<1, 1>>>();

// case
// note: 2 lines of printf in kernels are not shown, as on a GPU: the program ended before it waited for them; write cudaDeviceSynchronize();
    said<<<1, 2>>>();

// case
    silent<<<1, 1>>>();

// case
// note: 1 line of printf in kernels are not shown, as on a GPU: the program ended before it waited for them; write cudaDeviceSynchronize();
    bare<<<1, 1>>>();

// case
// note: line 5: 16 bytes of p are never freed; write free(p);
// note: line 5: 2 bytes of p are never freed; write free(p);
    void *p = realloc(NULL, 8); p = realloc(p, 16); p = calloc(1, 2);
