"""Whether the words in front of an equation and behind it let it stand as what its author states.

Words that govern an equation (``I deny``, ``it is absurd that``) or judge it (``fails``, ``is a
lie``) cannot be listed; so those that may stand there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from agentflow.domains.math.notation import Token
from agentflow.domains.math.units import scales
from agentflow.domains.spelling import NUMBERS, word_set
from agentflow.tools.quantities import may_be_of_a_thing, things

_CONNECTIVES = word_set("""
so then thus therefore hence because since as but and also now next finally first second third here
""")
_HOLDING = word_set("""
is are was were be been has have had that's it's which's there's cost costs spent spends spend paid
pays pay makes made make needs need needed earns earned earn gives give gave gets get takes take
took weighs weigh weighed buys bought buy saves saved save receives received eats ate eat collects
collected becomes became equals worth totals total totaling drives drove runs ran works worked
leaves caught raised used lost picked invested charges charged sells sold owes owe contains travels
traveled walks walked scored scores giving making leaving meaning
""")
"""Verbs whose object is a number: what stands behind them is no equation that is spoken of."""
_PLAIN = (
    _CONNECTIVES
    | _HOLDING
    | word_set("""
we you he she it they this that these those there i'll let's us them him her his its their our my
the a an of for to by with from in on at per each every both all only just again indeed simply
exactly will can must would means mean know see find note get gets got conclude obtain follows
follow shows show calculate calculating compute computing work multiply multiplying add adding
subtract subtracting divide dividing simplify simplifying evaluate evaluating combine expand
equation solve sum product difference quotient number amount total totals cost price value result
answer area perimeter volume rate ratio length width height distance time age weight speed score
step part numerator denominator probability average remaining left side right altogether together
combined up out after more less old new most least final last one two three four five six seven
eight nine ten
""")
)
"""Words of a sentence that works something out and says nothing else of it."""
_DENYING = frozenset(
    {"no", "not", "nobody", "nothing", "none", "never", "neither", "nor", "hardly"}
)
_INVERTED = frozenset(
    {"were", "had", "should", "is", "are", "was", "has", "have", "did", "do", "does"}
)
"""What a question or an assumption begins with."""
_FIRST_PERSON = frozenset({"i", "we", "you"})

_BEHIND = word_set("""
and so then because since for in on at from by per each every a an the left total altogether
combined together now today but therefore thus hence when while as this we he she they it his her
their our its you which who that away ago again later extra additional remaining available needed
required worth overall inclusive finally leaving making giving meaning where also after before
during simplify daily weekly monthly yearly
""")
"""Words behind a number, or a number of things, that say nothing of the equation before them."""
_BEHIND_THINGS = _BEHIND | word_set("""
of are were remain need have had off out up down to with over between across until old long tall
wide high deep can will
""")
_COMPARED = word_set("""
more older younger cheaper farther further longer shorter taller heavier lighter faster
""")
"""What may stand behind a difference, unless a number follows: then it is a part of another."""
_SAYS_OF_IT = frozenset({"which", "this", "that", "it"})
_JUDGING = frozenset(
    {"is", "was", "isn't", "wasn't", "cannot", "can't", "seems", "looks", "sounds"}
)
_HOLDS = (_PLAIN - {"a", "an"}) | word_set("""
correct right true valid fine good what less greater higher lower larger smaller closer close equal
too even odd
""")


_FAR = 300
"""Tokens in front of an equation that are looked at: a chain may have thousands of equations."""


def may_stand(lead: Sequence[str], *, label: bool, counts: bool) -> bool:
    """Whether the words of a clause in front of an equation let it be stated.

    Args:
        lead: The words, in small letters.
        label: Whether they are a label, which names the result (``Total: 3 * 4 = 12``).
        counts: Whether a unit names it; then it is a number of things that is spoken of (``Tom ate
            3 * 4 = 12 apples``), and no equation.
    """
    if not lead:
        return True
    if _DENYING & {*lead}:
        return False
    if _is_governed(lead) and not (label and lead[-1] != "that"):
        return False
    if any(one in _FIRST_PERSON and other not in _PLAIN for one, other in pairwise(lead)):
        return False
    return label or counts or lead[-1] in _PLAIN


def _is_governed(lead: Sequence[str]) -> bool:
    """Whether an equation depends on words that may say anything of it: ``it is absurd that``."""
    if "that" not in lead:
        return False
    place = len(lead) - lead[::-1].index("that") - 1
    relative = lead[place + 1 : place + 2] and lead[place + 1] in _HOLDING  # apples that are red
    return not relative and not _PLAIN.issuperset(lead[:place])


def is_asserted(lead: Sequence[str], clause: Sequence[str], *, named: bool) -> bool:
    """Whether an equation is surely meant to hold, so that it can be refuted.

    Args:
        lead: The words of its sentence in front of it.
        clause: Those of its clause, the last of them.
        named: Whether a label or a unit names the result, as for :func:`may_stand`.
    """
    if lead and lead[0] in _INVERTED:
        return False
    begins = max((n for n, word in enumerate(lead, 1) if word in _CONNECTIVES), default=0)
    rest = lead[begins:]
    if _PLAIN.issuperset(rest):
        return True
    return bool(clause) and (named or clause[-1] in _HOLDING)


def is_unit(run: Sequence[Token], *, inside: bool = False) -> bool:
    """Whether the words behind a number only name what it counts, or go on with the sentence.

    Args:
        inside: Whether an operator follows: then any kind of thing may be named (``32 sweet + 6``).
    """
    kinds = [token.kind for token in run]
    main = run[: kinds.index("/")] if "/" in kinds else run
    words = [token.text.lower() for token in main if token.kind == "word"]
    if words and scales(words[0]):
        words = words[1:]
    if not words or words[0] in _BEHIND:
        return True
    if words[0] in _COMPARED:
        return not (words[1:2] == ["than"] and (len(words) == 2 or words[2] in NUMBERS))
    named = things(words)
    if inside and all(map(may_be_of_a_thing, words)):
        return True
    if named == 0 or named == len(words):
        return named > 0
    return words[named] in _BEHIND_THINGS or words[named] in _COMPARED


def is_judged(found: Sequence[Token], place: int) -> bool:
    """Whether what stands behind a stop speaks of the equation before it: ``, which is a lie``."""
    words = [token.text.lower() for token in found[place : place + 4]]
    if len(words) < 3 or words[0] not in _SAYS_OF_IT or words[1] not in _JUDGING:
        return False
    return found[place + 2].kind in ("word", "bad") and words[2] not in _HOLDS


def words_before(found: Sequence[Token], place: int) -> tuple[list[str], list[str]]:
    """The words in front of a place: those of its sentence, and those of its clause.

    Behind an equality sign there are none: what is defined there is stated.
    """
    if place and found[place - 1].kind == "relation":
        return [], []
    lead = list[str]()
    clause: int | None = None
    for token in reversed(found[max(0, place - _FAR) : place]):
        if token.kind == "stop" and token.text in (".", ";"):
            break
        if token.kind == "word":
            lead.append(token.text.lower())
        elif clause is None and (token.kind in ("relation", "comparison") or token.text == ","):
            clause = len(lead)
    else:
        lead += ["..."] * (place > _FAR)  # what stands before it is not known
    return lead[::-1], lead[:clause][::-1]
