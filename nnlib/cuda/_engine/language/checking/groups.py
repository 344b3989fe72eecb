"""Cooperative groups: the functions of the namespace, and the methods of its types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..cuda_functions import INTRINSICS, Overload
from ..diagnostics import Fault, Unsupported
from ..parsing.syntax import CallSyntax, Identifier, Node
from ..tree import Build, BuiltinIndex, Expr, InitializerList, Literal, Member, Position
from ..types import (
    CG,
    COALESCED_GROUP,
    GRID_GROUP,
    THREAD_BLOCK,
    UINT,
    ULONGLONG,
    Array,
    Group,
    Struct,
    Vector,
    tile_of,
)
from .intrinsics import call_intrinsic, check_count, make_index, make_vector
from .names import Context
from .objects import decayed, is_lvalue
from .operators import binary
from .overloads import resolve
from .type_names import TypeNames
from .values import convert

OPERATIONS = ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")
_COMMON = "sync thread_rank size"
_LANES = f"{_COMMON} shfl shfl_up shfl_down any all ballot"
METHODS = {
    "block": f"{_COMMON} group_index thread_index group_dim dim_threads".split(),
    "any": _COMMON.split(),
    "coalesced": _LANES.split(),
    "tile": f"{_LANES} meta_group_rank meta_group_size shfl_xor".split(),
    "grid": f"{_COMMON} block_rank num_blocks dim_blocks group_dim block_index".split(),
}
_INDICES = {
    "group_index": "blockIdx",
    "block_index": "blockIdx",
    "thread_index": "threadIdx",
    "dim_threads": "blockDim",
    "dim_blocks": "gridDim",
}


@dataclass(eq=False)
class GroupChecker:
    """value: checks an expression."""

    context: Context
    types: TypeNames
    value: Callable[[Node], Expr]

    def means(self, name: str) -> str | None:
        """Return the function of the namespace that is meant by a name which the program does not declare."""
        full = [known for known in self.context.library_names(name) if known.startswith(CG)]
        return full[0][len(CG) :] if full else None

    def function(self, node: CallSyntax, given: list[Node], name: str) -> Expr | None:
        """Check a call of the namespace's function of that name; return None if there is none. given: <...> behind the name."""
        at, arguments = node.at, node.arguments
        groups = {"this_thread_block": THREAD_BLOCK, "this_grid": GRID_GROUP}
        if name in groups:
            return Literal(at, groups[name], 0)
        if name == "coalesced_threads":
            return convert(
                call_intrinsic(self.context, at, INTRINSICS["__activemask"][0], []), COALESCED_GROUP
            )
        if name == "tiled_partition":
            return self._tile(at, arguments, given)
        if name in ("reduce", "inclusive_scan", "exclusive_scan"):
            least, parameters = 2 if "scan" in name else 3, ["group", "value", "cg::plus<T>()"]
            check_count(at, name, arguments, least, parameters)
            operation = self.operation(arguments[2]) if len(arguments) > 2 else "plus"
            if operation is None:
                raise Unsupported(
                    arguments[2],
                    "reductions with an operation of one's own",
                    f"use one of cg::{', cg::'.join(OPERATIONS)}, or a loop with shfl_down()",
                )
            return self._call(
                at, f"{name}_{operation}", [self.value(argument) for argument in arguments[:2]]
            )
        if name == "sync" and len(arguments) == 1:
            return self.method(at, self.value(arguments[0]), "sync", [])
        if name in ("binary_partition", "labeled_partition"):
            return self._call(at, name, [self.value(argument) for argument in arguments])
        return None

    def operation(self, node: Node) -> str | None:
        """Return the plus of cg::plus<float>(); None if it is none of the library's."""
        called = node.value if isinstance(node, CallSyntax) else None
        name = self.means(called.name) if isinstance(called, Identifier) else None
        return name if name in OPERATIONS else None

    def _tile(self, at: Position, arguments: list[Node], given: list[Node]) -> Expr:
        parameters = ["group"] if given else ["group", "size"]
        check_count(at, "tiled_partition", arguments, len(parameters), parameters)
        group = self.value(arguments[0])
        if not given:
            return self._call(at, "tile", [group, self.value(arguments[1])])
        lanes = self.types.tile_size(given[0])
        kind = group.type
        if (
            not isinstance(kind, Group)
            or kind.kind not in ("block", "tile")
            or lanes > (kind.lanes or lanes)
        ):
            raise Fault(
                at,
                f"'{kind}' has no tiles of {lanes} threads",
                "divide a thread_block, or a larger tile",
            )
        call = self._call(at, "tile", [Literal(at, THREAD_BLOCK, 0), Literal(at, UINT, lanes)])
        return convert(call, tile_of(lanes, kind.lanes))

    def method(self, at: Position, group: Expr, name: str, arguments: list[Expr]) -> Expr:
        """Check group.name(arguments)."""
        kind = group.type
        assert isinstance(kind, Group)
        if name == "num_threads":
            name = "size"
        if name not in METHODS[kind.kind]:
            raise Unsupported(
                at, f"{kind}::{name}()", f"it has {', '.join(sorted(METHODS[kind.kind]))}"
            )
        if name in _INDICES:
            return make_index(self.context, at, _INDICES[name])
        if name == "group_dim":
            return make_index(self.context, at, f"{kind.kind}Dim")
        if kind == GRID_GROUP:
            return self._of_grid(at, group, name)
        if name.startswith("shfl") and arguments and isinstance(arguments[0].type, Vector | Struct):
            return self._of_parts(at, group, name, arguments[0], arguments[1:])
        if kind.kind == "tile" and name == "size":
            return Literal(at, UINT, kind.lanes)
        if name.startswith("meta_group"):
            return self._meta(at, name, kind)
        return self._call(at, name, [group, *arguments])

    def _of_parts(
        self, at: Position, group: Expr, name: str, value: Expr, rest: list[Expr]
    ) -> Expr:
        """Exchange a struct or vector part by part."""
        kind = value.type
        if not is_lvalue(value):
            raise Unsupported(
                at, f"{name}() of a '{kind}' without a name", "store it in a variable first"
            )
        if isinstance(kind, Vector):
            lanes = [
                self.method(at, group, name, [Member(at, kind.base, value, lane), *rest])
                for lane in kind.fields
            ]
            return make_vector(self.context, at, kind, lanes)
        assert isinstance(kind, Struct)
        items: list[tuple[int, Expr]] = []
        for field in kind.fields:
            if isinstance(field.type, Array) or not field.name or kind.kind == "union":
                raise Unsupported(
                    at,
                    f"{name}() of '{kind}', which has an array or a union",
                    "exchange its members",
                )
            part = Member(at, field.type, value, field.name)
            items.append((field.offset, self.method(at, group, name, [part, *rest])))
        return Build(at, kind, InitializerList(items))

    def _meta(self, at: Position, name: str, kind: Group) -> Expr:
        """Compute which of the parent's tiles a tile is, or how many there are."""
        block, parent = Literal(at, THREAD_BLOCK, 0), Literal(at, UINT, kind.parent)
        if name == "meta_group_rank":
            found = self._call(at, "thread_rank", [block])
            if kind.parent:
                found = binary(self.context, at, "%", found, parent)
        else:
            found = parent if kind.parent else self._call(at, "size", [block])
            found = binary(self.context, at, "+", found, Literal(at, UINT, kind.lanes - 1))
        return binary(self.context, at, "/", found, Literal(at, UINT, kind.lanes))

    def _of_grid(self, at: Position, grid: Expr, name: str) -> Expr:
        if name in ("sync", "block_rank"):
            return self._call(at, "sync_grid" if name == "sync" else name, [grid])
        block: Expr = Literal(at, THREAD_BLOCK, 0)
        threads = convert(self._call(at, "size", [block]), ULONGLONG)
        if name == "thread_rank":
            first = binary(self.context, at, "*", self._call(at, "block_rank", [grid]), threads)
            return binary(self.context, at, "+", first, self._call(at, "thread_rank", [block]))
        blocks: Expr = Literal(at, ULONGLONG, 1)
        for axis in "xyz":
            blocks = binary(self.context, at, "*", blocks, BuiltinIndex(at, UINT, "gridDim", axis))
        return blocks if name == "num_blocks" else binary(self.context, at, "*", blocks, threads)

    def _call(self, at: Position, name: str, arguments: list[Expr]) -> Expr:
        values = [decayed(argument) for argument in arguments]
        chosen = resolve(at, CG + name, values, [], INTRINSICS[CG + name])
        assert isinstance(chosen, Overload)
        return call_intrinsic(self.context, at, chosen, values)
