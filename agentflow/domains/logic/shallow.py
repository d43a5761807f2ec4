"""What Z3 decides at once: formulas without functions, their quantifiers in front and of one kind.

Premises and claims of that shape (all of the controlled English has it) are in the
Bernays-Schönfinkel class, negated or not: Z3 decides them, and does it in this process in about a
millisecond, where a call of the sandbox takes thirty. What may never end is not for here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import z3

from agentflow.domains.logic import fol, smtlib
from agentflow.tools.entailment import Finding, Theory, context, in_thread

Premises = tuple[str, ...]


def is_shallow(formula: fol.Formula) -> bool:
    """Whether the formula is of that shape, but for functions: those its signature tells."""
    kind = formula.quantifier if isinstance(formula, fol.Quantified) else None
    while isinstance(formula, fol.Quantified) and formula.quantifier == kind:
        formula = formula.body
    return not _quantified(formula)


def fits(formulas: Sequence[fol.Formula], names: fol.Signature) -> bool:
    """Whether :func:`judged` may be asked about formulas with these names."""
    plain = not names.functions and len(names.numbers) <= 1  # two numbers would differ
    return plain and all(map(is_shallow, formulas))


async def judged(premises: Premises, names: fol.Signature, claim: fol.Formula) -> Finding | None:
    """What premises say of a claim that fits; None if they are not known to go together."""
    terms = tuple(smtlib.script([one], names) for one in map(fol.parse, premises))
    return await in_thread(_judge, terms, smtlib.script([claim], names))


def _quantified(formula: fol.Formula) -> bool:
    match formula:
        case fol.Quantified():
            return True
        case fol.Not(body):
            return _quantified(body)
        case fol.Compound(_, parts):
            return any(map(_quantified, parts))
    return False


# What follows runs in the thread of Z3 (see agentflow.tools.entailment).


def _judge(premises: Premises, claim: str) -> Finding | None:
    theory = _theory(premises)
    return theory.judge(_read(claim)) if theory is not None else None


@lru_cache(maxsize=256)
def _theory(premises: Premises) -> Theory | None:
    """None if the premises are not known to go together: from a contradiction anything follows."""
    theory = Theory([_read(one) for one in premises])
    return theory if theory.consistent() else None


def _read(script: str) -> Any:
    """The formula that a script asserts."""
    (formula,) = z3.parse_smt2_string(script, ctx=context())
    return formula
