"""What a reply says, beside its answer, of the number that is asked for.

    Answer: 72 tons, above 72                      the same number of something else
    Natalia sold 73 clips altogether, above 72     another number of what is asked for

Only the question tells; so an answer carries such sentences with it, and is judged with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from agentflow.domains import answers, narration
from agentflow.domains.answers import conclusions
from agentflow.domains.answers import summed_up as answers_summed_up
from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.remark_sums import adds_up, worth_of
from agentflow.domains.math import naming
from agentflow.domains.math.naming_words import CLASS, TELLS_APART, WORD, content
from agentflow.domains.math.naming_words import alike as alike_words
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import plain, word_set
from agentflow.tools.compared import Outcome, Parts
from agentflow.tools.equality import normal_form
from agentflow.tools.plain_equality import quick

_ASKS_WHAT = re.compile(r"(?i)[\W\d_]*(?:who|what|which|where|when|how)\b")
SAYS = "says: "
"""What marks a sentence, among the grounds of an answer, that is not called the answer."""
_NUMBER = re.compile(r"\\[dt]?frac\{\d+\}\{\d+\}|(?<![\w.])\d[\d,]*(?:\.\d+|/\d+(?![\d/]))?")
_BARE = re.compile(r"\W*\d[\d,]*(?:\.\d+)?\W*")
_OF_SOMETHING = re.compile(r"(?<!\\)\b[^\W\d_]{2,}|[%$€£¥°]")
"""What says of what a number is."""
_SENTENCE = sentence_end()
_CLAUSE = re.compile(
    r"[,;:] (?!(?:and )?\d)(?:and )?(?:(?:so|thus|therefore|hence)\b,? )?|\bso (?=[A-Z]?[a-z])"
)
_CALLED = re.compile(r"(?i)answer|boxed")
_MAX_WORDS = 25
_IRRATIONAL = re.compile(r"√|sqrt|\\pi\b|π")
_SPACED = re.compile(r"(?<=\d) ?/ ?(?=\d)")
_WORKED = re.compile(r"(?<= is )[-+*/().\d ]+=(?:[-+*/().\d ]+=)? ?(?=\d)")
"""``3/6 =`` of ``The probability is 3/6 = 1/2``"""
_FILLING = re.compile(r"(?<=\bis )(?:(?:therefore|thus|hence) )?\$?[a-zA-Z] ?= ?(\d[\d.]*)\$?")
"""What may stand in ``The radius is therefore r = 5``."""

_LETTER = re.compile(r"[(\[]?[A-J][)\].]?")
_OPTION = re.compile(
    r"(?is)[\s*_(]*(?:(?:option|choice)\s+(?P<number>\d{1,2})\W*|(?:(?:option"
    r"|choice)\s+)?(?P<listed>\d{1,2})(?:[.:)]| (?:states|says) that)\W*(?P<said>[^\W\d].*))"
)
"""An option by its number: ``option 2``, ``2. Ann is Bob's aunt``."""
_PLAIN = re.compile(r"['’]s?\b|[\W_]+")
_OPEN = word_set("about around or if could may maybe might should would wrong right check asked")
"""Words that leave open, or judge, what a sentence says."""


def may_be(one: str, other: str) -> bool:
    """Whether two answers may be one: one is a number, and the other has no other one in it; or one
    is the letter of an option, and the other what that may say."""
    if alike(one, other) or is_letter(one) != is_letter(other):
        return True
    bare = any(_BARE.fullmatch(each) for each in (one, other))
    alone = all(len(_NUMBER.findall(each)) == 1 for each in (one, other))
    return bare and alone and _numbers(one) == _numbers(other)


def is_letter(said: str) -> bool:
    """Whether an answer is the letter of an option and nothing else."""
    return _LETTER.fullmatch(said.strip()) is not None


def besides(text: str, found: answers.Settled) -> Iterator[str]:
    """What a reply calls its answer, too, and that says of what it is a number; or the letter of
    the option, or what that says, beside the other one."""
    own, letter = _NUMBER.findall(found.text), is_letter(found.text)
    told = [one.text for one in answers.statements(text)]
    at = len(told) - 1 - told[::-1].index(found.text) if found.text in told else 0
    for one in dict.fromkeys([*told[max(0, at - 1) : at], *found.beside]):
        if is_letter(one) != letter:
            yield one
            continue
        if one not in found.beside:
            continue
        words = _OF_SOMETHING.findall(one)
        same = _NUMBER.findall(one) == own != [] or _OPTION.fullmatch(one)
        if words != _OF_SOMETHING.findall(found.text) and same:
            yield one


def is_option(asked: str, said: str, answer: str) -> bool:
    """Whether a text names the option of a question that an answer gives the number of, in that
    option's words if in any."""
    named = _OPTION.fullmatch(said)
    if named is None or (named["number"] or named["listed"]) != answer.strip():
        return False
    texts = (named["said"] or "", asked)
    own, question = (" ".join(_PLAIN.sub(" ", one).lower().split()) for one in texts)
    return not own or f" {answer.strip()} {own}" in question


def told(text: str, said: str) -> Iterator[str]:
    """The last sentence above an answer with numbers, and those behind it, as far as they do not
    say the number of the answer; in clauses."""
    own = _numbers(said)
    if not own:
        return
    found = answers.statements(text)
    start, end = (found[-1].start, found[-1].end) if found else (text.rfind("\n") + 1, len(text))
    above = [one for one in _SENTENCE.split(text[:start]) if _NUMBER.search(one)]
    for sentence in [*above[-1:], *_SENTENCE.split(text[end:])]:
        numbers = _numbers(sentence)
        short = len(sentence.split()) <= _MAX_WORDS and not _CALLED.search(sentence)
        rooted = _IRRATIONAL.search(said) and not _IRRATIONAL.search(sentence)
        if numbers and short and (rooted or own.isdisjoint(numbers)):
            for one in dict.fromkeys([sentence, *_CLAUSE.split(sentence)]):
                if one and _NUMBER.search(one) and ("=" in one or not one[0].isdigit()):
                    yield f"{SAYS}{one.strip().replace(';', ',')}"


_CALLED = re.compile(r"(?i)\A[\W_]*(?:the )?(?:final )?answer[\s*_]*:[\s*_]*")
"""``Final answer:`` in front of a question."""


def summed_up(text: str) -> Iterator[str]:
    """The numbers that a text sums itself up to."""
    return (one for one in answers_summed_up.values(text) if _NUMBER.fullmatch(one.lstrip("-$")))


def asked(text: str, *, headed: bool) -> Iterator[str]:
    """The question right above an answer, which may be another one.

    Args:
        headed: Whether one behind ``Final answer:`` is meant, too.
    """
    line = conclusions.headline(text)
    line = _CALLED.sub("", line) if headed else line
    if _ASKS_WHAT.match(line) and not _SENTENCE.search(line):
        yield f"{conclusions.ASKS}{line.replace(';', ',')}"


def _numbers(text: str) -> set[Fraction | None]:
    """What the numbers of a text are worth."""
    return {worth_of(one.replace(",", "")) for one in _NUMBER.findall(text)}


def contradicts(asked: str, sentence: str, answer: Fraction | None, said: str = "") -> bool:
    """Whether a sentence says another number of what is asked for than an answer, which is
    ``said`` in these words; or another point."""
    if not adds_up(sentence):
        return True
    said_so = _FILLING.sub(r"\1", sentence).strip(" .!").replace("metre", "meter")
    said_so = _SPACED.sub("/", " ".join(said_so.split()))
    last = _WORKED.sub("", said_so)
    value = naming.said(asked, said_so) or (naming.said(asked, last) if last != said_so else None)
    if value and "(" in value and "(" in said:
        return _is_another_point(value, said)
    number = _NUMBER.search((value or "").rpartition("=")[2])
    worth = worth_of(number[0].replace(",", "")) if number else None
    return worth is not None and worth != answer


def says_again(asked: str, sentence: str, value: Fraction) -> bool:
    """Whether a sentence gives this number, and no other that the question does not give, in words
    of the question or in words that claim nothing: ``Ana spends $12 on pens``, above a boxed 12."""
    words, own = WORD.findall(plain(sentence)), _numbers(asked)
    known = content(asked) | {*map(alike_words, (*CLASS, "total", "conclude"))}
    told = {one for one in words if one.lower() not in narration.WORDS}
    apart = {*map(str.lower, words)} & (TELLS_APART | _OPEN) - {*WORD.findall(asked.lower())}
    goes = content(" ".join(told)) <= known and not apart
    return len(words) > 2 and goes and _numbers(sentence) - own == {value} - own != set()


def _is_another_point(one: str, other: str) -> bool:
    """Whether two points, or intervals, are surely not the same."""
    compared = quick(normal_form(one), normal_form(other))
    pairs = zip(compared.one, compared.other, strict=True) if isinstance(compared, Parts) else ()
    outcomes = [compared, *(quick(*pair) for pair in pairs)]
    return any(isinstance(told, Outcome) and told.equal is False for told in outcomes)
