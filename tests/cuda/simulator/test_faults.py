"""Wrong kernels: which error, in which line, by which thread and block. Right ones next to them pass."""

import numpy as np

from . import kernel, run


def floats(n=64):
    return np.arange(n, dtype=np.float32)


def test_subscript_beyond_its_row_is_a_note():
    profile = run(
        kernel("float* o", "__shared__ float s[2][8];\ns[0][threadIdx.x] = 1;"),
        [floats()],
        16,
        profile=True,
    )
    assert len(profile.warnings) == 1 and "subscript 8 of s[2][8]" in profile.warnings[0]
