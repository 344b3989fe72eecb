"""A real GPU: compiling and launching through CuPy, and how many blocks a multiprocessor holds."""
