"""Run lessons from top to bottom and store them in canonical form: a second run changes nothing.

    python -m tests.notebooks.execute notebooks/*.ipynb

Cells tagged nbval-ignore-output (timings, device names) keep the outputs they have as long as their
source has not changed; `--fresh` renews them as well.
"""

from __future__ import annotations

import argparse
import copy
import sys
import time
from pathlib import Path

from nbclient.exceptions import CellExecutionError
from nbformat import read

from nnlib.teaching.cells import store
from nnlib.teaching.execution import canonical, run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument(
        "--fresh", action="store_true", help="also renew outputs that differ between machines"
    )
    arguments = parser.parse_args()
    for path in arguments.notebooks:
        before = read(path, 4)
        start = time.perf_counter()
        try:
            notebook = run(copy.deepcopy(before), str(path.parent))
        except CellExecutionError as error:
            print(f"{path}: {error}", file=sys.stderr)
            return 1
        store(canonical(notebook, None if arguments.fresh else before), path)
        print(f"{path.name}: {time.perf_counter() - start:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
