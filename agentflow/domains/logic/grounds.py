"""Whether what a text says beside a right answer holds: it follows, or is what else was said of it.

``open so: Hanna is happy`` holds where Z3 finds that the premises leave that open.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from agentflow.domains.answers import conclusions
from agentflow.domains.logic import english, fol, formulas, last_line, telling, wordings, words
from agentflow.domains.logic.claims import claimed, known_names
from agentflow.problem import Problem


@dataclass(frozen=True, slots=True)
class Grounds:
    """The grounds of one answer.

    Attributes:
        said: The answer, which is right.
        ask: Z3's outcome for a claim, and the evidence.
    """

    problem: Problem
    said: str
    ask: Callable[[Problem, fol.Formula], Awaitable[tuple[str | None, dict[str, Any]]]]

    async def hold(self, ground: str) -> bool:
        """Whether a ground goes with the answer."""
        if of_formula := formulas.parts(ground):
            return await self._goes_with(*of_formula)
        mark, colon, what = ground.partition(": ")
        mark, asked = mark + colon, self.problem.data["conclusion"]
        if mark in wordings.OUTCOMES:
            return await self._comes_out(what) in wordings.OUTCOMES[mark]
        if mark in last_line.MARKS:
            return self.said in last_line.MARKS[mark]
        match mark:
            case last_line.UNREAD:
                return False
            case last_line.CITES:
                return int(what) <= len(self.problem.data["premises"])
            case wordings.UNUSED:
                return await self._goes_without(what)
            case wordings.UNMENTIONED:
                return self._telling_of(what) == []
            case wordings.ONLY_IN:
                return self._is_only_in(*what.split(wordings.OF))
            case wordings.ONLY_WAY:
                return self._is_only_way(*what.split(wordings.OF))
            case wordings.ONLY_CONDITION:
                return self._is_only_condition(what)
            case wordings.SILENT_OF:
                return self._is_silent_of(*what.split(wordings.OF))
            case wordings.CITED:
                return await self._goes_with_cited(*what.split(wordings.OF))
            case wordings.USED:
                return await self._goes_with_only(what)
            case wordings.WOULD:
                return await self._would_follow(what)
            case conclusions.ASKS:
                return same_words(what, asked)
            case last_line.CONCLUDES:
                return same_words(what, asked) or await self.hold(what)
        if told := telling.clause(ground):
            return all([await self.hold(one) for one in told])
        return await self._comes_out(telling.in_short(ground)) == "agree"

    async def denied(self, claim: str) -> bool:
        """Whether the premises rule out what is said."""
        return await self._comes_out(claim) == "contradict"

    async def _goes_with(self, kind: str, formula: str) -> bool:
        """Whether what is said of a formula is so. One of other predicates than the problem's says
        nothing; nor does one that is not understood, but if it names that of the conclusion."""
        known, asked = known_names(self.problem), fol.parse(self.problem.data["claim"])
        formula = formulas.spelled(formula, known)
        if kind == formulas.ASKED:
            return any(_read(one) == asked for one in formula.split(formulas.AMONG))
        claim = _read(formula)
        if claim is None or not known.covers(fol.signature([claim])) or fol.has_chain(claim):
            own = fol.signature([asked]).predicates.keys() & set(re.findall(r"\w+", formula))
            return not own or formulas.of_any(formula)
        if kind == formulas.UNCLEAR:
            return False
        if kind == formulas.CONCLUDED and claim == asked:
            return True
        outcome, _ = await self.ask(self.problem, claim)
        return outcome in formulas.OUTCOMES[kind]

    async def _comes_out(self, claim: str) -> str | None:
        """Z3's outcome for a claim; None if it is not understood, or open what it speaks of."""
        if not (formula := self._formula(claim)):
            return None
        outcome, _ = await self.ask(self.problem, fol.parse(formula))
        return None if outcome == "uncertain" and self.problem.data["alike"] else outcome

    async def _would_follow(self, claim: str) -> bool:
        """Whether something follows from what is supposed; where the premises rule that out, from
        which anything follows, whether it does without one of them."""
        said = self._formula(claim)
        formula = fol.parse(said) if said else None
        if not (isinstance(formula, fol.Compound) and formula.connective == "→"):
            return False
        premises = self.problem.data["premises"]
        for left in (premises, *(premises[:n] + premises[n + 1 :] for n in range(len(premises)))):
            of = self._under(left)
            if (await self.ask(of, formula.parts[0]))[0] == "contradict":
                continue
            if (await self.ask(of, formula))[0] == "agree":
                return True
        return False

    async def _goes_without(self, what: str) -> bool:
        """Whether all comes out the same without premises, told by numbers, by whom or what they
        name, or by what they say."""
        premises, said = self.problem.data["premises"], self._formula(what)
        if said:
            return said in premises and await self._same([one for one in premises if one != said])
        left = set(range(len(premises)))
        for word in set(re.findall(r"\w+", what)) - {"and"}:
            of_it = self._telling_of(word) or []
            about = {
                number
                for number, one in enumerate(premises)
                if word == str(number + 1) or word in _signature(one).constants or one in of_it
            }
            if not about:
                return False
            left -= about
        return await self._same([premises[number] for number in sorted(left)])

    async def _goes_with_only(self, numbers: str) -> bool:
        """Whether all comes out the same with no premises but those of the numbers."""
        premises, listed = self.problem.data["premises"], set(map(int, re.findall(r"\d+", numbers)))
        there = listed <= set(range(1, len(premises) + 1))
        return there and await self._same([premises[number - 1] for number in sorted(listed)])

    async def _goes_with_cited(self, named: str, *claims: str) -> bool:
        """Whether a sentence that names premises by numbers says what each of them does, or what
        may follow by it: from those named alone where it is said of all, else of what it tells."""
        how, _, named = named.partition(" ")
        numbers = list(map(int, re.findall(r"\d+", named)))
        told = [one for one in map(self._formula, claims) if one]
        all_of_them = [one for number in numbers for one in self._numbered(number, "")]
        if len(numbers) > 1 and any([await self._follows_from(all_of_them, one) for one in told]):
            return True
        for number in numbers:
            for premise in self._numbered(number, named.lower()):
                if any([await self._is_by(one, premise, how, all_of_them) for one in told]):
                    break
            else:
                listed = self.problem.data["listing"].split("\n")
                said = listed[number - 1].partition(". ")[2] if number <= len(listed) else ""
                if not any(same_words(one, said) for one in claims):
                    return False
        return True

    def _numbered(self, number: int, kind: str) -> list[str]:
        """The premise of a number, which may be counted among the rules or facts alone."""
        premises = self.problem.data["premises"]
        lists = [premises]
        if kind.startswith(("rule", "fact")):
            rule = kind.startswith("rule")
            lists.append([one for one in premises if _is_rule(fol.parse(one)) is rule])
        return [one[number - 1] for one in lists if 0 < number <= len(one)]

    async def _is_by(self, claim: str, premise: str, how: str, named: list[str]) -> bool:
        """Whether a claim is what a premise says, or may follow by it."""
        own, of = _signature(claim), _signature(premise)
        if await self._follows_from([premise], claim):
            return True
        if how == "says":
            return False
        if not own.constants:
            return await self._follows_from(named, claim)
        of_same = not of.constants or bool(own.constants & of.constants)
        return of_same and bool(own.predicates.keys() & of.predicates.keys())

    async def _follows_from(self, premises: list[str], claim: str) -> bool:
        """Whether a claim follows from some premises, which may be without some of its names."""
        formula = fol.parse(claim)
        either = fol.show(fol.Compound("∨", (formula, fol.Not(formula))))
        return (await self.ask(self._under([*premises, either]), formula))[0] == "agree"

    async def _same(self, premises: list[str]) -> bool:
        """Whether the conclusion comes out the same under other premises."""
        asked = fol.parse(self.problem.data["claim"])
        outcome, _ = await self.ask(self.problem, asked)
        return outcome == (await self.ask(self._under(premises), asked))[0]

    def _telling_of(self, word: str) -> list[str] | None:
        """The premises that have the property of a word (``kind``, ``kindness``); None if the
        problem has no such property."""
        related = {
            one
            for one in known_names(self.problem).predicates
            if one == word or words.alike((one, word), (), forms=True)
        }
        premises = self.problem.data["premises"]
        told = [one for one in premises if related & _signature(one).predicates.keys()]
        return told if related else None

    def _is_only_in(self, word: str, where: str) -> bool:
        """Whether premises have a property, and all of those speak of the named alone; or are the
        one that is said again."""
        found = self._telling_of(word) or []
        if re.fullmatch(r"\w+", where):
            return bool(found) and all(_signature(one).constants == {where} for one in found)
        return found == [self._formula(where)]

    def _is_only_way(self, word: str, condition: str) -> bool:
        """Whether one premise alone tells who has a property, and tells it of whom a condition
        holds."""
        rule = self._formula(f"If someone is {condition}, then they are {word}")
        follows = {one: _consequent(fol.parse(one)) for one in self._telling_of(word) or []}
        return [
            one
            for one, then in follows.items()
            if word in fol.signature([then]).predicates and not isinstance(then, fol.Not)
        ] == [rule]

    def _is_only_condition(self, word: str) -> bool:
        """Whether premises have a property, and only where they say of whom they tell something."""
        follows = [_consequent(fol.parse(one)) for one in self._telling_of(word) or []]
        return bool(follows) and not any(
            word in fol.signature([then]).predicates for then in follows
        )

    def _is_silent_of(self, one: str, other: str) -> bool:
        """Whether premises name one thing, and those that do tell nothing of another."""
        about = [fol.parse(said) for said in self.problem.data["premises"]]
        about = [said for said in about if one in fol.signature([said]).constants]
        return bool(about) and not any(
            isinstance(said, fol.Quantified) or other in fol.signature([said]).constants
            for said in about
        )

    def _formula(self, claim: str) -> str | None:
        """The formula of a claim; None if it is not understood."""
        try:
            named = self._in_formulas(claim) if self.problem.data["words"] is None else None
            return fol.show(named or claimed(self.problem, claim))
        except ValueError:
            return None

    def _in_formulas(self, sentence: str) -> fol.Formula | None:
        """The formula of an English sentence about what the formulas of the problem name."""
        try:
            said = fol.show(english.formalise([sentence])[0])
        except english.NotControlled:
            return None
        formula = _read(formulas.spelled(said, known_names(self.problem)))
        return (
            formula
            if formula and known_names(self.problem).covers(fol.signature([formula]))
            else None
        )

    def _under(self, premises: list[str]) -> Problem:
        return replace(self.problem, data={**self.problem.data, "premises": premises})


def same_words(one: str, other: str) -> bool:
    """Whether two sentences are the same but for their punctuation; ``¬`` is none."""
    spelled = [
        re.findall(r"\w+|[^\s\w.,*\"“”]", words.named(text).lower()) for text in (one, other)
    ]
    return spelled[0] == spelled[1]


def _is_rule(formula: fol.Formula) -> bool:
    """Whether a premise tells what follows from what."""
    implies = isinstance(formula, fol.Compound) and formula.connective == "→"
    return implies or isinstance(formula, fol.Quantified)


def _consequent(formula: fol.Formula) -> fol.Formula:
    """What follows where the ``if`` of a formula holds; all of one that has none."""
    body = formula.body if isinstance(formula, fol.Quantified) else formula
    implies = isinstance(body, fol.Compound) and body.connective == "→"
    return body.parts[-1] if implies and isinstance(body, fol.Compound) else body


def _signature(formula: str) -> fol.Signature:
    return fol.signature([fol.parse(formula)])


def _read(formula: str) -> fol.Formula | None:
    """The formula in a text; None if it is none."""
    try:
        found = fol.parse(formula)
        fol.signature([found])
    except fol.FormulaError:
        return None
    return found
