"""One launch from its first block to its last: the machine, its coroutines and their order."""
