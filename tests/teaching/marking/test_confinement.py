"""What the system refuses to a process that is confined, with no audit hook in the way, and what it allows before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from nnlib.teaching.marking import confinement

FILE = confinement.__file__
LINUX = sys.platform == "linux" and confinement.missing() in (
    [],
    ["no other user and no bubblewrap"],
)
SNIPPETS = {  # each ends without an exception where it is allowed
    "open": "os.open('/etc/hostname', os.O_RDONLY)",
    "write a file": "open('written', 'w')",
    "the judge's pipe": "os.open(f'/proc/{os.getppid()}/fd/0', os.O_RDONLY)",
    "list": "os.listdir('/')",
    "fork": "os.fork() or os._exit(0)",
    "_posixsubprocess": "subprocess.run(['true'])",
    "exec": "os.execv('/bin/true', ['true'])",
    "thread": "threading.Thread(target=print).start()",
    "socket": "socket.socket()",
    "signal": "os.kill(os.getpid(), 0)",
    "handler": "signal.signal(signal.SIGUSR1, print)",
    "another process's memory": "1 / (1 + LIBC.process_vm_readv(os.getpid(), None, 0, None, 0, 0))",
    "native code": "importlib.util.module_from_spec(importlib.util.spec_from_file_location('_umath_linalg', LIBRARY))",
    "machine code": "mmap.mmap(-1, 4096, prot=7)",
    "a pipe": "os.pipe()",
    "a file in memory": "os.memfd_create('x')",
    "shared memory": "__import__('_posixshmem').shm_open('/nnlib', os.O_CREAT | os.O_RDWR)",
}
SCRIPT = """
import ctypes, importlib.util, mmap, numpy, os, shutil, signal, socket, subprocess, sys, threading
import _posixshmem
spec = importlib.util.spec_from_file_location('confinement', sys.argv[1])
confinement = importlib.util.module_from_spec(spec)
spec.loader.exec_module(confinement)
LIBC = ctypes.CDLL(None)
LIBRARY = shutil.copy(numpy.linalg._umath_linalg.__file__, 'native.so')
if sys.argv[2] == 'confined':
    confinement.drop_root()
    assert confinement.only_arithmetic()
try:
    exec(sys.argv[3])
except Exception as error:
    print('refused', type(error).__name__)
else:
    print('allowed', sum(numpy.arange(4)))
"""


def tried(how, snippet, folder):
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, FILE, how, snippet],
        cwd=folder,
        capture_output=True,
        text=True,
    )
    return ran.stdout.split()[0] if ran.stdout else "allowed"  # by exec, which has nothing to say


@pytest.mark.skipif(not LINUX, reason="needs Linux's filter of system calls, on x86-64 or ARM")
@pytest.mark.parametrize("name", SNIPPETS)
def test_what_the_system_refuses(name, tmp_path):
    confined = tried("confined", SNIPPETS[name], tmp_path)
    assert confined == "refused"
    assert tried("free", SNIPPETS[name], tmp_path) == "allowed"


WATCHED = """
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location('confinement', sys.argv[1])
confinement = importlib.util.module_from_spec(spec)
spec.loader.exec_module(confinement)
confinement.drop_root()
if sys.argv[2] == 'private':
    confinement.keep_private()
print('ready', flush=True)
sys.stdin.readline()
"""
READER = """
import os, sys
if os.geteuid() == 0:
    os.setgroups([]), os.setgid(65534), os.setuid(65534)
try:
    os.listdir(f'/proc/{sys.argv[1]}/fd'), open(f'/proc/{sys.argv[1]}/mem', 'rb').close()
except OSError:
    print('refused')
else:
    print('read')
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's /proc")
@pytest.mark.parametrize(("how", "said"), [("private", "refused"), ("open", "read")])
def test_memory_and_pipes_of_a_private_process_are_its_own(how, said, tmp_path):
    source = tmp_path / "confinement.py"  # where any user may read it
    source.write_text(Path(FILE).read_text("utf-8"), "utf-8")
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    with subprocess.Popen(
        [sys.executable, "-c", WATCHED, str(source), how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as watched:
        assert watched.stdout.readline() == "ready\n"
        if (
            how == "open" and os.geteuid() == 0
        ):  # who changes the user is private from then on, until it starts anew
            said = "refused"
        assert (
            subprocess.run(
                [sys.executable, "-c", READER, str(watched.pid)], capture_output=True, text=True
            ).stdout.strip()
            == said
        )
        watched.communicate("end\n")


def test_the_filter_allows_what_its_table_says_and_nothing_else():
    machine, mapping, harmless = confinement._CALLS["x86_64"]
    program = confinement._filter(machine, mapping, harmless)

    def answer(call, third=0, architecture=machine):
        """What the program returns for a call, by the rules of linux/bpf_common.h."""
        data, at, value = {0: call, 4: architecture, 32: third}, 0, 0
        while True:
            code, yes, no, number = confinement.struct.unpack_from("=HBBI", program, 8 * at)
            at += 1
            if code == 0x20:
                value = data[number]
            elif code == 0x06:
                return number
            else:
                at += yes if (value == number if code == 0x15 else value & number) else no

    for call in range(500):
        known = call in harmless or call in mapping
        assert answer(call) == (0x7FFF0000 if known else 0x00050001), call
        assert answer(call, third=7) == (0x7FFF0000 if call in harmless else 0x00050001), call
        assert answer(call, architecture=0x40000003) == 0x80000000
    assert {number for table in confinement._CALLS.values() for number in table[2]} and all(
        len(table[2]) == 23 and len(set(table[2])) == 23 for table in confinement._CALLS.values()
    )


def test_root_becomes_nobody_and_others_stay(monkeypatch):
    done = []
    for name in ("setgroups", "setresgid", "setresuid"):
        monkeypatch.setattr(os, name, lambda *ids, name=name: done.append((name, *ids)))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    confinement.drop_root()
    assert done == []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    confinement.drop_root()
    assert done == [
        ("setgroups", []),
        ("setresgid", 65534, 65534, 65534),
        ("setresuid", 65534, 65534, 65534),
    ]


def test_root_of_a_container_without_other_users_stays(monkeypatch, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "setgroups", lambda _: pytest.fail("not permitted there"))
    monkeypatch.setattr(confinement, "_USERS", tmp_path / "uid_map")
    monkeypatch.setattr(confinement, "_bubblewrap_works", lambda: False)
    confinement._USERS.write_text("         0       1000          1\n")
    confinement.drop_root()
    assert "no other user and no bubblewrap" in confinement.missing()
    confinement._USERS.write_text("0 1000 1\n1 100000 65536\n")
    assert "no other user and no bubblewrap" not in confinement.missing()


@pytest.mark.parametrize(
    ("user", "installed", "works", "machine", "words"),
    [
        (0, None, 1, "x86_64", []),
        (1000, "/usr/bin/bwrap", 0, "x86_64", []),
        (1000, None, 0, "x86_64", ["no other user and no bubblewrap"]),
        (1000, "/usr/bin/bwrap", 1, "aarch64", ["no other user and no bubblewrap"]),
        (0, None, 0, "riscv64", ["no filter of system calls"]),
    ],
)
def test_what_a_machine_lacks_is_said(monkeypatch, user, installed, works, machine, words):
    confinement._bubblewrap_works.cache_clear()
    monkeypatch.setattr(os, "geteuid", lambda: user)
    monkeypatch.setattr(confinement.platform, "machine", lambda: machine)
    monkeypatch.setattr(confinement, "_prctl", lambda *_: 0)
    monkeypatch.setattr(confinement.shutil, "which", lambda name: installed)
    monkeypatch.setattr(
        confinement.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, works),
    )
    assert confinement.missing() == words
    assert (confinement.bubblewrap() != ()) == (user != 0 and installed is not None and works == 0)
    confinement._bubblewrap_works.cache_clear()


def test_no_filter_on_a_machine_that_is_not_known(monkeypatch):
    monkeypatch.setattr(confinement.platform, "machine", lambda: "riscv64")
    assert confinement.only_arithmetic() is False
    monkeypatch.setattr(confinement.sys, "platform", "darwin")
    assert confinement._prctl(4, 0) == -1
    assert "no filter of system calls" in confinement.missing()
