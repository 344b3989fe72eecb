"""Lesson 08: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import RawKernel

from .conftest import prove

SIGNATURES = {
    "08.block_sums": "const float* x, float* partials, int n",
    "08.fused": "const float* x, const float* b, float* y, int C, int H, int W, int n",
    "08.double": "const float* A, const float* B, float* C, int n",
}
WALK = ("float s = 0.0f; for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) "
        "s += x[i]; ")
SHUFFLE = "for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(0xffffffffu, s, o); "
SHARE = "__shared__ float warps[4]; if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = s; "
SYNC = "__syncthreads(); "
FIRST = "if (threadIdx.x == 0) "
WRITE = FIRST + "partials[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];"
TREE = ("__shared__ float all[128]; all[threadIdx.x] = s; __syncthreads(); "
        "for (int o = 64; o > 0; o /= 2) { if (threadIdx.x < o) all[threadIdx.x] += all[threadIdx.x + o]; __syncthreads(); } "
        "if (threadIdx.x == 0) partials[blockIdx.x] = all[0];")

PLACE = ("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; int w = W / 2, h = H / 2, p = i / (w * h); "
         "const float* c = x + (p * H + i / w % h * 2) * W + i % w * 2; ")
LARGEST = "float m = fmaxf(fmaxf(c[0], c[1]), fmaxf(c[W], c[W + 1])); "

TILES = ("__shared__ float a[2][16][16], b[2][16][16]; int tx = threadIdx.x, ty = threadIdx.y; "
         "int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx, now = 0; float sum = 0.0f; "
         "a[0][ty][tx] = A[row * n + tx]; b[0][ty][tx] = B[ty * n + column]; ")
NEXT = "a[1 - now][ty][tx] = A[row * n + k0 + 16 + tx]; b[1 - now][ty][tx] = B[(k0 + 16 + ty) * n + column]; "
MULTIPLY = "for (int k = 0; k < 16; k++) sum += a[now][ty][k] * b[now][k][tx]; "
END = "C[row * n + column] = sum;"


def loop(before="__syncthreads(); ", load="if (k0 + 16 < n) { " + NEXT + "} ", after="now = 1 - now; "):
    return TILES + "for (int k0 = 0; k0 < n; k0 += 16) { " + before + load + MULTIPLY + after + "} " + END


ONE_PAIR = ("__shared__ float a[16][16], b[16][16]; int tx = threadIdx.x, ty = threadIdx.y; "
            "int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx; float sum = 0.0f; "
            "for (int k0 = 0; k0 < n; k0 += 16) { a[ty][tx] = A[row * n + k0 + tx]; b[ty][tx] = B[(k0 + ty) * n + column]; "
            "__syncthreads(); for (int k = 0; k < 16; k++) sum += a[ty][k] * b[k][tx]; __syncthreads(); } ") + END


def judge(name, body):
    return find(name).judge(RawKernel(f'extern "C" __global__ void answer({SIGNATURES[name]}) {{ {body} }}', "answer"))


@pytest.mark.parametrize(("name", "body"), [
    ("08.block_sums", WALK + SHUFFLE + SHARE + SYNC + WRITE),
    ("08.block_sums", WALK + TREE),
    ("08.block_sums", WALK + SHUFFLE.replace("down", "xor") + SHARE + SYNC + "if (threadIdx.x < 32) { "
     "s = threadIdx.x < 4 ? warps[threadIdx.x] : 0.0f; " + SHUFFLE + FIRST + "partials[blockIdx.x] = s; }"),
    ("08.fused", PLACE + LARGEST + "y[i] = fmaxf(m + b[p % C], 0.0f);"),
    ("08.fused", PLACE + "float add = b[p % C], m = 0.0f; for (int k = 0; k < 4; k++) m = fmaxf(m, c[k / 2 * W + k % 2] + add); y[i] = m;"),
    ("08.double", loop()),
    ("08.double", loop(before="", after="__syncthreads(); now = 1 - now; ").replace("for (int k0", "__syncthreads(); for (int k0", 1)),
    ("08.double", loop(load="float p, q; if (k0 + 16 < n) { p = A[row * n + k0 + 16 + tx]; q = B[(k0 + 16 + ty) * n + column]; } ",
                       after="if (k0 + 16 < n) { a[1 - now][ty][tx] = p; b[1 - now][ty][tx] = q; } now ^= 1; ")),
    ("08.block_sums", WALK + SHUFFLE + SHARE + SYNC + WRITE.replace(FIRST, "")),
    ("08.fused", PLACE + "float2 u = *(const float2*)c, v = *(const float2*)(c + W); "
     "float m = fmaxf(fmaxf(u.x, u.y), fmaxf(v.x, v.y)) + b[p % C]; y[i] = m > 0 ? m : 0;"),
    ("08.double", ONE_PAIR),
])
def test_right_kernels_are_accepted(name, body):
    verdict = judge(name, body)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "body", "hint"), [
    ("08.block_sums", WALK + SHUFFLE + SHARE + WRITE, "need a __syncthreads()"),
    ("08.block_sums", WALK + SHUFFLE + FIRST + "partials[blockIdx.x] = s;", "all four of its warps"),
    ("08.block_sums", WALK + SHARE + SYNC + WRITE, "reduce the warp with shuffles"),
    ("08.block_sums", WALK + FIRST + "partials[blockIdx.x] = s;", "add up its 128 threads"),
    ("08.block_sums", "int i = blockIdx.x * 128 + threadIdx.x; float s = i < n ? x[i] : 0.0f; " + SHUFFLE + SHARE + SYNC + WRITE,
     "more than one number"),
    ("08.block_sums", WALK.replace("gridDim.x * blockDim.x", "blockDim.x") + SHUFFLE + SHARE + SYNC + WRITE, "blocks overlap"),
    ("08.block_sums", WALK + SHUFFLE.replace("o > 0", "o > 1") + SHARE + SYNC + WRITE, "five shuffles"),
    ("08.block_sums", "int threads = gridDim.x * blockDim.x, per = (n + threads - 1) / threads; float s = 0.0f; "
     "for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * per, end = min(n, i + per); i < end; i++) s += x[i]; "
     + SHUFFLE + SHARE + SYNC + WRITE, "lanes are neighbours"),
    ("08.block_sums", WALK + SHUFFLE + SHARE + SYNC + FIRST + "partials[0] = warps[0] + warps[1] + warps[2] + warps[3];",
     "one place per block"),
    ("08.block_sums", WALK.replace("i < n", "i <= n") + SHUFFLE + SHARE + SYNC + WRITE, "while i < n"),
    ("08.block_sums", FIRST + "partials[blockIdx.x] = 0.0f; __syncthreads(); " + WALK + "atomicAdd(&partials[blockIdx.x], s);",
     "without atomics"),
    ("08.block_sums", "if (threadIdx.x != 0) return; float s = 0.0f; for (int i = 0; i < n; i++) s += x[i]; partials[blockIdx.x] = s;",
     "of this block only"),
    ("08.block_sums", WALK + SHUFFLE + SHARE + "if (threadIdx.x < 64) __syncthreads(); " + WRITE, "reach the barrier"),
    ("08.block_sums", WALK.replace("gridDim.x * blockDim.x", "384") + SHUFFLE + SHARE + SYNC + WRITE, "n = 2000"),
    ("08.block_sums", "float s = 0.0f; for (int k = 0; k < 3; k++) { int i = (k * gridDim.x + blockIdx.x) * 128 + threadIdx.x; "
     "if (i < n) s += x[i]; } " + SHUFFLE + SHARE + SYNC + WRITE, "n = 2000"),
    ("08.block_sums", WALK + SHUFFLE.replace("16", "8") + SHARE + SYNC + WRITE, "the first offset is 16"),
    ("08.block_sums", WALK + SHUFFLE.replace("0xffffffffu", "0xffffu") + SHARE + SYNC + WRITE, "its mask 0xffffffff"),
    ("08.fused", PLACE.replace("blockDim.x", "32") + LARGEST + "y[i] = fmaxf(m + b[p % C], 0.0f);", "no thread wrote"),
    ("08.fused", PLACE.replace("blockDim.x", "64") + LARGEST + "y[i] = fmaxf(m + b[p % C], 0.0f);", "no thread wrote"),
    ("08.fused", PLACE + "float m = -1.0f; for (int k = 0; k < 4; k++) m = fmaxf(m, c[k / 2 * W + k % 2]); "
     "y[i] = fmaxf(m + b[p % C], 0.0f);", "should be"),
    ("08.fused", PLACE + LARGEST + "y[i] = m + b[p % C]; y[i] = fmaxf(y[i], 0.0f);", "in a variable"),
    ("08.fused", PLACE + LARGEST + "m += b[p % C]; y[i] = 0.0f; if (m > 0.0f) y[i] = m;", "write each result once"),
    ("08.fused", PLACE + LARGEST + "y[i] = m + b[p % C];", "ReLU is missing"),
    ("08.fused", PLACE + LARGEST + "y[i] = fmaxf(m, 0.0f);", "the bias is missing"),
    ("08.fused", PLACE + LARGEST + "y[i] = fmaxf(m, 0.0f) + b[p % C];", "after the bias"),
    ("08.fused", PLACE + LARGEST + "y[i] = fmaxf(m + b[i % C], 0.0f);", "belongs to the channel"),
    ("08.fused", PLACE + LARGEST + "y[i] = fmaxf(m + b[p / C], 0.0f);", "plane / C is the image"),
    ("08.fused", PLACE + LARGEST + "y[i] = fmaxf(m + b[p], 0.0f);", "bias from channel plane % C"),
    ("08.fused", PLACE.replace("% h * 2", "% h").replace("% w * 2", "% w") + LARGEST + "y[i] = fmaxf(m + b[p % C], 0.0f);",
     "windows do not overlap"),
    ("08.fused", PLACE + "float m = (c[0] + c[1] + c[W] + c[W + 1]) / 4; y[i] = fmaxf(m + b[p % C], 0.0f);", "mean of the window"),
    ("08.fused", PLACE + LARGEST.replace("c[W + 1]", "c[3]").replace("c[W]", "c[2]") + "y[i] = fmaxf(m + b[p % C], 0.0f);",
     "lies W further"),
    ("08.fused", PLACE.replace("p = i / (w * h)", "p = i / (W * H)") + LARGEST + "y[i] = fmaxf(m + b[p % C], 0.0f);",
     "H/2 x W/2, not H x W"),
    ("08.fused", PLACE + "y[i] = fmaxf(fmaxf(c[0], c[1]) + b[p % C], 0.0f);", "only the upper row"),
    ("08.fused", PLACE + "y[i] = fmaxf(fmaxf(c[0], c[W]) + b[p % C], 0.0f);", "only the left column"),
    ("08.fused", PLACE.replace("if (i >= n) return;", "") + LARGEST + "y[i] = fmaxf(m + b[p % C], 0.0f);", "guard with if (i < n)"),
    ("08.fused", PLACE + "float m = 0.0f; for (int k = 0; k < 4; k++) m = fmaxf(m, c[k / 2 * W + k % 2] + b[p % C]); y[i] = m;",
     "bias once per window"),
    ("08.double", loop(before=""), "a single place in the loop"),
    ("08.double", loop(before="", load="if (k0 + 16 < n) { " + NEXT + "} __syncthreads(); "), "a single place in the loop"),
    ("08.double", loop(after=""), "change their roles"),
    ("08.double", loop(load=NEXT), "nothing to load"),
    ("08.double", loop(load="if (k0 + 16 < n) { " + NEXT.replace("k0 + 16", "k0") + "} "), "begins at k0 + 16"),
    ("08.double", loop(before="if (ty < 8) __syncthreads(); "), "reach the barrier"),
])
def test_wrong_kernels_are_told_why(name, body, hint):
    verdict = judge(name, body)
    assert not verdict.solved
    assert hint in verdict.text, verdict.text


def simulated(batches, buffers, copy, compute):
    copied, computed = [0] * batches, [0] * batches
    for i in range(batches):
        start = max(copied[i - 1] if i else 0, computed[i - buffers] if i >= buffers else 0)
        copied[i] = start + copy
        computed[i] = max(copied[i], computed[i - 1] if i else 0) + compute
    return computed[-1]


def every_time(batches, buffers, copy, compute, waits=lambda i, buffers: i >= buffers):
    copied, computed = 0, []
    for i in range(batches):
        copied = max(copied, computed[i - buffers] if waits(i, buffers) else 0) + copy
        computed.append(max(copied, computed[-1] if computed else 0) + compute)
    return computed


def never_busy(batches, buffers, copy, compute):
    copied, computed = 0, []
    for i in range(batches):
        copied = max(copied, computed[i - buffers] if i >= buffers else 0) + copy
        computed.append(copied + compute)
    return computed[-1]


@pytest.mark.parametrize(("name", "answer"), [
    ("08.speedup", lambda times, which, factor: sum(times) / sum(t / factor if i == which else t for i, t in enumerate(times))),
    ("08.speedup", lambda times, which, factor: 1 / (1 - times[which] / sum(times) * (1 - 1 / factor))),
    ("08.finish", simulated),
    ("08.finish", lambda n, buffers, copy, compute:
     n * (copy + compute) if buffers == 1 else min(copy, compute) + n * max(copy, compute)),
    ("08.gain", lambda kernels, duration, launch: kernels * max(duration, launch) - kernels * duration),
    ("08.gain", lambda kernels, duration, launch: kernels * max(0, launch - duration)),
])
def test_right_functions_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(("name", "answer", "hint"), [
    ("08.speedup", lambda times, which, factor: factor, "only that part"),
    ("08.speedup", lambda times, which, factor: sum(times) / (sum(times) - times[which]), "does not vanish"),  # 5 / 0 later
    ("08.speedup", lambda times, which, factor: sum(times) - times[which] + times[which] / factor, "this is the new time"),
    ("08.speedup", lambda times, which, factor: (sum(times) - times[which] + times[which] / factor) / sum(times),
     "old divided by new"),
    ("08.speedup", lambda times, which, factor: sum(times) / ((sum(times) - times[which]) or 1), "does not vanish"),
    ("08.speedup", lambda times, which, factor: sum(times) / (sum(times) - times[which] + times[which] * factor), "slower"),
    ("08.speedup", lambda times, which, factor: times[which] / factor, "new time of that part"),
    ("08.speedup", lambda times, which, factor: times[which] * (1 - 1 / factor), "the time saved"),
    ("08.speedup", lambda times, which, factor: 1 / (1 - times[which] / sum(times) / factor), "with its new one"),
    ("08.speedup", lambda times, which, factor: 1 / ((1 - times[which]) + times[which] / factor), "the share"),
    ("08.finish", every_time, "return the last time"),
    ("08.finish", lambda *args: every_time(*args, waits=lambda i, buffers: i > buffers)[-1], "if i >= buffers"),
    ("08.finish", lambda n, buffers, copy, compute: copy + n * compute, "may be copying"),
    ("08.finish", lambda n, buffers, copy, compute: n * (copy + compute), "copy and compute overlap"),
    ("08.finish", lambda n, buffers, copy, compute: simulated(n, n, copy, compute), "until its buffer is free"),
    ("08.finish", never_busy, "one batch at a time"),
    ("08.finish", lambda n, buffers, copy, compute: n * max(copy, compute) if buffers > 1 else n * (copy + compute),
     "overlap with nothing"),
    ("08.finish", lambda n, buffers, copy, compute: n * (copy + compute) / buffers, "do not divide the time"),
    ("08.finish", lambda n, buffers, copy, compute: copy + n * max(copy, compute), "not the first copy"),
    ("08.gain", lambda kernels, duration, launch: kernels * duration, "in a graph; subtract it"),
    ("08.gain", lambda kernels, duration, launch: kernels * launch, "does not save all launches"),
    ("08.gain", lambda kernels, duration, launch: kernels * (launch - duration), "hide the launches"),
    ("08.gain", lambda kernels, duration, launch: max(duration, launch) - duration, "every kernel"),
    ("08.gain", lambda kernels, duration, launch: kernels * max(duration, launch), "subtract that of the graph"),
    ("08.gain", lambda kernels, duration, launch: max(duration, launch) / duration, "saved is a difference"),
    ("08.gain", lambda kernels, duration, launch: kernels * (duration - max(duration, launch)), "change the sign"),
])
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


@pytest.mark.parametrize(("name", "answer"), [
    ("08.speedup", lambda times, which, factor: round(sum(times) / (sum(times) - times[which] + times[which] / factor))),
    ("08.speedup", lambda times, which, factor: sum(times) / (times[which] * (1 - 1 / factor))),
    ("08.finish", lambda n, buffers, copy, compute: n * copy),
    ("08.gain", lambda kernels, duration, launch: kernels * max(duration, launch) / duration),
])
def test_no_hint_by_chance(name, answer):
    text = find(name).judge(answer).text
    assert "✗" in text and "Hint" not in text


def test_every_exercise_is_proved():
    prove("08")
