"""A student's function as the judge sees it: a call goes to the worker, data comes back, or nothing in time."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nnlib
from nnlib.teaching.marking import exchange
from nnlib.teaching.marking.confinement import MARKING, confinement

_ROOT = str(Path(nnlib.__file__).parents[1])


def _arithmetic() -> dict[str, str]:
    """What the environment says about sums of floats: with another BLAS kernel the same loop has other bits."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("OPENBLAS_", "MKL_", "BLIS_"))
    }


class StoppedError(Exception):
    """The worker has no more to say."""


class TookTooLong(BaseException):
    """The time for an exercise is over. No Exception, as those are an answer's own and make it wrong: how long an
    answer takes depends on the computer, so this is no verdict."""


class RemoteFunction:
    """source: of the definitions; name: of the function; through: what of networks.py tries it, or "".

    seconds, memory (MB): for all calls together. Raises what the function raised, by name, StoppedError,
    and TookTooLong.
    """

    def __init__(self, source: str, name: str, through: str, seconds: float, memory: int) -> None:
        self._until, self._seconds = time.monotonic() + seconds, seconds
        inside = confinement()
        self._process = subprocess.Popen(
            [
                *inside,
                sys.executable,
                "-I",
                "-B",
                str(Path(__file__).with_name("worker.py")),
                _ROOT,
                str(memory),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={
                **_arithmetic(),
                "CUDA_VISIBLE_DEVICES": "",
                "OPENBLAS_NUM_THREADS": "1",
                "OMP_NUM_THREADS": "1",
                "PYTHONDONTWRITEBYTECODE": "1",
                MARKING: "" if inside else os.environ.get(MARKING, ""),
            },
        )
        self._first: str | None = exchange.dumps(
            {"define": source, "name": name, "through": through}
        )

    def __call__(self, *arguments: Any) -> Any:
        if self._first is not None:
            first, self._first = self._first, None
            self._ask(first)
        return self._ask(exchange.dumps({"arguments": list(arguments)}))

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _ask(self, line: str) -> Any:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        try:
            reply = exchange.loads(self._line().decode())
            if "value" in reply:
                return reply["value"]
            kind, text = str(reply["raised"])[:50], str(reply["text"])[:500]
        except (ValueError, LookupError, TypeError):
            raise StoppedError("the function sent back what nobody can read") from None
        raise (
            NotImplementedError
            if kind == "NotImplementedError"
            else type(kind, (Exception,), {})(text)
        )

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        line = bytearray()
        while not line.endswith(
            b"\n"
        ):  # one line is asked for, and what comes behind it is no line of ours
            left = self._until - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise TookTooLong(f"it took more than {self._seconds:.0f} s on this computer")
            more = os.read(pipe, 1 << 20)
            if not more:
                raise StoppedError(
                    "the function ended its whole process: by an exit, or by too much memory?"
                )
            line += more
            if len(line) > exchange.MOST:
                raise StoppedError("the function returned more than anybody could read")
        return bytes(line)


@contextlib.contextmanager
def remote_function(
    source: str, name: str, through: str, seconds: float, memory: int
) -> Iterator[RemoteFunction]:
    """`with remote_function(…) as f:` the worker lives as long as the block."""
    function = RemoteFunction(source, name, through, seconds, memory)
    try:
        yield function
    finally:
        function.close()
