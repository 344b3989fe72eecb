"""A kernel in its normal form as a module of WGSL: one invocation for each thread, one workgroup for each block."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

from ..language import tree
from ..language.normal.nodes import waits
from ..language.normal.normalizer import normalized
from ..language.normal.ranges import Ranges
from ..language.types import Scalar
from ..language.walking import nodes_of, variables_in
from .expressions import ShaderExpressions
from .functions import Functions, ShaderNormalizer, cuda_source
from .lvalues import ShaderLvalues
from .memory import Contents, ShaderMemory
from .shader import ArrayArgument, Binding, KernelSource, Shader, ShaderLaunch
from .statements import ShaderStatements
from .uniformity import Uniformity
from .waiting import WARP, Waiting
from .writer import ShaderWriter

PRIVATE = """var<private> inf: u32 = 0x7f800000u;
var<private> minus_inf: u32 = 0xff800000u;
var<private> nan: u32 = 0x7fc00000u;
var<private> bad: bool = false;
var<private> toggle: u32 = 0u;
var<workgroup> any_flag: u32;
var<workgroup> counter: atomic<u32>;
fn ck(i: i32, count: u32) -> i32 {
  let allowed = bitcast<u32>(i) < count;
  bad = bad | !allowed;
  return select(0, i, allowed);
}"""


def kernel_source(program: tree.TranslationUnit, name: str) -> KernelSource:
    """Return a kernel in its normal form. Raises Refusal."""
    function = program.functions[name]
    body = normalized(function, cuda_source, ShaderNormalizer)
    named = variables_in(body)
    variables = {
        variable: name for name, (variable, _) in program.globals.items() if variable in named
    }
    return KernelSource(function, body, variables)


def print_kernel(source: KernelSource, launch: ShaderLaunch, written: Collection[str]) -> Shader:
    """Return the module of a launch. written: parameters through which the kernel may store. Raises Refusal."""
    return ModulePrinter(source, launch, written).print()


class ModulePrinter:
    """Puts together what writes a module."""

    def __init__(
        self, source: KernelSource, launch: ShaderLaunch, written: Collection[str]
    ) -> None:
        self._source, self._launch = source, launch
        parameters = source.function.parameters
        numbers = {
            parameter: argument
            for parameter, argument in zip(parameters, launch.arguments, strict=True)
            if isinstance(argument, int) and isinstance(parameter.type, Scalar)
        }
        self._ranges = Ranges(source.body, launch.grid, launch.block, numbers)
        self._waits = waits(source.body)
        self._uniformity = Uniformity(source.body, self._read_only(written))
        self._masks = self._waits and any(nodes_of(tree.Return, source.body))

    def _read_only(self, written: Collection[str]) -> set[tree.Variable]:
        parameters = self._source.function.parameters
        given = list(zip(parameters, self._launch.arguments, strict=True))
        stored = {
            argument.allocation
            for parameter, argument in given
            if isinstance(argument, ArrayArgument) and parameter.name in written
        }
        constant = {v for v in self._source.globals if v.space == "constant"}
        return constant | {
            parameter
            for parameter, argument in given
            if isinstance(argument, ArrayArgument) and argument.allocation not in stored
        }

    def print(self) -> Shader:
        contents: dict[Any, Contents] = {}
        for _ in range(2):  # the first text says how memory is accessed
            self._writer = ShaderWriter(self._launch.abilities, self._ranges.fits)
            if self._writer.checked:
                self._ranges.ending.clear()  # a counter that does not fit may begin anew
            memory = ShaderMemory(self._writer)
            self._lvalues = ShaderLvalues(
                memory, self._ranges, self._source, self._launch, contents
            )
            expressions = ShaderExpressions(self._lvalues)
            Functions(expressions)
            statements = ShaderStatements(expressions, self._masks)
            if self._waits:
                Waiting(statements, self._uniformity).print(self._source.body)
            else:
                statements.print(self._source.body)
        return self._assembled()

    def _assembled(self) -> Shader:
        writer, launch = self._writer, self._launch
        start = self._start()
        bindings, declarations = self._bindings()
        shared, size = self._shared()
        fields = "".join(f"  {name}: u32,\n" for name in writer.uniforms.values())
        text = [
            f"struct Uniforms {{\n{fields or '  nothing: u32,' + chr(10)}}}",
            "@group(0) @binding(0) var<uniform> u: Uniforms;",
            *declarations,
            f"@group(0) @binding({len(bindings) + 1}) var<storage, read_write> fault: atomic<u32>;",
            PRIVATE,
            f"var<private> budget: u32 = {launch.abilities.iterations}u;",
            *shared,
            *(text for _, text in writer.structs.values()),
            *writer.helpers.values(),
            "fn body(tid: vec3<u32>, bid: vec3<u32>, lane: u32) {",
            *(["  var alive = true;"] if self._masks else []),
            *writer.lines,
            "}",
            f"@compute @workgroup_size({', '.join(map(str, launch.block))})",
            *start,
        ]
        uniforms = tuple(writer.uniforms)
        return Shader("\n".join(text) + "\n", uniforms, bindings, size, writer.subgroups)

    def _bindings(self) -> tuple[tuple[Binding, ...], list[str]]:
        bindings, lines = [], []
        for number, (key, name) in enumerate(self._lvalues.buffers.items()):
            contents = self._lvalues.contents[key]
            written = contents.stored or contents.is_atomic
            bindings.append(Binding(key, written))
            access = "read_write" if written else "read"
            lines.append(
                f"@group(0) @binding({number + 1}) var<storage, {access}> {name}: array<{contents.element}>;"
            )
        return tuple(bindings), lines

    def _shared(self) -> tuple[list[str], int]:
        """Return the declarations of a block's memory, and its bytes."""
        lines, total = [], 0
        for root in self._lvalues.roots.values():
            if root.kind != "shared":
                continue
            kind, own = root.declared
            lines.append(f"var<workgroup> {root.name}: {kind};")
            total += own
        row = -(-math.prod(self._launch.block) // WARP) * WARP
        if "exchange_" in self._writer.helpers:
            lines.append(f"var<workgroup> scratch: array<u32, {2 * row}>;")
            total += 8 * row
        return lines, total

    def _start(self) -> list[str]:
        """Return where an invocation begins: which block it is in; and ends: it says whether it met a fault."""
        writer = self._writer
        lines = [
            "fn main(@builtin(local_invocation_id) tid: vec3<u32>, @builtin(workgroup_id) wid: vec3<u32>,",
            "        @builtin(local_invocation_index) lane: u32) {",
        ]
        block = "wid"
        if self._launch.numbered:
            lines.append(f"  if ({writer.helper('is_beyond_')}(wid)) {{ return; }}")
            block = f"{writer.helper('block_')}(wid)"
        return [
            *lines,
            f"  body(tid, {block}, lane);",
            "  if (bad) { atomicStore(&fault, 1u); }",
            "}",
        ]
