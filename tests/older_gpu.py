"""Be a small GPU of 2018 on any newer one: `pytest -m gpu -p tests.older_gpu`.

Kernels are compiled for compute capability 7.5 (T4, GTX 16, RTX 20), blocks get no more than its 64 KB of shared
memory, and arrays no more than 3 GB.
"""

import os

import pytest

os.environ["CUPY_COMPILE_WITH_PTX"] = (
    "1"  # which a newer driver translates for the GPU that is there
)
os.environ["CUPY_GPU_MEMORY_LIMIT"] = str(3 << 30)

import cupy

import nnlib.cuda
from nnlib.cuda._engine.gpu import cupy_module

cupy.cuda.compiler._get_arch = lambda: "75"
nnlib.cuda.shared_limit = cupy_module.shared_limit = lambda: 64 << 10

IMPOSSIBLE = {
    "test_nvrtc_gives_expressions_the_same_types": "__reduce_add_sync came with compute capability 8.0",
    **{
        f"test_functions_have_a_gpus_bits[{name}(a, b, c)-__nv_bfloat16]": "bfloat16 before 8.0 is float"
        for name in ("__hfma", "__hfma_sat", "__hfma_relu")
    },
    "test_too_much_declared_shared_memory[gpu]": "what is compiled for a later translation is not checked",
}


def pytest_collection_modifyitems(items):
    for item in items:
        reason = IMPOSSIBLE.get(item.name)
        if (
            item.path.stem == "test_tensor"
            and item.name.startswith("test_on_a_gpu")
            and "half wmma" not in item.name
        ):
            reason = "bfloat16, TF32 and mma.sync of 16 x 8 x 16 came with compute capability 8.0"
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))
