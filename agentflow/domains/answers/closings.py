"""What may end any answer: ``Hope this helps!``, ``Let me know if you have any questions.``"""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases, plain

_MORE = r"(?:any |an? )?(?:further |more |other |additional )?(?:detailed )?"
_HELP = r"(?:questions?|help|explanations?|details?|assistance)"
_NEED = rf"you(?: have| need| want) (?:{_MORE}{_HELP}|anything else|more)"
_YOU_LIKE = r"you(?: would|['’]d) like"
_OFFERED = r"(?![^.!?\n]*\b(?:answer|correct|right|real|true|actual)\b)[^.!?\n]{0,120}"
_DO = (
    r"(?:solve|see|explain|show|work|write|try|explore|provide|give|know|break|move|continue|look"
    r"|visualize|trace)\b(?![^.!?\n]*\b(?:answers?|correct\w*|right|real\w*|true|actual\w*"
    r"|proper\w*|again|fix\w*|re-?(?:do|check|solv|calculat|comput|consider|count|examin|evaluat"
    r"|vis|view|work|writ)\w*|wrong|mistake\w*|errors?|check\w*|verif\w*|instead|better|this time"
    r"|careful\w*|double|ahead|proceed|calls?|run|execute)\b)[^.!?\n]{0,120}"
)
"""What is offered, which is no other answer."""
_THIS = r"(?:this|that|these|the|my) (?:explanations? |breakdown )?"
_MORE_OF = r"(?:an?|more|another|some|further|any|the) (?!(?:[\w-]+ )?(?:answer|solution|result)\b)"
CLOSES = phrases(rf"""
    would you like (?:me )?to {_DO}\??; want (?:me )?to {_DO}\??
    (?:does|did) (?:that|this|it) (?:make sense|help)\??
    if you(?: would|'d)? (?:like|want),? (?:i|we) (?:can|could|will) (?:also )?{_DO}
    let me know if you want (?:me )?to {_DO}; let me know if {_YOU_LIKE} {_MORE_OF}[^.!?\n]{{1,60}}
    feel free to (?:ask|write)(?: if {_NEED})?; keep (?:practicing|going); you(?:'re| are) welcome
    sure(?: thing)?; of course; here you go; happy coding; done
    (?:i(?:'d| would) be )?happy to help(?: with (?:that|this))?
    (?:i )?hope (?:this|that|it) helps(?: you)?(?: (?:plan|with) (?:your|this|the) \w+)?
    (?:please )?let me know if {_NEED}
    (?:is there )?anything else(?: (?:that )?i can help(?: you)? with)?\??
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|walk|work|go|know)|further|more)\b{_OFFERED}
    (?:i )?hope {_THIS}(?:was|is|are) (?:clear|helpful)
""")
"""Small letters, plain apostrophes."""
_CLOSED = re.compile(rf"(?:{CLOSES})[\s.!*_]*")
_OPENS = re.compile(r"[\s*_]*")


def closes(sentence: str) -> bool:
    """Whether a sentence only ends a text."""
    said = plain(sentence).lower()
    begin = _OPENS.match(said)
    return _CLOSED.fullmatch(said, begin.end() if begin else 0) is not None
