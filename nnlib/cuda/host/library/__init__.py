"""The CUDA runtime and the C library, as host code calls them: one Python function for each of ../headers/program.h.

Each is called as function(process, site, *arguments): pointers and handles as addresses, numbers as numbers.
"""
