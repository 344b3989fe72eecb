"""Programs from elsewhere that builders call: Node.js, its package manager, pip."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from nnlib.teaching.checkout import cache


def call(purpose: str, *command: str | Path, folder: Path | None = None) -> str:
    """Run a program and return what it prints. SystemExit, which says what to do, where it is not installed or fails."""
    words = [str(word) for word in command]
    try:
        ran = subprocess.run(
            words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    except FileNotFoundError:
        raise SystemExit(
            f"{purpose} needs {words[0]}, which is not installed here. "
            "node and npm come with Node.js: https://nodejs.org"
        ) from None
    if ran.returncode:
        raise SystemExit(
            f"{purpose} could not be built: `{' '.join(words)[:200]}` failed, and printed at its end:\n"
            f"{ran.stdout[-2000:]}"
        )
    return ran.stdout


def npm(package: str, purpose: str) -> Path:
    """Return the folder of a package from npm, name@version, which is fetched when first needed."""
    name, version = package.split("@")
    folder = cache() / "npm"
    about = folder / "node_modules" / name / "package.json"
    if not about.exists() or json.loads(about.read_text("utf-8"))["version"] != version:
        folder.mkdir(parents=True, exist_ok=True)
        call(
            f"{purpose}, which takes {name} from the network once,",
            "npm",
            "install",
            "--no-audit",
            "--no-fund",
            "--prefix",
            folder,
            package,
        )
    return about.parent
