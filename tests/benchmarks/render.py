"""Render the tables and numbers of the README files and the teacher's guide from what benchmarks stored.

    python -m tests.benchmarks.render

Between `<!-- results:NAME -->` and `<!-- /results -->` goes a table, between `<!-- number:NAME -->` and
`<!-- /number -->` a number within a sentence; other text stays. A marker whose JSON is not there yet encloses nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nnlib.course.ladder import RUNGS
from nnlib.course.timing import recorded

from .timing import stored_at

ROOT = Path(__file__).parents[2]
PAGES = [
    ROOT / page
    for page in (
        "README.md",
        "notebooks/TEACHING.md",
        "notebooks/COMPARISON.md",
        "nnlib/cuda/README.md",
        "nnlib/kernels/README.md",
        "tests/benchmarks/results/README.md",
    )
]
_SECTION = re.compile(r"(<!-- results:(\w+) -->\n).*?(<!-- /results -->)", re.DOTALL)
_NUMBER = re.compile(r"(<!-- number:(\w+) -->).*?(<!-- /number -->)", re.DOTALL)
Results = dict[str, Any]
Rows = Iterable[Iterable[str]]


def render(text: str) -> str:
    """The text with every marked section and number renewed."""
    text = _SECTION.sub(lambda match: match[1] + section(match[2]) + match[3], text)
    return _NUMBER.sub(lambda match: match[1] + number(match[2]) + match[3], text)


def number(name: str) -> str:
    """A number within a sentence; "" without results."""
    file, words = NUMBERS[name]
    data = _load(file)
    return words(data) if data else ""


def _load(name: str) -> Results | None:
    path = stored_at(name)
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def section(name: str) -> str:
    """Return what stands between the markers: a Markdown table and where it was measured; "" without results."""
    data = _load(SOURCES.get(name, name))
    if not data:
        return ""
    if name == "your_step":  # what stands beside it in the table
        data |= {side: recorded("train_gpu")[side] for side in ("pytorch", "nnlib")}
    heading, *rows = (list(row) for row in TABLES.get(name, stored)(data))
    lines = [heading, ["---"] + ["---:"] * (len(heading) - 1), *rows]
    table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"{table}\n\n{origin(data)}\n" if "environment" in data else f"{table}\n"


def origin(data: Results) -> str:
    """Return where and with what the results were measured, as one sentence."""
    stamp = data["environment"]
    names = {
        "driver": "driver {}",
        "cuda": "CUDA {}",
        "cupy": "CuPy {}",
        "python": "Python {}",
        "numpy": "NumPy {}",
    }
    machine = stamp.get("gpu") or f"{stamp.get('cpu', 'CPU')}, {stamp.get('cores', '?')} cores"
    parts = [machine] + [words.format(stamp[key]) for key, words in names.items() if key in stamp]
    torch = (data.get("pytorch") or {}).get("settings", {}).get("torch")
    versions = {"torch": torch} if torch else data.get("versions", {})
    parts += [f"{name} {version}" for name, version in versions.items()]
    return f"Measured {stamp['date']}: {', '.join(parts)}."


def stored(data: Results) -> Rows:
    """A table that the benchmark itself stored under "table": lists of strings, the first the heading."""
    return data["table"]


def counters(data: Results) -> Rows:
    """Public kernels by source: for how many all counters equal Nsight Compute's."""
    yield [
        "Published kernels whose six counters all equal Nsight Compute's",
        "kernels",
        "as written",
        "as compiled",
    ]
    rows = data["rows"]
    groups = {source: [row for row in rows if row[0] == source] for source, *_ in rows}
    largest_first = sorted(groups.items(), key=lambda item: -len(item[1]))
    unseen = [row for row in rows if not row[5]]
    for name, group in [*largest_first, ("all", rows), (data["unseen"], unseen)]:
        equal = [sum(row[6] == row[column] for row in group) for column in (7, 8)]
        yield [name, str(len(group)), *map(str, equal)]


def matmul(data: Results) -> Rows:
    sizes = list(dict.fromkeys(row["size"] for row in data["rows"]))
    yield ["C = A B, float32, TFLOP/s (share of cuBLAS)"] + [f"{size}³" for size in sizes]
    for name in dict.fromkeys(row["rung"] for row in data["rows"]):
        mine = {row["size"]: row for row in data["rows"] if row["rung"] == name}
        yield [name] + [f"{mine[size]['tflops']:.1f} ({mine[size]['share']:.0%})" for size in sizes]


def matmul_ladder(data: Results) -> Rows:
    """Each version of the product with its kernel, and how fast it is on large matrices."""
    size = 4096
    yield ["version", "kernel", f"TFLOP/s at {size}³", "share of cuBLAS"]
    kernels = {rung.name: f"`{rung.kernel}` in `{rung.file}.cu`" for rung in RUNGS}
    for row in data["rows"]:
        if row["size"] == size:
            yield [
                row["rung"],
                kernels.get(row["rung"], ""),
                f"{row['tflops']:.1f}",
                f"{row['share']:.0%}",
            ]


def tensor_ladder(data: Results) -> Rows:
    """The versions on tensor cores and cuBLAS, by type of the factors."""
    sizes = list(dict.fromkeys(row["size"] for row in data["rows"]))
    yield ["TFLOP/s (share of cuBLAS)", *(f"{size}³" for size in sizes)]
    for kind, words in {"bf16": "bfloat16", "tf32": "TF32"}.items():
        yield [f"{words}: mma.sync from registers", *([f"{data['limits'][kind]:.0f}"] * len(sizes))]
        rows = [row for row in data["rows"] if row["kind"] == kind]
        for name in dict.fromkeys(row["rung"] for row in rows):
            cells = (
                row for size in sizes for row in rows if (row["rung"], row["size"]) == (name, size)
            )
            yield [
                f"{words}: {name}",
                *(f"{row['tflops']:.0f} ({row['share']:.0%})" for row in cells),
            ]


def mixed_precision(data: Results) -> Rows:
    yield ["MNIST, 5 epochs, five seeds", "test accuracy", "ms per epoch", "MB on the GPU"]
    for row in data["rows"]:
        reached = [accuracy for accuracy in row["accuracy"] if accuracy is not None]
        stopped = len(row["accuracy"]) - len(reached)
        yield [
            f"{row['network']}, {row['precision']}",
            _range(reached) + (f" ({stopped} stopped: the loss was not finite)" if stopped else ""),
            f"{1e3 * row['seconds_per_epoch']:.0f}" if reached else "",
            f"{row['bytes'] / 1e6:.0f}",
        ]


def precision_layer(data: Results) -> Rows:
    layer = data["layer"]
    yield [
        f"Linear {layer['side']}→{layer['side']}, batch {layer['side']}, forward and backward",
        "TFLOP/s",
    ]
    for name, tflops in layer["tflops"].items():
        yield [name, f"{tflops:.0f}"]


def convolution_ladder(data: Results) -> Rows:
    """The forward pass in each way, and what unfolding and folding cost by themselves."""
    ways = {
        "first version": "direct, one thread per result (`mine/plain/conv_forward.cu`)",
        "best version": "direct, from shared memory and registers (`mine/best/conv_forward.cu`)",
        "product": "the product of im2col's columns alone, by cuBLAS",
        "im2col": "im2col alone (`convolution.cu`)",
        "col2im_atomic": "col2im with atomics (`convolution.cu`)",
        "col2im": "col2im without (`convolution.cu`)",
    }
    times = {row["kernel"]: row["seconds"] for row in data["rows"] if row["batch"] == 64}
    return _times_of(ways, times)


def sums_ladder(data: Results) -> Rows:
    """Lesson 04's three sums."""
    ways = {
        "atomics": "every thread adds to one number with an atomic (`sum_atomic`)",
        "tree": "a tree in shared memory for each block (`sum_tree`)",
        "shuffles": "warp shuffles (`sum_warps`)",
    }
    return _times_of(ways, data["sums"]["kinds"])


def _times_of(ways: dict[str, str], seconds: dict[str, float]) -> Rows:
    yield ["version", "µs"]
    for name, words in ways.items():
        yield [words, f"{1e6 * seconds[name]:,.0f}"]


def student_ladder(data: Results) -> Rows:
    yield ["kernel", "version", "µs"]
    for piece, versions in data["rungs"].items():
        for version, seconds in versions.items():
            yield [piece, version, f"{1e6 * seconds:,.0f}"]


def kernels(data: Results) -> Rows:
    yield ["Kernel limited by memory", "TB/s", "share of a copy"]
    for row in data["rows"]:
        yield [row["kernel"], f"{row['bytes_per_second'] / 1e12:.2f}", f"{row['share']:.0%}"]


def accuracy(data: Results) -> Rows:
    yield ["Network, data, training", "NumPy", "our kernels"]
    for row in data.values():
        if "what" in row:
            yield [row["what"], *(_range(row.get(where, [])) for where in ("cpu", "gpu"))]


def _range(reached: list[float]) -> str:
    low, high = (
        f"{100 * value:.2f}" for value in (min(reached, default=0), max(reached, default=0))
    )
    return "" if not reached else f"{low}%" if low == high else f"{low} to {high}%"


def train_gpu(data: Results) -> Rows:
    yield [f"Batch {data['batch']}, {data['epochs']} epochs", "seconds", "test accuracy"]
    yield ["arithmetic alone, at the GPU's highest rate", f"{_floor(data):.3f}", ""]
    for side, rows in (
        ("nnlib", data["nnlib"]),
        ("PyTorch", (data.get("pytorch") or {}).get("rows", {})),
    ):
        loaders = {name: row for name, row in rows.items() if "DataLoader" in name}
        quickest = min(loaders, key=lambda name: loaders[name]["seconds"], default="")
        for name, row in rows.items():
            if name not in loaders:
                yield [f"{side}: {name}", *_training(row)]
            elif name == quickest:
                yield [f"{side}: {name}, the fastest of {len(loaders)} settings", *_training(row)]


def _floor(data: Results) -> float:
    floor = data["floor"]
    return data["nnlib"]["CUDA graph"]["seconds"] * floor["share"]


def _training(row: dict[str, Any]) -> tuple[str, str]:
    return f"{row['seconds']:.3f} ± {row['spread']:.3f}", _range(row.get("test_accuracy", []))


def your_step(data: Results) -> Rows:
    """A student's way, beside what PyTorch and the course need for the same training."""
    steps = -(-60_000 // data["batch"]) * data["epochs"]
    yield [f"Batch {data['batch']}, {data['epochs']} epochs of MNIST", "µs per step", "seconds"]
    for name, row in data["training"].items():
        if name.startswith("plain versions, step"):
            yield [
                "a student's first training: plain versions, step by step",
                "",
                f"{row['seconds']:.2f}",
            ]
    for row in data["path"]:
        first = "plain versions in a CUDA graph, as all below"
        name = f"{row['replaced']}: {row['text']}" if row["replaced"] else first
        yield [
            name + ("" if row["kept"] else " (slower: taken back)"),
            f"{1e6 * row['graph']:,.0f}",
            f"{row['five_epochs']:.2f}",
        ]
    last = data["training"]["fast versions, fused, CUDA graph"]
    yield [
        "**a student's last training**, all five epochs",
        f"{1e6 * last['seconds'] / steps:,.0f}",
        f"**{last['seconds']:.2f}** ({_range(last['test_accuracy'])})",
    ]
    rows = {
        f"PyTorch: {name}": row
        for name, row in data["pytorch"]["rows"].items()
        if "DataLoader" not in name
    }
    rows |= {
        f"the course: {name}": row for name, row in data["nnlib"].items() if name == "CUDA graph"
    }
    for name, row in rows.items():
        yield [name, f"{1e6 * row['seconds'] / steps:,.0f}", f"{row['seconds']:.2f}"]


def train_cpu(data: Results) -> Rows:
    yield [
        f"One training step, batch {data['batch']}, {data['threads']} CPU threads",
        "best",
        "median",
    ]
    for name, row in data["step"].items():
        yield [name, f"{row['best']:.1f} {data['unit']}", f"{row['median']:.1f} {data['unit']}"]


def simulator(data: Results) -> Rows:
    yield [
        "Simulated kernel",
        "Numba's simulator",
        "no checks",
        "all checks",
        "checks and counters",
    ]
    for name, row in data["seconds"].items():
        numba = f"{row['numba']:.1f} s" if row.get("numba") else "not measured"
        yield [name, numba] + [_times(row, key) for key in ("unchecked", "checked", "counted")]


def _times(row: dict[str, Any], key: str) -> str:
    faster = row.get("times_faster", {}).get(key)
    return f"{1e3 * row[key]:.0f} ms" + (f" ({faster:.0f} times faster)" if faster else "")


def _by_engine(title: str, rows: list[Results], form: str, last: tuple[str, ...] = ()) -> Rows:
    """A row for each network and version, a column for each engine and number of cores: its time in this form."""
    engines = list(dict.fromkeys((row["engine"], row["cores"]) for row in rows))
    yield [title, *(f"{name}, {cores} core{'s' * (cores > 1)}" for name, cores in engines), *last]
    for network, version in dict.fromkeys((row["network"], row["version"]) for row in rows):
        times = {
            (row["engine"], row["cores"]): row
            for row in rows
            if (row["network"], row["version"]) == (network, version)
        }
        cells = [
            form.format(times[engine]["wall"]) if engine in times else "" for engine in engines
        ]
        if last:
            cells.append(f"{100 * min(row['accuracy'] for row in times.values()):.1f} %")
        yield [f"{network} network, {version} versions", *cells]


def native(data: Results) -> Rows:
    rows = data["steps"]
    yield from _by_engine(f"Milliseconds of a step, batch {data['batch']}", rows, "{:,.1f}")
    engines = dict.fromkeys((row["engine"], row["cores"]) for row in rows)
    pytorch = [
        data["pytorch"].get(str(cores)) if name == "LLVM" else None for name, cores in engines
    ]
    if any(pytorch):
        yield [
            "reference network, PyTorch",
            *(f"{row['wall']:.1f}" if row else "" for row in pytorch),
        ]


def epochs(data: Results) -> Rows:
    last = ("test images right",)
    return _by_engine("An epoch of MNIST", data["epochs"], "{:.0f} s", last)


def compiling(data: Results) -> Rows:
    yield [
        "Seconds to compile a kernel",
        "median",
        "95 of 100",
        "longest",
        "largest, bytes",
        f"MiB after {data['launches']} launches of different sizes",
    ]
    for engine, rows in data["compiled"].items():
        seconds = sorted(row["seconds"] for row in rows)
        median, most = seconds[len(seconds) // 2], seconds[int(0.95 * (len(seconds) - 1))]
        yield [
            engine,
            f"{median:.2f}",
            f"{most:.2f}",
            f"{seconds[-1]:.2f}",
            f"{max(row['bytes'] for row in rows):,}",
            f"{data['memory_mib'][engine]:.0f}",
        ]


def lessons(data: Results) -> Rows:
    machines = data["machines"]
    yield ["Seconds from top to bottom", *machines]
    for name in next(iter(machines.values()))["seconds"]:
        yield [
            name.replace("_", " "),
            *(f"{machine['seconds'].get(name, 0):.0f}" for machine in machines.values()),
        ]


def browser(data: Results) -> Rows:
    yield [
        "In Chromium, CPU seconds",
        "page: first report, first visit",
        "second visit",
        "next report",
        "all cells",
        "JupyterLite: first kernel, first visit",
        "second visit",
        "all cells",
        "memory",
    ]
    yield ["start page", *(f"{data['start'][turn]:.1f}" for turn in ("cold", "warm")), *[""] * 6]
    for name, row in data["lessons"].items():
        page = row.get("page", {})
        yield [
            name.replace("_", " "),
            *(f"{page[turn]:.1f}" if page else "" for turn in ("cold", "warm", "again")),
            f"{page['whole']:.0f}" if page else "",
            *(f"{row[turn]:.0f}" if turn in row else "" for turn in ("cold", "warm", "whole")),
            f"{row['memory'] / 1e9:.1f} GB" if "memory" in row else "",
        ]
    loaded = max(row.get("loaded", 0) for row in data["lessons"].values())
    version = data["pyodide"].get("version", "")
    yield [
        f"Pyodide {version}; the site has {data['size'] / 1e6:.0f} MB, a first visit of JupyterLite loads {loaded / 1e6:.0f}",
        *[""] * 8,
    ]


TABLES: dict[str, Callable[[Results], Rows]] = {
    table.__name__: table
    for table in (
        counters,
        matmul,
        kernels,
        accuracy,
        train_gpu,
        your_step,
        train_cpu,
        simulator,
        native,
        epochs,
        compiling,
        lessons,
        browser,
        matmul_ladder,
        convolution_ladder,
        sums_ladder,
        student_ladder,
        tensor_ladder,
        mixed_precision,
        precision_layer,
    )
}
# Tables that are not named like their results
SOURCES = {
    "matmul_ladder": "matmul",
    "tensor_ladder": "matmul_tensor",
    "compiling": "native",
    "epochs": "native",
    "convolution_ladder": "convolution",
    "sums_ladder": "patterns",
    "student_ladder": "your_step",
    "precision_layer": "mixed_precision",
}


def _row(data: Results, first: str) -> list[str]:
    return next(row for row in data["table"] if row[0] == first)


def _unseen_counters(data: Results) -> str:
    rows = [row for row in data["rows"] if not row[5]]
    return f"{sum(row[6] == row[8] for row in rows)} of {len(rows)}"


def _times_faster(data: Results) -> str:
    """Return how many times faster a student's last training is than the first."""
    rows = data["training"]
    first, last = rows["plain versions, step by step"], rows["fast versions, fused, CUDA graph"]
    return f"{first['seconds'] / last['seconds']:.0f} times"


def _epoch(data: Results) -> str:
    rows = ((row["engine"], row["network"], row["version"], row["wall"]) for row in data["epochs"])
    return next(f"{wall:.0f} s" for *row, wall in rows if row == ["LLVM", "reference", "plain"])


# name -> results, words made of them
NUMBERS: dict[str, tuple[str, Callable[[Results], str]]] = {
    "unseen": ("unseen", lambda data: "{2} of {1}".format(*_row(data, "all"))),
    "planted": ("faults", lambda data: _row(data, "all")[1]),
    "named": ("faults", lambda data: "{2} of {1}".format(*_row(data, "all"))),
    "sanitizer": ("faults", lambda data: _row(data, "all")[3]),
    "faults": (
        "faults",
        lambda data: "{2}, and NVIDIA's compute-sanitizer {3}".format(*_row(data, "all")),
    ),
    "counters": ("counters", _unseen_counters),
    "student": ("your_step", _times_faster),
    "epoch": ("native", _epoch),
}


def main() -> None:
    for page in PAGES:
        page.write_text(render(page.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
