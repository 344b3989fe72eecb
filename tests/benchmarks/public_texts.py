"""A corpus out of folders of public code: single-file programs and kernels with what they use, as nvcc accepts them.

    python -m tests.benchmarks.public_texts FOLDER corpus.json.gz

The folder holds KIND/owner+name/…/*.cu, where the kind (teaching, library) is what the shares are given by. Of each
repository at most PROGRAMS and KERNELS are drawn, always the same. A kernel's text is its file and the headers beside
it without the declarations that it does not use; a template comes with the arguments of a launch in that file, or not
at all. Texts of others stay out of the repository: corpora lie elsewhere.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nnlib.cuda._engine.host import sources
from nnlib.cuda._engine.host.device_text import DEFINE, blank, device_text
from nnlib.cuda._engine.host.nvcc import find
from nnlib.cuda._engine.host.outermost import ATTRIBUTES, declarations, is_function
from nnlib.cuda._engine.language.diagnostics import Fault
from nnlib.cuda._engine.language.parsing.lexer import Token
from nnlib.cuda._engine.sources import text_of

PROGRAMS, KERNELS = 12, 12
_OWN_HEADER = re.compile(r'^\s*#\s*include\s*"(?!cuda|curand|cublas|device_launch|math|std|string|iostream)',
                         re.MULTILINE)
_FOREIGN = re.compile(r'\s*#\s*include\s*("|<(?!cuda/|cub/|thrust/|cooperative_groups/)\w+/|<cu(blas|rand)\w*.h)')
_MAIN = re.compile(r"\bmain\s*\(")
_KERNEL = re.compile(r"__global__[^;{}]*?\b(\w+)\s*\((?=[^;]*?\{)(?<!__launch_bounds__\()")
_TYPES = {"struct", "class", "union", "enum"}


def collected(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of a corpus: kind, repo, path and text; of kernels also name and instance."""
    for repository in sorted(folder.glob("*/*")):
        kind, name = repository.parts[-2:]
        files = sorted(repository.rglob("*.cu"))
        random.Random(name).shuffle(files)
        for wanted, found in ((PROGRAMS, _programs(files)), (KERNELS, _kernels(files, repository))):
            accepted = (row for row in found if _accepted(row["text"]))
            for row, _ in zip(accepted, range(wanted), strict=False):
                yield {"kind": kind, "repo": name.replace("+", "/", 1), **row,
                       "path": str(row["path"].relative_to(repository))}


def _programs(files: list[Path]) -> Iterator[dict[str, Any]]:
    for path in files:
        text = text_of(path)
        if _MAIN.search(text) and not _OWN_HEADER.search(text):
            yield {"path": path, "text": text}


def _kernels(files: list[Path], repository: Path) -> Iterator[dict[str, Any]]:
    texts: set[str] = set()
    folders = sorted({path.parent for ending in ("*.h", "*.cuh", "*.hpp") for path in repository.rglob(ending)})
    folders += sorted({folder.parent for folder in folders})
    for path in files:
        try:
            kernels = next((found for beside in (folders, [])
                            if (found := [*_of_file(device_text(sources.read([path], beside).text))])), [])
        except Fault:  # the lexer's: no C++ at all
            continue
        for kernel in kernels:
            if kernel["text"] not in texts:
                texts.add(kernel["text"])
                yield {"path": path, **kernel}


def _of_file(text: str) -> Iterator[dict[str, Any]]:
    pieces, namespaces = _flat(text)
    for piece in pieces:
        written = _between(text, piece)
        for found in _KERNEL.finditer(written):
            name = found[1]
            template = re.search(r"template\s*<([^;{}]*)>[^<>;{}]*$", written[:found.start()])
            arguments = template and _arguments(name, template[1], text)
            if not template or arguments:
                within = "".join(f"{outer[1].text}::" for outer in namespaces
                                 if outer[0].text == "namespace"
                                 and outer[0].at.line <= piece[0].at.line <= outer[-1].at.line)
                yield {"name": name, "instance": f"{within}{name}<{arguments}>" if template else None,
                       "text": _with_what_it_uses(text, pieces, piece)}


def _flat(text: str) -> tuple[list[list[Token]], list[list[Token]]]:
    """The declarations outside of functions and in namespaces, and the namespaces, outer ones first."""
    lines, namespaces = text.splitlines(), []
    while True:
        pieces = list(declarations("\n".join(lines)))
        found = [piece for piece in pieces if _is_namespace(piece)]
        if not found:
            return pieces, namespaces
        for piece in found:
            namespaces.append(piece)
            blank(lines, piece[0], next(token for token in piece if token.text == "{"))
            blank(lines, piece[-1], piece[-1])


def _is_namespace(piece: list[Token]) -> bool:
    words = [token.text for token in piece[:3]]
    return len(piece) > 3 and (words[0] == "namespace" and "{" in words or words == ["extern", '"C"', "{"])


def _arguments(name: str, parameters: str, text: str) -> str | None:
    """Those of a launch, if they are types and numbers, none of them a name of an outer template's; else float for
    each type."""
    macros = {found[1] for found in DEFINE.finditer(text)}
    known = {"float", "double", "int", "unsigned", "char", "short", "long", "half", "__half", "true", "false", "float4"}
    for launch in re.findall(rf"\b{name}\s*<([^;{{}}()]*?)>\s*<<<", text):
        if all(word in known | macros or word[0].isdigit() for word in re.findall(r"\w+", launch)):
            return str(launch)
    types = re.findall(r"(?:^|,)\s*(?:typename|class)\s+\w+", parameters)
    return ", ".join(["float"] * len(types)) if len(types) == parameters.count(",") + 1 else None


def _with_what_it_uses(text: str, pieces: list[list[Token]], kernel: list[Token]) -> str:
    macros = {found[1]: set(re.findall(r"\w+", found[2])) for found in DEFINE.finditer(text)}
    named = [(piece, _names(piece), {token.text for token in piece}) for piece in pieces]
    kept, words = [kernel], {token.text for token in kernel}
    before = -1
    while before != len(words):
        before = len(words)
        words |= {word for macro, body in macros.items() if macro in words for word in body}
        for piece, names, used in named:
            if piece not in kept and (names & words or piece[0].text == "using" and names & {"namespace"}):
                kept.append(piece)
                words |= used
    lines = text.splitlines()
    for piece in pieces:
        if piece not in kept:
            blank(lines, piece[0], piece[-1])
    kept_lines = (line for line in lines if line.strip() and not _FOREIGN.match(line))
    return "\n".join(kept_lines) + "\n"


def _names(piece: list[Token]) -> set[str]:
    """What a declaration is found by: operators by the types that they take."""
    words = [token.text for token in piece]
    if words[0] == "using":
        return {words[1]}
    if words[0] == "typedef":  # also of a pointer to a function
        return {words[-2]} | {after for word, after in zip(words, words[1:], strict=False) if word == "*"}
    if is_function(piece):
        opening = next(k for k, word in enumerate(words) if word == "(" and words[k - 1] not in ATTRIBUTES)
        return {words[opening - 1]} if "operator" not in words[:opening] else set(words[opening:words.index(")")])
    if _TYPES & set(words) and "{" in words:
        after = next(k for k, word in enumerate(words) if word in _TYPES)
        return {word for word in words[after:words.index("{")] if word not in _TYPES} | set(words[-2:-1])
    return {word for word, after in zip(words, words[1:], strict=False) if after in ("=", "[", ",", ";", "{", "(")}


def _between(text: str, piece: list[Token]) -> str:
    lines = text.splitlines()[piece[0].at.line - 1:piece[-1].at.line]
    return "\n".join(lines)


def _accepted(text: str) -> bool:
    nvcc = find()
    if nvcc is None:
        raise SystemExit("a corpus is what nvcc accepts, and there is no nvcc here")
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "text.cu"
        source.write_text(text, encoding="utf-8")
        command = [nvcc, "-ptx", "-arch=sm_90", "-o", str(source.with_suffix(".ptx")), str(source)]
        try:
            return subprocess.run(command, capture_output=True, check=False, timeout=60).returncode == 0
        except subprocess.TimeoutExpired:
            return False


def main() -> None:
    rows = []
    for row in collected(Path(sys.argv[1])):
        rows.append(row)
        print(row["kind"], row["repo"], row["path"], row.get("name", "main"), flush=True)
    with gzip.open(sys.argv[2], "wt") as file:
        json.dump(rows, file)
    kernels = sum("name" in row for row in rows)
    print(f"{kernels} kernels and {len(rows) - kernels} programs of {len({row['repo'] for row in rows})} repositories")


if __name__ == "__main__":
    main()
