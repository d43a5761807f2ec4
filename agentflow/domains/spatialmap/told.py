"""What a reply says beside its answer: each sentence is understood, or the answer is undecided.

Pier: southeast of Mill            a claim, which the map has to entail
Two objects: Pier, Hall            which objects are counted
Which object is south of Mill?     the question, where that is what is asked
So we choose option B.             the answer, among words that claim nothing
Let's look at Pier.                words that claim nothing
The map is drawn to scale.         is not understood
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agentflow.domains import markup, narration
from agentflow.domains.answers import conclusions, known_remarks
from agentflow.domains.spatialmap import (
    canonical,
    claims,
    coordinates,
    counting,
    definitions,
    placing,
    premises,
    remarks,
    routes,
    sentences,
    wording,
)
from agentflow.domains.spatialmap.claims import NAMES, WHO, N
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.narrating import PLACING, TURNS, leads, narrates
from agentflow.domains.spatialmap.problem import stated
from agentflow.domains.spelling import word_set

_OPENED = re.compile(r"\. | ?[()\[\]] ?|: | ?[-=]> ?| - | ?<- ?| ?← ?")
_REASON = re.compile(
    r",? (?:so|thus|therefore|hence|because|since|but|as|which means(?: that)?|with"
    r"|while|whereas|although|though|that is|namely|i\.e\.|e\.g\.)(?!\w),? ?"
)
_SAME = (
    r",? (?:(?:which )?(?:is|means) the same as|is equivalent to|amounts to|means|meaning"
    r"|tells us|implies|implying)(?: saying)?(?: that)?(?!\w),? "
)
_TURNED = re.compile(
    r",? (?:(?:can|may) (?:also )?be )?(?:read|turned|flipped|seen|reversed|inverted)"
    r"(?: the other way)? ?(?:round|around|in reverse|backwards?)?$"
)
"""What is said of a sentence before it is turned round."""
_BECAUSE = re.compile(r" (?:because|since) ")
"""Behind it, a sentence speaks of others, to whom the next does not go on."""
_SINGLE = re.compile(
    r"(?i)\b(?:only |just |exactly )?(?:one|a single|this)(?: of the)?"
    r" (?P<what>clue|statement|sentence|fact|relation|relationship|premise)s?"
    r"(?= (?:reads|says|states|tells|puts|places|gives|is)\b|:)"
)
"""A sentence of the map that is said next."""
_CUTS = re.compile(rf"{_SAME}|{_OPENED.pattern}|{_REASON.pattern}|, (?:and )?| and | (?=[✗✘❌])")
"""Where a clause may end."""
_MOST = 12
"""Cuts that a clause may go across."""
_MOST_WORDS = 14
"""Words that claim nothing which may stand before a claim."""
_SPACE = re.compile(r",? ")
_STOPS = re.compile(
    rf"{N}|{canonical.D}|\d|\b(?:only|no|not|all|both|neither|other|if|which (?:is|are))\b"
    r"|[^\w\s,'-]"
)
"""What no words that claim nothing have before a claim."""
_TOPIC = re.compile(
    rf"(?P<who>{WHO})(?: ?(?::| -|\?) ?| ?(?=\()"
    r"|,? (?P<why>(?:since|because|as) |(?=(?:which|that) )))",
    re.I,
)
"""What a line is about."""
_ABOUT = re.compile(rf"(?:[a-z]+,? )*(?:via|for|about|regarding|at) (?P<who>{WHO}) ?:", re.I)
_HEADED = re.compile(
    rf"^[^{chr(claims.FIRST)}-\uf8ff]*(?P<who>{WHO})(?:,? [^{chr(claims.FIRST)}-\uf8ff]*| ?):$",
    re.I,
)
"""A headline about an object."""
_OBJECTS = re.compile(
    rf"(?i)[^\w]*(?:the )?(?:objects|places|locations|ones) (?:(?:that|which) are )?"
    rf"(?:(?:to|in) the )?[\w-]+ (?:of|from) {WHO} ?:\W*\Z"
)
"""A headline that names objects by where they are."""
_CROSSED = re.compile(r"(?i)[✗✘❌]|\b(?:not|no)\b|n['’]t\b")
"""What says that an item is not among those of its headline."""
_ASIDE = re.compile(rf"(?<=(?P<who>{N})) \((?P<said>[^()]*)\)")
"""What is said of an object in parentheses."""
_READERS = (
    definitions.read,
    counting.read,
    placing.read,
    premises.read,
    routes.read,
    coordinates.read,
)
"""What reads a clause in canonical spelling: its claims, or None. The first is of rules, which do
not hold behind a word that turns them round."""
_CLAIM = re.compile(rf"(?:both )?{WHO}|(?:relative to|as seen from|(?:in|to) the) ", re.I)
"""Where a claim may begin."""
_MARKS = word_set("boxed text final answer json the option choice")
_SAYS = re.compile(
    r"[^\w\s.:*#{}\\$<>/\"'()\[\],!`-]|\d"
    r"|(?<![\w'])(?:[B-HJ]|A(?= (?:is|and|or)\b|[.):,;]))(?![\w'])"
)
"""A sign, or another letter, that may say something beside an answer."""
Normal = Callable[[str], str | None]


def grounded(said: str, text: str) -> str:
    """An answer with what the text says beside it."""
    told = conclusions.reach(text)
    rest = told.replace(said, "")
    silent = narration.only(rest, _MARKS) and not _SAYS.search(rest)
    return said if silent else conclusions.grounded(said, [conclusions.told(told)])


def claims_of(data: dict[str, Any], text: str, form: str, normal: Normal) -> list[Claim] | None:
    """What a text claims beside its answer; None if a sentence of it is not understood.

    Args:
        data: The problem's.
        form: The answer, in its normal form.
        normal: The normal form of an answer, or None.
    """
    told, now, headed = list[Claim](), Context(data, form, normal), False
    for line in sentences.lines_of(canonical.points(without_options(data, text)), now.objects):
        now.topic = None
        now.subject = now.subject if now.head is None else now.head
        for sentence in line:
            now.spoken, now.cited = False, 0
            found = _read(_labelled(data, sentence), now)
            item = re.match(WHO, _plain(sentence))
            if found is None and _heads_asked(sentence, now):
                found, headed = [], True  # above items that tell why they are there
            elif headed and item and not _CROSSED.search(sentence):
                way, of = now.asked["direction"], now.asked["of"]
                told.append(Claim("in", way, of, (claims.number(item[0]),)))
            headed = headed and (item is not None or not found)
            if found is None:
                return None
            told += found
            if reason := _BECAUSE.search(sentence):
                main = [one for one in found if one.objects][:1]
                if main and _read(_plain(sentence[: reason.start()]), replace(now)):
                    now.subject, now.of = main[0].objects[0], main[0].of
            if sentence.endswith(":"):
                now.items = _items(sentence, found, now)
            headline = _HEADED.search(sentence)
            now.head = claims.number(headline["who"]) if headline else now.head
    return told


def _heads_asked(sentence: str, now: Context) -> bool:
    """Whether a sentence is a headline of the objects that are asked for."""
    if now.asked["kind"] == "direction" or not _OBJECTS.match(sentence):
        return False
    named = re.findall(N, sentence)
    ways = canonical.ways(canonical.canonical(sentence))
    return ways == [now.asked["direction"]] and [*map(claims.number, named)] == [now.asked["of"]]


def _items(headline: str, found: list[Claim], now: Context) -> Claim | None:
    """Where the objects are that are listed below a headline, if it says so."""
    if found:
        return found[-1] if found[-1].kind == "count" else None
    asks = now.asked["kind"] != "direction" and canonical.ways(canonical.canonical(headline))
    return Claim("in", now.asked["direction"], now.asked["of"]) if asks else None


def without_options(data: dict[str, Any], text: str) -> str:
    """A text without a list of all options."""
    options = [rf"\(?{one}[.):]+ *{re.escape(said)}" for one, said in data["letters"].items()]
    every = r"[\s,;.*-]+".join(options)
    return re.sub(every, " ", text, flags=re.IGNORECASE) if options else text


def _labelled(data: dict[str, Any], sentence: str) -> str:
    """A sentence without the letters of options, where what they say stands beside them."""
    named = {letter: one for letter, one in data["letters"].items() if one in data["objects"]}
    for letter, value in named.items():
        who = rf"(?:the )?{chr(claims.FIRST + data['objects'].index(value))}"
        front = rf"(?:(?:option|choice) )?(?<![\w'])\(?{letter}(?:[.):,] ?| - | ?= ?| \(?)(?={who})"
        behind = rf"(?<={who[-1]}),? ?\((?:(?:option|choice) )?{letter}\)"
        sentence = re.sub(rf"(?i:{front})|{behind}", "", sentence)
    return sentence


def _read(sentence: str, now: Context) -> list[Claim] | None:
    """The claims of a sentence: of all its clauses, each as long as can be read."""
    sentence = _SINGLE.sub(r"the \g<what>", _plain(sentence))
    topic = _TOPIC.match(sentence)
    item = list[Claim]()
    if about := topic or _ABOUT.match(sentence):
        now.topic = claims.number(about["who"])
        if topic and topic["why"] is not None and now.items:
            item = [replace(now.items, kind="in", objects=(now.topic,), count=0)]
    for begin in dict.fromkeys((0, topic.end() if topic else 0)):
        inner = (one.span() for one in _CUTS.finditer(sentence, begin))
        cuts = [(begin, begin), *inner, (len(sentence),) * 2]
        if (found := _from(sentence, cuts, 0, now, set())) is not None:
            return [*item, *found]
    bare = _ASIDE.sub("", sentence)
    if bare == sentence or (told := _read(bare, now)) is None:
        return None
    kept = now.topic
    for aside in _ASIDE.finditer(sentence):
        now.topic = now.of = claims.number(aside["who"])
        if (found := _read(aside["said"], now)) is None:
            return None
        told = [*told, *found]
    now.topic = kept
    return told


def _from(
    sentence: str, cuts: list[tuple[int, int]], first: int, now: Context, dead: set[int]
) -> list[Claim] | None:
    """The claims of a sentence from one of its cuts on; ``dead`` are cuts from which it cannot be
    read."""
    if first == len(cuts) - 1:
        return []
    if first in dead:
        return None
    for last in range(min(len(cuts) - 1, first + _MOST), first, -1):
        piece = _plain(sentence[cuts[first][1] : cuts[last][0]])
        whole = first == 0 and last == len(cuts) - 1
        before = replace(now)
        found = [] if not piece else _clause(piece, now, whole)
        if found and now.cited:
            of_own = now.claims[now.cited - 1 : now.cited] if now.cited > 0 else []
            cited = [*remarks.cited(now, now.cited), *of_own]
            found = found if found[0] in cited else None
            now.cited = 0
        if found is not None:
            now.met(found)
            if not found and len(name := set(re.findall(N, piece))) == 1:
                now.subject = now.of = claims.number(name.pop())
            rest = _from(sentence, cuts, last, now, dead)
            if rest is not None:
                return found + rest
            vars(now).update(vars(before))
    dead.add(first)
    return None


def _plain(piece: str) -> str:
    return markup.unlisted(piece).strip(" .!,:;✓✔✅*\"'>-")


def _clause(piece: str, now: Context, whole: bool) -> list[Claim] | None:
    """The claims of one that is understood as it is; names alone are a sentence, and no clause."""
    if ordinal := remarks.ORDINAL.search(piece.lower()):
        now.cited = remarks.place(ordinal, now)
        piece = _plain(piece[: ordinal.start()] + piece[ordinal.end() :])
        if cites := remarks.CITES.fullmatch(" ".join(piece.lower().split())):
            if now.claims and now.claims[-1] in remarks.cited(now, now.cited):
                now.cited = 0
                return []
            if cites["surely"]:
                return None
    if remarks.STATED.match(piece.lower()):
        now.cited = remarks.ANY
    value = None if piece.lower() == "no" else now.normal(claims.unnamed(piece, now.objects))
    if not whole and NAMES.fullmatch(piece) and not value:
        return None
    if value == now.form:
        return [stated(now.data, now.form)]
    piece = _TURNED.sub("", piece)
    text = wording.as_in_a_map(piece)
    if (found := claims.read(text)) is not None:
        return found
    if value is not None:
        return None
    begin = _CLAIM.search(piece)
    lead = piece[: begin.start()] if begin else ""
    led = bool(lead) and not PLACING.search(lead.lower()) and narrates(lead, now)
    if led and (found := claims.read(wording.as_in_a_map(piece[len(lead) :]))) is not None:
        return found
    if (found := _formed(piece, now)) is not None:
        return found
    if (total := remarks.total(canonical.canonical(piece), now)) is not None:
        return total
    return [] if known_remarks.closes(piece) or narrates(piece, now) else None


def _formed(piece: str, now: Context) -> list[Claim] | None:
    """The claims of a clause of a known form, among words that claim nothing."""
    if (ruled := remarks.ruled(piece, now)) is not None:
        return ruled
    if remarks.SUPPOSED.fullmatch(piece.lower()):
        return []
    if (one := remarks.THE_ONE.fullmatch(piece.lower())) and one["who"]:
        return (
            [stated(now.data, now.form)]
            if now.normal(claims.unnamed(one["who"], now.objects)) == now.form
            else None
        )
    if one:
        return [] if now.claims and now.claims[-1] == stated(now.data, now.form) else None
    text = canonical.canonical(piece)
    begins = [0, *(one.end() for one in _SPACE.finditer(text))][:_MOST_WORDS]
    for begin in begins:
        lead = text[:begin]
        if begin and (_STOPS.search(lead) or not leads(lead)):
            return None
        said = text[begin:].strip(" ,:")
        for read in _READERS[bool(TURNS.search(lead)) :]:
            if (found := read(said, now)) is not None:
                return found
    return None
