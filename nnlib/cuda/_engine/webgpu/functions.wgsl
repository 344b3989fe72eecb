// What CUDA has and WGSL has not, or computes differently. A name is that of CUDA without "__" in front, and ends with "_".
// `bad` and the other private variables are declared by printer.py.

fn is_nan_(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
fn floorf_(x: f32) -> f32 { return floor(x); }
fn ceilf_(x: f32) -> f32 { return ceil(x); }
fn truncf_(x: f32) -> f32 { return trunc(x); }
fn expf_(x: f32) -> f32 { return exp(x); }
fn exp2f_(x: f32) -> f32 { return exp2(x); }
fn logf_(x: f32) -> f32 { return log(x); }
fn log2f_(x: f32) -> f32 { return log2(x); }
fn asinf_(x: f32) -> f32 { return asin(x); }
fn acosf_(x: f32) -> f32 { return acos(x); }
fn atanf_(x: f32) -> f32 { return atan(x); }
fn sinhf_(x: f32) -> f32 { return sinh(x); }
fn coshf_(x: f32) -> f32 { return cosh(x); }
fn asinhf_(x: f32) -> f32 { return asinh(x); }
fn acoshf_(x: f32) -> f32 { return acosh(x); }
fn atanhf_(x: f32) -> f32 { return atanh(x); }
fn sqrtf_(x: f32) -> f32 { return sqrt(x); }
fn rintf_(x: f32) -> f32 { return round(x); }
fn nearbyintf_(x: f32) -> f32 { return round(x); }
fn fabsf_(x: f32) -> f32 { return abs(x); }
fn rsqrtf_(x: f32) -> f32 { return inverseSqrt(x); }
fn frsqrt_rn_(x: f32) -> f32 { return inverseSqrt(x); }
fn saturatef_(x: f32) -> f32 { return select(saturate(x), 0.0f, is_nan_(x)); }
fn atan2f_(y: f32, x: f32) -> f32 { return atan2(y, x); }
fn fmaf_(a: f32, b: f32, c: f32) -> f32 { return fma(a, b, c); }
fn fmaf_rn_(a: f32, b: f32, c: f32) -> f32 { return fma(a, b, c); }
fn fdividef_(a: f32, b: f32) -> f32 { return a / b; }
fn brev_(x: u32) -> u32 { return reverseBits(x); }
fn sqrt_(x: f64) -> f64 { return sqrt(x); }
fn floor_(x: f64) -> f64 { return floor(x); }
fn ceil_(x: f64) -> f64 { return ceil(x); }
fn trunc_(x: f64) -> f64 { return trunc(x); }
fn fabs_(x: f64) -> f64 { return abs(x); }
fn rint_(x: f64) -> f64 { return round(x); }
fn nearbyint_(x: f64) -> f64 { return round(x); }
fn fma_(a: f64, b: f64, c: f64) -> f64 { return fma(a, b, c); }
fn fadd_rn_(a: f32, b: f32) -> f32 { return alone_f32_(a) + alone_f32_(b); }
fn fsub_rn_(a: f32, b: f32) -> f32 { return alone_f32_(a) - alone_f32_(b); }
fn fmul_rn_(a: f32, b: f32) -> f32 { return alone_f32_(a * b); }
fn fdiv_rn_(a: f32, b: f32) -> f32 { return div_f32_(a, b); }
fn frcp_rn_(x: f32) -> f32 { return div_f32_(1.0f, x); }
fn fsqrt_rn_(x: f32) -> f32 { return sqrt_f32_(x); }
fn dadd_rn_(a: f64, b: f64) -> f64 { return alone_f64_(a) + alone_f64_(b); }
fn dsub_rn_(a: f64, b: f64) -> f64 { return alone_f64_(a) - alone_f64_(b); }
fn dmul_rn_(a: f64, b: f64) -> f64 { return alone_f64_(a * b); }
fn ddiv_rn_(a: f64, b: f64) -> f64 { return div_f64_(a, b); }
fn drcp_rn_(x: f64) -> f64 { return div_f64_(1.0lf, x); }
fn dsqrt_rn_(x: f64) -> f64 { return sqrt_f64_(x); }
fn float_as_int_(x: f32) -> i32 { return bitcast<i32>(x); }
fn float_as_uint_(x: f32) -> u32 { return bitcast<u32>(x); }
fn int_as_float_(x: i32) -> f32 { return bitcast<f32>(x); }
fn uint_as_float_(x: u32) -> f32 { return bitcast<f32>(x); }
fn double_as_longlong_(x: f64) -> i64 { return bitcast<i64>(x); }
fn longlong_as_double_(x: i64) -> f64 { return bitcast<f64>(x); }
fn float2int_rn_(x: f32) -> i32 { return f32_to_i32_(round(x)); }
fn float2uint_rn_(x: f32) -> u32 { return f32_to_u32_(round(x)); }
fn float2ll_rn_(x: f32) -> i64 { return i64(round(x)); }
fn float2ull_rn_(x: f32) -> u64 { return u64(round(x)); }
fn float2int_rz_(x: f32) -> i32 { return f32_to_i32_(trunc(x)); }
fn float2uint_rz_(x: f32) -> u32 { return f32_to_u32_(trunc(x)); }
fn float2ll_rz_(x: f32) -> i64 { return i64(trunc(x)); }
fn float2ull_rz_(x: f32) -> u64 { return u64(trunc(x)); }
fn float2int_ru_(x: f32) -> i32 { return f32_to_i32_(ceil(x)); }
fn float2uint_ru_(x: f32) -> u32 { return f32_to_u32_(ceil(x)); }
fn float2ll_ru_(x: f32) -> i64 { return i64(ceil(x)); }
fn float2ull_ru_(x: f32) -> u64 { return u64(ceil(x)); }
fn float2int_rd_(x: f32) -> i32 { return f32_to_i32_(floor(x)); }
fn float2uint_rd_(x: f32) -> u32 { return f32_to_u32_(floor(x)); }
fn float2ll_rd_(x: f32) -> i64 { return i64(floor(x)); }
fn float2ull_rd_(x: f32) -> u64 { return u64(floor(x)); }
fn int2float_rn_(x: i32) -> f32 { return f32(x); }
fn uint2float_rn_(x: u32) -> f32 { return f32(x); }
fn isnan_(x: f32) -> i32 { return select(0, 1, is_nan_(x)); }
fn isinf_(x: f32) -> i32 { return select(0, 1, (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u); }
fn isfinite_(x: f32) -> i32 { return select(0, 1, (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u); }
fn signbit_(x: f32) -> i32 { return i32(bitcast<u32>(x) >> 31u); }
// Conversions that naga or Mesa get wrong for constants, or everywhere. naga 29 extends a number of the other sign wrongly;
// Mesa 22 compares i64(x) with constants wrongly.
fn i64_to_i32_(x: i64) -> i32 { return i32(x); }
fn i64_to_u32_(x: i64) -> u32 { return u32(x); }
fn i64_to_f32_(x: i64) -> f32 { return f32(x); }
fn i64_to_f64_(x: i64) -> f64 { return f64(x); }
fn u64_to_i32_(x: u64) -> i32 { return i32(x); }
fn u64_to_u32_(x: u64) -> u32 { return u32(x); }
fn u64_to_f32_(x: u64) -> f32 { return f32(x); }
fn u64_to_f64_(x: u64) -> f64 { return f64(x); }
fn f64_to_i32_(x: f64) -> i32 { return i32(x); }
fn f64_to_u32_(x: f64) -> u32 { return u32(x); }
fn f64_to_i64_(x: f64) -> i64 { return i64(x); }
fn f64_to_u64_(x: f64) -> u64 { return u64(x); }
fn f64_to_f32_(x: f64) -> f32 { return f32(x); }
fn i64_to_u64_(x: i64) -> u64 { return u64(x); }
fn u64_to_i64_(x: u64) -> i64 { return i64(x); }
fn u32_to_i64_(x: u32) -> i64 { return bitcast<i64>(u64(x)); }
fn i32_to_u64_(x: i32) -> u64 { return bitcast<u64>(i64(x)); }
fn i32_to_i64_(x: i32) -> i64 { return bitcast<i64>(u64(bitcast<u32>(x) ^ 2147483648u)) - 2147483648li; }
fn whole_u64_(low: u32, high: u32) -> u64 { return u64(low) | (u64(high) << 32u); }
fn whole_i64_(low: u32, high: u32) -> i64 { return bitcast<i64>(whole_u64_(low, high)); }
fn whole_f64_(low: u32, high: u32) -> f64 { return bitcast<f64>(whole_u64_(low, high)); }
// Shifts by the width or more give 0, or the sign. WGSL rejects constant shifts that lose bits.
fn shl_i32_(x: i32, by: u32) -> i32 { return select(i32(0), x << (by & 31u), by < 32u); }
fn shl_u32_(x: u32, by: u32) -> u32 { return select(u32(0), x << (by & 31u), by < 32u); }
fn shl_i64_(x: i64, by: u32) -> i64 { return select(i64(0), x << (by & 63u), by < 64u); }
fn shl_u64_(x: u64, by: u32) -> u64 { return select(u64(0), x << (by & 63u), by < 64u); }
fn shr_u32_(x: u32, by: u32) -> u32 { return select(u32(0), x >> (by & 31u), by < 32u); }
fn shr_u64_(x: u64, by: u32) -> u64 { return select(u64(0), x >> (by & 63u), by < 64u); }
fn shr_i32_(x: i32, by: u32) -> i32 { return x >> min(by, 31u); }
fn shr_i64_(x: i64, by: u32) -> i64 { return x >> min(by, 63u); }
fn f32_to_i32_(x: f32) -> i32 { return select(select(i32(x), 2147483647, x >= 2147483648.0f), 0, is_nan_(x)); }
fn f32_to_u32_(x: f32) -> u32 { return select(select(u32(x), 4294967295u, x >= 4294967296.0f), 0u, is_nan_(x)); }
// What is no part of a fused multiplication and addition: no compiler knows that this word is 0.
fn alone_f32_(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ u.zero_0_0); }
fn alone_f64_(x: f64) -> f64 { return bitcast<f64>(bitcast<u64>(x) ^ u64(u.zero_0_0)); }
fn div_f32_(a: f32, b: f32) -> f32 {
  let q = a / b;
  let y = 1.0f / b;
  let z = fma(fma(-b, y, 1.0f), y, y);
  let once = fma(fma(-q, b, a), z, q);
  let twice = fma(fma(-once, b, a), z, once);
  return select(q, twice, abs(q) > 1e-30f && abs(q) < 1e30f && abs(a) > 1e-20f && abs(b) < 1e30f);
}
fn div_f64_(a: f64, b: f64) -> f64 {
  let q = a / b;
  let y = 1.0lf / b;
  let z = fma(fma(-b, y, 1.0lf), y, y);
  let once = fma(fma(-q, b, a), z, q);
  let twice = fma(fma(-once, b, a), z, once);
  return select(q, twice, abs(q) > 1e-30lf && abs(q) < 1e30lf && abs(a) > 1e-20lf && abs(b) < 1e30lf);
}
fn sqrt_f32_(x: f32) -> f32 {
  let s = sqrt(x);
  let h = 0.5f / s;
  let once = fma(fma(-s, s, x), h, s);
  return select(s, fma(fma(-once, once, x), h, once), x > 1e-20f && x < 1e30f);
}
fn sqrt_f64_(x: f64) -> f64 {
  let s = sqrt(x);
  let h = 0.5lf / s;
  let once = fma(fma(-s, s, x), h, s);
  return select(s, fma(fma(-once, once, x), h, once), x > 1e-20lf && x < 1e30lf);
}
fn copysignf_(x: f32, y: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(y) & 0x80000000u));
}
fn fmaxf_(x: f32, y: f32) -> f32 { return select(x, y, is_nan_(x) || x < y); }
fn fminf_(x: f32, y: f32) -> f32 { return select(x, y, is_nan_(x) || y < x); }
fn roundf_(x: f32) -> f32 { let t = trunc(x); return select(t, t + sign(x), abs(x - t) >= 0.5f); }
fn fmodf_(x: f32, y: f32) -> f32 {
  let b = abs(y);
  var a = abs(x);
  if (b < 1.1754944e-38f || isfinite_(x) == 0 || is_nan_(y)) { return bitcast<f32>(nan); }
  while (a >= b) {  // takes away the largest b * 2^k, which is exact
    let most = bitcast<f32>(bitcast<u32>(b) + (((bitcast<u32>(a) >> 23u) - (bitcast<u32>(b) >> 23u)) << 23u));
    a = a - select(most, most * 0.5f, most > a);
  }
  return copysignf_(a, x);
}
fn quarters_(x: f32) -> f32 {
  if (abs(x) > 12000.0f) { fail_(); return 0.0f; }  // the simulator knows more digits of pi
  return round(x * 0.63661977f);
}
fn sinf_(x: f32) -> f32 { let k = quarters_(x); return quarter_(x, k, i32(k)); }
fn cosf_(x: f32) -> f32 { let k = quarters_(x); return quarter_(x, k, i32(k) + 1); }
fn tanf_(x: f32) -> f32 { return sinf_(x) / cosf_(x); }
fn quarter_(x: f32, k: f32, turned: i32) -> f32 {
  let r = ((x - k * 1.5703125f) - k * 4.8375129699707031e-4f) - k * 7.5497899487686483e-8f;
  let s = r * r;
  let sine = r + r * s * (-1.6666654611e-1f + s * (8.3321608736e-3f - s * 1.9515295891e-4f));
  let cosine = 1.0f - 0.5f * s + s * s * (4.1666645683e-2f + s * (-1.3887316255e-3f + s * 2.4433157118e-5f));
  let value = select(sine, cosine, (turned & 1) == 1);
  return select(value, -value, (turned & 2) == 2);
}
fn tanhf_(x: f32) -> f32 {
  let s = x * x;
  let near = x * (1.0f + s * (-0.33333333f + s * (0.13333333f - s * 0.053968254f)));
  return select(tanh(clamp(x, -20.0f, 20.0f)), select(near, x, is_nan_(x)), abs(x) < 0.2f || is_nan_(x));
}
fn expm1f_(x: f32) -> f32 {
  let near = x * (1.0f + x * (0.5f + x * (0.16666667f + x * (0.041666667f + x * (8.3333333e-3f
    + x * (1.3888889e-3f + x * 1.9841270e-4f))))));
  return select(exp(x) - 1.0f, near, abs(x) < 0.3f);
}
fn log1pf_(x: f32) -> f32 { let u = 1.0f + x; return select(log(u) * (x / (u - 1.0f)), x, u == 1.0f); }
fn exp10f_(x: f32) -> f32 { return exp2(x * 3.3219281f); }
fn log10f_(x: f32) -> f32 { return log2(x) * 0.30103f; }
fn cbrtf_(x: f32) -> f32 { return sign(x) * pow(abs(x), 0.33333333f); }
fn hypotf_(x: f32, y: f32) -> f32 { return length(vec2<f32>(x, y)); }
fn powf_(x: f32, y: f32) -> f32 {
  if (y == 0.0f || x == 1.0f) { return 1.0f; }
  let a = pow(abs(x), y);
  if (x >= 0.0f) { return a; }
  let whole = trunc(y) == y;
  return select(select(bitcast<f32>(nan), a, whole), -a, whole && fract(y * 0.5f) != 0.0f);
}
fn erff_(x: f32) -> f32 {
  let a = abs(x);
  let s = x * x;
  let near = x * (1.1283791671f + s * (-0.3761263890f + s * (0.1128379167f + s * (-0.0268661706f + s * 0.0052239776f))));
  return select(sign(x) * (1.0f - tail_(a)), near, a < 0.5f);
}
fn erfcf_(x: f32) -> f32 {
  return select(select(2.0f - tail_(-x), tail_(x), x >= 0.0f), 1.0f - erff_(x), abs(x) < 0.5f);
}
fn tail_(a: f32) -> f32 {
  let t = 1.0f / (1.0f + 0.5f * a);
  return t * exp(-a * a - 1.26551223f + t * (1.00002368f + t * (0.37409196f + t * (0.09678418f
    + t * (-0.18628806f + t * (0.27886807f + t * (-1.13520398f + t * (1.48851587f
    + t * (-0.82215223f + t * 0.17087277f)))))))));
}
fn umulhi_(a: u32, b: u32) -> u32 {
  let al = a & 0xffffu; let ah = a >> 16u; let bl = b & 0xffffu; let bh = b >> 16u;
  let m = ah * bl + ((al * bl) >> 16u);
  let n = al * bh + (m & 0xffffu);
  return ah * bh + (m >> 16u) + (n >> 16u);
}
fn mulhi_(a: i32, b: i32) -> i32 {
  let high = umulhi_(bitcast<u32>(a), bitcast<u32>(b));
  return bitcast<i32>(high - select(0u, bitcast<u32>(b), a < 0) - select(0u, bitcast<u32>(a), b < 0));
}
fn clz_(x: i32) -> i32 { return i32(countLeadingZeros(bitcast<u32>(x))); }
fn ffs_(x: i32) -> i32 { return i32(firstTrailingBit(bitcast<u32>(x))) + 1; }
fn popc_(x: u32) -> i32 { return i32(countOneBits(x)); }
fn div_i32_(a: i32, b: i32) -> i32 {
  if (b == 0) { fail_(); return 0; }
  return select(a / select(b, 1, b == -1), 0 - a, b == -1);
}
fn rem_i32_(a: i32, b: i32) -> i32 {
  if (b == 0) { fail_(); return 0; }
  let divisor = select(b, 1, b == -1);
  return a - (a / divisor) * divisor;
}
fn div_u32_(a: u32, b: u32) -> u32 {
  if (b == 0u) { fail_(); return 0u; }
  return a / b;
}
fn rem_u32_(a: u32, b: u32) -> u32 {
  if (b == 0u) { fail_(); return 0u; }
  return a % b;
}
fn div_i64_(a: i64, b: i64) -> i64 {
  if (b == 0li) { fail_(); return 0li; }
  return select(a / select(b, 1li, b == -1li), 0li - a, b == -1li);
}
fn rem_i64_(a: i64, b: i64) -> i64 {
  if (b == 0li) { fail_(); return 0li; }
  let divisor = select(b, 1li, b == -1li);
  return a - (a / divisor) * divisor;
}
fn div_u64_(a: u64, b: u64) -> u64 {
  if (b == 0lu) { fail_(); return 0lu; }
  return a / b;
}
fn rem_u64_(a: u64, b: u64) -> u64 {
  if (b == 0lu) { fail_(); return 0lu; }
  return a % b;
}
fn over_(wrong: bool) { bad = bad | wrong; }
fn add_wide_i32_(a: i32, b: i32) -> i32 { let c = a + b; over_(((a ^ c) & (b ^ c)) < 0); return c; }
fn add_wide_u32_(a: u32, b: u32) -> u32 { let c = a + b; over_(c < a); return c; }
fn sub_wide_i32_(a: i32, b: i32) -> i32 { let c = a - b; over_(((a ^ b) & (a ^ c)) < 0); return c; }
fn sub_wide_u32_(a: u32, b: u32) -> u32 { over_(a < b); return a - b; }
fn mul_wide_i32_(a: i32, b: i32) -> i32 {
  let c = a * b;
  over_(mulhi_(a, b) != (c >> 31u));
  return c;
}
fn mul_wide_u32_(a: u32, b: u32) -> u32 { over_(umulhi_(a, b) != 0u); return a * b; }
fn same_wide_i32_(a: i32) -> i32 { over_(a < 0); return a; }
fn same_wide_u32_(a: u32) -> u32 { over_(a > 2147483647u); return a; }
fn whole_wide_i32_(a: f32) -> f32 { over_(!(abs(a) < 2147483648.0f)); return a; }
fn whole_wide_u32_(a: f32) -> f32 { over_(!(a < 4294967296.0f && a > -1.0f)); return a; }
fn narrow_i64_(x: i64) -> i32 { return select(-1, i32(x), x == i64(i32(x))); }
fn narrow_u64_(x: u64) -> i32 { return select(-1, i32(x), x < 2147483648lu); }
fn aligned_(i: i32, per: i32) -> i32 {
  let wrong = (i & (per - 1)) != 0;
  bad = bad | wrong;
  return i;
}
fn fail_() { bad = true; }
fn spent_() -> bool {
  budget = budget - 1u;
  if (budget != 0u) { return false; }
  fail_();
  budget = 1u;
  return true;
}
fn any_of_(x: bool, lane: u32) -> bool {
  workgroupBarrier();
  if (lane == 0u) { any_flag = 0u; }
  workgroupBarrier();
  if (x) { any_flag = 1u; }
  return workgroupUniformLoad(&any_flag) != 0u;
}
fn count_of_(x: bool, lane: u32) -> u32 {
  workgroupBarrier();
  if (lane == 0u) { atomicStore(&counter, 0u); }
  workgroupBarrier();
  if (x) { atomicAdd(&counter, 1u); }
  workgroupBarrier();
  return atomicLoad(&counter);
}
// Words are left where the other threads of the warp find them. Two rows alternate, so that one barrier is enough.
fn exchange_(word: u32, lane: u32, size: u32) {
  toggle = size - toggle;
  scratch[toggle + lane] = word;
  workgroupBarrier();
}
fn from_lane_(word: u32, source: i32, lane: u32, size: u32) -> u32 {
  exchange_(word, lane, size);
  return scratch[toggle + (lane & 0xffffffe0u) + u32(source)];
}
fn ballot_(holds: bool, lane: u32, threads: u32, size: u32) -> u32 {
  exchange_(select(0u, 1u, holds), lane, size);
  let first = lane & 0xffffffe0u;
  var word = 0u;
  for (var k = 0u; k < 32u; k++) {
    if (first + k < threads) { word = word | (scratch[toggle + first + k] << k); }
  }
  return word;
}
fn shfl_sync_(own: i32, by: i32, width: i32) -> i32 { return (own & -width) + (by & (width - 1)); }
fn shfl_up_sync_(own: i32, by: i32, width: i32) -> i32 { return select(own - by, own, own - by < (own & -width)); }
fn shfl_down_sync_(own: i32, by: i32, width: i32) -> i32 { return neighbour_(own, own + by, width); }
fn shfl_xor_sync_(own: i32, by: i32, width: i32) -> i32 { return neighbour_(own, own ^ by, width); }
fn neighbour_(own: i32, there: i32, width: i32) -> i32 {
  return select(there, own, there >= (own & -width) + width || there < 0);
}
// Where blocks are numbered, a row of a dispatch has 32,768 of them: ROW in shader.py.
fn number_(wid: vec3<u32>) -> u32 { return u.first_0_0 + wid.y * 32768u + wid.x; }
fn is_beyond_(wid: vec3<u32>) -> bool { return number_(wid) >= u.last_0_0; }
fn block_(wid: vec3<u32>) -> vec3<u32> {
  let number = number_(wid);
  let row = number / u.grid_0_0;
  return vec3<u32>(number % u.grid_0_0, row % u.grid_1_0, row / u.grid_1_0);
}
// Half precision. What ends with `of_` widens the 16 bits, with `bits_` gives them; other functions are rounded by who calls.
fn half_(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  let near = bitcast<f32>((b + 0xfffu + ((b >> 13u) & 1u)) & 0xffffe000u);
  let small = select(near, round(x * 16777216.0f) * 5.9604645e-8f, abs(x) < 6.1035156e-5f);
  return select(select(small, copysignf_(bitcast<f32>(inf), x), abs(x) >= 65520.0f), x, is_nan_(x));
}
fn half_bits_(x: f32) -> u32 {
  let b = bitcast<u32>(x) & 0x7fffffffu;
  let small = select((b >> 13u) - 0x1c000u, u32(abs(x) * 16777216.0f), abs(x) < 6.1035156e-5f);
  return ((bitcast<u32>(x) >> 16u) & 0x8000u) | select(select(small, 0x7c00u, b >= 0x47800000u), 0x7fffu, b > 0x7f800000u);
}
fn half_of_(h: u32) -> f32 {
  let b = (h & 0x7fffu) << 13u;
  let small = select(bitcast<f32>(b + 0x38000000u), f32(h & 0x3ffu) * 5.9604645e-8f, b < 0x800000u);
  return copysignf_(select(small, bitcast<f32>(b | 0x7f800000u), b >= 0xf800000u), bitcast<f32>(h << 16u));
}
fn bfloat16_(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  return bitcast<f32>(select((b + 0x7fffu + ((b >> 16u) & 1u)) & 0xffff0000u, nan, is_nan_(x)));
}
fn bfloat16_bits_(x: f32) -> u32 { return bitcast<u32>(x) >> 16u; }
fn bfloat16_of_(h: u32) -> f32 { return bitcast<f32>(h << 16u); }
// Rounded to odd: what is rounded again to fewer digits comes out as if it were rounded once.
fn odd_(near: f32, rest: f32) -> f32 {
  let b = bitcast<u32>(near);
  let moved = select(b - 1u, b + 1u, (rest > 0.0f) == (near > 0.0f));
  return bitcast<f32>(select(b, moved, (b & 1u) == 0u && abs(rest) > 0.0f && isfinite_(rest) == 1));
}
fn f64_to_odd_(x: f64) -> f32 { let near = f64_to_f32_(x); return odd_(near, f64_to_f32_(x - f64(near))); }
fn i32_to_odd_(x: i32) -> f32 { return f32(select(x, (x & -256) | 256, abs(x) >= 16777216 && (x & 255) != 0)); }
fn u32_to_odd_(x: u32) -> f32 { return f32(select(x, (x & 0xffffff00u) | 256u, x >= 16777216u && (x & 255u) != 0u)); }
fn half_add_(a: f32, b: f32) -> f32 { return a + b; }
fn half_sub_(a: f32, b: f32) -> f32 { return a - b; }
fn half_mul_(a: f32, b: f32) -> f32 { return a * b; }
fn half_div_(a: f32, b: f32) -> f32 { return div_f32_(a, b); }
fn half_add_rn_(a: f32, b: f32) -> f32 { return a + b; }
fn half_sub_rn_(a: f32, b: f32) -> f32 { return a - b; }
fn half_mul_rn_(a: f32, b: f32) -> f32 { return a * b; }
fn half_add_sat_(a: f32, b: f32) -> f32 { return saturatef_(a + b); }
fn half_sub_sat_(a: f32, b: f32) -> f32 { return saturatef_(a - b); }
fn half_mul_sat_(a: f32, b: f32) -> f32 { return saturatef_(a * b); }
fn half_fma_(a: f32, b: f32, c: f32) -> f32 {
  let product = fmul_rn_(a, b);
  let sum = fadd_rn_(product, c);
  let added = fsub_rn_(sum, product);
  return odd_(sum, fadd_rn_(fsub_rn_(product, fsub_rn_(sum, added)), fsub_rn_(c, added)));
}
fn half_fma_sat_(a: f32, b: f32, c: f32) -> f32 { return saturatef_(half_fma_(a, b, c)); }
fn half_fma_relu_(a: f32, b: f32, c: f32) -> f32 { let x = half_fma_(a, b, c); return select(x, 0.0f, x < 0.0f); }
fn half_max_(a: f32, b: f32) -> f32 {
  return select(fmaxf_(a, b), bitcast<f32>(bitcast<u32>(a) & bitcast<u32>(b)), a == b);
}
fn half_min_(a: f32, b: f32) -> f32 {
  return select(fminf_(a, b), bitcast<f32>(bitcast<u32>(a) | bitcast<u32>(b)), a == b);
}
fn half_max_nan_(a: f32, b: f32) -> f32 { return select(half_max_(a, b), bitcast<f32>(nan), unordered_(a, b)); }
fn half_min_nan_(a: f32, b: f32) -> f32 { return select(half_min_(a, b), bitcast<f32>(nan), unordered_(a, b)); }
fn half_neg_(x: f32) -> f32 { return -x; }
fn half_abs_(x: f32) -> f32 { return abs(x); }
fn half_ceil_(x: f32) -> f32 { return ceil(x); }
fn half_floor_(x: f32) -> f32 { return floor(x); }
fn half_trunc_(x: f32) -> f32 { return trunc(x); }
fn half_rint_(x: f32) -> f32 { return round(x); }
fn half_sqrt_(x: f32) -> f32 { return sqrt_f32_(x); }
fn half_rsqrt_(x: f32) -> f32 { return inverseSqrt(x); }
fn half_rcp_(x: f32) -> f32 { return div_f32_(1.0f, x); }
fn half_exp_(x: f32) -> f32 { return exp(x); }
fn half_exp2_(x: f32) -> f32 { return exp2(x); }
fn half_exp10_(x: f32) -> f32 { return exp10f_(x); }
fn half_log_(x: f32) -> f32 { return log(x); }
fn half_log2_(x: f32) -> f32 { return log2(x); }
fn half_log10_(x: f32) -> f32 { return log10f_(x); }
fn half_sin_(x: f32) -> f32 { return sinf_(x); }
fn half_cos_(x: f32) -> f32 { return cosf_(x); }
fn half_tanh_(x: f32) -> f32 { return tanhf_(x); }
fn half_isnan_(x: f32) -> bool { return is_nan_(x); }
fn half_isinf_(x: f32) -> i32 { return select(0, select(1, -1, x < 0.0f), isinf_(x) == 1); }
fn unordered_(a: f32, b: f32) -> bool { return is_nan_(a) || is_nan_(b); }
fn half_eq_(a: f32, b: f32) -> bool { return a == b && !unordered_(a, b); }
fn half_ne_(a: f32, b: f32) -> bool { return a != b && !unordered_(a, b); }
fn half_lt_(a: f32, b: f32) -> bool { return a < b && !unordered_(a, b); }
fn half_le_(a: f32, b: f32) -> bool { return a <= b && !unordered_(a, b); }
fn half_gt_(a: f32, b: f32) -> bool { return a > b && !unordered_(a, b); }
fn half_ge_(a: f32, b: f32) -> bool { return a >= b && !unordered_(a, b); }
fn half_equ_(a: f32, b: f32) -> bool { return a == b || unordered_(a, b); }
fn half_neu_(a: f32, b: f32) -> bool { return a != b || unordered_(a, b); }
fn half_ltu_(a: f32, b: f32) -> bool { return a < b || unordered_(a, b); }
fn half_leu_(a: f32, b: f32) -> bool { return a <= b || unordered_(a, b); }
fn half_gtu_(a: f32, b: f32) -> bool { return a > b || unordered_(a, b); }
fn half_geu_(a: f32, b: f32) -> bool { return a >= b || unordered_(a, b); }
