"""One run of a program: how it begins and ends, what it prints and leaves, and what it may take."""

import io
import subprocess
import sys
import textwrap

import pytest

from nnlib.cuda import HostError, Program
from nnlib.cuda._engine.host.runtime.address_space import AddressSpace
from tests.cuda.host.programs import PROGRAMS

HELLO = PROGRAMS["hello"].text


def test_objects_end_while_an_exception_is_handled():
    text = """struct Told { int n; ~Told() { printf("-%d ", n); } };
        int main() { Told a = {1}; for (;;) { Told b = {2}; break; } exit(0); }"""
    try:
        raise ValueError
    except ValueError:
        assert Program(text).run().output == "-2 "


def test_what_just_fits(limits):
    limits(printed=99_999)
    assert len(Program('int main() { printf("%*d", 99999, 1); }').run().output) == 99_999


def test_every_run_begins_anew():
    program = Program('int n = 1; int main() { n *= 2; printf("%d", n); return n; }')
    assert [program.run().status for _ in range(3)] == [2, 2, 2]


def test_output_appears_as_it_is_printed():
    seen = io.StringIO()
    with pytest.raises(HostError) as caught:
        Program('int main() { printf("before\\n"); *(int*)0 = 1; }').run(echo=seen)
    assert seen.getvalue() == caught.value.output == "before\n"


def test_what_kernels_print_is_lost_without_waiting():
    run = Program(HELLO.replace("cudaDeviceSynchronize();", "")).run()
    assert (
        "thread" not in run.output and "3 lines of printf in kernels are not shown" in run.notes[0]
    )


def test_vectors_end_with_their_block(limits):
    limits(memory=1 << 18)
    text = """#include <vector>
    #include <string>
    std::vector<int> make(int n) { std::vector<int> v(n, 1); v.push_back(n); return v; }
    int total(std::vector<int> v) { v[0] = 100; int s = 0; for (int x : v) s += x; return s; }
    std::string join(std::string a, const std::string& b) { std::string c = a + "/" + b; return c; }
    int main() {
        for (int i = 0; i < 40; i++) { std::vector<double> v(1 << 12); if (i % 3 == 0) continue; v[0] = i; }
        std::vector<int> v = {1, 2, 3}, w = make(2);
        std::vector<std::vector<int>> m = {{1, 2}, {3}, v};
        w = v;
        w[0] = 7;
        printf("%d %d %d %s ", total(w), w[0], make(3)[3], join("a", "b").c_str());
        printf("%d %zu %d\\n", m[2][2], m.size(), total({1, 2}));
        int* p;
        { std::vector<int> t(4, 5); p = t.data(); }
        return p[0];
    }"""
    with pytest.raises(
        HostError, match="this.first is read after it was freed in line 15"
    ) as caught:
        Program(text).run()
    assert caught.value.output == "105 7 3 a/b 3 3 102\n"


def test_an_endless_loop_of_the_host_can_be_interrupted():
    code = textwrap.dedent("""
        import os, signal, sys, threading, _thread, time
        from nnlib.cuda import Program

        def press():  # again and again, as a user would: Python drops an interrupt that falls into a destructor
            while True:
                time.sleep(0.3)
                _thread.interrupt_main()

        def interrupted(kind, error, trace):  # also where a second one falls into the handling of the first
            print(kind.__name__, flush=True)
            os._exit(0)

        sys.excepthook = interrupted
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background commands ignore it
        program = Program("int main() { unsigned i = 1; while (i) i = i * i + 1; }")
        threading.Thread(target=press, daemon=True).start()
        program.run()
    """)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "KeyboardInterrupt\n", done.stderr


def test_pythons_limit_of_recursion_is_as_before():
    before = sys.getrecursionlimit()
    Program("int main() { return 0; }").run()
    assert sys.getrecursionlimit() == before


def test_plain_memory_is_used_without_a_look_at_it():
    """Rescued accesses give the same results, but take many times as long."""
    rescued = []

    class Watched(AddressSpace):
        def rescue(self, lost):
            rescued.append(lost.address - one.address)
            return memoryview(one.data)

    memory = Watched()
    one = memory.allocate("x", 8, "malloc", 1)
    load, store, _ = memory.accessors("i")
    assert (store(one.address + 4, 7), load(one.address + 4), load(one.address)) == (7, 7, 0)
    assert rescued == []
    memory.close(one)
    assert (store(one.address, 3), load(one.address), rescued) == (3, 3, [0, 0])
