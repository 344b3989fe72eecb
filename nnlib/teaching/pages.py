"""`nnlib pages`: one HTML page per lesson, for reading and printing; solutions and answers are folded.

A page needs no network: style and script lie in it, and formulas are MathML, which MathJax from npm makes once. The
web site has the same pages, in which cells can be edited and run (site/running.py).
"""

from __future__ import annotations

import json
import re
import tempfile
from html import escape
from typing import Any

from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from nnlib.course.prediction import question_html
from nnlib.support import files
from nnlib.teaching import options
from nnlib.teaching.cells import is_solution, linked, read, title
from nnlib.teaching.checkout import lessons
from nnlib.teaching.filling import TEMPLATES, filled
from nnlib.teaching.programs import call, npm

PAGE = TEMPLATES / "page"
_ASKS = re.compile(r'(predict\("[\w.]+"\)\s*)+')  # a cell that does nothing else
_TO_MATHML = """\
const [folder, file] = process.argv.slice(1);
const texts = JSON.parse(require("fs").readFileSync(file, "utf8"));
require(folder + "/es5/node-main.js").init({ loader: { load: ["input/tex"] } }).then((MathJax) =>
  console.log(JSON.stringify(texts.map(([text, display]) => MathJax.tex2mml(text, { display })))));
"""


def anchor(heading: str) -> str:
    """Turn a heading into the end of a link, as GitHub does: Amdahl's law -> amdahls-law."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


class Renderer(IPythonRenderer):
    """Markdown of a lesson as HTML. formulas: found so far; headings: (level, id, html)."""

    def __init__(self) -> None:
        super().__init__(escape=False)
        self.formulas: list[tuple[str, bool]] = []
        self.headings: list[tuple[int, str, str]] = []

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """Give the heading an id to link to."""
        place = anchor(re.sub(r"<[^>]+>", "", text))
        if any(place == known for _, known, _ in self.headings):
            place += f"-{len(self.headings)}"
        self.headings.append((level, place, text))
        return f'<h{level} id="{place}">{text}</h{level}>\n'

    def block_code(self, code: str, info: str | None = None) -> str:
        """Leave colours to the page's script."""
        return f'<pre><code class="{escape(info or "")}">{escape(code)}</code></pre>\n'

    def block_math(self, body: str) -> str:
        """Leave a mark for the formula."""
        return self._formula(body, True)

    def inline_math(self, body: str) -> str:
        """Leave a mark for the formula."""
        return self._formula(body, False)

    def _formula(self, text: str, display: bool) -> str:
        self.formulas.append((text.strip(), display))
        return f"\0{len(self.formulas) - 1}\0"

    def drawn(self, html: str) -> str:
        """Put the formulas, as MathML, where their marks are."""
        if not self.formulas:
            return html
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            file.write(json.dumps(self.formulas))
            file.flush()
            folder = npm("mathjax@3.2.2", "A page")
            made = json.loads(call("A page", "node", "-e", _TO_MATHML, folder, file.name))
        return re.sub("\0(\\d+)\0", lambda mark: made[int(mark[1])], html)


def page(notebook: Any, name: str, **site: str) -> str:
    """Return the HTML of a lesson: complete in itself, or with the parts of a page that runs on the site.

    site: what the template's places `head`, `navigation`, `search` and `tools` hold there.
    """
    renderer = Renderer()
    markdown = MarkdownWithMath(renderer=renderer)
    cells = "\n".join(
        # A box closes what a cell leaves open, as in a notebook.
        f"<div>{markdown.render(cell.source)}</div>"
        if cell.cell_type == "markdown"
        else _code(cell)
        for cell in notebook.cells
        if cell.cell_type != "raw"
    )
    style = "".join((PAGE / file).read_text("utf-8") for file in ("base.css", "page.css"))
    places = {
        "head": f"<style>{style}</style>",
        "navigation": "",
        "search": "",
        "tools": f'<script type="module">{(PAGE / "read.js").read_text("utf-8")}</script>',
        "name": name,
        "title": title(notebook),
        "headings": renderer.headings,
        "cells": linked(renderer.drawn(cells)),
        **site,
    }
    return filled(PAGE / "page.html", **places)


def _code(cell: Any) -> str:
    """Return the HTML of a code cell; what a lesson folds is folded."""
    jupyter = cell.metadata.get("jupyter", {})
    language = "cuda" if cell.source.startswith("%%cu") else "python"
    source = f'<pre class="source"><code class="{language}">{escape(cell.source)}</code></pre>'
    shown = "".join(map(_output, cell.get("outputs", [])))
    is_question = bool(_ASKS.fullmatch(cell.source))
    if is_question:
        shown = "".join(map(question_html, re.findall(r'"(.*?)"', cell.source)))
    outputs = f'<div class="outputs">{shown}</div>'
    if jupyter.get("outputs_hidden") and shown:
        outputs = _folded("Result (predict first)", outputs)
    if is_solution(cell):
        source, outputs = "", _folded("Solution", f"{source}{outputs}")
    elif jupyter.get("source_hidden"):
        source = _folded("Code", source)
    kind = "cell question" if is_question else "cell"
    return f'<div class="{kind}" id="{cell.id}">{source}{outputs}</div>'


def _folded(summary: str, html: str) -> str:
    return f"<details><summary>{summary}</summary>{html}</details>"


def _output(output: Any) -> str:
    """Return the HTML of a stored output; run.js does the same for those of a run."""
    if output.output_type == "stream":
        return f"<pre>{escape(output.text)}</pre>"
    if output.output_type == "error":
        text = re.sub(r"\x1b\[[\d;]*m", "", "\n".join(output.traceback))
        return f'<pre class="mistake">{escape(text)}</pre>'
    if html := output.data.get("text/html"):
        return f"<div>{html}</div>"
    return f"<pre>{escape(output.data.get('text/plain', ''))}</pre>"


def main(arguments: list[str] | None = None) -> None:
    """Run the command `nnlib pages`."""
    chosen = options.pages().parse_args(arguments)
    paths = lessons("nnlib pages without the name of a notebook", chosen.notebooks)
    chosen.to.mkdir(parents=True, exist_ok=True)
    for path in paths:
        html = chosen.to / f"{path.stem}.html"
        with files.replacing(html) as fresh:
            fresh.write_text(page(read(path), path.stem), "utf-8")
        print(html)
