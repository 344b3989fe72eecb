"""Draw how much of a distribution fits into half precision. Lesson 09."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from nnlib.course.pictures.style import (
    BLACK,
    ORANGE,
    PALETTE,
    YELLOW,
    Picture,
    empty_figure,
    figure,
    styled,
)

# Powers of two: below the first a half has fewer digits, below the second it is 0
LEAST_NORMAL, UNDERFLOW = (-14, -25)


@styled
def half_histogram(rows: Mapping[str, Any]) -> Picture:
    """Draw sizes of numbers as powers of two, a row per name, over the range in which half has digits.

    >>> half_histogram({"gradients": [2.0**-5, 2.0**-20, -2.0**-30, 2.0**-31]}).alt
    'Sizes as powers of two; in half, below -14 digits are lost, and below -25 all. gradients: -31 to -5, most at -31.'
    """
    sizes = {
        name: np.log2(np.abs(np.ravel(values)[np.ravel(values) != 0]))
        for name, values in rows.items()
    }
    low = min(UNDERFLOW, *(float(values.min()) for values in sizes.values())) - 2
    fig = empty_figure((7.0, 1.1 * len(rows) + 0.7))
    said = []
    for k, (axes, (name, values)) in enumerate(
        zip(
            fig.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0], sizes.items(), strict=True
        )
    ):
        axes.axvspan(low, UNDERFLOW, color=ORANGE, alpha=0.6)
        axes.axvspan(UNDERFLOW, LEAST_NORMAL, color=YELLOW, alpha=0.6)
        counts, edges, _ = axes.hist(values, bins=np.arange(np.floor(low), 17), color=PALETTE[0])
        axes.set_yticks([])
        axes.set_ylabel(name, rotation=0, ha="right", va="center")
        if k == 0:
            for x, words in ((UNDERFLOW - 0.4, "0 in half"), (LEAST_NORMAL - 0.4, "fewer digits")):
                axes.text(
                    x,
                    0.98,
                    words,
                    ha="right",
                    va="top",
                    transform=axes.get_xaxis_transform(),
                    color=BLACK,
                )
        said.append(
            f"{name}: {values.min():.0f} to {values.max():.0f}, most at {edges[counts.argmax()]:.0f}"
        )
    axes.set_xlim(low, 16)
    axes.set_xlabel("size, as a power of two")
    # What share that is, lesson 09 asks
    return figure(
        fig,
        alt=f"Sizes as powers of two; in half, below {LEAST_NORMAL} digits are lost, and below {UNDERFLOW} all. "
        f"{'; '.join(said)}.",
    )
