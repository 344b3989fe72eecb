"""An escape that C does not have is reported where it is written, whatever the text is for."""

import pytest

from nnlib.cuda import Program
from nnlib.cuda._engine.errors import KernelSyntaxError


@pytest.mark.parametrize(
    "statement",
    [
        r'printf("\o %d", 1);',
        r'puts("\o");',
        r'printf("%s", "\o");',
        r'const char* s = "\o";',
        r'char s[] = "\o";',
    ],
)
def test_an_unknown_escape_is_a_mistake_of_the_text(statement):
    with pytest.raises(KernelSyntaxError, match=r"program.cu:2:\d+: \\o in a text has no meaning"):
        Program(f"#include <cstdio>\nint main() {{ {statement} }}")
