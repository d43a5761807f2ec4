"""Sentences that speak of an answer, its author or a check, and leave the answer as it is.

    It must be 7.                      says it again
    Both methods give 7.               a source that gives it
    I verified this twice.             its author stands by it
    8 is not the answer.               rules out another one
    The problem has one solution.      finds no fault with the problem

They are listed, with ``X`` for the answer; a word more or less, and a sentence is not known.
"""

from __future__ import annotations

import re

from agentflow.domains.answers.alike import same_option
from agentflow.domains.answers.doubt import is_doubted
from agentflow.domains.answers.lines import statements
from agentflow.domains.answers.presented import presents
from agentflow.domains.answers.remarks import takes_back
from agentflow.domains.spelling import LETTER_OR_DIGIT, lowered, phrases

TASK = r"(?:problem|question|puzzle|task)"
_THE = r"(?:the|this|that|my|our)(?: (?:above|final|correct|only|possible|right))*"
_IT = rf"(?:it|this|that|{_THE} (?:answer|solution|result)(?: above)?)"
_IS = r"(?:['’]s| is| must be| should be| has to be| can only be| stays| remains)"
_GIVEN = r"(?:conditions?|constraints?|clues?|rules?|requirements?|premises?)"
_STEPS = (
    r"(?:(?:the|my|each|every|all|both)(?: (?:of|the|my|given|single))* (?:steps?|calculations?"
    rf"|work|reasoning|arithmetic|lines?|{_GIVEN}|information|order of operations"
    rf"|{TASK}(?: statement)?)|every part)(?: of (?:the|this) {TASK}| above)?"
)
_SOURCE = (
    r"(?:an?|the|this|our|my|each|every|both|all)(?: (?:quick|second|careful|small|short|sanity"
    r"|final|brute-force|independent|different|reference))* (?:checks?|verification|methods?"
    r"|approach(?:es)?|ways|search|calculator|program|script|simulation|textbook|solution|recount)"
    rf"(?: (?:of|on) {_STEPS})?"
)
"""What may give an answer, or bear it out."""
_GIVES = r"(?:gives?|gave|returns?|leads? to|arrives? at|yields?)"
_CONFIRMS = r"(?:confirms?|verif(?:y|ies)|matches|agrees? with)"
_MET = r"(?:holds?|check out|(?:is|are|has been|have been) (?:now )?(?:satisfied|met|used))"
_GRID = r"(?:(?:and|row|column|\d×\d|(?:sub-?)?grid|box|block|region|group)(?:, | |(?= )))+?"
_DIGITS = (
    r"(?:contains|has) the (?:numbers|digits) 1 (?:through|to) 9"
    r" (?:exactly once|without repetition)"
)
_PLACE = r"(?: (?:above|below|here|at the end|in the box))+"
_SURE = (
    r"(?:i(?:['’]m| am)|we(?:['’]re| are| can be)) (?:quite |very )?(?:certain|sure|confident"
    r"|convinced)"
)
_FAULT = r"(?:ambiguity|contradictions?|errors?|mistakes?|problems?|issues?)"
_OFFER = r"(?:i can|i(?:['’]m| am) happy to|i(?:['’]d| would) be happy to)"
_CHECKED = (
    r"(?:also |just |carefully )*(?:verified|(?:double-?|re-?)?checked|reviewed|confirmed"
    r"|explained|followed|considered|solved|looked at|used(?: only)?|read|tested|walked through"
    r"|completed|showed)"
)
_HOW = (
    r"(?: (?:carefully|again|twice|above|step by step|by hand|by substituting(?: it)? back"
    rf"|by working backwards|against {_STEPS}))*"
    r"(?:,? and (?:it|everything) (?:works?|worked|holds?|held|fits?))?"
)
_LANGUAGE = (
    r"(?:arabic|bengali|chinese|dutch|french|german|hindi|italian|japanese|korean|polish"
    r"|portuguese|russian|spanish|swahili|telugu|thai|turkish|vietnamese)"
)
_KNOWN = phrases(rf"""
    {_IT}{_IS}(?: (?:indeed|really|exactly))? X; X it is; it is true that {_IT} is X
    (?:{_IT}(?:['’]s| is) )?X,? (?:exactly|as (?:required|expected)|and (?:nothing else|no other))
    {_IT}(?:['’]s| is) X (?:(?:steps|moves|turns|objects) )?(?:in total|total|altogether|in all)
    {_IT} (?:gives|leaves)(?: us with)? X; {_IT}(?:['’]s| is) {_IT}; {_SOURCE} is X
    {_SOURCE} {_GIVES} (?:X|the same (?:answer|result|value))(?: (?:again|as well|too))?
    {_SOURCE} {_CONFIRMS} {_IT}; {_SOURCE} {_CONFIRMS} that {_IT} is (?:X|right|correct)
    {_SOURCE} (?:pass(?:es|ed)?|succeed(?:s|ed)|agrees?|(?:is|was) (?:successful|complete))
    {_SOURCE} confirms that (?:nothing (?:was|is) missed|no errors? (?:was|were) made)
    an? check (?:of|on) each {_GRID} confirms that every {_GRID} {_DIGITS}
    {_IT} (?:makes sense|is reasonable)(?: in (?:the|this) context(?: of (?:the|this) {TASK})?)?
    {_IT} (?:is|was|has been) (?:given|stated|boxed|shown|found|written){_PLACE}
    {_IT} (?:was|is) (?:obtained|found) by following {_STEPS}
    {_IT} (?:{_CONFIRMS}|gives(?: us)?|(?:brings|leads) us to) {_IT}(?: directly)?
    {_IT} (?:matches|agrees with) what we (?:found|expected)
    {_IT} (?:corresponds to|matches) (?:the )?(?:answer|option|choice) X
    {_THE} {TASK} is (?:written |asked |stated )?in {_LANGUAGE}
    there(?:['’]s| is) (?:no other|only one|exactly one) (?:possible |correct |valid )?answer
    there are no other (?:possible |correct |valid )?answers
    we(?:['’]re| are) (?:now )?ready to (?:give|state|write) {_IT}
    {_THE} {TASK} has (?:an?|one|exactly one)(?: unique)? (?:solution|answer)
    {_THE} {TASK} (?:contains|gives) (?:no contradictions?|all the information(?: that)? we need)
    {_THE} {TASK} is (?:a simple one|straightforward|simple|solved|well[- ]defined|complete)
    {_THE} {TASK} can be solved (?:step by step|logically|with what is given)
    (?:all|each|every)(?: of)?(?: the)?(?: given)? {_GIVEN}(?: of {_THE} {TASK})? {_MET}
    i(?: have|['’]ve)? {_CHECKED} (?:{_IT}|{_STEPS}){_HOW}; i made no (?:mistake|error)s?(?: above)?
    i (?:assumed|skipped|ignored|changed|added|missed) nothing(?: (?:above|beyond {_STEPS}))?
    i (?:assumed|added) nothing that {_THE} {TASK} does not say
    i (?:left out|skipped|ignored) (?:none|no part) of {_STEPS}
    i (?:arrived at|obtained|got|found|chose) X(?: (?:again|as {_IT}))?(?:,? and {_SURE})?
    i (?:do not|don['’]t) see any {_FAULT}(?: in {_THE} {TASK})?(?:, so i['’]ll go with {_IT})?
    (?:{_SURE}|i conclude)(?: that)? (?:{_IT} is|it['’]s) X; {_SURE} (?:in|of|about|by) {_IT}
    i(?:['’]d| would|['’]ll| will) (?:go with|say|choose) X; i (?:stand by|agree with) {_IT}
    {_OFFER} explain (?:{_IT}|{_STEPS}|any step)(?: (?:further|again|in more detail))?
    (?:i hope|(?:please )?let me know if) {_IT} (?:helps|is clear(?: now)?)
    if anything (?:about|in) {_IT} is unclear, (?:(?:just|please|feel free to) )?(?:ask|let me know)
""")
_LEAD = (
    r"[\s*_\"“(✓✅-]*(?:(?:so|and|yes|then|thus|therefore|hence|now|indeed|also"
    r"|(?:double-)?check(?:ing)?(?=:)|verification(?=:))\b[,:]? )*"
)
_END = r"[.!]?[\s*_\"”)✓✔✅]*"
_LEAVES_IT = re.compile(rf"{_LEAD}(?:{_KNOWN}){_END}")
_OTHER = r"([a-j]|-?\d{1,9})"
_NOT = re.compile(
    rf"{_LEAD}(?:{_OTHER} is not (?:{_THE}|an?)(?: valid)? answer"
    rf"|(?:{_THE} answer|it) cannot be {_OTHER}"
    rf"|a common mistake is to (?:answer|say) {_OTHER}){_END}"
)
"""What rules out another answer."""
IF = re.compile(r"(?<!check )(?<!see )(?<!verify )\b(?:if|unless)\b")
_HEADING = re.compile(r"\W*(?:(?:the|my|our) )?(?:final )?(?:answer|solution)\W*")
_NO_OTHER = re.compile(
    r"\W*(?:so |but )?the (?:correct |right )?answer (?:is|was)(?: not|n['’]t)"
    r" (?P<other>\S+?)[.!]*\W*"
)
"""What denies another answer than the one that is given."""
_IS_IT = re.compile(r"\W*(?P<said>(?:[\w'’-]+ ){1,8})is the (?:correct |right |final )?answer\W*")
"""What is called the answer by its name; whether it is another one, others see."""
_OPTION = re.compile("[A-J]")
_INTEGER = re.compile(r"-?\d{2,9}")
"""A number that is not that of an option, whose text may be the other one."""


def named(answer: str) -> str:
    """A regular expression for an answer where it is said, and is no part of anything longer."""
    return rf"(?<![\w.,'’/^+*$-]){re.escape(answer)}(?![\w'’/^+*-]|[.,]\d)"


def harmless(sentence: str, answer: str) -> bool:
    """Whether a sentence speaks of an answer, its author or a check, and is known to leave the
    answer as it is.

    Args:
        sentence: A sentence of a reply.
        answer: The answer of the reply; empty where it is a program.
    """
    said = re.sub(r"</?[A-Za-z]+>|\*\*", "", sentence)
    parts = re.split(named(answer), said) if answer else [said]
    if _LEAVES_IT.fullmatch("X".join(map(lowered, parts))) or presents(said):
        return True
    found = _NOT.fullmatch(lowered(said))
    other = next(filter(None, found.groups())) if found else answer
    if _OPTION.fullmatch(answer):
        return other.upper() != answer and other.isalpha()
    return _INTEGER.fullmatch(answer) is not None and answer != other and not other.isalpha()


def gives(sentence: str, low: str, answer: str) -> bool:
    """Whether a sentence ends with the answer, where it is read as that, heads it, or denies
    another one."""
    last = statements(f"{sentence}\n")[-1:]
    ends = any(
        (one.text == answer or same_option(one.text, answer))
        and not LETTER_OR_DIGIT.search(sentence[one.end :])
        for one in last
    )
    other = _NO_OTHER.fullmatch(low)
    denies = other is not None and lowered(answer) not in (other["other"], "")
    called = _IS_IT.fullmatch(low)
    calls = called is not None and not (
        is_doubted(called["said"], "is the answer") or takes_back(low)
    )
    return _HEADING.fullmatch(low) is not None or denies or calls or (ends and not IF.search(low))
