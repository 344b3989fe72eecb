// nvcuda::wmma: tiles of matrices whose elements are spread over the lanes of a warp, and their product.
#include <cuda_fp16.h>
#include <cuda_bf16.h>

struct nvcuda::wmma::matrix_a { static constexpr int use = 0; };
struct nvcuda::wmma::matrix_b { static constexpr int use = 1; };
struct nvcuda::wmma::accumulator { static constexpr int use = 2; };
struct nvcuda::wmma::row_major { static constexpr int layout = 0; };
struct nvcuda::wmma::col_major { static constexpr int layout = 1; };
struct nvcuda::wmma::precision::tf32 {};
enum nvcuda::wmma::layout_t { nvcuda::wmma::mem_row_major, nvcuda::wmma::mem_col_major };

template <typename Use, int M, int N, int K, typename T, typename Layout = void> struct nvcuda::wmma::fragment {
    static_assert(sizeof(T) == 0, "there is no such fragment: matrix_a and matrix_b need row_major or col_major, an "
                                  "accumulator none; a factor's numbers are half (or another type of 8 or 16 bits, or "
                                  "tf32), an accumulator's float, half or int; sizes are 16, 16, 16");
};

#define __fragment(Use, M, N, K, T, Layout, Stored, count)                                                            \
    template <> struct nvcuda::wmma::fragment<nvcuda::wmma::Use, M, N, K, T, Layout> {                                 \
        typedef T element_type;                                                                                        \
        typedef Stored storage_element_type;                                                                           \
        static constexpr int num_elements = count;                                                                     \
        Stored x[count];                                                                                               \
    };
#define __accumulator(M, N, K, T) __fragment(accumulator, M, N, K, T, void, T, 8)
#define __factor(Use, M, N, K, T, Stored, count)                                                                      \
    __fragment(Use, M, N, K, T, nvcuda::wmma::row_major, Stored, count)                                                \
    __fragment(Use, M, N, K, T, nvcuda::wmma::col_major, Stored, count)
#define __factors(M, N, K, T, Stored, in_a, in_b)                                                                     \
    __factor(matrix_a, M, N, K, T, Stored, in_a) __factor(matrix_b, M, N, K, T, Stored, in_b)
#define __shapes(T)                                                                                                   \
    __factors(16, 16, 16, T, T, 8, 8) __factors(32, 8, 16, T, T, 16, 4) __factors(8, 32, 16, T, T, 4, 16)
#define __sums(T) __accumulator(16, 16, 16, T) __accumulator(32, 8, 16, T) __accumulator(8, 32, 16, T)
__factors(16, 16, 16, __half, __half, 16, 16) __factors(32, 8, 16, __half, __half, 16, 16)
__factors(8, 32, 16, __half, __half, 16, 16)
__shapes(__nv_bfloat16) __shapes(signed char) __shapes(unsigned char)
__factors(16, 16, 8, nvcuda::wmma::precision::tf32, float, 4, 4)
__sums(float) __sums(__half) __sums(int) __accumulator(16, 16, 8, float)

// Which sums there are of products of which numbers.
template <typename T, typename D> struct nnlib_sums { static constexpr bool exist = false; };
#define __has_sums(T, D) template <> struct nnlib_sums<T, D> { static constexpr bool exist = true; };
__has_sums(__half, float) __has_sums(__half, __half) __has_sums(__nv_bfloat16, float)
__has_sums(nvcuda::wmma::precision::tf32, float) __has_sums(signed char, int) __has_sums(unsigned char, int)

template <typename T, typename Other> struct nnlib_same { static constexpr bool holds = false; };
template <typename T> struct nnlib_same<T, T> { static constexpr bool holds = true; };
#define __of_one_type "array and accumulator have numbers of one type: where c is float*, C is a fragment of float"

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Value>
__device__ void nvcuda::wmma::fill_fragment(nvcuda::wmma::fragment<Use, M, N, K, T, Layout>& tile, Value value)
{
    typename nvcuda::wmma::fragment<Use, M, N, K, T, Layout>::storage_element_type stored = value;
    nnlib::fill_fragment(tile.x, stored, tile.num_elements);
}

template <typename Use, int M, int N, int K, typename T, typename Layout, typename Stored>
__device__ void nvcuda::wmma::load_matrix_sync(nvcuda::wmma::fragment<Use, M, N, K, T, Layout>& tile, const Stored* p,
                                               unsigned int ldm)
{
    static_assert(Use::use != 2, "an accumulator has no layout of its own: write mem_row_major behind the distance of rows");
    nnlib::load_fragment(tile.x, p, ldm, Layout::layout, Use::use, M, N, K);
}
template <int M, int N, int K, typename T, typename Stored>
__device__ void nvcuda::wmma::load_matrix_sync(
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, M, N, K, T>& tile, const Stored* p, unsigned int ldm,
    nvcuda::wmma::layout_t layout)
{
    static_assert(nnlib_same<T, Stored>::holds, __of_one_type);
    nnlib::load_fragment(tile.x, p, ldm, layout, 2, M, N, K);
}
template <int M, int N, int K, typename T, typename Stored>
__device__ void nvcuda::wmma::store_matrix_sync(
    Stored* p, const nvcuda::wmma::fragment<nvcuda::wmma::accumulator, M, N, K, T>& tile, unsigned int ldm,
    nvcuda::wmma::layout_t layout)
{
    static_assert(nnlib_same<T, Stored>::holds, __of_one_type);
    nnlib::store_fragment(p, tile.x, ldm, layout, M, N, K);
}
template <int M, int N, int K, typename T, typename LayoutA, typename LayoutB, typename C, typename D>
__device__ void nvcuda::wmma::mma_sync(
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, M, N, K, D>& d,
    const nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, M, N, K, T, LayoutA>& a,
    const nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, M, N, K, T, LayoutB>& b,
    const nvcuda::wmma::fragment<nvcuda::wmma::accumulator, M, N, K, C>& c, bool saturate = false)
{
    static_assert(nnlib_sums<T, C>::exist && nnlib_sums<T, D>::exist, "mma_sync has no accumulators of this type for such factors");
    nnlib::multiply_fragments(d.x, a.x, b.x, c.x, M, N, K, saturate);
}
__device__ float nvcuda::wmma::__float_to_tf32(float x) { return nnlib::to_tf32_rna(x); }
