// rule: A function for two numbers in a word computes what the CUDA Math API says of each
// launch: 1, 200, [x, y, zeros((27, 200), uint32)]
// memory: x, y = random.default_rng(1).integers(0, 2**32, (2, 200), uint32)
// memory: x[:6] = y[3:9] = array([0, 2**32 - 1, 0x80008000, 0x7FFF7F80, 0x80808080, 0x17F00], uint32)
// memory: y[3:9] = x[3:9]
// memory: m = 2 ** (16 - 1) - 1
// memory: words = lambda values: values.astype(int64).astype("u2").view(uint32)
// memory: u = [v.view("u2").astype(int64) for v in (x, y)]
// memory: i = [v.view("i2").astype(int64) for v in (x, y)]
// expect: z[0] == words((lambda a, b: a + b)(*u))
// expect: z[1] == words((lambda a, b: a - b)(*u))
// expect: z[2] == words((lambda a, b: clip(a + b, -m - 1, m))(*i))
// expect: z[3] == words((lambda a, b: clip(a - b, -m - 1, m))(*i))
// expect: z[4] == words((lambda a, b: clip(a + b, 0, 2 * m + 1))(*u))
// expect: z[5] == words((lambda a, b: clip(a - b, 0, 2 * m + 1))(*u))
// expect: z[6] == words((lambda a, b: abs(a - b))(*i))
// expect: z[7] == words((lambda a, b: abs(a - b))(*u))
// expect: z[8] == words((lambda a, b: trunc((a + b) / 2 + copysign(0.5, a + b)))(*i))
// expect: z[9] == words((lambda a, b: (a + b + 1) // 2)(*u))
// expect: z[10] == words((lambda a, b: (a + b) // 2)(*u))
// expect: z[11] == words((lambda a, b: maximum(a, b))(*i))
// expect: z[12] == words((lambda a, b: maximum(a, b))(*u))
// expect: z[13] == words((lambda a, b: minimum(a, b))(*i))
// expect: z[14] == words((lambda a, b: minimum(a, b))(*u))
// expect: z[15] == words((lambda a, b: abs(a))(*i))
// expect: z[16] == words((lambda a, b: minimum(abs(a), m))(*i))
// expect: z[17] == words((lambda a, b: -a)(*i))
// expect: z[18] == words((lambda a, b: minimum(-a, m))(*i))
// expect: z[19] == words((lambda a, b: -1 * (a == b))(*u))
// expect: z[20] == words((lambda a, b: -1 * (a != b))(*u))
// expect: z[21] == words((lambda a, b: -1 * (a > b))(*i))
// expect: z[22] == words((lambda a, b: -1 * (a < b))(*u))
// expect: z[23] == words((lambda a, b: 1 * (a >= b))(*i))
// expect: z[24] == words((lambda a, b: 1 * (a <= b))(*u))
// expect: z[25] == abs(i[0] - i[1]).reshape(200, 2).sum(1)
// expect: z[26] == abs(u[0] - u[1]).reshape(200, 2).sum(1)
extern "C" __global__ void k(const unsigned* X, const unsigned* Y, unsigned (*z)[200])
{
    int t = threadIdx.x;
    unsigned x = X[t], y = Y[t];
    z[0][t] = __vadd2(x, y);
    z[1][t] = __vsub2(x, y);
    z[2][t] = __vaddss2(x, y);
    z[3][t] = __vsubss2(x, y);
    z[4][t] = __vaddus2(x, y);
    z[5][t] = __vsubus2(x, y);
    z[6][t] = __vabsdiffs2(x, y);
    z[7][t] = __vabsdiffu2(x, y);
    z[8][t] = __vavgs2(x, y);
    z[9][t] = __vavgu2(x, y);
    z[10][t] = __vhaddu2(x, y);
    z[11][t] = __vmaxs2(x, y);
    z[12][t] = __vmaxu2(x, y);
    z[13][t] = __vmins2(x, y);
    z[14][t] = __vminu2(x, y);
    z[15][t] = __vabs2(x);
    z[16][t] = __vabsss2(x);
    z[17][t] = __vneg2(x);
    z[18][t] = __vnegss2(x);
    z[19][t] = __vcmpeq2(x, y);
    z[20][t] = __vcmpne2(x, y);
    z[21][t] = __vcmpgts2(x, y);
    z[22][t] = __vcmpltu2(x, y);
    z[23][t] = __vsetges2(x, y);
    z[24][t] = __vsetleu2(x, y);
    z[25][t] = __vsads2(x, y);
    z[26][t] = __vsadu2(x, y);
}

// rule: A function for four numbers in a word computes what the CUDA Math API says of each
// launch: 1, 200, [x, y, zeros((27, 200), uint32)]
// memory: x, y = random.default_rng(1).integers(0, 2**32, (2, 200), uint32)
// memory: x[:6] = y[3:9] = array([0, 2**32 - 1, 0x80008000, 0x7FFF7F80, 0x80808080, 0x17F00], uint32)
// memory: y[3:9] = x[3:9]
// memory: m = 2 ** (8 - 1) - 1
// memory: words = lambda values: values.astype(int64).astype("u1").view(uint32)
// memory: u = [v.view("u1").astype(int64) for v in (x, y)]
// memory: i = [v.view("i1").astype(int64) for v in (x, y)]
// expect: z[0] == words((lambda a, b: a + b)(*u))
// expect: z[1] == words((lambda a, b: a - b)(*u))
// expect: z[2] == words((lambda a, b: clip(a + b, -m - 1, m))(*i))
// expect: z[3] == words((lambda a, b: clip(a - b, -m - 1, m))(*i))
// expect: z[4] == words((lambda a, b: clip(a + b, 0, 2 * m + 1))(*u))
// expect: z[5] == words((lambda a, b: clip(a - b, 0, 2 * m + 1))(*u))
// expect: z[6] == words((lambda a, b: abs(a - b))(*i))
// expect: z[7] == words((lambda a, b: abs(a - b))(*u))
// expect: z[8] == words((lambda a, b: trunc((a + b) / 2 + copysign(0.5, a + b)))(*i))
// expect: z[9] == words((lambda a, b: (a + b + 1) // 2)(*u))
// expect: z[10] == words((lambda a, b: (a + b) // 2)(*u))
// expect: z[11] == words((lambda a, b: maximum(a, b))(*i))
// expect: z[12] == words((lambda a, b: maximum(a, b))(*u))
// expect: z[13] == words((lambda a, b: minimum(a, b))(*i))
// expect: z[14] == words((lambda a, b: minimum(a, b))(*u))
// expect: z[15] == words((lambda a, b: abs(a))(*i))
// expect: z[16] == words((lambda a, b: minimum(abs(a), m))(*i))
// expect: z[17] == words((lambda a, b: -a)(*i))
// expect: z[18] == words((lambda a, b: minimum(-a, m))(*i))
// expect: z[19] == words((lambda a, b: -1 * (a == b))(*u))
// expect: z[20] == words((lambda a, b: -1 * (a != b))(*u))
// expect: z[21] == words((lambda a, b: -1 * (a > b))(*i))
// expect: z[22] == words((lambda a, b: -1 * (a < b))(*u))
// expect: z[23] == words((lambda a, b: 1 * (a >= b))(*i))
// expect: z[24] == words((lambda a, b: 1 * (a <= b))(*u))
// expect: z[25] == abs(i[0] - i[1]).reshape(200, 4).sum(1)
// expect: z[26] == abs(u[0] - u[1]).reshape(200, 4).sum(1)
extern "C" __global__ void k(const unsigned* X, const unsigned* Y, unsigned (*z)[200])
{
    int t = threadIdx.x;
    unsigned x = X[t], y = Y[t];
    z[0][t] = __vadd4(x, y);
    z[1][t] = __vsub4(x, y);
    z[2][t] = __vaddss4(x, y);
    z[3][t] = __vsubss4(x, y);
    z[4][t] = __vaddus4(x, y);
    z[5][t] = __vsubus4(x, y);
    z[6][t] = __vabsdiffs4(x, y);
    z[7][t] = __vabsdiffu4(x, y);
    z[8][t] = __vavgs4(x, y);
    z[9][t] = __vavgu4(x, y);
    z[10][t] = __vhaddu4(x, y);
    z[11][t] = __vmaxs4(x, y);
    z[12][t] = __vmaxu4(x, y);
    z[13][t] = __vmins4(x, y);
    z[14][t] = __vminu4(x, y);
    z[15][t] = __vabs4(x);
    z[16][t] = __vabsss4(x);
    z[17][t] = __vneg4(x);
    z[18][t] = __vnegss4(x);
    z[19][t] = __vcmpeq4(x, y);
    z[20][t] = __vcmpne4(x, y);
    z[21][t] = __vcmpgts4(x, y);
    z[22][t] = __vcmpltu4(x, y);
    z[23][t] = __vsetges4(x, y);
    z[24][t] = __vsetleu4(x, y);
    z[25][t] = __vsads4(x, y);
    z[26][t] = __vsadu4(x, y);
}

// rule: The largest and smallest of several words
// launch: 1, 200, [x, y, zeros((3, 200), int32)]
// memory: x, y = random.default_rng(1).integers(-(2**31), 2**31, (2, 200), int32)
// expect: z[0] == maximum(maximum(X, Y), 5)
// expect: z[1] == minimum((X + int32(7)), Y)
// expect: z[2] == maximum(minimum(X, Y), 0)
extern "C" __global__ void k(const int* X, const int* Y, int (*z)[200])
{
    int t = threadIdx.x, x = X[t], y = Y[t];
    z[0][t] = __vimax3_s32(x, y, 5);
    z[1][t] = __viaddmin_s32(x, 7, y);
    z[2][t] = __vimin_s32_relu(x, y);
}
