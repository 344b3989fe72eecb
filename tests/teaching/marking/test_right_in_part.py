"""Points for kernels that are right in part: at more than half of the stages or sizes, and never for a starter."""

import pytest

from nnlib import mine
from nnlib.teaching.marking.marks import Limits, Mark, mark
from tests.teaching.marking.conftest import INTENSITY, MEMORY, ROTATE, judge_all

CONV = "%%cuda\n" + mine.PIECES["conv_forward"].plain
ONE_PICTURE = CONV.replace("n = at / (OW * OH * F);", "n = 0;")
ONE_CHANNEL = CONV.replace("c < C", "c < 1")


def part(path, exercise):
    return judge_all(path, exercise, parts=True)[2]


@pytest.mark.parametrize(
    ("condition", "enough"),
    [
        ("width != 20", True),  # wrong at one of nine sizes
        ("width < 9", False),  # at five
        ("width > 99", False),
    ],
)
def test_more_than_half_of_the_sizes(hand_in, condition, enough):
    assert (
        part(hand_in(ROTATE.replace("x < width &&", f"{condition} && x < width &&")), "01.rotate")
        == enough
    )


@pytest.mark.parametrize(("text", "enough"), [(ONE_PICTURE, True), (ONE_CHANNEL, False)])
def test_more_than_half_of_the_stages(hand_in, text, enough):
    assert text != CONV and part(hand_in(text), "05.conv_forward") == enough


def test_no_part_of_what_is_right_of_what_was_right_before_and_of_python(hand_in):
    assert not part(hand_in(ROTATE), "01.rotate") and not part(hand_in(INTENSITY), "03.intensity")
    verdict, _, again = judge_all(hand_in(CONV), "08.conv_forward", parts=True)
    assert "not yet what the lesson asks for" in verdict.text and not again


def test_the_table_has_the_points_for_a_part(hand_in):
    wrong = hand_in(ROTATE.replace("x < width &&", "width != 20 && x < width &&"))
    found = [
        {one.exercise: one for one in mark(wrong, "01", 5, Limits(600, MEMORY), parts)}["01.rotate"]
        for parts in (False, True)
    ]
    assert [one.points(1, 0, 0.5) for one in found] == [0, 0.5] and not any(
        one.solved for one in found
    )
    assert Mark("", "", True, 2, "").points(1, 0.25, 0.5) == 1.25
