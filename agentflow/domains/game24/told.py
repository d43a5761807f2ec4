"""Whether all that a text tells beside its answer of Game of 24 goes with it.

    8 - 7 = 1, and 4 minus 1 is 3.       adds up, and all numbers come from somewhere
    The numbers are 4, 7, 8, 8.          are those of the answer
    Adding 7 and 8 gives 56.             is wrong
    The largest of the numbers is 4.     is not understood: ``largest`` may claim anything

A text that tries this and that is looked at from the last line above its answer on; further up
stands what was given up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from agentflow.domains import answers, arithmetic, conclusions, narration
from agentflow.domains.closings import closes
from agentflow.domains.game24 import reading
from agentflow.domains.remark_words import ODD_SIGN
from agentflow.domains.spelling import lowered, word_set

TARGET = Fraction(24)
_UNREAD = "tells: what is not understood, or does not go with it"
_MAX_LINES = 40
_MAX_SENTENCE = 600
_WORDS = word_set("""
    achieve add added adding addition alternatively another arithmetic available break but can
    combination combinations combine combining digits directly divide divided dividing division
    equal equals equation equations example explanation expression expressions few fit form format
    four game goal got great have leave leaves leaving left make making multiplication multiplied
    multiply multiplying note notice noticed nowhere number numbers obtain okay operation
    operations operators original others possible provide puzzle reach reached reaches required
    rest result resulting results several simpler simplify simplifying single solutions subtract
    subtracted subtracting subtraction sure target think tried try trying uses valid was will
    written yes yield yields
""")
"""Words that claim nothing of numbers but what is read here."""
_CLAIMING = re.compile(
    r"\bonly (?:one |possible |valid |correct )*(?:way|solution|answer|expression|number)"
    r"|\b\d+ (?:\w+ )?(?:steps?|operations?|ways?|solutions?)\b"
    r"|\bnumbers? (?:is|are) \d+(?![\d, ]*\d)|[✗✘❌✖≠<>%^!]\s*\d|\d!(?=\s*[-+*/=)\w])"
)
_TRIES = re.compile(
    r"(?i)\b(?:try|tried|trying|attempt|wait|hmm+|actually|another|alternatively|however|instead"
    r"|suppose|not 24|not valid|option)\b"
)
_MANY_TRIES = 3
_TRY = re.compile(r"\b(?:try|tried|trying)\b")
_FAILS = re.compile(
    r"(?:,? ?but)?(?: (?:which|that|this|it))?(?: is| was|'s)? (?:(?P<not>not (?:equal to )?24\b)"
    r"|(?P<big>too (?:big|large|high)\b)|(?P<small>too (?:small|low)\b)"
    r"|(?P<bad>(?:is )?(?:no use|not helpful|not valid)\b|does(?: not|n't) work\b))"
)
"""What is said of what a trial comes to."""

_N = r"\(?-?\d+(?:\.\d+)?(?:/\d+)?\)?"
_SPOKEN = [
    (re.compile(rf"\b(?:the )?(?:{words}) ({_N}),? {joint} ({_N})"), sign)
    for words, joint, sign in (
        ("sum of|adding|add", "(?:and|to|with)", r"(\1 + \2)"),
        ("subtracting|subtract|taking|take", "(?:away )?from", r"(\2 - \1)"),
        ("difference (?:of|between)", "and", r"(\1 - \2)"),
        ("product of|multiplying|multiply", "(?:and|by|with|times)", r"(\1 * \2)"),
        ("quotient of|dividing|divide", "(?:and|by)", r"(\1 / \2)"),
    )
] + [
    (re.compile(rf"(?<=[\d)]) (?:{word}) (?=[-(\d])"), f" {sign} ")
    for word, sign in (
        ("plus|added to", "+"),
        ("minus", "-"),
        ("times|multiplied by", "*"),
        ("divided by|over", "/"),
    )
]
"""Operations in words, and with their signs."""
_NAMES = {"+": "add", "-": "subtract", "*": "multipl", "/": "divi"}
"""What the words for an operation have in common."""
_OPERATED = r"[-(\d][-+*/().\d ]{0,80}[-+*/] ?[-(\d][-+*/().\d ]{0,80}(?<=[\d)])"
_SAYS = re.compile(
    rf"(?P<of>{_OPERATED})(?: ?: ?|,? (?:(?:which|that|this|we|you|to|and|it|would|will) ){{0,2}}"
    r"(?:(?:is )?equal(?:s| to)?|is|gives?|giving|makes?|making|yields?|gets?|got|becomes"
    r"|results? in|comes to|produces?|leaves) (?:us )?)(?=[-(\d])"
)
"""``6 * 4 gives 24``, ``6 * 4: 6 * 4 = 24``."""
_LISTED = r"(?<![-+*/=≈(.\d])(?<![-+*/=≈(] )\(?\d+(?:(?:,? and |, ?| )\d+)+\)?"
_LIST = re.compile(rf"{_LISTED}(?![\d/])(?! ?[-+*/=≈]|\.\d)")
_RUN = re.compile(r"[-+*/(=≈ ]*\d[-+*/().\d =≈]*")
_NUMBERED = re.compile(
    r"(?i)\A[\W_]*\d{1,2}[.)](?: +|\Z)"
    r"|\b(?:step|solution|option|way|method|equation|operation)s? ?[#(]?\d{1,2}\b\)? ?[-:.)]?"
)
_MARKUP = re.compile(
    r"</?answer>|\\(?:boxed|text|quad|left|right|displaystyle)\b|\\[()\[\],;! ]"
    r"|[\[\]{}$`\"]|```\w*|\\\\|&|^\s*#+|[✓✅✔☑☺🎉👍\ufe0f]"
)
_FRACTION = re.compile(r"(?<![\d./*^])(\d{1,9}) ?/ ?(\d{1,9})(?![\d./])")
_NUMBER = re.compile(r"-?\d+(?:\.\d+|/0*[1-9]\d*)?")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n")
_MEANS = re.compile(r"\b(?:is|are|equals?|gives?|makes?|gets?|got|becomes|have)\b|'s\b")
_AIMS = re.compile(
    r"\b(?:make|get|reach|obtain|form|want|need|equals?|(?:equal |up )?to|produce|achieve|of|for)"
    r" (?:exactly )?(?P<n>\d+)\b"
)


_REJECTED = re.compile(
    r"\W*(?:suppose(?: that)? (?P<supposed>[-+*/(). \d]*=[\d. ]*)"
    r"|(?:(?:does|is|try):? )?(?P<one>[-+*/(). \d]*\d[)\d. ]*)= ?(?P<other>-?\d+) ?"
    r"(?:(?:->)? ?not \d+|\(?(?:wrong|no)\)?"
    r"|\? ?no(?:,? (?:it is |that is )?(?P<value>-?\d+))?))\W*"
)
"""An equation that its own line says is wrong, or supposes: ``4 + 7 = 24 (wrong)``."""


def grounded(answer: str, text: str) -> str:
    """An answer; with a ground of its own where what its text tells does not go with it."""
    return answer if goes_with(text, answer) else conclusions.grounded(answer, [_UNREAD])


def goes_with(text: str, answer: str) -> bool:
    """Whether all that a text tells is understood, and true where its answer is right.

    Args:
        text: The text that states the answer.
        answer: The answer, in plain signs.
    """
    expression = reading.solution(answer)
    if expression is None:
        return True  # undecided anyway
    if arithmetic.value(expression) != TARGET:
        return not _has_solution(text, sorted(arithmetic.numbers(expression)))
    known = _Known(expression)
    return all(known.tells(line) for line in _reach(text, answer)) and not known.begun


def _has_solution(text: str, own: list[Fraction]) -> bool:
    """Whether a solution with the numbers of a wrong answer stands somewhere in a text."""
    runs = (run[0] for line in text.split("\n") for run in _RUN.finditer(reading.plain(line)))
    read = (arithmetic.parse(side.strip(" .")) for run in runs for side in run.split("="))
    return any(
        sorted(arithmetic.numbers(one)) == own and arithmetic.value(one) == TARGET
        for one in read
        if one is not None
    )


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


def _place(text: str, lines: list[str], answer: str) -> int:
    """The line that states an answer at last."""
    stated = answers.statements(text)
    marked = [one for one in stated if reading.stated(reading.plain(one.text)) == answer]
    if marked:
        return text.count("\n", 0, marked[-1].start)
    holds = (place for place, line in enumerate(lines) if answer in reading.plain(line))
    return max(holds, default=len(lines) - 1)


class _Known:
    """The numbers that are known, line by line: those of an answer, and what came out of them."""

    def __init__(self, answer: arithmetic.Expression) -> None:
        self.own = sorted(arithmetic.numbers(answer))
        self.signs = {*_signs(arithmetic.show(answer))}
        self.numbers = {*_values(answer), TARGET}
        self.results = Counter(self.own)
        self.last: Fraction | None = None
        self.tried = False
        self.begun = False

    def tells(self, line: str) -> bool:
        """Whether a line is understood and true."""
        if steps := reading.steps(reading.plain(line)):
            for _, step in steps:  # judged as steps
                self._learn(arithmetic.parse(step["result"]))
            return True
        if labelled := reading.LABELLED.match(reading.plain(line)):
            return self._labels(labelled)
        if rejected := _REJECTED.fullmatch(" ".join(lowered(reading.plain(line)).split())):
            return _rightly(rejected)
        return all(self._says(one) for one in _SENTENCE.split(line) if re.search(r"[^\W_]", one))

    def _labels(self, labelled: re.Match[str]) -> bool:
        """Whether a line of a step on three may stand there; it is judged with the third of them,
        and :attr:`begun` up to there."""
        label, listed, operation = labelled.groups()
        if operation is not None:
            self.begun = True
            for side in re.split("[=≈]", operation):
                self._learn(arithmetic.parse(side.strip(" .*\r")))
            return True
        self.begun = self.begun and label.lower() == "available"
        numbers = [Fraction(one) for one in _NUMBER.findall(listed)]
        return label.lower() == "remaining" or self._are_all(numbers)

    def _says(self, sentence: str) -> bool:
        if closes(sentence):
            return True
        if len(sentence) > _MAX_SENTENCE:
            return False
        said = _NUMBERED.sub(" ", _MARKUP.sub(" ", reading.plain(sentence)))
        said = " ".join(lowered(said).split()).strip(" .*_-")
        if said == "no":  # to the numbers that a trial ends in
            return self.last is not None and self.last != TARGET
        if re.search(ODD_SIGN, said) or "?" in said or _CLAIMING.search(said):
            return False
        for spoken, sign in _SPOKEN:
            said = spoken.sub(sign, said)
        said = _SAYS.sub(r"\g<of> = ", said)
        tries = _TRY.search(said) is not None
        self.tried |= tries
        signs = {*_signs(said)} or self.signs
        named = {sign for sign, name in _NAMES.items() if name in said}
        if not (named <= signs or len(named) == len(_NAMES)):
            return False
        lists = [[*map(int, re.findall(r"\d+", one[0]))] for one in _LIST.finditer(said)]
        rest = _LIST.sub(" ", said)
        if not all(self._listed(one, rest) for one in lists):
            return False
        runs = [one[0] for one in _RUN.finditer(rest)]
        if not all(self._comes_out(one, tries) for one in runs if _signs(one) or "=" in one):
            return False
        rest = _RUN.sub(lambda run: " " if _signs(run[0]) or "=" in run[0] else run[0], rest)
        if any(not self._failed(one) for one in _FAILS.finditer(rest)):
            return False
        rest = _FAILS.sub(" ", rest)
        whole = any(len(one) == len(self.own) for one in lists)
        alone = re.finditer(r"\d+(?:\.\d+)?", rest)
        return all(self._alone(one, rest, whole) for one in alone) and narration.only(rest, _WORDS)

    def _are_all(self, numbers: list[Fraction]) -> bool:
        """Whether listed numbers are those of the answer, or fewer."""
        return len(numbers) < len(self.own) or sorted(numbers) == self.own

    def _listed(self, numbers: list[int], rest: str) -> bool:
        """Whether listed numbers are those of the answer, or some that are at hand."""
        if len(numbers) >= len(self.own):
            return sorted(numbers) == self.own
        left = re.search(r"\b(?:left|remain\w*|leav\w+)\b", rest)
        if not left and re.search(r"\b(?:are|is)\b", rest):
            return False
        return not Counter(map(Fraction, numbers)) - self.results

    def _comes_out(self, run: str, tries: bool) -> bool:
        """Whether an equation is right, or an expression is one that may be."""
        sides = [side.strip(" .") for side in re.split("[=≈]", run.strip(" .").rstrip("( "))]
        if not sides[0]:
            sides[0] = "" if self.last is None else f"({self.last})"
        read = [arithmetic.parse(reading.with_products(side)) for side in sides]
        values = [None if one is None else arithmetic.value(one) for one in read]
        told = [one for one in values if one is not None]
        if len(told) < len(sides) or not _alike(told, run):
            return False
        if len(sides) == 1 and not tries and not self._stands_alone(read[0], told[0]):
            return False
        own = any(one is not None and self._uses_all(one) for one in read)
        for side, one in zip(sides, read, strict=True):
            if not (tries or own or self._are_known(side, {*told[1:]})):
                return False
            self._learn(one)
        return True

    def _uses_all(self, read: arithmetic.Expression) -> bool:
        return sorted(arithmetic.numbers(read)) == self.own

    def _stands_alone(self, read: arithmetic.Expression | None, value: Fraction) -> bool:
        """Whether an expression that is said to be nothing may be told: it is a solution, or an
        operation on the way."""
        if read is None or len(list(arithmetic.numbers(read))) > 2:
            return read is not None and self._uses_all(read) and value == TARGET
        return value in self.numbers

    def _are_known(self, side: str, results: set[Fraction]) -> bool:
        """Whether the numbers of an expression come from somewhere; a fraction may be one."""
        known = self.numbers | results

        def whole(found: re.Match[str]) -> str:
            bottom = int(found[2])
            return "0" if bottom and Fraction(int(found[1]), bottom) in known else found[0]

        read = arithmetic.parse(reading.with_products(_FRACTION.sub(whole, side)))
        return read is not None and (known | {Fraction(0)}).issuperset(arithmetic.numbers(read))

    def _learn(self, read: arithmetic.Expression | None) -> None:
        if read is not None:
            values = [one for one in _values(read) if one is not None]
            self.numbers |= {*values}
            self.last = values[0]
            self.results.update({values[0]})

    def _failed(self, found: re.Match[str]) -> bool:
        """Whether what is said to be no solution is none."""
        if found["bad"]:
            return self.tried
        last = TARGET if self.last is None else self.last
        return (
            (last > TARGET or not found["big"])
            and (last < TARGET or not found["small"])
            and (last != TARGET)
        )

    def _alone(self, found: re.Match[str], rest: str, whole: bool) -> bool:
        """Whether a number that stands alone may stand there."""
        number = Fraction(found[0])
        if number != TARGET and re.match(r" (?:is|are) [a-z]", rest[found.end() :]):
            return False
        aims = any(one.start("n") == found.start() for one in _AIMS.finditer(rest))
        if whole or re.search(r"\b(?:target|goal|answer|solution|expression|way)\b", rest):
            return number == TARGET
        if aims:
            return number in self.numbers and number not in self.own
        if not _MEANS.search(rest):
            return number in self.numbers
        return number == (TARGET if self.last is None else self.last)


def _rightly(rejected: re.Match[str]) -> bool:
    """Whether an equation that is said to be wrong is; one that is supposed says nothing."""
    if rejected["supposed"]:
        return True
    read = arithmetic.parse(reading.with_products(rejected["one"].strip(" .")))
    value = None if read is None else arithmetic.value(read)
    is_told = rejected["value"] is None or value == Fraction(rejected["value"])
    return value is not None and value != Fraction(rejected["other"]) and is_told


def _signs(text: str) -> list[str]:
    """The signs of operations, which stand behind a number."""
    return re.findall(r"(?<=[\d)]) ?([-+*/])", text)


def _alike(values: Iterable[Fraction], run: str) -> bool:
    """Whether values are one, as far as their decimals, or ``≈``, go."""
    low, high = (each(values) for each in (min, max))
    decimals = [len(one) for one in re.findall(r"\d\.(\d+)", run)]
    if "≈" in run:
        return high - low <= abs(high) / 50
    return high - low < Fraction(1, 10 ** min(decimals)) if decimals else low == high


def _values(expression: arithmetic.Expression) -> Iterator[Fraction | None]:
    """The values of an expression and of its parts."""
    yield arithmetic.value(expression)
    if isinstance(expression, tuple):
        for part in expression[1:]:
            yield from _values(part)
