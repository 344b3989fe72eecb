"""The checker has seen to it that types fit: what an expression must be here, told to the type checker."""

from __future__ import annotations

from nnlib.cuda.language.types import Pointer, Scalar, Struct, Type, Vector


def scalar(type: Type) -> Scalar:
    assert isinstance(type, Scalar), type
    return type


def vector(type: Type) -> Vector:
    assert isinstance(type, Vector), type
    return type


def parts(type: Type) -> tuple[str, ...]:
    """Names of the parts of a vector, or of a struct that is_plain."""
    if isinstance(type, Struct):
        return tuple(field.name for field in type.fields)
    return tuple(vector(type).fields)


def is_plain(type: Type) -> bool:
    """A struct of scalars: a value of it is one for each, as of a vector."""
    return isinstance(type, Struct) and type.kind != "union" and all(
        field.name and isinstance(field.type, Scalar) for field in type.fields)


def target(type: Type) -> Type:
    """What a pointer points to."""
    assert isinstance(type, Pointer), type
    return type.target


def base_scalar(type: Type) -> Scalar:
    """The scalar that a scalar or vector consists of."""
    return type.base if isinstance(type, Vector) else scalar(type)
