"""Does the test suite notice when nnlib is wrong? Breaks one line at a time in a copy, and runs the tests of that place.

    python -m tests.mutants            all mutants: prints those that survive, writes tests/mutants.json

Each mutant is a gradient, a guard, a barrier, an index or a check broken once, as a careless edit would.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NETWORK = "tests/network/test_operations.py tests/network/test_optimizers.py tests/network/test_gradients.py"
TRAINING = " ".join(f"tests/network/test_{name}.py" for name in ("model", "training", "resume", "checkpoints"))
DATA = "tests/network/test_datasets.py"
KERNELS = "tests/kernels"
SIMULATOR = "tests/cuda/simulator tests/cuda/test_broken.py tests/cuda/test_counters.py"

# file -> [(tests, right, wrong), ...]; `right` occurs in the file, and its first occurrence is replaced.
MUTANTS: dict[str, list[tuple[str, str, str]]] = {
    "nnlib/ops/arrays/activations.py": [
        (NETWORK, "out[...] = x > 0", "out[...] = x >= -1"),
        (NETWORK, "where(x > 0, dy, dy * slope)", "where(x > 0, dy, dy)"),
        (NETWORK, "return dy * y * (1 - y)", "return dy * y"),
        (NETWORK, "return dy * (1 - y * y)", "return dy * (1 - y)"),
        (NETWORK, "1 + 3 * _GELU_CUBIC", "1 + _GELU_CUBIC"),
        (NETWORK, "0.5 * array_module(x).tanh(0.5 * x) + 0.5", "0.5 * array_module(x).tanh(x) + 0.5"),
    ],
    "nnlib/ops/arrays/linear.py": [
        (NETWORK, "dy.sum(axis=0, out=db)", "dy.mean(axis=0, out=db)"),
        (NETWORK, "xp.matmul(factor.T, kind", "xp.matmul(factor.T / len(x), kind"),
        (NETWORK, "        y += b\n", ""),
    ],
    "nnlib/ops/arrays/losses.py": [
        (NETWORK, "dlogits /= N", "dlogits /= 1"),
        (NETWORK, "dlogits[rows, labels] -= 1", "dlogits[rows, labels] += 1"),
        (NETWORK, "exp(x - x.max(axis=-1, keepdims=True))", "exp(x)"),
        (NETWORK, "(p - t) / z.size", "(p - t)"),
        (NETWORK, "xp.clip(probabilities, unit, 1 - unit)", "probabilities"),
    ],
    "nnlib/update_rules.py": [
        (NETWORK, "velocity *= momentum", "velocity *= 1"),
        (NETWORK, "grads + momentum * velocity if nesterov", "grads if nesterov"),
        (NETWORK, "(1 - beta2) * (grads * grads - v)", "(1 - beta2) * (grads - v)"),
        (NETWORK, "scale = lr / (1 - beta1**step)", "scale = lr"),
        (NETWORK, "grads = grads + weight_decay * params", "grads = grads - weight_decay * params"),
    ],
    "nnlib/ops/arrays/convolution.py": [
        (NETWORK, "dy[images].sum(axis=(2, 3)).sum(axis=0)", "dy[images].sum(axis=(2, 3)).mean(axis=0)"),
        (NETWORK, "dx[i:i + SH * OH:SH] += rows", "dx[i:i + SH * OH:SH] = rows"),
        (NETWORK, "shifted[:, :, j, :, j:j + SW * OW:SW] = dy", "shifted[:, :, j, :, 0:SW * OW:SW] = dy"),
        (NETWORK, "(row * SH, line, column))", "(row, line, column))"),
    ],
    "nnlib/ops/arrays/pooling.py": [
        (NETWORK, "share = dy * dy.dtype.type(1 / len(taps))", "share = dy"),
        (NETWORK, "dx[window] += share", "dx[window] = share"),
    ],
    "nnlib/ops/shapes.py": [
        (NETWORK, "x_shape[2] + 2 * PH", "x_shape[2] + PH"),
        (NETWORK, "if KH > H or KW > W", "if KH > H"),
        (NETWORK, "if int(unsigned.max()) >= K", "if int(unsigned.max()) > K"),
    ],
    "nnlib/layers.py": [
        (NETWORK, "derivative(dy, self.kept, *self.settings)", "derivative(dy, self.kept)"),
        (TRAINING, "self.offset += -(-elements // 4)", "self.offset += 0"),
        (TRAINING, "if not self.training:", "if self.training:"),
    ],
    "nnlib/model.py": [
        (TRAINING, "needs_dx or index > first", "needs_dx"),
        (TRAINING, "return self.train(False)", "return self.train(True)"),
        (TRAINING, "if expected.get(name) != found.get(name):", "if False:"),
    ],
    "nnlib/training/loop.py": [
        (TRAINING, "        optimizer.lr = run.lr\n", ""),
        (TRAINING, "        model.train(mode)\n", ""),
        (TRAINING, "    run.restore_best()\n", ""),
        (TRAINING, "shuffled(len(train), seed, epoch)", "shuffled(len(train), seed, 0)"),
        (TRAINING, "except KeyboardInterrupt:", "except ZeroDivisionError:"),
    ],
    "nnlib/training/run.py": [
        (TRAINING, "self.history.best_epoch == len(self.history) - 1", "True"),
        (TRAINING, "- history.best_epoch >= self.patience", "- history.best_epoch > self.patience"),
        (TRAINING, "for name in optimizer.settings", "for name in ()"),
        (TRAINING, "            if saved.get(name) != value:", "            if False:"),
        (TRAINING, "np.flatnonzero(~np.isclose", "np.flatnonzero(False & np.isclose"),
    ],
    "nnlib/training/evaluation.py": [
        (TRAINING, "    model.eval()\n", ""),
        (TRAINING, ".astype(np.float64) * len(y)", ".astype(np.float64)"),
        (TRAINING, "            layer.training = training", "            pass"),
    ],
    "nnlib/training/eager.py": [
        (TRAINING, "if not math.isfinite(value):", "if False:"),
        (TRAINING, "self.optimizer.lr = rates[step]", "pass"),
    ],
    "nnlib/training/checkpoints.py": [
        (TRAINING, "        if there != ours:", "        if False:"),
        (TRAINING, 'if file.read(9)[8:] != b"{":', "if False:"),
        (TRAINING, "        for part, state in before:", "        for part, state in ():"),
        (TRAINING, 'if set(header) != _HEADER or header["format"] != _FORMAT:', "if False:"),
    ],
    "nnlib/files.py": [(TRAINING, "temporary.unlink(missing_ok=True)", "pass")],
    "nnlib/datasets/idx.py": [
        (DATA, "if sha256 and hashlib", "if False and hashlib"),
        (DATA, "if not shape or len(content) != expected:", "if not shape or len(content) < expected:"),
        (DATA, "if len(pixels) != len(targets):", "if False:"),
        (DATA, "            pass  # ours, and damaged: fetch it again", "            return target"),
    ],
    "nnlib/optimizers.py": [(NETWORK, "self.steps += 1", "self.steps += 2")],
    "nnlib/training/metrics.py": [
        ("tests/network/test_metrics.py", "labels * classes + predicted", "predicted * classes + labels"),
        ("tests/network/test_metrics.py", "matrix.diagonal(), matrix.sum(axis=0)", "matrix.diagonal(), matrix.sum(axis=1)"),
    ],
    "nnlib/kernels/activation.cu": [
        (KERNELS, "relu_gradient(float dy, float x) { return x > 0.0f ? dy", "relu_gradient(float dy, float x) { return x > 1.0f ? dy"),
        (KERNELS, "return dy * y * (1.0f - y)", "return dy * y"),
        (KERNELS, "return dy * (1.0f - y * y)", "return dy * (1.0f + y * y)"),
        (KERNELS, "1.0f + 3.0f * GELU_CUBIC", "1.0f + 2.0f * GELU_CUBIC"),
        (KERNELS, "if (i < n) y[i] = relu(x[i])", "y[i] = relu(x[i])"),
        (KERNELS, "tail = n / 4 * 4 + first", "tail = n / 4 * 4 + 1 + first"),
    ],
    "nnlib/kernels/vector.cu": [
        (KERNELS, "if (i < n)\n        out[i] = x[i] + y[i]", "out[i] = x[i] + y[i]"),
        (KERNELS, "i += stride)\n        out[i]", "i += stride + 1)\n        out[i]"),
        (KERNELS, "int tail = n / 4 * 4 + i", "int tail = n / 4 * 4 + i + 1"),
    ],
    "nnlib/kernels/matmul.cu": [
        (KERNELS, "        __syncthreads();  // the tiles are complete\n", ""),
        (KERNELS, "        __syncthreads();  // no thread needs them any more\n", ""),
        (KERNELS, "if (row >= M || column >= N) return;", "if (row >= M) return;"),
        (KERNELS, "row < M && a_column < K ? A", "row < M ? A"),
    ],
    "nnlib/kernels/linear.cu": [
        (KERNELS, "float sum = b[out];", "float sum = 0.0f;"),
        (KERNELS, "sum += dy[n * outputs + out] * w[out * inputs + i]",
         "sum += dy[n * outputs + out] * w[i * outputs + out]"),
        (KERNELS, "        multiply_tiles(sum, xs, ws);\n        __syncthreads();", "        multiply_tiles(sum, xs, ws);"),
        (KERNELS, "bool inside = first_row + r < rows && first_k + k < depth;", "bool inside = first_row + r < rows;"),
        (KERNELS, "n < last; n += 8) sum", "n < last; n += 7) sum"),
        (KERNELS, "first = blockIdx.z * share, last = min(N, first + share)", "first = blockIdx.z * share, last = N"),
    ],
    "nnlib/kernels/loss.cu": [
        (KERNELS, "for (int offset = 16; offset > 0; offset /= 2) value += ", "for (int offset = 8; offset > 0; offset /= 2) value += "),
        (KERNELS, "(k == label ? 1.0f : 0.0f)) / N", "(k == label ? 1.0f : 0.0f))"),
        (KERNELS, "    __syncthreads();\n    if (threadIdx.x < 32) {", "    if (threadIdx.x < 32) {"),
        (KERNELS, "((z >= 0.0f ? 1.0f : decay) / (1.0f + decay) - t) / n", "((z >= 0.0f ? 1.0f : decay) / (1.0f + decay) - t)"),
    ],
    "nnlib/kernels/convolution.cu": [
        (KERNELS, "top % SH != 0 || top / SH >= OH", "top / SH >= OH"),
        (KERNELS, "bool inside = row >= 0 && row < H && column >= 0 && column < W;",
         "bool inside = row >= 0 && row < H;"),
        (KERNELS, "atomicAdd(&dw[i], sum);", "dw[i] += sum;"),
        (KERNELS, "if (row < 0 || row >= H) continue;", "if (row < 0) continue;"),
    ],
    "nnlib/kernels/pooling.cu": [
        (KERNELS, "if (value > largest)", "if (value >= largest)"),
        (KERNELS, "dx[i] = sum / (KH * KW)", "dx[i] = sum"),
        (KERNELS, "atomicAdd(&dx", "atomicSub(&dx"),
    ],
    "nnlib/kernels/dropout.cu": [
        (KERNELS, "round < 10", "round < 9"),
    ],
    "nnlib/kernels/optimizer.cu": [
        (KERNELS, "g = nesterov ? g + momentum * v : v;", "g = v;"),
        (KERNELS, "(g * g - square)", "(g - square)"),
        (KERNELS, "    sums[threadIdx.y][threadIdx.x] = sum;\n    __syncthreads();", "    sums[threadIdx.y][threadIdx.x] = sum;"),
    ],
    "nnlib/kernels/training.cu": [
        (KERNELS, "/ clock[COUNT]", "/ gridDim.x"),
        (KERNELS, "int example = inside ? order[first + n] : 0;", "int example = inside ? first + n : 0;"),
        (KERNELS, "clock[STEPS] += 1;", "clock[STEPS] += 2;"),
    ],
    "nnlib/cuda/arguments/validation.py": [
        ("tests/cuda/test_arguments.py", "if base is not None and value.dtype != base", "if False"),
        ("tests/cuda/test_arguments.py", "if not value.flags.c_contiguous", "if False"),
    ],
    "nnlib/kernels/matmul_registers.cu": [
        (KERNELS, "        __syncthreads();\n        for (int k = 0; k < BK; k++) {\n            float b = ", "        for (int k = 0; k < BK; k++) {\n            float b = "),
        (KERNELS, "if (k0 + k < K && column + c < N) four", "if (column + c < N) four"),
    ],
    "nnlib/kernels/matmul_async.cu": [
        (KERNELS, "    __pipeline_wait_prior(STAGES - 2);\n    __syncthreads();\n", "    __syncthreads();\n"),
        (KERNELS, "    __pipeline_wait_prior(STAGES - 2);\n    __syncthreads();\n", "    __pipeline_wait_prior(STAGES - 2);\n"),
    ],
    "nnlib/kernels/convolution_tiled.cu": [
        (KERNELS, "        if (c + CHUNK < C) __syncthreads();\n", ""),
        (KERNELS, "        if (f + CHUNK < F) __syncthreads();\n", ""),
        (KERNELS, "part < SPLIT && f < F ? b[f] : 0.0f", "part < SPLIT && f < F ? b[0] : 0.0f"),
    ],
    "nnlib/kernels/convolution_pooled.cu": [
        (KERNELS, "row >= 0 && row < H && column >= 0 && column < W;", "row >= 0 && row < H && column < W;"),
        (KERNELS, "                    __syncwarp();\n                    for (int i = 0;", "                    for (int i = 0;"),
        (KERNELS, "        __syncthreads();\n        for (int i = threadIdx.x;", "        for (int i = threadIdx.x;"),
    ],
    "nnlib/kernels/convolution_weight.cu": [
        (KERNELS, "if (y[i] <= 0.0f) gradient = 0.0f;", ""),
        (KERNELS, "if (lane == 0 && f < F) part[(f * C + c)", "if (lane == 0) part[(f * C + c)"),
    ],
    "nnlib/kernels/loss_few.cu": [
        (KERNELS, "rows[threadIdx.x * PITCH + k] = values[k];\n    __syncthreads();", "rows[threadIdx.x * PITCH + k] = values[k];"),
        (KERNELS, "i < here ? first[i] : 0.0f", "first[i]"),
    ],
    "nnlib/kernels/windows.cu": [
        (KERNELS, "top >= 0 && top % SH == 0 && top / SH < OH", "top >= 0 && top / SH < OH"),
        (KERNELS, "if (value > largest)", "if (value >= largest)"),
        (KERNELS, "if (left + column < W) out[column]", "out[column]"),
        (KERNELS, "up * SH + row < KH && back * SW + column < KW :", "true :"),
    ],
    "nnlib/cuda/simulator/observers/bounds.py": [
        (SIMULATOR, "if first <= index < limit:", "if first <= index <= limit:"),
        (SIMULATOR, "(place >= limit) |", "(place > limit) |"),
        (SIMULATOR, "outside = outside & access.mask", "outside = outside | access.mask"),
        (SIMULATOR, "beyond = (k < 0) | (k >= length)", "beyond = (k < 0) | (k > length)"),
    ],
    "nnlib/cuda/simulator/observers/uninitialized.py": [
        (SIMULATOR, "bool(self.parts.all())", "bool(self.parts.any())"),
        (SIMULATOR, "missing = missing & access.mask", "missing = missing | access.mask"),
    ],
    "nnlib/cuda/simulator/observers/races/log.py": [
        (SIMULATOR, "WRITE: 1 | 2 | 4 | 8, ATOMIC", "WRITE: 1 | 2 | 8, ATOMIC"),
    ],
    "nnlib/cuda/simulator/observers/races/order.py": [
        (SIMULATOR, "block_sync=clock, warp_sync=clock", "warp_sync=clock"),
        (SIMULATOR, "        if wide:\n", "        if True:\n"),
        (SIMULATOR, "vector, clock = order.fences[last[lane]]", "vector, clock = order.vector, done[1]"),
        (SIMULATOR, "_at(vector.block_sync, lane))", "clock)"),
        (SIMULATOR, "key, own = (home, place), (home, place, rt.first + block)", "key, own = home, (home, rt.first + block)"),
    ],
    "nnlib/cuda/simulator/observers/races/judge.py": [
        (SIMULATOR, "vector.lanes[lane, one[pairs] % threads % WARP]", "vector.lanes[lane, 0]"),
    ],
    "nnlib/cuda/simulator/observers/async_copies.py": [
        (SIMULATOR, "self._check(access, READ)", "pass"),
    ],
    "nnlib/cuda/simulator/running/pipeline.py": [
        (SIMULATOR, "batch < self.committed - allowed", "batch <= self.committed - allowed"),
    ],
    "nnlib/cuda/simulator/running/binding.py": [
        (SIMULATOR, "if not groups or _start(memory) >= end", "if True or _start(memory) >= end"),
        (SIMULATOR, "% SECTOR\n", "% 4\n"),
    ],
    "nnlib/cuda/simulator/observers/counters.py": [
        (SIMULATOR, "steps = np.diff(np.sort(sectors, axis=1), axis=1)", "steps = np.diff(sectors, axis=1)"),
        (SIMULATOR, "+ len(sectors) - empty", "+ len(sectors)"),
        (SIMULATOR, "for distance in (1, 2):", "for distance in (1,):"),
        (SIMULATOR, "distinct[:, 1:] &= words[:, 1:] != words[:, :-1]", "pass"),
        (SIMULATOR, "(goes & by_warp(self.machine, active).any(1)).sum()", "goes.sum()"),
    ],
    "nnlib/cuda/simulator/functions/atomics.py": [
        (SIMULATOR, "np.where((old == 0) | (old > limit), limit", "np.where(old == 0, limit"),
        (SIMULATOR, "np.where(old >= limit, old.dtype.type(0)", "np.where(old > limit, old.dtype.type(0)"),
        (SIMULATOR, "waiting & (position <= first[group])", "waiting & (position < first[group])"),
    ],
    "nnlib/cuda/limits.py": [
        ("tests/cuda/test_limits.py", "BANKS = 32", "BANKS = 16"),
        ("tests/cuda/test_limits.py", "SECTOR = 32", "SECTOR = 64"),
        ("tests/cuda/test_arguments.py", "(1024, 1024, 64)", "(1024, 1024, 1024)"),
        ("tests/cuda/test_limits.py", "STATIC_SHARED = 48 * 1024", "STATIC_SHARED = 49 * 1024"),
    ],
    "nnlib/cuda/gpu/occupancy.py": [("tests/cuda/test_occupancy.py", "return self.shared - self.reserved", "return self.shared")],
    "nnlib/course/exercises/comparing.py": [("tests/lessons/test_kit.py", "want, rtol, atol, equal_nan=True", "want, rtol, atol, equal_nan=False")],
}


def passes(copy: Path, tests: str) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--timeout=60", "-p", "no:cacheprovider", "-m", "not browser", *tests.split()]
    environment = {**os.environ, "PYTHONPATH": str(copy), "HYPOTHESIS_STORAGE_DIRECTORY": str(copy / ".hypothesis")}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True).returncode == 0


def survives(copy: Path, file: str, tests: str, right: str, wrong: str) -> bool:
    """Whether the tests still pass with the mutant in place of the line."""
    path = copy / file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    try:
        return passes(copy, tests)
    finally:
        path.write_text(text, encoding="utf-8")


def main() -> None:
    mutants = [(file, *mutant) for file, of_file in MUTANTS.items() for mutant in of_file]
    for file, _, right, _ in mutants:
        if right not in (ROOT / file).read_text(encoding="utf-8"):
            raise SystemExit(f"{file}: {right!r} is not there any more; bring tests/mutants.py up to date")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in ("nnlib", "tests", "notebooks", "data"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "Makefile"):
            shutil.copy(ROOT / name, copy / name)
        for tests in sorted({tests for _, tests, _, _ in mutants}):
            if not passes(copy, tests):
                raise SystemExit(f"{tests} do not pass without a mutant either")
        survivors = []
        for file, tests, right, wrong in mutants:
            if survives(copy, file, tests, right, wrong):
                survivors.append({"file": file, "right": right, "wrong": wrong})
                print(f"survives: {file}: {right!r} -> {wrong!r}", flush=True)
    count, noticed = len(mutants), len(mutants) - len(survivors)
    print(f"{noticed} of {count} mutants noticed ({noticed / count:.0%})")
    result = {"mutants": count, "noticed": noticed, "survivors": survivors}
    (ROOT / "tests/mutants.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
