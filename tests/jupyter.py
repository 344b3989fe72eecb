"""What a notebook shows of a value."""

from IPython.core.formatters import DisplayFormatter


def shown(value: object) -> dict[str, str]:
    """Kind of content -> what Jupyter gets of it."""
    return DisplayFormatter().format(value)[0]


def html(value: object) -> str:
    return shown(value)["text/html"]
