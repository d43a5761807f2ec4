"""Which option a reply picks, by its letter and what it says.

    B. A warm drawer. Yeast needs warmth.           opens with it
    The best place is:\\n\\n**B. A warm drawer**      says that it is what is asked for
    The best place is a warm drawer (B).            the same
    A friend's best place is B. A warm drawer.      somebody else's: not understood

All that stands beside that has to go with it (:mod:`agentflow.domains.commonsense.beside_pick`);
what stands above is read as it is above any answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from agentflow.domains import answers, option_text, unrelated
from agentflow.domains.answers import conclusions
from agentflow.domains.answers.doubt import is_doubted
from agentflow.domains.answers.other_options import DENIES
from agentflow.domains.answers.remark_words import CHOSEN, SMILEYS, WORD
from agentflow.domains.commonsense import beside_pick, chosen, replies
from agentflow.domains.commonsense.beside_pick import words_end
from agentflow.domains.sentence_ends import SENTENCE_END
from agentflow.domains.spelling import lowered, word_set

PICKED = "picks: "
"""What marks the text of a reply that may pick an option among the grounds of its answer."""
ALONE = "only picks: "
"""The same, of a text whose answer is not understood in another way."""

_MAX = 6_000
_BOLD = re.compile(r"\*\*|__|(?<![\w*])\*(?=\w)|(?<=[\w.)])\*(?![\w*])")
_NESTED = r"\{(?:[^{}\n]|\{[^{}\n]{0,60}\}){0,120}\}"
_BOXED = re.compile(
    r"\$?\\boxed\{(?:\\text\{)?"
    rf"(?P<said>(?:[^{{}}\n]|(?<!\\text){_NESTED}){{1,300}})\}}{{1,2}}\$?"
)
_TITLE = re.compile(r"\b(?P<title>Mr|Mrs|Ms|Dr|Prof|St|vs)\.(?= )")
_CONDITION = re.compile(r"\bcondition(?=s?\b)")
_MAY_PICK = re.compile(r"(?:^|[\s*(:'])\(?[A-J](?:[.):*]|\Z)", re.MULTILINE)
_LETTERED = re.compile(
    r"(?<![\w'’])(?:[Oo]ption |[Cc]hoice )?\(?(?P<letter>[A-J])(?:\)[.:]?|[.:])\s{1,3}"
)
"""The letter of an option, in front of what it says."""
_BEHIND = re.compile(
    r"(?: \((?:[Oo]ption )?|, which is (?:option |choice |answer )?\(?)(?P<letter>[A-J])"
    r"(?:\)|(?<=[ (].)(?=[.,]?(?:\s|\Z)))"
)
"""The letter behind what an option says."""
_BARE = re.compile(
    r"(?i:\b(?:answer|option|choice)(?: (?:is|should be|must be|would be):?|:)\s{1,3}(?:option )?)"
    r"\(?(?P<letter>[A-J])\)?(?=[.,;]?(?:\s|\Z))"
)
"""What is called the answer by its letter alone."""
_NAMED = re.compile(
    r"(?:\A|\n)\s*(?P<said>(?i:option |choice )?\(?[A-J][.):]+ [^\n]{1,200})"
    r"|(?:is|are|be):? (?P<also>\(?[A-J][.):]+(?: [^\n]{1,200}|(?=\s*\Z)))"
    r"|, which is (?P<behind>(?:option |choice |answer )\(?[A-J]\)?(?=[.,]?(?:\s|\Z)))"
)
_TWICE = re.compile(r"\s*\(?(?P<first>[A-J])[.):]{1,2}\s{1,3}(?=\(?(?P=first)[.):])")
"""The letter of an option in front of the option, letter and all."""
_IS = re.compile(r"\b(?:is|are|be)(?: an?)?:?\Z|\b(?:answer|conclusion):\Z")
_OPTION = re.compile(r"(?:\b(?:[Oo]ption|[Cc]hoice)\s{1,3})?\(?\Z")
_FITS = word_set("""
    the a an of for in to from with on by is are be that this these and as it its we here here's so
    thus therefore hence based given looking at comparing considering analysis data breakdown why
    most likely best correct right closest match matches plausible probable reasonable suitable
    appropriate accurate accurately explanation reason conclusion statement following one among
    options choices option choice answer final corrected result place way thing
""")
"""Words with which something is said to be what is asked for."""
_SAYS_NO = re.compile(r"(?i)\b(?:not|no|nor|ans|yes|out|bad|if|or|but)\b")
"""Short words that no formula has."""
_CONCLUDES = re.compile(r"[\W_]*(?:so|thus|therefore|hence)\b(?![^'’]*['’]s\b)")
"""How a sentence begins that concludes, and says of nobody that something is theirs."""
_BEST = re.compile(r"\b(?:closest|most likely)\b")
_BASED = re.compile(
    r"(?i)\A[\W_]*(?:given|based on|considering) (?:all )?(?:the|this|these) "
    r"(?:(?:above|provided|given|available) )?"
    r"(?:information|analysis|data|evidence|context|observations?|results?|options)"
    r"(?: (?:provided|above|given))?, "
)
"""What an answer is said to be based on."""
_ASIDE = re.compile(r" \((?:rounded|to|in|among|from|of|at|by) [a-z\d ]{1,40}\)")
"""What is said of an answer's form, or of what it is picked from, in brackets."""
_RESULT = re.compile(r"(?:\b(?:is|are|be|equals)\s|[=≈:])(?P<said>[^=≈:\n]{1,300})\Z")
"""What a sentence comes to."""
_SIGN = re.compile(r"[?!¬~≠<>=^]|\[ ?\]")
"""What may deny what stands behind."""
_FRONT = re.compile(r"[\s*_#•–—-]*(?:\d{1,2}[.)]\s{1,3})?\(?")
"""What may stand in front of the first word of a sentence that picks an option."""
_ON_CONDITION = re.compile(
    r"\W*(?P<said>(?:provided|assuming|supposing|granted|granting|if|unless|once|as long as)"
    r"(?: that)? [^,]{1,200}),"
)
"""How a sentence begins that holds on a condition."""
_RULED_OUT = word_set("""
    it would be is was one should must we i you they could can to go going with choose choosing pick
    picking select selecting take taking the a an option choice answer value one so therefore thus
    hence of here this that correct right final proper
""")
_RULES_OUT = word_set("""
    not wrong incorrect mistake mistaken cannot can't isn't wasn't shouldn't never error false
    couldn't mustn't wouldn't
""")
"""Words of a sentence that says of an option only that it is not the right one."""
_ANY_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_GOES_ON = re.compile(
    rf"[ )\]\"”'’}}$\\%+*_|>⟩{SMILEYS}]*"
    r"(?:[.!,:;。，；：]+(?!\?)|\n|\Z|[-–—] |\(|(?:because|since|as|which)\b)"
)
"""What stands behind the whole of an option."""
_BY_LETTER = 3
"""Characters of an option that is named by its letter alone."""
_STEM = 5
"""Letters by which the forms of a word are the same."""
_LEAD = 400
"""Characters of what leads to an option at most."""


class Pick(NamedTuple):
    """A place at which a text picks an option: the sentence up to the end of the option."""

    letter: str
    start: int
    end: int


@lru_cache(maxsize=32)
def grounds(text: str) -> str:
    """A text as a ground; empty for one that picks no option, or is too long."""
    if not _MAY_PICK.search(text):
        return ""
    text = _unfenced(text)
    if len(text) > _MAX or "```" in text or any(map(beside_pick.is_odd, text)):
        return ""
    return _TITLE.sub(r"\g<title>", _BOLD.sub("", text)).replace(";", ",")


def _unfenced(text: str) -> str:
    """A text without its fenced blocks of formulas; as it is where one holds something else."""
    outside, *fenced = re.split(r"(?m)^[ \t]*```[ \t]*$\n?", text)
    if not fenced or len(fenced) % 2:
        return text
    inside = "\n".join(fenced[::2])
    if not all(map(beside_pick.is_formula, inside.split("\n"))) or _SAYS_NO.search(inside):
        return text
    return "".join([outside, *fenced[1::2]])


@lru_cache(maxsize=32)
def named(text: str) -> str:
    """What a text may pick, as it is written; empty where it picks no option that its letter
    names."""
    whole = _BOXED.sub(r"\g<said>", grounds(text))
    called = [one.text for one in answers.statements(whole) if CHOSEN.match(one.text)]
    found = _NAMED.search(whole) if whole and not called else None
    return called[-1] if called else next(filter(None, found.groups())).strip() if found else ""


def carried(found: str | None, text: str) -> str | None:
    """The answer that a text states, or what it may pick where that is none, with the whole text
    for :func:`reading` where it may pick an option by its letter."""
    may_be = named(text)
    if not may_be:
        return found
    said, others = conclusions.parted(found or may_be)
    return conclusions.grounded(said, [*others, f"{PICKED if found else ALONE}{grounds(text)}"])


def apart(answer: str) -> tuple[str, str]:
    """(an answer of :func:`carried` as the text states it, empty for none; what it may pick)."""
    said, others = conclusions.parted(answer)
    told = [one for one in others if one.startswith((PICKED, ALONE))]
    if told and told[0].startswith(ALONE):
        return "", told[0]
    return conclusions.grounded(said, [one for one in others if one not in told]), "".join(told)


class Reading(NamedTuple):
    """What a text says of the options of its problem.

    Attributes:
        picked: The option, by its letter in brackets, that it picks and leaves alone; None for
            none that is known.
        picks: Whether it picks one at all.
        rivals: Whether it says that it is another one, too.
    """

    picked: str | None = None
    picks: bool = False
    rivals: bool = False


def reading(question: str, options: Mapping[str, str], ground: str = "") -> Reading:
    """What a text of :func:`grounds` says of options."""
    text = ground.removeprefix(PICKED).removeprefix(ALONE)
    return _read(question, tuple(options.items()), text) if len(options) > 1 and text else Reading()


@lru_cache(maxsize=32)
def _read(question: str, listed: tuple[tuple[str, str], ...], text: str) -> Reading:
    """The same; a run asks several times."""
    options = dict(listed)
    boxes = [one["said"] for one in _BOXED.finditer(text)]
    text = _BOXED.sub(r"\g<said>", text)
    first = " ".join(next(iter(options.values())).split())
    place = question.find(first) if first else -1
    question = question[:place] if place >= 0 else question
    found = picks(text, question, options)
    if not found:
        return Reading()
    own = found[0].letter
    result = _RESULT.search(SENTENCE_END.split(text[: found[-1].start].rstrip())[-1])
    told = [*boxes, *([result["said"]] if result else [])]
    others = any(one.letter != own for one in found)
    if _rules_out(text, own, options[own]):
        return Reading(picks=True, rivals=True)
    if others or any(_is_of_another(options, own, one) for one in told):
        return Reading(picks=True, rivals=True)
    if not all(_GOES_ON.match(text, one.end) for one in found):
        return Reading(picks=True)
    holds = any(_holds(text, found, at, question, options) for at in {0, len(found) - 1})
    return Reading(f"({own})" if holds else None, picks=True)


def _rules_out(text: str, own: str, option: str) -> bool:
    """Whether a sentence says of an option nothing but that it is not the right one."""
    letter = rf"\({own}\)|{own}(?=[.)]|\W*\Z| (?:is|was|would|can))"
    named = re.compile(rf"(?<!\w)(?:(?i:{re.escape(' '.join(option.split()))})(?!\w)|{letter})")
    for sentence in SENTENCE_END.split(text) if option.strip() else ():
        plain = named.sub(" ", " ".join(sentence.split()))
        said = _ANY_WORD.findall(lowered(plain).replace("’", "'"))
        against = sum(one in _RULES_OUT for one in said)
        names = plain.strip() != " ".join(sentence.split()) and "?" not in sentence
        if names and against % 2 and (_RULED_OUT | _RULES_OUT).issuperset(said):
            return True
    return False


def _holds(
    text: str, found: Sequence[Pick], at: int, question: str, options: Mapping[str, str]
) -> bool:
    """Whether a text leaves the option that it picks in some places alone, where one of them
    parts what leads to it from what is said of it."""
    own, start = found[at].letter, found[at].start
    taken = [(one.start, one.end) for one in found]
    behind = beside_pick.around(text[start:], [(a - start, b - start) for a, b in taken[at:]])
    above = beside_pick.around(text[:start], taken[:at]) if at else text[:start]
    if not beside_pick.holds(question, options, own, behind, above):
        return False
    return any(
        beside_pick.leads_on(question, options, own, one) and _is_own(one, question, options, own)
        for one in beside_pick.without_items(question, options, own, above)
    )


def picks(text: str, question: str, options: Mapping[str, str]) -> list[Pick]:
    """Where a text picks an option: opens with it, or says that it is what is asked for."""
    said = {*WORD.findall(lowered(question))}
    twice = _TWICE.match(text)
    found = list[Pick]()
    places = list(_named_in(text, options))
    whole = {begin for _, begin, end in places if end - begin > _BY_LETTER}
    for own, begin, end in places:
        if end - begin <= _BY_LETTER and begin in whole:
            continue
        lead = _OPTION.sub("", text[max(0, begin - _LEAD) : begin]).rstrip()
        opens = begin <= _LEAD and _FRONT.fullmatch(lead) is not None
        opens = opens or (twice is not None and begin == twice.end())
        sentence = "" if opens else SENTENCE_END.split(lead)[-1]
        start = 0 if opens else text.rfind(sentence, 0, begin)
        above = text[:start]
        condition = _ON_CONDITION.match(lowered(sentence))
        if condition and condition["said"] not in lowered(question):
            continue
        leads = _leads(sentence, said) or _leads_on(sentence, said, above)
        if opens or leads or _leads_so(sentence, said, above):
            found.append(Pick(own, start, end))
    return sorted(found, key=lambda one: one.start)


def _named_in(text: str, options: Mapping[str, str]) -> Iterator[tuple[str, int, int]]:
    """(letter, where it begins, where it ends) of each place where a text names an option."""
    for one in _LETTERED.finditer(text):
        said = {letter: _says(text, one.end(), option) for letter, option in options.items()}
        own = said.pop(one["letter"], None) or words_end(
            text, one.end(), options.get(one["letter"], "")
        )
        if own is not None:
            yield one["letter"], one.start("letter"), own
        for other, end in said.items():
            if end is not None and end > (own or 0):  # the letter of one, the words of another
                yield one["letter"], one.start("letter"), end
                yield other, one.start("letter"), end
    for one in _BEHIND.finditer(text):
        begin = _begins(text, one.start(), options.get(one["letter"], ""))
        if begin is not None:
            yield one["letter"], begin, one.end()
    for one in _BARE.finditer(text):
        if one["letter"] in options:
            yield one["letter"], one.start("letter"), one.end()


def _says(text: str, start: int, option: str) -> int | None:
    """Where a text ends to say an option and nothing else, formulas and all, from a place on."""
    end = option_text.end(text, start, option)
    return end if end is not None and _GOES_ON.match(text, end) else None


def _is_of_another(options: Mapping[str, str], own: str, said: str) -> bool:
    """Whether something that is said is another option, by its letter or by all that it says, and
    not the one that is picked."""
    letter = said.strip(" ().$")
    if letter in options:
        return letter != own
    having = [one for one, option in options.items() if _says(said.lstrip(), 0, option)]
    return bool(having) and own not in having


def _leads(sentence: str, said: set[str]) -> bool:
    """Whether the words in front of an option say that it is what is asked for."""
    low = _ASIDE.sub("", lowered(sentence))
    if _SIGN.search(low) or _IS.search(low) is None:
        return False
    if any(one[0] not in said for one in DENIES.finditer(low)):
        return False
    begun = {one[:_STEM] for one in said}
    return all(one in said or one in _FITS or one[:_STEM] in begun for one in WORD.findall(low))


def _leads_on(sentence: str, said: set[str], above: str) -> bool:
    """The same of a line that ends in a colon, and may speak of what stands above, too."""
    plain = _BEST.sub("", _BASED.sub("", sentence))
    if not sentence.endswith(":") or is_doubted(plain, ""):
        return False
    sentence = plain
    return _leads(sentence, said | {*WORD.findall(lowered(above))})


def _leads_so(sentence: str, said: set[str], above: str) -> bool:
    """The same of a sentence that concludes, and has one word of its own that stands above."""
    low = lowered(sentence)
    begun = {one[:_STEM] for one in said}
    own = {one for one in WORD.findall(low) if one not in said | _FITS and one[:_STEM] not in begun}
    asked = WORD.sub(lambda one: "" if one[0] in said else one[0], low)
    if len(own) != 1 or not _CONCLUDES.match(low) or is_doubted(asked, ""):
        return False
    return own <= {*WORD.findall(lowered(above))} and _leads(sentence, said | own)


def _begins(text: str, end: int, option: str) -> int | None:
    """Where a text begins to say an option, which it has up to ``end``."""
    words = re.findall(r"\w+", option.lower())
    spans = list(re.finditer(r"\w+", text[max(0, end - 2 * len(option) - 40) : end]))
    spans = spans[-len(words) :] if words else []
    if not words or [one[0].lower() for one in spans] != words:
        return None
    return max(0, end - 2 * len(option) - 40) + spans[0].start()


def _is_own(above: str, question: str, options: Mapping[str, str], own: str) -> bool:
    """Whether an answer below a text would be its author's, and left alone."""
    text, things = replies.of_its_problem(above)
    text = text if things <= {*WORD.findall(lowered(question))} else above
    if "condition" in question.lower():  # those of the problem, and no check of the answer
        text = _CONDITION.sub("circumstance", text)
    whole = f"{text.rstrip()}\n\nThe answer is {own}." if text.strip() else f"The answer is {own}."
    whole, in_words = replies.in_words(whole)
    if not all(chosen.is_named(dict(options), f"({own})", one) for one in in_words):
        return False
    if answers.stated(whole) != own or answers.disclaimed(whole):
        return False
    said = {*WORD.findall(lowered(question))}
    told = [
        one
        for one in unrelated.told(whole, own)
        if not _is_of(WORD.findall(lowered(one.removeprefix(unrelated.UNRELATED))), said)
    ]
    return unrelated.goes_with(question, told, of_the_world=True)


def _is_of(words: Sequence[str], said: set[str]) -> bool:
    """Whether words are those of a question, or say that something is what is asked for."""
    return all(one in said or one in _FITS for one in words)
