// What cuda-samples' header of this name gives their programs, for both sides: vectors of float, int and unsigned.
#define __both inline __host__ __device__
#define __operator2(V, T, op)                                                                                          \
    __both V##2 operator op(V##2 a, V##2 b) { return make_##V##2(a.x op b.x, a.y op b.y); }                            \
    __both V##2 operator op(V##2 a, T b) { return make_##V##2(a.x op b, a.y op b); }                                   \
    __both V##2 operator op(T b, V##2 a) { return make_##V##2(b op a.x, b op a.y); }
#define __operator3(V, T, op)                                                                                          \
    __both V##3 operator op(V##3 a, V##3 b) { return make_##V##3(a.x op b.x, a.y op b.y, a.z op b.z); }                \
    __both V##3 operator op(V##3 a, T b) { return make_##V##3(a.x op b, a.y op b, a.z op b); }                         \
    __both V##3 operator op(T b, V##3 a) { return make_##V##3(b op a.x, b op a.y, b op a.z); }
#define __operator4(V, T, op)                                                                                          \
    __both V##4 operator op(V##4 a, V##4 b) { return make_##V##4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w); }    \
    __both V##4 operator op(V##4 a, T b) { return make_##V##4(a.x op b, a.y op b, a.z op b, a.w op b); }               \
    __both V##4 operator op(T b, V##4 a) { return make_##V##4(b op a.x, b op a.y, b op a.z, b op a.w); }
#define __assigned(V, T, op)                                                                                           \
    __both void operator op##=(V& a, V b) { a = a op b; }                                                              \
    __both void operator op##=(V& a, T b) { a = a op b; }
#define __operators(V, T, op)                                                                                          \
    __operator2(V, T, op) __operator3(V, T, op) __operator4(V, T, op)                                                  \
    __assigned(V##2, T, op) __assigned(V##3, T, op) __assigned(V##4, T, op)
#define __minus(V)                                                                                                     \
    __both V##2 operator-(V##2& a) { return make_##V##2(-a.x, -a.y); }                                                 \
    __both V##3 operator-(V##3& a) { return make_##V##3(-a.x, -a.y, -a.z); }                                           \
    __both V##4 operator-(V##4& a) { return make_##V##4(-a.x, -a.y, -a.z, -a.w); }
#define __from(V, T, W)                                                                                                \
    __both V##2 make_##V##2(W##2 a) { return make_##V##2(T(a.x), T(a.y)); }                                            \
    __both V##3 make_##V##3(W##3 a) { return make_##V##3(T(a.x), T(a.y), T(a.z)); }                                    \
    __both V##4 make_##V##4(W##4 a) { return make_##V##4(T(a.x), T(a.y), T(a.z), T(a.w)); }
#define __made(V, T)                                                                                                   \
    __both V##2 make_##V##2(T s) { return make_##V##2(s, s); }                                                         \
    __both V##2 make_##V##2(V##3 a) { return make_##V##2(a.x, a.y); }                                                  \
    __both V##2 make_##V##2(V##4 a) { return make_##V##2(a.x, a.y); }                                                  \
    __both V##3 make_##V##3(T s) { return make_##V##3(s, s, s); }                                                      \
    __both V##3 make_##V##3(V##2 a) { return make_##V##3(a.x, a.y, 0); }                                               \
    __both V##3 make_##V##3(V##2 a, T s) { return make_##V##3(a.x, a.y, s); }                                          \
    __both V##3 make_##V##3(V##4 a) { return make_##V##3(a.x, a.y, a.z); }                                             \
    __both V##4 make_##V##4(T s) { return make_##V##4(s, s, s, s); }                                                   \
    __both V##4 make_##V##4(V##3 a) { return make_##V##4(a.x, a.y, a.z, 0); }                                          \
    __both V##4 make_##V##4(V##3 a, T w) { return make_##V##4(a.x, a.y, a.z, w); }
#define __each(name, V, T, f)                                                                                          \
    __both V##2 name(V##2 a, V##2 b) { return make_##V##2(f(a.x, b.x), f(a.y, b.y)); }                                 \
    __both V##3 name(V##3 a, V##3 b) { return make_##V##3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }                    \
    __both V##4 name(V##4 a, V##4 b) { return make_##V##4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w)); }
#define __every(name, V, f)                                                                                            \
    __both V##2 name(V##2 a) { return make_##V##2(f(a.x), f(a.y)); }                                                   \
    __both V##3 name(V##3 a) { return make_##V##3(f(a.x), f(a.y), f(a.z)); }                                           \
    __both V##4 name(V##4 a) { return make_##V##4(f(a.x), f(a.y), f(a.z), f(a.w)); }
#define __products(V, T)                                                                                               \
    __both T dot(V##2 a, V##2 b) { return a.x * b.x + a.y * b.y; }                                                     \
    __both T dot(V##3 a, V##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                                         \
    __both T dot(V##4 a, V##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
#define __clamped(V, T)                                                                                                \
    __both V clamp(V v, V a, V b) { return max(a, min(v, b)); }                                                        \
    __both V clamp(V v, T a, T b) { return max(make_##V(a), min(v, make_##V(b))); }
#define __measured(V)                                                                                                  \
    __both float length(V v) { return sqrtf(dot(v, v)); }                                                              \
    __both V normalize(V v) { return v * rsqrtf(dot(v, v)); }                                                          \
    __both V lerp(V a, V b, float t) { return a + t * (b - a); }                                                       \
    __both V fracf(V v) { return v - floorf(v); }
#define __type(V, T)                                                                                                   \
    __made(V, T) __operators(V, T, +) __operators(V, T, -) __operators(V, T, *)                                        \
    __each(min, V, T, min) __each(max, V, T, max) __products(V, T)                                                     \
    __clamped(V##2, T) __clamped(V##3, T) __clamped(V##4, T)
__type(float, float)
__type(int, int)
__type(uint, unsigned)
__minus(float)
__minus(int)
__from(float, float, int)
__from(float, float, uint)
__from(int, int, float)
__from(int, int, uint)
__from(uint, unsigned, int)
__operators(float, float, /)
__each(fminf, float, float, fminf)
__each(fmaxf, float, float, fmaxf)
__each(fmodf, float, float, fmodf)
__every(floorf, float, floorf)
__every(fabs, float, fabsf)
__every(abs, int, abs)
__measured(float2)
__measured(float3)
__measured(float4)
__both float lerp(float a, float b, float t) { return a + t * (b - a); }
__both float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
__both int clamp(int f, int a, int b) { return max(a, min(f, b)); }
__both float fracf(float v) { return v - floorf(v); }
__both float3 reflect(float3 i, float3 n) { return i - 2.0f * n * dot(n, i); }
__both float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__both float smoothstep(float a, float b, float x) {
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
