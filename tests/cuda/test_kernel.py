"""RawKernel and RawModule: one call convention, the same results and the same errors with and without a GPU."""

import contextlib
import json
import pickle
from types import SimpleNamespace

import numpy as np
import pytest

import nnlib.cuda
from nnlib.cuda import (
    ArgumentError,
    KernelError,
    KernelSyntaxError,
    KernelTimeoutError,
    LaunchError,
    OutOfBoundsError,
    RawKernel,
    RawModule,
    UnsupportedError,
    force_simulator,
)
from nnlib.cuda._engine import errors, switches
from nnlib.cuda._engine.gpu import cupy_module
from nnlib.cuda._engine.simulator.observers.checks import CHECKS

SCALE = """
#ifndef FACTOR
#define FACTOR 2.0f
#endif
extern "C" __global__ void scale(const float* x, float* y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = FACTOR * x[i];
}
__global__ void mangled(float* x) { x[0] = 1.0f; }
"""


@pytest.fixture(params=["simulator", pytest.param("gpu", marks=pytest.mark.gpu)])
def engine(request):
    if request.param == "simulator":
        with nnlib.cuda.force_simulator():
            yield request.param
    else:
        yield request.param


def launch(kernel, n=100, **options):
    x, y = np.arange(n, dtype=np.float32), np.full(n, -1, np.float32)
    kernel((n + 63) // 64, 64, (x, y, n), **options)
    return x, y


def test_raw_kernel(engine):
    x, y = launch(RawKernel(SCALE, "scale"))
    np.testing.assert_array_equal(y, 2 * x)


def test_options_and_path(engine, tmp_path):
    file = tmp_path / "scale.cu"
    file.write_text(SCALE)
    module = RawModule(path=file, options=("-DFACTOR=3.0f",))
    x, y = launch(module.get_function("scale"))
    np.testing.assert_array_equal(y, 3 * x)
    assert module.kernels == ["scale", "mangled"]


def test_faults_name_the_file_and_tell_programs(tmp_path):
    file = tmp_path / "vector.cu"
    file.write_text(SCALE)
    x = np.zeros(4, np.float32)
    with nnlib.cuda.force_simulator(), pytest.raises(OutOfBoundsError) as caught:
        RawModule(path=file).get_function("scale")(1, 8, (x, x.copy(), 8))
    error = caught.value
    assert f"at {file}:9:" in str(error)
    known = {
        name: value
        for name, value in json.loads(json.dumps(error.as_dict())).items()
        if value is not None
    }
    assert known == {
        "error": "OutOfBoundsError",
        "what": "out-of-bounds read of x[4]",
        "file": str(file),
        "kernel": "scale",
        "line": 9,
        "column": error.column,
        "thread": [4, 0, 0],
        "block": [0, 0, 0],
        "hint": error.hint,
        "access": "read",
        "space": "global",
        "array": "x",
        "element": "x[4]",
        "index": 4,
        "limit": 4,
        "dynamic": False,
        "guard": "limit",
        "condition": "i < n",
        "variable": "n",
        "conditions": ["i < n"],
        "message": str(error),
    }
    assert f"hint: {error.hint}" in str(error)


def test_errors_can_be_pickled():
    error = OutOfBoundsError("x[4]", line=3, thread=(4, 0, 0), hint="a guard")
    copy = pickle.loads(pickle.dumps(error))
    assert copy.as_dict() == error.as_dict() and type(copy) is OutOfBoundsError


def test_an_error_of_ones_own_has_its_message():
    error = KernelError(message="no such tile\nsecond line", line=3)
    assert (str(error), error.what, error.line) == ("no such tile\nsecond line", "no such tile", 3)


def test_what_the_simulator_lacks_is_told_at_its_place(tmp_path):
    file = tmp_path / "deep.cu"
    file.write_text('extern "C" __global__ void k(float* x) {\n    asm("mma.sync;");\n}')
    with (
        nnlib.cuda.force_simulator(),
        pytest.raises(UnsupportedError, match=r"deep\.cu:2:5") as caught,
    ):
        RawModule(path=file).get_function("k").compile()
    assert (caught.value.file, caught.value.line) == (str(file), 2)


@pytest.mark.parametrize("options", [{"max_blocks": 0}, {"max_blocks": 1.5}, {"step_limit": 0}])
def test_limits_of_a_profile_are_counts(options):
    x = np.zeros(64, np.float32)
    with pytest.raises(LaunchError, match=f"scale: {next(iter(options))} is "):
        RawKernel(SCALE, "scale").profile(1, 64, (x, x, 64), **options)


def test_a_traced_block_is_one_of_the_grid():
    x, y = np.ones(128, np.float32), np.zeros(128, np.float32)
    kernel = RawKernel(SCALE, "scale")
    for index in (1, (1,), [1, 0], (np.int64(1), 0, 0)):
        assert kernel.trace(2, 64, (x, y, 128), block_index=index).block_index == (1, 0, 0)
    for index, words in (
        (2, "not in the grid"),
        (-1, "block_index.x is -1"),
        ("a", "block_index.x is 'a'"),
    ):
        with pytest.raises(LaunchError, match=words):
            kernel.trace(2, 64, (x, y, 128), block_index=index)


def test_a_higher_step_limit_lets_long_loops_end():
    kernel = RawKernel(
        'extern "C" __global__ void count(int* x) { for (int i = 0; i < 50; i++) x[0] += 1; }',
        "count",
    )
    x = np.zeros(1, np.int32)
    with nnlib.cuda.force_simulator():
        with pytest.raises(KernelTimeoutError):
            kernel(1, 1, (x,), step_limit=20)
        with pytest.raises(KernelTimeoutError):
            kernel(1, 1, (x,), step_limit=1)
        kernel(1, 1, (x,), step_limit=60)
    assert x[0] == 50


@pytest.mark.parametrize(
    "module", [dict(), dict(code="x", path="y"), dict(code="x", options="-DA")]
)
def test_what_a_module_is_made_from(module):
    with pytest.raises(TypeError):
        RawModule(**module)


def test_sizes_may_be_numbers_or_tuples(engine):
    kernel = RawKernel(SCALE, "scale")
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    kernel((2, 1), (32,), [x, y, 64], shared_mem=np.int64(0), stream=None)
    assert (y == 2).all()


def test_an_array_may_be_input_and_output(engine):
    x = np.ones(64, np.float32)
    RawKernel(SCALE, "scale")(1, 64, (x, x, 64))
    assert (x == 2).all()


def test_null_pointers(engine):
    add = RawKernel(
        """extern "C" __global__ void add(float* x, const float* bias) {
        x[threadIdx.x] += bias ? bias[threadIdx.x] : 5; }""",
        "add",
    )
    x = np.ones(32, np.float32)
    for bias in (0, np.intp(0), np.uint64(0), x):
        add(1, 32, (x, bias))
    assert (x == 32).all()


def test_overlapping_views(engine):
    x = np.ones(96, np.float32)
    RawKernel(SCALE, "scale")(1, 32, (x[:64], x[32:], 32))
    np.testing.assert_array_equal(x, np.repeat(np.float32([1, 2, 1]), 32))


def test_empty_arrays(engine):
    x = np.zeros(0, np.float32)
    RawKernel(SCALE, "scale")(1, 32, (x, x, 0))


def test_const_arrays_may_be_read_only(engine):
    x, y = np.ones(32, np.float32), np.zeros(32, np.float32)
    x.flags.writeable = False
    RawKernel(SCALE, "scale")(1, 32, (x, y, 32))
    assert (y == 2).all()


def test_argument_errors_name_the_parameter(engine):
    x = np.ones(32, np.float32)
    with pytest.raises(
        ArgumentError, match=r"scale: argument 2 y \(float\*\): got an array of float64"
    ):
        RawKernel(SCALE, "scale")(1, 32, (x, x.astype(float), 32))
    with pytest.raises(ArgumentError, match="'n' is missing"):
        RawKernel(SCALE, "scale")(1, 32, (x, x))


@pytest.mark.parametrize(
    "grid, block, shared",
    [
        (0, 32, 0),
        (1, 2048, 0),
        ((1, 1 << 20), 32, 0),
        (1, (64, 64), 0),
        (1, 32, 1 << 20),
        (1, 32, -4),
        (1, 32, 128.0),
    ],
)
def test_launches_that_a_gpu_refuses(engine, grid, block, shared):
    x = np.ones(32, np.float32)
    with pytest.raises(LaunchError, match="scale"):
        RawKernel(SCALE, "scale")(grid, block, (x, x, 32), shared_mem=shared)


def test_unknown_kernels(engine):
    with pytest.raises(
        KernelError, match=r"'scales'; this code has scale, mangled .*did you mean 'scale'"
    ):
        launch(RawKernel(SCALE, "scales"))
    with pytest.raises(KernelSyntaxError, match="kernel 'mangled' is not extern \"C\""):
        launch(RawKernel(SCALE, "mangled"))


def test_mistakes_in_the_text_read_the_same_everywhere(engine):
    with pytest.raises(
        KernelSyntaxError, match=r"kernel.cu:9:25(.|\n)*y\[i\] = FACTOR \+\+ x"
    ) as error:
        RawModule(SCALE.replace("FACTOR * x[i]", "FACTOR ++ x[i]")).compile()
    assert "^" in str(error.value)


def test_nothing_is_compiled_before_it_is_needed():
    RawKernel("this is no CUDA", "nothing")


def test_the_same_text_is_compiled_once():
    kernels = [RawKernel(SCALE, "scale") for _ in range(2)]
    assert kernels[0]._compilation is kernels[1]._compilation


def test_dynamic_shared_memory_beyond_48_kilobytes(engine):
    kernel = RawKernel(
        """extern "C" __global__ void far_end(float* out) {
        extern __shared__ float s[];
        s[threadIdx.x * 500] = threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = s[(31 - threadIdx.x) * 500]; }""",
        "far_end",
    )
    out = np.zeros(32, np.float32)
    kernel(1, 32, (out,), shared_mem=31 * 500 * 4 + 4)
    np.testing.assert_array_equal(out, np.arange(31, -1, -1))


def test_too_much_declared_shared_memory(engine):
    with pytest.raises(KernelSyntaxError, match="80,000 bytes of shared memory"):
        RawKernel(
            """extern "C" __global__ void greedy(float* x) {
            __shared__ float s[20000];
            s[threadIdx.x] = x[0];
            __syncthreads();
            x[1] = s[threadIdx.x ^ 1]; }""",
            "greedy",
        )(1, 32, (np.zeros(2, np.float32),))


def test_names_from_c_headers(engine):
    code = """#include <stdint.h>
    extern "C" __global__ void k(int32_t* x) { float top = -INFINITY; x[0] = top < -FLT_MAX ? INT_MAX : 0; }"""
    x = np.zeros(1, np.int32)
    RawKernel(code, "k")(1, 1, (x,))
    assert x[0] == 2**31 - 1


def test_attributes(engine):
    shared = {"float s[8][4]": ("s[0]", 128), "struct { float a[8], b[8]; } s": ("s.b", 64)}
    for declared, (row, size) in shared.items():
        kernel = RawKernel(
            f'extern "C" __global__ void k(float* x) {{ __shared__ {declared}; '
            f"{row}[threadIdx.x] = x[0]; __syncthreads(); x[1] = {row}[1]; }}",
            "k",
        )
        assert kernel.attributes["shared_size_bytes"] == size
    assert ("num_regs" in kernel.attributes) == (engine == "gpu")
    few = RawKernel('extern "C" __global__ __launch_bounds__(64) void k() {}', "k")
    assert (
        kernel.attributes["max_threads_per_block"],
        few.attributes["max_threads_per_block"],
    ) == (1024, 64)


def test_a_launch_on_a_gpu_is_in_its_stream(monkeypatch):
    kernel, said = RawKernel('extern "C" __global__ void k() {}', "k"), []

    @contextlib.contextmanager
    def stream():
        said.append("begin")
        yield
        said.append("end")

    monkeypatch.setattr(switches, "on_gpu", lambda: True)
    monkeypatch.setattr(cupy_module, "launch", lambda *arguments: said.append("launch"))
    monkeypatch.setitem(vars(kernel), "_gpu_function", None)
    kernel(1, 1, (), stream=stream())
    assert said == ["begin", "launch", "end"]


# --- the simulator, on every machine --------------------------------------------------------

OVERRUN = SCALE.replace("if (i < n)", "if (i <= n)")


def test_a_failed_simulated_launch_leaves_the_arguments():
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    with nnlib.cuda.force_simulator(), pytest.raises(OutOfBoundsError):
        RawKernel(OVERRUN, "scale")(2, 64, (x, y, 64))
    assert not y.any()


def test_checks_can_be_switched_off():
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    kernel = RawKernel(OVERRUN, "scale")
    with nnlib.cuda.force_simulator():
        with nnlib.cuda.checks(False):
            kernel(1, 64, (x, y, 64))
            with pytest.raises(OutOfBoundsError):
                kernel(2, 64, (x, y, 64), checks=True)
        with pytest.raises(OutOfBoundsError):
            kernel(2, 64, (x, y, 64))


def test_profile_runs_like_a_launch():
    x, y = np.ones(256, np.float32), np.zeros(256, np.float32)
    profile = RawKernel(SCALE, "scale").profile(4, 64, (x, y, 256))
    assert (y == 2).all()
    assert (
        profile.global_load.requests,
        profile.global_load.sectors,
        profile.global_store.sectors,
    ) == (8, 32, 32)


@pytest.mark.parametrize(
    "count, blocks", [(1, [0]), (2, [0, 9]), (3, [0, 4, 9]), (9, [0, 1, 2, 3, 4, 5, 6, 7, 9])]
)
def test_a_sample_is_spread_over_the_grid(count, blocks, capsys):
    text = 'extern "C" __global__ void k() { printf("%d ", blockIdx.x); }'
    with nnlib.cuda.force_simulator():
        RawKernel(text, "k").profile(10, 1, (), max_blocks=count)
    assert capsys.readouterr().out.split() == [str(block) for block in blocks]


@pytest.mark.parametrize("way", ["trace", "interleave", "profile"])
def test_every_way_to_look_at_a_launch_knows_the_kernel_and_its_arguments(way):
    name, text = (
        "tile< double >",
        "template <typename T> __global__ void tile(T* x) { x[threadIdx.x] *= 2; }",
    )
    getattr(RawModule(text, name_expressions=[name]).get_function(name), way)(1, 3, (np.ones(3),))
    held = RawKernel(
        'struct P { float* x; }; extern "C" __global__ void k(P p) { p.x[0] = 1; }', "k"
    )
    with pytest.raises(ArgumentError, match="cannot follow the pointers in a struct of the caller"):
        getattr(held, way)(1, 1, (np.zeros((), held.parameters[0].dtype),))


def test_instances_of_numbers_and_truth_values():
    text = "template <bool UP, int N> __global__ void k(int* x) { x[0] = UP ? N : -N; }"
    with nnlib.cuda.force_simulator():
        for name, value in (("k<true, 3>", 3), ("k<false, 1 + 1>", -2), ("k<(2 > 1), 4>", 4)):
            x = np.zeros(1, np.int32)
            RawModule(text, name_expressions=(name,)).get_function(name)(1, 1, (x,))
            assert x[0] == value
        wrong = RawModule(
            text.replace("x[0]", "x[N]"), name_expressions=["k<true, 3>"]
        ).get_function("k<true, 3>")
        with pytest.raises(OutOfBoundsError, match=r"x\[3\] \(kernel k<true, 3>\)"):
            wrong(1, 1, (np.zeros(1, np.int32),))


def test_the_extension_gives_a_notebook_its_magic():
    shell = SimpleNamespace(user_ns={}, given={})
    shell.register_magic_function = lambda function, kind, name: shell.given.update({name: kind})
    nnlib.cuda.load_ipython_extension(shell)
    assert shell.given == {"cu": "cell"}


def test_a_sampled_profile_leaves_the_arrays():
    x, y = np.ones(256, np.float32), np.zeros(256, np.float32)
    RawKernel(SCALE, "scale").profile(4, 64, (x, y, 256), max_blocks=2)
    assert not y.any()


def test_trace_leaves_the_arrays():
    x, y = np.ones(64, np.float32), np.zeros(64, np.float32)
    RawKernel(SCALE, "scale").trace(2, 32, (x, y, 64), block_index=(1,))
    assert not y.any()


def test_warnings_show_the_line():
    module = RawModule('extern "C" __global__ void k(float* x)\n{\n    x[0] = x[0] * 2.5;\n}')
    assert (
        len(module.warnings) == 1
        and "kernel.cu:3:" in module.warnings[0]
        and "2.5f" in module.warnings[0]
    )


def test_every_check_is_told_of_and_every_name_is_known():
    assert all(f'"{name}"' in str(switches.checks.__doc__) for name in CHECKS)
    assert all(issubclass(check.error, KernelError) and check.hint for check in CHECKS.values())
    kernel = RawKernel('extern "C" __global__ void k(float* x) { x[threadIdx.x] = 1; }', "k")
    with pytest.raises(ValueError, match="no check is called 'race'; there are bounds"):
        kernel(1, 1, (np.zeros(1, np.float32),), checks={"race"})
    with pytest.raises(OutOfBoundsError), force_simulator():
        kernel(1, 2, (np.zeros(1, np.float32),), checks="bounds")


def test_every_error_can_be_caught_by_name():
    known = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, KernelError)
    }
    assert known <= {*nnlib.cuda.__all__}


TWO = (
    'extern "C" __global__ void k(float* x, int n) { x[0] = n; } template <class T> __global__ void t(T* x) { }\n'
    "__global__ void m(int* x) { }"
)
X = np.zeros(4, np.float32)


@pytest.mark.parametrize(
    "name, grid, block, arguments, message",
    [
        (
            "q",
            1,
            1,
            (X, 1),
            "no kernel named 'q'; this code has k, m (one made of a template is named with its types, "
            "such as 'q<float, 16>')",
        ),
        (
            "m",
            1,
            1,
            (X, 1),
            "kernel.cu:2:17: kernel 'm' is not extern \"C\", so its name is mangled\n"
            "    __global__ void m(int* x) { }\n                    ^\n"
            '    hint: write extern "C" __global__ void m(...), or name_expressions=("m",)',
        ),
        ("k", 1, 1, X, "k: the arguments must be a tuple; for a single one write (x,)"),
        (
            "k",
            1,
            1,
            (X,),
            "k: 'n' is missing: takes 2 arguments, got 1. Its parameters: x (float*), n (int)",
        ),
        ("k", 1, 1, (X, 1.5), "k: argument 2 n (int): got the float 1.5; write int(n)"),
        ("k", 1, 1, (X, np), "k: argument 2 n (int): got a module"),
        ("k", 1, 1, (X, None), "k: argument 2 n (int): got None"),
        ("k", 1, 1, (None, 1), "k: argument 1 x (float*): got None; pass an array"),
        (
            "k",
            1,
            1,
            (2**47, 1),
            "k: argument 1 x (float*): got the int 140737488355328; pass an array, not its address",
        ),
        (
            "k",
            1,
            1,
            (X, float("nan")),
            "k: argument 2 n (int): got the float nan; int holds whole numbers only",
        ),
        (
            "k",
            1,
            1,
            (X.reshape(2, 2).T, 1),
            "k: argument 1 x (float*): the array of shape (2, 2) is a transpose (or has "
            "order='F'): a kernel sees its memory, column after column; write np.ascontiguousarray(x), and copy the result "
            "back; or x.T, if the kernel goes by columns",
        ),
        (
            "k",
            1,
            1,
            (X.astype("f8"), 1),
            "k: argument 1 x (float*): got an array of float64; create the array with dtype=np.float32",
        ),
        (
            "k",
            1,
            1,
            ([1.0], 1),
            "k: argument 1 x (float*): got a list; pass np.array(x, dtype=np.float32)",
        ),
        (
            "k",
            1,
            1,
            (X[::2], 1),
            "k: argument 1 x (float*): the array of shape (2,) is a view with gaps or a transpose; a "
            "kernel sees plain memory; write np.ascontiguousarray(x), and copy the result back",
        ),
        (
            "k",
            1,
            1,
            (np.frombuffer(b"12345678", "f4"), 1),
            "k: argument 1 x (float*): the array is read-only, the "
            "parameter is not const; pass x.copy() or declare const float*",
        ),
        ("k", 1, 2048, (X, 1), "k: block.x is 2048; a GPU takes 1 to 1024"),
        ("k", 0, 1, (X, 1), "k: grid.x is 0; a GPU takes 1 to 2147483647"),
        (
            "k",
            (1, 2, 3, 4),
            1,
            (X, 1),
            "k: the grid has 4 dimensions; write one to three, like (64, 4)",
        ),
        (
            "k",
            1.5,
            1,
            (X, 1),
            "k: grid.x is 1.5, not a whole number; to cover n write (n + threads - 1) // threads",
        ),
    ],
)
def test_the_words_of_a_launch_that_is_refused(name, grid, block, arguments, message):
    with force_simulator(), pytest.raises(KernelError) as caught:
        RawKernel(TWO, name)(grid, block, arguments)
    assert str(caught.value) == message
