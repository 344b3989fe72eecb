"""Every mistake of the host is named, with its line; the repaired programs are silent."""

import pytest

from nnlib.cuda import HostError, KernelError, Program, UninitializedReadError
from nnlib.cuda._engine import switches
from tests.cuda.host.mistakes import MISTAKES, START, program
from tests.cuda.language.texts import recorded_messages

NAMES = [name for name, *_ in MISTAKES]


@pytest.mark.parametrize(
    ("body", "part", "line"), [mistake[1:4] for mistake in MISTAKES], ids=NAMES
)
def test_a_mistake_is_named_with_its_line(body, part, line):
    with pytest.raises(KernelError) as caught:
        Program(program(body)).run()
    assert part in str(caught.value)
    assert switches.on_gpu() or str(caught.value) == recorded_messages()[program(body)]
    assert caught.value.hint
    if line is None:
        assert isinstance(caught.value, UninitializedReadError)
    else:
        assert isinstance(caught.value, HostError)
        assert caught.value.line == START + line
        assert f"program.cu:{START + line}:" in str(caught.value)


@pytest.mark.parametrize("body", [mistake[4] for mistake in MISTAKES], ids=NAMES)
def test_the_repaired_program_is_silent(body):
    run = Program(program(body)).run()
    assert run.status == 0 and run.notes == []


def test_what_was_printed_before_is_kept():
    with pytest.raises(HostError) as caught:
        Program(program('printf("so far\\n");\nfloat* p = 0; *p = 1;')).run()
    assert caught.value.output == "so far\n"
