"""What we say, word for word, of every wrong text of language/cases.py and every broken kernel: messages.json.

python -m tests.cuda.messages     after a change that is meant: writes it anew; look at the difference
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from nnlib.cuda import KernelError, Program, force_simulator
from nnlib.cuda._engine.language import compile_source
from tests.cuda.language import rare_cases
from tests.cuda.language.cases import (
    REJECTED,
    REJECTED_PROGRAMS,
    STRICTER,
    UNSUPPORTED,
    WHOLE_PROGRAMS,
)
from tests.cuda.language.texts import KERNEL
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


def of_text(text: str) -> str:
    return complaint(lambda: compile_source(text))


def of_program(text: str) -> str:
    return complaint(lambda: Program(text))


def of_broken(broken: Broken) -> str:
    return complaint(broken.run)


def main() -> None:
    texts = [KERNEL % body for body, *_ in REJECTED] + [
        text for text, *_ in REJECTED_PROGRAMS + STRICTER + UNSUPPORTED + WHOLE_PROGRAMS
    ]
    said = {text: of_text(text) for text in texts + rare_cases.KERNELS}
    said |= {text: of_program(text) for text in rare_cases.PROGRAMS}
    said |= {broken.kernel: of_broken(broken) for broken in BROKEN}
    FILE.write_text(json.dumps(said, indent=0) + "\n")


if __name__ == "__main__":
    main()
