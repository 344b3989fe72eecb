"""Two students on one GPU: what the crash of one does to the other.

python -m tests.benchmarks.shared_gpu           needs a GPU; 15 seconds
"""

from __future__ import annotations

import subprocess
import sys
import time

OTHER = """
import time
import cupy as cp
x = cp.random.default_rng(0).random((2048, 2048), dtype=cp.float32)
want, products, end = float((x @ x).sum()), 0, time.time() + 8
while time.time() < end:
    assert abs(float((x @ x).sum()) / want - 1) < 1e-3
    products += 1
print("the other:", products, "products, all right", flush=True)
"""
CRASH = """
import cupy as cp
bad = cp.RawKernel('extern "C" __global__ void bad(float* x) { x[(1LL << 40) + threadIdx.x] = 1; }', "bad")
x = cp.zeros(4, cp.float32)
for attempt in ("the crash", "what comes after it, in the same process"):
    try:
        bad((1,), (32,), (x,))
        cp.cuda.Device().synchronize()
    except Exception as error:
        print(f"{attempt}: {type(error).__name__}: {str(error)[:70]}", flush=True)
"""
AFTER = "import cupy as cp; print('a kernel restarted:', float(cp.ones(4).sum()))"

if __name__ == "__main__":
    other = subprocess.Popen([sys.executable, "-c", OTHER])
    time.sleep(4)
    subprocess.run([sys.executable, "-c", CRASH], check=False)
    subprocess.run([sys.executable, "-c", AFTER], check=False)
    sys.exit(other.wait())
