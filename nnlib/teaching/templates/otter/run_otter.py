"""What a container runs for one notebook."""

from otter.run.run_autograder import main

main("/autograder")
