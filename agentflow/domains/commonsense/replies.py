"""A reply without what only adorns it: ``No 🙂``, ``Q: Can it fly? A: No.``"""

from __future__ import annotations

import re
import unicodedata

from agentflow.domains import answers
from agentflow.tools.search.words import content_words

_MEANT = frozenset("✅❌✓✔✗✘👍👎🚫❎☑⛔🙃😉😏🤥🤞🤷🤔🙄😬😅❓❔⁉")
"""Signs that may judge or doubt what they stand behind."""
_ADORNS = frozenset("\ufe0f\u200d")
_DIALOGUE = re.compile(
    r"(?is)\A\s*[*_]*(?:q|question)[*_]*:[*_]*\s*(?P<asked>[^\n]{5,400}\?)\s*[*_]*\n+\s*"
    r"[*_]*a(?:nswer)?[*_]*:[*_]*\s*(?P<said>(?:(?!\n\s*[*_]*(?:q|question)[*_]*:).)+)\Z"
)
"""One question and its answer."""

_IS_THAT = re.compile(
    r"(?i)(?:\b(?:so|thus|therefore|hence),? )?\bthe (?:final |correct )?answer is that"
    r" (?P<said>[^.!?\n]{1,300}(?=[.!]))"
)
_NUMBER = re.compile(r"\d+")
_IN_WORDS = re.compile(
    r"(?:,? ?\b[Tt]he |(?<=[.!] )The )(?:final |correct )?answer (?:is|must be|should be)"
    r" (?P<said>(?:the|an?|my|his|her|their) [a-z][a-z'’ -]{1,60}(?=[.!]))"
)
_LETTER = re.compile(r"[(\[]?[A-J][)\].]*")


def plainly(text: str) -> tuple[str, str]:
    """(the text without emoji at the ends of its lines and without the labels of a dialogue, the
    question that this repeats)."""
    if not text.isascii():
        text = "\n".join(_unadorned(line) for line in text.split("\n"))
    found = _DIALOGUE.match(text)
    return (found["said"], found["asked"].replace("; ", ", ")) if found else (text, "")


def concluded(text: str) -> str:
    """A text in which a clause that is called the answer above another one is only concluded: ``So
    the coin is heads up``. A number in it has to be that other one."""
    found = answers.statements(text) if " answer is that " in text else ()
    if not found:
        return text
    last = found[-1]
    known = {*_NUMBER.findall(last.text)}
    return _IS_THAT.sub(
        lambda one: (
            f"So {one['said']}"
            if one.end() <= last.start and known.issuperset(_NUMBER.findall(one["said"]))
            else one[0]
        ),
        text,
    )


def in_words(text: str) -> tuple[str, list[str]]:
    """(a text without what it calls its answer in words above the letter of an option, those
    words): ``The answer is the boss. So the answer is (B).``"""
    found = answers.statements(text) if _IN_WORDS.search(text) else ()
    if not found or not _LETTER.fullmatch(found[-1].text):
        return text, []
    above, rest = text[: found[-1].start], text[found[-1].start :]
    return _IN_WORDS.sub("", above) + rest, [one["said"] for one in _IN_WORDS.finditer(above)]


_REASONING = re.compile(
    r"\b(?<![Mm]y )(?<![Oo]ur )(?<![Tt]his )(?<!above )(?<!previous )(?<! own )"
    r"(?P<what>[Aa]rgument)(?P<more>s?)\b(?! (?:above|below|here)\b)"
)
"""What a reply calls its own reasons by, or a thing of its problem."""


_RENAMED = re.compile(r"\b(?P<what>[Aa]rgument)um(?P<more>s?)\b")


def of_its_problem(text: str) -> tuple[str, set[str]]:
    """(a text in which such things are called by names that no reply has for its reasons, their
    names): for ``The argument overlooks the cost``, where the question is about an argument."""
    names = {one["what"].lower() for one in _REASONING.finditer(text)}
    return _REASONING.sub(r"\g<what>um\g<more>", text), names


def named_again(text: str) -> str:
    """A text of :func:`of_its_problem` with the names that it had."""
    return _RENAMED.sub(r"\g<what>\g<more>", text)


def same_question(one: str, other: str) -> bool:
    """Whether two questions are of the same words, in the same order."""
    return content_words(one) == content_words(other)


def _unadorned(line: str) -> str:
    """A line without the emoji that it ends in."""
    end = line.rstrip()
    signs = len(end)
    while signs and (_is_emoji(end[signs - 1]) or end[signs - 1] in " \t"):
        signs -= 1
    tail = end[signs:]
    if not tail.strip() or not _MEANT.isdisjoint(tail) or not end[:signs].strip():
        return line
    return end[:signs]


def _is_emoji(sign: str) -> bool:
    return sign in _ADORNS or (unicodedata.category(sign) == "So" and sign > "\u2100")
