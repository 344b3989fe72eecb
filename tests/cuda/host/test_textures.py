"""Textures read what the CUDA guide's formulas say, and surfaces write where they should."""

import math

import pytest

from nnlib.cuda import KernelError, Program

PROGRAM = r"""
#include <cstdio>
__global__ void read(cudaTextureObject_t t, const float2* at, float* result, int n) {
    int i = threadIdx.x;
    if (i < n) result[i] = tex2D<float>(t, at[i].x, at[i].y);
}
int main() {
    const int w = 5, h = 3, n = POINTS_COUNT;
    TYPE image[w * h];
    for (int i = 0; i < w * h; i++) image[i] = i * i % 31;
    float2 at[n] = {POINTS}, *d_at;
    float *d_result, result[n];
    cudaChannelFormatDesc format = cudaCreateChannelDesc<TYPE>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, w, h);
    cudaMemcpy2DToArray(array, 0, 0, image, w * sizeof(TYPE), w * sizeof(TYPE), h, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeMODE;
    how.filterMode = cudaFilterModeFILTER;
    how.readMode = READ;
    how.normalizedCoords = NORMALIZED;
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    cudaMalloc(&d_at, sizeof(at)); cudaMalloc(&d_result, sizeof(result));
    cudaMemcpy(d_at, at, sizeof(at), cudaMemcpyHostToDevice);
    read<<<1, 64>>>(texture, d_at, d_result, n);
    cudaMemcpy(result, d_result, sizeof(result), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) printf("%.9g ", result[i]);
    cudaDestroyTextureObject(texture); cudaFreeArray(array); cudaFree(d_at); cudaFree(d_result);
}
"""
W, H = 5, 3
POINTS = [
    (0.0, 0.0),
    (0.5, 0.5),
    (1.3, 0.9),
    (4.9, 2.8),
    (-0.7, 1.1),
    (6.2, -2.5),
    (2.75, 3.4),
    (-6.1, 7.3),
]


def texel(x: int, y: int, mode: str) -> float:
    """An element, or what stands beyond the edges."""
    if mode == "Border" and not (0 <= x < W and 0 <= y < H):
        return 0.0
    if mode == "Wrap":
        x, y = x % W, y % H
    x, y = min(max(x, 0), W - 1), min(max(y, 0), H - 1)
    return float((y * W + x) ** 2 % 31)


def folded(x: float, mode: str) -> float:
    """A coordinate from 0 to 1, of which a GPU knows only that part."""
    whole = math.floor(x)
    if mode == "Wrap":
        return x - whole
    return (x - whole if whole % 2 == 0 else 1 - (x - whole)) if mode == "Mirror" else x


def read(x: float, y: float, mode: str, linear: bool, normalized: bool) -> float:
    if normalized:
        x, y = folded(x / W, mode) * W, folded(y / H, mode) * H
    if not linear:
        return texel(math.floor(x), math.floor(y), mode)
    (a, i), (b, j) = math.modf(x - 0.5 + 64), math.modf(y - 0.5 + 64)
    a, b, i, j = round(a * 256) / 256, round(b * 256) / 256, int(i) - 64, int(j) - 64
    return (
        (1 - a) * (1 - b) * texel(i, j, mode)
        + a * (1 - b) * texel(i + 1, j, mode)
        + (1 - a) * b * texel(i, j + 1, mode)
        + a * b * texel(i + 1, j + 1, mode)
    )


def ran(mode: str, linear: bool, normalized: bool, kind: str = "float") -> list[float]:
    points = [(x / W, y / H) if normalized else (x, y) for x, y in POINTS]
    text = PROGRAM.replace("POINTS_COUNT", str(len(points))).replace(
        "POINTS", ", ".join(f"{{{x!r}f, {y!r}f}}" for x, y in points)
    )
    options = {
        "TYPE": kind,
        "MODE": mode,
        "FILTER": "Linear" if linear else "Point",
        "NORMALIZED": int(normalized),
        "READ": "cudaReadModeElementType" if kind == "float" else "cudaReadModeNormalizedFloat",
    }
    for name, value in options.items():
        text = text.replace(name, str(value))
    run = Program(text).run()
    assert run.notes == []
    return list(map(float, run.output.split()))


@pytest.mark.parametrize(
    "mode, normalized",
    [
        ("Clamp", False),
        ("Border", False),
        ("Clamp", True),
        ("Border", True),
        ("Wrap", True),
        ("Mirror", True),
    ],
)
@pytest.mark.parametrize("linear", [False, True])
def test_filters_and_edges(mode, normalized, linear):
    wanted = [read(x, y, mode, linear, normalized) for x, y in POINTS]
    assert ran(mode, linear, normalized) == pytest.approx(wanted, abs=31 / 128 if linear else 0)
    exact = [read(x, y, mode, linear, normalized) for x, y in POINTS[:2]]
    assert ran(mode, linear, normalized)[:2] == pytest.approx(exact, abs=1e-5)


@pytest.mark.parametrize(
    "kind, largest", [("unsigned char", 255), ("unsigned short", 65535), ("short", 32767)]
)
def test_integers_are_read_as_fractions(kind, largest):
    wanted = [read(x, y, "Clamp", True, False) / largest for x, y in POINTS]
    assert ran("Clamp", True, False, kind) == pytest.approx(wanted, abs=31 / 128 / largest)


ELEMENTS = r"""
#include <cstdio>
__global__ void fetch(cudaTextureObject_t t, uchar4* result) {
    result[threadIdx.x] = tex1Dfetch<uchar4>(t, threadIdx.x + 1);
}
int main() {
    uchar4 h[8], *d, *result;
    for (int i = 0; i < 8; i++) h[i] = make_uchar4(i, 2 * i, 3 * i, 4 * i);
    cudaMalloc(&d, sizeof(h)); cudaMalloc(&result, sizeof(h));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = d;
    resource.res.linear.desc = cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
    resource.res.linear.sizeInBytes = sizeof(h);
    cudaTextureDesc how;
    memset(&how, 0, sizeof(how));
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, NULL);
    fetch<<<1, 8>>>(texture, result);
    cudaMemcpy(h, result, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++) printf("%d,%d ", h[i].x, h[i].w);
    cudaDestroyTextureObject(texture); cudaFree(d); cudaFree(result);
}
"""


def test_linear_memory_is_read_as_it_is_and_beyond_it_as_zero():
    run = Program(ELEMENTS).run()
    assert (run.output, run.notes) == ("1,4 2,8 3,12 4,16 5,20 6,24 7,28 0,0 ", [])


SURFACE = r"""
#include <cstdio>
__global__ void write(cudaSurfaceObject_t s) {
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    surf3Dwrite(x + 10 * y + 100 * z, s, x * sizeof(int), y, z MODE);
}
__global__ void read(cudaTextureObject_t t, int* x) { x[threadIdx.x] = tex3D<int>(t, 1.5f, threadIdx.x, 1.0f); }
int main() {
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray* array;
    cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 3, 2), cudaArraySurfaceLoadStore);
    cudaResourceDesc resource = {cudaResourceTypeArray};
    resource.res.array.array = array;
    cudaSurfaceObject_t surface;
    cudaCreateSurfaceObject(&surface, &resource);
    write<<<1, dim3(4, THREADS, 2)>>>(surface);
    cudaTextureDesc how = {};
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how);
    int h[24], *d;
    cudaMalloc(&d, 3 * sizeof(int));
    read<<<1, 3>>>(texture, d);
    cudaMemcpy(h, d, 3 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[1], h[2]);
    cudaMemcpy3DParms copy = {};
    copy.srcArray = array;
    copy.dstPtr = make_cudaPitchedPtr(h, 4 * sizeof(int), 4, 3);
    copy.extent = make_cudaExtent(4, 3, 2);
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    for (int i = 0; i < 24; i++) printf("%d ", h[i]);
    cudaDestroySurfaceObject(surface); cudaDestroyTextureObject(texture); cudaFreeArray(array); cudaFree(d);
}
"""
WRITTEN = " ".join(str(x + 10 * y + 100 * z) for z in range(2) for y in range(3) for x in range(4))


@pytest.mark.parametrize("threads, mode", [(3, ""), (5, ", cudaBoundaryModeZero")])
def test_surfaces_of_three_axes(threads, mode):
    run = Program(SURFACE.replace("THREADS", str(threads)).replace(" MODE", mode)).run()
    assert (run.output.strip(), run.notes) == (f"101 111 121\n{WRITTEN}", [])


def test_a_surface_ends_the_kernel_beyond_its_edge():
    with pytest.raises(KernelError, match="out-of-bounds write"):
        Program(SURFACE.replace("THREADS", "5").replace(" MODE", "")).run()


@pytest.mark.parametrize("sizes", ["-1, -1", "1 << 20", "16, 1 << 20", "1ull << 40, 1ull << 24"])
def test_an_array_beyond_a_gpus_limits_is_none(sizes):
    text = f"""int main() {{
        cudaArray_t array; cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
        printf("%d", cudaMallocArray(&array, &format, {sizes}) == cudaErrorInvalidValue);
    }}"""
    assert Program(text).run().output == "1"


def test_a_channel_of_each_type_has_its_bits_and_kind():
    kinds = {
        "char": (8, 0),
        "signed char": (8, 0),
        "unsigned char": (8, 1),
        "short": (16, 0),
        "unsigned short": (16, 1),
        "int": (32, 0),
        "unsigned int": (32, 1),
        "float": (32, 2),
    }
    shown = "".join(
        f"show(cudaCreateChannelDesc<{kind}>());" for kind in [*kinds, "uchar4", "float2"]
    )
    text = (
        """#include <cstdio>
        void show(cudaChannelFormatDesc d) { printf("%d %d %d %d %d,", d.x, d.y, d.z, d.w, (int)d.f); }
        int main() { """
        + shown
        + "}"
    )
    wanted = [f"{bits} 0 0 0 {kind}" for bits, kind in kinds.values()] + [
        "8 8 8 8 1",
        "32 32 0 0 2",
    ]
    assert Program(text).run().output.split(",")[:-1] == wanted


def test_a_texture_of_one_axis_reads_between_its_numbers():
    text = """#include <cstdio>
        __global__ void read(cudaTextureObject_t t, float* to)
        { to[threadIdx.x] = tex1D<float>(t, threadIdx.x * 0.5f); }
        int main() {
            float row[4] = {1, 5, 2, 8}, *to, found[9];
            cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
            cudaArray_t array; cudaMallocArray(&array, &format, 4);
            cudaMemcpy2DToArray(array, 0, 0, row, 16, 16, 1, cudaMemcpyHostToDevice);
            cudaResourceDesc resource = {}; resource.resType = cudaResourceTypeArray; resource.res.array.array = array;
            cudaTextureDesc how = {}; how.addressMode[0] = cudaAddressModeClamp; how.filterMode = cudaFilterModeLinear;
            cudaTextureObject_t t; cudaCreateTextureObject(&t, &resource, &how, NULL);
            cudaMalloc(&to, 36); read<<<1, 9>>>(t, to); cudaMemcpy(found, to, 36, cudaMemcpyDeviceToHost);
            for (float f : found) printf("%g ", f);
            cudaDestroyTextureObject(t); cudaFreeArray(array); cudaFree(to);
        }"""
    assert Program(text).run().output == "1 1 3 5 3.5 2 5 8 8 "
