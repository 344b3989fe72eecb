"""How the work of each operation is cut, as recorded in choices.txt: tiles, grids and parts were chosen by measurement
on an H200, so a change of any of them is to be measured again. After one:

    python -m tests.kernels.test_recorded_choices
"""

from pathlib import Path

import numpy as np

from nnlib.course.ladder import RUNGS
from nnlib.cuda import force_simulator
from nnlib.ops.fast import product, winograd
from nnlib.ops.fast.linear import linear_backward_bias, linear_backward_few, linear_forward_few
from nnlib.ops.fast.tiling import Convolution, pooling_cells, window_options

STORED = Path(__file__).with_name("choices.txt")
LINEAR = [  # N, I, O: small ones, the borders of what is small, of tiles and of parts
    (1, 1, 1), (64, 784, 128), (64, 128, 10), (512, 64, 64), (1024, 64, 64), (511, 33, 65), (256, 1000, 1000),
    (128, 256, 256), (128, 256, 257), (705, 64, 1024), (704, 64, 1024), (1 << 20, 3, 2), (4096, 32, 64), (4096, 32, 63),
    (1000, 4096, 10), (64, 1 << 16, 64), (65, 1 << 18, 32), (2048, 2048, 2048), (4096, 4096, 4096), (8192, 1024, 50257),
    (64, 100, 10), (128, 500, 16), (128, 500, 17), (512, 9, 8), (513, 9, 8), (4096, 2, 1), (4097, 2, 1), (1024, 5, 3),
    (1025, 5, 3), (128, 8192, 128), (100, 5000, 300), (20000, 784, 512), (33, 99999, 7), (5, 3, 1 << 21),
    (640, 640, 2560)]
CONVOLUTIONS = [  # of CIFAR's networks, of MNIST's, and borders: 1×1, stride 2, large windows, nothing around
    Convolution(1, 28, 28, 8, 5, 5, 1, 1, 0, 0), Convolution(8, 12, 12, 16, 3, 3, 1, 1, 1, 1, pool=True, relu=True),
    Convolution(3, 32, 32, 32, 3, 3, 1, 1, 1, 1, relu=True), Convolution(64, 16, 16, 128, 3, 3, 2, 2, 1, 1),
    Convolution(256, 14, 14, 64, 1, 1, 1, 1, 0, 0), Convolution(16, 4, 5, 64, 1, 1, 1, 1, 0, 0),
    Convolution(3, 224, 224, 64, 7, 7, 2, 2, 3, 3, pool=True),
    Convolution(15, 9, 11, 7, 3, 2, 1, 2, 2, 1), Convolution(16, 33, 32, 8, 5, 5, 1, 1, 2, 2),
    Convolution(31, 8, 8, 9, 3, 3, 1, 1, 1, 1), Convolution(32, 8, 8, 9, 3, 3, 1, 1, 1, 1),
    Convolution(2, 40, 200, 4, 8, 1, 1, 1, 0, 0), Convolution(4, 30, 30, 4, 3, 3, 3, 3, 0, 0),
    Convolution(64, 56, 56, 64, 3, 3, 1, 1, 1, 1, pool=True), Convolution(512, 7, 7, 512, 3, 3, 1, 1, 1, 1)]


def shown(choice):
    """A launch, or several, or a product, on one line."""
    if choice is None:
        return "none"
    if isinstance(choice, tuple):
        return " + ".join(map(shown, choice))
    if isinstance(choice, product.Product):
        extra = [f"size {choice.size}"] + ["biased"] * choice.biased + [f"turned {choice.turned}"] * any(choice.turned)
        return f"{shown(choice.tiling)} {choice.sizes} {' '.join(extra)} parts {choice.parts}"
    options = " ".join(option.removeprefix("-D") for option in choice.options)
    return f"{choice.kernel} {choice.grid} {choice.block} {choice.shared} {options}"


def winograd_choices(shape):
    """Both ways and the gradient of the weights, for two batches: launches, parts, seconds, and whether it is taken."""
    found = []
    for N in (4, 300):
        for each in (winograd.convolution(shape, N), winograd.convolution(winograd.mirrored(shape), N, True),
                     winograd.weight_gradient(shape, N)):
            found.append(f"{shown((each.filters, each.tiling))} {each.size} {each.tiles} {each.steps} {each.parts} "
                         f"{each.seconds:.6g}")
        found.append(f"{winograd.quicker(shape, N)} {winograd.quicker(shape, N, True)} "
                     f"{winograd.quicker_weights(shape, N)}")
    return "; ".join(found)


def choices():
    for sizes in LINEAR:
        for relu, turn in ((False, True), (True, False)):
            yield f"linear_forward {sizes} {relu} {turn}", shown(product.linear_forward(*sizes, relu, turn))
        for turn in (False, True):
            yield f"linear_backward_input {sizes} {turn}", shown(product.linear_backward_input(*sizes, turn))
        yield f"linear_backward_weight {sizes}", shown(product.linear_backward_weight(*sizes))
        yield f"cut {sizes}", str(product.cut(*sizes))
        yield f"seconds {sizes}", f"{product.seconds(*sizes):.6g}"
        N, I, O = sizes
        yield f"few {sizes}", (f"{shown(linear_forward_few(N, O))}; {shown(linear_backward_few(*sizes))}; "
                               f"{shown(linear_backward_bias(N, O))}")
    for shape in CONVOLUTIONS:
        short = tuple(int(value) for value in vars(shape).values())
        for N in (1, 60, 256):
            yield f"conv {short} {N} cut", f"{shape.slices(N)} slices, {shape.parts(N)} parts, " + str(
                [product.direct(shape, N, planes) for planes in (1, 10, 28, 29, 86, 300)]) + str(
                product.direct_weights(shape, N))
            for name in ("conv_forward", "conv_backward_input", "conv_backward_weight"):
                yield f"{name} {short} {N}", shown(getattr(product, name)(shape, N))
            for name in ("forward", "backward_input", "backward_weight") if shape.tiled else ():
                yield f"tiled {name} {short} {N}", shown(getattr(shape, name)(N))
        yield f"winograd {short}", winograd_choices(shape) if winograd.fits(shape) else "not at all"
        yield f"conv {short}", f"{shape.output} {shape.weights} {shape.sizes(3)} {[shape.seen(n) for n in (1, 2, 5)]}"
    for rung in RUNGS:
        grids = [rung.launch(np.empty((m, k)), np.empty((k, n)))[1] for m, k, n in ((128, 64, 256), (500, 4096, 36))]
        yield f"rung {rung.name}", (f"{rung.kernel} {rung.file} {rung.block} {rung.tile} {rung.options} "
                                    f"{rung.multiple} {rung.rows_first} {rung.split} {grids}")
    yield "windows", f"{window_options(5, 6, 2, (1, 3), 1)} {pooling_cells(3, 5, 8, (2, 3))}"


def lines():
    with force_simulator():
        return [f"{case}: {choice}" for case, choice in choices()]


def test_choices_are_as_recorded():
    assert lines() == STORED.read_text("utf-8").splitlines()


if __name__ == "__main__":
    STORED.write_text("\n".join(lines()) + "\n", "utf-8")
