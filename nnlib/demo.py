"""`nnlib demo`: a kernel that is wrong on purpose, and its report."""

from __future__ import annotations

import argparse

from nnlib.cuda import demo


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib demo`."""
    argparse.ArgumentParser(
        prog="nnlib demo",
        description="Runs a kernel that is wrong on purpose, then the same "
        "kernel with a guard, in the simulator. Needs NumPy only.",
    ).parse_args(arguments)
    print(demo.report())
    print("Lesson 01 begins here. `nnlib lessons` copies the lessons and opens them.")
