"""Loops of the host as native code: whole iterations on the program's memory, everything else in the interpreter.

flat.py writes a loop without pointers: an address is a whole number, and memory is what lies at one. code.py prints it
with every check compiled in. running.py runs it: where an iteration ends the loop, does something unusual or would be a
mistake, the iteration is undone, and the interpreter goes on with it, which says in words what is wrong. First used in
lesson 01.
"""
