"""Logic programs as Logic-LM records them, as SMT-LIB: first-order logic, and rules.

The two languages of constraints stand in :mod:`programs.constraints`. What
a converter cannot read it refuses, with the kind of reason, so that a report can count them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentflow.domains.logic import fol, smtlib

_LETTERS = {"agree": "A", "contradict": "B", "uncertain": "C"}
_LITERAL = re.compile(r"(?P<name>\w+)\((?P<of>\$?\w+), (?P<holds>True|False)\)")


class Unreadable(ValueError):
    """A program that a converter does not read.

    Attributes:
        kind: The reason in a few words, the same for programs that fail in the same way.
    """

    def __init__(self, kind: str, detail: str = "") -> None:
        super().__init__(f"{kind}: {detail}" if detail else kind)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to choose.

    Attributes:
        letter: As the dataset names it.
        checks: Terms, and what Z3 must say of each (``sat``, ``unsat``) for the option to hold.
        negated: It holds where they do not all come out so.
    """

    letter: str
    checks: tuple[tuple[str, str], ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """What the Z3 tool is given, and how its checks are read.

    Attributes:
        smtlib: The premises; with options also one ``check-sat`` alone and one for each check.
        claim: The conclusion, where the question is whether it follows.
        options: The answers to choose from, where there is a choice.
    """

    smtlib: str
    claim: str | None = None
    options: tuple[Option, ...] = ()

    def answer(self, artifact: Mapping[str, Any]) -> tuple[str | None, str]:
        """(the letter, why there is none) from what the Z3 tool gave."""
        if not artifact["ok"]:
            failed = artifact["limit"] or artifact["failure"]["type"]
            return None, f"did not run: {failed}"
        if self.claim is not None:
            outcome = artifact["outcome"]
            return _LETTERS.get(outcome), artifact["reason"] or ""
        alone, *statuses = (check["status"] for check in artifact["checks"])
        if alone != "sat":
            return None, f"the constraints are {alone}"
        chosen = []
        for option in self.options:
            found, statuses = statuses[: len(option.checks)], statuses[len(option.checks) :]
            if "unknown" in found:
                return None, "Z3 does not know"
            wanted = [status for _, status in option.checks]
            if (found == wanted) != option.negated:
                chosen.append(option.letter)
        if len(chosen) == 1:
            return chosen[0], ""
        return None, "several options hold" if chosen else "no option holds"


def with_options(lines: list[str], options: list[Option]) -> Program:
    """A program that checks ``lines`` alone, then every check of every option."""
    checks = [
        f"(push)(assert {term})(check-sat)(pop)" for option in options for term, _ in option.checks
    ]
    return Program("\n".join([*lines, "(check-sat)", *checks]), options=tuple(options))


def sections(text: str, *names: str) -> list[str]:
    """What stands under each of the headings, which come in this order.

    Raises:
        Unreadable: If one is missing.
    """
    found = re.split("|".join(rf"^(?:# )?{name}:?\s*$" for name in names), text, flags=re.M)
    if len(found) != len(names) + 1:
        raise Unreadable("a section is missing")
    return found[1:]


def lines(section: str) -> list[str]:
    """The formal part of each line, in front of ``:::``."""
    found = (line.partition(":::")[0].strip() for line in section.splitlines())
    return [line for line in found if line]


def fol_program(text: str) -> Program:
    """A FOLIO program: ``Premises:`` and ``Conclusion:`` in first-order logic.

    Raises:
        Unreadable: If a formula is malformed, or a name is used in two ways.
    """
    premises, conclusion = sections(text, "Premises", "Conclusion")
    return entailment(lines(premises), lines(conclusion))


def entailment(premises: list[str], conclusions: list[str]) -> Program:
    """Whether formulas entail one more.

    Raises:
        Unreadable: If a formula is malformed, or a name is used in two ways.
    """
    if len(conclusions) != 1 or not premises:
        raise Unreadable("not one conclusion" if premises else "no premises")
    try:
        *formulas, claim = [fol.parse(one) for one in (*premises, *conclusions)]
    except fol.FormulaError as error:
        raise Unreadable(_kind(str(error)), str(error)) from error
    try:
        names = fol.signature([*formulas, claim])
    except fol.FormulaError as error:
        raise Unreadable("a name used in two ways", str(error)) from error
    return Program(smtlib.script(formulas, names), smtlib.term(claim))


def _kind(message: str) -> str:
    """The kind of a parser's message."""
    kinds = {
        "stands outside of": "a variable outside of its quantifier",
        "is not understood": "a sign that is not understood",
        "an empty formula": "an empty formula",
    }
    return next((kind for sign, kind in kinds.items() if sign in message), "malformed formula")


def rules_program(text: str) -> Program:
    """A ProntoQA program: ``Facts:``, ``Rules:`` (``P($x, True) >>> Q($x, False)``), ``Query:``.

    Raises:
        Unreadable: If a line is neither.
    """
    _, facts, rules, query = sections(text, "Predicates", "Facts", "Rules", "Query")
    premises = [_literal(line) for line in lines(facts)]
    for line in lines(rules):
        given, arrow, then = line.partition(">>>")
        if not arrow:
            raise Unreadable("a rule without '>>>'", line)
        left = " ∧ ".join(_literal(one) for one in given.split("&&"))
        premises.append(f"∀x ({left} → {_literal(then)})")
    return entailment(premises, [_literal(line) for line in lines(query)])


def _literal(text: str) -> str:
    found = _LITERAL.fullmatch(text.strip())
    if found is None:
        raise Unreadable("a line that is no literal", text)
    sign = "" if found["holds"] == "True" else "¬"
    return f"{sign}{found['name']}({found['of'].removeprefix('$')})"
