"""Whether a sentence only tells how one goes about a problem, and so claims nothing of it.

Let's work through this step by step.     every word is one of a list
Note that 391 is a prime number.          ``prime`` is none: whoever reads this has to judge it
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from agentflow.domains.spelling import plain, word_set

WORDS = word_set("""
    a about above absolutely according afterwards again aim all allow allowing allows along also
    altogether am an analyse analysed analysing analysis analyze analyzed analyzing and answer
    applied applies apply applying approach approaches are arrange arranging as ask asked asking
    asks at awesome back based be because been begin beginning below both breakdown bring
    bringing by calculate calculated calculating calculation can careful carefully carry
    carrying certainly check checking clarify clean cleanly clear clearly clever cleverly
    combine combined combines combining come comes complete completed completes completing
    compute computed computing concept conclude conclusion confirm confirmed confirming confirms
    consider construct constructing context continue continuing convenient conveniently cool
    correct course deal definitely derive derived deriving desired detail detailed determine
    directly discuss do does doing done double each easier easiest easily easy effectively
    employ ensure ensured ensures ensuring essentially evaluate evaluated evaluates evaluating
    exactly examine examining example examples excellent explain explained explanation explore
    exploring express expressed expressing expression expressions final finally find finding
    finishing first focus focusing follow following follows for formula forward found from fun
    further gather gathering get gets getting give given gives giving glad go goal goes going
    great guide handle handling handy happy has have having help helpful helping helps hence
    here highlight hope how i idea identified identifies identify identifying if illustrate
    important in indeed information initially insight instance interesting interpret
    interpreting into involve involved involves involving is it its itself just keep keeping
    keeps kept know known last later leads learn let lets like logic logical logically look
    looking looks make makes me means method mind my myself name natural naturally neat neatly
    need needed needs next nice nicely note noted notice now obtain obtained obtaining of okay
    on once one only operation operations or order organize our ourselves out outcome over
    overall part perform performed performing performs piece pieces plan planning please
    precisely presentation presented presenting problem proceed proceeding process provided put
    puts putting question quick quickly reach read rearrange rearranging reasoned reasoning
    recalculate recalculating recall recap recheck refer regarding relevant remaining remember
    represent represented request requested respectively restate result rewrite rewriting
    rewritten right said say says see seen sense separately setting shall show shown shows
    similarly simple simplification simplified simplifies simplifying simply since slow slowly
    smoothly so solution solve solved solving specific specifically stage stages start started
    starting state stated step steps straight straightforward strategy structure structured
    substitute substituted substituting substitution successfully summarise summarised
    summarising summarize summarized summarizing summary sure systematically tackle take taken
    takes taking task technique tell tells terms thank thanks that the their them then there
    therefore these they thing thinking this thorough thoroughly those through thus tidily tidy
    to together track tracking trick try trying understand understanding understood up us use
    used useful using value various verification verified verify very view walk want wanted way
    ways we welcome well what where which while will with wonderful work working works worth
    would wrap write writes writing written yields you your yourself
""")
"""Words that claim nothing, whatever stands beside them: no negation, no comparison, no number."""

_AIMS = word_set("""
    aim answer ask asked asking asks check checking conclusion consider determine double find goal
    if imagine let need needed needs or question requested shall statement try trying understand
    verify want wanted would
""")
"""Those of them, and others, behind which stands what is asked or supposed."""
_LEADING_WORDS = word_set("counting here obviously saw seen shown total")
_LEAD = re.compile(
    r"\W*(?:[\w'-]+ ){0,11}?(?:[\w'-]+[,:]|that|because|since) (?=\S)", re.IGNORECASE
)

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
    said = words(plain(sentence).lower())
    return all(word in WORDS or word in known for word in said)


def claims_nothing(sentence: str, known: Container[str] = ()) -> bool:
    """Whether a sentence :func:`only` tells how one goes on, and what stands behind is claimed: it
    is not asked, and not supposed."""
    said = plain(sentence).lower().replace("in conclusion", "")
    return only(said, known) and _AIMS.isdisjoint(words(said))


def behind_leads(sentence: str) -> str:
    """A sentence without the clauses at its beginning that claim nothing themselves:
    ``As we saw in step 3, ...``, ``You can easily see that ...``."""
    while (lead := _LEAD.match(sentence)) and claims_nothing(lead[0], _LEADING_WORDS):
        sentence = sentence[lead.end() :]
    return sentence


def words(text: str) -> Iterator[str]:
    """The words of a plain text in small letters, without the verbs that are shortened into them
    (``let's``), and without what only hesitates in front of them."""
    return (_SHORT.sub("", word) for word in _WORD.findall(_HESITATES.sub("", text)))
