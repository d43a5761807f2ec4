"""What a text concludes, and what it says of a thing around that."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from agentflow.domains import answers, narration
from agentflow.domains.answers import behind as answer_behind
from agentflow.domains.answers import clauses as answer_clauses
from agentflow.domains.answers import conclusions
from agentflow.domains.answers.doubt import SECOND_THOUGHTS, TAKEN_BACK
from agentflow.domains.answers.remark_words import SMILEYS
from agentflow.domains.logic import english, formulas, question, telling, wordings
from agentflow.domains.logic.claims import LEAD
from agentflow.domains.logic.wordings import BESIDE
from agentflow.domains.spelling import lowered, word_set

MAX_LINE = 600
"""Characters of a line that are read."""
ADJECTIVE = "|".join(question.ADJECTIVES)
_ITEM = re.compile(r"\A[\W_]*\d{1,2}[.)]\s+")
_ORIGIN = re.compile(
    r"(?<=[a-z*✓✔])[.,]? [(\[](?!(?:true|false|uncertain|unknown)\b)(?:[PRFprf]\d{1,2}"
    r"|[a-zA-Z][^()\[\]\n]{1,59}"
    r"[^()\[\]\n.]|[\d, ]{1,20}|\d[\d, and]{0,20})[)\]](?=[\s.,;]|\Z)"
)
"""Where a claim comes from: ``(by modus ponens, 1, 2)``."""
_SO = (
    r"(?:so|thus|therefore|hence|finally|overall|in conclusion|(?:this|that) means(?: that)?)\b"
    r"[,:]? ?[*_]*"
)
_FROM = (
    r"(?:(?:(?:from|based on|given|by|according to) (?:all )?(?:the|these)"
    r" (?:(?:given|above|provided) )?(?:premises|facts|information|statements|rules|context))"
    r"(?: (?:given|provided|above))?(?: and (?:the )?(?:logical )?(?:deductions|rules|reasoning))?)"
)
_ATOMS = r"[A-Z]\w* (?:is|are) (?:not )?(?:an? )?[a-z][\w-]*"
_SUBJECT = (
    r"(?:(?:the )?(?:final |truth |correct )?(?:value|verdict|conclusion|result|classification)"
    r"(?: of the (?:statement|conclusion))?(?: is)?[\W_]+"
    r"|(?:conclusion:[\W_]*)?(?:the|this) (?:given )?(?:statement|conclusion|claim|proposition)"
    r" (?:(?:is|must be)|holds ?[:,])"
    r" (?:therefore |thus |hence )?[\W_]*)"
)
_OPEN = (
    r"(?:(?:the|this) (?:statement|conclusion|claim) |it )?(?:cannot|can't|can not) be determined"
    r"|there is (?:not enough|insufficient) information"
)
_CONCLUDED = re.compile(
    rf"(?i)[\W_]*(?:(?-i:{_ATOMS}(?:,? and {_ATOMS})*), )?(?:{_SO})?(?:{_FROM},? )?"
    rf"(?:(?:{_SO}(?:it is [*_]*)?|{_SUBJECT})(?:(?:logically|necessarily) )?(?P<said>{ADJECTIVE})"
    rf"|(?P<open>{_OPEN}))(?:,? {_FROM}| to (?:tell|decide|determine))?[.!\s*_`\"')$]*"
)
"""What a last line concludes."""
IT = re.compile(
    rf"(?i)[\s*_]*(?:it|this) is (?:logically )?[\s*_\"'$]*(?P<said>{ADJECTIVE})[.!\s*_]*"
)
"""A text that says nothing else: ``It is true.``"""
_REASONED = re.compile(
    rf"(?i)[\W_]*(?:{_SO})?(?:{_SUBJECT})?(?P<said>true|false|uncertain)\b[*_]*[,:;]? "
    r"(?P<why>(?:because|since|as) [^.?!\n]+)\.?"
)
"""``True, because Alex is kind.``"""
_LEFT_OPEN = re.compile(
    rf"(?i)[\W_]*(?:{_SO})?(?:{_SUBJECT})?(?P<said>uncertain|unknown|undetermined)\b[*_]*"
    r"\s?[,:;–—-]\s?(?:(?:because|since|as) )?(?P<why>[^.?!\n]+)\.?"
)
"""``Uncertain, the premises do not tell.``"""
_ATOM = re.compile(
    r"(?!(?:The|This|That|It|There|They|He|She|We|I|Which|What|So|Answer|Conclusion|Option)\b)"
    r"[A-Z]\w* (?:is|are) (?:not )?(?:an? )?[a-z][\w-]*"
)
_ASKED = re.compile(
    r"(?m)^(?:[^\w\n]|_)*(?P<verb>Is|Are) (?P<who>[A-Z]\w*) (?P<what>[a-z ]{2,40})\?[^\w\n]*$"
)
"""A question above an answer: ``Is Alex happy?``"""
_DENIED = re.compile(
    r"(?i)it is (?:not|never|by no means|in no way|far from|anything but) "
    r"(?:(?:at all|really|actually) )?(?:the case|true|so) that .*|(?:he|she) is not [a-z]+"
)
"""What is denied of a thing, whether or not its name is known."""
_PRONOUN = re.compile(r"(?i)(?:he|she|they) (?:is|are)(?= [a-z])")
_NUMBERED = re.compile(r"\b[Pp]remises? (\d{1,3}(?:(?:, and |, | and )\d{1,3}){0,20})\b")
_RULE = re.compile(r"\b[Ii]f [^.!?,;:\n\"“”]{3,160}(?:, then|,| then) [^.!?,;:\n\"“”]{3,80}")
_NAME = re.compile(r"[A-Z]\w*")
_GOES_ON = re.compile(r"(?:is|are|was|were|has|had|does|must|can|cannot|will)\b .*")
"""What goes on about a thing behind a clause: ``Alex, being kind, is happy``."""
_WHICH_IS = re.compile(
    r"(?:which|who) (?P<is>(?:is|are) (?:not )?(?:an? )?"
    r"(?!(?:given|known|stated|clear|true|why|how|what|possible|consistent)\b)[a-z]+)"
)
"""What a relative clause says of it: ``Tom is a cat, which is not an animal``."""
_NOT_SO = re.compile(r"not (?!true\b|false\b)[a-z]+")
"""What is denied of a thing behind a clause: ``Alex is kind, but not happy``."""
_LABELLED = re.compile(
    r"(?i)(?:true|false|uncertain|unknown|result|therefore)\s*[:–—-]\s*(?=[A-Z])"
)
_ENTAILED = re.compile(
    r"(?i)(?:the|these) (?:premises|facts|statements|rules) (?:clearly |together )?"
    r"(?:entail|imply|prove|establish|support)s? that (?=[A-Z])"
)
_CITED = re.compile(
    r"(?i)(?:the )?(?:premise|rule|fact|statement) \d{1,2} (?:also )?(?:says?|states?|tells? us)"
    r"(?: that)?[\s:]*"
)
MARKS = {
    "against: ": {"False"},
    "open: ": {"False", "Uncertain"},
    "for: ": {"True"},
    "silent: ": {"Uncertain"},
    "decided: ": {"True", "False"},
}
"""What marks a ground that says how the premises and the conclusion go together -> how it does, and
the answers that it goes with."""
CITES = "cites premise: "
"""What marks the highest number of a premise that a text speaks of."""
UNREAD = "unread: "
"""What marks a ground that nobody understands: no answer goes with it."""
_OF_PROBLEM = re.compile(r"\b(?:premis|rule|fact|formal)\w*|\\(?:l?neg|lnot)\b|¬ ?\(?[\"“]")
"""What speaks of the problem itself, or denies a sentence by a sign."""
_FORMULA = re.compile(r"\w\(\w")
_OF_PROBLEM_WORDS = word_set("""
    alone analyse analyze applies apply applying chain choice clarify combine conclude
    conclusion conclusions contradicts deduce derive direct evidence examine fact facts formal
    formalize given inference logic logical logically premise premises property rule rules
    statement statements translate truth
""")
"""Words that claim nothing of it."""

_NO_RULE = re.compile(r"(?i)\b(?:affirming the consequent|denying the antecedent|by definition)\b")
"""What no conclusion follows by."""
_MAY_BE = re.compile(r"\b(?:[A-Z]\w*|people) (?:might|may|could|tends? to) be [a-z]+")
"""What is not said to be so."""

CONCLUDES = "conclusion: "
"""What marks a ground that is said to be the conclusion."""
_CONCLUDES = re.compile(r"(?i)(?:the )?conclusion\s*:\s*(?=[A-Z])")
_MAX_GROUND = 100
_GIVEN = (
    rf"(?i)[\W_]*(?:{_SO}|conclusion:[\W_]*)?(?:the|this) (?:given )?(?:statement|conclusion|claim)"
)
_AGAIN = r"[\"“'‘*]*(?P<of>\w[^.\"“”*]{2,200}?)[.\"”'’*]*"
_QUOTED = (
    re.compile(
        rf"{_GIVEN}(?: that)?[\s:,]*{_AGAIN},? (?:is|must be|remains)"
        r" (?:therefore |thus |hence )?[*_]*"
        rf"(?:\(?[A-E]\)?[.):]* )?(?P<said>{ADJECTIVE})[*_]*(?:,? {_FROM})?[.!\s*_]*"
    ),
    re.compile(
        rf"(?i)[\W_]*(?:{_SO})?whether (?P<of>[^.?!,]{{3,200}}?) (?:is|remains)"
        r"(?: therefore)? [*_]*"
        r"(?P<said>unknown|uncertain|undetermined)[.!\s*_]*"
    ),
    re.compile(
        rf"{_GIVEN} (?:is|must be) (?:therefore |thus |hence )?[*_]*(?P<said>{ADJECTIVE})[*_]*:"
        rf"[*_]* {_AGAIN}\s*"
    ),
    re.compile(
        rf"(?i)[\W_]*(?:{_SO})?[\"“](?P<of>[^\"“”]{{3,200}}?)\.?[\"”] (?:is|must be) "
        rf"(?:therefore )?(?P<said>{ADJECTIVE})[.!\s*_]*"
    ),
    re.compile(
        rf"(?:(?i:{_SO}))?(?P<of>[A-Z]\w* (?:is|are) [a-z ]{{2,60}}?) ?(?:[:→]|=>|⇒) ?"
        rf"(?P<said>(?i:{ADJECTIVE}))[.!\s*_]*"
    ),
)
"""What a last line concludes of a sentence that it says again."""
_SAYS_SO = re.compile(rf"{_SO}(?:the|this) (?:statement|conclusion)", re.IGNORECASE)
_SAYS_AGAIN = re.compile(
    rf"(?i)(?:{_SO})?(?:(?:the|this) (?:statement|conclusion|claim)\b|whether [A-Z])"
)
_LEFT = re.compile(r"(?i)\b(?:unknown|uncertain|undetermined)[.!\s*_`\"')]*\Z")
_OF_OTHERS = re.compile(
    r"\b(?:lie[sd]?|lying|says?|said|claim(?:s|ed)|think|thinks|thought|told|tells?|world|dream|story|joke"
    r"|suppos\w+|assum\w+|imagin\w+|pretend\w*|perhaps|maybe|might|probabl\w+|guess\w*|unless"
    r"|would|ignor\w+|opposite|contrary|wrong|mistake\w*|i|answer)\b"
)
"""What in front of a conclusion is somebody else's, or not for sure."""
_AND_SO = re.compile(
    r"(?i)(?P<before>(?!if\b)[^\n]{3,}?),? "
    r"(?:(?:and|so|and so|hence,?|thus,?|therefore,?) )?(?<=[, ])"
    r"(?P<said>(?:the|this) (?:statement|conclusion|claim)\b[^,]{3,200}"
    r"|[\"“][^\"“”]{3,200}[\"”] is [^,]{3,40})"
)
"""A sentence that concludes in its last clause: ``Ben is not kind, and the statement is false``."""
_OF_CONCLUSION = re.compile(r"(?i)(?:^|[.:*] )(?:the|this) (?:conclusion|statement)\b[^.]*\Z")
"""A sentence of which ``it`` is the conclusion behind it."""
_ALONE = re.compile(
    r"(?im)^[ \t*_>$]*(?:[-*+] \[x\] |[☑✅✓✔][ \t*_]*|\\boxed\{(?=\w+\}))?"
    r"(?:(?:so|thus|hence|therefore),? )?(?:the (?:result|verdict) is )?"
    r"(true|false|uncertain|unknown)(?: is the (?:correct |right )?answer)?[ \t*_.}$]*$"
)
"""A line that is a truth value, or an option with a tick."""
_COMES_TO = re.compile(
    r"(?m)(?:^|(?<=[.!?] ))[ \t]*(?P<lead>[^.!?\n|]*[a-z,:;]) (?P<said>True|False|Uncertain)"
    r"[.!* \t]*(?=$|[A-Z])|^[ \t]*\|[ *]*(?P<cell>True|False|Uncertain)[ *]*\|[ \t]*$"
)
"""A sentence that ends in a truth value: ``So we get False.`` A table with nothing else."""
_COMING_WORDS = word_set("""
    arrive arriving brief concluding dr nutshell overall program returns run running script short
    small sum tl turn turns was were
""")
_SAID_ABOVE = re.compile(
    r"(?i)(?:the|this) (?:conclusion|statement|claim|hypothesis) (?:is|must be) "
    r"(?:therefore |thus |clearly )?(?P<said>true|false|uncertain|unknown)"
)


def concluded(line: str) -> str | None:
    """What the last sentence of a line concludes, where those before it may lead up to it; or its
    last clause."""
    line = line.rstrip(f" {SMILEYS}")
    before, stop, sentence = line[-MAX_LINE:].rstrip().rpartition(". ")
    begins = _SAYS_SO.match(sentence) or all(map(_ATOM.fullmatch, before.split(". ")))
    told = [line]
    if stop and (_OF_CONCLUSION.search(before) or begins) and answers.leads_up(f"{before}."):
        told = [sentence]
    elif stop and _SAYS_AGAIN.match(sentence):
        left = _LEFT.search(sentence) and _is_settled(before)
        told += [sentence] if left or _tells_of_things(before) else []
    clause = _AND_SO.fullmatch(sentence)
    if clause and _tells_of_things(f"{before}. {clause['before']}"):
        told.append(clause["said"])
    return next(filter(None, map(_concluded, told)), None)


def said_again(text: str) -> tuple[str, str]:
    """(a text without a last paragraph that says of a sentence what it is, that): ``A) True``,
    and below ``The statement "Bob is white" is true``."""
    front, stop, last = text.rstrip().rpartition("\n\n")
    quoted = _QUOTED[0].fullmatch(last) if stop and "\n" not in last else None
    return (front, f'"{quoted["of"]}" is {quoted["said"]}') if quoted else (text, "")


def _tells_of_things(text: str) -> bool:
    """Whether what stands before a conclusion tells of things alone, and of them for sure."""
    low = lowered(text)
    doubts = TAKEN_BACK.search(text) or SECOND_THOUGHTS.search(text) or _OF_OTHERS.search(low)
    return not (doubts or answers.asks(text) or answers.supposed(text, False))


def _is_settled(text: str) -> bool:
    """Whether what stands before an Uncertain, and may doubt anything, does not think aloud."""
    low = lowered(text)
    aloud = TAKEN_BACK.search(text) or SECOND_THOUGHTS.search(text) or answers.asks(text)
    return not (aloud or re.search(r"\b(?:i|maybe|perhaps|suppose|guess|answer|wrong)\b", low))


def _concluded(line: str) -> str | None:
    """What a sentence concludes."""
    for pattern in _QUOTED:
        if quoted := pattern.fullmatch(line):
            return f'"{quoted["of"]}" is {quoted["said"]}'
    if found := _CONCLUDED.fullmatch(line):
        return found["said"] or "cannot be determined"
    open_ = _LEFT_OPEN.fullmatch(line)
    if open_ and answer_behind.leaves_open(open_["why"]):
        return open_["said"]
    reasoned = _REASONED.fullmatch(line)
    stands = reasoned and answer_clauses.goes_on(reasoned["why"], reasoned["said"])
    return reasoned["said"] if reasoned and stands else None


def grounds(text: str) -> list[str]:
    """What a text says around its answer of a thing by its name (``Alex is not happy``), or of
    all."""
    atoms, name = list[str](), ""
    unjudged = _ORIGIN.sub("", "\n".join(_no_steps(text))).replace("**", "")
    bare = _ORIGIN.sub("", text)
    lines = set(_no_steps(bare))
    claimed, region = _understood(conclusions.around_answer(bare), lines)
    if not answers.thinks_aloud(bare):
        further, _ = _understood(conclusions.reach(bare), lines)
        claimed += [one for one in further if one.startswith(tuple(wordings.OUTCOMES))]
    for clause in conclusions.clauses_of(region):
        ground = _claim_of(clause).rstrip(":")
        if name and (found := _PRONOUN.match(ground)):
            ground = f"{name} is{ground[found.end() :]}"
        elif found := telling.IT.match(ground):
            ground = f"{name or found[0].strip()} {ground[found.end() :]}"
            atoms += [] if name else [f"{UNREAD}{ground}"]
        elif name and _NOT_SO.fullmatch(ground):
            ground = f"{name} is {ground}"
        elif name and (goes_on := _WHICH_IS.fullmatch(ground)):
            ground = f"{name} {goes_on['is']}"
        elif name and _GOES_ON.fullmatch(ground):
            ground = f"{name} {ground}"
        concluded = _CONCLUDES.match(ground)
        ground = ground[concluded.end() :] if concluded else _CITED.sub("", ground)
        ground = _ENTAILED.sub("", ground)
        told = BESIDE["told"].fullmatch(ground)
        name = ground.split(" ", 1)[0] if told or _NAME.fullmatch(ground) else name
        if len(ground) > _MAX_GROUND:
            continue
        of_all = BESIDE["of_all"].fullmatch(ground)
        if told or of_all or _DENIED.fullmatch(ground) or _CITED.match(clause):
            atoms.append(f"{CONCLUDES if concluded else ''}{ground}")
        marks = [mark for mark in MARKS if BESIDE[mark].fullmatch(ground)]
        atoms += [f"{mark}{ground}" for mark in marks]
        read = told or of_all or marks or _CITED.match(clause)
        judged = clause not in unjudged or clause.startswith("[verifier")
        of_problem = not (read or judged) and _OF_PROBLEM.search(lowered(ground))
        if of_problem and not _is_narration(ground):
            atoms.append(f"{UNREAD}{ground}")
    atoms += [found[0] for line in _no_steps(text) for found in BESIDE["if_rule"].finditer(line)]
    atoms += [
        f"{conclusions.ASKS}{found['who']} {found['verb'].lower()} {found['what']}"
        for found in _ASKED.finditer(text)
    ]
    cited = [int(one) for found in _NUMBERED.findall(bare) for one in re.findall(r"\d+", found)]
    atoms += [f"{CITES}{max(cited)}"] if cited else []
    near = conclusions.around_answer(bare)
    atoms += [f"{UNREAD}{found[0]}" for found in _NO_RULE.finditer(near)]
    atoms += [f"silent: {found[0]}" for found in _MAY_BE.finditer(near)]
    above = (_SAID_ABOVE.fullmatch(one) for one in conclusions.above(text))
    alone = {one.capitalize() for one in _ALONE.findall(text)}
    alone = alone if len(alone) == 1 else set()  # several are the options
    said = [one["said"] for one in above if one]
    return [*claimed, *atoms, *said, *alone, *_come_to(bare), *formulas.told(text)]


def _rules(text: str) -> tuple[list[str], str]:
    """(the rules with an ``if`` that a text has, the text without them); else their parts would be
    claims."""
    rules = list[str]()

    def take(found: re.Match[str]) -> str:
        rule = f"I{found[0][1:]}"
        if not english.is_sentence(rule):
            return found[0]
        rules.append(f"{wordings.SO}{rule}")
        return ""

    return rules, _RULE.sub(take, text)


def _come_to(text: str) -> Iterator[str]:
    """The truth values in which a text says it ends, in a sentence that says nothing else."""
    for found in _COMES_TO.finditer(conclusions.reach(text).replace("**", "")):
        if found["cell"] or narration.claims_nothing(found["lead"], _COMING_WORDS):
            yield found["cell"] or found["said"]


def _understood(text: str, lines: set[str]) -> tuple[list[str], str]:
    """(what sentences say that are understood, the text without them); of those lines that are no
    steps; under a supposition, what would follow from it."""
    claimed, left, under, of = list[str](), list[str](), False, ("", "")
    for line in text.split("\n"):
        under = answers.supposed(line, under)
        told, rest, of = telling.understood(line, of)
        if under:
            claimed += [one for one in told if one.startswith(wordings.WOULD)]
        elif line in lines:
            rules, line = _rules(rest if told else line)
            claimed += [*told, *rules]
        left.append(line)
    return claimed, "\n".join(left)


def _is_narration(clause: str) -> bool:
    """Whether a clause of the problem claims nothing of it, but what is read elsewhere: the answer,
    or a formula."""
    if _CONCLUDED.fullmatch(clause) or _FORMULA.search(clause):
        return True
    return "\\" not in clause and narration.only(clause, _OF_PROBLEM_WORDS)


def _no_steps(text: str) -> Iterator[str]:
    """The lines of a text that are no steps, which are judged by themselves."""
    memory = dict[str, Any]()
    for line in text.split("\n"):
        memory, said = answers.claimed(line, memory)
        if said is None:
            yield line


def _claim_of(clause: str) -> str:
    """A clause without its number and what leads to it: ``2. So Alex is happy``."""
    clause = _LABELLED.sub("", _ITEM.sub("", clause))
    begun = None if clause.startswith("then ") else LEAD.match(clause)  # If ..., then ...
    return clause[begun.end() :] if begun else clause
