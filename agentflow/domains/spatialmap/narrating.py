"""Whether a clause claims nothing of a map: it repeats what is asked, or tells how to go about it.

We need the objects southeast of Mill   the question, where that is what is asked
So we choose option B                   the answer, among words that claim nothing
Let's look at Pier                      words that point to an object
likewise Pier                           is none: it goes on with what was said before
"""

from __future__ import annotations

import re
from typing import Any

from agentflow.domains import narration, spelling
from agentflow.domains.plain_words import DOUBTS, OF_PLACES, PlainWords
from agentflow.domains.spatialmap import claims, wording
from agentflow.domains.spatialmap.canonical import forms, is_one, opposite
from agentflow.domains.spatialmap.claims import NAMES, N
from agentflow.domains.spatialmap.context import Context
from agentflow.domains.spelling import NUMBERS

_EVERYDAY = PlainWords(without=OF_PLACES | DOUBTS)
_PLAIN = forms("""
    against alternative anchor any apart around axes axis backward besides bottom box br bridge
    cardinal compass completeness component concerns connector convention coordinate could
    crucially data deduce deduction dig direct dive draw earlier either elimination entire every
    explicitly extend fact flip formally frame good grid horizontal horizontally ignore imagine
    importantly indirect infer inference inferred informally intercardinal intersection
    intuitively invert joining json lie lies line lines linking merging multiple net own parse
    pass path per pivot place plot position positioned previous relation rest reverse round
    route safety sake scan settled short side sits sketch skip small sort spatial stand swap tex
    total transitivity translate turning unknowns usual verdict versus vertical vertically
    visual visually whole wise wish without
""")
"""Words, in any of their forms, that claim nothing of a map."""
_STATES = forms("""
    accept advantage again agrees along also answer appear are asked back be been belong best
    better both boxed bridges candidate checked choice choose chosen common conclude conclusion
    confirms connect consistent contain converse correct corresponds count desired do does doing
    done eliminate equivalently eventual evident exclude favorite fit follows hold ideal
    intersect inverse is label last leads like likewise link makes mark match meet middle must
    needed obvious occur opposite perfect pick popular prefer preferable qualify required result
    right rule ruling satisfactory satisfied satisfies satisfy select settle shared similarly
    solution standard succeed suffice sufficient suggest suit suitable sure tally target
    together transitive transitively true turn useful valid value verification verified verify
    wanted win won work would
""")
"""Words that claim nothing but of an object beside which they stand."""
_POINTERS = forms("""
    about analyze anchor begin between bridge candidates center centre chain check collect
    compare concern consider considering determine direction examine fact find focus follow
    gather go going ignore information involve list locate location look map mention mentioned
    move moving need object options origin path perspective pivot place position reference
    regarding relate relation relationship relative scan sentence skip start statement take
    taking through trace use using via viewpoint
""")
"""Words that point to an object; without any of them its name goes on with what was said."""
_FOUND = re.compile(
    r"\b(?:find|found|get|gets|see|identify|identified|left|gives?|leaves?|we have|i have)"
    rf"(?: that| only)?:? (?:the )?{N}"
)
"""Words that would say that an object is one that is asked for."""
TURNS = re.compile(r"\b(?:opposite|revers\w+|invers\w+|invert\w*|convers\w+|flip\w*|swap\w*)\b")
_WHAT = re.compile(
    r"(?i)\bwhat (?:is|are|was|we are|we|you|the (?:map|text|clues))"
    r" (?=(?:said|says?|known?|given|stated?|told|tells?)\b)"
    r"|(?:what|how) (?=about the (?:others?|rest)\b[\w ]*\?)"
)
_OF_ASKED = re.compile(r"\b(?:is|are|answers?|asked|asks|question|what)\b")
_PARTS = re.compile(
    r"\b(?:parts?|components?|hal(?:f|ves)|north ?[-/] ?south|east ?[-/] ?west|south ?[-/] ?north"
    r"|west ?[-/] ?east|vertical\w*|horizontal\w*|axis|axes|letters?)\b"
)
_SOME = re.compile(r"\b(?:only|just|keep\w*|kept|one|same|first|second|either|leav\w+|stays?)\b")
"""That some parts of a direction, and not all, are turned round."""
_GENERAL = re.compile(
    r"\b(?:all|every\w*|each|any|others?|another|some|rest|options|choices|candidates|objects)\b"
)
_JUDGES = re.compile(
    r"\b(?:match\w*|correct\w*|valid|satisf\w+|true|right|fits?|works?|agree\w*|consistent\w*"
    r"|qualif\w+|answers?|correspond\w*)\b"
)
_TOGETHER = ((TURNS, _OF_ASKED), (_GENERAL, _JUDGES))
"""Words that say something together: ``the reverse is asked``, ``all others match``."""
PLACING = re.compile(
    r"\b(?:above|all|back|below|first|last|next|once|only|over|up"
    r"|(?<!this )(?<!that )one(?! (?:valid |possible |correct )?(?:answer|choice)\b| (?:by|at a)\b)"
    r"|(?<!work )(?<!figure )(?<!find )out"
    r"|right(?! (?:answer|option|choice|one|letter|direction)\b)"
    r"|(?<!chained )(?<!combined )(?<!put )(?<!taken )together)\b"
)
"""Words that would say something beside an object, or beside *is*."""
_BE = re.compile(r"\b(?:is|are|be|there|been|has|have)\b")
_THINGS = re.compile(
    r"\b(?:map|text|data|description|list|sentences?|statements?|facts?|relation\w*)\b"
)
"""What is not counted."""
_SIGN = re.compile(r"[^\w\s.,:;!()\[\]{}*\"'`#/\\$&✓✔✅☑🗺🧭📍🎯👍😊🙂🎉\ufe0f-]|\.\.\.|~")
"""A sign that is not known to claim nothing."""
_NUMBERED = re.compile(
    r"\b(?P<what>step|sentence|statement|fact|clue|relation|relationship)s? #?"
    rf"(?P<k>(?:\d{{1,2}}|{'|'.join(NUMBERS)})(?:(?:,| and|, and|-| to) \d{{1,2}})*)\b"
)
_SEEN = re.compile(
    r"\b(?:exclud|check|eliminat|rul|consider|compar|examin|skip|ignor|inspect|verif|discard"
    r"|review|go|look)\w*(?: out| at| through| over)? (?:(?:all|each|every|any)(?: of)? )?(?:the )?"
    r"(?:others\b|other (?:(?!two|three|four|five|six|\d)\w+ )?"
    r"(?:objects?|options?|choices?|places?|ones?)\b)"
)
"""What is done with the others, of which nothing is said."""
_OTHERS = re.compile(rf"\b(?:the )?(?:other|remaining) (?P<k>\d{{1,2}}|{'|'.join(NUMBERS)})\b")
_OPTIONS = re.compile(
    rf"\b(?P<k>\d{{1,2}}|{'|'.join(NUMBERS)}) (?:(?:possible|given|answer) )*"
    r"(?:options|choices|candidates)\b"
)
"""How many options there are said to be."""
_IDLE = re.compile(
    r"\b(?:the|these|those|both|my)(?: (?:two|three|four))\b|^(?:first|second|third|lastly),? "
    r"|\bone (?:at a time|by one|after (?:the other|another))\b"
    r"|\b(?:two|three|four) (?=(?:ways|steps|parts|things|moves|cases|stages)\b)"
    r"|\bone way\b|\ball (?:the|these) (?=(?:statement|sentence|fact|clue|relation)s?)"
    r"|\b(?:we|i|you) (?:are|were) (?:being )?(?:asked|looking|searching|interested|after|told"
    r"|given)\b"
    r"|\b(?:north ?[-/] ?south|south ?[-/] ?north|east ?[-/] ?west|west ?[-/] ?east)\b"
)
"""Numbers, verbs and directions that claim nothing in their company."""
_LETTER = re.compile(
    r"(?:(?<=option )|(?<=choice ))\(?(?P<a>[A-J])\b\)?"
    r"|(?<![\w'])(?P<b>[B-HJ]|A(?! [^\W_])|I(?=\W*\Z))(?![\w'])"
)
_WHERE_ALL = re.compile(
    rf"\bwhere (?:each|every|all|any|the other|the|these|those|everything)(?: of)?(?: the)?"
    rf"(?: others?| else)?(?: objects?| places?| options?| ones?)?"
    rf" (?:is|are|lies?|sits?|stands?)(?: located)?,?"
    rf"(?: (?:relative|compared|in relation|with respect) (?:to|with) (?:the )?(?:{N}|it))?"
)


def leads(text: str) -> bool:
    """Whether words before a claim claim nothing."""
    return all(_idle(word) for word in narration.words(spelling.plain(text).lower()))


def _idle(word: str) -> bool:
    claims_nothing = word in narration.WORDS or word in _EVERYDAY
    return claims_nothing or is_one(word, _PLAIN) or is_one(word, _STATES)


def only_points(words: list[str]) -> bool:
    """Whether words beside an object only point to it."""
    return all(
        is_one(word, _POINTERS) or (_idle(word) and not is_one(word, _STATES)) for word in words
    )


def narrates(text: str, now: Context) -> bool:
    """Whether a clause repeats the question or the answer among words that claim nothing."""
    data, form, asked, letters = now.data, now.form, now.asked, now.data["letters"]
    low = _WHERE_ALL.sub(" ", _asked(asked).sub(" ", _WHAT.sub("", text)))
    repeats = low != text
    if any(letters.get(one["a"] or one["b"]) != form for one in _LETTER.finditer(low)):
        return False
    rest = _LETTER.sub(" ", low).lower()
    most = len(data["sentences"]) + 1  # the first object has a sentence, too
    if any(spelling.number(one) > most for one in _numbers(rest)):
        return False
    others = _OTHERS.search(rest)
    if others and spelling.number(others["k"]) != len(data["objects"]) - 1:
        return False
    options = _OPTIONS.search(rest)
    if options and not _OTHERS.search(rest) and spelling.number(options["k"]) != len(letters):
        return False
    if _PARTS.search(rest) and _SOME.search(rest):
        return False
    seen = _SEEN.search(rest := _OTHERS.sub("the other", rest))
    if seen and re.search(N, rest[seen.end() :]):
        return False  # a list of the others begins
    rest = _NUMBERED.sub(" ", _IDLE.sub(" ", _SEEN.sub(" ", rest)))
    if any(one.search(rest) and other.search(rest) for one, other in _TOGETHER):
        return False
    named = bool(re.search(N, rest)) or repeats
    rest, answers = " ".join(rest.split()), 0
    if not any(len(re.findall(N, one[0])) > 1 for one in NAMES.finditer(rest)):
        rest, answers = _values_of(data, form).subn(" ", rest)
    if answers and re.search(r"\b(?:others?|another)\b", rest):
        return False
    rest = rest.replace("?", " ") if repeats else rest
    if re.search(r"\d", rest) or _SIGN.search(re.sub(N, "", rest)):
        return False
    if (named or _BE.search(rest)) and PLACING.search(rest):
        return False
    if names := re.findall(N, rest):
        rest = NAMES.sub(" ", rest, count=1)
        words = list(narration.words(rest))
        bare = not words and len(names) == len(re.findall(N, text))
        if (
            re.search(N, rest)
            or answers
            or _LETTER.search(low)
            or (bare and asked["kind"] == "object" and len(names) > 1)
        ):
            return False
        if asked["kind"] != "direction" and _FOUND.search(text.lower()):
            return False
        points = bare or any(is_one(word, _POINTERS) for word in words)
        return points and only_points(words)
    if asked["kind"] == "count" and answers and not repeats and _THINGS.search(rest):
        return False
    return not (repeats and not answers and _BE.search(rest)) and leads(rest)


def _numbers(text: str) -> list[str]:
    """The numbers of sentences that a text names."""
    said = " ".join(found["k"] for found in _NUMBERED.finditer(text) if found["what"] != "step")
    return re.findall(rf"\d+|{'|'.join(NUMBERS)}", said)


def _values_of(data: dict[str, Any], form: str) -> re.Pattern[str]:
    """The answer among other words, in small letters."""
    kind = data["asked"]["kind"]
    if kind == "object":
        sign = chr(claims.FIRST + data["objects"].index(form))
        return re.compile(rf"(?:the )?{sign}(?!')")
    if kind == "direction":
        found = {"northeast": "ne", "northwest": "nw", "southeast": "se", "southwest": "sw"}
        low = form.lower()
        halves = f"{low[:5]}[ -]?{low[5:]}" if low in found else low
        short = rf"|{found[low]}\b" if low in found else ""
        return re.compile(rf"\b(?:(?:to|in|on) the )?(?:{halves}\b{short})(?! of\b)(?: direction)?")
    words = [word for word, number in wording.NUMBERS.items() if str(number) == form and number]
    behind = r"(?= ?(?:$|[^\w\s]|objects?\b|is\b|and\b|so\b|which\b|matches\b|corresponds\b))"
    return re.compile(rf"\b(?:{'|'.join([form, *words])})\b{behind}")


def _asked(asked: dict[str, Any]) -> re.Pattern[str]:
    """The question, or what it is about, in whatever words."""
    of = f"(?:the )?{chr(claims.FIRST + asked['of'])}"
    if asked["kind"] == "direction":
        what = f"(?:the )?{chr(claims.FIRST + asked['object'])}"
        seen = f"(?:relative to|in relation to|with respect to|compared to|as seen from) {of}"
        return re.compile(
            rf"(?i)(?:(?:in )?(?:which|what) direction (?:is )?{what} (?:is |lies )?{seen}"
            rf"|where {what} (?:is|lies|stands)(?: located)? {seen}"
            rf"|how {what} (?:relates?|compares?|is (?:\w+ )?(?:placed|positioned|located|related"
            rf"|oriented))(?: relative)? (?:to|with) {of}"
            rf"|(?:(?:relation|relationship|direction|position|connection|link|path|chain"
            rf"|route)s? )?"
            rf"(?:between|connecting|linking|relating"
            rf"|(?:that|which) (?:connects?|links?|relates?|mentions?|involves?))"
            rf" (?:{what} (?:and|to|with) {of}"
            rf"|{of} (?:and|to|with) {what})"
            rf"|(?:the )?(?:relative )?(?:direction|position|location) from {of} to {what}"
            rf"|(?:the )?(?:(?:relative )?(?:direction|position|location) of )?"
            rf"{what} {seen})(?!\w|')"
        )
    way = low = asked["direction"].lower()
    back = opposite(asked["direction"])
    way = f"{way[:5]}[ -]?{way[5:]}" if len(way) > 5 else way
    if len(way) > 5:
        one, other = low[:5], low[5:]
        both = rf"{one} and (?:to the )?{other}|{other} and (?:to the )?{one}"
        way = rf"(?:{way}|(?:both )?(?:{both}))"
    where = rf"(?:{wording.IN})?{way} (?:of|from) (?:{of}|it|this object)(?!\w|')"
    here = rf"(?:{where}|{wording.IN}{way}(?! of|\w))"
    thing = r"(?:(?:objects?|places?|ones?|options?)|of (?:the|these) (?:options|objects|places))"
    return re.compile(
        rf"(?i)(?:how many|which|what) {thing} (?:(?:is|are|lies?) )?{here}"
        rf"|which(?: ones?)?(?: of (?:these|them|those|the (?:\w+ )?options))? (?:is|are"
        rf"|lies?) {here}"
        rf"|(?:an?|any|the|each|every) (?:object|place) (?:must|has to|needs to|should) be {here}"
        rf"|(?:those|something|anything|whatever|the ones?)"
        rf" (?:(?:that|which) (?:is|are|lies?|lie) )?{here}"
        rf"|(?:which|what|how many) objects? (?:has|have) {of} (?:to|in|on) (?:its|their) {back}\b"
        rf"|the {way} (?:one|object)s?"
        rf"|(?:those |the objects? )?(?:for|with|in|as|marked|labelled) (?:the )?{way}(?! of|\w)"
        rf"|(?:in (?:the )?)?{way} ?\?"
        rf"|(?:the |all |any |number of |count of )*(?:objects?|places?) "
        rf"(?:(?:that|which) (?:is|are|lies?|lie) )?{here}"
    )
