"""A training step that is recorded once and repeated as it is: what a training does faster than step by step.

recorded_step.py: the launches of a step, and which of them are fused. captured_step.py: a step on the course's kernels;
graph.py repeats it as a CUDA graph. mine_step.py and mine_graph.py: the same on the student's kernels.
"""
