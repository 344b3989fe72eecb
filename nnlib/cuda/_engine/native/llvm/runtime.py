"""Compiles by llvmlite for this processor, and runs in place. First used in lesson 07."""

from __future__ import annotations

import os
from typing import Any

from ...language.refusal import Refusal
from ..in_place import RUN, InPlace
from .printer import LlvmEmitter

MOST_THREADS = 4
LEVEL = 1  # of optimisation: lanes are written out, so more takes longer and gains nothing


class Llvm:
    name, in_place, threads = "LLVM", True, min(os.cpu_count() or 1, MOST_THREADS)

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        self._llvm = llvm
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        features = llvm.get_host_cpu_features()
        self._target = {
            "cpu": llvm.get_host_cpu_name(),
            "features": features.flatten(),
            "opt": LEVEL,
            "jit": True,
        }
        lanes = 16 if features.get("avx512f") else 8 if features.get("avx2") else 4
        self.printer = type("LlvmCode", (LlvmEmitter,), {"lane_counts": (lanes, 1)})

    def free_modules(self) -> bool:
        """Return True: code is freed with the last reference to it."""
        return True

    def load(self, text: str, brief: bool = False) -> Any:
        """Compile a module and return its function. brief: skip what pays only for code that serves many launches."""
        llvm = self._llvm
        try:
            module = llvm.parse_assembly(text)
            module.verify()
        except RuntimeError as error:
            raise Refusal(f"code that LLVM does not take: {error}") from None
        # The engine will own it
        machine = llvm.Target.from_default_triple().create_target_machine(**self._target)
        builder = llvm.create_pass_builder(machine, llvm.PipelineTuningOptions(speed_level=LEVEL))
        passes = llvm.create_new_module_pass_manager() if brief else builder.getModulePassManager()
        if brief:
            passes.add_sroa_pass()
            passes.add_instruction_combine_pass()
            passes.add_simplify_cfg_pass()
        passes.run(module, builder)
        engine = llvm.create_mcjit_compiler(module, machine)
        engine.finalize_object()
        run = RUN(engine.get_function_address("run"))
        run.engine = engine  # type: ignore[attr-defined]  # lives as long as the code
        return run

    def compile(self, text: str) -> Any:
        """Return what `space` loads."""
        return self.load(text)

    def space(self) -> InPlace:
        """Return memory for code that finds its data by addresses."""
        return InPlace()


def find() -> Llvm | None:
    """Return the runtime, where llvmlite is installed; else None."""
    try:
        return Llvm()
    except ImportError:
        return None
