"""The normal form of code, which every fast engine prints: few kinds of node, and expressions that change nothing.

nodes.py lists what may appear in it. normalizer.py brings checked code into it, and fixes the order of evaluation.
collectives.py has what threads do together. ranges.py says what the sizes of a launch prove of its numbers and
accesses, and pruning.py leaves out the branches that they exclude.
"""
