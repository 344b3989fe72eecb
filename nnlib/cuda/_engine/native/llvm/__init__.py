"""LLVM: the printer of its operations, and the engine that runs them."""
