"""Where a text states an answer, and what it says beside it, in any domain.

``lines`` is what reads; each of the others knows one thing that may stand in a line, in front of a
statement or behind it.
"""

from agentflow.domains.answers.disclaimed import disclaimed, thinks_aloud
from agentflow.domains.answers.lines import (
    CLAIMING,
    Claim,
    Settled,
    above,
    asks,
    begins,
    claimed,
    ending,
    finish,
    leads_up,
    opens,
    read,
    settled,
    stated,
    statements,
    step,
    supposed,
    unlabelled,
)
from agentflow.domains.answers.marks import MAX_ANSWER, boxed
from agentflow.domains.answers.rivals import CALLED, Statement

__all__ = [
    "CALLED",
    "CLAIMING",
    "MAX_ANSWER",
    "Claim",
    "Settled",
    "Statement",
    "above",
    "asks",
    "begins",
    "boxed",
    "claimed",
    "disclaimed",
    "ending",
    "finish",
    "leads_up",
    "opens",
    "read",
    "settled",
    "stated",
    "statements",
    "step",
    "supposed",
    "thinks_aloud",
    "unlabelled",
]
