"""What bubblewrap keeps from Python that has got past every fence of Python's own, and what is said where it is not."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from multiprocessing import shared_memory
from pathlib import Path

import pytest

import nnlib
from nnlib.teaching.marking import confinement
from nnlib.teaching.marking.remote import RemoteFunction

PACKAGE = Path(nnlib.__file__).parent
works = pytest.mark.skipif(
    not confinement._bubblewrap_works(), reason="needs bubblewrap: apt install bubblewrap"
)
LIBC = "import ctypes; libc = ctypes.CDLL(None, use_errno=True); "
# Each is a program that fails where it is refused. FREE ones succeed outside, and do no harm there.
FREE = {
    "another's notebook": "open(OTHER).read()",
    "the folder of notebooks": "assert 'ann' in os.listdir(FOLDER)",
    "the table of marks": "open(MARKS, 'a').write('eva,03,03.intensity,1')",
    "another's file by a link": "os.link(OTHER, OTHER + '2')",
    "the references": "open(f'{PACKAGE}/course/exercises/lesson03.py').read()",
    "the references, imported": "import nnlib.course.exercises.lesson03",
    "the clinic's patients": "open(f'{PACKAGE}/course/clinic/patients.py').read()",
    "the best kernels": "assert os.listdir(f'{PACKAGE}/mine/best')",
    "the library's kernels": "assert os.listdir(f'{PACKAGE}/kernels')",
    "the exam's bank": "assert os.listdir(f'{PACKAGE}/teaching/exam/bank')",
    "how verdicts are written": "open(f'{PACKAGE}/teaching/marking/judge.py').read()",
    "the repository beside the package": "assert os.listdir(f'{PACKAGE}/../tests')",
    "the users of the machine": "open('/etc/passwd').read()",
    "a port of the judge": "socket.create_connection(('127.0.0.1', PORT), 5)",
    "a socket without a file": "s = socket.socket(socket.AF_UNIX); s.connect('\\0nnlib' + str(PARENT))",
    "shared memory": "from multiprocessing import resource_tracker as r; r.register = print\n"
    "from multiprocessing.shared_memory import SharedMemory; SharedMemory(SHARED)",
    "the judge by its number": "os.kill(PARENT, 0)",
    "the judge's environment": "assert 'PATH' in open(f'/proc/{PARENT}/environ').read()",
    "the judge's descriptors": "os.listdir(f'/proc/{PARENT}/fd')",
    "the judge's memory": "open(f'/proc/{PARENT}/mem', 'rb').close()",
}
HARMFUL = {
    "the worker, rewritten": "open(f'{PACKAGE}/teaching/marking/worker.py', 'w')",
    "its module, renamed": "os.rename(f'{PACKAGE}/course/exercises/networks.py', '/tmp/x')",
    "a file among the answers": "open(f'{PACKAGE}/course/exercises/lesson03.py', 'w')",
    "a file in the package": "open(f'{PACKAGE}/forged.py', 'w')",
    "rights of the package": "os.chmod(f'{PACKAGE}/__init__.py', 0o777)",
    "a module for every Python": "import site; open(site.getsitepackages()[0] + '/forged.pth', 'w')",
    "a program for every user": "open('/usr/bin/forged', 'w')",
    "the kernel's settings": "open('/proc/sys/kernel/hostname', 'w').write('forged')",
    "the machine's name": "socket.sethostname('forged')",
    "the clock": "time.clock_settime(time.CLOCK_REALTIME, time.time() + 60)",
    "a disk": "os.mknod('/tmp/disk', 0o60600, os.makedev(8, 0)); open('/tmp/disk', 'rb').read(1)",
    "another root": "os.chroot('/tmp')",
    "a mount of its own": LIBC + "assert libc.mount(b'none', b'/usr', b'tmpfs', 0, None) == 0",
    "a mount that may be written": LIBC
    + "assert libc.mount(None, PACKAGE.encode(), None, 0x1020, None) == 0",
    "what lies below a mount": LIBC
    + "assert libc.umount2(f'{PACKAGE}/course/exercises'.encode(), 2) == 0",
    "the judge, traced": LIBC + "assert libc.ptrace(16, PARENT, 0, 0) == 0",
    "a descriptor of the judge": "for fd in range(3, 99):\n    try: os.fstat(fd); break\n"
    "    except OSError: pass\nelse: raise OSError",
}


@pytest.fixture
def named(tmp_path):
    """What the attacks name, made by this process, which stands for the judge."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "03.ipynb").write_text("answers")
    (tmp_path / "marks.csv").write_text("marks")
    shared = shared_memory.SharedMemory(create=True, size=8)
    with socket.create_server(("127.0.0.1", 0)) as port, socket.socket(socket.AF_UNIX) as nameless:
        nameless.bind(f"\0nnlib{os.getpid()}")
        nameless.listen()
        yield {
            "FOLDER": str(tmp_path),
            "OTHER": str(tmp_path / "ann" / "03.ipynb"),
            "MARKS": str(tmp_path / "marks.csv"),
            "PACKAGE": str(PACKAGE),
            "PORT": port.getsockname()[1],
            "PARENT": os.getpid(),
            "SHARED": shared.name,
        }
    shared.close()
    shared.unlink()


def reached(attack, named, inside):
    """Run it; is its step done?"""
    setting = f"import os, socket, sys, time; globals().update({named!r}); sys.path.insert(0, PACKAGE + '/..')\n"
    program = [sys.executable, "-I", "-c", f"{setting}{attack}\nprint('reached')"]
    ran = subprocess.run([*inside, *program], cwd="/", env={}, capture_output=True, text=True)
    assert "SyntaxError" not in ran.stderr and "NameError" not in ran.stderr, ran.stderr
    return ran.stdout.endswith("reached\n")


@works
@pytest.mark.parametrize("attack", [*FREE.values(), *HARMFUL.values()], ids=[*FREE, *HARMFUL])
def test_past_every_fence_nothing_is_reached(attack, named):
    before = {
        path: path.read_bytes() for path in Path(named["FOLDER"]).rglob("*") if path.is_file()
    }
    assert not reached(attack, named, confinement.bubblewrap())
    after = {path: path.read_bytes() for path in Path(named["FOLDER"]).rglob("*") if path.is_file()}
    assert before == after and not (PACKAGE / "forged.py").exists()
    if attack in FREE.values():
        assert reached(attack, named, ())


@works
def test_a_process_that_goes_on_ends_with_the_worker(named):
    daemon = (
        "if os.fork() == 0:\n    os.setsid()\n    print('there', flush=True)\n    time.sleep(600)\n"
        "time.sleep(600)"
    )
    setting = "import os, time\n"
    with subprocess.Popen(
        [*confinement.bubblewrap(), sys.executable, "-I", "-c", setting + daemon],
        stdout=subprocess.PIPE,
    ) as worker:
        assert worker.stdout.readline() == b"there\n"
        worker.kill()
        assert worker.stdout.read() == b""  # which ends only when nobody holds the pipe


@works
def test_an_answer_inside_has_what_it_needs():
    source = "import numpy, math\ndef f(x):\n    return numpy.sqrt(x).sum() + math.pi"
    with contextlib.closing(RemoteFunction(source, "f", "", 600, 3000)) as function:
        assert function([1.0, 4.0]) == pytest.approx(6.14159, 1e-5)


@pytest.mark.parametrize(
    ("told", "user", "inside", "safe", "goes_on"),
    [
        ("", 0, False, False, False),
        ("", 1000, True, True, True),
        ("container", 0, False, True, True),
        ("container", 1000, False, False, False),
        ("trust", 1000, False, False, True),
    ],
)
def test_without_a_fence_marking_stops_unless_it_is_told(
    told, user, inside, safe, goes_on, monkeypatch, environ
):
    monkeypatch.setattr(confinement, "_bubblewrap_works", lambda: inside)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    environ(NNLIB_MARKING=told)
    assert confinement.confined() is safe
    with contextlib.nullcontext() if goes_on else pytest.raises(confinement.UnsafeError):
        assert (confinement.confinement()[:1] == ("bwrap",)) is inside


@pytest.mark.parametrize("program", ["no program", "#!/bin/sh\nexit 1", None])
def test_a_bubblewrap_that_does_not_run_confines_nobody(program, tmp_path, environ):
    if program:
        (tmp_path / "bwrap").write_text(program)
        (tmp_path / "bwrap").chmod(0o755)
    environ(PATH=tmp_path)
    assert not confinement._bubblewrap_works.__wrapped__()


def test_the_command_says_that_marks_are_not_safe(tmp_path, monkeypatch, capsys, environ, marking):
    path = tmp_path / "01_cuda_basics.ipynb"
    path.write_text(json.dumps({"cells": []}), "utf-8")
    monkeypatch.setattr(confinement, "_bubblewrap_works", lambda: False)
    environ(NNLIB_MARKING="")
    with pytest.raises(SystemExit) as ended:
        marking(path)
    assert ended.value.code == 1
    assert "marks are not safe against the students" in capsys.readouterr().err
    marking(path, "--trust-students")
    assert capsys.readouterr().out.count("01.") >= 4
