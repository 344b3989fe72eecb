"""otter-grader's grading without running a notebook: a plugin that hands otter the marks of `marks.mark`.

What otter executes is one cell of ours that defines `marks`; its tests, written by `make assignment`, look there.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat

from nnlib.teaching.marking.marks import mark
from nnlib.teaching.options import Limits


class OtterJudge:
    """A plugin of otter. configuration: lesson, seed, seconds, memory (MB), parts, as otter_config.json has them."""

    def __init__(self, path: str | None, metadata: Any, configuration: dict[str, Any]) -> None:
        self._path, self._configuration = str(path), configuration

    def before_grading(self, _: Any) -> None:
        """Remove what was handed in beside the notebook: Python would find a student's `otter` there first."""
        for file in Path(self._path).parent.iterdir():
            # Otter has just put them there
            if file.is_dir() and not file.is_symlink() and file.name != "tests":
                shutil.rmtree(file)
            elif file.name not in ("tests", Path(self._path).name):
                file.unlink()

    def before_execution(self, submission: Any) -> Any:
        """Return the notebook that is run in place of the one handed in."""
        said = self._configuration
        marks = {
            one.exercise: [one.solved, one.stars, one.said, one.solved or one.part]
            for one in mark(
                self._path,
                said["lesson"],
                said["seed"],
                Limits(said["seconds"], said["memory"]),
                said["parts"],
            )
        }
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(f"marks = {marks!r}")])

    def __getattr__(self, event: str) -> Any:
        """Return what otter expects of a plugin for events that it does not handle."""
        if event.startswith("_"):
            raise AttributeError(event)
        from otter.plugins import PluginEventNotSupportedException

        def unsupported(*_: Any) -> None:
            raise PluginEventNotSupportedException()

        return unsupported
