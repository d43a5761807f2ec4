"""Rules that are logic: an SMT-LIB formula over facts, which Z3 decides.

A formula that the known facts entail is a pass, one that they contradict is refuted; where it hangs
on a fact that nobody knows the verdict is undecided.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Literal

import z3

from agentflow.errors import BadInput
from agentflow.gate.policy import Call, Check
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
