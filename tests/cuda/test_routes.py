"""Where a launch runs: every row of the table in `decide`, and that the first one that fits counts."""

from types import SimpleNamespace

import pytest

from nnlib.cuda._engine.routes import (
    AT_ONCE,
    FAR,
    LONG,
    VERY_LONG,
    WORTH,
    LaunchFacts,
    Route,
    decide,
)


def launch(seconds=1.0, is_first=True, **facts):
    estimate = SimpleNamespace(is_possible=seconds is not None, seconds=seconds, is_first=is_first)
    return LaunchFacts(lambda: estimate, **facts)


@pytest.mark.parametrize(
    "facts, route",
    [
        ({"on_gpu": True, "checked": False}, Route.GPU),
        ({"on_gpu": True, "only_webgpu": True}, Route.WEBGPU_ONLY),
        ({"native": False, "checked": False}, Route.SIMULATOR),
        ({"webgpu": lambda: True, "checked": False, "seconds": FAR}, Route.WEBGPU),
        ({"webgpu": lambda: True, "checked": False, "seconds": FAR * 0.99}, Route.NATIVE),
        ({"webgpu": lambda: True, "checked": False, "seconds": None}, Route.WEBGPU),
        ({"webgpu": lambda: True, "seconds": 1e9}, Route.SIMULATOR),
        ({"results_only": False, "checked": False}, Route.SIMULATOR),
        ({"seconds": None, "checked": False}, Route.SIMULATOR),
        ({"seconds": None, "earlier": ()}, Route.SIMULATOR),
        ({"seconds": VERY_LONG, "earlier": ()}, Route.SOME_BLOCKS),
        ({"seconds": VERY_LONG * 0.99, "earlier": ()}, Route.SIMULATOR),
        ({"seconds": 0, "earlier": (WORTH,)}, Route.NATIVE),
        ({"earlier": (WORTH, WORTH * 0.99)}, Route.SIMULATOR),
        ({"earlier": (WORTH, WORTH * 0.99), "repeats": True}, Route.NATIVE),
        ({"earlier": (WORTH, 0), "repeats": True}, Route.SIMULATOR),  # it was tried
        ({"checked": False, "seconds": AT_ONCE * 0.99}, Route.SIMULATOR),
        ({"checked": False, "seconds": AT_ONCE}, Route.NATIVE),
        ({"checked": False, "seconds": AT_ONCE * 0.99, "is_first": False}, Route.NATIVE),
        ({"judged": True, "seconds": LONG}, Route.NATIVE),
        ({"judged": True, "seconds": LONG * 0.99}, Route.SIMULATOR),
        ({"is_single": True, "seconds": LONG}, Route.FIRST_STEPS),
        ({"is_single": True, "seconds": LONG * 0.99}, Route.SIMULATOR),
        ({"seconds": 1e9}, Route.SIMULATOR),
    ],
)
def test_the_route_of_a_launch(facts, route):
    assert decide(launch(**facts)) is route


def test_nobody_estimates_what_does_not_matter():
    def estimate():
        raise AssertionError("asked")

    for facts in ({"on_gpu": True}, {"native": False}, {}, {"earlier": (1.0, 1.0)}):
        decide(LaunchFacts(estimate, **facts))
