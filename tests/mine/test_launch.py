"""The comment line above a kernel that says its grid and block."""

import pytest

from nnlib import mine
from nnlib.cuda import LaunchError
from nnlib.mine.launch import launch_of

LINEAR, SUM = mine.PIECES["linear_forward"], mine.PIECES["sum_columns"]
KERNEL = "\n" + LINEAR.declaration + " {}\n"
SIZES = {"N": 33, "inputs": 50, "outputs": 17}


@pytest.mark.parametrize(
    ("above", "expected"),
    [
        (
            "// <<<dim3((outputs + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>",
            ((2, 3, 1), (16, 16, 1), 0),
        ),
        (
            "#define T 16\n//<<< dim3((outputs + T - 1) / T, (N+T-1)/T) , dim3(T,T) >>>",
            ((2, 3, 1), (16, 16, 1), 0),
        ),
        (
            "// launched so: <<<N, 32, 4 * inputs>>> with one warp per row",
            ((33, 1, 1), (32, 1, 1), 200),
        ),
        (
            "constexpr int T = 8;\n// <<<dim3(outputs, N, 2), T * T, sizeof(float) * T>>>",
            ((17, 33, 2), (64, 1, 1), 32),
        ),
        (
            "#define CEIL(a, b) (((a) + (b) - 1) / (b))\n// <<<CEIL(N * outputs, 256), 256>>>",
            ((3, 1, 1), (256, 1, 1), 0),
        ),
        ("// <<<1, 32>>>\n// <<<N > 10 ? 5 : min(N, 3), 64>>>", ((5, 1, 1), (64, 1, 1), 0)),
        (
            "__device__ int half_of(int n) { return n / 2; }\n// <<<half_of(N), 7 % 4>>>",
            ((16, 1, 1), (3, 1, 1), 0),
        ),
    ],
)
def test_what_a_line_says_is_computed_as_c_would(above, expected):
    assert launch_of(LINEAR, above + KERNEL).at(**SIZES) == expected


@pytest.mark.parametrize(
    ("above", "words"),
    [
        (
            "",
            "does not say how it is launched: write grid and block in a comment line above it, for example // <<<",
        ),
        ("// <<<N>>>", "needs a grid and a block"),
        ("// <<<N, 32, 0, 0>>>", "needs a grid and a block"),
        ("// <<<N,>>>", "needs a grid and a block"),
        ("// <<<N, 32", "ends with >>>"),
        ("// <<<(N, 32>>>", r"more \( than \)"),
        ("// <<<N), 32>>>", r"as many \( as \)"),
        ("// <<<((outputs + 15) / 16, N), (16, 16)>>>", r"in dim3\(16, 16\)"),
        ("// <<<N, (8, 8)>>>", "keeps the last number only"),
        ("// <<<N; 32, 3>>>", "sizes, numbers and operators only"),
        (
            "// <<<columns, 32>>>",
            "cannot be computed: .*'columns'.* may use N, inputs, outputs and the #define lines",
        ),
        ("// <<<(N + 31) // 32, 32>>>", "integers are divided by /"),
        ("// <<<(4,), (256,)>>>", "needs its name in C"),
        ("// <<<N / 0, 32>>>", "cannot be computed"),
        ("// <<<N +, 32>>>", "cannot be computed"),
        (
            "// <<<(N + blockDim.x - 1) / blockDim.x, 32>>>",
            "blockDim is known inside the kernel only. .* from N, in",
        ),
    ],
)
def test_a_line_that_cannot_be_used_is_told_in_words(above, words):
    with pytest.raises(LaunchError, match=words):
        launch_of(LINEAR, above + KERNEL).at(**SIZES)


def test_a_line_may_use_the_names_that_the_kernel_gives_the_sizes():
    own = (
        LINEAR.declaration.replace("inputs", "I")
        .replace("outputs", "N")
        .replace("int N", "int rows", 1)
    )
    assert launch_of(LINEAR, f"// <<<dim3(rows, N), I>>>\n{own} {{}}\n").at(**SIZES) == (
        (33, 17, 1),
        (50, 1, 1),
        0,
    )


def test_each_kernel_of_a_text_has_its_own_line():
    text = f"// <<<N, 32>>>{KERNEL}// <<<columns, 64>>>\n{SUM.declaration} {{}}\n"
    assert launch_of(LINEAR, text).at(**SIZES)[1] == (32, 1, 1)
    assert launch_of(SUM, text).at(rows=3, columns=4, inner=1) == ((4, 1, 1), (64, 1, 1), 0)
    with pytest.raises(LaunchError, match="sum_columns does not say"):
        launch_of(SUM, f"// <<<N, 32>>>{KERNEL}{SUM.declaration} {{}}\n")


SGD = mine.PIECES["sgd_step"]
OLD = SGD.declaration + " { w[0] = 0; }"
REAL = (
    "\n"
    + SGD.declaration
    + " { for (int i = threadIdx.x; i < n; i += blockDim.x) w[i] -= lr * g[i]; }"
)


@pytest.mark.parametrize(
    "above",
    [
        "// <<<1, 64>>>",
        "// <<<1, 64>>>    the launch: <<<grid, block>>>",
        f"// first try: {OLD} was too slow\n// <<<1, 64>>>",
        f"// <<<7, 7>>>\n/* {OLD} */\n// <<<1, 64>>>",
        f"// <<<7, 7>>>\n// {OLD}\n// <<<1, 64>>>",
        f"// <<<1, 64>>>\n// <<<7, 7>>>\n// {OLD}",
        f"// <<<1, 64>>>\n/* // <<<7, 7>>>\n{OLD} */",
        f"// <<<1, 64>>>\n#if 0\n// <<<7, 7>>>\n{OLD}\n#endif",
        f"// <<<1, 64>>>\n#ifdef OLD\n// <<<7, 7>>>\n{OLD}\n#endif",
        f"// <<<1, 64>>>\n// as in {OLD}",
        f'// <<<7, 7>>>\n__global__ void other() {{ printf("// <<<3, 3>>> {SGD.name}("); }}\n// <<<1, 64>>>',
    ],
)
def test_a_kernel_in_a_comment_is_no_kernel(above):
    assert launch_of(SGD, above + REAL).at(n=1000) == ((1, 1, 1), (64, 1, 1), 0)


@pytest.mark.parametrize(
    "above", [f"/* // <<<7, 7>>>\n{OLD} */", "#if 0\n// <<<7, 7>>>\n#endif", ""]
)
def test_a_line_in_a_comment_is_no_line(above):
    with pytest.raises(LaunchError, match="sgd_step does not say how it is launched"):
        launch_of(SGD, above + REAL)


def test_several_sizes_are_computed_at_once():
    line = launch_of(SGD, "// <<<1000 / n, n>>>" + REAL)
    line.foresee([{"n": 0}, {"n": 10}])
    assert line.at(n=10) == ((100, 1, 1), (10, 1, 1), 0) and not line.same_at(
        [{"n": 10}, {"n": 20}]
    )
    assert line.same_at([{"n": 10}, {"n": 10}])
    with pytest.raises(LaunchError, match="cannot be computed: .*zero"):
        line.at(n=0)
