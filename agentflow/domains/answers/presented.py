"""Sentences with which an author hands in an answer that has been looked at.

    Since both experts have checked the solution, I can now present the final answer.
    I am confident in giving the answer.
    Write the answer in MM/DD/YYYY.

They say nothing of the answer but that it stands. Each clause is known as a whole: ``has not been
checked`` is none of them.
"""

from __future__ import annotations

import re

from agentflow.domains.spelling import phrases

_EXPERT = (
    r"(?i:(?:both|the|an?|another|two|three|all|my)\s){0,2}(?i:(?:independent|different|second|third"
    r"|other)\s)*(?i:experts?)(?: [A-Z][a-z]+){0,3}(?: mathematicians?)?"
)
_WHO = rf"(?:{_EXPERT}(?:,? and {_EXPERT})?|[Ii]|[Ww]e)"
_LOOKED_AT = r"(?:verified|confirmed|(?:double-?)?checked|reviewed|validated)"
_WORK = (
    rf"(?:[Ii]t|[Ee]verything|(?i:the|this|my|our)(?: {_EXPERT}['’]s)?"
    r"(?: final| proposed| correct)?"
    r" (?:answers?|solution|results?|calculations?|reasoning|steps|code"
    r"|(?:arithmetic )?(?:expression|equation))"
    rf"(?: (?:provided|given|found|proposed|obtained) (?:above|here|by {_WHO}))?"
    rf"(?: (?:and )?{_LOOKED_AT} by {_WHO})?)"
)
_AS_WELL = r"(?: as well| too| twice| again)?"
_CLAUSE = phrases(rf"""
    {_WORK} (?:has|have) been (?:also |now |independently |successfully )*{_LOOKED_AT}(?: and {_LOOKED_AT})?(?: by {_WHO})?{_AS_WELL}
    {_WHO} (?:have |has )?(?:also |now |independently )*{_LOOKED_AT}(?: and {_LOOKED_AT})?(?: the (?:accuracy|correctness|validity) of)? {_WORK}{_AS_WELL}
    {_WHO} (?:have |has )?(?:independently )?(?:arrived at|agree on|agreed on|obtained) the same (?:final )?(?:answer|result)
    {_WORK} (?:is|are|has been (?:verified|found) to be) (?:accurate|correct|complete)
    {_WHO} agree(?:s|d)? on {_WORK}
    (?:i|we) have(?: successfully)? (?:obtained|found|calculated|computed) {_WORK}(?: (?:using|from|with|through) (?:our |the )?[Pp]ython(?: code| program)?)?(?: and {_LOOKED_AT} {_WORK})?
    (?:{_WORK} )?(?:directly )?answers the (?:original )?(?:question|problem)
    (?:{_WORK} )?(?:follows|meets|satisfies) all(?: of)?(?: the)?(?: given)? (?:constraints|conditions|requirements)
""")  # fmt: skip # noqa: E501
_CLAUSES = rf"(?:{_CLAUSE})(?:(?:,? and (?:that )?|, )(?:{_CLAUSE}))*"
_ANSWER = r"(?i:it|(?:the|my|our|this)(?: final| correct)* (?:answer|solution|result))"
_FORMAT = (
    r"(?: in (?:the (?:required |requested |specified |right |desired |given )?format|[A-Z/]{4,12})"
    r"| to the (?:original )?(?:question|problem)| below| with confidence)?"
)
_HANDS_IN = phrases(rf"""
    (?:(?:[Ii]|[Ww]e)(?: (?:will|can|may|am ready to|are ready to))?(?: (?:now|confidently|finally))* |[Ll]et(?:['’]s| me| us) (?:now )?)?(?i:present|provide|submit|state|report|write|give) {_ANSWER}{_FORMAT}
    (?:[Ii](?: am|['’]m)|[Ww]e(?: are|['’]re))(?: now)? (?:confident|certain|sure) (?:in|of|about)(?: (?:presenting|providing|giving|the (?:accuracy|correctness) of))? {_ANSWER}
    (?i:match|compare) {_ANSWER} (?:to|with) (?:the|one of the)(?: given)? (?:options?|choices?)
    (?i:(?:we (?:just |now )?(?:need to |can )?|let['’]s )?(?:add|subtract|multiply|divide|combine|perform)) [^.,;:]{{1,60}} to (?:get|find|obtain) {_ANSWER}
    (?i:match|select|choose|state|write|give|find|determine|present) {_ANSWER}
""")  # fmt: skip # noqa: E501
_LEAD = r"\W*(?:(?i:so|now|therefore|thus|hence|finally|then|great)\b,? )*"
_PRESENTS = re.compile(
    rf"{_LEAD}(?:(?:(?i:since|because|as|now that|given that) )?{_CLAUSES}"
    rf"(?:, {_LEAD}(?:{_HANDS_IN}))?|(?:{_HANDS_IN}))[\s.!:*_]*"
)


def presents(sentence: str) -> bool:
    """Whether a sentence hands in an answer, or says that it has been checked, and no more."""
    return len(sentence) <= 400 and _PRESENTS.fullmatch(sentence) is not None
