"""Questions about the world: yes or no, or a few words (StrategyQA, HotpotQA)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from agentflow.domains import answers, choices, restated, unrelated
from agentflow.domains.answers import conclusions, objects, summed_up
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.commonsense import (
    amounts,
    asking,
    chosen,
    concluding,
    declared,
    figures,
    lifetimes,
    likeness,
    named,
    one_answer,
    picked,
    reasons,
    replies,
    sides,
)
from agentflow.domains.commonsense.asking import is_yes_no
from agentflow.domains.commonsense.last_lines import MAX_LINE, last
from agentflow.domains.commonsense.short_answers import may_be_one, normal_form, short, yes_no
from agentflow.domains.protocol import Domain, Memory, Read
from agentflow.domains.spelling import shortened
from agentflow.errors import BadInput
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.findings import failed, found_by
from agentflow.tools.search.words import content_words
from agentflow.verdict import TOOL_ERROR, Verdict

LOOK_UPS = 16
"""Facts and answers of one stretch of text that are looked up; the rest is not."""
HITS = 5
"""Results of one look-up."""

_MAX_QUESTION = 2000
_MAX_ANSWER = 200
_YES_NO = re.compile(
    r"\W*(?:so |therefore,? |thus,? )?(yes|no)\b[*_]*(?:[.,:;!]| ?[—–]| - |[ \t]*\n)", re.IGNORECASE
)
_ALONE = re.compile(r"\A\W*(yes|no)[*_]*[ \t]*\n\s*", re.IGNORECASE)
"""A yes or a no on a line of its own."""
_SO_IS = re.compile(
    r"(?i)[.!] (?:so|therefore|thus|hence),? the (?:correct |final )?answer is:\W*\Z"
)
"""A sentence that leads up to an answer, behind others."""
_UNDER = "under: "
"""What marks a headline right above an answer."""
_OPENS_WITH = "opens: "
"""What marks the name that a text opens with."""
_BEHIND = "behind: "
"""What marks what a text says behind an answer that is a name."""
_ALSO = "also: "
"""What marks a whole text, of which another sentence may be its answer than the last."""
_ABOVE = "above: "
"""What marks a clause right above an answer."""
_NAMES = re.compile(
    r"\b(?:is|was|are|were|by|in) (?:not )?(?:the )?[A-Z\d]|\A[A-Z]\w+ (?:is|was|are|were) the "
)
"""What may answer a question that it says again."""
_OF_PROBLEM = "of the problem: "
"""What marks a thing that a text speaks of, which its problem has to name."""
_IN_WORDS = "in words: "
"""What marks what a text calls its answer above the letter of an option."""
_SUMS_UP = "sums up: "
"""What marks what a text sums itself up to."""
_ASKS_PERSON = re.compile(r"(?i)who(?:m|se)?\b")
_FACT = re.compile(r"\W*fact\s*\d{0,3}\W{0,3}:\W{0,3}(\w.*)", re.IGNORECASE)
_STEP = re.compile(r"[\W_]*step[ \t]*\d", re.IGNORECASE)
_FORMS = {
    "yes_no": "Answer with yes or no.",
    "short": "Answer with a few words: a name, a number, a date (yes or no where that is asked).",
}


class Commonsense(Domain):
    """The domain; its verdicts are evidence for a verifier that reads it, not proofs.

    States have two kinds. A ``step`` is a line ``Fact: ...``; a ``candidate`` is an answer line or
    a boxed answer. A fact, and the question with an answer to it, is looked up with the search
    tool, and the verdict is always None: that a page says the same words does not make a claim
    true, and that none does not make it false. ``evidence["hits"]`` holds what was found;
    ``evidence["supported"]``, the score where there are hits, is the share of the claim's content
    words that the best one holds, which a claim and its negation have in common. What was looked up
    before in the same stretch of text, or comes after the first :data:`LOOK_UPS`, is not looked up.
    """

    name = "commonsense"
    description = "A question about the world, answered with yes or no or with a few words."
    example = "Did the Roman Empire fall before the printing press was invented?"
    form = "yes or no, or a few words that name one thing: a name, a number, a date"
    tools: ClassVar[Mapping[str, str]] = {"search": "web"}

    def parse(self, text: str, id: str = "") -> Problem:
        """The question in ``text``; ``data["form"]`` is ``yes_no`` or ``short``.

        Raises:
            BadInput: If it is empty, too long, or has no word.
        """
        question = re.sub(r"^(?:question|q)\s*:\s*", "", " ".join(text.split()), flags=re.I)
        if not question:
            raise BadInput(f"commonsense: the question is empty; example: {self.example}")
        if len(question) > _MAX_QUESTION:
            raise BadInput(
                f"commonsense: the question has {len(question)} characters, at most "
                f"{_MAX_QUESTION} are read; example: {self.example}"
            )
        if not re.search(r"[^\W\d_]", question):
            raise BadInput(
                f"commonsense: {question[:40]!r} is no question; example: {self.example}"
            )
        before, options, _ = choices.listed(text)
        others = len(options) > 1 and not any(map(yes_no, options.values()))
        asks = question if len(options) < 2 else " ".join(before.split())
        form = "yes_no" if is_yes_no(asks) and not others else "short"
        data: dict[str, Any] = {"question": question, "form": form, "ask": _FORMS[form]}
        if len(options) > 1:
            data["options"] = options
        return Problem(text=question, domain=self.name, id=id or question, data=data)

    def extract(self, problem: Problem, line: str, offset: int, memory: Memory) -> Read:
        """The fact or the answer that a line states."""
        whole = line if line.endswith("\n") else f"{line}\n"
        stated, statements = answers.read(memory.get("said", {}), whole, offset)
        kept = {"said": stated} if stated else {}
        known = memory.get("known", [])
        if fact := _FACT.match(line) if ":" in line and len(line) <= MAX_LINE else None:
            kind, said = "step", fact[1].strip(" \t\r\n*")
        else:
            kind, said = "candidate", statements[-1].text if statements else ""
        fresh = False
        if said and len(said) <= MAX_LINE:
            key = f"{kind} {normal_form(said)}"
            fresh = key not in known and len(known) < LOOK_UPS
            known = [*known, key] if fresh else known
        memory = kept | ({"known": known} if known else {})
        if not said or len(said) > MAX_LINE:
            return memory, []
        data = {"claim" if kind == "step" else "answer": said, "fresh": fresh}
        return memory, [State(kind, data, offset, offset + len(line))]

    async def verify_state(
        self, problem: Problem, state: State, earlier: Sequence[State], *, hopeless: bool = False
    ) -> Verdict:
        """Look a fact or an answer up: ok is None, with what was found."""
        if not state.data["fresh"]:
            return Verdict(None, "it was looked up before, or too many were", source=self.name)
        if state.kind == "candidate":
            return await self.verify_answer(problem, state.data["answer"])
        return await self._look_up(state.data["claim"])

    def answer(self, text: str) -> str | None:
        """A yes or no with which a text begins and that it only explains, or what
        :func:`answers.stated` finds, else a short last line; no fact. With it the whole text,
        where that may pick an option: :meth:`normalise` reads it by the options."""
        text = objects.unpacked(text)
        found = None if self._leaves_open(text) else self._answer(text)
        if found is None:
            return self._picked(text)
        said, grounds = conclusions.parted(found)
        told = [*grounds, *unrelated.told(replies.plainly(text)[0], said)]
        whole = picked.grounds(text)
        return conclusions.grounded(said, [*told, f"{picked.PICKED}{whole}"] if whole else told)

    def _picked(self, text: str) -> str | None:
        """What a text names that is understood by the options of its problem alone, if at all."""
        named = picked.named(text)
        whole = f"{picked.ALONE}{picked.grounds(text)}"
        return conclusions.grounded(named, [whole]) if named else None

    def disclaims(self, text: str) -> bool:
        """Whether a text leaves its answer open; a clause that it calls the answer above another
        one, and what it says of a thing that the problem has to name, are held against that by
        :meth:`normalise`."""
        text = objects.unpacked(text)
        return self._leaves_open(text) and not picked.named(text)

    def _leaves_open(self, text: str) -> bool:
        """The same, whatever option a text picks."""
        if not self._disclaims(text):
            return False
        renamed, things = replies.of_its_problem(text)
        return not things or self._disclaims(renamed)

    def _disclaims(self, text: str) -> bool:
        """The same, of a text in which the things of its problem have names of their own."""
        return super().disclaims(replies.in_words(replies.concluded(text))[0])

    def _answer(self, text: str) -> str | None:
        """The same without what has to do with no other sentence of the text."""
        text, words = replies.in_words(replies.concluded(text))
        if words and (found := self._stated(text)):
            said, grounds = conclusions.parted(found)
            return conclusions.grounded(said, [*grounds, *(f"{_IN_WORDS}{one}" for one in words)])
        return self._stated(text)

    def _stated(self, text: str) -> str | None:
        """The same, whatever a text calls its answer in words."""
        text, asked = replies.plainly(text)
        summed = [f"{_SUMS_UP}{one}" for one in summed_up.values(text)]
        begun = _YES_NO.match(text)
        if begun and (said := yes_no(_ALONE.sub(r"\1. ", text))):
            beside = [*_told(text), *([f"{conclusions.ASKS}{asked}"] if asked else ()), *summed]
            return _borne_out(text, conclusions.grounded(said.capitalize(), beside))
        lines = [line for line in text.splitlines(keepends=True) if line.strip()]
        rest = "".join(line for line in text.splitlines(keepends=True) if not _of_the_world(line))
        alone = last(rest) if lines and not _FACT.match(lines[-1]) else _none
        if _STEP.match(answers.above("".join(lines[:-1]))):  # what it comes to, or the answer
            alone = alone if answers.leads_up("".join(lines[:-1])) else _none
        found = answers.settled(rest, alone, one_answer.may_be)
        stated = found.text if found else None
        if begun and stated and yes_no(stated) not in (None, begun[1].lower()):
            return None
        fuller = (
            [one for one in found.beside if stated and one_answer.surname(stated, one)]
            if found
            else []
        )
        if (not found or named.is_remark(stated)) and (begins := named.opens(rest)):
            name, behind = begins
            beside = [f"{_OPENS_WITH}{name}", f"{_BEHIND}{behind}", *summed]
            return conclusions.grounded(stated or name, beside)
        if not found or not stated:
            again = None if answers.statements(rest) else restated.carried(rest)
            return again and _borne_out(text, again)
        whole = max([stated, *fuller], key=len)
        head = conclusions.headline(rest)
        head = "" if _SO_IS.search(head) else head
        under = [f"{_UNDER}{head}"] if asking.OF_THING.search(head) else []
        under += _told(text) if yes_no(stated) else _explained(text)
        under += [f"{conclusions.ASKS}{asked}"] if asked else []
        if not yes_no(stated):
            under += [f"{_ABOVE}{one}" for one in conclusions.above(rest) if _NAMES.search(one)]
        beside = [one for one in (stated, *fuller) if one != whole]
        also = None if answers.statements(rest) else restated.carried(rest)
        if also and named.is_remark(stated):
            under.append(f"{_ALSO}{restated.whole(also)}")
        return _borne_out(text, conclusions.grounded(whole, beside + under + summed))

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Look the question up with the answer to it: ok is None, with what was found."""
        form = self.normalise(problem, answer)
        if form is None:
            return self.unread(answer, lambda one: self.normalise(problem, one) is not None)
        question = problem.data["question"]
        claim = question if form in ("yes", "no") else f"{question} {self.shown(answer)}"
        return await self._look_up(claim)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """``yes`` or ``no`` where that is asked, the letter of an option in brackets, else the
        answer's form by :func:`short`; a yes or a no whose reason says the opposite is none, nor
        is one of a text that sums itself up to another one."""
        said, grounds = conclusions.parted(answer)
        things = [one.removeprefix(_OF_PROBLEM) for one in grounds if one.startswith(_OF_PROBLEM)]
        if not all(one in problem.data["question"].lower() for one in things):
            return None
        grounds = [one for one in grounds if not one.startswith(_OF_PROBLEM)]
        told = [one for one in grounds if one.startswith((picked.PICKED, picked.ALONE))]
        options = problem.data.get("options", {}) if problem.data["form"] == "short" else {}
        read = picked.reading(problem.data["question"], options, *told)
        related = unrelated.goes_with(problem.data["question"], grounds, of_the_world=True)
        if read.picks or not related or any(one.startswith(picked.ALONE) for one in told):
            return read.picked
        grounds = unrelated.without(one for one in grounds if one not in told)
        form = self._normalised(problem, conclusions.grounded(said, grounds))
        for ground in grounds if form else ():
            if ground.startswith(_SUMS_UP):
                summed = ground.removeprefix(_SUMS_UP)
                other = self._normalised(problem, summed)
                if form in {f"({one})" for one in options} and (other or "(")[0] != "(":
                    if chosen.speaks_of_another(options, form or "", summed):
                        return None
                elif form and other and form != other and not may_be_one(form, other):
                    return None
        words = [one.removeprefix(_IN_WORDS) for one in grounds if one.startswith(_IN_WORDS)]
        if not all(chosen.is_named(options, form or "", one) for one in words):
            return None
        return form

    def _normalised(self, problem: Problem, answer: str) -> str | None:
        """The same, whatever a text sums itself up to, or opens with."""
        question = problem.data["question"]
        if restated.is_carried(answer):
            yes_or_no = problem.data["form"] == "yes_no"
            text = restated.whole(answer)
            if letter := choices.verbatim(text, problem.data.get("options", {})):
                return None if yes_or_no else f"({letter})"
            reader = restated.affirmed if yes_or_no else one_answer.slot
            answer = restated.said(asking.sentence(problem), answer, reader) or ""
            answer = conclusions.grounded(answer, _told(text) if yes_or_no and answer else [])
        answer, grounds = conclusions.parted(answer)
        if not answer or len(answer) > _MAX_ANSWER:
            return None
        again, behind, opens, heads, told, above, also = (
            [one.removeprefix(mark) for one in grounds if one.startswith(mark)]
            for mark in (
                conclusions.ASKS,
                _BEHIND,
                _OPENS_WITH,
                _UNDER,
                conclusions.TOLD,
                _ABOVE,
                _ALSO,
            )
        )
        if not all(replies.same_question(question, one) for one in again):
            return None
        options = problem.data.get("options", {})
        if problem.data["form"] == "yes_no":
            answer = options.get(choices.letter(answer, options), answer)
            said, begun = yes_no(answer), _YES_NO.match(answer)
            if concluding.conditional(answer):
                return None
            beside = " ".join(told) or (answer[begun.end() :] if begun else "")
            return None if said and beside and _against(question, said, beside) else said
        if not all(asking.heads(question, head) for head in heads):
            return None
        if any(one_answer.surname(answer, one) for one in grounds) and not _ASKS_PERSON.match(
            question
        ):
            return None
        asked = asking.sentence(problem)
        if also and (letter := choices.verbatim(also[0], options)):
            return f"({letter})"
        name = declared.answered(asked, answer) or one_answer.slot(asked, answer)
        if name is None and also:
            name = restated.said(
                asked, conclusions.grounded("", also), one_answer.slot, strictly=True
            )
            if name is None and named.is_remark(answer):
                return None
            answer = name or answer
        if name is None and opens and behind and asking.is_about(question, opens[0]):
            reply = restated.carried(behind[0])
            name = restated.said(asking.sentence(problem), reply) if reply else None
            return short(name) if name else None
        name = name or (opens or [answer])[0]
        marked = choices.marked(name) and choices.letter(name, options)
        if not marked and named.at_odds(question, name, " ".join(behind)):
            return None
        if any(one_answer.denies(question, name, one) for one in above):
            return None
        if letter := choices.letter(name, options):
            return f"({letter})"
        return None if choices.named(name, options)[0] else short(name)

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether two answers are the same; None where one of them is not read, or may say the
        other in more words."""
        forms = self.normalise(problem, one), self.normalise(problem, other)
        if None in forms:
            return None
        if all(form and form.startswith("(") for form in forms):  # letters of options
            return forms[0] == forms[1]
        if any(form and form.startswith("(") for form in forms) and problem.data.get("options"):
            return None  # a text that is none of the options
        same = await super().equal(problem, one, other)
        if not same and any(_BEHIND in each for each in (one, other)):
            return None  # a name that a text opens with may be what it speaks of
        if same or problem.data["form"] == "yes_no":
            return same
        if (yes_no(forms[0] or "") is None) != (yes_no(forms[1] or "") is None):
            return None  # the words in which it is said may come to a yes or a no
        told = [
            form or "" if _ALSO in each else one_answer.without_question(problem, self.shown(each))
            for form, each in zip(forms, (one, other), strict=True)
        ]
        if amounts.same(problem.data["question"], *told) or one_answer.same_kind(problem, *told):
            return True
        return None if may_be_one(*told) else False

    async def _look_up(self, claim: str) -> Verdict:
        use = await self.toolbox.use("search", query=claim, limit=HITS)
        evidence: dict[str, Any] = {"query": claim}
        found = use.fields
        if failed(use):
            evidence["said"] = use.content
            why = shortened(" ".join(use.content.split()), 200)
            reason = f"it could not be looked up: {use.tool}: {why}"
            return Verdict(None, reason, TOOL_ERROR, source=self.name, evidence=evidence)
        hits = found.get("hits")
        if not (isinstance(hits, list) and all(isinstance(hit, dict) for hit in hits)):
            hits = [{"text": said}] if (said := found_by(use)) else []  # read by its text
        texts = [f"{hit.get('title', '')} {hit.get('text', '')}" for hit in hits]
        held = max((supported(claim, text) for text in texts), default=0.0)
        evidence |= {"hits": hits, "supported": held}
        count = f"{len(hits)} result{'s' if len(hits) > 1 else ''}"
        reason = f"{count}: evidence, no proof" if hits else "nothing was found that speaks of it"
        score = held if hits else None
        return Verdict(None, reason, score=score, source=self.name, evidence=evidence)


def supported(claim: str, text: str) -> float:
    """The share of the claim's content words, in [0, 1], that stand in ``text``."""
    words = content_words(claim)
    held = {word[:6] for word in content_words(text)}
    return sum(word[:6] in held for word in words) / len(words) if words else 0.0


def _told(text: str) -> list[str]:
    """What a text says beside its yes or no, where that may say the opposite."""
    told = concluding.told(text)
    return [f"{conclusions.TOLD}{told}"] if told else []


def _explained(text: str) -> list[str]:
    """What stands behind ``Explanation:`` below an answer, or right below an answer line."""
    behind = named.explanation(text) or named.below(text)
    return [f"{_BEHIND}{behind}"] if behind else []


def _borne_out(text: str, answer: str) -> str | None:
    """An answer, unless the numbers and years of its text deny what that says of them."""
    return None if figures.wrong(text) or lifetimes.at_odds(text) else answer


def _against(question: str, said: str, told: str) -> bool:
    """Whether what is said beside a yes or no concludes, or compares, the opposite."""
    readers = (concluding.against, likeness.at_odds, reasons.at_odds, sides.at_odds)
    return any(one(question, said, told) for one in readers)


def _of_the_world(line: str) -> bool:
    """Whether a line is a fact that does not speak of an answer."""
    fact = _FACT.match(line)
    if fact is None or "answer" in line.lower():
        return False
    return not (TAKEN_BACK.search(fact[1]) or SECOND_THOUGHTS.search(fact[1]) or rejected(fact[1]))


def _none(line: str) -> str:
    """Behind a fact, no line is an answer by itself."""
    return ""
