"""NVRTC's verdict on the tables of cases.py is the same as ours."""

import pytest

from nnlib.cuda._engine.gpu import cupy_module

from .cases import (
    ACCEPTED,
    ACCEPTED_PROGRAMS,
    REJECTED,
    REJECTED_PROGRAMS,
    STRICTER,
    TYPES,
    UNSUPPORTED,
)
from .texts import KERNEL

SAME_TYPE = (
    "template <class A, class B> struct Same { static const bool value = false; };"
    "template <class A> struct Same<A, A> { static const bool value = true; };"
    "template <class A> struct Plain { typedef A type; };"
    "template <class A> struct Plain<A&> { typedef A type; };\n"
)
OTHER_CAUSES = ("not supported for this GPU architecture", 'namespace "std" has no member')


def complaint(text: str) -> str:
    """What NVRTC says against the text, compiled as a kernel is; empty if only that this GPU is too old, or that a
    name is one of nvcc's standard library, of which NVRTC has a part."""
    try:
        cupy_module.compile_module(
            text, cupy_module.BuildOptions(options=("-I/usr/local/cuda/include",))
        )
    except cupy_module.CompileError as error:
        return "" if any(other in error.message for other in OTHER_CAUSES) else error.message
    return ""


@pytest.mark.gpu
def test_nvrtc_takes_what_we_take():
    texts = (
        [KERNEL % body for body in ACCEPTED]
        + ACCEPTED_PROGRAMS
        + [text for text, *_ in UNSUPPORTED + STRICTER]
    )
    assert {text: found for text in texts if (found := complaint(text))} == {}


@pytest.mark.gpu
def test_nvrtc_rejects_what_we_reject():
    texts = [KERNEL % body for body, *_ in REJECTED] + [text for text, *_ in REJECTED_PROGRAMS]
    assert [text for text in texts if not complaint(text)] == []


@pytest.mark.gpu
def test_nvrtc_gives_expressions_the_same_types():
    check = 'static_assert(Same<Plain<decltype(%s)>::type, %s>::value, "type");'
    texts = [SAME_TYPE + KERNEL % (check % case) for case in TYPES]
    assert {text: found for text in texts if (found := complaint(text))} == {}
