"""What plain sentences around an answer say of the things of a problem, each to be judged.

    Since Dana is not tall, she is quiet, and all quiet people are busy.
    If Gary were proud, he would be tall.       Whether Hanna is tired remains open.
    The premise about Alex plays no role here.

A sentence is read to its last word, into claims of the controlled English or by the forms of
:mod:`~agentflow.domains.logic.wordings`, or not at all. Which of two readings of a sentence is
meant does not matter: the one taken here says at least as much.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from agentflow.domains import narration
from agentflow.domains.logic import english
from agentflow.domains.logic.wordings import (
    CLAIMS,
    CLAUSES,
    FALSE,
    OF,
    PREMISE,
    PREMISES,
    SO,
    UNSHOWN,
    VERDICTS,
    WOULD,
)
from agentflow.domains.spelling import plain, word_set

Of = tuple[str, str]
"""Who was named last, and what is supposed."""
_MAX_LINE, _MOST = 400, 20
_ITEM = re.compile(r"\A\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_LETTERS = re.compile("[a-zA-Z]")
_SENTENCE = re.compile(r"(?<=[.!?])[)*_]*\s+(?=\W*[A-Z])")
_SHORT = (
    (r"\bcan['’]t\b", "cannot"),
    (r"\bwon['’]t\b", "will not"),
    (r"n['’]t\b", " not"),
    (r"(?i)(?<=\b(?:he|we|it))['’](?:s|re)\b|(?<=\b(?:she))['’]s\b|(?<=\bthat)['’]s\b", " is"),
    (
        r"(?i)[(\[](?:(?:given|from|by|see|using|via|and|the|first|second|third|last|premises?"
        r"|steps?|rules?|facts?|modus (?:ponens|tollens)|contrapos\w+|transitivity|elimination"
        r"|\d{1,2}|[,&+–-]) ?)+[)\]]",
        "",
    ),
)
_ARROWS = re.compile(r" ?(?:→|⇒|=>|->|⟶) ?")
_CELL, _RULED = re.compile(r"(?<!\\)\|"), re.compile(r"[\s|:-]+")
_ANYONE = re.compile(r"(?i)\b(?:(?:some|any|every|no)(?:one|body| one)|people|whoever)\b")
_OF_ONE = re.compile(r"(?:If )?([A-Z][a-z]+) is (?!.*\b(?!\1\b)[A-Z][a-z])")
"""Who a claim speaks of, if of one only."""
_OTHERS = re.compile(r"\A[A-Z]\w* is |.\b[A-Z][a-z]")
_NAMED = re.compile(r"(?<!\A)\b[A-Z][a-z]+\b")
_HE, _HIS = re.compile(r"(?i)\b(?:he|she)\b"), re.compile(r"(?i) (?:for|of) (?:him|her|it)\Z")
_PROPERTY = re.compile(
    r"(?:is )?(?:not )?(?:an? )?(?!(?:true|false|uncertain|unknown|answer|yes|no|conclusion|verdict"
    r"|result|correct|right|given|done|proof)\b)[a-z-]+"
)
"""What goes on about who was named: ``Max is a wumpus but not red``"""
_APPOSED = (
    re.compile(
        r"(?P<who>[A-Z]\w*), (?:as|being|who is|since s?he is) (?P<what>[^,]+), (?P<then>.+)"
    ),
    re.compile(r"(?:[Aa]s|[Bb]eing) (?P<what>[^,]+), (?P<who>[A-Z]\w*) (?P<then>.+)"),
)
"""``Sam, as a tumpus, is a rompus``, ``Being a tumpus, Sam is a rompus``"""
_ALSO = re.compile(
    r"(?i)(?<=is )(?:not (?=.* either\Z))?(?:also|thus|therefore|hence|then|indeed) "
)
_NOUN = re.compile(r"\A([A-Z]\w*) is ([a-z]+)\Z")
_EVERY = re.compile(r"\A[Aa]n? ([a-z]+) is (?=(?:not )?(?:an? )?[a-z]+\Z)")
_PERSON = re.compile(r"(?i)\b(is|are)( not)? an? ([a-z]+) (?:person|individual|one|thing|animal)\Z")
_TELLS = re.compile(r"(?i)(?:let|here|we|i|now|okay|in|to|first|nice|good|great)\b")
_JUDGES = re.compile(
    r"(?i)\b(?:right|correct|conclusion|answer|all|they|given|certainly|cool|happy|clean|careful"
    r"|clever)\b|\d|[→⇒]"
)
_TELLING_WORDS = word_set("""
    chain links rules rule premises premise facts fact implications little puzzle deduce derive two
    scenarios both cases possibilities options possible models trace he she could statements about
""")


def laid_out(text: str) -> str:
    """A text with a line of its own for its answer: for what stands behind that in its first line,
    and for what leads to it in its last."""
    text = CLAUSES["box"].sub(".\n\n", text.rstrip())
    if ended := CLAUSES["ends"].search(text):
        end = ended["end"]
        end = f"The conclusion {end}" if end.startswith("is ") else end[:1].upper() + end[1:]
        text = f"{text[: ended.start()]}.\n\n{end}"
    return CLAUSES["begins"].sub(lambda found: f"{found[0].rstrip()}\n\n", text)


def cut(text: str, answered: Callable[[str], str | None]) -> tuple[str | None, list[str]]:
    """The answer of a text without its last lines that are understood, and what they say."""
    lines, grounds = laid_out(text).split("\n"), list[str]()
    while not (said := answered("\n".join(lines))) and len(lines) > 1 and len(grounds) < _MOST:
        told = read(lines.pop())
        if told is None:
            break
        grounds = [*told, *grounds]
    return said, grounds


def read(line: str) -> list[str] | None:
    """What a line says, as grounds; None if it is not understood."""
    grounds, left, _ = understood(_ITEM.sub("", line, count=1).strip(" *_()[]"), ("", ""))
    return None if _LETTERS.search(left) else grounds


def clause(ground: str) -> tuple[str, ...]:
    """What a clause says that is of a known form, as grounds; none if it is not."""
    found = _of_form(_spelled_out(ground), ("", ""))
    return found[0] if found else ()


def understood(line: str, of: Of) -> tuple[list[str], str, Of]:
    """(what the sentences of a line say that are understood, the others, what is left to the next
    line); in the place of those stands who was named last."""
    if len(line) > _MAX_LINE:
        return [], line, ("", "")
    if line.strip().startswith("|") and (row := _row(line, of)):
        return row
    grounds, left = list[str](), list[str]()
    for sentence in _SENTENCE.split(line):
        plainly = _ITEM.sub("", _spelled_out(sentence).replace("*", ""), count=1)
        if found := _read(plainly.strip(" .!()_"), of):
            grounds += found[0]
            of = found[1]
            if left and _LETTERS.search(left[-1]):
                left.append(f"{of[0]}.")
        else:
            left.append(sentence)
            of = "", ""
    return grounds, " ".join(left), of


def _row(line: str, of: Of) -> tuple[list[str], str, Of] | None:
    """The same of a row of a table; None if a cell is not understood."""
    grounds = list[str]()
    if _RULED.fullmatch(line):
        return grounds, "", of
    for cell in _CELL.split(_spelled_out(line).replace("*", "").strip(" |")):
        text = cell.strip(" .")
        if head := CLAUSES["heading"].fullmatch(text):
            of = head["who"] or of[0], ""
        elif _LETTERS.search(text) and not PREMISE.fullmatch(text):
            found = _read(text, of)
            if found is None:
                return None
            grounds += found[0]
    return grounds, "", of


def _spelled_out(sentence: str) -> str:
    """Without short forms (``isn't``, ``she's``), and where a claim comes from (``(premise 1)``)."""
    sentence = plain(sentence)
    for short, full in _SHORT:
        sentence = re.sub(short, full, sentence)
    return sentence


@lru_cache(maxsize=4_096)
def _read(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """What a sentence, or a part of one, says: as one claim, else as two joined ones."""
    if _narrates(text):
        named = _NAMED.findall(text)
        return (), (named[-1], "") if named else of
    while lead := CLAUSES["leads"].match(text):
        text = text[lead.end() :]
    if not _LETTERS.search(text):
        return (), of
    if found := _claim(text, of):
        return found
    for joint in CLAUSES["joined"].finditer(text):
        one = _read(text[: joint.start()], of) if text[: joint.start()].strip() else None
        other = _read(text[joint.end() :], one[1]) if one else None
        if one and other:
            return one[0] + other[0], other[1]
    return None


def _narrates(text: str) -> bool:
    """Whether a sentence only tells how one goes on: ``Let's see what we can say about Bella``."""
    if CLAUSES["no_claim"].fullmatch(text.strip(" :.,!")):
        return True
    unnamed = _NAMED.sub("", text)
    tells = _TELLS.match(text) and not _JUDGES.search(unnamed)
    return bool(tells) and narration.only(unnamed, _TELLING_WORDS)


def _claim(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """(the grounds that a clause is, what it leaves to those behind); None if not understood."""
    if found := _of_form(text, of):
        return found
    text = CLAUSES["tail"].sub("", text.strip(' "“”'))
    if supposed := CLAUSES["supposes"].fullmatch(_named(text, of[0])):
        return (), (supposed["who"], f"{supposed['who']} is {supposed['what']}")
    if of[1] and CLAUSES["absurd"].fullmatch(text):
        return _marked(FALSE, of[1], (of[0], ""))
    for apposed in _APPOSED:
        if found := apposed.fullmatch(_named(text, of[0])):
            who = found["who"]
            return _read(f"{who} is {found['what']}; {who} {found['then']}", of)
    *links, last = _ARROWS.split(text)
    if of[0] and links and all(map(_PROPERTY.fullmatch, (*links, last))):
        pairs = zip(links, (*links[1:], last), strict=True)
        return tuple(f"{SO}If {of[0]} is {one}, then {of[0]} is {two}" for one, two in pairs), of
    if of[0] and _PROPERTY.fullmatch(text):
        text = f"{of[0]} is {text.removeprefix('is ')}"
    return _marked(SO, text, of) or _marked(SO, _NOUN.sub(r"\1 is a \2", text), of)


def _of_form(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """The same of a clause of one of the listed forms."""
    text = CLAUSES["tail"].sub("", text.strip(' "“”'))
    for mark, form in PREMISES:
        if found := form.fullmatch(text):
            who = found.groupdict().get("who")
            return (mark + found["what"] + (f"{OF}{who}" if who else ""),), of
    for answer, form in VERDICTS:
        if form.fullmatch(text):
            return (answer,), of
    text = _HIS.sub("", _named(text, of[0])) if of[0] else text
    if neither := CLAUSES["neither"].fullmatch(text):
        return _all_of(UNSHOWN, [neither["one"], neither["other"]], of)
    if of[0] and (links := CLAUSES["links"].fullmatch(text)):
        ones = re.findall(r"(?!(?:or|and|being)\b)\b[a-z]+", links["ones"])
        return _all_of(
            UNSHOWN, [f"If {of[0]} is {one}, then {of[0]} is {links['what']}" for one in ones], of
        )
    for mark, form in CLAIMS:
        if found := form.fullmatch(text):
            parts = found.groupdict()
            claim = parts.get("claim") or f"{parts['who']} is {parts['what']}"
            if marked := _marked(mark, claim, of):
                return marked
    return None


def _all_of(mark: str, claims: list[str], of: Of) -> tuple[tuple[str, ...], Of] | None:
    """The grounds of several claims; None if one is not understood."""
    grounds = tuple[str, ...]()
    for claim in claims:
        if (marked := _marked(mark, claim, of)) is None:
            return None
        grounds, of = grounds + marked[0], marked[1]
    return grounds, of


def _marked(mark: str, text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    name, under = of
    text = CLAUSES["forces"].sub(r"\g<who> is ", _named(text, name), count=1)
    if were := CLAUSES["were"].fullmatch(text):
        under = f"{were['who']} is {were['what']}"
        text = were["then"] if were["who"].islower() else _HE.sub(were["who"], were["then"])
    elif not CLAUSES["would"].search(text):
        under = ""
    text = (
        CLAUSES["would"].sub(lambda one: f"{one['who']} is {one['not'] or ''}", text)
        if under
        else text
    )
    claim = in_short(_ALSO.sub("", text))
    claim = f"If {under}, then {claim}" if under else claim
    if ";" in claim or not english.is_sentence(claim[:1].upper() + claim[1:]):
        return None
    if who := None if _ANYONE.match(claim) else _OF_ONE.match(claim):
        name = who[1]
    elif _OTHERS.search(claim):
        name = ""
    return ((WOULD if under else mark) + claim,), (name, under)


def _named(text: str, name: str) -> str:
    """A clause with the name in the place of ``he``."""
    if not name or _ANYONE.search(text):
        return text
    return _HE.sub(name, CLAUSES["makes"].sub(f"{name} is ", text))


def in_short(ground: str) -> str:
    """What is said of a thing, in the words of a premise: ``Alex must be happy`` is ``Alex is
    happy``."""
    ground = CLAUSES["like_rule"].sub(
        lambda one: f"Everyone who is {next(filter(None, one.groupdict().values()))} is ", ground
    )
    ground = CLAUSES["cannot"].sub("is not", CLAUSES["must"].sub("is", ground))
    return _PERSON.sub(r"\1\2 \3", CLAUSES["adds"].sub("", _EVERY.sub(r"Every \1 is ", ground)))
