"""What only sets the type of an answer line, ends a turn, or is struck out; it is blanked, so that
places stay."""

from __future__ import annotations

import re

_ENDS = re.compile(
    r"<\|(?:im_end|eot_id|eom_id|end|return|endoftext|end_of_text|END_RESPONSE|END_OF_TURN_TOKEN"
    r"|user|observation)\|>|</s>|<eos>|<end_of_turn>|<turn\|>|\[\|endofturn\|\]"
    r"|<[|｜]end▁of▁sentence[|｜]>"
)
"""The tokens that end a turn, where a server leaves them in the text."""
_TURN = re.compile(
    rf"(?:{_ENDS.pattern}|<\|im_start\|>(?:user|assistant)?|<start_of_turn>(?:user|model)?"
    r"|<\|start_header_id\|>(?:(?:user|assistant)<\|end_header_id\|>)?)\Z"
)
_LONGEST_TURN = 60
_MOST_TURNS = 4
"""Characters of such a token at most, and tokens that end a text."""
_HTML = re.compile(r"</?(?:b|strong|i|em|u|p|span|div|h[1-6]|center|br\s?/?)>", re.IGNORECASE)
_STRUCK = re.compile(
    r"~~[^~\n]+~~|<(?P<tag>del|s|strike|draft|scratch\w*|wrong|old|hidden)>.*?</(?P=tag)>"
    r"|<!--.*?(?:-->|\Z)|^\s*(?:%|//)[^\n]*|\\verb\*?(?P<bar>[^\w\s*]).*?(?P=bar)"
    r"|\\(?:[bxh]?cancel|sout|st|xout|uwave|strikethrough|strike|footnote|marginpar|[hv]?phantom"
    r"|iffalse|comment|todo|hide|(?:text)?color\s*\{\s*white\s*\})\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}",
    re.IGNORECASE | re.DOTALL,
)
"""What its author struck out, commented out, hid, or shows as letters."""
_UNTICKED = re.compile(
    r"^[ \t]*(?:[-*+•] +)?(?:\[ \](?!\()|[☐□◻⬜]\ufe0f?) +\S[^\n]*", re.MULTILINE
)
"""What a list has open: ``- [ ] Answer: 5``."""
_BOXES = "☐□◻⬜"
_STYLE = re.compile(
    r"\\(?:text)?color\s*\{[^{}]*\}|\\(?:tiny|small|normalsize|large|Large|LARGE|huge|Huge|bf|it|rm|sf"
    r"|bfseries|displaystyle|textstyle|color\s*(?:red|blue|green|black))(?![a-zA-Z])"
    r"|\\ (?=\s*\}+)"
)
"""Colours and sizes; a space at the end."""
_LABEL = re.compile(
    r"\\(?:text|mathrm|mathbf|textbf|mbox)\w*\s*\{([^{}]*answer[^{}]*)\}", re.IGNORECASE
)
"""``\\text{Answer:} 5``"""


_TORN = re.compile(r"\A[\s:;,./|\ufffd]+(?=\(?[A-J][.):]\S?)")
"""Signs that a model's template left in front of an option with which a text begins."""
_TORN_LABEL = re.compile(
    r"(?im)^(?P<label>[*_#]{0,3}(?:final )?answer[*_]{0,2})[ \t]*\n{1,3}[ \t]*:"
)
"""A label whose colon stands on the next line."""


_OPENING = re.compile(r"(?:\$\$?|\\[\[(]|\\begin\{\w+\*?\})\Z")
_LONGEST = 60
_MOST = 20
"""Characters of an opening at most, and openings that stand behind each other."""
_DISPLAYED = re.compile(r"\$\$|\\\[|\\begin\{")


def own_turn(text: str) -> str:
    """A text without the tokens behind it that end its turn, or begin another and nothing more."""
    for _ in range(_MOST_TURNS):
        said = text.rstrip()
        token = _TURN.search(said, max(0, len(said) - _LONGEST_TURN))
        if token is None:
            break
        text = said[: token.start()]
    return text


def begun(text: str) -> str:
    """A text without signs that are torn off in front of the option with which it begins (``:B)``),
    and with the colon of a label behind it."""
    return _TORN_LABEL.sub(r"\g<label>:", _TORN.sub("", text))


def unopened(text: str) -> str:
    """A text without the openings of formulas that it ends in."""
    closed = text.rstrip()
    for _ in range(_MOST):
        opening = _OPENING.search(closed, max(0, len(closed) - _LONGEST))
        if opening is None:
            break
        text = closed[: opening.start()].rstrip(" \t")
        closed = text.rstrip()
    return text


def display(text: str) -> int:
    """Where the last displayed formula of a text opens; below zero where none does."""
    return max((found.start() for found in _DISPLAYED.finditer(text)), default=-1)


def unmarked(text: str) -> str:
    """The text with blanks for such marks; as long as it was."""
    if "~~" in text or "<" in text or "\\" in text or "%" in text or "//" in text:
        text = _STRUCK.sub(_blank, text)
    if "[ ]" in text or any(box in text for box in _BOXES):
        text = _UNTICKED.sub(_blank, text)
    if "\\" in text:
        text = _STYLE.sub(_blank, text)
    if "<" in text or "[|" in text:
        text = _ENDS.sub(_blank, text)
        if "</" in text or "<br" in text:
            text = _HTML.sub(_blank, text)
    if "\\" in text and "nswer" in text:
        text = _LABEL.sub(lambda label: label[1].rjust(len(label[0]) - 1) + " ", text)
    return text


def _blank(mark: re.Match[str]) -> str:
    return " " * len(mark[0])
