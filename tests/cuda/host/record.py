"""What a real GPU says of the programs in this folder, stored for machines without one.

    python -m tests.cuda.host.record FOLDER     gpu.json: needs a GPU, CuPy, nvcc and compute-sanitizer
    python -m tests.cuda.host.record table      writes MISTAKES.md from gpu.json

Of each mistake: how the program ends that nvcc makes of it, and what compute-sanitizer says. Of each whole program:
what it prints in the simulator, through CuPy and through nvcc. Copy gpu.json into tests/cuda/host.
"""

from __future__ import annotations

import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nnlib.cuda import KernelError, Program, force_simulator
from nnlib.cuda._engine.host import nvcc
from tests.cuda.host.mistakes import MISTAKES, START
from tests.cuda.host.programs import PROGRAMS

HERE = Path(__file__).parent
TOOLS = {"memcheck": ["--leak-check", "full"], "initcheck": []}
SECONDS = 40
INCLUDES = "#include <stdio.h>\n#include <stdlib.h>\n"
# These would do on a PC what they say
OUTSIDE = ("another program", "another folder", "another folder: absolute")
REFUSALS = r"""
__global__ void nothing(int* x) { x[0] = 1; }
int main() {
    int* x;
    cudaMalloc(&x, sizeof(int));
    nothing<<<1, 4096>>>(x);
    printf("block too large: %s\n", cudaGetErrorName(cudaGetLastError()));
    nothing<<<0, 32>>>(x);
    printf("grid of 0: %s\n", cudaGetErrorName(cudaGetLastError()));
    nothing<<<dim3(1, 70000), 32>>>(x);
    printf("grid too large: %s\n", cudaGetErrorName(cudaGetLastError()));
    nothing<<<1, 32, 1 << 20>>>(x);
    printf("shared memory too large: %s\n", cudaGetErrorName(cudaGetLastError()));
}
"""


def ended(command: list[str], folder: Path) -> tuple[int | str, str]:
    """Exit status, or why there is none, and what was printed."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            cwd=folder,
            check=False,
        )
    except (subprocess.TimeoutExpired, FileNotFoundError) as error:
        return type(error).__name__, ""
    return done.returncode, done.stdout + done.stderr


def complaints(text: str) -> list[str]:
    """The first lines of the different reports of compute-sanitizer, without addresses."""
    found = []
    for report in re.split(r"^=+ *$", text, flags=re.MULTILINE):
        lines = [
            line.removeprefix("=========").strip()
            for line in report.splitlines()
            if line.startswith("=========")
        ]
        lines = [line for line in lines if line and not line.startswith("COMPUTE-SANITIZER")]
        if lines and not lines[0].startswith(("ERROR SUMMARY", "LEAK SUMMARY")):
            found.append(re.sub(r"0x[0-9a-f]+", "0x…", " / ".join(lines[:2])))
    return list(dict.fromkeys(found))[:3]


def mistake(program: str) -> dict[str, Any]:
    """Return what nvcc's program and compute-sanitizer do with it."""
    with tempfile.TemporaryDirectory(prefix="mistake-") as place:
        folder = Path(place)
        (folder / "p.cu").write_text(INCLUDES + program, encoding="utf-8")
        status, said = ended(["nvcc", "-w", "-arch=native", "-o", "p", "p.cu"], folder)
        if status:
            return {"nvcc": said.strip().splitlines()[:2]}
        status, printed = ended(["./p"], folder)
        result: dict[str, Any] = {"status": status, "printed": printed[:200]}
        for tool, options in TOOLS.items():
            _, said = ended(["compute-sanitizer", "--tool", tool, *options, "./p"], folder)
            result[tool] = complaints(said)
        return result


def whole(name: str) -> dict[str, Any]:
    """The same program three ways."""
    text, args, _, _ = PROGRAMS[name]

    def here() -> list[Any]:
        run = Program(text).run(args)
        return [run.output, run.status]

    with force_simulator():
        simulated = here()
    return {"simulator": simulated, "CuPy": here(), "nvcc": list(nvcc.run(text, args))}


def record(folder: Path) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        known = [one for one in MISTAKES if one.name not in OUTSIDE]
        told = pool.map(lambda one: mistake(one.text), known)
        mistakes = {one.name: what for one, what in zip(known, told, strict=True)}
    programs = {}
    for name in PROGRAMS:
        try:
            programs[name] = whole(name)
        except KernelError as error:
            programs[name] = {"refused": str(error).partition("\n")[0]}
    import cupy

    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    version = subprocess.run(
        ["nvcc", "--version"], capture_output=True, text=True, check=False
    ).stdout
    found = {
        "card": card,
        "nvcc": version.strip().splitlines()[-1],
        "day": str(datetime.date.today()),
        "mistakes": mistakes,
        "programs": programs,
        "refusals": list(nvcc.run(INCLUDES + REFUSALS)),
    }
    (folder / "gpu.json").write_text(
        json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def ours(program: str) -> str:
    """The first line of our report, with the line of the program."""
    try:
        with force_simulator():
            Program(program).run()
    except KernelError as error:
        return f"line {(error.line or START) - START}: {error.what}"
    return "nothing"


def table() -> str:
    """MISTAKES.md: our words beside those of a GPU."""
    known = json.loads((HERE / "gpu.json").read_text(encoding="utf-8"))
    rows = [
        f"# Mistakes of the host: our words, and what a GPU says\n\n{known['card']}, {known['nvcc']}, "
        f"{known['day']}, `python -m tests.cuda.host.record`. Line 1 is the first of main. A program that ends "
        "with status 0 and no report looks right on a GPU. (compute-sanitizer is what cuda-memcheck became.)\n\n"
        "| mistake | here | nvcc's program | compute-sanitizer |\n|---|---|---|---|"
    ]
    for name, text, *_ in MISTAKES:
        of = known["mistakes"].get(name)
        if of is None:
            continue
        says = [f"{tool}: {line}" for tool in TOOLS for line in of.get(tool, [])]
        plain = "refused by nvcc" if "nvcc" in of else f"status {of['status']}"
        cells = [name, ours(text), plain, "<br>".join(says) or "nothing"]
        rows.append(
            "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
        )
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    if sys.argv[1] == "table":
        (HERE / "MISTAKES.md").write_text(table(), encoding="utf-8")
    else:
        record(Path(sys.argv[1]))
