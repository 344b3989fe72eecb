// CUDA's __dp4a and __dp2a, which multiply and add four or two small numbers: those forms that are no intrinsic here.
__device__ inline int __dp4a(char4 a, char4 b, int c) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c; }
__device__ inline unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w + c;
}
__device__ inline int __dp2a_lo(short2 a, char4 b, int c) { return a.x * b.x + a.y * b.y + c; }
__device__ inline int __dp2a_hi(short2 a, char4 b, int c) { return a.x * b.z + a.y * b.w + c; }
__device__ inline unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) { return a.x * b.x + a.y * b.y + c; }
__device__ inline unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) { return a.x * b.z + a.y * b.w + c; }
__device__ inline int __dp2a_lo(int a, int b, int c) { return (short)a * (signed char)b + (a >> 16) * (signed char)(b >> 8) + c; }
__device__ inline int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
__device__ inline unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c)
{
    return (a & 0xffff) * (b & 0xff) + (a >> 16) * (b >> 8 & 0xff) + c;
}
__device__ inline unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) { return __dp2a_lo(a, b >> 16, c); }
