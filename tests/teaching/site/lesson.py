"""Run a lesson's code cells in Pyodide. Arguments: the notebook, and the JSON file for its outputs."""

import builtins
import json
import os
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

shown = []  # outputs of the cell that runs, as a notebook stores them


def show(data, metadata=None, transient=None, update=False, **_):
    """Store an output of the running cell, or put an update in the place of the output with the same display_id."""
    name = (transient or {}).get("display_id")
    output = {"output_type": "display_data", "data": data, "metadata": {}, "name": name}
    if update:
        shown[:] = [output if name and old.get("name") == name else old for old in shown]
    else:
        shown.append(output)


class Publisher(DisplayPublisher):
    """Stores what `display` shows."""

    def publish(self, data, metadata=None, **options):
        show(data, metadata, **options)

    def clear_output(self, wait=False):
        shown.clear()


class Hook(DisplayHook):
    """Stores the value of a cell's last line."""

    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        show(format_dict)

    def finish_displayhook(self):
        self._is_active = False


class Shell(InteractiveShell):
    """Stores errors as outputs instead of printing them."""

    def _showtraceback(self, etype, evalue, stb):
        shown.append(
            {
                "output_type": "error",
                "ename": etype.__name__,
                "evalue": str(evalue),
                "traceback": [],
            }
        )


def run(source):
    """Run a cell; return its outputs, as a notebook stores them, and its seconds."""
    shown.clear()
    printed, complaints = StringIO(), StringIO()
    start = time.perf_counter()
    with redirect_stdout(printed), redirect_stderr(complaints):
        shell.run_cell(source, store_history=True)
    seconds = time.perf_counter() - start
    streams = [
        {"output_type": "stream", "name": name, "text": stream.getvalue()}
        for name, stream in (("stdout", printed), ("stderr", complaints))
        if stream.getvalue()
    ]
    return {"outputs": [*streams, *shown], "seconds": seconds}


notebook, target = (Path("/host" + path) for path in sys.argv[1:])
shell = Shell.instance(displayhook_class=Hook, display_pub_class=Publisher)
builtins.get_ipython = lambda: shell
os.makedirs("/home/pyodide/lessons", exist_ok=True)  # as empty as a visitor's browser
os.chdir("/home/pyodide/lessons")
cells = json.loads(notebook.read_text("utf-8"))["cells"]
ran = {cell["id"]: run("".join(cell["source"])) for cell in cells if cell["cell_type"] == "code"}
target.write_text(json.dumps(ran, default=repr), "utf-8")
