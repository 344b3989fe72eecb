"""cuBLAS: sums and products of vectors, and of matrices that are stored by columns.

NumPy computes them in the simulator, and CuPy, whose products are cuBLAS's, on a GPU. (Lawson et al., Basic Linear
Algebra Subprograms for Fortran Usage, 1979; Dongarra et al., 1988 and 1990.) Lesson 02.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .calculations import Calculator
from .operands import LibraryArguments, Operand
from .registry import provides

NO_TRANSPOSE, ON_DEVICE = 0, 1  # CUBLAS_OP_N, CUBLAS_POINTER_MODE_DEVICE
SINGLE, DOUBLE, HALF = np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.float16)
TYPES: dict[int, np.dtype] = {0: SINGLE, 1: DOUBLE, 2: HALF}  # of cudaDataType
# Of cublasComputeType_t; the others compute with float
COMPUTES: dict[int, np.dtype] = {64: HALF, 70: DOUBLE}
NAME = re.compile("cublas(?:S|D|Is|Id)")  # what stands before the name of a function in BLAS
# Functions of vectors: which ones they read, which they write, and the new values.
UPDATES: dict[str, tuple[str, str, Callable[..., list[Any]]]] = {
    "axpy": ("xy", "y", lambda alpha, x, y: [alpha * x + y]),
    "scal": ("x", "x", lambda alpha, x: [alpha * x]),
    "copy": ("x", "y", lambda _, x: [x]),
    "swap": ("xy", "xy", lambda _, x, y: [y.copy(), x.copy()]),
}
# What they make of vectors: which ones, and the number. The length of a vector is right where squares overflow, too;
# places are counted from 1.
NUMBERS: dict[str, tuple[str, Callable[..., Any]]] = {
    "dot": ("xy", lambda x, y: (x * y).sum(dtype=x.dtype)),
    "nrm2": (
        "x",
        lambda x: abs(x).max() * ((x / (abs(x).max() or 1)) ** 2).sum(dtype=np.float64) ** 0.5,
    ),
    "asum": ("x", lambda x: abs(x).sum(dtype=x.dtype)),
    "amax": ("x", lambda x: abs(x).argmax() + 1),
    "amin": ("x", lambda x: abs(x).argmin() + 1),
}


class Blas(Calculator):
    """The functions for float and double; gemm for half as well."""

    # --- vectors --------------------------------------------------------------------------

    @provides(*(f"cublas{kind}{name}" for name in UPDATES for kind in "SD"))
    def update(self, *values: Any) -> None:
        call, n = self._vectors(values)
        read, written, formula = UPDATES[NAME.sub("", self._site.called)]
        if n:
            vectors = {name: call.vector(name, n) for name in dict.fromkeys(read + written)}
            alpha = self._number(call, "alpha") if "alpha" in call else None
            self.calculate(
                call,
                [vectors[name] for name in read],
                [vectors[name] for name in written],
                functools.partial(formula, alpha),
            )

    @provides(*(f"cublas{kind}{name}" for name in NUMBERS for kind in ("S", "D", "Is", "Id")))
    def number(self, *values: Any) -> None:
        """Compute a number from vectors; the host waits for it unless it stays on the GPU."""
        call, n = self._vectors(values)
        names, formula = NUMBERS[NAME.sub("", self._site.called)]
        on_device, dtype = self._side(call, "result"), call.dtype("result")
        found: list[Any] = []

        def keep(*arrays: Any) -> list[Any]:
            found.append(formula(*arrays))
            return []

        operands = [call.vector(name, n) for name in names] if n else []
        if on_device:
            one, offset = call.memory("result")
            target = Operand(call.shown("result"), one, offset, dtype, (1,), (dtype.itemsize,))
            self.calculate(
                call,
                operands,
                [target],
                lambda *arrays: [formula(*arrays) if n else dtype.type(0)],
            )
            return
        if n:
            self._streams.wait([self.calculate(call, operands, [], keep)], self._site.called)
        self._heap.store_bytes(
            call["result"], np.array([float(found[0]) if n else 0]).astype(dtype).tobytes()
        )

    # --- matrices -------------------------------------------------------------------------

    @provides("cublasSgemv", "cublasDgemv")
    def gemv(self, *values: Any) -> None:
        """Compute y = alpha op(A) x + beta y."""
        call = LibraryArguments(self._heap, values)
        m, n = call.sizes("m", "n")
        if m and n:
            transposed = call["trans"] != NO_TRANSPOSE
            a = call.matrix("A", m, n)
            x, y = (
                call.vector("x", m if transposed else n),
                call.vector("y", n if transposed else m),
            )
            alpha, beta = self._number(call, "alpha"), self._number(call, "beta")
            self._apart(call, "y", y, [a, x])
            self.calculate(
                call,
                [a, x, *[y] * bool(beta)],
                [y],
                lambda a, x, *old: [_sum(alpha * ((a.T if transposed else a) @ x), beta, *old)],
                2 * m * n,
            )

    @provides("cublasSger", "cublasDger")
    def ger(self, *values: Any) -> None:
        """Compute A = alpha x y' + A."""
        call = LibraryArguments(self._heap, values)
        m, n = call.sizes("m", "n")
        if m and n:
            a, alpha = call.matrix("A", m, n), self._number(call, "alpha")
            self.calculate(
                call,
                [call.vector("x", m), call.vector("y", n), a],
                [a],
                lambda x, y, old: [alpha * x[:, None] * y + old],
                2 * m * n,
            )

    @provides("cublasSgeam", "cublasDgeam")
    def geam(self, *values: Any) -> None:
        """Compute C = alpha op(A) + beta op(B); where one of the two factors is 0, its matrix is not read."""
        call = LibraryArguments(self._heap, values)
        m, n = call.sizes("m", "n")
        factors = {
            name: number
            for name, factor in (("A", "alpha"), ("B", "beta"))
            if (number := self._number(call, factor))
        }
        if m and n:
            given = {name: self._stored(call, name, m, n) for name in factors}
            turned = {name: call[f"trans{name.lower()}"] != NO_TRANSPOSE for name in factors}
            c = call.matrix("C", m, n)
            for name in factors:
                if turned[name] or given[name].strides != c.strides or given[name].start != c.start:
                    self._apart(call, "C", c, [given[name]])

            def total(*arrays: Any) -> list[Any]:
                return [
                    sum(
                        (
                            factors[name] * (array.T if turned[name] else array)
                            for name, array in zip(factors, arrays, strict=True)
                        ),
                        c.dtype.type(0),
                    )
                ]

            self.calculate(call, list(given.values()), [c], total)

    @provides(
        "cublasSgemm",
        "cublasDgemm",
        "cublasHgemm",
        "cublasGemmEx",
        "cublasSgemmStridedBatched",
        "cublasDgemmStridedBatched",
    )
    def gemm(self, *values: Any) -> None:
        """Compute C = alpha op(A) op(B) + beta C."""
        call = LibraryArguments(self._heap, values)
        m, n, k = call.sizes("m", "n", "k")
        count = call.sizes("batchCount")[0] if "batchCount" in call else 1
        if not (m and n and count):
            return
        c = call.matrix("C", m, n, self._type(call, "C"))
        alpha, beta = self._number(call, "alpha"), self._number(call, "beta")
        old = [c] * bool(beta)
        if not (k and alpha):
            self.calculate(call, old, [c], lambda *old: [_sum(c.dtype.type(0), beta, *old)])
            return
        both = [self._stored(call, "A", m, k), self._stored(call, "B", k, n)]
        self._apart(call, "C", c, both)

        def product(a: Any, b: Any, *old: Any) -> list[Any]:
            sides = [
                array.astype(np.promote_types(array.dtype, np.float32), copy=False)
                for array in (a, b)
            ]
            sides = [
                side.swapaxes(-1, -2) if call[f"trans{name}"] != NO_TRANSPOSE else side
                for name, side in zip("ab", sides, strict=True)
            ]
            return [_sum(alpha * (sides[0] @ sides[1]), beta, *old)]

        self.calculate(call, [*both, *old], [c], product, 2 * m * n * k * count)

    # --- what they share ------------------------------------------------------------------

    def _vectors(self, values: Sequence[Any]) -> tuple[LibraryArguments, int]:
        call = LibraryArguments(self._heap, values)
        return call, call.sizes("n")[0]

    def _type(self, call: LibraryArguments, name: str) -> np.dtype | None:
        """Return the element type that the call names; None where its parameter has it."""
        if call.site.called == "cublasHgemm":
            return HALF
        kind = f"{name}type"
        if kind not in call:
            return None
        if call[kind] not in TYPES:
            call.report(
                kind,
                "only CUDA_R_16F, CUDA_R_32F and CUDA_R_64F are known here",
                "convert the matrices",
            )
        return TYPES[call[kind]]

    def _number(self, call: LibraryArguments, name: str) -> Any:
        """Return alpha or beta."""
        if "computeType" in call:
            dtype = COMPUTES.get(call["computeType"] & ~1, SINGLE)
        else:
            dtype = HALF if call.site.called == "cublasHgemm" else call.dtype(name)
        on_device = self._side(call, name)
        if on_device:
            one, offset = call.memory(name)
            return self._device.strided(one, offset, dtype, (), ())
        bits = self._heap.accessors({2: "H", 4: "I", 8: "Q"}[dtype.itemsize])[0](call[name])
        return np.array(bits, f"u{dtype.itemsize}").view(dtype)[()]

    def _side(self, call: LibraryArguments, name: str) -> bool:
        """Return whether a number that is given by a pointer is on the GPU; report one that is not where the handle says."""
        on_device = call.field("pointer_mode") == ON_DEVICE
        one, _ = self._heap.find(call[name])
        if one is not None and not (one.on_device if on_device else one.on_host):
            here, there = ("host", "DEVICE") if on_device else ("GPU", "HOST")
            call.report(
                name,
                f"{call.shown(name)} is memory of the {here}, but the handle is in "
                f"CUBLAS_POINTER_MODE_{there}",
                "write cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_"
                f"{'HOST' if on_device else 'DEVICE'}) first, or pass a pointer to memory of the other side",
            )
        return on_device

    def _stored(self, call: LibraryArguments, name: str, rows: int, columns: int) -> Operand:
        """Return a matrix that the operation sees with so many rows and columns; in memory it may be transposed."""
        if call[f"trans{name.lower()}"] != NO_TRANSPOSE:
            rows, columns = columns, rows
        return call.matrix(name, rows, columns, self._type(call, name))

    def _apart(
        self, call: LibraryArguments, name: str, target: Operand, sources: Sequence[Operand]
    ) -> None:
        """Report a result that shares memory with what is read meanwhile."""
        for source in sources:
            if target.meets(source):
                call.report(
                    name,
                    f"{target.name} and {source.name} share memory, and the result is written while the "
                    "other is still read",
                    "give the result memory of its own",
                )


def _sum(value: Any, beta: Any, *old: Any) -> Any:
    """Return value + beta old, where `old` is not read, and not given, if beta is 0."""
    return value + beta * old[0] if old else value
