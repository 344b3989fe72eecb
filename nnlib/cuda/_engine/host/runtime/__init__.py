"""What a program's host code runs on: processes, memory, streams, devices, files and output."""
