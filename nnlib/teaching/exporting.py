"""A lesson as HTML, by a template of ours."""

from __future__ import annotations

import re
from typing import Any

from nbconvert import HTMLExporter
from traitlets.config import Config

from nnlib.teaching.filling import TEMPLATES
from nnlib.teaching.programs import npm


def mathjax(purpose: str) -> str:
    """The script that draws formulas, fetched when it is missing."""
    file = npm("mathjax@3.2.2", purpose) / "es5/tex-svg-full.js"
    return file.read_text("utf-8").replace(
        "</script", "<\\/script"
    )  # a script must not contain its own end tag


def export(
    notebook: Any,
    kind: type[HTMLExporter],
    template: str,
    resources: dict[str, Any],
    config: Config | None = None,
    **options: bool,
) -> str:
    """Return the HTML of a lesson."""
    config = config or Config()
    config.TemplateExporter.extra_template_basedirs = [str(TEMPLATES)]
    html, _ = kind(config=config, template_name=template, **options).from_notebook_node(
        notebook, resources=resources
    )
    return linked(html)


def linked(html: str) -> str:
    """Make links to notebooks lead to what is exported of them, which lies side by side."""
    return re.sub(r'(<a href="[^":]+)\.ipynb(["#])', r"\1.html\2", html)
