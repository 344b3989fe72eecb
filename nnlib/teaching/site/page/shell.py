"""Runs in Pyodide, in the worker of a lesson's page: runs cells, and stands in for IPython.

IPython takes longer to load than Python and the simulator together. Lessons and widgets need little of it, and that
stands here under IPython's names. Packages that only pictures need are fetched when something imports them.
"""

from __future__ import annotations

import ast
import builtins
import functools
import gc
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import linecache
import random
import re
import shutil
import symtable
import sys
import traceback
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Output = dict[str, Any]
Cell = tuple[str, str]  # its id and its source

_OUTSIDE = re.compile(r"(?m)^(\s*)([!%].*)$")
_BUILTINS = frozenset(dir(builtins))
# Functions, and modules of functions, that change nothing they are given.
_ONLY_READ = {"check", "reveal", "predict", "print", "len", "list", "report", "np", "pictures"}


class Shell:
    """Runs cells in one namespace, with the part of IPython's InteractiveShell that lessons use.

    emit: takes each output in the form that a notebook stores it.
    """

    emit: Callable[[Output], None]

    def __init__(self) -> None:
        module = sys.modules["__main__"] = types.ModuleType("__main__")
        self.user_ns = module.__dict__
        self.user_ns |= {"get_ipython": lambda: self, "display": display}
        self.input_transformers_cleanup: list[Any] = []
        names = "register", "unregister", "trigger"  # of events, which nothing here waits for
        self.events = types.SimpleNamespace(**dict.fromkeys(names, lambda *_: None))
        self.kernel = None
        self._magics: dict[str, Any] = {}
        self._report: Any = None
        self._count = 0

    def register_magic_function(self, function: Any, kind: str = "cell", name: str = "") -> None:
        """Let cells begin with %%name."""
        self._magics[name] = function

    def set_custom_exc(self, kinds: Any, report: Callable[..., None]) -> None:
        """Have errors reported by this function."""
        self._report = report

    def run_cell(self, source: str) -> Any:
        """Run a cell and show what its last line gives. The result says in `success` whether it ended well."""
        try:
            for transform in self.input_transformers_cleanup:
                source = "".join(transform(source.splitlines(keepends=True)))
            if source.startswith("%%"):
                head, _, body = source.partition("\n")
                name, _, rest = head[2:].partition(" ")
                self.run_cell_magic(name, rest, body)
            else:
                self._execute(python(source))
        except BaseException as error:
            self._fail(error)
            return types.SimpleNamespace(success=False)
        return types.SimpleNamespace(success=True)

    def _execute(self, source: str) -> None:
        self._count += 1
        file = f"<ipython-input-{self._count}>"
        linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
        tree = ast.parse(source, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), self.user_ns)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), self.user_ns)
            if value is not None and not source.rstrip().endswith(";"):
                display(value)

    def _fail(self, error: BaseException) -> None:
        if self._report and isinstance(error, (Exception, KeyboardInterrupt)):
            self._report(self, type(error), error, error.__traceback__)
        else:
            self.showtraceback((type(error), error, error.__traceback__))

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        """Call what was registered under the name."""
        if name not in self._magics:
            raise NameError(f"this page knows no %%{name}: open the lesson in JupyterLab")
        self._magics[name](line, cell)

    def outside(self, line: str) -> None:
        """Say where a line for IPython or the system can be run."""
        print(f"{line}: a page has no system to run this. Open the lesson in JupyterLab.")

    def showtraceback(self, error: tuple[Any, Any, Any]) -> None:
        """Show an error: as its own class renders it, else with the frames that were left."""
        kind, value, trace = error
        if rendered := getattr(value, "_render_traceback_", None):
            lines = rendered()
        else:
            lines = "".join(traceback.format_exception(kind, value, trace)).rstrip().split("\n")
        self.emit(
            {
                "output_type": "error",
                "ename": kind.__name__,
                "evalue": str(value),
                "traceback": lines,
            }
        )


def python(source: str) -> str:
    """Return a cell as plain Python: lines for IPython or the system become calls."""
    return _OUTSIDE.sub(lambda found: f"{found[1]}get_ipython().outside({found[2]!r})", source)


class _Stream(io.TextIOBase):
    """A stream whose text goes to the outputs of the cell that runs."""

    def __init__(self, name: str) -> None:
        self._name = name

    def write(self, text: str) -> int:
        shell.emit({"output_type": "stream", "name": self._name, "text": text})
        return len(text)


def _bundle(value: Any) -> Output:
    made = getattr(value, "_repr_mimebundle_", None)
    data = made() if made else None
    data = dict(data[0] if isinstance(data, tuple) else data or {})
    if not data and (html := getattr(value, "_repr_html_", None)):
        data["text/html"] = html()
    return data if "text/plain" in data else {**data, "text/plain": repr(value)}


@dataclass
class _Handle:
    """What `display` returns: shows something else in the same place."""

    display_id: str

    def update(self, value: Any) -> None:
        shell.emit({**_shown(value), "display_id": self.display_id, "update": True})


def _shown(value: Any) -> Output:
    return {"output_type": "display_data", "data": _bundle(value), "metadata": {}}


def display(*values: Any, display_id: Any = None, **_: Any) -> _Handle | None:
    """Show values below the cell."""
    for value in values:
        handle = _Handle(str(id(value)) if display_id is True else str(display_id))
        shell.emit({**_shown(value), **({"display_id": handle.display_id} if display_id else {})})
    return handle if display_id else None


def clear_output(wait: bool = False) -> None:
    """Take away what the cell has shown."""
    shell.emit({"output_type": "clear"})


@dataclass
class _Kept:
    """What a cell showed while its outputs were kept back."""

    all: list[Output] = field(default_factory=list)

    def show(self) -> None:
        """Show all of it after all."""
        for output in self.all:
            shell.emit(output)

    @property
    def outputs(self) -> list[Any]:
        """The outputs that are no printed text."""
        return [
            types.SimpleNamespace(
                data=output["data"], display=lambda output=output: shell.emit(output)
            )
            for output in self.all
            if "data" in output
        ]


@contextmanager
def capture_output() -> Iterator[_Kept]:
    """Keep back what is shown in the `with` block."""
    kept, emit = _Kept(), shell.emit
    shell.emit = kept.all.append
    try:
        yield kept
    finally:
        shell.emit = emit


def stand_in() -> None:
    """Put IPython's names where importers look for them."""
    offered: dict[str, dict[str, Any]] = {
        "IPython": {"get_ipython": lambda: shell, "version_info": (9, 0, 0), "__path__": []},
        "IPython.display": {"display": display, "clear_output": clear_output},
        "IPython.core": {"__path__": []},
        "IPython.core.interactiveshell": {"InteractiveShell": Shell},
        "IPython.core.pylabtools": {"backend2gui": {}},
        "IPython.utils": {"__path__": []},
        "IPython.utils.capture": {"capture_output": capture_output},
    }
    for name, contents in offered.items():
        module = sys.modules[name] = types.ModuleType(name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, None)
        module.__dict__.update(contents)


class Late(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds packages that are fetched when something imports them.

    wheels: package -> the addresses of its wheels. fetch: gives the content of an address.
    """

    fetch: Callable[[str], Any]

    def __init__(self, wheels: Mapping[str, Sequence[str]]) -> None:
        self._wheels = wheels
        self._there: set[str] = set()

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name not in self._wheels or name in self._there:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def create_module(self, spec: Any) -> types.ModuleType:
        wheels = {*self._wheels[spec.name]} - self._there
        self._there |= {spec.name, *wheels}
        for address in wheels:
            file = f"/tmp/{address.rpartition('/')[2]}"
            Path(file).write_bytes(self.fetch(address).to_bytes())
            shutil.unpack_archive(file, SITE_PACKAGES, "zip")
        importlib.invalidate_caches()
        found: Any = importlib.machinery.PathFinder.find_spec(spec.name)
        spec.loader_state = found
        return importlib.util.module_from_spec(found)

    def exec_module(self, module: types.ModuleType) -> None:
        spec: Any = module.__spec__
        module.__spec__ = found = spec.loader_state
        found.loader.exec_module(module)
        if module.__name__ == "matplotlib":
            importlib.import_module("nnlib.course.pictures.style").use()


SITE_PACKAGES = next((path for path in sys.path if path.endswith("site-packages")), "")


@dataclass(frozen=True)
class Names:
    """What a cell does with names: which it binds, looks up, and may change in place."""

    binds: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()  # of those it binds, by an assignment
    loads: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    always: bool = False  # it imports names that nobody can see in it

    @classmethod
    @functools.cache
    def of(cls, source: str) -> Names:
        """Read the names of a cell; a cell that cannot be read has none."""
        if source.startswith("%%cuda"):
            kernels = re.findall(r"__global__[^;{]*?(\w+)\s*\(", source)
            return cls(binds=frozenset(kernels))
        source = python(source)
        try:
            tree = ast.parse(source)
            table = symtable.symtable(source, "cell", "exec")
        except (SyntaxError, ValueError):
            return cls()
        bound = {
            symbol.get_name(): not (symbol.is_namespace() or symbol.is_imported())
            for symbol in table.get_symbols()
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace()
        }
        return cls(
            frozenset(bound),
            frozenset(name for name, is_data in bound.items() if is_data),
            frozenset(_looked_up(source, tree)) - _BUILTINS,
            frozenset(_changed(tree)),
            any(
                isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in tree.body
            ),
        )


def _looked_up(source: str, tree: ast.Module) -> Iterator[str]:
    """Yield the names that a cell reads before it binds them itself; `check` looks for an answer by its name."""
    yield from re.findall(r"""\bcheck\(\s*["']\d\d\.(\w+)["'][,)]""", source)
    own: set[str] = set()
    lines = source.encode().split(b"\n")  # as the tree counts columns
    for statement in tree.body:
        for part in (*getattr(statement, "decorator_list", ()), statement):
            text = lines[part.lineno - 1 : part.end_lineno]
            text[-1] = text[-1][: part.end_col_offset]
            text[0] = text[0][part.col_offset :]
            table = symtable.symtable(b"\n".join(text).decode(), "cell", "exec")
            yield from set(_globals(table)) - own
        if isinstance(statement, (ast.Assign, ast.FunctionDef, ast.Import, ast.ImportFrom)):
            own |= {
                symbol.get_name() for symbol in table.get_symbols() if not symbol.is_referenced()
            }


def _globals(table: symtable.SymbolTable) -> Iterator[str]:
    outermost = table.get_type() == "module"
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (outermost or symbol.is_global()):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from _globals(inner)


def _changed(tree: ast.AST) -> Iterator[str]:
    """Yield the names of what a cell may change in place: it sets a part of it, or passes it to a function."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Subscript, ast.Attribute)) and isinstance(node.ctx, ast.Store):
            yield _root(node)
        elif isinstance(node, ast.AugAssign):
            yield _root(node.target)
        elif isinstance(node, ast.Call) and _root(node.func) not in _ONLY_READ:
            yield _root(node.func)
            for part in (part for argument in node.args for part in ast.walk(argument)):
                yield _root(part)


def _root(node: ast.AST) -> str:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


class PageLesson:
    """The cells of a page: which a cell needs, and running them.

    post: sends a message to the page, as JSON with a list of bytes beside it.
    """

    def __init__(self, post: Callable[..., None]) -> None:
        self._post = post
        self._ran: dict[str, str] = {}  # id -> the source that ran
        self._bound: dict[str, str] = {}  # name -> id of the cell that bound it last
        self._cell = ""  # the cell that runs, or ran last
        shell.emit = lambda output: self.post("output", cell=self._cell, output=output)

    def post(self, kind: str, buffers: Sequence[Any] = (), **message: Any) -> None:
        """Send a message to the page."""
        self._post(json.dumps({"kind": kind, **message}, default=str), list(map(bytes, buffers)))

    def run(self, cells: Sequence[Cell], only: int, questions: Any, committed: Any) -> None:
        """Run one cell and those that it needs, or all where `only` is negative; stop at the first that fails."""
        numbers = range(len(cells)) if only < 0 else self.needed(cells, only)
        for number in numbers:
            if prediction := sys.modules.get("nnlib.course.prediction"):
                prediction.on_page(questions, committed)
            if not self._run(cells[number]):
                break

    def _run(self, cell: Cell) -> bool:
        self._cell, source = cell
        self.post("start", cell=self._cell)
        before = dict(shell.user_ns)
        well = shell.run_cell(source).success
        if well:
            self._ran[self._cell] = source
        renewed = {name for name, value in shell.user_ns.items() if value is not before.get(name)}
        self._bound.update(dict.fromkeys(renewed | Names.of(source).binds, self._cell))
        self.post("end", cell=self._cell, well=well)
        return bool(well)

    def needed(self, cells: Sequence[Cell], index: int) -> list[int]:
        """Return the numbers of the cells that must run, in their order; the last is the index itself."""
        names = [Names.of(source) for _, source in cells[: index + 1]]
        data = {name for cell in names for name in cell.assigned}
        chosen: set[int] = set()
        while True:
            before, wanted = set(chosen), set(names[index].loads)
            renewed = {name for k in chosen for name in names[k].binds}
            for k in reversed(range(index)):
                bound, changed = names[k].binds & wanted, names[k].changes & wanted & data
                stale = self._ran.get(cells[k][0]) != cells[k][1]
                stale |= any(self._bound.get(name) != cells[k][0] for name in bound)
                if (bound or changed or names[k].always) and (
                    stale or k in chosen or changed & renewed
                ):
                    chosen.add(k)
                    wanted = (wanted - bound) | names[k].loads
                else:
                    wanted -= bound
            if chosen == before:
                return [*sorted(chosen), index]

    def message(self, widget: str, data: Any, buffers: Any) -> None:
        """Give a widget what the page says about it."""
        import comm

        channel = comm.get_comm_manager().get_comm(widget)
        if channel is None:
            return
        try:
            channel.handle_msg({"content": {"data": data}, "buffers": list(buffers)})
        except Exception as error:
            shell.showtraceback((type(error), error, error.__traceback__))


def _connect(lesson: PageLesson) -> None:
    """Let widgets of this Python talk to the page."""
    import comm
    from comm.base_comm import BaseComm

    class Channel(BaseComm):
        def publish_msg(
            self,
            msg_type: str,
            data: Any = None,
            metadata: Any = None,
            buffers: Any = None,
            **_: Any,
        ) -> None:
            lesson.post("comm", buffers or (), id=self.comm_id, type=msg_type, data=data)

    comm.create_comm = Channel


def prepare(wheels: Mapping[str, Sequence[str]]) -> None:
    """Import what nearly every lesson begins with; the memory of this Python may then be stored for all pages."""
    global shell, late
    shell, late = Shell(), Late(wheels)
    stand_in()
    sys.meta_path.insert(0, late)
    importlib.import_module("nnlib.course")
    importlib.import_module("nnlib.cuda.demo").report()
    importlib.invalidate_caches()  # one holds Python's library open, which a stored memory may not
    gc.collect()


def begin(post: Callable[..., None], fetch: Callable[[str], Any]) -> PageLesson:
    """Make a prepared Python ready for the cells of a page."""
    for numbers in (random, importlib.import_module("numpy.random")):
        numbers.seed()  # a stored memory would give every page the same
    late.fetch = fetch
    sys.stdout, sys.stderr = _Stream("stdout"), _Stream("stderr")
    lesson = PageLesson(post)
    _connect(lesson)
    return lesson


shell: Shell
late: Late
