"""Neural networks from scratch in CUDA."""
