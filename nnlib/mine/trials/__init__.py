"""Try a kernel of the library: at the contract's sizes and far beyond them, on which numbers, by which launch.

judging.py, above, asks these in turn and makes one judgement of what they find.
"""
