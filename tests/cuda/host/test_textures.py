"""Textures read what the CUDA guide's formulas say, and surfaces write where they should."""

import math

import pytest

from nnlib.cuda import Program

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
