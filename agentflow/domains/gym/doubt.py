"""What leaves an answer open, takes it back, or says that it is to another question.

I'm not confident in this.      It does not evaluate to 24.      Another answer would be 7.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases

_IT = r"(?:this|that|it|which|the (?:answer|expression|solution|result|equation))"
_FIND = r"(?:solve|find|verify|check|work|complete|confirm|finish|be sure)"
_PROBLEM = r"(?:question|problem|puzzle|task|exercise|equation|text)\b"
_OTHER = r"(?:different|other|previous|earlier|similar|related)"
_NOT = r"(?:n't| not)"
_FITS = r"(?:evaluate|come|add up|work out|equal|satisfy|match|check out|give the|make|reach)"
_SURE = r"(?:sure|certain|confident|convinced)"
_MISSED = r"(?:miss|mis|made|wrong|off|forgot|overlook)"
_WRONG = r"(?:wrong|incorrect|mistaken|invalid|not (?:right|correct|valid))"
_PHRASES = phrases(rf"""
    (?:i(?:'m| am)|we(?:'re| are)) (?:\w+ )?(?:not|un) ?(?:\w+ )?{_SURE}
    (?:i|we) (?:may|might|could|must) (?:well )?(?:have|be) (?:\w+ )?{_MISSED}
    (?:please|you should|you may want to|better) (?:double[- ]?|re-?)?(?:check|verify)
    {_IT} (?:\w+ )?(?:could|may|might) (?:\w+ )?(?:be|not|also|have)
    true (?:answer|result|gcd|lcm|value) (?:could|may|might)
    (?:just|only|merely|at best) (?:a|my) (?:rough |wild |best )?guess; rough (?:estimate|guess)
    (?:i|we)(?:'m| am| are|'re)? guess(?:ing|ed)?\b
    unfortunately\b.{{0,80}}\b(?:not|n't|cannot|unable)\b
    (?:was|were|am|are){_NOT} able to; (?:i|we) (?:could|can|did){_NOT} (?:\w+ )?{_FIND}
    (?:i|we) have(?:n't| not) (?:\w+ )?(?:check|verif|tried|tested|confirm)
    (?:don't|do not) (?:\w+ )?(?:trust|rely|take|use)\b; with a grain of salt; treat (?:this|it) as
    (?:for|to|of|from|in) (?:an?|the|another|some) (?:\w+ )?{_OTHER} {_PROBLEM}
    (?:for|to|of) another {_PROBLEM}; {_IT} (?:\w+ )?(?:is|was|looks|seems) (?:\w+ )?{_WRONG}
    (?:expression|answer|solution|result|{_IT}) (?:does|do|did|would){_NOT} (?:\w+ )?{_FITS}
    (?:i|we) (?:have )?made (?:an?|some) (?:\w+ )?(?:mistake|error|slip)
    (?:ignore|disregard|scrap|forget|scratch) (?:the|this|that|my|what); placeholder
    (?:unless|provided that|as long as)\b; assuming that (?:the|my|i|we)\b; on second thought
    correct(?:ion|ed)(?::| answer| version| value)
    should (?:really|actually|instead|rather) (?:be|read)
    (?:answer|word|text|result|value) should (?:be|read|say); that said\b
    or (?:alternatively|else it)\b; (?:possibly|maybe|perhaps|probably|presumably|supposedly)\b
    (?:another|a second|one more|an alternative) (?:\w+ ){{0,2}}(?:answer|solution|result)
    another (?:\w+ )?(?:continuation|reading|interpretation) (?:is|would|could|might)
    just as (?:possible|likely|valid|good|plausible); (?:is|are|was) ambiguous
""")
_OPEN = re.compile(rf"\b(?:{_PHRASES})")


def opens(said: str) -> bool:
    """Whether a sentence, in small letters, leaves the answer open or takes it back."""
    return _OPEN.search(said) is not None
