"""cases/statuses.cu calls every function of the CUDA runtime and of cuRAND that has a status."""

import re
from pathlib import Path

from nnlib.cuda._engine.host.headers import headers

PROGRAM = (Path(__file__).parent / "cases" / "statuses.cu").read_text()


def test_no_function_is_missing_there():
    declared = {
        name
        for text in headers().values()
        for name in re.findall(
            r"^(?:cudaError_t|curandStatus_t) (cuda\w+|curandGenerate\w*)\(", text, re.MULTILINE
        )
    }
    assert len(declared) > 90
    assert not sorted(name for name in declared if f"OK({name}(" not in PROGRAM)
