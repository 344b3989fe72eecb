"""What a transformer adds: operations four ways, gradients, a model of layers inside layers, text."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest

from nnlib import datasets, ops
from nnlib.gradcheck import gradient_check
from nnlib.layers import (
    GELU,
    CausalSelfAttention,
    Dropout,
    Embedding,
    Linear,
    PositionalEmbedding,
    Residual,
    RMSNorm,
)
from nnlib.losses import CrossEntropyLoss
from nnlib.model import Sequential
from nnlib.optimizers import AdamW
from nnlib.training import evaluate, fit
from nnlib.training.sampling import sample

RNG = np.random.default_rng(0)


def normal(*shape, dtype=np.float32):
    return RNG.standard_normal(shape).astype(dtype)


def gpt(V=11, T=7, E=12, heads=3, **settings):
    return Sequential(
        Embedding(V, E),
        PositionalEmbedding(T, E),
        Residual(RMSNorm(E), CausalSelfAttention(E, heads)),
        Residual(RMSNorm(E), Linear(E, 2 * E), GELU(), Dropout(0.2), Linear(2 * E, E)),
        RMSNorm(E),
        Linear(E, V),
        **settings,
    )


def tokens(*shape, V=11):
    return RNG.integers(0, V, shape).astype(np.int32)


def attention_written_out(qkv, heads):
    N, T, E3 = qkv.shape
    q, k, v = qkv.reshape(N, T, 3, heads, -1).astype(np.float64).transpose(2, 0, 3, 1, 4)
    y = np.zeros_like(q)
    for n, h, t in np.ndindex(N, heads, T):
        weights = np.exp(k[n, h, : t + 1] @ q[n, h, t] / math.sqrt(q.shape[-1]))
        y[n, h, t] = weights @ v[n, h, : t + 1] / weights.sum()
    return y.transpose(0, 2, 1, 3).reshape(N, T, E3 // 3)


def test_attention_is_its_definition():
    qkv = normal(2, 5, 36)
    y, _ = ops.attention(qkv, 3)
    np.testing.assert_allclose(y, attention_written_out(qkv, 3), atol=2e-6)


def test_attention_does_not_overflow_and_does_not_look_ahead():
    qkv = 40 * normal(1, 6, 12)
    with ops.engine("kernels"):
        before, _ = ops.attention(qkv, 2)
        qkv[:, 4:] = 1e4
        after, _ = ops.attention(qkv, 2)
    assert np.isfinite(after).all()
    np.testing.assert_array_equal(before[:, :4], after[:, :4])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ops.embedding(tokens(2) + 90, normal(5, 6)), "tokens run from"),
        (lambda: ops.embedding(normal(2), normal(5, 6)), "rows are integers"),
        (lambda: ops.rms_norm(normal(2, 3), normal(4)), "as many as x has in a row"),
        (lambda: ops.attention(normal(1, 2, 10), 3), "E a multiple of 3"),
        (lambda: CausalSelfAttention(10, 3), "equally among 3 heads"),
        (lambda: gpt()(normal(2, 3)), "takes tokens"),
        (lambda: gpt()(tokens(2, 8)), "at most 7 tokens"),
        (lambda: datasets.encode("ab", "abc"), "'c' is none of the 2"),
    ],
)
@pytest.mark.parametrize("engine", ["arrays", "kernels"])
def test_bad_input_is_refused_with_what_was_expected(call, message, engine):
    with (
        ops.engine(engine),
        pytest.raises((ValueError, TypeError, datasets.DatasetError), match=message),
    ):
        call()


def test_gradients_of_a_whole_model():
    model, x, y = gpt(dtype=np.float64), tokens(2, 7), tokens(2, 7)
    model.parameters += RNG.normal(0, 0.3, model.parameters.shape)
    errors = gradient_check(model.eval(), CrossEntropyLoss(), x, y)
    assert len(errors) == 15 and max(errors.values()) < 1e-6
    narrow, loss, gradients = gpt().eval(), CrossEntropyLoss(), []
    narrow.parameters[...] = model.parameters
    for network, engine in (model, "arrays"), (narrow, "kernels"):
        with ops.engine(engine):
            loss(network(x), y)
            network.backward(loss.backward())
        gradients.append(network.gradients)
    assert abs(gradients[1] - gradients[0]).max() < 1e-5 * abs(gradients[0]).max()


def test_a_model_of_layers_inside_layers_is_saved_copied_and_put_into_evaluation():
    model, other = gpt(seed=1), gpt(seed=2)
    assert {
        "2.1.0.weight",
        "2.1.1.bias",
        "3.3.seed_offset",
        "4.weight",
    } <= model.state_dict().keys()
    other.load_state_dict(model.state_dict())
    x = tokens(2, 7)
    np.testing.assert_array_equal(model.eval()(x), other.eval()(x))
    twin = copy.deepcopy(model)
    twin.parameters += 1
    assert (twin(x) != model(x)).any()
    assert not any(layer.training for layer in model.modules())


def test_a_model_learns_names_and_goes_on_with_them():
    data = datasets.load("names")
    model = gpt(len(data.classes), 16, 16, 4)
    history = fit(
        model,
        CrossEntropyLoss(),
        AdamW(model, lr=1e-2),
        data.train,
        data.test,
        1,
        64,
        progress=None,
    )
    assert history.valid_loss[-1] < 2.8 < math.log(len(data.classes))
    assert evaluate(model, CrossEntropyLoss(), data.test).loss == pytest.approx(
        history.valid_loss[-1]
    )
    text = sample(model, datasets.encode(data.classes, "."), 30, 16)
    assert text == sample(model, [0], 30, 16) and len(set(text)) > 5
    assert datasets.encode(data.classes, datasets.decode(data.classes, text)).tolist() == text
    with pytest.raises(ValueError, match="temperature"):
        sample(model, [0], 1, 16, temperature=-1)


def test_windows_of_a_text_and_what_follows_each_token(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("hello world " * 30, "utf-8")
    data = datasets.load_text(path, context=8)
    assert datasets.decode(data.classes, data.train.inputs[1]) == "rld hell"
    assert datasets.decode(data.classes, data.train.labels[1]) == "ld hello"
    with pytest.raises(datasets.DatasetError, match="more than 1000"):
        datasets.load_text(path, context=100)


def test_decay_of_weights_is_not_part_of_the_gradient():
    w, g = normal(5), normal(5)
    params, moments = w.copy(), (np.zeros(5, np.float32), np.zeros(5, np.float32))
    ops.adamw_step(params, g, moments, 1, 0.1, weight_decay=0.5)
    np.testing.assert_allclose(params, w * 0.95 - 0.1 * np.sign(g), rtol=1e-4)
