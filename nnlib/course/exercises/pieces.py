"""The workshops: pieces of the student's library, judged with one hint, kept when right.

The hint is the first that fits: what the simulator found, said in the words of the contract; the mistake that gives
just what the kernel wrote (nnlib/course/exercises/mistakes); what the wrong result looks like; where it is wrong.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from nnlib import mine
from nnlib.course.exercises.beyond import beyond_the_end
from nnlib.course.exercises.checking import Verdict, unmeant
from nnlib.course.exercises.comparing import compare, cut_off
from nnlib.course.exercises.mistakes import recognised
from nnlib.course.exercises.unwritten import why_unwritten
from nnlib.cuda import (
    BarrierError,
    KernelError,
    KernelTimeoutError,
    OutOfBoundsError,
    RaceError,
    UninitializedReadError,
)
from nnlib.mine.contract import Piece, unwritten
from nnlib.mine.judgement import Judgement
from nnlib.mine.tasks import no_atomics

_OR = re.compile(r"(>=\s*0|<\s*[A-Z]\w*)\s*\|\|")
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(.+?)[ \t]*(?://.*)?$", re.MULTILINE)
_WARP_NUMBER = re.compile(r"/\s*32\b|>>\s*5\b")
_SET_BACK = re.compile(r"(?<=\()\s*(\w+)\s*=\s*\w+[^;()=]*\?")  # (k = label ? 1 : 0)
_MANY = 20_000  # results, for which trying all mistakes takes too long
_ELSEWHERE = ("the sizes of the contract are right, and these are not: which condition or number in the kernel treats "
              "them differently, or which small type ends before?")
_CHAIN = re.compile(r"\b\w+\s*<=?(?!<)\s*\w+\s*<=?(?!<)\s*\w")


@dataclass
class PieceExercise:
    """A workshop: `judge` an answer, and `keep` the one that was judged right. seed: inputs are drawn from it."""

    piece: Piece
    seed: int = 0
    _judged: tuple[Judgement, str] | None = None

    @property
    def name(self) -> str:
        """As `check` knows it: "03.linear_forward"."""
        return f"{self.piece.lesson}.{self.piece.name}"

    def judge(self, answer: Any = ...) -> Verdict:
        """Is the answer, a kernel with its text, right, and does it what the lesson asks for?"""
        self._judged = None
        if not hasattr(answer, "code"):
            return Verdict(False, f"✗ {self.name}: run the %%cuda cell with the kernel {self.piece.name} first.")
        text = _with_options(answer)
        judged = mine.judge(self.piece, text, seed=self.seed)
        if judged.solved:
            self._judged = judged, text
            return Verdict(True, f"✓ {self.name}. {judged}{self._left_out(judged.piece)}")
        hint = unmeant(answer) or _exchanged_names(judged.piece, answer) or hint_for(judged, text)
        said = str(judged).removeprefix(f"{self.piece.name}: ")
        said = said.split("\n  hint: ")[0] if hint else said  # one hint, not two
        said = "\n  ".join([judged.way, said] if judged.way else [said])
        return Verdict(False, f"✗ {self.name}: {said}" + (f"\n  Hint: {hint}" if hint else ""))

    def _left_out(self, judged: Piece) -> str:
        """A line where the answer was judged by the contract of the lesson where this piece begins."""
        more = [name for name in self.piece.integers if name not in judged.integers]
        return f"\nLesson 05 adds the size {' and '.join(more)} to it, for images." if more else ""

    @property
    def stars(self) -> int:
        """Of the answer that was judged last: 1 to 3, and 0 when it was not right."""
        return self._judged[0].stars if self._judged else 0

    @property
    def is_solution(self) -> bool:
        """Whether the answer that was judged last, and right, is the lesson's own solution."""
        return self._judged is not None and mine.is_solution(self.piece.name, self._judged[1])

    def keep(self, solution: bool = False) -> str:
        """Move the text that was judged right into the student's library; a sentence that says so."""
        assert self._judged is not None
        judged, text = self._judged
        return mine.save(self.piece.name, judged, text, solution)


def _exchanged_names(piece: Piece, kernel: Any) -> str | None:
    """The contract's own names in another order, where the types are the same and do not give it away."""
    names, own = [p.name for p in piece.signature], [p.name for p in getattr(kernel, "parameters", None) or ()]
    wrong = next((k for k, (name, mine) in enumerate(zip(names, own, strict=False)) if name != mine), None)
    if wrong is None or sorted(names) != sorted(own):
        return None
    return (f"The names of two parameters are exchanged: number {wrong + 1} is {own[wrong]} in your kernel, and "
            f"{names[wrong]} in the contract. Name them in its order: ({', '.join(names)}).")


def hint_for(judged: Judgement, text: str = "") -> str | None:
    """What to look at next; None where the verdict itself, or the simulator's own hint, says it.

    text: of the kernel, for hints that depend on how it is written.
    """
    if torn := _torn_macro(text):
        return torn
    if judged.error is not None:
        return beyond_the_end(judged, text) or _about_error(judged, judged.error, text)
    if re.search(r"grid\.[xyz] is 0;", str(judged)):
        return "integers: a division cuts off, to 0 when there are few results; round up, (n + 255) / 256"
    if re.search(r"block\.[xyz] is [1-9]", str(judged)):
        return ("take 256 threads per block, or 16 x 16, however many results there are, and let the grid grow with "
                "the sizes")
    if judged.case is None or not judged.got:
        return _one_long(judged) if "it should be" in str(judged) else None
    if judged.right:
        return ("any grid must do: a thread that has done its element goes on with the one gridDim.x * blockDim.x "
                "further, until n")
    wrong = next((name for name, want in judged.case.expected.items()
                  if not np.allclose(judged.got[name], want, 1e-4, 1e-4)), None)
    if wrong is None:
        return None
    got, want = judged.got[wrong], judged.case.expected[wrong]
    before = judged.case.arguments[wrong] if wrong in judged.piece.updates else None
    nobody = unwritten(got) if before is None else got == before
    block = judged.launched[1] if judged.launched else (1, 1, 1)
    if said := _too_few_threads(judged, wrong, nobody) or _one_long(judged):
        return said
    known = judged.sizes is None or judged.sizes in judged.piece.sizes
    unknown = before is None and nobody.all() or not known and got.size > _MANY
    mistake = None if unknown else recognised(judged.case, judged.got, block, text)
    if not known:
        return mistake or _ELSEWHERE
    return (mistake or _cut_off(judged) or _by_atomics(judged.piece, wrong, nobody, text)
            or why_unwritten(wrong, judged.piece.shapes[wrong].split(), nobody, judged.launched, text)
            or _constant(wrong, got, want)
            or (compare(got, want, rtol=1e-4, atol=1e-4) or ("", None))[1]
            or _where(judged.piece, wrong, got, want)
            or f"work out one element by hand and compare: {judged.piece.formula}")


def _torn_macro(text: str) -> str | None:
    """A #define without parentheses around its body, used beside an operator that binds more tightly."""
    for name, body in _MACRO.findall(text):
        outside = body
        while (shorter := re.sub(r"\([^()]*\)", "0", outside)) != outside:
            outside = shorter
        operators = re.findall(r"(?<=\w)\s*([-+*/%])", outside)
        beside = rf"[/%]\s*{name}\b" + (rf"|[-*]\s*{name}\b|\b{name}\s*[*/%]" if {"+", "-"} & {*operators} else "")
        if operators and (used := re.search(beside, _MACRO.sub("", text))):
            return (f"#define pastes text: in {used[0]} the operator takes only a part of {body}. Put brackets around "
                    f"the whole text: #define {name} ({body})")
    return None


def _cut_off(judged: Judgement) -> str | None:
    """An int has cut off the fractional part, whatever the kernel looks like."""
    assert judged.case is not None
    told = [(got, want) for name, want in judged.case.expected.items()  # too few, or all the same, say nothing
            if not unwritten(got := judged.got[name]).any() and np.ptp(got)]
    return next((said for said in (cut_off(got, want) for got, want in told) if said), None)


def _constant(name: str, got: np.ndarray, want: np.ndarray) -> str | None:
    """All results are the same number."""
    if np.ptp(got) or not np.ptp(want):
        return None
    return (f"every number in {name} is {got.flat[0]:g}: does the kernel store what it has computed, or what it began "
            "with?")


def _by_atomics(piece: Piece, name: str, nobody: np.ndarray, text: str) -> str | None:
    """Nothing but additions to garbage, in a workshop that wants none."""
    if not (nobody.all() and "atomicAdd" in text and no_atomics in piece.task):
        return None
    return (f"atomicAdd adds to what {name} holds before, and that is garbage; and the task wants no atomics. Turn it "
            "around: a thread owns a result, fetches all that belongs to it, and stores the sum once")


def _about_error(judged: Judgement, error: KernelError, text: str) -> str | None:
    """In the words of the contract; None leaves the simulator's own hint."""
    piece = judged.piece
    touched = re.search(r"(\w+)\[(-?\d+)", error.what or "")
    array = touched[1] if touched and touched[1] in piece.shapes else None
    if isinstance(error, OutOfBoundsError) and (chain := _CHAIN.search(text)):
        return (f"{chain[0]} … compares twice in Python only. In C the first comparison gives 0 or 1, and that is "
                "compared with the third: write a <= b && b < c")
    if isinstance(error, OutOfBoundsError) and array and touched:
        names = piece.shapes[array].split()
        if touched[2].startswith("-"):
            both = " Of conditions joined by || one is enough; here all must hold: &&" if _OR.search(text) else ""
            return (f"the index of {array} is negative here: what does the kernel subtract, and does a guard stop what "
                    f"is below 0?{both}")
        if len(names) == 1 and len(piece.integers) > 1:
            return (f"{array} has one element for each of the {names[0]}, from 0 to {names[0]} - 1. Is the index the "
                    f"number of one of the {names[0]}? If it is, a guard must stop those that are too large")
        if len(names) == 1:
            return (f"{array} has {names[0]} elements, from 0 to {names[0]} - 1: is that the index that belongs there, "
                    "and which guard stops a larger one?")
        limits = ", ".join(f"0 to {name} - 1" for name in names)
        return (f"{array} has the shape ({', '.join(names)}): its indices go from {limits}; the last one is the "
                "fastest. Which of yours goes further? Look for a missing guard, for a guard or a loop that stops too "
                "late (> for >=), and for a wrong factor")
    if isinstance(error, OutOfBoundsError):
        return _small_tile(judged, error)
    if isinstance(error, RaceError) and array and array not in piece.written:
        return f"{array} is an input: write only to {' and '.join(piece.written)}"
    if isinstance(error, RaceError) and array:
        return _two_writers(judged, array, text)
    if isinstance(error, RaceError) and "reads" in error.what and "__shared__" in text:
        return ("one thread fills the shared array and another one reads it: between the two, all threads of the block "
                "must come to a __syncthreads(), in a loop also between the reading and the next filling")
    if isinstance(error, RaceError) and "__shared__" in text:
        return ("two threads write the same element of the shared array: which slot is each one's own? The number of a "
                "warp in its block is threadIdx.x / 32")
    if isinstance(error, UninitializedReadError) and (padding := _padding(judged, error)):
        return padding
    if isinstance(error, UninitializedReadError) and re.search(r"^\s*__shared__ \w+ holds garbage", str(error), re.M):
        return ("every thread fills its slot of the tile before the barrier, with 0.0f (or what changes nothing) "
                "where there is no element; a thread that has returned fills nothing"
                + (f", nor does one that was not launched: {_block(judged)}" if judged.launched else ""))
    if isinstance(error, KernelTimeoutError) and (set_back := _SET_BACK.search(text)):
        return (f"{set_back[1]} counts the loop, and {set_back[0].strip(' (')} … stores into it, so it never comes to "
                "its end. = assigns; to compare, write ==")
    if isinstance(error, KernelTimeoutError) and not re.search("(thread|block)Idx", text):
        return ("every thread goes through the whole loop. The launch is the loop: give each thread its own element, "
                "by blockIdx, blockDim and threadIdx")
    if isinstance(error, KernelTimeoutError) and judged.sizes not in piece.sizes:
        return ("it came to its end at smaller sizes: does one thread do the work of many? Share it among all threads. "
                "Or is the counter of the loop of a type that ends before?")
    if isinstance(error, BarrierError) and "in its own mask" in error.what:
        return "the first argument of a shuffle names the lanes that take part, a bit for each: all 32 are 0xffffffff"
    if isinstance(error, BarrierError) and re.search(r"threadIdx\.x\s*[%&]", text) and not _WARP_NUMBER.search(text):
        return ("the lanes of a warp part here: is what the condition asks the same for all 32? Where a warp works for "
                "a result, its number is that of the thread / 32")
    if isinstance(error, BarrierError):
        return ("all threads of the block must come to every __syncthreads(), and all lanes of a warp to a shuffle: "
                "let none return, skip it or leave a loop around it before the others; guard the store only")
    return None


def _two_writers(judged: Judgement, array: str, text: str) -> str:
    """Two threads write the same result: because of their index, a loop, or because each adds a part of it."""
    one = f"each element of {array} is the work of one thread, and here two have the same: "
    if judged.piece.other_launches and re.search(r"blockIdx\.x\s*\*\s*blockDim\.x\s*\+\s*threadIdx\.x", text):
        return one + "each begins with its own, so is the step of the loop as long as the whole grid has threads?"
    if no_atomics in judged.piece.task and not re.search(r"__shfl|__shared__", text):
        return one + ("are blockIdx, blockDim and threadIdx in its index? Or do several threads bring a part of one "
                      "result? Then turn it around: a thread owns a result, and fetches all that belongs to it")
    warp = " Where a warp shares a sum, one lane stores it: if (lane == 0)" if "__shfl" in text else ""
    sizes = (" Is each index multiplied by the sizes behind it, and does a guard stop each that is too large?"
             if " " in judged.piece.shapes[array] else "")
    return (one + "are blockIdx, blockDim and threadIdx in the index, in every direction that the launch has?"
            + sizes + warp)


def _small_tile(judged: Judgement, error: KernelError) -> str | None:
    """A block that is larger than the array it fills."""
    if judged.passed and (judged.sizes or {}).get("stride", 1) > 1 and "extern" in str(error):
        return ("with stride 1 it fits: count again how many pixels neighbouring windows see when they lie `stride` "
                "apart, and give the shared array that size")
    if "extern" in str(error) and judged.launched:
        return ("the launch says how many bytes the shared array has: are they enough for all that the kernel keeps in "
                "it? Or does an index go too far, as it does with more threads than the kernel counts on? "
                f"{_block(judged).capitalize()}")
    if in_a_row := re.search(r"^\s*(\w+) has (\d+) elements, ", str(error), re.M):
        return (f"{in_a_row[1]} has {in_a_row[2]} elements: which threads have one of them, and does a loop over it "
                "end with it?")
    declared = re.search(r"^\s*shared array (\w+) is declared \1\[(\d+)\]\[(\d+)\]", str(error), re.M)
    if not declared or not judged.launched:
        return None
    name, rows, columns = declared[1], int(declared[2]), int(declared[3])
    if judged.launched[1][0] <= columns and judged.launched[1][1] <= rows:
        return (f"{name} has {rows} rows of {columns}, counted from 0 in every step: its indices come from threadIdx, "
                "or from a loop that is as long as a row, not from its place in the whole array")
    return f"{_block(judged)}, and {name} has {rows} rows of {columns}: block and tile must fit each other"


def _padding(judged: Judgement, error: KernelError) -> str | None:
    """A read of a column of the tile that no thread has filled: the padding against bank conflicts."""
    read = re.search(r"(\w+)\[\d+\]\[(\d+)\] is read", error.what or "")
    if not read or not judged.launched or int(read[2]) < judged.launched[1][0] or judged.launched[1][1] == 1:
        return None
    return (f"{_block(judged)}, so nobody fills column {read[2]} of {read[1]}, which only keeps banks apart: a loop "
            f"over the tile ends before {judged.launched[1][0]}")


def _block(judged: Judgement) -> str:
    """How many threads the launch gave the block."""
    x, y, _ = judged.launched[1] if judged.launched else (0, 0, 0)
    return f"a block has {x} × {y} threads here"


def _where(piece: Piece, name: str, got: np.ndarray, want: np.ndarray) -> str | None:
    """Everything that is wrong lies at an edge of the array; the hint names its size."""
    wrong = np.argwhere(~np.isclose(got, want, 1e-4, 1e-4))
    for axis, size in enumerate(piece.shapes[name].split()):
        places, last = set(wrong[:, axis].tolist()), got.shape[axis] - 1
        for edge, words in (({last}, "the last"), ({0}, "the first"), ({0, last}, "the first and the last")):
            if last > 1 and places == edge:
                return f"only {words} of {size} {'are' if len(edge) > 1 else 'is'} wrong: what is different there?"
    return None


def _too_few_threads(judged: Judgement, name: str, nobody: np.ndarray) -> str | None:
    """At sizes beyond the contract's, every thread has written its result, and there are results left."""
    if judged.sizes in judged.piece.sizes or judged.launched is None:
        return None
    threads = math.prod((*judged.launched[0], *judged.launched[1]))
    if not nobody.any() or nobody.ravel()[:threads].any() or not nobody.ravel()[threads:].all():
        return None
    return (f"the end is missing, only the first {threads:,} are written, as many as the launch has threads: of which "
            f"sizes is the grid made? It needs {judged.piece.names(name)}")


def _one_long(judged: Judgement) -> str | None:
    """Right at all sizes of the contract, and wrong where one side is longer than in any of them."""
    sizes, known = judged.sizes or {}, judged.piece.sizes
    if sizes in known:
        return None
    longest = {name: value for name, value in sizes.items() if value > max(one[name] for one in known)}
    if len(longest) != 1:
        return None
    (name, value), = longest.items()
    return (f"all smaller sizes are right, and here {name} is {value:,}: does a loop, a guard, an array or a small "
            "integer type end before that?")


def _with_options(kernel: Any) -> str:
    """The source of a cell that needs no options: -DTILE=16 becomes one of its lines."""
    defined = [re.fullmatch(r"-D\s*(\w+)(?:=(.*))?", option) for option in kernel.options]
    lines = [f"#define {match[1]} {match[2] or 1}" for match in defined if match]
    return "\n".join([*lines, kernel.code.strip("\n")])


PIECE_EXERCISES = {f"{piece.lesson}.{piece.name}": PieceExercise(piece)
                   for piece in (*mine.PIECES.values(), *mine.AGAIN.values())}
