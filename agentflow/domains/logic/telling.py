"""What plain sentences behind an answer say of the things of a problem, each to be judged.

    Since Dana is not tall, she is quiet, and all quiet people are busy.
    If Gary were proud, he would be tall.       Whether Hanna is tired remains open.
    The premise about Alex plays no role here.

A sentence is read to its last word, into claims of the controlled English, or not at all. Which of
two readings of a sentence is meant does not matter: the one taken here says at least as much.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agentflow.domains.logic import english
from agentflow.domains.logic.claims import LISTED
from agentflow.domains.logic.last_line import in_short
from agentflow.domains.spelling import plain

SO, OPEN, UNSHOWN, POSSIBLE = "so: ", "open so: ", "unshown so: ", "possible so: "
OUTCOMES = {
    SO: ("agree",),
    OPEN: ("uncertain",),
    UNSHOWN: ("contradict", "uncertain"),
    POSSIBLE: ("agree", "uncertain"),
}
"""What marks a claim as a ground -> what Z3 may find of it."""
UNUSED = "unused: "
"""What marks what the premises that are not needed speak of, or their numbers."""

_MAX_LINE, _MOST = 400, 20
_ITEM = re.compile(r"\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_SENTENCE = re.compile(r"(?<=[.!?])[)*_]*\s+(?=\W*[A-Z])")
_NOT = (
    (r"\bit['’]s worth", "it is worth"),
    (r"\bcan['’]t\b", "cannot"),
    (r"\bwon['’]t\b", "will not"),
    (r"n['’]t\b", " not"),
)
_VERB = re.compile(r"(?<=\b(?:[Hh]e|[Ww]e))['’](?:s|re)\b|(?<=\b(?:[Ss]he))['’]s\b")
_THE = r"(?:(?:all )?(?:of )?(?:the|these) (?:\w+ )?(?:premises|facts|rules|statements))"
_PREMISE = rf"(?:(?:premise|rule|fact) \d{{1,2}}|the (?:\w+) (?:premise|rule|fact)|{_THE}|{LISTED})"
_WE = r"(?:we|i|you|one)"
_LEAD = re.compile(
    r"(?i)(?:(?:you|we|one) (?:can|could) (?:also )?(?:get|arrive|come) (?:there|here|at (?:it|this|that))"
    r" (?:by|via|through|in|on) (?:an)?other (?:route|way|path),?(?: too| as well| also)?: "
    r"|(?:so|thus|therefore|hence|then|finally|also|next|likewise|similarly|moreover|indeed"
    r"|furthermore|additionally|incidentally|besides|clearly|note|remark|reason|reasoning|because"
    r"|explanation|why|justification|since|as|given that|consequently|and|again|in addition|now"
    r"|for what it is worth|in particular|in fact|in other words|by the way|as an aside|for completeness|but"
    r"|as a side note|on a side note|side note|to see (?:this|why)|here(?: is|['’]s) why|first"
    r"|recall|note|notice|observe|remember|keep in mind)\b(?: that\b)?[,:]? ?"
    rf"|(?:from|by|using|with|per|according to|given) {_PREMISE}, "
    rf"|by (?:modus (?:ponens|tollens)|contraposition|transitivity|elimination), "
    rf"|{_PREMISE} (?:also |then )?(?:says?|states?|tells? (?:us|me)|gives?|implies|imply|means?)"
    r"(?: us)?(?: that\b)?[,:]? "
    rf"|{_WE} (?:also |already |then |now )?(?:(?:can|could|may) (?:also |now |even )?)?(?:know|have|get|see"
    r"|conclude|infer|deduce|derive|find|show|are (?:told|given)|say)(?: that\b)?[,:]? "
    r"|(?:it|this) (?:also )?(?:follows|means|implies|shows)(?: from (?:this|that))?(?: that\b)?[,:]? )"
)
"""What claims nothing in front of a claim."""
_JOINED = re.compile(
    r",? (?:and |but )?(?:so|thus|therefore|hence|consequently)\b,? (?:that )?"
    r"|,? (?:and|but|while|whereas|because|since|as|which (?:also )?(?:means|implies)(?: that)?"
    r"|meaning(?: that)?)\b,? | ?(?:→|⇒|=>|->) ?|[;:] | [—–-] |, "
)
"""What may stand between two claims."""
_ANYONE = re.compile(r"(?i)\b(?:(?:some|any|every|no)(?:one|body| one)|people|whoever)\b")
_OF_ONE = re.compile(r"(?:If )?([A-Z][a-z]+) is (?!.*\b(?!\1\b)[A-Z][a-z])")
"""Who a claim speaks of, if of one only."""
_OTHERS = re.compile(r"\A[A-Z]\w* is |.\b[A-Z][a-z]")
_FORCES = re.compile(
    rf"(?i){_THE} (?:also |even |already )?(?:forces?|requires?|makes?) (?P<who>[A-Z]\w*) (?:to be )?"
)
_HE = re.compile(r"(?i)\b(?:he|she)\b")
_MAKES = re.compile(r"(?i)(?:which|this|that) makes (?:him|her) (?:also )?")
_ALSO = re.compile(
    r"(?i)(?<=is )(?:not (?=.* either\Z))?(?:also|thus|therefore|hence|then|indeed) "
)
_TAIL = re.compile(
    r"(?i),? (?:too|as well|either|here|by (?:modus (?:ponens|tollens)|contraposition))\Z"
)
_WERE = re.compile(
    r"(?i)\bif (?P<who>[A-Z]\w*|someone|anyone|something) (?:were|was) (?P<what>[^,]+), (?:then )?(?P<then>.+)"
)
_WOULD = re.compile(
    r"(?i)(?P<who>\w+) would (?:(?:also|then|therefore|have to) )*(?P<not>not )?"
    r"(?:(?:also|then|therefore|have to) )*be "
)
_PROPERTY = re.compile(r"(?:is )?(?:not )?(?:an? )?[a-z-]+")
"""What goes on about who was named: ``Max is a wumpus but not red``"""
_NOUN = re.compile(r"\A([A-Z]\w*) is ([a-z]+)\Z")
_WHO_IS = re.compile(r"(?i)^(?P<who>any|every)(?:one|body) (?!who\b|that\b)(?P<what>[a-z-]+) is ")
_LEFT_OPEN = re.compile(
    r"(?i)whether (?:or not )?(?P<a>.+?) (?:remains|is|stays)(?: left)? (?:open|unknown"
    r"|undetermined|undecided|unclear|uncertain)"
    rf"|(?:it (?:is|remains) (?:open|unknown|undetermined)|{_THE} (?:do not|never|cannot) (?:say|tell"
    rf"(?: us)?|state|settle|decide|determine|show|specify)|(?:nothing in {_THE}|no premise"
    rf"|none of {_THE}) (?:says?|tells?(?: us)?|states?|decides?|settles?|shows?)(?: anything about)?"
    rf"|{_WE} (?:do not|cannot) (?:know|tell|say|determine)|there is no way to (?:know|tell)"
    r"|it cannot be (?:determined|decided|known)) (?:whether|if) (?:or not )?(?P<b>.+?)"
    r"|(?P<who>[A-Z]\w*) (?:may|might|could) or (?:may|might|could) not be (?P<what>.+)"
    r"|(?P<who2>[A-Z]\w*) (?:may|might|could) (?:be |either be )(?P<what2>.+?)(?:,? or (?:may |might )?not(?: be)?)?"
)
_UNSHOWN = re.compile(
    rf"(?i)(?:{_THE} (?:do not|never) (?:say|tell us|state|imply|entail|mean|show|prove|force)"
    rf"|{_WE} cannot (?:conclude|infer|deduce|derive|say|show)|(?:it|this) (?:does not (?:follow|mean|imply)"
    rf"(?: from {_THE})?)|nothing in {_THE} (?:says|implies|shows|states)|no premise (?:says|states|implies))"
    r" that (?P<what>.+)"
)
_POSSIBLE = re.compile(
    rf"(?i)(?:nothing in {_THE}|no premise|none of {_THE}) (?:rules? out|excludes?) that (?P<what>.+)"
)
_PREMISES = r"(?P<{0}>premises?|facts?|rules?|information|statements?)"
_IDLE = (
    r"(?:plays? no (?:role|part)|(?:is|are|was|were) (?:not (?:needed|used|required|relevant|necessary)"
    r"|irrelevant|unnecessary|unused|superfluous|not needed at all)|(?:does|do|did) not (?:matter"
    r"|play (?:a|any) (?:role|part))|makes? no difference)"
    r"(?: (?:here|at all|for (?:this|the) (?:question|conclusion|answer|derivation)|to (?:this|the) (?:question|conclusion)))?"
)
_UNUSED = re.compile(
    rf"(?i)(?:the|all|both|any) (?:other )?{_PREMISES.format('kind')} (?:about|on|concerning|involving|mentioning)"
    rf" (?P<about>[A-Z]\w*(?:(?:,| and|, and) [A-Z]\w*)*) {_IDLE}"
    rf"|(?:premises?|rules?|facts?) (?P<numbers>\d{{1,2}}(?:(?:, and |, | and )\d{{1,2}})*) {_IDLE}"
)


def cut(text: str) -> tuple[str, list[str]]:
    """A text without its last lines that are understood, and what they say, as grounds."""
    lines, grounds = text.rstrip().split("\n"), list[str]()
    while len(lines) > 1 and len(grounds) < _MOST:
        told = read(lines[-1]) if lines[-1].strip() else []
        if told is None:
            break
        grounds = [*told, *grounds]
        lines.pop()
    return "\n".join(lines), grounds


def read(line: str) -> list[str] | None:
    """What a line says, as grounds; None if it is not understood."""
    line = _ITEM.sub("", line, count=1).replace("*", "").strip(" _()[]")
    if not line or len(line) > _MAX_LINE:
        return None
    grounds, name = list[str](), ""
    for sentence in _SENTENCE.split(line):
        found = _read(_spelled_out(sentence).rstrip(" .!)"), (name, ""))
        if found is None:
            return None
        grounds += found[0]
        name = found[1][0]
    return grounds


def _spelled_out(sentence: str) -> str:
    """Without short forms (``isn't``, ``she's``)."""
    sentence = plain(sentence)
    for short, full in _NOT:
        sentence = re.sub(short, full, sentence)
    return _VERB.sub(" is", sentence)


Of = tuple[str, str]
"""Who was named last, and what is supposed."""


@lru_cache(maxsize=4_096)
def _read(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """What a sentence, or a part of one, says: as one claim, else as two joined ones."""
    while lead := _LEAD.match(text):
        text = text[lead.end() :]
    if found := _claim(text, of):
        return (found[0],), found[1]
    for joint in _JOINED.finditer(text):
        one = _read(text[: joint.start()], of) if text[: joint.start()].strip() else None
        other = _read(text[joint.end() :], one[1]) if one else None
        if one and other:
            return one[0] + other[0], other[1]
    return None


def _claim(text: str, of: Of) -> tuple[str, Of] | None:
    """(the ground that a clause is, what it leaves to those behind); None if not understood."""
    text = _TAIL.sub("", text.strip(' "“”'))
    if unused := _UNUSED.fullmatch(text):
        return UNUSED + (unused["about"] or unused["numbers"]), of
    if open_ := _LEFT_OPEN.fullmatch(text):
        who, what = open_["who"] or open_["who2"], open_["what"] or open_["what2"]
        return _marked(OPEN, open_["a"] or open_["b"] or f"{who} is {what}", of)
    for mark, pattern in ((UNSHOWN, _UNSHOWN), (POSSIBLE, _POSSIBLE)):
        if found := pattern.fullmatch(text):
            return _marked(mark, found["what"], of)
    if of[0] and _PROPERTY.fullmatch(text):
        text = f"{of[0]} is {text.removeprefix('is ')}"
    return _marked(SO, text, of) or _marked(SO, _NOUN.sub(r"\1 is a \2", text), of)


def _marked(mark: str, text: str, of: Of) -> tuple[str, Of] | None:
    name, under = of
    text = _FORCES.sub(r"\g<who> is ", _named(text, name), count=1)
    if were := _WERE.fullmatch(text):
        under = f"{were['who']} is {were['what']}"
        text = were["then"] if were["who"].islower() else _HE.sub(were["who"], were["then"])
    elif not _WOULD.search(text):
        under = ""
    text = _WOULD.sub(lambda one: f"{one['who']} is {one['not'] or ''}", text) if under else text
    claim = _WHO_IS.sub(r"\g<who>one who is \g<what> is ", in_short(_ALSO.sub("", text)))
    claim = f"If {under}, then {claim}" if under else claim
    if ";" in claim or not english.is_sentence(claim[:1].upper() + claim[1:]):
        return None
    if who := None if _ANYONE.match(claim) else _OF_ONE.match(claim):
        name = who[1]
    elif _OTHERS.search(claim):
        name = ""
    return mark + claim, (name, under)


def _named(text: str, name: str) -> str:
    """A clause with the name in the place of ``he``."""
    if not name or _ANYONE.search(text):
        return text
    text = _MAKES.sub(f"{name} is ", text)
    return _HE.sub(name, text)
