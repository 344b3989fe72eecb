"""Lesson 08: every check accepts right answers written differently and names the mistake of wrong ones."""

import pytest

from nnlib.course.exercises import find

from .conftest import prove


def simulated(batches, buffers, copy, compute):
    copied, computed = [0] * batches, [0] * batches
    for i in range(batches):
        start = max(copied[i - 1] if i else 0, computed[i - buffers] if i >= buffers else 0)
        copied[i] = start + copy
        computed[i] = max(copied[i], computed[i - 1] if i else 0) + compute
    return computed[-1]


def every_time(batches, buffers, copy, compute, waits=lambda i, buffers: i >= buffers, back=None):
    copied, computed = 0, []
    for i in range(batches):
        copied = max(copied, computed[i - (back or buffers)] if waits(i, buffers) else 0) + copy
        computed.append(max(copied, computed[-1] if computed else 0) + compute)
    return computed


def never_busy(batches, buffers, copy, compute):
    copied, computed = 0, []
    for i in range(batches):
        copied = max(copied, computed[i - buffers] if i >= buffers else 0) + copy
        computed.append(copied + compute)
    return computed[-1]


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (
            "08.speedup",
            lambda times, which, factor: (
                sum(times) / sum(t / factor if i == which else t for i, t in enumerate(times))
            ),
        ),
        (
            "08.speedup",
            lambda times, which, factor: 1 / (1 - times[which] / sum(times) * (1 - 1 / factor)),
        ),
        ("08.finish", simulated),
        (
            "08.finish",
            lambda n, buffers, copy, compute: (
                n * (copy + compute)
                if buffers == 1
                else min(copy, compute) + n * max(copy, compute)
            ),
        ),
    ],
)
def test_right_functions_are_accepted(name, answer):
    verdict = find(name).judge(answer)
    assert verdict.solved, verdict.text


@pytest.mark.parametrize(
    ("name", "answer", "hint"),
    [
        ("08.speedup", lambda times, which, factor: factor, "only that part"),
        (
            "08.speedup",
            lambda times, which, factor: sum(times) / (sum(times) - times[which]),
            "does not vanish",
        ),  # 5 / 0 later
        (
            "08.speedup",
            lambda times, which, factor: sum(times) - times[which] + times[which] / factor,
            "this is the new time",
        ),
        (
            "08.speedup",
            lambda times, which, factor: (
                (sum(times) - times[which] + times[which] / factor) / sum(times)
            ),
            "old divided by new",
        ),
        (
            "08.speedup",
            lambda times, which, factor: sum(times) / ((sum(times) - times[which]) or 1),
            "does not vanish",
        ),
        (
            "08.speedup",
            lambda times, which, factor: (
                sum(times) / (sum(times) - times[which] + times[which] * factor)
            ),
            "slower",
        ),
        ("08.speedup", lambda times, which, factor: times[which] / factor, "new time of that part"),
        (
            "08.speedup",
            lambda times, which, factor: times[which] * (1 - 1 / factor),
            "the time saved",
        ),
        (
            "08.speedup",
            lambda times, which, factor: 1 / (1 - times[which] / sum(times) / factor),
            "with its new one",
        ),
        (
            "08.speedup",
            lambda times, which, factor: 1 / ((1 - times[which]) + times[which] / factor),
            "the share",
        ),
        (
            "08.speedup",
            lambda times, which, factor: (
                sum(times) / (sum(times) - times[which - 1] * (1 - 1 / factor))
            ),
            "counted from 0",
        ),
        (
            "08.speedup",
            lambda times, which, factor: sum(times) / (times[which] / factor),
            "the other parts keep their time",
        ),
        ("08.finish", lambda *args: every_time(*args, back=1)[-1], "number i - buffers"),
        ("08.finish", every_time, "return the last time"),
        (
            "08.finish",
            lambda *args: every_time(*args, waits=lambda i, buffers: i > buffers)[-1],
            "if i >= buffers",
        ),
        ("08.finish", lambda n, buffers, copy, compute: copy + n * compute, "may be copying"),
        (
            "08.finish",
            lambda n, buffers, copy, compute: n * (copy + compute),
            "copy and compute overlap",
        ),
        (
            "08.finish",
            lambda n, buffers, copy, compute: simulated(n, n, copy, compute),
            "until its buffer is free",
        ),
        ("08.finish", never_busy, "one batch at a time"),
        (
            "08.finish",
            lambda n, buffers, copy, compute: (
                n * max(copy, compute) if buffers > 1 else n * (copy + compute)
            ),
            "overlap with nothing",
        ),
        (
            "08.finish",
            lambda n, buffers, copy, compute: n * (copy + compute) / buffers,
            "do not divide the time",
        ),
        (
            "08.finish",
            lambda n, buffers, copy, compute: copy + n * max(copy, compute),
            "not the first copy",
        ),
    ],
)
def test_wrong_functions_are_told_why(name, answer, hint):
    verdict = find(name).judge(answer)
    assert not verdict.solved and hint in verdict.text, verdict.text


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (
            "08.speedup",
            lambda times, which, factor: round(
                sum(times) / (sum(times) - times[which] + times[which] / factor)
            ),
        ),
        ("08.speedup", lambda times, which, factor: sum(times) / (times[which] * (1 - 1 / factor))),
        ("08.finish", lambda n, buffers, copy, compute: n * copy),
    ],
)
def test_no_hint_by_chance(name, answer):
    text = find(name).judge(answer).text
    assert "✗" in text and "Hint" not in text


def test_every_exercise_is_proved():
    prove("08")
