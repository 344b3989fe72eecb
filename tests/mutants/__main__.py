"""Does the test suite notice when nnlib is wrong? Plants mistakes drawn at random, one at a time, and runs the tests.

    python -m tests.mutants 300 7      300 mistakes of draw 7: prints which survive, records all in tests/mutants.json

First every test file runs once under coverage, so that for a mistake only those run that execute the changed line: the
nearest first, and quick ones before slow ones. In the same tree the same command goes on after an interruption.
"""

from __future__ import annotations

import hashlib
import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import coverage

from tests.mutants.mistakes import Mutant, mutants

ROOT = Path(__file__).parents[2]
RECORD = ROOT / "tests/mutants.json"
SUITES = ROOT / "build/suites.json"
PYTEST = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not browser", "--timeout=1200")
LIMIT = 300  # seconds that the test files for one mistake take without it: if none of them fails, it is not noticed


@dataclass(frozen=True)
class Suite:
    """One test file, the seconds that it takes, and the lines of nnlib that it executes."""

    file: str
    seconds: float
    lines: dict[str, list[int]]

    def may_notice(self, mutant: Mutant) -> bool:
        """What executes CUDA text is not known by its lines: any test may."""
        return not mutant.file.endswith(".py") or not set(mutant.lines).isdisjoint(self.lines.get(mutant.file, ()))


def main() -> None:
    count, seed = map(int, sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        copies = queue.SimpleQueue[Path]()
        for number in range(os.cpu_count() or 1):
            copies.put(_copy(Path(folder) / str(number)))

        def each(work: Callable[..., Any], tasks: list) -> Iterator[tuple[Any, Any]]:
            """Every task with what came of it, each in a copy of the tree that nobody else uses meanwhile."""
            def run(task: Any) -> tuple[Any, Any]:
                copy = copies.get()
                try:
                    return task, work(copy, task)
                finally:
                    copies.put(copy)
            for done in as_completed([pool.submit(run, task) for task in tasks]):
                yield done.result()

        tree = _tree()
        known = _stored(SUITES, tree=tree)
        if not known:
            known = {"tree": tree, "suites": [vars(suite) for _, suite in each(_cover, _test_files()) if suite]}
            SUITES.parent.mkdir(exist_ok=True)
            SUITES.write_text(json.dumps(known), encoding="utf-8")
        suites = [Suite(**suite) for suite in known["suites"]]
        record = _stored(RECORD, tree=tree, seed=seed) or {"tree": tree, "seed": seed, "judged": []}
        judged = {(one["file"], one["line"], one["wrong"]) for one in record["judged"]}
        waiting = [mutant for mutant in _drawn(count, seed)
                   if (mutant.file, mutant.lines.start, mutant.wrong) not in judged]
        for mutant, noticed_by in each(lambda copy, mutant: _noticed_by(copy, mutant, suites), waiting):
            record["judged"].append({"file": mutant.file, "line": mutant.lines.start, "right": mutant.right,
                                     "wrong": mutant.wrong, "noticed_by": noticed_by})
            RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
            if not noticed_by:
                print(f"survives: {mutant.file}:{mutant.lines.start}: {mutant.right}  ->  {mutant.wrong}", flush=True)
    noticed = sum(bool(one["noticed_by"]) for one in record["judged"])
    print(f"{noticed} of {len(record['judged'])} mistakes noticed")


def _copy(folder: Path) -> Path:
    def left_out(parent: str, names: list[str]) -> list[str]:
        made = {"build", "dist", "site", "slides", "pages", "student", "assignment", "exams", ".git", ".venv"}
        return [name for name in names if parent == str(ROOT) and name in made or name.endswith("_cache")]

    shutil.copytree(ROOT, folder, ignore=left_out)
    return folder


def _test_files() -> list[str]:
    """The large ones first, so that none is waited for at the end."""
    files = sorted((ROOT / "tests").rglob("test_*.py"), key=lambda path: -path.stat().st_size)
    return [path.relative_to(ROOT).as_posix() for path in files]


def _run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(copy), os.environ.get("PYTHONPATH", ""))),
                   "PYTHONDONTWRITEBYTECODE": "1", "HYPOTHESIS_STORAGE_DIRECTORY": str(copy / ".hypothesis")}
    return subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True)


def _cover(copy: Path, file: str) -> Suite | None:
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "settings"
        settings.write_text(f"[run]\nsource = {copy / 'nnlib'}\ndata_file = {folder}/lines\nparallel = true\n"
                            "patch = subprocess, fork, _exit\n", encoding="utf-8")
        start = time.perf_counter()
        if _run(copy, "-m", "coverage", "run", f"--rcfile={settings}", *PYTEST, file).returncode:
            print(f"left out, as it does not pass without a mistake: {file}", flush=True)
            return None
        seconds = time.perf_counter() - start
        data = coverage.Coverage(config_file=str(settings))
        data.combine([folder])
        measured = data.get_data()
        lines = {Path(path).relative_to(copy).as_posix(): sorted(measured.lines(path) or ())
                 for path in measured.measured_files()}
        return Suite(file, seconds, lines)


def _drawn(count: int, seed: int) -> list[Mutant]:
    """Of all of nnlib but its pictures, every mistake as likely as any other."""
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
             for path in sorted((ROOT / "nnlib").rglob("*"))
             if path.suffix in (".py", ".cu", ".h") and "pictures" not in path.parts}
    places = [(file, number) for file, text in texts.items() for number, _ in enumerate(mutants(file, text))]
    return [next(islice(mutants(file, texts[file]), number, None))()
            for file, number in random.Random(seed).sample(places, count)]


def _stored(file: Path, **of: Any) -> dict[str, Any]:
    """What an earlier run has stored, if it was one of this tree and draw."""
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return stored if of.items() <= stored.items() else {}


def _tree() -> str:
    """A digest of nnlib and its tests: what was found holds as long as they are the same."""
    digest = hashlib.sha256()
    for path in sorted(path for folder in ("nnlib", "tests") for path in (ROOT / folder).rglob("*")):
        if path.is_file() and path != RECORD and "__pycache__" not in path.parts:
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _noticed_by(copy: Path, mutant: Mutant, suites: list[Suite]) -> str | None:
    """The first test that fails, or None."""
    path = copy / mutant.file
    path.write_text(mutant.text, encoding="utf-8")
    seconds, spent = {suite.file: suite.seconds for suite in suites}, 0.0
    try:
        for files in _in_turn(mutant, suites):
            result = _run(copy, *PYTEST, *files)
            if result.returncode:
                failed = re.search(r"^(?:FAILED|ERROR) (\S+)", result.stdout, re.MULTILINE)
                return failed[1] if failed else " ".join(files)
            spent += sum(seconds[file] for file in files)
            if spent > LIMIT:
                break
        return None
    finally:
        shutil.copy2(ROOT / mutant.file, path)  # with its time, by which Python knows that its byte code fits


def _in_turn(mutant: Mutant, suites: list[Suite]) -> Iterator[list[str]]:
    """The files that may notice the mistake: the nearest three in one run, then twice as many in each."""
    files = [suite.file for suite in sorted(
        (suite for suite in suites if suite.may_notice(mutant)),
        key=lambda suite: (-len(_names(suite.file) & _names(mutant.file)), suite.seconds))]
    first, count = 0, 3
    while first < len(files):
        yield files[first:first + count]
        first, count = first + count, 2 * count


def _names(file: str) -> set[str]:
    """`cuda`, `host` and `streams` of tests/cuda/host/test_streams.py: it is near to nnlib/cuda/host/streams.py."""
    return set(Path(file).with_suffix("").parts[1:-1]) | {Path(file).stem.removeprefix("test_")}


if __name__ == "__main__":
    main()
