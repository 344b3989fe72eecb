"""The checker has seen to it that types fit: what an expression must be here, told to the type checker."""

from __future__ import annotations

from nnlib.cuda.language.types import Pointer, Scalar, Type, Vector


def scalar(type: Type) -> Scalar:
    assert isinstance(type, Scalar), type
    return type


def vector(type: Type) -> Vector:
    assert isinstance(type, Vector), type
    return type


def target(type: Type) -> Type:
    """What a pointer points to."""
    assert isinstance(type, Pointer), type
    return type.target


def base_scalar(type: Type) -> Scalar:
    """The scalar that a scalar or vector consists of."""
    return type.base if isinstance(type, Vector) else scalar(type)
