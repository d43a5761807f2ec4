"""Policies as text: rules that are formulas or code, in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from agentflow.errors import BadInput
from agentflow.gate.code import Code, Seen, everything
from agentflow.gate.inside import Arguments
from agentflow.gate.logic import Sort, follows
from agentflow.gate.policy import Call, Check, Policy, Rule
from agentflow.settings import checked


class WrittenRule(BaseModel):
    """A rule as it stands in the text; it has a formula or code.

    Attributes:
        name: Unique.
        says: The sentence of the policy that it checks.
        tools: What it is about.
        formula: SMT-LIB over the facts.
        facts: Name -> sort and path, as in ``"Real args.dollars"``, ``"Bool state.user.manager"``.
        code: Python with a function ``check(state, tool, args)``; it runs in the sandbox.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    says: str
    tools: list[str]
    formula: str = ""
    facts: dict[str, str] = {}
    code: str = ""


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    rule: list[WrittenRule]


def written_rules(text: str) -> list[WrittenRule]:
    """The rules of a text, before anything is made of them.

    Raises:
        BadInput: If it is not as :func:`read_policy` reads it.
    """
    try:
        values = tomllib.loads(text)
        if "rule" not in values:
            raise BadInput("no rules; write a table [[rule]] for each")
        found = checked(_File, values).rule
    except (ValueError, TypeError, RecursionError) as error:
        raise BadInput(str(error) or type(error).__name__) from error
    for rule in found:
        if not rule.tools:
            raise BadInput(f"rule {rule.name!r} is about no tool; name one in tools")
        if bool(rule.formula) == bool(rule.code):
            raise BadInput(f"rule {rule.name!r} needs a formula or code, and not both")
        if rule.code and rule.facts:
            raise BadInput(f"rule {rule.name!r}: facts are a formula's; code reads state and args")
    return found


def read_policy(
    text: str,
    schemas: Mapping[str, type[BaseModel]],
    otherwise: Literal["deny", "ask"] = "deny",
    rules: Sequence[Rule] = (),
    seen: Seen = everything,
) -> Policy:
    """A policy written as TOML: ``[[rule]]`` with the fields of :class:`WrittenRule`.

    Never raises: a policy that cannot be read as a whole has a ``fault`` and allows nothing.

    Args:
        rules: Rules of your own, which hold besides.
        seen: What the rules of the text are shown of the state, as plain JSON.
    """
    try:
        found = written_rules(text)
        code = Code({one.name: (one.code, frozenset(one.tools)) for one in found if one.code}, seen)
        checks = [code.check(one.name) if one.code else _formula(one, seen) for one in found]
        made = [
            Rule(one.name, one.says, check, frozenset(one.tools))
            for one, check in zip(found, checks, strict=True)
        ]
        return Policy(schemas, [*rules, *made], otherwise)
    except (BadInput, ValueError, TypeError, RecursionError) as error:
        return Policy({}, (), otherwise, fault=str(error) or type(error).__name__)


def _formula(written: WrittenRule, seen: Seen) -> Check:
    sorts: dict[str, Sort] = {}
    paths: dict[str, list[str]] = {}
    for name, fact in written.facts.items():
        sort, _, path = fact.partition(" ")
        paths[name] = path.split(".")
        if sort not in ("Bool", "Int", "Real", "String") or paths[name][0] not in ("args", "state"):
            raise BadInput(
                f"rule {written.name!r}: fact {name!r} is {fact!r}; write a sort (Bool, Int, Real, "
                "String) and a path (args.NAME, state.NAME)"
            )
        sorts[name] = sort  # type: ignore[assignment]

    def facts(state: Mapping[str, Any], call: Call) -> dict[str, Any]:
        args = call.args.known if isinstance(call.args, Arguments) else call.args
        roots = {"args": args, "state": seen(state, call)}
        return {name: _at(roots, path) for name, path in paths.items()}

    return follows(written.formula, sorts, facts)


def _at(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value
