"""The questions, lesson by lesson. The students' package has no part of them."""

import importlib

from nnlib.lessons import NUMBERS

for _number in NUMBERS:
    importlib.import_module(f"{__name__}.lesson{_number}")
