"""What a lesson asks for beyond the right result: each task at its border, on profiles made up for it."""

from types import SimpleNamespace

import pytest

from nnlib import mine
from nnlib.mine.trials import tasks
from nnlib.mine.trials.tasks import Trial


def trial(sizes, grid=(1, 1, 1), block=(32, 1, 1), again=None, repeated=None, **counts):
    def of(name):
        given = {"bytes": 0, "sectors": 0, "requests": 0} | counts.get(name, {})
        return SimpleNamespace(**given)

    memory = {
        name: of(name)
        for name in ("global_load", "global_store", "shared_load", "shared_store", "shared_atomic")
    }
    profile = SimpleNamespace(
        grid=grid,
        block=block,
        lines={7: SimpleNamespace(**memory)},
        repeated_stores=repeated or {},
        source="\n" * 9,
        atomics=counts.get("atomics", 0),
        serial_loads=counts.get("serial_loads", 1),
        **memory,
    )
    return Trial(profile, sizes, again)


def loads(number):
    return lambda sizes: SimpleNamespace(serial_loads=number)


TILED, TENS = tasks.through_shared_memory("N", "O", "I"), dict.fromkeys("NOI", 10)
STORED = {"requests": 1}
TASKS = [  # task, trial, begin of the complaint
    (tasks.many_threads("N", "O"), trial({"N": 4, "O": 32}), None),
    (
        tasks.many_threads("N", "O"),
        trial({"N": 1, "O": 129}),
        "32 threads do the work of 129: a GPU",
    ),
    (tasks.many_threads("N", each=1), trial({"N": 33}), "32 threads do the work of 33: a GPU"),
    (
        tasks.many_threads("N", each=1),
        trial({"N": 2}, block=(1, 1, 1)),
        "1 thread does the work of 2: a GPU",
    ),
    (tasks.many_threads("N", each=1), trial({"N": 5040}, (2, 3, 4), (5, 6, 7)), None),
    (
        tasks.many_threads("N", each=1),
        trial({"N": 5041}, (2, 3, 4), (5, 6, 7)),
        "5,040 threads do the work of 5,041",
    ),
    (tasks.many_threads("N"), trial({"N": 33}, serial_loads=16), None),
    (
        tasks.many_threads("N"),
        trial({"N": 33}, serial_loads=17),
        "a thread loads 17 numbers one after",
    ),
    (tasks.an_element_each, trial({"n": 100}, global_store={"bytes": 1600}), None),
    (
        tasks.an_element_each,
        trial({"n": 100}, global_store={"bytes": 1604}),
        "every result is stored 4 times: the",
    ),
    (
        tasks.an_element_each,
        trial({"n": 129}, global_store={"bytes": 4}),
        "32 threads do the work of 129",
    ),
    (tasks.an_element_each, trial({"n": 128}, serial_loads=16), None),
    (
        tasks.an_element_each,
        trial({"n": 128}, serial_loads=17),
        "a thread loads 17 numbers one after the other",
    ),
    (
        tasks.an_element_each,
        trial({"n": 32}, atomics=1),
        "each element is one thread's, and no other",
    ),
    (tasks.one_writer, trial({}), None),
    (
        tasks.one_writer,
        trial({}, repeated={4: "y"}),
        "in line 4 several threads store the same value to one element of y. All of them bring",
    ),
    (tasks.no_atomics, trial({}), None),
    (tasks.no_atomics, trial({}, atomics=1), "atomic additions come in a different order"),
    (
        TILED,
        trial(TENS),
        "every thread reads its own row",
    ),
    (
        TILED,
        trial(TENS, shared_store=STORED, global_load={"bytes": 760}),
        None,
    ),
    (
        TILED,
        trial(TENS, shared_store=STORED, global_load={"bytes": 764}),
        "the kernel reads 0.19 numbers from global memory per product; tiles of 16 × 16",
    ),
    (
        TILED,
        trial(
            TENS,
            shared_store=STORED,
            global_load={"bytes": 640, "sectors": 30},
        ),
        None,
    ),
    (
        TILED,
        trial(
            TENS,
            shared_store=STORED,
            global_load={"bytes": 640, "sectors": 31, "requests": 1},
        ),
        "the tiles are loaded with 31 sectors, and 20 would hold all that is read. In line 7 a warp fetches 31 sectors",
    ),
    (tasks.SharedAmongThreads("row", I=4096), trial({"N": 3, "I": 5}, again=loads(2100)), None),
    (
        tasks.SharedAmongThreads("row", I=4096),
        trial({"N": 3, "I": 5}, again=loads(2101)),
        "one thread walks over",
    ),
    (
        tasks.SharedAmongThreads("row", I=4096),
        trial({"N": 3, "I": 5}, again=lambda sizes: None),
        "one thread walks",
    ),
    (
        tasks.reads_per_product(0.5, "N", "O"),
        trial({"N": 10, "O": 10}),
        "every thread reads its window",
    ),
    (
        tasks.reads_per_product(0.5, "N", "O"),
        trial(
            {"N": 10, "O": 10},
            shared_store=STORED,
            global_load={"bytes": 100},
            shared_load={"bytes": 100},
        ),
        None,
    ),
    (
        tasks.reads_per_product(0.5, "N", "O"),
        trial(
            {"N": 10, "O": 10},
            shared_store=STORED,
            global_load={"bytes": 100},
            shared_load={"bytes": 108},
        ),
        "a thread reads 0.52 numbers for every product",
    ),
    (tasks.a_warp_a_row("N", "O"), trial({"N": 4, "O": 33}, global_load={"sectors": 90}), None),
    (
        tasks.a_warp_a_row("N", "O"),
        trial({"N": 4, "O": 33}, global_load={"sectors": 91}),
        "the kernel loads 91 sectors, and the rows have 20: a warp takes a row",
    ),
    (
        tasks.a_warp_a_row("N", "O"),
        trial({"N": 4, "O": 32}, global_load={"sectors": 91}),
        "the kernel loads 91 sectors, and the rows have 20",
    ),
    (
        tasks.a_warp_a_row("N", "O"),
        trial({"N": 4, "O": 33}, shared_store=STORED),
        "the lanes of one warp need",
    ),
    (
        tasks.a_warp_a_row("N", "O"),
        trial({"N": 4, "O": 33}, shared_atomic=STORED),
        "the lanes of one warp need",
    ),
]


@pytest.mark.parametrize(("task", "tried", "complaint"), TASKS)
def test_a_task_at_its_border(task, tried, complaint):
    said = task(tried)
    assert said == complaint if complaint is None else said.startswith(complaint)


def test_a_long_size_is_tried_alone():
    """All sizes are 1 but the long one."""
    asked = []
    tried = trial(
        {"N": 3, "I": 5, "O": 7},
        again=lambda sizes: asked.append(sizes) or SimpleNamespace(serial_loads=1),
    )
    assert tasks.SharedAmongThreads("row", I=4096)(tried) is None
    assert asked == [{"N": 1, "I": 4096, "O": 1}]


ALONE = """// <<<(columns + 255) / 256, 256>>>
extern "C" __global__ void sum_columns(const float* x, float* sums, int rows, int columns)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = 0;
    float sum = 0.0f;
    if (c >= columns) return;
    LOOP
    for (; r < rows; r++) sum += x[r * columns + c];
    sums[c] = sum;
}"""
LOOPS = {
    "as it is": ("", "one thread walks over a whole column"),
    "two rows at a time": (
        "for (; r < rows - 1; r += 2) sum += x[r * columns + c] + x[(r + 1) * columns + c];",
        "one thread walks over a whole column",
    ),
    "wide loads": (
        "for (; columns == 1 && r < rows - 3; r += 4) {\n"
        "        float4 v = *(const float4*)(x + r);\n        sum += v.x + v.y + v.z + v.w;\n    }",
        "one thread walks over a whole column",
    ),
    "nothing where it is looked at": (
        "if (rows / 64 == 64 && rows % 64 == 0 && columns < 2) return;",
        "no thread wrote sums[0]",
    ),
}


@pytest.mark.parametrize("loop", LOOPS)
def test_a_thread_that_adds_a_whole_column_is_seen_however_its_loop_is_written(loop):
    text, said = LOOPS[loop]
    judged = mine.judge(mine.PIECES["sum_columns"].first, ALONE.replace("LOOP", text))
    assert not judged.solved and said in judged.problem


def test_a_thread_that_works_for_its_block_is_seen():
    judged = mine.judge(
        mine.PIECES["relu"],
        """// <<<(n + 255) / 256, 256>>>
extern "C" __global__ void relu(const float* x, float* y, int n)
{
    if (threadIdx.x == 0)
        for (int i = 256 * blockIdx.x; i < 256 * blockIdx.x + 256 && i < n; i++)
            y[i] = fmaxf(x[i], 0.0f);
}""",
    )
    assert "a thread loads 256 numbers one after the other" in judged.problem
