"""The C library gives what glibc gives: the expected lines are those of the same text compiled by gcc."""

import pytest

from nnlib.cuda import HostError, Program
from nnlib.cuda._engine.host.execution import Execution
from nnlib.cuda._engine.host.headers import headers
from nnlib.cuda._engine.host.library import clock
from nnlib.cuda._engine.language.parsing.program import parse
from nnlib.cuda._engine.language.parsing.syntax import FunctionDefinition
from nnlib.cuda._engine.language.preprocessing.directives import preprocess


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
