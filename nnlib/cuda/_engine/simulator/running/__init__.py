"""One launch from its first block to its last: the machine, its strands and their order."""
