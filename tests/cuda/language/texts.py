"""What stands around the cases, and what is said of them."""

import functools
import json
from pathlib import Path

# Statements in a kernel with these parameters, line 2 of the text. {} is where they go.
KERNEL = """extern "C" __global__ void k(float* x, const float* c, int* p, int n, unsigned u, double d, float4* v) {
%s
}
"""

# Above a kernel that uses groups, which then stands in line 5.
GROUPS = (
    "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
    "#include <cooperative_groups/scan.h>\nnamespace cg = cooperative_groups;\n"
)


class _Recorded(dict[str, str]):
    def __missing__(self, text: str) -> str:
        raise AssertionError(
            f"run python -m tests.cuda.messages: no message is recorded of\n{text}"
        )


@functools.cache
def recorded_messages() -> dict[str, str]:
    """Of wrong texts and broken kernels, word for word: tests/cuda/messages.py writes them."""
    return _Recorded(json.loads((Path(__file__).parents[1] / "messages.json").read_text()))
