"""What a text sums itself up to, in words that do not say ``answer``.

    In short: 12.      Our result is 12.      | Answer |      ✅ 12
                                              |--------|
                                              | 12     |

A text that sums itself up to something else than its answer says two things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentflow.domains import narration
from agentflow.domains.sentence_ends import sentence_end
from agentflow.domains.spelling import lowered, word_set

_SENTENCE = sentence_end()
_FINAL = re.compile(
    r"\b(?:in (?:short|brief|summary|conclusion|a nutshell)|tl;?dr|to (?:sum up|conclude"
    r"|summari[sz]e)|(?:our|my|final) (?:final )?(?:result|choice|pick|conclusion|verdict)"
    r"|(?:i|we)(?:'d|'ll| would| will)? (?:go|went) with"
    r"|how (?:you|we|i) (?:arrived?|get|got)|(?:looking|asked) for|the solution)\b"
)
"""How a sentence says that it gives what is asked for."""
_FINAL_WORDS = word_set("""
    arrive arrived asked brief choice conclusion dr nutshell our pick question short sum tl tldr
    turned turns verdict was went were
""")
_LED = re.compile(
    r"(?P<lead>.*(?:[,:]|\b(?:be|is|was|with|at|get|got)))[\s*_]++(?P<said>[^,:]{1,60}?)[.!*_]*+"
)
_IS_IT = re.compile(
    r"\W*(?:(?:so|thus|hence|therefore|then),? )?(?P<said>[^,:]{1,60}?) is (?P<lead>the solution"
    r"|(?:our|my) (?:final )?(?:result|choice))(?: (?:to|of) (?:the|this) (?:problem|question))?"
    r"[.!*_]*",
    re.IGNORECASE,
)
_TICKED = re.compile(
    r"\s*(?:[-*+] \[x\]|(?:[-*+] )?[☑✅✔]\ufe0f?)[ *_$]*"
    r"(?P<said>[A-J]|(?i:yes|no|true|false)|-?(?:\d|\\[dt]?frac)[^\s,:=]{0,40}?)[ .!*_$]*"
)
TABLE = re.compile(
    r"(?im)^[ \t]*\|[ *_]*(?:final )?(?:answer|result)[ *_]*\|[ \t]*\n[ \t]*\|[-: ]+\|[ \t]*\n"
    r"[ \t]*\|[ *_]*(?P<said>[^|\n]{1,60}?)[ *_]*\|[ \t]*$"
)


def values(text: str) -> Iterator[str]:
    """What a text sums itself up to, as it is written; with a value alone behind a tick."""
    for said in _said(text):
        yield said.strip(" *_$").replace(";", ",")


def _said(text: str) -> Iterator[str]:
    yield from (found["said"] for found in TABLE.finditer(text))
    for sentence in _SENTENCE.split(text):
        if found := _TICKED.fullmatch(sentence):
            yield found["said"]
        for form in (_LED, _IS_IT):
            if (found := form.fullmatch(sentence.strip())) and _sums_up(found["lead"]):
                yield found["said"]


def _sums_up(lead: str) -> bool:
    """Whether a lead says that what is asked for follows, and nothing else."""
    said = lowered(lead)
    return bool(_FINAL.search(said)) and narration.only(said, _FINAL_WORDS)
