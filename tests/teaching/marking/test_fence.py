"""The worker's fence, its limits and what a call makes of its lines, in this process: nothing is started."""

import resource
from types import SimpleNamespace

import pytest

from nnlib.teaching.marking import exchange, worker
from nnlib.teaching.marking.remote import RemoteFunction, StoppedError


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
    """
    open os.system subprocess.Popen socket.connect os.kill ctypes.dlopen os.remove sys.settrace
    pickle.find_class os.rename gc.get_objects os.listdir sys._getframe code.__new__
    marshal.loads
    """.split(),
)
def test_what_is_refused(asked, event):
    assert asked(event) == asked(event, "import", 1) == f"not in marking: {event}"
    assert not any(map(asked, ("compile", "exec", "object.__setattr__", "time.sleep")))


def test_modules_that_are_not_loaded_and_frames_are_refused_by_name(asked):
    assert (
        asked("import", "readline", "/usr/lib/readline.so", None, None, None)
        == "not in marking: import of readline"
    )
    assert asked("object.__getattr__", print, "__code__") == ""
    for name in ("tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_code"):
        assert asked("object.__getattr__", print, name) == f"not in marking: {name}"


def test_the_hook_uses_no_name_that_an_answer_could_change(asked):
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
        (resource.RLIMIT_NOFILE, (0, 0)),
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
    """Return what a call comes to, where the worker sends this line."""
    function, asked = RemoteFunction.__new__(RemoteFunction), []
    function._first, function._until = exchange.dumps({"define": "…"}), 7
    lines = [exchange.dumps({"value": None}).encode(), line]
    function.ask = lambda *question: (asked.append(question), lines.pop(0))[1]
    try:
        return function(3, "a")
    finally:
        questions = {"define": "…"}, {"arguments": [3, "a"]}
        assert asked == [(exchange.dumps(question), 7) for question in questions] and not lines


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
