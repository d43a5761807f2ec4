"""The arguments of a call, read strictly by its tool's schema; some may not be known yet."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, RootModel, ValidationError, create_model

from agentflow.gate.inside import Arguments


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments after their tool's schema has read them.

    Attributes:
        known: JSON of the fields with a value.
        fields: All fields, in the schema's order.
        wrong: Why they cannot be used as they are; empty where nothing is wrong so far.
        whole: Whether every field is known, and nothing is wrong.
    """

    known: str
    fields: tuple[str, ...]
    wrong: str = ""
    whole: bool = True

    def fresh(self) -> Arguments:
        """The arguments for one rule: it can change nothing that another sees."""
        return Arguments(json.loads(self.known), self.fields)


def read(schema: type[BaseModel], text: str) -> Given:
    """Whole arguments, read strictly.

    Args:
        text: JSON of an object.
    """
    try:
        found = schema.model_validate_json(text, strict=True, extra="forbid").model_dump_json()
        return Given(found, tuple(json.loads(found)))
    except ValidationError as error:
        wrong = _misread(schema, error)
    except Exception:
        wrong = "the arguments cannot be read"
    return _singly(schema, text, wrong, ended=True)


def read_begun(schema: type[BaseModel], text: str) -> Given:
    """Arguments of which more may come, each read strictly by itself.

    Args:
        text: JSON of an object: what is written of the call so far.
    """
    return _singly(schema, text, "", ended=False)


def _singly(schema: type[BaseModel], text: str, wrong: str, *, ended: bool) -> Given:
    """What can be read field by field; nothing where fields depend on one another."""
    fields = tuple(schema.model_fields)
    if (parts := _parts(schema)) is None:
        return Given("{}", fields, wrong, whole=False)
    given: dict[str, Any] = json.loads(text)
    known: dict[str, Any] = {}
    misread = set[str]()
    for name, part in parts.items():
        if name not in given and not ended:
            continue
        one = json.dumps({name: given[name]} if name in given else {})
        try:
            found = part.model_validate_json(one, strict=True, extra="forbid")
            known |= json.loads(found.model_dump_json())
        except Exception:
            misread.add(name)
    if not wrong and misread:
        wrong = f"arguments missing or of a wrong type: {', '.join(sorted(misread))}"
    if not wrong and not given.keys() <= set(fields):
        wrong = UNKNOWN
    return Given(json.dumps(known), fields, wrong, whole=False)


UNKNOWN = "arguments that the tool's schema does not know"


def _misread(schema: type[BaseModel], error: ValidationError) -> str:
    """What is wrong with the arguments; a field is named only where the schema knows it."""
    at = {str(one["loc"][0]) for one in error.errors(include_input=False) if one["loc"]}
    known = sorted(at & set(schema.model_fields))
    return f"arguments missing or of a wrong type: {', '.join(known)}" if known else UNKNOWN


_OWN = ("__init__", "model_post_init", "__get_pydantic_core_schema__")
"""By these a class has a say in how its fields are read."""


@lru_cache(maxsize=1024)
def _parts(schema: type[BaseModel]) -> dict[str, type[BaseModel]] | None:
    """One schema for each field; None where a field alone may be read otherwise than among all."""
    decorators = schema.__pydantic_decorators__
    said = (getattr(decorators, name) for name in decorators.__slots__)
    bases = (base for base in schema.__mro__ if base not in BaseModel.__mro__)
    if any(said) or issubclass(schema, RootModel) or schema.model_computed_fields:
        return None
    if any(name in vars(base) for base in bases for name in _OWN):
        return None
    parts = {}
    for name, field in schema.model_fields.items():
        if any((field.alias, field.validation_alias, field.serialization_alias)):
            return None
        if field.default_factory or field.exclude:
            return None
        whole: Any = (field.annotation, field)
        parts[name] = create_model(name, __config__=schema.model_config, **{name: whole})
    return parts
