"""The runtime of a program's host code: processes, memory, streams, devices, files and output."""
