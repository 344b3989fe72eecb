"""The headers that a program can include: their texts, which declare what ../library does in Python."""

from __future__ import annotations

import functools
from pathlib import Path

FOLDER = Path(__file__).parent
# Those whose content a program has without including them.
KNOWN = [
    "nnlib_times.h",
    "nnlib_host_types.h",
    "string.h",
    "cstring",
    "time.h",
    "ctime",
    "sys/time.h",
    "time",
    "unistd.h",
    "iomanip",
    "cassert",
    "math_constants.h",
    "cuda_profiler_api.h",
    "driver_types.h",
    "stdbool.h",
    "ctype.h",
    "inttypes.h",
    "sys/types.h",
    "errno.h",
    "utility",
    "memory",
    "climits",
    "cfloat",
    "limits.h",
]


@functools.cache
def headers() -> dict[str, str]:
    """Return the texts of headers by name; "" names the one that a program has without including any."""
    texts = {
        path.relative_to(FOLDER).with_suffix("").as_posix(): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.h")
    }
    given = texts.pop("program")
    endings = {f"{name}.h": text for name, text in texts.items()}
    # string.h is C's, without std::string
    return {"": given, **texts, **endings, **dict.fromkeys(KNOWN, "")}


def of_kernels(name: str) -> str:
    """Return the text of a header that kernels need, too; "" for others."""
    text = headers().get(name, "")
    return text if "__device__" in text else ""
