// CUDA's functions for several small numbers in one word, and for the largest and smallest of several words (CUDA Math
// API, "SIMD Intrinsics" and "DPX"). A text that names one of them has them all.

#define __NNLIB_LANES(name, bits, kind, value) \
__device__ inline unsigned int name##bits(unsigned int a, unsigned int b) \
{ \
    unsigned int result = 0; \
    for (int k = 0; k < 32; k += 32 / bits) { \
        int x = (kind)(a >> k), y = (kind)(b >> k), most = (1 << (32 / bits - 1)) - 1, all = 2 * most + 1; \
        result |= ((unsigned int)(value) & (unsigned int)all) << k; \
    } \
    return result; \
}
#define __NNLIB_LANE(name, bits, kind, value) \
__device__ inline unsigned int name##bits(unsigned int a) \
{ \
    unsigned int result = 0; \
    for (int k = 0; k < 32; k += 32 / bits) { \
        int x = (kind)(a >> k), most = (1 << (32 / bits - 1)) - 1, all = 2 * most + 1; \
        result |= ((unsigned int)(value) & (unsigned int)all) << k; \
    } \
    return result; \
}
#define __NNLIB_SUM(name, bits, kind) \
__device__ inline unsigned int name##bits(unsigned int a, unsigned int b) \
{ \
    unsigned int result = 0; \
    for (int k = 0; k < 32; k += 32 / bits) \
        result += (kind)(a >> k) > (kind)(b >> k) ? (kind)(a >> k) - (kind)(b >> k) : (kind)(b >> k) - (kind)(a >> k); \
    return result; \
}
#define __NNLIB_COMPARE(what, bits, kind, truth) \
__NNLIB_LANES(__vcmp##what, bits, kind, truth ? all : 0) \
__NNLIB_LANES(__vset##what, bits, kind, truth)
#define __NNLIB_SIGNED(value) (value > most ? most : value < -most - 1 ? -most - 1 : value)
#define __NNLIB_UNSIGNED(value) (value > all ? all : value < 0 ? 0 : value)

#define __NNLIB_SIMD(bits, s, u) \
__NNLIB_LANES(__vadd, bits, u, x + y) \
__NNLIB_LANES(__vaddss, bits, s, __NNLIB_SIGNED(x + y)) \
__NNLIB_LANES(__vaddus, bits, u, __NNLIB_UNSIGNED(x + y)) \
__NNLIB_LANES(__vsub, bits, u, x - y) \
__NNLIB_LANES(__vsubss, bits, s, __NNLIB_SIGNED(x - y)) \
__NNLIB_LANES(__vsubus, bits, u, __NNLIB_UNSIGNED(x - y)) \
__NNLIB_LANES(__vabsdiffs, bits, s, x > y ? x - y : y - x) \
__NNLIB_LANES(__vabsdiffu, bits, u, x > y ? x - y : y - x) \
__NNLIB_LANES(__vavgs, bits, s, (x + y + (x + y >= 0)) >> 1) \
__NNLIB_LANES(__vavgu, bits, u, (x + y + 1) >> 1) \
__NNLIB_LANES(__vhaddu, bits, u, (x + y) >> 1) \
__NNLIB_LANES(__vmaxs, bits, s, x > y ? x : y) \
__NNLIB_LANES(__vmaxu, bits, u, x > y ? x : y) \
__NNLIB_LANES(__vmins, bits, s, x < y ? x : y) \
__NNLIB_LANES(__vminu, bits, u, x < y ? x : y) \
__NNLIB_LANE(__vabs, bits, s, x < 0 ? -x : x) \
__NNLIB_LANE(__vabsss, bits, s, __NNLIB_SIGNED((x < 0 ? -x : x))) \
__NNLIB_LANE(__vneg, bits, s, -x) \
__NNLIB_LANE(__vnegss, bits, s, __NNLIB_SIGNED(-x)) \
__NNLIB_SUM(__vsads, bits, s) \
__NNLIB_SUM(__vsadu, bits, u) \
__NNLIB_COMPARE(eq, bits, u, (x == y)) \
__NNLIB_COMPARE(ne, bits, u, (x != y)) \
__NNLIB_COMPARE(ges, bits, s, (x >= y)) \
__NNLIB_COMPARE(geu, bits, u, (x >= y)) \
__NNLIB_COMPARE(gts, bits, s, (x > y)) \
__NNLIB_COMPARE(gtu, bits, u, (x > y)) \
__NNLIB_COMPARE(les, bits, s, (x <= y)) \
__NNLIB_COMPARE(leu, bits, u, (x <= y)) \
__NNLIB_COMPARE(lts, bits, s, (x < y)) \
__NNLIB_COMPARE(ltu, bits, u, (x < y))
__NNLIB_SIMD(2, short, unsigned short)
__NNLIB_SIMD(4, signed char, unsigned char)

// Of whole words: the largest or smallest of three, of a sum and another, or not below 0.
#define __NNLIB_WORDS(kind, end) \
__device__ inline kind __vimax3_##end(kind a, kind b, kind c) { return max(max(a, b), c); } \
__device__ inline kind __vimin3_##end(kind a, kind b, kind c) { return min(min(a, b), c); } \
__device__ inline kind __viaddmax_##end(kind a, kind b, kind c) { return max(a + b, c); } \
__device__ inline kind __viaddmin_##end(kind a, kind b, kind c) { return min(a + b, c); }
__NNLIB_WORDS(int, s32)
__NNLIB_WORDS(unsigned int, u32)
__device__ inline int __vimax3_s32_relu(int a, int b, int c) { return max(max(max(a, b), c), 0); }
__device__ inline int __vimin3_s32_relu(int a, int b, int c) { return max(min(min(a, b), c), 0); }
__device__ inline int __viaddmax_s32_relu(int a, int b, int c) { return max(max(a + b, c), 0); }
__device__ inline int __viaddmin_s32_relu(int a, int b, int c) { return max(min(a + b, c), 0); }
__device__ inline int __vimax_s32_relu(int a, int b) { return max(max(a, b), 0); }
__device__ inline int __vimin_s32_relu(int a, int b) { return max(min(a, b), 0); }
