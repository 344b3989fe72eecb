"""The worker's fence, its limits and what the judge makes of its lines, in this process: nothing is started."""

import io
import resource
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import nnlib
from nnlib.teaching.marking import exchange, marks, remote, worker
from nnlib.teaching.marking.marks import Limits
from nnlib.teaching.marking.remote import RemoteFunction, StoppedError
from nnlib.teaching.marking.seal import sealed

ROOT = str(Path(nnlib.__file__).parents[1])


@pytest.fixture
def asked(monkeypatch):
    """asked(event, …) -> what the fence says of it; "" where it lets it pass."""
    hooks = []
    monkeypatch.setattr(worker, "sys", SimpleNamespace(addaudithook=hooks.append))
    worker._fence()
    (hook,) = hooks

    def said(event, *arguments):
        try:
            return hook(event, arguments) or ""
        except PermissionError as error:
            return str(error)

    return said


@pytest.mark.parametrize(
    "event",
    [
        "open",
        "os.system",
        "subprocess.Popen",
        "socket.connect",
        "os.kill",
        "ctypes.dlopen",
        "os.remove",
        "sys.settrace",
        "pickle.find_class",
        "os.rename",
        "gc.get_objects",
        "os.listdir",
        "sys._getframe",
        "code.__new__",
        "marshal.loads",
    ],
)
def test_what_is_refused(asked, event):
    assert asked(event) == asked(event, "import", 1) == f"not in marking: {event}"
    assert not any(map(asked, worker._HARMLESS))


def test_modules_that_are_not_loaded_and_frames_are_refused_by_name(asked):
    assert (
        asked("import", "readline", "/usr/lib/readline.so", None, None, None)
        == "not in marking: import of readline"
    )
    assert asked("object.__getattr__", print, "__code__") == ""
    assert {asked("object.__getattr__", print, name) for name in worker._FRAMES} == {
        f"not in marking: {name}" for name in worker._FRAMES
    }


def test_the_hook_uses_no_name_that_an_answer_could_change(asked, monkeypatch):
    hook = asked.__closure__[0].cell_contents
    assert not hook.__closure__ and not hook.__code__.co_names
    assert not any(code.co_names for code in hook.__code__.co_consts if hasattr(code, "co_names"))


def test_limits_of_the_worker(monkeypatch):
    done = []
    monkeypatch.setattr(resource, "setrlimit", lambda what, most: done.append((what, most)))
    worker._limit(1 << 30)
    assert done == [
        (resource.RLIMIT_AS, (1 << 30,) * 2),
        (resource.RLIMIT_FSIZE, (0, 0)),
        (resource.RLIMIT_CORE, (0, 0)),
        (resource.RLIMIT_NPROC, (0, 0)),
    ]


def test_definitions_are_run_one_by_one():
    source = "import no_such_module\na = 2\ndef f(x): return a * x\ndef g(x): return no_such_module"
    assert worker._defined(source, "f", None)(4) == 8
    assert worker._defined(source, "f", lambda function, case: function(case) + 1)(4) == 9
    with pytest.raises(NameError):
        worker._defined(source, "g", None)(1)
    with pytest.raises(KeyError):
        worker._defined(source, "h", None)

    class Silent(Exception):
        def __str__(self):
            raise ValueError

    assert worker._words(Silent()) == "" and worker._words(ValueError("x" * 600)) == "x" * 500


def reply(line):
    """What a call comes to, where the worker sends this line."""
    function, sent = RemoteFunction.__new__(RemoteFunction), []
    function._first = exchange.dumps({"define": "…"})
    function._process = SimpleNamespace(
        stdin=SimpleNamespace(write=sent.append, flush=lambda: sent.append("flush"))
    )
    lines = [exchange.dumps({"value": None}).encode(), line]
    function._line = lambda: lines.pop(0)
    try:
        return function(3, "a")
    finally:
        assert (
            sent
            == [
                exchange.dumps({"define": "…"}).encode() + b"\n",
                "flush",
                exchange.dumps({"arguments": [3, "a"]}).encode() + b"\n",
                "flush",
            ]
            and not lines
        )


def test_lines_of_the_worker():
    assert reply(exchange.dumps({"value": (1, [2])}).encode()) == (1, [2])
    with pytest.raises(Exception, match="^" + "x" * 500 + "$") as raised:
        reply(exchange.dumps({"raised": "Odd" * 20, "text": "x" * 600}).encode())
    assert type(raised.value).__name__ == ("Odd" * 20)[:50]
    with pytest.raises(NotImplementedError):
        reply(exchange.dumps({"raised": "NotImplementedError", "text": ""}).encode())
    for line in (b"{", b"3", exchange.dumps({"raised": "E"}).encode(), b"\xff"):
        with pytest.raises(StoppedError, match="nobody can read"):
            reply(line)


class Judge:
    """Stands for the judge's process: says these lines, and is still there or has ended."""

    pid = 4711

    def __init__(self, lines, ended):
        self.lines, self.ended, self.done, self.asked = lines, ended, [], io.StringIO()
        self.stdout = SimpleNamespace(
            readline=lambda: self.lines.pop(0), close=lambda: self.done.append("close")
        )
        self.stdin = self

    def __enter__(self):
        return self.asked

    def __exit__(self, *_):
        self.done.append("asked")

    def poll(self):
        return 0 if self.ended else None

    def wait(self):
        self.done.append("wait")


KEY = bytes(32)


def line(exercise, key=KEY):
    return sealed(key, exercise, {"text": exercise}) + "\n"


FORGED = "somebody else wrote into the judge's pipe. No verdict."
LATE = marks.not_judged("it took more than 35 s on this computer")["text"]


@pytest.mark.parametrize(
    ("lines", "late", "said"),
    [
        ([line("03.a"), line("03.b")], False, ["03.a", "03.b"]),
        (
            [line("03.a"), ""],
            False,
            ["03.a", "the judge ended: by too much memory, or a defect of ours. No verdict."],
        ),
        ([line("03.a"), line("03.b")[:20]], True, [LATE]),
        ([""], True, [LATE]),
        (['{"solved": true, "text": "right", "stars": 3}\n'], False, [FORGED]),
        (["\n"], False, [FORGED]),
        ([line("03.a"), line("03.a")], False, ["03.a", FORGED]),
        ([line("03.a", b"another")], False, [FORGED]),
        ([line("03.a").replace("03", "04")], False, [FORGED]),
        ([line("03.a").replace("\n", " \n")], False, [FORGED]),
    ],
)
def test_lines_of_the_judge(lines, late, said, monkeypatch):
    started, timers, killed = [], [], []
    judge = Judge(lines, ended=not late)

    class Timer:
        def __init__(self, *timer):
            timers.append(timer)

        def start(self):
            self.alive = not (late and len(judge.lines) == 1)

        def is_alive(self):
            return self.alive

        def cancel(self):
            self.alive = False

    monkeypatch.setattr(
        marks.subprocess, "Popen", lambda command, **how: (started.append((command, how)), judge)[1]
    )
    monkeypatch.setattr(marks.secrets, "token_bytes", bytes)
    monkeypatch.setattr(marks.threading, "Timer", Timer)
    monkeypatch.setattr(marks.os, "killpg", lambda *group: killed.append(group))
    verdicts = list(
        marks._verdicts(["n.ipynb", "7"], ["03.a", "03.b"], Limits(2.5, 99), time.monotonic() + 900)
    )
    assert [verdict["text"] for verdict in verdicts][-len(said) :] == said and judge.done == [
        "asked",
        "wait",
        "close",
    ]
    assert not verdicts[-1].get("solved") and killed == (
        [(4711, marks.signal.SIGKILL)] if late else []
    )
    assert (
        timers[0][0] == 35.0
        and timers[0][1:] == (marks._end, [judge])
        and len(timers) == len(verdicts)
    )
    assert judge.asked.getvalue() == f"{KEY.hex()}\n"
    ((command, how),) = started
    assert command[1:] == ["-m", "nnlib.teaching.marking.judge", "n.ipynb", "7", "03.a", "03.b"]
    assert (
        how["start_new_session"]
        and how["env"]["PYTHONPATH"] == ROOT
        and how["env"]["CUDA_VISIBLE_DEVICES"] == ""
    )
    assert how["env"]["NNLIB_PROGRESS"] == "" and Path(how["env"]["NNLIB_MINE"]).parent == Path(
        how["cwd"]
    )
    assert remote._ROOT == marks._ROOT == ROOT
