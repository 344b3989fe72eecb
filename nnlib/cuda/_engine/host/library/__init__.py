"""The CUDA runtime and the C library, for host code: one Python method for each function of ../headers/program.h.

Each part is a class, which knows the run. A method is called as function(site, *arguments), where pointers and handles
are passed as addresses; functions that differ in little are one method, which asks site.called for the name.
"""
