"""The names that a lesson imports with `from nnlib.course import *`. Apart from these it imports numpy and what it builds on.

notebook.py, prediction.py: `%%cuda`, check, predict, reveal. exercises/: what is asked, how an answer is judged, every
hint; solved.py keeps what was right, sharing.py tells it to the class. timing.py: measured here, or recorded on an H200
(results/). ladder.py: the matrix products. clinic/: training runs with a silent bug. pictures/: everything that is drawn,
`pictures.NAME(…)`; the instruments that look into a run are here, too. labextensions/ colours `%%cuda` cells in
JupyterLab. Importing it in a notebook registers `%%cuda` and the style of the figures.
"""

from nnlib.support import extras

extras.require("lessons", "anywidget", "ipywidgets", "IPython", "matplotlib")

from nnlib.course import clinic, ladder, pictures, steps, streaming
from nnlib.course.exercises import right_or
from nnlib.course.exercises.parsons import arrange
from nnlib.course.exercises.published import published_network
from nnlib.course.notebook import check, expect_error
from nnlib.course.own_path import OwnPath, ready
from nnlib.course.pictures import (
    bank_grid,
    heat_map,
    kernel_stepper,
    lane_timeline,
    plots,
    race_explorer,
    roofline,
    sector_strip,
)
from nnlib.course.pictures.clocks import measure_kernel
from nnlib.course.pictures.digit_pad import DigitPad, like_mnist
from nnlib.course.pictures.scaling import scaling
from nnlib.course.pictures.widgets import thread_explorer
from nnlib.course.prediction import predict, reveal
from nnlib.course.roofs import H200, roofs
from nnlib.course.sharing import share_results, stop_sharing
from nnlib.course.solved import progress
from nnlib.course.timing import limits, measure, recorded, run_ranks, stopwatch

__all__ = [
    "H200",
    "DigitPad",
    "OwnPath",
    "arrange",
    "bank_grid",
    "check",
    "clinic",
    "expect_error",
    "heat_map",
    "kernel_stepper",
    "ladder",
    "lane_timeline",
    "like_mnist",
    "limits",
    "measure",
    "measure_kernel",
    "pictures",
    "plots",
    "predict",
    "progress",
    "published_network",
    "race_explorer",
    "ready",
    "recorded",
    "reveal",
    "right_or",
    "roofline",
    "roofs",
    "run_ranks",
    "scaling",
    "sector_strip",
    "share_results",
    "steps",
    "stop_sharing",
    "stopwatch",
    "streaming",
    "thread_explorer",
]
