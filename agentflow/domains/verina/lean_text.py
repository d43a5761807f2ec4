"""Lean 4 as text: a normal form that only texts have in common that surely mean the same.

Comments, blank lines and how far a whole text is indented never matter. In a term without layout
(no ``let``, ``match``, ``by`` and the like) line breaks, other spellings of a symbol, spaces that
separate nothing, and the names of bound variables do not matter either. What is equal for any other
reason is not seen.
"""

from __future__ import annotations

import re
from itertools import pairwise
from textwrap import dedent
from typing import NamedTuple

MAX_TEXT = 20_000
"""Longer texts have no normal form (characters)."""

_TOKEN = re.compile(
    r"""(?P<space>\s+|--[^\n]*)|(?P<comment>/-)
    |(?P<string>"(?:[^"\\]|\\[\s\S])*")|(?P<open>")
    |(?P<char>'(?:[^'\\\n]|\\[^\n']{1,9}|\\')')
    |(?P<word>[^\W\d][\w₀-₉ₐ-ₜᵢ-ᵪ'!?]*(?:\.[^\W\d][\w₀-₉ₐ-ₜᵢ-ᵪ'!?]*|\.\d+)*|\d\w*(?:\.\d+)?)
    |(?P<mark><\|>|<;>|\|>\.|\|>|<\||<-|<=|>=|!=|==|=>|:=|::|\+\+|->|//|&&|\|\||/\\|\\/|[\s\S])""",
    re.VERBOSE,
)
_COMMENT_ENDS = re.compile(r"/-|-/")
_SPELLED = {
    **{"->": "→", "<=": "≤", ">=": "≥", "/\\": "∧", "\\/": "∨", "λ": "fun", "↦": "=>"},
    **{"forall": "∀", "exists": "∃"},
}
_SPACED = frozenset({*"=≠≤≥<>∧∨→↔+*%∈∉∣:", ":=", "=>", "==", "!=", "&&", "||", "::", "++"})
"""With spaces and without, these mean the same between two terms."""
_LAYOUT = frozenset(
    {"let", "have", "match", "do", "by", "show", "from", "where", "calc", "suffices", "nomatch"}
    | {"with", "try", "catch", "for", "while", "return", "mut", "unless", "macro", "notation"}
    | {"open", "in", "set_option", ";", "|", "<;>", "<-", "←", "«", "»"}
)
"""A text with one of these is compared by its lines: columns may matter in it."""
_BOUND_UP_TO = {"∀": ",", "∃": ",", "fun": "=>"}
_RESTRICTS = frozenset(":∈∉<>≤≥≠")
_OPENS, _CLOSES = "([{⟨", ")]}⟩"
_MAX_BINDERS = 64
"""Of a text with more the bound variables keep their names."""


class Token(NamedTuple):
    """A token; ``spaced`` says whether a space or a comment stands before it."""

    text: str
    start: int
    spaced: bool


def tokens(text: str) -> list[Token] | None:
    """The tokens without comments; None where a comment or a string does not end."""
    found, position, spaced = list[Token](), 0, True
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None, "the last alternative takes any character"
        start, position = position, match.end()
        if match["open"]:
            return None
        if match["comment"]:
            end = _behind_comment(text, position)
            if end is None:
                return None
            position = end
        if match["space"] or match["comment"]:
            spaced = True
        else:
            found.append(Token(match[0], start, spaced))
            spaced = False
    return found


def _behind_comment(text: str, position: int) -> int | None:
    """Comments nest."""
    depth = 1
    for mark in _COMMENT_ENDS.finditer(text, position):
        depth += 1 if mark[0] == "/-" else -1
        if depth == 0:
            return mark.end()
    return None


def normal_form(text: str) -> str | None:
    """A text equal only for texts that mean the same; None where it cannot be read."""
    found = tokens(text) if len(text) <= MAX_TEXT else None
    if found is None or "§" in text:
        return None
    if any(_begins_text(one, two) for one, two in pairwise(found)):
        return text.strip()  # what is a token is not known
    if any(token.text in _LAYOUT for token in found):
        return _lines(text, found)
    words = [_SPELLED.get(token.text, token.text) for token in found]
    _rename(words, _bound(words))
    parts = words[:1]
    for before, word, token in zip(words, words[1:], found[1:], strict=False):
        spaced = token.spaced or before in _SPACED or word in _SPACED or before == ","
        joined = before in (*_OPENS, "¬") or word in (*_CLOSES, ",")
        parts.append(f" {word}" if spaced and not joined else word)
    return "".join(parts)


def _begins_text(before: Token, token: Token) -> bool:
    """Whether a raw string (``r"…"``) or an interpolated one (``s!"…"``) begins at a token."""
    last = before.text[-1]
    return token.text[0] == '"' and not token.spaced and (last.isalnum() or last in "!#")


def _lines(text: str, found: list[Token]) -> str:
    """The lines without comments, blank lines and what they are indented by in common."""
    kept, position = list[str](), 0
    for token in found:
        kept.append(re.sub(r"[^\n]", " ", text[position : token.start]) + token.text)
        position = token.start + len(token.text)
    lines = (line.rstrip() for line in "".join(kept).split("\n"))
    return dedent("\n".join(line for line in lines if line))


def _bound(words: list[str]) -> list[tuple[str, int, int, int]]:
    """(name, where it is bound, where the binder ends, where its scope ends) of the variables of
    binders that are a list of names, or have names and a type in parentheses."""
    found = []
    binders = [at for at, word in enumerate(words) if word in _BOUND_UP_TO]
    for at in binders if len(binders) <= _MAX_BINDERS else ():
        word = words[at]
        names, depth, naming, place = list[tuple[str, int]](), 0, True, at
        for place in range(at + 1, len(words)):
            one = words[place]
            if depth == 0 and one == _BOUND_UP_TO[word]:
                break
            depth += (one in _OPENS) - (one in _CLOSES)
            if one == "(" and depth == 1:
                naming = _typed(words, place)
            elif one == ")" and depth == 0:
                naming = True
            elif one in _RESTRICTS or one in _OPENS:
                naming = False
            elif naming and one.isidentifier() and one != "_":
                names.append((one, place))
        scope = _scope(words, at)
        found += [(name, start, place, scope) for name, start in names]
    return found


def _typed(words: list[str], at: int) -> bool:
    """Whether behind a parenthesis stand names and a colon."""
    end = next((n for n in range(at + 1, len(words)) if not words[n].isidentifier()), at)
    return end > at + 1 and words[end] == ":"


def _scope(words: list[str], at: int) -> int:
    """What a binder binds reaches to the bracket, the comma, ``then`` or ``else`` that ends it."""
    depth = commas = conditions = 0
    for place in range(at, len(words)):
        word = words[place]
        depth += (word in _OPENS) - (word in _CLOSES)
        if depth < 0:
            return place
        if depth:
            continue
        if (word == "," and not commas) or (word in ("then", "else") and not conditions):
            return place
        commas += (word in "∀∃") - (word == ",")
        conditions += (word == "if") - (word == "else")
    return len(words)


def _rename(words: list[str], bound: list[tuple[str, int, int, int]]) -> None:
    """Call bound variables by where they are bound, but for names that could mean something else:
    that are bound twice, used outside of the scope, a field's, or an argument's."""
    if "{" in words:
        return
    uses: dict[str, list[int]] = {name: [] for name, *_ in bound}
    for at, word in enumerate(words):
        uses.get(word.partition(".")[0], []).append(at)
    for name, start, binder, scope in bound:
        first, *others = uses[name]
        once = [one[0] for one in bound].count(name) == 1
        inside = first == start and all(binder < at < scope for at in others)
        field = any(words[at - 1] == "." for at in others)
        given = any(words[at + 1 : at + 2] == [":="] for at in others)
        if once and inside and not field and not given:
            for at in uses[name]:
                words[at] = f"§{start}{words[at].removeprefix(name)}"
