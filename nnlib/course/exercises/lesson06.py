"""The exercises of lesson 06 besides its workshops, with the usual mistakes. Its patients are in `nnlib.course.clinic`."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nnlib.course import clinic
from nnlib.course.clinic.patients import CONVOLUTIONS
from nnlib.course.exercises.checking import Exercise, FunctionExercise, Verdict
from nnlib.course.exercises.kernels import ELEMENTS, KernelExercise, alone, threads
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.mine.contract import Piece


def _logits(rng: Any, shape: Any, *_: Any) -> Any:
    """Draw logits, some of them so far from 0 that exp overflows."""
    z = rng.standard_normal(shape)
    z[5::31], z[6::37] = 100, -100
    return z


def _sigmoid(z: Any) -> Any:
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-z))


KernelExercise(
    Piece(
        "bce_back",
        "06",
        "const float* z, const float* t, float* dz, int n",
        "dz[i] = (p − t[i]) / n, where p = 1 / (1 + exp(−z[i]))",
        "",
        {"z": "n", "t": "n", "dz": "n"},
        lambda z, t, n: (_sigmoid(z) - t) / n,
        **ELEMENTS,
        make={"z": _logits, "t": lambda rng, shape, *_: rng.random(shape) < 0.5},
        absolute={"dz": 1e-8},
        task=alone(lambda n: n),
    ),
    threads(lambda n: n),
    guard=("i < n",),
    hints={
        OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
        RaceError: "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x",
    },
)


# --- gradients in NumPy: backwards(layer, dy, x, y) and layer_norm_back(dy, x) ------------------

ROWS: dict[str, Callable[..., Any]] = {  # forwards, row by row
    "tanh": np.tanh,
    "centre": lambda x: x - x.mean(1, keepdims=True),
    "leaky ReLU": lambda x: np.where(x > 0, x, 0.1 * x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "average pooling": lambda x: x.reshape(len(x), -1, 2).mean(2),
}


def row_input(rng: Any, layer: str, rows: int = 3, columns: int = 4) -> tuple[Any, ...]:
    """Draw a random input (layer, dy, x, y)."""
    x = rng.standard_normal((rows, columns))
    y = ROWS[layer](x)
    return layer, rng.standard_normal(y.shape), x, y


def _backwards(layer: str, dy: Any, x: Any, y: Any, changed: Any = None) -> Any:
    """Compute the gradient with respect to x. changed: layers with another formula than the right one."""
    rows: dict[str, Callable[..., Any]] = {
        "tanh": lambda dy, x, y: dy * (1 - y**2),
        "centre": lambda dy, x, y: dy - dy.mean(1, keepdims=True),
        "leaky ReLU": lambda dy, x, y: np.where(x > 0, dy, 0.1 * dy),
        "sigmoid": lambda dy, x, y: dy * y * (1 - y),
        "average pooling": lambda dy, x, y: np.repeat(dy, 2, 1) / 2,
    }
    return (rows | (changed or {}))[layer](dy, x, y)


def _with(**changed: Any) -> Callable[..., Any]:
    """Return a wrong version of `_backwards`: the named rows have other formulas. A _ in a name stands for a space."""
    named = {name.replace("_", " "): formula for name, formula in changed.items()}
    return lambda layer, dy, x, y: _backwards(layer, dy, x, y, named)


class RowsExercise(FunctionExercise):
    """The answer is one function for several layers, its first argument: each is judged with its own hint."""

    def label(self, args: tuple[Any, ...]) -> str:
        return str(args[0])

    def judge(self, answer: Any = ...) -> Verdict:
        layers = list(dict.fromkeys(args[0] for args in self.inputs))
        for layer in layers:
            row = copy.copy(self)
            row.inputs = [args for args in self.inputs if args[0] == layer]
            verdict = FunctionExercise.judge(row, answer)
            if not verdict.solved:
                return verdict
        return self.right(f"right, {len(layers)} layers: {', '.join(layers)}.")


_RNG = np.random.default_rng(6)
RowsExercise(
    "06.backwards",
    reference=_backwards,
    formula=True,
    inputs=[row_input(_RNG, layer, *shape) for layer in ROWS for shape in ((3, 4), (2, 6))],
    mistakes={
        "this layer is not written yet: which numbers of y does one entry of x affect, "
        "and with which slope?": lambda layer, dy, x, y: 0 * x,
        "the slope of tanh is 1 - y²: y enters squared": _with(tanh=lambda dy, x, y: dy * (1 - y)),
        "the slope of tanh is 1 - y², with y, not x": _with(tanh=lambda dy, x, y: dy * (1 - x**2)),
        "this is the slope of tanh alone: multiply it by dy, the gradient that arrives": _with(
            tanh=lambda dy, x, y: 1 - y**2
        ),
        "every row has its own mean: dy.mean(1, keepdims=True)": _with(
            centre=lambda dy, x, y: dy - dy.mean()
        ),
        "the mean is over a row, axis 1, not over a column": _with(
            centre=lambda dy, x, y: dy - dy.mean(0)
        ),
        "x enters the mean of its row as well, with -1 / n for each number of it": _with(
            centre=lambda dy, x, y: dy
        ),
        "where x is negative, the slope is 0.1": _with(leaky_ReLU=lambda dy, x, y: dy * (x > 0)),
        "the slope is 0.1 where x is negative, and 1 where it is positive": _with(
            leaky_ReLU=lambda dy, x, y: np.where(x > 0, 0.1 * dy, dy)
        ),
        "the slope is 0.1 where x is negative: ask x, not dy": _with(
            leaky_ReLU=lambda dy, x, y: np.where(dy > 0, dy, 0.1 * dy)
        ),
        "the slope is 1 or 0.1, not x itself: multiply dy, not x": _with(
            leaky_ReLU=lambda dy, x, y: np.where(x > 0, x, 0.1 * x)
        ),
        "y is the sigmoid already: the slope is y (1 - y)": _with(
            sigmoid=lambda dy, x, y: dy * ROWS["sigmoid"](y) * (1 - ROWS["sigmoid"](y))
        ),
        "the slope of the sigmoid is y (1 - y), with y, not x": _with(
            sigmoid=lambda dy, x, y: dy * x * (1 - x)
        ),
        "that is the slope of tanh; the sigmoid's is y (1 - y)": _with(
            sigmoid=lambda dy, x, y: dy * (1 - y**2)
        ),
        "that is the slope alone: multiply it by dy, the gradient that arrives": _with(
            sigmoid=lambda dy, x, y: y * (1 - y),
            leaky_ReLU=lambda dy, x, y: np.where(x > 0, 1, 0.1),
        ),
        "the slope of leaky ReLU is 0.1 here, not 0.01": _with(
            leaky_ReLU=lambda dy, x, y: np.where(x > 0, dy, 0.01 * dy)
        ),
        "below 0 leaky ReLU still rises: its slope is 0.1, not -0.1": _with(
            leaky_ReLU=lambda dy, x, y: np.where(x > 0, dy, -0.1 * dy)
        ),
        "the slope of the sigmoid has two factors: y (1 - y)": _with(
            sigmoid=lambda dy, x, y: dy * (1 - y)
        ),
        "the sigmoid rises everywhere, so its slope is positive: y (1 - y)": _with(
            sigmoid=lambda dy, x, y: -dy * y * (1 - y)
        ),
        "that sends dy forwards through the sigmoid: multiply it by the slope, y (1 - y)": _with(
            sigmoid=lambda dy, x, y: ROWS["sigmoid"](dy)
        ),
        "y (1 - y) is the slope, and dy stands beside it: dy * y * (1 - y)": _with(
            sigmoid=lambda dy, x, y: y * (1 - dy)
        ),
        "each pixel contributes to its mean with the factor 1/2": _with(
            average_pooling=lambda dy, x, y: np.repeat(dy, 2, 1)
        ),
        "the two pixels of a window lie side by side: np.repeat(dy, 2, axis=1)": _with(
            average_pooling=lambda dy, x, y: np.concatenate([dy, dy], 1) / 2
        ),
        "a window is two pixels side by side: repeat along axis 1": _with(
            average_pooling=lambda dy, x, y: np.repeat(dy, 2, 0).reshape(x.shape) / 2
        ),
        "axis=0 repeats whole rows, and the two pixels of a window lie side by side: repeat along axis 1": _with(
            average_pooling=lambda dy, x, y: np.repeat(dy, 2, 0) / 2
        ),
        "each pixel gets half of dy, and here it gets a quarter": _with(
            average_pooling=lambda dy, x, y: np.repeat(dy, 2, 1) / 4
        ),
        "np.repeat makes one long row unless you name the axis: np.repeat(…, 2, axis=1)": _with(
            average_pooling=lambda dy, x, y: np.repeat(dy, 2) / 2
        ),
        "that is one number for each window, and the gradient has one for each pixel: both pixels get a share": _with(
            average_pooling=lambda dy, x, y: dy / 2
        ),
    },
)


def _normal(x: Any, axis: int = 1) -> tuple[Any, Any]:
    """Normalise a layer: return (y, s)."""
    centred = x - x.mean(axis, keepdims=True)
    size = np.sqrt((centred**2).mean(axis, keepdims=True))
    return centred / size, size


def _layer_norm_back(
    dy: Any,
    x: Any,
    mean: float = 1,
    size: float = 1,
    count: Any = None,
    power: int = 1,
    axis: int = 1,
) -> Any:
    """Compute the backward pass of a layer normalisation, or a wrong one.

    mean, size: factors of the paths through the mean and through s. count: what the sum of dy y is divided by.
    """
    y, s = _normal(x, axis)
    through = (dy * y).sum(axis, keepdims=True) / (count or x.shape[axis])
    return (dy - mean * dy.mean(axis, keepdims=True) - size * y * through) / s**power


def _from_dc(dc: Callable[..., Any]) -> Callable[..., Any]:
    """Return the backward function that computes dc this way from dy, c, s, y and a function for the mean of each row."""

    def back(dy: Any, x: Any) -> Any:
        y, s = _normal(x)
        found = dc(dy, y * s, s, y, lambda values: values.mean(1, keepdims=True))
        return found - found.mean(1, keepdims=True)

    return back


def _layer_norm_back_mistakes(dy: Any, x: Any) -> dict[str, Any]:
    return {
        "not written yet: first dc from dy, then dx from dc": 0 * x,
        "dy passes unchanged here: x is divided by s, and the mean and s change with x": dy,
        "s and the mean were treated as constants, but both depend on x": (
            _layer_norm_back(dy, x, mean=0, size=0)
        ),
        "the path through s is missing, since s depends on every c of its row; or it lacks the factor y, and what is the "
        "same in a whole row is lost when dc is centred": _layer_norm_back(dy, x, size=0),
        "the mean was treated as a constant: continue from dc to dx, as in the worked example": (
            _layer_norm_back(dy, x, mean=0)
        ),
        "the path through s has a minus: a larger s makes every y smaller": (
            _layer_norm_back(dy, x, size=-1)
        ),
        "the path through the mean has a minus": _layer_norm_back(dy, x, mean=-1),
        "s is the root of a mean: its slope with respect to one c is c / (n s). Where is the n?": (
            _layer_norm_back(dy, x, count=1)
        ),
        "the root has a slope of 1 / (2 s), and c * c one of 2 c: the 2 cancels": (
            _layer_norm_back(dy, x, size=0.5)
        ),
        "the square has a slope of 2 c, and the root one of 1 / (2 s): the 2 cancels": (
            _layer_norm_back(dy, x, size=2)
        ),
        "y is c / s: one of the factors 1 / s is missing": _layer_norm_back(dy, x, power=0),
        "divide by s, not by its square": _layer_norm_back(dy, x, power=2),
        "every row has its own mean and its own s: axis 1": _layer_norm_back(dy, x, axis=0),
        "every row has its own mean of dy · y: axis 1": _from_dc(
            lambda dy, c, s, y, mean: (dy - y * (dy * y).mean(0, keepdims=True)) / s
        )(dy, x),
        "every row has its own mean of dy · y: mean(1, keepdims=True)": _from_dc(
            lambda dy, c, s, y, mean: (dy - y * (dy * y).mean()) / s
        )(dy, x),
        "in the path through s both factors are y = c / s, not c": _from_dc(
            lambda dy, c, s, y, mean: (dy - c * mean(dy * c)) / s
        )(dy, x),
        "the path through s lacks a factor 1 / s: is one of its two y a c, or are the brackets around the difference "
        "missing?": _from_dc(lambda dy, c, s, y, mean: dy / s - y * mean(dy * y))(dy, x),
        "in the path through s the mean is that of dy · y, not of dy": _from_dc(
            lambda dy, c, s, y, mean: (dy - y * mean(dy)) / s
        )(dy, x),
        "divide by s, do not multiply: y is c / s": _from_dc(
            lambda dy, c, s, y, mean: (dy - y * mean(dy * y)) * s
        )(dy, x),
        "the path from c[i] to its own y[i] is missing: dy / s": _from_dc(
            lambda dy, c, s, y, mean: -y * mean(dy * y) / s
        )(dy, x),
        "that has the slope of tanh, 1 - y²: here y is c / s": _from_dc(
            lambda dy, c, s, y, mean: dy * (1 - y**2) / s
        )(dy, x),
        "the mean is over the n numbers of a row: x.shape[1], not len(x)": (
            _layer_norm_back(dy, x, count=len(x))
        ),
        "the mean is over n numbers, not n - 1": _layer_norm_back(dy, x, count=x.shape[1] - 1),
        "that is y, the forward pass: return the gradient": _normal(x)[0],
    }


FunctionExercise(
    "06.layer_norm_back",
    reference=_layer_norm_back,
    formula=True,
    inputs=[tuple(_RNG.standard_normal((2, *shape))) for shape in ((4, 6), (3, 5), (2, 3))],
    mistakes=_layer_norm_back_mistakes,
)


# --- a tape: slopes(tape) -----------------------------------------------------------------------

# A value that is not used
TAPES = [
    [[], [], [(0, 1.5), (1, 2.0)]],  # x · w
    [[], [(0, 2.0), (0, 2.0)]],  # x · x, a value used twice
    [[], [(0, 3.0)], [(1, 0.5)], [(0, 4.0)], [(2, 1.0), (3, 1.0)]],  # two paths from one value
    [[], [], [(0, 1.5), (1, 2.0)], [], [(2, 1.0), (3, 1.0)], [(4, 1.0)], [(5, -1.0), (5, -1.0)]],
    [[], [], [(1, 2.0)]],
]


def _slopes(
    tape: Any,
    first: Any = None,
    backwards: bool = True,
    add: bool = True,
    share: Callable[[float, float], float] = lambda slope, gradient: slope * gradient,
) -> list[float]:
    """Walk backwards through a tape and return the gradient of each value, or wrong ones.

    first: gradients before the walk. share: what a parent gets from a slope and the gradient that arrives.
    """
    found = first(len(tape)) if first else [0.0] * (len(tape) - 1) + [1.0]
    numbers = range(len(tape))
    for k in reversed(numbers) if backwards else numbers:
        for parent, slope in tape[k]:
            found[parent] = (found[parent] if add else 0.0) + share(slope, found[k])
    return found


def _slopes_mistakes(tape: Any) -> dict[str, Any]:
    return {
        "all are 0: the last value is the loss, and its own slope is 1. Begin with that": (
            [0.0] * len(tape)
        ),
        "no gradient has moved: walk through the tape and pass them on": (
            [0.0] * (len(tape) - 1) + [1.0]
        ),
        "a value that is used several times gets all shares: +=, not =": _slopes(tape, add=False),
        "walk from the end to the beginning: a value passes on its gradient when it is complete": (
            _slopes(tape, backwards=False)
        ),
        "a parent gets slope times the gradient that arrives": (
            _slopes(tape, share=lambda slope, _: slope)
        ),
        "the slope is missing: a parent gets slope times the gradient": (
            _slopes(tape, share=lambda _, gradient: gradient)
        ),
        "only the last value begins with 1, all others with 0": (
            _slopes(tape, lambda count: [1.0] * count)
        ),
        "the gradient begins at the last value, the loss, not at the first": (
            _slopes(tape, lambda count: [1.0] + [0.0] * (count - 1))
        ),
        "the results stand in the order of the tape: do not reverse them": _slopes(tape)[::-1],
        "a value may come from several others: go through all pairs of tape[k], not only the first": (
            _slopes([parents[:1] for parents in tape])
        ),
        "a tape may hold more than three values: range(len(tape))": (
            _slopes([*tape[:3], *([] for _ in tape[3:])])
        ),
        "the last value is left out: its own slope is 1": [*_slopes(tape)[:-1], 0.0],
    }


FunctionExercise(
    "06.slopes",
    reference=_slopes,
    inputs=[(tape,) for tape in TAPES],
    mistakes=_slopes_mistakes,
)


SHOWN = 57  # the patient whose cure the lesson shows


class CuresExercise(Exercise):
    """The answer says which patients were cured: number -> letter.

    Three illnesses are asked for, one of them of a patient with a convolution. The patient that the lesson cures does
    not count.
    """

    def judge(self, answer: Any = ...) -> Verdict:
        if not isinstance(answer, dict):
            return self.wrong(
                "",
                "needs your letters.",
                "{NUMBER: (diagnosis, line, text), …}: case.repair prints it",
            )
        cases = []
        for number, letter in answer.items():
            if not isinstance(number, int):
                return self.wrong(f"patient {number!r}", "a patient has a number.")
            case = clinic.admit(number)
            refused = case.read(letter)
            if refused:
                return self.wrong(
                    f"patient {number}",
                    f"{refused}.",
                    f"clinic.admit({number}), and its probes again",
                )
            cases.append(case)
        cases = [case for case in cases if case.number != SHOWN]
        illnesses = {case.illness for case in cases}
        missing = _missing(len(illnesses), any(case.number >= CONVOLUTIONS for case in cases))
        if not missing:
            numbers = ", ".join(str(case.number) for case in cases)
            return self.right(
                f"{len(illnesses)} illnesses cured, patients {numbers}.{_bill(cases)}"
            )
        shown = f" Patient {SHOWN} does not count: the lesson cures it." if SHOWN in answer else ""
        if not illnesses:
            return self.wrong(
                "",
                f"no letter {'of your own ' * bool(shown)}yet.{shown}",
                "admit a patient with clinic.admit(), probe, diagnose and repair: "
                "each cured patient earns you a letter",
            )
        return self.wrong("", f"illnesses cured: {len(illnesses)}.{shown}", missing)


def _missing(illnesses: int, convolution: bool) -> str:
    """Return what is still asked for, as a hint; empty if nothing is."""
    left = 3 - illnesses
    more = f"{left} more illness{'es' * (left > 1)}" if left > 0 else ""
    first = f"a patient from {CONVOLUTIONS} on, whose first layer is a convolution"
    wanted = " and ".join(part for part in (more, "" if convolution else first) if part)
    return wanted and f"{wanted}; another number brings another patient"


def _bill(cases: Sequence[clinic.Case]) -> str:
    """Return what the patients that were examined in this session cost, beside what a good doctor spends."""
    seen = [case for case in cases if case.minutes]
    if not seen:
        return ""
    left = [str(case.number) for case in cases if not case.minutes]
    return (
        f" {', '.join(str(case.number) for case in seen)} cost you {sum(case.minutes for case in seen)} minutes, and par "
        f"is {sum(case.par for case in seen)}."
        + (f" Nobody examined {', '.join(left)} in this session." if left else "")
    )


CuresExercise("06.clinic")
