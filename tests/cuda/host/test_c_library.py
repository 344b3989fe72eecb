"""The C library gives what glibc gives: the expected lines are those of the same text compiled by gcc."""

import platform
import shutil
import subprocess

import pytest

from nnlib.cuda import HostError, KernelSyntaxError, Program
from nnlib.cuda._engine.host.execution import Execution
from nnlib.cuda._engine.host.headers import headers
from nnlib.cuda._engine.host.library import clock
from nnlib.cuda._engine.language.parsing.program import parse
from nnlib.cuda._engine.language.parsing.syntax import FunctionDefinition
from nnlib.cuda._engine.language.preprocessing.directives import preprocess

ROWS = [  # statements, what they print
    ('for (int i = 0; i < 3; i++) printf("%d ", rand());', "1804289383 846930886 1681692777 "),
    ('srand(0); printf("%d ", rand()); srand(1); printf("%d", rand());', "1804289383 1804289383"),
    (
        'srand(4000000000u); printf("%d ", rand()); srand(2147483648u); printf("%d ", rand()); srand(127773); '
        'printf("%d", rand());',
        "1111130805 1336741213 493846017",
    ),
    ('srand(42); for (int i = 0; i < 700; i++) rand(); printf("%d", rand());', "632180185"),
    (
        'srand48(0); printf("%.15f ", drand48()); printf("%.15f ", drand48()); srand48(-5); printf("%.15f", drand48());',
        "0.170828036106290 0.749901980484964 0.816816492778347",
    ),
    (
        'printf("%d %d %d %d %ld", atoi("  -42x"), atoi("+7"), atoi("x7"), atoi(""), atol("123456789012"));',
        "-42 7 0 0 123456789012",
    ),
    (
        'printf("%g %g %g %g %g", atof("1.5e3"), atof("-.5"), atof("2."), atof("e5"), atof(" +3.25E-2z"));',
        "1500 -0.5 2 0 0.0325",
    ),
    *(
        (
            f'char* e; const char* t = "{text}"; long n = strtol(t, &e, {base}); printf("%ld %d", n, (int)(e - t));',
            said,
        )
        for text, base, said in [
            ("  -0x1fz", 16, "-31 7"),
            ("0x1fz", 0, "31 4"),
            ("017 8", 0, "15 3"),
            ("089", 0, "0 1"),
            ("1012", 2, "5 3"),
            ("+79a", 10, "79 3"),
            ("zZ9-", 36, "46629 3"),
            ("aBg", 12, "131 2"),
            (" x", 16, "0 0"),
            ("0xg", 16, "0 1"),
            ("FF", 16, "255 2"),
            ("-0", 0, "0 2"),
            ("99999999999999999999", 10, "9223372036854775807 20"),
            ("-99999999999999999999", 10, "-9223372036854775808 21"),
            ("9223372036854775807", 10, "9223372036854775807 19"),
        ]
    ),
    *(
        (
            f'char* e; const char* t = "{text}"; double d = strtod(t, &e); printf("%g %d", d, (int)(e - t));',
            printed,
        )
        for text, printed in [
            (" 1.5e3x", "1500 6"),
            ("-.25e", "-0.25 4"),
            ("e5", "0 0"),
            ("3.", "3 2"),
            ("1e999", "inf 5"),
            ("-Infinity!", "-inf 9"),
            ("infi", "inf 3"),
            ("NaNs", "nan 3"),
            ("\u0663", "0 0"),
        ]
    ),
    *(
        (
            f'int a = 7, b = 7; int n = sscanf("{text}", "{form}", &a, &b); printf("%d %d %d", n, a, b);',
            said,
        )
        for text, form, said in [
            ("12345", "%2d%d", "2 12 345"),
            ("- 5", "%3d", "0 7 7"),
            ("0x1f", "%4x", "1 31 7"),
            ("017 5", "%i%i", "2 15 5"),
            ("5%6", "%d%%%1d", "2 5 6"),
        ]
    ),
    (
        'float f; char t[9]; int n = sscanf("1.25e3abcdef", "%3f5e3%4[a-z]", &f, t); printf("%d %g %s", n, f, t);',
        "2 1.2 abcd",
    ),
    (
        f'printf("%ld %d", strtol("-{"9" * 5000}", NULL, 10), sscanf("{"9" * 5000}", "%*d"));',
        "-9223372036854775808 0",
    ),
    (
        'printf("%lu %lu", strtoul("18446744073709551615", NULL, 10), strtoul("-1", NULL, 10));',
        "18446744073709551615 18446744073709551615",
    ),
    ('printf("%c%c%c", 353, -159, (int)1000000000353);', "aaa"),
    (
        'printf("%g %g %ld %d", strtof("1e39", NULL), strtof("-inf", NULL), atol("\u0663"), atoi("5\u0663"));',
        "inf -inf 0 5",
    ),
    ('printf("%.9g %ld", strtof("0.1", NULL), strtol("7", NULL, 10));', "0.100000001 7"),
    (
        'printf("%d %d %d ", strcasecmp("aBc", "AbC"), strcasecmp("a", "B") < 0, strcasecmp("B", "a") > 0); '
        'printf("%d %d", strcasecmp("ab", "abc") < 0, strcasecmp("", ""));',
        "0 1 1 1 0",
    ),
    ('printf("%d %d %d", strcmp("a", "b") < 0, strcmp("b", "a") > 0, strcmp("a", "a"));', "1 1 0"),
    (
        'printf("%d %d ", strncmp("abc", "abd", 2), strncmp("abc", "abd", 3) < 0);'
        'printf("%d %d", strncmp("abd", "abc", 3) > 0, strncmp("a", "b", 0));',
        "0 1 1 0",
    ),
    (
        'char t[8] = "xxxxxxx"; strncpy(t, "ab", 4); printf("%d%d%c%s ", t[2], t[3], t[4], t); '
        'strncpy(t, "abcdef", 3); printf("%.3s", t);',
        "00xab abc",
    ),
    (
        'char u[6] = "12"; strcat(u, "345"); printf("%s %d ", u, (int)strlen(u)); printf("%s", strcpy(u, "z"));',
        "12345 5 z",
    ),
    (
        'unsigned char m[4] = {1, 2, 3, 4}, n[4] = {1, 2, 200, 4}; printf("%d %d %d %d", memcmp(m, n, 4) < 0, '
        "memcmp(n, m, 4) > 0, memcmp(m, n, 2), memcmp(m, n, 0));",
        "1 1 0 0",
    ),
    (
        'unsigned char m[4] = {1, 2, 3, 4}; memset(m + 1, 257 + 6, 2); printf("%d %d %d %d ", m[0], m[1], m[2], m[3]); '
        'memmove(m + 1, m, 3); printf("%d %d %d %d ", m[0], m[1], m[2], m[3]); '
        'printf("%d %d", memset(m, -1, 4) == m, memcpy(m, m + 1, 1) == m);',
        "1 7 7 4 1 1 7 7 1 1",
    ),
    (
        'char s[8] = "-------"; printf("%d ", snprintf(s, 4, "%s", "abcdef")); printf("%s%c ", s, s[4]); '
        'printf("%d ", snprintf(s, 3, "%d", 12)); printf("%s ", s); printf("%d ", snprintf(s, 0, "%d", 345)); '
        'printf("%s ", s); printf("%d ", snprintf(s, 1, "9")); printf("%d", s[0]);',
        "6 abc- 2 12 3 12 1 0",
    ),
    ('char s[3]; printf("%d ", sprintf(s, "%x", 255)); printf("%s", s);', "2 ff"),
    (
        'printf("%.*f|%*.*f|%.*s|%.*d|%.*f|%*d|", 2, 3.14159, 8, 3, 2.5, 2, "abc", 3, 7, -1, 0.5, -3, 1);',
        "3.14|   2.500|ab|007|0.500000|1  |",
    ),
    ('const char* form = "%.*f %d"; printf(form, 1, 2.25, 3);', "2.2 3"),
    ('printf("%d", puts("put") >= 0);', "put\n1"),
    ("printf(\"%d\", putchar('A' + 256) & 255);", "A65"),
    (
        'printf("%s %5s|%-5s|%.2s|%*d|%.2f|%%|%5.1f%%", "text", "ab", "ab", "abcdef", 5, 42, 3.14159, 50.0);',
        "text    ab|ab   |ab|   42|3.14|%| 50.0%",
    ),
    (
        'printf("%x %X %o %u %ld %lld %zu %hhd %c", 255, 255, 8, 4000000000u, 5000000000l, -5000000000ll, sizeof(int), '
        "5, 66);",
        "ff FF 10 4000000000 5000000000 -5000000000 4 5 B",
    ),
    ('printf("%d", printf("four"));', "four4"),
    ('printf("%d", (int)fwrite("abcd", 2, 2, stdout));', "abcd2"),
    ('printf("%d", fflush(stdout));', "0"),
    # files
    (
        'printf("%d ", feof(stdin)); printf("%d ", getchar()); printf("%d", feof(stdin) != 0);',
        "0 -1 1",
    ),
    (
        'FILE* f = fopen("a", "w"); printf("%d ", (int)fwrite("hello\\nworld\\n", 3, 4, f)); fprintf(f, "%d", 7); '
        'fputs("8", f); printf("%d", fclose(f));',
        "4 0",
    ),
    (
        'FILE* f = fopen("a", "rb"); char line[20]; printf("%d ", fgets(line, 4, f) == line); printf("%s ", line); '
        'printf("%ld ", ftell(f)); fgets(line, 20, f); printf("%s", line); printf("%d ", feof(f)); '
        'printf("%d ", fseek(f, -3, SEEK_END)); printf("%ld ", ftell(f)); printf("%d ", (int)fread(line, 2, 5, f)); '
        'printf("%c%c%c ", line[0], line[1], line[2]); printf("%d %d", feof(f), fgets(line, 9, f) == NULL); fclose(f);',
        "1 hel 3 lo\n0 0 11 1 \n78 1 1",
    ),
    (
        'FILE* f = fopen("c", "w"); fputs("abc", f); fclose(f); f = fopen("c", "r"); char c; int n = 0; '
        'while (!feof(f) && n < 9) { fread(&c, 1, 1, f); printf("%c%d", c, feof(f)); n++; } fclose(f);',
        "a0b0c0c1",
    ),
    (
        'FILE* f = fopen("c", "r"); char l[9]; printf("%d", feof(f)); fread(l, 1, 3, f); printf("%d", feof(f)); '
        'fseek(f, 0, SEEK_SET); fgets(l, 9, f); printf("%d", feof(f) != 0); fseek(f, 0, SEEK_END); printf("%d", feof(f)); '
        'printf("%d", fgets(l, 9, f) == NULL); printf("%d", feof(f) != 0); fclose(f); f = fopen("d", "w"); '
        'fread(l, 1, 1, f); printf("%d", feof(f)); fputs("d\\n", f); fclose(f); f = fopen("d", "r"); fgets(l, 9, f); '
        'printf("%d", feof(f)); printf("%d", fread(l, 1, 0, f) == 0); printf("%d", feof(f)); '
        'fseek(f, 0, SEEK_SET); fread(l, 1, 5, f); printf("%d", feof(f) != 0); fclose(f);',
        "00101100101",
    ),
    (
        'FILE* f = fopen("d", "w"); fputs("abc", f); printf("%d ", fprintf(f, "\\xc3\\xa4%d", 7)); fclose(f); '
        'f = fopen("d", "rw"); printf("%d %d ", fprintf(f, "%d", 12), fputs("x", f) < 0); fclose(f); '
        'printf("%d %d", fopen("d", "wx") == NULL, fclose(fopen("d", "rx")));',
        "3 -1 1 1 0",
    ),
    (
        'FILE* f = fopen("a", "a"); fprintf(f, "\\nend"); fclose(f); f = fopen("a", "r"); int n = 0; char l[20]; '
        'while (fgets(l, 20, f)) n++; printf("%d %d", n, fclose(f));',
        "4 0",
    ),
    (
        'FILE* f = fopen("a", "r+"); fwrite("J", 1, 1, f); fseek(f, 0, SEEK_SET); char l[6]; fread(l, 1, 5, f); '
        'printf("%.5s %d", l, fopen("b", "r") == NULL); fclose(f);',
        "Jello 1",
    ),
    (
        'FILE* f = fopen("a", "w+"); printf("%d ", fgets((char*)NULL, 9, f) == NULL); fputs("x", f); '
        'fseek(f, 0, SEEK_SET); char c; fread(&c, 1, 1, f); printf("%c", c); fclose(f);',
        "1 x",
    ),
    (
        'FILE* f = fopen("e", "w+"); printf("%d %d ", (int)fwrite("abcde", 1, 5, f), (int)fwrite("a", 0, 5, f)); '
        'fseek(f, 0, SEEK_SET); char l[9]; printf("%d %d ", (int)fread(l, 0, 5, f), (int)fread(l, 1, 4, f)); '
        'printf("%d", (int)fread(l, 1, 4, f)); fclose(f);',
        "5 0 0 4 1",
    ),
    (
        'printf("%d %ld %d", fseek(stdout, 0, SEEK_SET), ftell(stdout), fseek(stderr, 0, SEEK_CUR));',
        "-1 -1 -1",
    ),
    (
        'FILE* f = fopen("c", "r"); printf("%d ", fseek(f, -1, SEEK_SET)); printf("%d ", fseek(f, 2, SEEK_CUR)); '
        'printf("%ld ", ftell(f)); printf("%d ", fseek(f, -3, SEEK_CUR)); printf("%d ", fseek(f, -9, SEEK_END)); '
        'printf("%d ", fseek(f, 5, SEEK_END)); printf("%ld ", ftell(f)); printf("%d ", fseek(f, 0, 7)); fclose(f);',
        "-1 0 2 -1 -1 0 8 -1 ",
    ),
    (
        'FILE* f = fopen("c", "r"); char l[4] = "xyz"; char* r = fgets(l, 1, f); printf("%d %d%s ", r == l, l[0], l + 1); '
        'printf("%d ", fgets(l, 0, f) == NULL); printf("%d%s ", fgets(l, -1, f) == NULL, l + 1); '
        'printf("%d", (int)fread(l, 1, 3, f)); printf("%.3s", l); r = fgets(l, 1, f); '
        'printf("%d", r == l); fclose(f);',
        "1 0yz 1 1yz 3abc1",
    ),
    # what is no file: 1 and 2 are the outputs
    (
        'printf("%d %d %d", fopen("a", "+r") == NULL, fopen("a", "") == NULL, fopen("no/a", "w") == NULL);',
        "1 1 1",
    ),
    (
        'FILE* f = fopen("t", "wt"); FILE* g = fopen("t", "r"); printf("%d ", f != g); fclose(f); fclose(g);',
        "1 ",
    ),
]
OURS = [  # what a program finds only here
    (
        "fputs(\"one \", stdout); fprintf(stderr, \"%c|%3c|%-3c|\", 'a', 'b', 'c');",
        "one a|  b|c  |",
    ),
    ('fwrite("ab", 1, 2, stdout); printf("%d", (int)fwrite("cdef", 2, 2, stderr));', "abcdef2"),
    ('printf("%d", getenv("HOME") == NULL);', "1"),
    ('perror("oh");', "oh: No such file or directory\n"),
    (
        'FILE* f = fopen("a", "r"); fclose(f); FILE* h = fopen("a", "r"); printf("%d", h == f); fclose(h);',
        "1",
    ),
    (
        'FILE* f = fopen("c", "r"); char l[3]; printf("%d%d", (int)fread(l, 1, -1, f), feof(f)); fclose(f);',
        "31",
    ),
    ('int n = 0; while (n < 200 && fopen("t", "r")) n++; printf("%d", n);', "101"),
]


def main(rows):
    body = "".join(f'{{ {statements} }} printf("~");\n' for statements, _ in rows)
    return f"int main() {{\n{body}}}"


@pytest.fixture(scope="module")
def lines():
    return Program(main(ROWS + OURS)).run().output.split("~")[:-1]


@pytest.mark.parametrize(
    "k", range(len(ROWS + OURS)), ids=[statements[:40] for statements, _ in ROWS + OURS]
)
def test_it_prints_what_glibc_prints(k, lines):
    assert lines[k] == (ROWS + OURS)[k][1]


@pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc" or not shutil.which("gcc"), reason="needs gcc and glibc"
)
def test_glibc_prints_that(tmp_path):
    headers = "".join(f"#include <{name}.h>\n" for name in ("stdio", "stdlib", "string", "strings"))
    (tmp_path / "all.c").write_text(f"#define _GNU_SOURCE\n{headers}{main(ROWS)}", encoding="utf-8")
    subprocess.run(["gcc", "-w", "-o", "all", "all.c"], cwd=tmp_path, check=True)
    run = subprocess.run(
        ["./all"], cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    assert run.stdout.decode().split("~")[:-1] == [printed for _, printed in ROWS]


def test_files_may_hold_64_mebibytes():
    text = """int main() {
        FILE* f = fopen("big", "w"); char* x = (char*)malloc(1 << 22);
        int n = 0; while (n < 16 && fwrite(x, 1, 1 << 22, f) == 1 << 22) n++;
        fclose(f); free(x);
        f = fopen("big", "a"); fseek(f, 0, SEEK_END); printf("%ld ", ftell(f) >> 20); fputc('a', f); fclose(f);
    }"""
    with pytest.raises(
        HostError, match="has written more than 64 million bytes to its files"
    ) as error:
        Program(text).run()
    assert error.value.output == "64 "


def test_the_clocks_agree(monkeypatch):
    """The host's clock goes on by what it has slept, and nobody waits for it; here by nothing else."""
    text = """int main() {
        sleep(1);
        time_t now; printf("%d ", time(&now) == now); printf("%ld ", (long)time(NULL));
        struct timeval a, b; struct timespec c, d;
        gettimeofday(&a, 0); clock_gettime(CLOCK_MONOTONIC, &c); clock_t from = clock();
        sleep(2); usleep(250000);
        gettimeofday(&b, 0); clock_gettime(CLOCK_MONOTONIC, &d);
        double t = b.tv_sec - a.tv_sec + 1e-6 * (b.tv_usec - a.tv_usec);
        double u = d.tv_sec - c.tv_sec + 1e-9 * (d.tv_nsec - c.tv_nsec);
        double v = (double)(clock() - from) / CLOCKS_PER_SEC;
        printf("%.6f %.6f %.6f ", t, u, v);
        printf("%d %d", a.tv_usec < 1000000 && b.tv_usec >= 250000, (int)(c.tv_nsec < 1000000000));
    }"""
    monkeypatch.setattr(clock.time, "perf_counter", lambda: 1000.0)
    monkeypatch.setattr(clock.time, "time", lambda: 1.8e9 + 0.9)
    assert Program(text).run().output == "1 1800000000 2.250000 2.250000 2.250000 1 1"


@pytest.mark.parametrize(
    ("statements", "part"),
    [
        (
            'char t[3]; sprintf(t, "%d", 123);',
            "4 bytes are written from byte 0 of t on, which has 3",
        ),
        ('char t[3]; strcpy(t, "abc");', "4 bytes are written from byte 0 of t on, which has 3"),
        (
            'char t[4] = "ab"; strcat(t, "cd");',
            "3 bytes are written from byte 2 of t on, which has 4",
        ),
        (
            "char t[2] = {1, 2}; fwrite(t, 1, 3, stdout);",
            "3 bytes are read from byte 0 of t on, which has 2",
        ),
        ('printf("%s", (char*)NULL);', "read through a null pointer"),
        (
            "struct P { int a, b, c; }; P* p = new P[2]; P q = p[2];",
            "p[2] is read, but p has 2 elements of 12 bytes",
        ),
        (
            "struct P { int a, b, c; }; P q, *p = new P[2]; p[-1] = q;",
            "p[-1] is written, but p has 2 elements of 12 bytes",
        ),
        ("strlen((char*)NULL);", "read through a null pointer"),
        *(
            (f'int n = 0; sscanf("5", "{form}", &n);', f"scanf does not know {found} of")
            for form, found in [
                ("%q", "%q"),
                ("%hhhd", "%hhh"),
                ("%d %", "%"),
                ("%S", "%S"),
                ("%9999999999d", "%"),
            ]
        ),
        ('std::string s; printf("%d", s);', "does not print a value of this type"),
        ("std::cout << std::setw(2000000000) << 1;", "a width of 100,000 characters or more"),
        ("std::cout << std::setprecision(200000) << 1.5;", "a width of 100,000 characters or more"),
        ("int n = -1; int a[n];", "an array has fewer than 0 elements"),
        ("int a[1 << -1];", "fewer than 0 elements"),
        ("long n = 1l << 60; int a[n];", "bytes for an array are more than a program gets here"),
        ('char t[4]; strncpy(t, "a", 5);', "5 bytes are written, past the end of t"),
        (
            'char t[4]; strncpy(t, "a", -1);',
            "18,446,744,073,709,551,615 bytes are written, past the end of t",
        ),
        *((f'strtol("7", NULL, {base});', f"strtol knows no base {base}") for base in (-1, 1, 37)),
    ],
)
def test_a_text_that_does_not_fit(statements, part):
    with pytest.raises(HostError) as caught:
        Program(
            f"#include <iomanip>\n#include <iostream>\n#include <string>\nint main() {{ {statements} }}"
        ).run()
    assert part in caught.value.what


@pytest.mark.parametrize(
    "call, part",
    [
        ('printf("%d %f", 1)', "places for 2 values, but 1 given"),
        ('printf("%f", 1)', "does not print a value of this type"),
        ('fprintf(stderr, "%s", 1.5)', "does not print a value of this type"),
    ],
)
def test_a_text_that_does_not_fit_is_a_mistake_where_it_is_printed(call, part):
    program = f"#include <cstdio>\nint main(int argc, char** argv) {{\n    if (argc > 1)\n        {call};\n}}"
    assert Program(program).run().status == 0
    with pytest.raises(HostError, match=part) as caught:
        Program(program).run(["more"])
    assert (caught.value.line, caught.value.column) == (4, 9)


def test_a_value_too_many_is_left_out():
    run = Program(
        '#include <cstdio>\nint main() { printf("%d%%\\n", 1, 2.5); printf("%d\\n", 2); }'
    ).run()
    assert run.output == "1%\n2\n"
    assert run.notes == ["line 2: printf is given 2 values, but its text prints only 1"]


def test_every_function_that_a_header_declares_is_there(monkeypatch):
    """Also those that no test calls."""
    asked = []
    namespace = Execution._namespace

    def remembered(execution):
        execution.code.called |= asked_names
        asked.append(namespace(execution))
        return asked[0]

    text = "".join(f"#include <{name}>\n" for name in headers() if name)
    functions = [
        node
        for node in parse(preprocess(text, headers=headers()))[0]
        if isinstance(node, FunctionDefinition)
    ]
    defined = {node.name for node in functions if node.body is not None}
    asked_names = {
        node.name for node in functions if node.body is None and not node.template
    } - defined
    monkeypatch.setattr(Execution, "_namespace", remembered)
    Program("int main() {}").run()
    assert "strtok" in asked_names and asked_names <= {name.removeprefix("L_") for name in asked[0]}


@pytest.mark.parametrize(
    "thrown, said",
    [
        ('std::runtime_error("lost")', "'std::runtime_error'\n  what():  lost\n"),
        ("5", "'int'\n"),
        ('Own("mine")', "'Own'\n  what():  mine\n"),
    ],
)
def test_what_nobody_catches_ends_the_program(thrown, said):
    text = f"""#include <stdexcept>
        #include <cstdio>
        struct Own : std::logic_error {{ Own(const char* text) : std::logic_error(text) {{}} }};
        void f() {{ throw {thrown}; }}
        int main() {{ printf("before\\n"); try {{ f(); }} catch (const std::bad_alloc&) {{}} printf("behind"); }}"""
    run = Program(text).run()
    assert (run.output, run.status) == (
        f"before\nterminate called after throwing an instance of {said}",
        134,
    )


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k() { throw 5; } int main() {}",
        "__device__ void f() { try { } catch (...) { } } int main() {}",
        "__host__ __device__ int f(int n) { if (n) throw 5; return n; } int main() {}",
    ],
)
def test_a_kernel_throws_nothing(text):
    with pytest.raises(
        KernelSyntaxError, match="not supported by the simulator: exceptions in a kernel"
    ):
        Program(text)
