"""Every README shows what the benchmarks stored, and the renderer touches nothing else."""

import json

import pytest

from tests.benchmarks.render import NUMBERS, PAGES, ROOT, SOURCES, TABLES, number, render, section
from tests.benchmarks.timing import stored_at

STAMP = {
    "date": "2026-01-02",
    "gpu": "GPU X",
    "driver": "1.2",
    "cuda": "13.0",
    "cupy": "14.0",
    "python": "3.11",
}
MATMUL = {
    "environment": STAMP,
    "rows": [
        {"rung": rung, "size": size, "tflops": tflops, "share": share}
        for rung, tflops, share in (("naive", 1.23, 0.1), ("cuBLAS", 12.3, 1.0))
        for size in (512, 1024)
    ],
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_as_rendered(page) -> None:
    text = page.read_text(encoding="utf-8")
    assert render(text) == text, "run: python -m tests.benchmarks.render"


def test_a_marked_section_becomes_the_table(tmp_path) -> None:
    (tmp_path / "matmul.json").write_text(json.dumps(MATMUL), encoding="utf-8")
    text = "before\n<!-- results:matmul -->\nold\n<!-- /results -->\nafter\n"
    assert (
        render(text, tmp_path)
        == """before
<!-- results:matmul -->
| C = A B, float32, TFLOP/s (share of cuBLAS) | 512³ | 1024³ |
| --- | ---: | ---: |
| naive | 1.2 (10%) | 1.2 (10%) |
| cuBLAS | 12.3 (100%) | 12.3 (100%) |

Measured 2026-01-02: GPU X, driver 1.2, CUDA 13.0, CuPy 14.0, Python 3.11.
<!-- /results -->
after
"""
    )


def test_a_table_stored_by_its_benchmark(tmp_path) -> None:
    (tmp_path / "other.json").write_text(
        json.dumps({"table": [["what", "s"], ["this", "1.5"]]}), encoding="utf-8"
    )
    assert section("other", tmp_path) == "| what | s |\n| --- | ---: |\n| this | 1.5 |\n"


def test_without_results_or_markers_nothing_is_invented(tmp_path) -> None:
    assert (
        render("<!-- results:matmul -->\nold\n<!-- /results -->", tmp_path)
        == "<!-- results:matmul -->\n<!-- /results -->"
    )
    assert render("no marker", tmp_path) == "no marker"


@pytest.mark.parametrize("name", TABLES)
def test_every_stored_result_renders(name: str) -> None:
    if not stored_at(SOURCES.get(name, name)).exists():
        pytest.skip("its results are not there: the benchmark has not run")
    text = section(name)
    columns = {line.count("|") for line in text.splitlines() if line.startswith("|")}
    assert len(columns) == 1 and text.count("\n") >= 3
    assert ", torch " in text or "PyTorch" not in text


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_stands_in_its_sentence(name: str) -> None:
    shown = number(name)
    assert any(letter.isdigit() for letter in shown)
    assert (
        render(f"so <!-- number:{name} -->0<!-- /number --> it is")
        == f"so <!-- number:{name} -->{shown}<!-- /number --> it is"
    )
