"""List line by line which memory a run has allocated, on which side, and until when."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

from .runtime.address_space import Allocation

_SIDES = {
    "malloc": "host",
    "new": "host",
    "pinned": "host, pinned",
    "device": "GPU",
    "managed": "both",
}

_COLUMNS = ("line", "", "memory", "side", "bytes", "host holds", "GPU holds")


class OwnershipChange(NamedTuple):
    """An allocation or its end. host, device: bytes allocated on either side from here on."""

    line: int
    what: str
    name: str
    side: str
    size: int
    host: int
    device: int


class Ownership:
    """`events` in the order in which they happened."""

    def __init__(self, history: Sequence[tuple[int, str, Allocation]]) -> None:
        self.events: list[OwnershipChange] = []
        self.left = [one for _, what, one in history if what == "made" and not one.freed]
        host = device = 0
        for line, what, one in history:
            change = one.size if what == "made" else -one.size
            device += change * (one.side in ("device", "managed"))
            host += change * (one.side != "device")
            side = _SIDES.get(one.side, one.side)
            self.events.append(
                OwnershipChange(line, what, one.name or "?", side, one.size, host, device)
            )

    def _rows(self) -> list[tuple[str, ...]]:
        return [
            (
                str(e.line),
                "+" if e.what == "made" else "-",
                e.name,
                e.side,
                f"{e.size:,}",
                f"{e.host:,}",
                f"{e.device:,}",
            )
            for e in self.events
        ]

    def __str__(self) -> str:
        head = _COLUMNS
        rows = [head, *self._rows()]
        wide = [max(len(row[k]) for row in rows) for k in range(len(head))]
        lines = [
            "  ".join(
                cell.rjust(w) if k in (0, 4, 5, 6) else cell.ljust(w)
                for k, (cell, w) in enumerate(zip(row, wide, strict=True))
            ).rstrip()
            for row in rows
        ]
        lines += [
            f"never freed: {one.name}, {one.size:,} bytes of line {one.made}" for one in self.left
        ]
        return "\n".join(lines)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in _COLUMNS)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows()
        )
        left = "".join(
            f"<p>never freed: {html.escape(one.name)}, {one.size:,} bytes of line {one.made}</p>"
            for one in self.left
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{left}"
