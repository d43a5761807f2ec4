"""A name that a reply opens with, or says of what is asked, and what stands behind it.

Tybalt. The protagonist is Romeo, who kills him in a duel.      Tybalt
That would be Stone Brewing, which is in Escondido.             Stone Brewing
Robert Zemeckis. The film was directed by Steven Spielberg.     contradicted

What stands behind may say anything but doubts, another answer, or that somebody else says so.
"""

from __future__ import annotations

import re

from agentflow.domains import spelling
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK, rejected
from agentflow.domains.answers.remarks import takes_back
from agentflow.domains.commonsense import standing
from agentflow.domains.commonsense.concluding import stems
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import word_set
from agentflow.domains.telling_more import acts

_SMALL = "of|the|and|de|da|del|von|van|for|in|at|on|to|a|&"
_NAME = (
    r"(?:The |A )?(?:[A-Z]\.(?= [A-Z])|[A-Z][\w'’-]*!?|\d{4}\b)"
    rf"(?: (?:(?:{_SMALL}) ){{0,2}}(?:[A-Z]\.(?= [A-Z])|[A-Z][\w'’-]*!?|\d[\d,]*)){{0,6}}"
)
_OPENS = re.compile(
    r"\A\s*(?:(?:That|It|This) (?:would be|is|was|must be) |(?:That|It)'s "
    r"|(?!The [a-z ]*answer\b)(?:The|His|Her|Its|Their) (?:[A-Z][a-z]+ )?[a-z][a-z ,-]{2,60}"
    r" (?:is|was|are|were) )?"
    rf"(?P<mark>\*\*|\*|_|\"|)(?P<name>(?:\(?[A-J]\) )?{_NAME})(?P=mark)"
    r"(?P<end>[.!](?=\s|$)|,(?= (?:which|who|whose|the|an?|released|born|founded|based|located"
    r"|formed|published|written|directed|starring|as|in|from)\b)|\s-(?=\s)|:(?=\s)|(?=\n)"
    r"|(?= (?:directed|wrote|won|founded|painted|played|sang|is|was|started|began|came)\b))"
    r"(?P<behind>.*)\Z",
    re.DOTALL,
)
_LETTER = re.compile(r"\A\(?[A-J]\) ")
"""That of an option, in front of what it says."""
_NO_NAME = word_set("""
    yes no true false both neither none either it that this he she they i we the a an answer final
    well so thus therefore hence since because let first step not unknown maybe perhaps probably
    sorry according in on at if as although while when to here there great sure okay let's question
    fact note step reason hint source explanation reasoning wait hmm for by both many some most
""")
_DOUBTS = re.compile(
    r"\b(?:actually|albeit|although|believe|but|cannot|correction|doubt\w*|either|else|except"
    r"|guess\w*|hmm|however|if|instead|likely|maybe|may|might|never|nobody|none|nor|not|or|otherwise"
    r"|perhaps|possibly|presumably|probabl[ye]|rather|scratch|sorry|suppose\w*|sure|think|though"
    r"|uncertain|unclear|unknown|unless|unsure|wait|whether|wrong|answer|answers|opposite|could"
    r"|would|should|reportedly|allegedly|supposedly|rumou?r\w*|legend|according|claims?|no|yes"
    r"|false|mistake\w*|incorrect|edit|update|alternatively|same|says so|told me|i|we|my|me)\b"
    r"|n't\b|\?"
)
_IS_NAME = re.compile(rf"(?P<of>.*?)\b(?:is|was|are|were|be) (?P<name>{_NAME})[\s.!*]*$", re.DOTALL)
_CLAUSE = sentence_end(".!?", r";\s*", r", (?:and|while|whereas)\b", ": ")
_PRONOUN = re.compile(
    r"(?i)\s*(?:it|he|she|they|this|who|whose|which|that|the (?:company|song|group))\b"
    r"|.*\b(?:there|him|them)\b|\s*(?:is|was|are|were|has|had|directed)\b"
)
_INTRODUCES = re.compile(
    rf"(?i:the|this|that) (?P<noun>[a-z]+)(?: [a-z]+)? (?:is|was) {_NAME}.*", re.DOTALL
)
"""What says which one of the things of a question is meant: ``The film is Citizen Kane.``"""
_ANY_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_FRAME = word_set("a an the of in on at by to is was are were it this that both also who which")
"""Words of a clause that says a question again, besides those of the question."""
_TIME = re.compile(r"\b(?:in|on|around|about|circa|since) (?:the year )?\d{3,4}\b")
_LARGEST_TOO = re.compile(
    r",? and (?:also )?(?:the |its |a )?(?:largest|biggest|main|most [a-z]+|major) [a-z]+\b"
)
_GOES_ON = re.compile(
    r"\s*(?:(?:which|who|whose|where|while|with|and|the|an?|its|in|on|from|having|as|not)\b"
    r"|[a-z]+(?:ing|ed)\b|(?:built|made|written|known|born|sung|led)\b)"
)
"""What goes on behind such a clause and its comma."""
_SUBJECT = re.compile(
    rf"(?P<subject>(?i:it|he|she|they)|(?i:this|the) [a-z]+|{_NAME}) "
    r"(?:(?:also|then|later|typically|usually|first|still) )?(?P<verb>[a-z]+)\b(?P<rest>.*)",
    re.DOTALL,
)
_PRONOUNS = word_set("it he she they")
_BE = word_set("is are was were")
_HAS = word_set("has had have can could")
_FRONT = word_set(
    "the a an also both of its largest biggest most populous main official national current"
)
_DONE = word_set("located founded situated named completed established considered")
"""What may stand in front of what is asked for, and what may have been done."""
_TITLES = word_set("seat role title throne crown government parliament president")
_COPIES = word_set("copy copies copied fake fakes forgery imitation original replica version")
_SOME = re.compile(r"(?<!the )(?<!this )(?<!that )\b(?:\d+|some|many|several|few) [a-z]+s\b")
"""Things of the kind that is asked for, and none of them."""
_ROLES = word_set("""
    second third last next herring seat role title post office throne crown status rank honor
    honour position government parliament
    power leadership mantle place quiz poll question guess error blank penalty example sense vote
    votes students shadow ruins exile
""")
"""What a thing may hold, or lose; and words of a sentence about answers."""
_EXPLANATION = re.compile(
    r"(?im)^[ \t*_#]*(?:explanation|reasoning|reason|why|details|rationale)[*_]*:[*_]*\s*"
)
_LINE = re.compile(r"(?im)^[ \t*_#]*(?:final )?answer[*_]*:[*_]*[^\n]{1,80}(?:\n|\Z)")
_YEAR = re.compile(r"(?<![\d,])(?:1\d{3}|20\d\d)(?!\d|,\d)")
_EARLIER = re.compile(r"(?i)\b(?:first|earlier|older|oldest|before|longer ago)\b")
_LATER = re.compile(r"(?i)\b(?:later|younger|youngest|more recent(?:ly)?|newer|last|after)\b")
_EITHER_OF = re.compile(r"(?i)\bor\b")
_LISTED = re.compile(r"\s*[-*•] +[^:\n]{2,60}: ")
_MAX = 1_200
_TITLE = re.compile(r"\"[^\"\n]{1,120}\"|(?<!\*)\*[^*\n]{1,80}\*(?!\*)")


def opens(text: str) -> tuple[str, str] | None:
    """(the name that a text opens with and then only explains, what it says besides, on one line);
    None for any other text."""
    text = spelling.plain(text).rpartition("</think>")[2].strip()
    listed, _, last = text.rpartition("\n")
    if listed and all(_LISTED.match(line) for line in listed.split("\n") if line.strip()):
        text = f"{last}\n{listed}"
    found = _OPENS.match(text) if len(text) <= _MAX else None
    if found is None or not found["behind"].strip(" .!*\n"):
        return None
    name = _LETTER.sub("", found["name"]).removeprefix("The ").removeprefix("A ")
    if name.split()[0].lower().strip(".") in _NO_NAME:
        return None
    behind = found["behind"]
    if not _explains(behind):
        return None
    whole = found["name"] + found["end"] + behind if not found["end"] else behind
    return found["name"].strip(), " ".join(whole.replace("; ", ". ").split())


def is_remark(said: str | None) -> bool:
    """Whether what was taken for an answer is a sentence that begins with a name."""
    return said is None or len(said.split()) > 4


def explanation(text: str) -> str:
    """What stands behind ``Explanation:`` on one line; empty for none."""
    found = list(_EXPLANATION.finditer(text))
    return " ".join(text[found[-1].end() :].replace("; ", ". ").split()) if found else ""


def below(text: str) -> str:
    """What stands below a last answer line, on one line; empty for none."""
    found = list(_LINE.finditer(text))
    return " ".join(text[found[-1].end() :].replace("; ", ". ").split()) if found else ""


def at_odds(question: str, said: str, behind: str) -> bool:
    """Whether what stands behind a name says of another one what is asked."""
    if not behind:
        return False
    behind = _TITLE.sub("it", spelling.plain(behind).replace("**", "")).replace("*", "")
    if behind.startswith(f"{said} ") and not _is_of(question, behind.removeprefix(f"{said} ")):
        return True
    clauses = [one.strip() for one in _CLAUSE.split(behind) if one.strip()]
    if any(re.fullmatch(rf"{_NAME}[.!]*", one) and not _holds(said, one) for one in clauses):
        return True
    said = _own(question, said)
    others = clauses[behind[0].islower() :]  # in small letters it goes on with the name
    if goes_on := standing.as_sentence(clauses[0]) if clauses[: behind[0].islower()] else "":
        others = [goes_on, *others]
    if any(_speaks_of_standing(question, said, one) for one in others):
        return True
    if any(standing.otherwise(question, said, one) for one in others):
        return True
    if any(_names_another(question, said, one) for one in others):
        return True
    last = _IS_NAME.fullmatch(clauses[-1]) if clauses else None
    if last and not _holds(said, clauses[-1]) and not _holds(question, last["name"]):
        return not _introduces(question, clauses[-1])
    return bool(_EITHER_OF.search(question)) and _years_deny(question, said, behind)


def _explains(behind: str) -> bool:
    """Whether what stands behind a name neither doubts it nor takes it back."""
    low = _TITLE.sub(" ", behind.replace("**", "")).lower()
    if _DOUBTS.search(low):
        return False
    if TAKEN_BACK.search(behind) or SECOND_THOUGHTS.search(behind) or rejected(behind):
        return False
    return not any(takes_back(one) for one in re.split(r"[.!?] ", low))


def _names_another(question: str, said: str, clause: str) -> bool:
    """Whether a clause speaks with the verb of the question, and of another name alone."""
    small = stems(" ".join(re.findall(r"(?<![\w'-])[a-z]{3,}", question)))
    names = [one for one in re.findall(_NAME, clause) if one.lower() not in _NO_NAME]
    names = [one for one in names if not one[0].isdigit()]
    others = [one for one in names if not _holds(question, one) and not _holds(said, one)]
    told = stems(" ".join(re.findall(r"(?<![\w'-])[a-z]{3,}", clause)))
    if _holds(said, clause) or _PRONOUN.match(clause) or _introduces(question, clause):
        return False
    if said[:1].isdigit():
        years = _YEAR.findall(clause)
        return bool(years and told & small) and said not in years
    if _EITHER_OF.search(question):  # the other of two
        return (
            len(told & small) > 0
            and any(_holds(question, one) for one in names)
            and bool(
                _EARLIER.search(clause)
                or _LATER.search(clause)
                or re.search(r"er than\b|\bfurther\b", clause)
            )
        )
    return bool(others) and bool(told & small)


def _speaks_of_standing(question: str, said: str, clause: str) -> bool:
    """Whether a clause about what a text names speaks of what is asked for, and does not just say
    it again, or tells an act that may be the end of it."""
    found = _SUBJECT.match(clause)
    if found is None:
        return False
    subject, verb, rest = found["subject"], found["verb"].lower(), found["rest"].lower()
    if not (subject.lower() in _PRONOUNS or _holds(said, subject)):
        if not _TITLES.isdisjoint(_ANY_WORD.findall(clause.lower())):
            return True
        named = re.findall(r"(?<=[a-z] )[A-Z][\w'’-]*", question)  # Cusco runs Peru
        known = _holds(question, subject) or subject.split()[0].lower() in _NO_NAME
        return subject[0].isupper() and not known and any(_holds(rest, one) for one in named)
    words = _ANY_WORD.findall(rest)
    asked = stems(" ".join(re.findall(r"(?<![\w'-])[a-z]{3,}", question)))
    if verb in _BE:
        again = [at for at, one in enumerate(words) if stems(one) & asked]
        present = re.search(r"\b(?:is|are)\b", question) is not None
        front = _ANY_WORD.findall(found["rest"])[: again[0]] if again else []
        past = present and verb in ("was", "were")
        plainly = all(one[0].isupper() or one in _FRONT for one in front)
        of_it = again and re.search(r"['’]s?\Z", words[again[0]])
        done = words[0] if words and words[0].endswith("ed") else ""
        undone = bool(done) and not (acts(done) or done in _DONE)
        return undone or (bool(again) and (past or not plainly or bool(of_it)))
    if stems(verb) & asked:
        return not _COPIES.isdisjoint(words)
    other = any(stems(one) & asked for one in words) and not _SOME.search(rest)
    did = verb == "used" and words[:1] == ["to"]
    if verb in _HAS and words[:1] == ["been"] and words[1:2]:
        did = did or not (acts(words[1]) or words[1] in _DONE)
    return other or did or not (acts(verb) or verb in _HAS) or not _ROLES.isdisjoint(words)


def _own(question: str, said: str) -> str:
    """A name of one of two things without the words that both have: ``Otter Bridge``."""
    asked = re.findall(r"[^\W_]+", question.lower())
    own = [one for one in re.findall(r"[^\W_]+", said) if asked.count(one.lower()) < 2]
    return " ".join(own) if own and _EITHER_OF.search(question) else said


def _is_of(question: str, told: str) -> bool:
    """Whether what is told of a name is what the question asks for, and no more in its clause than
    the time, or that it is the largest, too."""
    clause, ends, tail = re.match(r"(?s)([^,:.;]*)(.?)(.*)", told).groups()  # type: ignore[union-attr]
    clause = _TIME.sub(" ", _LARGEST_TOO.sub(" ", clause))
    asked = {spelling.stem(one) for one in _ANY_WORD.findall(question.lower())}
    words = _ANY_WORD.findall(clause.lower())
    known = all(one in _FRAME or spelling.stem(one) in asked for one in words)
    present = re.search(r"\b(?:is|are)\b", question) is not None
    if not known or not words or (present and not {"was", "were"}.isdisjoint(words)):
        return False
    return ends != "," or _GOES_ON.match(tail) is not None


def _introduces(question: str, clause: str) -> bool:
    """Whether a clause names a thing that the question speaks of."""
    found = _INTRODUCES.match(clause)
    return found is not None and found["noun"] in re.findall(r"[a-z]+", question.lower())


def _holds(text: str, name: str) -> bool:
    """Whether a text has a word of a name."""
    words = {one.lower() for one in re.findall(r"[^\W_]{3,}", name)} - {"the", "and"}
    return not words.isdisjoint(re.findall(r"[^\W_]{3,}", text.lower()))


def _years_deny(question: str, said: str, behind: str) -> bool:
    """Whether of two things the one that is said to come first has the later year."""
    if bool(_EARLIER.search(question)) == bool(_LATER.search(question)):
        return False
    mine, others = list[int](), list[int]()
    for clause in re.split(r"[.;] |, (?:and|while|whereas|but) |, (?=[A-Z])", f"{behind} "):
        years = [int(one) for one in _YEAR.findall(clause)]
        names = re.findall(_NAME, clause)
        about = [one for one in names if _holds(question, one) and not one[0].isdigit()]
        if years and about and not _holds(said, about[0]):
            others += years[:1]
        elif years:
            mine += years[:1]
    if not mine or not others:
        return False
    first = min(mine) <= min(others)
    return first != bool(_EARLIER.search(question))
