"""The timeline and the memory of a run, number by number: what the documented model of a T4 on PCIe 3 gives."""

import re
from pathlib import Path

import pytest

from nnlib.cuda import HostError, Program, force_simulator
from nnlib.cuda._engine.host.runtime.schedule import Schedule
from nnlib.cuda._engine.host.runtime.stream_races import StreamRaces
from nnlib.cuda._engine.host.timeline import Timeline
from tests.jupyter import html

PICTURE = Path(__file__).with_name("timeline.html")


@pytest.fixture(autouse=True, scope="module")
def simulated():
    """Run in the simulator also where there is a GPU: these counts and messages are the simulator's."""
    with force_simulator():
        yield


@pytest.fixture(scope="module")
def no_races():
    """The streams race for memory, which is no matter of when things happen."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(StreamRaces, "_see", lambda *access: None)
        yield


RACES = r"""__global__ void k(float* x) { x[threadIdx.x] += 1; }
int main() {
    float *d, *p; cudaMallocHost(&p, 4000); cudaMalloc(&d, 4000); cudaStream_t a, b;
    for (int i = 0; i < 1000; i++) p[i] = i;
    cudaStreamCreate(&a); cudaStreamCreate(&b);
    cudaMemcpyAsync(d, p, 4000, cudaMemcpyHostToDevice, a);
    k<<<1, 100, 0, b>>>(d);
}"""


def test_a_race_is_marked():
    program = Program(RACES)
    with pytest.raises(HostError, match="uses d before the copy of line 6"):
        program.run()
    assert "kernel k  (races with 1)" in str(program.timeline())
    outlined = re.findall(
        r"stroke='#D55E00' stroke-width='4'><title>([^,]*), line (\d), .*?in a race<",
        html(program.timeline()).replace(": ", ", "),
    )
    assert outlined == [("d to the GPU", "6"), ("k", "7")]


TEXT = r"""__global__ void touch(const float* x, float* y) { y[0] = 1; }
int main() {
    float *d, *e, *p, *h = (float*)calloc(1500, 4);
    cudaMalloc(&d, 300000); cudaMalloc(&e, 300000); cudaMallocHost(&p, 12000);
    cudaStream_t a, b, c;
    cudaStreamCreate(&a); cudaStreamCreate(&b); cudaStreamCreateWithFlags(&c, cudaStreamNonBlocking);
    cudaEvent_t start, stop; cudaEventCreate(&start); cudaEventCreate(&stop);
    cudaMemcpy(d, h, 6000, cudaMemcpyHostToDevice);
    cudaEventRecord(start);
    cudaMemcpyAsync(d, p, 12000, cudaMemcpyHostToDevice, a);
    cudaMemcpyAsync(e, p, 12000, cudaMemcpyHostToDevice, b);
    touch<<<1, 1, 0, a>>>(d, d + 37500);
    touch<<<1, 1, 0, b>>>(e, e);
    cudaMemsetAsync(d, 0, 300000, c);
    cudaEventRecord(stop, a);
    cudaStreamWaitEvent(c, stop);
    cudaMemcpyAsync(p, d, 6000, cudaMemcpyDeviceToHost, c);
    cudaMemcpyAsync(h, d, 6000, cudaMemcpyDeviceToHost, c);
    cudaMemcpy(e, d, 150000, cudaMemcpyDeviceToDevice);
    cudaMemset(e, 1, 3);
    float ms; cudaEventSynchronize(stop); cudaEventElapsedTime(&ms, start, stop);
    printf("%.4f %d %d\n", ms, cudaStreamQuery(0), cudaStreamQuery(a));
    cudaStreamSynchronize(0);
    cudaMemcpyAsync(p, d, 6000, cudaMemcpyDeviceToHost, b);
    printf("%d", cudaEventQuery(stop));
    printf(" %d", cudaStreamQuery(b));
    usleep(9);
    printf(" %d", cudaStreamQuery(b));
    printf(" %d\n", cudaStreamQuery(b));
    cudaDeviceSynchronize();
    cudaFree(d); cudaFree(e); cudaFreeHost(p); free(h);
}
"""
TIMELINE = re.search(r"microseconds\. (.*?)' viewBox", PICTURE.read_text(), re.DOTALL)[1]
OWNERS = """\
line     memory  side            bytes  host holds  GPU holds
   3  +  h       host            6,000       6,000          0
   4  +  d       GPU           300,000       6,000    300,000
   4  +  e       GPU           300,000       6,000    600,000
   4  +  p       host, pinned   12,000      18,000    600,000
  31  -  d       GPU           300,000      18,000    300,000
  31  -  e       GPU           300,000      18,000          0
  31  -  p       host, pinned   12,000       6,000          0
  31  -  h       host            6,000           0          0"""


@pytest.fixture(scope="module")
def ran(no_races):
    program = Program(TEXT)
    assert program.run().output == "0.0175 600 0\n0 600 0 0\n"
    return program


def test_when_what_happens(ran):
    assert str(ran.timeline()) == TIMELINE
    assert ran.timeline().end == pytest.approx(94)


def test_its_picture(ran):
    assert html(ran.timeline()) == PICTURE.read_text()


def test_a_moment_is_seen_and_an_empty_program_has_a_timeline(ran):
    quick = Program(
        "int main() { int *d, h = 1; cudaMalloc(&d, 4); cudaMemcpy(d, &h, 4, cudaMemcpyHostToDevice); "
        "sleep(1); cudaFree(d); }"
    )
    assert re.findall(r"width='([\d.]+)' height", html(quick.timeline())) == ["1.5", "1.5"]
    assert quick.timeline().end == pytest.approx(1e6 + 12, abs=0.1)
    nothing = Program("int main() { }").timeline()
    assert str(nothing).count("\n") == 1 and nothing.rows == ["host"] and nothing.end == 0
    assert "Timeline of 0 operations in 0 streams, 0.0 microseconds" in html(nothing)


def test_who_owns_what(ran):
    assert str(ran.memory()) == OWNERS
    rows = re.findall(r"<tr>(.*?)</tr>", html(ran.memory()))
    cells = [tuple(re.findall(r"<t[hd]>(.*?)</t[hd]>", row)) for row in rows]
    assert cells[0] == ("line", "", "memory", "side", "bytes", "host holds", "GPU holds")
    assert cells[3] == ("4", "+", "e", "GPU", "300,000", "6,000", "600,000") and len(cells) == 9
    assert "never freed" not in html(ran.memory())


@pytest.mark.parametrize(
    ("call", "event"),
    [
        ("int* x = new int[3];", ("x", "host", 12, 0)),
        ("char* x = (char*)malloc(5);", ("x", "host", 5, 0)),
        ("float* x; cudaMallocHost(&x, 8);", ("x", "host, pinned", 8, 0)),
        ("malloc(3);", ("?", "host", 3, 0)),
        ("float* x; cudaMallocManaged(&x, 8);", ("x", "both", 8, 8)),
        ("float* x; cudaMalloc(&x, 8);", ("x", "GPU", 0, 8)),
    ],
)
def test_each_kind_of_memory(call, event):
    owners = Program(f"int main() {{\n{call}\n}}").memory()
    assert [(e.line, e.name, e.side, e.host, e.device) for e in owners.events] == [(2, *event)]
    if event[0] == "x":
        size = max(event[2:])
        assert str(owners).endswith(f"\nnever freed: x, {size} bytes of line 2")
        assert html(owners).endswith(f"</table><p>never freed: x, {size} bytes of line 2</p>")


BY_THEMSELVES = r"""__global__ void k(float* x) { x[0] = 1; }
int main() {
    float *m, *n; cudaMallocManaged(&m, 3000); cudaMalloc(&n, 3000); cudaStream_t a, b;
    cudaStreamCreate(&a); cudaStreamCreate(&b);
    cudaMemcpyAsync(n, n + 300, 600, cudaMemcpyDefault, a);
    cudaMemcpyAsync(m, n, 1200, cudaMemcpyDefault, b);
    cudaMemcpy(m + 500, n, 600, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(n, 512, m, 4, 4, 3, cudaMemcpyHostToDevice);
    cudaMemset2D(n, 256, 7, 10, 3);
    cudaStreamSynchronize(a);
    k<<<1, 1>>>(m + 250);
    cudaStreamSynchronize(b);
    cudaFree(n); cudaFree(m);
}
"""


def test_copies_and_kinds_of_memory(no_races):
    """Within the GPU: a quarter of the start and twice the bytes at 300 GB/s."""
    text = str(Program(BY_THEMSELVES).timeline())
    assert text.splitlines()[1:-1] == BY_THEMSELVES_TAKES.splitlines()


BY_THEMSELVES_TAKES = """\
  1       2.0       4.5  stream 1           5  n on the GPU, 600 bytes
  2       4.0      14.1  stream 2           6  n from the GPU, 1,200 bytes
  3      14.1      24.2  default stream     7  n from the GPU, 600 bytes  (waits for 1, 2)
  4      26.2      36.2  default stream     8  n to the GPU, 12 bytes  (waits for 1, 2, 3)
  5      38.2      40.7  default stream     9  n set, 30 bytes  (waits for 1, 2, 4)
  6      40.7      43.7  default stream    11  kernel k  (waits for 1, 2, 5)
          6.0      24.2  host               7  waits: copy
         26.2      36.2  host               8  waits: copy
         40.2      43.7  host              13  waits: cudaFree"""


def test_on_a_gpu_it_says_that_copies_are_modelled_all_the_same():
    assert "(kernels: measured with events on the GPU; copies: modelled, a copy takes 10 us" in str(
        Timeline(Schedule(), True)
    )
