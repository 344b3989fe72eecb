"""The command `nnlib`: lessons for students, and what a teacher makes of them."""

from __future__ import annotations

import argparse
import importlib
import sys

from nnlib.support.extras import MissingPackageError

COMMANDS = {  # name -> what it does; its module is loaded when it is called
    "demo": ("nnlib.demo", "a wrong kernel, and the report that names its mistake"),
    "lessons": ("nnlib.support.fresh_lessons", "copy the lessons and open them"),
    "train": (
        "nnlib.train",
        "train a network: on this computer, on several GPUs, on many machines",
    ),
} | {
    name: (f"nnlib.teaching.{name}", f"for teachers: {does}")
    for name, does in {
        "slides": "one slide deck per lesson",
        "pages": "one HTML page per lesson",
        "student": "lessons and package without solutions",
        "assignment": "graded lessons for nbgrader and otter-grader",
        "exam": "a written exam with solutions and marking scheme, a concept inventory",
        "gradebook": "a term's marks, late days and exam as one table",
        "similar": "answers in a folder of notebooks that look alike",
    }.items()
}
COMMANDS["site"] = (
    "nnlib.teaching.site.build",
    "for teachers: the lessons in the browser, a static web site",
)


def main(arguments: list[str] | None = None) -> None:
    """Run the command that the first argument names, with the other arguments."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]  # for a file's name in any bytes
    words = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="nnlib",
        description="Neural networks from scratch in CUDA.",
        epilog="Run `nnlib COMMAND --help` for its options.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, (_, does) in COMMANDS.items():
        commands.add_parser(name, help=does)
    command = parser.parse_args(words[:1]).command
    module, does = COMMANDS[command]
    try:
        if "for teachers" in does:  # its options need none of the packages that it needs itself
            getattr(importlib.import_module("nnlib.teaching.options"), command)().parse_args(
                words[1:]
            )
        importlib.import_module(module).main(words[1:])
    except (MissingPackageError, OSError) as error:
        parser.exit(1, f"{error}\n")
    except ModuleNotFoundError as missing:
        if "nnlib." in str(missing.name):
            parser.exit(
                1, f"`nnlib {command}` is for teachers; the students' package does not include it\n"
            )
        parser.exit(
            1,
            f"`nnlib {command}` needs {missing.name}: type pip install "
            f"'cuda-from-scratch[{'course,similar' if command == 'similar' else 'course'}]'\n",
        )
    except KeyboardInterrupt:
        parser.exit(130, "stopped\n")


if __name__ == "__main__":
    main()
