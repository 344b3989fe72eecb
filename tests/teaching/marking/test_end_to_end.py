"""nbgrader and otter-grader by their own commands, where they are installed."""

import os
import shutil

import pytest

from tests.teaching.marking.end_to_end import main


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("tool", ["nbgrader", "otter"])
def test_a_class_of_twenty_six(tmp_path, tool):
    if shutil.which(tool) is None:
        if os.environ.get("NNLIB_NIGHTLY") == "1":
            pytest.fail(f"{tool} is to be installed for the nightly tests")
        pytest.skip(f"needs the command {tool} (pip install nbgrader otter-grader)")
    main(tool, str(tmp_path / "class"))
