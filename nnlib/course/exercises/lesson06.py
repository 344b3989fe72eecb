"""What lesson 06 asks for beside its workshops, and the usual mistakes. Its patients are in `nnlib.course.clinic`."""

from typing import Any

import numpy as np

from nnlib.course import clinic
from nnlib.course.exercises.checking import Exercise, KernelExercise, Out, Sample, Verdict, alone
from nnlib.cuda import OutOfBoundsError, RaceError

_SIZES = (33, 64), (2, 64), (31, 32), (32, 64), (900, 128)
_GUARD = {OutOfBoundsError: "guard with if (i < n): the last block reaches past the end",
          RaceError: "each thread handles one element: i = blockIdx.x * blockDim.x + threadIdx.x"}


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
                "that is the loss itself; asked is its slope": -t * np.log(p) - (1 - t) * np.log(1 - p),
                "that is the slope of the sigmoid; what of the loss?": p * (1 - p),
                "the sigmoid is smooth: 1 / (1 + exp(-z)), not 0 or 1": (z > 0) - t,
                "p or 1 - p has become 0, and the fraction infinite: cancel it by hand first": np.where(
                    abs(z) > 20, np.nan, p - t)}
    return Sample(grid=-(-n // block), block=block, args=(z, t, Out(n), n), expect=(p - t) / n, limits=[alone(n)],
                  mistakes={"the loss is a mean: divide by n": p - t, "brackets: (p - t) / n": p - t / n,
                            "all zero: 1 / n divides two integers; divide the float by n": 0 * p,
                            **{hint: wrong / n for hint, wrong in mistakes.items()},
                            **{f"{hint}; and divide by n": wrong for hint, wrong in mistakes.items()}})


KernelExercise("06.bce_back", _bce_back, _SIZES, hints=_GUARD)


class CuresExercise(Exercise):
    """The answer says who was cured: number of a patient -> letter. Three illnesses are asked for."""

    def judge(self, answer: Any = ...) -> Verdict:
        if not isinstance(answer, dict):
            return self.wrong("", "needs your letters.", "{NUMBER: (diagnosis, line, text), …}: case.repair prints it")
        illnesses = set()
        for number, letter in answer.items():
            if not isinstance(number, int):
                return self.wrong(f"patient {number!r}", "a patient has a number.")
            case = clinic.admit(number)
            refused = case.read(letter)
            if refused:
                return self.wrong(f"patient {number}", f"{refused}.", f"clinic.admit({number}), and its probes again")
            illnesses.add(case.illness)
        if len(illnesses) >= 3:
            return self.right(f"{len(illnesses)} illnesses cured, patients {', '.join(map(str, answer))}.")
        if not illnesses:
            return self.wrong("", "no letter yet.", "clinic.admit(), probes, a diagnosis, and the line; who is cured "
                              "gets a letter")
        left = 3 - len(illnesses)
        return self.wrong("", f"illnesses cured: {len(illnesses)}.", f"{left} more illness{'es' * (left > 1)}; another "
                          "number brings another patient")


CuresExercise("06.clinic")
