"""What may end any answer: ``Hope this helps!``, ``Let me know if you have any questions.``"""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases, plain

_MORE = r"(?:any |an? )?(?:further |more |other |additional )?(?:detailed )?"
_STEPS = (
    r"(?:(?:any|all|more|each|the|a)(?: of the)?(?: \w+)? (?:steps?|details?|derivations?|work"
    r"|calculations?|reasoning|proof|explanation|breakdown)|it|this)"
)
_FURTHER = "(?: further| in (?:more|greater) detail)?"
_HELP = r"(?:questions?|help|explanations?|details?|clarifications?|assistance)"
_NEED = rf"you(?: have| need| want| would like|['’]d like) (?:{_MORE}{_HELP}|anything else|more)"
_YOU_LIKE = r"you(?: would|['’]d) like"
_OFFERED = r"(?![^.!?\n]*\b(?:answer|correct|right|real|true|actual)\b)[^.!?\n]{0,120}"
_DO = (
    r"(?:solve|see|explain|show|walk|go (?:over|through|on|deeper)|work|write|try|explore"
    r"|practice|learn|clarify|discuss|provide"
    r"|give|know|break|move|continue|dive|look|illustrate|visualize|trace)\b"
    r"(?![^.!?\n]*\b(?:answers?|correct\w*|right|real\w*|true|actual\w*|proper\w*|again|fix\w*"
    r"|re-?(?:do|check|solv|calculat|comput|consider|count|examin|evaluat|vis|view|work|writ)\w*"
    r"|wrong|mistake\w*|errors?|check\w*|verif\w*|instead|better|this time|careful\w*|double"
    r"|ahead|proceed|calls?|run|execute)\b)"
    r"[^.!?\n]{0,120}"
)
"""What is offered, which is no other answer."""
_THIS = r"(?:this|that|these|the|my) (?:explanations? |breakdown )?"
_MORE_OF = r"(?:an?|more|another|some|further|any|the) (?!(?:[\w-]+ )?(?:answer|solution|result)\b)"
CLOSES = phrases(rf"""
    would you like (?:me )?to {_DO}\??; (?:do you )?want (?:me )?to {_DO}\??
    would you like {_MORE_OF}[^.!?\n]{{1,60}}\??; shall we {_DO}\??
    (?:does|did) (?:that|this|it) (?:make sense|help)(?: to you)?\??
    if you(?: would|'d)? (?:like|want|wish|prefer),? (?:i|we) (?:can|could|will) (?:also )?{_DO}
    if you(?: would|'d)? (?:like|want|wish|prefer),? i'd be (?:happy|glad) to {_DO}
    let me know if (?:that|this|it) makes sense; let me know if you want (?:me )?to {_DO}
    let me know if {_YOU_LIKE} {_MORE_OF}[^.!?\n]{{1,60}}
    (?:i(?:'m| am) |always )?happy to (?:help(?: with more [a-z]+)?|{_DO})
    feel free to (?:reach out|ask|write)(?: if {_NEED})?; if {_NEED}, just (?:ask|let me know)
    (?:i )?hope (?:this|that|it) clears (?:it|things|that|everything) up
    keep (?:practicing|learning|going|it up|up the good work); great question
    you(?:'re| are) welcome; happy (?:learning|studying|solving|puzzling)
    good luck (?:with|on) (?:your|the) \w+; verified
    sure(?: thing)?; of course; certainly; here you go
    happy coding; done; finished; great; cheers; good luck; q\.?e\.?d; end; thanks?(?: you)?
    (?:i(?:'d| would) be )?(?:glad|happy) to help(?: with (?:that|this))?
    (?:i )?hope (?:this|that|it) helps(?: you)?(?: (?:plan|with) (?:your|this|the) \w+)?
    (?:please )?(?:let me know|feel free to ask) if {_NEED}; if {_NEED}, (?:please )?let me know
    if {_NEED}, (?:please )?feel free to ask; (?:please )?feel free to ask(?: {_MORE}questions?)?
    (?:is there )?anything else(?: (?:that )?i can help(?: you)? with)?\??
    let me know if {_YOU_LIKE} (?:me )?to explain(?: {_STEPS})?{_FURTHER}
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|show|go over) )?{_STEPS}
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|walk|work|go|know)|further|more)\b{_OFFERED}
    (?:i )?hope {_THIS}(?:was|is|are|has been) (?:clear|helpful|useful)(?: and \w+)?
""")
"""Small letters, plain apostrophes."""
_CLOSED = re.compile(rf"(?:{CLOSES})[\s.!*_]*")
_OPENS = re.compile(r"[\s*_]*")


def closes(sentence: str) -> bool:
    """Whether a sentence only ends a text."""
    said = plain(sentence).lower()
    begin = _OPENS.match(said)
    return _CLOSED.fullmatch(said, begin.end() if begin else 0) is not None
