"""What else a text says of the answer that it states: whether it leaves it, or states another.

``Answer: 54`` above ``\\boxed{55}`` is two answers, unless a word takes the first one back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.behind import stands
from agentflow.domains.answers.clauses import ended, goes_on
from agentflow.domains.answers.doubt import (
    SECOND_THOUGHTS,
    TAKEN_BACK,
    leaves_open,
    rejected,
    without_base,
)
from agentflow.domains.answers.fronts import may_lead
from agentflow.domains.answers.full_sentences import says_in_sentence
from agentflow.domains.answers.marks import EMPTY, MAX_ANSWER
from agentflow.domains.answers.other_options import without as without_other_options
from agentflow.domains.answers.remark_words import CHOSEN
from agentflow.domains.answers.typesetting import display, unmarked
from agentflow.domains.answers.values import differ
from agentflow.domains.sentence_ends import SENTENCE_END, led_by
from agentflow.domains.spelling import A_LETTER, LETTER_OR_DIGIT, NUMBERS, lowered

Same = Callable[[str, str], bool]
"""Whether two answers may be one."""
CALLED = ("line", "heading", "sentence", "tag", "json")
"""How a text calls something its answer."""

_MARKS = ("boxed", "tag", "brackets", "json")
_MARKED = {(one, other) for one in _MARKS for other in _MARKS if one != other} | {
    ("boxed", "boxed")
}
"""Marks that are two answers where they differ: a box above a tag."""
_WRITTEN = {("line", "boxed"), *((one, "tag") for one in ("line", "boxed", "sentence"))}
"""What is written right above a mark, and has to be the same whatever kind of answer it is."""

_MAX_LABEL = 80
_FEW_WORDS = 5
"""Words of an answer that is nothing else; longer ones may tell how it comes about."""
_HEAD = re.compile(r"(?i)[\s*_#]*answer[*_]*\s*:[*_]*\s*")
_FEWEST = 4
"""Words of a first sentence that may begin the work, at least."""
_SO = re.compile(r"(?:So|Thus|Therefore|Hence)\b")
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_WORKED = re.compile(
    r"(?<![\d.])\d+(?:\.\d+)?(?=[ \t]*(?:[-+*/×÷·]|\\(?:times|cdot|div)\b)[ \t(\\$]*\d)"
    r"|(?:(?<=[-+*/×÷·] )|(?<=\\times )|(?<=\\cdot ))\d+(?:\.\d+)?(?![\d.]*\d)"
)
"""Numbers that are calculated with."""
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")
_REST = re.compile(r"(?:\s*(?:\\\]|\$\$))?[^\n]*?(?:[.!?](?=\s|\Z)|[。！？]|(?=\n|\Z))")
"""How the sentence of a mark goes on."""
_ANEW = re.compile(r"[*_$)\]}\\]{0,8}\s+(?:[A-Z]['’a-z]|I )")
"""What begins a new sentence behind a mark without a full stop: ``\\boxed{5} This works.``"""
_REVIEWED = re.compile(
    r"(?mi)^(?:\[verifier: |[ \t]*(?:wait|hmm)\b|[ \t]*alternatively[:,.]?[ \t]*$)"
)
"""A note of ours behind a wrong answer (:attr:`agentflow.profile.Profile.answer_note`), a line that
looks at it again, or the heading of another attempt."""
_IN_TAG = re.compile(r"(?i)\bin(?:to)? the <answer> tags?(?!\w)")
"""What says where the answer is put: what stands in another mark is not called so."""
_AT_FIRST = re.compile(r"(?i)\b(?:at first|initially|originally|previously|earlier)\b")
_DISPLAY_END = re.compile(r"\$|\\\]|\\end\{")
_FOLLOWS = re.compile(
    r"^[\s$)\]]*(?:=|\\(?:implies|rightarrow|iff|approx)|[-=]>|[⇒→≈])"
    r"|(?:[,;:]|\band)\W{0,4}(?:so|therefore|thus|hence|which means|meaning|consequently"
    r"|(?:no|wait|rather|sorry|actually|correction)(?=[,:;]))\b"
)
"""What leads from one box to the next, or corrects it, in small letters."""
_OTHER_FORM = re.compile(r"[(\[]?[A-Ja-j](?:[.):\]]|\Z)|.*=")
"""An option, ``A. 0``, or an equation, ``Right turns = 0``: another form of what is said in
words."""
_LISTED = re.compile(r"(?i)(?:\s{2,8}|\s{0,8}[-*•]\s)[\s*_]{0,4}(?:final )?result\b(?!.*answer)")
"""What a step calls a result, in its list: ``- Final result: 5``."""
_LABELLED = re.compile(
    r"(?i)[\W_]*(?:(?:part|question|problem|answer|option|choice|candidate|version|possibility)"
    r"[\s(]*)?(?:[a-z]|\d{1,2})?[\W_]*"
)
"""The number of a part, or nothing: ``\\boxed{1}\n(b) \\boxed{2}``."""


_IS_CALLED = re.compile(r"[^.!?\n]{0,20} is (?:the|my|our) (?:\w+ )?answer\b")
_CONCLUDES = re.compile(
    r"(?i)[\W_]*(?:(?:so|thus|therefore|hence|finally|consequently|overall|in total"
    r"|the answer|the final|correction|corrected|actually|wait|no|edit|update|revised|rather|sorry"
    r"|oops|better|instead|final)\b)"
)
"""How a sentence begins with a box that may take the place of an earlier one."""


class Statement(NamedTuple):
    """An answer as a text states it.

    Attributes:
        text: What the answer is said to be, without what stands around it.
        how: ``boxed``, ``tag`` (``<answer>``), ``brackets`` (``[[5]]``), ``json``
            (``"answer": 5``), ``line`` (``Answer: 5``, ``#### 5``), ``heading`` (a line below one),
            ``sentence`` (``the answer is 5``) or ``conclusion`` (``it should be C``).
        start: Where what states it begins, in the text.
        end: Where it ends.
    """

    text: str
    how: str
    start: int
    end: int


def reopened(
    text: str, answer: Statement, end: int, later: Sequence[Statement], same: Same = alike
) -> bool:
    """Whether an answer does not stand: its sentence leaves it open, or what follows takes it back,
    states another one, or is not understood.

    Args:
        end: Where the answer ends with all that it stands in.
        later: The statements behind it.
        same: Whether two answers may be one.
    """
    if not later:
        text = text[:end] + without_other_options(text[end:], answer.text)
    above = _above_display(text[: answer.start]) if answer.how == "boxed" else ""
    if leaves_open(without_base(above, answer.text)):
        return True
    begins = len(above) < MAX_ANSWER
    if not (above.endswith((".", "!")) or may_lead(above, begins=begins, displayed=True)):
        return True
    lead = led_by(text, answer.start, MAX_ANSWER)
    said, plain = answer.text, unmarked(text)
    if (
        "~~" in text[end:]
        or EMPTY.search(text, end)
        or TAKEN_BACK.search(text[end:])
        or not all(same(said, one.text) for one in later)
    ):
        return True
    if later and not any(_WORDS.findall(one.text) == _WORDS.findall(said) for one in later):
        own = _REST.match(ended(plain[end : later[0].start]))
        if own and not goes_on(own[0], said, lead):
            return True
    end = max([end, *(one.end for one in later)])
    behind = ended(plain[end:])
    if text[:end].rstrip()[-1:] not in (".", "!", "?"):
        rest = None if _ANEW.match(behind) else _REST.match(behind)
        if rest and not goes_on(rest[0], said, lead):
            return True
        behind = behind[rest.end() :] if rest else behind
    opens = not LETTER_OR_DIGIT.search(text[: max(0, answer.start - len(lead))])
    return not stands(behind, said, first=opens)


def uncontradicted(
    text: str, best: Statement, earlier: Sequence[Statement], same: Same = alike
) -> list[str] | None:
    """What a text calls its answer before the last one, and does not take back; None where that is
    something else."""
    end, beside = best.start + 1, list[str]()
    for one in reversed(earlier):
        between, begin = text[one.end : end], text.rfind("\n", 0, one.start) + 1
        if one is earlier[0] and _begins_work(one, best, text[: one.end], between):
            continue
        lead = text[begin : one.start]
        corrects = TAKEN_BACK.search(between) or SECOND_THOUGHTS.search(between)
        corrects = corrects or _REVIEWED.search(between)
        listed = _LISTED.match(text[begin : one.end]) is not None
        step = one.how == "line" and listed
        joined = not step and _joined(one, best, between[:-1])
        if joined and not (same(one.text, best.text) or says_in_sentence(one.text, best.text)):
            return None
        if corrects or rejected(between) or _AT_FIRST.search(lead + between.partition("\n")[0]):
            return beside
        called = one.how in CALLED and not listed
        named = called or "answer" in f"{lead}{text[one.start : one.end]}".lower()
        named = named or _IS_CALLED.match(between) is not None
        tagged = best.how == "tag" and _IN_TAG.search(text[: one.start])
        marked = "\n" in between and (one.how, best.how) in _MARKED and not tagged
        apart = marked and not _concludes(text[one.end : best.start])
        if (named or apart) and differ(one.text, best.text):
            return None
        written = one is earlier[-1] and (one.how, best.how) in _WRITTEN
        written = written and "=" not in one.text  # a step of its domain
        short = len(one.text.split()) <= _FEW_WORDS and not CHOSEN.fullmatch(best.text.upper())
        alone = best.how == "boxed" or not A_LETTER.search(between[:-1])
        tells = best.how != "boxed" and lowered(best.text) in lowered(one.text)
        contrary = written and alone and short and not (listed or tells or tagged)
        if contrary and not same(one.text, best.text):
            return None
        beside += [one.text] if called else []
        end = one.start + 1
    return beside


def _begins_work(one: Statement, best: Statement, text: str, between: str) -> bool:
    """Whether what a text calls its answer first is a sentence that begins the work: a number of
    it is calculated with on the way to the box."""
    front, said = text[: one.start], text[one.start :]
    if one.how != "line" or best.how != "boxed" or front.strip() or not _HEAD.match(said):
        return False
    if len(one.text.split()) < _FEWEST or not said.rstrip(" *_").endswith("."):
        return False
    words = (str(NUMBERS.get(word.lower(), word)) for word in one.text.split())
    numbers = {digits for word in words for digits in _DIGITS.findall(word)}
    concludes = _SO.match(SENTENCE_END.split(between)[-1].lstrip()) is not None
    return concludes and not numbers.isdisjoint(_WORKED.findall(between))


def _concludes(between: str) -> bool:
    """Whether what leads from one box to another one says that this is to take its place."""
    lines = [line for line in between.split("\n") if A_LETTER.search(line)]
    lead = SENTENCE_END.split(lines[-1].rstrip())[-1] if lines else ""
    heads = lead.rstrip(" $*\\[(").endswith(":")
    return not lines or heads or _CONCLUDES.match(lead) is not None


def _above_display(before: str) -> str:
    """The words of the sentence that a displayed formula, which is open at the end of a text, goes
    on with; empty where it begins none."""
    cut = display(before)
    if cut < 0 or _DISPLAY_END.search(before, cut + 2):
        return ""
    return SENTENCE_END.split(before[max(0, cut - MAX_ANSWER) : cut].rstrip())[-1]


def _joined(one: Statement, other: Statement, between: str) -> bool:
    """Whether a text states two answers of a kind at once: boxes side by side, or tags or lines
    with not a word in between, in one form."""
    if one.how != other.how:
        return False
    if one.how in ("tag", "line"):
        forms = any(_OTHER_FORM.match(each.text) for each in (one, other))
        return not (forms or A_LETTER.search(between))
    return one.how in ("boxed", "brackets") and _side_by_side(between)


def _side_by_side(between: str) -> bool:
    """Whether two boxes are parts of one sentence, or each stands alone behind its number, and the
    second is not said to follow from the first."""
    if _FOLLOWS.search(lowered(between)):
        return False
    labelled = len(between) <= _MAX_LABEL and _LABELLED.fullmatch(between)
    return bool(labelled) or SENTENCE_END.search(between) is None
