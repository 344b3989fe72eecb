"""What becomes of public CUDA programs as they are found: single files with a main, in the simulator.

    python -m tests.benchmarks.public_programs programs.json.gz             run them; results/public_programs.json
    python -m tests.benchmarks.public_programs --taken programs.json.gz     only compile them, and print the counts

The file is a list of {"repo", "path", "text"}. Each program has a process of its own, SECONDS of CPU and MEMORY.
"stopped" means that the run reported a mistake; whether the program really makes it is for a reader to say. The
results keep every message, and what the other programs printed last.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from typing import Any

from nnlib.cuda import KernelError, Program, force_simulator
from nnlib.cuda._engine.errors import KernelSyntaxError, UnsupportedError

from .timing import store

SECONDS, MEMORY = 60, 16 << 30
OUTCOMES = {
    "runs": "ran to their end",
    "stopped": "stopped at a mistake",
    "not taken": "not supported",
    "too slow": f"stopped after {SECONDS} s of CPU",
    "too large": "need more memory than there is",
    "breaks off": "crashed the simulator",
}
TOO_LARGE = "the memory of this computer"
LAST = 2_000  # characters of what was printed


def tried(text: str, run: bool) -> dict[str, Any]:
    """Run or compile the program here and return what becomes of it."""
    try:
        with force_simulator():
            program = Program(text)
            done = program.run() if run else None
    except KernelSyntaxError as error:
        wrong = not isinstance(error, UnsupportedError)
        return {
            "result": "not taken",
            "wrong": wrong,
            "message": str(error.what),
            "line": error.line,
        }
    except KernelError as error:
        result = "too large" if TOO_LARGE in str(error) else "stopped"
        return {
            "result": result,
            "message": str(error),
            "line": error.line,
            "output": error.output[-LAST:],
        }
    if done is None:
        return {"result": "taken"}
    return {"result": "runs", "status": done.status, "output": done.output[-LAST:]}


def apart(text: str, run: bool = True) -> dict[str, Any]:
    """The same in a process of its own, which may take SECONDS of CPU; with the seconds that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", __spec__.name, "--one", *(["--taken"] if not run else [])]
    done = subprocess.run(
        command,
        input=text.encode("utf-8", "surrogateescape"),
        capture_output=True,
        check=False,
        preexec_fn=_limit,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not done.returncode:
        found = json.loads(done.stdout.splitlines()[-1])
    elif done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        found = {"result": "too slow"}
    else:
        found = {"result": "breaks off", "message": done.stderr.decode(errors="replace")[-LAST:]}
    return {**found, "seconds": round(used, 1)}


def _limit() -> None:
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def table(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Return how many programs came to each outcome."""
    counts = Counter(row["result"] for row in rows)
    ends = [
        [words, str(counts[result]), f"{100 * counts[result] / len(rows):.1f}"]
        for result, words in OUTCOMES.items()
    ]
    return [
        ["Public programs of one file, as found", "programs", "%"],
        *ends,
        ["all", str(len(rows)), "100.0"],
    ]


def main() -> None:
    arguments = [argument for argument in sys.argv[1:] if argument != "--taken"]
    run = "--taken" not in sys.argv
    if arguments == ["--one"]:
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        print("\n" + json.dumps(tried(text, run)))
        return
    with gzip.open(arguments[0]) as file:
        programs = json.load(file)
    rows = []
    for program in programs:
        row = {
            "repo": program["repo"].replace("+", "/", 1),
            "path": program["path"],
            **apart(program["text"], run),
        }
        rows.append(row)
        print(
            row["repo"],
            row["path"],
            row["result"],
            row["seconds"],
            row.get("message", "").partition("\n")[0],
            flush=True,
        )
        if run:
            store("public_programs", {"table": table(rows), "rows": rows})
    for counted, number in Counter(row["result"] for row in rows).most_common():
        print(f"{number} {counted}")


if __name__ == "__main__":
    main()
