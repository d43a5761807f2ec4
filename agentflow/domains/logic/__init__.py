"""Logic: whether a conclusion is true, false or uncertain given its premises, judged by Z3."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache
from typing import Any, ClassVar

from agentflow.domains import answers, unrelated
from agentflow.domains.answers import conclusions
from agentflow.domains.logic import (
    english,
    fol,
    formulas,
    last_line,
    partly,
    question,
    shallow,
    smtlib,
    telling,
    words,
)
from agentflow.domains.logic.claims import CHAIN, claimed, names, why_unread
from agentflow.domains.logic.grounds import Grounds, same_words
from agentflow.domains.protocol import UNREAD, Domain, Memory, Read
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox
from agentflow.tools.z3_tool import is_ours
from agentflow.verdict import Verdict

ANSWERS = {"agree": "True", "contradict": "False", "uncertain": "Uncertain"}
"""Z3's outcome for the conclusion -> the right answer."""

_OUTCOMES = {"entailed": "agree", "contradicted": "contradict", "undetermined": "uncertain"}
_MAX_KNOWN = 4_096
_LETTER = r"(?:option )?(?:\((?P<{0}>[a-e])\)|(?P<{0}_>[a-e])\b[).:]?)"
_SAID = re.compile(
    rf"(?:(?:the (?:correct |final |right )?(?:answer|option) is:? )?(?:{_LETTER.format('a')}"
    rf"(?:[ ,:-]*\(?(?P<text>{question.WORD})\b\.?\)?)?"
    rf"|(?P<word>{question.WORD})\b(?: \({_LETTER.format('b')}\)| {_LETTER.format('c')})?)"
    rf"|(?:the (?:truth (?:value )?of the )?(?:statement|conclusion) |it |this )"
    rf"(?:is (?:logically )?(?P<adjective>{last_line.ADJECTIVE})"
    r"|(?P<open>cannot be determined|can't be determined))"
    r"|there is (?P<little>not enough information|insufficient information)"
    r"(?: to (?:tell|decide|determine)(?: it| whether (?:it|the (?:statement|conclusion)) is true"
    r"(?: or false)?)?)?)"
    r"(?:,? (?:from|based on|given|with|by) (?:the|these) (?:(?:given|above|provided) )?"
    r"(?:premises|information|facts|statements)(?: (?:alone|given|provided|above))?)?",
    re.IGNORECASE,
)
_OF_IT = re.compile(r"(?is)\"(?P<of>[^\"]+)\" is (?P<said>.+)")


class Logic(Domain):
    """Problems in the style of FOLIO, ProverQA and ProofWriter, with an exact verifier where they
    can be formalised.

    The premises and the conclusion are formulas (``FORMULA`` or ``FORMULA ::: sentence``, see
    :mod:`~agentflow.domains.logic.fol`), or sentences of the controlled English of
    :mod:`~agentflow.domains.logic.english`; one of the two for the whole problem. Any other text
    is a problem, too, but no verdict on it can be told.

    States: a ``step`` claims that something follows (``Step: Alex is happy.``, ``From 1, 3: Alex
    is happy.``; what the numbers say is not judged), a ``candidate`` is an answer line. A claim
    that is not in the language, or speaks of what the problem does not, cannot be told.

    Error kinds: ``contradicted`` (the premises say the opposite), ``not_entailed``, and of answers
    ``wrong_answer``. A claim or an answer that is not understood to its last word is ``unread``,
    and so is everything in a problem that is not; where names may mean the same
    (:func:`~agentflow.domains.logic.words.alike`) nothing is said not to follow.
    """

    name = "logic"
    description = "Is a conclusion True, False or Uncertain given its premises?"
    example = question.EXAMPLE
    form = "True, False or Uncertain, or the letter of an option"
    complete = True
    """Where the problem is formalised and Z3 decides it; elsewhere no verdict passes anything."""
    tools: ClassVar[Mapping[str, str]] = {"z3": "sandbox"}

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        super().__init__(toolbox)
        self._known: dict[tuple[str, str], tuple[str | None, dict[str, Any]]] = {}

    def parse(self, text: str, id: str = "") -> Problem:
        """:func:`parse`."""
        return parse(text, id)

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The claim and the answer on one line of generated text."""
        memory, states = self.with_candidates(self._steps, problem, line, offset, memory)
        return memory, conclusions.ground(
            states, last_line.grounds, words.unsplit(words.named(line))
        )

    def _steps(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        memory, said = answers.claimed(line[: last_line.MAX_LINE], memory)
        claim = said.text.partition(":::")[0].strip(" \t\r\n*") if said else ""
        if said is None or not claim:
            return memory, []
        read = said.plain and len(line) <= last_line.MAX_LINE and not why_unread(problem, claim)
        if not (said.labelled or read):
            return memory, []
        data = {"claim": claim} if read else {"claim": "unread", "text": claim}
        return memory, [State("step", data, offset, offset + len(line))]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Whether the premises entail a claim. Earlier steps are entailed, so they add nothing."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        claim = state.data.get("text", state.data["claim"])
        unread = self.unread(claim)
        if "text" in state.data or why_unread(problem, claim):
            why = why_unread(problem, claim)
            return replace(unread, reason=f"{unread.reason}: {why}") if why else unread
        outcome, evidence = await self._entailed(problem, claimed(problem, claim))
        match outcome:
            case "agree":
                return Verdict(True, source=self.name, evidence=evidence)
            case "contradict":
                return self.wrong("contradicted", f"the premises say the opposite of: {claim}")
            case "uncertain" if alike := problem.data["alike"]:
                return self._cannot_tell(f"whether {alike} are the same is open")
            case "uncertain":
                return self.wrong("not_entailed", f"it does not follow from the premises: {claim}")
        return self._cannot_tell(evidence["reason"])

    def answer(self, text: str) -> str | None:
        """:func:`answers.stated`, which may be what the last line concludes; with what the text
        says beside it of a thing, perhaps in lines behind."""
        text, told = words.unsplit(words.named(text)), list[str]()
        answer = self._answer(text)
        front, again = last_line.said_again(text) if not answer else (text, "")
        if again and (answer := self._answer(front)):
            text, told = front, [again]
        if not answer:
            answer, told = telling.parted(text, self._answer)
        if not answer:
            return None
        said, grounds = conclusions.parted(answer)
        beside = [*told, *telling.cited(text), *unrelated.told(text, said)]
        return conclusions.grounded(said, [*grounds, *beside])

    def _answer(self, text: str) -> str | None:
        """The same of a text behind whose answer no more stands than any domain understands."""
        text = formulas.ended(text)
        alone = last_line.IT.fullmatch(text)
        found = answers.settled(text, last_line.concluded, conclusions.by_letter)
        said = alone["said"] if alone else found and found.text
        subject = conclusions.of_subject(text) if said and "boxed" in text else None
        said = last_line.concluded(subject) if subject else said
        if not said:
            return said
        others = conclusions.others(text, said, found.beside if found else ())
        return conclusions.grounded(said, [*others, *last_line.grounds(text)])

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Whether ``answer`` is what follows for the conclusion; it passes only where its grounds
        follow, too."""
        said = self.normalise(problem, answer)
        if said is None:
            return self.unread(answer)
        if problem.data["claim"] is None:
            return Verdict(None, problem.data["informal"], UNREAD, source=self.name)
        outcome, evidence = await self._entailed(problem, fol.parse(problem.data["claim"]))
        if outcome not in ANSWERS:
            return self._cannot_tell(evidence["reason"])
        if outcome == "uncertain" and (alike := problem.data["alike"]):
            return self._cannot_tell(f"whether {alike} are the same is open")
        if outcome == "uncertain" and problem.data["two"]:
            return self._cannot_tell("the premises leave it open, which is none of the answers")
        beside = conclusions.parted(answer)[1]
        if ANSWERS[outcome] == said:
            held = Grounds(problem, said, self._entailed)
            for ground in beside:
                if unrelated.is_one(ground):
                    understood = unrelated.goes_with(problem.text, [ground])
                else:
                    understood = self.normalise(problem, ground) == said or await held.hold(ground)
                if not understood:
                    return self.unread(conclusions.grounded(said, [ground]), said.__eq__)
            return Verdict(True, source=self.name, evidence=evidence)
        if any(self.normalise(problem, ground) == ANSWERS[outcome] for ground in beside):
            return self.unread(answer)
        reason = {
            "True": "the conclusion does not follow from the premises",
            "False": "the premises do not rule the conclusion out",
            "Uncertain": "the premises decide the conclusion",
        }[said]
        return self.wrong("wrong_answer", f"{said} is wrong: {reason}")

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """The same; None where something beside an answer is not understood or denies it."""
        same = await super().equal(problem, one, other)
        return None if same and await self._denied(problem, one) else same

    async def _denied(self, problem: Problem, answer: str) -> bool:
        """Whether something stands beside a right answer that is known not to go with it."""
        if problem.data["claim"] is not None:
            return (await self.verify_answer(problem, answer)).kind == UNREAD
        said, beside = self.normalise(problem, answer) or "", conclusions.parted(answer)[1]
        if not unrelated.goes_with(problem.text, beside):
            return True
        if any(self.normalise(problem, one) != said for one in beside if _OF_IT.fullmatch(one)):
            return True
        if any(partly.comes_out_otherwise(one, problem.data["conclusion"], said) for one in beside):
            return True
        told = [*filter(None, map(partly.said, beside))]
        if any(partly.denies(one, problem.data["conclusion"], said) for one in told):
            return True
        part = partly.understood(problem) if told else None
        held = Grounds(part, said, self._entailed) if part else None
        return held is not None and any([await held.denied(one) for one in told])

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """``True``, ``False`` or ``Uncertain``, whichever way it is spelled; None if it is none.

        A letter counts where the problem lists its options, and beside a text only if both agree.
        ``No`` counts where the options are yes and no, or True and False are all there is: else it
        may also deny that anything follows. What is said of a sentence, ``"Alex is kind" is True``,
        counts where that is the problem's conclusion.
        """
        answer, _ = conclusions.parted(answer)
        if of_it := _OF_IT.fullmatch(answer.strip()):
            same = same_words(of_it["of"], problem.data["conclusion"])
            return self.normalise(problem, of_it["said"]) if same else None
        found = _SAID.fullmatch(" ".join(answer.split()).strip(" *\"'`${}").removesuffix("."))
        if found is None:
            return None
        parts = found.groupdict()
        said = ("text", "word", "adjective", "open", "little")
        words = [parts[name] for name in said if parts[name]]
        letters = [
            part for name, part in parts.items() if name[0] in "abc" and part and len(part) == 1
        ]
        data, meant = problem.data, set[str | None]()
        for word in map(str.lower, words):
            positive = data["claim"] is not None and "¬" not in data["claim"]
            plain = word not in ("yes", "no") or data["yes"]
            if not plain and not (positive and (word == "yes" or data["two"])):
                return None
            meant.add(question.WORDS[word])
        meant |= {data["letters"].get(letter.upper()) for letter in letters}
        return meant.pop() if len(meant) == 1 else None

    async def _entailed(
        self, problem: Problem, claim: fol.Formula
    ) -> tuple[str | None, dict[str, Any]]:
        """Z3's outcome for a claim, and the evidence; one call of the tool, or none."""
        outcome, evidence = await self._judged(problem, claim)
        if outcome != "uncertain":
            return outcome, evidence
        in_all = _in_all_readings(problem)
        if in_all != problem and (await self._judged(in_all, claim))[0] != "uncertain":
            return None, {"reason": "it is open what a pronoun means in a premise"}
        if problem.data["words"] and _tells_existence(claim):
            there = [*in_all.data["premises"], *_groups(in_all)]
            full = replace(problem, data={**problem.data, "premises": there})
            if (await self._judged(full, claim))[0] != "uncertain":
                return None, {"reason": "it is open whether there is any of whom all is said"}
        return outcome, evidence

    async def _judged(
        self, problem: Problem, claim: fol.Formula
    ) -> tuple[str | None, dict[str, Any]]:
        """The same, where ``all`` says nothing of whether there are any."""
        premises, asked = tuple(problem.data["premises"]), problem.data["claim"]
        key = _program(premises, asked), smtlib.term(claim)
        if key in self._known:
            return self._known[key]
        found = await self._at_once(premises, asked, claim)
        if found is not None:
            outcome, used = found
        else:
            program, term = key
            use = await self.toolbox.use("z3", program=program, language="smtlib", claim=term)
            said = use.fields
            outcome, checks = str(said.get("outcome")), said.get("claim") or []
            if outcome not in ANSWERS:
                return None, {"reason": said.get("reason") or use.content[:300] or "no outcome"}
            names = {name for check in checks for name in check.get("core") or ()}
            used = sorted(int(name[1:]) for name in names if re.fullmatch(r"p\d+", name))
        evidence = {"claim": fol.show(claim), "outcome": outcome, "premises": used}
        if len(self._known) >= _MAX_KNOWN:
            self._known.pop(next(iter(self._known)))
        self._known[key] = outcome, evidence
        return outcome, evidence

    async def _at_once(
        self, premises: tuple[str, ...], asked: str, claim: fol.Formula
    ) -> tuple[str, list[int]] | None:
        """The outcome, and the premises it rests on, where Z3 decides it in this process; None
        elsewhere, and where another tool than ours is to be asked."""
        tool = self.toolbox.tools.get("z3")
        if tool is None or not is_ours(tool):
            return None
        if not (shallow.is_shallow(claim) and _all_fit(premises, asked)):
            return None
        found = await shallow.judged(premises, names(premises, asked), claim)
        if found is None or found.outcome is None:
            return None
        return _OUTCOMES[found.outcome], [fact + 1 for fact in found.facts]

    def _cannot_tell(self, reason: str) -> Verdict:
        return Verdict(None, reason, source=self.name)


def parse(text: str, id: str = "") -> Problem:
    """The problem in ``text``: premises, then ``Conclusion:`` (or ``Question:``) and one claim.

    A JSON object is read as FOLIO writes it (``premises``, ``conclusion`` and, if it has them,
    ``premises-FOL`` and ``conclusion-FOL``) or as ProverQA does (``context``, ``question``).

    Raises:
        BadInput: If premises or conclusion are missing, or a formula is malformed.
    """
    asked = question.read(text)
    lines = [*asked.premises, asked.conclusion]
    readings, used, why = _formalised(lines)
    if asked.unread:
        readings, why = [], f"could not read {asked.unread}"
    formulas = list(map(english.weakest, readings))
    data = {
        "listing": "\n".join(f"{number}. {one}" for number, one in enumerate(asked.premises, 1)),
        "conclusion": asked.conclusion,
        "premises": list(map(fol.show, formulas[:-1])),
        "claim": fol.show(formulas[-1]) if formulas else None,
        "readings": {
            fol.show(said): list(map(fol.show, each))
            for said, each in zip(formulas, readings, strict=True)
            if len(each) > 1
        },
        "words": used,
        "informal": why,
        "letters": asked.letters,
        "two": asked.two,
        "yes": asked.yes,
        "alike": _alike(formulas, forms=used is not None),
    }
    return Problem(text.strip(), "logic", id or text.strip(), data=data)


def _formalised(
    lines: Sequence[str],
) -> tuple[list[english.Readings], dict[str, list[str]] | None, str]:
    """(readings, words, why there are none) of the premises and, last, the conclusion; there are
    words where the lines are English.

    Raises:
        BadInput: If a formula is malformed, or two do not go together.
    """
    formal = [question.formula(line) for line in lines]
    if not any(formal):
        try:
            words = english.words_of(lines)
            readings = english.readings(lines, words)
            english.formalise(lines[-1:], words)
        except english.NotControlled as error:
            return [], None, f"could not read the problem: not in the controlled English: {error}"
        return readings, {name: sorted(used) for name, used in asdict(words).items()}, ""
    formal = [one or question.proposition(line) for one, line in zip(formal, lines, strict=True)]
    if missing := [number for number, one in enumerate(formal, 1) if one is None]:
        where = "the conclusion" if missing[0] == len(lines) else f"premise {missing[0]}"
        return [], None, f"could not read the problem: there are formulas, but {where} has none"
    formulas = []
    for number, one in enumerate(formal, 1):
        where = "the conclusion" if number == len(lines) else f"premise {number}"
        try:
            formulas.append(fol.parse(one or ""))
        except fol.FormulaError as error:
            raise BadInput(f"logic: {where}: {error}") from error
    try:
        fol.signature(formulas)
    except fol.FormulaError as error:
        raise BadInput(f"logic: {error}") from error
    if any(map(fol.has_chain, formulas)):
        return [], None, f"could not read the problem: {CHAIN}"
    return [(one,) for one in formulas], None, ""


def _tells_existence(formula: fol.Formula) -> bool:
    """Whether a claim is that there is something, or denies it."""
    formula = formula.body if isinstance(formula, fol.Not) else formula
    return isinstance(formula, fol.Quantified) and formula.quantifier == "∃"


def _in_all_readings(problem: Problem) -> Problem:
    """The problem whose premises hold in all their readings: what those leave open, each does."""
    readings = problem.data["readings"]
    premises = [one for said in problem.data["premises"] for one in readings.get(said, [said])]
    return replace(problem, data={**problem.data, "premises": premises})


def _groups(problem: Problem) -> list[str]:
    """That there are those of whom a premise says something, as formulas."""
    premises = map(fol.parse, problem.data["premises"])
    rules = [one.body for one in premises if isinstance(one, fol.Quantified)]
    heads = [
        one.parts[0] for one in rules if isinstance(one, fol.Compound) and one.connective == "→"
    ]
    return [fol.show(fol.Quantified("∃", "x", one)) for one in heads]


def _alike(formulas: Sequence[fol.Formula], *, forms: bool) -> str:
    """Two names that may mean the same, one of them perhaps a variable's; empty for none."""
    found = fol.signature(formulas)
    kinds, things = (*found.predicates, *found.functions), found.constants | found.numbers
    if not forms and (unsure := fol.unsure(formulas)):
        return f"{unsure!r} and any other"
    return words.alike(kinds, things, forms=forms)


@lru_cache(maxsize=1_024)
def _all_fit(premises: tuple[str, ...], asked: str) -> bool:
    return shallow.fits(list(map(fol.parse, premises)), names(premises, asked))


@lru_cache(maxsize=1_024)
def _program(premises: tuple[str, ...], claim: str) -> str:
    """SMT-LIB for the premises; it declares the names of the conclusion, too."""
    return smtlib.script([fol.parse(one) for one in premises], names(premises, claim))
