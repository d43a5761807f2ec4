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
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from agentflow.domains import choices, markup, spelling
from agentflow.domains.answers.behind import only_closes, stands
from agentflow.domains.answers.conclusions import grounded, parted
from agentflow.domains.answers.leads import to_another
from agentflow.domains.answers.lines_above import set_apart, speaks_against
from agentflow.domains.answers.remark_sums import adds_up, is_worth
from agentflow.domains.answers.remark_words import DOUBTFUL, OF_ITS_AUTHOR
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import lowered, word_set
from agentflow.domains.telling_more import tells_more

_WHOLE = "whole: "
"""What marks the text of a reply beside the sentence that stands for it."""
_SENTENCE = sentence_end()
_MAX_TEXT, _MAX_SENTENCE, _MAX_QUESTION, _MAX_WORDS = 4_000, 400, 600, 8
_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_BOLD = re.compile(r"\*\*(?=\S)(?P<said>[^*\n]{1,120}?)(?<=\S)\*\*")
_FORMULA = re.compile(r"\\\((?P<one>[^\n]{1,120}?)\\\)|\$(?P<two>[^$\n]{1,120}?)\$")
_LEADS = re.compile(
    r"(?i)\A[\s>#]*(?:(?:so|and so|thus|therefore|hence|consequently|overall|in conclusion"
    r"|in summary"
    r"|in short|sure|certainly)\b[,:!]?\s+)*"
)
_SO = re.compile(r"(?i)[,;] (?:and )?(?:so|thus|therefore|hence)\b,? (?!that\b|far\b|called\b)")
_GRAMMAR = word_set("""
    a an the of in on at to for from by with as and is are was were be been has have had does do did
    can will would it its it's this that these those which who whom whose what where when how there
    so thus therefore hence called known named considered namely you your one
    means indicates denotes represents signifies responsible refers
""")
"""Words of which any sentence may be made."""
_KINDS = word_set("""
    place location person name year date time number thing term word symbol answer city country
    state town element company author artist scientist river
""")
"""What the answer may be called, whatever the question calls it."""
_NOT_SURE = word_set("""
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
_ENDS_PHRASE = word_set("""
    of in on at to for from by with that which who when where during between over from per within
    until since after before
""")
"""Words with which a question tells more of what it asks for."""
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
_NO_REPLY = re.compile(r"(?im)^\s*>|\b(?:answer|(?:step|fact) \d+|i|i['’]\w+)\b|\?|:[*_]*\s*\Z")
"""What a reply has that may state its answer in another way, or none."""
_BARE = re.compile(r"[^\W_]+(?:[ '’-]{1,2}[^\W_]+)*|[][(){}<>]+(?: [][(){}<>]+)*")
_STEM, _FEWEST = 5, 3


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
    lines = [one for one in _SENTENCE.split(text) if _WORD.search(one)]
    shown = [one for one in lines if _BOLD.search(one) and one.rstrip(" *_")[-1:] != ":"]
    sentence = (shown or lines[:1] or [""])[-1].strip()
    if len(_WORD.findall(sentence)) < _FEWEST:
        return None
    return grounded(sentence[:_MAX_SENTENCE], [f"{_WHOLE}{text}".replace("; ", ", ")])


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
    if len(text) > _MAX_SENTENCE or not _BARE.fullmatch(text):
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
    opens = not _WORD.search(before)
    words = frozenset(_WORD.findall(lowered(question)))
    behind = "\n".join(
        one for one in _SENTENCE.split(behind) if not tells_more(one, last.text, words)
    )
    if strictly:
        return None if _WORD.search(behind) else last.text
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
    asked, words = _asked(question), _WORD.findall(low)
    own = {*_form(said), *map(_key, _WORD.findall(lowered(said)))}
    subject = next((word for word in words if word not in _GRAMMAR), "")
    if asked is None or not subject or subject in _PRONOUNS or _is_known(subject, asked):
        return False
    if subject in own or _key(subject) in own or words[0] in _AROUND:
        return False
    keys = {_key(word) for word in words}
    return any(key in keys for key, _ in asked.told) and not keys & {_key(one) for one in own}


def whole(answer: str) -> str:
    """The text that :func:`carried` holds."""
    return parted(answer)[1][0].removeprefix(_WHOLE)


def same(one: str, other: str) -> bool:
    """Whether two such answers are one: the same words, whatever their number and articles."""
    return _form(one) == _form(other)


def _form(said: str) -> tuple[str, ...]:
    words = _WORD.findall(lowered(spelling.plain(said))) or [said.strip()]
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
    asked = _asked(question)
    if asked is None or not asked.told or asked.sentence.split()[0].lower() in _IMPERATIVES:
        return None
    if len(sentence) > _MAX_SENTENCE or sentence.rstrip(" *_").endswith("?"):
        return None
    if letter := choices.matched(sentence, choices.listed(question)[1]):
        return letter
    sentence = _ASIDE.sub("", spelling.plain(sentence).strip().rstrip(".!"))
    sentence = sentence[_LEADS.match(sentence).end() :]  # type: ignore[union-attr]
    sentence = _SO.split(_BY.sub("", sentence))[-1]
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
    if len(year) == 1 and _ASKS_YEAR.search(question):
        said = year[0]
    words = _WORD.findall(lowered(said))
    most = 4 * _MAX_WORDS if re.search(r"[\\^=+]", said) else _MAX_WORDS
    if not said or len(words) > most or not _NOT_SURE.isdisjoint(words):
        return None
    return said


_IMPERATIVES = word_set(
    "find compute determine calculate evaluate simplify solve convert state express factor expand"
)
_INSTRUCTS = re.compile(
    r"(?i)(?:(?:please )?(?:give|express|write|round|put|enter|state|leave|answer)\b"
    r"|your answer\b|use \\?pi)"
)
_NUMERIC = r"-?\\?\$?-?(?:\d{1,3}(?:,\d{3})+|\d+|(?=\.\d))(?:\.\d+)?(?:/\d+)?(?:\s?\\?%)?"
_IRRATIONAL = r"(?<![\w.])-?(?:\d[\d.]*)?\s?(?:\\pi|π|\\sqrt\{[^{}]{1,20}\}|√\d+)(?![\w/^])"
_VALUES = re.compile(
    r"[(\[]\s*(?:-?\d[\d./]*|-?\\?infty|-?∞|[a-z])\s*(?:,\s*(?:-?\d[\d./]*|\\?infty|∞|[a-z])\s*)+[)\]]"
    rf"|-?\\[dt]?frac\{{[^{{}}]+\}}\{{[^{{}}]+\}}|{_IRRATIONAL}|(?<![\w.]){_NUMERIC}(?![\w/^]|\.\d)"
)
_TYPESET = re.compile(r"\\[()\[\]]|\*\*|__|\$\$|\$(?=\S)([^$\n]*?[\w)}\]])\$(?!\d)")
"""What only sets type; a dollar that stands for money has no partner."""
_BY = re.compile(
    r"(?i)\A(?:at \\?\$[\d.]+ (?:each|apiece|per [a-z]+|an? [a-z]+),? "
    r"|(?:by|using|from|with|applying|averaging|adding|since|because) [^,:]{1,80}[,:] )"
)
_ABOUT = re.compile(
    r"\s*(?:,?\s*(?:or|which is|that is)?\s*(?:about|approximately|roughly|around)\s"
    r"|≈|\\approx)\s*\\?\$?[\d.,]+\s?%?\s*\Z"
)
_ASIDE = re.compile(r" \((?![^()]*\b(?:not|or|wrong|maybe)\b)[^()\n]{1,40}\)")
_UNITS = re.compile(r"(?<=[\d)}πi])\s+(?:(?:square|cubic) )?units?(?=\Z|[.,])")
"""What a number has that is of no measure."""
_THERE_ARE = re.compile(
    r"(?i)\Athere (?:are|is) (?:exactly )?(?P<n>\d[\d,]*) (?P<things>[a-z][^=\d]+)\Z"
)
_P_OF = re.compile(r"\AP\s?\([^()=\n]{1,60}\)\s*=\s*")
_SUPPOSING = re.compile(
    r"(?i)(?<=\w) if (?![^.?]*,)[^.?]*(?=[.?]?\s*\Z)"
    r"|(?:(?<=[.?!] )|\A)if [^.?]*, (?=(?:calculate|find|determine|what|how)\b[^.?,]*[.?]?\s*\Z)"
)
"""A condition that a question ends in, or that its last sentence begins with."""
_BECAUSE = re.compile(r",? (?:because|since|as) .*\Z")
_SOME = re.compile(
    r"(?i)\b(?:a )?(?:grand )?total of |\bexactly |\bin (?:all|total)\b|\baltogether\b"
)
_PRONOUNS = word_set("he she they it his her their its we you him them")
_OF_VALUES = word_set("value result solution equivalent simplified expression form final overall")
_OF_ALL = frozenset({"tot", "numb", "amoun"})
"""The keys of words that only say that a number is asked for, in front of what it counts."""
_COMPARED = word_set("""
    more less fewer extra another taller older longer shorter younger heavier lighter farther
    further larger smaller greater higher lower faster slower
""")
_UNIT = re.compile(r"\s*(?P<unit>[a-z]+(?:/[a-z]+|²|³)?(?: per [a-z]+)?)")


def value(question: str, sentence: str, units: Collection[str] = ()) -> str | None:
    """The number, the point, the interval or the fraction that a sentence says is what a question
    asks for, with its unit if that is a measure; None for any other sentence.

    Args:
        units: The words for measures.
    """
    asked = _asked(_SUPPOSING.sub("", question) if len(question) < 2 * _MAX_QUESTION else question)
    if asked is None or len(sentence) > _MAX_SENTENCE or sentence.rstrip(" *_").endswith("?"):
        return None
    if letter := choices.matched(sentence, choices.listed(question)[1]):
        return letter
    sentence = _abbreviated(question, sentence)
    told = _LEADS.sub("", spelling.plain(sentence).strip().rstrip(".!"))
    told = _SO.split(_BECAUSE.sub("", _BY.sub("", told)))[-1]
    told = _once(told)
    told = _TYPESET.sub(lambda one: one[1] or "", told.replace("\\$", "¤")).replace("¤", "$")
    told = _THERE_ARE.sub(r"the number of \g<things> is \g<n>", _UNITS.sub("", told))
    told = _P_OF.sub("the probability is ", _ABOUT.sub("", _SOME.sub("", told)).strip(" .!"))
    *sides, last = told.split("=")
    if sides and not adds_up(told):
        return None
    if sides:  # the area is 3 * 4 = 12
        front = re.match(
            r"(?P<lead>.*[a-z]{2})\s+(?P<work>[^a-z]*)\Z",
            sides[0].replace("\\frac", "/").replace("\\times", "*"),
        )
        if front is None or re.search(r"[a-z]{3}", "".join(sides[1:]).replace("\\frac", "")):
            return None
        told = f"{front['lead']} {last.strip()}"
    numbers = [one[0] for one in _VALUES.finditer(_abbreviated(question, question))]
    given = {one for one in numbers if one in asked.sentence} or {*numbers}
    found = [one for one in _VALUES.finditer(told) if one[0] not in given]
    again = {one[0] for one in _VALUES.finditer(told)} & given
    if len(found) != 1 or (again and again != given):  # of some of its numbers alone
        return None
    number = found[0]
    unit = _UNIT.match(told, number.end())
    named = re.findall(r"[a-z]+", unit["unit"]) if unit else []
    measures = all(word in units or word == "per" for word in named)
    measure = unit["unit"] if unit and measures else ""
    end = unit.end() if unit and measure else number.end()
    before, behind = told[: number.start()], told[end:]
    words = [word for word in _WORD.findall(f"{before} {behind}") if word not in given]
    low = [lowered(word) for word in words]
    compared = {*low} & _COMPARED - {*_WORD.findall(lowered(asked.sentence))}
    if (
        compared
        or not _NOT_SURE.isdisjoint({*low} - _PRONOUNS)
        or re.search(r"[<>≤≥≠+*^~]|\b(?:times|plus|minus|than)\b", told)
    ):
        return None
    said_again = {_key(word) for word in _WORD.findall(lowered(asked.sentence))}
    said_again |= {_key(word) for word in _typeset(asked.sentence)}
    said_again |= {"old", "tall", "long"} & {*_WORD.findall(lowered(asked.sentence))}
    extra = [word for word in words if not _goes(lowered(word), said_again)]
    known = all(_key(lowered(word)) in asked.known for word in extra)
    by_pronoun = not _PRONOUNS.isdisjoint(_WORD.findall(lowered(asked.sentence)))
    rest = [word for word in extra if not re.search(rf"\bof (?:the )?{re.escape(word)}\b", told)]
    subject = " ".join(rest) and re.match(
        rf"(?:the |an? )?{re.escape(' '.join(rest))}\b", before, re.I
    )
    by_name = by_pronoun and ((len(rest) == 1 and rest[0] in before) or subject)
    if (rest and not by_name) or not known:
        return None
    unit_keys = {_key(word) for word in units if len(word) > 2}
    money = {"mone", "dolla"} if "$" in number[0] else set[str]()
    needed = tuple(
        each
        for each in asked.told
        if each[0] not in money and not (each[1] and each[0] in unit_keys)
    )
    while len(needed) > 1 and needed[0][0] in _OF_ALL:  # the total number of cars it towed
        needed = needed[1:]
    counted = re.findall("[a-z]+", measure)
    if needed and not _covers(low + counted, asked._replace(told=needed)):
        return None
    if not needed and not {*low} <= _OF_VALUES | _GRAMMAR | _typeset(asked.sentence):
        return None
    return f"{number[0]} {measure}".strip()


_OR_SO = re.compile(
    r"(?P<one>-?\d[\d.]*(?:/\d+)?|\\[dt]?frac\{\d+\}\{\d+\})[\s)\\$]*"
    r"(?P<rest>,? (?:or|which is|i\.e\.,?) \W{0,3}(?P<two>\d[\d.]*) ?\\?%)\W*\Z"
)


def _once(told: str) -> str:
    """A sentence without the percentage that its fraction comes to: ``is 1/2, or 50%``."""
    found = _OR_SO.search(told)
    one = re.sub(r"\\[dt]?frac\{(\d+)\}\{(\d+)\}", r"\1/\2", found["one"]) if found else ""
    same = found and is_worth(one, f"{found['two']}/100")
    return told[: found.start("rest")] if found and same else told


_CALLED = {
    "int": "integral", "lim": "limit", "sum": "sum", "prod": "product", "frac": "fraction",
    "sqrt": "root", "log": "logarithm", "det": "determinant", "binom": "coefficient",
}  # fmt: skip


def _typeset(question: str) -> set[str]:
    """What the formulas of a question are called."""
    return {_CALLED[one] for one in re.findall(r"\\([a-z]+)", question) if one in _CALLED}


def _goes(word: str, asked: set[str]) -> bool:
    return word in _GRAMMAR or word in _OF_VALUES or word in _PRONOUNS or _key(word) in asked


_YES_NO = re.compile(r"(?i)\A[\W_]*(yes|no)\b[*_]*[,:;–—-]+[*_]*\s+(?=\S)")
_NO = re.compile(r"\b(?:not|cannot|never|\w+n['’]t)\b")


def affirmed(question: str, sentence: str) -> str | None:
    """The yes or no with which a sentence begins that then says the question again, and denies it
    only behind a no: ``No, a penguin cannot outrun a cheetah.``"""
    sentence = sentence[_LEADS.match(sentence).end() :]  # type: ignore[union-attr]
    begun = _YES_NO.match(sentence)
    if begun is None or len(question) > _MAX_QUESTION or len(sentence) > _MAX_SENTENCE:
        return None
    told = lowered(spelling.plain(sentence[begun.end() :]).replace("**", "").rstrip(" .!"))
    denials = _NO.findall(told)
    if len(denials) != (begun[1].lower() == "no"):
        return None
    told = _NO.sub(lambda one: "can" if one[0] == "cannot" else "", told)
    told = re.sub(r"\([^()]{1,60}\)", "", told)
    asked = {_key(one) for one in _WORD.findall(lowered(spelling.plain(question)))}
    words = [one for one in _WORD.findall(told) if one not in _GRAMMAR]
    known = [one for one in words if _key(one) in asked]
    core = {_key(one) for one in _WORD.findall(lowered(question)) if one not in _GRAMMAR}
    covered = {*map(_key, known)} & core
    whole = known == words and 3 * len(covered) >= 2 * len(core)
    return begun[1].lower() if whole and len(words) > 1 else None


class _Asked(NamedTuple):
    """The words of a question: all of them, and those that tell what is asked for, in order, each
    with whether a phrase begins there that only tells more of it."""

    known: frozenset[str]
    told: tuple[tuple[str, bool], ...]
    sentence: str


_CAPITALS = re.compile(r"\b[A-Z]{3,5}\b")
_SHORT_FOR = re.compile(
    r"(?P<whole>[A-Z]?[a-z]+(?: (?:of )?[A-Z]?[a-z]+){1,4}) \((?P<short>[A-Z]{2,5})\)"
)


def _abbreviated(question: str, text: str) -> str:
    """A text with the short form that a question gives a name: ``least common multiple (LCM)``."""
    for found in _SHORT_FOR.finditer(question):
        words = found["whole"].split()[-len(found["short"]) :]
        if "".join(one[0] for one in words).upper() == found["short"]:
            whole = re.escape(" ".join(words))
            text = re.sub(rf"(?i){whole}(?: \({found['short']}\))?", found["short"], text)
    for short in {*_CAPITALS.findall(text)} - {*_CAPITALS.findall(question)}:
        words = [rf"{one}[a-z]+" for one in short]
        if name := re.search(rf"(?i)\b{' '.join(words)}\b", question):
            text = re.sub(rf"\b{short}\b", name[0], text)
    return text


def _asked(question: str) -> _Asked | None:
    question = choices.listed(_abbreviated(question, question))[0]
    question = re.sub(r"\b([Ww]hat)['’]s\b", r"\1 is", spelling.plain(question)).strip()
    if question.count("?") > 1 or len(question) > _MAX_QUESTION:
        return None
    parts = [one for one in re.split(r"(?<=[.!?:])\s+|\n+", question) if one]
    said = [one for one in parts if re.search(r"[^\W\d_]{2}", one)]
    last = next((one for one in reversed(said) if not _INSTRUCTS.match(one)), "")
    words = _WORD.findall(lowered(_FORMULA.sub(" ", last)))
    known = frozenset(_key(one) for one in _WORD.findall(lowered(question)))
    begins = [at for at, one in enumerate(words) if one in _ASKING or one in _IMPERATIVES]
    if {"not", "never", "except"} & {*words} or not begins:
        return None
    begin = begins[0]
    of_kind = words[begin] in ("which", "what", "whose") and words[begin + 1 : begin + 2]
    if of_kind and words[begin + 1] not in _GRAMMAR:  # which particle
        begin += 1
    told, phrase = list[tuple[str, bool]](), False
    for one in words[begin + 1 :]:
        if one in _ENDS_PHRASE:
            phrase = True
        elif (
            re.search(r"\d", one)
            or len(one) < 2
            or _title(one, last)
            or _describes_first(one, last, question)
        ):
            continue
        elif one not in (*_GRAMMAR, *_PRONOUNS, *_HOW) and one not in _LIKELY:
            if _describes_first(one, last, question):
                continue
            compound = bool(of_kind) and not told and one == words[begin + 1]
            told.append((_key(one), phrase or compound))
            phrase = False
    return _Asked(known, tuple(told), last)


def _describes_first(word: str, sentence: str, question: str) -> bool:
    """Whether a word only describes a thing of which a question has one: ``a right triangle``."""
    found = re.search(rf"(?i)\b(?:of|in|on|for) an? {re.escape(word)} ([a-z]+)\b", sentence)
    noun = lowered(found[1]) if found else ""
    return bool(noun) and noun not in _GRAMMAR and lowered(question).count(noun) == 1


def _title(word: str, question: str) -> bool:
    """Whether a word says what the name behind it is of: ``the novel Emma``."""
    return re.search(rf"\b[Tt]he {re.escape(word)} [A-Z]", question) is not None and word.islower()


_HOW = word_set("many much long far old value following if")
_ASKING = word_set("what which who whom whose where when how")
_LIKELY = word_set(
    "most likely best mainly usually typically commonly generally often human now currently today"
    " our"
)


def _key(word: str) -> str:
    """How a word begins, in whatever form it stands."""
    word = _IRREGULAR.get(word, word).removesuffix("'s").replace("'", "")
    return spelling.stem(re.sub(r"i(?:es|ed)$", "y", word))[:_STEM]


_FORMS = """
    write wrote written, sing sang sung, build built, find found, make made, take took taken,
    win won, lead led, give gave given, fall fell fallen, hold held, sell sold, buy bought,
    keep kept, begin began begun, speak spoke spoken, fly flew flown, bear born bore, say said,
    go went gone, come came, become became, know knew known, grow grew grown, draw drew drawn,
    eat ate eaten, run ran, meet met, lose lost, think thought, teach taught, die died dying,
    see saw seen, do did done, get got, put puts, sink sank sunk, drink drank, swim swam, ring rang,
    drive drove driven, ride rode ridden, rise rose risen, choose chose chosen, break broke broken,
    steal stole stolen, wear wore worn, throw threw thrown, catch caught, fight fought, feel felt,
    leave left, send sent, spend spent, stand stood, understand understood, shoot shot, sit sat,
    sleep slept, strike struck, tell told, bring brought, hear heard, hide hid hidden, pay paid,
    read reads, lay laid, lie lay lain, mean meant, seek sought, shine shone, dig dug, feed fed
"""
_IRREGULAR = {form: verb for verb, *forms in map(str.split, _FORMS.split(",")) for form in forms}


def _is_known(word: str, asked: _Asked) -> bool:
    return word in _GRAMMAR or word in _KINDS or word in _LIKELY or _key(word) in asked.known


def _unknown(text: str, asked: _Asked) -> list[int]:
    """The places of the words of a text that its question has not; a name may have a word more."""
    words = _WORD.findall(text)
    known = [_is_known(lowered(word), asked) for word in words]
    for at in range(len(words) - 1):
        name = words[at][0].isupper() and words[at + 1][0].isupper() and known[at + 1]
        if name and lowered(words[at + 1]) not in _GRAMMAR and words[at + 1].istitle():
            known[at] = known[at] or words[at].isupper()
    return [at for at, one in enumerate(known) if not one]


def _shown(sentence: str, asked: _Asked) -> str | None:
    """What bold print, or a formula, shows in a sentence that says a question again."""
    found = list(_BOLD.finditer(sentence)) or list(_FORMULA.finditer(sentence))
    if len(found) != 1 or found[0][0] == sentence.strip():
        return None
    one = found[0]
    front, behind = sentence[: one.start()], sentence[one.end() :]
    told: str = next(filter(None, one.groupdict().values()))
    if tail := _TAIL.match(behind):
        if not _explains(behind[tail.end() :], asked):
            return None
        behind = ""
    words = _WORD.findall(lowered(f"{front} {behind}"))
    if _unknown(f"{front} {behind}", asked) or not _covers(words, asked):
        return None
    return told


def _unshown(sentence: str, asked: _Asked) -> str | None:
    """The stretch of words that a sentence adds to its question, at its beginning or its end."""
    plain = markup.unmarked(sentence).replace("**", "")
    places = list(_WORD.finditer(plain))
    words = [lowered(one[0]) for one in places]
    unknown = _unknown(plain, asked)
    if not unknown:
        return None
    first, last = unknown[0], unknown[-1]
    inside = [words[at] for at in range(first, last + 1) if at not in unknown]
    if any(word not in ("of", "the", "and", "de", "in", "a", *_KINDS) for word in inside):
        return None
    frame = words[:first] + words[last + 1 :]
    at_end = last == len(words) - 1 and first > 0 and words[first - 1] in _BEFORE
    at_start = not {*words[:first]} - {"a", "an", "the"} and last < len(words) - 1
    told = plain[places[first].start() : places[last].end()]
    keys = {_key(word) for word in frame}
    whole = len(asked.told) > 2 and all(key in keys for key, _ in asked.told)
    if (
        not (at_end or at_start or whole)
        or not _covers(frame, asked)
        or re.search(r"[,;:!?]", told)
    ):
        return None
    return told


def _explains(tail: str, asked: _Asked) -> bool:
    """Whether what stands behind an answer, or its sentence, only tells more of it, and not again
    what is asked."""
    if why := _SINCE.match(tail):
        return tells_more(f"{tail[why.end() :].capitalize()}.", "")
    low = lowered(tail)
    if {key for key, phrase in asked.told[:2] if not phrase} & {
        _key(word) for word in _WORD.findall(low)
    }:
        return False
    doubts = DOUBTFUL.search(low) or OF_ITS_AUTHOR.search(low)
    return doubts is None and (_NOT_SURE | _STANDING).isdisjoint(_WORD.findall(low))


def _covers(words: list[str], asked: _Asked) -> bool:
    """Whether words name what is asked for: all that tells it, or what it begins with, without a
    phrase at its end that only tells more of it."""
    keys = {_key(word) for word in words}
    covered = [key in keys for key, _ in asked.told]
    if True not in covered:
        return False
    begin = covered.index(True)
    if begin and not any(phrase for _, phrase in asked.told[:begin]):
        return False
    missing = [at for at in range(begin, len(covered)) if not covered[at]]
    if not missing:
        return len(covered) - begin > 1 or len(covered) == 1
    ends = asked.told[missing[0]][1] and not any(covered[missing[0] :])
    alone = {*words} <= _GRAMMAR | {word for word in words if _key(word) == asked.told[begin][0]}
    return ends and (missing[0] - begin > 1 or len(covered) - begin > 2 or alone)
