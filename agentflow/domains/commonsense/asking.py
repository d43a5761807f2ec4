"""What a question of the world asks: yes or no, or for a thing; in which sentence, and of what."""

from __future__ import annotations

import re

from agentflow.domains.commonsense.last_lines import HEADINGS
from agentflow.problem import Problem
from agentflow.tools.search.words import content_words

_MAX_ASKED = 200
"""Characters of a question of which all sentences are looked at; of a longer one, only the last."""
_ENDS = re.compile(r"(?<=[.!?]) +(?=[A-Z])")
_AUXILIARY = (
    r"(?:am|is|are|was|were|be|do|does|did|can|could|will|would|shall|should|may(?! \d)|might|must"
    r"|has|have|had|isn't|aren't|wasn't|weren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't"
    r"|shouldn't|hasn't|haven't|hadn't)"
)
_OPENS = re.compile(rf"{_AUXILIARY}\b", re.IGNORECASE)
_WH = r"(?:what|which|who|whom|whose|how|why|where|when)\b"
_ASKS_LATER = re.compile(
    rf"(?:(?:for|if|in|after|before|at)\b(?! {_WH})|when\b)[^?]*, {_AUXILIARY}\b(?! {_WH})",
    re.IGNORECASE,
)
_ASKS_MORE = re.compile(rf"\b(?:and,?(?: if so,?)?|if so,?) {_WH}[^?,]*\?", re.IGNORECASE)
"""``Is it a bird, and if so, which?``"""
_CHOICE = re.compile(r"\bor\b", re.IGNORECASE)
_BOTH = re.compile(r"\bboth\b", re.IGNORECASE)
OF_THING = re.compile(
    r"(?i)\b(?:who|what|which|where|when|how|name|author|date|year|time|place|location|city|country"
    r"|title|director|capital|age|number|day|month|person)\b"
)
"""What a headline names, or asks for, that is about a thing."""
_ASKED_AS = {
    **{"who": "person name author", "when": "date year time", "where": "place location"},
    **{"wrote": "author writer", "many": "number count", "old": "age"},
}
"""A word of a question -> what a headline may call what it asks for."""
_STEM = 4
_SAID_OF_IT = frozenset(("question", "correct", "right", "best"))
"""What a headline may say besides of what is asked for."""
_LISTED = re.compile(r"\A[\W_]*\d{1,2}[.)]\s")
"""The number of a headline among the steps of a list."""


def is_about(question: str, name: str) -> bool:
    """Whether a name is that of a thing that a question speaks of."""
    return not _CHOICE.search(question) and {*content_words(name)} <= {*content_words(question)}


def sentence(problem: Problem) -> str:
    """The question without its options, and without what stands behind it: how to go about it."""
    question: str = problem.data["question"]
    if problem.data.get("options"):
        at = question.find(" A")
        return question[:at] if at > 0 and question[at + 2 : at + 3] in ".):" else question
    asked = question[: question.rfind("?") + 1] or question
    return asked if len(asked) <= _MAX_ASKED else _ENDS.split(asked)[-1]


def is_yes_no(question: str) -> bool:
    """Whether a question asks for yes or no, by its form.

    It begins with an auxiliary verb, or has one behind an opening clause and a comma, and offers
    no choice with ``or`` (``both A or B``, as HotpotQA has it, is none), nor asks for more.
    """
    if _CHOICE.search(question) and not _BOTH.search(question):
        return False
    if _ASKS_MORE.search(question):
        return False
    return bool(_OPENS.match(question) or _ASKS_LATER.match(question))


def heads(question: str, headline: str) -> bool:
    """Whether a headline that names a thing, or asks for one, is about what is asked for."""
    asked = question.lower()
    asked += " " + " ".join(_ASKED_AS.get(word, "") for word in re.findall("[a-z]+", asked))
    words = {*content_words(_LISTED.sub("", headline))} - HEADINGS - _SAID_OF_IT
    return all(word[:_STEM] in asked for word in words)
