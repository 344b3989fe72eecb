"""What every test shares: lessons and long tests come first, and GPU tests skip, saying why, where there is no GPU."""

import pytest

from nnlib import device

LONGEST = ("test_pyodide.py", "test_wheel.py", "test_slides.py", "test_engine.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # So that no worker is left alone with one of them at the end.
    items.sort(key=lambda item: item.path.suffix != ".ipynb" and item.path.name not in LONGEST)
    found = device.find()
    if found.name is None:
        skip = pytest.mark.skip(reason=f"needs an NVIDIA GPU: {found.reason}")
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(skip)
