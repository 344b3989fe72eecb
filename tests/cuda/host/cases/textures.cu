// Textures and surfaces.
CASE

// case: linear memory is read as it is, and beyond it as zero
// output: "1,4 2,8 3,12 4,16 5,20 6,24 7,28 0,0 "
    #include <cstdio>
    __global__ void fetch(cudaTextureObject_t t, uchar4* result) {
    result[threadIdx.x] = tex1Dfetch<uchar4>(t, threadIdx.x + 1);
    }
    int main() {
    uchar4 h[8], *d, *result;
    for (int i = 0; i < 8; i++) h[i] = make_uchar4(i, 2 * i, 3 * i, 4 * i);
    cudaMalloc(&d, sizeof(h)); cudaMalloc(&result, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d;
    resource.res.linear.desc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    resource.res.linear.sizeInBytes = sizeof(h);
    cudaTextureDesc how;
    memset(&how, 0, sizeof(how));
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    fetch<<<1, 8>>>(texture, result);
    cudaMemcpy(h, result, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%d,%d ", h[i].x, h[i].w);
    cudaDestroyTextureObject(texture); cudaFree(d); cudaFree(result);
    }

// case: an array beyond a GPU's limits is none
// output: 1
    int main() {
    cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    printf("%d", cudaMallocArray(&array, &format, -1, -1) == cudaErrorInvalidValue);
    }

// case: an array beyond a GPU's limits is none
// output: 1
    int main() {
    cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    printf("%d", cudaMallocArray(&array, &format, 1 << 20) == cudaErrorInvalidValue);
    }

// case: an array beyond a GPU's limits is none
// output: 1
    int main() {
    cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    printf("%d", cudaMallocArray(&array, &format, 16, 1 << 20) == cudaErrorInvalidValue);
    }

// case: an array beyond a GPU's limits is none
// output: 1
    int main() {
    cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    printf("%d", cudaMallocArray(&array, &format, 1ull << 40, 1ull << 24) == cudaErrorInvalidValue);
    }

// case: a channel of each type has its bits and kind
// output: "8 0 0 0 0\n8 0 0 0 0\n8 0 0 0 1\n16 0 0 0 0\n16 0 0 0 1\n32 0 0 0 0\n32 0 0 0 1\n32 0 0 0 2\n8 8 8 8 1\n32 32 0 0 2\n"
    #include <cstdio>
    void show(cudaChannelFormatDesc d) { printf("%d %d %d %d %d\n", d.x, d.y, d.z, d.w, (int)d.f); }
    int main() {
    show(cudaCreateChannelDesc<char>());
    show(cudaCreateChannelDesc<signed char>());
    show(cudaCreateChannelDesc<unsigned char>());
    show(cudaCreateChannelDesc<short>());
    show(cudaCreateChannelDesc<unsigned short>());
    show(cudaCreateChannelDesc<int>());
    show(cudaCreateChannelDesc<unsigned int>());
    show(cudaCreateChannelDesc<float>());
    show(cudaCreateChannelDesc<uchar4>());
    show(cudaCreateChannelDesc<float2>());
    }

// case: a texture of one axis reads between its numbers
// output: "1 1 3 5 3.5 2 5 8 8 "
    #include <cstdio>
    __global__ void read(cudaTextureObject_t t, float* to)
    { to[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.5f); }
    int main() {
    float row[4] = {1, 5, 2, 8}, *to, found[9];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array; cudaMallocArray(&array, &format, 4);
    cudaMemcpy2DToArray(array, 0, 0, row, 16, 16, 1, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {}; resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {}; how.addressMode[0] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear;
    cudaTextureObject_t t; cudaCreateTextureObject(&t, &resource, &how, NULL);
    cudaMalloc(&to, 36); read<<<1, 9>>>(t, to);
    cudaMemcpy(found, to, 36, cudaMemcpyDeviceToHost);
    for (float f : found) printf("%g ", f);
    cudaDestroyTextureObject(t); cudaFreeArray(array); cudaFree(to);
    }
