"""The memory of a launch: global, shared and constant spaces, a thread's own arrays and structs, addresses."""
