"""Whether two answers to a question are one, and what an answer is that says its question again."""

from __future__ import annotations

import re

from agentflow.domains import choices, restated, restated_values
from agentflow.domains.answers.alike import alike
from agentflow.domains.commonsense import asking, declared
from agentflow.domains.commonsense.short_answers import may_be_one, short
from agentflow.domains.spelling import NUMBERS
from agentflow.problem import Problem

_NOT = re.compile(r"\b(?<=is |as )not ")
_FULL_NAME = re.compile(r"[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,2} (?P<last>[A-Z][\w'’-]+)")
_HOW_MANY = re.compile(r"(?i)\bhow many\b")
_NUMBER_WORD = re.compile(rf"(?i)\b(?:{'|'.join(set(NUMBERS) - {'one', 'zero'})})\b")


def denies(question: str, name: str, clause: str) -> bool:
    """Whether a clause that says the question again answers it otherwise, or denies the answer."""
    if clause[:3].lower() == "it ":  # which may be something else
        return False
    positive = _NOT.sub("", clause)
    other = declared.answered(question, positive)
    return other is not None and may_be_one(other, name) is not (positive == clause)


def without_question(problem: Problem, answer: str) -> str:
    """An answer without the question that it says again (``The capital of Peru is Lima.``), or the
    option that it names."""
    options: dict[str, str] = problem.data.get("options", {})
    if letter := choices.letter(answer, options):
        return options[letter]
    return declared.answered(asking.sentence(problem), answer) or answer


def slot(question: str, sentence: str) -> str | None:
    """What a sentence answers that says a question again; of how many there are, the number."""
    if not _HOW_MANY.search(question):
        return restated.slot(question, sentence)
    digits = _NUMBER_WORD.sub(lambda one: str(NUMBERS[one[0].lower()]), sentence)
    return restated_values.value(question, digits)


def same_kind(problem: Problem, one: str, other: str) -> bool:
    """Whether two names are one but for what the question calls such a thing: ``Amazon River``."""
    names = [short(each) or "" for each in (one, other)]
    kinds = {*re.findall(r"\b[a-z]{3,}\b", asking.sentence(problem))}
    forms = [" ".join(one for one in each.lower().split() if one not in kinds) for each in names]
    return forms[0] == forms[1] and re.search("[a-z]", forms[0]) is not None


def may_be(one: str, other: str) -> bool:
    """Whether two answers may be one: the same, or a person by name and by surname."""
    return alike(one, other) or surname(one, other)


def surname(one: str, other: str) -> bool:
    """Whether one of two names is the last word of the other: ``Shakespeare``."""
    last, whole = sorted((one, other), key=len)
    named = _FULL_NAME.fullmatch(whole)
    return named is not None and named["last"] == last
