"""What every test shares: GPU tests skip, with the reason, where there is no GPU."""

import pytest

from nnlib import device


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    found = device.find()
    if found.name is None:
        skip = pytest.mark.skip(reason=f"needs an NVIDIA GPU: {found.reason}")
        for item in items:
            if item.get_closest_marker("gpu"):
                item.add_marker(skip)
