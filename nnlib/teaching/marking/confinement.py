"""What the system does to keep a student's Python away from the judge; worker.py has Python's own part.

Linux gives most: a filter of system calls after which a process opens no file, starts nothing and runs no new machine
code, whatever it has done to its Python; memory that no other process reads. As root the worker becomes `nobody`, as
anybody else it runs in bubblewrap where that is installed and allowed. `missing` says what a machine does not have.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import shutil
import struct
import subprocess
import sys
from pathlib import Path

NOBODY = 65534
_USERS = Path("/proc/self/uid_map")
_BUBBLEWRAP = (
    "bwrap",
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
)
_SET_DUMPABLE, _GET_SECCOMP, _SET_SECCOMP, _NO_NEW_PRIVILEGES, _FILTER = (
    4,
    21,
    22,
    38,
    2,
)  # linux/prctl.h

# Machine -> its number in linux/audit.h, calls that map memory, and all calls that arithmetic in Python needs: read,
# write, close, fstat, lseek, munmap, brk, mremap, madvise, rt_sigprocmask, rt_sigreturn, restart_syscall, sched_yield,
# getpid, gettid, futex, nanosleep, clock_nanosleep, clock_gettime, clock_getres, getrandom, exit, exit_group.
_CALLS = {
    "x86_64": (
        0xC000003E,
        (9, 10),
        (
            0,
            1,
            3,
            5,
            8,
            11,
            12,
            25,
            28,
            14,
            15,
            219,
            24,
            39,
            186,
            202,
            35,
            230,
            228,
            229,
            318,
            60,
            231,
        ),
    ),
    "aarch64": (
        0xC00000B7,
        (222, 226),
        (
            63,
            64,
            57,
            80,
            62,
            215,
            214,
            216,
            233,
            135,
            139,
            128,
            124,
            172,
            178,
            98,
            101,
            115,
            113,
            114,
            278,
            93,
            94,
        ),
    ),
}
_LOAD, _EQUAL, _ANY_BIT, _RETURN = 0x20, 0x15, 0x45, 0x06  # linux/bpf_common.h
_KILL, _REFUSE, _ALLOW = (
    0x80000000,
    0x00050001,
    0x7FFF0000,
)  # linux/seccomp.h; refused calls fail with EPERM
_EXECUTABLE = 4  # PROT_EXEC


def keep_private() -> None:
    """Other processes of the same user can no longer read this one's memory or open its pipes."""
    _prctl(_SET_DUMPABLE, 0)


def drop_root() -> None:
    """Root becomes nobody, for good; anybody else stays who they are."""
    if _is_root():
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def only_arithmetic() -> bool:
    """From here on this process makes no call but those of `_CALLS`, and maps no code; False without a filter."""
    known = _CALLS.get(platform.machine())
    if known is None or _prctl(_NO_NEW_PRIVILEGES, 1) != 0:
        return False
    program = _filter(*known)
    kept = ctypes.create_string_buffer(program)
    return (
        _prctl(
            _SET_SECCOMP, _FILTER, ctypes.byref(_Program(len(program) // 8, ctypes.addressof(kept)))
        )
        == 0
    )


def bubblewrap() -> tuple[str, ...]:
    """What to put before a command, so that it sees no process but its own, no network, and files it cannot change."""
    return _BUBBLEWRAP if not _is_root() and _bubblewrap_works() else ()


def missing() -> list[str]:
    """What this machine does not have, in words; empty where a student's Python is confined in every way."""
    found = []
    if platform.machine() not in _CALLS or _prctl(_GET_SECCOMP) != 0:
        found.append("no filter of system calls")
    if not _is_root() and not bubblewrap():
        found.append("no other user and no bubblewrap")
    return found


def _is_root() -> bool:
    """Whether this process can become nobody: root of a container without other users cannot."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return False
    with contextlib.suppress(OSError):
        known = [tuple(map(int, line.split())) for line in _USERS.read_text("ascii").splitlines()]
        return any(first <= NOBODY < first + count for first, _, count in known)
    return True  # no Linux


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))


def _filter(machine: int, mapping: tuple[int, ...], harmless: tuple[int, ...]) -> bytes:
    """The program that the kernel runs at each call: instructions are (code, steps if true, steps if not, value)."""
    call, architecture, third_argument = 0, 4, 32  # bytes in struct seccomp_data
    steps = [
        (_LOAD, 0, 0, architecture),
        (_EQUAL, 1, 0, machine),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, call),
    ]
    for number in mapping:
        steps += [
            (_EQUAL, 0, 4, number),
            (_LOAD, 0, 0, third_argument),
            (_ANY_BIT, 0, 1, _EXECUTABLE),
            (_RETURN, 0, 0, _REFUSE),
            (_RETURN, 0, 0, _ALLOW),
        ]
    for number in harmless:
        steps += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    return b"".join(struct.pack("=HBBI", *step) for step in [*steps, (_RETURN, 0, 0, _REFUSE)])


def _prctl(option: int, *values: object) -> int:
    """Linux's prctl; -1 where it is refused or there is none."""
    if sys.platform != "linux":
        return -1
    numbers = [value if not isinstance(value, int) else ctypes.c_ulong(value) for value in values]
    return ctypes.CDLL(None).prctl(option, *numbers, *[ctypes.c_ulong(0)] * (4 - len(numbers)))


@functools.cache
def _bubblewrap_works() -> bool:
    """Installed, and allowed by this kernel and container."""
    if shutil.which(_BUBBLEWRAP[0]) is None:
        return False
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        return (
            subprocess.run(
                [*_BUBBLEWRAP, "true"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=120,
            ).returncode
            == 0
        )
    return False
