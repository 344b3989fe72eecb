"""Programs beside which stands what they do: cases/*.cu, a file per subject, a section per program.

A file begins with what its programs share; each section takes the place of `CASE` in it.

// case: what the section shows
// options, args: for nvcc, for main
// output: what the program prints, as JSON where it has quotes or more than one line
// prints: the same beside each of its lines, without spaces at the end
// status: with which it exits, unless it is 0
// note: each note of the run
// ^ below the place of a mistake: its report but for the lines that repeat the source; its class unless HostError
// error 3:8: the same for another place, in what the programs share
"""

import json
import re
from pathlib import Path

import pytest

from nnlib.cuda import KernelError, Program, Run, force_simulator

FILES = sorted(Path(__file__).with_name("cases").glob("*.cu"))
REPEATED = re.compile(r"^\S+?:\d+:\d+: |\n(?:  at [^\n]*\n)?[^\n]*\n +\^(?=\n|$)")
MISTAKE = re.compile(
    r"^ *// (?:(?P<caret> *\^)|error(?P<at>[ \d:]*):) (?P<words>.*)\n", re.MULTILINE
)


def sections(file: Path) -> dict[str, tuple[str, dict[str, list[str]], str]]:
    """Return the cases of a file by name: program, expectations, and the report that it gets."""
    shared, *found = re.split(r"^(?=// case\b)", file.read_text(), flags=re.MULTILINE)
    return {f"{file.stem}-{number}": _section(shared, text) for number, text in enumerate(found, 1)}


def _section(shared: str, text: str) -> tuple[str, dict[str, list[str]], str]:
    head = re.match(r"(?:// \w+\b.*\n)*", text)[0]
    said: dict[str, list[str]] = {}
    for key, value in re.findall(r"^// (\w+):? ?(.*)", head, re.MULTILINE):
        said.setdefault(key, []).append(json.loads(value) if value[:1] == '"' else value)
    body, report = text[len(head) :].rstrip("\n"), ""
    program = shared.replace("CASE", body, 1) if shared.strip() else body
    if mistake := MISTAKE.search(program + "\n"):
        before = program[: mistake.start()]
        column = mistake["caret"] and mistake.start("caret") - mistake.start() + len(
            mistake["caret"]
        )
        at = f"{before.count(chr(10))}:{column}" if column else mistake["at"].strip()
        report = f"{at}: {mistake['words']}".removeprefix(": ")
        program = before + program[mistake.end() :]
    return program, said, report


CASES = {name: case for file in FILES for name, case in sections(file).items()}


def reported(error: KernelError) -> str:
    """The place and the words."""
    kind = type(error).__name__
    words = re.sub(r"\n +", "|", REPEATED.sub("", str(error)))
    place = f"{error.line}:{error.column}: " if error.line else ""
    return f"{place}{'' if kind == 'HostError' else f'{kind}: '}{words}"


@pytest.mark.parametrize("name", CASES)
def test_a_program_does_what_stands_beside_it(name):
    text, said, report = CASES[name]
    prints = re.findall(r"^ *// +prints: ?(.*)", text, re.MULTILINE)
    options, args = (said.get(key, [""])[0].split() for key in ("options", "args"))
    with force_simulator():
        try:
            run, found = Program(text, options=options).run(args), ""
        except KernelError as error:
            run, found = Run(error.output or "", 0), reported(error)
    assert found == report
    if prints:
        assert [line.rstrip() for line in run.output.splitlines()] == prints
    else:
        assert run.output == said.get("output", [""])[0]
    assert (run.status, run.notes) == (int(said.get("status", [0])[0]), said.get("note", []))
