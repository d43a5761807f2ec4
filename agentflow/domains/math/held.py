"""Whether what a reply says of a calculation is right, beside the answer: every sentence of it.

    What is 17 * 24 - 3?
    We multiply 17 by 24 and then subtract 3.     held: the calculation does that
    Recap: we multiplied 17 by 24 and added 3.    is not: nothing here adds 3
    The numbers are 17, 42 and 3.                 is not: they are others
    The answer is an odd number.                  is not: ``odd`` is not understood

An equation that holds is right wherever it stands, and what it works out may be spoken of.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from agentflow.domains import narration
from agentflow.domains.math import calculation, spoken
from agentflow.domains.math.calculation import Step, step_worth, steps
from agentflow.domains.math.expressions import Tree, numbers
from agentflow.domains.math.spoken import COUNTED, Part, Said
from agentflow.domains.math.values import value
from agentflow.domains.spelling import lowered

TELLS = "tells: "
"""What marks, among the grounds of an answer, what its reply says."""
CHECKS = "checks: "
"""What marks a check of it."""
UNREAD = "unread: "
"""What marks, behind that, a sentence that is not understood."""
_MAX_LINES = 40
"""Longer replies are looked at from their last but one paragraph on."""
_OF_ALL = frozenset({"answer", "expression", "problem", "question", "final", "original"})
"""Words of a sentence whose formulas are worth as much as the whole calculation."""
_OF_PROBLEM = frozenset({"expression", "problem", "question", "original", "want", "wanted"})
"""Words of a sentence whose equation begins with what is asked for."""
_OF_NUMBERS = frozenset({"given", "numbers"})
_LAWS = frozenset({"associative", "associativity", "commutative", "commutativity"})
"""Words for laws of sums and products."""
_OF_CALCULATION = _OF_PROBLEM | _OF_NUMBERS | _LAWS | COUNTED.keys() | {"leftright"}
_OF_CHECK = frozenset({"check", "verify", "confirm", "verification", "verifying", "checking"})
"""Words of a sentence that works something out once more."""
_NOT_CLAIMED = re.compile(
    r"\blet (?!us\b|me\b|['’]?s\b)"
    r"|\b(?:says?|said|told|tells|keys?|try|trying|suppose|assume|call)\b"
)
"""What gives a number that is somebody else's, or nobody's: ``The key says that x = 60``."""
_CHECKING = re.compile(
    r"(?i)[\W_]*(?:(?:quick|let['’]?s|let us|let me|we|i|a|to) )*(?:(?:double|cross|sanity)[- ]?)?"
    r"(?:check|verif)\w*\b.*\d"
)
_CHECK_INLINE = re.compile(
    r"(?i)(?<![*_(])[*_(]{1,4}(?:(?:double|cross|sanity)[- ])?"
    r"(?:check|verif)\w{0,9}[*_]{0,4}:.{0,300}\d"
)
"""A check, on a line of its own or in bold print behind an answer."""
_OF_ORDER = frozenset({"order", "pemdas", "bodmas", "bidmas", "precedence", "before"})
"""Words of a rule by which some operations go first."""
_FIRST = frozenset({"first", "start", "starting", "begin", "beginning"})
_LAST = frozenset({"last", "finally", "final"})
_BROKEN_OFF = re.compile(r"\.\.|…|\d['\"]|(?m:^[ \t#>]*[-–−] +\\?\$?\d[\d,.]*[ \t]*$)")
"""Marks of a text that does not end in a plain number: ``14...``, ``14'``, ``- 14``, which may have
a sign, or stand in a list."""
_REASON = re.compile(r"(?i)(?<=[\d*!.]),? (?:because|since)\b.*")
"""``144 / 12 = 12, because 12 * 12 = 144``: what is said last is no result."""
_LITERAL = re.compile(r"-?\d+(?:\.\d+)?(?:/[1-9]\d*)?")
_BEFORE = re.compile(
    r"(?i)(?:\A|(?<![!<>~])[=≈:,])[\s\"'(*\[{]*\Z|\b(?:is|are|be|was|equals?|gives?|giving|gets?|getting|yields?"
    r"|obtain|leaves?|makes?|have|answer|result|solution|value|sum|total|total of|same as"
    r"|(?:equal|comes|amounts|simplifies|evaluates|us) to)(?: (?:exactly|just|simply|now|the))?"
    r"[\s\"'(*\[{]+\Z"
)
_BEHIND = re.compile(
    r"(?i)[\s\"')*\]}]*(?:\Z|!\s*\Z|[.,;:|=✓✔✅🎉😊🙂👍]"
    r"|(?:and|as|because|for|is|since|so|which)\b|(?:altogether|in all|in total|overall)\W*\Z)"
)
"""What may stand beside the number that a sentence gives: no sign, and no word that makes it
another one (``minus 30``, ``at most 30``, ``30 squared``, ``30 each``)."""
_RANK = {"(": 0, "!": 1, "sqrt": 1, "^": 1, "*": 2, "/": 2, "+": 3, "-": 3}


def told(text: str, said: str) -> Iterator[str]:
    """What a reply says, to be held against the calculation that is asked for; nothing where it
    only works out, and says, its answer."""
    answer = calculation.said(said)
    if answer is not None and not said[-1:].isdigit():  # fourteen
        text = text.replace(said, str(answer))
    parts = list(dict.fromkeys(spoken.sentences(_near(text))))
    needs = False
    for one in parts:
        found = spoken.read(one)
        if found is None:
            yield f"{TELLS}{UNREAD}{one.replace(';', ',')}"
            return
        needs = needs or _needs_problem(found, answer)
    if needs:
        yield from (TELLS + one.replace(";", ",") for one in parts)


def ends_in(text: str) -> str | None:
    """The number that the last sentence of a reply gives, where all of it is understood and no
    other one stands alone in it."""
    if _BROKEN_OFF.search(text):
        return None
    said = list[tuple[Said, str]]()
    for part in spoken.sentences(_near(text)):
        found = spoken.read(part)
        if found is None:
            return None
        if found != Said():
            cut = _REASON.sub("", part)
            said.append((spoken.read(cut) or found, cut))
    read = [one for one, _ in said]
    if not read or read[-1].asks:
        return None
    called = [one for one in read if "answer" in one.words and one.numbers]
    works = [one for one in read if _OF_CHECK.isdisjoint(one.words) and _ends(one)]
    if not works:
        return None
    last, sentence = next(one for one in reversed(said) if one[0] in (called or works))
    if _NOT_CLAIMED.search(lowered(sentence)):
        return None
    results = [_result(one) for one in last.equations]
    shown = {step for sides in last.equations for side in sides for step in steps(side)}
    parts = [one for one in last.parts if one.result is not None or not _is_step(one, shown)]
    ends = {*last.numbers, *(one.result for one in parts)} or {*results[-1:]}
    if not {*map(value, read[-1].formulas)} <= ends:
        return None
    others = {number for one in read for number in one.numbers if one not in called[:-1]}
    others -= {value(side) for one in read for sides in one.equations for side in sides}
    if len(ends) != 1 or None in ends or not others <= ends:
        return None
    return str(*ends) if _stands_plain(sentence, *ends) else None


def checks_told(text: str) -> str:
    """The sentences of a text, behind its first line, that work something out once more."""
    parts = [one for one in text.strip().split("\n") if one.strip()]
    told = [one for one in parts[1:] if _CHECKING.match(one)]
    inline = _CHECK_INLINE.search(parts[0]) if parts else None
    return " ".join([parts[0][inline.start() :] if inline else "", *told]).strip()


def check_holds(question: str, told: str, answer: Fraction) -> bool:
    """Whether what a check works out at last is the answer, or a number of the question, or what
    two of those come to; and it speaks of the answer."""
    own = {Fraction(one[0]) for one in _LITERAL.finditer(question.replace(",", ""))}
    pairs = [(one, other) for one in own for other in own]
    own |= {n for a, b in pairs for n in (a + b, a - b, a * b, *([a / b] if b else []))}
    numbers = [Fraction(one[0]) for one in _LITERAL.finditer(told.replace(",", ""))]
    return answer in numbers and (numbers[-1] in own or numbers[-1] == answer)


def _stands_plain(sentence: str, number: Fraction | None) -> bool:
    """Whether nothing beside a number, where a sentence gives it last, makes it another one."""
    places = [one for one in _LITERAL.finditer(sentence) if Fraction(one[0]) == number]
    if not places:
        return False
    last = places[-1]
    before, behind = _BEFORE.search(sentence, 0, last.start()), _BEHIND.match(sentence, last.end())
    return bool(before and behind)


def _result(sides: tuple[Tree, ...]) -> Fraction | None:
    """What an equation comes to; the exact side of one whose other side is rounded."""
    first, *_, last = map(value, sides) if len(sides) > 1 else (value(sides[0]),) * 2
    return last if first == last else first


def _is_fraction(tree: Tree) -> bool:
    match tree:
        case ("/", Fraction(), Fraction()):
            return True
    return False


def _ends(said: Said) -> bool:
    """Whether a sentence may say what all comes to."""
    comes = said.equations or said.formulas or said.numbers or said.parts
    return bool(comes)


def checks(sentence: str) -> bool:
    """Whether a sentence works something out once more: it is no answer."""
    said = spoken.read(sentence)
    return said is not None and not said.words.isdisjoint(_OF_CHECK)


def _near(text: str) -> str:
    """A reply, or the end of a long one."""
    text = narration.own(text)
    if sum(not line.isspace() for line in text.splitlines()) <= _MAX_LINES:
        return text
    text = text.rstrip()
    return text[text.rfind("\n\n", 0, max(0, text.rfind("\n\n"))) + 1 :]


def _needs_problem(said: Said, answer: Fraction | None) -> bool:
    """Whether a sentence says more than equations, and the number of the answer."""
    alone = (said.formulas, said.parts, said.named, said.lacks, said.asks, said.goes_on)
    others = any(one != answer for one in said.numbers)
    return others or any(alone) or not said.words.isdisjoint(_OF_CALCULATION)


class _Work(NamedTuple):
    """The calculation that is asked for, and how a reply works it out.

    Attributes:
        tree: The calculation.
        exact: What it comes to.
        problem: Its steps.
        done: Those of the equations of the reply.
        before: What the equation before a sentence comes to.
    """

    tree: Tree
    exact: Fraction
    problem: list[Step]
    done: list[Step]
    before: Fraction = Fraction(0)


def goes_with(asked: str, grounds: Sequence[str]) -> bool:
    """Whether all that a reply tells goes with the calculation that is asked for.

    Args:
        grounds: What :func:`told` found, with other ones.
    """
    parts = [one.removeprefix(TELLS) for one in grounds if one.startswith(TELLS)]
    tree = calculation.calculation(asked)
    exact = value(tree) if tree else None
    if tree is None or exact is None or any(one.startswith(UNREAD) for one in parts):
        return not parts
    found = [spoken.read(one) for one in parts]
    sides = [side for one in found if one for sides in one.equations for side in sides]
    work = _Work(tree, exact, [*steps(tree)], [step for side in sides for step in steps(side)])
    for said in found:
        if said is None or not _goes(said, work):
            return False
        ends = said.formulas[-1:] or [one[-1] for one in said.equations[-1:]]
        work = work._replace(before=next(map(value, ends), None) or work.before)
    return True


def _goes(said: Said, work: _Work) -> bool:
    """Whether a sentence goes with a calculation: all that it asks, equates, names and counts."""
    known = {*work.problem, *work.done}
    if said.asks and (said.formulas != (work.tree,) or said.equations or said.numbers):
        return False
    if said.goes_on and said.equations and value(said.equations[0][0]) != work.before:
        return False
    begun = (step for sides in said.equations[:1] for step in steps(sides[0]))
    if not said.words.isdisjoint(_OF_PROBLEM) and not {*work.problem}.issuperset(begun):
        return False
    whole = not said.words.isdisjoint(_OF_ALL)
    others = list[Fraction | None]()
    for formula in said.formulas:
        is_result = value(formula) == work.exact
        if whole and not is_result:
            return False
        single = len([*steps(formula)]) == 1
        if not (is_result and single) and not known.issuperset(steps(formula)):
            others.append(value(formula))
    left = iter([step_worth(step) for step in work.problem if step[0] == "/"])
    if not all(one in left for one in others):  # 9/24 for 3/8
        return False
    if not all(_is_step(part, known) for part in said.parts):
        return False
    named = [one for one in said.named if one in "+-*/"]
    if named and said.numbers and not (said.equations or said.formulas or said.parts):
        results = {step_worth(step) for step in known if step[0] in named}
        if not results.issuperset(said.numbers):  # The product is 322.
            return False
    return _numbers_go(said, work, whole) and _named_go(said, work)


def _numbers_go(said: Said, work: _Work, whole: bool) -> bool:
    """Whether numbers that stand alone are all those of the calculation, its value, or what the
    equation before them comes to."""
    those = {*said.numbers}
    if those <= {work.exact}:
        return not (those and "numbers" in said.words)
    if whole or not said.words.isdisjoint(_OF_NUMBERS) or len(said.numbers) > 1:
        return said.numbers == (*numbers(work.tree),) and "answer" not in said.words
    known = {work.before, *map(value, said.formulas)}  # 15% as a decimal: 0.15
    return those <= known or ("(" in said.named and those <= {*_bracketed(work.tree)})


def _named_go(said: Said, work: _Work) -> bool:
    """Whether the operations that a sentence names are done, in the order in which it names them;
    those of a rule stand in the order of the rule."""
    asked = [sign for sign, *_ in work.problem]
    counts = Counter([*asked, *("(" for _ in _bracketed(work.tree))])
    there = {*counts}
    if not {*said.lacks} <= {"(", "^"} - there:
        return False
    if (
        "both" in said.words
        and said.named
        and said.words.isdisjoint(_OF_ORDER)
        and [*map(asked.count, said.named[:1])] != [2]
    ):
        return False
    if any(counts[sign] != n for word, (n, sign) in COUNTED.items() if word in said.words):
        return False
    if not said.words.isdisjoint(_OF_ORDER):
        ranks = [_RANK[one] for one in said.named]
        return ranks == sorted(ranks)
    if not {*said.named} - {*"+-*/"} <= there:
        return False
    inner = said.equations != ()  # what is in brackets is worked out already
    chained = len(said.equations) > 1 and _is_chained(said.equations)
    if "leftright" in said.words and not (chained or _from_left(work.tree, inner=inner)):
        return False
    named = [one for one in said.named if one != "("]
    inside = [one for each in (*said.equations, said.formulas) for one in each]
    inside = [one for one in inside if not (_is_fraction(one) and value(one) == work.exact)]
    signs = {sign for one in inside for sign, *_ in steps(one)} | {one.sign for one in said.parts}
    if signs:
        return {*named} & {*"+-*/"} <= signs and (
            said.words.isdisjoint(_LAWS) or signs <= {"+", "*"}
        )
    order = [sign for sign, *_ in work.done or work.problem]
    firsts = (order[0], work.problem[0][0])
    if named and not said.words.isdisjoint(_FIRST) and named[0] not in firsts:
        return False
    if len(named) == 1 and not said.words.isdisjoint(_LAST) and named[0] != order[-1]:
        return False
    orders = map(iter, (order, asked))
    return any(all(one in left for one in named) for left in orders)


def _is_step(part: Part, known: set[Step]) -> bool:
    """Whether an operation of which one number is named is one of the steps that are known."""
    for step in known:
        sign, *sides = step
        at = sides if sign in "+*" else sides[:1] if part.is_first else sides[1:]
        if sign == part.sign and part.number in at and part.result in (None, step_worth(step)):
            return True
    return False


def _bracketed(tree: Tree) -> Iterator[Fraction | None]:
    """What the parts of a calculation come to that need brackets."""
    match tree:
        case (str() as sign, *sides):
            for number, side in enumerate(sides):
                if isinstance(side, tuple):
                    if _RANK.get(side[0], 0) + (number > 0) > _RANK.get(sign, 0):
                        yield value(side)
                    yield from _bracketed(side)


def _is_chained(equations: Sequence[tuple[Tree, ...]]) -> bool:
    """Whether each equation goes on with what the one before it comes to, on the left."""
    for (*_, result), (begun, *_) in pairwise(equations):
        match begun:
            case (_, Fraction() as first, Fraction()) if first == value(result):
                continue
        return False
    return True


def _from_left(tree: Tree, *, inner: bool = False) -> bool:
    """Whether a calculation is worked out from left to right: no right side is one itself.

    Args:
        inner: Whether what needs brackets may stand right.
    """
    match tree:
        case (str() as sign, left, right):
            if isinstance(right, tuple) and not (
                inner and _RANK.get(str(right[0]), 0) >= _RANK.get(sign, 0)
            ):
                return False
            return _from_left(left, inner=inner)
    return True
