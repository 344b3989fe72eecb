"""A training step that is recorded once and repeated as it is: what a training does faster than step by step.

recorded_step.py: the launches of a step, and which of them are fused. captured_step.py: a step on the course's kernels;
graph.py repeats it as a CUDA graph. mine_step.py and mine_graph.py: the same on the student's kernels.
"""

from nnlib.training.replay.graph import GraphSteps, capture
from nnlib.training.replay.mine_graph import MineSteps
from nnlib.training.replay.mine_step import MineStep

__all__ = ["GraphSteps", "MineStep", "MineSteps", "capture"]
