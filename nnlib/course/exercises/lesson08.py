"""What lesson 08 asks for, and the usual mistakes."""

from typing import Any

from nnlib.course.exercises.checking import FunctionExercise


def _speedup(times: Any, which: Any, factor: Any) -> Any:
    return sum(times) / (sum(times) - times[which] + times[which] / factor)


def _speedup_mistakes(times: Any, which: Any, factor: Any) -> dict[str, Any]:
    return {
        "only that part becomes factor times faster, the others keep their time": factor,
        "this is the new time; divide the old time by it": (
            sum(times) / _speedup(times, which, factor)
        ),
        "this is the new time of that part; divide the old time of all by the new time of all": (
            times[which] / factor
        ),
        "this is the time saved; divide the old time of all by the new time of all": (
            times[which] - times[which] / factor
        ),
        "this is new divided by old; times faster is old divided by new": (
            1 / _speedup(times, which, factor)
        ),
        "the part becomes faster, but it does not vanish: add times[which] / factor": (
            sum(times) / ((sum(times) - times[which]) or 1)
        ),
        "the new time is without the part's old time, and with its new one": (
            sum(times) / (sum(times) - times[which] / factor)
        ),
        "times faster may be a fraction: / and not //": _speedup(times, which, factor) // 1,
        "the part's new time may be a fraction: divide by /, not by //": (
            sum(times) / ((sum(times) - times[which] + times[which] // factor) or 1)
        ),
        "the part's old time is gone: subtract it, then add the new one": (
            sum(times) / (sum(times) + times[which] / factor)
        ),
        "parts are counted from 0: the part is times[which]": _speedup(times, which - 1, factor),
        "the share in Amdahl's law is times[which] / sum(times)": (
            1 / (1 - times[which] + times[which] / factor)
        ),
        "this multiplies the factor by the share of the part; Amdahl's law is 1 / (1 - s + s / k)": (
            factor * times[which] / sum(times)
        ),
        "the other parts keep their time: add it to the new time of this one": (
            sum(times) / (times[which] / factor)
        ),
        "multiplying by factor makes it slower: divide": (
            sum(times) / (sum(times) - times[which] + times[which] * factor)
        ),
    }


FunctionExercise(
    "08.speedup",
    reference=_speedup,
    inputs=[
        ((2.0, 6.0, 2.0), 1, 3.0),
        ((1.0, 1.0), 0, 2.0),
        ((5.0,), 0, 4.0),
        ((9.0, 1.0), 1, 100.0),
        ((3.0, 1.0, 4.0, 2.0, 5.0), 4, 2.5),
    ],
    mistakes=_speedup_mistakes,
)


def _all_done(
    batches: Any,
    buffers: Any,
    copy: Any,
    compute: Any,
    one_at_a_time: Any = True,
    late: Any = 0,
    back: Any = None,
) -> Any:
    engine = 0
    done: list[int] = []
    for i in range(batches):
        engine = max(engine, done[i - (back or buffers)] if i >= buffers + late else 0) + copy
        done.append(max(engine, done[-1] if done and one_at_a_time else 0) + compute)
    return done


def _finish(*args: Any, **options: Any) -> Any:
    return _all_done(*args, **options)[-1]


def _finish_mistakes(n: Any, buffers: Any, copy: Any, compute: Any) -> dict[str, Any]:
    return {
        "with two buffers copy and compute overlap": n * (copy + compute),
        "a copy must wait until its buffer is free: until batch i - buffers is computed": (
            _finish(n, n, copy, compute)
        ),
        "the first copy and the last computation overlap with nothing: do not forget them": (
            n * max(copy, compute) if buffers > 1 else n * (copy + compute)
        ),
        "the batch that had this buffer before is number i - buffers: wait for that one": (
            _finish(n, buffers, copy, compute, back=1)
        ),
        "this is when every batch is computed: return the last time": _all_done(
            n, buffers, copy, compute
        ),
        "batch number `buffers` is the first that waits: if i >= buffers": (
            _finish(n, buffers, copy, compute, late=1)
        ),
        "the slower worker sets the pace, and that may be copying": copy + n * compute,
        "buffers do not divide the time: the slower worker sets the pace": (
            n * (copy + compute) / buffers
        ),
        "the GPU computes one batch at a time: it also waits for the batch before, done[-1]": (
            _finish(n, buffers, copy, compute, one_at_a_time=False)
        ),
        "if copying is slower, only the last computation stands alone, not the first copy": (
            copy + n * max(copy, compute)
        ),
    }


FunctionExercise(
    "08.finish",
    reference=_finish,
    inputs=[
        (6, 2, 3, 2),
        (6, 2, 2, 3),
        (6, 1, 2, 3),
        (5, 3, 4, 4),
        (1, 2, 5, 1),
        (7, 1, 3, 1),
        (30, 4, 3, 5),
    ],
    mistakes=_finish_mistakes,
)
