"""The CUDA runtime and the C library, for host code: one Python method for each function of ../headers/program.h.

Each class holds the parts of the run that its methods need. A method is called as function(site, *arguments), where
pointers and handles are passed as addresses.
"""
