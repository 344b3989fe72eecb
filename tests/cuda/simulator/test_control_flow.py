"""Divergent control flow against the same text in Python, thread by thread."""

import numpy as np

from . import kernel, run


def test_uniform_loops_stay_scalar():
    from nnlib.cuda._engine.language import compile_source
    from nnlib.cuda._engine.simulator import compile_program

    text = kernel(
        "float* x, int n", "if (threadIdx.x < n) for (int k = 0; k < n; k++) x[threadIdx.x] += k;"
    )
    source = compile_program(compile_source(text)).source
    assert "k = (k + " in source and "select(m, (k" not in source


def test_printf_prints_as_c_does(capsys):
    run(
        kernel(
            "float* x",
            r'printf("%u %x %d %i|%5d|%-3d|%*d|%c%c|%lld %llu|%e %g", -1, -2, 4000000000u, true, 7, 7, '
            r"4, 7, 'o', 107, -1ll, -1ll, 1.5f, 0.25);",
        ),
        [np.zeros(1, np.float32)],
        1,
    )
    assert capsys.readouterr().out == (
        "4294967295 fffffffe -294967296 1|    7|7  |   7|ok|-1 18446744073709551615|"
        "1.500000e+00 0.25"
    )
    run(
        kernel("float* x", r"""printf("\x41\102\7\033[1m\\ \"\'%c%c\t\n", '\103', '\x7a');"""),
        [np.zeros(1, np.float32)],
        1,
    )
    assert capsys.readouterr().out == "AB\a\033[1m\\ \"'Cz\t\n"
    run(
        kernel("float* x", 'printf("%.*f %*.*e", 2, 3.14159, 9, 1, x[0]);'),
        [np.ones(1, np.float32)],
        1,
    )
    assert capsys.readouterr().out == "3.14   1.0e+00"
    run(kernel("float* x", r'printf("%p", x);'), [np.zeros(1, np.float32)], 1)
    assert capsys.readouterr().out.startswith("0x")


def test_printf_in_thread_order(capsys):
    run(
        kernel(
            "float x",
            r'if (threadIdx.x > 1) printf("%d of %u: %5.2f%%\n", threadIdx.x, blockDim.x, x);',
        ),
        [np.float32(1.5)],
        4,
    )
    assert capsys.readouterr().out == "2 of 4:  1.50%\n3 of 4:  1.50%\n"
    run(
        kernel(
            "float x",
            r'printf("a%d%d ", blockIdx.x, threadIdx.x); printf("b%d%d ", blockIdx.x, threadIdx.x);',
        ),
        [np.float32(1.5)],
        2,
        3,
    )
    assert capsys.readouterr().out == "".join(
        f"{c}{b}{t} " for b in range(3) for c in "ab" for t in range(2)
    )
