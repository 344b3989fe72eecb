"""One run of a program: how it begins and ends, what it prints and leaves, and what it may take."""

import io
import subprocess
import sys
import textwrap

import pytest

from nnlib.cuda import HostError, Program, UnsupportedError
from nnlib.cuda._engine.host.runtime import address_space, output
from tests.cuda.host.programs import PROGRAMS

HELLO = PROGRAMS["hello"].text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("return 259;", 3),
        ("return -1;", 255),
        ("", 0),
        ("exit(257);", 1),
        ("abort();", 134),
        ("assert(1 > 2);", 134),
        ("return 256;", 0),
    ],
)
def test_how_a_program_ends(body, status):
    assert Program(f"int main() {{ {body} }}").run().status == status


def test_objects_end_wherever_their_block_is_left():
    text = """struct Told { int n; ~Told() { printf("-%d ", n); } };
        int f(int k) { Told a = {k}; if (k == 2) return k; { Told b = {k + 10}; if (k == 3) goto out; } out: return 0; }
        int main() {
            for (int i = 0; i < 4; i++) {
                Told c = {20 + i}; f(i); if (i == 1) continue; if (i == 3) break; printf("| ");
            }
            Told* several = new Told[2]; several[0].n = 1; several[1].n = 2;
            delete[] several;
            Told last = {99};
            exit(0);
        }"""
    printed = "-10 -0 | -20 -11 -1 -21 -2 | -22 -13 -3 -23 -2 -1 "
    assert Program(text).run().output == printed
    try:
        raise ValueError
    except ValueError:
        assert Program(text).run().output == printed


def test_what_just_fits(monkeypatch):
    monkeypatch.setattr(output, "MOST_PRINTED", 99_999)
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


def test_leaks_are_noted():
    run = Program(
        "int main() { float *d, *h = new float[3]; cudaMalloc(&d, 40); malloc(8); }"
    ).run()
    assert run.notes == [
        "line 1: 12 bytes of h are never freed; write delete[] h;",
        "line 1: 40 bytes of d are never freed; write cudaFree(d);",
        "line 1: 8 bytes of memory are never freed; write free(...);",
    ]


def test_an_array_that_is_too_large_is_refused_at_once():
    with pytest.raises(
        HostError, match="8,589,934,592 bytes for x are more than a program gets here"
    ):
        Program("int main() { double x[1 << 30]; x[0] = 1; }").run()


LIMITS = [  # what a program may not take, and what is said
    ('int main() { while (1) puts("flood"); }', HostError, "has printed more than"),
    ('int main() { printf("%2000000000d", 1); }', HostError, "a width of 100,000 characters"),
    ('int main() { printf("%*d", 100000, 1); }', HostError, "a width of 100,000 characters"),
    ('int main() { printf("%*d", -100000, 1); }', HostError, "a width of 100,000 characters"),
    ("int main() { char b[10]; memset(b, 0, (size_t)1 << 40); }", HostError, "past the end of b"),
    (
        "#include <vector>\nint main() { std::vector<double> v((size_t)1 << 32); }",
        HostError,
        "bytes for a vector or string are more than a program gets here",
    ),
    (
        "int main() { int x = 1; " + "while (x) " * 30 + "x = 0; }",
        UnsupportedError,
        "nested too deeply",
    ),
]


@pytest.mark.parametrize(("text", "kind", "part"), LIMITS)
def test_what_a_program_may_not_take(text, kind, part, monkeypatch):
    monkeypatch.setattr(output, "MOST_PRINTED", 1 << 10)
    with pytest.raises(kind, match=part) as caught:
        Program(text).run()
    assert kind is UnsupportedError or caught.value.hint and caught.value.line


def test_vectors_end_with_their_block(monkeypatch):
    monkeypatch.setattr(address_space, "LIMIT", 1 << 18)
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


def test_memory_is_bounded():
    run = Program(r"""int main() {
        int* p; float* h = (float*)malloc((size_t)1 << 40);
        printf("%s %d\n", cudaGetErrorString(cudaMalloc(&p, (size_t)1 << 40)), h == NULL);
        cudaGetLastError();
    }""").run()
    assert run.output == "out of memory 1\n"


def test_recursion_may_go_deep():
    text = 'int f(int n) { return n ? f(n - 1) + 1 : 0; } int main() { printf("%d", f(9000)); }'
    assert Program(text).run().output == "9000"


def test_a_file_gives_and_takes_what_it_was_opened_for():
    run = Program(r"""int main() {
        char b[4] = "abc";
        FILE* f = fopen("a", "w");
        printf("%d %s %d ", (int)fread(b, 1, 3, f), fgets(b, 4, f) == NULL ? "none" : b, feof(f) != 0);
        printf("%d %d ", fseek(f, -5, SEEK_SET), fseek(f, 0, SEEK_SET));
        fclose(f);
        f = fopen("a", "r");
        printf("%d %d %d", (int)fwrite(b, 1, 3, f), fprintf(f, "x"), fgets(b, 4, stdin) == NULL);
        fclose(f);
    }""").run()
    assert run.output == "0 none 0 -1 0 0 -1 1"


def test_files_live_in_a_folder_of_the_run():
    program = Program(r"""int main() {
        FILE* f = fopen("numbers.txt", "w");
        fprintf(f, "%d\n", 42);
        fclose(f);
        char line[16];
        f = fopen("numbers.txt", "r");
        printf("%s", fgets(line, 16, f));
        fclose(f);
        printf("%d\n", fopen("missing", "r") == NULL);
    }""")
    assert program.run().output == "42\n1\n"


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


def test_the_gpu_has_as_much_memory_as_it_says():
    text = """int main() {
        char* p[16];
        size_t free, total;
        cudaMemGetInfo(&free, &total);
        int k = 0;
        while (cudaMalloc(&p[k], 1 << 30) == cudaSuccess) k++;
        printf("%d %zu", k, total >> 30);
        while (k > 0) cudaFree(p[--k]);
    }"""
    assert Program(text).run().output == "15 15"
