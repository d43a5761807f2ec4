"""Where a text states an answer: marked, in an answer line, or in a sentence; a fold over lines.

A statement is what the author says the answer is. What is asked, supposed, doubted, denied or
quoted is none. Whether a statement has the form of an answer is the domain's to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from agentflow.domains.answers import marks, objects, sentences
from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.behind import explains, only_closes
from agentflow.domains.answers.doubt import is_doubted, quoted
from agentflow.domains.answers.leads import to_another
from agentflow.domains.answers.lines_above import another, is_like, set_apart, speaks_against
from agentflow.domains.answers.remark_words import ODD_SIGN, TRUTH
from agentflow.domains.answers.rivals import (
    CALLED,
    Statement,
    reopened,
    uncontradicted,
)
from agentflow.domains.answers.typesetting import unmarked
from agentflow.domains.answers.values import chosen, differ, trimmed, value
from agentflow.domains.sentence_ends import SENTENCE_END
from agentflow.domains.spelling import A_LETTER, LETTER_OR_DIGIT

MAX_PIECE = 2_000
"""Longer lines are read in pieces of so many characters at most."""

_MAX_LAST = 80
"""Characters of a last line that is an answer by itself."""

_FROM = r"from\s[^:\n]{0,80}\d[^:\n]{0,80}:"
_REMARK = r"\s?(?:\([^()\n]{0,80}\)|\[[^\[\]\n]{0,80}\]|,[^:.\n]{0,80})[*_\s]{0,4}:"
_STEP = re.compile(
    r"(?i)[^\w\n]{0,12}(?:(?:final |last |next )?step(?![^\W\d])\s*"
    rf"(?:[#(]?\d{{1,4}}[a-z]?\)?(?:[*_\s]{{0,4}}[:.)–—-]|{_REMARK})|[*_]{{0,3}}:)"
    rf"[\s*]*(?:{_FROM})?|{_FROM})"
    r"[\s*]*(?P<claim>[^\s*][^\n]*)"
)
_HEADING = re.compile(r"(?i)[^\w\n]{0,12}step\s*[#(]?\d{1,4}\)?[*_:.)\s]{0,8}")
_BEGINNING = re.compile(
    r"(?:\W|\d|_|\b(?:(?:final|last|next|step|from|clues?|steps?|and|the|rules?|facts?|premises?|by)\b"
    r"|step\d+[a-z]?\b|\d+[a-z]\b))*"
)
"""How a step may begin: by number, with the numbers of what it comes from, supposing nothing."""
_SUPPOSES = re.compile(
    r"(?i)\W*(?:(?:final |last |next )?step(?![^\W\d])[^:\n]{0,90}:\W*)?"
    r"(?:(?:now|first|next|so|but|then|let us|let's)[ ,]+)*"
    r"(?:suppos|(?:let|say|try) [A-Z]\w* (?:be\b|is\b|in\b|is not\b|not\b|at\b)"
    r"|(?:option|scenario|hypothesis|attempt|possibility|branch|guess|try)\b[^:\n]{0,30}:"
    r"|assum(?:e|ing)\b(?! (?:that )?(?:all )?(?:of )?(?:the |these )?(?:premises|clues|facts))"
    r"|imagin|what if\b|case \w{1,10}\b|(?:check|try|test|consider) (?:option|case)\b"
    r"|if\b[^\n]*:\W*$)"
)
_REFUTES = (
    r"(?i)(?<!for )(?<!by )(?<!for a )\bcontradict|\babsurd|\bimpossible\b|\bcan(?:not|'t) be\b"
)
_REFUTED = re.compile(_REFUTES)
CLAIMING = ("below", "supposed")
"""What lines leave for those behind them: :func:`claimed`."""
_DISCHARGES = re.compile(
    rf"{_REFUTES}|\banswer\b"
    r"|^\W*(?:step\b[^:\n]{0,90}:\W*)?(?:therefore|hence|thus|in (?:both|all|either|any) cases?)\b"
)
_MARKED = re.compile(r"(?i)step|from")
_FENCE = re.compile(r"\s{0,3}(?:```|~~~)(?P<said>.*)", re.DOTALL)
_QUOTED = re.compile(r"\s{0,3}>(?!\s{0,3}>)")
"""What begins a line that quotes: below a heading it may be set off like this."""
_LETTER_ALONE = re.compile(r"[*(\[]{0,3}[A-J][)\]*.]{0,3}")
_NO_LAST = re.compile(
    r"(?i)answer|boxed|left:|remaining|->|^\W*(?:step|wait|hmm|let)\b|^\W*$|^#"
    r"|^\W*(?:so|thus|hence|therefore|then|now)\b.*=|^\w+_\w+\s*=|^\([a-z]+(?: [\w-]+)+\)$"
)
_MAX_LAST_LINE = 400
_MAX_CLOSING = 3
"""Lines of closing words that a text may end in."""
_HASHES = re.compile(r"^####\s+|^###\s+(?=-?\$?\d(?:[\d.,/]*\d)?\$?\Z)")
_NUMBER_ALONE = re.compile(r"[*_$]{0,3}-?\$?\d[\d,]*(?:\.\d+|/\d+)?%?[*_$]{0,3}")
_MATRIX = re.compile(
    r"\\begin\{(?P<kind>[pb]?matrix)\}(?:[-\w\s&+*/^.,(){}]|\\(?!begin|end))*"
    r"\\end\{(?P=kind)\}\s*\Z"
)
"""A matrix that ends a text."""
_RESULT = re.compile(
    r"(?i)^\s*[*_]{0,2}(?:(?:das|le|el|il|o) )?(?:result|conclusion|verdict|tl;?dr|ergebnis"
    r"|résultat|resultado|risultato|结果|結果"
    r"|(?:the|our) (?:final )?result)"
    r"(?:\s?[:：][*_]{0,2}|[*_]{1,2}[:：]|\s(?:ist|est|es|é|è|is)(?=\s)|是|为)\s*(?=\S)"
)
_IN_FORM = re.compile(
    r"(?i)\W*(?:(?:so|thus|therefore),? )?(?:in|as) (?:(?:an?|its|the) )?"
    r"(?:interval|set|simplest|lowest|reduced|decimal"
    r"|scientific|standard|fraction\w*|mixed|percent\w*|exact|slope)(?:[- ](?:builder|intercept))?"
    r"(?: (?:notation|form|terms|number|fraction|decimal))?:[*_]*\s+(?=\S)"
)
_SHOWN = re.compile(
    r"\s*\*\*(?P<said>\(?[A-J](?:[.):](?:\s[^*\n]{1,80})?)?|(?i:true|false|uncertain|yes|no)\.?"
    r"|(?i:(?:north|south)[ -]?(?:east|west)?|east|west)"
    r"|(?![^*\n]*[.):]\s*\*)[^*\na-zA-Z]{0,80}?\d[^*\na-zA-Z]{0,80}"
    r"|\\?\$?\d[\d,]*(?:\.\d+|/\d+)? [a-z]{2,20}(?: [a-z]{2,20})?)\*\*[ \t]*\n(?P<behind>.+)",
    re.DOTALL,
)
"""A first line in bold print that can be nothing but an answer: an option, a truth value, or
numbers; a number with a stop is that of a list."""
_CHOSEN_FIRST = re.compile(
    r"\s*(?P<said>\(?[A-J][.):]\)? [^\n.:?*]{1,80})[.]?[ \t]*\n\s*\n(?P<behind>.+)", re.DOTALL
)
"""A first line that is an option, with what it says, and a paragraph behind it."""
_BEGUN = re.compile(
    r"(?is)(?:[*_#]*\s?(?:conclusion|verdict|result):[*_]*\s)?(?P<bold>\*\*)?(?P<said>true|false|uncertain)"
    r"(?:[.:]|(?=\s*\n))(?(bold)\*\*)\s+(?P<behind>\S.+)"
)
"""``True. Alex is kind, and whoever is kind is happy.``"""
_FENCED = re.compile(r"(?:^|(?<=\n))```(?P<said>\w*)\n(?P<line>[^\n]+)\n```\Z")
_ANSWER_LINE = re.compile(r"(?i)\s*(?:final )?answer\s*:\s*[^\s=]")
"""A line that is no part of the program in which it stands."""
_TAG_ALONE = re.compile(r"\n\s*<answer>[^<>\n]{1,80}</answer>\s*\Z")
_FENCE_LINE = re.compile(r"(?m)^\s{0,3}```")
_CONNECTIVE = re.compile(r"(?i)(?:so|thus|therefore|hence)?\W*")
_SO = re.compile(r"\s*(?:So|Thus|Therefore|Hence)\b")
_TEXTS = frozenset(
    {"", "json", "text", "txt", "markdown", "md", "latex", "tex", "math", "plaintext"}
)
"""What stands behind a fence whose inside is no program."""
_COMPARES = re.compile(r"[\s*_-]*(?:[~≈≤≥≠]|!=|<(?=\s))")
"""What a last line begins with that is not equal to what it says."""
_DENIES = re.compile(rf"(?<!~)~(?!~)|¬|{ODD_SIGN}")
"""Signs that may say that a line does not hold."""
_OF_ITS_OWN = re.compile(r"\w\?[\"')*]*[ \t]+[*_$\\(]*\Z")
"""A question on the line of a yes or a no, which may be the answer to that alone."""
_OPTION_LINE = re.compile(r"[\s*_>-]*(?i:option )?\(?[A-J][.):]\)?")
_LABEL = re.compile(r"\A\w+:\s")
_IT_IS = re.compile(
    r"(?i)(?:\A|[.!?]\s+|\bso )(?:it|this|that) is (?P<said>[^.!?\n]{1,60})[.!]?\s*\Z"
)
"""The last sentence of reasons, which only names something: ``It is Cusco.``"""
_STRENGTH = {"boxed": 3, "tag": 3, "brackets": 3, "json": 3, "conclusion": 1}


def step(line: str) -> str | None:
    """What a line claims as a step: ``Step 2: ...``, ``From 1, 3: ...``; what the numbers say is
    not read."""
    found = _STEP.match(line) if _MARKED.search(line) else None
    return found["claim"] if found else None


class Claim(NamedTuple):
    """What a line may claim as a step.

    Attributes:
        text: What :func:`step` finds; below a heading (``### Step 2``) the line.
        labelled: Whether a label stands in the line. Below a heading may be no claim.
        plain: Whether the label says nothing but numbers, and nothing is supposed.
    """

    text: str
    labelled: bool
    plain: bool


def claimed(line: str, memory: Mapping[str, Any]) -> tuple[dict[str, Any], Claim | None]:
    """What a line may claim as a step.

    Args:
        memory: What earlier lines left under the keys :data:`CLAIMING`; others are ignored.

    Returns:
        What this line leaves there, and the claim. ``below`` is there behind a heading, and behind
        empty lines below it: such a line is nothing else.
    """
    below = "below" in memory
    if _HEADING.fullmatch(line) or (below and not line.strip()):
        return {key: memory[key] for key in memory if key == "supposed"} | {"below": True}, None
    under = supposed(line, "supposed" in memory)
    left = {"supposed": True} if under else {}
    if (text := step(line)) is not None:
        begun = _BEGINNING.fullmatch(line[: line.rfind(text)].lower())
        return left, Claim(text, labelled=True, plain=begun is not None and not under)
    return left, Claim(line, labelled=False, plain=not under) if below else None


def supposed(line: str, before: bool) -> bool:
    """Whether what a line says stands under a supposition: one that it makes, or one that a line
    before made and none gave up since (``Contradiction.``, ``Therefore ...``)."""
    if _SUPPOSES.match(line):
        return _REFUTED.search(line) is None
    return before and _DISCHARGES.search(line) is None


class Settled(NamedTuple):
    """The answer of a text.

    Attributes:
        text: The answer.
        beside: What the text calls its answer, too, in other words, and takes back nowhere.
    """

    text: str
    beside: tuple[str, ...] = ()


def stated(text: str, last: Callable[[str], str | None] | None = None) -> str | None:
    """The answer that a text states: what :func:`settled` finds."""
    found = settled(text, last)
    return found.text if found else None


def settled(
    text: str,
    last: Callable[[str], str | None] | None = None,
    same: Callable[[str, str], bool] = alike,
) -> Settled | None:
    """The answer that a text states: the last one of the strongest kind.

    Marked ones (boxed, ``<answer>``, ``[[...]]``, ``"answer": ...``) are the strongest, what is
    called the answer comes next, then conclusions. A text that states none in these ways may end
    in a short line of its own that is the answer. An answer that the text takes back behind it
    ("Wait, no"), behind which it states another one, or behind which stands what is not understood
    (:mod:`agentflow.domains.answers.behind`), is none.

    Args:
        last: The answer that the last line of a text that states none is to its domain.
        same: Whether two answers may be one. A domain that looks itself at what stands beside the
            answer may let through more than :func:`~agentflow.domains.answers.alike.alike` does.
    """
    text = _left(text)
    found = statements(text)
    if not found:
        if shown := opens(text):
            return Settled(shown)
        text = ending(text)
        line = unmarked(text.rpartition("\n")[2])
        odd = asks(line) or _COMPARES.match(line) or _DENIES.search(line)
        concluded = last(line) if last and not odd else None
        said = _bare(text) if concluded is None else concluded
        above = text[: text.rfind("\n") + 1]
        if said and (_another_above(text, said, last) or _disowned(above, said)):
            return None
        return Settled(said) if said else None
    at = found.index(best := strongest(found))
    earlier, later = found[:at], found[at + 1 :]
    before = text[: best.start]
    called = uncontradicted(text, best, earlier, same)
    if called is None or _disowned(before, best.text):
        return None
    if best.text.lower().strip(" .*") in TRUTH and _OF_ITS_OWN.search(before):
        return None
    if _DENIES.search(SENTENCE_END.split(before)[-1]):
        return None
    end = best.end
    if best.how == "json":
        held = objects.around(text, best.start, best.text)
        if held is None or any(_concludes_otherwise(said, best.text) for said in held.before):
            return None
        end = max(end, held.end)
    if reopened(text, best, end, later, same):
        return None
    others = dict.fromkeys([*called, *(one.text for one in later)])
    return Settled(best.text, tuple(one for one in others if one != best.text))


def _left(text: str) -> str:
    """A text with an end of its last program, where it goes on with a tag alone and never says that
    the program ends."""
    tag = _TAG_ALONE.search(text) if text.rstrip().endswith("</answer>") else None
    if tag is None or len(_FENCE_LINE.findall(text)) % 2 == 0:
        return text
    return f"{text[: tag.start()]}\n```{tag[0]}"


def strongest(found: Sequence[Statement]) -> Statement:
    """The last statement of the strongest kind."""
    return max(reversed(found), key=lambda one: _STRENGTH.get(one.how, 2))


def _disowned(before: str, answer: str) -> bool:
    """Whether what stands above an answer keeps it from being the author's."""
    led_away = to_another(before, answer) or set_apart(before)
    return led_away or speaks_against(before, answer)


def _concludes_otherwise(reasons: str, answer: str) -> bool:
    """Whether reasons call something else the answer, or deny it."""
    called = [one.text for one in statements(reasons) if one.how in (*CALLED, "conclusion")]
    otherwise = bool(called) and differ(called[-1], answer)
    if ends := _IT_IS.search(reasons):
        otherwise = otherwise or is_like(ends["said"], answer)
    return otherwise or speaks_against(f"{reasons}\n", answer)


def asks(line: str) -> bool:
    """Whether a line is a question, or breaks off."""
    return line.rstrip(" *_\"'”)").endswith(("?", "...", "…"))


def _another_above(text: str, said: str, last: Callable[[str], str | None] | None) -> bool:
    """Whether the line above a last line that is the answer is another answer by itself."""
    lines = (line.strip() for line in reversed(text.split("\n")[:-1]))
    line = unlabelled(
        _LABEL.sub("", next((one for one in lines if LETTER_OR_DIGIT.search(one)), ""))
    )
    other = last(line) if last else None
    return another(line, said) or (bool(other) and differ(trimmed(other or ""), trimmed(said)))


def opens(text: str) -> str | None:
    """The answer in bold print that a text opens with, behind which it only explains it."""
    found = _SHOWN.fullmatch(text) or _BEGUN.fullmatch(text) or _CHOSEN_FIRST.fullmatch(text)
    said = trimmed(found["said"]) if found else ""
    return said if found and said and explains(found["behind"], said) else None


def begins(text: str) -> int:
    """Where the last answer that a text states begins; its last line where it states none."""
    found = statements(text)
    return found[-1].start if found else ending(text).rfind("\n") + 1


def ending(text: str) -> str:
    """A text without closing words behind it, and without the fence around its last line."""
    text = text.rstrip()
    for _ in range(_MAX_CLOSING):
        before, _, last = text.rpartition("\n")
        text = before.rstrip() if before and only_closes(last) else text
        said, stop, closing = text[-_MAX_LAST_LINE:].rpartition(". ")
        if stop and said.rpartition("\n")[2] and only_closes(closing):
            text = text[: -len(closing)].rstrip()
    fenced = _FENCED.search(text)
    if fenced and fenced["said"].lower() in _TEXTS:
        return f"{text[: fenced.start()]}{fenced['line']}"
    return text


def unlabelled(line: str) -> str:
    """A last line without the ``Result:``, or ``In interval notation:``, before it."""
    if form := _IN_FORM.match(line):
        return line[form.end() :]
    return _RESULT.sub("", line, count=1)


def _bare(text: str) -> str | None:
    """The last line of a text, where it stands alone and can be an answer by itself."""
    text = unmarked(text).rstrip()
    matrix = _MATRIX.search(text, text.rfind("\\begin{")) if text.endswith("matrix}") else None
    if matrix:
        text = f"{text[: matrix.start()]}{' '.join(matrix[0].split())}"
    lines = text.split("\n")
    bare = [line for line in lines[-4:] if line.strip()]
    if len(bare) > 1 and all(map(_NUMBER_ALONE.fullmatch, bare[-2:])):  # a list
        return None
    last = unlabelled(_HASHES.sub("", lines[-1].strip()))
    alone = len(lines) == 1 or not lines[-2].strip() or lines[-2].strip().startswith("```")
    alone = alone or _LETTER_ALONE.fullmatch(last) is not None
    alone = alone or (_NUMBER_ALONE.fullmatch(last) and A_LETTER.search(lines[-2])) is not None
    if alone and (letter := chosen(last)) and leads_up("\n".join(lines[:-1])):
        return letter
    open_ = last.rstrip("*_ ").endswith((":", "?", "=", ",", "!", "...", "…"))
    if not alone or open_ or not 0 < len(last) <= _MAX_LAST or not leads_up("\n".join(lines[:-1])):
        return None
    if matrix and _MATRIX.fullmatch(last):
        return last
    if _NO_LAST.search(last):
        return None
    words = re.findall(r"(?<![\\\w])[^\W\d_]{2,}", last)
    shown = last.startswith(("**", "$", "\\(", "\\[")) or all(map(str.istitle, words))
    return trimmed(last) or None if len(words) <= (6 if shown else 1) else None


def leads_up(before: str) -> bool:
    """Whether an answer may stand alone below a text: its last line of words has come to its end,
    and says neither a doubt nor a denial; what it concludes at last counts alone."""
    line = above(before)
    ended = _CONNECTIVE.fullmatch(line) or line.rstrip('*_)"”$ ').endswith(".")
    *_, last = SENTENCE_END.split(line.rstrip('*_)"”$ .'))
    told = last.lstrip() if _SO.match(last) else line
    return bool(ended) and not (quoted(line) or is_doubted(told, ""))


def above(before: str) -> str:
    """The last line of a text that has words in it; empty for none."""
    lines = (line.strip() for line in reversed(before.split("\n")))
    return next((line for line in lines if A_LETTER.search(line)), "")


@lru_cache(maxsize=8)
def statements(text: str) -> tuple[Statement, ...]:
    """All that a text states to be the answer, in order; a domain asks for it several times."""
    memory, found = read({}, text, 0)
    return (*found, *finish(memory, len(text)))


def read(memory: dict[str, Any], text: str, offset: int) -> tuple[dict[str, Any], list[Statement]]:
    """The statements that a stretch of text completes; a line is read once it is whole.

    Args:
        memory: What earlier calls returned, plain JSON, never changed; ``{}`` at the start.
        offset: Where the text begins.
    """
    if not memory and text.isspace() and text.endswith("\n"):
        return memory, []
    if "line" not in memory and len(text) <= MAX_PIECE and text.find("\n") == len(text) - 1 >= 0:
        return _piece(memory, text, offset)  # a line, as most callers have it
    found = list[Statement]()
    begun = memory.get("line", "")
    text, offset, place = begun + text, offset - len(begun), 0
    while place < len(text):
        end = text.find("\n", place, place + MAX_PIECE) + 1
        if not end:
            if len(text) - place <= MAX_PIECE:
                break
            end = _cut(text, place)
        memory, said = _piece(memory, text[place:end], offset + place)
        found += said
        place = end
    if place or text != begun:
        memory = {key: memory[key] for key in memory if key != "line"}
        if place < len(text):
            memory["line"] = text[place:]
    return memory, found


def finish(memory: dict[str, Any], offset: int) -> list[Statement]:
    """What the end of the text at ``offset`` completes: the line begun, a tag never closed."""
    found = list[Statement]()
    if line := memory.get("line", ""):
        memory, found = _piece(memory, line, offset - len(line))
    return [*found, *(Statement(*one) for one in marks.unclosed(memory, offset))]


def _within(found: marks.Found) -> marks.Found:
    """What a tag states, where it holds a sentence: ``<answer>The answer is 5.</answer>``."""
    said = sentences.read(found[0], 0) if sentences.hints(found[0]) else []
    return (said[-1][0], *found[1:]) if said else found


def _behind(text: str, offset: int, end: int) -> list[marks.Found]:
    """What the sentences of a line state behind that of its last mark, which ends at ``end``."""
    stop = SENTENCE_END.search(text, end)
    begin = stop.end() if stop else len(text)
    rest = text[begin:]
    return sentences.read(rest, offset + begin) if sentences.hints(rest) else []


def _cut(text: str, place: int) -> int:
    """Where a long line is cut: behind a sentence, else behind a word."""
    piece = text[place : place + MAX_PIECE]
    cut = max(piece.rfind(stop) + 2 for stop in (". ", "? ", "! "))
    return place + (cut if cut > 1 else piece.rfind(" ") + 1 or MAX_PIECE)


def _piece(
    memory: dict[str, Any], text: str, offset: int
) -> tuple[dict[str, Any], list[Statement]]:
    """Read a line, or a piece of a long one."""
    kept = dict[str, Any](memory)
    kept.pop("line", None)
    text = unmarked(text)
    if not text.strip():
        return kept if "open" not in kept else marks.carried(kept, text), []
    if _QUOTED.match(text) and "below" not in kept:
        return kept, []
    if ("```" in text or "~~~" in text) and (fence := _FENCE.match(text)):
        said = fence["said"].strip()
        if "program" in kept:
            del kept["program"]
        elif re.fullmatch(r"\w+", said) and said.lower() not in _TEXTS:
            kept["program"] = True
        if not said or re.fullmatch(r"\w+", said):
            return kept, []
        text, offset = text[fence.start("said") :], offset + fence.start("said")
    if "program" in kept:
        found = sentences.read(text, offset) if _ANSWER_LINE.match(text) else []
        return kept, [Statement(*one) for one in found]
    kept, found = marks.read(kept, text, offset)
    found = [_within(one) if one[1] == "tag" else one for one in found]
    if not found:
        below = kept.pop("below", "")
        hinted = sentences.hints(text)
        found = sentences.read(text, offset) if hinted else []
        if not found and below:
            if sentences.frame(text):
                kept["below"] = below
            elif below == "option" and not _OPTION_LINE.match(text):
                pass
            elif said := value(text, short=below == "short"):
                place = offset + text.find(said[:1])
                found = [(said, "heading", place, offset + len(text.rstrip()))]
        if hinted and (announced := sentences.announces(text)):
            kept["below"] = announced
    else:
        kept.pop("below", None)
        before = text[: max(0, found[0][2] - offset)]
        before = before[: max(before.rfind(stop) for stop in (". ", "? ", "! ")) + 1]
        found = [*(sentences.read(before, offset) if sentences.hints(before) else []), *found]
        found += _behind(text, offset, found[-1][3] - offset)
    return kept, [Statement(*one) for one in found]
