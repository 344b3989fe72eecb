"""Counters against numbers derived by hand, per warp of 32 lanes."""

import re

import numpy as np
import pytest

from nnlib.cuda import RawKernel
from tests.jupyter import html

from . import kernel


def test_what_was_not_counted_is_refused_by_name():
    text = kernel("float* o", "o[threadIdx.x] = 1;")
    profile = RawKernel(text, "k").profile(1, 32, (np.zeros(32, np.float32),))
    with pytest.raises(KeyError, match="'p'"):
        profile.touched("p")
    with pytest.raises(ValueError, match="for the first 1 blocks, not for 1"):
        profile.accesses(2, block=1)


def test_tables_show_every_line_with_counters():
    text = kernel("float* o", "int t = threadIdx.x;\nif (t < 20 && t > 3) o[t] = 1.0f;")
    profile = RawKernel(text, "k").profile(1, 32, (np.zeros(32, np.float32),))
    assert "o[t] = 1.0f" in str(profile) and "t &lt; 20 &amp;&amp; t &gt; 3" in html(profile)
    assert "k: grid 1 x 1 x 1, block 32 x 1 x 1" in str(profile)


TABLE = """\
k: grid 2 x 1 x 1, block 40 x 1 x 1
  global_load   6 requests, 18 sectors (3.00 per request)
  global_store  4 requests, 10 sectors (2.50 per request)
  shared_load   4 requests, 4 wavefronts, 0 bank conflicts
  shared_store  4 requests, 8 wavefronts, 4 bank conflicts
  global_atomic 2 requests
  shared_atomic 2 requests
  bytes         544 asked for, 896 moved
  flops         164 (0.18 per byte moved)
  branches      16, of which 8 diverge
  active lanes  18.8 of 32

 line lanes   g.load req  g.load sect  g.store req g.store sect   s.load req  s.store req s.store confl        flops
    3  28.0            2            8                                                   4            4          128
    4  20.0
    5  20.0
    6  14.0            4           10            4           10            4                                     36
    7  16.2"""


def test_the_whole_table():
    """A load of 32 threads, one of 18 in two warps, a store with conflicts in pairs: of each of the two blocks."""
    body = (
        "__shared__ float s[64]; int t = threadIdx.x;\nif (t < 32) s[2 * t] = s[2 * t + 1] = x[t] * 2.0f + 1.0f;\n"
        "__syncthreads();\nif (t < 20) atomicAdd(&s[63], 1.0f);\n"
        "if (t % 2 == 0 && t < 36) o[40 * blockIdx.x + t] = s[t] + x[t];\nif (t == 1) atomicAdd(o + 79, 1.0f);"
    )
    text = kernel("const float* x, float* o", body)
    profile = RawKernel(text, "k").profile(
        2, 40, (np.zeros(40, np.float32), np.zeros(80, np.float32))
    )
    sources = ["source", *(line.strip() for line in body.splitlines()[1:])]
    told = str(profile).splitlines()
    for line, source in zip(told[-6:], sources, strict=True):
        assert line.endswith("  " + source)
    told[-6:] = [
        line[: -len(source)].rstrip() for line, source in zip(told[-6:], sources, strict=True)
    ]
    assert told == TABLE.splitlines()
    page = html(profile)
    for line in TABLE.splitlines()[1:11]:
        assert f">{line[2:16].strip()}</th><td style='text-align:left'>{line[16:]}</td>" in page
    assert re.findall(r"<th>([^<]*)</th>", page) == [
        "line",
        "lanes",
        *re.findall(r"[gs]\.\w+ \w+|flops", told[-6]),
    ]
    assert re.findall(r"<tr><td>(\d)</td><td>([\d.]+)</td>", page) == [
        (line[4], line[7:11]) for line in told[-5:]
    ]
    assert (
        "<td>4</td><td>10</td><td>4</td><td>10</td><td>4</td><td></td><td></td><td>36</td>" in page
    )
    assert profile.arithmetic_intensity == 164 / 896 and profile.lines[5].active_lanes == 20
