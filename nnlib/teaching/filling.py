"""Papers and pages from their templates, which Jinja2 fills: whoever changes their words needs no Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2

TEMPLATES = Path(__file__).with_name("templates")


def filled(template: Path, **values: Any) -> str:
    """Return the text of a template with these values; in HTML, values are text unless it says `| safe`.

    Raises jinja2.UndefinedError for a value that is missing.
    """
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=template.suffix == ".html",
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(template.read_text("utf-8")).render(values)
