"""The native engine has the simulator's bits. What it refuses is listed in refusals.txt, which may only shrink."""
