"""Lesson 07: every check accepts right answers written differently and names the mistake of wrong ones."""

from io import StringIO
from pathlib import Path
from tokenize import NEWLINE, generate_tokens

import numpy as np
import pytest
from nbformat import read

from nnlib import gradcheck, training
from nnlib.course.exercises import find, networks
from nnlib.datasets import shuffled
from nnlib.teaching.marking.fresh import fresh

from .conftest import answers, stored


def loop(model, loss, optimizer, examples, epochs, batch_size):
    model.train()
    losses = []
    for epoch in range(epochs):
        total = 0.0
        for x, y in examples.batches(batch_size, shuffled(len(examples), 0, epoch)):
            value = loss(model.forward(x), y)
            model.backward(loss.backward())
            optimizer.step()
            total += float(value) * len(y)
        losses.append(total / len(examples))
    return losses


def loop_by_hand(model, loss, optimizer, examples, epochs, batch_size):
    """Batches cut by hand, all losses kept, a weighted mean at the end."""

    def one_epoch(epoch):
        order, values, counts = shuffled(len(examples), seed=0, epoch=epoch), [], []
        for start in range(0, len(examples), batch_size):
            some = examples[order[start : start + batch_size]]
            model.train()
            values.append(loss(model(some.prepare(some.inputs)), some.labels))
            model.backward(loss.backward())
            optimizer.step()
            counts.append(len(some))
        return np.average(values, weights=counts)

    return np.array([one_epoch(epoch) for epoch in range(epochs)])


def typed(old, new):
    """The loop with one line changed, as a student would get it wrong."""
    import inspect

    source = inspect.getsource(loop)
    assert old in source
    names = {"shuffled": shuffled, "np": np}
    exec(source.replace(old, new), names)
    return names["loop"]


def audit(model, loss, x, y):
    loss(model.forward(x), y)
    model.backward(loss.backward())
    wrong = []
    for number, layer in enumerate(model.layers):
        if hasattr(layer, "parameters"):
            right = gradcheck.numerical_gradient(
                lambda: loss(model.forward(x), y), layer.parameters
            )
            if gradcheck.relative_error(layer.gradients, right) > 1e-5:
                wrong.append(number)
    return wrong


def audit_by_hand(model, loss, x, y):
    loss(model(x), y)
    model.backward(loss.backward())
    gradients, wrong = model.gradients.copy(), set()
    owners = [n for n, layer in enumerate(model.layers) for _ in range(getattr(layer, "size", 0))]
    for i, owner in enumerate(owners):
        before, sides = model.parameters[i], []
        for step in (1e-5, -1e-5):
            model.parameters[i] = before + step
            sides.append(float(loss(model(x), y)))
        model.parameters[i] = before
        if abs((sides[0] - sides[1]) / 2e-5 - gradients[i]) > 1e-6:
            wrong.add(owner)
    return wrong


def audit_by_the_tool(model, loss, x, y):
    errors = gradcheck.gradient_check(model, loss, x, y, entries=1000)
    return np.unique(
        [int(name[0]) for name, error in errors.items() if name != "input" and error > 1e-6]
    )


def audited(
    model,
    loss,
    x,
    y,
    *,
    fill=True,
    look=lambda layer: [(layer.parameters, layer.gradients)],
    limit=1e-5,
    name=lambda model, n: n,
):
    """audit, with what a student may get wrong."""
    loss(model.forward(x), y)
    if fill:
        model.backward(loss.backward())
    return [
        name(model, n)
        for n, layer in enumerate(model.layers)
        if hasattr(layer, "parameters")
        and any(
            gradcheck.relative_error(
                got, gradcheck.numerical_gradient(lambda: loss(model.forward(x), y), array)
            )
            > limit
            for array, got in look(layer)
        )
    ]


def by_numbers(wrong):
    """An audit that asks wrong(claimed, right) of each layer."""

    def judge(model, loss, x, y):
        loss(model.forward(x), y)
        model.backward(loss.backward())
        return [
            n
            for n, layer in enumerate(model.layers)
            if hasattr(layer, "parameters")
            and wrong(
                layer.gradients,
                gradcheck.numerical_gradient(lambda: loss(model.forward(x), y), layer.parameters),
            )
        ]

    return judge


def by_difference(wrong):
    return by_numbers(lambda claimed, right: wrong(claimed - right))


def parts(layer):
    return [(layer.weight, layer.grad_weight), (layer.bias, layer.grad_bias)]


def patient(losses, patience):
    best, waited = np.inf, 0
    for epoch, loss in enumerate(losses, 1):
        best, waited = (loss, 0) if loss < best else (best, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def grumpy(losses, patience):
    waited, best = 0, np.inf
    for epoch, loss in enumerate(losses, 1):
        waited += loss >= best
        best = min(best, loss)
        if waited == patience:
            return epoch
    return len(losses)


def lenient(losses, patience):
    best, waited = np.inf, 0
    for epoch, loss in enumerate(losses, 1):
        best, waited = (loss, 0) if loss <= best else (best, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def hasty(losses, patience, best=None):
    best, waited = losses[0] if best is None else best, 0
    for epoch, loss in enumerate(losses, 1):
        best, waited = (loss, 0) if loss < best else (best, waited + 1)
        if waited == patience:
            return epoch
    return len(losses)


def cautious(losses, patience):
    return hasty(losses, patience, best=1.0)


def best_of_the_worse(losses, patience):
    best, waited = losses[0], 0
    for epoch, loss in enumerate(losses, 1):
        if loss < best:
            waited = 0
        else:
            best, waited = loss, waited + (epoch > 1)
        if waited == patience:
            return epoch
    return len(losses)


def over_a_window(losses, patience):
    return next(
        (e + 1 for e in range(patience, len(losses)) if losses[e] >= losses[e - patience]),
        len(losses),
    )


def impatient(losses, patience):
    return next((e + 1 for e in range(len(losses)) if e and losses[e] > losses[e - 1]), len(losses))


RIGHT = [
    ("07.loop", loop),
    ("07.loop", loop_by_hand),
    ("07.loop", typed("model.forward(x)", "model(x)")),
    ("07.loop", typed("total / len(examples)", "np.float32(total / len(examples))")),
    ("07.audit", audit),
    ("07.audit", audit_by_hand),
    ("07.audit", audit_by_the_tool),
    ("07.patience", patient),
    (
        "07.patience",
        lambda v, k: next(
            (e + 1 for e in range(len(v)) if e - int(np.argmin(v[: e + 1])) >= k), len(v)
        ),
    ),
]


@pytest.mark.parametrize(("name", "answer"), RIGHT)
def test_right_answers_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("07.loop", lambda *training: ..., "not written yet"),
        ("07.loop", lambda *training: None, "is the return missing"),
        ("07.loop", lambda *training: [], "shape (0,), should be (3,)"),
        (
            "07.loop",
            lambda m, o, p, e, n, size: (
                training.fit(m, o, p, e, epochs=n, batch_size=size).train_loss
            ),
            "fit itself",
        ),
        ("07.audit", lambda *network: ..., "not written yet"),
        ("07.audit", lambda *network: [], "no layer is ever accused"),
        ("07.audit", lambda m, o, x, y: audited(m, o, x, y, fill=False), "has backward filled it"),
        (
            "07.audit",
            lambda m, o, x, y: audited(
                m, o, x, y, look=lambda layer: [(layer.weight, layer.grad_weight)]
            ),
            "weights and biases, number by number",
        ),
        (
            "07.audit",
            lambda m, o, x, y: audited(
                m, o, x, y, look=lambda layer: [(layer.bias, layer.grad_bias)]
            ),
            "the weights, too",
        ),
        (
            "07.audit",
            lambda m, o, x, y: audited(m, o, x, y, limit=0.5, look=parts),
            "an error of a tenth goes unseen",
        ),
        (
            "07.audit",
            lambda m, o, x, y: audited(m, o, x, y, limit=0),
            "nothing agrees to the last bit",
        ),
        ("07.audit", by_difference(lambda d: np.abs(d).max() > 0.5), "large errors go unseen"),
        ("07.audit", by_difference(lambda d: abs(d).max() > 0.01), "three in a thousand"),
        ("07.audit", by_difference(lambda d: abs(d).mean() > 0.001), "three in a thousand"),
        (
            "07.audit",
            by_difference(lambda d: abs(d).max() > 1e-4),
            "one percent of a small gradient",
        ),
        ("07.audit", by_difference(lambda d: abs(d[0]) > 1e-6), "do you look at all numbers"),
        ("07.audit", by_difference(lambda d: d.sum() > 1e-6), "in a sum"),
        ("07.audit", by_difference(lambda d: d.max() > 1e-6), "is every difference taken with abs"),
        (
            "07.audit",
            by_difference(lambda d: d.min() < -1e-6),
            "is every difference taken with abs",
        ),
        (
            "07.audit",
            lambda m, o, x, y: audit(m, o, x, y)[:1],
            "does the loop go on after the first one",
        ),
        ("07.audit", lambda m, o, x, y: audit(m, o, x, y)[-1:], "do you return all of them"),
        (
            "07.audit",
            lambda m, o, x, y: [n for n in audit(m, o, x, y) if n == 0],
            "is the return inside the loop",
        ),
        (
            "07.audit",
            lambda m, o, x, y: [n for n in audit(m, o, x, y) if n > 0],
            "a Conv2d has parameters, too",
        ),
        ("07.audit", lambda m, o, x, y: [n + 1 for n in audit(m, o, x, y)], "count from 0"),
        ("07.audit", lambda m, o, x, y: 2 * audit(m, o, x, y), "each wrong layer once"),
        (
            "07.audit",
            by_numbers(lambda got, want: abs(np.linalg.norm(got) - np.linalg.norm(want)) > 1e-6),
            "same length",
        ),
        (
            "07.audit",
            by_numbers(lambda got, want: np.any(np.sign(got) != np.sign(want))),
            "the wrong size",
        ),
        (
            "07.audit",
            by_numbers(
                lambda got, want: got @ want < 0.999 * np.linalg.norm(got) * np.linalg.norm(want)
            ),
            "the cosine",
        ),
        ("07.audit", lambda m, o, x, y: {0, 4} - set(audit(m, o, x, y)), "the sound layers"),
        (
            "07.audit",
            lambda m, o, x, y: audited(m, o, x, y, name=lambda model, n: [0, 4].index(n)),
            "where ReLU and Flatten count",
        ),
        ("07.audit", by_difference(lambda d: (abs(d) > 1e-6).all()), "any, not all"),
        ("07.patience", best_of_the_worse, "where is best set"),
        ("07.patience", lambda v, k: hasty(v, k, best=10), "larger than the number"),
        ("07.patience", lambda v, k: hasty(v, k, best=100), "larger than the number"),
        ("07.patience", lambda v, k: patient([round(loss, 3) for loss in v], k), "however little"),
        ("07.patience", lambda v, k: int(np.argmin(v)) + 1, "the best of all epochs"),
        ("07.patience", lambda v, k: patient(v, k) - 1, "the first one is number 1"),
        ("07.patience", lambda v, k: patient(v, k + 1), "stop as soon as"),
        ("07.patience", impatient, "not for one"),
        ("07.patience", cautious, "larger than 1"),
        (
            "07.patience",
            lambda v, k: k if patient(v, k) < len(v) else len(v),
            "the number of the epoch",
        ),
        ("07.patience", lambda v, k: patient(v, k - 1) if k > 1 else 1, "back to 0, not to 1"),
        ("07.patience", lambda v, k: patient(v, 1), "not for one"),
        ("07.patience", over_a_window, "the result is 3, should be 5"),
        ("07.patience", lenient, "use <"),
        ("07.patience", hasty, "nobody waits yet"),
        ("07.patience", lambda v, k: hasty(v, k, best=0), "no epoch ever counts as better"),
        ("07.patience", lambda v, k: min(len(v), int(np.argmin(v)) + 1 + k), "not known yet"),
        ("07.patience", grumpy, "sets the waiting back"),
        (
            "07.patience",
            lambda v, k: int(np.argmin(v[: patient(v, k)])) + 1,
            "that is the best epoch",
        ),
        ("07.patience", lambda v, k: len(v), "never stops early"),
    ],
)
def test_wrong_answers_get_their_hint(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


@pytest.mark.parametrize(("right", "words", "text"), answers(stored("loops.txt")))
def test_wrong_loops_get_their_hint(right, words, text):
    names = {"shuffled": shuffled, "np": np}
    exec(text, names)
    verdict = find("07.loop").judge(names["loop"])
    assert verdict.solved == right and words in verdict.text, verdict.text


def test_the_loop_trains_as_fit_does_bit_for_bit():
    """What the exercise compares with is what training.fit does."""
    exercise = find("07.loop")
    for case in exercise.inputs:
        losses, weights = exercise.reference(case)
        fitted = exercise.outcome(
            lambda model, loss, optimizer, examples, epochs, size: (
                training.fit(
                    model, loss, optimizer, examples, epochs=epochs, batch_size=size, progress=None
                ).train_loss
            ),
            case,
        )
        assert losses.tolist() == fitted[0].tolist() and np.array_equal(weights, fitted[1])


def test_errors_of_python_come_with_a_line_and_a_sentence():
    """What a student's own text raises, by exercise."""

    def compares_a_list(losses, patience):
        best = np.inf
        return len(losses) if losses < [best] and losses < best else 0

    def no_first_value(losses, patience):
        best = None
        return sum(value < best for value in losses)

    numeric = gradcheck.numerical_gradient
    named = {
        "07.patience": [
            (compares_a_list, "a whole list"),
            (no_first_value, "comparison is None"),
            (lambda v, k: [0 for i in range(v)], "range wants a number"),
            (lambda v, k: v[len(v)], "past the end"),
            (lambda v, k: min(v[:0]), "the first round"),
            (lambda v, k: sum(v > 0 for v in enumerate(v)), "enumerate"),
        ],
        "07.loop": [
            (typed("loss.backward())", "loss.backward(value))"), "wants nothing"),
            (typed("optimizer.step()", "optimizer.zero_grad()"), "overwrites the old gradients"),
            (
                typed("shuffled(len(examples), 0, epoch)", "np.random.permutation(len(examples))"),
                "an order by chance",
            ),
        ],
        "07.audit": [
            (
                lambda m, o, x, y: numeric(o(m.forward(x), y), m.parameters),
                "hand over the calculation itself",
            ),
            (
                lambda m, o, x, y: numeric(lambda p: o(m.forward(x), y), m.parameters),
                "called without any is lambda",
            ),
            (lambda m, o, x, y: numeric(lambda: m.forward(x), m.parameters), "an array with many"),
            (lambda m, o, x, y: numeric(lambda: 0.0, m.layers[0]), "an array of numbers is wanted"),
            (lambda m, o, x, y: [layer.gradients for layer in m.layers], "hasattr(layer"),
            (lambda m, o, x, y: [layer for layer in m.layers], "the numbers of the layers"),
            (lambda m, o, x, y: 4, "the numbers of the layers"),
            (lambda m, o, x, y: m.backward(), "fewer arguments"),
            (lambda m, o, x, y: m.backward(o.backward()), "what the forward pass has kept"),
            (lambda m, o, x, y: m.backward(np.array(o(m(x), y))), "not the loss"),
            (lambda m, o, x, y: o(m.layers[0].forward(x), y), "one of the whole network"),
            (lambda m, o, x, y: [n for n, layer in m.layers], "enumerate(…) gives pairs"),
            (lambda m, o, x, y: sum(4), "a number stands where a list"),
            (lambda m, o, x, y: m.layers[0].gradients - x, "print both shapes"),
        ],
    }
    for name, tried in named.items():
        for answer, sentence in tried:
            said = find(name).judge(answer).text
            assert sentence in said, said
    assert (
        "in your line: return sum(value < best for value in losses)"
        in find("07.patience").judge(no_first_value).text
    )


def test_an_audit_that_knows_the_networks_of_check_fails_where_marks_are_given():
    known = [[], [4], [0], [0], [0], [0], [0, 4], [0], [0]]
    cases = [*find("07.audit").inputs, *fresh("07.audit", np.random.default_rng(0))]
    assert [find("07.audit").reference(case) for case in cases[:9]] == [
        f"layers {', '.join(map(str, layers)) or 'none'}" for layers in known
    ]
    weights = []

    def by_heart(model, loss, x, y):
        weights.append(float(model.parameters.sum()))
        return known[min(len(weights), 9) - 1]

    assert find("07.audit").judge(by_heart).solved
    wrong = [case for case in cases[9:] if find("07.audit").reference(case) != "layers 0"]
    assert wrong and {type(layer).__name__ for layer in networks._network(wrong[0]).layers} <= {
        "Conv2d",
        "Linear",
        "ReLU",
        "MaxPool2d",
        "Flatten",
    }


def test_weights_that_agree_to_six_digits_are_not_enough():
    def nudged(model, *rest):
        losses = loop(model, *rest)
        model.parameters[3] *= np.float32(1 + 2e-7)
        return losses

    assert "not bit for bit" in find("07.loop").judge(nudged).text


@pytest.mark.parametrize(
    "answer", [lambda v, k: patient(v, 2), lambda v, k: int(np.argmax(v)) + 1, lambda v, k: k + 1]
)
def test_no_hint_by_chance(answer):
    assert "Hint" not in find("07.patience").judge(answer).text


def test_the_page_is_short_enough():
    """Lines of Python as Python counts them: one that is broken for a slide is still one."""
    cells = read(Path(__file__).parents[2] / "notebooks" / "07_mnist_training.ipynb", 4).cells
    shown = [
        cell.source
        for cell in cells
        if cell.cell_type == "code"
        and not cell.source.startswith("%%")
        and not cell.metadata.get("jupyter", {}).get("source_hidden")
    ]
    ends = [
        token
        for source in shown
        for token in generate_tokens(StringIO(source).readline)
        if token.type == NEWLINE
    ]
    assert 100 < len(ends) <= 200


def patience(best=float("inf"), less=0.0):
    def stopped(losses, patience, best=best):
        waited = 0
        for epoch, loss in enumerate(losses, 1):
            waited = 0 if loss < best - less else waited + 1
            best = min(best, loss)
            if waited >= patience:
                return epoch
        return len(losses)

    return stopped


@pytest.mark.parametrize("options", [{"best": 500.0}, {"best": 1e6}, {"less": 1e-4}])
def test_a_patience_that_is_right_for_some_losses_only_is_refused(options):
    assert find("07.patience").judge(patience()).solved
    assert not find("07.patience").judge(patience(**options)).solved
