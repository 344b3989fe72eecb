"""Walk through a kernel, statement by statement."""

from __future__ import annotations

from typing import Any

from nnlib.course.pictures.style import BLACK, BLUE, GREY, ORANGE, PALE, SKY, YELLOW
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Stepper
from nnlib.cuda import Step, Touch, Trace

LINE, ROW, LANE, ELEMENTS = (
    20,
    26,
    54,
    10,
)  # pixels of a source line, a variable and a lane; elements of an array shown
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
    frames = []
    for k, step in enumerate(shown):
        after = _written(shown[: k + 1], lanes)
        picture = _Page(source, first, names, arrays, min(lanes, len(step.active)), room).draw(
            step, after
        )
        frames.append((picture, _words(step, source, first)))
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


class _Page:
    """One picture: the text on the left, the threads on the right, the arrays below them."""

    def __init__(
        self,
        source: list[str],
        first: int,
        names: list[str],
        arrays: dict[str, list[int]],
        lanes: int,
        room: int,
    ) -> None:
        self.source, self.first, self.names, self.arrays, self.lanes = (
            source,
            first,
            names,
            arrays,
            lanes,
        )
        self.left = 16 + 7.6 * max(map(len, source))
        self.memory = 44 + ROW * len(names)  # where the accesses begin
        self.stored = self.memory + 34 * room + 12  # where the arrays begin
        width = 90 + max([lanes * LANE, *(46 * len(elements) for elements in arrays.values())])
        self.drawing = Drawing(
            self.left + width, max(24 + LINE * len(source), self.stored + 46 * len(arrays))
        )

    def draw(self, step: Step, written: Written) -> str:
        self._text(step)
        self._threads(step)
        for row, touch in enumerate(step.touches):
            self._access(self.memory + 34 * row, touch)
        for row, (name, elements) in enumerate(self.arrays.items()):
            self._array(self.stored + 46 * row, name, elements, written.get(name, {}))
        return str(self.drawing)

    def _text(self, step: Step) -> None:
        for row, text in enumerate(self.source):
            if self.first + row == step.line:
                self.drawing.rect(0, 8 + LINE * row, self.left - 8, LINE, YELLOW, opacity=0.6)
            self.drawing.text(8, 22 + LINE * row, text, 12.5, BLACK, "start", mono=True)

    def _threads(self, step: Step) -> None:
        self.drawing.text(self.left + 76, 26, "thread", 12, GREY, "end")
        for lane, active in enumerate(step.active[: self.lanes]):
            x = self.left + 84 + LANE * lane
            self.drawing.rect(x, 10, LANE - 4, 22, BLUE if active else PALE)
            self.drawing.text(x + LANE / 2 - 2, 26, lane, 12, "white" if active else GREY)
            for row, name in enumerate(self.names):
                if name in step.values:
                    self.drawing.text(
                        x + LANE / 2 - 2,
                        52 + ROW * row,
                        _value(step.values[name][lane]),
                        12,
                        BLACK if active else GREY,
                    )
        for row, name in enumerate(self.names):
            self.drawing.text(self.left + 76, 52 + ROW * row, name, 12, BLACK, "end", mono=True)

    def _access(self, y: float, touch: Touch) -> None:
        tint = SKY if touch.kind == "read" else ORANGE
        self.drawing.text(self.left + 76, y + 18, f"{touch.kind} {touch.name}", 11, BLACK, "end")
        for lane, index in enumerate(touch.index[: self.lanes]):
            if index is not None:
                x = self.left + 84 + LANE * lane
                self.drawing.rect(x, y, LANE - 4, 30, tint)
                self.drawing.text(x + LANE / 2 - 2, y + 12, f"[{index}]", 10)
                self.drawing.text(x + LANE / 2 - 2, y + 25, _value(touch.value[lane]), 12)

    def _array(self, y: float, name: str, elements: list[int], written: dict[int, Any]) -> None:
        self.drawing.text(self.left + 76, y + 26, name, 12, BLACK, "end", mono=True)
        for k, index in enumerate(elements):
            x = self.left + 84 + 46 * k
            self.drawing.text(x + 21, y + 8, f"[{index}]", 10, GREY)
            self.drawing.rect(x, y + 12, 42, 24, ORANGE if index in written else PALE, GREY)
            if index in written:
                self.drawing.text(x + 21, y + 28, _value(written[index]), 12)


def _value(value: Any) -> str:
    return (
        "[…]"
        if isinstance(value, list)
        else f"{value:.4g}"
        if isinstance(value, float)
        else str(value)
    )
