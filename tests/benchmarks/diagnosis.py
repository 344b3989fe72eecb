"""A benchmark of diagnosis: wrong CUDA programs, each a file with `main`, and what a tool says about each.

    python -m tests.benchmarks.diagnosis [TOOL …]       runs tools, all that are installed here if none is named
    python -m tests.benchmarks.diagnosis --write FOLDER    writes the programs and index.json, for a tool of your own

The programs are the kernels of tests/cuda/broken, each launched by a main, and the mistakes of the host's side in
tests/cuda/host/cases/mistakes.cu, which have repaired twins. A tool complains or is silent; of a wrong program it may name the
line of the mistake. A complaint about a repaired program is a false alarm. To add a tool, write a function that takes the
path of a program and returns what is printed about it, and enter it in TOOLS; nobody's words are read but line numbers.
Writes results/diagnosis.json; tools that were not run keep their results.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.cuda.host.mistakes import MISTAKES
from tests.cuda.test_broken import BROKEN, NAMES, Broken

from .faults import IN_WORDS
from .timing import store, stored_at

SECONDS = 120
INCLUDES = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <cmath>\n"
C_NAMES = {
    "float32": "float",
    "float64": "double",
    "int32": "int",
    "uint32": "unsigned",
    "uint8": "unsigned char",
}


@dataclass(frozen=True)
class Program:
    """A program. fault: its kind in words, "" for a right one. line: of the mistake, where it has one."""

    name: str
    fault: str
    line: int | None
    text: str


def programs() -> Iterator[Program]:
    """All programs; those of BROKEN that need more than arrays and numbers are left out."""
    for broken in BROKEN:
        if broken.error in IN_WORDS and (main := launching(broken)):
            yield Program(
                broken.kernel, IN_WORDS[broken.error], broken.line, f"{broken.text}\n{main}"
            )
    for number, (name, text, line, repaired) in enumerate(MISTAKES):
        if name.startswith("another "):  # program or folder: refused here, and no mistake of CUDA
            continue
        words = f"host_{number:02}_" + re.sub(r"\W+", "_", name)
        yield Program(words, "host", line and INCLUDES.count("\n") + line, INCLUDES + text)
        yield Program(f"{words}_repaired", "", None, INCLUDES + repaired)


def launching(broken: Broken) -> str:
    """Return a main that launches a broken kernel as its file says; "" where C would need more than this writes."""
    grid, block, arguments, *shared = eval(broken.launch, dict(NAMES))
    head = re.search(rf"\b{broken.kernel}\(([^)]*)\)", broken.text)
    kinds = [re.sub(r"\w+\s*$", "", each).strip() for each in head[1].split(",")] if head else []
    before, passed = [], []
    for number, (argument, kind) in enumerate(zip(arguments, kinds, strict=False)):
        if (
            isinstance(argument, np.ndarray)
            and argument.dtype.name in C_NAMES
            and argument.flags.c_contiguous
        ):
            element = C_NAMES[argument.dtype.name]
            values = ", ".join(map(str, argument.reshape(-1).tolist())) if argument.any() else "0"
            before.append(
                f"  static {element} h{number}[{argument.size}] = {{{values}}}; {element}* d{number};\n"
                f"  cudaMalloc(&d{number}, sizeof h{number});\n"
                f"  cudaMemcpy(d{number}, h{number}, sizeof h{number}, cudaMemcpyHostToDevice);\n"
            )
            passed.append(f"({kind.replace('__restrict__', '')})d{number}")
        elif isinstance(argument, int | float):
            passed.append(str(argument))
        else:
            return ""
    sizes = [each if isinstance(each, tuple) else (each,) for each in (grid, block)]
    if not all(isinstance(each, int) for size in sizes for each in size) or len(passed) < len(
        kinds
    ) - (not arguments):
        return ""
    how = ", ".join([*(f"dim3({', '.join(map(str, size))})" for size in sizes), *map(str, shared)])
    return (
        "int main() {\n" + "".join(before) + f"  {broken.kernel}<<<{how}>>>({', '.join(passed)});\n"
        "  return cudaDeviceSynchronize() != cudaSuccess;\n}\n"
    )


def printed(*command: str | Path) -> tuple[int, str]:
    """The exit status of a command, and what it prints; 124 where it does not end."""
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return 124, ""
    return ran.returncode, ran.stdout + ran.stderr


def cudasim(file: Path) -> str:
    """This simulator's complaint about a program, or ""."""
    status, said = printed(sys.executable, "-m", "nnlib.cuda", "run", file)
    return said if status else ""


def compiled(file: Path, *options: str) -> Path | None:
    """The program that nvcc makes, if it takes it."""
    made = file.with_suffix("")
    status, _ = printed("nvcc", "-w", "-lineinfo", *options, "-o", made, file)
    return None if status else made


def nvcc(file: Path) -> str:
    """The warnings of nvcc, or its errors."""
    return printed("nvcc", "-Xcompiler", "-Wall,-Wextra", "-c", "-o", file.with_suffix(".o"), file)[
        1
    ]


def gpu(file: Path) -> str:
    """Return what a GPU alone reports: an exit status other than 0."""
    made = compiled(file, "-arch=native")
    status = printed(made)[0] if made else 0
    return f"exit status {status}" if status else ""


def compute_sanitizer(file: Path) -> str:
    """The reports of NVIDIA's four tools."""
    made, reports = compiled(file, "-arch=native"), ""
    for tool in ("memcheck", "racecheck", "initcheck", "synccheck") if made else ():
        said = printed("compute-sanitizer", "--tool", tool, "--error-exitcode", "9", made)[1]
        if not re.search(r"SUMMARY: 0 (errors|hazards)", said):
            reports += said
    return reports


# A tool's name -> the program that it needs, and the function that runs it.
TOOLS: dict[str, tuple[str, Callable[[Path], str]]] = {
    "cudasim": (sys.executable, cudasim),
    "nvcc's warnings": ("nvcc", nvcc),
    "a GPU alone": ("nvidia-smi", gpu),
    "compute-sanitizer": ("compute-sanitizer", compute_sanitizer),
}


def said(tool: str) -> dict[str, Any]:
    """Return for each program whether the tool complains, and whether it names the line of the mistake."""
    found = {}
    with tempfile.TemporaryDirectory(prefix="diagnosis-") as folder:
        for each in programs():
            file = Path(folder, f"{each.name}.cu")
            file.write_text(each.text, "utf-8")
            report = TOOLS[tool][1](file)
            line = rf"\b{each.name}\.cu[:(]{each.line}\b|:{each.line}:"
            names = each.line is not None and bool(re.search(line, report))
            found[each.name] = {"complains": bool(report), "line": names}
    return found


def table(results: dict[str, Any]) -> list[list[str]]:
    """One row for each kind of fault: how many programs, and for each tool those it complains about and lines named."""
    known = list(programs())
    count = Counter(each.fault for each in known)
    rows = [["fault", "programs", *(f"{tool}: complains, names the line" for tool in results)]]
    for fault in [*(kind for kind in count if kind), ""]:
        names = [each.name for each in known if each.fault == fault]
        cells = [
            ", ".join(
                str(sum(by_name[name][key] for name in names)) for key in ("complains", "line")
            )
            if fault
            else str(sum(by_name[name]["complains"] for name in names))
            for by_name in results.values()
        ]
        rows.append([fault or "none: false alarms", str(count[fault]), *cells])
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.diagnosis")
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=", ".join(TOOLS))
    parser.add_argument(
        "--write", type=Path, metavar="FOLDER", help="write the programs there, and run nothing"
    )
    chosen = parser.parse_args()
    if chosen.write:
        chosen.write.mkdir(parents=True, exist_ok=True)
        for each in programs():
            (chosen.write / f"{each.name}.cu").write_text(each.text, "utf-8")
        index = [
            {key: value for key, value in asdict(each).items() if key != "text"}
            for each in programs()
        ]
        (chosen.write / "index.json").write_text(json.dumps(index, indent=1), "utf-8")
        return
    known = stored_at("diagnosis")
    results = json.loads(known.read_text("utf-8"))["said"] if known.exists() else {}
    for tool in chosen.tools or [name for name, (needs, _) in TOOLS.items() if shutil.which(needs)]:
        results[tool] = said(tool)
        store("diagnosis", {"table": table(results), "said": results})


if __name__ == "__main__":
    main()
