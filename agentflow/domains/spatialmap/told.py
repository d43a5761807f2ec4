"""What a reply says beside its answer: each sentence is understood, or the answer is undecided.

Pier: southeast of Mill            a claim, which the map has to entail
y(Pier) < y(Mill)                  another one
Two objects: Pier, Hall            which objects are counted
Which object is south of Mill?     the question, where that is what is asked
So we choose option B.             the answer, among words that claim nothing
Let's look at Pier.                words that claim nothing
The map is drawn to scale.         is not understood
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from agentflow.domains import closings, markup, spelling
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
    unsettled,
    wording,
)
from agentflow.domains.spatialmap.claims import NAMES, WHO, N
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spatialmap.layout import Claim
from agentflow.domains.spatialmap.narrating import PLACING, TURNS, leads, narrates, only_points
from agentflow.domains.spatialmap.problem import relations_of, stated

_OPENED = re.compile(r"\. | ?[()\[\]] ?|: | ?[-=]> ?| - | ?<- ?| ?← ?")
_REASON = re.compile(
    r",? (?:so|thus|therefore|hence|because|since|but|as|which means(?: that)?|with"
    r"|while|whereas|although|though|that is|namely|i\.e\.|e\.g\.)(?!\w),? ?"
)
_SAME = r" (?:is the same as|is equivalent to|means the same as|amounts to) (?:saying )?(?:that )?"
_CUTS = re.compile(rf"{_SAME}|{_OPENED.pattern}|{_REASON.pattern}|, (?:and )?| and | (?=[✗✘❌])")
"""Where a clause may end."""
_MOST = 12
"""Cuts that a clause may go across."""
_MOST_WORDS = 14
"""Words that claim nothing which may stand before a claim."""
_SPACE = re.compile(r",? ")
_STOPS = re.compile(
    rf"{N}|{canonical.D}|\d|\b(?:only|no|not|all|other|if|which (?:is|are))\b|[^\w\s,'-]"
)
"""What no words that claim nothing have before a claim."""
_TAIL = re.compile(r"(?<=[\ue000-\uf8ff])[ ,]+[a-z ,'-]+$")
"""The words behind the last name, or direction."""
_TOPIC = re.compile(rf"(?P<who>{WHO})(?: ?(?::| -|\?) ?| ?(?=\())", re.I)
"""What a line is about."""
_ABOUT = re.compile(
    rf"(?:[a-z]+,? )*(?:via|for|about|consider|regarding|at) (?P<who>{WHO}) ?:", re.I
)
_HEADED = re.compile(
    rf"^[^{chr(claims.FIRST)}-\uf8ff]*(?P<who>{WHO})(?:,? [^{chr(claims.FIRST)}-\uf8ff]*| ?):$",
    re.I,
)
"""A headline about an object."""
_ASIDE = re.compile(rf"(?<=(?P<who>{N})) \((?P<said>[^()]*)\)")
"""What is said of an object in parentheses."""
_CLAIM = re.compile(rf"(?:both )?{WHO}|(?:relative to|as seen from|(?:in|to) the) ", re.I)
"""Where a claim may begin."""
Normal = Callable[[str], str | None]


def claims_of(data: dict[str, Any], text: str, form: str, normal: Normal) -> list[Claim] | None:
    """What a text claims beside its answer; None if a sentence of it is not understood.

    Args:
        data: The problem's.
        form: The answer, in its normal form.
        normal: The normal form of an answer, or None.
    """
    told, now = list[Claim](), begun(data, form)
    for _, found in _told(data, without_options(data, text), form, normal, now):
        if found is None:
            return None
        told += found
    return told


def begun(data: dict[str, Any], form: str) -> Context:
    """What is spoken of before a word is said: whom the question, or the answer, is about."""
    now = Context(data["asked"], form, tuple(data["objects"]), relations_of(data))
    now.options = tuple(
        now.objects.index(one) for one in data["letters"].values() if one in now.objects
    )
    now.subject = data["asked"].get("object")
    if now.asked["kind"] == "object":
        now.subject = now.objects.index(form)
    return now


def without_options(data: dict[str, Any], text: str) -> str:
    """A text without a list of all options."""
    options = [rf"\(?{one}[.):]+ *{re.escape(said)}" for one, said in data["letters"].items()]
    every = r"[\s,;.*-]+".join(options)
    return re.sub(every, " ", text, flags=re.IGNORECASE) if options else text


def _told(
    data: dict[str, Any], text: str, form: str, normal: Normal, now: Context
) -> Iterator[tuple[str, list[Claim] | None]]:
    """Each sentence of a text, with its claims."""
    for line in sentences.lines_of(canonical.points(text), now.objects):
        now.topic = None
        for sentence in line:
            now.spoken, now.cited = False, 0
            yield sentence, _read(data, _labelled(data, sentence), form, normal, now)
            headline = _HEADED.search(sentence)
            now.head = claims.number(headline["who"]) if headline else now.head


def _labelled(data: dict[str, Any], sentence: str) -> str:
    """A sentence without the letters of options, where what they say stands beside them."""
    named = {letter: one for letter, one in data["letters"].items() if one in data["objects"]}
    for letter, value in named.items():
        who = rf"(?:the )?{chr(claims.FIRST + data['objects'].index(value))}"
        front = rf"(?:(?:option|choice) )?(?<![\w'])\(?{letter}(?:[.):,] ?| - | ?= ?| \(?)(?={who})"
        behind = rf"(?<={who[-1]}),? ?\((?:(?:option|choice) )?{letter}\)"
        sentence = re.sub(rf"(?i:{front})|{behind}", "", sentence)
    return sentence


def _read(
    data: dict[str, Any], sentence: str, form: str, normal: Normal, now: Context
) -> list[Claim] | None:
    """The claims of a sentence: of all its clauses, each as long as can be read."""
    sentence = _plain(sentence)
    topic = _TOPIC.match(sentence)
    about = topic or _ABOUT.match(sentence)
    if about:
        now.topic = claims.number(about["who"])
    for begin in dict.fromkeys((0, topic.end() if topic else 0)):
        cuts = [
            (0, 0),
            *(one.span() for one in _CUTS.finditer(sentence, begin)),
            (len(sentence),) * 2,
        ]
        cuts[0] = (begin, begin)
        dead = set[int]()
        if (found := _from(data, sentence, cuts, 0, form, normal, now, dead)) is not None:
            return found
    bare = _ASIDE.sub("", sentence)
    if bare == sentence or (told := _read(data, bare, form, normal, now)) is None:
        return None
    kept = now.topic
    for aside in _ASIDE.finditer(sentence):
        now.topic = now.of = claims.number(aside["who"])
        if (found := _read(data, aside["said"], form, normal, now)) is None:
            return None
        told = [*told, *found]
    now.topic = kept
    return told


def _from(
    data: dict[str, Any],
    sentence: str,
    cuts: list[tuple[int, int]],
    first: int,
    form: str,
    normal: Normal,
    now: Context,
    dead: set[int],
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
        found = [] if not piece else _clause(data, piece, form, normal, now, whole)
        if found and now.cited:
            of_own = now.claims[now.cited - 1 : now.cited] if now.cited > 0 else []
            cited = [*remarks.cited(data, now.cited), *of_own]
            found = found if found[0] in cited else None
            now.cited = 0
        if found is not None:
            now.met(found)
            rest = _from(data, sentence, cuts, last, form, normal, now, dead)
            if rest is not None:
                return found + rest
            vars(now).update(vars(before))
    dead.add(first)
    return None


def _plain(piece: str) -> str:
    return markup.unlisted(piece).strip(" .!,:;✓✔✅*\"'>-")


def _clause(
    data: dict[str, Any], piece: str, form: str, normal: Normal, now: Context, whole: bool
) -> list[Claim] | None:
    """The claims of one that is understood as it is; names alone are a sentence, and no clause."""
    if ordinal := remarks.ORDINAL.search(piece.lower()):
        now.cited = (
            int(ordinal["k"]) if ordinal["k"] else spelling.ORDINALS.index(ordinal["word"]) + 1
        )
        piece = _plain(piece[: ordinal.start()] + piece[ordinal.end() :])
    if remarks.STATED.match(piece.lower()):
        now.cited = remarks.ANY
    if not whole and NAMES.fullmatch(piece) and not normal(claims.unnamed(piece, now.objects)):
        return None
    objects = tuple(data["objects"])
    value = None if piece.lower() == "no" else normal(claims.unnamed(piece, objects))
    if value == form:
        return [stated(data, form)]
    text = wording.as_in_a_map(piece)
    if (found := claims.read(text)) is not None:
        return found
    if value is not None:
        return None
    begin = _CLAIM.search(piece)
    lead = piece[: begin.start()] if begin else ""
    led = bool(lead) and not PLACING.search(lead.lower()) and narrates(data, lead, form)
    if led and (found := claims.read(wording.as_in_a_map(piece[len(lead) :]))) is not None:
        return found
    if remarks.IN_MAP.fullmatch(text):
        return []
    if (found := _formed(data, piece, form, now)) is not None:
        return found
    if (total := remarks.total(canonical.canonical(piece), form, now)) is not None:
        return total
    return [] if closings.closes(piece) or narrates(data, piece, form) else None


def _formed(data: dict[str, Any], piece: str, form: str, now: Context) -> list[Claim] | None:
    """The claims of a clause of a known form, among words that claim nothing."""
    if (ruled := remarks.ruled(data, piece, form)) is not None:
        return ruled
    if remarks.THE_ONE.fullmatch(piece.lower()):
        return [] if now.claims and now.claims[-1] == stated(data, form) else None
    text = canonical.canonical(piece)
    ends = [len(text)]
    tail = _TAIL.search(text)
    if tail and not PLACING.search(tail[0]) and only_points(re.findall(r"[a-z']+", tail[0])):
        ends.append(tail.start())
    begins = [0, *(one.end() for one in _SPACE.finditer(text))][:_MOST_WORDS]
    for begin in begins:
        lead = text[:begin]
        if begin and (_STOPS.search(lead) or not leads(lead)):
            return None
        for end in ends:
            said = text[begin:end].strip(" ,:")
            if not TURNS.search(lead) and definitions.holds(said):
                return []
            for found in (
                counting.read(said, now),
                placing.read(said, now),
                premises.read(said, now),
                routes.read(said, now),
                coordinates.read(said, now),
                unsettled.read(said, now),
            ):
                if found is not None:
                    return found
    return None
