// What is refused of copies, and what is not.
int all = 10 * sizeof(char);
int main() {
float *h = (float*)malloc(40), *d, *p, *m; cudaMalloc(&d, 40); cudaMallocHost(&p, 40); cudaMallocManaged(&m, 40); memset(h, 0, 40); memset(p, 0, 40); memset(m, 0, 40); cudaMemset(d, 0, 40);
CASE
}

// case
    cudaMemcpy(d, h + 1, 40, cudaMemcpyHostToDevice);
//  ^ 40 bytes are read, past the end of h|h has 40 bytes from line 4, 36 from there on|hint: compare the number of bytes with what was allocated

// case
    cudaMemcpy(d + 1, h, 37, cudaMemcpyHostToDevice);
//  ^ 37 bytes are written, past the end of d|d has 40 bytes from line 4, 36 from there on|hint: compare the number of bytes with what was allocated

// case
    cudaMemcpy(d, h + 10, 1, cudaMemcpyHostToDevice);
//  ^ 1 bytes are read, past the end of h|h has 40 bytes from line 4, 0 from there on|hint: compare the number of bytes with what was allocated

// case
    cudaMemcpy(d, h - 1, 4, cudaMemcpyHostToDevice);
//  ^ 4 bytes are read outside of h: 4 before its start|h has 40 bytes from line 4|hint: check what is added to the pointer

// case
    cudaMemcpy(d, h + 12, 4, cudaMemcpyHostToDevice);
//  ^ 4 bytes are read outside of h: 8 behind its end|h has 40 bytes from line 4|hint: check what is added to the pointer

// case
    float* z = 0; cudaMemcpy(z, h, 4, cudaMemcpyHostToDevice);
//                ^ cudaMemcpy: z is a null pointer|hint: allocate the memory first

// case
    float* z = 0; cudaMemcpy(d, z, 4, cudaMemcpyHostToDevice);
//                ^ cudaMemcpy: z is a null pointer|hint: allocate the memory first

// case
    cudaMemcpy(d, (float*)77, 4, cudaMemcpyHostToDevice);
//  ^ cudaMemcpy: the source points nowhere|hint: allocate the memory first

// case
    cudaMemcpy((float*)77, h, 4, cudaMemcpyHostToDevice);
//  ^ cudaMemcpy: the target points nowhere|hint: allocate the memory first

// case
    cudaFree(d); cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);
//               ^ d is written after it was freed in line 5|hint: free it after its last use

// case
    free(h); cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);
//           ^ h is read after it was freed in line 5|hint: free it after its last use

// case
    memcpy((char*)"text", h, 1);
//  ^ a text in quotes cannot be changed|hint: make an array of it: char text[] = "...";

// case
    cudaMemcpy(d, h, 40, (cudaMemcpyKind)7);
//  ^ 7 is no direction of a copy|hint: write cudaMemcpyHostToDevice or cudaMemcpyDeviceToHost

// case
    cudaMemcpy(d, h, 10, cudaMemcpyHostToDevice);
//  ^ 10 bytes are copied, of 40: bytes and elements are confused|h has 10 elements of 4 bytes|hint: write the number of bytes: 10 * sizeof(...)

// case
    float* e; cudaMalloc(&e, 10); cudaMemcpy(e, h, 40, cudaMemcpyHostToDevice);
//                                ^ 40 bytes are written, but e has 10 bytes from line 5: bytes and elements are confused|hint: in line 5, write n * sizeof(...): its elements have 4 bytes each

// case
    cudaMemcpy(d, h, 40 * sizeof(float), cudaMemcpyHostToDevice);
//  ^ 160 bytes are written, but d has 40 bytes from line 4: bytes and elements are confused|hint: in line 4, write n * sizeof(...): its elements have 4 bytes each

// case
    cudaMemcpy2D(d, 4, h, 8, 5, 2, cudaMemcpyHostToDevice);
//  ^ cudaMemcpy2D: rows of 5 bytes do not fit the pitch of 4|hint: width and pitches are bytes: write n * sizeof(...)

// case
    cudaMemcpy2D(d, 18, h, 8, 5, 3, cudaMemcpyHostToDevice);
//  ^ 41 bytes are written, past the end of d|d has 40 bytes from line 4|hint: compare the number of bytes with what was allocated

// case
    cudaMemset(h, 0, 40);
//  ^ cudaMemset of h, memory of the host|hint: write memset

// case
    cudaMemset(d + 9, 0, 5);
//  ^ 5 bytes are written, past the end of d|d has 40 bytes from line 4, 4 from there on|hint: compare the number of bytes with what was allocated

// case
    cudaMemset2D(d, 12, 0, 5, 4);
//  ^ 41 bytes are written, past the end of d|d has 40 bytes from line 4|hint: compare the number of bytes with what was allocated

// case
    memset(h + 1, 0, 37);
//  ^ 37 bytes are written, past the end of h|h has 40 bytes from line 4, 36 from there on|hint: compare the number of bytes with what was allocated

// case
    float* z = 0; memset(z, 0, 1);
//                ^ memset: z is a null pointer|hint: allocate the memory first

// case
    free(h); memset(h, 0, 1);
//           ^ h is written after it was freed in line 5|hint: free it after its last use

// case
    float x[2]; cudaMemcpy(d, x, 9, cudaMemcpyHostToDevice);
//              ^ 9 bytes are read, past the end of x|x has 8 bytes|hint: compare the number of bytes with what was allocated

// case
    cudaMemcpy(h, d, 10, cudaMemcpyDeviceToHost);
//  ^ 10 bytes are copied, of 40: bytes and elements are confused|d has 10 elements of 4 bytes|hint: write the number of bytes: 10 * sizeof(...)

// case: a number of bytes that equals the number of elements
    cudaMemcpy(d, h, 10 * sizeof(char), cudaMemcpyHostToDevice); free(h); cudaFree(d);
    cudaFreeHost(p); cudaFree(m);

// case: a number of bytes that equals the number of elements
    int n = 10; n *= sizeof(char); cudaMemcpy(d, h, n, cudaMemcpyHostToDevice); free(h);
    cudaFree(d); cudaFreeHost(p); cudaFree(m);

// case: a number of bytes that equals the number of elements
    cudaMemcpy(d, h + 1, 10, cudaMemcpyHostToDevice); free(h); cudaFree(d); cudaFreeHost(p);
    cudaFree(m);

// case: a number of bytes that equals the number of elements
    cudaMemcpy(d + 1, h, 10, cudaMemcpyHostToDevice); free(h); cudaFree(d); cudaFreeHost(p);
    cudaFree(m);

// case: a number of bytes that equals the number of elements
    cudaMemcpy(d, h, 9, cudaMemcpyHostToDevice); free(h); cudaFree(d); cudaFreeHost(p); cudaFree(m);

// case: a number of bytes that equals the number of elements
    float x[11] = {1}; cudaMemcpy(d, x, 10, cudaMemcpyHostToDevice); free(h); cudaFree(d);
    cudaFreeHost(p); cudaFree(m);

// case: a number of bytes that equals the number of elements
    cudaMemcpy(d, h, all, cudaMemcpyHostToDevice); free(h); cudaFree(d); cudaFreeHost(p);
    cudaFree(m);

// case: a number of bytes that equals the number of elements
    int n, *q = &n; *q = 10 * sizeof(char); cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);
    free(h); cudaFree(d); cudaFreeHost(p); cudaFree(m);

// case: pinned and managed memory is on both sides
    cudaMemcpy(h, h, 40, cudaMemcpyHostToHost); cudaMemcpy(h, m, 40, cudaMemcpyHostToHost);
    cudaMemcpy(h, p, 40, cudaMemcpyHostToHost); cudaMemcpy(m, h, 40, cudaMemcpyHostToHost);
    cudaMemcpy(m, m, 40, cudaMemcpyHostToHost); cudaMemcpy(m, p, 40, cudaMemcpyHostToHost);
    cudaMemcpy(p, h, 40, cudaMemcpyHostToHost); cudaMemcpy(p, m, 40, cudaMemcpyHostToHost);
    cudaMemcpy(p, p, 40, cudaMemcpyHostToHost); cudaDeviceSynchronize(); free(h); cudaFree(d);
    cudaFreeHost(p); cudaFree(m);

// case: pinned and managed memory is on both sides
    cudaMemcpy(d, h, 40, cudaMemcpyHostToDevice); cudaMemcpy(d, m, 40, cudaMemcpyHostToDevice);
    cudaMemcpy(d, p, 40, cudaMemcpyHostToDevice); cudaMemcpy(m, h, 40, cudaMemcpyHostToDevice);
    cudaMemcpy(m, m, 40, cudaMemcpyHostToDevice); cudaMemcpy(m, p, 40, cudaMemcpyHostToDevice);
    cudaMemcpy(p, h, 40, cudaMemcpyHostToDevice); cudaMemcpy(p, m, 40, cudaMemcpyHostToDevice);
    cudaMemcpy(p, p, 40, cudaMemcpyHostToDevice); cudaDeviceSynchronize(); free(h); cudaFree(d);
    cudaFreeHost(p); cudaFree(m);

// case: pinned and managed memory is on both sides
    cudaMemcpy(h, d, 40, cudaMemcpyDeviceToHost); cudaMemcpy(h, m, 40, cudaMemcpyDeviceToHost);
    cudaMemcpy(h, p, 40, cudaMemcpyDeviceToHost); cudaMemcpy(m, d, 40, cudaMemcpyDeviceToHost);
    cudaMemcpy(m, m, 40, cudaMemcpyDeviceToHost); cudaMemcpy(m, p, 40, cudaMemcpyDeviceToHost);
    cudaMemcpy(p, d, 40, cudaMemcpyDeviceToHost); cudaMemcpy(p, m, 40, cudaMemcpyDeviceToHost);
    cudaMemcpy(p, p, 40, cudaMemcpyDeviceToHost); cudaDeviceSynchronize(); free(h); cudaFree(d);
    cudaFreeHost(p); cudaFree(m);

// case: pinned and managed memory is on both sides
    cudaMemcpy(d, d, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(d, m, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(d, p, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(m, d, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(m, m, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(m, p, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(p, d, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(p, m, 40, cudaMemcpyDeviceToDevice);
    cudaMemcpy(p, p, 40, cudaMemcpyDeviceToDevice); cudaDeviceSynchronize(); free(h);
    cudaFree(d); cudaFreeHost(p); cudaFree(m);

// case: pinned and managed memory is on both sides
    cudaMemcpy(d, d, 40, cudaMemcpyDefault); cudaMemcpy(d, h, 40, cudaMemcpyDefault);
    cudaMemcpy(d, m, 40, cudaMemcpyDefault); cudaMemcpy(d, p, 40, cudaMemcpyDefault);
    cudaMemcpy(h, d, 40, cudaMemcpyDefault); cudaMemcpy(h, h, 40, cudaMemcpyDefault);
    cudaMemcpy(h, m, 40, cudaMemcpyDefault); cudaMemcpy(h, p, 40, cudaMemcpyDefault);
    cudaMemcpy(m, d, 40, cudaMemcpyDefault); cudaMemcpy(m, h, 40, cudaMemcpyDefault);
    cudaMemcpy(m, m, 40, cudaMemcpyDefault); cudaMemcpy(m, p, 40, cudaMemcpyDefault);
    cudaMemcpy(p, d, 40, cudaMemcpyDefault); cudaMemcpy(p, h, 40, cudaMemcpyDefault);
    cudaMemcpy(p, m, 40, cudaMemcpyDefault); cudaMemcpy(p, p, 40, cudaMemcpyDefault);
    cudaDeviceSynchronize(); free(h); cudaFree(d); cudaFreeHost(p); cudaFree(m);

// case
    cudaMemcpy(h, d, 40, cudaMemcpyHostToHost);
//  ^ cudaMemcpyHostToHost, but the target h is memory of the host and the source d of the GPU|hint: write cudaMemcpyDeviceToHost

// case
    cudaMemcpy(d, h, 40, cudaMemcpyHostToHost);
//  ^ cudaMemcpyHostToHost, but the target d is memory of the GPU and the source h of the host|hint: write cudaMemcpyHostToDevice

// case
    cudaMemcpy(d, d, 40, cudaMemcpyHostToHost);
//  ^ cudaMemcpyHostToHost, but the target d is memory of the GPU and the source d of the GPU|hint: write cudaMemcpyDeviceToDevice

// case
    cudaMemcpy(h, h, 40, cudaMemcpyHostToDevice);
//  ^ cudaMemcpyHostToDevice, but the target h is memory of the host and the source h of the host|hint: write cudaMemcpyHostToHost

// case
    cudaMemcpy(h, d, 40, cudaMemcpyHostToDevice);
//  ^ cudaMemcpyHostToDevice, but the target h is memory of the host and the source d of the GPU|hint: write cudaMemcpyDeviceToHost; or are the two swapped? The target comes first

// case
    cudaMemcpy(d, d, 40, cudaMemcpyHostToDevice);
//  ^ cudaMemcpyHostToDevice, but the target d is memory of the GPU and the source d of the GPU|hint: write cudaMemcpyDeviceToDevice

// case
    cudaMemcpy(h, h, 40, cudaMemcpyDeviceToHost);
//  ^ cudaMemcpyDeviceToHost, but the target h is memory of the host and the source h of the host|hint: write cudaMemcpyHostToHost

// case
    cudaMemcpy(d, h, 40, cudaMemcpyDeviceToHost);
//  ^ cudaMemcpyDeviceToHost, but the target d is memory of the GPU and the source h of the host|hint: write cudaMemcpyHostToDevice; or are the two swapped? The target comes first

// case
    cudaMemcpy(d, d, 40, cudaMemcpyDeviceToHost);
//  ^ cudaMemcpyDeviceToHost, but the target d is memory of the GPU and the source d of the GPU|hint: write cudaMemcpyDeviceToDevice

// case
    cudaMemcpy(h, h, 40, cudaMemcpyDeviceToDevice);
//  ^ cudaMemcpyDeviceToDevice, but the target h is memory of the host and the source h of the host|hint: write cudaMemcpyHostToHost

// case
    cudaMemcpy(h, d, 40, cudaMemcpyDeviceToDevice);
//  ^ cudaMemcpyDeviceToDevice, but the target h is memory of the host and the source d of the GPU|hint: write cudaMemcpyDeviceToHost

// case
    cudaMemcpy(d, h, 40, cudaMemcpyDeviceToDevice);
//  ^ cudaMemcpyDeviceToDevice, but the target d is memory of the GPU and the source h of the host|hint: write cudaMemcpyHostToDevice
