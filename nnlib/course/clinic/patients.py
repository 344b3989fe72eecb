"""All that can be wrong with a patient: one line of the program, how it shows, where it happens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nnlib.support import packed


@dataclass(frozen=True)
class Ward:
    """A network and how it is trained. rate: one that suits it. filters: of a convolution in front, if it has one."""

    sizes: tuple[int, ...]
    rate: float
    optimizer: str
    filters: int = 0


WARDS = {
    "narrow": Ward((784, 16, 16, 10), 0.05, "sgd"),
    "wide": Ward((784, 64, 64, 10), 0.1, "sgd"),
    "deep": Ward((784, 64, 64, 64, 64, 64, 10), 0.02, "adam"),
    "filters": Ward((784, 32, 32, 10), 0.05, "sgd", filters=8),
}
CONVOLUTIONS = 5000  # the first number of a patient with a convolution
SEEDS = (2, 185, 62, 246, 193, 67, 228, 282, 53, 70, 121, 37)  # with which each ward learns


@dataclass(frozen=True, repr=False)
class Patient:
    """One illness, as an entry of patients.json; it prints nothing of what a student is to find out.

    diagnosis: as the menu has it. function: where the line stands that is to be changed. right, wrong: that line, and
    what this patient has; empty where only a setting is wrong. probe, shows: which probe reveals the illness, and
    how; a wrong diagnosis is answered with it. lesson: shown when it is cured. wards: where it shows. rate: times the
    ward's. Numbers from CONVOLUTIONS on are patients whose first layer is a convolution.
    """

    diagnosis: str
    function: str
    right: str
    wrong: str
    probe: str
    shows: str
    lesson: str
    wards: tuple[str, ...] = ("narrow", "wide", "deep")
    rate: float = 1.0
    seeds: tuple[int, ...] = SEEDS


def _patients() -> Iterator[Patient]:
    for entry in packed.load(Path(__file__).with_suffix(".json")):
        lists = {name: tuple(entry[name]) for name in ("wards", "seeds") if name in entry}
        yield Patient(**entry | lists)


PATIENTS = tuple(_patients())
DIAGNOSES = sorted({patient.diagnosis for patient in PATIENTS}, key=str.lower)
