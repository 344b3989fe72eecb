"""The CUDA runtime and the C library, for host code: one Python method for each function of ../headers/program.h.

Each part is a class, which knows the run. Pointers and handles are passed as addresses. `_site` is the call that the
program makes; functions that differ in little are one method, which asks `_site.called` for the name.
"""
