"""The generated Python: what a traceback and pdb show of it, and that its names stay apart."""

import gc
import linecache
import re
import traceback

import numpy as np
import pytest

from nnlib.cuda import OutOfBoundsError, RawKernel, force_simulator
from nnlib.cuda._engine import compilation

from . import kernel

TEXT = r"""
extern "C" __global__ void far_off(float* x, int s, int _s, int then1) {
    if (s < threadIdx.x)
        x[1000] = s + _s + then1;
}"""


def simulated(text, name="k"):
    return RawKernel(text, name)._simulated


def test_a_traceback_inside_of_a_launch_shows_the_generated_line():
    far_off = RawKernel(TEXT, "far_off")
    call = far_off._call(1, 32, (np.zeros(4, np.float32), 1, 2, 3), 0)
    with force_simulator(), pytest.raises(OutOfBoundsError) as caught:
        far_off._simulate(call, True)
    frames = traceback.extract_tb(caught.value.__traceback__)
    [frame] = [frame for frame in frames if frame.filename.startswith("<far_off, simulated")]
    assert ".store(" in frame.line
    lines = linecache.getlines(frame.filename)
    assert any("# 4: x[1000] = s + _s + then1;" in line for line in lines[: frame.lineno])


def test_the_text_goes_with_the_kernel_when_the_next_one_comes():
    text = TEXT.replace("far_off", "soon_gone")
    code = simulated(text, "soon_gone").code()
    file = code.namespace["f_soon_gone"].__code__.co_filename
    assert "".join(linecache.getlines(file)) == code.source
    del code
    compilation.compilation.cache_clear()
    gc.collect()
    simulated(TEXT.replace("far_off", "comes_next"), "comes_next").code()
    assert not linecache.getlines(file)


def test_comments_do_not_disturb_the_code():
    text = TEXT.replace("if (s", "/* -*- coding: latin-1 -*- \\u0000 \x0b é */ if (s").replace(
        "1000", "s"
    )
    x = np.zeros(4, np.float32)
    with force_simulator():
        RawKernel(text, "far_off")(1, 32, (x, 1, 2, 3))
    assert x.tolist() == [0, 6, 0, 0]


def test_uniform_loops_stay_scalar():
    body = "if (threadIdx.x < n) for (int k = 0; k < n; k++) x[threadIdx.x] += k;"
    source = simulated(kernel("float* x, int n", body)).source
    assert "k = (k + " in source and "select(m, (k" not in source


def test_every_name_has_one_role():
    """Masks saved, split, collected, set: nothing assigned under one name means two things."""
    text = TEXT.replace("s + _s", "s + _s; int y; if (s) y = 1; x[0] = y")
    source = simulated(text, "far_off").source
    assigned = set(re.findall(r"\b([a-z_]\w*) = ", source))
    assert {"_entered1", "_set_y", "_at_y", "y"} <= assigned and "_s1" not in assigned
    assert not {"_s", "then1"} & assigned  # parameters, under names of their own


def test_what_a_loop_does_not_change_is_computed_before_it():
    text = """extern "C" __global__ void k(int* x, int n, int w) {
        for (int i = 0; i < n * w; i++) {
            int step = i * 3;
            for (int j = n * 2; j > 0; j -= w * 2)
                x[threadIdx.x * 4] += step * 5 + j * 7 + n * 2;
            if (i == 2) w += w;
        }
    }"""
    source = simulated(text).source
    outer, inner, rest = source.split("while True:")
    before = {
        "(n * K": outer,
        "(rt.threadIdx_x * K": outer,
        "(step * K": inner,
        "(w * K": inner,
        "(n * w)": inner,
        "(i * K": inner,
        "(j * K": rest,
    }
    for product, part in before.items():
        assert product in part and source.count(product) == part.count(product), product
    x = np.zeros(5, np.int32)
    with force_simulator():
        RawKernel(text, "k")(1, 2, (x, 3, 1))
    expected, m, i = 0, 1, 0
    while i < 3 * m:
        expected += sum(i * 15 + j * 7 + 6 for j in range(6, 0, -m * 2))
        m, i = m * 2 if i == 2 else m, i + 1
    assert x.tolist() == [expected, 0, 0, 0, expected]


def test_of_a_product_with_a_sum_a_loop_computes_only_what_it_changes():
    body = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) x[(i * 4 + j) * n] = j;"
    assert "(j * n)" in simulated(kernel("float* x, int n", body)).source
