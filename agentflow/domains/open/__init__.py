"""Questions with any answer in words: only a judge can tell whether one is right."""

from __future__ import annotations

import re
from typing import Any

from agentflow.domains import answers, choices, restated, unrelated
from agentflow.domains.answers import conclusions
from agentflow.domains.protocol import Domain, free_question
from agentflow.problem import Problem
from agentflow.state import State
from agentflow.tools.compared import Outcome
from agentflow.tools.plain_equality import quick
from agentflow.verdict import Verdict

MAX_QUESTION = 50_000
MAX_ANSWER = 2_000
"""Characters."""
_STOP = re.compile(r"\A[ .]+(?!\d)")
"""Stops in front of an answer; the one of ``.5`` is none."""
_LETTER = re.compile(r"(?<![a-zA-Z'’.])[A-Z](?![a-zA-Z'’.])")
_WORDS = re.compile(r"[^\W_]+")
_WRAPPED = re.compile(r"\\(?:text(?:bf|rm|it)?|mathrm|mathbf)\s*\{([^{}]*)\}")
_CALLED = re.compile(
    r"(?:\A|(?<=[.!?\n]))[^\S\n]*(?:(?:[Ss]o|[Tt]hus|[Tt]herefore|[Hh]ence),? )?"
    r"[Tt]he (?:final |correct )?"
    r"answer is (?P<said>[a-z]+)\.?\s*\Z"
)
"""``So the answer is valid.``, which may say of another answer what it is like."""
_CERTAIN = ("number", "choice")
"""How two answers differ for which no model is asked; 3.10 and 3.1 may be versions."""
_LISTED = "listed"
"""What marks such a word, which is an answer only where it is one of the options."""
_OPTIONS = re.compile(r"(?mi)^options:[ \t]*\n(?P<listed>(?:[ \t]*[-*•] [^\n]+(?:\n|\Z))+)")


class Open(Domain):
    """The domain. Its answers are what a line, or a box, states, or what a sentence that says the
    question again has besides (:mod:`~agentflow.domains.restated`); nothing is verified.

    Two answers are the same where their letters and digits are, whatever their case and spacing.
    Those in other words vote together where a tool with the role ``equality`` says that they are
    the same (it may be a model: :mod:`agentflow.nodes.model_tools`). Whether one matches the gold
    answer, ``agentflow reproduce`` asks a model (:mod:`agentflow.reproduce.judging`).
    """

    name = "open"
    description = "A question of any kind, answered in words; no verifier."
    example = "Which particle carries the strong force?"
    form = "a few words, a number or an expression"
    by_model = ("equality",)

    def parse(self, text: str, id: str = "") -> Problem:
        """The question in ``text``.

        Raises:
            BadInput: If it is empty or too long.
        """
        return free_question(self, text, id, MAX_QUESTION)

    def extract(
        self, problem: Problem, line: str, offset: int, memory: dict[str, Any]
    ) -> tuple[dict[str, Any], list[State]]:
        """The answers that a line states."""
        return self.with_candidates(_nothing, problem, line, offset, memory)

    async def verify_answer(self, problem: Problem, answer: str) -> Verdict:
        """Undecided: there is no verifier of answers in words."""
        if self.normalise(problem, answer) is None:
            return self.unread(answer)
        return Verdict(None, "there is no verifier of answers in words", source=self.name)

    def normalise(self, problem: Problem, answer: str) -> str | None:
        """The answer in one spelling, or the letter of the option that it names; None for one that
        is too long, says nothing, gives an option another text, or has a letter in words that are
        not read (``Certainly B``)."""
        question = problem.data["question"]
        if restated.is_carried(answer):
            answer = restated.said(question, answer) or ""
        answer, grounds = conclusions.parted(answer)
        if not unrelated.goes_with(problem.text, grounds):
            return None
        plain = _WRAPPED.sub(r"\1", answer.replace("**", "").replace("$", " "))
        options = choices.listed(question)[1]
        if letter := choices.letter(plain, options):
            return f"({letter})"
        if choices.named(plain, options)[0] or any(
            one in options for one in _LETTER.findall(plain)
        ):
            return None
        if grounds == [_LISTED] and plain.casefold() not in _listed(question):
            return None
        form = _plain(plain)
        told = len(form) <= MAX_ANSWER and re.search(r"[^\W_]|[][(){}<>]", form)
        return form if told and form not in ("answer", "your answer") else None

    async def equal(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether two answers are the same, in the same words or by what the tool ``equality`` says
        of them, which is not asked of different numbers or letters. None where one of them is not
        read, or what a sentence says besides the question may be the other in other words, or one
        says the other with more of it (``404 Not Found``)."""
        same = await self._alike(problem, one, other)
        forms = self.normalise(problem, one), self.normalise(problem, other)
        if same or None in forms or "equality" not in self.toolbox.tools:
            return same
        plain = quick(*(form or "" for form in forms))
        if isinstance(plain, Outcome) and plain.equal is False and plain.how in _CERTAIN:
            return False
        texts = (restated.whole(it) if restated.is_carried(it) else it for it in (one, other))
        asked = await self.asked_equal(problem, *texts)
        return same if asked is None else asked

    async def _alike(self, problem: Problem, one: str, other: str) -> bool | None:
        """Whether they are the same in the same words."""
        forms = [self.normalise(problem, each) or "" for each in (one, other)]
        if restated.is_carried(one) and _plain(restated.whole(one)) == forms[1]:
            words = {*_WORDS.findall(problem.data["question"].casefold())}
            if words.issuperset(_WORDS.findall(forms[1])):
                return True  # all of a reply is words, or brackets, of the question
        same = await super().equal(problem, one, other)
        if same is not False:
            return same
        if any(map(restated.is_carried, (one, other))):
            return restated.same(*forms) or None
        parts = [{*_WORDS.findall(form)} for form in forms]
        more = not any(map(choices.listed(problem.text)[1].get, "AB")) and all(parts)
        return None if more and (parts[0] < parts[1] or parts[1] < parts[0]) else False

    def answer(self, text: str) -> str | None:
        """The answer that is boxed, or called one, and that the text holds on to; or a word or a
        number that is all of the text; else what may say the question again."""
        if answers.statements(text):
            said = answers.stated(text)
            return said and conclusions.grounded(said, unrelated.told(text, said))
        if last := _CALLED.search(text):
            return conclusions.grounded(last["said"], [_LISTED])
        alone = "\n" not in text.strip() and not text.lstrip().startswith("[")
        said = answers.stated(text) if alone else None
        return said or restated.carried(text) or restated.bare(text)


def _plain(text: str) -> str:
    """A text in one spelling."""
    return _STOP.sub("", " ".join(text.split())).rstrip(" .").casefold()


def _listed(question: str) -> list[str]:
    """The options of a question that stand behind dashes."""
    found = _OPTIONS.search(question)
    lines = found["listed"].casefold().split("\n") if found else []
    return [line.strip(" \t-*•.") for line in lines if line.strip()]


def _nothing(
    problem: Problem, line: str, offset: int, memory: dict[str, Any]
) -> tuple[dict[str, Any], list[State]]:
    """No steps."""
    return memory, []
