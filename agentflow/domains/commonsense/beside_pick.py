"""Whether all that a reply says beside the option that it picks goes with that option.

    Yeast needs warmth.                          goes with it: a reason in the problem's words
    C. A full oven: nothing bakes evenly there.  rules out another one
    A cold room suits the dough better.          names another one
    Yeast dies in a warm drawer.                 denies the option
    A friend of mine would trust a coin.         has to do with neither problem nor reasons

The words of the question and of its options are subject matter, whatever they say: where the
question is about a flaw, or an option says ``if``, reasons may, too. What speaks of the answer, of
its author or of the reply in other words has to be known to leave the answer. A sentence is a
reason if a good part of its words are tied to the problem, or to reasons that are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from agentflow.domains import narration
from agentflow.domains.answers import explaining
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answers.headlines import heads_work
from agentflow.domains.answers.known_remarks import closes, leaves
from agentflow.domains.answers.other_options import DENIES, OF_WRITER, PRAISES, heads_others
from agentflow.domains.answers.remark_words import LETTER, OF_ITS_AUTHOR, SMILEYS, WORD
from agentflow.domains.answers.remarks import is_plain
from agentflow.domains.commonsense.concluding import stems
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import LETTER_OR_DIGIT, lowered, word_set

_SENTENCE = sentence_end(".!?", r"\n")
_ITEM = re.compile(
    r"\s{0,12}(?:[-*•+]|\d{1,2}[.)])?\s{0,4}(?P<called>(?i:option|choice|answer)s?\s{1,3})?"
    r"(?P<letters>\(?[A-J]\)?(?:(?:, and |, or |, | and | or )\(?[A-J]\)?){0,3})\s?[.):]+(?=\s|\Z)"
)
"""How a line begins that is about one option, or some."""
_NAMED_ITEM = re.compile(
    r"\s{0,8}(?:[-*•]|\d{1,2}[.)])\s{1,3}(?P<called>(?i:option|choice) )?"
    r"(?P<said>[^:()\n]{1,100}) \((?P<letters>[A-J])\):"
)
"""The same with the letter behind what the option says: ``1. A cold room (A): ...``"""
_NUMBERED = re.compile(r"\A\s{0,12}\d{1,2}[.)]\s")
_BULLETS = tuple("-*•+")
_TURNS = re.compile(r"\b(?:while|although|though|but|however|despite|if|even)\b")
_DENIAL = (
    r"(?:\b(?:not|no|never|neither|nor|none|nothing|nobody|cannot|hardly|unlike|fail\w*|lack\w*"
    r"|incorrect\w*|wrong|false|impossible|unlikely|unsuitable|irrelevant|instead of|rather than"
    r"|contradict\w*|eliminated|opposite)\b|n['’]t\b)"
)
"""What denies a thing next to it."""
_DENIED = re.compile(_DENIAL)
_OF_OWN = rf"(?:{_DENIAL}|\b(?:without|than|too|dies?|kill\w*|ruin\w*|against|worst|decoy)\b)"
_OWN_DENIED, _OUT = re.compile(_OF_OWN), re.compile(r"\bout\b")
"""The same, of a thing that is picked, which nothing is to be better than, or without."""
_BACK = re.compile(
    r"\b(?:this|that|it|which)(?: option| choice| answer| one)?"
    r" (?:is|was|seems?|would be|['’]s)(?: \w+)?"
    r" (?:not|wrong|incorrect|false|untrue|invalid|nonsense|impossible|unlikely)\b"
    r"|\bif (?:so|not)\b|\b(?:this|that|it) (?:holds|works|applies|is so|is true|fits)\b"
    r".*\b(?:only|unless|if|provided)\b"
)
"""What is said of the thing spoken of last, which may be the option."""
_POINTS_BACK = re.compile(
    r"(?:\A|(?<!\bfor)\s)(?:it|this|that|one|so|otherwise|different|out|wrong|backwards)\W*\Z"
)
"""How a sentence ends that may speak of the option in the last word."""
_PLAIN_DENIAL = re.compile(r"\b(?:not|never|cannot|except|without)\b|n['’]t\b")
"""What a question has that asks for what is not so."""
_NO_DENIAL = re.compile(
    r"\b(?:never|not|no|cannot|hardly|n['’]t) (?:\w+ )?"
    r"(?:dies?|kill|fail|lack|ruin|wrong|impossible)\w*"
    r"|\bneeds? not\b|\bnot (?:only|just|necessarily|always|merely)\b"
)
"""What denies a denial, or less than a whole thing."""
_NOT_NOW = re.compile(r"\b(?:was|were|been|had|did|not|no|never|\w+n['’]t)\b")
_JOINS = re.compile(r"\A\W*(?:because|since|as)\s")
"""How a sentence goes on behind an option with its grounds."""
_CONDITION = re.compile(
    r"\W*(?:if|unless|provided|assuming|supposing|suppose|or|as if|had)\b[^,]*\Z"
)
"""A sentence that is a condition and nothing else."""
_OF_THINGS = re.compile(
    r"\b(?:first|second|third|fourth) (?!(?:answer|option|choice|one|letter)\b)[a-z]"
    r"|\ban? (?:[a-z]+ )?example of [a-z]|\bas (?:mentioned|said|shown|explained) above,"
    r"|\bsuggests? that (?!(?:it|this|that|is)\b)[a-z]"
)
"""What speaks of things in words that may speak of an answer, too."""
_OTHERS = re.compile(
    r"\W*(?:(?:all|none) of )?(?:the|these) (?:other|remaining)"
    r" (?:options|choices|statements|answers)\b"
)
"""How a sentence begins that is about the options that are not picked."""
_THIS_OPTION = re.compile(
    r"\W*(?:(?:so|thus|therefore|hence),? )?(?:this|the chosen) (?:option|choice|answer|statement)"
    r"(?= (?:(?:also|directly|correctly|accurately|clearly|best|effectively) )?[a-z]+s\b)"
)
"""How one begins that is about the picked one."""
_FORMULA = re.compile(r"[=∝≈≥≤→√^]")
_NO_SYMBOLS = word_set("it this that these those he she they what which here there")
_LONG_WORD = 4
"""Letters of a word that is no symbol of a formula."""
_SIGNS = frozenset("°⇌↔↑↓№\u0304\u0305")
"""Signs that formulas are set with."""
_STRIKES = re.compile(r"[\u0334-\u0338\u20d0-\u20ff]")
_UNFINISHED = re.compile(r"[:?][\s*_]*\Z")
"""How a text ends that has not said what it leads to, or asks."""
_CALLED_BY_LETTER = re.compile(r"\b(?P<noun>[a-z]{3,}) (?P<letter>[A-J])\b", re.IGNORECASE)
_WELL = re.compile(
    r"(?<!not )(?<!in)(?<!n['’]t )(?<!never )\b(?:correct(?:ly)?|right|best|better|ideal|perfect\w*"
    r"|prefer\w*|suits?|fits?|beats?|wins?|wanted|true|the one)\b"
)
"""What may say of a thing that it is what is asked for."""
_CALLED_WRONG = re.compile(
    r"\b(?:not|never|n['’]t) (?:\w+ ){0,3}?(?P<word>correct|right|answer)\b"
    r"|\A\W*(?:it|this|that)(?: option| choice| answer)? is (?:\w+ )?(?P<wrong>wrong|incorrect)\b"
)
_CALLED_RIGHT = re.compile(
    r"\A\W*(?:it|this|that)(?: option| choice| answer)? is (?:\w+ly |indeed )?(?:the )?"
    r"(?P<word>correct|right|best)(?: one| answer| option| choice)?\W*\Z"
)
"""What is said of an option in its item."""
_CONCLUDES = re.compile(r"\W*(?:so|thus|therefore|hence|then|this means|that leaves|in short)\b")
_SHORT = 8
"""Words of a sentence at most that says nothing but what it names."""
_COMMAND = re.compile(r"\\[a-zA-Z]+")
_DEFINES = re.compile(
    r"\W*(?P<symbol>[^\W\d]\S{0,6})(?: \([^()]{1,30}\))?"
    r" (?:is|are|denotes|represents) (?:the|an?) .*"
)
"""What says what a symbol of a formula stands for."""
_FUNCTION = re.compile(r"\A(?:(?:in|on|at|to|by|of|an?|the)\s+)+")
"""Words in front of what an option says that may be others, or none."""
_CLAUSE = re.compile(r"[,;:]| (?:but|and|because|since|so|which|while|as) ")
_FEW = 3
"""Words of a short option: each of them stands for all of it."""
_SUBJECT = 3
"""Words of a clause at most in which its subject stands."""
_STEM = 4
_TIES = 2
"""Words of a reason that are tied to the problem, at least; one is enough in a plain sentence."""
_JOINING = word_set("""
    beca howe ther thus henc here any also sinc whil alth each such both more very then when
""")
"""Beginnings of words that join sentences, and say nothing of what they are about."""
_PART = 3
"""One of so many words of a reason is tied, at least."""


def words_end(text: str, start: int, said: str) -> int | None:
    """Where a text ends to say something, which it has from ``start`` on, word for word."""
    wanted = re.findall(r"\w+", said.lower())
    spans = list(re.finditer(r"\w+", text[start : start + 2 * len(said) + 40]))[: len(wanted)]
    if not wanted or [one[0].lower() for one in spans] != wanted:
        return None
    return start + spans[-1].end()


def around(text: str, taken: Sequence[tuple[int, int]]) -> str:
    """A text without some stretches of it, in order."""
    parts, place = list[str](), 0
    for start, end in taken:
        parts.append(text[place : max(place, start)])
        place = max(place, end)
    return "\n".join([*parts, text[place:].lstrip(".)")])


class Said(NamedTuple):
    """A sentence.

    Attributes:
        line: The line in which it stands.
        about: The option whose item it stands in, by its letter; empty for none.
        headed: Whether that stands in a list of options that are said to be out.
    """

    sentence: str
    line: str
    about: str
    headed: bool


def holds(
    question: str, options: Mapping[str, str], own: str, beside: str, above: str = ""
) -> bool:
    """Whether nothing that stands beside an option that is picked may leave it.

    Args:
        own: The letter of that option.
        beside: What the reply says besides picking it.
        above: What leads to it, of which reasons may speak again.
    """
    asked = _Asked(question, options, own)
    told = list(_told(asked, beside))
    led = (stems(one.sentence) for one in _told(asked, above))
    before = set[str]().union(*(one for one in led if one & asked.known))
    if _UNFINISHED.search(beside) or not _all_denied(asked, told):
        return False
    begun = [stems(one.sentence) for one in told]
    tied = [one if one & asked.known else set[str]() for one in begun]
    for at, one in enumerate(told):
        elsewhere = set[str]().union(*tied[:at], *tied[at + 1 :])
        if not _goes_with(asked, one, asked.known | before | elsewhere):
            return False
    return True


def is_odd(sign: str) -> bool:
    """Whether a sign may judge what it stands beside, hides it, or strikes it out."""
    if sign.isascii() or sign in _SIGNS or sign in SMILEYS:
        return False
    return unicodedata.category(sign) in ("So", "Cf", "Co", "Cn") or bool(_STRIKES.match(sign))


def without_items(question: str, options: Mapping[str, str], own: str, above: str) -> list[str]:
    """A text above an option that is picked without the items of the other ones; and without that
    of the picked one as well, but for what denies it. None where an item is at odds with that."""
    asked = _Asked(question, options, own)
    told = [one for one in _told(asked, above) if one.about]
    if any(map(asked.is_misjudged, told)):
        return []
    others = {one.line for one in told if one.about != own}
    denied = {one.line for one in told if one.about == own and asked.denies(lowered(one.sentence))}
    return [_without(above, others), _without(above, {one.line for one in told} - denied)]


def _without(text: str, dropped: set[str]) -> str:
    return "\n".join(
        line for line in text.split("\n") if line not in dropped and not heads_others(line)
    )


def leads_on(question: str, options: Mapping[str, str], own: str, above: str) -> bool:
    """Whether the sentence right above a picked option may lead to it: it names no other one, and
    asks nothing that its problem does not ask."""
    asked = _Asked(question, options, own)
    parts = [one for one in _SENTENCE.split(above) if LETTER_OR_DIGIT.search(one)]
    last = parts[-1] if parts else ""
    if "?" in last:
        return narration.only(last, asked.said)
    low = lowered(last)
    if asked.is_called_wrong(low):
        return False
    return not (_WELL.search(low) and asked.names_another(last, low, own=asked.names_own(low)))


def _told(asked: _Asked, text: str) -> Iterator[Said]:
    """The sentences of a text; what stands in the item of an option is about that."""
    about, blank, headed = "", True, False
    for line in text.split("\n"):
        if not line.strip():
            blank = True
            continue
        if heads_others(line):
            about, blank, headed = "", True, True
            continue
        said, item = line, asked.item(line)
        if item:
            letters = re.findall("[A-J]", item["letters"])
            about = asked.own if asked.own in letters else letters[0]
            said = line[item.end() :]
        elif blank and not line[0].isspace() and not line.startswith(_BULLETS):
            about, headed = "", False
        blank = False
        for sentence in _SENTENCE.split(_NUMBERED.sub("", said)):
            if LETTER_OR_DIGIT.search(sentence) or (item and not sentence):
                yield Said(sentence, line, about, headed)


def _all_denied(asked: _Asked, told: Sequence[Said]) -> bool:
    """Whether the item of each other option rules it out, or is said to and says something."""
    others = {one.about for one in told} - {"", asked.own}
    return all(
        any(
            DENIES.search(low := lowered(one.sentence))
            or _DENIED.search(low)
            or (one.headed and not _WELL.search(low))
            for one in told
            if one.about == other and not asked.only_names(one)
        )
        for other in others
    )


def _goes_with(asked: _Asked, said: Said, known: set[str]) -> bool:
    """Whether a sentence goes with the picked option, where some words are tied to the problem."""
    sentence, line, about, _ = said
    low = lowered(sentence)
    if closes(sentence.strip("() ")) or leaves(sentence, asked.own):
        return True
    if about not in ("", asked.own):
        return asked.rules_out(sentence, low)
    heads = sentence.rstrip().endswith(":") or (
        sentence == line.strip() and sentence.rstrip()[-1:] not in tuple(".!?")
    )
    if heads and (heads_work(sentence.rstrip(" :")) or explaining.introduces(sentence)):
        return True
    if sentence.rstrip().endswith(":") and not about and not asked.speaks_of_answer(low):
        told = stems(low)
        return bool(told & known) and not DENIES.search(low) and "?" not in sentence
    if about and asked.denies(low):
        return False
    return asked.is_reason(sentence, low, known)


def is_formula(sentence: str) -> bool:
    """Whether a sentence is empty or a formula, with no word longer than a symbol."""
    if not LETTER_OR_DIGIT.search(sentence):
        return True
    words = WORD.findall(_COMMAND.sub(" ", sentence.replace("hbar", " ").replace("sqrt", " ")))
    signs = _FORMULA.search(sentence) or _COMMAND.search(sentence)
    return bool(signs) and all(len(one) < _LONG_WORD for one in words)


class _Asked:
    """What is asked, and the option that is picked.

    Attributes:
        said: The words of the question and of its options.
        known: How those begin that say what they are about.
        rivals: How words begin that another option has, and not the picked one, of each.
        apart: How words begin that only the picked one has.
        things: Letters by which something is called: ``A = zinc``.
    """

    def __init__(self, question: str, options: Mapping[str, str], own: str) -> None:
        whole = f"{question} {' '.join(options.values())}"
        asked, option = stems(question), stems(options[own])
        others = [stems(text) for letter, text in options.items() if letter != own]
        self.own, self.options = own, options
        self.said = {*WORD.findall(lowered(whole))}
        if _PLAIN_DENIAL.search(lowered(question)):  # what is not so may be said in any way
            self.said |= {"not", "never", "no"}
        self.known = asked.union(option, *others)
        self.rivals = [one for one in (each - option - asked for each in others) if one]
        self.apart = option.difference(asked, *others) or option
        self.things = {*re.findall(r"\b([A-J]) ?=", whole)}

    def item(self, line: str) -> re.Match[str] | None:
        """How a line begins that is about options."""
        if named := _NAMED_ITEM.match(line):
            whole = words_end(named["said"], 0, self.options.get(named["letters"], ""))
            return named if whole == len(named["said"]) else None
        found = _ITEM.match(line)
        if found is None or found["called"]:
            return found
        letters = re.findall("[A-J]", found["letters"])
        if self.things.isdisjoint(letters):
            return found
        option = self.options.get(letters[0])
        own = option and words_end(line, found.end(), option) is not None
        return found if len(letters) == 1 and own else None

    def only_names(self, said: Said) -> bool:
        """Whether a sentence is nothing but what its option says."""
        end = words_end(said.sentence, 0, self.options.get(said.about, ""))
        rest = said.sentence if end is None else said.sentence[end:]
        return not WORD.search(rest)

    def is_called_wrong(self, low: str) -> bool:
        """Whether a sentence says that the picked option is not so, by all that it says."""
        said = re.escape(lowered(self.options[self.own]).strip(" ."))
        judged = r"[\"”'’,]* (?:is|are|would be) (?:\w+ )?(?P<word>not|never|wrong|incorrect)\b"
        found = re.search(rf"(?<!\w){said}{judged}", low)
        return found is not None and not self._is_said(found["word"])

    def is_misjudged(self, said: Said) -> bool:
        """Whether the item of the picked option says that it is wrong, or that of another one that
        it is right, in words that are not of the problem."""
        judged = _CALLED_WRONG if said.about == self.own else _CALLED_RIGHT
        found = judged.finditer(lowered(said.sentence))
        return any(not self._is_said(one[one.lastgroup or 0]) for one in found)

    def rules_out(self, sentence: str, low: str) -> bool:
        """Whether a sentence about another option says nothing well of it, and nothing of the
        picked one, or of its author."""
        if "?" in sentence or OF_WRITER.search(low) or self.own in self._letters(sentence):
            return False
        if any(sign in SMILEYS for sign in sentence):
            return False
        return not PRAISES.search(low) or bool(_DENIED.search(low) or _TURNS.search(low))

    def is_reason(self, sentence: str, low: str, known: set[str]) -> bool:
        """Whether a sentence says something of things that the problem or the reply speaks of,
        and neither denies the picked option nor names another one."""
        if "?" in sentence or TAKEN_BACK.search(sentence) or SECOND_THOUGHTS.search(sentence):
            return False
        if self.names_another(sentence, low):
            return False
        if _OTHERS.match(low):
            return bool(_DENIED.search(low)) and not _WELL.search(low)
        if (told_of_it := explaining.told_of_option(low, self.own)) is not None:
            sentence, low = sentence[len(sentence) - len(told_of_it) :], told_of_it
        elif own := _THIS_OPTION.match(low):
            sentence, low = f"It{sentence[own.end() :]}", f"it{low[own.end() :]}"
            if self.denies(low):
                return False
        if self.speaks_of_answer(low) or self._letters(sentence) - {self.own}:
            return False
        if _BACK.search(low) or _CONDITION.match(low) or self.denies_own(low):
            return False
        if _POINTS_BACK.search(low) and stems(low).isdisjoint(self.apart):
            return False
        defines = _DEFINES.fullmatch(sentence)
        if is_formula(sentence) or (defines and defines["symbol"].lower() not in _NO_SYMBOLS):
            return True
        told = stems(low) - _JOINING
        ties = len(told & known)
        if ties >= _TIES and ties * _PART >= len(told):
            return True
        if not ties or ties * (_PART + 1) < len(told) or _NOT_NOW.search(low):
            return False
        gives_ground = _JOINS.match(sentence) and ties * _TIES >= len(told)
        return bool(gives_ground) or is_plain(sentence, low, self.own, introduced=False)

    def names_own(self, low: str) -> bool:
        """Whether a sentence that denies nothing says that the picked option is something, by all
        that it says, or ends in its letter."""
        said = re.escape(lowered(self.options[self.own]).strip(" ."))
        subject = rf"\W*(?:[a-z ]+, )?[\"“'‘]?(?:the )?{said}[\"”'’,]* (?:is|are) "
        named = rf"\b(?:is|are|be|with):? [\"“'‘]?(?:an? |the )?{said}(?!\w)"
        letter = rf"\b(?:is|are):? (?:option |choice )?\(?{self.own.lower()}\)?\W*\Z"
        rest = re.sub(rf"{said}|\b(?:only|less)\b", " ", low)
        if any(one[0] not in self.said for one in DENIES.finditer(rest)):
            return False
        return bool(re.match(subject, low) or re.search(rf"{named}|{letter}", low))

    def names_another(self, sentence: str, low: str, *, own: bool = False) -> bool:
        """Whether a sentence names another option by all that it says, or concludes it by most of
        the words that set it apart, or says something well of it, and denies nothing close to
        that. Where it names its ``own`` one, words of another that are not all say nothing."""
        told, well = stems(low), _WELL.search(low) is not None
        pointed = well or _CONCLUDES.match(low) or len(low.split()) <= _SHORT
        for one in () if own or is_formula(low) else self.rivals:
            shared = told & one
            named = pointed and (len(shared) * 2 > len(one) or (shared and well))
            if named and not any(_next_to(re.escape(word), low, _DENIAL) for word in shared):
                return True
        for letter, text in self.options.items():
            said = re.escape(_FUNCTION.sub("", lowered(text)).strip(" ."))
            whole = rf"(?<![\w.]){said}(?![\w.]*\w)"
            if letter == self.own or text in self.options[self.own]:
                continue
            if re.search(whole, low):
                needed = re.search(rf"\bwithout (?:an? |the )?{said}", low)
                if needed or not _next_to(said, low, _DENIAL):
                    return True
        return False

    def denies(self, low: str) -> bool:
        """Whether a sentence about the picked option denies something, in words that are not of
        the problem."""
        return self._denies(_NO_DENIAL.sub(" ", low)) or _OUT.search(low) is not None

    def _denies(self, low: str) -> bool:
        return not all(self._is_said(one[0]) for one in _OWN_DENIED.finditer(low))

    def _is_said(self, words: str) -> bool:
        """Whether some words are of the problem, in one form or another."""
        return all(
            one in self.said or (stems(one) and stems(one) <= self.known)
            for one in WORD.findall(words)
        )

    def denies_own(self, low: str) -> bool:
        """Whether what sets the picked option apart is denied, in words that are not of the
        problem."""
        low = _NO_DENIAL.sub(" ", low)
        subject = _CLAUSE.split(low.lstrip("\"'“ "), maxsplit=1)[0]
        opening = {word[:_STEM] for word in WORD.findall(subject)[:_SUBJECT]}
        if not self.apart.isdisjoint(opening) and self._denies(subject):
            return True
        if len(self.apart) > _FEW and len(stems(low) & self.apart) * 2 < len(self.apart):
            return False
        return any(
            not self._is_said(found)
            for word in self.apart
            for found in _next_to(re.escape(word), low, _OF_OWN)
        )

    def speaks_of_answer(self, low: str) -> bool:
        """Whether a sentence speaks of an answer, or of its author, in words that are not of the
        problem."""
        own = re.escape(self.own.lower())
        low = re.sub(rf"\b(?:option|choice|answer) \(?{own}\)?(?= [a-z(])", "it", low)
        low = _OF_THINGS.sub(" ", explaining.AMONG.sub(" ", low))
        return any(
            not self._is_said(one[0])
            for of in (explaining.OF_ANSWER, OF_ITS_AUTHOR)
            for one in of.finditer(low)
        )

    def _letters(self, sentence: str) -> set[str]:
        """The options that a sentence names by their letters."""
        rest = explaining.BY_LETTER.sub(" ", explaining.NAMED.sub(" ", sentence))
        rest = _CALLED_BY_LETTER.sub(
            lambda one: " " if one["noun"].lower() in self.said else one[0], rest
        )
        found = {one[0] for one in LETTER.finditer(rest)}
        return (found & {*self.options}) - self.things


def _next_to(thing: str, low: str, denial: str) -> list[str]:
    """What denies a thing, a pattern, within three words before or behind it."""
    gap = r"(?:[^\w:;]+\w+){0,3}?[^\w:;]+"
    before = rf"(?P<d>{denial}){gap}{thing}"
    behind = rf"(?<!\w){thing}\w*{gap}(?P<d>{denial})"
    return [one["d"] for form in (before, behind) for one in re.finditer(form, low)]
