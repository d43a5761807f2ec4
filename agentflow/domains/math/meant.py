"""What of an answer is meant: what the problem asks for, of an answer that says more.

How many pens are there?     There are 12 pens             12
What is m + n?               m + n = 107                   107
How many cups are needed?    10.5 cups (or 10 1/2 cups)    10.5 cups
"""

from __future__ import annotations

import re

from agentflow.domains import restated, restated_values
from agentflow.domains.answers import conclusions
from agentflow.domains.math import afterwards, answer_units, derived, endings, naming, question
from agentflow.domains.math.claims import is_plain, judge
from agentflow.domains.math.equations import claims
from agentflow.domains.math.expressions import names, parse
from agentflow.domains.math.notation import spelled
from agentflow.domains.math.units import UNITS, scales
from agentflow.domains.math.values import nearly
from agentflow.problem import Problem
from agentflow.tools.equality import normal_form
from agentflow.tools.quantities import read_number

SAYS_MORE = re.compile(
    r"\W*[A-Za-z]|[^=]*=|[\d,.]+ [^\d]*\b(?:is|are|was|were) |[\d,.]+(?: [^\W\d_][\w'-]*){4}"
)
"""What says more than a number and its unit."""
IT_IS = re.compile(
    r"(?i)(?:(?:so|thus|therefore|hence),? )?(?:it|that|this)(?: is|['’]s| was| comes to| equals)"
    r" (?P<said>-?\\?\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?(?: [a-z]+(?:/[a-z]+)?)?)[\s.]*"
)
"""``It is 60 km/h.``"""
_AGAIN = re.compile(
    r"(?P<said>[^()]*\d[^()]*) \((?:or|i\.e\.,?|that is,?|which is|equivalently,?|equal to|=)?\s*"
    r"(?P<again>\$?\d[^()]{0,40})\)[\s.]*"
)
_CALCULATION = re.compile(r"[\d.,\s+*/×÷·−-]+")
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_DECIMALS = re.compile(
    r"(?P<n>-?\d[\d,]*(?:\.(?P<places>\d{1,15}))?)(?:\s?(?P<unit>[a-z]{1,20})(?:\^\{?[23]\}?)?)?"
)
"""``18.85``, ``18.85 cm^2``"""
_LEADS = re.compile(
    r"(?i)(?:(?:so|thus|therefore|hence),? )?"
    r"(?:we (?:get|find|have|obtain|conclude)(?: that)? )?"
)
"""What leads to what a sentence says."""
_COMPARES = re.compile(r"[<>≤≥≠]|\\(?:leq?|geq?|lt|gt|neq?|in)(?![a-zA-Z])")
_WORD = re.compile(r"(?<![\\a-zA-Z])[a-zA-Z]{2,}")


def again(problem: Problem, answer: str) -> str:
    """What a reply that says the question again answers; any other answer as it is."""
    shown, grounds = conclusions.parted(answer)
    behind = [one for one in grounds if one.startswith(afterwards.MARKS)]
    answer = conclusions.grounded(shown, [one for one in grounds if one not in behind])
    if not restated.is_carried(answer):
        for one in [one for one in grounds if one.startswith(endings.DERIVES)]:
            used = endings.uses_all(problem.text, one.removeprefix(endings.DERIVES))
            shown = (used and derived.said(problem.text, shown)) or shown
            grounds.remove(one)
        return conclusions.grounded(shown, grounds)
    said, text = restated.said(problem.text, answer, value_of), restated.whole(answer)
    if any(works_out(line) is False for line in text.split("\n")):
        return ""
    own, told = (_DIGITS.findall(one or "") for one in (said, text))
    worked = "=" in text or {*told} <= {*own}  # else nobody knows where it comes from
    return conclusions.grounded(said, behind) if said and worked else ""


def without_letter(problem: Problem, one: str, other: str) -> tuple[str, str]:
    """Two answers, with what an option says in the place of its letter where only one is such."""
    (one, grounds), (other, its) = map(conclusions.parted, (one, other))
    one, other = question.without_letter(problem.text, one, other)
    return conclusions.grounded(one, grounds), conclusions.grounded(other, its)


def value_of(asked: str, sentence: str) -> str | None:
    """The value that a sentence gives what is asked for; of a chain of equations the last side."""
    if compared := relation(sentence):
        return compared
    plain = " ".join(sentence.replace("**", "").split()).strip(" .!")
    if value := restated_values.value(asked, sentence, naming.MEASURES):
        return value
    clause = re.sub(r"(?i)\A(?:so|thus|therefore|hence),? ", "", plain)
    if value := question.value_asked_for(asked, clause) or question.rewritten(asked, clause):
        return value
    if letter := question.letter_given(asked, plain):
        return letter
    shown = restated.slot(asked, sentence) if "$" in sentence or "\\(" in sentence else None
    return shown and shown.rpartition("=")[2].strip()


def of_answer(problem: Problem, answer: str) -> str:
    """What a problem asks for, of an answer that says more: how many there are, what ``m+n`` is,
    the letter of an option that it gives in words."""
    if letter := question.option_named(problem.text, answer):
        return letter
    exact, is_rounded = _exact(relation(answer) or answer)
    if is_rounded is False:
        return answer
    answer = answer_units.marked(problem.text, exact) or exact
    answer = _said_once(problem.text, question.concluded(answer) or answer)
    if bare := IT_IS.fullmatch(answer):
        answer = bare["said"]
    is_sentence = SAYS_MORE.match(answer)  # units alone are those of answer_units
    counted = naming.said(problem.text, answer) if is_sentence else None
    value = counted or question.value_asked_for(problem.text, answer) or answer
    value = answer_units.said_plainly(problem.text, value)
    if read_number(normal_form(value)) is None:
        value = answer_units.number_asked_for(problem.text, value) or value
    value, _ = _exact(value)
    worked, sign, result = value.rpartition("=")
    units = sign and re.search(r"\d [a-z]{3}", result) and works_out(value)
    return result.strip() if units and ";" not in worked and ", " not in worked else value


def relation(sentence: str) -> str | None:
    """The relation that a sentence leads to (``Thus, $x < 3$.``), which is all that it says."""
    plain = " ".join(sentence.replace("**", "").split()).strip(" .!")
    lead = _LEADS.match(plain)
    said = plain[lead.end() :].strip(" $") if lead and lead[0] else ""
    return said if _COMPARES.search(said) and not _WORD.search(said) and "$" not in said else None


def _exact(answer: str) -> tuple[str, bool | None]:
    """An answer without the number that it is rounded to (``\\sqrt{2} ≈ 1.41``), and whether it is;
    None where that cannot be told of what stands there."""
    exact, _, about = answer.replace("\\approx", "≈").partition("≈")
    exact = exact.strip(" $")
    if not (exact and about):
        return answer, None
    if works_out(answer):
        return exact, True
    tree = parse(spelled(exact).strip())
    if tree is None or names(tree):
        return answer, None
    value, number = nearly(tree), _DECIMALS.fullmatch(spelled(about).strip())
    if value is None or number is None:
        return answer, False
    if number["unit"] and (number["unit"] not in UNITS or scales(number["unit"])):
        return answer, False
    near = 0.5000001 * 10.0 ** -len(number["places"] or "")
    close = abs(value - float(number["n"].replace(",", ""))) <= near
    return (exact if close else answer), close


def _said_once(asked: str, answer: str) -> str:
    """A quantity without the same in brackets behind it, or what it comes from: ``10.5 cups (or
    10 1/2 cups)``, ``60 km/h (150 / 2.5)``."""
    found = _AGAIN.fullmatch(answer.replace("**", ""))
    if found and _CALCULATION.fullmatch(found["again"]) and re.search("[-+*/×÷·−]", found["again"]):
        number = _DIGITS.search(found["said"])
        given = number and endings.come_from(found["again"], asked)
        if number and given and works_out(f"{found['again']} = {number[0]}"):
            return found["said"]
    values = [read_number(found[one]) for one in ("said", "again")] if found else []
    if found is None or None in values:
        return answer
    one, other = values
    same = one and other and (one.value, one.unit) == (other.value, other.unit)
    return found["said"] if same else answer


def works_out(answer: str) -> bool | None:
    """Whether the equations between numbers of an answer hold; None where it has none that can be
    told at once."""
    found, _ = claims(answer) if "=" in answer or "≈" in answer else ([], "")
    oks = [judge(claim).ok for claim in found if is_plain(claim)]
    return False if False in oks else True if oks and len(oks) == len(found) and all(oks) else None
