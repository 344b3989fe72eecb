"""What lesson 06 asks for, and the usual mistakes. Its bug clinic is in `clinic`."""

import numpy as np

from nnlib.course.exercises.checking import AnswerExercise, FunctionExercise, KernelExercise, Launch, Out, alone
from nnlib.cuda import OutOfBoundsError, RaceError

_SIZES = (33, 64), (2, 64), (31, 32), (32, 64), (900, 128)
_GUARD = {OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
          RaceError: "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"}


def _linear_inputs(rng):
    # W is square: elsewhere a wrong transpose would end in NumPy's message, and not reach ours.
    return [tuple(rng.standard_normal(shape) for shape in [(n, o), (n, o), (o, o)]) for n, o in [(2, 3), (5, 4)]]


FunctionExercise("06.linear_back", reference=lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum(axis=0)),
                 inputs=_linear_inputs,
                 mistakes={"dx = dy W: the weights are (outputs, inputs), do not transpose them":
                           lambda dy, x, w: (dy @ w.T, dy.T @ x, dy.sum(0)),
                           "two products are transposed: dx = dy W, and the weight gradient has the shape of W":
                           lambda dy, x, w: (dy @ w.T, x.T @ dy, dy.sum(0)),
                           "return them in this order: dx, dw, db":
                           lambda dy, x, w: (dy.T @ x, dy @ w, dy.sum(0)),
                           "dx comes first, then dw, and db last":
                           lambda dy, x, w: (dy @ w, dy.sum(0), dy.T @ x),
                           "the weight gradient is transposed: it has the shape of W, (outputs, inputs)":
                           lambda dy, x, w: (dy @ w, x.T @ dy, dy.sum(0)),
                           "the loss has divided by the batch already: sum, do not average":
                           lambda dy, x, w: (dy @ w, dy.T @ x / len(x), dy.mean(0)),
                           "sum the bias gradient, do not average: the loss has divided already":
                           lambda dy, x, w: (dy @ w, dy.T @ x, dy.mean(0)),
                           "the bias gradient sums over the batch, axis 0":
                           lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum(1)),
                           "one number per output: sum over axis 0 alone":
                           lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum()),
                           "db has the shape of b, (outputs,): without keepdims":
                           lambda dy, x, w: (dy @ w, dy.T @ x, dy.sum(0, keepdims=True)),
                           "the bias is shared by the whole batch: sum dy over axis 0":
                           lambda dy, x, w: (dy @ w, dy.T @ x, dy)})


def _onehot(p, labels):
    return np.eye(p.shape[1])[labels]


def _softmax(p):
    return np.exp(p) / np.exp(p).sum(axis=1, keepdims=True)


_P = np.array([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6], [0.2, 0.5, 0.3], [0.25, 0.25, 0.5]])
FunctionExercise("06.softmax_back", reference=lambda p, labels: (p - _onehot(p, labels)) / len(p),
                 inputs=[(_P, np.array([0, 1, 1, 0])), (_P[1:], np.array([2, 1, 2]))],
                 mistakes={"the loss is a mean over the batch: divide by N": lambda p, t: p - _onehot(p, t),
                           "the sign is wrong: this would make the right class less likely":
                           lambda p, t: (_onehot(p, t) - p) / len(p),
                           "brackets: N divides the whole difference": lambda p, t: p - _onehot(p, t) / len(p),
                           "1 is subtracted at the label only": lambda p, t: (p - 1) / len(p),
                           "labels are the numbers of classes; subtract onehot, 1 at the label":
                           lambda p, t: (p - t[:, None]) / len(p),
                           "divide by the number of examples, not of classes":
                           lambda p, t: (p - _onehot(p, t)) / p.shape[1],
                           "every logit has a gradient, not only that of the right class":
                           lambda p, t: _onehot(p, t) * (p - 1) / len(p),
                           "p(1-p) is the slope of a sigmoid alone; here the logarithm has cancelled it":
                           lambda p, t: (p - _onehot(p, t)) * p * (1 - p) / len(p),
                           "that is the gradient with respect to p, before softmax's own":
                           lambda p, t: -_onehot(p, t) / p / len(p),
                           "one entry per row: d[np.arange(len(p)), labels], since d[:, labels] takes whole columns":
                           lambda p, t: (p - np.isin(np.arange(p.shape[1]), t)) / len(p),
                           "one entry per row: d[np.arange(len(p)), labels], since d[labels] takes whole rows":
                           lambda p, t: (p - np.isin(np.arange(len(p)), t)[:, None]) / len(p),
                           "subtract 1 from the entry; do not set it to 1":
                           lambda p, t: np.where(_onehot(p, t) == 1, 1, p) / len(p),
                           "p holds probabilities already: no second softmax":
                           lambda p, t: (_softmax(p) - _onehot(p, t)) / len(p)})


@np.errstate(all="ignore")  # some mistakes divide by zero at the large logits
def _bce_back(rng, n, block):
    z = rng.standard_normal(n, dtype=np.float32)
    z[5:6], z[6:7] = 100, -100
    t = (rng.random(n) < 0.5).astype(np.float32)
    p = 1 / (1 + np.exp(-z))
    mistakes = {"the sign is wrong: a target above p must push z up": t - p,
                "z is the logit: the probability is its sigmoid": z - t,
                "the sigmoid has a minus in it: 1 / (1 + exp(-z))": 1 - p - t,
                "brackets: 1 / (1 + exp(-z))": 1 + np.exp(-z) - t,
                "exp(z) overflows for a large z; 1 / (1 + exp(-z)) does not": np.where(z > 88, np.nan, p - t),
                "the slope p(1-p) cancels: the difference alone remains": (p - t) * p * (1 - p),
                "that is the gradient with respect to p; go on through the sigmoid": (p - t) / (p * (1 - p)),
                "that is the loss itself; asked is its slope": -t * np.log(p) - (1 - t) * np.log(1 - p)}
    return Launch(grid=-(-n // block), block=block, args=(z, t, Out(n), n), expect=(p - t) / n, limits=[alone(n)],
                  mistakes={"the loss is a mean: divide by n": p - t, "brackets: (p - t) / n": p - t / n,
                            "all zero: 1 / n divides two integers; divide the float by n": 0 * p,
                            **{hint: wrong / n for hint, wrong in mistakes.items()},
                            **{f"{hint}; and divide by n": wrong for hint, wrong in mistakes.items()}})


KernelExercise("06.bce_back", _bce_back, _SIZES, hints=_GUARD)


def _momentum(rng, n, block):
    w, v, g = rng.standard_normal((3, n), dtype=np.float32)
    lr, mu = np.float32(rng.uniform(0.05, 0.2)), np.float32(rng.uniform(0.7, 0.9))
    new = mu * v + g
    mistakes = {"nothing has changed yet: write v[i] and w[i]": (w, v),
                "w has not changed: it moves by lr * v[i]": (w, new),
                "use the new velocity for the weight: update v first": (w - lr * v, new),
                "this is plain gradient descent: the weight moves by the velocity": (w - lr * g, new),
                "minus: go down the slope": (w + lr * new, new),
                "the new velocity must be stored for the next step": (w - lr * new, v),
                "multiply by the learning rate": (w - new, new),
                "the gradient enters the velocity whole: v = momentum * v + g": (w - lr * (mu * v + (1 - mu) * g),
                                                                                mu * v + (1 - mu) * g),
                "the old velocity is multiplied by momentum": (w - lr * (v + g), v + g),
                "v[i] = ..., not +=: momentum * v[i] is what remains of it": (w - lr * (v + new), v + new),
                "momentum multiplies the old velocity alone: momentum * v + g": (w - lr * mu * (v + g), mu * (v + g)),
                "v adds up gradients as they are: + g": (w - lr * (mu * v - g), mu * v - g),
                "lr belongs into one line, the weight's": (w - lr * (mu * v + lr * g), mu * v + lr * g),
                "lr belongs to the weight's line alone": (w - lr * lr * new, lr * new),
                "lr belongs to the weight's line, not to the velocity's": (w - (mu * v + lr * g), mu * v + lr * g),
                "v adds up gradients as they are; the minus and lr belong to the weight's line":
                (w + (mu * v - lr * g), mu * v - lr * g),
                "v adds up gradients as they are; the minus belongs to the weight's line":
                (w + lr * (mu * v - g), mu * v - g),
                "momentum multiplies the old velocity, not the gradient": (w - lr * (v + mu * g), v + mu * g),
                "go on from the old weight: w[i] -= ..., not =": (-lr * new, new),
                "that is Nesterov's way; here the weight moves by lr * v": (w - lr * (g + mu * new), new)}
    return Launch(grid=-(-n // block), block=block, args=(Out(initial=w), Out(initial=v), g, lr, mu, n),
                  expect=(w - lr * new, new), mistakes=mistakes, limits=[alone(n, stores=8)])


KernelExercise("06.momentum", _momentum, _SIZES, hints=_GUARD)

AnswerExercise("06.diagnosis", answer="b", mistakes={
    "a": "a gradient summed over the batch would be 32 times too long, not 1/32",
    "c": "a wrong formula changes the direction; the cosine is 1",
    "d": "stale gradients are right in the first backward pass: the length would be 1",
    "e": "a layer that never moves has length 0"})
