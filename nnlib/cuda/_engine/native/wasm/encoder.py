"""The bytes of a WebAssembly module with one function, and its code with values left on the stack.

https://webassembly.github.io/spec/core/binary; the section "dylink.0", which makes a module loadable by Emscripten's
dlopen, is described in tool-conventions/DynamicLinking.md. First used in lesson 07.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

NUMBER = {
    "b": 0x7F,
    "i32": 0x7F,
    "ptr": 0x7F,
    "i64": 0x7E,
    "f32": 0x7D,
    "f64": 0x7C,
    "vector": 0x7B,
}
BEGIN, END, RETURN = b"\x02\x40", b"\x0b", b"\x0f"


def unsigned(x: int) -> bytes:
    """Encode a number as LEB128."""
    out = bytearray()
    while True:
        x, byte = x >> 7, x & 127
        out.append(byte | 128 * (x != 0))
        if not x:
            return bytes(out)


def signed(x: int) -> bytes:
    out = bytearray()
    while True:
        x, byte = x >> 7, x & 127
        if x == -(byte >> 6):
            out.append(byte)
            return bytes(out)
        out.append(byte | 128)


def _vector(items: Sequence[bytes]) -> bytes:
    return unsigned(len(items)) + b"".join(items)


def _section(number: int, body: bytes) -> bytes:
    return bytes([number]) + unsigned(len(body)) + body


def _name(text: str) -> bytes:
    return unsigned(len(text)) + text.encode()


def module(parameters: Sequence[str], locals: Sequence[tuple[int, int]], code: bytes) -> bytes:
    """Encode a module that imports the memory env.memory and exports the function `run`.

    locals: how many of which type.
    """
    body = (
        _vector([unsigned(count) + bytes([kind]) for count, kind in locals])
        + code
        + b"\x41\x00"
        + END
    )
    kind = (
        b"\x60"
        + _vector([bytes([NUMBER[name]]) for name in parameters])
        + _vector([bytes([NUMBER["i32"]])])
    )
    return (
        b"\0asm\1\0\0\0"
        + _section(0, _name("dylink.0") + b"\x01\x04\0\0\0\0")
        + _section(1, _vector([kind]))
        + _section(2, _vector([_name("env") + _name("memory") + b"\x02\x00\x00"]))
        + _section(3, _vector([b"\0"]))
        + _section(7, _vector([_name("run") + b"\0\0"]))
        + _section(10, _vector([unsigned(len(body)) + body]))
    )


@dataclass
class Instruction:
    """One step of the code.

    It is a `get` or `set` of a local, an operation (what it takes from the stack, whether it leaves a value, what it does to
    memory), or control, before which the stack is empty.
    """

    what: str
    local: int = -1
    code: bytes = b""
    takes: int = 0
    gives: bool = False
    loads: bool = False


@dataclass
class _Fragment:
    """Code that leaves one value. reads: mutable locals that it gets; loads: whether it reads memory."""

    parts: list[bytes | tuple[str, int]]
    reads: set[int] = field(default_factory=set)
    loads: bool = False


class Stacking:
    """A value that is used once, in the same stretch of straight code, stays on the stack instead of in a local."""

    def __init__(self, steps: Sequence[Instruction], mutable: set[int]) -> None:
        self.mutable = mutable
        self.lines: list[list[bytes | tuple[str, int]]] = []
        self._uses: dict[int, list[int]] = {}
        self._pending: dict[int, _Fragment] = {}
        self._stack: list[_Fragment] = []
        stretch = 0
        for step in steps:
            if step.what == "get":
                self._uses.setdefault(step.local, []).append(stretch)
            stretch += step.what == "control"
        self._stretch = 0
        for step in steps:
            getattr(self, f"_{step.what}")(step)

    def _get(self, step: Instruction) -> None:
        waiting = self._pending.pop(step.local, None)
        reads = {step.local} if step.local in self.mutable else set()
        self._stack.append(waiting or _Fragment([("get", step.local)], reads))

    def _operation(self, step: Instruction) -> None:
        taken = self._stack[len(self._stack) - step.takes :]
        del self._stack[len(self._stack) - step.takes :]
        parts = [part for fragment in taken for part in fragment.parts]
        reads = set().union(*(fragment.reads for fragment in taken))
        loads = step.loads or any(fragment.loads for fragment in taken)
        if step.gives:
            self._stack.append(_Fragment([*parts, step.code], reads, loads))
        else:
            self._settle(lambda fragment: fragment.loads)
            self.lines.append([*parts, step.code])

    def _set(self, step: Instruction) -> None:
        fragment, uses = self._stack.pop(), self._uses.get(step.local, [])
        if step.local in self.mutable:
            self._settle(lambda waiting: step.local in waiting.reads)
        elif not uses:
            return
        elif uses == [self._stretch]:
            self._pending[step.local] = fragment
            return
        self.lines.append([*fragment.parts, ("set", step.local)])

    def _control(self, step: Instruction) -> None:
        top = self._stack.pop().parts if step.takes else []
        self._settle(lambda fragment: True)
        self.lines.append([*top, step.code])
        self._stretch += 1

    def _settle(self, which: Callable[[_Fragment], bool]) -> None:
        """Put these values into their locals now."""
        for local in [local for local, fragment in self._pending.items() if which(fragment)]:
            self.lines.append([*self._pending.pop(local).parts, ("set", local)])


def assembled(
    stacking: Stacking, parameters: int, kinds: Sequence[int]
) -> tuple[list[tuple[int, int]], bytes]:
    """Return the locals that are left, numbered by type, and the code. kinds: the type of each local."""
    parts = [part for line in stacking.lines for part in line]
    used = {part[1] for part in parts if isinstance(part, tuple)} - set(range(parameters))
    order = sorted(used, key=lambda local: (kinds[local - parameters], local))
    number = {local: k for k, local in enumerate(order, parameters)}
    code = bytearray()
    for part in parts:
        if isinstance(part, tuple):
            what, local = part
            code += (b"\x20" if what == "get" else b"\x21") + unsigned(number.get(local, local))
        else:
            code += part
    counts = Counter(kinds[local - parameters] for local in order)
    return [(count, kind) for kind, count in counts.items()], bytes(code)
