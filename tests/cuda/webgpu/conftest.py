"""A device for WebGPU that every machine may have: lavapipe, Vulkan on the CPU."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from nnlib.cuda import webgpu_device


@pytest.fixture(scope="module", autouse=True)
def software() -> Iterator[None]:
    """Let launches through WebGPU run on a program on the CPU; skip where there is none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NNLIB_WEBGPU", "software")
        if webgpu_device() is None:
            pytest.skip("needs a Vulkan driver and wgpu: apt-get install mesa-vulkan-drivers")
        yield
