"""A case: a patient without a name tag, probes to choose, a diagnosis, a line to repair.

    case = admit()             # any patient; admit(7) is the same patient on every machine
    case.probe("gradients")    # as many as you need; each costs minutes
    case.diagnose("c")         # a letter of the menu, or its words
    case.repair(3, "…")        # line 3 of the function that is then on the table; a cured patient earns a letter

In JupyterLab the same can be done with buttons (desk.py).
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from IPython.display import display

from nnlib.course.clinic.doctor import examined, tells
from nnlib.course.clinic.findings import PROBES, Finding, curve
from nnlib.course.clinic.judging import complaint
from nnlib.course.clinic.line import beyond_arithmetic
from nnlib.course.clinic.patients import CONVOLUTIONS, DIAGNOSES, PATIENTS, WARDS, Patient
from nnlib.course.clinic.training import TrainingProgram, program, train

REFERENCE = 2  # seed of the healthy training beside every patient
# minutes: as much as all probes together, so that probing is cheaper than guessing
MISDIAGNOSIS = 30
FAILED_REPAIR = 10
LETTERS = dict(zip("abcdefghijklmnop", DIAGNOSES, strict=False))


@dataclass
class _Bill:
    """The minutes and probes that one patient has taken in this session, and whether the diagnosis was right."""

    minutes: int = 0
    probed: list[str] = field(default_factory=list)
    named: bool = False
    cured: bool = False


_BILLS: dict[int, _Bill] = {}


class Case:
    """One patient from admission to the last curve. number: which patient it is; the same everywhere.

    minutes, probed, named, cured: what was spent on it, asked and found out, however often it is admitted. A probe is
    paid once, and nothing is paid after the cure. named: the diagnosis was right. cured: the repair was right, too.
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._patient, ward, seed = _drawn(number)
        self._ward = WARDS[ward]
        self._ill = program(self._ward, seed, self._patient)
        self._healthy = program(self._ward, REFERENCE)
        self._should = program(self._ward, seed)
        self._bill = _BILLS.setdefault(number, _Bill())
        self._letter_cures = False

    @property
    def minutes(self) -> int:
        """Spent on this patient so far: who is admitted again is not examined for nothing."""
        return self._bill.minutes

    @property
    def probed(self) -> list[str]:
        """The probes so far, in their order."""
        return self._bill.probed

    @property
    def named(self) -> bool:
        """Return whether the diagnosis was right."""
        return self._bill.named

    @property
    def cured(self) -> bool:
        """Return whether the repair was right, too."""
        return self._bill.cured

    @property
    def illness(self) -> str | None:
        """Return the patient's illness, once it is cured or a letter that cures it was read."""
        return self._patient.diagnosis if self.cured or self._letter_cures else None

    # --- with a call

    def probe(self, name: str) -> None:
        """Show what a probe of the menu finds."""
        display(self.probed_by(name))

    def diagnose(self, diagnosis: Any) -> None:
        """Name the illness, by its letter or its words; the function with the wrong line follows."""
        display(self.diagnosed_as(diagnosis))

    def repair(self, line: Any, text: str) -> None:
        """Replace that line of the function on the table by another, and train again."""
        display(self.repaired_by(line, text))

    # --- what they show

    def chart(self) -> Finding:
        """Show the patient: network, optimizer, loss curve."""
        run, healthy = train(self._ill), train(self._healthy)
        sizes = " → ".join(map(str, self._ward.sizes))
        if self._ward.filters:
            sizes = sizes.replace("→", f"→ {self._ward.filters} filters of 5 x 5, stride 2 →", 1)
        how = "Adam" if self._ward.optimizer == "adam" else "gradient descent"
        text = (
            f"Patient {self.number}: {sizes} with ReLU, {how}, batches of 64.\n"
            f"{run.accuracy:.0%} of the test digits are classified correctly, and {healthy.accuracy:.0%} in a "
            f"healthy training.\nThe healthy training has seed {REFERENCE}, and the patient may have another one."
        )
        return Finding(text, curve(run, healthy))

    def menu(self) -> Finding:
        """Return the probes with their price, and diagnoses with their letter."""
        probes = [
            f"  {name:10} {probe.question} ({probe.minutes} min)" for name, probe in PROBES.items()
        ]
        diagnoses = [f"  {words}" for words, _ in self.choices()]
        return Finding("\n".join(["Probes:", *probes, "Diagnoses:", *diagnoses]))

    def choices(self) -> list[tuple[str, str]]:
        """Return the diagnoses of the menu as (what it says, letter)."""
        return [(f"{letter}  {words}", letter) for letter, words in LETTERS.items()]

    def probed_by(self, name: str) -> Finding:
        """Return the finding of a probe, or the menu if there is no such probe."""
        if name not in PROBES:
            return Finding(f"There is no probe {name!r}. The probes are: {', '.join(PROBES)}.")
        if name not in self.probed and not self.cured:
            self.probed.append(name)
            self._charge(PROBES[name].minutes)
        found = PROBES[name].look(self._ill, self._healthy)
        return Finding(f"{found.text}\n({self._spent()})", found.picture)

    def diagnosed_as(self, diagnosis: Any) -> Finding:
        """Answer whether a diagnosis is right; if not, what that illness would show."""
        if diagnosis is ...:
            return Finding(
                "No diagnosis yet: put a letter of the menu, or its words, in place of the dots."
            )
        words = _diagnosis(diagnosis)
        if words is None:
            return Finding(
                f"{diagnosis!r} is not in the menu. The diagnoses are:\n"
                + "\n".join(f"  {each}" for each, _ in self.choices())
            )
        if not self.probed:
            return Finding(
                "Probe first: a diagnosis counts after at least one probe. Nothing charged."
            )
        if words == self._patient.diagnosis:
            self._bill.named = True
            return Finding(
                f"Yes: {words}. {self._spent()}.\nOn the table:\n\n{self._table()}\n\nWhich line, and how "
                'should it read? repair(LINE, "…")'
            )
        self._charge(MISDIAGNOSIS)
        other = next(patient for patient in PATIENTS if patient.diagnosis == words)
        # A setting fits when all else is well
        fits = other.wrong and tells(other.probe, self._ward)
        probe = (other if fits else self._patient).probe
        seen = "you have run it" if probe in self.probed else "you have not run it yet"
        return Finding(
            f"No. If {words}, then {other.shows}. The probe {probe!r} tells that from what this patient has, and {seen}. "
            f"A wrong diagnosis costs {MISDIAGNOSIS} minutes. {self._spent()}."
        )

    def repaired_by(self, line: Any, text: str) -> Finding:
        """Answer whether the patient is healthy now, with the curve of the new training."""
        if not self.named or line is ...:
            return Finding('The diagnosis comes first: diagnose("…"). Nobody operates without one.')
        if not self._has_line(line):
            return Finding(
                f"The function has lines 1 to {len(self._ill.listing(self._patient.function))}: "
                'repair(LINE, "…"), and the line is a number.'
            )
        try:
            refused, repaired = self._operated(line, str(text))
            if repaired is None:
                return Finding(f"{refused}.")
            run = train(repaired)
        except Exception as error:  # whatever a student's line raises is feedback, not a crash
            return Finding(f"It does not run: {_raised(error)}.")
        picture = curve(run, train(self._healthy), "repaired")
        if refused:
            self._charge(FAILED_REPAIR)
            share = f"{run.accuracy:.0%} of the test digits are classified correctly"
            runs = "It runs" if share in refused else f"It runs, and {share}"
            return Finding(
                f"{runs}, but it is not healthy: {refused}. {self._spent()}.\n\n{self._table()}",
                picture,
            )
        self._bill.cured = True
        letter = (self._patient.diagnosis, line, str(text).strip())
        same = train(program(self._ward, repaired.names["settings"]()[0]))
        return Finding(
            f"Cured: {run.accuracy:.0%} of the test digits are classified correctly, and "
            f"{same.accuracy:.0%} in a healthy training with the same seed.\n"
            f"You needed {self._spent()}. {self._par()}\n"
            f"{self._patient.lesson}\nYour letter: {self.number}: {letter!r}",
            picture,
        )

    def read(self, letter: Any) -> str | None:
        """Return what is wrong with a prescription (diagnosis, line, text) as a sentence, or None if it cures. Draw no curves."""
        if not isinstance(letter, (tuple, list)) or len(letter) != 3:
            return 'a letter is ("diagnosis", line, "the line as it should be")'
        diagnosis, line, text = letter
        if _diagnosis(diagnosis) != self._patient.diagnosis:
            return f"{diagnosis!r} is not what it has, or not as repair printed it: copy the letter from there"
        if not self._has_line(line):
            return f"there is no line {line!r}"
        try:
            refused, _ = self._operated(line, str(text))
        except Exception as error:
            return f"it does not run: {_raised(error)}"
        self._letter_cures = refused is None
        return refused

    def _operated(self, line: int, text: str) -> tuple[str | None, TrainingProgram | None]:
        """Return what is still wrong once that line is replaced, and the new program, or None if the line is not tried."""
        try:
            word = beyond_arithmetic(text)
        except SyntaxError as error:
            return f"That is not Python: {error.msg}", None
        if word:
            return f"Write a line of plain arithmetic, without {word!r}", None
        repaired = self._ill.with_line(self._patient.function, line, text)
        return complaint(repaired, self._should, self._patient), repaired

    def _has_line(self, line: Any) -> bool:
        return isinstance(line, int) and 1 <= line <= len(self._ill.listing(self._patient.function))

    def _charge(self, minutes: int) -> None:
        """Add to the bill; what is done to a cured patient is for learning, and free."""
        if not self.cured:
            self._bill.minutes += minutes

    def _spent(self) -> str:
        return _in_words(len(self.probed), self.minutes)

    @property
    def par(self) -> int:
        """The minutes that the course's own doctor spends on this patient."""
        return sum(PROBES[name].minutes for name in examined(self._ill)[1])

    def _par(self) -> str:
        asked = examined(self._ill)[1]
        return f"Par, cheap probes first, is {_in_words(len(asked), self.par)}: {', '.join(asked)}."

    def _table(self) -> str:
        lines = self._ill.listing(self._patient.function)
        return "\n".join(f"{k:2}  {line}" for k, line in enumerate(lines, 1))

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from nnlib.course.clinic.desk import desk

        chart, menu = self.chart(), self.menu()
        still = {
            "text/html": f"{chart.html()}{menu.html()}",
            "text/plain": f"{chart._repr_mimebundle_()['text/plain']}\n{menu.text}",
        }
        return {**desk(self)._repr_mimebundle_(), **still}


def admit(number: int | None = None) -> Case:
    """Admit a patient: any, or the one with that number, who is the same on every machine."""
    return Case(random.SystemRandom().randrange(1000, 10_000) if number is None else int(number))


def _drawn(number: int) -> tuple[Patient, str, int]:
    """Return patient, ward and seed of a number. Each diagnosis of its part of the clinic is equally likely."""
    dice = random.Random(f"clinic {number}")
    beds = [
        (patient, ward)
        for patient in PATIENTS
        for ward in patient.wards
        if bool(WARDS[ward].filters) == (number >= CONVOLUTIONS)
    ]
    here = {patient.diagnosis for patient, _ in beds}
    diagnosis = dice.choice([each for each in DIAGNOSES if each in here])
    patient, ward = dice.choice([bed for bed in beds if bed[0].diagnosis == diagnosis])
    return patient, ward, dice.choice(patient.seeds)


def _raised(error: Exception) -> str:
    """Raise an error of the program without its line, as nobody sees the whole program."""
    return f"{type(error).__name__}: {error.msg if isinstance(error, SyntaxError) else error}"


def _in_words(probes: int, minutes: int) -> str:
    return f"{probes} probe{'s' * (probes != 1)}, {minutes} minute{'s' * (minutes != 1)}"


def _diagnosis(words: Any) -> str | None:
    """Return the diagnosis that stands in the menu under a letter, or the one that begins with these words."""
    said = re.sub(r"[ ().]+", " ", str(words)).strip().lower()
    if len(said) == 1:
        return LETTERS.get(said)
    found = [each for each in DIAGNOSES if len(said) > 3 and each.lower().startswith(said)]
    return found[0] if len(found) == 1 else None
