"""The questions, lesson by lesson. The students' package has no part of them."""

from nnlib.teaching.exam.bank import (
    lesson01,
    lesson02,
    lesson03,
    lesson04,
    lesson05,
    lesson06,
    lesson07,
    lesson08,
    lesson09,
)

__all__ = ["lesson01", "lesson02", "lesson03", "lesson04", "lesson05", "lesson06", "lesson07", "lesson08",
           "lesson09"]
