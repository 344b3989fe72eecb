"""The picture of the network says whose kernels run, in colours and in its alt text."""

from nnlib import layers, mine
from nnlib.course import pictures
from nnlib.course.pictures.style import GREEN, SKY
from nnlib.model import Sequential

from .answers import typed


def test_the_network_with_the_students_parts():
    for name, solution in (("relu", False), ("linear_forward", False), ("sgd_step", True)):
        mine.save(name, mine.judge(mine.PIECES[name], typed(name)), typed(name), solution)
    model = Sequential(
        layers.Conv2d(1, 4, 5, stride=2),
        layers.ReLU(),
        layers.MaxPool2d(2),
        layers.Flatten(),
        layers.Linear(144, 10),
        layers.Sigmoid(),
    )
    picture = pictures.network(model)
    assert (
        "; MaxPool2d(2): max_pool, max_pool_grad; Flatten(): none; Linear(144, 10): linear_forward,"
        in picture.alt
    )
    assert "2 of 15 kernels are yours" in picture.alt
    drawn = picture.data
    # Each once in the legend
    assert drawn.count(f'fill="{GREEN}"') == 3 and drawn.count(f'fill="{SKY}"') == 2
    for name in (
        "normalise_images",
        "conv_grad_weight",
        "max_pool_grad",
        "softmax_cross_entropy",
        "Sigmoid",
        "★★☆",
    ):
        assert name in drawn
    assert "momentum_step" in pictures.network(model, momentum=True).data
    counted = {"yours": {"relu": 2}, "course": {"conv_forward": 1}}
    assert "Never launched: normalise_images, conv_grad_weight, conv_grad_input" in (
        pictures.network(model, launches=counted).alt
    )
