"""Sentences that say well of an answer: ``This satisfies all conditions.``

They are listed; what is not listed says nothing well.
"""

from __future__ import annotations

import re

from agentflow.domains import arithmetic
from agentflow.domains.answers.remark_sums import COUNTS, NUMBERS_TOLD, worth_of
from agentflow.domains.answers.remark_words import MAX_SENTENCE, letter
from agentflow.domains.spelling import NUMBERS, lowered, phrases

OF_REASONING = phrases(r"""
    answers?; solutions?; results?; outcomes?; options?; choices?; conclusions?; statements?
    claims?; arguments?; reasoning; logic; inferences?; implications?; negations?; converse
    evidence; proofs?
    steps?; checks?; verifications?; counts?; re-?counts?; numbers?; totals?; sums?; products?
    differences?; values?; calculations?; computations?; arithmetic; operations?; subtractions?
    additions?; signs?; order; parenthes[ei]s; brackets; units?; problems?; questions?; data; givens
    conditions?; constraints?; clues?; rules?; premises?; facts?; truth; texts?; maps?; details?
    dates?; sources?; readings?; interpretations?; assumptions?; catch; mistakes?; errors?; slips?
    flaws?; gaps?; holes?; directions?; ones?; things?; parts?; looks?; expressions?; equations?
    formulas?; approach; methods?; explanations?; work; thinking; intuition; search(?:es)?
    scripts?; programs?; simulations?; solvers?; calculators?; tests?; references?; textbooks?
""")
"""What answers and their reasons are called."""
ORDINAL = (
    r"(?:first|second|third|last|next|others?|same|opposite|reverse|contrary|above|rest|latter"
    r"|former|only|\d{1,6}(?!\w))"
)
"""What speaks of one of several."""
BEGINS = (
    r"(?:each|every|all|both|everyone|whoever|anyone|any|if|since|because|as|by|from|given"
    r"|according|following|with(?:in)?|in(?:side)?|at|on|after|under|using|when|where|for|during"
    r"|between|among|through|i\.e|e\.g)"
)
"""What a sentence about a thing may begin with."""
ABOUT_IT = re.compile(
    r"(?:this|that|these|those|it|its|there|they|which|what|something|everything|nothing|one)\b"
    rf"|(?:(?:the|my|our|an?|its|your) )?{ORDINAL}(?![\w'’-])"
    rf"|(?:(?:each|every|all|any|both) (?:of )?)?(?!{BEGINS}\b)(?:(?:the|my|our|an?|its|your) )?"
    rf"(?:[a-z-]+ ){{0,2}}?(?:{OF_REASONING})(?![\w'’-])"
)
"""How a sentence begins that speaks of the answer, of its reasons, or of the problem as such."""
_GIVEN = (
    r"(?:given |stated |required |necessary |original |following |puzzle['’]s |problem['’]s )*"
    r"(?:clues?|conditions?|constraints?|rules?|requirements?|premises?|facts?|information"
    r"|statements?|problem(?: statement)?|question|criteria|definitions?|map|maze|description"
    r"|data|details?|expectations?|steps?(?: above)?|numbers)"
    r"(?: (?:given|stated|provided|listed|specified))?"
    r"(?: (?:of|in|from|for) (?:(?:the|this) )?[a-z]+)?"
)
_ALL = rf"(?:(?:all|each|every|both|any|of|the|our|these|its) )*{_GIVEN}"
_RIGHT = (
    r"(?:correct|right|valid|sound|consistent|verified|confirmed|satisfied|met|complete|unique)"
)
_IT_IS_RIGHT = r"(?:is|are|has been|have been) (?:indeed |clearly |all |therefore |also )?"
_ANSWER = r"(?:the|my|our) (?:(?:only|final|correct|right|unique|valid|possible|required) )*"
_FITS = phrases(rf"""
    works(?: out)?(?: perfectly| fine)?; holds(?: true)?; checks out; fits(?: perfectly)?
    (?:works|holds) for (?:all|any|each|every)\b[^,;]*
    confirms? (?:that )?(?:the|our|this) (?:solution|result)(?: is {_RIGHT})?
    (?:matches|satisfies|satisfy|meets?|fits|fulfil\w*|respects?|obeys?|follows|answers) {_ALL}
    (?:aligns|agrees|complies|is consistent|are consistent|is in line) with {_ALL}
    agrees(?: too)?; adheres to {_ALL}
    {_IT_IS_RIGHT}{_RIGHT}; (?:prove|show|confirm)s? (?:this|it|that)
    (?:can be|is|was|has been) (?:easily )?(?:verified|checked|confirmed)(?: directly)?
    follows(?: (?:directly|logically|immediately|also|clearly))?(?: (?:from|by)\b.*)?
    (?:completes|concludes|proves|solves|settles|answers) (?:the|this|our|it)\b(?: \w+){{0,2}}
    is (?:because|why|due to|how|where|what (?:was|is) (?:asked|required|needed))\b.*
    (?:comes|is derived|is obtained|was obtained|results) from {_ALL}
    is (?:based|supported) (?:up)?(?:on|by) {_ALL}(?: (?:stating|that)\b.*)?
    (?:is|are) used (?:exactly )?once(?: each)?
    uses (?:each|every|all)\b.*; uses \d[\d, and]*exactly once(?: each)?; (?:entail|support)s? .*
    is (?:indeed )?{_ANSWER}(?:answer|solution|option|choice|way|result)(?: that (?:works|fits))?
    is (?:indeed )?{_ANSWER}(?:answer|solution) to (?:the|this) (?:problem|question)
    (?:lead|point)s? to (?:this|the|that|our) (?:answer|conclusion|result|solution)
    (?:is|are) (?:no (?:other|contradictions?|conflicts?|duplicates)|exactly)\b.*
    (?:represents|is) (?:one|a) (?:correct|valid) (?:solution|path|way|answer)(?: through the maze)?
    (?:encapsulates|captures|describes|summari[sz]es) the\b.*; (?:also )?implies that the\b.*
    (?:successfully )?(?:navigates?|leads?|moves?|goes|reaches) (?:around|through|from|to|the)\b.*
    ensures? that\b.*; original problem statement asked\b.*
""")
_FITTING = re.compile(rf"(?:{_FITS})")
_RISKY = (
    r"(?!.*\b(?:(?<!final )answers?|options?|choices?|other|another|better|opposite|converse|half"
    r"|twice|only)\b)"
)
SHOWS = re.compile(
    r"(?:(?:this|both|the)(?: (?:step-by-step|detailed|systematic|same))?(?: (?:result|calculation"
    r"|check|verification|approach|process|method|methods|derivation|breakdown))? )"
    r"(?:(?:also|further|clearly|closely|indeed) )?(?:"
    rf"(?:confirms?|indicates|shows|demonstrates|verif(?:y|ies)|ensures|illustrates) {_RISKY}"
    r"(?:that|how|our|the|us|we)\b.*"
    rf"|(?:follows|provides|allows|leads) (?:us |from )?{_RISKY}(?:the|our|an?|to)\b.*"
    rf"|holds(?: true)? (?:for|regardless of) {_RISKY}.*)"
)
"""What says that something was shown; its numbers have to be those of the answer."""
_DESCRIBES = re.compile(
    r"(?:this|the) (?:json )?(?:structure|object|response|output|format|reply) (?:provides"
    r"|contains|includes|shows|presents|gives|outlines) "
    r"(?:(?:a|an|the|both|all|clear|concise|detailed|complete|full|step|by|steps|reasoning"
    r"|calculations?|process|explanation|solution|final|answer|to|of|for|and|with|question|problem"
    r"|requested|required|followed|in|behind|it)(?:[ ,-]+|(?=[\W_]*\Z)))+[\W_]*"
)
"""A sentence that says of a reply what it consists of, and nothing else."""
BEARS_OUT = re.compile(
    r"(?:(?!(?:not|never|[a-z]+n['’]t)\b)(?:[a-z'’-]+|\d{1,2}(?: and \d{1,2})?),? ){0,6}?"
    rf"(?:{_FITS})"
    r"(?:,? (?:since|because|as|and|with (?:all|the)|that|so)\b.*"
    r"|, confirming (?:our|the|this) (?:solution|result))?[\W_]*"
)
"""A sentence about the answer, or its reasons, that bears it out."""
_IS_TO_COME = re.compile(
    r"\b(?:solution|answer|result|steps?|explanation|proof|correction|version)s? "
    r"(?:follows?|is (?:below|here))[\W_]*\Z"
)
"""What says that something else is to come: ``The correct solution follows.``"""
_COMES_TO = re.compile(
    r"(?:[a-z]+ ){0,14}?(?:is|equals|gives|makes|yields|comes to|evaluates to|are)"
    r"(?: exactly| indeed)?"
    r"[\s$*]+(?P<n>-?\d[\d,]*(?:\.\d+)?(?:/\d+)?)(?:(?:[$.,!✓✔✅\s*]|so it works"
    r"|as (?:required|needed|desired))*|(?: [a-z]+){1,3}[.!]?)"
)
"""What says what something comes to: ``This equals 24.``"""
_SUMMED = re.compile(
    r"(?:(?:because|since|as|indeed|check) )?(?P<sum>[\s\d.,+*/()^=$×÷·−≈\\{}-]+)"
    r"(?P<so>[a-z][a-z ]*|)[\s.!✓✅]*"
)
"""An equation, with what follows from it: ``14 + 3 = 17, so it works.``"""
_NUMBER = re.compile(r"\d{1,9}\b")
_AND_SO = re.compile(r"(?:so |and |which )?(?:as (?:required|needed|desired|expected)$)?")


def bears_out(low: str, answer: str) -> bool:
    """Whether a sentence, in small letters, says well of an answer, or what it comes to."""
    if len(low) > MAX_SENTENCE:
        return False
    if BEARS_OUT.fullmatch(low) and not _IS_TO_COME.search(low):
        if number := _NUMBER.match(low):  # ``15 is right.``
            return arithmetic.number(number[0]) == worth_of(answer)
        about = any(one.match(low) for one in (_FITTING, ABOUT_IT))
        return about or " confirm" in low
    if _DESCRIBES.fullmatch(low):
        return True
    if SHOWS.fullmatch(low):
        return {*NUMBERS_TOLD.findall(low)} <= {*NUMBERS_TOLD.findall(lowered(answer))}
    if found := COUNTS.fullmatch(low):
        told = found["n"] or found["k"]
        told = str(NUMBERS.get(told, told))
        return letter(answer) is not None or told == answer.strip()
    if low.startswith("= "):
        low = low[2:].rstrip(" .")
        read = arithmetic.parse(arithmetic.plain(low))
        return isinstance(read, tuple) and arithmetic.value(read) == worth_of(answer)
    if (summed := _SUMMED.fullmatch(low)) and "=" in summed["sum"]:
        so = _AND_SO.sub("", summed["so"], count=1)
        return not so or bears_out(so, answer)
    if (found := _COMES_TO.fullmatch(low)) is None:
        return False
    worth = worth_of(answer)
    return worth is not None and worth == arithmetic.number(found["n"].replace(",", ""))
