"""Published programs of books, courses and blogs: which of them run as found.

    python -m tests.cuda.host.published FOLDER [NAME ...]     all programs of FOLDER/index.json, or those named
    python -m tests.cuda.host.published                       how many run

FOLDER/index.json is a list of {"name", "source", "files", "include"}: files as Program.from_file takes them, relative
to FOLDER; "outside" says what a program needs that a program here is not said to have, such as exceptions. The texts
themselves are not part of this project; tests/benchmarks/results/programs.json keeps the results: "runs" (with the CPU
seconds in the simulator, and whether the program checks its own results), "defect" (the program has a mistake that is
named rightly: the message), "refused" (the message), "too long" (more than LIMIT seconds of CPU), "outside" (not
counted).
"""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

from tests.benchmarks.timing import stored_at

TABLE = stored_at("programs")
LIMIT = 300
# What the named program really does wrong, found by reading it; any other error counts as refused.
DEFECTS = {
    "CUDA-CNN-from-scratch naive": "reads gradients that its softmax kernel, launched too small, never writes",
    "cuda-course 00_atomicAdd": "a race, which the program is there to show",
    "cuda-samples shfl_scan": "reads sums of 32 warps, but 120 threads are 4, the last of them without its last lane",
    "cuda-samples simpleAssert": "an assert that fails, which the program is there to show",
    "cuda-samples simpleAtomicIntrinsics": "computeGold returns bool in one file and int in the other",
}
RUN = """
import json, resource, sys
from pathlib import Path
from nnlib.cuda import KernelError, Program, force_simulator
folder, files, include = Path(sys.argv[1]), json.loads(sys.argv[2]), json.loads(sys.argv[3])
given = {name: Path(path) for name, path in json.loads(sys.argv[4]).items()}
found = {}
try:
    with force_simulator():
        run = Program.from_file(*[folder / f for f in files], include=[folder / f for f in include]).run(files=given)
    found = {"status": run.status, "output": run.output}
except KernelError as error:
    found = {"error": type(error).__name__, "message": str(error).partition(chr(10))[0], "line": error.line}
used = resource.getrusage(resource.RUSAGE_SELF)
print(chr(10) + json.dumps({**found, "seconds": round(used.ru_utime + used.ru_stime)}))
"""


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 5))


def tried(folder: Path, entry: dict[str, Any]) -> dict[str, Any]:
    """The row of the table."""
    row = {"name": entry["name"], "source": entry["source"]}
    if "outside" in entry:
        return {**row, "result": "outside", "reason": entry["outside"]}
    data = {name: str(folder / path) for name, path in entry.get("data", {}).items()}
    command = [
        sys.executable,
        "-c",
        RUN,
        str(folder),
        json.dumps(entry["files"]),
        json.dumps(entry.get("include", [])),
        json.dumps(data),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=_limited)  # noqa: PLW1509
    if done.returncode < 0:
        return {**row, "result": "too long", "reason": f"more than {LIMIT} s of CPU"}
    if done.returncode:
        return {
            **row,
            "result": "refused",
            "reason": "breaks off: " + done.stderr.strip().splitlines()[-1][:150],
        }
    found = json.loads(done.stdout.splitlines()[-1])
    if "error" in found:
        message = re.sub(r"^\S+?:\d+:\d+: ", "", found["message"])[:160]
        named = DEFECTS.get(entry["name"])
        reason = f"{named}: {message}" if named else message
        return {**row, "result": "defect" if named else "refused", "reason": reason}
    checks = (
        re.search(r"PASS|Success|success|match|correct|We did it|OK\b", found["output"]) is not None
    )
    return {
        **row,
        "result": "runs",
        "status": found["status"],
        "checks itself": checks,
        "seconds": found["seconds"],
    }


def main() -> None:
    rows = (
        {row["name"]: row for row in json.loads(TABLE.read_text(encoding="utf-8"))}
        if TABLE.exists()
        else {}
    )
    if len(sys.argv) > 1:
        folder = Path(sys.argv[1])
        entries = {
            entry["name"]: entry
            for entry in json.loads((folder / "index.json").read_text(encoding="utf-8"))
        }
        chosen = [entries[name] for name in sys.argv[2:] or entries]
        with ThreadPoolExecutor(max(1, (os.cpu_count() or 1) // 2)) as pool:
            for done in as_completed(pool.submit(tried, folder, entry) for entry in chosen):
                row = done.result()
                rows[row["name"]] = row
                print(row, flush=True)
                kept = sorted(rows.values(), key=lambda row: row["name"])
                TABLE.write_text(
                    json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
                )
    counts = Counter(row["result"] for row in rows.values())
    print(sum(counts.values()) - counts["outside"], dict(counts))


if __name__ == "__main__":
    main()
