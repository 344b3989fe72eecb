"""What the checked tree promises to whoever runs it: types, conversions, resolved names."""

from pathlib import Path

import pytest

from nnlib.cuda._engine.language import compile_source, tree
from nnlib.cuda._engine.language.cuda_functions import INTRINSICS
from nnlib.cuda._engine.language.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONGLONG,
    UINT,
    VECTORS,
    Array,
    Pointer,
)
from nnlib.cuda._engine.language.walking import nodes

from .cases import RIGHT
from .texts import KERNEL

CORPUS = sorted(Path(__file__).parents[1].glob("corpus/*.cu"))


def body(statements):
    return compile_source(KERNEL % statements).functions["k"].body.statements


def expression(text):
    return body(f"({text});")[0].expression


def show(node):
    """A checked expression in short: conversions as type<...>."""
    match node:
        case tree.Literal(value=value):
            return str(value)
        case tree.Name(variable=variable):
            return variable.name
        case tree.BuiltinIndex(name=name, axis=axis):
            return f"{name}.{axis}" if axis else name
        case tree.Convert(operand=operand, type=kind):
            return f"{kind}<{show(operand)}>"
        case tree.Decay(operand=operand):
            return f"decay({show(operand)})"
        case tree.Unary(op=op, operand=operand):
            return f"({op}{show(operand)})"
        case (
            tree.Binary(op=op, left=left, right=right) | tree.Logical(op=op, left=left, right=right)
        ):
            return f"({show(left)} {op} {show(right)})"
        case tree.Conditional(condition=condition, then=then, otherwise=otherwise):
            return f"({show(condition)} ? {show(then)} : {show(otherwise)})"
        case tree.Index(base=base, index=index):
            return f"{show(base)}[{show(index)}]"
        case tree.Dereference(pointer=pointer):
            return f"*{show(pointer)}"
        case tree.Member(base=base, field=field):
            return f"{show(base)}.{field}"
        case tree.AddressOf(operand=operand):
            return f"&{show(operand)}"
        case tree.PointerOffset(pointer=pointer, index=index):
            return f"({show(pointer)} @ {show(index)})"
        case tree.PointerDifference(left=left, right=right):
            return f"({show(left)} @- {show(right)})"
        case tree.Assign(target=target, value=value):
            return f"{show(target)} = {show(value)}"
        case tree.CompoundAssign(op=op, target=target, value=value, compute_type=kind):
            old = " after its value" if node.gives_old else ""
            return f"{show(target)} {op}= {show(value)} in {kind}{old}"
        case tree.Comma(left=left, right=right):
            return f"({show(left)}, {show(right)})"
        case tree.Call(function=function, arguments=arguments):
            return f"{function.name}({', '.join(map(show, arguments))})"
        case tree.IntrinsicCall(name=name, arguments=arguments):
            return f"{name}({', '.join(map(show, arguments))})"
    raise AssertionError(node)


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("n + u", "(unsigned int<n> + u)"),
        ("n * x[0]", "(float<n> * x[0])"),
        ("d + x[n]", "(d + double<x[n]>)"),
        ("n << u", "(n << u)"),
        ("n < u", "(unsigned int<n> < u)"),
        ("n && d", "(bool<n> && bool<d>)"),
        ("!n", "(!bool<n>)"),
        ("+n", "n"),
        ("-n", "(-n)"),
        ("n ? 1 : x[0]", "(bool<n> ? 1.0 : x[0])"),
        ("x[0] = n", "x[0] = float<n>"),
        ("n = x[0] = 1", "n = int<x[0] = 1.0>"),
        ("n += 1.5f", "n += 1.5 in float"),
        ("n <<= u", "n <<= int<u> in int"),
        ("x[0] += n", "x[0] += float<n> in float"),
        ("x += 2", "x += 2 in float*"),
        ("x -= u", "x += (-long long<u>) in float*"),
        ("x - 1", "(x @ -1)"),
        ("x - c", "(x @- c)"),
        ("1 + x", "(x @ 1)"),
        ("&x[n]", "(x @ n)"),
        ("&*x", "x"),
        ("*&n", "*&n"),
        ("&v[1].y", "&v[1].y"),
        ("v->x", "*v.x"),
        ("x[(unsigned char)n]", "x[int<unsigned char<n>>]"),
        ("(float4*)x", "float4*<x>"),
        ("reinterpret_cast<float4&>(x[4])", "*float4*<(x @ 4)>"),
        ("n++ + --n", "(n += 1 in int after its value + n -= 1 in int)"),
        ("threadIdx.x + warpSize", "(threadIdx.x + unsigned int<warpSize>)"),
        ("sqrt(x[0])", "sqrtf(x[0])"),
        ("sqrtf(n)", "sqrtf(float<n>)"),
        ("max(n, u)", "max(unsigned int<n>, u)"),
        ("max(x[0], d)", "fmax(double<x[0]>, d)"),
        ("abs(x[0])", "fabsf(x[0])"),
        ("pow(x[0], 2)", "powf(x[0], 2.0)"),
        ("__shfl_down_sync(0xffffffff, n, 1)", "__shfl_down_sync(4294967295, n, 1, 32)"),
        ("__syncwarp()", "__syncwarp(4294967295)"),
        ("__ldg(c + 1)", "*(c @ 1)"),
        ("__pipeline_memcpy_async(&x[0], c, 4)", "__pipeline_memcpy_async((x @ 0), c, 4, 0)"),
        ("atomicAdd(&x[1], n)", "atomicAdd((x @ 1), float<n>)"),
        ("x == 0", "(x == 0)"),
        ("2 * 3 + 4", "10"),
        ("7 / -2", "-3"),
        ("-7 % 3", "-1"),
        ("1u - 2", "4294967295"),
        ("2147483647 + 1", "-2147483648"),
        ("(unsigned char)300", "44"),
        ("0.1f + 0.2f", "0.30000001192092896"),
        ("1 / 0", "(1 / 0)"),
        ("sizeof(float4) * 2", "32"),
        ("'a' + 1", "98"),
        ("-1 >> 1", "-1"),
        ("1 ? n : 2", "(True ? n : 2)"),
    ],
)
def test_implicit_things_are_explicit(text, shape):
    assert show(expression(text)) == shape


def test_arrays_decay_only_where_a_value_is_needed():
    declared, used = body("float a[2][3]; x[0] = a[1][2] + *a[0];")
    assert declared.variable.type == Array(Array(FLOAT, 3), 2)
    assert show(used.expression) == "x[0] = (a[1][2] + *decay(a[0]))"


def test_a_text_in_quotes_is_put_into_the_text_of_printf():
    call = expression(r'printf("%s:%*d %s %%\n", "a%", n, n, "b")')
    assert [part.value for part in call.arguments[:1]] == [r"a%%:%*d b %%\n"]
    assert list(map(show, call.arguments[1:])) == ["n", "n"]


def test_initializer_lists_are_flat():
    (declared,) = body("int a[2][3] = {{1}, 4, 5};")
    # Bytes
    assert [(i, show(value)) for i, value in declared.initializer.items] == [
        (0, "1"),
        (12, "4"),
        (16, "5"),
    ]
    (declared,) = body("float2 a[] = {{1, 2}, {3}};")
    assert declared.variable.type == Array(VECTORS["float2"], 2)
    values = [show(value) for _, value in declared.initializer.items]
    assert values == ["make_float2(1.0, 2.0)", "make_float2(3.0, 0.0)"]


def test_constants_are_known_everywhere():
    program = compile_source(
        "const int N = 4;"
        "__global__ void k() { const int M = N * 2; int a[M]; switch (1) { case M: ; } }"
    )
    declared = program.functions["k"].body.statements
    assert declared[1].variable.type == Array(INT, 8)
    assert declared[2].cases[0].value == 8


def test_inner_names_hide_outer_ones():
    outer, block = body("int a = 1; { float a = 2; a = 3; }")
    assert block.statements[1].expression.target.variable is block.statements[0].variable
    assert block.statements[0].variable is not outer.variable


def test_a_kernel_and_its_memory():
    function = compile_source("""
        __shared__ int seen;
        extern "C" __global__ void __launch_bounds__(128) k(const float* __restrict__ x, float4* const y, int n) {
            __shared__ float tile[4][5];
            extern __shared__ int rest[];
            int i = seen, *p = &i;
        }""").functions["k"]
    assert function.kind == "kernel" and function.extern_c and function.max_threads == 128
    assert [p.type for p in function.parameters] == [
        Pointer(FLOAT, True),
        Pointer(VECTORS["float4"]),
        INT,
    ]
    assert [p.const for p in function.parameters] == [False, True, False]
    assert [(s.name, s.dynamic) for s in function.shared] == [
        ("tile", False),
        ("rest", True),
        ("seen", False),
    ]
    i = function.body.statements[0].variable
    assert i.address_taken and i.space == "local"


def test_module_variables_and_functions():
    program = compile_source("""
        __constant__ float w[2] = {1, 2}; __device__ unsigned count; const int N = 3;
        __device__ int f(int a); __device__ int f(float a) { return 2; } __device__ int f(int a) { return 1; }
        __global__ void k() { f(1); f(1.0f); }""")
    assert [(name, variable.space) for name, (variable, _) in program.globals.items()] == [
        ("w", "constant"),
        ("count", "global"),
    ]
    assert program.kernels == ["k"]
    assert set(program.functions) == {"f", "f#2", "k"}
    calls = [s.expression for s in program.functions["k"].body.statements]
    assert [call.function for call in calls] == [program.functions["f"], program.functions["f#2"]]
    assert not program.functions["k"].extern_c


def test_references_are_pointers():
    program = compile_source(
        "__device__ void add(int& a, const int& b) { a += b; }"
        "__global__ void k(int* p) { int i = 1; add(i, 2); add(p[1], i); int& r = p[3]; r = 4; }"
    )
    assert [p.type for p in program.functions["add"].parameters] == [Pointer(INT), INT]
    assert show(program.functions["add"].body.statements[0].expression) == "*a += b in int"
    _, first, second, declared, used = program.functions["k"].body.statements
    assert show(first.expression) == "add(&i, 2)" and show(second.expression) == "add((p @ 1), i)"
    assert declared.variable.type == Pointer(INT) and show(used.expression) == "*r = 4"


def test_what_says_nothing_is_device_code_as_with_cupy():
    program = compile_source("int f() { return 1; } int g; __global__ void k() { g = f(); }")
    assert program.functions["f"].kind == "device" and program.globals["g"][0].space == "global"


@pytest.mark.parametrize("text", [path.read_text() for path in CORPUS] + RIGHT)
def test_promises_hold_for_every_program(text):
    for function in compile_source(text).functions.values():
        for node in nodes(function.body):
            match node:
                case tree.Binary(op="<<" | ">>", left=left, type=kind):
                    assert left.type == kind
                case tree.Binary(op=op, left=left, right=right, type=kind):
                    assert left.type == right.type or isinstance(left.type, Pointer)
                    assert kind == (BOOL if op in ("<", "<=", ">", ">=", "==", "!=") else left.type)
                case tree.Logical(left=left, right=right):
                    assert left.type == right.type == BOOL
                case tree.If(condition=condition) | tree.LoopStmt(condition=condition):
                    assert condition is None or condition.type == BOOL
                case tree.Conditional(
                    condition=condition, then=then, otherwise=otherwise, type=kind
                ):
                    assert condition.type == BOOL and then.type == otherwise.type == kind
                case tree.Assign(target=target, value=value, type=kind):
                    assert target.type == value.type == kind and not isinstance(kind, Array)
                case tree.CompoundAssign(value=value, compute_type=kind):
                    assert value.type == kind or isinstance(kind, Pointer)
                case tree.AddressOf(operand=operand):
                    assert isinstance(operand, tree.Name | tree.Member | tree.Temporary)
                case tree.Call(function=callee, arguments=arguments):
                    assert [a.type for a in arguments] == [p.type for p in callee.parameters]
                case tree.IntrinsicCall(name=name, arguments=arguments) if name != "printf":
                    assert any(
                        len(o.parameters) == len(arguments) and o.result == node.type
                        for o in INTRINSICS[name]
                    )


def test_long_and_long_long_are_different_types_of_one_size():
    assert str(expression("1l").type) == "long" and expression("1l").type != LONGLONG
    assert expression("1l").type.dtype == LONGLONG.dtype
    assert expression("1.5").type == DOUBLE and expression("3u").type == UINT
