"""Plain values, as files have them, seen to be what the fields of a dataclass take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import Annotated, Any, TypeVar, cast, get_type_hints

import pydantic
from pydantic import BaseModel, ConfigDict, GetPydanticSchema, ValidationError

D = TypeVar("D")

Whole = Annotated[int, pydantic.Field(ge=-(2**63), lt=2**63)]
"""A whole number that can be reckoned with."""


class Plain(BaseModel):
    """A JSON object; what it has besides its fields is let be."""

    model_config = ConfigDict(strict=True)


def like(kind: Any) -> GetPydanticSchema:
    """For the hint of a field: its plain values are checked as those of another type."""
    return GetPydanticSchema(lambda _, handler: handler(kind))


@cache
def shape(kind: type[Any]) -> type[Plain]:
    """What the plain values of a dataclass are checked by."""
    hints = get_type_hints(kind, include_extras=True)
    shaped = {one.name: (_bounded(hints[one.name]), _default(one)) for one in fields(kind)}
    found: type[Plain] = pydantic.create_model(kind.__name__, __base__=Plain, **shaped)  # type: ignore[call-overload]
    return found


def checked(kind: type[D], values: Mapping[str, Any]) -> D:
    """An instance of a dataclass.

    Raises:
        ValueError, TypeError: If the values are none of it; says which one is not.
    """
    try:
        shape(cast("Any", kind)).model_validate(values)
    except ValidationError as error:
        raise ValueError(said(error)) from error
    return kind(**values)


def said(error: ValidationError) -> str:
    """What is wrong first, in one line."""
    first = error.errors(include_url=False)[0]
    place = ".".join(map(str, first["loc"]))
    if first["type"] == "missing":
        return f"{place} is missing"
    if first["type"] == "value_error":
        return f"{place} {first['msg'].removeprefix('Value error, ')}"
    return f"{place} is {first['input']!r:.40}: {first['msg']}"


def _bounded(hint: Any) -> Any:
    return Whole if hint is int else hint


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return pydantic.Field(default_factory=field.default_factory)
    return ... if field.default is MISSING else field.default
