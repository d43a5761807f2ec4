"""Rules by name: ours, those of installed packages, and how settings write them down.

A package brings a rule by an entry point of the group ``agentflow.rules``: its name is the rule's,
its value ``module:Class``. A program that needs no other process to know it puts the class into
:data:`RULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    PlainValidator,
)
from pydantic_core import PydanticCustomError

from agentflow.errors import BadInput, known
from agentflow.installed import installed, loaded
from agentflow.monitors.rules import (
    Budget,
    Confidence,
    ConfidenceVariance,
    EntropyLevel,
    EntropyVariance,
    Rule,
    Signal,
    Stable,
    Stall,
    UniqueAnswers,
)
from agentflow.settings import checked

OURS = (
    EntropyVariance,
    EntropyLevel,
    Stall,
    Confidence,
    ConfidenceVariance,
    UniqueAnswers,
    Stable,
    Budget,
)

RULES: dict[str, Callable[..., Rule]] = {
    str(kind.model_fields["rule"].default): kind for kind in OURS
}
"""Rule name -> its class, called with its parameters. A program may enter its own."""


_GROUP = "agentflow.rules"


def names() -> list[str]:
    """What :func:`make` knows: ours first."""
    return list(dict.fromkeys([*RULES, *installed(_GROUP)]))


def make(name: str, parameters: Mapping[str, Any]) -> Rule:
    """The rule called ``name``; one of ours is never replaced by a package's.

    Raises:
        BadInput: If there is no such rule, its package cannot be used, or it does not take the
            parameters.
    """
    kind, what = RULES.get(name), f"rule {name}"
    if kind is None:
        if (point := installed(_GROUP).get(name)) is None:
            raise BadInput(f"unknown rule {name!r}; {known(name, names(), _GROUP)}")
        what = f"rule {name}: {point.value}"
        kind = loaded(what, point.load)
    rule = _called(kind, parameters, what)
    if rule.name != name:  # by which settings find it again
        raise BadInput(f"{what} calls itself {rule.name!r}: the two names must be the same")
    return rule


def _called(kind: Any, parameters: Mapping[str, Any], what: str) -> Rule:
    """A rule of a class; raises BadInput where the parameters or the class are none of a rule."""
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return _usable(checked(kind, parameters, what), what)
    try:
        return _usable(kind(**parameters), what)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{what}: {error}") from error


def _usable(rule: Any, what: str) -> Rule:
    signals = get_args(Signal)
    if isinstance(rule, Rule) and rule.signal in signals:
        return rule
    if (signal := getattr(rule, "signal", None)) is not None and signal not in signals:
        text = "; what reads the text is a monitor (docs/write-a-monitor.md)"
        raise BadInput(f"{what}: {signal!r} is no signal; the signals: {', '.join(signals)}{text}")
    raise BadInput(f"{what} needs a name, a signal ({', '.join(signals)}) and step(memory, value)")


def _read(given: Any) -> Rule:
    """A rule from its name, from ``{"rule": NAME, PARAMETER: VALUE}``, its class, or itself."""
    try:
        match given:
            case str():
                return make(given, {})
            case {"rule": str(name)}:
                return make(name, {key: one for key, one in given.items() if key != "rule"})
            case type():
                return _called(given, {}, f"rule {given.__name__}")
            case None | int() | float() | list() | tuple() | dict():
                raise BadInput('no rule: write its name, or {"rule": NAME, PARAMETER: VALUE}')
        return _usable(given, f"rule {type(given).__name__}")
    except BadInput as error:
        raise PydanticCustomError("rule", "{why}", {"why": str(error)}) from error


def _plain(rule: Rule) -> dict[str, Any]:
    """A rule as it is written down: its name, and the parameters that are not its defaults."""
    kept: dict[str, Any] = {}
    if isinstance(rule, BaseModel):
        kept = rule.model_dump(mode="json", exclude_defaults=True)
    elif is_dataclass(rule):
        kept = {f.name: getattr(rule, f.name) for f in fields(rule) if f.init and f.name != "name"}
    return {"rule": rule.name} | kept


class _OrItsName:
    """Shows a form, as in Studio, that the name of a rule is enough."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: GetJsonSchemaHandler) -> Any:
        return {"anyOf": [{"type": "string", "enum": names()}, handler(core)]}


def _listed(given: Any) -> Any:
    """One rule as a list of one; ``NAME,NAME`` as a list of names."""
    if isinstance(given, str):
        return [name.strip() for name in given.split(",")]
    return given if isinstance(given, list | tuple) else [given]


def _once(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """At least one rule; one that is named twice is one."""
    if not rules:
        raise PydanticCustomError("rules", "name at least one rule")
    found: dict[str, Rule] = {}
    for rule in rules:
        if found.setdefault(rule.name, rule) != rule:
            why = "two different rules are called {name}; each name may stand there once"
            raise PydanticCustomError("rules", why, {"name": rule.name})
    return tuple(found.values())


_Ours = Annotated[
    EntropyVariance
    | EntropyLevel
    | Stall
    | Confidence
    | ConfidenceVariance
    | UniqueAnswers
    | Stable
    | Budget,
    Field(discriminator="rule"),
]
_One = Annotated[
    Rule, PlainValidator(_read, json_schema_input_type=_Ours), PlainSerializer(_plain), _OrItsName
]
Rules = Annotated[tuple[_One, ...], BeforeValidator(_listed), AfterValidator(_once)]
"""The type of a setting that is rules. Forms show ours, one by its ``rule``, and every name."""
