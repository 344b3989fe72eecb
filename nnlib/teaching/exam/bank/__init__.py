"""The questions, lesson by lesson. The students' package has no part of them."""

import importlib
import pkgutil

for _lesson in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_lesson.name}")
