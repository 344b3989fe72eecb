"""The lessons: their numbers, titles and files, and which of them are a bonus. Everything else asks here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Lesson:
    """One notebook. bonus: no later lesson needs it, and an exam asks about it only where it is named."""

    number: str  # two digits
    title: str
    bonus: bool = False

    @property
    def file(self) -> str:
        """The file name of the notebook."""
        return f"{self.number}_{self.title.lower().replace(' ', '_')}.ipynb"


LESSONS = (
    Lesson("01", "CUDA basics"),
    Lesson("02", "Vector add"),
    Lesson("03", "Matmul"),
    Lesson("04", "Activations"),
    Lesson("05", "im2col convolution"),
    Lesson("06", "Backprop"),
    Lesson("07", "MNIST training"),
    Lesson("08", "Optimization"),
    Lesson("09", "Tensor cores", bonus=True),
    Lesson("10", "Attention", bonus=True),
    Lesson("11", "Several GPUs", bonus=True),
)
NUMBERS = tuple(lesson.number for lesson in LESSONS)


def notebooks(folder: Path) -> list[Path]:
    """Return the lessons of a folder, in their order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))
