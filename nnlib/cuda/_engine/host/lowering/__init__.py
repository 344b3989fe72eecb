"""The host's functions of a checked program as Python functions: one thread, plain Python numbers, addresses as ints.

values.py says how C values look in Python, writer.py keeps a function that is being written, actions.py brings
what stands in it into its normal form, expressions.py and statements.py print it, functions.py puts the program
together.
"""
