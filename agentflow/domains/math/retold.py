"""A clause in fewer words: without what the story of a question tells besides.

    A pet store had 36 puppies. ... How many cages did they use?
    The pet store used 9 cages             they used 9 cages: a pet store is all that they may be

    Mary cut some roses from her garden. ... How many roses did she cut?
    Mary cut 10 roses from her garden      Mary cut 10 roses: she cut some from there

What is left has still to be what is asked for (:mod:`~agentflow.domains.math.naming`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from agentflow.domains.answers.remark_sums import adds_up
from agentflow.domains.math.endings import numbers, worth
from agentflow.domains.math.naming_words import (
    AUXILIARY,
    CLASS,
    PERSONS,
    SENTENCES,
    TIME,
    WORD,
    Asked,
    alike,
    asked_in,
    content,
    core_text,
    names_in,
    subject_of,
)
from agentflow.domains.question_words import IRREGULAR
from agentflow.domains.spelling import word_set
from agentflow.tools.quantities import singular

_NO_VERBS = word_set("left still now after old age ages last lasts end keeps saw found")
_VERBS = ({*CLASS} | AUXILIARY | {*IRREGULAR} | {*IRREGULAR.values()}) - _NO_VERBS
_SMALL = word_set("""
    a an the his her its their our your my this that these those some all more of s
""")
"""Words that two ways to tell the same may differ in."""
_TOKEN = re.compile(r"\$?\d[\d,]*(?:\.\d+)?(?:/\d+)?%?|[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_BEGINNING = re.compile(
    r"(?:(?<=[.?!,;:])\s+|\A\s*)(?:(?:if|when|while|and|but|because|since|then|so|later)\s+)?"
    r"|\b(?:if|when|while|and|but|because|since|then|that|until)\s+",
    re.IGNORECASE,
)
"""Where a clause may begin, in which somebody does something."""
_DETERMINED = word_set("a an the his her its their our my two three four five")
_NOBODY = word_set("each every another other any no one how what which in for at on by from with")
"""What a clause begins with that names nobody who may be meant by a pronoun."""
_LAST_TIME = re.compile(rf"(?i)(?:(?:last|this|next|one|every) )?{TIME}s? (?=[A-Z])")
_ONE_PERSON = word_set("he she")
_PREPOSITION = re.compile(
    r"(?<=[\w.]),? (?P<how>from|on|in|at|with|for|of|to|during|after|into|around|by"
    r"|among|so)"
    rf" (?=[\w$])|(?<=\w) (?=(?:this|last) {TIME}[\s.]*\Z)",
    re.IGNORECASE,
)
_FRONT = re.compile(r"(?:After|When|At|On|In|By|During|For|With|From) [^,=]{1,80}, (?=\w)")
_ELSE = word_set("""
    not each every per average more less fewer than half twice double extra additional other another
    both first second third fourth fifth last no never without except before only if unless part
    most some next again spare one two three
""")
"""What makes a phrase speak of a part, or of something else."""
_ALL_OF_IT = re.compile(
    r"(?:So|Thus|Therefore|Hence)?,? ?(?:(?:[Ii]n|[Aa]ll) (?:total|all|together)|[Aa]ltogether),? "
)
_WORKED = re.compile(r"\s*\((?P<work>[\d\s.,+*/×÷·−x$-]+)=\s*\$?(?P<n>\d[\d,.]*)\)[\s.]*\Z")
_LABEL = re.compile(r"\A\W*(?:[Ss]tep|[Pp]art) \d{1,2}[.:)]\s+")
_TIMES = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekend|today|yesterday|tomorrow|spring|summer"
    r"|autumn|fall|winter|january|february|march|april|june|july|august|september|october|november"
    rf"|december|tonight|lunch|dinner|breakfast|{TIME})s?\b"
)
"""Words for times, of which a clause may be on one alone."""
_THERE_ARE = re.compile(r"(?i)(?:(?:so|thus|therefore|hence),? )?there (?:is|are|was|were)\b")
_OF_WHAT = re.compile(r" of \w+(?= )")
_BY_WHOM = re.compile(
    r" by (?P<who>(?:the|his|her|their) [a-z]+(?: [a-z]+)?)(?= (?:is|was|are|were) |\Z)"
)
_PAIR = re.compile(r"(?P<one>[A-Z][a-z]+) and (?P<two>[A-Z][a-z]+)(?= [a-z])")
_MOST = 4
"""Words of a subject, and phrases behind a number, at most."""


def shortened(question: str, clause: str) -> str:
    """A clause without what the story of a question tells besides; as it is where nothing is."""
    asked = asked_in(question)
    if asked is None:
        return clause
    clause = _without_front(question, _LABEL.sub("", clause))
    clause = _by_pronoun(question, asked, _without_agent(question, asked, clause))
    return _without_phrases(question, asked, _without_link(question, asked, clause))


def _words(text: str) -> list[str]:
    """The words and numbers of a text in small letters, in the singular, without small words."""
    found = (one.lower().replace("’", "'") for one in _TOKEN.findall(text))
    return [singular(one.removesuffix("'s")) for one in found if one not in _SMALL]


def _stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether words stand in others, one behind the other."""
    return f" {' '.join(part)} " in f" {' '.join(whole)} "


def _is_verb(word: str) -> bool:
    low = word.lower()
    return low in _VERBS or (len(low) > 4 and low.endswith("ed"))


def _subject(text: str, names: Collection[str]) -> list[str]:
    """The words that a text begins with up to its verb, if they can name who does something."""
    text = _OF_WHAT.sub(" ", _LAST_TIME.sub("", text[:120], count=1).partition(",")[0])
    words = _TOKEN.findall(text)
    if words and words[0] in names and words[1:2] and words[1].islower() and words[1] != "and":
        return words[:1]
    for at, word in enumerate(words[: _MOST + 1]):
        if at and _is_verb(word):
            return words[:at]
    return []


def _subjects(question: str) -> Iterator[list[str]]:
    """Who does something in a question, as far as clauses begin with them."""
    names = names_in(question)
    for begin in _BEGINNING.finditer(question):
        found = _subject(question[begin.end() :], names)
        first = found[0].lower() if found else ""
        pronouns = {one.lower() for one in found} & (PERSONS - _DETERMINED)
        if not first or pronouns or first in _NOBODY or first.isdigit():
            continue
        if first in _DETERMINED or found[0][0].isupper() or found[-1] != singular(found[-1]):
            yield found
    yield from ([one] for one in _acting(question))


def _acting(question: str) -> set[str]:
    """The names of a question that stand before a verb."""
    behind = [(name, re.findall(rf"\b{name}\s+([a-z]+)", question)) for name in names_in(question)]
    return {name for name, words in behind if any(_is_verb(one) or one[-1] == "s" for one in words)}


def _is_person(words: Sequence[str], names: set[str]) -> bool:
    return len(words) == 1 and words[0] in names


def _agrees(pronoun: str, words: Sequence[str], names: set[str]) -> bool:
    """Whether a pronoun may stand for a subject."""
    plural = words[-1].lower() != singular(words[-1].lower())
    if pronoun in _ONE_PERSON:
        return not plural
    if pronoun == "they":
        return plural or not _is_person(words, names)
    return False


def _by_pronoun(question: str, asked: Asked, clause: str) -> str:
    """A clause with the pronoun of a question in the place of the only one whom it may mean."""
    who = subject_of(asked)
    front = re.match(r"(?:(?:[Ss]o|[Tt]hus|[Tt]herefore|[Hh]ence),? )?", clause)
    rest = clause[front.end() :] if front else clause
    names = names_in(question)
    told = _subject(rest, names)
    if len(who) != 1 or who[0] not in ("he", "she", "they") or not told:
        return clause
    if who[0] == "they" and (pair := _PAIR.match(rest)) and _are_all(question, pair):
        return f"They{rest[pair.end() :]}"
    able = [one for one in _subjects(question) if _agrees(who[0], one, names)]
    heads = {_words(one[-1])[-1] for one in able if _words(one[-1])}
    own = [one for one in told if not (one.endswith(("'s", "’s")) and one[:-2] in names)]
    others = _acting(question) - {*told}
    plain = _words(" ".join(own))
    if not plain or heads != {plain[-1]} or (who[0] in _ONE_PERSON and others):
        return clause
    whole = any({*plain} <= {*_words(" ".join(one))} for one in able)
    end = re.match(r"\s*" + r"\W+".join(map(re.escape, told)), rest)
    return f"{who[0].capitalize()}{rest[end.end() :]}" if whole and end else clause


def _without_agent(question: str, asked: Asked, clause: str) -> str:
    """A clause without who does what a question only says is done: ``scored by the team``, where
    nobody else does anything."""
    by = _BY_WHOM.search(clause)
    if by is None or " by " in asked.sentence:
        return clause
    heads = {_words(one[-1])[-1] for one in _subjects(question) if _words(one[-1])}
    words = _words(by["who"])
    whole = any({*words} <= {*_words(" ".join(one))} for one in _subjects(question))
    return clause.replace(by[0], "") if whole and heads == {words[-1]} else clause


def _are_all(question: str, pair: re.Match[str]) -> bool:
    """Whether two names are those of all who do something in a question."""
    return _acting(question) == {pair["one"], pair["two"]}


def _without_front(question: str, clause: str) -> str:
    """A clause without ``In total,`` and without a phrase before a comma that only says again what
    the last sentence of the question does: ``After deleting 10 files, ...``."""
    clause = _ALL_OF_IT.sub("", clause, count=1) if _ALL_OF_IT.match(clause) else clause
    front = _FRONT.match(clause)
    *_, last = SENTENCES.split(question.strip())
    known = question if front and front[0].startswith("At the end") else last
    if front and _is_known(front[0], known) and _numbers_given(front[0], known):
        return clause[front.end() :]
    return clause


def _is_known(phrase: str, text: str) -> bool:
    """Whether the words of a phrase are those of a text, and it has none that tells apart."""
    low = {*WORD.findall(phrase.lower())}
    told = content(phrase) - {alike("after")}
    return told <= content(text) and not (low & _ELSE - {*WORD.findall(text.lower())})


def _numbers_given(phrase: str, text: str) -> bool:
    """Whether each number of a phrase counts what it counts in a text."""
    told = _words(text)
    pairs = [*zip(_words(phrase), [*_words(phrase)[1:], ""], strict=True)]
    return all(
        _stands_in([one for one in pair if one], told) for pair in pairs if pair[0][:1].isdigit()
    )


def _without_link(question: str, asked: Asked, clause: str) -> str:
    """A clause without the words that stand between the verb of a question and a number, as the
    question has them, too: ``Julia played tag with 22 kids``."""
    number = re.search(r"\$?\d", clause)
    doing = _doing(asked)
    words = [*_TOKEN.finditer(clause, 0, number.start())] if number else []
    known = content(asked.sentence)
    for at, one in enumerate(words[:-1]):
        link = words[at + 1][0]
        if alike(one[0].lower()) in doing and alike(link.lower()) not in known and link.islower():
            pair = [alike(one[0].lower()), alike(link.lower())]
            if _stands_in(pair, [alike(word) for word in _words(question)]):
                return clause[: one.end()] + clause[words[at + 1].end() :]
    return clause


def _doing(asked: Asked) -> set[str]:
    """The words of what somebody does, as it is asked for."""
    things = {alike(singular(one)) for one in asked.things}
    named = {alike(one) for one in subject_of(asked)}
    return content(core_text(asked)) - things - named - {alike(one) for one in AUXILIARY}


def _without_phrases(question: str, asked: Asked, clause: str) -> str:
    """A clause without the phrases behind its number that the question has of what is done."""
    if (worked := _WORKED.search(clause)) and adds_up(worked[0]):
        front = clause[: worked.start()]
        clause = front if worth(worked["n"]) in numbers(front) else clause
    if _THERE_ARE.match(clause) and _doing(asked) - {alike("have")}:
        return clause  # it does not say what is done
    for _ in range(_MOST):
        number = re.search(r"\$?\d[\d,.]*", clause)
        places = [*_PREPOSITION.finditer(clause, number.end())] if number else []
        cut = next(
            (one for one in reversed(places) if _is_told(question, asked, clause[one.start() :])),
            None,
        )
        if cut is None:
            return clause
        clause = clause[: cut.start()]
    return clause


def _is_told(question: str, asked: Asked, phrase: str) -> bool:
    """Whether a question has a phrase: of what is done, or of all that it asks about; or what is
    said there again is a condition of its last sentence."""
    phrase = phrase.strip(" ,.!")
    how, _, rest = phrase.lower().partition(" ")
    if not content(rest) or not _numbers_given(phrase, question):
        return False
    if not _is_known(phrase, question):
        return False
    core = core_text(asked)
    parallel = how != "so" and how in WORD.findall(core)  # on Monday, on Tuesday
    times = {*_TIMES.findall(phrase.lower())}
    if times and not {*_TIMES.findall(question.lower())} <= times:
        return False
    if how not in ("of", "to") and (parallel or content(rest) & content(core) - {alike("have")}):
        return False
    sentences = SENTENCES.split(question.strip())
    last, words = sentences[-1], _words(phrase)
    if how in ("to", "for", "after") and not _has_all_numbers(phrase, last):
        return False
    if how in ("after", "with"):
        return _is_known(rest, last)
    if how == "by":
        way = rest.split()[0]
        return way.endswith("ing") and content(way) <= content(last)
    if how == "so":
        return _stands_in(words, _words(last))
    listed = numbers(phrase)  # 6 tulips and 19 roses: all the flowers
    if how == "to" and not (listed or content(core.partition(" to ")[2]) <= content(rest)):
        return False
    if how == "to" or (how == "for" and _stands_in(words[:2], _words(last))):
        return _is_known(rest, last) and _stands_in(words[:2], _words(last))
    if how in ("on", "for") and "pay" in {alike(one) for one in WORD.findall(core)}:
        return _is_kind(words[-1], question)
    doing = _doing(asked) if how != "of" else set[str]()
    return any(
        _stands_in(words, _words(one)) and (not doing or content(one) & doing) for one in sentences
    )


def _has_all_numbers(phrase: str, text: str) -> bool:
    """Whether a phrase has none of the numbers of a text, or all of them."""
    told = {*numbers(phrase)}
    return not told or told == {*numbers(text)}


def _is_kind(thing: str, question: str) -> bool:
    """Whether a question speaks of a thing as what all that it counts is: ``each flower``."""
    return re.search(rf"(?i)\b(?:each|every|per|all|of) {re.escape(thing)}", question) is not None
