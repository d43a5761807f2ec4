"""What a line says in Game of 24: steps, proposed solutions, answers; whole, or not at all.

Everything here is a whitelist: a step is read if the line is nothing but steps, a proposal is
taken for its author's claim if nothing but plain words introduce it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Any

from agentflow.domains import answers, arithmetic
from agentflow.domains.answers import behind as answer_behind
from agentflow.domains.answers import typesetting as answer_typesetting

MAX_LINE = 20_000
"""Longer lines are no reasoning; nothing is read in them."""
_MAX_SENTENCE = 300
_MAX_STEP_LINE = 1_000

_NUMBER = r"(?<![\d.])-?\d{1,40}(?:\.\d{1,40}|/\d{1,40})?(?!\d)"
_LIST = rf"\(?\s*{_NUMBER}(?:[\s,]+{_NUMBER})*\s*\)?"
_EXPRESSION = r"[-+*/(\d.][-+*/().\d \t]{0,150}?"
_WORDS = (
    "so|then|thus|therefore|hence|and|next|now|first|firstly|second|secondly|third|finally|lastly"
    "|we|get|have|do|take|compute|calculate|let's|operation|step|wait|ok|okay|alternatively|actually"
)
_LEAD = (
    r"\s*(?:[>•#]+\s*|[-*]\s+)*(?:\(?\d{1,2}[.)]\s+)?"
    rf"(?:step\s*[#(]?\d{{1,2}}\)?\s*[:.)-]?\s+|(?:{_WORDS})[\s,:]+)*"
)
_REMARK = (
    r"(?:\(\s*(?:approx(?:\.|imately)?|repeated|rounded|if\s+decimals?\s+(?:is|are)\s+allowed)"
    r"\s*\)\s*)?"
)
_LEFT = (
    r"(?:->|[,;]?\s*\(?\s*(?:(?:numbers\s+)?(?:left|remaining)\s*(?:numbers)?\s*:"
    r"|(?:which\s+leaves|leaving)\b\s*:?))\s*"
)
_STEP = re.compile(
    rf"{_LEAD}(?:(?P<available>\(?\s*{_NUMBER}(?:[\s,]+{_NUMBER})+\s*\)?)\s*:\s*)?"
    rf"(?P<expression>{_EXPRESSION})\s*[=≈]\s*\(?(?P<result>{_NUMBER})\)?\s*{_REMARK}"
    rf"{_LEFT}"
    rf"(?P<remaining>{_LIST})\s*\)?[\s.,;*✓✅]*{_REMARK}",
    re.IGNORECASE,
)
_ABOUT = re.compile(r"(?i)≈|\(\s*(?:approx|repeated|rounded|if\s)")
"""What says that a number is rounded."""
_EQUATION = re.compile(
    rf"\s*(?P<expression>{_EXPRESSION})\s*[=≈]\s*\(?(?P<result>{_NUMBER})\)?[\s.]*"
)
_SIMPLE = re.compile(
    rf"[( ]*(?P<a>{_NUMBER})[) ]*\s*(?P<operator>[-+*/])\s*[( ]*(?P<b>{_NUMBER})[) ]*"
)
_LEAVES = re.compile(rf"(?i){_LEFT}\(?\s*-?\d")
_OPERATED = re.compile(r"\d.*(?:=|≈|\b(?:is|equals|gives|makes|get|are)\b).*")
_LISTED = re.compile(rf"\s*{_LIST}[\s.]*")

LABELLED = re.compile(
    r"(?i)^\W*(available|remaining)\s+numbers?\s*:(.*)$|^\W*(?:suggested\s+)?operation\s*:(.*)$"
)
"""A line of the labelled spelling: (which numbers, the numbers, the operation)."""

_BOLD = re.compile(r"(?<![\d)])\*\*|\*\*(?!\s*[\d(])")
_TAGS = re.compile(r"(?i)</?answer>")
_MARKS = re.compile(r"^\s*(?:[>•]\s*|[-*]\s+)?")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=\D)")
_RUN = re.compile(r"[-+*/().\d \t=]{5,}")
_SAYS = re.compile(r"(?i)(?<=[\d)])\s+(?:which\s+)?(?:equals|is|makes|gives)\s+(?=24(?![\d.]))")
_PLAIN_WORDS = (
    "so|then|thus|therefore|hence|and|now|finally|yes|ok|okay|great|we|have|get|this|that|gives"
    "|the|my|our|a|final|correct|solution|expression|equation|answer|is|result|here|here['’]s|it|of"
    "|one|possible|valid|way|to|make|get|reach|24|can|as|follows|for|example|several|solutions"
    "|there|are|it['’]s|i|found|solved|got|like|you"
)
_INTRODUCED = re.compile(
    rf"(?i)[\s>*•#$:,.!(\-]*(?:\d{{1,2}}[.)]\s+)?(?:(?:{_PLAIN_WORDS})\b[\s:,.*$!(]*)*"
)
_OPERATION = re.compile(r"\d[\s)]*[-+*/]")
_CLAUSE = re.compile(r"[,;]\s+|\.\s+|\s+and\s+")
_ITEM = re.compile(r"\A\s*\d{1,2}[.)]\s+(?=[(\d])")
_ITEM_OR_NUMBER = re.compile(r"[-*] |\d{1,2}\.(?=\s)")
"""A bullet, or a sign; the number of an item, or one of those to be used."""
_ONLY_LEADS = re.compile(_LEAD, re.IGNORECASE)
_SUM_LEAD = re.compile(
    rf"(?i){_LEAD}(?:(?:check(?:ing)?|verif(?:y|ication)|indeed|and)[\s,:]+"
    r"|(?:add|subtract|multipl|divid)\w*(?: [\w ]{1,40})?:\s*|[\s$*(]{0,4}?)"
    rf"(?=[-(.\d])"
)
_CLOSED = re.compile(
    r"(?i)[\s.,!*$)✓✅✔☑]*(?:(?:this|that|it|which)\s+)?(?:works|correct)?[\s.,!*$)✓✅✔☑]*"
)


_FINAL = re.compile(r"(?m)(?:(?<=^)|(?<=^\*\*))(?:FINAL|Final)(?=\W{0,3}:)")
"""A label of an answer that is not the usual one."""
_MATH = re.compile(r"\\[()\[\]]")
_JSON = re.compile(r'"(?:expression|equation|solution|final_expression)"(?=\s*:\s*")')
_JSON_24 = re.compile(r',\s*"(?:result|value|target|total)"\s*:\s*"?24(?:\.0)?"?(?=\s*[,}])')
_USED = re.compile(
    r"(?i)(?:(?<=[.!:✓✅✔\n])[ \t]{0,4}|\A)(?:(?:and|so|here),? )?(?:(?:this|it) uses )?(?:all|each"
    r"|every)(?: of)?(?: the)?(?: four| 4)?(?: given)? numbers?(?: (?:is|are|was|were|has been"
    r"|have been))?(?: used)? (?:exactly |only |just )?once[.! \t✓✅✔]{0,8}(?=\n|\Z)"
)
"""A sentence that says what is looked at anyway."""
_GOES_ON = re.compile(r"(?<=[\d)])[ \t]*\n[ \t]*(?==\s*[-(\d])")
"""Where an equation goes on on the next line."""
_HEAD = re.compile(
    r"(?im)^[ \t]*\|(?:[ \t]*(?:step|operation|calculation|result|#)[ \t]*\|)+[ \t]*\n"
)
_RULE = re.compile(r"(?m)^[ \t]*\|(?:[ \t:]*-+[ \t:]*\|)+[ \t]*\n")
_FRACTION = re.compile(r"\(\((\d+)\)/\((\d+)\)\)")
"""A fraction of two numbers in LaTeX, spelled in ASCII."""
_BY_FRACTION = re.compile(r"(?<=[\d)] / )(\d+/\d+)(?![\d./]| ?[*/])")


def plain(text: str) -> str:
    """The text with operators in ASCII, without bold print, ``equals 24`` as ``= 24``."""
    text = _FRACTION.sub(r"(\1/\2)", arithmetic.plain(text))
    if "**" in text:
        text = _BOLD.sub("", text)
    return _SAYS.sub(" = ", text) if "24" in text else text


def may_state(line: str) -> bool:
    """Whether it is worth while to read a line; most lines of prose are not."""
    told = "=" in line or ":" in line or "{" in line or "nswer" in line or "NSWER" in line
    return (told or "24" in line or "olution" in line) and 4 <= len(line) <= MAX_LINE


def unmarked(line: str) -> str:
    """The line without its bullet."""
    return _MARKS.sub("", line, count=1)


def looks_like_step(text: str) -> bool:
    """Whether a line seems to say what an operation leaves."""
    words = text.lower()
    if not ("->" in words or "left" in words or "remaining" in words or "leav" in words):
        return False
    leaves = _LEAVES.search(text)
    return leaves is not None and _OPERATED.search(text, 0, leaves.start()) is not None


def steps(text: str) -> list[tuple[int, dict[str, Any]]] | None:
    """The steps that a line consists of, with their places; None if it is not just steps."""
    found, place = [], 0
    if len(text) > _MAX_STEP_LINE:
        return None
    while place < len(text):
        match = _STEP.match(text, place)
        if match is None:
            return None
        step = _step(match["available"], match, match["remaining"])
        if step is None:
            return None
        begins = "available" if match["available"] is not None else "expression"
        found.append((match.start(begins), step))
        place = match.end()
    return found


def labelled_step(available: str | None, operation: str, remaining: str) -> dict[str, Any] | None:
    """The step of three labelled lines, from what stands behind the labels."""
    equation = _EQUATION.fullmatch(operation)
    lists = [remaining] if available is None else [remaining, available]
    if equation is None or not all(map(_LISTED.fullmatch, lists)):
        return None
    return _step(available, equation, remaining)


def _step(available: str | None, equation: re.Match[str], remaining: str) -> dict[str, Any] | None:
    expression, result = equation["expression"], equation["result"]
    tree = arithmetic.parse(expression)
    if tree is None or len(list(arithmetic.numbers(tree))) < 2:
        return None
    known = {"available": None if available is None else _listed(available)}
    left: dict[str, Any] = {"result": result, "remaining": _listed(remaining)}
    left |= {"about": True} if _ABOUT.search(equation[0]) else {}
    written = " ".join(expression.split())
    if simple := _SIMPLE.fullmatch(expression):
        fractions = {"expression": written} if "/" in simple["a"] + simple["b"] else {}
        return known | simple.groupdict() | fractions | left
    return known | {"expression": written} | left


def _listed(text: str) -> list[str]:
    return text.strip(" \t\r\n().").replace(",", " ").split()


def boxed_here(text: str) -> tuple[str, bool] | None:
    """The answer that a line states in a box, and whether it surely does.

    None if it states none with a number in it.
    """
    said = boxed(text) if "\\boxed" in text else []
    if not said or not re.search(r"\d", said[-1]):
        return None
    return said[-1], _INTRODUCED.fullmatch(text[: text.find("\\boxed")]) is not None


def boxed(text: str) -> list[str]:
    """The answers in boxes; for ``X = \\boxed{24}`` it is X."""
    found = []
    for content in answers.boxed(text):
        if content.strip(" .") == "24":
            before = text[: text.find(f"\\boxed{{{content}}}")].rpartition("\n")[2]
            runs = [run[0] for run in _RUN.finditer(before)]
            if runs and before.endswith(runs[-1]) and runs[-1].rstrip().endswith("="):
                content = f"{runs[-1].strip()} 24"
        if side := stated(content):
            found.append(side)
    return found


def proposals(text: str) -> Iterator[tuple[str, bool]]:
    """Equations with 24 that a line holds: what is said to be 24, and whether it surely is said."""
    if "=" not in text or "24" not in text:
        return
    sentences = _SENTENCE.split(text) if len(text) > _MAX_SENTENCE else [text]
    for sentence in sentences:
        if len(sentence) > _MAX_SENTENCE or "=" not in sentence:
            continue
        for run in _RUN.finditer(sentence):
            parts = [part.strip(" .\t") for part in run[0].split("=")]
            if "24" in parts and len(parts) > 1:
                before, behind = sentence[: run.start()], sentence[run.end() :]
                sure = _INTRODUCED.fullmatch(before) and _CLOSED.fullmatch(behind)
                values = {_worth(part) for part in parts} - {None}
                for part in parts:
                    alike = _worth(part) != 24 or values == {24}
                    yield unmarked(part), bool(sure and all(parts) and alike)


def _worth(text: str) -> Fraction | None:
    """What a side of an equation comes to; None if it is no expression, or has no value."""
    read = arithmetic.parse(text)
    return None if read is None else arithmetic.value(read)


def sums(text: str) -> list[tuple[str, bool]]:
    """The equations of a line that says nothing but equations, and whether each may be right:
    ``So 8 / 8 = 2, and 7 - 2 = 5.``; empty for any other line."""
    if "=" not in text or len(text) > _MAX_STEP_LINE:
        return []
    found = list[tuple[str, bool]]()
    for clause in _CLAUSE.split(_ITEM.sub("", text.strip(" \t\r\n.,;!*✓✅✔"))):
        if _ONLY_LEADS.fullmatch(f"{clause} "):
            continue
        lead = _SUM_LEAD.match(clause)
        sides = with_products(clause[lead.end() :]).split("=") if lead else []
        values = list(map(_worth, sides))
        if len({*values}) > 1:
            values = [_worth(with_fractions(side)) for side in sides]
        if lead is None or len(values) < 2 or None in values or not _OPERATION.search(clause):
            return []
        signed = "-" in lead[0] and _worth(f"-{sides[0]}") == values[1]  # no bullet
        rounded = "." in clause[lead.end() :]
        found.append(("=".join(sides).strip(), signed or rounded or len({*values}) == 1))
    return found


def concluded(text: str) -> str | None:
    """What the last line says is 24, or that of the paragraph before the last, where that only
    explains it."""
    text = answers.ending(_MATH.sub("", answer_typesetting.unmarked(text)))
    if said := _last(text):
        return said
    before, _, behind = text.rpartition("\n\n")
    said = _last(before)
    return said if said and answer_behind.explains(behind, said) else None


def _last(text: str) -> str | None:
    """What the last line says is 24, where it says nothing else, and the line above may lead to
    it; None unless it has four numbers: fewer are a step."""
    before, _, last = plain(text).rstrip().rpartition("\n")
    line = answers.above(before)
    leads = answers.leads_up(before) or _INTRODUCED.fullmatch(line) or steps(line)
    sums_ = sums(before.rstrip().rpartition("\n")[2])
    if not (leads or sums_ or answers.step(line)):
        return None
    for proposed, sure in proposals(last):
        found = solution(proposed) if sure else None
        if found is not None and len(list(arithmetic.numbers(found))) == 4:
            return proposed
    return None


def chained(text: str) -> str | None:
    """The expression that three equations come to of which each but the last is used in a later
    one: ``11 - 5 = 6, 8 / 2 = 4, 6 * 4 = 24``; None where there are others, or one is wrong."""
    found = [one for line in text.split("\n") for one in sums(plain(line))]
    if len(found) != 3 or not all(right for _, right in found):
        return None
    made = list[tuple[Fraction, str]]()
    for equation, _ in found:
        first, *_, last = equation.split("=")
        operation = _SIMPLE.fullmatch(first.strip())
        value = _worth(last)
        if operation is None or value is None:
            return None
        sides = list[str]()
        for number in (operation["a"], operation["b"]):
            at = next((n for n, one in enumerate(made) if one[0] == _worth(number)), None)
            sides.append(number if at is None else f"({made.pop(at)[1]})")
        made.append((value, f"{sides[0]} {operation['operator']} {sides[1]}"))
    return made[0][1] if len(made) == 1 and made[0][0] == 24 else None


def stated(text: str) -> str:
    """What is said to be the answer, without the ``= 24`` behind it; empty if nothing is."""
    text = _TAGS.sub("", text).strip(" .\t\r\n*$✓✅✔")
    parts = [part.strip() for part in text.split("=")]
    if len(parts) == 1 or not parts[0]:
        return parts[0]
    return text if solution(text) is None else parts[parts[0] == "24"]


def with_fractions(text: str) -> str:
    """A text with brackets around what is divided by where that is a fraction: ``4 / (1/6)``."""
    return _BY_FRACTION.sub(r"(\1)", text)


def with_products(text: str) -> str:
    """An expression with the signs of its products: ``4 * (7 - 8/8)`` for ``4(7 - 8/8)``. Where one
    stands behind a division, nobody knows how far that goes, and the text stays as it is."""
    begins, begin, signed, before = list[int](), 0, "", ""
    for place, sign in enumerate(text):
        if sign == "(":
            if before == ")" or before.isdigit():
                if text[:begin].rstrip().endswith("/"):
                    return text
                signed += " * "
            begins.append(place)
        elif sign == ")" and begins:
            begin = begins.pop()
        elif sign.isdigit() and not before.isdigit():
            begin = place
        signed += sign
        before = before if sign.isspace() else sign
    return signed


def respelled(text: str) -> str:
    """The text with an equation on one line for one on several, without the head of a table; an
    expression in an object of JSON is an answer there, beside its value, and ``FINAL:`` says so."""
    if "nswer" not in text and _JSON.search(text):
        text = _JSON.sub('"answer"', _JSON_24.sub("", text))
    text = _USED.sub("", text.replace("\ufe0f", "")).replace("⁄", "/")
    text = _FINAL.sub("Final answer", text)
    if _HEAD.search(text):
        text = _RULE.sub("", _HEAD.sub("", text))
    return _GOES_ON.sub(" ", text)


@lru_cache(maxsize=10_000)
def solution(text: str) -> arithmetic.Expression | None:
    """The expression that an answer proposes; None if the whole of it is not understood.

    ``X = 24`` proposes X, and so does ``X = Y = 24``; where sides differ, and X or another side of
    four numbers is 24, nobody can tell what is meant.
    """
    if len(text) > MAX_LINE or len(_BOLD.findall(text)) % 2:  # a bold mark alone may be a power
        return None
    parts = [with_products(part.strip(" .\t\r\n$")) for part in plain(text).split("=")]
    if _ITEM_OR_NUMBER.match(parts[0]):
        return None
    read = [one for part in parts if (one := arithmetic.parse(part)) is not None]
    if len(read) < len(parts):
        return None
    first = read[len(parts) > 1 and parts[0] == "24"]
    meant = [one for one in read if one is first or len(list(arithmetic.numbers(one))) == 4]
    differ = len(set(map(arithmetic.value, read))) > 1
    is_24 = any(arithmetic.value(one) == 24 for one in meant)
    return None if differ and is_24 else first
