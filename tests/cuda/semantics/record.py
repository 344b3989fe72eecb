"""What g++ makes of the kernels in this folder, each run by one thread: expected.json.

python -m tests.cuda.semantics.record
"""

from __future__ import annotations

import ctypes
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent
EXPECTED = FOLDER / "expected.json"
NAMES = sorted(path.stem for path in FOLDER.glob("*.cu"))

# CUDA's words and types for a C++ compiler.
CUDA = """
#include <math.h>
#include <stddef.h>
#define __device__
#define __host__
#define __global__
#define __align__(n) alignas(n)
struct float2 { float x, y; };
struct float3 { float x, y, z; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(8) int2 { int x, y; };
struct alignas(4) uchar4 { unsigned char x, y, z, w; };
static float2 make_float2(float x, float y) { return {x, y}; }
static float3 make_float3(float x, float y, float z) { return {x, y, z}; }
"""


def text(name: str) -> str:
    return (FOLDER / f"{name}.cu").read_text()


def inputs() -> tuple[np.ndarray, np.ndarray]:
    """The 64 floats and 64 ints that every kernel gets."""
    return (np.arange(64) * 0.37 - 5).astype(np.float32), (np.arange(64) * 7 % 23 - 5).astype(
        np.int32
    )


def compiled(name: str, folder: Path) -> ctypes.CDLL:
    source, library = folder / f"{name}.cpp", folder / f"{name}.so"
    source.write_text(CUDA + text(name))
    subprocess.run(
        [
            "g++",
            "-std=c++17",
            "-O1",
            "-ffp-contract=off",
            "-shared",
            "-fPIC",
            "-w",
            str(source),
            "-o",
            str(library),
        ],
        check=True,
    )
    return ctypes.CDLL(str(library))


def main() -> None:
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in NAMES:
            x, p = inputs()
            kernel = getattr(compiled(name, Path(folder)), name)
            kernel(x.ctypes.data_as(ctypes.c_void_p), p.ctypes.data_as(ctypes.c_void_p))
            found[name] = {"floats as bits": x.view(np.int32).tolist(), "ints": p.tolist()}
    EXPECTED.write_text(json.dumps(found, indent=0).replace(",\n", ", ") + "\n")


if __name__ == "__main__":
    main()
