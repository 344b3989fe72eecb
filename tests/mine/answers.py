"""Right and wrong answers to every workshop, as students write them: texts made from a few by what they would change."""

import json
import re
from pathlib import Path

from nnlib import mine
from nnlib.course.exercises.mistakes import usual_text
from nnlib.lessons import notebooks

_NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def typed(name):
    """The answer that a student would type; the plain version where that does its task."""
    return usual_text(mine.PIECES[name])


def lesson_solutions(until):
    """name -> the folded solution of the last workshop of a piece, in the lessons up to `until` ("05"), as a student types it."""
    found = {}
    for path in sorted(path for path in notebooks(_NOTEBOOKS) if path.name[:2] <= until):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            text = "".join(cell["source"])
            if "solution" in cell["metadata"].get("tags", []) and text.startswith("%%cuda"):
                options, _, code = text.partition("\n")
                defines = [
                    f"#define {d.replace('=', ' ')}" for d in re.findall(r"-D\s*(\S+)", options)
                ]
                for name in re.findall(r"__global__ void (\w+)\(", code):
                    if name in mine.PIECES:
                        found[name] = "\n".join([*defines, code])
    return found


def change(text, *pairs):
    for old, new in zip(pairs[::2], pairs[1::2], strict=True):
        assert old in text, f"{old!r} is not in\n{text}"
        text = text.replace(old, new)
    return text


# --- right --------------------------------------------------------------------------------------


def right(name):
    """At least eight texts that are right, written differently."""
    piece, text = mine.PIECES[name], typed(name)
    restrict = re.sub(
        r"const (float|int|unsigned char)\*(?= \w+,)", r"const \1* __restrict__", text
    )
    renamed = text
    for parameter in piece.signature:
        if parameter.name in piece.shapes:
            renamed = re.sub(
                rf"(?<![.\w]){parameter.name}\b(?!\()", f"{parameter.name}_of_mine", renamed
            )
    braces = re.sub(r"\)\s*\{", ")\n{", text, count=1)
    const = text.replace("    int ", "    const int ", 1)
    texts = [
        text,
        piece.best,
        restrict,
        renamed,
        "// a note\n/* and another */\n" + braces,
        const,
        *_BLOCKS(text),
        *RIGHT.get(name, []),
    ]
    return list(dict.fromkeys(texts))


def _BLOCKS(text):
    """Other blocks, and a grid that has some to spare."""
    if "+ 255) / 256, 256" in text:
        yield text.replace("+ 255) / 256, 256", "+ 63) / 64, 64")
        yield text.replace("+ 255) / 256, 256", "+ 511) / 512 + 3, 512")
        yield text.replace("<<<(", "<<<dim3((").replace("/ 256, 256", "/ 256), dim3(256)")
    if "#define T 16" in text:
        yield text.replace("#define T 16", "#define T 32")
        yield text.replace("#define T 16", "constexpr int T = 16;")


_I = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
_ACROSS = "int i = threadIdx.x * gridDim.x + blockIdx.x;"
_LOOP = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)"


def _plain(name, *pairs):
    return change(mine.PIECES[name].plain, *pairs)


RIGHT = {
    "normalise_images": [
        _plain("normalise_images", _I, _ACROSS),
        _plain(
            "normalise_images",
            "(x[i] / 255.0f - mean) / std",
            "(x[i] - 255.0f * mean) / (255.0f * std)",
        ),
        _plain(
            "normalise_images",
            "(x[i] / 255.0f - mean) / std",
            "x[i] * (1.0f / (255.0f * std)) - mean / std",
        ),
    ],
    "sgd_step": [
        _plain("sgd_step", "w[i] -= lr * g[i]", "w[i] = w[i] - lr * g[i]"),
        _plain("sgd_step", "w[i] -= lr * g[i]", "w[i] = fmaf(-lr, g[i], w[i])"),
        _plain(
            "sgd_step",
            _LOOP,
            "for (int i = threadIdx.x * gridDim.x + blockIdx.x; i < n; i += gridDim.x * blockDim.x)",
        ),
    ],
    "relu": [
        _plain("relu", _I, _ACROSS),
        _plain("relu", "fmaxf(x[i], 0.0f)", "x[i] > 0 ? x[i] : 0"),
        _plain("relu", "fmaxf(x[i], 0.0f)", "x[i] * (x[i] > 0)"),
    ],
    "relu_grad": [
        _plain("relu_grad", _I, _ACROSS),
        _plain("relu_grad", "y[i] > 0.0f ? dy[i] : 0.0f", "dy[i] * (y[i] > 0)"),
        _plain("relu_grad", "y[i] > 0.0f", "y[i] != 0"),
    ],
    "momentum_step": [
        _plain("momentum_step", _I, _ACROSS),
        _plain(
            "momentum_step", "v[i] = momentum * v[i] + g[i];", "v[i] *= momentum; v[i] += g[i];"
        ),
    ],
    "linear_forward": [
        change(typed("linear_forward"), "w_tile[T][T + 1]", "w_tile[T][T]"),
        change(
            typed("linear_forward"),
            "sum += x_tile[ty][i] * w_tile[tx][i]",
            "sum = fmaf(x_tile[ty][i], w_tile[tx][i], sum)",
        ),
        change(
            typed("linear_forward"),
            "float sum = 0.0f;",
            "float sum = out < outputs ? b[out] : 0.0f;",
            "sum + b[out]",
            "sum",
        ),
    ],
    "linear_grad_input": [
        change(typed("linear_grad_input"), "dy_tile[T][T]", "dy_tile[T][T + 1]"),
        change(
            typed("linear_grad_input"),
            "for (int out = 0; out < T; out++)",
            "for (int out = T - 1; out >= 0; out--)",
        ),
    ],
    "linear_grad_weight": [
        change(typed("linear_grad_weight"), "dy_tile[T][T]", "dy_tile[T][T + 1]"),
        change(
            typed("linear_grad_weight"),
            "for (int n = 0; n < T; n++)",
            "for (int n = T - 1; n >= 0; n--)",
        ),
    ],
    "sum_columns": [
        change(typed("sum_columns"), "#define T 128", "#define T 64"),
        change(typed("sum_columns"), "#define T 128", "#define T 256"),
        """// <<<(columns + 3) / 4, 128>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns, int inner) {
    int c = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    if (c < columns) {
        for (int i = lane; i < rows * inner; i += 32) sum += x[(i / inner * columns + c) * inner + i % inner];
    }
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (c < columns && lane == 0) sums[c] = sum;
}""",
        """// <<<(columns + 31) / 32, dim3(32, 8)>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns, int inner) {
    __shared__ float part[8][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0;
    for (int r = threadIdx.y; r < rows && c < columns; r += 8) {
        for (int k = 0; k < inner; k++) sum += x[(r * columns + c) * inner + k];
    }
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    for (int warp = 1; warp < 8; warp++) sum += threadIdx.y == 0 ? part[warp][threadIdx.x] : 0;
    if (threadIdx.y == 0 && c < columns) sums[c] = sum;
}""",
    ],
    "softmax_cross_entropy": [
        change(typed("softmax_cross_entropy"), "(rows + 7) / 8, 256", "(rows + 3) / 4, 128"),
        change(typed("softmax_cross_entropy"), "(rows + 7) / 8, 256", "rows, 32"),
        change(
            typed("softmax_cross_entropy"),
            "logf(sum) - (z[label] - largest)",
            "logf(sum) + largest - z[label]",
        ),
    ],
    "conv_forward": [
        _plain(
            "conv_forward",
            "if (row < 0 || row >= H || column < 0 || column >= W) continue;\n                sum +=",
            "if (row >= 0 && row < H && column >= 0 && column < W) sum +=",
        ),
        _plain(
            "conv_forward",
            "float sum = b[f];",
            "float sum = 0.0f;",
            "y[at] = sum;",
            "y[at] = sum + b[f];",
        ),
    ],
    "max_pool": [
        _plain(
            "max_pool",
            "int at = blockIdx.x * blockDim.x + threadIdx.x;",
            "int at = threadIdx.x * gridDim.x + blockIdx.x;",
        )
    ],
    "max_pool_grad": [
        _plain(
            "max_pool_grad",
            "if (argmax[window] == pixel) sum += dy[window];",
            "sum += argmax[window] == pixel ? dy[window] : 0.0f;",
        ),
        _plain(
            "max_pool_grad",
            "int at = blockIdx.x * blockDim.x + threadIdx.x;",
            "int at = threadIdx.x * gridDim.x + blockIdx.x;",
        ),
    ],
    "conv_grad_weight": [
        mine.PIECES["conv_grad_weight"].plain,
        change(typed("conv_grad_weight"), "#define T 256", "#define T 128"),
        change(typed("conv_grad_weight"), "#define T 256", "#define T 32"),
    ],
    "conv_relu": [
        _plain("conv_relu", "fmaxf(sum, 0.0f)", "sum > 0 ? sum : 0"),
        _plain(
            "conv_relu",
            "float sum = b[f];",
            "float sum = 0.0f;",
            "fmaxf(sum, 0.0f)",
            "fmaxf(0.0f, b[f] + sum)",
        ),
    ],
    "conv_relu_pool": [
        _plain("conv_relu_pool", "largest = -INFINITY", "largest = -FLT_MAX"),
        _plain(
            "conv_relu_pool",
            "float sum = b[f];",
            "float sum = 0.0f;",
            "fmaxf(largest, 0.0f)",
            "fmaxf(largest + b[f], 0)",
        ),
    ],
    "conv_grad_input": [
        _plain(
            "conv_grad_input",
            "if (oy >= OH || ox >= OW) continue;\n            for",
            "if (oy < OH && ox < OW) for",
        ),
        _plain(
            "conv_grad_input",
            "int at = blockIdx.x * blockDim.x + threadIdx.x;",
            "int at = threadIdx.x * gridDim.x + blockIdx.x;",
        ),
    ],
}


# --- wrong --------------------------------------------------------------------------------------


def wrong(name):
    """At least fifteen (text, words of the hint)."""
    piece, text = mine.PIECES[name], typed(name)
    launch = re.search(r"<<<.*>>>", text)[0]
    body = text.index("{", text.index(" " + name + "("))
    first = piece.signature[0].name if piece.signature[0].name not in piece.updates else "g"
    yield (
        f"// {launch}\n{text[:body]}{{}}\n",
        ("stays as it was" if piece.updates else "does any thread store a result"),
    )
    yield text.replace("<<<", "").replace(">>>", ""), "does not say how it is launched"
    yield text.replace(launch, "<<<count, 256>>>"), "'count'"
    yield text.replace(launch, "<<<1>>>"), "needs a grid and a block"
    yield text.replace(launch, launch.split(",")[0] + ", 32"), ">>>"
    yield text.replace(launch, "<<<1, 2048>>>"), "1024"
    yield text.replace('extern "C" ', ""), 'not extern "C"'
    yield re.sub(r"\bint (n|N|rows|planes)\b", r"float \1", text, count=1), "its contract is ("
    yield text[:body] + text[body:].replace(";", "", 1), "expected ';'"
    yield text.replace(f" {name}(", " my_kernel("), f"no kernel named '{name}'"
    yield text[: body + 1] + " while (true) {}\n" + text[body + 1 :], "does not end"
    store = f" if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y == 0) (({_kind(piece, first)}*){first})[0] = 9;"
    last = text.rindex("}")
    yield text[:last].replace("return;", "return;") + "\n" + store + text[last:], "is an input"
    for old, new, words in WRONG[name]:
        yield change(text, old, new), words


def _kind(piece, name):
    return re.search(rf"(?:const )?([\w ]+)\* {name}\b", piece.parameters)[1].replace("const ", "")


_ELEMENT = [
    ("(n + 255) / 256", "n / 256", "the end is missing"),
    ("(n + 255) / 256", "1", "the end is missing"),
]

_ALL_BY_EACH_BLOCK = (
    "if (i < n) ",
    "for (i = threadIdx.x; i < n; i += blockDim.x) ",
    "repeat each other's work",
)

WRONG = {
    "normalise_images": [
        ("(n + 255) / 256, 256", "ceil(n / 256), 256", "before ceil sees it"),
        ("(x[i] / 255.0f - mean) / std", "fmaxf((x[i] / 255.0f - mean) / std, -1.0f)", ""),
        *_ELEMENT,
        ("(n + 255) / 256, 256", "1, 1", "only the first is written"),
        _ALL_BY_EACH_BLOCK,
        ("if (i < n) ", "", "guard"),
        ("i < n", "i <= n", "one too many"),
        (_I, "int i = threadIdx.x;", "the end is missing"),
        ("255.0f", "256.0f", "not by 256"),
        ("x[i] / 255.0f", "x[i] / 255", "write 255.0f"),
        (") / std", ") * std", "do not multiply"),
        ("(x[i] / 255.0f - mean) / std", "x[i] / 255.0f - mean / std", "brackets"),
        ("x[i] / 255.0f - mean", "x[i] - mean", "the pixel still runs to 255"),
        ("- mean", "+ mean", "do not add it"),
        ("- mean)", ")", "the mean is not subtracted"),
        ("i < n", "i < n - 1", "the end is missing"),
    ],
    "sgd_step": [
        ("(n + 255) / 256, 256", "1, 1", "1 thread does the work of 8,192"),
        ("i += gridDim.x * blockDim.x", "", "does not end"),
        (_LOOP, _I + " if (i < n)", "any grid must do"),
        ("i += gridDim.x * blockDim.x", "i += blockDim.x", "two have the same"),
        ("w[i] -= lr * g[i]", "atomicAdd(&w[i], -lr * g[i])", "a plain store"),
        ("i += gridDim.x * blockDim.x", "i += gridDim.x", "is the step of the loop as long"),
        ("-= lr", "+= lr", "minus, not plus"),
        ("lr * g[i]", "g[i]", "lr is missing"),
        ("w[i] -=", "w[i] = -", "do not replace"),
        ("i < n", "i <= n", "one too many"),
        ("w[i] -= lr * g[i]", "w[i] = lr * g[i]", "do not replace"),
        ("lr * g[i]", "lr * w[i]", "of w only the old value"),
        ("i += gridDim.x * blockDim.x", "i += 1000000", "any grid must do"),
        ("w[i] -= lr * g[i]", "w[i] = (w[i] - g[i]) * lr", "brackets"),
        ("i < n", "i < n - 1", ""),
    ],
    "relu": [
        ("fmaxf(x[i], 0.0f)", "fminf(fmaxf(x[i], 0.0f), 6.0f)", "no upper end"),
        *_ELEMENT,
        _ALL_BY_EACH_BLOCK,
        ("if (i < n) ", "", "guard"),
        ("i < n", "i <= n", "one too many"),
        (_I, "int i = threadIdx.x;", "the end is missing"),
        ("fmaxf", "fminf", "max, not min"),
        ("fmaxf(x[i], 0.0f)", "x[i]", "this copies"),
        ("fmaxf(x[i], 0.0f)", "max(x[i], 0)", "0 is an int, 0.0f a float"),
        ("fmaxf(x[i], 0.0f)", "(int)fmaxf(x[i], 0)", "an int drops"),
        ("fmaxf(x[i], 0.0f)", "fabsf(x[i])", "the absolute value"),
        ("y[i] = fmaxf(x[i], 0.0f)", "if (x[i] > 0) y[i] = x[i]", "write 0, too"),
        ("fmaxf(x[i], 0.0f)", "x[i] > 0", "this is the slope"),
        (", 0.0f", ", 1.0f", "0, not 1"),
        ("fmaxf(x[i], 0.0f)", "fminf(fmaxf(x[i], 0.0f), 1.0f)", "no upper end"),
        ("i < n", "i < n - 1", "the end is missing"),
    ],
    "relu_grad": [
        *_ELEMENT,
        _ALL_BY_EACH_BLOCK,
        ("if (i < n) ", "", "guard"),
        ("i < n", "i <= n", "one too many"),
        (_I, "int i = threadIdx.x;", "the end is missing"),
        ("y[i] > 0.0f", "y[i] >= 0.0f", "where y is 0 the gradient is 0"),
        ("y[i] > 0.0f", "dy[i] > 0.0f", "the mask comes from y"),
        ("? dy[i] : 0.0f", "? 1.0f : 0.0f", "only the slope"),
        ("y[i] > 0.0f ? dy[i] : 0.0f", "dy[i] * y[i]", "not y"),
        ("y[i] > 0.0f ?", "y[i] <= 0.0f ?", "wrong way round"),
        ("? dy[i]", "? y[i]", "its gradient is dy"),
        ("dx[i] = y[i] > 0.0f ? dy[i] : 0.0f", "if (y[i] > 0.0f) dx[i] = dy[i]", "write 0, too"),
        ("i < n", "i < n - 1", "the end is missing"),
    ],
    "momentum_step": [
        ("(n + 255) / 256", "n / 256", "the end is missing"),
        ("    if (i >= n) return;\n", "", "guard"),
        (_I, "int i = threadIdx.x;", ""),
        ("momentum * v[i] + g[i]", "v[i] + g[i]", "multiplied by momentum"),
        ("momentum * v[i] + g[i]", "momentum * v[i] + (1 - momentum) * g[i]", "whole"),
        ("momentum * v[i] + g[i]", "(int)(momentum * v[i] + g[i])", "are whole"),
        ("momentum * v[i] + g[i]", "momentum * v[i] + lr * g[i]", "lr comes in with the step"),
        ("w[i] -=", "w[i] +=", "minus, not plus"),
        ("w[i] -= lr * v[i]", "w[i] -= v[i]", "lr is missing"),
        ("w[i] -= lr * v[i]", "w[i] -= lr * g[i]", "follows the velocity"),
        (
            "v[i] = momentum * v[i] + g[i];\n    w[i] -= lr * v[i];",
            "w[i] -= lr * v[i];\n    v[i] = momentum * v[i] + g[i];",
            "Update v[i] first",
        ),
        ("w[i] -= lr * v[i]", "w[i] -= lr * (g[i] + momentum * v[i])", "looks ahead"),
        (
            "v[i] = momentum * v[i] + g[i];\n    w[i] -= lr * v[i];",
            "v[i] = momentum * v[i] - lr * g[i];\n    w[i] += v[i];",
            "lr and the minus",
        ),
    ],
    "linear_forward": [
        (
            "x_tile[ty][i] * w_tile[tx][i]",
            "x_tile[tx][i] * w_tile[ty][i]",
            "exchanged in the product",
        ),
        ("float sum", "int sum", "keep it a float"),
        (
            "int n = blockIdx.y * T + ty, out = blockIdx.x * T + tx",
            "int n = blockIdx.x * T + tx, out = blockIdx.y * T + ty",
            "n and out are exchanged",
        ),
        (
            "(outputs + T - 1) / T, (N + T - 1) / T",
            "(N + T - 1) / T, (outputs + T - 1) / T",
            "from column 16 on, and there are 100 (outputs)",
        ),
        ("dim3(T, T)", "dim3(32, 32)", "block and tile must fit"),
        ("start += T", "start++", "the tiles overlap"),
        ("x_tile[ty][i] *", "x_tile[tx][i] *", "the row that belongs to its own n"),
        ("        __syncthreads();\n        for", "        for", "__syncthreads()"),
        ("w_tile[tx][i];\n        __syncthreads();", "w_tile[tx][i];", "__syncthreads()"),
        (
            "float sum = 0.0f;",
            "float sum = 0.0f; if (n >= N || out >= outputs) return;",
            "a thread that has returned fills nothing",
        ),
        ("n < N && start + tx < inputs ?", "n < N ?", "x has the shape (N, inputs)"),
        (" + b[out]", "", "b[out] is not added"),
        ("start < inputs;", "start + T <= inputs;", "which is not full"),
        ("float sum = 0.0f;", "float sum;", ""),
        ("sum += x_tile", "sum = x_tile", "+=, not ="),
        ("w_tile[tx][i]", "w_tile[i][tx]", "one way and read the other"),
        ("y[n * outputs + out]", "y[out * N + n]", "transposed place"),
        ("start < inputs;", "start < T;", "only the first tile"),
        ("n * inputs + start + tx]", "n * outputs + start + tx]", "each row is inputs long"),
        ("w[row * inputs", "w[row * outputs", "not w[out * outputs + i]"),
        (
            "w_tile[ty][tx] = row < outputs && start + tx < inputs ? w[row",
            "w_tile[ty][tx] = out < outputs && start + tx < inputs ? w[out",
            "out and i come from one thread index",
        ),
        ("row = blockIdx.x", "row = blockIdx.y", "counts out:"),
        ("x[n * inputs + start + tx]", "x[n * inputs + tx]", "every step loads the same numbers"),
        ("row < outputs && ", "", "w has the shape (outputs, inputs)"),
        ("blockIdx.y * T + ty,", "ty,", ""),
        ("n < N && out < outputs)", "out < outputs)", "guard"),
    ],
    "linear_grad_input": [
        ("(start + ty) * inputs", "start + ty * inputs", "the brackets are missing"),
        (
            "int n = blockIdx.y * T + ty, i = blockIdx.x * T + tx",
            "int n = blockIdx.y * T + tx, i = blockIdx.x * T + ty",
            "n and i are exchanged",
        ),
        (
            "dy_tile[ty][out] * w_tile[out][tx]",
            "dy_tile[tx][out] * w_tile[out][ty]",
            "exchanged in the product",
        ),
        (
            "(inputs + T - 1) / T",
            "(outputs + T - 1) / T",
            "from column 16 on, and there are 32 (inputs)",
        ),
        ("        __syncthreads();\n        for", "        for", "__syncthreads()"),
        ("w_tile[out][tx];\n        __syncthreads();", "w_tile[out][tx];", "__syncthreads()"),
        (
            "float sum = 0.0f;",
            "float sum = 0.0f; if (n >= N || i >= inputs) return;",
            "fills nothing",
        ),
        ("start < outputs;", "start + T <= outputs;", "which is not full"),
        ("start < outputs;", "start < T;", "only the first tile"),
        ("sum += dy_tile", "sum = dy_tile", ""),
        (
            "start + tx < outputs ?",
            "start + tx < inputs ?",
            "only the first products, up to inputs",
        ),
        ("w[(start + ty) * inputs + i]", "w[ty * inputs + i]", "does not walk along outputs"),
        ("dx[n * inputs + i]", "dx[i * N + n]", "transposed place"),
        ("w[(start + ty) * inputs + i]", "w[i * outputs + start + ty]", "not w[i * outputs + out]"),
        ("w[(start + ty) * inputs + i]", "w[i * inputs + start + ty]", "not w[i * inputs + out]"),
        ("dy[n * outputs + start + tx]", "dy[n * inputs + start + tx]", "not dy[n * inputs + out]"),
        ("n < N && i < inputs)", "n < N)", "guard"),
        ("n < N && start + tx < outputs ?", "n < N ?", "dy has the shape (N, outputs)"),
        ("w_tile[out][tx]", "w_tile[tx][out]", "tile of w is filled one way"),
    ],
    "linear_grad_weight": [
        (
            "dy_tile[n][ty] * x_tile[n][tx]",
            "dy_tile[n][tx] * x_tile[n][ty]",
            "exchanged in the product",
        ),
        ("outputs + column]", "outputs + out]", "in both"),
        ("        __syncthreads();\n        for", "        for", "__syncthreads()"),
        ("x_tile[n][tx];\n        __syncthreads();", "x_tile[n][tx];", "__syncthreads()"),
        (
            "float sum = 0.0f;",
            "float sum = 0.0f; if (out >= outputs || i >= inputs) return;",
            "fills nothing",
        ),
        ("start < N;", "start + T <= N;", "which is not full"),
        ("start < N;", "start < T;", "only the first tile"),
        ("sum += dy_tile", "sum = dy_tile", ""),
        ("dw[out * inputs + i] = sum", "dw[out * inputs + i] = sum / N", "not divided"),
        ("dw[out * inputs + i]", "dw[i * outputs + out]", "dw"),
        ("start + ty < N && i < inputs ?", "i < inputs ?", "x has the shape (N, inputs)"),
        ("dy_tile[n][ty]", "dy_tile[ty][n]", "tile of dy is filled one way"),
        ("out < outputs && i < inputs)", "out < outputs)", "guard"),
    ],
    "sum_columns": [
        ("<<<columns,", "<<<columns + 1,", "guard"),
        ("        __syncthreads();\n    }", "    }", "__syncthreads()"),
        ("part[t] = sum;\n    __syncthreads();", "part[t] = sum;", "__syncthreads()"),
        ("half = T / 2", "half = T / 4", "half of the threads are missing"),
        ("sums[c] = part[0]", "sums[c] = sum", "what one thread has"),
        ("i < rows * inner", "i < rows", "only the first rows of them"),
        ("half /= 2", "half /= 4", ""),
        ("part[t] = sum;", "part[t] = t < T - 32 ? sum : 0.0f;", "the last warp is left out"),
        ("if (t < half) part", "part", ""),
        ("i / inner * columns + c", "i / inner + c", ""),
        (
            "(i / inner * columns + c) * inner + i % inner",
            "i / inner * columns + c + i % inner",
            "columns * inner numbers further, not columns",
        ),
        (
            "i / inner * columns + c) * inner + i % inner",
            "i % inner * columns + c) * inner + i / inner",
            "r and i of number k are mixed up",
        ),
        (
            "(i / inner * columns + c) * inner + i % inner",
            "i / inner * columns + c",
            "i is not used yet",
        ),
        ("half > 0", "half > 1", "the last step of the tree"),
        (
            "(i / inner * columns + c) * inner + i % inner",
            "i * columns + c",
            "i is the fastest index",
        ),
        ("sums[c] = part[0]", "sums[c] = part[0] / rows", ""),
        ("i += T", "i += T / 2", ""),
        ("float sum = 0.0f;", "float sum = 0.0f; if (t > 9) return;", "fills nothing"),
        (
            "int c = blockIdx.x, t",
            "int c = blockIdx.x + 1, t",
            "x has the shape (rows, columns, inner)",
        ),
        (
            "    if (t == 0) sums[c] = part[0];",
            "    if (t == 0) { sum = 0.0f; for (int i = 0; i < rows * inner; i++) sum += x[(i / inner * columns + c) * inner + i % inner]; sums[c] = sum; }",
            "one thread walks",
        ),
    ],
    "softmax_cross_entropy": [
        ("k == label", "k == lane", "compare k with label"),
        ("k == label", "lane == label", "with label, not the lane"),
        ("logits + r * classes", "logits + r * rows", "row r begins at r * classes"),
        (
            "logf(sum) - (z[label] - largest)",
            "-logf(expf(z[label] - largest) / sum + 1e-12f)",
            "stop at a limit",
        ),
        ("fmaxf(largest, z[k])", "z[0]", "only the first of the row"),
        ("labels[r]", "labels[lane]", "one element for each of the rows"),
        ("if (lane == 0) losses", "if (threadIdx.x == 0) losses", "lane 0 of each warp"),
        (
            "(blockIdx.x * blockDim.x + threadIdx.x) / 32",
            "blockIdx.x * blockDim.x + threadIdx.x",
            "lanes of a warp part",
        ),
        ("sum += __shfl_xor_sync", "sum += __shfl_down_sync", "only lane 0 has the sum"),
        ("k < classes; k += 32) sum", "k < classes; k++) sum", "several lanes add the same"),
        ("- largest", "", "exp overflows"),
        ("fmaxf(largest, z[k])", "z[k]", "fmaxf, not ="),
        ("0xffffffffu, largest, offset", "0xffff, largest, offset", ""),
        (" / rows;", ";", "divide by rows"),
        ("(p - (k == label ? 1.0f : 0.0f))", "p", "the 1 of the label"),
        ("logf(sum) - (z[label] - largest)", "z[label] - largest - logf(sum)", "turn the sign"),
        (
            "logf(sum) - (z[label] - largest)",
            "(logf(sum) - (z[label] - largest)) / rows",
            "mean is taken later",
        ),
        ("labels[r]", "labels[0]", "every row has its label"),
        (
            "int offset = 16; offset > 0; offset /= 2) sum",
            "int offset = 8; offset > 0; offset /= 2) sum",
            "",
        ),
        ("if (r >= rows) return;", "", "guard"),
        ("if (r >= rows) return;", "if (r >= rows || lane >= classes) return;", "all lanes"),
        ("k < classes; k += 32) sum", "k < 32 && k < classes; k += 32) sum", ""),
        (
            "k < classes; k += 32) largest",
            "k < 32 && k < classes; k += 32) largest",
            "the first 32 numbers only",
        ),
        ("k == label ? 1.0f", "k == label ? -1.0f", "do not add it"),
        ("logf(sum) - (z[label] - largest)", "logf(sum) - z[label]", "from z[label], too"),
        ("if (lane == 0) losses", "losses", "let one thread store it"),
        ("-INFINITY", "0.0f", "begins at -INFINITY"),
        (
            "__shfl_xor_sync(0xffffffffu, largest, offset)",
            "largest",
            "each lane has its own largest",
        ),
        ("sum += __shfl_xor_sync(0xffffffffu, sum, offset)", "sum += 0.0f", "the sum of one lane"),
        ("logf(sum)", "log2f(sum)", "natural logarithm"),
        (
            "logf(sum) - (z[label] - largest)",
            "logf(sum) - z[label] - largest",
            "subtracted as a whole",
        ),
        (
            "logf(sum) - (z[label] - largest)",
            "-logf(expf(z[label] - largest) / sum)",
            "has become 0",
        ),
    ],
    "conv_forward": [
        ("N * F * OH * OW + 255) / 256", "N * F * OH * OW) / 256", "a division cuts off"),
        ("(N * F * OH * OW + 255) / 256", "1", "does the grid in the launch line grow"),
        ("    if (at >= N * F * OH * OW) return;\n", "", "guard"),
        ("float sum = b[f];", "float sum = 0.0f;", "b[f] is not added"),
        ("row < 0 || ", "", "negative"),
        ("row < 0", "row <= 0", ""),
        ("i < K", "i < K - 1", ""),
        ("- pad, column", ", column", "(look at the row)"),
        ("oy = at / OW % OH", "oy = at / OH % OW", "taken apart wrongly, by at / OH"),
        (
            "row < 0 || row >= H || column < 0 || column >= W",
            "!(0 <= row < H && 0 <= column < W)",
            "write a <= b && b < c",
        ),
        (
            "row < 0 || row >= H || column < 0 || column >= W",
            "!(row < H || column < W)",
            "a thread may work where all of them are",
        ),
        (
            "row >= H || column < 0 || column >= W",
            "row >= W || column < 0 || column >= H",
            "H and W are exchanged",
        ),
        ("i = 0; i < K", "i = 1; i < K", ""),
        ("sum += x[", "sum = x[", "only the last product is left"),
        ("oy * stride + i", "oy + i", ""),
        (
            "oy * stride + i - pad, column = ox * stride + j - pad",
            "oy + i, column = ox + j",
            "stride and pad are missing",
        ),
        (
            "oy * stride + i - pad, column = ox * stride + j - pad",
            "oy + i - pad, column = ox + j - pad",
            "windows are stride apart",
        ),
        ("int ox = at % OW, oy = at / OW % OH", "int oy = at % OH, ox = at / OH % OW", "first ox"),
        (
            "f = at / (OW * OH) % F, n = at / (OW * OH * F)",
            "n = at / (OW * OH) % N, f = at / (OW * OH * N)",
            "f comes before n",
        ),
        ("* K + i) * K + j", "* K + j) * K + i", "rows and columns of the filter"),
        ("(f * C + c) * K + i) * K + j", "(f * C + c) * K + K - 1 - i) * K + K - 1 - j", "flipped"),
        ("c < C", "c < 1", "only the first channel"),
        ("(n * C + c) * H", "c * H", "n is missing in the index of x"),
        ("(f * C + c)", "c", "f is missing in the index of w"),
        (
            "row < 0 || row >= H || column < 0 || column >= W) continue",
            "row < 0 || row >= H || column < 0 || column >= W) return",
            "continue, not return",
        ),
        ("column >= W) continue", "column >= W) break", "continue, not break"),
        ("(f * C + c) * K + i", "f * K + i", "c and C belong"),
        (
            "i - pad, column = ox * stride + j - pad",
            "i + pad, column = ox * stride + j + pad",
            "subtracted, not added",
        ),
        (
            "oy * stride + i - pad, column = ox * stride + j - pad",
            "(oy - pad) * stride + i, column = (ox - pad) * stride + j",
            "counted in pixels",
        ),
        ("float sum = b[f];", "float sum = 0.0f; y[at] = 0.0f;", "b[f] is not added"),
        ("sum += x[", "sum += b[f] + x[", ""),
    ],
    "conv_relu": [
        ("fmaxf(sum, 0.0f)", "sum", "ReLU is missing"),
        ("fmaxf(sum, 0.0f)", "fminf(sum, 0.0f)", "max, not min"),
        ("fmaxf(sum, 0.0f)", "sum > 0 ? sum : 0.01f * sum", "not a part of"),
        ("float sum = b[f]", "float sum = -b[f]", "do not subtract"),
        ("y[at] = fmaxf(sum, 0.0f)", "if (sum > 0) y[at] = sum", "write 0, too"),
        ("* K + j];", "* K + j], sum = fmaxf(sum, 0.0f);", "behind all loops"),
        (
            "        }\n    }\n    y[at] = fmaxf(sum, 0.0f)",
            "        }\n        sum = fmaxf(sum, 0.0f);\n    }\n    y[at] = sum",
            "behind all loops",
        ),
        ("float sum = b[f];", "float sum = 0.0f;", "b[f] is not added"),
        ("fmaxf(sum, 0.0f)", "fabsf(sum)", "no absolute value"),
        ("float sum = b[f];", "float sum = 0.0f;\n    int dummy = 0;", "b[f] is not added"),
        ("c < C", "c < 1", "only the first channel"),
        ("N * F * OH * OW + 255) / 256", "N * F * OH * OW) / 256", "a division cuts off"),
        ("i < K", "i < K - 1", ""),
        ("    if (at >= N * F * OH * OW) return;\n", "", "guard"),
    ],
    "conv_relu_pool": [
        ("    if (at >= N * F * PH * PW) return;\n", "", "guard"),
        ("fmaxf(largest, 0.0f)", "largest", "ReLU is missing"),
        ("float sum = b[f];", "float sum = 0.0f;", "b[f] is not added"),
        ("sum > largest", "fmaxf(sum, 0.0f) > largest", ""),
        ("largest = sum;", "largest = fmaxf(sum, 0.0f);", "compare before ReLU"),
        ("sum > largest", "sum >= largest", "of equal outputs the first"),
        ("largest = -INFINITY", "largest = 0.0f", "no place is noted"),
        ("2 * py + k / 2, ox = 2 * px", "py + k / 2, ox = px", "stand 2 apart"),
        ("argmax[at] = place", "argmax[at] = largest", "not its value"),
        (
            "oy * stride + i - pad, column = ox * stride + j - pad",
            "oy * stride + i, column = ox * stride + j",
            "not subtracted",
        ),
        ("place = oy * OW + ox", "place = k", "not in the window"),
        ("place = oy * OW + ox", "place = oy * W + ox", "OW numbers, not W"),
        ("argmax[at] = place", "argmax[at] = place + (n * F + f) * OH * OW", "own plane"),
        ("argmax[at] = place;", "", "store a result in argmax"),
        ("sum > largest", "k == 0", "not its first output"),
        ("c < C", "c < 1", "only the first channel"),
    ],
    "max_pool": [
        ("+ 255) / 256", ") / 256", "a division cuts off"),
        ("    if (at >= planes * OH * OW) return;\n", "", "guard"),
        ("> plane[best]", ">= plane[best]", "the first one wins"),
        ("> plane[best]", "< plane[best]", "not the smallest"),
        ("argmax[at] = best", "argmax[at] = best + at / (OH * OW) * H * W", "its own plane"),
        ("row < top + size", "row < top + size - 1", ""),
        ("x + at / (OH * OW) * H * W", "x", "the first plane"),
        ("argmax[at] = best;", "", "store a result in argmax"),
        (
            "argmax[at] = best;",
            "argmax[at] = best == top * W + left ? 0 : best;",
            "argmax is 0 where",
        ),
        ("y[at] = plane[best]", "y[at] = fmaxf(0.0f, plane[best])", "may be negative"),
        ("at / OW % OH * stride, left", "at / OW % OH * size, left", ""),
        ("argmax[at] = best", "argmax[at] = best / W * OW + best % W", "W numbers"),
        ("y[at] = plane[best];", "y[at] = plane[top * W + left];", "window's first pixel"),
        ("argmax[at] = best", "argmax[at] = best % W * H + best / W", "rows come first"),
        ("best]) best = row * W + column", "best]) best = row * OW + column", ""),
        (
            "at / OW % OH * stride, left = at % OW * stride",
            "at / OW % OH, left = at % OW",
            "stride apart",
        ),
        (
            "at / OW % OH * stride, left = at % OW * stride",
            "at % OH * stride, left = at / OH % OW * stride",
            "first ox",
        ),
        ("y[at] = plane[best]", "y[at] = best", "y is the largest value"),
        ("y[at] = plane[best]", "y[at] = (int)plane[best]", "an int drops"),
        ("y[at] = plane[best]", "y[at] = fmaxf(-1.0f, plane[best])", "not with -1"),
    ],
    "max_pool_grad": [
        ("+ 255) / 256", ") / 256", "the end is missing"),
        ("    if (at >= planes * H * W) return;\n", "", "guard"),
        ("sum += dy[window]", "sum = dy[window]", "won several times"),
        ("if (argmax[window] == pixel) ", "", "only the pixel that won"),
        ("dx[at] = sum", "if (sum != 0.0f) dx[at] = sum", "won nowhere"),
        ("sum += dy[window]", "sum += 1.0f", "how often"),
        ("dx[at] = sum", "dx[at] = sum / (size * size)", "not shared"),
        ("plane * OH + oy", "oy", "the first plane"),
        ("oy = first_oy", "oy = row / stride", ""),
        ("dx[at] = sum", "dx[at] = -sum", "sign"),
        ("argmax[window] == pixel", "argmax[window] == at", "within its own plane"),
        ("oy * stride <= row", "oy * stride < row", ""),
    ],
    "conv_grad_weight": [
        ("sum = 0.0f;\n    for (int p", "sum;\n    for (int p", ""),
        ("    if (at >= F * C * K * K) return;\n", "", "guard"),
        ("dw[at] = sum", "dw[at] = sum / N", "not a mean"),
        ("p < N * OH * OW", "p < OH * OW", "first image"),
        ("row < 0 || ", "", "negative"),
        ("row < 0", "row <= 0", ">= 0, not > 0"),
        ("(n * C + c) * H", "n * C * H", "c and C belong"),
        ("(n * F + f)", "(n * F)", "f and F belong"),
        ("((n * F + f)", "(n", "f and F belong"),
        ("(n * C + c)", "n", "c and C belong"),
        ("p += 32", "p += 33", ""),
        ("(n * F + f)", "(n * C + f)", "dy has F planes"),
        ("sum = 0.0f", "sum", "give it a value"),
        ("int d = 16", "int d = 8", ""),
        ("if (lane == 0) dw[at] = sum;", "atomicAdd(&dw[at], sum);", ""),
        ("oy * stride + i", "oy + i", ""),
        (
            "int j = at % K, i = at / K % K",
            "int i = at % K, j = at / K % K",
            "rows and columns of the filter",
        ),
    ],
    "conv_grad_input": [
        ("+ 255) / 256", ") / 256", ""),
        ("    if (at >= N * C * H * W) return;\n", "", "guard"),
        ("row + pad - i, left = column + pad - j", "row - pad + i, left = column - pad + j", ""),
        (" || top % stride != 0 || left % stride != 0", "", "a multiple of stride"),
        ("top < 0 || left < 0", "top <= 0 || left <= 0", ">= 0, not > 0"),
        ("f < F", "f < 1", "only the first filter"),
        ("sum += dy", "sum = dy", "only the last product"),
        (" || left % stride != 0", "", "(look at the column)"),
        ("dx[at] = sum", "if (sum != 0.0f) dx[at] = sum", "no output has met gets 0"),
        ("(f * C + c) * K", "f * C * K", "c must be in the index of w"),
        ("(n * F + f)", "f", "n must be in the index of dy"),
        ("dx[at] = sum", "dx[at] = sum / N", "not a mean"),
        ("i < K", "i < K - 1", ""),
        ("            if (oy >= OH || ox >= OW) continue;\n", "", ""),
        ("* K + i) * K + j", "* K + j) * K + i", "rows and columns"),
    ],
}
