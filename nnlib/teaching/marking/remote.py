"""The processes that marking asks: a call of a student's function goes to its worker, and data comes back in time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import nnlib
from nnlib.teaching.marking import exchange
from nnlib.teaching.marking.confinement import MARKING, confinement

ROOT = str(Path(nnlib.__file__).parents[1])


def _arithmetic() -> dict[str, str]:
    """Return the environment variables that affect sums of floats: another BLAS kernel gives other bits."""
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(("OPENBLAS_", "MKL_", "BLIS_"))
    }


class StoppedError(Exception):
    """The worker has no more to say."""


class TookTooLong(BaseException):
    """The time for an exercise is over.

    It is no Exception, as those are an answer's own and make it wrong: how long an answer takes depends on the computer, so
    this is no verdict.
    """


class Process:
    """A process of ours that answers each line with one line, until it is closed.

    leads: what it has started ends with it.
    """

    def __init__(
        self, command: list[str], folder: str, environment: dict[str, str], leads: bool = False
    ) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=environment,
            start_new_session=leads,
        )
        self._leads = leads

    def close(self) -> None:
        """End it."""
        if self._process.poll() is None:
            if self._leads:
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
        self._process.communicate()

    def ask(self, line: str, until: float) -> bytes:
        """Send a line and return the answer.

        Raise TimeoutError at the time `until`, EOFError where the process ends, OverflowError where the answer is too long.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        pipe = self._process.stdout.fileno()
        answer = bytearray()
        while not answer.endswith(b"\n"):  # what comes behind one line is no line of ours
            left = until - time.monotonic()
            if left <= 0 or not select.select([pipe], [], [], left)[0]:
                raise TimeoutError
            more = os.read(pipe, 1 << 20)
            if not more:
                raise EOFError
            answer += more
            if len(answer) > exchange.MOST:
                raise OverflowError
        return bytes(answer)


class RemoteFunction(Process):
    """source: of the definitions; name: of the function; through: what of networks.py tries it, or "".

    seconds, memory (MB): for all calls together. Raises what the function raised, by name, StoppedError,
    and TookTooLong.
    """

    def __init__(self, source: str, name: str, through: str, seconds: float, memory: int) -> None:
        self._until, self._seconds = time.monotonic() + seconds, seconds
        inside = confinement()
        worker = str(Path(__file__).with_name("worker.py"))
        super().__init__(
            [*inside, sys.executable, "-I", "-B", worker, ROOT, str(memory)],
            "/",
            {
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
            self._value(first)
        return self._value(exchange.dumps({"arguments": list(arguments)}))

    def _value(self, line: str) -> Any:
        try:
            reply = exchange.loads(self.ask(line, self._until).decode())
            if "value" in reply:
                return reply["value"]
            kind, text = str(reply["raised"])[:50], str(reply["text"])[:500]
        except TimeoutError:
            raise TookTooLong(f"it took more than {self._seconds:.0f} s on this computer") from None
        except EOFError:
            raise StoppedError(
                "the function ended its whole process: by an exit, or by too much memory?"
            ) from None
        except OverflowError:
            raise StoppedError("the function returned more than anybody could read") from None
        except (ValueError, LookupError, TypeError):
            raise StoppedError("the function sent back what nobody can read") from None
        raise (
            NotImplementedError
            if kind == "NotImplementedError"
            else type(kind, (Exception,), {})(text)
        )
