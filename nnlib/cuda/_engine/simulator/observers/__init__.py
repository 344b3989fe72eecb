"""Observers of a launch: bounds, races, values that nobody has written, counters, the trace."""
