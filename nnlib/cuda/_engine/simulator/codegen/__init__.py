"""Checked tree -> Python source that runs all threads of a chunk at once.

Each CUDA function becomes a Python function of the same name: `m` is the mask of the threads that
run the current line (see masks.py), every C variable a Python variable that holds one value for
all threads or one per thread. `Compiled.source` shows the result.

statements.py lowers functions and the statements in them; expressions.py the values, with places.py for what can be
stored to, indices.py for subscripts and calls.py for what CUDA provides. writer.py holds the function being written,
python.py the Python itself, code.py the result. analysis.py answers questions about the tree beforehand. registers.py
tells which accesses a compiler leaves out, by evaluation.py and touches.py.
"""
