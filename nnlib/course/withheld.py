"""A cell that reveals an answer shows nothing else before the student has committed.

Cells run and print before they come to `reveal`, and what they print is the answer. So as long as the question waits
for somebody, the outputs of such a cell are kept back, but for what `reveal` itself shows; errors are shown as ever.
Where no page shows the question's buttons, as in tests and when a lesson is stored, nothing is kept back.
"""

from __future__ import annotations

import re
from typing import Any

from IPython.utils.capture import capture_output

from nnlib.course.prediction import waits

_REVEALS = re.compile(r"""\breveal\(\s*["']([\w.]+)["']""")


def register(shell: Any) -> None:
    """Let the cells of this shell be looked at before they run."""
    running: list[str] = []

    def withhold(lines: list[str]) -> list[str]:
        cell = "".join(lines)
        if running or cell.startswith("%%") or not any(map(waits, _REVEALS.findall(cell))):
            return lines
        return [f"get_ipython().run_cell_magic('withheld', '', {cell!r})\n"]

    def withheld(line: str, cell: str) -> None:
        """Run the cell, and show of its outputs the revealed answers only."""
        running.append(cell)
        try:
            with capture_output() as kept:
                result = shell.run_cell(cell)
        finally:
            running.pop()
        if not result.success:
            kept.show()
            return
        for output in kept.outputs:
            if "nn-reveal" in output.data.get("text/html", ""):
                output.display()

    shell.input_transformers_cleanup.append(withhold)
    shell.register_magic_function(withheld, "cell", "withheld")
