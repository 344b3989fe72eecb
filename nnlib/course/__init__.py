"""What a lesson is written with; `from nnlib.course import …` is its one line. Lesson 01.

notebook.py, prediction.py: `%%cuda`, check, predict. exercises/: what is asked and how an answer is judged; solved.py
keeps what was right. timing.py: measured here, or recorded on an H200 (results/). ladder.py: the matrix products.
pictures/: everything that is drawn. Importing it in a notebook registers `%%cuda` and the style of the figures.
"""

from nnlib.course import ladder
from nnlib.course.exercises import clinic
from nnlib.course.notebook import check, expect_error
from nnlib.course.pictures import plots
from nnlib.course.pictures.digit_pad import DigitPad, like_mnist
from nnlib.course.pictures.microscope import bank_grid, heat_map, lane_timeline, roofline, sector_strip
from nnlib.course.pictures.style import (
    BLACK,
    BLUE,
    DARK_RED,
    GREEN,
    GREY,
    ORANGE,
    PALE,
    RED,
    SKY,
    YELLOW,
    figure,
)
from nnlib.course.pictures.svg import Drawing
from nnlib.course.pictures.widgets import Explorer, Stepper, kernel_stepper, thread_explorer
from nnlib.course.prediction import predict, reveal
from nnlib.course.solved import progress
from nnlib.course.timing import limits, measure, recorded

__all__ = [
    "BLACK", "BLUE", "DARK_RED", "GREEN", "GREY", "ORANGE", "PALE", "RED", "SKY", "YELLOW", "DigitPad", "Drawing",
    "Explorer", "Stepper", "bank_grid", "check", "clinic", "expect_error", "figure", "heat_map", "kernel_stepper",
    "ladder", "lane_timeline", "like_mnist", "limits", "measure", "plots", "predict", "progress", "recorded",
    "reveal", "roofline", "sector_strip", "thread_explorer",
]
