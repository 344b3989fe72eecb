"""`nnlib exam`: a written paper from the bank of questions, with its solutions and marking scheme.

The seed decides which questions are asked and with which numbers: the same seed gives the same paper, and with another
letter behind it the same questions with other numbers. All answers are computed when the paper is drawn,
and compared with a run of what the question is about.
"""

from __future__ import annotations

import re

from nbconvert.filters import markdown2html

from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.exam.concepts import CONCEPTS, report
from nnlib.teaching.exam.paper import Heading, draw, written
from nnlib.teaching.exam.question import BANK, read
from nnlib.teaching.term import CourseTerm

STYLE = """body { font: 11pt/1.45 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.4em; } h2 { font-size: 1.05em; margin: 1.6em 0 .4em; break-after: avoid; }
pre { font: 9.5pt/1.35 "DejaVu Sans Mono", monospace; border-left: 2px solid #888; padding-left: .8em;
  white-space: pre-wrap; break-inside: avoid; }
code { font: .88em "DejaVu Sans Mono", monospace; } pre code { font: inherit; } :not(pre) > code { white-space: nowrap; }
table { border-collapse: collapse; margin: .6em 0; } td, th { border: 1px solid #888; padding: .25em .5em; text-align: left; }
.anchor-link { display: none; } article, section, .space { break-inside: avoid; } section p { margin: .7em 0 .4em; }
math { vertical-align: middle; }
mtable { border: solid; border-width: 0 1.5px; border-radius: .5em; margin: 0 .1em; } /* many fonts have no tall brackets */
.space { flex: 1 0 auto; min-height: calc(7mm * var(--lines)); print-color-adjust: exact; -webkit-print-color-adjust: exact;
  background: repeating-linear-gradient(transparent 0 6.7mm, #bbb 6.7mm 7mm); }
article:has(.space), article:has(.space) section { display: flex; flex-direction: column; flex-grow: var(--lines, 1); }
article table { align-self: start; } article:has(.half) { min-height: 48vh; } article:has(.whole) { min-height: 97vh; }
.space span { float: right; background: white; border: 1px solid #888; padding: .1em .4em .1em 2.5em; }
@page { margin: 1.7cm 2cm; @bottom-right { content: counter(page) " / " counter(pages); font: 9pt Georgia, serif; } }
@media print { body { max-width: none; margin: 0; padding: 0; } pre { font-size: 9pt; } }"""


def printable(markdown: str) -> str:
    """Return a page of HTML that needs nothing else; a browser prints it."""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{markdown.splitlines()[0][2:]}</title>'
        f"<style>{STYLE}</style></head><body>\n"
        f"{_typeset(markdown2html(markdown))}\n</body></html>\n"
    )


def _typeset(page: str) -> str:
    """Write matrices, which are LaTeX, in MathML, which needs no script, and enclose what no printer is to tear.

    That is an article for each question, and in it, since it may be long, a section for each part.
    """
    mathml = {"&amp;": "</mn></mtd><mtd><mn>", r"\\": "</mn></mtd></mtr><mtr><mtd><mn>", "-": "−"}
    page = re.sub(
        r"\$\\begin{pmatrix} *(.*?) *\\end{pmatrix}\$",
        lambda found: (
            "<math><mtable><mtr><mtd><mn>"
            + re.sub(r" *(&amp;|\\\\|-) *", lambda sign: mathml[sign[1]], found[1])
            + "</mn></mtd></mtr></mtable></math>"
        ),
        page,
    )
    page = re.sub(r"(?s)<h2.*?(?=<h2|\Z)", r"<article>\n\g<0></article>\n", page)
    part = r"(?s)(<h2|<p><strong>\([b-z]\)).*?(?=</article|<p><strong>\([b-z]\))"
    return re.sub(part, r"<section>\n\g<0></section>\n", page)


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib exam`: write each paper as Markdown to edit and as HTML to print, and print their names."""
    parser = options.exam()
    chosen = parser.parse_args(arguments)
    try:
        if chosen.answers:
            print(report(*chosen.answers))
            return
        term = CourseTerm.read(chosen.term) if chosen.term else None
        heading = Heading(term.course, term.exam_date, term.grades) if term else Heading()
        if chosen.concepts:
            texts = {
                name: written(name, heading, concepts=CONCEPTS)
                for name in ("concepts", "concepts-key")
            }
        else:
            own = read(chosen.bank) if chosen.bank else {}
            paper = draw(chosen.seed, chosen.lessons, chosen.minutes, BANK | own)
            texts = {
                f"exam-{chosen.seed}{what}": written(f"exam{what}", heading, paper=paper)
                for what in ("", "-solutions")
            }
        chosen.to.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            for ending, content in (("md", text), ("html", printable(text))):
                path = chosen.to / f"{name}.{ending}"
                with files.replacing(path) as fresh:
                    fresh.write_text(content, "utf-8")
                print(path)
    except (OSError, ValueError) as error:
        parser.error(str(error))
