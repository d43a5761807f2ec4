"""What a reply answers that says its question again as a statement, in whatever words.

Which particle carries the strong force?    The strong force is carried by the **gluon**.   gluon
Who painted The Milkmaid?                   The Milkmaid was painted by Johannes Vermeer.   ...
Which particle carries the strong force?    The weak force is carried by the W boson.       None

It is read by its shape: a sentence whose words are those of the question, or of grammar, but for
one stretch, which is the answer. Where bold print, or a formula, shows the answer, its sentence may
go on behind a comma with what only explains it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agentflow.domains import choices, markup, spelling
from agentflow.domains.answers.behind import only_closes, stands
from agentflow.domains.answers.conclusions import grounded, parted
from agentflow.domains.answers.leads import to_another
from agentflow.domains.answers.lines_above import set_apart, speaks_against
from agentflow.domains.answers.remark_words import DOUBTFUL, OF_ITS_AUTHOR
from agentflow.domains.question_words import (
    FORMULA,
    GRAMMAR,
    IMPERATIVES,
    KINDS,
    LONGEST,
    PRONOUNS,
    WORD,
    Asked,
    asked_in,
    covers,
    is_known,
    key,
)
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import lowered, word_set
from agentflow.domains.telling_more import tells_more

_WHOLE = "whole: "
"""What marks the text of a reply beside the sentence that stands for it."""
_SENTENCE = sentence_end()
_MAX_TEXT, LONGEST_SENTENCE, _MAX_WORDS = 4_000, 400, 8
_BOLD = re.compile(r"\*\*(?=\S)(?P<said>[^*\n]{1,120}?)(?<=\S)\*\*")
LEADS = re.compile(
    r"(?i)\A[\s>#]*(?:(?:so|and so|thus|therefore|hence|consequently|overall|in conclusion"
    r"|in summary"
    r"|in short|sure|certainly)\b[,:!]?\s+)*"
)
BY = re.compile(
    r"(?i)\A(?:at \\?\$[\d.]+ (?:each|apiece|per [a-z]+|an? [a-z]+),? "
    r"|(?:by|using|from|with|applying|averaging|adding|since|because) [^,:]{1,80}[,:] )"
)
"""How something is worked out, in front of what it comes to."""
SO = re.compile(r"(?i)[,;] (?:and )?(?:so|thus|therefore|hence)\b,? (?!that\b|far\b|called\b)")
NOT_SURE = word_set("""
    not no never nor neither either or none nothing hardly barely if unless whether maybe perhaps
    probably possibly likely might may could should supposedly allegedly reportedly formerly once
    some many most others another other but except instead rather although though however false
    wrong incorrect myth legend rumor rumour tale fiction fake forger hoax joke unlike unknown
    unclear he she they we i
""")
"""Words of which no answer is made that is sure, and one."""
_STANDING = word_set("role title post status position honor honour rank crown seat office")
"""What a thing may have been, and is no longer: ``Lima, which handed that role to Cusco``."""
_BEFORE = word_set("is are was were be by in on at as called named of to from the a an with")
"""The word in front of an answer that a sentence ends in."""
_OF_OTHERS = word_set("for about against without before after near over under like unlike beside")
"""The word in front of what has another part in it: ``was written for Ida Holm``."""
_TAIL = re.compile(
    r"(?:\s*(?:[,(–—]|\s-)\s*|\s+(?=and ))(?=(?:[a-z]+(?:ing|ed)|which|who|where|when|as|an?"
    r"|the|one|from|in|by|at"
    r"|around|about|based|also|located|after|before|when|while|during|following"
    r"|and (?:is|was|has)|and [a-z]+ed (?:in|on|at|by))\b)"
    r"|\s+(?=(?:around|circa|in|on) \D{0,20}\d{4}\b|by [a-z]+ing\b|because\b|since\b"
    r"|using\b|while [a-z]+ing\b|when [a-z]+ing\b|through\b)"
)
"""What begins, behind an answer or its sentence, what only tells more of it."""
_WAS, _IS = re.compile(r"\b(?:was|were|had)\b"), re.compile(r"\b(?:is|are|has|have)\b")
_ONE_OF_SOME = re.compile(r"\b(?:is|are|was|were) one (?!that\b|which\b|who\b)")
_SINCE = re.compile(r"(?:because|since) (?!of\b)")
_ASKS_WHO = re.compile(r"(?i)who\b")
_CALLING = re.compile(
    r"\A(?:[A-Z]?[a-z-]+ )?(?!(?:of|in|on|at|to|for|by|with|as|from|under|before|after|behind"
    r"|and|or|near|beside|via|through|than)\b)[a-z]+ (?=[A-Z][\w.'’-]*(?: [A-Z]|\Z))"
)
"""What somebody is, before his name: ``the Scottish physician Alexander Fleming``."""
_ASKS_YEAR = re.compile(r"(?i)\b(?:what|which) year\b")
_YEAR = re.compile(r"(?<![\w.,])[12]\d{3}(?![\w])")
_OF_DATE = word_set("""
    in on the of year early late mid spring summer autumn fall winter monday tuesday wednesday
    thursday friday saturday sunday january february march april may june july august september
    october november december jan feb mar apr jun jul aug sep sept oct nov dec
""")
"""Words of a date, of which a year is given: not of a day before it, nor of a year after."""
_DAY = re.compile(r"\d{1,4}(?:st|nd|rd|th)?")
_NO_REPLY = re.compile(r"(?im)^\s*>|\b(?:answer|(?:step|fact) \d+|i|i['’]\w+)\b|\?|:[*_]*\s*\Z")
"""What a reply has that may state its answer in another way, or none."""
_BARE = re.compile(r"[^\W_]+(?:[ '’-]{1,2}[^\W_]+)*|[][(){}<>]+(?: [][(){}<>]+)*")
_FEWEST = 3


class Restated(NamedTuple):
    """What a sentence answers, and where it ends."""

    text: str
    start: int
    end: int


def carried(text: str) -> str | None:
    """The sentence of a text that may say its question again, with the whole text, for
    :func:`said`; None for a text that is no such reply."""
    text = _LETTERED.sub(r"(\g<letter>) ", _open_ended(text.strip()))
    if not text or len(text) > _MAX_TEXT or _NO_REPLY.search(text):
        return None
    lines = [one for one in _SENTENCE.split(text) if WORD.search(one)]
    shown = [one for one in lines if _BOLD.search(one) and one.rstrip(" *_")[-1:] != ":"]
    sentence = (shown or lines[:1] or [""])[-1].strip()
    if len(WORD.findall(sentence)) < _FEWEST:
        return None
    return grounded(sentence[:LONGEST_SENTENCE], [f"{_WHOLE}{text}".replace("; ", ", ")])


_LETTERED = re.compile(r"(?<=\*\*)(?P<letter>[A-J])\. (?=\S)")
"""The letter of an option in front of what it says, whose stop ends no sentence."""


def _open_ended(text: str) -> str:
    """A text without the closing words that it ends in."""
    while (ends := [*_SENTENCE.finditer(text)]) and only_closes(text[ends[-1].end() :]):
        text = text[: ends[-1].start()].rstrip()
    return text


def bare(text: str) -> str | None:
    """A line of words, or of brackets, without a stop, as :func:`carried` gives a text: it may be
    the answer by itself; None for any other text."""
    text = text.strip()
    if len(text) > LONGEST_SENTENCE or not _BARE.fullmatch(text):
        return None
    return grounded(f"{text} ", [f"{_WHOLE}{text}".replace("; ", ", ")])


def is_carried(answer: str) -> bool:
    """Whether an answer is one that :func:`carried` gives."""
    grounds = parted(answer)[1]
    return len(grounds) == 1 and grounds[0].startswith(_WHOLE)


Reader = Callable[[str, str], str | None]
"""What a sentence answers that says a question again."""


def said(
    question: str, answer: str, reader: Reader | None = None, *, strictly: bool = False
) -> str | None:
    """What a text that :func:`carried` holds gives as the answer to a question; None where none of
    its sentences says the question again, two of them do so otherwise, or one of its others may
    take it back.

    Args:
        reader: Reads a sentence; :func:`slot` where none is given.
        strictly: Whether what stands behind may only tell more of the thing that is the answer.
    """
    text = whole(answer)
    found = list(_found(question, text, reader or slot))
    if not found or len({_form(one.text) for one in found}) > 1:
        return None
    first, last = found[0], found[-1]
    before, behind = text[: first.start], text[last.end :]
    if to_another(before, last.text) or set_apart(before) or speaks_against(before, last.text):
        return None
    if any(_of_another(question, one, last.text) for one in _SENTENCE.split(f"{before}\n{behind}")):
        return None
    opens = not WORD.search(before)
    words = frozenset(WORD.findall(lowered(question)))
    behind = "\n".join(
        one for one in _SENTENCE.split(behind) if not tells_more(one, last.text, words)
    )
    if strictly:
        return None if WORD.search(behind) else last.text
    return last.text if stands(behind, last.text, first=opens) else None


_AROUND = word_set(
    "since because as if although while when in on at by for from with within specifically"
)
_DOES_IT = re.compile(r"\b(?:do|does|did|done|doing) (?:it|so|this|that)\b")


def _of_another(question: str, sentence: str, said: str) -> bool:
    """Whether a sentence says of something else, which neither the question nor the answer names,
    what is asked."""
    low = lowered(spelling.plain(sentence).replace("**", ""))
    if _DOES_IT.search(low):
        return True
    asked, words = asked_in(question), WORD.findall(low)
    own = {*_form(said), *map(key, WORD.findall(lowered(said)))}
    subject = next((word for word in words if word not in GRAMMAR), "")
    if asked is None or not subject or subject in PRONOUNS or is_known(subject, asked):
        return False
    if subject in own or key(subject) in own or words[0] in _AROUND:
        return False
    keys = {key(word) for word in words}
    return any(key in keys for key, _ in asked.told) and not keys & {key(one) for one in own}


def whole(answer: str) -> str:
    """The text that :func:`carried` holds."""
    return parted(answer)[1][0].removeprefix(_WHOLE)


def same(one: str, other: str) -> bool:
    """Whether two such answers are one: the same words, whatever their number and articles."""
    return _form(one) == _form(other)


def _form(said: str) -> tuple[str, ...]:
    words = WORD.findall(lowered(spelling.plain(said))) or [said.strip()]
    words = [one for one in words if one not in ("a", "an", "the")] or words
    return tuple(one.removesuffix("s") if len(one) > 3 else one for one in words)


def _found(question: str, text: str, reader: Reader) -> Iterator[Restated]:
    """What each sentence of a text answers that says the question again."""
    place = 0
    for sentence in _SENTENCE.split(text):
        start = text.index(sentence, place) if sentence else place
        place = start + len(sentence)
        if (told := reader(question, sentence)) is not None:
            yield Restated(told, start, place)


def slot(question: str, sentence: str) -> str | None:
    """What a sentence answers that says a question again; None for any other sentence."""
    asked = asked_in(question)
    if asked is None or not asked.told or asked.sentence.split()[0].lower() in IMPERATIVES:
        return None
    if len(sentence) > LONGEST_SENTENCE or sentence.rstrip(" *_").endswith("?"):
        return None
    if letter := choices.matched(sentence, choices.listed(question)[1]):
        return letter
    sentence = _ASIDE.sub("", spelling.plain(sentence).strip().rstrip(".!"))
    sentence = sentence[LEADS.match(sentence).end() :]  # type: ignore[union-attr]
    sentence = SO.split(BY.sub("", sentence))[-1]
    if _ONE_OF_SOME.search(sentence):
        return None
    if _WAS.search(sentence) and not _WAS.search(question) and _IS.search(question):
        return None
    said = _shown(sentence, asked) or _unshown(sentence, asked)
    for tail in () if said else _TAIL.finditer(sentence):
        if _explains(sentence[tail.end() :], asked):
            front = sentence[: tail.start()]
            said = said or _unshown(front, asked) or _shown(front, asked)
    if said is None:
        return None
    said = re.sub(r"\A(?:the|an?)\s(?=\S)", "", said.strip(" *_\"'`"), flags=re.I)
    if _ASKS_WHO.match(asked.sentence):
        said = _CALLING.sub("", said)
    year = _YEAR.findall(said)
    if len(year) == 1 and _ASKS_YEAR.search(question) and _is_date(said):
        said = year[0]
    words = WORD.findall(lowered(said))
    most = 4 * _MAX_WORDS if re.search(r"[\\^=+]", said) else _MAX_WORDS
    if not said or len(words) > most or not NOT_SURE.isdisjoint(words):
        return None
    return said


def _is_date(said: str) -> bool:
    """Whether a stretch of words is a date, and nothing more."""
    return all(one in _OF_DATE or _DAY.fullmatch(one) for one in WORD.findall(lowered(said)))


_ASIDE = re.compile(r" \((?![^()]*\b(?:not|or|wrong|maybe)\b)[^()\n]{1,40}\)")
_YES_NO = re.compile(r"(?i)\A[\W_]*(yes|no)\b[*_]*[,:;–—-]+[*_]*\s+(?=\S)")
_NO = re.compile(r"\b(?:not|cannot|never|\w+n['’]t)\b")


def affirmed(question: str, sentence: str) -> str | None:
    """The yes or no with which a sentence begins that then says the question again, and denies it
    only behind a no: ``No, a penguin cannot outrun a cheetah.``"""
    sentence = sentence[LEADS.match(sentence).end() :]  # type: ignore[union-attr]
    begun = _YES_NO.match(sentence)
    if begun is None or len(question) > LONGEST or len(sentence) > LONGEST_SENTENCE:
        return None
    told = lowered(spelling.plain(sentence[begun.end() :]).replace("**", "").rstrip(" .!"))
    denials = _NO.findall(told)
    if len(denials) != (begun[1].lower() == "no"):
        return None
    told = _NO.sub(lambda one: "can" if one[0] == "cannot" else "", told)
    told = re.sub(r"\([^()]{1,60}\)", "", told)
    asked = {key(one) for one in WORD.findall(lowered(spelling.plain(question)))}
    words = [one for one in WORD.findall(told) if one not in GRAMMAR]
    known = [one for one in words if key(one) in asked]
    core = {key(one) for one in WORD.findall(lowered(question)) if one not in GRAMMAR}
    covered = {*map(key, known)} & core
    whole = known == words and 3 * len(covered) >= 2 * len(core)
    return begun[1].lower() if whole and len(words) > 1 else None


def _unknown(text: str, asked: Asked) -> list[int]:
    """The places of the words of a text that its question has not; a name may have a word more."""
    words = WORD.findall(text)
    known = [is_known(lowered(word), asked) for word in words]
    for at in range(len(words) - 1):
        name = words[at][0].isupper() and words[at + 1][0].isupper() and known[at + 1]
        if name and lowered(words[at + 1]) not in GRAMMAR and words[at + 1].istitle():
            known[at] = known[at] or words[at].isupper()
    return [at for at, one in enumerate(known) if not one]


def _shown(sentence: str, asked: Asked) -> str | None:
    """What bold print, or a formula, shows in a sentence that says a question again."""
    found = list(_BOLD.finditer(sentence)) or list(FORMULA.finditer(sentence))
    if len(found) != 1 or found[0][0] == sentence.strip():
        return None
    one = found[0]
    front, behind = sentence[: one.start()], sentence[one.end() :]
    told: str = next(filter(None, one.groupdict().values()))
    if tail := _TAIL.match(behind):
        if not _explains(behind[tail.end() :], asked):
            return None
        behind = ""
    words = WORD.findall(lowered(f"{front} {behind}"))
    if _unknown(f"{front} {behind}", asked) or not covers(words, asked):
        return None
    return told


def _unshown(sentence: str, asked: Asked) -> str | None:
    """The stretch of words that a sentence adds to its question, at its beginning or its end."""
    plain = markup.unmarked(sentence).replace("**", "")
    places = list(WORD.finditer(plain))
    words = [lowered(one[0]) for one in places]
    unknown = _unknown(plain, asked)
    if not unknown:
        return None
    first, last = unknown[0], unknown[-1]
    inside = [words[at] for at in range(first, last + 1) if at not in unknown]
    if any(word not in ("of", "the", "and", "de", "in", "a", *KINDS) for word in inside):
        return None
    frame = words[:first] + words[last + 1 :]
    at_end = last == len(words) - 1 and first > 0 and words[first - 1] in _BEFORE
    at_start = not {*words[:first]} - {"a", "an", "the"} and last < len(words) - 1
    told = plain[places[first].start() : places[last].end()]
    keys = {key(word) for word in frame}
    whole = len(asked.told) > 2 and all(key in keys for key, _ in asked.told)
    of_others = last == len(words) - 1 and first > 0 and words[first - 1] in _OF_OTHERS
    if of_others and key(words[first - 1]) not in asked.known:
        return None
    if not (at_end or at_start or whole) or not covers(frame, asked) or re.search(r"[,;:!?]", told):
        return None
    return told


def _explains(tail: str, asked: Asked) -> bool:
    """Whether what stands behind an answer, or its sentence, only tells more of it, and not again
    what is asked."""
    if why := _SINCE.match(tail):
        return tells_more(f"{tail[why.end() :].capitalize()}.", "")
    low = lowered(tail)
    if {key for key, phrase in asked.told[:2] if not phrase} & {
        key(word) for word in WORD.findall(low)
    }:
        return False
    doubts = DOUBTFUL.search(low) or OF_ITS_AUTHOR.search(low)
    return doubts is None and (NOT_SURE | _STANDING).isdisjoint(WORD.findall(low))
