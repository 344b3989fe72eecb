"""Everything behind the public names of this package, which nobody outside of it imports: kernels, and what runs them.

kernel.py     RawModule and RawKernel; compilation.py: what they are made of
routes.py     decide: where each launch runs, and every threshold of that
language/     CUDA C: text to a checked tree
simulator/    runs that tree with every access checked; profiles, traces
native/       the same tree as native code
gpu/          the same text on a GPU, through CuPy; occupancy
host/         whole programs, with main and <<<>>>
arguments/    what a launch is given, against the kernel's signature
switches.py device.py sources.py described.py errors.py generated.py
"""

# As programs import it: the folder is installed alone, too, as cudasim
PACKAGE = __name__.rpartition(".")[0]
