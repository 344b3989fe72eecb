"""nbgrader and otter-grader by their own commands, where they are installed."""

import os
import shutil

import pytest

from tests.teaching.marking import class_of_sixty
from tests.teaching.marking.end_to_end import main


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("tool", ["nbgrader", "otter"])
def test_a_class_of_twenty_six(tmp_path, tool):
    if shutil.which(tool) is None:
        if os.environ.get("NNLIB_NIGHTLY") == "1":
            pytest.fail(f"{tool} is to be installed for the nightly tests")
        pytest.skip(f"needs the command {tool} (pip install nbgrader otter-grader)")
    main(tool, str(tmp_path / "class"))


@pytest.mark.timeout(3600)
@pytest.mark.skipif(
    not os.environ.get("NNLIB_NIGHTLY"),
    reason="runs in the nightly workflow; here: NNLIB_NIGHTLY=1",
)
def test_a_class_of_sixty_with_four_who_would_stop_it(tmp_path):
    class_of_sixty.main(str(tmp_path / "class"), "2")
