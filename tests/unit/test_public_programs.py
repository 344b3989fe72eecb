"""The survey of public programs tells their ends apart."""

import pytest

from tests.benchmarks import public_programs

PROGRAMS = {
    "runs": '#include <cstdio>\nint main() { printf("done"); }',
    "stopped": "int main() { int a[2]; for (int i = 0; i < 3; i++) a[i] = i; return a[0]; }",
    "not taken": "#include <thrust/device_vector.h>\nint main() { thrust::device_vector<int> v(3); }",
    "too slow": "int main() { volatile int going = 1; while (going) { } }",
}


@pytest.mark.parametrize("end", PROGRAMS)
def test_each_end_is_told_from_the_others(end, monkeypatch):
    monkeypatch.setattr(public_programs, "SECONDS", 2 if end == "too slow" else 6)
    assert public_programs.apart(PROGRAMS[end])["result"] == end


def test_without_a_run_a_program_is_only_compiled():
    assert public_programs.apart(PROGRAMS["stopped"], run=False)["result"] == "taken"


def test_the_table_counts_every_program_once():
    rows = [{"result": "runs"}, {"result": "runs"}, {"result": "too slow"}]
    counted = [int(line[1]) for line in public_programs.table(rows)[1:]]
    assert counted[0] == 2 and sum(counted[:-1]) == counted[-1] == 3
