"""Walk through a kernel, statement by statement."""

from __future__ import annotations

from typing import Any

from nnlib.course.pictures.style import BLACK, BLUE, GREY, ORANGE, PALE, SKY, YELLOW
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper
from nnlib.cuda import Step, Touch, Trace

# Pixels of a source line, a variable and a lane; elements of an array shown
LINE, ROW, LANE, ELEMENTS = (20, 26, 54, 10)
Written = dict[str, dict[int, Any]]  # array -> element -> value


def kernel_stepper(trace: Trace, lanes: int = 8, steps: int = 30, still: int = -1) -> Stepper:
    """Show the line that runs, the active lanes, what the variables hold, what is read and written, and what is stored.

    trace: `kernel.trace(grid, block, args, block_index=...)`. lanes: threads shown, with the first six variables.
    steps: how many are drawn. Variables are those before the statement, the arrays at the bottom those after it.
    still: the one to show in print, such as the one before the answer to a question.
    """
    source = trace.source.strip("\n").splitlines()
    first = len(trace.source) - len(trace.source.lstrip("\n")) + 1
    shown = trace.steps[:steps]
    names = list(dict.fromkeys(name for step in shown for name in step.values))[:6]
    arrays = {
        name: sorted(elements)[:ELEMENTS] for name, elements in _written(shown, lanes).items()
    }
    room = max((len(step.touches) for step in shown), default=0)
    lanes = min(lanes, len(shown[0].active))
    left = 16 + 7.6 * max(map(len, source))
    memory = 44 + ROW * len(names)  # where the accesses begin
    stored = memory + 34 * room + 12  # where the arrays begin
    width = left + 90 + max([lanes * LANE, *(46 * len(elements) for elements in arrays.values())])
    height = max(24 + LINE * len(source), stored + 46 * len(arrays))
    frames = []
    for k, step in enumerate(shown):
        drawing, after = Drawing(width, height), _written(shown[: k + 1], lanes)
        for row, text in enumerate(source):
            if first + row == step.line:
                drawing.rect(0, 8 + LINE * row, left - 8, LINE, YELLOW, opacity=0.6)
            drawing.text(8, 22 + LINE * row, text, 12.5, BLACK, "start", mono=True)
        _threads(drawing, left, step, names, lanes)
        for row, touch in enumerate(step.touches):
            _access(drawing, left, memory + 34 * row, touch, lanes)
        for row, (name, elements) in enumerate(arrays.items()):
            _array(drawing, left, stored + 46 * row, name, elements, after.get(name, {}))
        frames.append((drawing, _words(step, source, first)))
    return Stepper(frames, "statement", still)


def _written(steps: list[Step], lanes: int) -> Written:
    """Return what the shown threads have written so far, by array and element."""
    found: Written = {}
    for touch in (touch for step in steps for touch in step.touches if touch.kind == "write"):
        for index, value in zip(touch.index[:lanes], touch.value, strict=False):
            if index is not None:
                found.setdefault(touch.name, {})[index] = value
    return found


def _words(step: Step, source: list[str], first: int) -> str:
    active = sum(step.active)
    touched = ", ".join(dict.fromkeys(_touched(touch) for touch in step.touches))
    return (
        f"Line {step.line}: {source[step.line - first].strip()} · {active} of {len(step.active)} threads active"
        f"{' · ' + touched if touched else ''}"
    )


def _touched(touch: Touch) -> str:
    """Describe the first thread's access: "writes out[4] = 100"."""
    first = next((lane for lane, index in enumerate(touch.index) if index is not None), None)
    verb = {"read": "reads", "write": "writes", "atomic": "updates"}[touch.kind]
    return (
        f"{verb} {touch.name}"
        if first is None
        else (
            f"{verb} {touch.name}[{touch.index[first]}] = {_value(touch.value[first])} in thread {first}"
        )
    )


def _threads(drawing: Drawing, left: float, step: Step, names: list[str], lanes: int) -> None:
    """Draw the first threads, with what their variables hold."""
    drawing.text(left + 76, 26, "thread", 12, GREY, "end")
    for lane, active in enumerate(step.active[:lanes]):
        x = left + 84 + LANE * lane
        fill, ink, words = (BLUE, "white", BLACK) if active else (PALE, GREY, GREY)
        drawing.cell((x, 10, LANE - 4, 22), fill, lane, ink=ink)
        for row, name in enumerate(names):
            if name in step.values:
                value = _value(step.values[name][lane])
                drawing.text(x + LANE / 2 - 2, 52 + ROW * row, value, 12, words)
    for row, name in enumerate(names):
        drawing.text(left + 76, 52 + ROW * row, name, 12, BLACK, "end", mono=True)


def _access(drawing: Drawing, left: float, y: float, touch: Touch, lanes: int) -> None:
    tint = SKY if touch.kind == "read" else ORANGE
    drawing.text(left + 76, y + 18, f"{touch.kind} {touch.name}", 11, BLACK, "end")
    for lane, index in enumerate(touch.index[:lanes]):
        if index is not None:
            x = left + 84 + LANE * lane
            drawing.cell((x, y, LANE - 4, 30), tint, f"[{index}]", 10, down=12)
            drawing.text(x + LANE / 2 - 2, y + 25, _value(touch.value[lane]), 12)


def _array(
    drawing: Drawing,
    left: float,
    y: float,
    name: str,
    elements: list[int],
    written: dict[int, Any],
) -> None:
    drawing.text(left + 76, y + 26, name, 12, BLACK, "end", mono=True)
    for k, index in enumerate(elements):
        x = left + 84 + 46 * k
        drawing.text(x + 21, y + 8, f"[{index}]", 10, GREY)
        drawing.rect(x, y + 12, 42, 24, ORANGE if index in written else PALE, GREY)
        if index in written:
            drawing.text(x + 21, y + 28, _value(written[index]), 12)


def _value(value: Any) -> str:
    return (
        "[…]"
        if isinstance(value, list)
        else f"{value:.4g}"
        if isinstance(value, float)
        else str(value)
    )
