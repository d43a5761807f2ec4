"""What the words of a judge say beside the flag or the score that it ends with.

    {"reason": "Step 2 is wrong, so the solution is incorrect.", "correct": true}

Such a reply says two things, and neither counts. Read are whole clauses of the kind *subject, is,
(not,) right or wrong*; what a reason says otherwise is not held against the decision.
"""

from __future__ import annotations

import re
from typing import Literal

_CLAUSE = re.compile(
    r"([.;!?\n])|,? (?:and )?(?:so|hence|thus|therefore|which means)\b|, (?:but|and|yet|while)\b"
)
_LEAD = (
    r"\W*(?:(?:overall|finally|in conclusion|so|hence|thus|therefore|that|but|and|however"
    r"|because|as)\b,? )?"
)
_JUDGED = (
    r"(?:(?:the|this|its|that|his|her|their) )?(?:(?:whole|final|given|proposed|last) )?"
    r"(?:solution|answer|result|step|statement|conclusion|reasoning|evaluation|verdict|it|this"
)
_SAYS = re.compile(
    _LEAD + _JUDGED + r"|(?P<part>step \d{1,3}))"
    r" (?:is|was|does)(?P<no> not|n['’]t)?:?"
    r"(?: (?:clearly|indeed|also|fully|entirely|completely|plainly|logically|therefore)){0,2}"
    r" (?:(?P<right>correct|right|valid|sound|follow)|wrong|incorrect|invalid|flawed)\b"
)
_ERROR = r"(?:errors?|mistakes?|faults?|flaws?|slips?|miscalculations?)\b"
_FAULT = re.compile(
    _LEAD
    + r"(?:there (?:is|are|was|were) (?:an?|one|some|several) (?:\w+ )?"
    + _ERROR
    + "|"
    + _JUDGED
    + r"|calculation|computation|sum|arithmetic|claim|work|logic|argument|proof|student|author"
    r"|solver|step \d{1,3})(?: (?:of|in|at) [\w ]{1,30})?(?: [^a-z]{1,60})? (?:"
    r"(?:is|was|are|were)(?: \w+ly)? (?:wrong|incorrect|invalid|flawed|mistaken|erroneous|untrue"
    r"|faulty|inaccurate|off\b|not without " + _ERROR + r"|not (?:right|correct|valid|sound)\b)"
    r"|(?:contains?|has|had|makes?|made|includes?|commits?|committed)"
    r"(?: (?:an?|one|some|several|the))?(?: (?!no\b|not\b|any\b)\w+)? "
    + _ERROR
    + r"|fails\b|errs\b|miscalculates|misreads|miscounts|misunderstands"
    r"|(?:cannot|can['’]t) be (?:derived|concluded|inferred)\b"
    r"|does(?: not|n['’]t) (?:reach|give|come to|arrive at|get) the (?:right|correct)\b"
    r"|should have (?:been|read|said)\b"
    r"|would (?:be|have been) (?:right|correct|valid) (?:if|had)\b)"
    r"|(?:the |this )?(?:calculation|sum|arithmetic|equation|solution|step|result)"
    r"(?: [^a-z]{1,60})? is false\b"
    r"|(?:the )?(?:right|correct|true) (?:answer|result|value|sum) (?:is|would be)"
    r" [^a-z;]{1,60}, not\b"
    r"|i (?:do not|don['’]t|dis)(?: )?agree\b"
    r"|(?:wrong|incorrect|mistaken|not (?:right|correct|valid|without "
    + _ERROR
    + r"))(?:[:,—–-]|\W*\Z)"
    r"|[\d\s.,+*/()=×÷−-]{1,60}≠[\d\s.,+*/()=×÷−-]{1,60}\Z)"
)
"""Other clauses that find a fault."""
_FOREIGN = re.compile(
    r"(?:\b(?:falsch|fehlerhaft|fausse|faux|erronée?|incorrecte|incorrect[ao]|sbagliat[ao]|errad[ao]"
    r"|неверн\w*|неправильн\w*)\b|错误|错的|不正确|不对|間違|誤り)"
)
_DENIED = re.compile(
    r"\b(?:nicht|keine?|pas|aucune?|sans|no|sin|ning[uú]n\w*|non|nessun\w*|sem|не|нет|без)\b"
    r"|没有|无|ない"
)
"""What finds a fault in other languages, where nothing beside it denies that."""
_SHOULD = re.compile(
    r"\b(?:answer|result|sum|value|total|it) should be [^a-z,;.]{1,40}(?:\w{1,20} ?){0,2}"
    r"(?:, (?:not|instead|rather)\b[^.;]{0,60})?\W*\Z"
)
"""How a reason ends that says only what would have been right."""
_BEARS = re.compile(
    r"\W*(?:(?:but|and|so|while) )?(?:(?:nothing(?: (?:of|about) it)?|(?:(?P<none>no|none of the"
    r"|neither) )?(?:(?:the|this|its|these|both|two) )?(?:(?:first|second|third|last|other) )?"
    r"(?:versions?|answers?|statements?|facts?|claims?|what was found|sources?|results?|numbers?"
    r"|values?|tools?|programs?|pages?|hits?|texts?|search(?:es)?|two|it|this|they|both)"
    r"(?: of (?:the )?\w+)?)"
    r"(?P<no> (?:(?:does|do|did|is|are|was|were|could|can)(?: ?not|n['’]t)))?"
    r"(?: (?:is|are|was|were|be))?(?: \w+ly)? (?:"
    r"(?P<out>supports?|supported|confirms?|confirmed|verified|bears? (?:it|this|the \w+) out"
    r"|borne out|agrees?(?: with)?|match(?:es)?|the same|equal|says? the same|comes? to the same)"
    r"|(?P<against>contradicts?|contradicted|refutes?|refuted|disagrees?(?: with)?|differs?"
    r"|different|wrong|incorrect|false|untrue|says? (?:the opposite|otherwise)"
    r"|(?:says?|gives?|names?|comes? to) (?:another|an?other|different)|comes? to different)"
    r"|(?P<tells>found|tells?|speaks?|says? (?:so|anything)|mentions?|conclusive)"
    r"|(?P<silent>silent|fails|failed|says? nothing|about something else|inconclusive|unrelated))\b"
    r"|(?:there (?:is|was)|i (?:found|saw)) (?P<nowhere>no (?:evidence|information|mention|source)"
    r"|nothing))"
)
_ONE = r"(?:the )?(?:solution |number )?(?P<{}>\d{{1,4}}|first|second)(?: one| solution)?"
_KEEP = r"(?:prefer|choose|keep|pick|select|take)"
_BEST = r"(?:better|best|sounder|soundest|clearer|clearest|stronger|most consistent)"
_PREFERS = re.compile(
    r"\W*(?:(?:overall|therefore|thus|so|hence|clearly|only|but|and|while|whereas|although),? )*(?:"
    + _ONE.format("one")
    + r" (?:(?:is|was|should be|has to be)(?P<no> not|n['’]t)?(?: \w+ly| the| therefore){0,2} (?:"
    + _BEST
    + r"|kept|chosen|to be kept|preferable|(?P<worse>worse|weaker|worst|less \w+)"
    r"|(?P<right>right|correct|valid|sound)|(?P<wrong>wrong|incorrect|invalid|flawed))"
    r"|wins|agrees with (?:most|the most|the majority)"
    r"|(?P<loses>loses|stands alone|disagrees with (?:most|all|the))"
    r"|(?P<errs>fails|(?:makes|has|contains) an? (?:\w+ )?(?:error|mistake|fault)))\b"
    rf"|(?:(?:i|we) )?{_KEEP} " + _ONE.format("kept") + r"\b"
    rf"|(?:the|my) (?:choice|{_BEST}(?: solution| one)?) is " + _ONE.format("best") + r"\b"
    r"|(?P<nobody>neither(?: of them| solution)? is (?:the )?better"
    r"|i (?:cannot|can['’]t) (?:tell|say|decide)))"
)
_BETWEEN = re.compile(r"(,) (?=(?:the )?(?:solution|first|second|whereas)\b)")
_PLACES = {"first": 1, "second": 2}


def stance(reason: str) -> bool | None:
    """Whether a reason calls what is judged right, by the last clause that does so or calls it
    wrong; None where none does. One step that is right does not make the whole right."""
    if reason.strip(" .!*_").lower() == "no" or _SHOULD.search(reason.lower()):
        return False
    found = _last(_SAYS, reason)
    if found and found.re is not _SAYS:
        return False
    right = _affirmed(found, "right")
    return None if right and found and found["part"] else right


def bearing(reason: str) -> bool | Literal["silent"] | None:
    """Whether by a reason one text bears another out, or speaks against it, or tells nothing of it;
    None where it says none of these."""
    found = _last(_BEARS, reason)
    if found is None:
        return None
    if found["nowhere"]:
        return "silent"
    none = found["none"] or found[0].lstrip().startswith("nothing")
    denied = bool(none) or found["no"] is not None
    if found["out"]:
        return not denied
    if found["against"]:
        return None if none else denied
    return "silent" if bool(found["silent"]) != denied else None


def speaks_for(reason: str, number: int, *, alone: bool = False) -> bool:
    """Whether a reason goes with the choice of one of several solutions. By its last clause that
    compares it must be that one; where none does, none that is called wrong, or beside which
    another is called right, may be chosen.

    Args:
        number: Of the chosen solution, from 1.
        alone: Whether only what compares counts, as where the right one is not sought.
    """
    right, wrong, better = set[int](), set[int](), True
    for said in _all(_PREFERS, _BETWEEN.sub("; ", reason.lower())):
        if said["nobody"]:
            better = False
            continue
        named = said["one"] or said["kept"] or said["best"]
        one = _PLACES.get(named) or int(named)
        if said["right"] or said["wrong"] or said["errs"]:
            good = bool(said["right"]) != bool(said["no"])
            (right if good else wrong).add(one)
            (wrong if good else right).discard(one)
            continue
        for_it = bool(said["worse"] or said["loses"]) == bool(said["no"])
        better = for_it == (one == number)
        if better:
            right, wrong = set(), set()
    if alone or not better:
        return better
    return not (wrong == {number} or (right and number not in right))


def agreeing(said: object, decided: object) -> None:
    """See that a reason does not say something else than the decision behind it; None is neither.

    Raises:
        ValueError: If it does.
    """
    if None not in (said, decided) and said != decided:
        raise ValueError("the reason and the decision contradict each other")


def _last(says: re.Pattern[str], reason: str) -> re.Match[str] | None:
    """The last clause of a kind."""
    return next(reversed(_all(says, reason.lower())), None)


def _all(says: re.Pattern[str], reason: str) -> list[re.Match[str]]:
    """The clauses of a kind; of right and wrong also those that find a fault."""
    parts = _CLAUSE.split(reason)
    clauses = zip(parts[::2], [*parts[1::2], None], strict=True)  # each with what ends it
    read = [one for one, mark in clauses if mark != "?"]
    found = (says.match(one) or (_fault(one) if says is _SAYS else None) for one in read)
    return [one for one in found if one]


def _fault(clause: str) -> re.Match[str] | None:
    """Where a clause finds a fault, in whatever language."""
    return _FAULT.match(clause) or (None if _DENIED.search(clause) else _FOREIGN.search(clause))


def _affirmed(found: re.Match[str] | None, group: str) -> bool | None:
    return None if found is None else (found[group] is not None) != (found["no"] is not None)
