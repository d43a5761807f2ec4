"""The notation of mathematics in a line of text, LaTeX or plain: one spelling, tokens, units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from agentflow.domains.math.units import WORDS
from agentflow.domains.spelling import FULL_WIDTH, NUMBERS, lowered, word_set


class Token(NamedTuple):
    """One piece of a line.

    Attributes:
        kind: ``number``, ``name``, ``function``, ``word``, ``relation`` (``=``, ``~``,
            ``is``, ``equals``), ``comparison`` (``<``, ``≠``), ``stop`` (what ends a statement:
            punctuation, an arrow), ``bad`` (what nobody reads), ``unit`` (what a number is
            multiplied by to convert it), else the character.
        text: In its plain spelling.
        start: Offset in the text that :func:`spelled` gave.
        end: Offset behind it.
    """

    kind: str
    text: str
    start: int
    end: int


_PARTS = ("½12", "¼14", "¾34", "⅓13", "⅔23", "⅕15", "⅛18", "⅜38", "⅝58", "⅞78")
_SPELLINGS = str.maketrans(
    {"×": "*", "·": "*", "∗": "*", "⋅": "*", "•": "*", "÷": "/", "∕": "/", "⁄": "/"}
    | {"−": "-", "–": "-", "‑": "-", "°": "^\\circ ", "√": "\\sqrt ", "π": "\\pi "}
    | {"≈": "\\approx ", "≅": "\\approx ", "≃": "\\approx ", "²": "^2 ", "³": "^3 "}
    | FULL_WIDTH
    | {"→": "\\to ", "⇒": "\\to ", "∴": ".", "✅": " . ", "✓": " . ", "✔": " . ", "☑": " . "}
    | {part[0]: rf"\frac{{{part[1]}}}{{{part[2]}}} " for part in _PARTS}
    | {"\u00a0": " ", "\u2009": " ", "\u202f": " ", "€": " ", "£": " ", "…": "...", "⋯": "..."}
)
_DOTS = re.compile(r"[·⋅•](?:\s?[·⋅•])+")
"""Dots that stand for more: ``1·2···5``."""
_REWRITES = (
    ("\\\\", re.compile(r"\\\\(?:\s*\[[\d.]+\s*[a-z]+\])?"), r" \\newline "),
    (",", re.compile(r"(?<=\d)(?:\{,\}|,\\!|\\,)(?=\d{3}(?!\d))"), ","),
    ("\\", re.compile(r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|,|;|!|:|>|\s|\$)"), " "),
    ("", re.compile(r"\\[)\]]\s*\\[(\[]|\$\s+\$|\${4}"), " . "),
    ("", re.compile(r"\\(?:\(|\)|\[|\])|[$&`]"), " "),
    ("\\%", re.compile(r"\\%"), "%"),
    ("{", re.compile(r"\\(?:begin|end)\s*\{[^{}]*\}"), " . "),
    (
        "{",
        re.compile(r"\\(?:text|mathrm|textbf|textit|mathbf|mbox|operatorname)\s*\{([^{}]*)\}"),
        r" \1 ",
    ),
    ("frac", re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    ("frac", re.compile(r"\\[dtc]?frac\s*(\d)\s*\{"), r"\\frac{\1}{"),
    ("frac", re.compile(r"(\\[dtc]?frac\s*\{[^{}]*\})\s*(\d)"), r"\1{\2}"),
    ("circ", re.compile(r"\^\s*\{?\s*\\circ\s*\}?"), " \\\\degree "),
    ("box", re.compile(r"\\(?:boxed|fbox)(?![a-zA-Z])"), " "),
)
"""Where there is a command of LaTeX, or a sign that sets type: (what must stand there, what is
written, what for it)."""
_STARS = (
    (
        re.compile(r"(?<![\w)*\s])(\s*)\*\*(?=[^\s*])((?:[^*\n]|\*(?!\*)){1,200}?)(?<=[^\s*])\*\*"),
        r"\1 \2 ",
    ),
    (re.compile(r"(?<=[\d)])\s*\*\*\s*(?=[\d(-])"), "^"),
    (re.compile(r"\*\*|__"), " "),
)
_Words = tuple[tuple[str, ...], re.Pattern[str], str | Callable[[re.Match[str]], str]]
_OF_THINGS = re.compile(
    r"(?i)(\d(?:\s+(?!times\b|plus\b|minus\b)[a-z]{2,}){1,3})"
    r"\s+(?:x|times|multiplied by)\s+(?=[\d($])"
)
_BEHIND_ONE = r"(?i)(?<=[\d)\]%}!])\s+"
_BEFORE_ONE = r"\s+(?=-?[\d(\[$\\√])"
_FREE = (
    r"(?i)(?<![-+*/×÷·=\d.)])(?<![-+*/×÷·=] )(?<!is )(?<!equals )(?<!plus )(?<!minus )(?<!times )"
    r"(?<!by )(\d+(?:\.\d+)?|\([^()]*\))"
)
"""What words behind it speak of: no last part, where they may be said of all before it."""
_ONLY = r"(?=\d+(?:\.\d+)?(?![.,\d]*\s*[-+*/^×÷·])|\()"
"""What words in front of it speak of: no first part, where they may be said of all of it."""
_SHARES = {"half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6}
_SHARES |= {"seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "hundredth": 100}


SHARE = rf"(?P<top>an?|{'|'.join(NUMBERS)})[ -](?P<bottom>{'|'.join(_SHARES)})s?\b"
"""``three quarters``"""


def share(found: re.Match[str]) -> str:
    """``(3/4)``"""
    top, bottom = found["top"].lower(), found["bottom"].lower()
    return f"({NUMBERS.get(top, 1)}/{_SHARES[bottom]})"


_OPERATORS = (
    (("squared",), re.compile(rf"{_FREE}\s+squared\b"), r"\1^2"),
    (("cubed",), re.compile(rf"{_FREE}\s+cubed\b"), r"\1^3"),
    (
        ("power",),
        re.compile(rf"{_BEHIND_ONE}(?:raised )?to the power (?:of )?(?=[\d(])"),
        "^",
    ),
    (("cent",), re.compile(r"(?i)(?<=\d)\s*per\s?cent\b"), "%"),
    (("x",), re.compile(rf"{_BEHIND_ONE}x{_BEFORE_ONE}"), " * "),
    (("x",), re.compile(r"(?<=\d)(?<!\b0)[xX](?=\d)"), "*"),
    (("x", "times", "multiplied"), _OF_THINGS, r"\1 * "),
    (
        ("times", "multiplied"),
        re.compile(rf"{_BEHIND_ONE}(?:times|multiplied by){_BEFORE_ONE}"),
        " * ",
    ),
    (("divided",), re.compile(rf"{_BEHIND_ONE}divided by{_BEFORE_ONE}"), " / "),
    (("plus", "added"), re.compile(rf"{_BEHIND_ONE}(?:plus|added to){_BEFORE_ONE}"), " + "),
    (("minus",), re.compile(rf"{_BEHIND_ONE}minus{_BEFORE_ONE}"), " - "),
    (("of",), re.compile(r"(?i)(?<=%)\s+of\s+(?=[\d(])"), " * "),
    (("of",), re.compile(r"(?i)(?<=\d/\d)\s+of\s+(?=[\d(])"), " * "),
    ((*_SHARES,), re.compile(rf"(?i)\b{SHARE} of {_ONLY}"), lambda one: f"{share(one)} * "),
    (("half",), re.compile(rf"(?i)\bhalf of {_ONLY}"), "(1/2) * "),
    (("quarter",), re.compile(rf"(?i)\bquarter of {_ONLY}"), "(1/4) * "),
    (("square root",), re.compile(rf"(?i)\b(?:the )?square root of {_ONLY}"), r"\\sqrt "),
    (("factorial",), re.compile(rf"(?i)\b(?:the )?factorial of {_ONLY}(\d+)"), r"\1!"),
)
"""Operators in words: (of which one must stand there, what is written, what for it)."""
_SIZE = r"(\$?-?\d[\d,]*(?:\.\d+)?)"
_SAYS = (
    (("the sum",), re.compile(rf"(?i)\bthe sum of\s+{_SIZE}\s+and\s+{_SIZE}"), r"\1 + \2"),
    (("the product",), re.compile(rf"(?i)\bthe product of\s+{_SIZE}\s+and\s+{_SIZE}"), r"\1 * \2"),
    (("adding",), re.compile(rf"(?i)\badding\s+{_SIZE}\s+(?:and|to)\s+{_SIZE}"), r"\1 + \2"),
    (
        ("equal", "the same"),
        re.compile(r"(?i)\s(?:equals|is equal to|is the same as)\s+(?=[-\d({$\\])"),
        r" \\equalling ",
    ),
    (
        ("is", "make", "give", "yield"),
        re.compile(r"(?i)(?<=[\d)%}])\s+(?:is|makes?|gives?|yields)\s+(?=[-$]{0,2}\d)"),
        r" \\giving ",
    ),
)
"""Words that say what an equality sign says."""
_SAID = re.compile(
    r"\b(?:equals|equal to|same as|is|makes?|gives?|yields)\s+\W{0,4}(?:\d|[dt]?frac|boxed)"
)


def says(line: str) -> bool:
    """Whether a line may say in words that something equals a number."""
    return _SAID.search(lowered(line)) is not None


_SET = re.compile(r"[\\$&`{]")
_COMMAND = re.compile(r"(\\[a-zA-Z]+)")
_SHOUTED = re.compile(r"[A-Z]{5,}|[A-Z]{2,}\s+[A-Z]{2,}")
_SHORT = word_set("""
am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we
""")
"""Words of two letters; others are two variables."""
_LINKING = word_set("""
a after add added adding and are as average base be before between both but by choose cube cubed
decreased differ difference divide divided dividing double equal equals exceeds for from gcd
gives half hcf if in increased into is it its lcm least less log makes max maximum mean median
min minimum minus mod modulo more most multiplied multiply nor of off on or out over past
percent plus point power product quarter quotient raised ratio remainder root square squared
subtract subtracted sum than that the then there third thirds through thus times to triple twice
until up versus via vs we where which with
""")
"""Words that are never a unit between a number and what follows."""
_NAMED_FUNCTIONS = word_set("""
sqrt sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh ln log lg exp
""")
_FUNCTIONS = _NAMED_FUNCTIONS | {"frac", "binom"}
_STOPS = """
to implies Rightarrow rightarrow Longrightarrow iff therefore because newline tag
"""
_COMPARISONS = "le ge leq geq leqslant geqslant neq ne lt gt less"
_COMMANDS = {
    "times": ("*", "*"),
    "cdot": ("*", "*"),
    "ast": ("*", "*"),
    "div": ("/", "/"),
    "degree": ("degree", "degree"),
    "pi": ("name", "pi"),
    "approx": ("relation", "~"),
    "approxeq": ("relation", "~"),
    "simeq": ("relation", "~"),
    "giving": ("relation", "is"),
    "equalling": ("relation", "equals"),
    "dfrac": ("function", "frac"),
    "tfrac": ("function", "frac"),
    "cfrac": ("function", "frac"),
    "dbinom": ("function", "binom"),
    "quad": ("stop", "."),
    "qquad": ("stop", "."),
}
_COMMANDS |= dict.fromkeys(_STOPS.split(), ("stop", "."))
_COMMANDS |= dict.fromkeys(_COMPARISONS.split(), ("comparison", "<"))
_TOKEN = re.compile(
    r"""(?:
    (?P<number>(?:\d{1,3}(?:,\d{3})+(?![\d])|\d+)(?:\.\d+)?(?!\d)
        |(?<![^\W\d_)\]}])\.\d+)
    |(?P<dots>\.\.+|\.(?=\d)|\\[cl]?dots[cbmo]?)
    |(?P<log>\\?log_\s*(?:\{\s*(\d+)\s*\}|(\d)))
    |(?P<command>\\[a-zA-Z]+)
    |(?P<subscript>_(?:\{[^{}]*\}|\S)?)
    |(?P<arrow>[-=]+>|<[-=]{2,}|<-|==+)
    |(?P<comparison>[<>]=?|!=|≠|≤|≥)
    |(?P<word>[^\W\d_]{2,}(?:['’][^\W\d_]+)?)
    |(?P<name>[^\W\d_])
    |(?P<relation>=)
    |(?P<operator>[-+*/^!%(){}\[\]])
    |(?P<stop>[.,;:?])
    |(?P<bad>\S)
    )\s*""",
    re.VERBOSE,
)


def spelled(text: str) -> str:
    """The text with one spelling for the same thing; LaTeX that only sets type is left out."""
    if not text.isascii():
        text = _DOTS.sub("...", text).translate(_SPELLINGS)
    if text.isupper() or "\\" in text:
        text = _quiet(text)
    if _SET.search(text):
        for needed, pattern, replacement in _REWRITES:
            if needed in text:
                text = pattern.sub(replacement, text)
    if "**" in text or "__" in text:
        for pattern, replacement in _STARS:
            text = pattern.sub(replacement, text)
    text = in_signs(text)
    low = lowered(text)
    return in_signs(text, _SAYS) if _SAID.search(low) else text


def in_signs(text: str, rewrites: Sequence[_Words] = _OPERATORS) -> str:
    """The text with signs for words."""
    low = lowered(text)
    for words, pattern, replacement in rewrites:
        for word in words:
            if word in low:
                text = pattern.sub(replacement, text)
                break
    return text


def _quiet(text: str) -> str:
    """A line of words all in capitals in small letters; other capitals are variables."""
    bare = _COMMAND.sub("*", text)
    if not (bare.isupper() and _SHOUTED.search(bare)):
        return text
    return "".join(part if part.startswith("\\") else part.lower() for part in _COMMAND.split(text))


def tokens(text: str, start: int = 0, end: int | None = None) -> list[Token]:
    """The pieces of a text that is already :func:`spelled`, or of a part of it."""
    new = tuple.__new__  # several times faster than the constructor
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup or "bad"
        first, last = match.span(kind)
        word = text[first:last]
        if kind == "word":
            if last - first <= 4 or word in _FUNCTIONS or text[first - 1 : first] in _TOUCHING:
                kind = _word(word, text[first - 1 : first] in _TOUCHING)
                if kind == "names":
                    letters = enumerate(word, first)
                    found += [Token("name", letter, n, n + 1) for n, letter in letters]
                    continue
        elif kind == "operator":
            kind = word = _BRACKETS.get(word, word)
        elif not (kind in _AS_WRITTEN or (kind == "number" and "," not in word and len(word) < 61)):
            kind, word = _told(kind, word, match)
        found.append(new(Token, (kind, word, first, last)))
    return found


_AS_WRITTEN = frozenset({"relation", "comparison", "stop"})
_TOUCHING = frozenset("0123456789)}")


@lru_cache(maxsize=1_000)
def _word(word: str, touching: bool) -> str:
    """The kind of a word; ``names`` where it is a product of variables (``2xy``, ``AB``)."""
    if word in _FUNCTIONS:
        return "function" if word in _NAMED_FUNCTIONS else "word"
    if word.lower() in WORDS or (len(word) > 4 and not touching):
        return "word"
    if touching and word in ("st", "nd", "rd", "th"):
        return "bad"
    named = (word.isupper() and len(word) <= 4) or (touching and len(word) <= 3)
    if named or _in_order(word) or (len(word) == 2 and word.lower() not in _SHORT):
        return "names"
    return "bad" if touching else "word"


def _in_order(word: str) -> bool:
    """Whether three letters follow each other as those of variables do: ``abc``, ``xyz``."""
    letters = [ord(letter) for letter in word]
    return len(word) == 3 and letters == sorted(letters) and letters[2] - letters[0] <= 4


def _told(kind: str, text: str, match: re.Match[str]) -> tuple[str, str]:
    """The kind and the text of a token that is not as it is written."""
    if kind == "log":
        kind, text = "function", f"log {match[4] or match[5]}"
    elif kind == "number":
        text = text.replace(",", "")
        kind = "number" if len(text) <= 60 else "bad"
    elif kind == "command":
        name = text[1:]
        function = ("function", name) if name in _FUNCTIONS else ("bad", name)
        kind, text = _COMMANDS.get(name, function)
    elif (
        kind == "name" and text in "aAI" and _FOLLOWED_BY_WORD.match(match.string, match.end(kind))
    ):
        kind = "word"
    elif kind == "arrow":
        kind = "stop"
    elif kind in ("dots", "subscript"):
        kind = "bad"
    return kind, text


_BRACKETS = {"[": "(", "]": ")"}
_BEHIND_UNITS = frozenset({"+", "-", "*", "/", "relation", "comparison", ")", "}", "end"})
_FOLLOWED_BY_WORD = re.compile(r"\s+[a-z]{2}")
ENDS = frozenset({"number", ")", "}", "%", "!", "degree"})
"""Kinds of tokens behind which words are a unit."""


def units(found: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """The runs of words that are units: ``16 eggs - 3 eggs``, ``$5 per hour * 3``, ``4 cm^2``.

    A run stands behind a number and before an operator, a relation, a closing bracket or the end.

    Args:
        found: The tokens of a line or an expression.

    Yields:
        Where each run begins and ends among the tokens.
    """
    kinds = [token.kind for token in found]
    if "word" not in kinds:
        return
    place = 1
    while place < len(found):
        if kinds[place - 1] not in ENDS:
            place += 1
            continue
        end = _unit_end(found, place)
        if end > place:
            yield place, end
        place = max(end, place + 1)


def _unit_end(found: Sequence[Token], place: int) -> int:
    end = place
    words = 0
    while end < len(found) and words < 5:
        token = found[end]
        following = found[end + 1] if end + 1 < len(found) else None
        if token.kind == "word" and token.text.lower() not in _LINKING:
            words, end = words + 1, end + 1
        elif token.kind == "/" and following and following.kind == "word":
            end += 1
        elif words and token.kind == "^" and following and following.text in ("2", "3"):
            end += 2
        else:
            break
    if not words:
        return place
    behind = found[end].kind if end < len(found) else "end"
    return end if behind in _BEHIND_UNITS else place
