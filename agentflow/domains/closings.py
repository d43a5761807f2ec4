"""What may end any answer: ``Hope this helps!``, ``Let me know if you have any questions.``"""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases, plain

_MORE = r"(?:any |an? )?(?:further |more |other |additional )?(?:detailed )?"
_STEPS = (
    r"(?:(?:any|all|more|each|the|a)(?: of the)?(?: \w+)? (?:steps?|details?|derivations?|work"
    r"|calculations?|reasoning|proof|explanation|breakdown)|it|this)"
)
_HELP = r"(?:questions?|help|explanations?|details?|clarifications?|assistance)"
_NEED = rf"you(?: have| need| want| would like|['’]d like) (?:{_MORE}{_HELP}|anything else|more)"
_YOU_LIKE = r"you(?: would|['’]d) like"
_OFFERED = r"(?![^.!?\n]*\b(?:answer|correct|right|real|true|actual)\b)[^.!?\n]{0,120}"
CLOSES = phrases(rf"""
    happy coding; done; finished; great; cheers; good luck; q\.?e\.?d; end; thanks?(?: you)?
    (?:i(?:'d| would) be )?(?:glad|happy) to help(?: with (?:that|this))?
    (?:i )?hope (?:this|that|it) helps(?: you)?(?: (?:plan|with) (?:your|this|the) \w+)?
    (?:please )?(?:let me know|feel free to ask) if {_NEED}; if {_NEED}, (?:please )?let me know
    if {_NEED}, (?:please )?feel free to ask; (?:please )?feel free to ask(?: {_MORE}questions?)?
    (?:is there )?anything else(?: (?:that )?i can help(?: you)? with)?\??
    let me know if {_YOU_LIKE} (?:me )?to explain(?: {_STEPS})?(?: further)?
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|show|go over) )?{_STEPS}
    let me know if {_YOU_LIKE} (?:(?:me )?to (?:see|walk|work|go|know)|further|more)\b{_OFFERED}
    (?:i )?hope (?:this|that|these) (?:explanations? )?(?:is|are) (?:clear|helpful)(?: and \w+)?
""")
"""Small letters, plain apostrophes."""
_CLOSED = re.compile(rf"(?:{CLOSES})[\s.!*_]*")
_OPENS = re.compile(r"[\s*_]*")


def closes(sentence: str) -> bool:
    """Whether a sentence only ends a text."""
    said = plain(sentence).lower()
    begin = _OPENS.match(said)
    return _CLOSED.fullmatch(said, begin.end() if begin else 0) is not None
