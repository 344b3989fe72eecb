// What CUDA has and WGSL has not, or computes differently. A name is that of CUDA without "__" in front, and ends with "_".
// `bad` and the other private variables are declared by printer.py.

fn is_nan_(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }
fn isnan_(x: f32) -> i32 { return select(0, 1, is_nan_(x)); }
fn isinf_(x: f32) -> i32 { return select(0, 1, (bitcast<u32>(x) & 0x7fffffffu) == 0x7f800000u); }
fn isfinite_(x: f32) -> i32 { return select(0, 1, (bitcast<u32>(x) & 0x7fffffffu) < 0x7f800000u); }
fn signbit_(x: f32) -> i32 { return i32(bitcast<u32>(x) >> 31u); }
fn to_i32_(x: f32) -> i32 { return select(select(i32(x), 2147483647, x >= 2147483648.0f), 0, is_nan_(x)); }
fn to_u32_(x: f32) -> u32 { return select(select(u32(x), 4294967295u, x >= 4294967296.0f), 0u, is_nan_(x)); }
fn alone_f32_(x: f32, zero: u32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ zero); }
fn alone_f64_(x: f64, zero: u32) -> f64 { return bitcast<f64>(bitcast<u64>(x) ^ u64(zero)); }
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
