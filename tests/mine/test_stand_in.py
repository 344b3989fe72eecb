"""Without the course's texts, as in students' packages, NumPy computes what nobody has written."""

import numpy as np
import pytest

from nnlib import device, mine
from nnlib.cuda import LaunchError
from nnlib.mine import contract, library
from nnlib.mine.contract import MissingTextError

from .answers import forget


@pytest.fixture
def no_texts(monkeypatch, tmp_path):
    monkeypatch.setattr(contract, "_HERE", tmp_path)
    forget()
    library._of_the_course.cache_clear()


@pytest.mark.parametrize("name", mine.PIECES)
def test_every_piece_has_a_stand_in(no_texts, name):
    piece = mine.PIECES[name]
    for sizes in piece.sizes[:2]:
        case = piece.case(sizes)
        arguments = case.copies()
        mine.run(name, *arguments.values())
        for output, expected in case.expected.items():
            assert np.allclose(arguments[output], expected, 1e-5, 1e-5), output
    assert mine.whose(name) == "course" and mine.stars(name) == 0


@pytest.mark.gpu
def test_a_stand_in_writes_arrays_of_the_gpu(no_texts):
    case = mine.PIECES["max_pool"].case(mine.PIECES["max_pool"].sizes[0])
    arguments = {
        name: device.to_device(value) if isinstance(value, np.ndarray) else value
        for name, value in case.arguments.items()
    }
    mine.run("max_pool", *arguments.values())
    for output, expected in case.expected.items():
        assert np.allclose(device.to_host(arguments[output]), expected, 1e-5, 1e-5), output


def test_a_graph_needs_texts(no_texts):
    with pytest.raises(LaunchError, match="relu is not written yet"):
        mine.launch_for("relu", np.zeros(3, np.float32), np.zeros(3, np.float32), 3)


def test_there_is_nothing_to_compare_with(no_texts):
    for versions in (mine.plain_versions, mine.best_versions):
        with (
            pytest.raises(MissingTextError, match=r"no version of \w+ to compare with.*--pieces"),
            versions(),
        ):
            pass
    with pytest.raises(MissingTextError, match="no version of relu"):
        print(mine.PIECES["relu"].plain)


def test_a_text_of_the_students_runs(no_texts, tmp_path, environ):
    text = (
        '// <<<(n + 255) / 256, 256>>>\nextern "C" __global__ void relu(const float* x, float* y, int n)\n'
        "{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i] > 0 ? x[i] : 0; }"
    )
    environ(NNLIB_MINE=tmp_path)
    (tmp_path / "relu.cu").write_text(text, "utf-8")
    x, y = np.array([-1, 2], np.float32), np.zeros(2, np.float32)
    mine.run("relu", x, y, 2)
    assert y.tolist() == [0, 2] and mine.whose("relu") == "yours"
