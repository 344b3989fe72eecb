"""What we say, word for word, of every broken kernel and every mistake of host code: messages.json.

python -m tests.cuda.messages     after a change that is meant: writes it anew; look at the difference
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from nnlib.cuda import KernelError, Program, force_simulator
from tests.cuda.host.mistakes import MISTAKES, program
from tests.cuda.host.test_copies import REFUSED as REFUSED_COPIES
from tests.cuda.host.test_copies import refused
from tests.cuda.test_broken import BROKEN, Broken

FILE = Path(__file__).with_suffix(".json")


def complaint(act: Callable[[], object]) -> str:
    """What the simulator, or its front end, says against it; empty if nothing."""
    try:
        with force_simulator():
            act()
    except KernelError as error:
        return str(error)
    return ""


def of_run(text: str) -> str:
    return complaint(lambda: Program(text).run())


def of_broken(broken: Broken) -> str:
    return complaint(broken.run)


def main() -> None:
    said = {broken.kernel: of_broken(broken) for broken in BROKEN}
    said |= {
        text: of_run(text)
        for text in [
            *(program(body) for _, body, *_ in MISTAKES),
            *(refused(statements) for statements, *_ in REFUSED_COPIES),
        ]
    }
    FILE.write_text(json.dumps(said, indent=0) + "\n")


if __name__ == "__main__":
    main()
