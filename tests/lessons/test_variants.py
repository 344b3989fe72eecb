"""Exercises: a right kernel with one thing changed, as readers typed it or as a short cut would have it, is refused; with
the words of its hint where the table has them. Other ways to write it are right."""

import math

import pytest

from nnlib.course.exercises import find
from nnlib.cuda import KernelError, RawKernel

KERNELS = {
    "01.mirror": """const float* image, float* out, int width, int height) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < width && y < height) out[y * width + x] = image[y * width + width - 1 - x]; }""",
    "01.bright": """const float* image, int* counts, int width, int height) {
        int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
        if (x < width && y < height && image[y * width + x] > 0.5f) atomicAdd(&counts[y], 1); }""",
    "02.grey": """const float* pixels, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) out[i] = (pixels[3 * i] + pixels[3 * i + 1] + pixels[3 * i + 2]) / 3; }""",
    "02.pairs": """const float* x, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) { float2 v = ((const float2*)x)[i]; out[i] = v.x + v.y; } }""",
    "02.scale4": """float factor, const float* x, float* out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n / 4) { float4 v = ((const float4*)x)[i]; v.x *= factor; v.y *= factor; v.z *= factor; v.w *= factor;
            ((float4*)out)[i] = v; }
        if (i < n % 4) out[n - n % 4 + i] = factor * x[n - n % 4 + i]; }""",
    "03.transpose": """const float* x, float* out, int rows, int columns) { __shared__ float t[32][33];
        int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
        if (r < rows && c < columns) t[threadIdx.y][threadIdx.x] = x[r * columns + c];
        __syncthreads();
        int oc = blockIdx.y * 32 + threadIdx.x, orow = blockIdx.x * 32 + threadIdx.y;
        if (orow < columns && oc < rows) out[orow * rows + oc] = t[threadIdx.x][threadIdx.y]; }""",
    "04.gelu_back": """const float* dy, const float* x, float* dx, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) { float v = x[i], t = tanhf(0.7978845608f * (v + 0.044715f * v * v * v));
            dx[i] = dy[i] * (0.5f * (1 + t) + 0.5f * v * (1 - t * t) * 0.7978845608f * (1 + 3 * 0.044715f * v * v)); } }""",
    "04.bias_gelu": """const float* x, const float* b, float* v, float* y, int N, int K) {
        int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= N * K) return; float s = x[i] + b[i % K]; v[i] = s;
        y[i] = 0.5f * s * (1 + tanhf(0.7978845608f * (s + 0.044715f * s * s * s))); }""",
    "05.im2col": """const float* x, float* columns, int planes, int H, int W, int K) {
        int OH = H - K + 1, OW = W - K + 1, i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= planes * K * K * OH * OW) return;
        int ox = i % OW, oy = i / OW % OH, tap = i / (OW * OH) % (K * K), plane = i / (OW * OH * K * K);
        columns[i] = x[(plane * H + oy + tap / K) * W + ox + tap % K]; }""",
    "05.fold": """const float* columns, float* x, int n, int K) {
        int P = n - K + 1, i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; float s = 0;
        for (int k = 0; k < K; k++) { int p = i - k; if (p >= 0 && p < P) s += columns[k * P + p]; } x[i] = s; }""",
    "06.bce_back": """const float* z, const float* t, float* dz, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) { float p = 1.0f / (1.0f + expf(-z[i])); dz[i] = (p - t[i]) / n; } }""",
    "07.row_sums": """const float* x, float* sums, int rows, int columns) {
        int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
        if (row >= rows) return; float sum = 0;
        for (int i = lane; i < columns; i += 32) sum += x[row * columns + i];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0) sums[row] = sum; }""",
}

RIGHT = """
01.mirror: if (x < width && y < height) -> if (!(x < width) || !(y < height)) return;
01.mirror: int x -> unsigned x
01.bright: > 0.5f -> > .5
02.grey: / 3; -> * (1.0f / 3.0f);
02.pairs: ((const float2*)x)[i] -> reinterpret_cast<const float2*>(x)[i]
02.scale4: n - n % 4 + i -> n / 4 * 4 + i
03.transpose: float t[32][33] -> volatile float t[32][33]
04.gelu_back: 0.5f * (1 + t) -> (1 + t) / 2
05.im2col: tap % K]; -> tap - tap / K * K];
06.bce_back: 1.0f / (1.0f + expf(-z[i])) -> 0.5f * tanhf(0.5f * z[i]) + 0.5f
07.row_sums: __shfl_down_sync -> __shfl_xor_sync
"""

WRONG = """
01.mirror: y < height -> y < height && y < 5000 | all sizes of the exercise are right
01.mirror: int x -> short x | small integer type
01.mirror: width - 1 - x -> width - x
01.mirror: width - 1 - x -> blockDim.x - 1 - x
01.mirror: x < width && -> x < width / 2 &&
01.mirror: y * width + x] = image[y * width + width -> y * height + x] = image[y * height + height
01.mirror: if (x < width && y < height) -> if (x < width && y < height); | this if ends at the ;
01.mirror: x] = -> x] == | this changes nothing
01.mirror: if (x -> if (width == 20) return; if (x
01.bright: &counts[y] -> &counts[y % 512] | all sizes of the exercise are right
01.bright: x < width -> x < width && x < 1024 | all sizes of the exercise are right
01.bright: 0.5f -> 0.6f
01.bright: atomicAdd(&counts[y], 1) -> atomicAdd(&counts[y], 2) | 2 times the right value
01.bright: atomicAdd(&counts[y], 1) -> atomicExch(&counts[y], counts[y] + 1) | without another thread in between
01.bright: &counts[y] -> &counts[height - 1 - y] | the order is reversed
02.grey: i < n -> i < min(n, 4096) | all sizes of the exercise are right
02.grey: int i -> unsigned short i | all sizes of the exercise are right
02.grey: / 3; -> / 2; | 1.5 times the right value
02.grey: / 3; -> * (1 / 3); | 1 / 3 is 0 in C
02.grey: 3 * i + 2] -> 3 * i + 3] | those from 3 * i to 3 * i + 2
02.grey: i < n -> 3 * i < n
02.pairs: [i]; -> [2 * i]; | as float2 it is number i
02.pairs: [i]; -> [i % 2000]; | all sizes of the exercise are right
02.pairs: out[i] -> out[2 * i] | one number for each pair
02.pairs: v.x + v.y -> fabsf(v.x) + fabsf(v.y)
02.scale4: i < n / 4 -> i < n / 4 && i < 30000 | all sizes of the exercise are right
02.scale4: i < n / 4 -> i < (n + 3) / 4 | whole float4s
02.scale4: v.w *= factor -> v.w *= v.w
02.scale4: i < n % 4 -> i < 1 && n % 4
03.transpose: r < rows && -> r < rows && r < 2048 && | all sizes of the exercise are right
03.transpose: int c -> short c | all sizes of the exercise are right
03.transpose: orow < columns && oc < rows -> orow < rows && oc < columns | guard those
03.transpose: __shared__ -> | write __shared__ before it
03.transpose: __syncthreads(); -> __syncwarp(); | no __syncthreads() between the two
04.gelu_back: i < n -> i < n && i < 5000 | all sizes of the exercise are right
04.gelu_back: 3 * 0.044715f -> 0.134f
04.gelu_back: dy[i] * ( -> x[i] * (
04.bias_gelu: i >= N * K -> i >= N * K || i > 8000 | all sizes of the exercise are right
04.bias_gelu: i % K -> i % N | not b[i % N]
04.bias_gelu: tanhf( -> erff(
05.im2col: i >= planes -> planes > 5 || i >= planes | all sizes of the exercise are right
05.im2col: int ox -> unsigned char ox | all sizes of the exercise are right
05.im2col: plane * H + -> plane * W +
05.fold: k < K -> k < min(K, 50)
05.fold: i >= n -> i >= n || i > 2000 | all sizes of the exercise are right
05.fold: x[i] = s -> x[i] = s / K
06.bce_back: i < n -> i < n && i < 4000 | all sizes of the exercise are right
06.bce_back: expf(-z[i]) -> exp2f(-z[i])
07.row_sums: i < columns -> i < columns && i < 2000 | all sizes of the exercise are right
07.row_sums: row >= rows -> row >= rows || row > 500 | all sizes of the exercise are right
07.row_sums: lane == 0 -> lane == 31 | the sum ends in lane 0
07.row_sums: i += 32 -> i += blockDim.x | not by the size of the block
07.row_sums: threadIdx.x) / 32 -> threadIdx.x) / 8 | divided by 32, not by 8
07.row_sums: d = 16 -> d = 32 | 2 times the right value
"""


def lines(table):
    return [line for line in table.splitlines() if line]


def judged(line):
    name, change = line.split(": ", 1)
    old, new = change.split(" -> " if " -> " in change else " ->")
    assert old in KERNELS[name], line
    text = f'extern "C" __global__ void answer({KERNELS[name].replace(old, new.strip())}'
    try:
        return find(name).judge(RawKernel(text, "answer"))
    except KernelError as error:
        pytest.fail(f"{line}\n{error}")


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_changed_is_right(name):
    assert judged(f"{name}: int -> int").solved


@pytest.mark.parametrize("line", lines(RIGHT))
def test_right_in_another_way(line):
    verdict = judged(line)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize("line", lines(WRONG))
def test_wrong_with_one_change(line):
    change, _, words = line.partition(" | ")
    verdict = judged(change)
    assert not verdict.solved and words in verdict.text, verdict.text


def patience(best=float("inf"), less=0.0):
    def stopped(losses, patience, best=best):
        waited = 0
        for epoch, loss in enumerate(losses, 1):
            waited = 0 if loss < best - less else waited + 1
            best = min(best, loss)
            if waited >= patience:
                return epoch
        return len(losses)

    return stopped


def loss_scale(largest=65504, seen=None):
    return lambda gradients: 2.0 ** math.floor(math.log2(largest / abs(gradients[:seen]).max()))


@pytest.mark.parametrize(
    ("name", "answer", "right"),
    [
        ("07.patience", patience(), True),
        ("07.patience", patience(best=500.0), False),
        ("07.patience", patience(best=1e6), False),
        ("07.patience", patience(less=1e-4), False),
        ("09.loss_scale", loss_scale(), True),
        ("09.loss_scale", loss_scale(65536), False),
        ("09.loss_scale", loss_scale(seen=3), False),
    ],
)
def test_functions_that_are_right_for_some_numbers_only(name, answer, right):
    verdict = find(name).judge(answer)
    assert verdict.solved == right, verdict.text
