"""The host's functions of a checked program as Python functions: one thread, plain Python numbers, addresses as ints.

values.py says how C values look in Python, writer.py keeps a function that is being written, expressions.py and
statements.py lower what stands in it, functions.py puts the program together.
"""
