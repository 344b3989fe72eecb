"""Runs a student's function in a process of its own, and sends back what it returns: it can only lose marks here.

    python -I worker.py FOLDER-OF-NNLIB MEMORY-IN-MB        one line in, one line out, see exchange.py

Modules that an answer may use are loaded first. From then on the process opens no file, starts no process and uses no
network: an audit hook refuses it in words. NumPy can write to all memory of the process, and so to the hook: the system
then refuses every new descriptor all the same. Beyond that is bubblewrap or a container: confinement.py.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_NOBODY = 65534
_HARMLESS = frozenset(
    {
        "compile",
        "exec",
        "object.__getattr__",
        "object.__setattr__",
        "sys._getframemodulename",
        "builtins.id",
        "array.__new__",
        "time.sleep",
        "sys.excepthook",
        "sys.unraisablehook",
    }
)
# They lead to whoever calls
_FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_code"})
_READY = tuple(
    """
    nnlib.ops nnlib.layers nnlib.losses nnlib.optimizers nnlib.model nnlib.datasets
    nnlib.gradcheck numpy.fft numpy.linalg numpy.ma numpy.polynomial numpy.random numpy.testing
    array bisect cmath collections copy dataclasses datetime decimal enum fractions functools
    heapq itertools json math numbers operator queue random re statistics string struct textwrap
    threading time traceback types typing warnings encodings.latin_1
    """.split()
)


def main(root: str, memory: str) -> None:
    """Answer calls of the judge until it hangs up. root: of the judge's nnlib. memory: in megabytes."""
    calls, replies = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # what the function prints or asks goes nowhere
        os.dup2(nothing, stream)
    sys.path.insert(0, root)
    for name in _READY:
        importlib.import_module(name)
    here, package = Path(__file__).parent, Path(root, "nnlib")
    exchange, networks = (
        _module(here / "exchange.py"),
        _module(package / "course" / "exercises" / "networks.py"),
    )
    networks.trained(_looked, networks.TRAININGS[0])
    _confine(int(memory) << 20)

    function: Any = None
    for line in calls:
        call = exchange.loads(line)
        try:
            if "define" in call:
                function = _defined(
                    call["define"], call["name"], getattr(networks, call["through"], None)
                )
                reply = {"value": None}
            else:
                reply = {"value": function(*call["arguments"])}
            text = exchange.dumps(reply)
        except BaseException as error:  # SystemExit, too
            text = exchange.dumps({"raised": type(error).__name__, "text": _words(error)})
        replies.write(text + "\n")
        replies.flush()


def _looked(model: Any, loss: Any, optimizer: Any, examples: Any, *_: Any) -> list[Any]:
    """Run a forward pass, so that what examines the machine at its first use has done so before the fence."""
    for x, _ in examples.batches(30, None):
        model.forward(x)
    return []


def _defined(source: str, name: str, through: Callable[..., Any] | None) -> Callable[..., Any]:
    """Return the function; for a case in lesson 07, return the function that runs it `through` networks.py."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for statement in _statements(source):
        # Whoever uses the name gets a NameError
        with contextlib.suppress(ImportError, PermissionError):
            exec(statement, namespace)
    function = namespace[name]
    return (lambda case: through(function, case)) if through else function


def _statements(source: str) -> list[Any]:
    return [
        compile(ast.Module([statement], []), "<answer>", "exec")
        for statement in ast.parse(source).body
    ]


def _words(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except BaseException:
        return ""


def _module(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _limit(memory: int) -> None:
    import resource

    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NPROC, 0),
    ):
        with contextlib.suppress(ValueError, OSError):  # macOS knows not all of them
            resource.setrlimit(what, (most, most))


def _confine(memory: int) -> None:
    """Allow nothing but arithmetic from here on, with the modules that are loaded."""
    _limit(memory)
    if os.environ.get("NNLIB_MARKING") == "container":  # the judge there is root
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    # NumPy has loaded them, and their functions reach all memory
    for name in ("ctypes", "_ctypes"):
        vars(sys.modules[name]).clear()
    del sys._getframe  # what only asks for a caller's name goes without
    _fence()


def _fence() -> None:
    """Refuse all but harmless events by Python's audit hook.

    What it uses are its own local names: those of the module and of Python can be changed by an answer.
    """

    def refuse(
        event: str,
        arguments: tuple[Any, ...],
        harmless: frozenset[str] = _HARMLESS,
        frames: frozenset[str] = _FRAMES,
        length: Callable[..., int] = len,
        error: type = PermissionError,
    ) -> None:
        if event not in harmless:
            what = arguments[0] if event == "import" else ""
            raise error(f"not in marking: {event}{' of ' if what else ''}{what}")
        if event == "object.__getattr__" and length(arguments) == 2 and arguments[1] in frames:
            raise error(f"not in marking: {arguments[1]}")

    sys.addaudithook(refuse)


if __name__ == "__main__":
    main(*sys.argv[1:])
