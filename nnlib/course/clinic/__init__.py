"""The bug clinic: training runs with one silent bug, or with nothing but a bad setting, and the way to the cure. Lesson 06.

    >>> from nnlib.course import clinic
    >>> case = clinic.admit(4)                    # any number is another patient; without one, chance chooses

program.py: the healthy training, as text. patients.py: one line of it changed, for each patient. machine.py: what it
stands on. training.py: a text becomes a run. probes.py: one look each; findings.py: what it says. doctor.py: which
probes a good doctor asks for. case.py: a visit by calls, desk.py: by buttons. judging.py: is it healthy now? line.py:
what a repaired line may be.
"""

from nnlib.course.clinic.case import Case, admit

__all__ = ["Case", "admit"]
