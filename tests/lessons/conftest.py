"""Read the files of answers."""

import re
import textwrap
from pathlib import Path
from typing import Any

import numpy as np


def answers(text: str) -> list[tuple[bool, str, str]]:
    """(is it right, what stands beside its mark, the indented lines below) of each answer."""
    return [
        (mark == "✓", words, textwrap.dedent(body))
        for mark, words, body in re.findall(
            r"^([✓✗]) ?(.*)\n((?:    .*\n|\n(?=    ))*)", text, re.MULTILINE
        )
    ]


def stored(name: str) -> str:
    """The text of a file of answers."""
    return Path(__file__).with_name(name).read_text("utf-8")


def shared(name: str) -> dict[str, Any]:
    """Return what is defined in functions.txt above the answers to an exercise."""
    part = stored("functions.txt").split(f"\n## {name}\n")[1]
    names = {"np": np}
    exec(textwrap.dedent(re.split("^[✓✗]", part, maxsplit=1, flags=re.MULTILINE)[0]), names)
    return names


def asks_for_what_is_there(text: str, code: str) -> bool:
    """Return whether the hint asks for a guard, and the code has it: "guard both: x < width and y < height"."""
    hint = re.search(r"hint: .*", text, re.IGNORECASE)
    asked = (
        re.findall(r"\w+ < \w+(?: [*/] \w+)*", hint[0])
        if hint and re.search("guard (both|it|the thread|with)", hint[0])
        else []
    )
    bare = re.sub(r"[\s()]", "", code)
    return bool(asked) and all(
        re.sub(r"\s", "", way) in bare or re.sub(r"\s", "", way).replace("<", ">=") in bare
        for way in asked
    )
