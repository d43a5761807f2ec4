"""What leaves an answer open, takes it back, or says that it is to another question.

I'm not confident in this.      It does not evaluate to 24.      Another answer would be 7.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases

_IT = r"(?:this|that|it|which|(?:the |this |my )?(?:answer|expression|solution|result|equation))"
_NOT = r"(?:n't| not)"
_TASK = r"(?:question|problem|puzzle|task|exercise|equation|text)"
_COMES = r"(?:evaluate|come|add up|work|equal|satisfy|match|fit|reach|make|give)"
_WRONG = r"(?:wrong|incorrect|mistaken|invalid|not (?:right|correct|valid))"
_PHRASES = phrases(rf"""
    (?:un|not |\w+n't )(?:\w+ ){{0,2}}(?:sure|certain|confident|convinced|trust)
    (?:un|not |\w+n't )(?:\w+ ){{0,2}}(?:verified|checked|tested); guess(?:ing|ed|es)?\b
    (?:possibly|maybe|perhaps|probably|presumably|supposedly|unfortunately)\b
    (?:rough|placeholder|ambiguous|unless|provided that|as long as|assuming that)\b
    (?:i|we|true \w+|{_IT}) (?:\w+ )?(?:may|might|could) (?:\w+ )?(?:be|not|also|have)
    (?:please|you should|you may want to|better) (?:re-?|double[- ]?)?(?:check|verify)
    (?:\w+n't|not|cannot) (?:\w+ )?(?:able|solve|find|verify|work|confirm)\b; unable
    (?:an?|some) (?:\w+ )?(?:different|other|previous|earlier|similar|related) {_TASK}
    (?:another|a second|one more|an alternative) (?:\w+ ){{0,2}}(?:answer|solution|result)
    another (?:reading|interpretation|continuation|{_TASK})\b
    {_IT} (?:\w+ )?(?:is|was|looks|seems) (?:\w+ )?{_WRONG}
    {_IT} (?:does|do|did|would){_NOT} (?:\w+ )?{_COMES}
    made (?:an?|some) (?:\w+ )?(?:mistake|error|slip); second thought; that said\b; grain of salt
    (?:ignore|disregard|scrap|forget|scratch) (?:the|this|that|my|what)
    correct(?:ion|ed)(?::| answer| version| value); or (?:alternatively|else it)\b
    should (?:really|actually|instead|rather) (?:be|read|say)\b
    (?:answer|word|text|result|value) should (?:be|read|say)
    just as (?:possible|likely|valid|good|plausible); (?:equally|alternatively)\b
""")
_OPEN = re.compile(rf"\b(?:{_PHRASES})")


def opens(said: str) -> bool:
    """Whether a sentence, in small letters, leaves the answer open or takes it back."""
    return _OPEN.search(said) is not None
