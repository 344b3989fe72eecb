"""Check, run and profile CUDA C files from a command line, an editor or CI, on a machine without a GPU.

    cudasim demo
    cudasim check vector.cu
    cudasim check vector.cu --kernel add --grid 4 --block 256 --arg x=[1000] --arg y=[1000] --arg n=1000
    cudasim profile vector.cu --kernel add --grid 4 --block 256 --arg x=[1000] --arg y=[1000] --arg n=1000
    cudasim run main.cu kernels.cu 1000

`check` compiles the kernels of files, whatever else stands in them; with a launch it also runs a kernel in the
simulator, with all checks on. What is found is printed as FILE:LINE:COLUMN: error: TEXT, or as JSON; in GitHub Actions
also as annotations. Exit status: 0 nothing wrong, 1 an error, 2 the command itself is wrong. `run` and `profile` take
a launch, too, or a whole program with its main.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import itertools
import json
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import KernelError, RawKernel, RawModule, demo
from ._engine import described
from ._engine.kernel import name_expressions
from ._engine.switches import unattended

if TYPE_CHECKING:
    from . import Program

SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".c")  # files of a program
COMMAND = __package__ if "." not in __package__ else f"python -m {__package__}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = _parser()
    options, more = parser.parse_known_args(arguments)
    if more and (options.command not in (run, profile) or options.kernel):
        parser.error(f"unrecognized arguments: {' '.join(more)}")
    if options.command == show_demo:
        return show_demo()
    options.files += more  # of a program, which may have options of its own
    needs = {"--kernel": options.kernel, "--grid": options.grid, "--block": options.block}
    launched = (
        options.grid
        or options.block
        or options.arg
        or (options.kernel and options.command is not check)
    )
    missing = [name for name, value in needs.items() if not value]
    if launched and (missing or len(options.files) > 1):
        parser.error(f"a launch needs {' and '.join(missing) or 'one file'}, too")
    try:
        status = int(options.command(options))
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # what reads the output, such as head, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        parser.error(str(error))
    except KernelError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1


def show_demo() -> int:
    """Print a wrong kernel and its report."""
    print(demo.report(), end="")
    return 0


def check(options: argparse.Namespace) -> int:
    """Print what is wrong with the files, and with a launch; 1 if anything is."""
    found = [each for file in options.files for each in _check(file, options)]
    is_wrong = any(each["severity"] == "error" for each in found)
    if options.json:
        print(json.dumps(found, indent=1))
    else:
        print(*map(_line, found), *([] if is_wrong else [_no_errors(options)]), sep="\n")
        if os.environ.get("GITHUB_ACTIONS") == "true":
            print("".join(_annotation(each) + "\n" for each in found), end="")
    return int(is_wrong)


def run(options: argparse.Namespace) -> int:
    """Run a program, whose exit status counts, or a kernel, and print the arrays that it may have written."""
    if not options.kernel:
        program, words = _program(options)
        ran = program.run(words, echo=sys.stdout)
        print("".join(f"note: {note}\n" for note in ran.notes), end="", file=sys.stderr)
        return ran.status
    kernel, values = _kernel(options)
    kernel(options.grid, options.block, values, options.shared_mem)
    for parameter, value in zip(kernel.parameters or (), values, strict=False):
        if isinstance(value, np.ndarray) and parameter.written:
            print(f"{parameter}: {value}")
    return 0


def profile(options: argparse.Namespace) -> int:
    """Print what each launch of a program costs, or one launch of a kernel."""
    if options.kernel:
        kernel, values = _kernel(options)
        print(kernel.profile(options.grid, options.block, values, options.shared_mem))
    else:
        program, words = _program(options)
        profiles = itertools.chain.from_iterable(program.profile(words).values())
        print("\n\n".join(map(str, profiles)) or "the program launches no kernel")
    return 0


def _build(options: argparse.Namespace) -> list[str]:
    return [
        *(f"-D{definition}" for definition in options.define),
        *(f"-I{folder}" for folder in options.include),
    ]


def _program(options: argparse.Namespace) -> tuple[Program, list[str]]:
    """Return the program of the first files, and the words of its command line behind them."""
    from . import Program  # late: what whole programs need takes as long to import as all the rest

    first, *rest = options.files
    files = [first, *itertools.takewhile(lambda word: word.endswith(SOURCES), rest)]
    program = Program.from_file(*files, options=_build(options))
    return program, options.files[len(files) :]


def _module(file: str, options: argparse.Namespace) -> RawModule:
    return RawModule(
        path=file, options=_build(options), name_expressions=name_expressions(options.kernel)
    )


def _kernel(options: argparse.Namespace) -> tuple[RawKernel, tuple[Any, ...]]:
    """Return the kernel of the launch, and its arguments."""
    kernel = _module(options.files[0], options).get_function(options.kernel)
    return kernel, described.arguments(kernel, options.arg)


def _check(file: str, options: argparse.Namespace) -> list[dict[str, Any]]:
    """Return errors and warnings of one file, as KernelError.as_dict has them, with a severity."""
    found: list[dict[str, Any]] = []
    module = _module(file, options)
    source = module._compilation.source
    try:
        with unattended(), contextlib.redirect_stdout(sys.stderr):  # what kernels print
            module.compile()
            for at, message in module._compilation.program.warnings:
                path, line = source.place(at.line)
                warning = {"severity": "warning", "what": message, "file": str(path)}
                found.append({**warning, "line": line, "column": at.column})
            if options.kernel:
                kernel = module.get_function(options.kernel)
                kernel.compile()
                if options.grid:
                    kernel(
                        options.grid,
                        options.block,
                        described.arguments(kernel, options.arg),
                        shared_mem=options.shared_mem,
                        checks=True,
                    )
    except KernelError as error:
        found.append({"severity": "error", **error.as_dict()})
    return [{**each, "file": each["file"] or file} for each in found]


def _no_errors(options: argparse.Namespace) -> str:
    if options.grid:
        return "no errors"
    count = len(options.files)
    compiled = "1 file compiles" if count == 1 else f"{count} files compile"
    return f"{compiled}; nothing was launched"


def _line(found: dict[str, Any]) -> str:
    """Write a finding as compilers do, so that editors and CI find the place; the hint is a line of its own."""
    place = ":".join(
        str(part) for part in (found["file"], found.get("line"), found.get("column")) if part
    )
    who = f" (kernel {found['kernel']})" if found.get("kernel") else ""
    kind = f" [{found['error']}]" if "error" in found else ""
    hint = f"\n{place}: note: {found['hint']}" if found.get("hint") else ""
    return f"{place}: {found['severity']}: {found['what']}{who}{kind}{hint}"


def _annotation(found: dict[str, Any]) -> str:
    """Write a finding as GitHub shows it at the line of the file, in its own escapes."""
    place = ",".join(
        f"{name}={found[field]}"
        for name, field in (("file", "file"), ("line", "line"), ("col", "column"))
        if found.get(field)
    )
    text = "\n".join(found[field] for field in ("what", "hint") if found.get(field))
    return f"::{found['severity']} {place}::{text.replace('%', '%25').replace(chr(10), '%0A')}"


def _sizes(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no size; write 4 or 4,4,1: whole numbers, x first"
        ) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        COMMAND,
        description=(__doc__ or "").replace("cudasim", COMMAND),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("demo", help="show a wrong kernel and its report").set_defaults(
        command=show_demo
    )
    arguments = (inspect.getdoc(described.arguments) or "").partition("\nRaises")[0]
    words = "a program's files, and behind them the words of its command line"
    for command, does, behind in (
        (check, "compile files, and run a kernel of one with all checks on", None),
        (run, "run a program or a kernel, on a GPU if there is one", words),
        (profile, "count what a program's launches, or one, would cost on a GPU", words),
    ):
        one = commands.add_parser(
            command.__name__,
            help=does,
            description=arguments,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        one.set_defaults(command=command)
        one.add_argument("files", nargs="+", metavar="FILE.cu", help=behind)
        if command is check:
            one.add_argument(
                "--json",
                action="store_true",
                help="print a list of what was found, one object each",
            )
        _add_launch(one)
    return parser


def _add_launch(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how to compile a file, and how to launch a kernel in it."""
    add = parser.add_argument
    add(
        "-D",
        dest="define",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="define a macro",
    )
    add(
        "-I",
        dest="include",
        action="append",
        default=[],
        metavar="FOLDER",
        help="look there for headers of your own",
    )
    add("--kernel", help="which kernel must be there, and is launched")
    add("--grid", type=_sizes, metavar="X,Y,Z", help="blocks")
    add("--block", type=_sizes, metavar="X,Y,Z", help="threads of a block")
    add("--arg", action="append", default=[], metavar="NAME=VALUE", help="an argument, see above")
    add("--shared-mem", type=int, default=0, metavar="BYTES", help="of extern __shared__ memory")


if __name__ == "__main__":
    sys.exit(main())
