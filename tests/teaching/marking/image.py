"""The steps of the autograder's Dockerfile without Docker: they run in bubblewrap, on this machine's own system.

    python -m tests.teaching.marking.image FOLDER        as root, with bubblewrap, Python and the network; some minutes

FOLDER gets /autograder and /opt of the container, in which root is the only user. What installs packages of the system
is left out. Then a right notebook of lesson 03 and an untouched one are marked, without a network, by what the
container would run.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from nnlib.teaching import assignment
from tests.teaching.marking.end_to_end import HANDED_IN, LESSON, NAME

POINTS = {"right": 5, "empty": 0}


def steps(dockerfile: str) -> list[tuple[str, str]]:
    """(instruction, its words) of each line that is none of comment, ARG and FROM; build arguments put in."""
    arguments = dict(re.findall(r"(?m)^ARG (\w+)=(.*)$", dockerfile))
    lines = [
        line.split(" ", 1)
        for line in dockerfile.splitlines()
        if re.match(r"(?:RUN|COPY|CMD) ", line)
    ]
    return [
        (word, re.sub(r"\$\{(\w+)\}", lambda name: arguments[name[1]], rest))
        for word, rest in lines
    ]


def contained(folder: Path, command: str, network: bool) -> None:
    """Run it by the shell where only FOLDER can be written; SystemExit with what it said where it fails."""
    words = [
        "bwrap",
        "--unshare-all",
        *["--share-net"] * network,
        "--die-with-parent",
        "--clearenv",
        "--setenv",
        "PATH",
        "/usr/bin:/bin",
        "--setenv",
        "HOME",
        "/tmp",
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        "--ro-bind",
        "/usr",
        "/usr",
        "--ro-bind",
        "/etc",
        "/etc",
    ]
    for link in ("bin", "lib", "lib64", "sbin"):
        words += ["--symlink", f"usr/{link}", f"/{link}"]
    for inside in ("autograder", "opt"):
        words += ["--bind", str(folder / inside), f"/{inside}"]
    ran = subprocess.run(
        [*words, "bash", "-c", command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if ran.returncode:
        raise SystemExit(f"{command}: {ran.stdout[-3000:]}")


def built(context: Path, folder: Path) -> str:
    """Do what the Dockerfile says; the command that it ends with."""
    for inside in ("autograder", "opt"):
        (folder / inside).mkdir(parents=True)
    command = ""
    for word, rest in steps((context / "Dockerfile").read_text("utf-8")):
        if word == "CMD":
            (command,) = json.loads(rest)
        elif word == "COPY":
            source, target = rest.split()
            place = folder / target.strip("/")
            place.mkdir(parents=True, exist_ok=True)
            if (context / source).is_dir():
                shutil.copytree(context / source, place, dirs_exist_ok=True)
            else:
                shutil.copy(context / source, place)
        elif "apt-get" not in rest:
            contained(folder, rest, network=True)
    return command


def points(folder: Path, command: str, notebook: Path) -> float:
    """Return what a fresh container with this notebook says."""
    shutil.rmtree(folder / "autograder" / "submission")
    (folder / "autograder" / "submission").mkdir()
    shutil.copy(notebook, folder / "autograder" / "submission")
    contained(folder, command, network=False)
    tests = json.loads((folder / "autograder" / "results" / "results.json").read_text("utf-8"))[
        "tests"
    ]
    return sum(test.get("score") or 0 for test in tests)


def main(folder: str) -> None:
    """Build, mark two notebooks, stop where their points are not POINTS."""
    place = Path(folder).resolve()
    assignment.main(["--to", str(place / "assignment"), "--seed", "7", "--image", str(LESSON)])
    context = place / "assignment" / "otter"
    command = built(context, place)
    found = {}
    for student in POINTS:
        notebook = place / student / LESSON.name
        notebook.parent.mkdir()
        nbformat.write(HANDED_IN[student](nbformat.read(context / NAME / LESSON.name, 4)), notebook)
        found[student] = points(place, command, notebook)
        print(f"{student}: {found[student]:g} of 5", flush=True)
    if found != POINTS:
        raise SystemExit("not as expected")


if __name__ == "__main__":
    main(*sys.argv[1:])
