"""RawKernel and RawModule in CuPy's call convention: on the GPU where there is one, else simulated. Lesson 01.

Differences from CuPy, all of them checks: arguments are compared with the kernel's signature, Python
numbers become the declared C type, and every mistake is an error that says where and what to do. One is not:
get_global gives an array, where CuPy gives an address.
"""

from __future__ import annotations

import contextlib
import functools
import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..limits import MAX_THREADS
from . import native, routes, sources, switches, webgpu
from .arguments import as_cupy, signature, validation
from .arguments.transfer import Transfer
from .compilation import compilation
from .errors import (
    CutTraceback,
    Dim3,
    KernelError,
    KernelSyntaxError,
    KernelTimeoutError,
    UnsupportedError,
)
from .gpu import cupy_module
from .gpu.prepared import Place, PreparedLaunch
from .language import diagnostics, tree, types
from .language.refusal import Refusal
from .routes import LaunchFacts, Route, decide
from .simulator import (
    MAX_STEPS,
    Compiled,
    Interleaving,
    LaunchOptions,
    Profile,
    Trace,
    interleave,
    launch,
    sample,
    trace,
)

_SIZED = types.Scalar, types.Vector, types.Array, types.Struct  # what shared memory holds


class RawModule:
    """CUDA C text with one or more kernels, compiled when first needed, and once.

    code: the text, or path: a file with it, whose host part (main, launches, std::vector) is skipped, and whose
    headers are looked for beside it, too. options: as for NVRTC, e.g. ("-DTILE=16", "-Iinclude"): headers of your
    own are looked for in the folders that -I names.
    The rest is as in cupy.RawModule. backend: "nvrtc", or "nvcc", which takes code with a host part, too. jitify: let
    Jitify find headers, translate_cucomplex: bring cuComplex.h; both matter on a GPU only.
    enable_cooperative_groups: launches may use grid.sync(), for which all blocks run at once.
    name_expressions: kernels without extern "C", such as those made of templates, as get_function is to know them.

        >>> import numpy as np
        >>> text = "template <typename T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= N; }"
        >>> x = np.ones(4)
        >>> RawModule(text, name_expressions=("scale<double, 3>",)).get_function("scale<double, 3>")(1, 4, (x,))
        >>> x
        array([3., 3., 3., 3.])
    """

    def __init__(
        self,
        code: str | None = None,
        *,
        path: str | Path | None = None,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        enable_cooperative_groups: bool = False,
        name_expressions: Sequence[str] | None = None,
        jitify: bool | None = None,
        translate_cucomplex: bool = False,
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("RawModule needs either code= or path=")
        if str(backend) not in ("nvrtc", "nvcc"):
            raise ValueError(f"backend is {backend!r}; write 'nvrtc' or 'nvcc'")
        if not isinstance(code, str | None):
            raise TypeError(f"code is a string of CUDA C, not {code!r}")
        file = None if path is None else Path(path)
        text = code or "" if file is None else sources.read(file)
        build = cupy_module.BuildOptions(
            sources.texts("options", options),
            backend,
            bool(enable_cooperative_groups),
            sources.texts("name_expressions", () if name_expressions is None else name_expressions),
            bool(jitify),
            translate_cucomplex=bool(translate_cucomplex),
            is_file=file is not None or backend == "nvcc",
        )
        name, folder = ("kernel.cu", None) if file is None else (str(file), file.parent)
        self._compilation = compilation(
            text, build, sources.with_headers(name, text, build.options, folder)
        )

    def get_function(self, name: str) -> RawKernel:
        """Return the kernel of that name, which is compiled at its first use."""
        return RawKernel(self, name)

    def get_global(self, name: str) -> Any:
        """Return the `__constant__` or `__device__` variable of that name as an array that is the variable itself.

        Kernels of later launches read what is written to it, and it shows what they write. Shape and dtype are those of the
        declaration: `__constant__ float w[3][5]` is (3, 5) of float32, a single number is (), vectors such as float4 have an
        axis of their own. It is a CuPy array on a GPU, else a NumPy array; the simulator has its own copy even on a machine with
        a GPU. Modules of the same text share their variables.

            >>> module = RawModule("__constant__ float w[4] = {1, 2};")
            >>> module.get_global("w")[2:] = 5
            >>> module.get_global("w")
            array([1., 2., 5., 5.], dtype=float32)

        Raises KernelError where there is no such variable.
        """
        shape, dtype = self._compilation.variable(_checked(name, "variable"))
        if switches.on_gpu():
            return cupy_module.get_global(self._compilation.gpu_module, name, shape, dtype)
        return self._compilation.simulated.variable(name).reshape(shape)

    @CutTraceback()
    def compile(self) -> None:
        """Compile now; raises KernelSyntaxError where the text is no CUDA C."""
        with self._compilation.source.located():
            _ = (
                self._compilation.gpu_module
                if switches.on_gpu()
                else self._compilation.simulated.code()
            )

    @property
    def program(self) -> tree.TranslationUnit:
        """The text as checked; raises KernelSyntaxError where it is no CUDA C that the simulator knows."""
        return self._compilation.program

    @property
    def kernels(self) -> list[str]:
        """Names of the kernels in the text."""
        return self._compilation.program.kernels

    @property
    def warnings(self) -> list[str]:
        """Return warnings about code that compiles but is probably not meant, such as a double constant in float arithmetic."""
        source = self._compilation.source
        return [
            source.locate(
                diagnostics.render(diagnostics.Fault(at, message), source.text, source.name)
            )
            for at, message in self._compilation.program.warnings
        ]


def name_expressions(name: str | None) -> tuple[str, ...]:
    """Return the name expressions that a module needs for the kernel of that name: none, unless it comes from a template."""
    return (name,) if name and "<" in name else ()


def _checked(name: str, what: str) -> str:
    if not isinstance(name, str):
        raise TypeError(f"name is a {what}'s, a string, not {name!r}")
    return name


class RawKernel:
    """One kernel. `kernel(grid, block, args)` launches it.

    strict: whether a launch is refused that CuPy would refuse, or whose numbers CuPy would pass as bytes that the
    kernel reads as others, such as a Python float for a `float`. False unless it is set.

    code: CUDA C text or a RawModule; name: of a `extern "C" __global__` function in it, or a name expression of the
    module. The rest: see RawModule. Its `module` knows the text's variables: `kernel.module.get_global("w")`.
    """

    def __init__(
        self,
        code: str | RawModule,
        name: str,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        *,
        enable_cooperative_groups: bool = False,
        jitify: bool | None = None,
        translate_cucomplex: bool = False,
    ) -> None:
        self.name = _checked(name, "kernel")
        self.module = (
            code
            if isinstance(code, RawModule)
            else RawModule(
                code,
                options=options,
                backend=backend,
                enable_cooperative_groups=enable_cooperative_groups,
                jitify=jitify,
                translate_cucomplex=translate_cucomplex,
            )
        )
        self._compilation = self.module._compilation
        self.strict = False

    @CutTraceback()
    def __call__(
        self,
        grid: Any,
        block: Any,
        args: Sequence[Any],
        shared_mem: int = 0,
        *,
        stream: Any = None,
        checks: bool | Collection[str] | None = None,
        step_limit: int | None = None,
    ) -> None:
        """Launch, and change the arrays of non-const pointers in place.

        grid: blocks, block: threads of a block; each one number or up to three, x first.
        args: a tuple, one value per parameter. An array (C-contiguous, of the declared type) for a pointer, a Python or
        NumPy number for anything else: it becomes the declared type. A struct is a NumPy scalar, a tuple of its
        members or its bytes; an array of structs has the dtype of `parameters[k].dtype`, or is one of bytes (uint8),
        as CuPy needs it. A vector is an array of its numbers. 0 for a pointer is the null pointer.
        shared_mem: bytes of `extern __shared__` memory per block. stream: CuPy's, for a launch on a GPU.
        checks: whether a simulated launch looks for mistakes, or the names of those that it looks for;
        None: as `with checks(...)` says, else all.
        step_limit: loop iterations, of 1,024 threads each, after which a simulated launch is stopped as endless.
        Without it only a loop without progress is, in tests also a launch of 5,000,000 iterations; a long one says on
        stderr where it is, and can be interrupted.

        On a GPU, NumPy arrays are copied there and back; CuPy arrays are used as they are and the launch does not
        wait. `checks` and `step_limit` change nothing there. A simulated launch that fails leaves the arrays as they
        were, but with checks=False. Raises ArgumentError and LaunchError on both; the simulator raises the other errors, too.
        """
        if checks is not None and not isinstance(checks, bool):
            checks = switches.known(
                sources.texts("checks", [checks] if isinstance(checks, str) else checks)
            )
        if checks is None:
            checks = switches.checking()
        call = self._call(grid, block, args, shared_mem)
        route = decide(
            LaunchFacts(
                lambda: call.prospect,
                webgpu=call.is_for_webgpu,
                only_webgpu=switches.webgpu_required(),
                on_gpu=switches.on_gpu(),
                native=switches.native_allowed(),
                required=switches.native_required(),
                checked=bool(checks),
                results_only=step_limit is None,
                is_single=call.is_single,
            )
        )
        if route is Route.GPU:
            call.on_gpu(self._gpu_function, stream)
        elif route in (Route.WEBGPU, Route.WEBGPU_ONLY):
            self._run_through_webgpu(call, checks, route is Route.WEBGPU_ONLY)
        elif route is Route.ANY_SIZE:
            self._run_at_any_size(call)
        elif route is Route.NATIVE or (
            route is Route.FIRST_STEPS and self._begins_well(call, checks)
        ):
            self._run_natively(call, checks)
        else:
            self._simulate(call, checks, step_limit)

    @CutTraceback()
    def profile(
        self,
        grid: Any,
        block: Any,
        args: Sequence[Any],
        shared_mem: int = 0,
        *,
        max_blocks: int | None = None,
        step_limit: int | None = None,
    ) -> Profile:
        """Launch in the simulator, counting what Nsight Compute counts; arrays of either side.

        grid, block, args, shared_mem, step_limit: as for a launch.
        max_blocks: of a large grid run only that many blocks, spread over it; such a sample leaves the arrays as
        they were.
        Counted is what the text says; `as_compiled` is the traffic that is left where a compiler keeps values in
        registers, which Nsight Compute sees.
        A member of a struct is one access of its size. A struct that is copied whole takes the widest accesses that
        its alignment allows, all its members: a compiler leaves out those that nobody uses.

            >>> import numpy as np
            >>> add_one = RawKernel('extern "C" __global__ void add_one(float* x) { x[threadIdx.x] += 1; }', "add_one")
            >>> add_one.profile(1, 32, (np.zeros(32, np.float32),)).global_load.sectors
            4
        """
        if max_blocks is not None:
            max_blocks = validation.count(self.name, "max_blocks", max_blocks, 1, "blocks")
        call = self._call(grid, block, args, shared_mem)
        profile = self._simulate(
            call, True, step_limit, profile=True, blocks=sample(call.grid, max_blocks)
        )
        assert profile is not None
        return profile

    @CutTraceback()
    def trace(
        self,
        grid: Any,
        block: Any,
        args: Sequence[Any],
        shared_mem: int = 0,
        *,
        block_index: Any = (0, 0, 0),
        max_steps: int = MAX_STEPS,
    ) -> Trace:
        """Follow one block statement by statement in the simulator; the arrays stay as they were.

        grid, block, args, shared_mem: as for a launch. block_index: which block, one number or up to three, x first.
        max_steps: statements after which the trace ends.
        """
        call = self._call(grid, block, args, shared_mem)
        with self._compilation.source.located():
            return trace(
                *call.simulated(call.copies()),
                block_index=self._block_index(block_index),
                max_steps=validation.count(self.name, "max_steps", max_steps, 1, "statements"),
            )

    @CutTraceback()
    def interleave(
        self, grid: Any, block: Any, args: Sequence[Any], shared_mem: int = 0, *, order: int = 0
    ) -> Interleaving:
        """Run its warps in turns, in the simulator and without any check; the arrays stay as they were.

        grid, block, args, shared_mem: as for a launch. order: 0: warp after warp; 1: the last first; 2, 3, …: a
        different random interleaving of their accesses each. What depends on it is a race.
        """
        call = self._call(grid, block, args, shared_mem)
        order = validation.count(self.name, "order", order, 0, "orders")
        with self._compilation.source.located():
            return interleave(*call.simulated(call.copies()), order)

    @CutTraceback()
    def prepare(
        self,
        grid: Any,
        block: Any,
        args: Sequence[Any],
        shared_mem: int = 0,
        places: Iterable[Place] = (),
    ) -> PreparedLaunch:
        """Prepare a launch on a GPU that is started often, each time on other arrays where `args` has NumPy's: see `places`."""
        grid, block, values, shared_mem = self._prepare(grid, block, args, shared_mem)
        return PreparedLaunch(
            self.name, self._gpu_function, (grid, block, shared_mem), values, places
        )

    @CutTraceback()
    def is_long(self, grid: Any, block: Any, args: Sequence[Any], shared_mem: int = 0) -> bool:
        """Return whether the simulator needs seconds for this launch, while native code can run it. Arguments as for a launch."""
        call = self._call(grid, block, args, shared_mem)
        return Route.NATIVE is decide(
            LaunchFacts(
                lambda: call.prospect,
                on_gpu=switches.on_gpu(),
                native=switches.native_allowed(),
                judged=True,
            )
        )

    @property
    def code(self) -> str:
        """The CUDA C text that it stands in."""
        return self._compilation.text

    @property
    def options(self) -> tuple[str, ...]:
        """Return the options that the source was compiled with, such as "-DTILE=16"."""
        return self._compilation.build.options

    @CutTraceback()
    def compile(self) -> None:
        """Compile now; raises KernelSyntaxError, or KernelError where there is no such kernel."""
        _ = self.parameters
        _ = (
            self._gpu_function
            if switches.on_gpu()
            else self._simulated.code(self._compilation.kernel(self.name).name)
        )

    @functools.cached_property
    def parameters(self) -> tuple[signature.Parameter, ...] | None:
        """Names and types. On a GPU, where the text is C++ beyond our CUDA C: None, or what its declaration says."""
        try:
            _ = self._compilation.program
        except KernelSyntaxError:
            if not switches.on_gpu():
                raise
            _ = self._compilation.gpu_module  # raises if it is wrong there, too
            return signature.of_text(self._compilation.text, self.name)
        return signature.of_function(self._compilation.kernel(self.name))

    @property
    def attributes(self) -> dict[str, Any]:
        """Return what the compiler made of the kernel.

        On a GPU these are CuPy's attributes (num_regs, shared_size_bytes, local_size_bytes, max_threads_per_block, ...). Without
        one they are shared_size_bytes, what __launch_bounds__ says, `native`: what runs unchecked launches, or why native code
        does not, and `webgpu`, which says the same of long ones.
        """
        if switches.on_gpu():
            return dict(self._gpu_function.attributes)
        shared = [variable.type for variable in self._compilation.kernel(self.name).shared]
        return {
            "shared_size_bytes": sum(kind.size for kind in shared if isinstance(kind, _SIZED)),
            "max_threads_per_block": self._compilation.kernel(self.name).max_threads or MAX_THREADS,
            "native": native.described(self._compilation.program, self._own_name),
            "webgpu": webgpu.described(self._compilation.program, self._own_name),
        }

    @functools.cached_property
    def _gpu_function(self) -> Any:
        function = cupy_module.get_function(self._compilation.gpu_module, self.name)
        if function is None:
            raise KernelError(f'no kernel {self.name!r} that is extern "C" in this code')
        return function

    @property
    def _own_name(self) -> str:
        return self._compilation.kernel(self.name).name

    @functools.cached_property
    def _simulated(self) -> Compiled:
        self._compilation.kernel(self.name)
        return self._compilation.simulated

    def _prepare(
        self, grid: Any, block: Any, args: Any, shared_mem: Any
    ) -> tuple[Dim3, Dim3, list[Any], int]:
        if self.strict and isinstance(args, tuple | list):
            as_cupy.check(self.name, grid, block, self.parameters or (), args)
        return (
            validation.launch_shape(self.name, "grid", grid),
            validation.launch_shape(self.name, "block", block),
            validation.check(self.name, self.parameters, args),
            validation.count(self.name, "shared_mem", shared_mem, 0, "bytes"),
        )

    def _block_index(self, index: Any) -> tuple[int, ...]:
        index = tuple(index) if isinstance(index, (tuple, list)) else (index,)
        return tuple(
            validation.count(self.name, f"block_index.{axis}", number, 0, "blocks")
            for axis, number in zip("xyz", (*index, 0, 0, 0), strict=False)
        )

    def _call(self, grid: Any, block: Any, args: Any, shared_mem: Any) -> CheckedLaunch:
        return CheckedLaunch(self, *self._prepare(grid, block, args, shared_mem))

    def _run_natively(self, call: CheckedLaunch, checks: bool | Collection[str]) -> None:
        """Run a launch as native code; one that meets an error runs again in the simulator, which reports it."""
        try:
            is_refused = self._finish(call, call.prospect.run(), checks)
        except KernelTimeoutError as error:
            error.may_end = False  # native code went much further, and met no end
            raise
        if is_refused:
            self._simulate(call, checks)

    def _run_through_webgpu(
        self, call: CheckedLaunch, checks: bool | Collection[str], required: bool
    ) -> None:
        """Run a launch on a GPU through WebGPU, natively where that refuses, in the simulator for the report of an error."""
        launch = call.through_webgpu()
        with self._required("through WebGPU"):
            outcome = launch.run_or_refuse() if required else launch.run()
        if self._finish(call, outcome, checks):
            self._run_natively(call, checks)

    def _run_at_any_size(self, call: CheckedLaunch) -> None:
        """Run a launch as native code that is compiled for all sizes; simulate the block that meets an error, for its report."""
        with self._required("as native code"):
            outcome, block = call.prospect.run_at_any_size()
        if outcome is native.Outcome.DONE:
            call.on_host.copy_back(self.parameters)
            return
        if block is not None:
            self._simulate(call, True, blocks=[block])
        raise UnsupportedError(
            f"kernel {self.name} meets an error as native code that one of its blocks alone does not show",
            kernel=self.name,
        )

    @contextlib.contextmanager
    def _required(self, how: str) -> Iterator[None]:
        """Say why a launch does not run in the only way that is allowed."""
        try:
            yield
        except Refusal as refusal:
            raise UnsupportedError(
                f"kernel {self.name} does not run {how}: {refusal}", kernel=self.name
            ) from None

    def _finish(
        self, call: CheckedLaunch, outcome: native.Outcome, checks: bool | Collection[str]
    ) -> bool:
        """Bring the results of an engine home, or simulate a launch that met an error. Return whether it refused."""
        if outcome is native.Outcome.DONE:
            call.on_host.copy_back(self.parameters)
        elif outcome is not native.Outcome.REFUSED:
            self._simulate(call, checks or True)
        return outcome is native.Outcome.REFUSED

    def _simulate(
        self,
        call: CheckedLaunch,
        checks: bool | Collection[str],
        step_limit: int | None = None,
        profile: bool = False,
        blocks: Sequence[int] | None = None,
    ) -> Profile | None:
        if step_limit is not None:
            step_limit = validation.count(self.name, "step_limit", step_limit, 1, "loop iterations")
        limit = step_limit or switches.step_limit()
        with self._compilation.source.located():
            result = launch(*call.simulated(call.on_host, checks, limit, blocks), profile)
        if blocks is None:  # else the arrays are as they were
            call.on_host.copy_back(self.parameters)
        return result

    def _begins_well(self, call: CheckedLaunch, checks: bool | Collection[str]) -> bool:
        """Return whether a single thread makes no mistake in its first iterations, and has more of them."""
        try:
            with self._compilation.source.located():
                launch(*call.simulated(call.copies(), checks, routes.FIRST_STEPS))
        except KernelTimeoutError:
            return True
        return False


@dataclass
class CheckedLaunch:
    """A launch whose arguments were checked. They are moved to the right memory once the launch's route is known."""

    kernel: RawKernel
    grid: Dim3
    block: Dim3
    values: Sequence[Any]
    shared_mem: int

    @property
    def is_single(self) -> bool:
        """Return whether the launch has one thread."""
        return math.prod(self.grid) * math.prod(self.block) == 1

    def _moved(self, private: bool) -> Transfer:
        validation.check_simulated(self.kernel.name, self.kernel.parameters or ())
        return Transfer(self.values, to_device=False, private=private)

    @functools.cached_property
    def on_host(self) -> Transfer:
        """The arguments for the simulator and for native code, moved there once."""
        return self._moved(private=False)

    def copies(self) -> Transfer:
        """Return the arguments for a launch that leaves the arrays as they are."""
        return self._moved(private=True)

    def simulated(
        self,
        moved: Transfer,
        checks: bool | Collection[str] = True,
        step_limit: int | None = None,
        blocks: Sequence[int] | None = None,
    ) -> tuple[Compiled, str, list[Any], LaunchOptions]:
        """Return the launch as the simulator takes it: program, name of the kernel there, arguments, options."""
        kernel = self.kernel
        options = LaunchOptions(
            self.grid,
            self.block,
            self.shared_mem,
            checks,
            step_limit,
            kernel._compilation.build.enable_cooperative_groups,
            blocks,
        )
        return kernel._simulated, kernel._own_name, list(moved.values), options

    @property
    def _specialized(self) -> tuple[Compiled, str, Dim3, Dim3, Sequence[Any], int]:
        program, name, values, options = self.simulated(self.on_host)
        return program, name, options.grid, options.block, values, options.shared_mem

    @functools.cached_property
    def prospect(self) -> native.Prospect:
        """The launch as native code would have it, looked up once."""
        return native.Prospect(*self._specialized)

    def through_webgpu(self) -> webgpu.WebGpuLaunch:
        """Return the launch as WebGPU would have it."""
        return webgpu.WebGpuLaunch(*self._specialized, self.prospect.seconds)

    def is_for_webgpu(self) -> bool:
        """Return whether it may run there, as far as one knows before it is compiled."""
        return switches.webgpu_allowed() and self.through_webgpu().is_possible

    def on_device(self) -> Transfer:
        """Return the arguments for a GPU."""
        return Transfer(self.values, to_device=True)

    def on_gpu(self, function: Any, stream: Any) -> None:
        """Launch it there."""
        with stream or contextlib.nullcontext():
            moved = self.on_device()
            cupy_module.launch(
                self.kernel.name, function, self.grid, self.block, moved.values, self.shared_mem
            )
            moved.copy_back(self.kernel.parameters)
