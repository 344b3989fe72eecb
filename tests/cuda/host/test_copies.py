"""Copies byte for byte: the first and the last one, what lies between rows, nothing at all; and what is refused."""

import pytest

from nnlib.cuda import HostError, Program, force_simulator
from tests.cuda.language.texts import recorded_messages


@pytest.fixture(autouse=True, scope="module")
def simulated():
    """What is counted and said here is the simulator's, also where there is a GPU."""
    with force_simulator():
        yield


START = r"""
__device__ int numbers[6];
__constant__ short shorts[4];
__global__ void gather(int* x) { x[threadIdx.x] = numbers[threadIdx.x]; }
void show(const unsigned char* x, int n) { for (int i = 0; i < n; i++) printf("%d ", x[i]); }
"""
HELD = (
    "unsigned char h[24], b[24]; for (int i = 0; i < 24; i++) { h[i] = i + 1; b[i] = 0; }\n"
    "unsigned char *d; cudaMalloc(&d, 24); cudaMemset(d, 99, 24);\n"
)
UP, DOWN = "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost"
BACK = f"cudaMemcpy(b, d, 24, {DOWN}); show(b, 24);"


def rest(*given, count=24, value=99):
    return " ".join(map(str, [*given, *[value] * (count - len(given))])) + " "


CONTENTS = [  # statements, the 24 bytes afterwards
    (f"cudaMemcpy(d, h, 24, {UP}); {BACK}", rest(*range(1, 25))),
    (f"cudaMemcpy(d, h + 23, 1, {UP}); {BACK}", rest(24)),
    (f"cudaMemcpy(d + 23, h, 1, {UP}); {BACK}", rest(*[99] * 23, 1)),
    (f"cudaMemcpy(d + 1, h, 0, {UP}); cudaMemcpy(NULL, NULL, 0, {UP}); {BACK}", rest()),
    (f"cudaMemcpy(d + 5, h + 2, 3, cudaMemcpyDefault); {BACK}", rest(*[99] * 5, 3, 4, 5)),
    (
        f"cudaMemcpy(d, h, 24, {UP}); cudaMemcpy(d + 1, d, 23, cudaMemcpyDeviceToDevice); {BACK}",
        rest(1, *range(1, 24)),
    ),
    (
        f"cudaMemcpy2D(d, 8, h, 6, 5, 3, {UP}); {BACK}",
        rest(1, 2, 3, 4, 5, 99, 99, 99, 7, 8, 9, 10, 11, 99, 99, 99, 13, 14, 15, 16, 17),
    ),
    (
        f"cudaMemcpy2D(d + 3, 8, h + 3, 8, 5, 3, {UP}); {BACK}",  # the last row ends with the memory
        rest(99, 99, 99, *range(4, 9), 99, 99, 99, *range(12, 17), 99, 99, 99, *range(20, 25)),
    ),
    (f"cudaMemcpy2D(d, 4, h, 4, 4, 2, {UP}); {BACK}", rest(*range(1, 9))),
    (f"cudaMemcpy2D(d, 4, h, 4, 4, 0, {UP}); cudaMemcpy2D(d, 4, h, 4, 0, 4, {UP}); {BACK}", rest()),
    (
        f"cudaMemcpy2D(d + 14, 9, h + 19, 4, 1, 2, {UP}); {BACK}",
        rest(*[99] * 14, 20, *[99] * 8, 24),
    ),
    (f"cudaMemset(d + 22, 300, 2); {BACK}", rest(*[99] * 22, 44, 44)),
    (f"cudaMemset(d, -1, 0); cudaMemset(NULL, 1, 0); {BACK}", rest()),
    (f"cudaMemset(d, -1, 1); {BACK}", rest(255)),
    (
        f"cudaMemset2D(d + 4, 9, 7, 2, 3); {BACK}",
        rest(*[99] * 4, 7, 7, *[99] * 7, 7, 7, *[99] * 7, 7, 7),
    ),
    (f"cudaMemset2D(d, 9, 7, 0, 3); cudaMemset2D(d, 9, 7, 3, 0); {BACK}", rest()),
    ("memcpy(b + 20, h, 4); show(b, 24);", rest(*[0] * 20, 1, 2, 3, 4)),
    ("memcpy(h + 1, h, 0); memmove(h, h + 1, 23); show(h, 24);", rest(*range(2, 25), 24)),
    ("cudaMemcpy(b, h + 22, 2, cudaMemcpyHostToHost); show(b, 24);", rest(23, 24, value=0)),
    # symbols: numbers is 24 bytes, shorts 8
    (
        "cudaMemcpyToSymbol(numbers, h, 24); cudaMemcpyToSymbol(numbers, h, 2, 22); "
        "cudaMemcpyFromSymbol(b, numbers, 24); show(b, 24);",
        rest(*range(1, 23), 1, 2),
    ),
    (
        "cudaMemcpyToSymbol(shorts, h, 7, 1); cudaMemcpyFromSymbol(b + 16, shorts, 8); show(b, 24);",
        rest(*[0] * 17, 1, 2, 3, 4, 5, 6, 7),
    ),
    (
        "cudaMemcpyToSymbol(shorts, h, 8); cudaMemcpyFromSymbol(b, shorts, 3, 5); show(b, 24);",
        rest(6, 7, 8, value=0),
    ),
    (
        "cudaMemcpyToSymbol(numbers, d, 24, 0, cudaMemcpyDeviceToDevice); gather<<<1, 6>>>((int*)d);"
        f"{BACK}",
        rest(),
    ),
    (
        f"cudaMemcpyToSymbol(numbers, h, 24); void* p; cudaGetSymbolAddress(&p, numbers); "
        f"cudaMemcpy(b, (char*)p + 20, 4, {DOWN}); show(b, 24);",
        rest(21, 22, 23, 24, value=0),
    ),
]


@pytest.fixture(scope="module")
def printed():
    body = "".join(
        f'{{ {HELD} {statements} printf("~"); cudaFree(d); }}\n' for statements, _ in CONTENTS
    )
    run = Program(f"{START} int main() {{ {body} }}").run()
    assert run.notes == []
    return run.output.split("~")


@pytest.mark.parametrize("k", range(len(CONTENTS)))
def test_each_byte_is_where_it_should_be(k, printed):
    assert printed[k] == CONTENTS[k][1]


TYPED = (
    "float *h = (float*)malloc(40), *d, *p, *m; cudaMalloc(&d, 40); cudaMallocHost(&p, 40); "
    "cudaMallocManaged(&m, 40); memset(h, 0, 40); memset(p, 0, 40); memset(m, 0, 40); cudaMemset(d, 0, 40);\n"
)
HOST, DEVICE = {"h", "p", "m"}, {"d", "p", "m"}
SIDES = {
    "HostToHost": (HOST, HOST),
    "HostToDevice": (DEVICE, HOST),
    "DeviceToHost": (HOST, DEVICE),
    "DeviceToDevice": (DEVICE, DEVICE),
    "Default": (HOST | DEVICE, HOST | DEVICE),
}


def test_each_direction_between_all_kinds_of_memory():
    """Pinned and managed memory is on both sides."""
    for kind, (targets, sources) in SIDES.items():
        right = [
            f"cudaMemcpy({to}, {source}, 40, cudaMemcpy{kind});"
            for to in sorted(targets)
            for source in sorted(sources)
        ]
        assert (
            Program(f"int main() {{ {TYPED} {' '.join(right)} cudaDeviceSynchronize(); }}")
            .run()
            .status
            == 0
        )
    wrong = [
        (kind, to, source)
        for kind, (targets, sources) in SIDES.items()
        for to in "hd"
        for source in "hd"
        if to not in targets or source not in sources
    ]
    assert len(wrong) == 12
    for kind, to, source in wrong:
        with pytest.raises(HostError) as caught:
            Program(
                f"int main() {{ {TYPED} cudaMemcpy({to}, {source}, 40, cudaMemcpy{kind}); }}"
            ).run()
        names = {"h": "the host", "d": "the GPU"}
        right = {
            "hh": "HostToHost",
            "dh": "HostToDevice",
            "hd": "DeviceToHost",
            "dd": "DeviceToDevice",
        }[to + source]
        swapped = kind in ("HostToDevice", "DeviceToHost") and {to, source} == {"h", "d"}
        assert caught.value.what == (
            f"cudaMemcpy{kind}, but the target {to} is memory of {names[to]} and the source "
            f"{source} of {names[source]}"
        )
        assert caught.value.hint == f"write cudaMemcpy{right}" + (
            "; or are the two swapped? The target comes first" if swapped else ""
        )


REFUSED = [  # statements, what, hint
    (
        f"cudaMemcpy(d, h + 1, 40, {UP});",
        "40 bytes are read, past the end of h",
        "compare the number of bytes",
    ),
    (
        f"cudaMemcpy(d + 1, h, 37, {UP});",
        "37 bytes are written, past the end of d",
        "compare the number of bytes",
    ),
    (
        f"cudaMemcpy(d, h + 10, 1, {UP});",
        "1 bytes are read, past the end of h",
        "compare the number of bytes",
    ),
    (
        f"cudaMemcpy(d, h - 1, 4, {UP});",
        "4 bytes are read outside of h: 4 before its start",
        "check what is added to",
    ),
    (
        f"cudaMemcpy(d, h + 12, 4, {UP});",
        "4 bytes are read outside of h: 8 behind its end",
        "check what is added to",
    ),
    (
        f"float* z = 0; cudaMemcpy(z, h, 4, {UP});",
        "cudaMemcpy: z is a null pointer",
        "allocate the memory first",
    ),
    (
        f"float* z = 0; cudaMemcpy(d, z, 4, {UP});",
        "cudaMemcpy: z is a null pointer",
        "allocate the memory first",
    ),
    (
        f"cudaMemcpy(d, (float*)77, 4, {UP});",
        "cudaMemcpy: the source points nowhere",
        "allocate the memory first",
    ),
    (
        f"cudaMemcpy((float*)77, h, 4, {UP});",
        "cudaMemcpy: the target points nowhere",
        "allocate the memory first",
    ),
    (
        f"cudaFree(d); cudaMemcpy(d, h, 4, {UP});",
        "d is written after it was freed in line 3",
        "free it after its last",
    ),
    (
        f"free(h); cudaMemcpy(d, h, 4, {UP});",
        "h is read after it was freed in line 3",
        "free it after its last use",
    ),
    (
        'memcpy((char*)"text", h, 1);',
        "a text in quotes cannot be changed",
        "make an array of it: char text[]",
    ),
    (
        "cudaMemcpy(d, h, 40, (cudaMemcpyKind)7);",
        "7 is no direction of a copy",
        "write cudaMemcpyHostToDevice or",
    ),
    (
        f"cudaMemcpy(d, h, 10, {UP});",
        "10 bytes are copied, of 40: bytes and elements are confused",
        "write the number of bytes: 10 * sizeof(...)",
    ),
    (
        f"float* e; cudaMalloc(&e, 10); cudaMemcpy(e, h, 40, {UP});",
        "40 bytes are written, but e has 10 bytes from line 3: bytes and elements are confused",
        "in line 3, write n * sizeof(...): its elements have 4 bytes each",
    ),
    (
        f"cudaMemcpy(d, h, 40 * sizeof(float), {UP});",
        "160 bytes are written, but d has 40 bytes from line 2: bytes and elements are confused",
        "in line 2, write n * sizeof(...): its elements have 4 bytes each",
    ),
    (
        f"cudaMemcpy2D(d, 4, h, 8, 5, 2, {UP});",
        "cudaMemcpy2D: rows of 5 bytes do not fit the pitch of 4",
        "width and pitches are bytes: write n * sizeof(...)",
    ),
    (
        f"cudaMemcpy2D(d, 18, h, 8, 5, 3, {UP});",
        "41 bytes are written, past the end of d",
        "compare the number",
    ),
    ("cudaMemset(h, 0, 40);", "cudaMemset of h, memory of the host", "write memset"),
    (
        "cudaMemset(d + 9, 0, 5);",
        "5 bytes are written, past the end of d",
        "compare the number of bytes",
    ),
    (
        "cudaMemset2D(d, 12, 0, 5, 4);",
        "41 bytes are written, past the end of d",
        "compare the number of bytes",
    ),
    (
        "memset(h + 1, 0, 37);",
        "37 bytes are written, past the end of h",
        "compare the number of bytes",
    ),
    ("float* z = 0; memset(z, 0, 1);", "memset: z is a null pointer", "allocate the memory first"),
    (
        "free(h); memset(h, 0, 1);",
        "h is written after it was freed in line 3",
        "free it after its last use",
    ),
]


def refused(statements):
    return f"int main() {{\n{TYPED}{statements} }}"


@pytest.mark.parametrize(("statements", "what", "hint"), REFUSED)
def test_what_is_refused(statements, what, hint):
    with pytest.raises(HostError) as caught:
        Program(refused(statements)).run()
    assert str(caught.value) == recorded_messages()[refused(statements)]
    assert (
        caught.value.what == what and caught.value.hint.startswith(hint) and caught.value.line == 3
    )


@pytest.mark.parametrize(
    ("statements", "allowed"),
    [
        (f"cudaMemcpy(d + 1, h, 37, {UP});", "d has 40 bytes from line 2, 36 from there on"),
        (f"cudaMemcpy(d, h + 1, 40, {UP});", "h has 40 bytes from line 2, 36 from there on"),
        (f"float x[2]; cudaMemcpy(d, x, 9, {UP});", "x has 8 bytes\n"),
        (f"cudaMemcpy(d, h, 10, {UP});", "h has 10 elements of 4 bytes"),
        (f"cudaMemcpy(h, d, 10, {DOWN});", "d has 10 elements of 4 bytes"),
    ],
)
def test_what_would_have_been_allowed_is_said(statements, allowed):
    with pytest.raises(HostError) as caught:
        Program(f"int main() {{\n{TYPED}{statements} }}").run()
    assert f"\n  {allowed}" in str(caught.value)


@pytest.mark.parametrize(
    "statements",
    [  # numbers of bytes, though they equal the number of elements
        f"cudaMemcpy(d, h, 10 * sizeof(char), {UP});",
        f"int n = 10; n *= sizeof(char); cudaMemcpy(d, h, n, {UP});",
        f"cudaMemcpy(d, h + 1, 10, {UP});",
        f"cudaMemcpy(d + 1, h, 10, {UP});",
        f"cudaMemcpy(d, h, 9, {UP});",
        f"float x[11] = {{1}}; cudaMemcpy(d, x, 10, {UP});",
        f"cudaMemcpy(d, h, all, {UP});",
        f"int n, *q = &n; *q = 10 * sizeof(char); cudaMemcpy(d, h, n, {UP});",
    ],
)
def test_a_part_may_be_copied(statements):
    assert (
        Program(f"int all = 10 * sizeof(char);\nint main() {{\n{TYPED}{statements} }}").run().status
        == 0
    )


def test_bytes_that_nobody_wrote():
    """Copied they may be; the host may not use them before it writes them."""
    text = """int main() { int h[4] = {0}, g[1], *d; cudaMalloc(&d, 16);
cudaMemset(d, 0, 5);
cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost); cudaMemcpy(h, d, 16, cudaMemcpyDeviceToHost);
cudaMemcpy(h + 2, d + 2, 8, cudaMemcpyDeviceToHost);
h[1] = 3;
USE
cudaFree(d); }"""
    run = Program(text.replace("USE", 'printf("%d %d", h[0], h[1]);')).run()
    assert (run.output, run.notes) == (
        "0 3",
        ["line 3: of the 16 bytes of d that are copied, 11 were never written"],
    )
    for use in ("g[0] = h[2];", "g[0] = h[3];", "memcmp(h + 3, g, 1);", "memcmp(h, g, 9);"):
        with pytest.raises(HostError) as caught:
            Program(text.replace("USE", use)).run()
        assert (
            caught.value.what
            == "h is read, but it was copied in line 4 from d, which nobody had written"
        )
        assert "cudaMalloc in line 1 leaves it with whatever was there before" in str(caught.value)
    for use in (
        "h[2] = h[3] = 7;",
        "memset(h + 2, 7, 8);",
        "memcpy(h + 2, h, 8);",
        "cudaMemcpy(h + 2, d, 4, cudaMemcpyDefault);",
    ):
        assert Program(text.replace("USE", use + ' printf("%d", h[2] < 0);')).run().output == "0"


@pytest.mark.parametrize(
    ("use", "what"),
    [
        ("p[9] = 1;", "p is written before the copy of line 4 in stream 1 is done"),
        ("m[0] = 1;", "m is written before kernel two of line 5 in stream 1 is done"),
        ("int x = m[1];", "m is read before kernel two of line 5 in stream 1 is done"),
        ("int x = m[9];", "m is read before kernel two of line 5 in stream 1 is done"),
        ("n[0] = 1;", "n is written before the memset of line 6 in default stream is done"),
        ("memcpy(h, m, 4);", "m is read before kernel two of line 5 in stream 1 is done"),
        ("memcpy(m, h, 4);", "m is written before kernel two of line 5 in stream 1 is done"),
        ("int x = n[5];", "n is read before the memset of line 7 in stream 1 is done"),
        ("int x = n[6];", "n is read before the memset of line 7 in stream 1 is done"),
        (
            "int x = p[9]; x = n[2]; p[10] = 1; n[1] = 5; n[4] = x; n[7] = x; cudaStreamSynchronize(s); p[9] = m[0];",
            None,
        ),
    ],
)
def test_the_host_waits_for_what_the_gpu_still_does(use, what):
    text = f"""__global__ void two(const int* x, int* y) {{ y[0] = x[0]; y[1] = x[1]; }}
int main() {{ int *d, *p, *m, *n, h[1] = {{1}}; cudaStream_t s; cudaStreamCreate(&s); cudaMalloc(&d, 40);
cudaMallocHost(&p, 44); cudaMallocManaged(&m, 40); cudaMallocManaged(&n, 40); memset(p, 0, 44); memset(n, 0, 40);
cudaMemcpyAsync(d, p, 40, cudaMemcpyHostToDevice, s);
two<<<1, 1, 0, s>>>(d, m);
cudaMemset(n, 0, 4);
cudaMemsetAsync(n + 5, 0, 8, s);
{use} }}"""
    if what is None:
        assert Program(text).run().status == 0
        return
    with pytest.raises(HostError) as caught:
        Program(text).run()
    assert caught.value.what == what
    assert (
        caught.value.hint == "wait first: cudaDeviceSynchronize(), or cudaStreamSynchronize(stream)"
    )
