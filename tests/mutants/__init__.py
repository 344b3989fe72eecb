"""Does the test suite notice when nnlib is wrong? Mistakes are drawn at random, one at a time."""
