"""Arguments against a kernel's own signature: what came, what the kernel declares, and where the bytes are."""
