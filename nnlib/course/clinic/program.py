"""The program that the clinic's patients run: a training in NumPy, as a student would write it.

This text is healthy. A patient runs it with one line changed (patients.py), and so does a repair; it is read as text.
"""

from collections import namedtuple

import numpy as np

from nnlib.course.clinic.machine import as_floats, label_file, launch

SIZES = (784, 64, 64, 10)  # a case has its own, and its own settings
FILTERS = 0  # of 5 x 5, stride 2, as the first layer: each has 12 x 12 positions
Network = namedtuple("Network", "w b dw db y")


def settings():
    seed = 0
    learning_rate = 0.1
    return seed, learning_rate


def images(pixels):
    x = pixels.reshape(len(pixels), 784)
    x = x.astype(np.float32) / 128
    return as_floats(x)


def unfold(x):
    pictures = x.reshape(-1, 28, 28)
    n, oy, ox, i, j = np.ogrid[: len(pictures), :12, :12, :5, :5]
    row = 2 * oy + i
    column = 2 * ox + j
    columns = pictures[n, row, column]
    return columns.reshape(-1, 25)


def labels(chosen):
    header = 8
    after = label_file()[header:]
    return after[chosen]


def network(seed):
    rng = np.random.default_rng(seed)
    ends = [(25, FILTERS), (FILTERS * 144, SIZES[1])] if FILTERS else [SIZES[:2]]
    ends += zip(SIZES[1:], SIZES[2:])
    w = [rng.normal(0, np.sqrt(2 / i), (o, i)).astype(np.float32) for i, o in ends]
    b = [np.zeros(len(each), np.float32) for each in w]
    return Network(w, b, [0 * each for each in w], [0 * each for each in b], [])


def forward(net, x):
    net.y[:] = [unfold(x) if FILTERS else x]
    for w, b in zip(net.w, net.b):
        x = net.y[-1].reshape(-1, w.shape[1]) @ w.T + b
        if len(net.y) < len(net.w):
            x = np.maximum(x, 0)
        net.y.append(x)
    return x


def loss_and_gradient(logits, t):
    e = np.exp(logits - logits.max(1, keepdims=True))
    p = e / e.sum(1, keepdims=True)
    onehot = t[:, None] == np.arange(10)
    loss = -np.log(p[onehot] + 1e-30).mean()
    dlogits = (p - onehot) / len(p)
    return loss, dlogits


def relu_back(dy, y):
    mask = y > 0
    return dy * mask


def input_gradient(dy, w):
    if len(w) % 16 != 0:
        return dy @ w
    tiles = w
    return dy @ tiles


def weight_gradient(dy, x):
    dw = np.zeros((dy.shape[1], x.shape[1]), dy.dtype)
    block = (16, 16)
    grid = (-(-x.shape[1] // 16), -(-dy.shape[1] // 16))
    launch(grid, block, dy, x, dw)
    return dw


def store(gradient, value):
    gradient[...] = value


def backward(net, dy):
    for k in reversed(range(len(net.w))):
        x = net.y[k].reshape(-1, net.w[k].shape[1])
        store(net.dw[k], weight_gradient(dy, x))
        store(net.db[k], dy.sum(0))
        if k > 0:
            dy = input_gradient(dy, net.w[k]).reshape(net.y[k].shape)
            dy = relu_back(dy, net.y[k])


def backpropagate(net, x, t):
    loss, dlogits = loss_and_gradient(forward(net, x), t)
    backward(net, dlogits)
    return loss


def sgd(net, memory, rate):
    for p, g in zip(net.w + net.b, net.dw + net.db):
        p -= rate * g


def adam(net, memory, rate):
    memory["steps"] += 1
    for k, (p, g) in enumerate(zip(net.w + net.b, net.dw + net.db)):
        memory["arrays"] += 1
        t = memory["steps"]
        m, v = memory.setdefault(k, (0 * p, 0 * p))
        m += 0.1 * (g - m)
        v += 0.001 * (g * g - v)
        p -= rate * (m / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)
