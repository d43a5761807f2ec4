"""Which words may lead to an answer: ``so the final``, ``since 4 is even, the``.

They are listed. What stands before ``answer is`` and is not, as in ``For left turns, the answer
is C``, may make it the answer to something else.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.alike import alike
from agentflow.domains.answers.doubt import RESET, is_denied
from agentflow.domains.answers.fronts import may_lead
from agentflow.domains.answers.headlines import NOT_OURS, disowns, heads_work
from agentflow.domains.answers.typesetting import unopened
from agentflow.domains.spelling import lowered, phrases, word_set

_LEADS = word_set("""
    so therefore thus hence then consequently accordingly ergo finally ultimately overall altogether
    and now in conclusion summary short total here this that the a one it its it's that's which
    my our following final correct right only best closest most likely valid simplest common
    accepted answer grounded alright okay ok yes great perfect good just clear as expected because
    from these for of
    i we i'd i'm i've i'll we'll let me am be is means meaning follows have has get can would
    think believe conclude see say write down state produce accept to fairly pretty quite very
    certain confident confidently sure putting together all everything by process elimination
    reading results boxed text why here's explains breakdown explanation behind
""")
_SOURCES = (
    r"(?:maze|map|path|grid|drawing|description|text|passage|table|question|problem|information"
    r"|data|facts|statements|premises|clues|rules|steps|conditions|calculations?|analysis"
    r"|reasoning|order)"
)
"""What an answer may be grounded on: what was given, or worked out; not what somebody says."""
_GROUNDS = phrases(rf"""
    since; because; given; based on; considering; after; following; using; by
    according to (?:step|premise|clue|rule|(?:(?:the|this|these|our) )?(?:\w+ ){{0,2}}?{_SOURCES})
    applying [^,]{{1,40}}; looking at; as (?:calculated|computed|shown|derived|we|seen|the)
    from (?:the|this|these|step|premise|clue|our|above); to (?:the )?(?:answer|summarize)
    among (?:the|these|(?:options |choices )?\(?[a-j]\)? (?:through|to|[-–]) \(?[a-j])
    without (?:(?:any|more|further|additional|specific) ){{1,2}}(?:information|details|evidence)
    (?:out )?of the (?:\w+ ){{0,2}}(?:options|choices); step; premise
""")
_ON_GROUNDS = re.compile(
    r"\W*(?:(?:so|and|therefore|thus|hence)[, ]+)?"
    rf"(?:{_GROUNDS})\b[^;?!]*,\W*(?:[a-z]+ ){{0,4}}\W*$"
)
"""A clause that says on what grounds the answer is stated behind it."""
_SO_AND = re.compile(
    r"\W*(?:so|thus|therefore|hence|consequently)\b(?! for)[^;:?!]*,? and (?:the|our|my)"
    r"(?: final| correct)?\W*$"
)
"""What follows from something, and the answer with it: ``So Alex is happy, and the``."""
_OFF = re.compile(
    r"\b(?:only|wrong\w*|mirror\w*|mistake\w*|cheat\w*|coin|toss|ignor\w*|no (?:idea|evidence|clue)"
    r"|lie|can(?:no|['’])t|key|student|counts?|asked)\b"
)
"""What no grounds are, and what no ``so`` follows from."""
_OF_ALL = re.compile(
    r"[\W_]*(?:so|thus|therefore|hence|consequently|accordingly|in conclusion|and so|ergo|finally"
    r"|ultimately|overall)\W+(?:the )?(?:final )?(?:conclusion|answer|statement|claim)\W+"
    r"(?:is|must be|remains|:)?\W*(?:\w+ly |also |indeed )?\W*$"
)
_TOLD = phrases(r"""
    wrote; book(?:['’]s?)?; you (?:said|answered|proposed); asked to (?:answer|write|say)
    (?:not to|do not|don['’]t) (?:answer|write|say)
    ^\W*(?:(?:the|output|answer|expected|required|response) )*format
    expected (?:output|answer|format); output format
    (?:wrong|incorrect|rejected|false|bad|initial|draft|old) (?:answer|solution|attempt|reply).*
""")
"""What was told or asked for, which is no answer."""
_IGNORE = re.compile(
    r"\b(?:ignore|disregard|skip|do not (?:trust|use)|don['’]t (?:trust|use)) (?:\w+ ){0,2}?"
    r"(?:following|next|below|answer|line|this)\b"
)
_OF_ANOTHER = re.compile(
    rf"\b(?:(?:{NOT_OURS})(?: \w+)?|{_TOLD})"
    r"\W*(?:\b(?:is|was|were|would be|reads|said|says|wrote|claims?|claimed"
    r"|answered|answer|solution|reply|[a-z])\W*)*$"
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?")


_GOES_ON = re.compile(
    r"(?:[:≈~≠≤≥]|\b(?:is|are|be|been|was|were|equals|as|to|of|get|got|gives|says?|has|not|than"
    r"|about|around|approximately|n?either|out))[\s*_]*\Z"
)
"""How a line ends that leads to the next one."""
_HEADS = re.compile(r"(?:#+\s[^=]*|\*\*[^=*]*\*\*)(?<=[\w*)]{2})(?<![.!?,;]\*\*)(?<![.!?,;])")
"""A heading of Markdown, which is no formula and no sentence."""
_BREAKS_OFF = re.compile(
    r"(?:(?<![\"'”’`\]})]),|\b(?:but|that|if|unless|not|\w+n['’]t|because|than|and|or))[\s*_]*\Z"
)
"""How a line ends that the next one goes on with."""
_LISTS = re.compile(r"(?:\W*(?:[a-z]+ ?){1,4}[:=] ?[\w$]*\d[\w.]*,)+[\W_]*")
"""Values in a list: ``- May: 24,``."""
_MARKS = " \t$*_`#>\\[("
_BLANK = "{[ \t\n\r\f\v\x85\xa0\u2028\u2029\u3000"
_FENCE = re.compile(r"```\w{0,30}\Z")
"""Where a block of code, or an object in it, begins."""
_BOLD = re.compile(r"[*#]+")
_NO_DOUBT = re.compile(r"\b[Oo]ne valid (?=answer\b)|\bprovided(?=\W*\Z)")
"""What doubts nothing at the end of such a line: ``considering the options provided:``."""
_SHORT, _FEW, _MANY = 35, 50, 90
"""Characters of a line that leads to the next one and to nothing else; what a longer one doubts may
be another thing."""
_ELSEWHERE = re.compile(
    r"[\W_]*(?:without|ignoring|dropping|apart from|but for|except for|in the absence|before the"
    r"|had|were|if we (?:ignore|drop|forget)|under (?:a|an|the|another) (?:wrong|different|other)?"
    r"|for (?:a|an|the) (?:similar|easier|other|related|example)|for part)\b"
    r"|\b(?:your|his|her|their|another|other|second|opposite|alternative|partial|obvious|popular"
    r"|approximate|(?!here|that|it|let|what)[a-z]+['’]s) (?:answer|result|solution|guess)\b"
)
"""What makes what stands below the answer to something else, or somebody else's."""


def to_another(before: str, answer: str = "") -> bool:
    """Whether the line above leads to an answer that is not the author's: a format, an example,
    what somebody else wrote, or what is wrong; or would hold elsewhere; or is a headline that is
    not understood.

    Args:
        before: The text up to where the answer is stated.
        answer: The answer: a headline may be nothing else.
    """
    own = before.rpartition("\n")[2]
    has_words = bool(own.strip(f"{_MARKS}-"))
    above = (before[: len(before) - len(own)] if has_words else before).rstrip(_BLANK)
    above = _FENCE.sub("", above)
    lines = above.rstrip(f"{_MARKS}\n").rsplit("\n", 1)
    line = re.split(r"[.!?]\s", lines[-1].strip())[-1]
    low = lowered(line)
    written = unopened(above).rstrip().rsplit("\n", 1)[-1].strip()
    heads = line.endswith(":") or _HEADS.fullmatch(written) is not None
    if heads and len(line) <= _SHORT and disowns(line) and "answer" not in low:
        return True
    if heads and not (may_lead(f"{line.rstrip(':')}:") or heads_work(line)):
        return not (answer and alike(_BOLD.sub("", written), answer))
    breaks_off = _BREAKS_OFF.search(low) and not _LISTS.fullmatch(low) and not heads_work(line)
    if breaks_off and (is_denied(line) or not may_lead(f"{line} {own}")):
        return True
    if has_words:
        return False
    another = heads and _OF_ANOTHER.search(low)
    goes_on = len(line) <= _MANY and _GOES_ON.search(low) is not None
    understood = heads_work(line) or may_lead(line, begins=False)
    elsewhere = goes_on and (_ELSEWHERE.search(low) or not understood)
    elsewhere = elsewhere or (goes_on and len(line) <= _FEW and is_denied(_NO_DOUBT.sub("", line)))
    return bool(another or elsewhere or _IGNORE.search(low))


def leads(lead: str) -> bool:
    """Whether the words before a cue may lead to an answer: connectives, a clause of grounds, or
    anything behind which ``so`` begins the last clause."""
    low = lowered(lead)
    if _OFF.search(low):
        return False
    if resets := list(RESET.finditer(low)):
        low = low[resets[-1].start() :]
    listed = _LEADS.issuperset(_WORD.findall(low))
    return listed or any(one.match(low) for one in (_ON_GROUNDS, _SO_AND))


def of_all(lead: str) -> bool:
    """Whether a truth value behind these words is the answer: ``So the conclusion is **True**``,
    not ``So premise 1 is **True**``."""
    return _OF_ALL.match(lowered(lead)) is not None
