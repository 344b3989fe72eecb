// cuRAND's generators give the numbers of an H200 with cuRAND of CUDA 13, but for the last digits of normal ones.
#include <cstdio>
#include <curand.h>
// Numbers 0, 1, 4097 (or the last but one) and the last of a call.
template <typename T> void compare(const T* d, int n, double digits, double a, double b, double c, double e) {
    T* h = (T*)malloc(n * sizeof(T));
    cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost);
    double found[] = {(double)h[0], (double)h[1], (double)h[n > 4097 ? 4097 : n - 2], (double)h[n - 1]};
    double right[] = {a, b, c, e};
    for (int i = 0; i < 4; i++) {
        if (fabs(found[i] - right[i]) > digits * fabs(right[i])) printf("%.12g, not %.12g\n", found[i], right[i]);
    }
    free(h);
}
int main() {
    unsigned* u; float* f; double* d;
    cudaMalloc(&u, 80000); cudaMalloc(&f, 80000); cudaMalloc(&d, 160000);
    curandGenerator_t g; curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL);
CASE
    curandDestroyGenerator(g); cudaFree(u); cudaFree(f); cudaFree(d);
}

// case
    curandGenerate(g, u, 20000);
    compare(u, 20000, 0, 624778773, 3522650202, 3978931785, 2623622396);

// case
    curandSetGeneratorOffset(g, 7); curandGenerate(g, u, 5000);
    compare(u, 5000, 0, 3362343509, 48542993, 2317509034, 2598138492);

// case
    curandGenerateUniformDouble(g, d, 20000);
    compare(d, 20000, 1e-11, 0.434898804388, 0.926416920202, 0.537593777314, 0.887173488329);

// case
    curandGenerateNormal(g, f, 20000, 0, 1);
    compare(f, 20000, 3e-6, 0.780973613262, -1.80157792568, 0.454981684685, 1.52761149406);

// case
    curandGenerateNormalDouble(g, d, 20000, 0, 1);
    compare(d, 20000, 1e-11, 0.358739798524, -1.23959250322, 1.0026121075, -0.578319165071);

// case
    curandGenerateLogNormal(g, f, 20000, 0, 1);
    compare(f, 20000, 3e-6, 2.18359732628, 0.165038272738, 1.57614445686, 4.60715961456);

// case: one call goes on where the other ended
    curandGenerateUniform(g, f, 1001);
    compare(f, 1001, 1e-11, 0.145467638969, 0.820180892944, 0.547260344028, 0.56188929081);
    curandGenerateUniform(g, f, 5000);
    compare(f, 5000, 1e-11, 0.481230378151, 0.87080770731, 0.719315230846, 0.277732312679);

// case: also where normal numbers come in between
    curandGenerateUniform(g, f, 6001); curandGenerateNormal(g, f, 1000, 0, 1);
    compare(f, 1000, 3e-6, -0.562590181828, 1.49147057533, -0.381718367338, -0.630855441093);
    curandGenerateUniform(g, f, 5000);
    compare(f, 5000, 3e-6, 0.587264895439, 0.583391070366, 0.353399515152, 0.303640604019);

// case: a seed begins anew; mean and deviation scale
    float h[4]; curandGenerateNormal(g, f, 100, 0, 1); cudaMemcpy(h, f, 16, cudaMemcpyDeviceToHost);
    curandSetPseudoRandomGeneratorSeed(g, 1234ULL); curandGenerateNormal(g, f, 4, 5, 2);
    compare(f, 4, 1e-6, 5 + 2 * h[0], 5 + 2 * h[1], 5 + 2 * h[2], 5 + 2 * h[3]);

// case: a generator of the host fills memory of the host
    float h[4]; curandGenerator_t c; curandCreateGeneratorHost(&c, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(c, 1234ULL);
    curandGenerateUniform(c, h, 4); curandGenerateUniform(g, f, 4);
    compare(f, 4, 0, h[0], h[1], h[2], h[3]);
    curandDestroyGenerator(c);

// case: no numbers are no mistake, and change nothing
    curandGenerateUniform(g, f, 0); curandGenerateNormal(g, f, 0, 0, 1); curandGenerate(g, u, 0);
    curandGenerateUniform(g, f, 1001);
    compare(f, 1001, 1e-11, 0.145467638969, 0.820180892944, 0.547260344028, 0.56188929081);
