"""What a text around an equation says of it: whether its author claims it, as far as can be told.

An equation that is asked, assumed, tried or taken back is no claim. Words that only may say so make
it doubtful: it can hold, and is never refuted.

Lines are read in small letters (:func:`~agentflow.domains.spelling.lowered`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from agentflow.domains.spelling import lowered

UNSURE = re.compile(
    r"\b(?:mod|modulo|pmod|bmod|remainders?|base|binary|octal|hex\w*|floor|ceil\w*|if|suppose\w*|"
    r"assum\w*|contradict\w*|impossible|incorrect\w*|wrong\w*|not|cannot|false|mistake\w*|error|let(?!['’]s)|try"
    r"|trying|guess\w*|instead|would|whether|rounded|rounding|rounds?|estimat\w*|approximat\w*"
    r"|about|roughly|nearest|supposed|hypothe\w*|congruen\w*|unless|satisf\w*|check\w*|verif\w*"
    r"|test\w*)\b|n['’]t\b|\\equiv|≡|\?"
    r"|\b(?:into|in|original|given|solv\w+) (?:\w+ ){0,3}equations?\b"
)
"""Words of a sentence that does not simply state its equations, in small letters."""

_DOUBTED = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|imagin\w+|pretend\w*|maybe|perhaps|possibly|might|could|may"
    r"|should|thinks?|thought|consider\w*|claim\w*|believ\w*|wr(?:ote|ites?|itten|iting)|nobody|never"
    r"|none|neither|nor|no|old|former\w*|previous\w*|initial\w*|scratch|scrap|bad|equations?|targets?"
    r"|goals?|code|system|rules?|defin\w+|denot\w+|operat(?:or|ion)s?|typo|sic|approx\w*|oops|nope"
    r"|wait|hmm+|booleans?|xor|clock|field|versions?|puzzles?|matchsticks?|expect\w*|attempt\w*"
    r"|statement|student\w*|quot\w+|somehow|unlikely|doubt\w*|want\w*|pmod|gf|mis\w+|examples?"
    r"|patterns?|riddles?|jokes?|bogus|fake"
    r"|(?:carry|borrow)(?:ing)? (?:over )?(?:the |an? )?(?:one|ten|10?)(?! (?!to|from|over)[a-z])"
    r"|carry the \d|(?:units?|ones|tens|last) (?:digit|place|column)s?)\b"
    r"|(?<![a-z] )(?:ones|units):"
    r"|\\(?:mathbb|star|oplus|otimes|ast|diamond|odot|circ)\b|[∗★⊕⊗⊙◦◇△@#]|\bz_|\[sic"
)
"""Words that may mean that the author of an equation does not claim it."""

_TAKEN_BACK = re.compile(
    r"[❌✗✘✖❎🚫⛔👎🙅]|\\to\s*[←⇐]"
    r"|\b(?:contradict\w*|absurd\w*|reductio|assumption (?:fails|is|was|must))\b"
    r"|(?:\\to|->|=>|[-(\[,;:.!?…]|\.\.\.)\s*"
    r"(?:(?:so|but|and|which|that|this|it|still|is|'s|oh|ah|an?|clearly)\s+)*"
    r"(?:no|not|nope|oops|wait|hmm+|sorry|incorrect|wrong|invalid|actually|scrap|scratch|correction"
    r"|carry(?:ing)?|borrow(?:ing)?|impossible|nonsens\w*"
    r"|rather|typo|too|close|fail\w*|\w+n['’]t|that['’]s (?:not|wrong|incorrect|too|impossible|bad)"
    r"|let me (?:re|check|double|try|fix))\b"
)
"""Behind an equation: what takes it back."""

_CHECKED = re.compile(r"\b(?:verif\w*|check\w*|test\w*|plug\w*|substitut\w*)\b")
_QUOTED = re.compile(r"`[^`]*=[^`]*`|~~|\\(?:s|x|b)?cancel\b|\\sout\b")
_INDEXED = re.compile(r"(?<![\da-zA-Z])\d*x\d(?!\d)|[a-wyz]\d\b")
"""``3x1``: a variable, or three times one."""
_DEFINED = re.compile(
    r"[a-zA-Z]\s*(?:[*×·∗⋆★⊕⊗⊙◦@#&◇△□¤]|\\[a-zA-Z]+)\s*[a-zA-Z]\s*\$?\s*=\s*[^=]*[a-zA-Z]"
)
"""``a * b = a + 2b``: an operation gets another meaning."""
_OTHER_RULES = re.compile(
    r"\bbase[- ]?(?:\d|\$|two|three|four|five|six|seven|eight|nine|ten|b\b)"
    r"|\bbinary\b|\bmodul\w+|\bgreatest integer\b|\\lfloor\b|\b(?:integer|fractional) part\b"
    r"|\\p?mod\b|\bmod\b|\bclock\b|\bhexadecimal|\boctal\b|\bmatchsticks?|\bcryptarithm|\bcode[sd]?\b"
)
"""What a problem speaks of, in small letters, in which numbers are worked with in another way than
usual."""


def unsure(text: str, start: int, end: int) -> bool:
    """Whether a sentence of the text does not simply state its equations."""
    return UNSURE.search(text, start, end) is not None


def doubted(text: str, sentence: tuple[int, int], place: int, behind: int) -> bool:
    """Whether an equation may not be claimed by its author.

    Args:
        sentence: Where the sentence begins and ends.
        place: Where the equation begins.
        behind: Where it ends.
    """
    return (
        _sentence_doubted(text, *sentence)
        or _TAKEN_BACK.search(text, behind, behind + 120) is not None
        or _first_check(text) < place
    )


@lru_cache(maxsize=64)
def _sentence_doubted(text: str, start: int, end: int) -> bool:
    """Asked once for all equations of a sentence: a chain may have thousands."""
    return _DOUBTED.search(text, start, end) is not None


@lru_cache(maxsize=64)
def _first_check(text: str) -> int:
    """Where a text first speaks of a check; its end where it does not."""
    found = _CHECKED.search(text)
    return found.start() if found else len(text)


def line_doubted(line: str) -> bool:
    """Whether no equation of the line can be refuted: quotations, indexed letters, definitions."""
    return bool(_QUOTED.search(line) or _INDEXED.search(line) or _DEFINED.search(line))


@lru_cache(maxsize=1_000)
def other_rules(problem: str) -> bool:
    """Whether a problem gives signs or digits another meaning (``a * b = a + 2b``, base 7)."""
    if _OTHER_RULES.search(lowered(problem)):
        return True
    return "=" in problem and _DEFINED.search(problem) is not None
