"""The mistakes that `python -m tests.mutants` plants are what they say, and each changes one place."""

import ast

from tests.mutants.mistakes import mutants

PYTHON = '''def f(x: int = 3) -> bool:
    """1 + 1"""
    if x < 2 and not x:
        raise ValueError("x < 2")
    return x + 1
'''
CUDA = '''// i < n
#define N 4
for (int i = 0; i < n; i++) x[i] += 2.5f;
__syncthreads();
'''


def wrong(file: str, text: str) -> list[str]:
    return [make().wrong for make in mutants(file, text)]


def test_mistakes_of_python():
    assert sorted(wrong("f.py", PYTHON)) == sorted([
        "def f(x: int=4) -> bool:", "if True:", "if False:", "if x < 2 or not x:", "if x <= 2 and (not x):",
        "if x < 3 and (not x):", "if x < 2 and x:", "pass", "return x - 1", "return x + 2"])


def test_mistakes_of_cuda():
    assert wrong("f.cu", CUDA) == [
        "for (int i = 1; i < n; i++) x[i] += 2.5f;", "for (int i = 0; i <= n; i++) x[i] += 2.5f;",
        "for (int i = 0; i < n; i++) x[i] = 2.5f;", "for (int i = 0; i < n; i++) x[i] += 3.5f;", ""]


def test_each_is_a_whole_file_with_one_other_place():
    for make in mutants("f.py", PYTHON):
        mutant = make()
        assert ast.dump(ast.parse(mutant.text)) != ast.dump(ast.parse(PYTHON)) and mutant.wrong != mutant.right
        assert mutant.right.split(":")[0] in ast.unparse(ast.parse(PYTHON))
    for make in mutants("f.cu", CUDA):
        mutant = make()
        assert mutant.text.replace(mutant.wrong, mutant.right, 1) == CUDA or not mutant.wrong
        assert len(mutant.text.splitlines()) == 4
