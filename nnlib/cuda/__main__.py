"""Check CUDA C files from a command line, an editor or CI, on a machine without a GPU.

    python -m nnlib.cuda check vector.cu
    python -m nnlib.cuda check vector.cu --kernel add --grid 4 --block 256 --arg x=[1000] --arg y=[1000] --arg n=1000

Compiles; with a launch it also runs the kernel in the simulator, with all checks on. What is found is printed as
FILE:LINE:COLUMN: error: TEXT, or as JSON; in GitHub Actions also as annotations. Exit status: 0 nothing wrong,
1 an error, 2 the command itself is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ._engine import described
from ._engine.errors import KernelError
from ._engine.kernel import RawModule, name_expressions
from ._engine.switches import unattended


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    launched = options.grid or options.block or options.arg
    if launched and not (options.grid and options.block and options.kernel and len(options.files) == 1):
        parser.error("a launch needs one file, --kernel, --grid and --block")
    found: list[dict[str, Any]] = []
    for file in options.files:
        try:
            found += _check(file, options)
        except OSError as error:
            parser.error(f"{file}: {error}")
    print(json.dumps(found, indent=1) if options.json else "\n".join(map(_line, found)) or "no errors")
    if os.environ.get("GITHUB_ACTIONS") == "true" and not options.json:
        print("".join(_annotation(each) + "\n" for each in found), end="")
    return int(any(each["severity"] == "error" for each in found))


def _check(file: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Errors and warnings of one file, as KernelError.as_dict has them, with a severity."""
    found = []
    build = [f"-D{definition}" for definition in options.define] + [f"-I{folder}" for folder in options.include]
    module = RawModule(path=file, options=build, name_expressions=name_expressions(options.kernel))
    source = module._compilation.source
    paths = {path.name: str(path) for path, _ in source.places if path.name != source.name}
    try:
        with unattended(), contextlib.redirect_stdout(sys.stderr):  # what kernels print
            module.compile()
            found = [_warning(*source.place(at.line), at.column, message)
                     for at, message in module._compilation.program.warnings]
            if options.kernel:
                kernel = module.get_function(options.kernel)
                kernel.compile()
                if options.grid:
                    kernel(options.grid, options.block, described.arguments(kernel, options.arg),
                           shared_mem=options.shared_mem, checks=True)
    except KernelError as error:
        found.append({"severity": "error", **error.as_dict()})
    return [{**each, "file": paths.get(each["file"], file)} for each in found]


def _warning(path: Path, line: int, column: int, message: str) -> dict[str, Any]:
    return {"severity": "warning", "what": message, "file": path.name, "line": line, "column": column}


def _line(found: dict[str, Any]) -> str:
    """As compilers print it, so that editors and CI find the place; the hint is a line of its own."""
    place = ":".join(str(part) for part in (found["file"], found.get("line"), found.get("column")) if part)
    who = f" (kernel {found['kernel']})" if found.get("kernel") else ""
    kind = f" [{found['error']}]" if "error" in found else ""
    hint = f"\n{place}: note: {found['hint']}" if found.get("hint") else ""
    return f"{place}: {found['severity']}: {found['what']}{who}{kind}{hint}"


def _annotation(found: dict[str, Any]) -> str:
    """What GitHub shows at the line of the file, in its own escapes."""
    place = ",".join(f"{name}={found[field]}" for name, field in (("file", "file"), ("line", "line"), ("col", "column"))
                     if found.get(field))
    text = "\n".join(found[field] for field in ("what", "hint") if found.get(field))
    return f"::{found['severity']} {place}::{text.replace('%', '%25').replace(chr(10), '%0A')}"


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no size; write 4 or 4,4,1: whole numbers, x first") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m nnlib.cuda", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    check = parser.add_subparsers(required=True, metavar="check").add_parser(
        "check", description=inspect.getdoc(described.arguments), help="compile files, and run a kernel of one",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    check.add_argument("files", nargs="+", metavar="FILE.cu")
    check.add_argument("-D", dest="define", action="append", default=[], metavar="NAME=VALUE", help="define a macro")
    check.add_argument("-I", dest="include", action="append", default=[], metavar="FOLDER",
                       help="look there for headers of your own")
    check.add_argument("--json", action="store_true", help="print a list of what was found, one object each")
    check.add_argument("--kernel", help="which kernel must be there, and is launched")
    check.add_argument("--grid", type=_sizes, metavar="X,Y,Z", help="blocks")
    check.add_argument("--block", type=_sizes, metavar="X,Y,Z", help="threads of a block")
    check.add_argument("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument, see above")
    check.add_argument("--shared-mem", type=int, default=0, metavar="BYTES", help="of extern __shared__ memory")
    return parser


if __name__ == "__main__":
    sys.exit(main())
