"""The functions that a lesson's cells call: `%%cuda`, `check`, `expect_error`.

Importing it in a notebook registers the magics `%%cuda` and `%%cu` and the style of the figures.
"""

from __future__ import annotations

import difflib
import os
import re
import shlex
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from IPython import get_ipython
from IPython.display import display

from nnlib.course import sharing, solved, withheld
from nnlib.course.exercises import PieceExercise, find
from nnlib.course.exercises.checking import Verdict
from nnlib.course.pictures import rewards, style
from nnlib.course.printed import first_lines
from nnlib.cuda import KernelError, KernelSyntaxError, RawKernel, RawModule, load_ipython_extension
from nnlib.cuda.text import kernel_names, void_functions
from nnlib.support import browser

_HERE = str(Path(__file__).parents[1])
_CELL = re.compile(r"ipykernel_|<ipython-input")  # the file names of cells
_unmade: dict[str, str] = {}  # kernel that its cell did not make the last time -> what to say
_latest: list[str] = []  # the kernels of the %%cuda cell that ran last
_checked: dict[str, Any] = {}  # word of an exercise -> the answer that was judged last
_verdicts: dict[Any, Verdict] = {}  # code of a function that was judged -> what was said of it


class NotSolvedError(AssertionError):
    """Raised by `check` for a wrong answer if the environment has NNLIB_CHECK_RAISES=1."""


def check(name: str, answer: Any = ..., *, count: bool = True) -> None:
    """Say at once whether an answer is right, and if not, the first failing case and the likely mistake.

    A kernel of the student's library ("03.linear_forward") that is right moves into it, see `nnlib.mine`.
    With NNLIB_CHECK_RAISES=1 in the environment it raises NotSolvedError, too: for `nbgrader validate`.

    Args:
        name: of the exercise, e.g. "02.add".
        answer: what the exercise asks for: a kernel, a function, a number. It may be left out: then it is what a cell
            has defined under the exercise's word, the kernel `linear_forward` for "03.linear_forward".
        count: whether the result enters `progress()`; a solution shown by the lesson does not, and the library calls
            it that.
    """
    try:
        exercise = find(str(name))
    except KeyError as error:
        print(error.args[0])
        return
    word, named = exercise.name.split(".")[1], answer is not ...
    if not named:
        shell = get_ipython()
        answer = shell.user_ns.get(word, ...) if shell else ...
        if answer is ... and word in _unmade:
            _say(Verdict(False, f"✗ {exercise.name}: {_unmade[word]}"))
            return
    _note_another_name(word, answer, named)
    _checked[word] = answer
    with first_lines():
        verdict = exercise.judge(answer)
    _verdicts[getattr(answer, "__code__", None)] = verdict
    if count and not (isinstance(exercise, PieceExercise) and exercise.is_solution):
        solved.save("exercises", name, verdict.solved)
        sharing.note(exercise.name, verdict)
    if not verdict.solved:
        _repeat_warnings(answer)
    _say(verdict)
    if isinstance(exercise, PieceExercise) and verdict.solved:
        print(exercise.keep(solution=not count))
    if verdict.solved and get_ipython() and (picture := rewards.reward(exercise.name, answer)):
        display(picture)


def _note_another_name(word: str, answer: Any, named: bool) -> None:
    """Say so where the latest kernels have another name, and this answer was judged before.

    named: the answer was given, as an older one may well be; then only a name much like it tells.
    """
    if answer is not _checked.get(word, ...) or not _latest or word in _latest:
        return
    if not named or difflib.get_close_matches(word, _latest):
        print(
            f"The %%cuda cell that ran last makes {', '.join(_latest)}, and {'no' if answer is ... else 'not'} "
            f"{word}{'' if answer is ... else ', so the one from before is judged again'}. Is its name right?"
        )


def _repeat_warnings(answer: Any) -> None:
    """Print again what the compiler noted about a wrong kernel, as that may be the reason."""
    try:
        for warning in answer.module.warnings:
            print(warning)
    except (AttributeError, KernelError):
        pass  # no kernel, or none that compiles


def _say(verdict: Verdict) -> None:
    print(verdict.text)
    if not verdict.solved and os.environ.get("NNLIB_CHECK_RAISES") == "1":
        raise NotSolvedError(verdict.text)


@contextmanager
def expect_error() -> Iterator[None]:
    """Run a kernel that is wrong on purpose and print the report instead of stopping.

    Use `kernel.profile(...)` inside: the simulator sees the mistake on every machine.
    """
    try:
        yield
    except KernelError as error:
        print(f"{type(error).__name__}: {error}")
    else:
        print("No error was reported.")


def cuda_cell(line: str, cell: str, namespace: dict[str, Any]) -> None:
    """Compile the CUDA C of a `%%cuda` cell and put its kernels, by name, into the namespace.

    line: compiler options such as -DTILE=16; `--promoted vector.cu` says that the kernels' final
    copies live in that file of nnlib/kernels (a test holds them equal).
    """
    try:
        options = shlex.split(line)
    except ValueError as error:
        raise KernelSyntaxError(f"the options after %%cuda cannot be read: {error}") from None
    if "--promoted" in options:
        at = options.index("--promoted")
        del options[at : at + 2]
    text = "\n" + cell  # the magic's own line is line 1, so that lines are counted as in the cell
    declared = kernel_names(text, options)
    try:
        module = RawModule(code=text, options=tuple(options))
        kernels = {name: module.get_function(name) for name in module.kernels}
        for kernel in kernels.values():
            kernel.compile()
    except KernelError as error:
        for name in declared:
            _forget(name, namespace, f"The %%cuda cell of {name!r} did not compile:\n{error}")
        raise
    for name in void_functions(text, options):
        if name not in namespace or isinstance(namespace[name], RawKernel):
            _forget(
                name,
                namespace,
                f"The %%cuda cell of {name!r} makes a function, not a kernel: write __global__ "
                "before void",
            )
    _latest[:] = declared
    for name in declared:
        _unmade.pop(name, None)
    for warning in module.warnings:
        print(warning)
    namespace.update(kernels)


def _forget(name: str, namespace: dict[str, Any], why: str) -> None:
    """Forget the kernels of a cell that made none, so that nobody runs yesterday's."""
    namespace.pop(name, None)
    _unmade[name] = why


def _register(shell: Any) -> None:
    """Register `%%cuda`, short errors and the figure style."""

    def cuda(line: str, cell: str) -> None:
        cuda_cell(line, cell, shell.user_ns)

    cuda.__doc__ = cuda_cell.__doc__
    shell.register_magic_function(cuda, "cell", "cuda")
    load_ipython_extension(shell)  # %%cu
    withheld.register(shell)
    KernelError._render_traceback_ = _render  # type: ignore[attr-defined]
    shell.set_custom_exc((Exception, KeyboardInterrupt), _show)
    style.use()
    if words := browser.words():
        print(words)


def _show(
    shell: Any, kind: type[BaseException], error: BaseException, trace: Any, tb_offset: Any = None
) -> None:
    if isinstance(error, NameError) and error.name in _unmade:  # the reason is in another cell
        print(_unmade[error.name])
        return
    said = (_verdicts.get(frame.f_code) for frame, _ in traceback.walk_tb(trace))
    if any(verdict and verdict.kind == kind.__name__ for verdict in said):
        print(f"The cell ends here, with the {kind.__name__} that check reports above.")
        return
    own = _own_frames(trace)
    error.__cause__, error.__suppress_context__ = None, True
    shell.showtraceback((kind, error, own))
    if isinstance(error, NameError):
        print(
            f"Has the cell that makes {error.name!r} been run? Run > Run All Above Selected Cell runs all so far."
        )


def _own_frames(trace: TracebackType | None, hidden: bool = False) -> TracebackType | None:
    """Return the traceback without the frames of nnlib and of what it calls; the frames of a cell stay."""
    if trace is None:
        return None
    file = trace.tb_frame.f_code.co_filename
    hidden = file.startswith(_HERE) or (hidden and not _CELL.search(file))
    rest = _own_frames(trace.tb_next, hidden)
    return rest if hidden else TracebackType(rest, trace.tb_frame, trace.tb_lasti, trace.tb_lineno)


def _render(error: KernelError) -> list[str]:
    """Return the message and the line of the student's cell that led to it, without any frames."""
    lines = [f"{type(error).__name__}: {error}"]
    for frame in traceback.extract_tb(error.__traceback__):
        if (
            _CELL.search(frame.filename)
            and frame.line
            and not frame.line.startswith("get_ipython()")
        ):
            return [*lines, f"\nin line {frame.lineno} of this cell: {frame.line}"]
    return lines


if get_ipython() is not None:
    _register(get_ipython())
