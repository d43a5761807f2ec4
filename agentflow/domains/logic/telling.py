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
from typing import Any

from agentflow.domains import answers, narration
from agentflow.domains.answers import conclusions
from agentflow.domains.logic import english
from agentflow.domains.logic.wordings import (
    CITED,
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
from agentflow.domains.logic.words import ADJECTIVES, ANIMALS, VERBS
from agentflow.domains.spelling import plain, word_set

Of = tuple[str, str]
"""Who was named last, and what is supposed."""
_MAX_LINE = 400
_ITEM = re.compile(r"\A\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_LETTERS = re.compile("[a-zA-Z]")
_SENTENCE = re.compile(r"(?<=[.!?])[)*_]*\s+(?=\W*[A-Z])")
_CITED_SENTENCE = re.compile(r"(?<=[.!?])[*_]*\s+(?=\W*[A-Z])(?![(\[])")
"""Where a sentence ends that does not name its premise in brackets behind it."""
_SHORT = (
    (r"\bcan['’]t\b", "cannot"),
    (r"\bwon['’]t\b", "will not"),
    (r"n['’]t\b", " not"),
    (r"(?i)(?<=\b(?:he|we))['’]d be\b|(?<=\bshe)['’]d be\b", " would be"),
    (r"(?i)(?<=\b(?:he|we|it))['’](?:s|re)\b|(?<=\b(?:she))['’]s\b|(?<=\bthat)['’]s\b", " is"),
)
_BECAUSE = re.compile(
    r"(?i)(?<=true|alse|tain|nown|ined)(?P<marks>[*_\"”]*),? (?:because|since|as) (?=[a-z\"“])"
)
"""Where a verdict ends, and its reason begins."""
_SIGNS = (("∨", " or "), ("∧", " and "), ("¬ ?", "not "))
_ARROWS = re.compile(r" ?(?:→|⇒|=>|->|⟶) ?")
_CELL, _RULED = re.compile(r"(?<!\\)\|"), re.compile(r"[\s|:-]+")
_ANYONE = re.compile(r"(?i)\b(?:(?:some|any|every|no)(?:one|body| one)|people|whoever)\b")
_OF_ONE = re.compile(r"(?:If )?([A-Z][a-z]+) is (?!.*\b(?!\1\b)[A-Z][a-z])")
"""Who a claim speaks of, if of one only."""
_DOES = re.compile(rf"\bdoes (?:indeed )?({'|'.join(VERBS.values())})\b")
_ACTS = re.compile(
    rf"([A-Z][a-z]+) (?:does not (?:{'|'.join(VERBS.values())})|{'|'.join(VERBS)}) \w+\Z"
)
"""Who does something to another."""
_NOT_BOTH = re.compile(r"(?<![,.]) \(?but not both\)?\Z")
_OTHERS = re.compile(r"\A[A-Z]\w* is |.\b[A-Z][a-z]")
_NAMED = re.compile(r"(?<!\A)\b[A-Z][a-z]+\b")
_ALONE = re.compile(r"(?!(?:True|False|Uncertain|Unknown|Yes|No)\Z)[A-Z][a-z]+")
_ABOUT = re.compile(r"\babout ([A-Z]\w*)")
_ITSELF = re.compile(r"\b([A-Z]\w*) (does not \w+|\w+s) (?:itself|himself|herself)\b")
_HE, _HIS = re.compile(r"(?i)\b(?:he|she)\b"), re.compile(r"(?i) (?:for|of) (?:him|her|it)\Z")
IT = re.compile(
    r"(?i)\b(?:it|which|who) (?=(?:(?:also|then|thus|therefore|hence|indeed) )?"
    rf"(?:(?:is|isn't)(?: \w+){{0,2}} (?:{'|'.join(sorted(ADJECTIVES))})\b"
    rf"(?! (?:to|that|if|whether)\b)|(?:does not|doesn't|never|{'|'.join(VERBS)})\b"
    r"(?! (?:not )?(?:follow|mean|matter|imply|say))))"
)
"""What stands for an animal, or for what was named last, and is said to be or to do something."""
_ANYTHING = re.compile(r"(?i)\b(?:(?:some|any|every|no)thing|things?|whatever)\b")
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
_NESS = re.compile(r"\b([a-z]{2,}?)(i?)ness\b")
_PERSON = re.compile(r"(?i)\b(is|are)( not)? an? ([a-z]+) (?:person|individual|one|thing|animal)\Z")
_KIND = r"(?:(?:premise|rule|fact|statement|clue|condition|implication)s?|p(?=\d))"
_CITES = re.compile(
    rf"(?i)\b(?P<kind>{_KIND}) ?#?(?P<numbers>\d{{1,3}}"
    rf"(?:(?:, and |, | and | & )(?:{_KIND} ?)?#?\d{{1,3}}){{0,9}})\b"
)
"""Where a sentence names premises by their numbers."""
_SAYS = re.compile(
    r"(?i)[)\]*_:]*,? (?:(?:also|\w+ly) )?(?:says?|states?|tells? us|reads?|asserts?)\b"
    r"(?: that\b)?:?"
    r"(?P<what>.*)"
)
"""How it goes on where it tells what such a premise says."""
_TELLING_WORDS = word_set("""
    chain links rules rule premises premise facts fact implications little puzzle deduce derive two
    scenarios both cases possibilities options possible models trace he she could statements about
""")


def parted(text: str, answered: Callable[[str], str | None]) -> tuple[str | None, list[str]]:
    """The answer of a text without all that is understood, and what that says."""
    rest, grounds, of = list[str](), list[str](), ("", "")
    whole = CLAUSES["box"].sub(".\n\n", text.rstrip())
    whole = CLAUSES["begins"].sub(lambda found: f"{found[0].rstrip()}\n\n", whole)
    for line in whole.split("\n"):
        if _RULED.fullmatch(line):
            rest.append("")
            continue
        before, last = line, ""
        if ended := CLAUSES["ends"].search(line):  # ..., so the conclusion is false.
            before, last = line[: ended.start()], _begun(ended["end"])
        reasons, verdict = _before_reason(line, of)
        if reasons and answered(verdict):
            grounds += reasons
            rest.append(verdict)
            continue
        told, left, of = understood(before, of)
        of_table = line.strip().startswith("|")  # else a row of two words would be an answer
        if (
            not left.strip(" .")
            and _LETTERS.search(line)
            and (last or of_table or not answered(line))
        ):
            grounds += told
            rest.append(last)
        elif whole != text.rstrip() and not answered(line) and "boxed" not in line and left.strip():
            return None, []  # what is cut off from an answer has to be understood
        else:
            rest.append(line)
    return answered("\n".join(rest)), grounds


def _before_reason(line: str, of: Of) -> tuple[list[str], str]:
    """(the grounds of the reason that a line gives for a verdict, the verdict alone): ``The
    statement is unknown because nothing says that Ann is kind``; the line as it is elsewhere."""
    for found in _BECAUSE.finditer(line):
        grounds, left, _ = understood(line[found.end() :], of)
        if grounds and not _LETTERS.search(left):
            return grounds, line[: found.start()]
    return [], line


def _begun(end: str) -> str:
    """A clause about the conclusion as a sentence."""
    return f"The conclusion {end}" if end.startswith("is ") else f"{end[:1].upper()}{end[1:]}"


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


def cited(text: str) -> list[str]:
    """What a text says of premises that it names by their numbers: for each place the words that
    name them and the claims of the sentence, of which one is to go with them."""
    if not _CITES.search(text):
        return []
    grounds, of, under, memory = list[str](), ("", ""), False, dict[str, Any]()
    for line in conclusions.reach(text).split("\n"):
        under = answers.supposed(line, under)
        memory, step = answers.claimed(line, memory)
        if step:  # judged by itself
            continue
        for sentence in _CITED_SENTENCE.split(line):
            told, _, of = understood(sentence, of)
            claims = [one.partition(SO)[2] for one in told if SO in one]
            for found in () if under else _CITES.finditer(plain(sentence).replace("*", "")):
                says = _SAYS.match(found.string, found.end())
                if says and not claims:
                    claims = [says["what"].strip(' ."').replace(";", ",")]
                if claims:
                    how = "says" if says else "with"
                    grounds.append(OF.join([f"{CITED}{how} {found[0]}", *claims]))
    return grounds


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
    """Without short forms (``isn't``, ``she's``), and without where a claim comes from."""
    sentence = plain(sentence)
    if "(" not in sentence:
        for sign, word in _SIGNS:
            sentence = re.sub(rf" ?{sign} ?" if word[0] == " " else sign, word, sentence)
    for short, full in _SHORT:
        sentence = re.sub(short, full, sentence)
    return CLAUSES["origin"].sub("", sentence)


@lru_cache(maxsize=4_096)
def _read(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """What a sentence, or a part of one, says: as one claim, else as two joined ones."""
    if _narrates(text):
        named = _NAMED.findall(text)
        return (), (named[-1], "") if named else of
    if CLAUSES["opening"].fullmatch(text):
        return (), of
    if _ALONE.fullmatch(text) and english.is_sentence(f"{text} is kind"):  # Gary: careful → tall
        return (), (text, "")
    while lead := CLAUSES["leads"].match(text):
        text = text[lead.end() :]
        if about := _ABOUT.search(lead[0]):
            of = about[1], of[1]
    if found := _claim(text, of):
        return found
    if says := CLAUSES["premise_says"].fullmatch(text):
        one = _read(says["one"], of)
        other = _read(says["other"], one[1]) if one else None
        return (one[0] + other[0], other[1]) if one and other else None
    if (behind := narration.behind_leads(text)) != text:
        return _read(behind, of)
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
    tells = CLAUSES["tells"].match(text) and not CLAUSES["judges"].search(unnamed)
    return bool(tells) and narration.only(unnamed, _TELLING_WORDS)


def _claim(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """(the grounds that a clause is, what it leaves to those behind); None if not understood."""
    if found := _of_form(text, of):
        return found
    text = CLAUSES["tail"].sub("", text.strip(' "“”'))
    if of[0] and (ruled_out := CLAUSES["ruled_out"].fullmatch(text)):
        return _marked(FALSE, f"{of[0]} is {ruled_out['what']}", of)
    if supposed := CLAUSES["supposes"].fullmatch(_named(text, of[0])):
        return (), (supposed["who"], f"{supposed['who']} is {supposed['what']}")
    if of[1] and CLAUSES["absurd"].fullmatch(text):
        return _marked(FALSE, of[1], (of[0], ""))
    for apposed in _APPOSED:
        if one := apposed.fullmatch(_named(text, of[0])):
            return _read(f"{one['who']} is {one['what']}; {one['who']} {one['then']}", of)
    *links, last = _ARROWS.split(text)
    if of[0] and links and all(map(CLAUSES["property"].fullmatch, (*links, last))):
        pairs = zip(links, (*links[1:], last), strict=True)
        return tuple(f"{SO}If {of[0]} is {one}, then {of[0]} is {two}" for one, two in pairs), of
    if of[0] and (CLAUSES["property"].fullmatch(text) or text.startswith("either ")):
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
    if of[0] and (so := CLAUSES["makes_so"].fullmatch(text)):
        return _marked(SO, f"If {of[0]} is {so['one']}, then {of[0]} is {so['other']}", of)
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
    given = under if were or CLAUSES["would"].search(text) else ""
    if given:
        text = CLAUSES["would"].sub(lambda one: f"{one['who']} is {one['not'] or ''}", text)
    claim = in_short(_ITSELF.sub(r"\1 \2 \1", _ALSO.sub("", text)))
    claim = f"If {given}, then {claim}" if given else claim
    if ";" in claim or not english.is_sentence(claim[:1].upper() + claim[1:]):
        return None
    if who := None if _ANYONE.match(claim) else _OF_ONE.match(claim) or _ACTS.match(claim):
        name = who[1]
    elif _OTHERS.search(claim):
        name = ""
    return ((WOULD if given else mark) + claim,), (name, under)


def _named(text: str, name: str) -> str:
    """A clause with the name in the place of ``he``, of an animal in that of ``it``."""
    if not name or _ANYONE.search(text):
        return text
    if name in ANIMALS and not _ANYTHING.search(text):
        text = IT.sub(f"{name} ", text)
    return _HE.sub(name, CLAUSES["makes"].sub(f"{name} is ", text))


def in_short(ground: str) -> str:
    """What is said of a thing, in the words of a premise: ``Alex must be happy`` is ``Alex is
    happy``."""
    ground = _NESS.sub(lambda word: word[1] + ("y" if word[2] else ""), ground)
    ground = CLAUSES["like_rule"].sub(
        lambda one: f"Everyone who is {next(filter(None, one.groupdict().values()))} is ", ground
    )
    ground = _NOT_BOTH.sub(", but not both", ground)
    ground = _DOES.sub(lambda found: f"{found[1]}s", ground)
    ground = CLAUSES["cannot"].sub("is not", CLAUSES["must"].sub("is", ground))
    return _PERSON.sub(r"\1\2 \3", CLAUSES["adds"].sub("", _EVERY.sub(r"Every \1 is ", ground)))
