"""What a step claims, as a formula over the names of its problem."""

from __future__ import annotations

import re
from functools import lru_cache

from agentflow.domains.logic import english, fol, question
from agentflow.problem import Problem

_OF = r"(?:premises?|steps?|facts?|rules?|statements?)"
LISTED = rf"(?:{_OF} )?\d{{1,3}}(?:(?:, and |, | and )(?:{_OF} )?\d{{1,3}}){{0,9}}"
LEAD = re.compile(
    rf"(?i)(?:(?:therefore|thus|hence|so|then|finally|also|next)\b,? |(?:from|by|using) {LISTED}, "
    rf"|(?:from|by) (?:the|these|another|one)(?: \w+)? {_OF} that "
    rf"|(?:from|by) {LISTED} that |(?:since|because) (?=all )"
    r"|(?:from|by|using) (?:the|these) (?:premises|facts|rules),? (?=we |i |it )"
    r"|(?:we|i) (?:can )?(?:also )?(?:know|have|get|see|conclude|infer|deduce|derive|find)"
    r"(?: that)? "
    r"|(?:it follows|this means|this implies)(?: that)? ){1,4}"
)
"""What a claim may begin with that claims nothing."""
_NUMBERS = re.compile(rf"(?i) ?[(\[](?:from |by )?{LISTED}[)\]]$")
_BECAUSE = re.compile(
    r"(?i)(?:since|because) ([^,]+), (?:then |so )?(.+)"
    r"|([^,]+), (?:so|therefore|thus|hence|which means(?: that)?) (.+)"
    r"|([^,]+?) (?:because|since) (.+)"
)
CHAIN = "a chain of →, ↔ or ⊕ can be read in several ways; use brackets"
"""Why a formula is not read."""
_LETTERS_ONLY = re.compile("[A-Za-z]+")


def why_unread(problem: Problem, claim: str) -> str:
    """Why a step's claim is not understood; empty if it is."""
    try:
        claimed(problem, claim)
    except ValueError as error:
        return str(error)
    return ""


def claimed(problem: Problem, claim: str) -> fol.Formula:
    """The formula of a step's claim.

    Raises:
        ValueError: If it is none, or speaks of what the problem does not.
    """
    if problem.data["claim"] is None:
        raise ValueError(problem.data["informal"])
    text, used = claim.rstrip(" ."), problem.data["words"]
    if question.formula(text):
        formula = fol.parse(text)
        if fol.has_chain(formula):
            raise ValueError(CHAIN)
    elif used is None:
        raise ValueError(f"no formula, where the premises are formulas: {claim[:80]}")
    else:
        known = english.Words(**{name: set(listed) for name, listed in used.items()})
        sentences = [_recased(problem, part) for part in _parts(text)]
        parts = [_of_problem(problem, each) for each in english.readings(sentences, known)]
        formula = parts[0] if len(parts) == 1 else fol.Compound("∧", tuple(parts))
    if not known_names(problem).covers(fol.signature([formula])):
        raise ValueError(f"it speaks of what the problem does not: {claim[:80]}")
    return formula


def _of_problem(problem: Problem, readings: english.Readings) -> fol.Formula:
    """The formula of a sentence; one of two readings has to be a premise.

    Raises:
        ValueError: If it is not.
    """
    formula = english.weakest(readings)
    if len(readings) > 1 and fol.show(formula) not in problem.data["readings"]:
        raise ValueError("it is open what a pronoun means")
    return formula


def _parts(claim: str) -> list[str]:
    """What a claim says, a sentence each: ``Since A, B`` says both."""
    begun = LEAD.match(claim)
    text = _NUMBERS.sub("", claim[begun.end() :] if begun else claim)
    if reasoned := _BECAUSE.fullmatch(text):
        return [part for part in reasoned.groups() if part]
    return [text]


def _recased(problem: Problem, claim: str) -> str:
    """An English claim with the names in it spelled as the problem does, all else in small letters.

    The language is without other capitals.
    """
    spelled = {name.lower(): name for name in known_names(problem).constants}
    return _LETTERS_ONLY.sub(lambda word: spelled.get(word[0].lower(), word[0].lower()), claim)


def known_names(problem: Problem) -> fol.Signature:
    """What the formulas of a problem speak of."""
    return names(tuple(problem.data["premises"]), problem.data["claim"])


@lru_cache(maxsize=1_024)
def names(premises: tuple[str, ...], claim: str) -> fol.Signature:
    """What formulas speak of."""
    return fol.signature(map(fol.parse, (*premises, claim)))
