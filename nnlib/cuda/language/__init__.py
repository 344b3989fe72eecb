"""CUDA C as a language: text -> tokens -> tree -> checked tree. Knows nothing of how it is run."""
