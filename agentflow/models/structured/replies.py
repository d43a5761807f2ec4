"""The reply that a text holds: one JSON object of a kind, with or without words around it.

Of several objects that fit the last one counts, where they say the same or what stands between them
takes the others back. What makes a reply malformed: an object behind it that begins like one of the
kind and cannot be read; words behind it, or right in front of it, that say anything
(:mod:`~agentflow.models.structured.around`); a text in it that is nothing but a placeholder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator

from agentflow.models.structured.around import last_sentence, lets_stand, says_nothing_new
from agentflow.models.structured.nothing import says_nothing
from agentflow.models.structured.values import Malformed, Reader

R = TypeVar("R", bound="Reply")

_OPENS = re.compile(r"\{\s*+(?=[\"'“”‘’}]|[A-Za-z_]\w{0,99}\s*+:)")
_OBJECT_IN_STRING = re.compile(r"\s*+\"\s*+\{\s*+\\\"")
_PLACEHOLDER = re.compile(
    r"[\s\"'.]*(?:\.{2,}|…+|_{2,}|<(?:[a-z]+ (?=[^>]*[a-z]{2})[a-z ,:'’()-]+|answer|reason|value)>)"
    r"[\s\"'.]*",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"\b(?:wait|actually|hmm+|sorry|apolog\w+|correction|corrected|mistaken?|instead|rather|no"
    r"|re-\w+|reconsider\w*|revis\w+|oops|scratch|on second thought)\b",
    re.IGNORECASE,
)
"""How another object comes to take the place of the one before it."""
_REASONS = frozenset({"reason", "reasoning", "work", "why"})
"""Fields that say why: two objects that differ in them alone say the same."""
_SHORT = 60
"""Characters of a value that may be said again in words."""
_THOUGHT = re.compile(r"<(/?)(?:think|thinking|thought|reasoning|scratchpad)>", re.IGNORECASE)
_MOST_WORK = 12
"""Characters looked at for each of a reply, at most."""


@dataclass(frozen=True, slots=True)
class _Found(Generic[R]):
    """An object of the kind: where the one before it ended, where it begins and ends, and whether
    a slip in it was put right."""

    value: R
    last: int
    start: int
    end: int
    patched: bool


class Reply(BaseModel):
    """A reply in JSON; what it does not name is refused, and so is a placeholder."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _says_something(cls, given: Any) -> Any:
        for text in _texts(given):
            if _PLACEHOLDER.fullmatch(text):
                raise ValueError(f"{text[:40]!r} is a placeholder")
        return given


def flag(value: Any) -> Any:
    """Yes or no: a boolean, or one of the words for it."""
    if isinstance(value, str):
        value = {"true": True, "yes": True, "false": False, "no": False}.get(value.strip().lower())
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def whole(value: Any) -> Any:
    """A whole number, also one written as text."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{1,9}\s*", value, re.ASCII):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise ValueError("must be an integer")


def number(value: Any) -> Any:
    """A number, also one written as text; not a percentage, nor a fraction."""
    if isinstance(value, str) and re.fullmatch(r"\s*[+-]?\d{0,9}\.?\d{1,30}\s*", value, re.ASCII):
        return float(value)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        return float(value)
    raise ValueError("must be a number")


def chosen(value: Any) -> Any:
    """One of several words, whatever its case, and with a stop behind it; true is yes."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.strip().removesuffix(".").lower() if isinstance(value, str) else value


def wording(value: Any) -> Any:
    """A text; of a number or a boolean how it is written."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int | float | Decimal) else value


def statement(value: Any) -> Any:
    """A text; an empty one where it says nothing, such as *none*."""
    said = wording(value)
    return "" if isinstance(said, str) and says_nothing(said) else said


Flag = Annotated[bool, BeforeValidator(flag)]
Whole = Annotated[int, BeforeValidator(whole)]
Number = Annotated[float, BeforeValidator(number)]
Chosen = BeforeValidator(chosen)
Wording = Annotated[str, BeforeValidator(wording)]
Statement = Annotated[str, BeforeValidator(statement)]


def parse(kind: type[R], text: str) -> R:
    """The JSON object of ``kind`` that a reply holds.

    Raises:
        ValueError: If there is none, or it cannot be told which one counts; says in one line why.
    """
    if _OBJECT_IN_STRING.match(text):
        text = _unwrapped(text)
    found: _Found[R] | None = None
    error, last = ValueError("the reply holds no JSON object"), 0
    for start, end, patched, value in objects(text):
        try:
            if isinstance(value, Malformed):
                raise value
            said = kind.model_validate(_named(kind, value))
        except Malformed as one:
            error = ValueError(str(one))
            if found and not one.cut and _about(kind, text[start : start + 200]):
                raise error from None
        except ValidationError as one:
            error = ValueError(_why(one))
            if found and _about(kind, text[start : start + 200]):
                raise error from None
        else:
            found = _later(text, found, _Found(said, last, start, end, patched))
        last = end
    if found is None:
        raise error
    _alone(text, found)
    return found.value


def objects(text: str) -> Iterator[tuple[int, int, bool, dict[str, Any] | Malformed]]:
    """What begins like an object, outside of others: (offset, end, patched, object or error).

    Raises:
        Malformed: If the text is such a tangle that reading it would take long.
    """
    reader, at = Reader(text), 0
    while opened := _OPENS.search(text, at):
        try:
            value: dict[str, Any] | Malformed = reader.value(opened.start())
            at = reader.at
        except Malformed as error:
            value, at = error, opened.start() + 1
        yield opened.start(), at, reader.patched, value
        if reader.work > _MOST_WORK * (len(text) + 100):
            raise Malformed("too many objects that do not end", at)


def _unwrapped(text: str) -> str:
    """What a reply that is one JSON string holds."""
    try:
        reader = Reader(text)
        reader.space()
        value = reader.value(reader.at)
    except Malformed:
        return text
    return value if isinstance(value, str) and not text[reader.at :].strip() else text


def _later(text: str, found: _Found[R] | None, other: _Found[R]) -> _Found[R]:
    """The later one of two objects.

    Raises:
        Malformed: If they differ, and nothing says that the first one does not count.
    """
    if found is None or _same(found.value, other.value):
        return other
    between = text[found.end : other.start]
    if not (_THOUGHT.search(between) or _TAKES_BACK.search(between)):
        raise Malformed("there are several JSON objects, which differ", other.start)
    return other


def _same(one: BaseModel, other: BaseModel) -> bool:
    """Whether two objects say the same, for whatever reasons."""
    return one.model_dump(exclude={*_REASONS}) == other.model_dump(exclude={*_REASONS})


def _values(one: BaseModel) -> list[str]:
    """The values of an object but for its reasons, as texts."""
    plain = one.model_dump(exclude={*_REASONS})
    said = [str(value) for value in plain.values() if isinstance(value, str | int | float)]
    return [text for text in said if len(text) <= _SHORT]


def _alone(text: str, found: _Found[Any]) -> None:
    """See that the words around an object let it stand.

    Raises:
        ValueError: If they do not.
    """
    before, behind = text[found.last : found.start], text[found.end :]
    if found.patched and re.search(r"[\"}]", behind):
        raise ValueError("there are quotes in a string that are not escaped, and it may go on")
    if (found.last and before.strip() == ",") or behind.lstrip().startswith(","):
        raise ValueError("there are several JSON objects in a row")
    thoughts = list(_THOUGHT.finditer(before))
    if thoughts and not thoughts[-1][1]:
        raise ValueError("the JSON object stands in a thought that does not end in front of it")
    said_again = text.startswith(behind.strip(), found.start)  # and maybe cut off
    if not (said_again or says_nothing_new(behind, _values(found.value))):
        raise ValueError("behind the JSON object stands more, which may take it back")
    lead = before[thoughts[-1].end() if thoughts else 0 :]
    if not lets_stand(lead, type(found.value).model_fields):
        raise ValueError("what stands in front of the JSON object may not let it stand")
    if says_nothing(said := last_sentence(before)) and " " in said:
        raise ValueError("in front of the JSON object it says that there is nothing to reply")


def _named(kind: type[BaseModel], raw: Any) -> Any:
    """An object with its keys as the kind writes them, where only their case differs."""
    if not isinstance(raw, Mapping):
        return raw
    names = {name.lower(): name for name in kind.model_fields}
    spelled = [names.get(_key(key), key) for key in raw]
    return dict(zip(spelled, raw.values(), strict=True)) if len({*spelled}) == len(raw) else raw


def _about(kind: type[BaseModel], text: str) -> bool:
    """Whether what begins like an object names one of the kind's fields at once."""
    first = re.match(r"\{\W{0,9}([\w-]{1,100})", text)
    return bool(first and _key(first[1]) in {name.lower() for name in kind.model_fields})


def _key(key: str) -> str:
    return re.sub(r"[ -]", "_", key.strip().lower())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)


def _said(message: str) -> str:
    return message.removeprefix("Value error, ")  # pydantic's lead before what ours say


def _why(error: ValidationError) -> str:
    return "; ".join(
        ": ".join(filter(None, [".".join(map(str, one["loc"])), _said(one["msg"])]))
        for one in error.errors()[:3]
    )
