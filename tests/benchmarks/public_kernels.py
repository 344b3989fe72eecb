"""How much of public CUDA C the simulator takes as it is found: kernels that NVIDIA's compiler accepts, by source.

    python -m tests.benchmarks.public_kernels kernels.json.gz

The file is a list of {"repo": "owner+name", "name": kernel, "text": with the macros, types and helpers that it uses,
"instance": a name expression if it is a template}. Compiles each and stores a table in results/language.json; prints
what each refusal says. A text that only lacks what its name expression needs counts as not taken, like all others.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from typing import Any

from nnlib.cuda._engine.errors import KernelSyntaxError, UnsupportedError
from nnlib.cuda._engine.language import compile_source
from nnlib.cuda._engine.simulator import Compiled

from .timing import store

HEADING = ["source", "kernels", "taken", "%", "not taken, most often"]
SHORT = {
    "textures": "textures",
    "surfaces": "surfaces",
    "virtual": "virtual functions",
    "inline PTX": "inline PTX",
    "dynamic parallelism": "dynamic parallelism",
    "host inside": "the host's library in a kernel",
    "standard library": "std::",
}


def refusal(row: dict[str, Any]) -> str | None:
    """Why the kernel is not taken; None if it is."""
    try:
        instance = row.get("instance")
        Compiled(
            compile_source(row["text"], name_expressions=(instance,) if instance else ())
        ).code()
    except KernelSyntaxError as error:
        what = str(error.what)
        if isinstance(error, UnsupportedError):
            return next(
                (short for word, short in SHORT.items() if word in what), what.rpartition(": ")[2]
            )
        return what
    return None


def main() -> None:
    with gzip.open(sys.argv[1]) as file:
        rows = json.load(file)
    found = [(row["repo"].replace("+", "/", 1), row["name"], refusal(row)) for row in rows]
    for repository, name, why in found:
        if why is not None:
            print(f"{repository} {name}: {why}")
    sources = Counter(repository for repository, _, _ in found)
    table = [HEADING]
    for source, count in sources.most_common():
        table.append(
            _row(source, count, [why for repository, _, why in found if repository == source])
        )
    table.append(_row("all", len(found), [why for _, _, why in found]))
    print("\n".join(" | ".join(row) for row in table))
    store("language", {"table": table})


def _row(source: str, count: int, reasons: list[str | None]) -> list[str]:
    taken = reasons.count(None)
    missing = Counter(why for why in reasons if why is not None).most_common(3)
    return [
        source,
        str(count),
        str(taken),
        f"{100 * taken / count:.1f}",
        "; ".join(f"{why} ({number})" for why, number in missing),
    ]


if __name__ == "__main__":
    main()
