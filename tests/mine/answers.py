"""Right and wrong answers to every workshop, as students write them: texts made from a few by what they would change."""

import json
import re
from pathlib import Path

from nnlib import mine
from nnlib.course.exercises.mistakes import parsed, usual_text
from nnlib.lessons import notebooks

# Piece -> wrong answers as mistakes in its typed text; in the place of hints stand words of what is said.
WRONG = dict(
    part.split("\n", 1)
    for part in Path(__file__).with_name("wrong.txt").read_text("utf-8").split("\n## ")[1:]
)
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
_STORED_ROW = "expf(dot(q, k + s * step, D) * scale - (largest + logf(sum)))"
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
    for (int i = threadIdx.y; i < rows * inner && c < columns; i += 8)
        sum += x[(i / inner * columns + c) * inner + i % inner];
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
    "embedding": [
        _plain("embedding", _I, _ACROSS),
        _plain("embedding", "tokens[i / D] * D + i % D", "i - (i / D - tokens[i / D]) * D"),
    ],
    "embedding_grad": [
        _plain("embedding_grad", _I, _ACROSS),
        _plain("embedding_grad", "if (tokens[r] == v) sum +=", "sum += (tokens[r] == v) *"),
    ],
    "rms_norm": [
        change(typed("rms_norm"), "(rows + 7) / 8, 256", "rows, 32"),
        change(typed("rms_norm"), "1.0f / sqrtf(", "rsqrtf("),
        change(
            typed("rms_norm"),
            "y[r * D + d] = x[r * D + d] * s * w[d];",
            "y[r * D + d] = x[r * D + d] * s;\n"
            "    for (int d = lane; d < D; d += 32) y[r * D + d] *= w[d];",
        ),
    ],
    "rms_norm_grad": [
        change(typed("rms_norm_grad"), "(rows + 7) / 8, 256", "rows, 32"),
        change(typed("rms_norm_grad"), "1.0f / sqrtf(", "rsqrtf("),
    ],
    "attention": [
        _plain("attention", "(N * T * heads + 63) / 64, 64", "(N * T * heads + 31) / 32 + 2, 32"),
        _plain("attention", "expf(dot(q, k + s * step, D) * scale - largest) / sum", _STORED_ROW),
    ],
    "attention_grad": [
        _plain("attention_grad", "(N * T * heads + 63) / 64, 64", "(N * T * heads + 31) / 32, 32"),
        _plain("attention_grad", _I, _ACROSS),
    ],
    "adamw_step": [
        _plain("adamw_step", _I, _ACROSS),
        _plain(
            "adamw_step",
            "beta1 * m[i] + (1.0f - beta1) * g[i]",
            "m[i] + (1.0f - beta1) * (g[i] - m[i])",
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
    for mistake in parsed(WRONG[name]):
        yield mistake.made_in(text), mistake.hint


def _kind(piece, name):
    return re.search(rf"(?:const )?([\w ]+)\* {name}\b", piece.parameters)[1].replace("const ", "")
