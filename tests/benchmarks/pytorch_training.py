"""The reference network trained by PyTorch in the ways a user would choose from. Seconds for whole epochs.

Tried on an H200 for the whole step in a graph, 1.33 s: cudnn.benchmark 1.33, a fused optimizer 1.33, 71 steps in one
graph 1.35, channels_last 1.43.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn import functional

BATCH = 64
Train = Callable[[Any, Any, Any], None]  # (x, labels, optimizer): one step


def network() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 16, 3),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(4608, 10),
    )


def settings() -> dict[str, Any]:
    return {
        "torch": torch.__version__,
        "cudnn": torch.backends.cudnn.version(),
        "matmul TF32": torch.backends.cuda.matmul.allow_tf32,
        "cuDNN TF32": torch.backends.cudnn.allow_tf32,
    }


class Bench:
    """images uint8 (N, 1, 28, 28) and labels as NumPy arrays; lr of plain SGD."""

    def __init__(
        self, images: Any, labels: Any, test_images: Any, test_labels: Any, lr: float
    ) -> None:
        self.x = torch.from_numpy(images.copy()).float().div_(255)
        self.y = torch.from_numpy(labels.copy()).long()
        self.test_x = torch.from_numpy(test_images.copy()).float().div_(255).cuda()
        self.test_y = torch.from_numpy(test_labels.copy()).long().cuda()
        self.gpu_x, self.gpu_y = self.x.cuda(), self.y.cuda()
        self.lr = lr

    def _start(self) -> None:
        torch.manual_seed(0)
        self.model = network().cuda()
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.lr)

    def accuracy(self) -> float:
        with torch.no_grad():
            pairs = zip(self.test_x.split(1000), self.test_y.split(1000), strict=True)
            right = [(self.model(x).argmax(1) == y).sum() for x, y in pairs]
        return float(sum(right)) / len(self.test_y)

    def _step(self, x: Any, y: Any) -> None:
        self.optimizer.zero_grad()
        functional.cross_entropy(self.model(x), y).backward()
        self.optimizer.step()

    def loader(self, workers: int, pinned: bool, batches: int) -> float:
        """Seconds per epoch, from `batches` steps after the first, scaled up."""
        self._start()
        data = torch.utils.data.TensorDataset(self.x, self.y)
        loader = torch.utils.data.DataLoader(
            data, BATCH, shuffle=True, num_workers=workers, pin_memory=pinned
        )
        start = 0.0
        for step, (x, y) in enumerate(loader):
            if step == 5:
                torch.cuda.synchronize()
                start = time.perf_counter()
            self._step(x.cuda(non_blocking=pinned), y.cuda(non_blocking=pinned))
            if step == batches + 4:
                break
        torch.cuda.synchronize()
        return (time.perf_counter() - start) * len(self.x) / BATCH / batches

    def _batches(self) -> Iterator[Any]:
        return iter(torch.randperm(len(self.gpu_x), device="cuda").split(BATCH))

    def _epochs(self, epochs: int, step: Callable[[Any], None], full: bool = False) -> float:
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(epochs):
            for chosen in self._batches():
                if len(chosen) == BATCH or not full:
                    step(chosen)
        torch.cuda.synchronize()
        return time.perf_counter() - start

    def eager(self, epochs: int) -> float:
        self._start()
        for chosen in list(self._batches())[:20]:
            self._step(self.gpu_x[chosen], self.gpu_y[chosen])
        self._start()
        return self._epochs(
            epochs, lambda chosen: self._step(self.gpu_x[chosen], self.gpu_y[chosen])
        )

    def graph(self, epochs: int) -> float:
        """The whole step recorded; the ragged last batch of an epoch is left out."""
        self._start()
        chosen = torch.zeros(BATCH, dtype=torch.long, device="cuda")

        def step() -> None:
            self.optimizer.zero_grad(set_to_none=False)
            functional.cross_entropy(self.model(self.gpu_x[chosen]), self.gpu_y[chosen]).backward()
            self.optimizer.step()

        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            for _ in range(3):
                step()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()

        def replay(indices: Any) -> None:
            chosen.copy_(indices)
            graph.replay()

        self._epochs(1, replay, full=True)
        return self._epochs(epochs, replay, full=True)

    def compiled(self, epochs: int) -> float:
        """torch.compile, mode reduce-overhead, of forward pass and loss; compilation not counted."""
        self._start()

        @torch.compile(mode="reduce-overhead")
        def loss(chosen: Any) -> Any:
            return functional.cross_entropy(self.model(self.gpu_x[chosen]), self.gpu_y[chosen])

        def step(chosen: Any) -> None:
            self.optimizer.zero_grad()
            loss(chosen.clone()).backward()
            self.optimizer.step()

        for chosen in list(self._batches())[:20]:
            step(chosen)
        return self._epochs(epochs, step, full=True)
