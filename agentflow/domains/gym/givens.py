"""Whether what a sentence says the question contains is in it, or in the answer.

With her three brothers            the question gives 2
14 ones and 8 zeros                it has other ones
The words with an "h" are: bent    has none
Differences: 4, 8, 12              are others
"""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

from agentflow.domains.gym import kin
from agentflow.domains.gym.about import COUNT, About, counted, numbers_in
from agentflow.domains.spelling import NUMBERS, lowered, word_set

_COUNTED = re.compile(
    rf"(?<![\w.:/*+=^-])(?<![*+/=-] )(?P<n>{COUNT}) (?P<thing>[a-z]{{3,}}(?: [a-z]{{3,}})?)\b(?!"
    r" ?:)"
)
_NO_THINGS = word_set("""
    and are the that this these those which with from more times than way ways step steps other
    others left too much but for has have gives give plus minus divided multiplied mod leaves
    remain remains equals makes was were because since not can cannot numbers number letters
    letter days hours minutes seconds total into out per each both only most least less also
    then both twice over
""")
_BITS = re.compile(r"\b[01]{4,}\b")
_BIT_COUNTS = re.compile(
    rf"\b(?P<n>{COUNT})(?: (?:many|times))? (?P<bit>ones?|zeros?|zeroes|1'?s|0'?s|\"1\"s?"
    r"|\"0\"s?)\b"
    rf"|(?:number of|count of|counts?:?) (?P<bit2>ones|zeros|1s|0s)(?: is| =|:) (?P<n2>{COUNT})\b"
)
_LONG = re.compile(
    rf"\b(?:length(?: is| of|:| =)?|has|of|are|have|consists of) (?P<n>{COUNT})(?: (?:characters?"
    r"|bits?|digits?|letters?)(?: long)?)?\b"
)
_CHARACTERS = re.compile(rf"\b(?P<n>{COUNT}) (?:characters?|bits?|digits?|letters?)\b")
_LETTER = re.compile(r'letter "(\w)"')
_IN_TEXT = re.compile(r'text: "(.*)"', re.DOTALL)
_WORD_COUNT = re.compile(
    r"(?P<q>[\"']?)\b(?P<word>[A-Za-z][A-Za-z'-]*)\b(?P=q)(?:'s)?(?: ?(?:->|:|=|\|)| has|"
    r" contains| contributes| gives| with| \()"
    rf" ?(?P<n>\d+|{'|'.join(NUMBERS)}|no|once|twice)\b(?! ?[-+*/=]? ?\d)"
)
_SHORT_COUNT = re.compile(
    rf"\"(?P<word>[A-Za-z]+)\" (?:has |contains )?\(?(?P<n>{COUNT}|once|twice)\)?"
)
_WORDS_WITH = re.compile(
    r"words?(?: that| which)?(?: are)? (?:with|contain(?:ing)?|having|have|include|including)(?:"
    r" an?| the| at least one)*(?: letter)? \"?'?(?P<letter>\w)'?\"?s?"
    r"(?: in (?:it|them))?(?: are| is|:|,)*:? (?P<list>[^.]+)"
)
_DIFFERENCES = re.compile(
    r"(?P<second>second |2nd )?differences?(?: between (?:\w+ ){1,3}?terms)?(?: are|:| is| ="
    r"|,? namely)+(?: constant:?)? \+?(?P<list>-?\d+\b(?! ?[-+*/=]\s*\d)(?:(?:,| and|, and|,?"
    r" then) \+?-?\d+\b(?! ?[-+*/=]\s*\d))*)"
)
_RATIO = re.compile(r"\bratio (?:of |is |= ?|: ?)?(?P<n>-?\d+(?:/\d+)?)\b")
_POLYGONS = {
    "triangle": 3,
    "quadrilateral": 4,
    "pentagon": 5,
    "hexagon": 6,
    "heptagon": 7,
    "octagon": 8,
    "nonagon": 9,
    "decagon": 10,
}
_ANGLES = re.compile(
    rf"\b(?P<what>{'|'.join(_POLYGONS)}|polygon)\b[^.]*?\b(?:sum(?:s)?(?: up)? (?:to|is|of)|add"
    r"(?:s)? up to|total|always|is) (?:exactly )?(?P<n>\d+)(?!\d| ?[-+*/=])"
)
_SIDES = re.compile(
    rf"\b(?P<n>{COUNT})(?:-| )(?:sides?|sided|gon|angles|interior angles|vertices)\b"
)
_DIGIT_VALUE = re.compile(
    r"\b(?:letter |digit |and |symbol )?[\"']?(?P<letter>[a-z])[\"']? (?:has (?:the )?value(?:"
    r" of)?|is worth|stands for|represents|means|counts as|is the digit|corresponds to|denotes"
    rf"|is|=)(?: the)?(?: value| number| digit)?(?: of)? (?P<n>{COUNT})\b(?! ?[-+*/]| ?\d)"
)
_QUOTED = re.compile(
    r"\b(?:words?|texts?|strings?|phrases?|sentence|ciphertext|turns|and)[:,]? (?P<q>\""
    r"(?P<said>[^\"]{2,200})\")"
)
_MAPS = re.compile(
    r"(?<![\w-])[\"']?(?P<a>\w)[\"']? ?(?:->|(?:maps?|mapped|goes|becomes?|turns|corresponds)(?:"
    r" in)?(?: to)?) [\"']?(?P<b>\w)[\"']?(?![\w'-])|(?<![\w-])[\"']?(?P<c>\w)[\"']?->[\"']?"
    r"(?P<d>\w)[\"']?(?![\w-])"
)
_SELF = re.compile(r"\b(?:letter |character )?[\"']?(?P<a>[a-z])[\"']? maps to itself")
_SPELLED = re.compile(
    r"(?<![\w-])[\"']?[A-Za-z][\"']?(?:(?:, ?|-| - | ->|\s)[\"']?[A-Za-z][\"']?(?![A-Za-z'])){3,}"
)
_ANIMALS = {
    "snake": 0, "sea slug": 0, "jellyfish": 0, "flatworm": 0, "leech": 0, "chicken": 2, "bird": 2,
    "human": 2, "duck": 2, "dog": 4, "cat": 4, "cow": 4, "horse": 4, "lion": 4, "elephant": 4,
    "giraffe": 4, "tiger": 4, "deer": 4, "sheep": 4, "starfish": 5, "insect": 6, "ant": 6,
    "butterfly": 6, "beetle": 6, "bee": 6, "wasp": 6, "grasshopper": 6, "cricket": 6,
    "cockroach": 6, "praying mantis": 6, "firefly": 6, "spider": 8, "scorpion": 8, "crab": 10,
    "lobster": 10, "shrimp": 10, "woodlouse": 14,
}  # fmt: skip
"""Animals -> their legs, as the task counts them."""
_ANIMAL = re.compile(
    rf"\b(?P<animal>{'|'.join(sorted(_ANIMALS, key=len, reverse=True))})(?:s|es|ies)?\b".replace(
        "butterfly", "butterfl(?:y|ies)"
    ).replace("firefly", "firefl(?:y|ies)")
)


def hold(sentence: str, about: About) -> bool:
    """Whether what a sentence in plain signs says of the question's parts is so."""
    low = lowered(sentence)
    kinds = {
        "letter_counting": lambda: _letters(sentence, about),
        "binary_alternation": lambda: _bits(low, about),
        "number_sequence": lambda: _sequence(low, about),
        "simple_geometry": lambda: _angles(low, about),
        "base_conversion": lambda: _digits(low),
        "leg_counting": lambda: _legs(low, about),
        "isomorphic_strings": lambda: _mapped(sentence, about, *_strings(about)),
        "caesar_cipher": lambda: _deciphered(sentence, about),
        "family_relationships": lambda: kin.hold(sentence, about),
        "spell_backward": lambda: _spelled(sentence, about),
    }
    special = kinds.get(about.task)
    counts = about.task in ("aiw", "gsm_symbolic", "leg_counting", "zebra_puzzles")
    return (
        (special is None or special())
        and (not counts or _things(low, about))
        and _quotes(sentence, about)
    )


def _singular(thing: str) -> str:
    thing = thing.removesuffix("s") if not thing.endswith("ss") else thing
    return re.sub(r"(?:ie|y)$", "y", thing)


def _things(low: str, about: About) -> bool:
    """Whether things that the question counts are as many as it says, or as came out."""
    given = dict[str, set[Fraction]]()
    for found in _COUNTED.finditer(lowered(about.question)):
        for word in found["thing"].split():
            if word not in _NO_THINGS:
                given.setdefault(_singular(word), set()).add(Fraction(counted(found["n"])))
    results = about.known - {Fraction(one) for one in re.findall(r"\d+(?:\.\d+)?", about.question)}
    for found in _COUNTED.finditer(low):
        word = _singular(found["thing"].split()[0])
        number = Fraction(counted(found["n"]))
        if word not in given or number in given[word] | results or number == 1:
            continue
        if (
            about.task == "aiw"
            and number in {one + 1 for one in given[word]}
            and not re.search(
                rf"\b(?:with|and|has|have) (?:her|his|their|the)? ?{found['n']} ", low
            )
        ):
            continue
        return False
    return True


def _quotes(sentence: str, about: About) -> bool:
    """Whether what is quoted as a word or a text stands in the question or the answer."""
    pool = _bare(about.question + " " + about.said)
    backwards = _bare(about.said)[::-1]
    return all(
        _bare(one["said"]) in pool or _bare(one["said"]) in backwards
        for one in _QUOTED.finditer(sentence)
    )


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", lowered(text))


def _letters(sentence: str, about: About) -> bool:
    """Whether words have as many of the letter as is said."""
    letter, text = _LETTER.search(about.question), _IN_TEXT.search(about.question)
    if letter is None or text is None:
        return True
    sign, words = letter[1].lower(), [one.lower() for one in re.findall(r"[A-Za-z'-]+", text[1])]
    for form in (_WORD_COUNT, _SHORT_COUNT):
        for found in form.finditer(sentence):
            word = found["word"].lower()
            if word in words and len(word) > 1:
                told = {"no": 0, "once": 1, "twice": 2}.get(found["n"].lower())
                if (counted(found["n"].lower()) if told is None else told) != word.count(sign):
                    return False
            elif form is _SHORT_COUNT and len(word) > 1:
                return False
    for found in _WORDS_WITH.finditer(sentence):
        if found["letter"].lower() != sign:
            continue
        listed = re.findall(r"[A-Za-z][A-Za-z'-]+", re.sub(r"\([^)]*\)", "", found["list"]))
        listed = [
            one.lower()
            for one in listed
            if one.lower() != "and" or ("and" in words and sign in "and")
        ]
        inside = [one for one in listed if one in words]
        if any(sign not in one for one in inside):
            return False
        if (
            inside
            and len(inside) == len(listed)
            and {*inside} != {one for one in words if sign in one}
        ):
            return False
    return True


def _bits(low: str, about: About) -> bool:
    """Whether the string has as many ones and zeros, and is as long, as is said."""
    strings = _BITS.findall(about.question)
    if not strings:
        return True
    bits = strings[-1]
    for found in _BIT_COUNTS.finditer(low):
        bit = (found["bit"] or found["bit2"]).strip("\"'")
        number = counted(found["n"] or found["n2"])
        is_one = bit.startswith(("o", "1"))
        near = low[max(0, found.start() - 40) : found.end() + 20]
        if number != bits.count("1" if is_one else "0") and not re.search(
            r"\b(?:more|extra|position|even|odd|need|would|expect|should|pattern|half|either|at)\b",
            near,
        ):
            return False
    for found in _CHARACTERS.finditer(low):
        if counted(found["n"]) > 4 and counted(found["n"]) != len(bits):
            return False
    return True


def _sequence(low: str, about: About) -> bool:
    """Whether differences and ratios are those of the sequence."""
    terms = about.asked or numbers_in(about.question)
    if about.value is not None:
        terms = [*terms, about.value]
    first = [b - a for a, b in pairwise(terms)]
    second = [b - a for a, b in pairwise(first)]
    for found in _DIFFERENCES.finditer(low):
        listed = [Fraction(one) for one in re.findall(r"-?\d+", found["list"])]
        of = second if found["second"] else first
        if len(listed) > 1 and not any(listed == kind[: len(listed)] for kind in (of, second)):
            return False
        if len(listed) == 1 and "next" not in low and listed[0] not in {*of, *second}:
            return False
        about.learn(listed)
    for found in _RATIO.finditer(low):
        ratio = Fraction(found["n"])
        pairs = (*pairwise(terms), *pairwise(first))
        if not any(a and b / a == ratio for a, b in pairs):
            return False
    return True


def _angles(low: str, about: About) -> bool:
    sides = re.search(r"polygon with (\d+) sides", lowered(about.question))
    for found in _ANGLES.finditer(low):
        count = _POLYGONS.get(found["what"]) or (int(sides[1]) if sides else 0)
        if count and int(found["n"]) not in (180 * (count - 2), count):
            return False
        about.learn((Fraction(180 * (count - 2)),))
    if sides:
        n = int(sides[1])
        if any(kind in low and size != n and size != 3 for kind, size in _POLYGONS.items()):
            return False
        if any(counted(one["n"]) not in (n, n - 1) for one in _SIDES.finditer(low)):
            return False
    return True


def _digits(low: str) -> bool:
    """Whether letters have the values of digits."""
    return all(ord(one["letter"]) - 87 == counted(one["n"]) for one in _DIGIT_VALUE.finditer(low))


def _legs(low: str, about: About) -> bool:
    """Whether a clause with one animal has no numbers but of that."""
    given = Counter[str]()
    for found in re.finditer(
        r"(\d+) ([a-z ]+)", lowered(about.question).rpartition("if you have")[2]
    ):
        if named := _ANIMAL.search(found[2]):
            given[_named(named["animal"])] += int(found[1])
    for clause in re.split(r"[,;]|\.\s|\band\b(?! \d+ legs)", low):
        animals = {_named(one["animal"]) for one in _ANIMAL.finditer(clause)}
        if len(animals) != 1:
            continue
        (animal,) = animals
        if animal not in given:
            return False
        count, legs = given[animal], _ANIMALS[animal]
        words = re.sub(r"\A\s*\d{1,2}[.)]\s", "", clause)
        told = [counted(one) for one in re.findall(rf"(?<![\w.-])(?:{COUNT})(?![\w.])", words)]
        total = {int(about.value)} if about.value is not None else set()
        sums = {int(one) for one in about.known if one.denominator == 1} if "+" in clause else set()
        if any(one not in {count, legs, count * legs, *total, *sums, 1} for one in told):
            return False
        rate = re.search(
            rf"(?:\*|each|have|has|with|of|at) (?P<n>{COUNT}) legs(?: each| per|\b)|"
            rf"(?P<m>{COUNT}) legs (?:each|per)",
            words,
        )
        if rate:
            number = counted(rate["n"] or rate["m"])
            if number != legs and not (
                number == count * legs and "each" not in words and "*" not in words
            ):
                return False
        about.learn(map(Fraction, (count * legs, legs)))
    return True


def _named(said: str) -> str:
    return re.sub(r"ies$", "y", said)


def _strings(about: About) -> tuple[str, str]:
    one, _, other = about.question.strip().rpartition("\n")[2].partition(" ")
    return one.strip(), other.strip()


def _mapped(sentence: str, about: About, source: str, target: str) -> bool:
    """Whether letters stand above each other that are said to."""
    if not source or len(source) != len(target):
        return True
    pairs = {*zip(source, target, strict=True)}
    for found in _SELF.finditer(sentence):
        if (found["a"], found["a"]) not in pairs:
            return False
    for found in _MAPS.finditer(sentence):
        one = (found["a"] or found["c"], found["b"] or found["d"])
        if one not in pairs and one[::-1] not in pairs:
            return False
    return True


_TURNS = re.compile(
    r"\"(?P<a>[A-Za-z ]+)\"(?: (?:is|gets|are))?,? (?:into|to|becomes|decrypted as|decoded as|means"
    r"|turns into|gives|->) ?\"(?P<b>[A-Za-z ]+)\"|\b(?P<c>[A-Z]{2,}) ?-> ?(?P<d>[A-Z]{2,})\b"
)
_SHIFT = re.compile(
    rf"\b(?:shift(?:ed|ing|s)?|back|key|forward|moved?)(?: \w+){{0,3}}?(?: (?:by|of|is|=))? "
    rf"(?P<n>{COUNT})\b(?! letters? (?:word|long))"
)


def _deciphered(sentence: str, about: About) -> bool:
    """Whether letters and words come of those that they are said to come of."""
    asked = re.search(r"(?:text|cipher): (.*?)\. Provide|: ([A-Z ]+)\b", about.question)
    cipher = (asked[1] or asked[2]).strip() if asked else ""
    clear = about.said.strip()
    if not cipher or len(cipher) != len(clear):
        return True
    shift = next(
        ((ord(c) - ord(p)) % 26 for c, p in zip(cipher, clear, strict=True) if c.isalpha()), 0
    )

    def comes(one: str, other: str) -> bool:
        moved = {
            k: "".join(chr((ord(c) - 65 - k) % 26 + 65) if c.isalpha() else c for c in one.upper())
            for k in (shift, -shift)
        }
        return other.upper() in moved.values() or one.upper() == other.upper()

    for found in _TURNS.finditer(sentence):
        if not comes(found["a"] or found["c"], found["b"] or found["d"]):
            return False
    for found in re.finditer(r"\b([A-Z]) ?(?:->|to|becomes) ?([A-Z])\b", sentence):
        if not comes(found[1], found[2]):
            return False
    return all(
        counted(one["n"]) % 26 in (shift, 26 - shift) for one in _SHIFT.finditer(lowered(sentence))
    )


def _spelled(sentence: str, about: About) -> bool:
    """Whether letters one by one, and words in quotes, are those of the word, or of the answer."""
    pool = _bare(about.question) + " " + _bare(about.said)
    runs = [one[0] for one in _SPELLED.finditer(sentence)]
    runs += re.findall(r'"([A-Za-z]{2,})"', sentence)
    return all(_bare(one) in pool for one in runs)
