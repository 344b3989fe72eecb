"""NVRTC's verdict on the texts of cases/*.cu is the same as ours."""

import pytest

from nnlib.cuda._engine.gpu import cupy_module

from .cases import CASES

ASKED = [case for case in CASES if case.is_asked]
SAME_TYPE = (
    "template <class A, class B> struct Same { static const bool value = false; };"
    "template <class A> struct Same<A, A> { static const bool value = true; };"
    "template <class A> struct Plain { typedef A type; };"
    "template <class A> struct Plain<A&> { typedef A type; };\n"
)
OTHER_CAUSES = ("not supported for this GPU architecture", 'namespace "std" has no member')


def complaint(text: str) -> str:
    """Return what NVRTC says against the text, compiled as a kernel is; empty if only that this GPU is too old, or that a
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
    texts = [case.text for case in ASKED if case.verdict in ("right", "stricter", "unsupported")]
    assert {text: found for text in texts if (found := complaint(text))} == {}


@pytest.mark.gpu
def test_nvrtc_rejects_what_we_reject():
    texts = [case.text for case in ASKED if case.verdict == "error"]
    assert [text for text in texts if not complaint(text)] == []


@pytest.mark.gpu
def test_nvrtc_gives_expressions_the_same_types():
    check = 'static_assert(Same<Plain<decltype({})>::type, {}>::value, "type");'
    texts = [
        SAME_TYPE
        + case.text.replace(
            f"({case.body});", check.format(case.body, case.expected[0].removeprefix("type "))
        )
        for case in ASKED
        if case.verdict == "type"
    ]
    assert {text: found for text in texts if (found := complaint(text))} == {}
