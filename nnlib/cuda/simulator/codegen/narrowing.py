"""The checker has seen to it that types fit: what an expression must be here, told to the type checker."""

from __future__ import annotations

from nnlib.cuda.language.types import Array, Pointer, Scalar, Type, Vector


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


def flat_count(type: Type) -> int:
    """Innermost elements in one element of this type."""
    count = 1
    while isinstance(type, Array):
        count *= type.length or 0
        type = type.element
    return count


def element_size(type: Type) -> int:
    """Bytes of the innermost element."""
    while isinstance(type, Array):
        type = type.element
    return type.size if isinstance(type, Scalar | Vector | Pointer) else 1
