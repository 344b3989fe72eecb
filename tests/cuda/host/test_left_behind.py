"""What a program finds of a stream's flags, and what is as before once it has ended."""

import sys

import pytest

from nnlib.cuda import Program

FLAGS = """#include <cstdio>
int main() {{
    cudaStream_t stream;
    unsigned int flags = 7;
    cudaStreamCreateWithFlags(&stream, {given});
    cudaStreamGetFlags(stream, &flags);
    printf("%u", flags);
}}"""


@pytest.mark.parametrize(
    ("given", "printed"), [("cudaStreamDefault", "0"), ("cudaStreamNonBlocking", "1")]
)
def test_a_stream_has_the_flags_that_it_was_made_with(given, printed):
    assert Program(FLAGS.format(given=given)).run().output == printed


def test_pythons_limit_of_recursion_is_as_before():
    before = sys.getrecursionlimit()
    Program("int main() { return 0; }").run()
    assert sys.getrecursionlimit() == before
