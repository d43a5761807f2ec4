"""Rules that are logic: an SMT-LIB formula over facts, which Z3 decides; policies of them as text.

A formula that the known facts entail is a pass, one that they contradict is refuted; where it hangs
on a fact that nobody knows the verdict is undecided.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal

import z3
from pydantic import BaseModel, ConfigDict

from agentflow.errors import BadInput
from agentflow.gate.arguments import Arguments
from agentflow.gate.policy import Call, Check, Policy, Rule
from agentflow.tools import entailment
from agentflow.verdict import Verdict

Sort = Literal["Bool", "Int", "Real", "String"]
Facts = Callable[[Mapping[str, Any], Call], Mapping[str, Any]]
"""Name -> value from the state and the call; None, or no such name, where it is not known."""

_OUTCOMES = {"entailed": True, "contradicted": False}


def follows(formula: str, sorts: Mapping[str, Sort], facts: Facts) -> Check:
    """The check of a rule that is a formula.

    Args:
        formula: An SMT-LIB term that is true or false, over the names of the facts.
        sorts: The facts' names and what they are.

    Raises:
        BadInput: If the formula cannot be read.
    """
    claim = entailment.wait(_parsed, formula, dict(sorts))

    def check(state: Mapping[str, Any], call: Call) -> Verdict:
        known = facts(state, call)
        return entailment.wait(_judged, claim, dict(sorts), known)

    return check


def _parsed(formula: str, sorts: Mapping[str, Sort]) -> Any:
    names = {name: _constant(name, sort) for name, sort in sorts.items()}
    try:
        (claim,) = z3.parse_smt2_string(
            f"(assert {formula}\n)", decls=names, ctx=entailment.context()
        )
    except (z3.Z3Exception, ValueError) as error:
        raise BadInput(f"policy: the formula {formula!r} cannot be read: {error}") from error
    return claim


def _judged(claim: Any, sorts: Mapping[str, Sort], known: Mapping[str, Any]) -> Verdict:
    """The verdict by the facts that are known.

    Raises:
        ValueError: If a fact is not of its sort, and the others do not contradict the claim.
    """
    facts = []
    odd: Exception | None = None
    for name, sort in sorts.items():
        if known.get(name) is not None:
            try:
                facts.append(_constant(name, sort) == _value(sort, known[name]))
            except (ValueError, OverflowError) as error:
                odd = error
    ok = _OUTCOMES.get(entailment.Theory(facts).judge(claim).outcome or "")
    if odd and ok is not False:
        raise ValueError(str(odd)) from odd
    return Verdict(ok)


def _constant(name: str, sort: Sort) -> Any:
    of = {"Bool": z3.Bool, "Int": z3.Int, "Real": z3.Real, "String": z3.String}
    return of[sort](name, entailment.context())


def _value(sort: Sort, value: Any) -> Any:
    """The value as Z3 has it.

    Raises:
        ValueError: If it is not of the sort; True is no number.
    """
    context = entailment.context()
    match sort, value:
        case "Bool", bool():
            return z3.BoolVal(value, context)
        case "Int", int() if not isinstance(value, bool):
            return z3.IntVal(value, context)
        case "Real", int() | float() if not isinstance(value, bool):
            return z3.RealVal(str(Fraction(str(value))), context)
        case "String", str():
            # Z3 reads \u{41} within a text as "A": what is not plain is written that way.
            plain = (one if one.isascii() and one.isalnum() else rf"\u{{{ord(one):x}}}"
                     for one in value)  # fmt: skip
            return z3.StringVal("".join(plain), context)
    raise ValueError(f"no {sort}")


class _Written(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    name: str
    says: str
    tools: list[str]
    formula: str
    facts: dict[str, str]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    rule: list[_Written]


def read_policy(
    text: str,
    schemas: Mapping[str, type[BaseModel]],
    otherwise: Literal["deny", "ask"] = "deny",
    rules: Sequence[Rule] = (),
) -> Policy:
    """A policy written as TOML: ``[[rule]]`` with ``name``, ``says``, ``tools``, ``formula`` and
    ``facts``, each of which is a sort and a path, as in ``"Real args.dollars"`` or
    ``"Bool state.user.manager"``.

    Never raises: a policy that cannot be read as a whole has a ``fault`` and allows nothing.

    Args:
        rules: Rules in code, which hold besides.
    """
    try:
        found = _File.model_validate(tomllib.loads(text))
        return Policy(schemas, [*rules, *map(_rule, found.rule)], otherwise)
    except (BadInput, ValueError, TypeError, RecursionError) as error:
        return Policy({}, (), otherwise, fault=str(error) or type(error).__name__)


def _rule(written: _Written) -> Rule:
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
        roots = {"args": args, "state": state}
        return {name: _at(roots, path) for name, path in paths.items()}

    if not written.tools:
        raise BadInput(f"rule {written.name!r} is about no tool; name one in tools")
    check = follows(written.formula, sorts, facts)
    return Rule(written.name, written.says, check, frozenset(written.tools))


def _at(value: Any, path: Sequence[str]) -> Any:
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return None
        value = value[key]
    return value
