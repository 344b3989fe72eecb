"""A source built in one way, in its three forms: the checked tree, the simulator's Python, and a GPU's module."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from . import sources
from .errors import KernelError, KernelSyntaxError, UnsupportedError
from .gpu import cupy_module
from .language import compile_source, diagnostics, layout, tree, types
from .language.kernel_side import device_text
from .simulator import Compiled


@dataclass(eq=False)
class Compilation:
    """source: the text with its headers, which on a GPU NVRTC reads. Each form is made when it is first needed."""

    text: str
    build: cupy_module.BuildOptions
    source: sources.Sources

    @functools.cached_property
    def program(self) -> tree.TranslationUnit:
        source = self.source
        with source.located():
            return compile_source(
                source.text,
                self.build.options,
                source.name,
                self.build.name_expressions,
                is_file=self.build.is_file,
            )

    @functools.cached_property
    def simulated(self) -> Compiled:
        return Compiled(self.program)

    @functools.cached_property
    def gpu_module(self) -> Any:
        text, build = self.text, self.build
        if build.is_file and build.backend == "nvrtc":
            kept = device_text(self.source.text)
            text = text if kept == self.source.text else kept
            build = replace(
                build,
                options=(*build.options, f"-I{Path(self.source.name).parent}"),
                name_expressions=(*build.name_expressions, *self._mangled()),
            )
        try:
            return cupy_module.compile_module(text, build)
        except cupy_module.CompileError as error:
            raise self._explain(error) from None

    def kernel(self, name: str) -> tree.Function:
        """Return the kernel of that name. Raise KernelError or KernelSyntaxError where this code has none."""
        named = self.program.names.get(name)
        function = self.program.functions.get(named or name)
        if function is None or function.kind != "kernel":
            known = self.program.kernels
            hint = (
                f"write RawModule(..., name_expressions=({name!r},))"
                if "<" in name
                else diagnostics.did_you_mean(name, known)
            )
            if not hint and "template" in self.text:
                hint = (
                    f"one made of a template is named with its types, such as '{name}<float, 16>'"
                )
            what = f"no kernel named {name!r}; this code has {', '.join(known) or 'none'}"
            raise KernelError(
                what + (f" ({hint})" if hint else ""), what=what, hint=hint, file=self.source.name
            )
        fault: diagnostics.Fault | None = None
        if f"{name}#2" in self.program.functions:
            fault = diagnostics.Unsupported(
                function.at,
                "launching one of several kernels that share a name",
                "choose another name for one of them",
            )
        elif not function.extern_c and named is None and not self.build.is_file:
            fault = diagnostics.Fault(
                function.at,
                f'kernel {name!r} is not extern "C", so its name is mangled',
                f'write extern "C" __global__ void {name}(...), or name_expressions=("{name}",)',
            )
        if fault is not None:
            with self.source.located():
                raise diagnostics.as_error(fault, self.source.text, self.source.name)
        return function

    def _mangled(self) -> list[str]:
        """Return the names of the kernels that are neither extern "C" nor templates, as far as we can read the file."""
        try:
            functions = self.program.functions
        except KernelSyntaxError:
            return []
        return [
            name
            for name, function in functions.items()
            if function.kind == "kernel"
            and not function.extern_c
            and name.isidentifier()
            and f"{name}#2" not in functions
        ]

    def variable(self, name: str) -> tuple[tuple[int, ...], np.dtype]:
        """Shape and dtype of a module variable as an array."""
        if name not in self.program.globals:
            known = list(self.program.globals)
            hint = diagnostics.did_you_mean(name, known)
            raise KernelError(
                f"no __constant__ or __device__ variable named {name!r}; this code has "
                f"{', '.join(known) or 'none'}",
                hint=hint,
                file=self.source.name,
            )
        return _as_array(self.program.globals[name][0].type)

    def _explain(self, error: cupy_module.CompileError) -> KernelSyntaxError:
        """Return our own message where we found a mistake, too, so that it reads the same on every machine; else NVRTC's."""
        try:
            _ = self.program
        except UnsupportedError:
            pass
        except KernelSyntaxError as own:
            return own
        if error.at is None:
            return KernelSyntaxError(error.message, file=self.source.name)
        return diagnostics.as_error(
            diagnostics.Fault(error.at, error.message), self.text, self.source.name
        )


@functools.lru_cache(maxsize=512)
def compilation(text: str, build: cupy_module.BuildOptions, source: sources.Sources) -> Compilation:
    """Return the compilation of this text and build, which is made once."""
    return Compilation(text, build, source)


def _as_array(kind: types.Type) -> tuple[tuple[int, ...], np.dtype]:
    """Return shape and dtype of a NumPy array for a variable of this type."""
    if isinstance(kind, types.Array):
        shape, dtype = _as_array(kind.element)
        return (kind.length or 0, *shape), dtype
    if isinstance(kind, types.Vector):
        return (kind.lanes,), kind.base.dtype
    return (), layout.dtype_of(kind)
