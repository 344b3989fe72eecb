"""What every test shares: the longest files come first, and GPU tests skip, with the reason, where there is no GPU."""

import pytest

from nnlib import device

LONGEST = ("test_pyodide.py", "test_wheel.py", "test_slides.py", "test_engine.py")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in LONGEST)  # no worker is left alone with one of them at the end
    found = device.find()
    if found.name is None:
        skip = pytest.mark.skip(reason=f"needs an NVIDIA GPU: {found.reason}")
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(skip)
