"""The timeline of a run: what the host and each stream did, what waited for what. As text and as a picture."""

from __future__ import annotations

import html
from dataclasses import dataclass

from .runtime.schedule import Operation, Schedule

_COLOURS = {
    "kernel": "#0072B2",
    "to": "#E69F00",
    "from": "#009E73",
    "memset": "#CC79A7",
    "wait": "#BBBBBB",
}
_RACE = "#D55E00"
_COPY = "a copy takes 10 us and its bytes at 6 GB/s (12 GB/s from pinned memory)"
MODELLED = f"modelled, as no GPU ran it: {_COPY}, a kernel 3 us and its arrays once at 300 GB/s"
MEASURED = f"kernels: measured with events on the GPU; copies: modelled, {_COPY}"


@dataclass(frozen=True)
class Bar:
    """Something on the picture. row: host, or a stream; start, end: microseconds; races: with another one."""

    row: str
    start: float
    end: float
    name: str
    line: int
    kind: str
    races: bool = False


class Timeline:
    """`str()` lists the operations, a notebook shows the picture. measured: a GPU's events have timed the kernels."""

    def __init__(self, schedule: Schedule, measured: bool) -> None:
        self.operations = [one for one in schedule.operations if one.kind != "event"]
        self.note = MEASURED if measured else MODELLED
        self.bars = [
            Bar("host", start * 1e6, end * 1e6, f"waits: {why}", line, "wait")
            for start, end, line, why in schedule.waits
        ]
        racing = {
            which for one in self.operations if one.races_with for which in (one, one.races_with)
        }
        self.bars += [
            Bar(
                one.stream.name,
                one.start * 1e6,
                one.end * 1e6,
                one.name,
                one.line,
                _kind(one),
                one in racing,
            )
            for one in self.operations
        ]
        self.end = max([schedule.host, *(one.end for one in self.operations)], default=0.0) * 1e6

    @property
    def rows(self) -> list[str]:
        """The host, then the streams that do something."""
        return ["host", *dict.fromkeys(one.stream.name for one in self.operations)]

    def __str__(self) -> str:
        number = {one: k + 1 for k, one in enumerate(self.operations)}
        lines = [f"{'':>3} {'start us':>9} {'end us':>9}  {'stream':<15} {'line':>4}  what"]
        for one, k in number.items():
            before = sorted(number[other] for other in one.waits_for if other in number)
            waits = f"  (waits for {', '.join(map(str, before))})" if before else ""
            if one.races_with:
                waits += f"  (races with {number[one.races_with]})"
            size = f", {one.size:,} bytes" if one.kind in ("copy", "memset") else ""
            what = f"kernel {one.name}" if one.kind == "kernel" else one.name
            lines.append(
                f"{k:>3} {one.start * 1e6:>9.1f} {one.end * 1e6:>9.1f}  {one.stream.name:<15} {one.line:>4}  "
                f"{what}{size}{waits}"
            )
        lines += [
            f"{'':>3} {bar.start:>9.1f} {bar.end:>9.1f}  {'host':<15} {bar.line:>4}  {bar.name}"
            for bar in self.bars
            if bar.kind == "wait"
        ]
        return "\n".join([*lines, f"({self.note})"])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """Draw one row for the host and one for each stream, with time to the right."""
        rows, left, width, height = self.rows, 110, 720, 30
        scale = width / max(self.end, 1e-9)
        parts = [
            f"<text x='4' y='{20 + k * height}' font-size='12' fill='currentColor'>{html.escape(row)}</text>"
            f"<line x1='{left}' x2='{left + width}' y1='{28 + k * height}' y2='{28 + k * height}' "
            "stroke='currentColor' stroke-opacity='0.2'/>"
            for k, row in enumerate(rows)
        ]
        for bar in self.bars:
            x, y = left + bar.start * scale, 6 + rows.index(bar.row) * height
            wide = max((bar.end - bar.start) * scale, 1.5)
            title = html.escape(
                f"{bar.name}, line {bar.line}: {bar.start:.1f} to {bar.end:.1f} us"
                + bar.races * ", in a race"
            )
            outline = bar.races * f" stroke='{_RACE}' stroke-width='4'"
            parts.append(
                f"<rect x='{x:.1f}' y='{y}' width='{wide:.1f}' height='20' fill='{_COLOURS[bar.kind]}'"
                f"{outline}><title>{title}</title></rect>"
            )
            if wide > 7 * len(bar.name):
                parts.append(
                    f"<text x='{x + 3:.1f}' y='{y + 14}' font-size='11' fill='white'>"
                    f"{html.escape(bar.name)}</text>"
                )
        bottom = 10 + len(rows) * height
        parts.append(
            f"<text x='{left}' y='{bottom + 12}' font-size='11' fill='currentColor'>0</text>"
            f"<text x='{left + width - 60}' y='{bottom + 12}' font-size='11' fill='currentColor'>"
            f"{self.end:.1f} us</text>"
        )
        told = html.escape(
            f"Timeline of {len(self.operations)} operations in {len(rows) - 1} streams, "
            f"{self.end:.1f} microseconds. {self}"
        )
        return (
            f"<svg role='img' aria-label='{told}' viewBox='0 0 {left + width + 10} {bottom + 18}' "
            f"style='max-width:100%;width:{left + width + 10}px'>{''.join(parts)}</svg>"
            f"<p>{html.escape(self.note)}</p>"
        )


def _kind(one: Operation) -> str:
    if one.kind == "copy":
        return {"copies from the GPU": "from", "copies to the GPU": "to"}.get(one.engine, "memset")
    return one.kind
