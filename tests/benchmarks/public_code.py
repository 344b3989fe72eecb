"""What the door says to public code that has not been tried before: every kernel and every program of a corpus.

    python -m tests.benchmarks.public_code corpus.json.gz

The corpus is one of public_texts, all of which NVIDIA's compiler accepts. A text is taken; or refused as not supported,
with the sentence; or called wrong, which is never true here. Programs run as in public_programs. The shares stand in
results/first_sight.json by kind, teaching code by itself, with all sentences and without the texts. What is stored is
what a first run found: before anything is mended for it.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from typing import Any

from nnlib.cuda._engine.errors import KernelSyntaxError, UnsupportedError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.simulator import compile_program

from .public_programs import apart
from .timing import store

HEADING = ["First sight", "repositories", "tried", "taken", "%", "called wrong", "stopped at a mistake",
           "stopped after 60 s of CPU", "crashed"]


def kernel(row: dict[str, Any]) -> dict[str, Any]:
    """What becomes of a kernel's text."""
    instance = row.get("instance")
    try:
        compile_program(compile_source(row["text"], name_expressions=(instance,) if instance else ())).code()
    except KernelSyntaxError as error:
        wrong = not isinstance(error, UnsupportedError)
        return {"result": "not taken", "wrong": wrong, "message": str(error.what), "line": error.line}
    except Exception as error:  # noqa: BLE001 - a crash is what the survey is to find
        return {"result": "breaks off", "message": repr(error)}
    return {"result": "taken"}


def table(rows: list[dict[str, Any]]) -> list[list[str]]:
    """Kernels and programs of each kind, and of all."""
    lines = [HEADING]
    for what, group in (("kernels", [row for row in rows if "name" in row]),
                        ("programs", [row for row in rows if "name" not in row])):
        for kind in [*sorted({row["kind"] for row in group}, reverse=True), "all"]:
            lines.append(_line(f"{what}, {kind}", [row for row in group if kind in ("all", row["kind"])]))
    return lines


def _line(name: str, rows: list[dict[str, Any]]) -> list[str]:
    counts = Counter(row["result"] for row in rows)
    taken = len(rows) - counts["not taken"] - counts["breaks off"]
    numbers = [len({row["repo"] for row in rows}), len(rows), taken]
    ends = [sum(row.get("wrong", False) for row in rows), counts["stopped"], counts["too slow"], counts["breaks off"]]
    return [name, *map(str, numbers), f"{100 * taken / len(rows):.1f}", *map(str, ends)]


def main() -> None:
    with gzip.open(sys.argv[1]) as file:
        corpus = json.load(file)
    rows = []
    for row in corpus:
        found = kernel(row) if row.get("name") else apart(row["text"])
        rows.append({"kind": "published", **{key: row[key] for key in row if key not in ("text", "h")}, **found})
        print(row["repo"], row["path"], row.get("name", "main"), found["result"],
              found.get("message", "").partition("\n")[0], flush=True)
    lines = table(rows)
    print("\n".join(" | ".join(line) for line in lines))
    store("first_sight", {"table": lines, "rows": rows})


if __name__ == "__main__":
    main()
