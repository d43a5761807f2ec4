"""Logic: whether a conclusion is true, false or uncertain given its premises, judged by Z3."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from agentflow.domains import answers
from agentflow.domains.logic import english, fol, shallow, smtlib
from agentflow.domains.protocol import Domain
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.toolbox import Toolbox
from agentflow.verdict import Verdict

ANSWERS = {"agree": "True", "contradict": "False", "uncertain": "Uncertain"}
"""Z3's outcome for the conclusion -> the right answer."""

_OUTCOMES = {"entailed": "agree", "contradicted": "contradict", "undetermined": "uncertain"}
_EXAMPLE = "Alex is kind. If someone is kind, then they are happy. Conclusion: Alex is happy."
_MAX_LINE = 600
_MAX_KNOWN = 4_096
_NO_WORDS: dict[str, list[str]] = {"nouns": [], "plurals": []}
_LETTERS = {"A": "True", "B": "False", "C": "Uncertain"}
_WORDS = {
    **dict.fromkeys(("true", "yes", "correct"), "True"),
    **dict.fromkeys(("false", "no", "incorrect"), "False"),
    **dict.fromkeys(("uncertain", "unknown", "undetermined", "cannot be determined"), "Uncertain"),
}
_WORD = "|".join(_WORDS)
_SAID = re.compile(
    rf"(?:the (?:statement|conclusion) is )?(?:\(?(?P<letter>[a-e])\b[).:]*\s*)?(?P<word>{_WORD})?"
    r"(?:\s*[.,;:(].*)?",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"(?:(?<=\s)|^)(?:conclusion|question)\s*:\s*|(?:based on the [^.?:\n]{0,80},\s*)?"
    r"is the following statement true(?: or false|, false,? or (?:uncertain|unknown))\s*\?\s*",
    re.IGNORECASE,
)
_OPTIONS = re.compile(r"^[ \t]*(?:(?:\*\*)?options\s*:|A\)\s*True\b).*", re.I | re.M | re.S)
_OPTION = re.compile(rf"\b([A-E])[).:]\s*({_WORD})\b", re.I)
_HEADING = re.compile(r"^\s*(?:premises|context)\s*:", re.I)
_NUMBERED = re.compile(r"^\s*(?:\d{1,3}[.)]\s|[-*]\s)\s*")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_LETTERS_ONLY = re.compile("[A-Za-z]+")


class Logic(Domain):
    """FOLIO and ProverQA style problems, with an exact verifier where they can be formalised.

    The premises and the conclusion are formulas (``FORMULA`` or ``FORMULA ::: sentence``, see
    :mod:`~agentflow.domains.logic.fol`), or sentences of the controlled English of
    :mod:`~agentflow.domains.logic.english`; one of the two for the whole problem. Any other text
    is a problem, too, but no verdict on it can be told.

    States: a ``step`` claims that something follows (``Step: Alex is happy.``, ``From 1, 3: Alex
    is happy.``; what the numbers say is not judged), a ``candidate`` is an answer line. A claim
    that is not in the language, or speaks of what the problem does not, cannot be told.

    Error kinds: ``contradicted`` (the premises say the opposite), ``not_entailed``, and of answers
    ``wrong_answer`` and ``not_an_answer``.
    """

    name = "logic"
    description = "Is a conclusion True, False or Uncertain given its premises?"
    example = _EXAMPLE
    complete = True
    """Where the problem is formalised and Z3 decides it; elsewhere no verdict passes anything."""
    tools: ClassVar[Mapping[str, str]] = {"z3": "sandbox"}

    def __init__(self, toolbox: Toolbox | None = None) -> None:
        super().__init__(toolbox)
        self._known: dict[tuple[str, str], tuple[str | None, dict[str, Any]]] = {}

    def parse(self, text: str, id: str = "") -> Problem:
        """:func:`parse`."""
        return parse(text, id)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The claim or the answer on one line of generated text; nothing is remembered."""
        if len(line) > _MAX_LINE:
            return memory, []
        end = offset + len(line)
        if (step := answers.step(line)) is not None:
            claim = step.partition(":::")[0].strip(" \t\r*")
            return memory, [State("step", {"claim": claim}, offset, end)] if claim else []
        if "nswer" in line or "NSWER" in line or "boxed" in line:
            answer = self.answer(line)
            if answer is not None and self.normalise(problem, answer) is not None:
                return memory, [State("candidate", {"answer": answer}, offset, end)]
        return memory, []

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Whether the premises entail a claim. Earlier steps are entailed, so they add nothing."""
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        claim = state.data["claim"]
        try:
            formula = _claimed(problem, claim)
        except ValueError as error:
            return self._cannot_tell(str(error))
        outcome, evidence = await self._entailed(problem, formula)
        match outcome:
            case "agree":
                return Verdict(True, source=self.name, evidence=evidence)
            case "contradict":
                return self.wrong("contradicted", f"the premises say the opposite of: {claim}")
            case "uncertain":
                return self.wrong("not_entailed", f"it does not follow from the premises: {claim}")
        return self._cannot_tell(evidence["reason"])

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Whether ``answer`` is what follows for the conclusion."""
        said = self.normalise(problem, answer)
        if said is None:
            reason = f"{answer[:60]!r} is none of True, False and Uncertain"
            return self.wrong("not_an_answer", reason)
        if problem.data["claim"] is None:
            return self._cannot_tell(problem.data["informal"])
        outcome, evidence = await self._entailed(problem, fol.parse(problem.data["claim"]))
        if outcome not in ANSWERS:
            return self._cannot_tell(evidence["reason"])
        if ANSWERS[outcome] == said:
            return Verdict(True, source=self.name, evidence=evidence)
        reason = {
            "True": "the conclusion does not follow from the premises",
            "False": "the premises do not rule the conclusion out",
            "Uncertain": "the premises decide the conclusion",
        }[said]
        return self.wrong("wrong_answer", f"{said} is wrong: {reason}")

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """``True``, ``False`` or ``Uncertain``, whichever way it is spelled; None if it is none."""
        found = _SAID.fullmatch(answer.strip(" \t\r\n*.\"'`$")[:200])
        if found is None:
            return None
        word = _WORDS[found["word"].lower()] if found["word"] else None
        letter = found["letter"] and problem.data["letters"].get(found["letter"].upper())
        if found["letter"] and (letter is None or word not in (None, letter)):
            return None
        return word or letter

    async def _entailed(
        self, problem: Problem, claim: fol.Formula
    ) -> tuple[str | None, dict[str, Any]]:
        """Z3's outcome for a claim, and the evidence; one call of the tool, or none."""
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
            said = use.artifact if isinstance(use.artifact, dict) else {}
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
        if tool is None or tool.name != "z3" or not _fits(premises, asked, claim):
            return None
        found = await shallow.judged(premises, _names(premises, asked), claim)
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
    premises, conclusion, letters = _from_json(text) if text.lstrip()[:1] == "{" else _read(text)
    if not premises or not conclusion:
        what = "premises" if not premises else "conclusion"
        raise BadInput(f"logic: no {what} in the problem; example: {_EXAMPLE}")
    formulas, words, why = _formalised([*premises, conclusion])
    data = {
        "listing": "\n".join(f"{number}. {one}" for number, one in enumerate(premises, 1)),
        "conclusion": conclusion,
        "premises": formulas[:-1],
        "claim": formulas[-1] if formulas else None,
        "words": words,
        "informal": why,
        "letters": letters,
    }
    return Problem(text.strip(), "logic", id or text.strip(), data=data)


def _read(text: str) -> tuple[list[str], str, dict[str, str]]:
    """(premises, conclusion, what the option letters mean) of a problem in plain text."""
    options = _OPTIONS.search(text)
    letters = _letters(options[0]) if options else _LETTERS
    text = text[: options.start()] if options else text
    asked = list(_ASKED.finditer(text))
    if not asked:
        raise BadInput(f"logic: no 'Conclusion: ...' in the problem; example: {_EXAMPLE}")
    before, conclusion = text[: asked[0].start()], text[asked[-1].end() :]
    premises = []
    for line in _HEADING.sub("", before, count=1).splitlines():
        line = _NUMBERED.sub("", line).strip()
        if _formal(line):
            premises.append(line)
        else:
            premises += _SENTENCE.split(line) if line else []
    return premises, " ".join(conclusion.split()), letters


def _from_json(text: str) -> tuple[list[str], str, dict[str, str]]:
    try:
        row = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"logic: the problem starts with {{ but is no JSON ({error})") from error
    options = row.get("options", [])
    letters = _letters("\n".join(map(str, options))) if isinstance(options, list) else _LETTERS
    if "context" in row:
        asked = f"{row['context']}\nConclusion: {row.get('question', row.get('conclusion', ''))}"
        return (*_read(asked)[:2], letters)
    premises, conclusion = row.get("premises"), row.get("conclusion")
    formal = row.get("premises-FOL")
    if not isinstance(premises, list) or not isinstance(conclusion, str):
        raise BadInput(
            "logic: the JSON needs premises (a list) and conclusion (a text), or context"
        )
    if formal is not None:
        if not isinstance(formal, list) or len(formal) != len(premises):
            raise BadInput("logic: premises-FOL must be a list as long as premises")
        premises = [f"{one} ::: {said}" for one, said in zip(formal, premises, strict=True)]
    if claim := row.get("conclusion-FOL"):
        conclusion = f"{claim} ::: {conclusion}"
    return [" ".join(str(one).split()) for one in premises], " ".join(conclusion.split()), letters


def _letters(options: str) -> dict[str, str]:
    return {letter.upper(): _WORDS[word.lower()] for letter, word in _OPTION.findall(options)} or (
        _LETTERS
    )


def _formal(line: str) -> str | None:
    """The formula of a line that has one; it may yet be malformed."""
    if ":::" in line:
        return line.partition(":::")[0].strip()
    if re.search("[∀∃¬∧∨→↔⊕]", line):
        return line
    try:
        found = fol.parse(line)
    except fol.FormulaError:
        return None
    return None if isinstance(found, fol.Atom) and not found.arguments else line


def _formalised(lines: Sequence[str]) -> tuple[list[str], dict[str, list[str]], str]:
    """(formulas, words, why there are none) of the premises and, last, the conclusion.

    Raises:
        BadInput: If a formula is malformed, or two do not go together.
    """
    formal = [_formal(line) for line in lines]
    if any(formal):
        if missing := [number for number, one in enumerate(formal, 1) if one is None]:
            where = "the conclusion" if missing[0] == len(lines) else f"premise {missing[0]}"
            return [], {}, f"there are formulas, but {where} has none"
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
        return list(map(fol.show, formulas)), _NO_WORDS, ""
    try:
        words = english.words_of(lines)
        formulas = english.formalise(lines, words)
    except english.NotControlled as error:
        return [], {}, f"not in the controlled English: {error}"
    found = {"nouns": sorted(words.nouns), "plurals": sorted(words.plurals)}
    return list(map(fol.show, formulas)), found, ""


def _words(problem: Problem) -> english.Words:
    return english.Words(*(set(problem.data["words"][kind]) for kind in ("nouns", "plurals")))


def _claimed(problem: Problem, claim: str) -> fol.Formula:
    """The formula of a step's claim.

    Raises:
        ValueError: If it is none, or speaks of what the problem does not.
    """
    if problem.data["claim"] is None:
        raise ValueError(problem.data["informal"])
    text = claim.rstrip(" .")
    if _formal(text):
        formula = fol.parse(text)
    else:
        claim = _recased(problem, claim)
        (formula,) = english.formalise([claim], _words(problem))
    if not _known_names(problem).covers(fol.signature([formula])):
        raise ValueError(f"it speaks of what the problem does not: {claim[:80]}")
    return formula


def _recased(problem: Problem, claim: str) -> str:
    """An English claim with the names in it spelled as the problem does, all else in small letters.

    The language is without other capitals.
    """
    names = {name.lower(): name for name in _known_names(problem).constants}
    return _LETTERS_ONLY.sub(lambda word: names.get(word[0].lower(), word[0].lower()), claim)


def _known_names(problem: Problem) -> fol.Signature:
    return _names(tuple(problem.data["premises"]), problem.data["claim"])


@lru_cache(maxsize=1_024)
def _names(premises: tuple[str, ...], claim: str) -> fol.Signature:
    return fol.signature(map(fol.parse, (*premises, claim)))


def _fits(premises: tuple[str, ...], asked: str, claim: fol.Formula) -> bool:
    return shallow.is_shallow(claim) and _all_fit(premises, asked)


@lru_cache(maxsize=1_024)
def _all_fit(premises: tuple[str, ...], asked: str) -> bool:
    return shallow.fits(list(map(fol.parse, premises)), _names(premises, asked))


@lru_cache(maxsize=1_024)
def _program(premises: tuple[str, ...], claim: str) -> str:
    """SMT-LIB for the premises; it declares the names of the conclusion, too."""
    return smtlib.script([fol.parse(one) for one in premises], _names(premises, claim))
