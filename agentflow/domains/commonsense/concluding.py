"""Whether what a reply concludes says the opposite of its yes or no.

Did it fight in the war?   It was formed later, so it couldn't have fought in it.   no
                           so it fought in the war                                  yes

A conclusion stands behind ``so``, ``thus`` and the like; a sentence that says the whole question
again is one, too. What neither denies nor affirms what is asked is not looked at.
"""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.commonsense import lifetimes, reasons
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import word_set
from agentflow.tools.search.words import all_words, content_words

_SENTENCE = sentence_end(".!?", r";\s*")
_LEADS = re.compile(
    r": (?=(?:it|he|she|they|the two) )"
    r"|(?:^|[,:] |[-] | and )(?:and )?(?:so|therefore|thus|hence|consequently|accordingly"
    r"|as a result|in other words|which means(?: that)?|meaning(?: that)?|this means(?: that)?"
    r"|that means(?: that)?|which is why|in conclusion)\b,? ?(?!that\b|far\b|called\b|many\b)"
)
_SIDE = re.compile(
    r", (?:as|because|since|which|who|although|even|given)\b.*| (?:as|because|since) .*"
)
_DENIES = re.compile(
    r"\b(?:not|never|no|nor|neither|none|nobody|nothing|cannot|unable|impossible|without|hardly)\b"
    r"|n't\b|\btoo \w+ (?:to|for)\b|\bunlikely\b"
)
_LIMITS = re.compile(
    r"\b(?:only|barely|rarely|seldom|few|little|but|instead|rather|except|unless|whether|if|suppos\w*"
    r"|assum\w+|imagin\w+|myth|false|wrong|asks?|question|claim\w*|fail\w*|lack\w*|answer|before"
    r"|after|too|however|although|though|while|until|out|miss\w*|avoid\w*|long)\b|\?"
)
_ORDER = re.compile(r"\b(?:before|after|outlive\w*|dead|die|died|older|younger|earlier|later)\b")
_ENCOUNTER = re.compile(r"^(?:did|could|would|can|will|was|were|has|have|is it possible)\b")
_TOO = re.compile(
    r"(?<!not )(?<!n't )(?<!never )\btoo (?:big|large|long|small|short|tall|wide|heavy|young|old"
    r"|late|early|weak|far|deep|expensive)\b"
)
"""What keeps a thing from being done."""
_FREE = re.compile(
    r"\b(?:nothing (?:to )?(?:stops?|prevents?|keeps?|forbids?)|no reason (?:not to|why)"
    r"|free to|allowed to|perfectly (?:able|possible))\b"
)
_BARE = re.compile(
    r"^(?:that )?(?:it|he|she|they|this|that|the two(?: \w+)?|both)(?: \w+ly| certainly)? "
    r"(?:(?P<no>(?:could|can|would|did|does|do|is|was|were|are|has|had|will)(?: not|n't)|cannot)"
    r"|(?:could|can|would|did|does|do|is|was|were|are|has|had|will))"
    r"(?: have| be| do so| have done (?:so|it|that)| do it)?[ .!]*$"
)
_OF_IT = re.compile(r"[\W\d]*(?:it|he|she|they) (?P<does>[a-z]+?)(?:n't)?\b")
"""How a sentence about what is asked about begins, which says the question's verb again."""
_OF_TWO = re.compile(r"\W*(?:neither|both|none|all)\b")
_OPPOSED = """
out above visible emerge / below submerged hidden under covered
survive live alive / die died dead perish; fit fits contain / overflow exceed
legal legally allow permit / illegal illegally forbid forbidden ban prohibit
enough sufficient / insufficient lack
same similar identical alike equal / different differ distinct opposite dissimilar
safe safely harmless / dangerous deadly toxic harmful unsafe poisonous
win won beat / lose lost; agree / disagree; able capable / unable incapable
possible / impossible; accept / reject refuse; remember recall / forget
like enjoy love / dislike hate; support approve endorse / oppose disapprove condemn reject
pass succeed / fail; open / closed; present / absent
common usual normal / rare unusual uncommon; compatible / incompatible; edible / inedible
appropriate suitable / inappropriate unsuitable; true / false untrue; related / unrelated
float / sink sank; increase rise / decrease fall; heads / tails
"""
_OPPOSITES = [
    [word_set(side) for side in pair.split("/")] for pair in re.split(r"[;\n]", _OPPOSED.strip())
]
"""Words and their opposites."""
_FORMS = """
fight fought, meet met, go went gone, see saw seen, eat ate eaten, write wrote written, win won,
take took taken, give gave given, know knew known, fly flew flown, drive drove driven,
buy bought, sell sold, build built, make made, have had, hear heard, sing sang sung,
speak spoke spoken, wear wore worn, ride rode ridden, find found, hold held, lead led, lose lost,
die died dying, live lives lived living, use used using, swim swam, grow grew grown, drink drank,
teach taught, catch caught, think thought, run ran, begin began, become became, come came,
leave left, keep kept, sleep slept
"""
_IRREGULAR = {form: verb for verb, *forms in map(str.split, _FORMS.split(",")) for form in forms}
_NO_MATTER = word_set("""
    easily well indeed certainly actually surely really also still very just therefore definitely
    have having been being inside already possibly both two himself herself itself themselves
    there too did does
""")
_STEM = 4
_FEW = 2
_FACT = re.compile(r"(?i)\W*fact\s*\d{0,3}\W{0,3}:")
_ANSWERS = re.compile(r"(?i).*(?:\banswer\b|boxed\{)[^.]{0,40}\.?\W*$|\W*(?:yes|no)\W*$")
"""A sentence that only gives the answer."""
_SO_ANSWERS = re.compile(
    r"(?i)(?<=\w),? (?:and )?(?:so|therefore|thus|hence),? the (?:\w+ )?answer\b.*"
)
"""The answer behind its reason, in one sentence."""
_SAID = re.compile(r"(?i)\A\W*(?:yes|no)\b[*_]*[.,:;!]?[*_]*\s*")
_ASKED = re.compile(
    r"(?i)\b(?:whether|(?:determine|see|check|decide|find out|tell|asks?|asking|verify|know"
    r"|understand|establish) if)\b[^.,;:?!\n]*"
)
"""What is asked, or looked into, and not said to be so."""
_NO_STATEMENT = re.compile(r"(?:to|for|in order|by|in|at|on|becoming|being|when|with)\b")
"""How a clause begins that states nothing by itself."""
_OPPOSES = re.compile(
    r"\b(?:while|whereas|other|different|by contrast|apart|far|less|smaller|larger|later|earlier"
    r"|already|first|ago)\b|\d"
)


_ON_CONDITION = re.compile(
    r"\W*(?:yes|no|true|false)\b\W*(?:but )?(?:only )?(?:if|unless|provid(?:ed|ing)"
    r"|assuming|supposing"
    r"|presuming|granted|(?:so|as) long as|on (?:the )?condition|subject to|barring|pending"
    r"|in case)\b",
    re.IGNORECASE,
)


def conditional(said: str) -> bool:
    """Whether a yes or no holds on a condition: ``Yes, provided that it rained``."""
    return _ON_CONDITION.match(said) is not None


def told(text: str) -> str:
    """What the visible text says beside its answer, its facts and what it asks; empty for but a few
    words."""
    shown = text.rpartition("</think>")[2]
    lines = (line for line in shown.splitlines() if not _FACT.match(line))
    sentences = (one for line in lines for one in re.split(r"(?<=[.!?]) ", line))
    sentences = (_SO_ANSWERS.sub("", one) for one in sentences)
    sentences = (one for one in sentences if not one.rstrip('*_ "').endswith("?"))
    sentences = (_ASKED.sub("", one) for one in sentences)
    said = "\n".join(one for one in sentences if not _ANSWERS.match(one)).strip()
    said = re.sub(r";\s", ".\n", _SAID.sub("", said)).strip()
    short = any(one.match(said.lower()) for one in (_OF_IT, _LEADS, _OF_TWO))
    return said if len(said.split()) > _FEW or short else ""


def against(question: str, said: str, text: str) -> bool:
    """Whether a conclusion of a text says the opposite of ``said`` (``yes``, ``no``)."""
    question = spelling.plain(question)
    if re.search(r"\b(?:not|never|without)\b|n't\b", question.lower()) or "?" not in question:
        return False
    text = spelling.plain(text).replace("**", "").replace("*", "")
    ordered = reasons.relation(question.lower()) is not None
    for sentence in _SENTENCE.split(text):
        if sentence.rstrip().endswith("?"):
            continue
        low = sentence.strip().lower()
        led = list(_LEADS.finditer(low))
        told = _concludes(question, low[led[-1].end() :]) if led else _restates(question, low)
        if told == "yes" and ordered:
            continue  # which of the two is said to be larger, ``reasons`` sees
        if told not in (None, said):
            return True
    low = text.lower()
    if said == "yes" and _ENCOUNTER.match(question.lower()) and _TOO.search(low):
        return "too" not in question.lower()
    return said == "no" and _grants(question, text.lower())


def _concludes(question: str, clause: str) -> str | None:
    """What a conclusion, in small letters, answers."""
    clause = _SIDE.sub("", clause).strip(" .!")
    asked = question.lower()
    if "answer" in clause or not clause:
        return None
    if bare := _BARE.match(clause):
        return "no" if bare["no"] else "yes"
    if _FREE.search(clause) and re.match(r"(?:can|could|would|may|is it)\b", asked):
        return "yes"
    if _ENCOUNTER.match(asked) and not _ORDER.search(asked):
        if (parted := lifetimes.parted(clause)) is not None:
            return "no" if parted else "yes"
        if re.search(r"\bno (?:memory|knowledge|chance|way)\b|\bnot (?:yet )?born\b", clause):
            return "no"
    turned = _opposite(asked, clause)
    denied = bool(_DENIES.search(clause))
    if turned:
        return "yes" if denied else "no"
    words, wanted = _stems(clause, question), _stems(question, "")
    shared = words & _verbs(question)
    if denied:
        behind = clause[max(found.end() for found in _DENIES.finditer(clause)) :]
        verb = _stems(" ".join(behind.split()[:3]), question) & _verbs(question)
        return "no" if verb else None
    if _LIMITS.search(clause) or not shared:
        return None
    return "yes" if words <= wanted else None


def _restates(question: str, sentence: str) -> str | None:
    """What a sentence answers that says the whole question again."""
    sentence = re.sub(r"^[\W\d]*(?:yes|no)\b[,.:;]? ?", "", sentence)
    clause = re.split(r", |: ", _SIDE.sub("", sentence))[0]
    words, wanted = _stems(clause, question), _stems(question, "")
    if len(wanted) < 2 or not words & _verbs(question) or _NO_STATEMENT.match(clause):
        return None
    denies = len(_DENIES.findall(clause))
    of_it = _OF_IT.match(clause)
    whole = len(words & wanted) >= 0.5 * len(wanted) or (
        of_it is not None and question.lower().startswith(f"{of_it['does']} ")
    )
    if not whole or denies > 1 or _opposite(question.lower(), clause):
        return None
    if denies:
        verb = _DENIES.split(clause, maxsplit=1)[-1]
        return "no" if _stems(" ".join(verb.split()[:3]), question) & _verbs(question) else None
    limited = _LIMITS.search(clause) or "both" in question.lower()
    return "yes" if words <= wanted and not limited else None


def _grants(question: str, low: str) -> bool:
    """Whether a text that opposes nothing ends in what is asked for: ``and he is a member``."""
    if any(one.search(low) for one in (_DENIES, _LIMITS, _OPPOSES)):
        return False
    found = re.split(r"\b(?:is|are|was|were)\b", re.split(r",? and |[,.:] ", low.strip(" .!"))[-1])
    words = _stems(found[-1], question)
    return len(found) == 2 and len(words) > 1 and words <= _stems(question, "")


def _opposite(asked: str, clause: str) -> bool:
    """Whether a clause has the opposite of a word that is asked for, and not that word."""
    question, told = set(all_words(asked)), set(all_words(clause))
    forms = {_lemma(word) for word in told} | told
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if one & question and other & forms and not one & forms and not other & question:
                return True
    return False


def stems(text: str) -> set[str]:
    """How the words of a text, as in a dictionary, begin."""
    return _stems(text, "")


def _stems(text: str, question: str) -> set[str]:
    """How the words that say what a text is about begin; initials of the question are none."""
    short = "".join(re.findall(r"\b([A-Z])", question[1:])).lower() if question else ""
    words = (_lemma(word) for word in content_words(text) if word not in _NO_MATTER)
    return {
        word[:_STEM]
        for word in words
        if len(word) > 1 and word.isalpha() and not (len(word) > 1 and word in short)
    }


def _verbs(question: str) -> set[str]:
    """How the words of a question begin that have no capital."""
    small = " ".join(re.findall(r"(?<![\w'-])[a-z][a-z'-]*", question))
    return _stems(small, "")


def _lemma(word: str) -> str:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
