"""The GPU of this computer through wgpu-py: Vulkan, Metal or Direct3D."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import importlib.util
import logging
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..language.refusal import Refusal
from .shader import Abilities, Shader
from .target import Groups, TargetLimits, guarded, padded

BACKENDS = ("Vulkan", "Metal", "D3D12")
RANK = {"DiscreteGPU": 0, "IntegratedGPU": 1, "Unknown": 2}
WARPS_OF_32 = (0x10DE, 0x106B)  # NVIDIA and Apple: the size of a subgroup is fixed
WANTED = (
    "shader-int64",
    "shader-f64",
    "subgroup",
    "timestamp-query",
    "timestamp-query-inside-encoders",
)
LIMITS = (
    "max-compute-invocations-per-workgroup",
    "max-compute-workgroup-size-x",
    "max-compute-workgroup-size-y",
    "max-compute-workgroup-size-z",
    "max-compute-workgroup-storage-size",
    "max-storage-buffer-binding-size",
    "max-buffer-size",
    "max-storage-buffers-per-shader-stage",
)
# WGPUShaderRuntimeChecks_None: kernels check what nobody has proved, see ShaderMemory.index
UNCHECKED = 0
SOFTWARE_ITERATIONS = 32_000  # lavapipe leaves loops after 65,535 of all, those of atomics included
KEPT = 4_000  # sets of bindings


@functools.cache
def find(software: bool) -> WgpuTarget | None:
    """Return the fastest device here, or None. software: also take a program on the CPU."""
    if importlib.util.find_spec("wgpu") is None or not _has_driver():
        return None
    try:
        with _runtime_folder():
            ranks = {"CPU": -1, **RANK} if software else RANK
            fitting = [a for a in _adapters() if a.info["adapter_type"] in ranks]
            best = min(fitting, key=lambda a: ranks[a.info["adapter_type"]], default=None)
            return None if best is None else WgpuTarget(best)
    except Exception:  # a broken driver must not take the lessons down, whatever it raises
        return None


def _has_driver() -> bool:
    """Return whether there may be a device. On Linux the loader of Vulkan says so, without wgpu being imported."""
    if sys.platform != "linux":
        return sys.platform in ("darwin", "win32")
    try:
        ctypes.CDLL("libvulkan.so.1")
    except OSError:
        return False
    return True


def _adapters() -> list[Any]:
    import wgpu
    from wgpu.backends.wgpu_native import extras

    logging.getLogger("wgpu").setLevel(logging.CRITICAL)  # what it says is raised as well
    with contextlib.suppress(Exception):  # what is not set is asked for everything
        extras.set_instance_extras(
            backends=["Metal" if sys.platform == "darwin" else "Vulkan"]
            if sys.platform != "win32"
            else ["DX12"]
        )
    adapters = wgpu.gpu.enumerate_adapters_sync()
    return [adapter for adapter in adapters if adapter.info["backend_type"] in BACKENDS]


@contextlib.contextmanager
def _runtime_folder() -> Iterator[None]:
    """Set XDG_RUNTIME_DIR where it is missing, so that Mesa does not complain."""
    if "XDG_RUNTIME_DIR" in os.environ:
        yield
        return
    os.environ["XDG_RUNTIME_DIR"] = tempfile.gettempdir()
    try:
        yield
    finally:
        del os.environ["XDG_RUNTIME_DIR"]


class WgpuTarget:
    """See `Target`. Launches are collected in one pass of one encoder until somebody waits for them."""

    def __init__(self, adapter: Any) -> None:
        import wgpu

        info, given = adapter.info, adapter.limits
        self._wgpu = wgpu
        self.name, self.software = info["device"], info["adapter_type"] == "CPU"
        self._device = adapter.request_device_sync(
            required_features=[name for name in WANTED if name in adapter.features],
            required_limits={name: given[name] for name in LIMITS},
        )
        features = self._device.features
        self.limits = TargetLimits.of(*(given[name] for name in LIMITS))
        warps = "subgroup" in features and info["vendor_id"] in WARPS_OF_32
        int64 = "shader-int64" in features
        self.abilities = Abilities(int64, int64 and "shader-f64" in features, warps)
        if self.software:
            self.abilities = replace(
                self.abilities, iterations=SOFTWARE_ITERATIONS, ends_loops=True
            )
        self._bindings: dict[Any, tuple[Any, tuple[Any, ...]]] = {}
        self._uniforms: dict[bytes, Any] = {}
        self._pass: Any = None
        self._encoder: Any = None

    # --- memory ---------------------------------------------------------------------------------

    @guarded
    def buffer(self, size: int) -> Any:
        usage = self._wgpu.BufferUsage
        return self._device.create_buffer(
            size=max(16, size), usage=usage.STORAGE | usage.COPY_SRC | usage.COPY_DST
        )

    @guarded
    def write(self, buffer: Any, data: Any) -> None:
        self.submit()
        self._device.queue.write_buffer(buffer, 0, data)

    @guarded
    def read(self, buffers: Sequence[tuple[Any, int]]) -> list[memoryview]:
        """Read buffers by one copy for all: waiting takes most of the time."""
        usage, (*starts, total) = self._wgpu.BufferUsage, padded(size for _, size in buffers)
        copy = self._device.create_buffer(size=max(4, total), usage=usage.COPY_DST | usage.COPY_SRC)
        self._end_pass()
        self._encoder = self._encoder or self._device.create_command_encoder()
        for (buffer, _), start, end in zip(buffers, starts, [*starts[1:], total], strict=True):
            self._encoder.copy_buffer_to_buffer(buffer, 0, copy, start, end - start)
        self.submit()
        data = memoryview(self._device.queue.read_buffer(copy))
        copy.destroy()
        return [
            data[start : start + size] for (_, size), start in zip(buffers, starts, strict=True)
        ]

    # --- launches -------------------------------------------------------------------------------

    @guarded
    def pipeline(self, shader: Shader) -> Any:
        entries = [
            {"binding": k, "visibility": self._wgpu.ShaderStage.COMPUTE, "buffer": {"type": kind}}
            for k, kind in enumerate(shader.binding_types)
        ]
        layout = self._device.create_bind_group_layout(entries=entries)
        layouts = self._device.create_pipeline_layout(bind_group_layouts=[layout])
        try:
            module = {"module": self._module(shader.text), "entry_point": "main"}
            return self._device.create_compute_pipeline(layout=layouts, compute=module), layout
        except self._wgpu.GPUError as error:
            raise Refusal(f"a module that this driver rejects: {error}") from None

    def _module(self, text: str) -> Any:
        """Compile without naga's checks, whose counter in every loop costs more than half of the speed.

        wgpu-py has no call for that, but its library has.
        """
        from wgpu.backends.wgpu_native import _api, lib

        checked = _api.libf.wgpuDeviceCreateShaderModule
        trusted = lib.wgpuDeviceCreateShaderModuleTrusted
        _api.libf.wgpuDeviceCreateShaderModule = lambda device, text: trusted(
            device, text, UNCHECKED
        )
        try:
            return self._device.create_shader_module(code=text)
        finally:
            _api.libf.wgpuDeviceCreateShaderModule = checked

    @guarded
    def dispatch(
        self, pipeline: Any, uniforms: bytes, buffers: Sequence[Any], groups: Groups
    ) -> None:
        key = id(pipeline), uniforms, *map(id, buffers)
        if key not in self._bindings:
            if len(self._bindings) >= KEPT:
                self.submit()
                self._bindings.clear()
                self._uniforms.clear()
            self._bindings[key] = self._bound(pipeline, uniforms, buffers)
        if self._pass is None:
            self._encoder = self._encoder or self._device.create_command_encoder()
            self._pass = self._encoder.begin_compute_pass()
        self._pass.set_pipeline(pipeline[0])
        self._pass.set_bind_group(0, self._bindings[key][0])
        self._pass.dispatch_workgroups(*groups)

    def _bound(
        self, pipeline: Any, uniforms: bytes, buffers: Sequence[Any]
    ) -> tuple[Any, tuple[Any, ...]]:
        if uniforms not in self._uniforms:
            data = uniforms.ljust(16, b"\0")
            usage = self._wgpu.BufferUsage.UNIFORM
            self._uniforms[uniforms] = self._device.create_buffer_with_data(data=data, usage=usage)
        entries = [
            {"binding": k, "resource": {"buffer": buffer, "offset": 0, "size": buffer.size}}
            for k, buffer in enumerate((self._uniforms[uniforms], *buffers))
        ]
        group = self._device.create_bind_group(layout=pipeline[1], entries=entries)
        return group, (pipeline, *buffers)  # kept, so that no other object gets their ids

    def _end_pass(self) -> None:
        if self._pass is not None:
            self._pass.end()
            self._pass = None

    @guarded
    def submit(self) -> None:
        """Start what was dispatched."""
        self._end_pass()
        if self._encoder is not None:
            self._device.queue.submit([self._encoder.finish()])
            self._encoder = None

    @guarded
    def timed(self, dispatch: Callable[[], None]) -> float:
        self.submit()
        if "timestamp-query" not in self._device.features:
            begin = time.perf_counter()
            dispatch()
            self.read([])
            return time.perf_counter() - begin
        queries = self._device.create_query_set(type="timestamp", count=2)
        usage = self._wgpu.BufferUsage
        found = self._device.create_buffer(size=16, usage=usage.QUERY_RESOLVE | usage.COPY_SRC)
        self._encoder = self._device.create_command_encoder()
        self._pass = self._encoder.begin_compute_pass(
            timestamp_writes={
                "query_set": queries,
                "beginning_of_pass_write_index": 0,
                "end_of_pass_write_index": 1,
            }
        )
        dispatch()
        self._end_pass()
        self._encoder.resolve_query_set(queries, 0, 2, found, 0)
        self.submit()
        begin, end = map(int, np.frombuffer(self._device.queue.read_buffer(found), np.uint64))
        return (end - begin) * 1e-9
