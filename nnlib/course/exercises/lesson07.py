"""The exercises of lesson 07 (epoch loop, audit, a kernel to repair, patience), with the usual mistakes."""

import functools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nnlib import gradcheck
from nnlib.course.exercises.checking import FunctionExercise
from nnlib.course.exercises.kernels import KernelExercise
from nnlib.course.exercises.networks import AUDITED, TRAININGS, audited, trained
from nnlib.cuda import OutOfBoundsError, RaceError
from nnlib.datasets import shuffled
from nnlib.mine.contract import Piece
from nnlib.mine.trials.sizes import chosen
from nnlib.mine.trials.tasks import at_most

# --- the epoch loop -----------------------------------------------------------------------------


class TrainingExercise(FunctionExercise):
    """Judged by the losses that the answer returns and, bit for bit, by the weights that it leaves."""

    def judge(self, answer: Any = ...) -> Any:
        names = getattr(getattr(answer, "__code__", None), "co_names", ())
        if "fit" in names:
            return self.wrong(
                "",
                "that is training.fit itself.",
                "write the loop: batches, and four calls for each",
            )
        assert self.outcome is not None
        verdict = super().judge(answer)
        if not verdict.solved and {"permutation", "shuffle"} & set(names):
            return replace(
                verdict,
                hint="an order by chance is another one in each run: datasets.shuffled(len(examples), 0, epoch) gives the "
                "one that can be repeated",
            )
        for case in self.inputs if verdict.solved else ():
            if not np.array_equal(self.outcome(answer, case)[1], self.reference(case)[1]):
                return self.wrong(
                    case,
                    "the weights agree to six digits, but not bit for bit.",
                    "the same operations in the same order, and no arithmetic beside them",
                )
        return verdict


def _mean(seen: Any, count: Any) -> Any:
    return sum(value * images for value, images in seen) / count


def _batches(examples: Any, size: Any, order: Any) -> Any:
    return examples.batches(size, order)


def _full_batches(examples: Any, size: Any, order: Any) -> Any:
    return (batch for batch in examples.batches(size, order) if len(batch[1]) == size)


def _loop(
    *,
    awake: Any = True,
    order: Any = lambda count, epoch: shuffled(count, 0, epoch),
    do: Any = ("backward", "step"),
    batches: Any = _batches,
    epochs_done: Any = lambda epochs: epochs,
    step_at_end: Any = False,
    report: Any = _mean,
    returned: Any = list,
) -> Any:
    """Return the outcome of a training loop, or of a wrong one. seen: (loss, images) of every batch of an epoch."""

    def train(
        model: Any, loss: Any, optimizer: Any, examples: Any, epochs: Any, batch_size: Any
    ) -> Any:
        history = []
        model.train(awake)
        for epoch in range(epochs_done(epochs)):
            seen = []
            for x, y in batches(examples, batch_size, order(len(examples), epoch)):
                outputs = model.forward(x)
                value = float(loss(outputs, y))
                for what in do:
                    if what == "again":
                        value = float(loss(model.forward(x), y))
                    elif what == "backward":
                        model.backward(loss.backward())
                    elif what == "backward from outputs":
                        model.backward(outputs)
                    else:
                        optimizer.step()
                seen.append((value, len(y)))
            if step_at_end:
                optimizer.step()
            history.append(report(seen, len(examples)))
        return returned(history)

    return functools.cache(lambda case: trained(train, case))


TrainingExercise(
    "07.loop",
    outcome=trained,
    reference=_loop(),
    inputs=TRAININGS,
    mistakes={
        "the weights do not move: after the loss come two more calls, one fills the gradients, one uses them": _loop(
            do=()
        ),
        "the optimizer steps before backward: with the gradients of the batch before": _loop(
            do=("step", "backward")
        ),
        "what goes back is the gradient of the outputs, not the outputs: model.backward(loss.backward())": _loop(
            do=("backward from outputs", "step")
        ),
        "one step for each batch, not one for each epoch: does optimizer.step() stand inside the inner loop?": _loop(
            do=("backward",), step_at_end=True
        ),
        "one step for each batch, not two": _loop(do=("backward", "step", "step")),
        "a batch's loss is the one before its step": _loop(do=("backward", "step", "again")),
        "the order is the same in every epoch: shuffled has a third argument": _loop(
            order=lambda n, e: shuffled(n, 0)
        ),
        "the images come as they are stored: hand batches an order": _loop(order=lambda n, e: None),
        "the seed stays 0; the number of the epoch is the other argument": _loop(
            order=lambda n, e: shuffled(n, e)
        ),
        "count epochs from 0": _loop(order=lambda n, e: shuffled(n, 0, e + 1)),
        "an epoch is missing: range(epochs) counts from 0 to epochs - 1": _loop(
            order=lambda n, e: shuffled(n, 0, e + 1), epochs_done=lambda epochs: epochs - 1
        ),
        "the last, smaller batch belongs to the epoch": _loop(batches=_full_batches),
        "the last, smaller batch belongs to the epoch, too": _loop(
            batches=_full_batches,
            report=lambda seen, _: sum(v * n for v, n in seen) / sum(n for _, n in seen),
        ),
        "the last batch is smaller: a mean over the images, not over the batches": _loop(
            report=lambda seen, _: np.mean([v for v, _ in seen])
        ),
        "divide by the number of images": _loop(report=lambda seen, _: sum(v * n for v, n in seen)),
        "the loss of a batch is a mean: times its images, it is a sum again": _loop(
            report=lambda seen, _: sum(v for v, _ in seen)
        ),
        "you divide by the images, but have not multiplied by those of each batch": _loop(
            report=lambda seen, _: sum(v for v, _ in seen) / sum(n for _, n in seen)
        ),
        "divide by the images, not by the batches": _loop(
            report=lambda seen, _: sum(v * n for v, n in seen) / len(seen)
        ),
        "the last batch has fewer images than batch_size: multiply by what it has": _loop(
            report=lambda seen, _: sum(v for v, _ in seen) * seen[0][1] / sum(n for _, n in seen)
        ),
        "that is the loss of the last batch only": _loop(report=lambda seen, _: seen[-1][0]),
        "that is the loss of the first batch only": _loop(report=lambda seen, _: seen[0][0]),
        "every epoch begins with a sum of 0": _loop(returned=np.cumsum),
        "one loss for each epoch: do you append inside the loop over batches?": _loop(
            report=lambda seen, _: [v for v, _ in seen], returned=np.concatenate
        ),
        "one loss for each epoch: is the append, with its division, indented too far, inside the loop over batches?": _loop(
            report=lambda seen, n: np.cumsum([v * count for v, count in seen]) / n,
            returned=np.concatenate,
        ),
        "is the return inside the loop over epochs?": _loop(epochs_done=lambda epochs: 1),
        "all epochs are trained; a list with the loss of each is asked for": _loop(
            returned=lambda losses: losses[-1:]
        ),
        "the size of the batches is given: hand examples.batches batch_size, not 64": _loop(
            batches=lambda examples, size, order: examples.batches(64, order)
        ),
        "dropout sleeps: the network comes in evaluation mode, and has a method that wakes it": _loop(
            awake=False
        ),
    },
)


# --- the audit ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Layer:
    """A layer with parameters of an audited network: its gradients, weights before biases, as claimed and right."""

    number: int
    biases: int
    claimed: np.ndarray
    right: np.ndarray

    def off(self, places: Any = slice(None), tolerance: Any = 1e-4) -> Any:
        """Return whether the gradients at these positions are wrong."""
        return gradcheck.relative_error(self.claimed[places], self.right[places]) > tolerance


@functools.cache
def _layers(case: Any) -> Any:
    found: list[_Layer] = []

    def look(model: Any, loss: Any, x: Any, y: Any) -> Any:
        def value() -> Any:
            return float(loss(model.forward(x), y))

        value()
        model.backward(loss.backward())
        found.extend(
            _Layer(
                number,
                layer.bias.size,
                layer.gradients.copy(),
                gradcheck.numerical_gradient(value, layer.parameters),
            )
            for number, layer in enumerate(model.layers)
            if hasattr(layer, "parameters")
        )
        return []

    audited(look, case)
    return found


def _says(accuse: Any) -> Any:
    """Return the outcome of an audit that names these layers, chosen from the `_layers` of a case."""
    return lambda case: audited(lambda *network: accuse(_layers(case)), case)


def _where(wrong: Any) -> Any:
    """Return the outcome of an audit that names each layer for which this is true."""
    return _says(lambda layers: [layer.number for layer in layers if wrong(layer)])


def _wrong(layers: Any) -> Any:
    return [layer.number for layer in layers if layer.off()]


def clear(case: str) -> bool:
    """Return whether the faults of a case exceed any sensible tolerance and no ReLU changes sign during the check."""
    return all(layer.off(tolerance=1e-2) == layer.off(tolerance=1e-7) for layer in _layers(case))


FunctionExercise(
    "07.audit",
    outcome=audited,
    reference=_says(_wrong),
    inputs=AUDITED,
    mistakes={
        "every layer is accused, sound ones, too: print layer.gradients and what numerical_gradient gives, one below the "
        "other. Zeros in the first: has backward filled it? Zeros in the second: did it get layer.parameters itself, which "
        "the network reads? Different everywhere: did the weights move in between? Almost equal: a central difference has an "
        "error of its own, here about 3e-11, so nothing agrees to the last bit": _where(
            lambda layer: True
        ),
        "no layer is ever accused: does the loop come to the layers with parameters, is the tolerance too large, is the "
        "difference taken with abs?": _where(lambda layer: False),
        "a layer is wrong if one of its numbers is: is one wrong number enough (any, not all)?": _where(
            lambda layer: np.all(np.abs(layer.claimed - layer.right) > 1e-6)
        ),
        "compare weights and biases, number by number: in a sum of all of them, errors can cancel": _where(
            lambda layer: layer.off(slice(-layer.biases))
        ),
        "look at the weights, too": _where(lambda layer: layer.off(slice(-layer.biases, None))),
        "an error of a tenth goes unseen: the tolerance is too large, right gradients agree to 1e-6 in float64": _where(
            lambda layer: layer.off(tolerance=0.15)
        ),
        "an error of three in a thousand goes unseen: the tolerance is too large, right ones agree to 1e-6 in float64": _where(
            lambda layer: layer.off(tolerance=0.03)
        ),
        "an error of one percent of a small gradient goes unseen: compare the difference with the gradient itself, as "
        "gradcheck.relative_error does, or take a tolerance near 1e-6": _where(
            lambda layer: np.max(np.abs(layer.claimed - layer.right)) > 1e-3
        ),
        "large errors go unseen: the tolerance is too large, right gradients agree to 1e-6 in float64": _where(
            lambda layer: np.max(np.abs(layer.claimed - layer.right)) > 0.5
        ),
        "errors go unseen: do you look at every number, and is the tolerance small? Right gradients agree to 1e-6": _where(
            lambda layer: layer.off([0, -layer.biases])
        ),
        "errors go unseen: do you look at all numbers, and is the tolerance small? Right gradients agree to 1e-6": _where(
            lambda layer: layer.off([0])
        ),
        "two gradients can have the same length and differ: compare them number by number": _where(
            lambda layer: abs(np.linalg.norm(layer.claimed) - np.linalg.norm(layer.right)) > 1e-6
        ),
        "a gradient that points the right way may still be too long or too short: the cosine does not show that": _where(
            lambda layer: (
                layer.claimed @ layer.right
                < 0.999 * np.sqrt(np.sum(layer.claimed**2) * np.sum(layer.right**2))
            )
        ),
        "a gradient with the right sign may still have the wrong size: compare the numbers themselves": _where(
            lambda layer: np.any(np.sign(layer.claimed) != np.sign(layer.right))
        ),
        "in a sum, differences of both signs cancel: take the abs of each first": _where(
            lambda layer: np.sum(layer.claimed - layer.right) > 1e-6
        ),
        "in a sum, errors of both signs cancel: take the abs of each first": _where(
            lambda layer: np.sum(layer.right - layer.claimed) > 1e-6
        ),
        "those are the sound layers": _where(lambda layer: not layer.off()),
        "one of two wrong layers is not found: does the loop go on after the first one, and is every difference taken with "
        "abs, since a gradient may be too small, too?": _says(lambda layers: _wrong(layers)[:1]),
        "one of two wrong layers is not found: do you return all of them, and is every difference taken with abs, since a "
        "gradient may be too small, too?": _says(lambda layers: _wrong(layers)[-1:]),
        "only the first layer is looked at: is the return inside the loop? Linear layers have parameters, too": _says(
            lambda layers: _wrong(layers[:1])
        ),
        "the first layer is never accused: a Conv2d has parameters, too": _says(
            lambda layers: _wrong(layers[1:])
        ),
        "layers count from 0": _says(lambda layers: [number + 1 for number in _wrong(layers)]),
        "the layer's number in model.layers, where ReLU and Flatten count": _says(
            lambda layers: [number for number, layer in enumerate(layers) if layer.off()]
        ),
    },
)


# --- patience -----------------------------------------------------------------------------------


def _epochs(losses: Any, patience: Any) -> Any:
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best]:
            best = epoch
        if epoch - best >= patience:
            return epoch + 1
    return len(losses)


def _since_last(losses: Any, patience: Any) -> Any:
    worse = 0
    for epoch in range(1, len(losses)):
        worse = worse + 1 if losses[epoch] >= losses[epoch - 1] else 0
        if worse >= patience:
            return epoch + 1
    return len(losses)


def _never_reset(losses: Any, patience: Any) -> Any:
    waited = 0
    for epoch, loss in enumerate(losses):
        waited += epoch > 0 and loss >= min(losses[:epoch])
        if waited == patience:
            return epoch + 1
    return len(losses)


def _best_of_the_worse(losses: Any, patience: Any) -> Any:
    best, waited = losses[0], 0
    for epoch, loss in enumerate(losses[1:], 2):
        best, waited = (best, 0) if loss < best else (loss, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def _equal_is_better(losses: Any, patience: Any) -> Any:
    return _epochs([loss - 1e-9 * epoch for epoch, loss in enumerate(losses)], patience)


def _first_waits(losses: Any, patience: Any) -> Any:
    return _epochs([losses[0], *losses], patience) - 1


def _patience_mistakes(v: Any, p: Any) -> dict[str, Any]:
    return {
        "compare with the best loss so far, not with the epoch before": _since_last(v, p),
        "count epochs: the first one is number 1": _epochs(v, p) - 1,
        "stop as soon as there were `patience` epochs without a new best": _epochs(v, p + 1),
        "a new best sets the waiting back to 0": _never_reset(v, p),
        "best must become the smaller loss: where is best set, in which branch?": _best_of_the_worse(
            v, p
        ),
        "that is the best epoch; training ends `patience` epochs later": (
            v.index(min(v[: _epochs(v, p)])) + 1
        ),
        "that is the best of all epochs; training stops before it sees the later ones": (
            v.index(min(v)) + 1
        ),
        "it never stops early: does the waiting reach `patience`, is the return inside the loop, is best set where the loss "
        "is smaller?": len(v),
        "later epochs are not known yet: compare with the best loss so far": (
            min(len(v), v.index(min(v)) + 1 + p)
        ),
        "the first epoch is the best so far, nobody waits yet: begin with best = float('inf')": _first_waits(
            v, p
        ),
        "the best epoch does not wait: a new best sets the waiting back to 0, not to 1": (
            _epochs(v, p - 1)
        ),
        "return the number of the epoch, not how long was waited": (
            p if _epochs(v, p) < len(v) else len(v)
        ),
        "wait for `patience` epochs, not for one": _epochs(v, 1),
        "a loss may be larger than 1: begin with best = float('inf')": _epochs([1, *v], p) - 1,
        "a loss may be larger than the number that you begin with: best = float('inf')": (
            _epochs([100, *v], p) - 1
        ),
        "any smaller loss is better, however little": _epochs([round(loss, 2) for loss in v], p),
        "no epoch ever counts as better: begin with best = float('inf'), and smaller is better": (
            min(len(v), p)
        ),
        "an equal loss is not better: use <": _equal_is_better(v, p),
    }


FunctionExercise(
    "07.patience",
    reference=_epochs,
    inputs=[
        ([0.9, 0.5, 0.7, 0.6, 0.6, 0.65, 0.4], 3),
        ([0.5, 0.6, 0.55, 0.5], 2),
        ([0.5, 0.4, 0.3], 1),
        ([0.9, 0.95, 0.8, 0.85, 0.7], 2),
        ([0.5, 0.8, 0.9, 0.95], 2),
        ([0.5, 0.5, 0.5, 0.4], 2),
        ([2.3, 1.9, 2.5, 1.5, 1.2], 2),
        ([0.5, 0.499999, 0.499998, 0.6, 0.7, 0.1, 0.2], 2),
        ([3e12, 2e12, 4e12, 1e12], 2),
        ([5.2e7, 4.1e7, 120.0, 130.0, 140.0, 5.0, 6.0], 2),
    ],
    mistakes=_patience_mistakes,
)


# --- the published kernel -----------------------------------------------------------------------


KernelExercise(
    Piece(
        "row_sums",
        "07",
        "const float* x, float* sums, int rows, int columns",
        "sums[r] = Σ over columns c of x[r][c]",
        "",
        {"x": "rows columns", "sums": "rows"},
        lambda x, rows, columns: x.sum(1),
        **chosen(
            "rows columns",
            [(48, 96), (1, 1), (7, 33), (33, 100), (9, 32), (3, 1100)],
            [[(2, 70), (2, 300)], [(2000, 2600), (1, 3)], [(1, 3), (2000, 2600)]],
            far=[(70_000, 3), (3, 70_000), (70_000, 240)],
            along={2: ("rows", 307)},
        ),
        loop="columns",
        make={"x": lambda rng, shape, *_: rng.integers(1, 9, shape)},
        task=[
            at_most(
                "global_load.sectors",
                lambda rows, columns: 5 * rows * -(-columns // 32),
                "a warp per row: its 32 lanes read 32 neighbours, and share the sum",
            ),
            at_most("global_store.requests", lambda rows, columns: rows, "one lane stores the sum"),
        ],
    ),
    lambda rows, columns: (-(-rows // 8), 256),
    hints={
        OutOfBoundsError: "row is the number of the warp. A warp past the last row loads nothing and stores nothing: in "
        "both places, is row < rows asked?",
        RaceError: "one lane of the warp stores sums[row], and no other warp has this row: is lane == 0 asked?",
    },
)
