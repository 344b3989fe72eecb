"""A kernel around statements, and what is said of broken kernels."""

import functools
import json
from pathlib import Path

# Statements in a kernel with these parameters, line 2 of the text.
KERNEL = """extern "C" __global__ void k(float* x, const float* c, int* p, int n, unsigned u, double d, float4* v) {
%s
}
"""


@functools.cache
def recorded_messages() -> dict[str, str]:
    """Return the recorded messages of broken kernels and programs, word for word: tests/cuda/messages.py writes them."""
    return json.loads((Path(__file__).parents[1] / "messages.json").read_text())
