"""Write the API reference of nnlib and of nnlib.cuda, and the glossary, into a folder: python .github/docs.py FOLDER.

Stops at the first warning of pdoc's.
"""

import importlib
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).parents[1]


def main(folder: str) -> None:
    errors = importlib.import_module("nnlib.cuda._engine.errors")
    reference = importlib.import_module("nnlib.teaching.site.reference")
    for module in reference.MODULES:  # before pdoc, which lets no program be asked for the GPU
        importlib.import_module(module)
    for thing in vars(errors).values():
        if isinstance(thing, type) and issubclass(thing, errors.KernelError):
            thing.__module__ = errors.__name__  # where pdoc finds the fields; users see nnlib.cuda
    Path(folder).mkdir(parents=True, exist_ok=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", module="pdoc")
        reference.add_reference(Path(folder), ROOT)


if __name__ == "__main__":
    main(*sys.argv[1:])
