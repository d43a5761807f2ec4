"""Sentences that say nothing but a value: ``So we get 88.``, ``# 70``, ``Version 2: 70``, ``→ No``.

So may a short paragraph that ends in a number, whatever its words: ``A second run gave 70.``,
``final_answer(70)``. Above an answer such a value may be one on the way to it. Where the text says
it nowhere else, and it is of the kind of the answer, nothing came of it: it is another answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains.answers.remark_sums import worth_of
from agentflow.domains.answers.remark_words import TRUTH
from agentflow.domains.answers.values import differ, trimmed
from agentflow.domains.spelling import lowered, phrases

_SAYS = phrases(r"""
    so; thus; hence; therefore; then; and; now; finally; consequently; it; it['’]s; that['’]s
    that; this; is; was; we; i; you; get; got; have; find; found; obtain; i['’]d; i['’]m; would
    say; think; guess; believe; bet; conclude; know; see; probably; perhaps; maybe; possibly
    likely; presumably; apparently; surely; certainly; clearly; obviously; definitely; simply
    just; only; exactly; precisely; indeed; also; ans; final; result; output; value; conclusion
    solution; reply; response; verdict; total; sum; edit; update; correction; my; our; the; an?
    (?:version|attempt|try|candidate|method|approach|take) \d; be; must; should; could; might
    may; will; can; has; to; gives?; makes?; yields?; comes; equals; means; remains; leaves; us
    me; with; at; out; up; turns; works; rather; actually; instead; choose; pick; select; go
    going; for; about; roughly; approximately; around; nearly; approx; first; second; last
    short; in; brief; summary; all; donc; ainsi; alors; daher; somit; folglich; entonces; quindi
    portanto; logo; итак; значит; следовательно
""")
_CHINESE = "所以|因此|故|结果|为|是|得到|得|最终|最后|我们|那么|等于|即|よって|つまり|따라서"
_LEADS_TO_A_NAME = re.compile(
    r"\b(?:so|thus|hence|therefore|probably|perhaps|likely|presumably|i|final|result"
    r"|conclusion|correction|edit|update|also|ans|version|attempt|candidate|donc|daher|somit"
    r"|entonces|quindi|portanto)\b|结果|因此|所以|为"
)
"""One of these stands in front of a name, which may else be a heading."""
_A_NAME = r"[^\W\d_](?:['’-]{0,2}\w)*+"
_BARE = re.compile(
    rf"(?P<lead>(?:[^\w$\\(=≈~≤≥<+×/-]|_|{_CHINESE}|(?<![\w.])(?:{_SAYS})(?![\w'’]))*)"
    r"(?P<said>-?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?\s?%?|\$?-?\\[dt]?frac\{\d+\}\{\d+\}|\(?[a-j]\)?"
    rf"|true|false|uncertain|unknown|yes|no|{_A_NAME}(?: {_A_NAME}){{0,2}})"
    r"(?P<tail>[^\w\n:=]*(?:\b(?:then|now|indeed|again|exactly|altogether|in total|in all"
    r"|after all|instead|overall|right)\b[^\w\n:=]*)*)"
)
_ARTICLE = re.compile(r"\b(?:the|an?) \Z")
_SENTENCE = re.compile(r"(?<=[.?。！？])(?<!(?i:ans)\.)[*_\"”')]*\s+|(?<=[^\d)]!)\s+|(?<=[。！？])")
_ENDS = re.compile(
    r"[*_>\[<(`|]*[^\W\d][^\d=+×÷*/^<>≈~\n]{0,60}[^\w\n=+×÷*/^≈~-]"
    r"(?P<said>\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?|True|False|Uncertain|Yes|No|[A-J])(?:[\s.!?。।)\]`*_|\"”]|[<\[]/\w+[>\]])*"
)
"""A line that ends in a number, and calculates nothing."""
_LABELS = re.compile(
    r"(?i)\b(?:steps?|parts?|cases?|lines?|premises?|clues?|rules?|facts?|rows?|columns?|options?"
    r"|houses?|equations?|eq|attempts?|methods?|examples?|figures?|tables?|days?|weeks?|years?|months?"
    r"|gates?|phases?|stages?|levels?|layers?|generations?|divisible|base|mod|modulo|by|than|from|at"
    r"|under|over|until|between|and|or|of|with|for)\W*\Z"
)
"""What a number belongs to that is none of a result."""
_JUDGES = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|not|no|rules?|out|exclud\w+|reject\w*"
    r"|eliminat\w+|consider|check|try|test|assume|suppose|if|statement|claim|conclusion|holds?|follows?"
    r"|point|points|from|to|via|node|person|team|box|set|letter|vitamin|plan|type|class|section)\b|\?"
)
"""What says a truth value, or a letter, of something else than what is asked."""
_DENIED = re.compile(r"(?i)\b(?:not|never|cannot|nor|neither)\b|n['’]t\b")
_FEWEST_WORDS = 5
_MARKUP = re.compile(r"[\W_]*")
_NUMBERED = re.compile(r"[^\w#>]*(?:\d{1,3}|[A-Za-z])[.)]\W*")
"""The number, or the letter, of a list."""
_TOKEN = re.compile(r"\d[\d,]*(?:\.\d+)?(?:/\d+)?|[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"\(?[A-J]\)?")
_DIGIT = re.compile(r"\d")
_NAME = re.compile(r"(?:the |an? )?[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2}|(?:the|an?) [a-z]+")


def others(text: str, answer: str) -> Iterator[str]:
    """The values that sentences of a text give and that are not its answer."""
    said = answer.strip(" *_$.")
    bare, rest = list[tuple[str, str]](), [lowered(said)]
    for sentence, alone in _sentences(text):
        found = _BARE.fullmatch(lowered(sentence))
        listed = _NUMBERED.fullmatch(sentence) or not alone
        if alone and (ends := _short(sentence)):
            bare.append(("", ends))
        elif found is None or (listed and _MARKUP.fullmatch(found["lead"])):
            rest.append(lowered(sentence))
        else:
            article = _ARTICLE.search(found["lead"])
            begin = article.start() if article else found.start("said")
            bare.append((found["lead"], sentence[begin : found.end("said")]))
    known = {*_TOKEN.findall(" ".join(rest))}
    for lead, value in bare:
        if not known.issuperset(_TOKEN.findall(lowered(value))) and _rivals(lead, value, said):
            yield value


def _short(sentence: str) -> str:
    """The number that a sentence of a few words ends in; empty for another sentence."""
    found = _ENDS.fullmatch(sentence)
    lead = sentence[: found.start("said")] if found else ""
    few = len(_WORD.findall(lead)) <= _FEWEST_WORDS
    few = few and not (_LABELS.search(lead) or _DENIED.search(lead))
    if found is None or not few or (found["said"].isalpha() and _JUDGES.search(lead)):
        return ""
    return found["said"]


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """The sentences of a text, and whether each is a paragraph by itself."""
    lines = ["", *text.split("\n"), ""]
    for above, line, below in zip(lines, lines[1:], lines[2:], strict=False):
        parts = [one.strip() for one in _SENTENCE.split(line)]
        for one in filter(None, parts):
            yield one, one == line.strip() and not (above + below).strip()


def _rivals(lead: str, value: str, answer: str) -> bool:
    """Whether a value is of the kind of an answer, and another one."""
    if not differ(trimmed(value), trimmed(answer)):
        return False
    letters = [_LETTER.fullmatch(one) is not None for one in (value, answer)]
    truths = [lowered(one) in TRUTH for one in (value, answer)]
    numbers = [_DIGIT.search(one) is not None for one in (value, answer)]
    for kinds in (letters, truths, numbers):
        if any(kinds):
            return all(kinds) and not _rounds(value, answer)
    names = all(map(_NAME.fullmatch, (value, answer)))
    return names and _LEADS_TO_A_NAME.search(lead) is not None


def _rounds(value: str, answer: str) -> bool:
    """Whether an answer is a value, rounded."""
    worth, whole = worth_of(value), worth_of(answer)
    if worth is None or whole is None or "." not in value:
        return False
    return -1 <= worth - whole <= 1
