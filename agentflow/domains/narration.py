"""Whether a sentence only tells how one goes about a problem, and so claims nothing of it.

Let's work through this step by step.     every word is one of a list
Note that 391 is a prime number.          ``prime`` is none: whoever reads this has to judge it
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from agentflow.domains.spelling import plain, word_set

WORDS = word_set("""
    a about above according again all along also altogether an and answer are as at back based be
    because been begin beginning below both breakdown by calculate calculated calculating
    calculation check checking clear clearly compute computed computing conclude conclusion
    consider correct determine detail detailed do does doing done double each easily evaluate
    evaluating exactly explain explained explanation express final finally find finding first
    follow following follows for found from further get gets getting give given gives giving go
    goes going hence here how i identify if in indeed information into is it its itself just know
    last leads let lets like look looking looks make makes me my need needed needs next now of
    okay on once one only or order our out over overall part perform problem proceed process
    provided question quick reasoning recheck reach read remaining result right see seen shall
    show shown shows simple simply since so solution solve solved solving start started starting
    state step steps summary sure systematically take taken takes taking tell that the their them
    then there therefore these they thing this those through thus to together up us use used using
    value verification verified verify walk want wanted way we well what where which will with
    work working works would yields you your
""")
"""Words that claim nothing, whatever stands beside them: no negation, no comparison, no number."""

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_HESITATES = re.compile(r"\A\W*(?:wait|hmm+),? (?=let\b)")
"""``Wait, let me verify``: what is looked at again follows."""
_SHORT = re.compile(r"'(?:s|re|ll|ve|d|m)\Z")


_REFUTED = re.compile(r"(?m)^\[verifier: .*$")
_CALLED = re.compile(
    r"(?ms)^(?:Thought: [^\n]*\n)?Action: .*?\nObservation:\n(?:> ?[^\n]*(?:\n|\Z))*"
)
_BROKEN_OFF = re.compile(r"(?m)^(?P<cut>[^\n]+?) …\n(?=(?P=cut))")
"""A line that broke off where a stream did, and is written again."""


def own(text: str) -> str:
    """What the writer of a text says, and has not been told to take back: what stands behind the
    last note of a verifier, without calls of tools and what they returned."""
    *_, behind = _REFUTED.split(text)
    return _BROKEN_OFF.sub("", _CALLED.sub("", behind))


def only(sentence: str, known: Container[str] = ()) -> bool:
    """Whether all words of a sentence are of :data:`WORDS`, or are ``known``.

    Numbers and signs are not looked at: whoever asks reads them.

    Args:
        known: Further words, in small letters, that claim nothing in the domain that asks.
    """
    text = _HESITATES.sub("", plain(sentence).lower())
    return all(word in WORDS or word in known for word in words(text))


def words(text: str) -> Iterator[str]:
    """The words of a plain text, without the verbs that are shortened into them (``let's``)."""
    return (_SHORT.sub("", word) for word in _WORD.findall(text))
