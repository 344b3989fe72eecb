"""A whole CUDA program: text -> checked -> run, as often as one likes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TextIO

from .. import switches
from ..errors import CutTraceback, KernelSyntaxError
from ..language import compile_source
from ..simulator import Profile
from ..sources import Sources, include_folders, texts
from . import sources
from .execution import Execution
from .headers import headers
from .lowering.functions import lower_program
from .ownership import Ownership
from .runtime.devices import Device
from .runtime.gpu_device import GpuDevice
from .timeline import Timeline


@dataclass
class Run:
    """The outcome of one run of a program.

    output: what it printed. status: its exit status, 0 if all went well. notes: what is not an error, such as memory that is
    never freed.
    """

    output: str
    status: int
    notes: list[str] = field(default_factory=list)


class Program:
    """A .cu file with main, on a GPU where there is one, else in the simulator.

    text: the program. name: of it, for messages. options: as for nvcc, of which -DNAME=value counts.
    Raises KernelSyntaxError for what is not understood, before anything runs.

        >>> text = '''
        ... __global__ void add(int a, int b, int* c) { *c = a + b; }
        ... int main() {
        ...     int c, *dev_c;
        ...     cudaMalloc(&dev_c, sizeof(int));
        ...     add<<<1, 1>>>(2, 7, dev_c);
        ...     cudaMemcpy(&c, dev_c, sizeof(int), cudaMemcpyDeviceToHost);
        ...     printf("2 + 7 = %d", c);
        ...     cudaFree(dev_c);
        ... }'''
        >>> Program(text).run()
        Run(output='2 + 7 = 9', status=0, notes=[])
    """

    @CutTraceback()
    def __init__(self, text: str, *, name: str = "program.cu", options: Sequence[str] = ()) -> None:
        self._begin(Sources(name, text), options)

    @classmethod
    @CutTraceback()
    def from_file(
        cls,
        path: str | Path,
        *more: str | Path,
        include: Sequence[str | Path] = (),
        options: Sequence[str] = (),
    ) -> Program:
        """Read the program in a file. more: its other .cu, .cpp and .c files, if it has some.

        include: folders for #include, after the one of the file that includes; options may name more, as "-Ifolder".
        Messages name the file they are about.
        Two files may use one name for different things if it is local to each file (static, inline, const).

            Program.from_file("src/main.cu", "src/kernels.cu", include=["."]).run()
        """
        program = cls.__new__(cls)
        folders = [*map(Path, include), *include_folders(options)]
        program._begin(sources.read([Path(path), *map(Path, more)], folders), options)
        return program

    def _begin(self, source: Sources, options: Sequence[str]) -> None:
        if not isinstance(source.text, str):
            raise TypeError(f"a program is a string of CUDA C, not {source.text!r}")
        self.text, self.options, self._source = source.text, texts("options", options), source
        with self._source.located():
            self._program = compile_source(source.text, options, source.name, headers=headers())
            main = self._program.functions.get("main")
            if main is None or main.kind != "host":
                raise KernelSyntaxError(
                    f"{source.name}: a program begins in main; a kernel alone needs its name, a grid and a block",
                    file=source.name,
                )
            self._code = lower_program(self._program)
        self._last: Execution | None = None

    @CutTraceback()
    def run(
        self,
        args: Sequence[str] = (),
        *,
        files: Mapping[str, bytes | str | Path] | None = None,
        echo: TextIO | None = None,
        checks: Literal["first", "all"] = "first",
    ) -> Run:
        """Run main. args: argv[1], argv[2], …; echo: what is printed goes there, too, as it appears.

        checks: "first": a launch that takes the simulator long is checked when its kernel first has these sizes, and
        runs as native code from then on; "all": every launch runs in the simulator, with all checks.

        files: what the program finds in its folder, by the names that it opens: contents, or the Path of a file to
        copy; it reaches no other files. Raises HostError for a mistake on the host's side, the errors of kernels for
        theirs; what was printed until then is in their `output`.
        """
        if checks not in ("first", "all"):
            raise ValueError(f'checks is "first" or "all", not {checks!r}')
        args = texts("args", args)
        execution = self._execution(echo, files, check_all=checks == "all")
        with self._source.located():
            status = execution.run(args)
        return Run(
            str(execution.output), status, list(map(self._source.locate, execution.mistakes.notes))
        )

    def timeline(self) -> Timeline:
        """Return what the host and the streams did in the last run, and what waited for what.

        Durations of kernels are measured on a GPU; the others are modelled, which the timeline says.
        """
        execution = self._ran()
        return Timeline(execution.schedule, execution.device.is_gpu)

    def memory(self) -> Ownership:
        """Return which memory the last run had allocated at each line, on which side."""
        return Ownership(self._ran().heap.history)

    @CutTraceback()
    def profile(
        self, args: Sequence[str] = (), *, files: Mapping[str, bytes | str | Path] | None = None
    ) -> dict[str, list[Profile]]:
        """Run the program in the simulator and count what Nsight Compute counts: kernel -> a Profile for each launch.

        files: those that it reads, as for `run`.
        """
        args = texts("args", args)
        execution = self._execution(files=files, profiling=True)
        with self._source.located():
            execution.run(args)
        found: dict[str, list[Profile]] = {}
        for kernel, profile in execution.device.profiles:
            found.setdefault(kernel, []).append(profile)
        return found

    def _execution(
        self,
        echo: TextIO | None = None,
        files: Mapping[str, bytes | str | Path] | None = None,
        profiling: bool = False,
        check_all: bool = False,
    ) -> Execution:
        real = switches.on_gpu() and not profiling
        device = (
            GpuDevice(self._program, self.options)
            if real
            else Device(self._program, profiling, check_all)
        )
        self._last = Execution(self._code, device, echo, files)
        return self._last

    def _ran(self) -> Execution:
        if self._last is None:
            self.run()
        assert self._last is not None
        return self._last
