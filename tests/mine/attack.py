"""A random attack on the verdicts: `python -m tests.mine.attack` tries 50 launch lines and 50 edits of every piece.

Launch lines and the course's plain versions are changed at random, most of them for the worse. The truth about each is
found by running it at sizes far larger than those of the verdict; verdict and truth must agree. `--each 5`, `--seed 3`
and `--pieces relu,sgd_step` choose.
"""

import argparse
import re
import sys

import numpy as np

from nnlib import mine
from nnlib.cuda import KernelError, KernelSyntaxError, RawKernel, force_simulator
from nnlib.cuda._engine.errors import KernelTimeoutError
from nnlib.mine.contract import how_far
from nnlib.mine.launch import launch_of

MATRIX = "N", "inputs", "outputs"
IMAGE, PLANES = (
    ("N", "C", "H", "W", "F", "K", "stride", "pad"),
    ("planes", "H", "W", "size", "stride"),
)
WINDOWS = [(1, 2, 112, 112, 2, 101, 1, 0), (2, 2, 9, 8, 2, 1, 101, 51), (2, 2, 9, 8, 2, 1, 1, 101)]
# For the truth: sizes with about a million results, and each size alone.
TRUTH = {
    "n": [(1_200_001,)],
    "linear_forward": [(60_000, 1, 20), (20, 1, 60_000), (2, 60_000, 2)],
    "linear_grad_input": [(60_000, 20, 1), (20, 60_000, 1), (2, 2, 60_000)],
    "linear_grad_weight": [(1, 60_000, 20), (1, 20, 60_000), (60_000, 2, 2)],
    "sum_columns": [(2, 60_000, 1), (2, 900_000, 1), (2, 2, 60_000), (60_000, 2, 1)],
    "softmax_cross_entropy": [(60_000, 20), (2, 60_000)],
    "forward": [
        (60_000, 1, 2, 2, 1, 1, 1, 0),
        (1, 1, 2, 2, 60_000, 1, 1, 0),
        (1, 1, 60_000, 2, 1, 1, 1, 0),
        (1, 1, 2, 60_000, 1, 1, 1, 0),
        (64, 1, 28, 28, 24, 1, 1, 0),
        (2, 33_000, 4, 4, 2, 1, 1, 0),
        *WINDOWS,
    ],
    "conv_relu_pool": [
        (60_000, 1, 2, 2, 1, 1, 1, 0),
        (1, 1, 2, 2, 60_000, 1, 1, 0),
        (1, 1, 60_000, 2, 1, 1, 1, 0),
        (1, 1, 2, 60_000, 1, 1, 1, 0),
        (64, 1, 111, 111, 24, 1, 2, 0),  # stride 2: exact sums
        (2, 33_000, 4, 4, 2, 1, 1, 0),
        *WINDOWS,
    ],
    "conv_grad_input": [
        (60_000, 1, 2, 2, 1, 1, 1, 0),
        (1, 60_000, 2, 2, 1, 1, 1, 0),
        (1, 1, 60_000, 2, 1, 1, 1, 0),
        (1, 1, 2, 60_000, 1, 1, 1, 0),
        (64, 24, 28, 28, 1, 1, 1, 0),
        (2, 2, 4, 4, 33_000, 1, 1, 0),
        (300, 2, 3, 3, 2, 2, 1, 0),
        *WINDOWS,
    ],
    "conv_grad_weight": [
        (2, 60_000, 1, 1, 1, 1, 1, 0),
        (2, 1, 1, 1, 60_000, 1, 1, 0),
        (2, 360, 3, 3, 350, 3, 1, 0),
        (1, 1, 70_000, 3, 1, 2, 1, 0),
        (1, 1, 3, 70_000, 1, 2, 1, 0),
        (300, 2, 9, 7, 2, 1, 1, 0),
        *WINDOWS,
    ],
    "planes": [
        (60_000, 2, 2, 2, 2),
        (1, 60_000, 2, 1, 1),
        (1, 2, 60_000, 1, 1),
        (2000, 28, 28, 1, 1),
        (2, 121, 121, 101, 1),
        (2, 9, 8, 1, 101),
    ],
}
TOO_SLOW = "too slow to tell"
_TOTAL = re.compile(r"<<<\((.*?) \+ \d+\) / (\d+), \d+>>>")


def truth_sizes(piece):
    key = next(
        key
        for key in (
            piece.name,
            "n"
            if piece.integers == ["n"]
            else "planes"
            if "planes" in piece.integers
            else "forward",
        )
        if key in TRUTH
    )
    return [dict(zip(piece.integers, sizes, strict=True)) for sizes in TRUTH[key]]


def truth(piece, text):
    """Why it is wrong, or None: the results at sizes of the contract, fresh ones, and large ones; or TOO_SLOW."""
    told = None
    fresh = [
        sizes for seed in (101, 102, 103) for sizes in piece.drawn(np.random.default_rng(seed))
    ]
    checked = len(piece.sizes)
    for k, sizes in enumerate([*piece.sizes, piece.ruler, *fresh, *truth_sizes(piece)]):
        case = piece.case(sizes, seed=7)
        arguments = case.copies()
        try:
            grid, block, shared = launch_of(piece, text).at(**sizes)
            with force_simulator():
                RawKernel(text, piece.name)(
                    grid,
                    block,
                    tuple(arguments.values()),
                    shared,
                    checks=True if k < checked else ("bounds",),
                    step_limit=100_000 if k < checked else 2_000_000,
                )
        except KernelError as error:
            if isinstance(error, KernelTimeoutError) and error.may_end and k >= checked:
                told = TOO_SLOW
                continue
            return f"{sizes}: {str(error).splitlines()[0]}"
        for name, want in case.expected.items():
            difference = how_far(piece, name, arguments[name], want)
            if isinstance(difference, str):
                return f"{sizes}: {difference}"
    return told


def line(piece):
    """The launch line of the plain version; the contract's own where that has one."""
    return re.search(r"// <<<.*>>>", piece.plain)[0]


def launch_lines(piece, rng):
    """Texts of the plain version with another launch line each, without end."""

    def pick(*choices):
        return choices[rng.integers(len(choices))]

    def blocks(total, block):
        """How many blocks of so many threads; right or wrong."""
        few = int(pick(1, 2, 3, 4, 8, 16, 40, 64, 100))
        terms = total.split(" * ")
        less = " * ".join(
            term if term != terms[k] else str(int(pick(1, 2, 8, 16)))
            for k in [rng.integers(len(terms))]
            for term in terms
        )
        return pick(
            f"({total} + {block - 1}) / {block}",
            f"({total} - 1) / {block} + 1",
            f"{total} / {block} + 1",
            f"({total} + {block - 1}) / {block} + {few}",
            f"{total} / {block}",
            str(few),
            f"{min(few, 8)}00",
            f"({less} + {block - 1}) / {block}",
            f"min(({total} + {block - 1}) / {block}, {few})",
            f"max(1, {total} / {block})",
            f"({total} + {int(rng.integers(block))}) / {block}",
            f"max({few}, ({total} + {block - 1}) / {block})",
            f"({total} + blockDim.x - 1) / {block}",
            f"({total} + {block - 1}) / {block} - 1",
            f"(({less} + {block - 1}) / {block}) * {few}",
        )

    while True:
        if "linear" in piece.name:
            columns, rows = re.findall(r"\((\w+) \+ 15\)", line(piece))
            bx, by = int(pick(8, 16, 16, 32)), int(pick(8, 16, 16, 32))
            x, y = blocks(columns, bx), blocks(rows, by)
            x, y = pick(
                (x, f"({rows} + {by - 1}) / {by}"),
                (f"({columns} + {bx - 1}) / {bx}", y),
                (f"({columns} + {bx - 1}) / {bx}", f"({rows} + {by - 1}) / {by}"),
                (y, x),
            )
            written = f"dim3({x}, {y}), dim3({bx}, {by})"
        else:
            block = int(pick(32, 64, 100, 128, 256, 256, 512, 1024))
            grid = blocks(_TOTAL.search(line(piece))[1], block)
            written = pick(
                f"{grid}, {block}",
                f"{grid}, {block}",
                f"{grid}, {block}",
                f"{block}, {grid}",
                f"dim3({grid}), dim3({block})",
                f"{grid}, {2 * block}",
            )
        yield piece.plain.replace(line(piece), f"// <<<{written}>>>")


def edits(piece, rng):
    """Texts of the plain version with something changed in its body, without end."""
    head, brace, body = piece.plain.partition(") {\n")
    names = [*piece.integers, *re.findall(r"\bint (\w+) =", body)]
    published = [*piece.sizes, piece.ruler]

    def one_of(pattern):
        found = list(re.finditer(pattern, body))
        return found[rng.integers(len(found))] if found else None

    def replaced(match, new):
        return body[: match.start()] + new + body[match.end() :]

    def short_cut():
        size = published[rng.integers(len(published))]
        many = " || ".join(
            "(" + " && ".join(f"{name} == {value}" for name, value in sizes.items()) + ")"
            for sizes in published
        )
        name = piece.integers[rng.integers(len(piece.integers))]
        condition = [
            " && ".join(f"{name} == {value}" for name, value in size.items()),
            f"!({many})",
            f"{name} > {int(rng.integers(1, 4000 if name == 'n' else 100))}",
            f"{name} == {size[name]}",
        ]
        store = f"if (blockIdx.x == 0 && threadIdx.x == 0) {piece.written[0]}[0] = 7; "
        return (
            f"    if ({condition[rng.integers(4)]}) {{ {store if rng.integers(2) else ''}return; }}\n"
            + body
        )

    def compare():
        match = one_of(r" (<=|>=|<|>) ")
        return match and replaced(match, f" {['<', '<=', '>', '>=', '=='][rng.integers(5)]} ")

    def number():
        match = one_of(r"(?<![\w.])\d+(?![\w.])")
        return match and replaced(match, str(max(0, int(match[0]) + int(rng.integers(-1, 2)))))

    def name():
        match = one_of(rf"\b({'|'.join(names)})\b")
        return match and replaced(match, names[rng.integers(len(names))])

    def operator():
        match = one_of(r" [-+*/%] ")
        return match and replaced(match, f" {'-+*/%'[rng.integers(5)]} ")

    def border():
        """Something that holds up to a number only."""
        match = one_of(rf"\b({'|'.join(names)})\b(?= <)|(?<== )\b({'|'.join(names)})\b")
        limit = [200, 3000, 8192, 40_000, 100_000, 1_000_000][rng.integers(6)]
        return match and replaced(match, f"min({match[0]}, {limit})")

    def narrow():
        match = one_of(r"\bint (?=\w+ =)")
        return match and replaced(
            match, ["short ", "unsigned short ", "signed char "][rng.integers(3)]
        )

    def beginning():
        match = one_of(r"-INFINITY|= z\[0\]|= plane\[\w+\]|= x\[\w+\]")
        return match and replaced(
            match, ("" if match[0][0] == "-" else "= ") + f"-{10 ** int(rng.integers(1, 36))}.0f"
        )

    def guard():
        match = one_of(r"if \(([^()]*)\) (?:return|continue|\w+\[)")
        return (
            match
            and body[: match.start(1)]
            + ["false", "true", f"({match[1]}) && {piece.integers[0]} < 90"][rng.integers(3)]
            + body[match.end(1) :]
        )

    while True:
        changed = [short_cut, border, narrow, beginning, compare, number, name, operator, guard][
            rng.integers(9)
        ]()
        if changed and changed != body:
            yield head + brace + changed


def attack(piece, each, seed=0):
    """(text, what the verdict says, what the truth is) of those that compile."""
    rng = np.random.default_rng((seed, *piece.name.encode()))
    for texts in (launch_lines(piece, rng), edits(piece, rng)):
        tried = set()
        while len(tried) < each:
            text = next(texts)
            try:
                RawKernel(text, piece.name).compile()
            except KernelSyntaxError:
                continue
            if text not in tried or rng.random() < 0.2:  # some pieces have few guards to change
                tried.add(text if text not in tried else text + " " * len(tried))
                yield text, mine.judge(piece, text, score=False).problem, truth(piece, text)


def main():
    parser = argparse.ArgumentParser(description="A random attack on the verdicts.")
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pieces", default=",".join(mine.PIECES))
    chosen = parser.parse_args()
    disagree = 0
    for name in chosen.pieces.split(","):
        found = list(attack(mine.PIECES[name], chosen.each, chosen.seed))
        wrong = [
            one for one in found if one[2] != TOO_SLOW and (one[1] is None) != (one[2] is None)
        ]
        right = sum(truth is None for _, _, truth in found)
        print(
            f"{name}: {len(found)} tried, {right} right, {len(wrong)} judged otherwise", flush=True
        )
        for text, said, is_true in wrong:
            print(f"--- verdict: {said}\n--- truth: {is_true}\n{text}", flush=True)
        disagree += len(wrong)
    sys.exit(disagree > 0)


if __name__ == "__main__":
    main()
