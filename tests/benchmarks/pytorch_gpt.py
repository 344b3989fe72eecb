"""The GPT of lesson 10 in PyTorch, from given weights: `python pytorch_gpt.py START.npz BATCH RATE` prints its losses.

It needs PyTorch and NumPy only, so that it runs in an environment of its own.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

E, HEADS, T = 32, 4, 16


class Block(nn.Module):
    """Attention and two linear layers, each added to what was there."""

    def __init__(self) -> None:
        super().__init__()
        self.norm1, self.qkv, self.mix = nn.RMSNorm(E, 1e-5), nn.Linear(E, 3 * E), nn.Linear(E, E)
        self.norm2, self.up, self.down = (
            nn.RMSNorm(E, 1e-5),
            nn.Linear(E, 4 * E),
            nn.Linear(4 * E, E),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        N, length, _ = x.shape
        q, k, v = (
            part.view(N, length, HEADS, -1).transpose(1, 2)
            for part in self.qkv(self.norm1(x)).split(E, 2)
        )
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.mix(y.transpose(1, 2).reshape(N, length, E))
        hidden = functional.gelu(self.up(self.norm2(x)), approximate="tanh")
        return x + torch.as_tensor(self.down(hidden))


class GPT(nn.Module):
    """A transformer block between two embeddings and a linear layer; parameters are in nnlib's order."""

    def __init__(self, V: int) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(V, E), nn.Embedding(T, E)
        self.block, self.norm, self.head = Block(), nn.RMSNorm(E, 1e-5), nn.Linear(E, V)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        rows = self.tokens(x) + self.places(torch.arange(x.shape[1]))
        return torch.as_tensor(self.head(self.norm(self.block(rows))))


def loss_of(model: GPT, x: Any, y: Any) -> torch.Tensor:
    logits = model(torch.from_numpy(x).long())
    return functional.cross_entropy(logits.flatten(0, 1), torch.from_numpy(y).long().flatten())


def main(path: str, batch: int, rate: float) -> None:
    given = np.load(path)
    flat, model = torch.from_numpy(given["parameters"]), GPT(int(given["y"].max()) + 1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(flat[: parameter.numel()].view_as(parameter))
            flat = flat[parameter.numel() :]
    assert not flat.numel()
    optimizer, found = torch.optim.AdamW(model.parameters(), lr=rate), []
    for order in given["orders"]:
        for first in range(0, len(order), batch):
            rows = order[first : first + batch]
            optimizer.zero_grad()
            loss_of(model, given["x"][rows], given["y"][rows]).backward()
            optimizer.step()
        with torch.no_grad():
            found.append(loss_of(model, given["test_x"], given["test_y"]).item())
    print(json.dumps({"pytorch": found, "torch": torch.__version__}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
