"""Whether the clause that a reply ends in speaks of what a question asks for, and of nothing else.

    How many stamps does Fatima have in the end?
    Fatima has 81 stamps                  81
    She ends up with 37 + 44 = 81 stamps  81
    Goran has 81 stamps                   None: another person
    Fatima gave away 81 stamps            None: another thing to do

All words of the clause have to be those of the question, or of a few that claim nothing.
"""

from __future__ import annotations

import re

from agentflow.domains import restated_values
from agentflow.domains.math import counted, in_order, retold, rewordings
from agentflow.domains.math.endings import Ending, is_bare, read
from agentflow.domains.math.naming_words import (
    ASKING,
    CLASS,
    FREE,
    PERSONS,
    SENTENCES,
    TELLS_APART,
    TIME,
    WORD,
    Asked,
    acts,
    alike,
    asked_in,
    content,
    core_text,
    core_words,
    names_in,
    subject_of,
    timed,
)
from agentflow.domains.math.question import LETTER_ASKED, MAX_ASKED, value_asked_for
from agentflow.domains.math.rewordings import IN_ALL
from agentflow.domains.math.units import UNITS
from agentflow.domains.spelling import word_set

MEASURES = frozenset(UNITS) | {"h", "s", "mph", "kph"}
"""Words for measures, and what stands for them behind a stroke: ``km/h``."""
_IN_END = re.compile(r"\b(?:now|left|remain\w*|still|end|after\w*|finally)\b")
_LEFT = re.compile(r"\b(?:left|leaves|leaving|remain\w*|still|now)\b")
_SO_THAT = re.compile(r" so (?:that )?(?:he|she|they|it|we|you|[A-Z][a-z]+) [^?]*")
"""An aim of what is asked about: ``so that she will have 6 games left``."""
_REMAINS = re.compile(r"\b(?:left|remain\w*|still)\b")
_CAN_STILL = re.compile(
    r"\b(?:can|could)\b(?:(?!left|remain)[^?])*\bstill\b(?![^?]*\b(?:left|remain))"
)
"""What asks how much is possible, and not what is left."""
_HAVING = "hav"
_HAS = "have"
_MODAL_HAVE = re.compile(r"(?i)\bha(?:ve|s|d) to\b")
_ROUND = frozenset({"hav", "entir"})
"""Words that tell nothing in an adjunct: ``to go around the entire pond``."""
_MEASURED = {"money": "money amount balance", "time": "time", "calendar": "time"} | dict.fromkeys(
    ("length", "imperial"), "distance length"
)
"""Words for what a number with a unit of a kind is anyway."""
_WHAT = re.compile(
    r"(?i)\bwhat(?: is| was|['’]s| will be) (?P<head>(?:the|her|his|their|its|[A-Z]\w+['’]s)"
    r"(?: (?!of\b|in\b|he\b|she\b|it\b|they\b|between\b|for\b|that\b|if\b|on\b|from\b)[a-z-]+)+)"
    r"(?P<rest>[^?]*)\?\s*\Z"
)
_WHAT_IS = re.compile(r"(?i)\bwhat (?:is|was|will be|would be) (?P<head>[^?]+)\?\s*\Z")
_IS_SO = re.compile(
    r"(?i)(?P<head>.+?) (?:is|was|=|equals|will be|would be)[\s$\\(*]*"
    r"(?P<n>-?\d[\d,]*(?:\.\d+|/\d+)?)(?: (?P<unit>[a-z]+(?: [a-z]+){0,2}))?[\s$\\)*.!]*"
)
_HOW_IS = re.compile(
    r"(?i)\bhow (?P<of>tall|big|heavy|wide|deep|high|large) (?:is|was|will be) (?P<head>[^?,]+?)"
    r"(?:,? in [a-z ]+)?\?\s*\Z"
)
_TOKEN = re.compile(r"\\?[a-z]+|\d+(?:\.\d+)?|[^\w\s,$]")
_SILENT = word_set("so thus therefore hence the and")
_RELATING = word_set("the who that which are is were was")
_DIGIT = re.compile(r"\d")
_ORDINAL = re.compile(r"(?<!\d)(\d{1,3})(?:st|nd|rd|th)\b")
_ADJUNCT = re.compile(
    r"(?<=[a-z\d]),? (?:after|for|when|to)(?= [a-z]) (?P<what>[a-z][a-z '-]*)[\s.]*\Z"
)
_NEXT = re.compile(r"\bthe next [a-z]+\b")
_WITH_NUMBERS = re.compile(r"(?<=[a-z]) (?P<what>with \d+ [a-z][a-z ]*[a-z])[\s.]*\Z")
_PAIR = re.compile(
    r"(?:(?:So|Thus|Therefore|Hence),? )?"
    r"(?P<who>[A-Z][a-z]+ and (?:(?:his|her|their|the) )?[A-Za-z][a-z]+)(?= [a-z])"
)
_SHARE = r"(?:fraction|percentage|proportion|percent)"
_WHAT_SHARE = re.compile(rf"(?i)\bwhat (?P<share>{_SHARE}) of (?P<head>[^?]+)\?\s*\Z")
_SHARE_OF = re.compile(rf"(?i)(?:the )?(?P<share>{_SHARE}) of (?P<head>.+)")
_OF_ELSE = re.compile(
    rf"\b(?:{'|'.join(sorted(TELLS_APART - {'one'}))}|no|never|without|except|before|only|if"
    r"|unless|part|most|some|next|again|spare)\b"
)
"""What makes an adjunct speak of something else."""
_LETTER = re.compile(
    r"(?i)[\s*]*(?:(?:so|thus|therefore|hence),? )?(?:the value of )?\$?(?P<name>[a-z])\$?"
    r" ?(?:=|is) ?\$?(?P<n>-?\d[\d,]*(?:\.\d+|/\d+)?)\$?"
)
"""``x = 6``, ``The value of x is 6``"""
_IS = re.compile(r"(?i)(?P<name>(?:the|her|his|their|its|[A-Z]\w+)\b[^,]*?) ?(?:is|was|=|:)?\s*\Z")
_RATE = re.compile(rf"{WORD.pattern}(?:/{WORD.pattern})*")
"""``km/h``, or a word."""
_ARTICLES = word_set("the a an her his their its so of in on")
_FOR = re.compile(r"\b(?:for|with) (?:the |a |an |her |his |their )?([a-z]+)\b(?! to\b)")


def said(question: str, clause: str) -> str | None:
    """The number that a clause says of the very thing that is asked for; None for a clause that may
    speak of a part of it, or of something else."""
    question, clause = (_ORDINAL.sub(_as_word, one) for one in (question, clause))
    if _is_of_one(question, clause) or _does_another(question, clause):
        return None
    if found := _said(question, clause) or restated_values.value(question, clause, MEASURES):
        return found
    shorter = _without_adjunct(question, clause)
    if shorter != clause and (found := _said(question, shorter)):
        return found
    told = retold.shortened(question, clause)
    return _said(question, told) if told != clause else None


def _as_word(ordinal: re.Match[str]) -> str:
    """A word for an ordinal, which is no number of something: ``the 8th grade``."""
    return "ordinal" + "".join(chr(ord("a") + int(digit)) for digit in ordinal[1])


def _without_adjunct(question: str, clause: str) -> str:
    """A clause without what it ends in besides, in words of the question: ``Ana has $5 left after
    paying for the fruit``, where ``How much does Ana have left?`` says no more of that."""
    number = _DIGIT.search(clause)
    adjunct = _ADJUNCT.search(clause, number.start()) if number else None
    asked = asked_in(question)
    if adjunct is None or asked is None:
        return _without_manner(question, clause)
    if _OF_ELSE.search(_told_there(question, adjunct[0])):
        return clause
    known = content(question) | ({"pay", "buy", "purcha"} if "$" in clause else set())
    words = content(adjunct["what"]) - _ROUND
    part = not words.isdisjoint(content(core_text(asked)))  # of what is asked for
    return clause[: adjunct.start()] if words <= known and not part else clause


def _told_there(question: str, adjunct: str) -> str:
    """What an adjunct says besides the next thing that the last sentence of a question speaks of:
    ``after the next level``."""
    found = _NEXT.search(adjunct)
    *_, last = SENTENCES.split(question.strip())
    return adjunct.replace(found[0], "") if found and found[0] in last.lower() else adjunct


def _without_manner(question: str, clause: str) -> str:
    """A clause without the numbers of a condition that it ends in, as the last sentence of the
    question has them: ``9 teams with 6 girls in each team``."""
    found = _WITH_NUMBERS.search(clause)
    *_, last = SENTENCES.split(question.strip())
    told = found and f" {found['what'].lower()}" in " ".join(last.lower().split())
    return clause[: found.start()] if found and told else clause


def _said(question: str, clause: str) -> str | None:
    """The same, of a clause whose words and persons are looked at one by one."""
    if question.count("?") > 1 or len(question) > 2 * MAX_ASKED:
        return None
    if again := _in_its_words(question, clause):
        return again
    question, clause = (rewordings.untitled(one) for one in (question, clause))
    question = rewordings.of_question(question)
    clause = _without_rival(question, _by_pronoun(question, clause))
    if letter := _LETTER.fullmatch(clause):
        letters = {one[1].lower() for one in LETTER_ASKED.finditer(question[-MAX_ASKED:])}
        return letter["n"] if letter["name"].lower() in letters else None
    clause = rewordings.of_clause(question, clause)
    asked = asked_in(question)
    if (found := read(clause)) is None and asked:
        asked, clause = _with_words(asked, clause)
        found = read(clause)
    if found is None or is_bare(found):
        return found.number if found else None
    if asked is None:
        return in_order.value(question, clause) or _valued(question, found)
    behind = counted.behind_thing(question, asked, found)
    if behind is None or not _is_of(question, asked, f"{found.lead} # {behind}", found):
        return None
    unit = found.tail.split()[0] if found.tail.strip() and asked.how in ("far", "long") else ""
    return f"{found.number} {unit}".strip() if unit.isalpha() else found.number


def _by_pronoun(question: str, clause: str) -> str:
    """A clause with ``They`` for the two whom a question names and then calls so: ``Ada and her
    aunt spent $64``, where it asks how much they spent."""
    pair = _PAIR.match(clause)
    asked = asked_in(question) if pair else None
    if (
        pair is None
        or asked is None
        or subject_of(asked) != ["they"]
        or pair["who"] not in question
    ):
        return clause
    return f"They{clause[pair.end() :]}"


def _is_of_one(question: str, clause: str) -> bool:
    """Whether a clause speaks of one of two whom a question names and then calls ``they``."""
    pair = _PAIR.search(question)
    asked = asked_in(question) if pair else None
    if pair is None or asked is None or subject_of(asked) != ["they"]:
        return False
    one, _, other = pair["who"].partition(" and ")
    words = _words(clause)
    named = [other.split()[-1].lower() in words, one.lower() in words]
    return any(named) and not all(named) and words.isdisjoint({"they", "together", "total", "both"})


def _does_another(question: str, clause: str) -> bool:
    """Whether a clause is on another person, or another thing to do, than a question: who gets what
    somebody gives, what one has of what one needs, or the aim of what is asked about."""
    asked = asked_in(question)
    if asked is None:
        return False
    who, core = subject_of(asked), core_text(asked)
    told, asks = _words(clause), _words(core)
    first = re.match(r"(?:(?:So|Thus|Therefore|Hence),? )?(?P<name>[A-Z][a-z]+)", clause)
    if (
        first
        and who[:1] in (["he"], ["she"])
        and first["name"].lower() in asks & {one.lower() for one in names_in(asked.sentence)}
    ):
        return True
    verbs, its = ({CLASS[one] for one in each if one in CLASS} - {_HAS} for each in (asks, told))
    has = {"have", "has", "had"}
    aim = _SO_THAT.search(asked.sentence)
    aims = aim and not _words(aim[0]).isdisjoint(has | {"left"})
    return bool(
        (verbs or aims)
        and not its
        and told & has
        and not asks & (has | {"left"})
        and not _MODAL_HAVE.search(clause)
    )


def _without_rival(question: str, clause: str) -> str:
    """A clause without the one whom it compares with, where the question has two people and does
    not say whom it compares: ``Kim walked 3 miles farther than Lou``."""
    than = _THAN_WHO.search(clause)
    asked = SENTENCES.split(question.strip())[-1]
    if than is None or " than " in asked or _words(asked).isdisjoint(_COMPARES):
        return clause
    people = {one for one in names_in(question) if acts(one, question)}
    return clause[: than.start()] if len(people) == 2 and than["who"] in people else clause


def _words(text: str) -> set[str]:
    return {*WORD.findall(text.lower())}


def _in_its_words(question: str, clause: str) -> str | None:
    """The number that a clause says of what is asked for, in the words of the question, which may
    have numbers, too: ``The least common multiple of 4 and 6 is 12``."""
    end = question[-MAX_ASKED:]
    how, again = _HOW_IS.search(end), _IS_SO.fullmatch(clause)
    what = how or _WHAT_IS.search(end)
    if again and (found := _share(end, again)):
        return found
    if what is None or again is None:
        return None
    unit, of = (again["unit"] or "").lower(), (how["of"] if how else "").lower()
    unit = unit.removesuffix(of).rstrip() if of else unit
    if unit.rpartition(" ")[2] not in UNITS and unit not in question.lower():
        return None
    head, told = (
        [one for one in _TOKEN.findall(text.lower()) if one not in _SILENT]
        for text in (what["head"], again["head"])
    )
    number = f"{again['n']} {unit}" if unit.rpartition(" ")[2] in UNITS else again["n"]
    return number if head == told else None


def _share(question: str, again: re.Match[str]) -> str | None:
    """The share that a clause says of the very things that a question asks for a share of."""
    what, told = _WHAT_SHARE.search(question), _SHARE_OF.fullmatch(again["head"])
    if what is None or told is None or what["share"].lower() != told["share"].lower():
        return None
    head, its = (
        [one for one in _TOKEN.findall(each["head"].lower()) if one not in _RELATING]
        for each in (what, told)
    )
    return str(again["n"]) if head == its and not again["unit"] else None


def _valued(question: str, found: Ending) -> str | None:
    """The number of a clause that calls it by the name that is asked for: the difference."""
    what, name = _WHAT.search(question[-MAX_ASKED:]), _IS.search(found.lead)
    if what and name and not content(found.tail) - {*map(alike, UNITS)}:
        told = {alike(one) for one in WORD.findall(name["name"].lower())} - _ARTICLES
        head = {alike(one) for one in WORD.findall(what["head"].lower())} - _ARTICLES
        if head and head <= told and told - {*map(alike, FREE)} <= head | content(what["rest"]):
            words = _RATE.findall(found.tail.lower())
            units = " ".join(one for one in words if {*one.split("/")} <= UNITS.keys())
            return f"{found.number} {units}".strip()
    return value_asked_for(question, f"{found.lead}{found.number}{found.tail}")


def _with_words(asked: Asked, clause: str) -> tuple[Asked, str]:
    """What is asked for, and a clause, with words for the numbers that the question says there."""
    for number in dict.fromkeys(re.findall(r"(?<![\w.$])\d+(?![\w.])", asked.sentence)):
        word = "number" + "".join(chr(ord("a") + int(digit)) for digit in number)
        clause, sentence, rest = (
            re.sub(rf"(?<![\w.$])(?:{number}|{word})(?![\w.])", word, one)
            for one in (clause, asked.sentence, asked.rest)
        )
        asked = asked._replace(sentence=sentence, rest=rest)
    return asked, clause


def _is_of(question: str, asked: Asked, clause: str, found: Ending) -> bool:
    """Whether the words of a clause, its number and thing left out, are those of the question."""
    sentence = _SO_THAT.sub("", asked.sentence)
    low, question_low = (timed(one) for one in (clause, sentence))
    known = content(question_low) | {alike(one) for one in asked.things}
    known |= {alike(one) for one in WORD.findall(question_low) if one in ("need", "needs")}
    if _IN_END.search(question_low) or {"have", "has", "are", "is", "was", "were"} & {
        *question_low.split()
    }:
        known.add(_HAVING)
    unit = UNITS.get(next(iter(WORD.findall(found.tail.lower())), ""))
    kind = "money" if "$" in found.number else unit.kind if unit else ""
    words = content(low) - {alike(one) for one in _MEASURED.get(kind, "").split()}
    names = {one.lower() for one in names_in(question)}
    subject = subject_of(asked)
    by_pronoun = not subject or (len(subject) == 1 and subject[0] in PERSONS)
    by_name = {one for one in WORD.findall(low) if one in names}
    if by_pronoun and by_name == {one for one in names if acts(one, question)} != set():
        words -= {*map(alike, by_name)}
    if not words <= known:
        return False
    apart, asked_apart = ({*WORD.findall(each)} & TELLS_APART for each in (low, question_low))
    asked_apart -= {
        one for one in asked_apart if one in TELLS_APART and one not in core_words(asked)
    }
    if apart - {*WORD.findall(question_low)} or asked_apart - {*apart, *asked.things}:
        return False
    than = _THAN.search(question_low)
    if than and (again := _THAN.search(low)) and than[1] != again[1]:
        return False
    times, asked_times = ({*_PER.findall(each)} for each in (low, question_low))
    others = {*_PER.findall(timed(question))} - asked_times
    if times - asked_times or (asked_times - times and others):
        return False
    return _goes_with(asked, subject, low, words, names)


def _goes_with(
    asked: Asked, subject: list[str], low: str, words: set[str], names: set[str]
) -> bool:
    """Whether a clause speaks of all that are asked about, and of what is left or comes to all
    where that is asked for."""
    rest = asked.sentence.lower()
    spoken = {*WORD.findall(low)}
    of_all = IN_ALL.search(low) is not None
    asks_all = IN_ALL.search(rest) is not None
    theirs = {one for one in subject if one in names}
    told = theirs & spoken
    pronoun = bool(spoken & (PERSONS - {"it"}))
    if of_all and not asks_all and not (told or pronoun):
        return False
    if told and told != theirs:
        return False
    if "will" in rest.split() and asked.how == "old" and "will" not in spoken:
        return False
    those = {*_FOR.findall(core_text(asked))}
    if asked.how == "much" and not those <= spoken:
        return False
    if len(theirs) > 1 or "they" in subject or re.search(r"\b(?:together|combined)\b", rest):
        return of_all or told == theirs != set() or "they" in spoken or "we" in spoken
    alone = not [word for word in spoken if not word.startswith("per")]
    if asks_all and not (of_all or alone or told or pronoun or words & {*map(alike, subject)}):
        return False
    still = _REMAINS.search(rest) and not _CAN_STILL.search(rest)
    if still and not _LEFT.search(low):
        return False
    if " and " in core_text(asked) and not of_all:
        joined = re.findall(r"(\w+) and (?:(?:the|a|an|his|her|their) )?(\w+)", core_text(asked))
        return all(
            {*map(alike, pair)} <= words or not {*map(alike, pair)} & words for pair in joined
        )
    named = told or pronoun or words & {*map(alike, subject)} or not theirs or those
    plain = re.search(r"\b(?:that|this|it|which|makes|gives|leaves|total|sum)\b", low)
    return bool(named or plain or not _verbs(low) or of_all)


def _verbs(low: str) -> set[str]:
    return {one for one in WORD.findall(low) if one in CLASS} - {
        "left",
        "still",
        "now",
        "end",
        "remaining",
    }


_THAN_WHO = re.compile(r" than (?P<who>[A-Z][a-z]+)(?: (?:did|does|has|had|is|was))?[\s.!]*\Z")
_COMPARES = word_set("more less fewer farther further longer older taller faster heavier higher")
_THAN = re.compile(r"\bthan (?:the |his |her )?([\w-]+)")
_PER = re.compile(rf"\bper({TIME})\b")


def is_asked(question: str, line: str) -> bool:
    """Whether a question above an answer is the one that is asked, as far as its words tell: it has
    no other ones, and where one is asked for in all, it is not about a part."""
    words, known = (content(each) - {*map(alike, ASKING)} for each in (line, question))
    asked = asked_in(question)
    of_all = {*map(alike, ("total", "altogether", "overall", "combined"))}
    rest = content(asked.rest) - {*map(alike, ASKING)} if asked else set[str]()
    return words - of_all <= known and (rest <= words or IN_ALL.search(line.lower()) is not None)


def is_condition(question: str, told: str) -> bool:
    """Whether a condition is one of the last sentence of a question, or of all of it where that
    has none, in its words."""
    sentences = SENTENCES.split(question.strip())
    low = {*WORD.findall(told.lower())}
    where = question if re.search(r"\bif\b", question.lower()) else sentences[-1]
    apart = low & (TELLS_APART | {"not", "never"}) - {*WORD.findall(where.lower())}
    given = {*re.findall(r"\d[\d,.]*", told)} <= {*re.findall(r"\d[\d,.]*", question)}
    return content(told) - _ROUND <= content(where) and not apart and given
