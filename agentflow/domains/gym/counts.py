"""Whether the numbers of things that a sentence tells are those of the question.

With her three brothers            the question gives 2
14 ones and 8 zeros                it has other ones
Wasps have 8 legs each.            they have six
Differences: 4, 8, 12              are others
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import pairwise

from agentflow.domains.gym.about import COUNT, About, numbers_in
from agentflow.domains.spelling import lowered, number, word_set

_COUNTED = re.compile(
    rf"(?<![\w.:/*+=^-])(?<![*+/=-] )(?P<n>{COUNT}) (?P<things>[a-z]{{3,}}(?: [a-z]{{3,}})?)\b"
    r"(?! ?:)"
)
_NO_THINGS = word_set("""
    and are but days each for from has have hours into left less minutes more numbers only other
    out per seconds than that the times total too was way ways were which with
""")
_BITS = re.compile(
    rf"\b(?P<n>{COUNT})(?: many| times)? \"?(?P<bit>ones?|zeros?|zeroes|1'?s|0'?s)\b"
    rf"|(?:number of|counts?(?: of)?:?) (?P<named>ones|zeros|1s|0s)(?: is| =|:) (?P<count>{COUNT})"
)
_WANTED = re.compile(
    r"\b(?:more|extra|position|even|odd|need|would|expect|should|pattern|half|either|at)\b"
)
"""Near a number of ones, what does not say how many there are."""
_DIFFERENCES = re.compile(
    r"(?P<second>second |2nd )?differences?(?: between (?:\w+ ){1,3}?terms)?(?: are|:| is| ="
    r"|,? namely)+(?: constant:?)? \+?(?P<list>-?\d+\b(?! ?[-+*/=]\s*\d)(?:(?:,| and|, and|,?"
    r" then) \+?-?\d+\b(?! ?[-+*/=]\s*\d))*)"
)
_RATIO = re.compile(r"\bratio (?:of |is |= ?|: ?)?(?P<n>-?\d+(?:/\d+)?)\b")
_LEGS = {
    0: "snake|sea slug|jellyfish|flatworm|leech",
    2: "chicken|bird|human|duck",
    4: "dog|cat|cow|horse|lion|elephant|giraffe|tiger|deer|sheep",
    5: "starfish",
    6: "insect|ant|butterfl(?:y|ies)|beetle|bee|wasp|grasshopper|cricket|cockroach|praying mantis"
    "|firefl(?:y|ies)",
    8: "spider|scorpion",
    10: "crab|lobster|shrimp",
    14: "woodlouse",
}
"""Numbers of legs -> the animals that have so many, as the task counts them."""
_ANIMALS = tuple((legs, re.compile(rf"\b({names})(?:s|es)?\b")) for legs, names in _LEGS.items())


def things(low: str, about: About) -> bool:
    """Whether things that the question counts are as many as it says, or as came out."""
    given = defaultdict[str, set[Fraction]](set)
    for found in _COUNTED.finditer(lowered(about.question)):
        for word in {*found["things"].split()} - _NO_THINGS:
            given[_singular(word)].add(Fraction(number(found["n"])))
    asked = set(map(Fraction, re.findall(r"\d+(?:\.\d+)?", about.question)))
    for found in _COUNTED.finditer(low):
        told, count = given.get(_singular(found["things"].split()[0])), number(found["n"])
        if told and count != 1 and count not in told | (about.known - asked):
            owned = re.search(rf"\b(?:with|has|have) (?:her|his|their|the)? ?{found['n']} ", low)
            if owned or about.task != "aiw" or count - 1 not in told:  # with her who is asked of
                return False
    return True


def _singular(thing: str) -> str:
    return re.sub(r"(?:ie|y)$", "y", thing if thing.endswith("ss") else thing.removesuffix("s"))


def bits(low: str, about: About) -> bool:
    """Whether the string has as many ones and zeros, and is as long, as is said."""
    string = (re.findall(r"\b[01]{4,}\b", about.question) or [""])[-1]
    for found in _BITS.finditer(low):
        bit = "1" if (found["bit"] or found["named"])[0] in "1o" else "0"
        near = low[max(0, found.start() - 40) : found.end() + 20]
        is_so = number(found["n"] or found["count"]) == string.count(bit)
        if string and not is_so and not _WANTED.search(near):
            return False
    lengths = re.findall(rf"\b({COUNT}) (?:characters|bits|digits)\b", low)
    return all(number(one) in (len(string), *range(5)) for one in lengths)


def sequence(low: str, about: About) -> bool:
    """Whether differences and ratios are those of the sequence."""
    terms = about.asked or numbers_in(about.question)
    terms = terms if about.value is None else [*terms, about.value]
    first = [b - a for a, b in pairwise(terms)]
    second = [b - a for a, b in pairwise(first)]
    for found in _DIFFERENCES.finditer(low):
        listed = [Fraction(one) for one in re.findall(r"-?\d+", found["list"])]
        of = [second] if found["second"] else [first, second]
        begin = len(listed) > 1 and not any(listed == one[: len(listed)] for one in of)
        known = len(listed) > 1 or listed[0] in first + second
        if begin or not (known or "next" in low):
            return False
        about.learn(listed if known else ())
    pairs = [*pairwise(terms), *pairwise(first)]
    ratios = {b / a for a, b in pairs if a}
    return all(Fraction(found["n"]) in ratios for found in _RATIO.finditer(low))


def legs(low: str, about: About) -> bool:
    """Whether a clause about one animal has no numbers but of that."""
    given = Counter[str]()
    for count, named in re.findall(r"(\d+) ([a-z ]+)", about.question.rpartition("if you have")[2]):
        given.update({name: int(count) for _, name in _animals(named)})
    for clause in re.split(r"[,;]|\.\s|\band\b(?! \d+ legs)", low):
        animals = _animals(clause)
        if len(animals) != 1:
            continue
        ((each, animal),) = animals
        if animal not in given:
            return False
        counts = {1, each, given[animal], each * given[animal]}
        about.learn(counts)
        words = re.sub(r"\A\s*\d{1,2}[.)]\s", "", clause)
        told = {number(one) for one in re.findall(rf"(?<![\w.-])(?:{COUNT})(?![\w.])", words)}
        if not told <= counts | ({about.value} if "+" not in clause else about.known):
            return False
    return True


def _animals(text: str) -> set[tuple[int, str]]:
    """The animals of a text: (how many legs one has, its name)."""
    return {
        (count, re.sub("ies$", "y", name)) for count, one in _ANIMALS for name in one.findall(text)
    }
