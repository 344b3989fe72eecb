"""Programs that ask for memory, print, write or loop for ever are stopped, and say why; what ends goes on."""

import pytest

from nnlib.cuda import HostError, Program, native_code


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("for (;;) malloc(1000);", "allocated again and again"),
        ("for (;;) calloc(1, 1);", "allocated again and again"),
        ("for (;;) new int;", "more than a program gets here"),
        ("for (;;) { int* p; cudaMallocHost(&p, 99); }", "allocated again and again"),
        ("std::vector<int> v; for (;;) v.push_back(1);", "for a vector or string are more"),
        ('FILE* f = fopen("a", "w"); for (;;) fprintf(f, "hello");', "has written more than"),
        ('std::ofstream f("a"); for (;;) f << "hello";', "has written more than"),
        ('for (;;) printf("hello");', "has printed more than"),
        ('for (;;) std::cout << "hello";', "has printed more than"),
    ],
)
def test_what_has_no_end_is_stopped(body, part, limits):
    limits(memory=1 << 20, printed=10_000, written=10_000)
    with pytest.raises(HostError, match=part):
        Program(
            f"#include <iostream>\n#include <fstream>\n#include <vector>\nint main() {{ {body} }}"
        ).run()


@pytest.mark.parametrize("natively", [True, False])
@pytest.mark.parametrize(
    "loop",
    [
        "for (;;) n++;",
        "while (n < 5) n ^= 1;",
        "do { n = n * 3 + 1; } while (true);",
        'for (;;) getenv("a");',
        "for (;;) k<<<1, 1>>>();",
    ],
)
def test_a_loop_without_end_is_stopped(loop, natively, limits):
    limits(iterations=100_000)
    text = f"__global__ void k() {{ }}\nint main() {{ volatile int n = 0;\n{loop} }}"
    with (
        native_code(natively),
        pytest.raises(HostError, match="more iterations than a program gets here") as error,
    ):
        Program(text).run()
    assert error.value.line == 3


def test_memory_that_is_given_back_is_there_again(limits):
    limits(memory=1 << 18, freed=50)
    text = r"""int sum(int n) { int x[4] = {n}; return x[0]; }
    int main() {
        int s = 0;
        for (int i = 0; i < 1000; i++) { int* p = new int; *p = i; s += *p + sum(i); delete p; free(malloc(9)); }
        printf("%d", s);
    }"""
    program = Program(text)
    assert program.run().output == str(2 * sum(range(1000)))
    heap = program._last.heap
    assert len(heap.allocations) < 120 and len(heap.history) == 50


def test_memory_that_was_freed_long_ago_is_still_a_mistake(limits):
    limits(freed=2)
    for later, part in ((1, "read after it was freed"), (9, "points nowhere")):
        text = f"for (int i = 0; i < {later}; i++) delete new int; return *p;"
        text = f"int main() {{ int* p = new int; delete p; {text} }}"
        with pytest.raises(HostError, match=part):
            Program(text).run()
