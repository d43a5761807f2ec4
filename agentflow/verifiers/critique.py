"""What a critic writes: the first wrong step of a solution, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agentflow.domains.answers.doubt import is_doubted
from agentflow.models.structured.around import LEADS, last_sentence, words
from agentflow.models.structured.nothing import says_nothing
from agentflow.verifiers.stance import stance

_MAX_FEEDBACK = 4000
_BOXED = re.compile(
    r"\\boxed\s*\{\s*(?:\\text\s*\{)?\s*(?:step[\s_]*)?([-−]?\s*\d{1,6})\s*\}", re.IGNORECASE
)
_BOX = re.compile(r"\\boxed\s*\{[^{}]{0,40}(?:\{[^{}]{0,40}\})?\}")
_TAKES_BACK = re.compile(
    r"\b(?:wait|actually|hmm+|sorry|correction|scratch that|on second thought|if|or|unless)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:wait|actually|hmm+|sorry|correction|corrected|rather|instead|no|but|re-?check\w*)\b",
    re.IGNORECASE,
)
"""How another verdict comes to take the place of the one before it."""
_OPEN_BOX = re.compile(r"\\boxed\s*\{")
_SIGNS = re.compile(r"(?:[\s.,;:!$*()\[\]}\\`\"'_~#-]|</?\w{1,20}>|<\|\w{1,40}\|>)*")
_LONGEST = 400
"""Characters of a sentence that leads to a verdict."""
_END = re.compile(r"(?<!\be\.g)[.!?]\s|。")
"""Where a sentence ends within a line."""
_OPEN = re.compile(
    r"(?::|\b(?:is|are|be|was|were|as|not|with|by|to|say|says|write|writes|answer|return|reply"
    r"|box))\Z",
    re.IGNORECASE,
)
"""How a line ends that goes on below."""
_CLAUSE = re.compile(r"[,;:—–]\s|\b(?:so|therefore|thus|hence)\b", re.IGNORECASE)
_NOTHING_WRONG = re.compile(
    r"(?:and )?(?:(?:there (?:is|are|was|were)|i found) )?(?:no|none of the)"
    r"(?: (?:wrong|incorrect|false))? (?:steps?|errors?|mistakes?|faults?|flaws?)"
    r"(?: (?:is|are|was|were|has|have))?(?: (?:wrong|incorrect|false|found|made))?"
    r"(?: in (?:it|the solution))?"
    r"|(?:and )?(?:all|every|each)(?: of)?(?: the)? steps?"
    r"(?: (?:is|are|was|were))?(?: (?:right|correct|valid|sound|hold|holds|follow|follows))"
    r"|the (?:index |number )?(?:of the )?(?:first|earliest)"
    r" (?:(?:wrong|incorrect|erroneous) (?:step|paragraph)|error|mistake)(?: is)?"
    r"|(?:(?:the )?first )?"
    r"(?:errors?|mistakes?|faults?|flaws?|(?:wrong|incorrect) (?:step|paragraph))"
    r"(?: is)?(?: (?:at|in))?(?: (?:index|number|step|paragraph))? [-−]1(?: of \d+)?"
)
"""Clauses about what is wrong, that lead to the verdict that nothing is."""
_LOOKED = re.compile(
    r"(?:after |having )?(?:(?:i|we)(?: have|['’]ve)? )?(?:(?:carefully|now) )?"
    r"(?:look(?:ed|ing) (?:at|through)|check(?:ed|ing)|review(?:ed|ing)|verif(?:ied|ying)"
    r"|examin(?:ed|ing)|went through|going through|read(?:ing)?)"
    r"(?: (?:it|this|that|everything|all of it|(?:the|this) (?:whole |entire )?solution"
    r"|(?:all|each|every)(?: of)?(?: the)? (?:steps?|paragraphs?)))"
)
"""Clauses about having looked, which say nothing of what was seen."""
_LEADS = (LEADS - words("a an score rating")) | words("""
    index number box boxed step steps it right correct fine good valid sound sign word one we
    match matches
    displaystyle therefore quad qquad large text textbf mathbf
""")
"""Words of which a lead is made."""
_OTHERS = re.compile(
    r"\b(?:solution|student|author|step|text|prompt|problem|task) (?:says|asks|tells|wants|claims"
    r"|instructs|demands|writes)\b|\A(?:is|are|was|were|does|do|did) (?:it|this|the)\b"
)
"""How a sentence begins in which a verdict is somebody else's, or asked for."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_BESIDE = frozenset(" \t*_$()[]{}\\:.,!-–—#`=→⇒")
"""Signs that may stand beside them."""


@dataclass(frozen=True, slots=True)
class Critique:
    """What one reply says (Solve-Detect-Verify, section 3.1: ``V_out = (F, idx_pred)``).

    Attributes:
        index: 0-based index of the first wrong step, -1 for none; None for a malformed reply.
        feedback: What the reply says in front of it.
    """

    index: int | None
    feedback: str = ""


def says_no_more(reply: str, at: int) -> bool:
    """Whether behind an offset stand only signs: more words could take back what is said there."""
    return _SIGNS.fullmatch(reply, at) is not None


def leads(reply: str, at: int) -> bool:
    """Whether the sentence in front of a verdict lets it be said: ``so the answer is``, not ``I
    cannot say`` or ``a careless judge writes``. It is the one that goes on into it, or the line
    above that does. Its last clause is read by a whitelist; what is finished before is free, but
    for that nothing can be said."""
    if says_nothing(said := last_sentence(reply[max(0, at - _LONGEST) : at])) and " " in said:
        return False
    *above, line = reply[max(0, at - _LONGEST) : at].split("\n")
    own = _END.split(line)[-1]
    if not _BESIDE.issuperset(_WORD.sub("", own.replace("=>", "→"))):
        return False
    if not _WORD.search(own):
        return leads_on("\n".join(above))
    return _leads(own)


def leads_on(text: str) -> bool:
    """Whether the last line of a text is finished, or lets what stands below it be said."""
    last = next((one for one in reversed(text[-_LONGEST:].split("\n")) if _WORD.search(one)), "")
    own = _END.split(last)[-1].rstrip(" \t*_$`")
    return _OPEN.search(own) is None or _leads(own)


def _leads(own: str) -> bool:
    sentence = " ".join(own.strip(" \t*_$:#(){}[]\\`-").lower().split())
    clause = _CLAUSE.split(sentence)[-1].strip()
    if is_doubted(f"{sentence.removesuffix(clause)} ", "") or _OTHERS.search(sentence):
        return False
    if _NOTHING_WRONG.fullmatch(clause) or _LOOKED.fullmatch(clause):
        return True
    return _LEADS.issuperset(_WORD.findall(clause))


def changes_its_mind(reply: str, verdicts: Sequence[re.Match[str]]) -> bool:
    """Whether the last of several verdicts, boxes or signs, takes the place of those before it;
    that need not be said of those that are the same."""
    last = verdicts[-1]
    others = [one for one in verdicts if _said(one) != _said(last)]
    return not others or _CHANGES.search(reply, others[-1].end(), last.start()) is not None


def _said(verdict: re.Match[str]) -> str:
    return verdict[0].casefold().translate({ord(one): None for one in " .*$\\"})


def parse(reply: str, steps: int, *, whole: bool = True) -> Critique:
    """What a critic's reply says.

    The last box counts. A reply without one, with an index that no step has, with others beside it
    that nothing takes back, or that takes back what it boxed, is malformed. So is one that finds no
    step wrong where its sentence may not let that be said, where it calls one wrong, where it goes
    on, or was cut off.

    Args:
        steps: How many there are.
        whole: Whether the reply came to its end.
    """
    boxes = list(_BOX.finditer(reply))
    opened = [one.start() for one in _OPEN_BOX.finditer(reply)]
    feedback = reply[: opened[-1]] if opened else reply
    found = _BOXED.match(reply, opened[-1]) if opened else None
    index = int(found[1].replace("−", "-").replace(" ", "")) if found else None
    if index is not None and not -1 <= index < steps:
        index = None
    if found and (_TAKES_BACK.search(reply, found.end()) or not changes_its_mind(reply, boxes)):
        index = None
    if found and index == -1 and not (whole and says_no_more(reply, found.end())):
        index = None
    if found and index == -1 and not leads(reply, found.start()):
        index = None
    if index == -1 and stance(feedback) is False:
        index = None
    return Critique(index, feedback.strip()[-_MAX_FEEDBACK:])
