"""Explain Python's own errors in a student's function in plain words, with the line where they happened."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable
from typing import Any

_HINTS = {  # what "TypeError: …" looks like -> what to look at
    r"not supported between .*'list'": "one side of the comparison is a whole list: take one of its numbers",
    r"not supported between .*'NoneType'": "one side of the comparison is None, no number: what should it be before "
    "the first number comes? float('inf') is larger than all",
    r"not supported between .*'tuple'": "one side of the comparison is a pair: enumerate gives pairs, as in "
    "for i, value in enumerate(…)",
    r"unsupported operand .*'(list|tuple)'": "a whole list stands where a number is meant: take one of its numbers",
    r"unsupported operand .*'NoneType'": "None stands where a number is meant: is a return missing, or a first value?",
    r"'list' object cannot be interpreted as an integer": "range wants a number: go through the list itself, or "
    "through range(len(…))",
    r"'tuple' object does not support item assignment": "a tuple cannot be changed: compute the new value beside it",
    r"UnboundLocalError|NameError": "the name has no value there yet: give it one before. Or is it spelled "
    "differently?",
    r"IndexError": "an index runs past the end: which values does it take, from the first to the last?",
    r"indices must be integers": "an index is an integer: is it the value itself that you have there?",
    r"(min|max)\(\) .*empty": "there is nothing to choose from the first time: think about the first round alone",
    r"Loss\.backward\(\) takes 1 positional": "loss.backward() wants nothing: the loss remembers the outputs that it was "
    "called with last",
    r"has no attribute 'zero_grad'": "nothing has to be set to zero here: model.backward overwrites the old gradients",
    r"positional arguments? but \d+ (was|were) given": "something is called with more arguments than it takes: which "
    "ones does it want? The first line of your own function stays",
    r"missing \d+ required positional argument": "something is called with fewer arguments than it wants: which are "
    "missing? A function that is called without any is lambda: …",
    r"object is not callable": "a number stands where a function is wanted, or has ( ) behind it: hand over the "
    "calculation itself, lambda: …, not its result",
    r"only .*arrays can be converted|truth value of an array": "one number is wanted there, and this is an array with "
    "many: np.allclose, .max() or a loss make one of it",
    r"has no attribute '(dtype|size|shape)'": "an array of numbers is wanted there, and this is something else",
    r"'\w+' object has no attribute '(gradient|x|kept|argmax|x_shape|mask)'": (
        "backward needs what the forward pass has kept: first model.forward(x) and "
        "loss(outputs, y), then backward"
    ),
    r"'\w+' object has no attribute 'grad\w*|'\w+' object has no attribute '(parameters|weight|bias)'": (
        "not everything has this: ask before, hasattr(layer, …), or take the step that makes it"
    ),
    r"cannot unpack non-iterable": "two names take a pair, and here comes one thing: enumerate(…) gives pairs, of a "
    "number and a thing",
    r"'(int|float|numpy\.\w+)' object is not iterable": "a number stands where a list is wanted: a list grows by "
    "append, a loop runs through range(…)",
    r"broadcast together with shapes (\((\d+),\d+\) \(\2,\)|\((\d+),\) \(\3,\d+\))": "a mean or a sum over axis 1 has lost "
    "that axis, and fits the rows no longer: keepdims=True keeps it",
    r"could not be broadcast together": "two arrays of different shapes meet: print both shapes, do they belong "
    "together?",
    r"got logits \(\d+, \d+, \d+, \d+\) for labels": "the loss is one of the whole network: inside the function, too, it takes "
    "model.forward(x), not what one layer makes of x",
    r"dy has shape \(\)": "backward of the network takes the gradient of its outputs, loss.backward(), not the loss",
    r"is not iterable": "a loop wants a list, or something like it: which one did you mean?",
    r"[Ee]llipsis": "the ... is still there: replace it by your own line",
    r"ZeroDivisionError": "you divide by 0: what should come out there?",
}


def explained(error: BaseException, function: Callable[..., Any]) -> tuple[str, str | None]:
    """Return an error's text, with the student's line where it is known, and a hint where the error is a usual one."""
    said = f"{type(error).__name__}: {error}"
    file = getattr(getattr(function, "__code__", None), "co_filename", None)
    own = [
        frame.line
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == file and frame.line
    ]
    hint = next((words for pattern, words in _HINTS.items() if re.search(pattern, said)), None)
    return (f"{said}\n  in your line: {own[-1]}" if own else said), hint
