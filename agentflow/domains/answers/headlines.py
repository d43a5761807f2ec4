"""Whether a headline, or a line that ends in a colon, heads the work that ends in an answer.

    ### Step 3: Add the two        heads it
    Putting it all together:       heads it
    ### A common mistake           does not
    In a mirror world:             does not

A headline is one of the listed kinds, and says nothing of another answer, author or world.
"""

from __future__ import annotations

import re

from agentflow.domains.answers import languages
from agentflow.domains.answers.remark_words import NOT_MEANT
from agentflow.domains.spelling import lowered, phrases

NOT_OURS = phrases(r"""
    previous\w*; placeholder; template; examples?; sample; first attempt
    (?:students?|users?|textbooks?|teachers?|friends?|someone|somebody)(?:['’]s?)?
""")
"""Whose, or what, an answer is that is not its author's: said so in front of one, or above."""
_BAD = phrases(rf"""
    {NOT_OURS}; first (?:try|version|guess|idea); err(?:or|on|ing)\w*; lies?; lying; false(?!\W*\Z)
    fake\w*; buggy; bugs?; beginners?(?:['’]s?)?; people; everybody; everyone; rivals?; most
    (?:would|could|might)(?: have)? \w+; says?; said; thinks?(?! (?:step|through|about)); claim\w*
    format (?:example|to follow); mirror\w*; world; dream\w*; imagin\w+; if; without
    another; different (?:question|problem|puzzle)\w*; other (?:question|problem|puzzle)\w*; similar
    second (?:question|problem|puzzle)\w*; negat(?:e|ion|ed)\w*; opposite\w*; revers\w+; contrary
    inver\w+; anything but; guess\w*; random\w*; coin\w*; dice; toss\w*; hints?; traceback; old
    outdated; expected; parrot\w*; translat\w+; exclud\w+; eliminated; dismiss\w*; trap\w*
    pitfall\w*; misconception\w*; astray; typical; common; maybe; perhaps; inspired by
    quot(?:e|es|ed|ing); cop(?:y|ies) of; grader\w*; before; earlier; novel; game of
    contradict\w*(?! the conclusion); unrelated; irrelevant; unused; obsolete; deprecated
    corrupt\w*; bad; crossed; struck; else; something; (?:the )?next question
    simpler (?:question|problem); question (?:\d|two|three); neighbou?r\w*; garbage; liars?
    cheat\w*; peek\w*; his; her; hers; he; him; she; they; oversights?; flipped; swapped; bogus
    jest; fantasy; wild; internet; newspapers?; models?; repl(?:y|ies); second answer; first answer
    alternative answer; break the rules; noise; bait; editors?; assistants?; losers?; v\d
    version \d; key (?!insight|idea|point|observation|step|fact|takeaway)\w+
""")
_DISOWNS = re.compile(rf"\b(?:{NOT_MEANT}|{_BAD})(?!\w)|\d\s*!=|[≠¬~]")
"""What makes a headline that of something else than the answer."""
_DENIES = re.compile(r"\b(?:not|never|no|none|nothing|cannot|\w+n['’]t)\b")
_OWNED = re.compile(r"\b(?:[Bb]y|[Oo]f|[Ff]rom|[Ff]or) [A-Z][a-z]+\b|\b[A-Z][a-z]+['’]s\b")
"""Somebody whose work it is: ``Solution by Bob``."""
_THEOREM = re.compile(
    r"\b(?:Let|Here|That|It|What)['’]s\b|(?<=[Ff]or )(?:April|May|June|July|Part|Step|Each)\b"
)
"""Names that are no author's."""

_OF_NOUN = (
    r"(?:final|full|short|complete|detailed|overall|key|main|last|first|second|third|next"
    r"|step[- ]by[- ]step|logical|sanity|general|basic|total|grand|daily|new|turn|truth|solution"
    r"|relative|single|direct|clear|given|required|alternative|boxed|numerical|additional)"
)
_NOUN = phrases(r"""
    conclusions?; summary; final; solutions?; reasoning; calculations?; verification; results?; work
    working; answers?; output; response; check; insights?; ideas?; observations?; approach
    method(?: \d)?; strategy; set[- ]?up; plan; given; breakdown; equations?; why; steps?; problem 1
    question 1; outcome; count; tally; sum; total; points?; understanding; logic; addition
    subtraction; multiplication; division; revenue; price; cost; area; volume; length; height
    distance; speed; time; age; value; set; direction; position; location; author; year; date; name
    path; moves?; turns?; (?:move )?(?:list|sequence|order|grid|board|layout); option; choice
    expression; boxed; variables?; details; probability; average; remainder; difference; product
    number; amount; context; known; information; data; rules; map; grid
""")
_OPENS = (
    r"(?:(?:and|so|now|the|our|my|to|sure|okay|actually|wait|hmm|alright|well|great|a|an|then|thus"
    r"|hence|therefore|next|finally|first)\b,? )*"
)
_VERB = (
    r"(?:(?:double-)?(?:check|verify|calculat|comput|evaluat|solv|count|write|try|do|start|state"
    r"|give|summari[sz]e|put|fix|think|break|work|go|analy[sz]|simplify|add|box|format|answer|list"
    r"|find|found|got|get|see|know|have|conclud|deduc|end up|set|use|apply|combin|subtract|multiply"
    r"|divid|trac|follow|look|recall|note|define|denot|plug|sum|confirm|determin|convert|express"
    r"|rewrite|examin|consider|compar|place|present|provid|proceed|just|also))(?:e|y)?\b"
)
_WE = (
    r"(?:let me|let['’]?s|i['’]ll|i will|i|we|we will|we can|i can|now we|now i|we have"
    r"|we (?:can|must|need to)) (?:(?:now|then|also|just|can|will|carefully|first|finally) )*"
)
_NUMBERED = r"(?:step|part|method|approach) (?:\d{1,2}|one|two|three|four|five|six)\b.*"
"""``Step 3: Add the two``"""
_SECTION = (
    rf"(?:{_OF_NOUN}[ ,-]+(?:and )?){{0,3}}(?:{_NOUN})\b(?: ?\([a-z \d]{{1,20}}\)| found)?"
    r"(?:,? (?:of|for|from|to|the|using|by|in|and|with|below|through|as)\b[^:]{0,60})?"
)
"""``Final calculation``, ``Solution found``, ``Verification of the result``"""
_QUESTION = r"(?:who|what|which|where|when|how (?:many|much|long|far|old))\b.*"
_WE_DO = rf"{_WE}{_VERB}[^:]{{0,60}}"
"""``Let me double-check``"""
_DO = (
    r"(?:add|apply|use|substitute|find|plug in|compute|calculate|count|combine|simplify|solve|sum"
    r"|subtract|multiply|divide|check|verify|put|set up|identify|determine|evaluate|convert|list"
    r"|trace|follow|compare|conclude|round|factor)\b[^:]{0,60}"
)
"""``Apply the formula``"""
_DOING = (
    r"(?:calculat|comput|simplify|evaluat|solv|determin|combin|add|subtract|multiply|divid|count"
    r"|summ|apply|find|substitut|convert|round|conclud|putt|verify|check|compar|format|work"
    r"|encapsulat|wrapp|box|present|stat|us|do|perform|sett|tak|integrat|plugg|isolat|reduc|factor"
    r"|match|look|trac|bring|plac|understand|distribut|rearrang|squar|mov|follow|consider|complet"
    r"|cancel|collect|express|list|writ|answer|break|think|confirm|rewrit|group"
    r"|recall)ing\b[^:]{0,100}"
)
"""``Putting it all together``"""
_CLOSING = (
    r"(?:found|bottom line|in (?:short|summary|conclusion|total|other words)|alternatively|lastly"
    r"|equivalently|simply|together|combined|overall|done|logically|here you go|i\.?e\.?|in the end"
    r"|boxed)(?: (?:a|the|one|an?) \w+)?"
)
"""``In short``, ``Found a solution``"""
_HERE = r"(?:here(?: is|['’]s| are)|below is) (?:the|a|an|my|our) [a-z -]{1,40}"
_WHERE = (
    r"by (?:the )?(?:\w+ )?(?:rule|theorem|formula|law|property|definition|addition|subtraction"
    r"|multiplication|division|\w+ing)\b[^:]{0,60}|in (?:(?:its|the|a|an) )?(?:lowest|simplest"
    r"|reduced|requested|required|single|standard|exact|decimal|set|desired)\b[^:]{0,30}"
    r"|(?:according to|based on|given|using) (?:the|this|these|our|all) [^:,]{1,40}"
    r"|(?:written|expressed|placed|stated) (?:as|in) [^:]{1,40}"
)
"""``At x = 2``, ``By factoring``, ``In lowest terms``, ``According to the map``"""
_IT_IS = (
    r"it['’]?s a (?:simple|basic|straightforward|direct) \w+|(?:this|that|which|it) (?:matches"
    r"|corresponds to|is|gives|means|equals) (?:the )?(?:option|choice|answer)s?"
)
"""``This matches option``"""
_KINDS = (
    _NUMBERED,
    _SECTION,
    _QUESTION,
    _WE_DO,
    _DO,
    _DOING,
    _CLOSING,
    _HERE,
    _WHERE,
    _IT_IS,
)
_WORK = re.compile(rf"{_OPENS}(?:{'|'.join(_KINDS)})[\W_]*")
"""A headline of the work: its lower-case words, without what stands in front of them."""
_FRONT = re.compile(r"\A[\W\d_]+")


def heads_work(line: str) -> bool:
    """Whether a headline heads the work that ends in an answer.

    Args:
        line: The headline, with or without the signs around it.
    """
    low = lowered(line)
    if disowns(line) or _DENIES.search(low) or _OWNED.search(_THEOREM.sub("", line)):
        return False
    return languages.heads(f"**{low}**") or _WORK.fullmatch(_FRONT.sub("", low)) is not None


def disowns(line: str) -> bool:
    """Whether a headline speaks of another answer, author or world, or of none."""
    return _DISOWNS.search(lowered(line)) is not None
