"""`nnlib exam`: a written paper from the bank of questions, with its solutions and marking scheme.

The seed decides which questions are asked and with which numbers: the same seed gives the same paper. All answers are
computed when the paper is drawn, and compared with a run of what the question is about.
"""

from __future__ import annotations

import html
import re

from nbconvert.filters import markdown2html

from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.exam import bank
from nnlib.teaching.exam.paper import draw, questions, solutions
from nnlib.teaching.exam.question import BANK

__all__ = ["BANK", "bank", "main", "printable"]

STYLE = """body { font: 11pt/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.05em; margin: 1.6em 0 .4em; break-after: avoid; }
pre { font: 9.5pt/1.35 "DejaVu Sans Mono", monospace; border-left: 2px solid #888; padding-left: .8em;
  white-space: pre-wrap; break-inside: avoid; }
code { font: .88em "DejaVu Sans Mono", monospace; } pre code { font: inherit; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid #888; padding: .2em .8em; text-align: left; }
.anchor-link { display: none; } section { break-inside: avoid; }
@page { margin: 2cm; } @media print { body { max-width: none; margin: 0; padding: 0; } pre { font-size: 9pt; } }"""


def printable(markdown: str, title: str) -> str:
    """A page of HTML that needs nothing else; a browser prints it."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>\n{_in_sections(markdown2html(markdown))}\n</body></html>\n"
    )


def _in_sections(page: str) -> str:
    """Each heading together with what belongs to it, which no printer is to tear apart."""
    return re.sub(r"<h2.*?(?=<h2|\Z)", r"<section>\n\g<0></section>\n", page, flags=re.DOTALL)


def main(arguments: list[str] | None = None) -> None:
    """The command `nnlib exam`."""
    parser = options.exam()
    chosen = parser.parse_args(arguments)
    try:
        paper = draw(chosen.seed, chosen.lessons, chosen.minutes)
    except ValueError as error:
        parser.error(str(error))
    chosen.to.mkdir(parents=True, exist_ok=True)
    for name, text in (("", questions(paper)), ("-solutions", solutions(paper))):
        for ending, content in (("md", text), ("html", printable(text, f"Exam {chosen.seed}"))):
            path = chosen.to / f"exam-{chosen.seed}{name}.{ending}"
            with files.replacing(path) as fresh:
                fresh.write_text(content, "utf-8")
            print(path)
