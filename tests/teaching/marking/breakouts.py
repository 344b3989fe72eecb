"""Python that students might hand in to reach the judge, the references or the machine: name -> (body, what is said).

Each is the body of `intensity(bm, bn)` and returns "escaped" where its step succeeds: INSIDE are those whose step
succeeds in bubblewrap, where there is nothing to reach (test_confinement.py). EXTENSION is the path of MODULE,
an extension module, in FOLDER beside the notebook; REFERENCES is the file of the references.
"""


def answer(body, **named):
    """The cell that a student hands in. named: what the words in capitals mean."""
    for word, meant in named.items():
        body = body.replace(word, str(meant))
    return "import os\ndef intensity(bm, bn):\n    " + body.strip("\n").replace("\n", "\n    ")


BREAKOUTS = {
    # the judge's pipes and memory
    "readline opens the judge's pipe": (
        """
import readline
for i in range(9): readline.add_history('{"solved": true, "text": "right", "stars": 3}')
for fd in range(3, 30):
    try: readline.append_history_file(9, f'/proc/{os.getppid()}/fd/{fd}')
    except OSError: continue
    return 'escaped'""",
        "not in marking: import of readline",
    ),
    "os.writev to every descriptor": (
        """
for fd in range(3, 30):
    try: os.writev(fd, [b'{"solved": true, "text": "right", "stars": 3}', b'\\n'])
    except OSError: pass
return 'escaped'""",
        "Operation not permitted|nobody can read|should be|escaped' ",
    ),
    "os.sendfile, splice and copy_file_range": (
        """
for call in ('sendfile', 'splice', 'copy_file_range'):
    for fd in range(3, 30):
        try:
            if getattr(os, call)(fd, 0, 0, 9) if call == 'sendfile' else getattr(os, call)(0, fd, 9): return 'escaped'
        except (OSError, AttributeError): pass""",
        "returned nothing",
    ),
    "the judge's memory through os.open": (
        "return os.open(f'/proc/{os.getppid()}/mem', os.O_RDWR) and 'escaped'",
        "not in marking: open",
    ),
    "its own memory through io.FileIO": (
        "import io\nreturn io.FileIO('/proc/self/mem', 'r+') and 'escaped'",
        "not in marking: open",
    ),
    "the judge's pipe through ndarray.tofile": (
        "import numpy\nnumpy.zeros(9).tofile(f'/proc/{os.getppid()}/fd/4')\nreturn 'escaped'",
        "not in marking: open",
    ),
    "the judge's memory through numpy.memmap": (
        "import numpy\nreturn numpy.memmap(f'/proc/{os.getppid()}/mem') and 'escaped'",
        "not in marking",
    ),
    "the judge is killed through a pidfd": (
        "import signal\nsignal.pidfd_send_signal(os.pidfd_open(os.getppid()), 9)\nreturn 'escaped'",
        "",
    ),
    "the judge's group is killed": (
        "os.killpg(0, 9)\nreturn 'escaped'",
        "not in marking: os.killpg",
    ),
    "the judge loses its memory limit": (
        "import resource\nresource.prlimit(os.getppid(), resource.RLIMIT_AS, (1, 1))\nreturn 'escaped'",
        "not in marking",
    ),
    # native code
    "native code at a fixed path": (
        """
import importlib.machinery, importlib.util
loader = importlib.machinery.ExtensionFileLoader('MODULE', 'EXTENSION')
return loader.create_module(importlib.util.spec_from_loader('MODULE', loader)) and 'escaped'""",
        "not in marking: import of ",
    ),
    "native code found by os.walk": (
        """
import importlib.machinery, importlib.util
for folder, _, files in os.walk('FOLDER'):
    if 'evil.so' in files:
        loader = importlib.machinery.ExtensionFileLoader('MODULE', folder + '/evil.so')
        return loader.create_module(importlib.util.spec_from_loader('MODULE', loader)) and 'escaped'
""",
        "not in marking: os.walk",
    ),
    "ctypes, which NumPy has loaded": (
        "import ctypes\nreturn ctypes.CDLL(None).system(b'true') == 0 and 'escaped'",
        "has no attribute 'CDLL'",
    ),
    "ctypes' memmove, which asks nobody": (
        "import ctypes\nctypes.memmove(id(1), id(2), 8)\nreturn 'escaped'",
        "has no attribute 'memmove'",
    ),
    "ctypes through an array's pointer": (
        "import numpy\nreturn numpy.zeros(3).ctypes.data_as(None) and 'escaped'",
        "has no attribute|not in marking",
    ),
    "ctypes' types from the classes of object": (
        """
for kind in object.__subclasses__():
    if kind.__module__ == '_ctypes':
        for inner in kind.__subclasses__():
            try: return inner.from_address(id(inner)) and 'escaped'
            except (AttributeError, TypeError): pass""",
        "not in marking: ctypes.cdata|returned nothing",
    ),
    "machine code in memory": (
        "import mmap\nreturn mmap.mmap(-1, 4096, prot=7) and 'escaped'",
        "not in marking",
    ),
    "byte code that is none": (
        "return intensity.__code__.replace(co_code=bytes(99)) and 'escaped'",
        "not in marking: code.__new__",
    ),
    "byte code from marshal": (
        "import marshal\nreturn marshal.loads(b'N') or 'escaped'",
        "not in marking: (import|marshal)",
    ),
    # processes
    "_posixsubprocess starts a shell": (
        """
import _posixsubprocess
_posixsubprocess.fork_exec([b'/bin/sh', b'-c', b'true'], (b'/bin/sh',), True, (), None, None, -1, -1, -1, -1, -1, -1,
                           *os.pipe(), False, False, False, None, None, None, -1, None, False)
return 'escaped'""",
        "",
    ),
    "os.fork": ("return os.fork() >= 0 and 'escaped'", "not in marking: os.fork"),
    "os.posix_spawn": (
        "return os.posix_spawn('/bin/true', ['true'], {}) and 'escaped'",
        "not in marking",
    ),
    "multiprocessing": (
        "import multiprocessing\nmultiprocessing.Process(target=print).start()\nreturn 'escaped'",
        "not in marking",
    ),
    "a program in memory": (
        "fd = os.memfd_create('x')\nos.execve(fd, ['x'], {})\nreturn 'escaped'",
        "not in marking|not permitted|open files",
    ),
    "a thread that writes later": (
        """
import _thread
_thread.start_new_thread(lambda: [os.write(fd, b'{}') for fd in range(3, 9)], ())
return 'escaped'""",
        "",
    ),
    "another interpreter without a hook": (
        """
import importlib.machinery, _imp
for name in ('_xxsubinterpreters', '_interpreters'):
    if name in __import__('sys').builtin_module_names:
        made = _imp.create_builtin(importlib.machinery.ModuleSpec(name, None))
        return made.create() and 'escaped'
import _xxsubinterpreters""",
        "not in marking",
    ),
    # Python itself
    "frames": ("import sys\nreturn sys._getframe(1) and 'escaped'", "no attribute '_getframe'"),
    "frames, from a new sys": (
        """
import _imp, sys
fresh = _imp.create_builtin(sys.__spec__)
return fresh._getframe(1) and 'escaped'""",
        "not in marking: sys._getframe|has no attribute",
    ),
    "frames, from a traceback": (
        """
try: 1 / 0
except ZeroDivisionError as error: return error.__traceback__.tb_frame.f_back and 'escaped'""",
        "not in marking: tb_frame",
    ),
    "frames, from a generator": (
        "return (x for x in 'ab').gi_frame and 'escaped'",
        "not in marking: gi_frame",
    ),
    "frames, from a signal": (
        """
import signal, _thread
seen = []
signal.signal(signal.SIGINT, lambda number, frame: seen.append(frame))
_thread.interrupt_main()
sum(range(99999))
return seen[0].f_back and 'escaped'""",
        "",
    ),
    "the hook's own names, from its traceback": (
        """
try: open('/')
except PermissionError as error:
    tb = error.__traceback__
    while tb.tb_next: tb = tb.tb_next
    tb.tb_frame.f_locals['harmless'] = {'open'}
return 'escaped'""",
        "not in marking: tb_frame",
    ),
    "the hook, from the collector": (
        "import gc\nreturn [x for x in gc.get_objects() if 'refuse' in repr(x)] and 'escaped'",
        "not in marking: gc.get_objects",
    ),
    "what the hook refers to": (
        "import gc\nreturn gc.get_referrers(frozenset) and 'escaped'",
        "not in marking: gc.get_referrers",
    ),
    "Python's own names, changed": (
        """
import builtins
builtins.any = builtins.all = lambda *_: False
builtins.PermissionError = builtins.frozenset = builtins.len = lambda *_: 0
return open('REFERENCES').read() and 'escaped'""",
        "not in marking: open|nobody can read",
    ),
    "the worker's names, changed": (
        """
import __main__
__main__._HARMLESS = __main__._FRAMES = {'open'}
__main__._fence = __main__._confine = print
return open('REFERENCES').read() and 'escaped'""",
        "not in marking: open",
    ),
    "another hook": (
        """
import sys
seen = []
sys.addaudithook(lambda *event: seen.append(event))
compile('1', '', 'eval')
return 'escaped' if seen else None""",
        "returned nothing",
    ),
    "a tracer": (
        "import threading, sys\nsys.setprofile(print)\nreturn 'escaped'",
        "not in marking: sys.setprofile",
    ),
    "a last word at the exit": (
        """
import atexit
atexit.register(lambda: [os.write(fd, b'{"value": 1}' * 9) for fd in range(3, 9)])
raise SystemExit('escaped '.strip()[:0])""",
        "SystemExit",
    ),
    # the references
    "the references' file, by a loader": (
        """
import importlib.machinery
return importlib.machinery.SourceFileLoader('x', 'REFERENCES').get_data('REFERENCES') and 'escaped'""",
        "not in marking: open",
    ),
    "the references' file, by linecache": (
        """
import linecache
return 'escaped' if linecache.getlines('REFERENCES') else None""",
        "not in marking|returned nothing",
    ),
    "the references' file, by numpy": (
        "import numpy\nreturn numpy.fromfile('REFERENCES', 'u1') and 'escaped'",
        "not in marking: open",
    ),
    "the references, imported by force": (
        """
import importlib, sys
sys.modules.pop('nnlib'), sys.path.insert(0, 'REFERENCES'.split('/nnlib/')[0])
return importlib.import_module('nnlib.course.exercises.lesson03') and 'escaped'""",
        "not in marking|not permitted|No module named 'nnlib'",
    ),
    "the references, from modules that are loaded": (
        """
import sys
found = [name for name in sys.modules if name.startswith(('nnlib.course', 'nnlib.training'))]
return 'escaped' if found else None""",
        "returned nothing",
    ),
    # what is handed back
    "a number that equals all": (
        """
class Equal(int):
    __eq__ = __le__ = __ge__ = __bool__ = lambda *_: True
    __hash__ = int.__hash__
return Equal(1)""",
        "type Equal",
    ),
    "a pickle": ("import numpy\nreturn numpy.array([print, 'escaped'], object)", "type ndarray"),
    "lines of its own": (
        """
for fd in range(3, 30):
    try: os.write(fd, b'{"array": ["O", [1], "gANjb3M="]}\\n{"value": {"tuple": 7}}\\n')
    except OSError: pass
return 1""",
        "nobody can read",
    ),
    "a judge of its own": (
        """
import json
json.dumps = json.JSONEncoder.encode = lambda *_, **__: '{"solved": true, "text": "right", "stars": 3}'
return 1""",
        "nobody can read|should be",
    ),
    "the names of whoever calls, by eval": (
        """
import functools
os.eval = functools.partial(eval, "replies.write('{}') or 'escaped'")
return os.eval()""",
        "NameError",
    ),
    "memory by numpy's interface": (
        """
import numpy
class Memory:
    __array_interface__ = {'data': (id(PermissionError), False), 'shape': (64,), 'typestr': '|u1', 'version': 3}
numpy.asarray(Memory())[8:16] = 0
return open('REFERENCES').read() and 'escaped'""",
        "ended its whole process",
    ),
    "the hook's own set, rewritten by strides": (
        """
import numpy, __main__
from numpy.lib.stride_tricks import as_strided
own = numpy.zeros(1, 'i8')
at = lambda place: as_strided(own, (2,), (place - own.__array_interface__['data'][0],))
known = id(__main__._HARMLESS)
entry = at(known + 40)[1] + 16 * (hash('open') & at(known + 32)[1])
at(entry)[1], at(entry + 8)[1] = id('open'), hash('open')
return open(numpy.__file__).read() and 'escaped'""",
        "Too many open files|ended its whole process",
    ),
    "a dtype that takes all memory": (
        """
for fd in range(3, 30):
    try: os.write(fd, b'{"value": {"array": ["(1000000000,)f8", [1], ""]}}\\n') and os._exit(0)
    except OSError: pass""",
        "nobody can read",
    ),
    "a name that breaks the report": (
        "raise type('E' * 99 + '\\ud800\\0', (Exception,), {})('\\ud800')",
        "",
    ),
}

INSIDE = {
    "os.writev to every descriptor",
    "the judge is killed through a pidfd",
    "a thread that writes later",
    "_posixsubprocess starts a shell",
    "frames, from a signal",
}

# Each is a function's body, and all are tried in one worker: (body) -> true where its step succeeds.
QUIET_WAYS = {
    "a frame by the type of tracebacks": """
try: 1 / 0
except ZeroDivisionError as error:
    return type(error.__traceback__).__dict__['tb_frame'].__get__(error.__traceback__).f_back""",
    "a frame by the type of generators": """
made = (x for x in 'a')
return type(made).__dict__['gi_frame'].__get__(made)""",
    "a frame by operator": """
import operator
try: 1 / 0
except ZeroDivisionError as error: return operator.attrgetter('tb_frame.f_back')(error.__traceback__)""",
    "a frame of a coroutine": """
async def waits(): pass
return waits().cr_frame""",
    "local names by traceback": """
import traceback
try: 1 / 0
except ZeroDivisionError as error:
    return traceback.TracebackException.from_exception(error, capture_locals=True).stack[0].locals""",
    "frames by inspect, which is loaded": "import inspect\nreturn inspect.stack()[1]",
    "frames of all threads": "import sys\nreturn sys._current_frames()",
    "os.system by the globals of a class": """
for kind in object.__subclasses__():
    if kind.__name__ == '_wrap_close': return kind.__init__.__globals__['system']('true') == 0""",
    "a file by a loader among the classes": """
for kind in object.__subclasses__():
    if kind.__name__ == 'FileLoader': return kind('x', 'REFERENCES').get_data('REFERENCES')""",
    "a file by _io": "import _io\nreturn _io.open_code('REFERENCES')",
    "a folder by posix": "import posix\nreturn posix.scandir('/')",
    "a file's size": "import posix\nreturn posix.stat('REFERENCES').st_size",
    "a pickle by numpy": """
import io, numpy
file = io.BytesIO()
numpy.save(file, numpy.array([print], object), allow_pickle=True)
file.seek(0)
return numpy.load(file, allow_pickle=True).size""",
    "a text file by numpy": "import numpy\nreturn numpy.fromregex('REFERENCES', '(a)', [('a', 'U1')]).size",
    "numpy's own open": "import numpy\nreturn numpy.lib.npyio.DataSource().open('REFERENCES')",
    "a code object of its own": """
import types
return types.CodeType(0, 0, 0, 0, 0, 0, b'', (), (), (), '', '', '', 0, b'', b'')""",
    "a limit that is lifted": "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (1, 1))\nreturn True",
}


def tried_all(**named):
    """The cell with all of them; its function returns the names of those that succeed, or nothing."""
    ways = [
        answer(body, **named).replace("intensity(bm, bn)", f"way{k}()")
        for k, body in enumerate(QUIET_WAYS.values())
    ]
    names = [f"(way{k}, {name!r})" for k, name in enumerate(QUIET_WAYS)]
    return (
        "\n".join(ways)
        + f"""
def succeeds(way):
    try: return way()
    except BaseException: return False
def intensity(bm, bn):
    return ', '.join(name for way, name in [{", ".join(names)}] if succeeds(way)) or None"""
    )
