"""Whether what a sentence says of the letters of words is so.

The words with an "h" are: bent    has none
In base 11, a is worth 11          it is worth ten
Y becomes T                        in a text that is shifted by five letters
c, i, b, u, p, o, n, a             neither the word nor the answer
"""

from __future__ import annotations

import re

from agentflow.domains.gym.about import COUNT, About
from agentflow.domains.spelling import lowered, number

_OFTEN = {"no": 0, "once": 1, "twice": 2}
_HAS = re.compile(
    r"(?P<q>[\"']?)\b(?P<word>[A-Za-z][A-Za-z'-]+)\b(?P=q)(?:'s)?(?P<joint> ?(?:->|[:=|])| has"
    r"| contains| contributes| gives| with)?"
    rf" ?\(?(?P<n>{COUNT}|no|once|twice)\b(?! ?[-+*/=]? ?\d)"
)
_WORDS_WITH = re.compile(
    r"words?(?: that| which)?(?: are)? (?:with|contain(?:ing)?|having|have|include|including)(?:"
    r" an?| the| at least one)*(?: letter)? \"?'?(?P<letter>\w)'?\"?s?"
    r"(?: in (?:it|them))?(?: are| is|:|,)*:? (?P<list>[^.]+)"
)
_IS_DIGIT = re.compile(
    r"\b[\"']?(?P<letter>[a-z])[\"']? (?:has (?:the )?value(?: of)?|is worth|stands for|represents"
    r"|means|counts as|is the digit|corresponds to|denotes|is|=)(?: the)?(?: value| number| digit)?"
    rf"(?: of)? (?P<n>{COUNT})\b(?! ?[-+*/]| ?\d)"
)
_BECOMES = r"(?:is|gets|are|maps?|mapped|goes|decrypted|decoded|turns|corresponds|changes)"
_LETTERS = r"(?:\w|[A-Z]{2,}|(?<=\")[A-Za-z ]+(?=\"))"
_TURNS = re.compile(
    rf"(?<![\w-])[\"']?(?P<one>{_LETTERS})[\"']?,? ?(?:->|(?:{_BECOMES} )*"
    rf"(?:to|into|as|becomes?|means|gives) ) ?[\"']?(?P<other>itself|{_LETTERS})[\"']?(?![\w'-])"
)
_SHIFT = re.compile(
    rf"\b(?:shift(?:ed|ing|s)?|back|key|forward|moved?)(?: \w+){{0,3}}?(?: (?:by|of|is|=))? "
    rf"(?P<n>{COUNT})\b(?! letters? (?:word|long))"
)
_SPELLED = re.compile(
    r"(?<![\w-])[\"']?[A-Za-z][\"']?(?:(?:, ?|-| - | ->|\s)[\"']?[A-Za-z][\"']?(?![A-Za-z'])){3,}"
)


_LONG = re.compile(
    rf"\b(?:ha[sd]|have|having|with|contains?|all|of) (?:all |exactly )?({COUNT})[- ]"
    rf"(?:letters|characters)\b"
    rf"|\b({COUNT})[- ](?:letter|character)s?[- ](?:word|string|long|in all|in total)\b"
)
"""How long a word is said to be."""


def counts(sentence: str, about: About) -> bool:
    """Whether words have as many of the letter as is said."""
    asked = re.search(r'letter "(\w)".*text: "(.*)"', about.question, re.DOTALL)
    if asked is None:
        return True
    sign, words = asked[1].lower(), re.findall(r"[a-z'-]+", asked[2].lower())
    for found in _HAS.finditer(sentence):
        word, told = found["word"].lower(), found["n"].lower()
        if word in words and (found["joint"] or found["q"] or "(" in found[0]):
            if word.count(sign) != (_OFTEN[told] if told in _OFTEN else number(told)):
                return False
        elif found["q"]:
            return False
    return all(
        sign in one
        for found in _WORDS_WITH.finditer(sentence.lower())
        if found["letter"] == sign
        for one in set(re.findall(r"[a-z][a-z'-]+", found["list"])) - {"and"}
        if one in words
    )


def digits(low: str, about: About) -> bool:
    """Whether letters have the values of digits."""
    return all(ord(one["letter"]) - 87 == number(one["n"]) for one in _IS_DIGIT.finditer(low))


def mapped(sentence: str, about: About) -> bool:
    """Whether letters stand above each other that are said to."""
    source, _, target = about.question.strip().rpartition("\n")[2].partition(" ")
    pairs = {*zip(source.strip(), target.strip(), strict=False)}
    found = [pair for pair in _turned(sentence) if len(pair[0]) == 1]
    return all(pair in pairs or pair[::-1] in pairs for pair in found)


def _turned(sentence: str) -> list[tuple[str, str]]:
    """The letters and words that a sentence turns into others, with those."""
    found = _TURNS.findall(sentence)
    return [(one, one if other == "itself" else other) for one, other in found]


def deciphered(sentence: str, about: About) -> bool:
    """Whether letters and words come of those that they are said to come of."""
    asked = re.search(r"(?:text|cipher): (.*?)\. Provide|: ([A-Z ]+)\b", about.question)
    cipher, clear = (asked[1] or asked[2]).strip() if asked else "", about.said.strip()
    if not cipher or len(cipher) != len(clear):
        return True
    shift = (ord(cipher[0]) - ord(clear[0])) % 26
    for one, other in _turned(sentence):
        if other.upper() not in (_moved(one, shift), _moved(one, -shift), one.upper()):
            return False
    told = {number(one["n"]) % 26 for one in _SHIFT.finditer(lowered(sentence))}
    return told <= {shift, 26 - shift}


def _moved(text: str, by: int) -> str:
    """A text, in capitals, with its letters moved back."""
    return "".join(
        chr((ord(one) - 65 - by) % 26 + 65) if one.isalpha() else one for one in text.upper()
    )


def spelled(sentence: str, about: About) -> bool:
    """Whether letters one by one, and words in quotes, are those of the word, or of the answer, and
    it is as long as is said."""
    pool = _bare(about.question) + " " + _bare(about.said)
    lengths = (next(filter(None, found.groups())) for found in _LONG.finditer(lowered(sentence)))
    if any(number(one) != len(_bare(about.said)) for one in lengths):
        return False
    runs = [one[0] for one in _SPELLED.finditer(sentence)]
    return all(_bare(one) in pool for one in runs + re.findall(r'"([A-Za-z]{2,})"', sentence))


def _bare(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", lowered(text))
