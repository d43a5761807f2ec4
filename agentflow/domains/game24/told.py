"""Whether all that a text tells beside its answer of Game of 24 goes with it.

    8 - 7 = 1, and 4 minus 1 is 3.       adds up, and all numbers come from somewhere
    The numbers are 4, 7, 8, 8.          are those of the answer
    Adding 7 and 8 gives 56.             is wrong
    The largest of the numbers is 4.     is not understood: ``largest`` may claim anything

A text that tries this and that is looked at from the last line above its answer on; further up
stands what was given up, and only what is wrong in any trial counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction

from agentflow.domains import answers, arithmetic, narration
from agentflow.domains.answers import conclusions
from agentflow.domains.answers.headlines import heads_work
from agentflow.domains.answers.known_remarks import closes, presents, without_experts
from agentflow.domains.answers.remark_words import ODD_SIGN
from agentflow.domains.game24 import beyond, claims, further_up, reading, spoken
from agentflow.domains.game24.further_up import DENIES, TRY
from agentflow.domains.game24.known import TARGET, Known, signs
from agentflow.domains.game24.operated import operated
from agentflow.domains.game24.spoken import RUN, SENTENCE
from agentflow.domains.plain_words import PlainWords
from agentflow.domains.spelling import lowered, word_set

_WORDS = PlainWords(
    also=word_set(
        "accurate accurately factor factorization factorizations fraction fractions looking needs"
    )
)
_TELLS = "tells: "
"""What marks the line that is not understood, or does not go with its answer."""
_ALL = 4
_MAX_LINES = 40
_MAX_SENTENCE = 600
_TRIES = re.compile(
    r"(?i)\b(?:try|tried|trying|attempt|wait|hmm+|actually|another|alternatively|however|instead"
    r"|suppose|not 24|not valid|option)\b"
)
_MANY_TRIES = 3
_TURNS = re.compile(
    r"(?i)\b(?:still|wait|hmm+|actually|instead|however|correct(?:ion|ing|ed)|again|rather"
    r"|no(?=[,.:;!]|$))\b"
)
"""What may take an answer back."""
_ALSO = re.compile(
    r"(?i)\b(?:also|another|equivalently|alternatively|alternative|as well|too|(?:option|way"
    r"|method|solution|approach) (?:b|c|2|3|two|three)|second (?:way|option|solution))\b[^?]*\Z"
)
"""What introduces a second solution beside the one that is meant."""
_ON_NEXT_LINE = r"(?:[})* \t]*\n|\.)[ \t]*[-+*/] ?[(\d]"
_TWO_LINES = re.compile(r"(?m)^[ \t$]*+[-+*/(). \d]*[\d)][ \t$]*\n[ \t$]*[+*/-] ?[(\d]")
"""An expression on a line alone, and a line that may go on with it."""
_AND_A_NUMBER = re.compile(
    r"(?:\b24\b.*[-+*/].*[\d)]|[-+*/].*\b24) ?[:|;,] ?\(?\d+(?:\.\d+)?\)?[\s.*$]*\Z"
)
"""An equation with 24 and a sign behind which a number is left: ``24 = (2 + 9 + 1 + 12) : 1``."""
_ASKS = re.compile(
    r"(?:\A|[,;:] ?)(?:(?:so|and|then|now|next|but|maybe|or|hmm+|ok|okay|let me see|instead"
    r"|well)\b[:, ]*)*(?:what about|how about|what if|(?:how )?(?:can|could|might|do|would"
    r"|should) (?:i|we|you|it|the|that|this|\d)|maybe|perhaps|try|is (?:it|there)|where"
    r"|why)\b(?!.*\b(?:right|correct|valid|wrong|true|sure)\b)"
)
"""What asks for a way, and not whether something is right."""

_TOTAL = re.compile(rf"(?i)\b(?:a|the) total of (?={TARGET}\b)")
_ALL_OF = re.compile(
    r"(?i)\b(?:all|these|those|the|both)(?: of)?(?: the| these)? (?:four|4)(?: given)? numbers\b"
)
_INTEGERS = re.compile(
    r"(?i)\b(?:(?:all|each|these|the|of|four|4|given|input|provided|original) )+integers\b"
)
_OPERATIONS = re.compile(
    r"(?i)\bthe four (?:(?:basic|arithmetic|allowed|given) )*operations(?! (?:is|are)\b)"
)
_HEAD = re.compile(
    r"[a-z#]|op|step(?: #)?|operations?|operators?|results?|expressions?|calculations?"
    r"|numbers? (?:left|used)"
    r"|remaining(?: numbers)?|values?|(?:first|second) number|numbers?|left|equation|action"
    r"|output|explanation|check"
)
_LISTED = (
    r"(?<![-+*/=≈(.\d])(?<![-+*/=≈(] )\(?\d+(?:\.\d+)?"
    r"(?:(?:,? and |, ?| )(?:an? |the )?\d+(?:\.\d+)?)+\)?"
)
_LIST = re.compile(rf"{_LISTED}(?![\d/])(?! ?[-+*/=≈]|\.\d)")
_CLAUSE = re.compile(r"[,;] (?=(?:and|but|so|which|while|where|because|since|with|then|not|to)\b)")
_MEANS = re.compile(r"\b(?:is|are|equals?|gives?|makes?|gets?|got|becomes|have)\b|'s\b")
_AIMS = re.compile(
    r"\b(?:make|get|reach|obtain|form|want|need|equals?|(?:equal |up )?to|produce|achieve|of|for)"
    r" (?:exactly )?(?P<n>\d+)\b"
)
_NAMES = {
    "+": re.compile("add|\\bsums?\\b"),
    "-": re.compile("subtract|\\bdifferences?\\b"),
    "*": re.compile("multipl|\\bproducts?\\b"),
    "/": re.compile("divi|\\bquotients?\\b"),
}
"""What the words for an operation have in common."""
_FEWER = re.compile(r"(?<!remaining )(?<!other )(?<!left )(?<!two )(?<!three )\bnumbers:? \Z")
"""What stands before numbers that should be all."""
_STATES = re.compile(r"(?i)\\boxed|\banswer\b")
_CELL_LIST = re.compile(rf"\W*{spoken.NUMBER}(?:(?:,? and |[, ]+){spoken.NUMBER})*\W*")


_REJECTED = re.compile(
    r"\W*(?:suppose(?: that)? (?P<supposed>[-+*/(). \d]*=[\d. ]*)|(?:(?:does|is"
    r"|try):? )?(?P<one>[-+*/(). \d]*\d[)\d. ]*)= ?(?P<other>-?\d+) ?(?:(?:->)? ?not \d+"
    r"|\(?(?:wrong|no)\)?|\? ?no(?:,? (?:it is |that is )?(?P<value>-?\d+))?))\W*"
)
"""An equation that its own line says is wrong, or supposes: ``4 + 7 = 24 (wrong)``."""


def grounded(answer: str, text: str) -> str:
    """An answer; with a ground of its own where what its text tells does not go with it."""
    return conclusions.grounded(answer, _against(text, answer))


def goes_with(text: str, answer: str) -> bool:
    """Whether all that a text tells is understood, and true where its answer is right."""
    return not _against(text, answer)


def _against(text: str, answer: str) -> list[str]:
    """The first line of a text that is not understood, or is wrong where its answer is right, as a
    ground of its own; none where all goes with it.

    Args:
        text: The text that states the answer.
        answer: The answer, in plain signs.
    """
    expression = reading.solution(answer)
    if expression is None:
        return []  # undecided anyway
    lines, told = _reach(text, answer), ""
    if _TWO_LINES.search(reading.plain(text)):
        told = lines[-1]
    elif arithmetic.value(expression) != TARGET:
        own = sorted(arithmetic.numbers(expression))
        told = lines[-1] if _goes_on(text, answer) or _has_solution(text, own) else ""
    else:
        reader = _Reader(known := Known(expression))
        told = next((line for line in lines if not reader.tells(line)), "")
        told = told or (lines[-1] if reader.begun or known.owes else "")
        told = told or further_up.wrong(_further_up(text, lines), expression)
    return [f"{_TELLS}{told.strip().replace(';', ',')}"] if told else []


def shown(text: str) -> str | None:
    """The one solution that a text shows, or the first, beside which the others are; with a
    ground of its own where what else it tells does not go with it. None where it shows
    several: nobody knows which of them is meant, and for a line alone that says nothing of 24: it
    is judged as it stands."""
    if "24" not in text and "\n" not in text.strip():
        return None
    lines = text.split("\n")
    read = _boxes if "\\boxed" in text.replace("\\boxed{24}", "") else _sides
    found = [
        (at, side, arithmetic.normal_form(one))
        for at, line in enumerate(lines)
        for side, one in read(line)
        if len([*arithmetic.numbers(one)]) == _ALL and arithmetic.value(one) == TARGET
    ]
    first = found[0][2] if found else ""
    if not all(form == first or _ALSO.search(lines[at]) for at, _, form in found) or not found:
        return None
    at, side, _ = [one for one in found if one[2] == first][-1]
    behind = "\n".join([re.split(r"= ?24\b", lines[at])[-1], *lines[at + 1 :]])
    if not _TURNS.search(behind) and goes_with(text, side):
        return side
    denied = DENIES.search(text) or len(answers.statements(text)) > 1
    return None if denied else conclusions.grounded(side, _against(text, side) or [_TELLS])


def _boxes(line: str) -> Iterator[tuple[str, arithmetic.Expression]]:
    """The expressions that stand in boxes of a line, with what they read."""
    for content in answers.boxed(line):
        if (one := reading.solution(content)) is not None:
            yield reading.stated(reading.plain(content)), one


def _sides(line: str) -> Iterator[tuple[str, arithmetic.Expression]]:
    """The expressions of a line, with what they read."""
    for run in RUN.finditer(spoken.unmarked(line)) if re.search(r"\d", line) else ():
        for side in run[0].split("="):
            one = arithmetic.parse(written := reading.with_products(side.strip(" .")))
            if one is not None:
                yield written, one


def _has_solution(text: str, own: list[Fraction]) -> bool:
    """Whether a solution with the numbers of a wrong answer stands somewhere in a text."""
    return any(
        sorted(arithmetic.numbers(one)) == own and arithmetic.value(one) == TARGET
        for line in text.split("\n")
        for _, one in _sides(line)
    )


def _goes_on(text: str, answer: str) -> bool:
    """Whether the line or the sentence behind an answer begins with a sign and a number, as if the
    answer went on there."""
    told = reading.plain(text)
    return re.search(rf"(?<![\d.]){re.escape(answer)}{_ON_NEXT_LINE}", told) is not None


def _reach(text: str, answer: str) -> list[str]:
    """The lines of a text that are looked at."""
    text = narration.own(text)
    lines = [line for line in text.split("\n") if line.strip()]
    tries = sum(_TRIES.search(line) is not None for line in lines)
    if len(lines) <= _MAX_LINES and tries < _MANY_TRIES:
        return lines
    lines = text.split("\n")
    at = _place(text, lines, answer)
    above = [line for line in lines[:at] if re.search(r"\w", line)]
    return above[-1:] + lines[at:]


def _further_up(text: str, reach: list[str]) -> list[str]:
    """The lines of a text above those that are looked at."""
    lines = [line for line in narration.own(text).split("\n") if line.strip()]
    return lines[: len(lines) - sum(map(bool, map(str.strip, reach)))]


def _place(text: str, lines: list[str], answer: str) -> int:
    """The line that states an answer at last."""
    stated = answers.statements(text)
    marked = [one for one in stated if reading.stated(reading.plain(one.text)) == answer]
    if marked:
        return text.count("\n", 0, marked[-1].start)
    holds = (place for place, line in enumerate(lines) if answer in reading.plain(line))
    return max(holds, default=len(lines) - 1)


class _Reader:
    """Reads line by line, and keeps what is known."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.begun = False

    def tells(self, line: str) -> bool:
        """Whether a line is understood and true."""
        plain = reading.plain(line)
        if self.known.given_up and _STATES.search(line):
            return False
        if steps := reading.steps(plain):
            for _, step in steps:  # judged as steps
                self.known.learn(arithmetic.parse(step.get("expression") or _simple(step)))
                self.known.learn(arithmetic.parse(step["result"]))
            return True
        if labelled := reading.LABELLED.match(plain):
            return self._labels(labelled)
        if rejected := _REJECTED.fullmatch(" ".join(lowered(plain).split())):
            return _rightly(rejected)
        if _heads_steps(line):
            return True
        if line.lstrip().startswith("|"):
            return self._row(line.strip(" |\n\r\t").split("|"))
        return self._all_say(line)

    def _all_say(self, line: str) -> bool:
        return all(self._says(one) for one in SENTENCE.split(line) if re.search(r"[^\W_]", one))

    def _labels(self, labelled: re.Match[str]) -> bool:
        """Whether a line of a step on three may stand there; it is judged with the third of them,
        and :attr:`begun` up to there."""
        label, listed, operation = labelled.groups()
        if operation is not None:
            self.begun = True
            for side in re.split("[=≈]", operation):
                self.known.learn(arithmetic.parse(side.strip(" .*\r")))
            return True
        self.begun = self.begun and label.lower() == "available"
        numbers = [Fraction(one) for one in spoken.NUMERAL.findall(listed)]
        return label.lower() == "remaining" or self.known.are_all(numbers)

    def _row(self, cells: list[str]) -> bool:
        """Whether the cells of a row of a table are understood and true: what stands right of an
        operation is what it comes to."""
        if _heads(cells):
            return True
        cells = _in_order(cells)
        cells = [spoken.unmarked(cell.replace("?", "")) or cell.strip(" .*") for cell in cells]
        if len(cells) > 1 and re.fullmatch(r"\(?\d\)?", cells[0]):
            cells = cells[1:]
        for at, cell in enumerate(cells):
            numbers = _CELL_LIST.fullmatch(cell) and spoken.numbers(cell)
            if numbers and at and signs(cells[at - 1]) and "=" not in cells[at - 1]:
                if not self.known.comes_out(f"{cells[at - 1]} = {cell}"):
                    return False
            elif (numbers and Counter(numbers) - self.known.results) or (
                not numbers and re.search(r"\w", cell) and not self._all_say(cell)
            ):
                return False
        return True

    def _says(self, sentence: str) -> bool:
        if closes(sentence) or presents(sentence):
            return True
        if len(sentence) > _MAX_SENTENCE:
            return False
        known = self.known
        sentence = _INTEGERS.sub("the numbers", without_experts(sentence))
        sentence = _OPERATIONS.sub("the operations", sentence)
        said = _TOTAL.sub("", spoken.unmarked(_ALL_OF.sub("the numbers", sentence)))
        if said == "no":  # to the numbers that a trial ends in
            known.owes = False
            return known.last is not None and not known.solves()
        if beyond.claims(said, lowered(sentence)) or re.search(ODD_SIGN, said.replace("?", "")):
            return False
        if _AND_A_NUMBER.search(said):
            return False
        if "?" in said and not _ASKS.search(said):
            return False
        said = operated(said, known)
        tries = TRY.search(said) is not None
        known.tried |= _TRIES.search(said) is not None or tries
        return self._holds(said, tries or sentence.rstrip().endswith(("...", "…")))

    def _holds(self, said: str, tries: bool) -> bool:
        """Whether all that a sentence claims holds, read from the left to the right."""
        known = self.known
        found = sorted(claims.claims(said), key=lambda one: one[0].start())
        rest = said
        for claim, _ in found:
            rest = f"{rest[: claim.start()]}{';' * len(claim[0])}{rest[claim.end() :]}"
        if beyond.still_claims(rest):
            return False
        named = {sign for sign, name in _NAMES.items() if name.search(rest)}
        used = {*signs(rest)} or known.signs
        if not (named <= used or len(named) == len(_NAMES) or named <= known.signs):
            return False
        for claim, form in found:
            if form.aims and not form.holds(claim, known):
                return False
        lists = [*_LIST.finditer(rest)]
        for one in lists:
            if _FEWER.search(said[: one.start()]) and _size(one[0]) < len(known.own):
                return False
            rest = f"{rest[: one.start()]}{';' * len(one[0])}{rest[one.end() :]}"
        runs = [run for run in RUN.finditer(rest) if signs(run[0]) or "=" in run[0]]
        parts: list[tuple[int, re.Match[str], claims.Form | None]] = [
            *((one.start(), one, form) for one, form in found if not form.aims),
            *((one.start(), one, None) for one in [*lists, *runs]),
        ]
        for _, one, said_so in sorted(parts, key=lambda part: part[0]):
            if said_so is not None:
                right = said_so.holds(one, known)
                known.owes &= not said_so.denies
            elif one in lists:
                right = self._listed(spoken.numbers(one[0]), _clause(rest, one.start()))
            else:
                right = known.comes_out(one[0], freely=tries)
            if not right:
                return False
        for run in reversed(runs):
            rest = f"{rest[: run.start()]} {rest[run.end() :]}"
        whole = any(_size(one[0]) == len(known.own) for one in lists)
        alone = re.finditer(r"\d+(?:\.\d+)?", rest)
        return all(self._alone(one, rest, whole) for one in alone) and narration.only(rest, _WORDS)

    def _listed(self, numbers: list[Fraction], rest: str) -> bool:
        """Whether listed numbers are those of the answer, or some that are at hand."""
        if len(numbers) >= len(self.known.own):
            return sorted(numbers) == self.known.own
        left = re.search(r"\b(?:left|remain\w*|leav\w+)\b", rest)
        if not left and re.search(r"\b(?:are|is)\b", rest):
            return False
        return not Counter(numbers) - self.known.results

    def _alone(self, found: re.Match[str], rest: str, whole: bool) -> bool:
        """Whether a number that stands alone may stand there."""
        known, number = self.known, Fraction(found[0])
        if number != TARGET and re.match(r" (?:is|are) [a-z]", rest[found.end() :]):
            return False
        aims = next((one for one in _AIMS.finditer(rest) if one.start("n") == found.start()), None)
        if whole or re.search(r"\b(?:target|goal|answer|solution|expression|way)\b", rest):
            return number == TARGET
        if aims:
            of = re.match("of |for ", rest[aims.start() :])
            return number in known.numbers and (of is not None or number not in known.own)
        if not _MEANS.search(_clause(rest, found.start())):
            return number in known.numbers
        return number == (TARGET if known.last is None else known.last)


def _heads_steps(line: str) -> bool:
    """Whether a line that ends in a colon heads the work, and names no number and no operation."""
    if not line.rstrip(" *_").endswith(":") or re.search(r"[\d=]", line):
        return False
    named = any(name.search(lowered(line)) for name in _NAMES.values())
    return not named and heads_work(line)


def _in_order(cells: Sequence[str]) -> list[str]:
    """The cells of a row; an operation of which each number, and the sign, has its own is one."""
    plain = [reading.plain(cell).strip(" .*`$\\()=") or cell.strip() for cell in cells]
    numbered = len(plain) == 5 and re.fullmatch(r"\(?\d\)?", plain[0])
    begin, told = plain[:1] if numbered else [], plain[1:] if numbered else plain
    signed = [
        at for at, cell in enumerate(told) if cell in {*"+-*/"} or cells[at].strip(" *") in "×·÷−*"
    ]
    if len(told) != 4 or len(signed) != 1 or signed[0] not in (1, 2):
        return [*cells]
    sign = {"×": "*", "·": "*", "÷": "/", "−": "-"}.get(told[signed[0]], told[signed[0]]) or "*"
    one, other, result = (cell for at, cell in enumerate(told) if at != signed[0])
    return [*begin, f"{one} {sign} {other}", result]


def _heads(cells: Sequence[str]) -> bool:
    """Whether cells are the head of a table of steps: a word or two each, no number among them."""
    words = [cell.strip(" *_").lower() for cell in cells]
    return len(words) > 1 and all(_HEAD.fullmatch(word) for word in words)


def _clause(said: str, place: int) -> str:
    """The clause of a sentence that a place is in."""
    ends = [0, *(one.start() for one in _CLAUSE.finditer(said)), len(said)]
    return said[max(end for end in ends if end <= place) : min(end for end in ends if end > place)]


def _size(listed: str) -> int:
    """How many numbers a list has."""
    return len(re.findall(r"\d+(?:\.\d+)?", listed))


def _simple(step: dict[str, str]) -> str:
    """The operation of a step with two numbers."""
    return f"({step['a']}) {step['operator']} ({step['b']})"


def _rightly(rejected: re.Match[str]) -> bool:
    """Whether an equation that is said to be wrong is; one that is supposed says nothing."""
    if rejected["supposed"]:
        return True
    read = arithmetic.parse(reading.with_products(rejected["one"].strip(" .")))
    value = None if read is None else arithmetic.value(read)
    is_told = rejected["value"] is None or value == Fraction(rejected["value"])
    return value is not None and value != Fraction(rejected["other"]) and is_told
