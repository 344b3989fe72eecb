// {"output": "made 4 view 8.5 text 3\n"}
#include <cstdio>
const char* title = "text";
const int N = 4 * (1 + 1);
struct Size { int n; };
struct Size size_of(int n) { Size s; s.n = n; return s; }
typedef struct __align__(8) { unsigned int low, high; }
Words;
template <typename T> class Buffer {
public:
    Buffer(int n) : length(n) { cudaMalloc(&data, n * sizeof(T)); printf("made %d ", n); }
    ~Buffer() { cudaFree(data); }
    T* get() const { return data; }
    __host__ __device__ int count() const { return length; }
private:
    int length;
    T* data;
};
struct View {
    float* data;
    int n = N;
    View() = default;
    View(float* from, int number) { data = from; n = number; printf("view "); }
    __device__ float& operator[](int i) { return data[i]; }
};
__global__ void fill(View view, const Words* words) { view[threadIdx.x] = view.n + N * 0.5f + words->low; }
int main() {
    Buffer<float> buffer(4);
    Words *d, none = {0, 1};
    cudaMalloc(&d, sizeof(Words));
    cudaMemcpy(d, &none, sizeof(Words), cudaMemcpyHostToDevice);
    View view(buffer.get(), buffer.count());
    fill<<<1, 4>>>(view, d);
    float h[4];
    cudaMemcpy(h, buffer.get(), sizeof(h), cudaMemcpyDeviceToHost);
    printf("%g %s %d\n", h[3] + 0.5, title, size_of(3).n);
    cudaFree(d);
}
