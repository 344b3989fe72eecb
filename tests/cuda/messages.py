"""What we say, word for word, of every broken kernel: messages.json.

python -m tests.cuda.messages     after a change that is meant: writes it anew; look at the difference
"""

from __future__ import annotations

import json
from pathlib import Path

from nnlib.cuda import KernelError, force_simulator
from tests.cuda.test_broken import BROKEN, Broken

FILE = Path(__file__).with_suffix(".json")


def said(broken: Broken) -> str:
    """Return what the simulator says against it; empty if nothing."""
    try:
        with force_simulator():
            broken.run()
    except KernelError as error:
        return str(error)
    return ""


def main() -> None:
    FILE.write_text(json.dumps({one.kernel: said(one) for one in BROKEN}, indent=0) + "\n")


if __name__ == "__main__":
    main()
