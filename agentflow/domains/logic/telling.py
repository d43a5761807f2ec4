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
from agentflow.domains.spelling import plain

SO, OPEN, UNSHOWN, POSSIBLE = "so: ", "open so: ", "unshown so: ", "possible so: "
FALSE, UNMENTIONED, WOULD = "false so: ", "unmentioned: ", "would: "
OUTCOMES = {
    SO: ("agree",),
    FALSE: ("contradict",),
    OPEN: ("uncertain",),
    UNSHOWN: ("contradict", "uncertain"),
    POSSIBLE: ("agree", "uncertain"),
}
"""What marks a claim as a ground -> what Z3 may find of it."""
UNUSED = "unused: "
"""What marks what the premises that are not needed speak of, or their numbers."""
_SAID = {"true": SO, "yes": SO, "false": FALSE, "no": FALSE, "uncertain": OPEN, "unknown": OPEN}

Of = tuple[str, str]
"""Who was named last, and what is supposed."""
_MAX_LINE, _MOST = 400, 20
_ITEM = re.compile(r"\A\s*(?:[-*•+]|\d{1,2}[.)])\s+")
_LETTERS = re.compile("[a-zA-Z]")
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
_WE, _US = r"(?:we|i|you|one)", r"(?:us|me|you|one)"
_LEAD = re.compile(
    r"(?i)(?:(?:you|we|one) (?:can|could) (?:also )?(?:get|arrive|come) (?:there|here|at"
    r" (?:it|this|that))"
    r" (?:by|via|through|in|on) (?:an)?other (?:route|way|path),?(?: too| as well| also)?: "
    r"|(?:as an aside|as a side note|so|thus|therefore|hence|then|finally|also|next|likewise"
    r"|similarly|moreover|indeed"
    r"|furthermore|additionally|incidentally|besides|clearly|note|remark|reason|reasoning|because"
    r"|explanation|why|justification|since|as|given that|consequently|and|again|in addition|now"
    r"|for what it is worth|in particular|in fact|in other words|by the way|for completeness|but"
    r"|on a side note|side note|to see (?:this|why)|here(?: is|['’]s) why|first"
    r"|recall|note|notice|observe|remember|keep in mind)\b(?: that\b)?[,:]? ?"
    rf"|(?:from|by|using|with|per|according to|given) {_PREMISE},? "
    rf"|by (?:modus (?:ponens|tollens)|contraposition|transitivity|elimination), "
    rf"|{_PREMISE} (?:also |then )?(?:says?|states?|tells? (?:us|me)|gives?|implies|imply|means?)"
    r"(?: us)?(?: that\b)?[,:]? "
    r"|there is (?:also )?an? (?:premise|rule|fact) (?:that says |saying |stating )?that "
    rf"|{_WE} (?:also |already |then |now )?(?:(?:can|could|may) (?:also |now "
    rf"|even )?)?(?:know|have|get|see"
    r"|conclude|infer|deduce|derive|find|show|are (?:told|given)|say)(?: that\b)?[,:]? "
    r"|(?:it|this) (?:also )?(?:follows|means|implies|shows)(?: from (?:this"
    r"|that))?(?: that\b)?[,:]? )"
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
    rf"(?i){_THE} (?:also |even |already )?(?:forces?|requires?|makes?) (?P<who>[A-Z]\w*)"
    rf" (?:to be )?"
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
    r"(?i)\bif (?P<who>[A-Z]\w*|someone|anyone|something) (?:were|was) (?P<what>[^,]+),"
    r" (?:then )?(?P<then>.+)"
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
    rf"|(?:it (?:is|remains) (?:open|unknown|undetermined)|{_THE} (?:do not|never|cannot)"
    rf" (?:say|tell"
    rf"(?: us)?|state|settle|decide|determine|show|specify)|(?:nothing in {_THE}|no premise"
    rf"|none of {_THE}) (?:says?|tells?(?: us)?|states?|decides?|settles?"
    rf"|shows?)(?: anything about)?"
    rf"|{_WE} (?:do not|cannot) (?:know|tell|say|determine)|there is no way to (?:know|tell)"
    r"|it cannot be (?:determined|decided|known)) (?:whether|if) (?:or not )?(?P<b>.+?)"
    r"|(?P<who>[A-Z]\w*) (?:may|might|could) or (?:may|might|could) not be (?P<what>.+)"
    r"|(?P<who2>[A-Z]\w*) (?:may|might|could) (?:be |either be )(?P<what2>.+?)(?:,? or"
    r" (?:may |might )?not(?: be)?)?"
)
_UNSHOWN = re.compile(
    rf"(?i)(?:{_THE} (?:do not|never) (?:say|tell us|state|imply|entail|mean|show|prove|force)"
    rf"|{_WE} cannot (?:conclude|infer|deduce|derive|say|show)|(?:it|this) (?:does not"
    rf" (?:follow|mean|imply)"
    rf"(?: from {_THE})?)|nothing(?: in {_THE})? (?:says|implies|shows|states|tells us"
    rf"|(?:lets|allows) {_US}(?: to)? (?:conclude|infer|deduce|say))|no premise (?:says"
    rf"|states|implies))"
    r" that (?P<what>.+)"
)
_POSSIBLE = re.compile(
    rf"(?i)(?:nothing in {_THE}|no premise|none of {_THE}) (?:rules? out|excludes?) that"
    rf" (?P<what>.+)"
)
_SUPPOSES = re.compile(
    r"(?i)(?:suppose|assume|imagine)(?:,? for (?:the sake of )?(?:a )?contradiction,?| instead)?"
    r" (?:that )?(?P<who>[A-Z]\w*) (?:is|were|was) (?P<what>[a-z ,-]+)"
)
_ABSURD = re.compile(
    rf"(?i)(?:which|this|that) (?:is (?:a contradiction|impossible|absurd)|(?:contradicts"
    rf"|conflicts"
    rf" with) (?:{_PREMISE}|what {_WE} (?:have |has )?(?:just |already )?(?:found|derived"
    rf"|shown|know|"
    r"established|are told)))|a contradiction"
)
_NEITHER = re.compile(
    rf"(?i)neither \W?(?P<one>[A-Z]\w* is [^\"“”]+?)\W? nor \W?(?P<other>[A-Z]\w* is [^\"“”]+?)\W?"
    rf" (?:can be (?:derived|proved|proven|shown|concluded|inferred|established)"
    rf"|(?:is entailed|follows?))"
    rf"(?: (?:from|by) {_THE})?"
)
_UNMENTIONED = re.compile(
    rf"(?i)(?:there (?:is|are) no (?:premises?|rules?|facts?)(?: given)? (?:about|on|mentioning"
    rf"|that mentions?|involving|concerning)|no (?:premise|rule|fact)s? (?:mentions?|speaks? of"
    rf"|is about|says? anything about|talks? about)|nothing in {_THE} mentions|none of {_THE}"
    rf" (?:mentions?|says? anything about)|{_THE} (?:do not|never) (?:mention|speak of|talk about"
    r"|say anything about)) (?:being )?(?P<what>[a-z]+)(?: at all| anywhere)?"
)
_OF_CLAIM = re.compile(
    rf"(?i)(?:the|this) (?:conclusion|statement"
    rf"|claim)(?: that)?(?: \W?(?P<of>[A-Z]\w* is [a-z ]+?)\W?)?"
    rf" (?:is|must be) (?:(?:therefore|thus|hence|then|directly|clearly) )?"
    rf"(?:(?P<said>true|false|uncertain|unknown)(?:,? (?:given|by|from) {_THE})?"
    rf"|(?P<no>(?:contradicted|ruled out|refuted) by {_THE})"
    rf"|(?P<yes>(?:entailed|implied|proved) by {_THE}))"
)
"""What is said of the conclusion; of which, if it is said again."""
_PREMISES = r"(?P<{0}>premises?|facts?|rules?|information|statements?)"
_IDLE = (
    r"(?:plays? no (?:role|part)|(?:is|are|was|were) (?:not (?:needed|used|required|relevant"
    r"|necessary)"
    r"|irrelevant|unnecessary|unused|superfluous|not needed at all)|(?:does|do|did) not (?:matter"
    r"|play (?:a|any) (?:role|part))|makes? no difference)"
    r"(?: (?:here|at all|for (?:this|the) (?:question|conclusion|answer|derivation)|to"
    r" (?:this|the) (?:question|conclusion)))?"
)
_UNUSED = re.compile(
    rf"(?i)(?:the|all|both|any) (?:other )?{_PREMISES.format('kind')} (?:about|on|concerning"
    rf"|involving|mentioning)"
    rf" (?P<about>[A-Z]\w*(?:(?:,| and|, and) [A-Z]\w*)*) {_IDLE}"
    rf"|(?:premises?|rules?|facts?) (?P<numbers>\d{{1,2}}(?:(?:, and |, "
    rf"| and )\d{{1,2}})*) {_IDLE}"
)

_BEING = re.compile(r"(?i)\A(?:being )?([a-z]+) (?:means|implies) (?:being )?([a-z]+)\Z")
_WHO_ARE = re.compile(
    r"(?i)\A(?:all |those )?(?:people|persons|individuals|things|animals|ones) (?:who|that) are"
    r" (?P<what>[a-z ]{2,40}?) are (?=[a-z])"
)
_MUST = re.compile(r"(?i)\b(?:(?:must|will|has to|have to|does have to) be|must have been)\b")
_CANNOT = re.compile(
    r"(?i)\b(?:(?:cannot|can['’]t|can not|must not|could not|couldn['’]t|will not|won['’]t)"
    r"(?: possibly)? be|isn['’]t)\b"
)
_ADDS = re.compile(
    r"(?i)(?<=is |re )(?:(?:also|therefore|thus|hence|indeed|definitely|necessarily|certainly"
    r"|then|clearly|logically|both|directly|likewise|(?:guaranteed|concluded|stated|known"
    r"|said|given|shown"
    r"|implied|inferred) to be|the one who is|someone who is) )+"
    r"|(?: too| as well|,? (?:by|from|via|per|according to) (?:modus ponens|modus tollens"
    r"|the rule"
    r"|definition|transitivity))\Z|\s*[✓✔✅]\Z"
)
_PERSON = re.compile(r"(?i)\b(is|are)( not)? an? ([a-z]+) (?:person|individual|one|thing|animal)\Z")
_HAS = re.compile(r"(?i)\bhas the (?:property|quality|attribute) of being ")


def cut(text: str) -> tuple[str, list[str]]:
    """A text without its last lines that are understood, and what they say, as grounds."""
    lines, grounds = text.rstrip().split("\n"), list[str]()
    while len(lines) > 1 and len(grounds) < _MOST:
        told = read(lines[-1]) if _LETTERS.search(lines[-1]) else []
        if told is None:
            break
        grounds = [*told, *grounds]
        lines.pop()
    return "\n".join(lines), grounds


def read(line: str) -> list[str] | None:
    """What a line says, as grounds; None if it is not understood."""
    grounds, left, _ = understood(_ITEM.sub("", line, count=1).strip(" *_()[]"), ("", ""))
    return None if _LETTERS.search(left) else grounds


def understood(line: str, of: Of) -> tuple[list[str], str, Of]:
    """(what the sentences of a line say that are understood, the others, what is left to the next
    line); in the place of those stands who was named last."""
    if len(line) > _MAX_LINE:
        return [], line, ("", "")
    grounds, left = list[str](), list[str]()
    for sentence in _SENTENCE.split(line):
        plainly = _ITEM.sub("", _spelled_out(sentence).replace("*", ""), count=1)
        if found := _read(plainly.strip(" .!()_"), of):
            grounds += found[0]
            of = found[1]
            if left and _LETTERS.search(left[-1]):
                left.append(f"{of[0]}.")
        else:
            left.append(sentence)
            of = "", ""
    return grounds, " ".join(left), of


def _spelled_out(sentence: str) -> str:
    """Without short forms (``isn't``, ``she's``)."""
    sentence = plain(sentence)
    for short, full in _NOT:
        sentence = re.sub(short, full, sentence)
    return _VERB.sub(" is", sentence)


@lru_cache(maxsize=4_096)
def _read(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """What a sentence, or a part of one, says: as one claim, else as two joined ones."""
    while lead := _LEAD.match(text):
        text = text[lead.end() :]
    if found := _claim(text, of):
        return found
    for joint in _JOINED.finditer(text):
        one = _read(text[: joint.start()], of) if text[: joint.start()].strip() else None
        other = _read(text[joint.end() :], one[1]) if one else None
        if one and other:
            return one[0] + other[0], other[1]
    return None


def _claim(text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
    """(the grounds that a clause is, what it leaves to those behind); None if not understood."""
    text = _TAIL.sub("", text.strip(' "“”'))
    if unused := _UNUSED.fullmatch(text):
        return (UNUSED + (unused["about"] or unused["numbers"]),), of
    if unmentioned := _UNMENTIONED.fullmatch(text):
        return (UNMENTIONED + unmentioned["what"],), of
    if supposed := _SUPPOSES.fullmatch(_named(text, of[0])):
        return (), (supposed["who"], f"{supposed['who']} is {supposed['what']}")
    if of[1] and _ABSURD.fullmatch(text):
        return _marked(FALSE, of[1], (of[0], ""))
    if neither := _NEITHER.fullmatch(text):
        one, other = _marked(UNSHOWN, neither["one"], of), _marked(UNSHOWN, neither["other"], of)
        return (one[0] + other[0], other[1]) if one and other else None
    if told := _OF_CLAIM.fullmatch(text):
        said = (told["said"] or ("no" if told["no"] else "yes")).lower()
        ground = {SO: "True", FALSE: "False", OPEN: "Uncertain"}[_SAID[said]]
        again = _marked(_SAID[said], told["of"], of) if told["of"] else ((ground,), of)
        return (again[0], of) if again else None
    if open_ := _LEFT_OPEN.fullmatch(text):
        who, what = open_["who"] or open_["who2"], open_["what"] or open_["what2"]
        return _marked(OPEN, open_["a"] or open_["b"] or f"{who} is {what}", of)
    for mark, pattern in ((UNSHOWN, _UNSHOWN), (POSSIBLE, _POSSIBLE)):
        if found := pattern.fullmatch(text):
            return _marked(mark, found["what"], of)
    if of[0] and _PROPERTY.fullmatch(text):
        text = f"{of[0]} is {text.removeprefix('is ')}"
    return _marked(SO, text, of) or _marked(SO, _NOUN.sub(r"\1 is a \2", text), of)


def _marked(mark: str, text: str, of: Of) -> tuple[tuple[str, ...], Of] | None:
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
    return ((WOULD if under else mark) + claim,), (name, under)


def _named(text: str, name: str) -> str:
    """A clause with the name in the place of ``he``."""
    if not name or _ANYONE.search(text):
        return text
    text = _MAKES.sub(f"{name} is ", text)
    return _HE.sub(name, text)


def in_short(ground: str) -> str:
    """What is said of a thing, in the words of a premise: ``Alex must be happy`` is ``Alex is
    happy``."""
    ground = _BEING.sub(r"Everyone who is \1 is \2", ground)
    ground = _WHO_ARE.sub(r"Everyone who is \g<what> is ", ground)
    ground = _CANNOT.sub("is not", _MUST.sub("is", _HAS.sub("is ", ground)))
    return _PERSON.sub(r"\1\2 \3", _ADDS.sub("", ground))
