"""What a sentence answers that says a question again as a statement.

What is the capital of Peru?          The capital of Peru is Lima.    Lima
Who wrote the play Hamlet?            Hamlet was written by Kyd.      Kyd
In which year was the bridge built?   The bridge was built in 1831.   1831
How is Ann related to Cid?            Ann is Cid's aunt.              aunt

Every word of the sentence is one of the question's, in its order, or a name or a number that may be
the answer; any other sentence is not read.
"""

from __future__ import annotations

import re

from agentflow.domains import markup, spelling

_BE = "is|are|was|were"
_NAME = (
    r"(?:the )?(?:[A-Z]\w*[\w.'’-]*|\d[\d,.]*)(?: (?:(?:of|the|de|da|del|van|von) )?"
    r"(?:[A-Z][\w.'’-]*|\d[\d,.]*)){0,5}"
)
_DATE = r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}"
_IN_FORM = re.compile(r" in (?:the (?:form|format) )?[MDY]{1,4}(?:[/.-][MDY]{1,4}){2}\Z")
"""How a date is to be written: ``in MM/DD/YYYY``."""
_RELATED = re.compile(
    r"How (?:is|was) \[?(?P<one>[A-Z][\w'’-]*)\]? related to \[?(?P<other>[A-Z][\w'’-]*)\]?"
)
_KIN = r"(?P<said>(?:(?:great|step|half)[- ])*(?!not\b|no\b)[a-z]+(?:-[a-z]+|[- ]in[- ]law)*)"
_LAST = re.compile(r"(?s).*(?:[.!]\s+|\bQuestion: )(?=\S)")
"""What stands in front of the last sentence of a question."""
_NOT_THAT = rf"(?P<said>{_NAME})(?:, not {_NAME}| \(not {_NAME}\))"
"""``Canberra, not Sydney``"""
_OF_TIME = r"(?:(?:the year )?\d{3,4}|(?:\d{1,2} )?[A-Z][a-z]+(?: \d{1,2},)? \d{3,4})"
_KIND = r"(?:who|what|which)(?: (?:city|country|state|author|person|year|river|planet|animal))?"
_IS_WHAT = re.compile(rf"(?i){_KIND} (?P<be>{_BE}) (?P<of>(?!it\b|not\b)\S.*)")
_DOES_WHAT = re.compile(
    rf"(?i){_KIND} (?P<does>(?!(?:{_BE}|am|do|does|did|can|could|will|would|has|have|had|may|might"
    r"|should|must|not|never)\b)\S.*)"
)
_WHEN = re.compile(
    rf"(?i)(?:(?P<when>when|(?:in )?(?:what|which) year)|where|in (?:what|which) \w+) (?P<be>{_BE})"
    r" (?P<of>\S.*)"
)
_BY = {
    **{"wrote": "written", "painted": "painted", "composed": "composed", "directed": "directed"},
    **{"invented": "invented", "discovered": "discovered", "founded": "founded"},
    **{"designed": "designed", "built": "built", "created": "created", "sang": "sung"},
    **{"developed": "developed", "produced": "produced", "formulated": "formulated"},
}
"""What somebody did -> what was done by somebody."""
_WORK = r"(?:(?:the|a) )?(?:play|novel|book|opera|song|film|movie|painting|poem|symphony) "
_MAX = 300


def answered(question: str, sentence: str) -> str | None:
    """What a sentence gives as the answer to a question; None where it is not that question's
    statement."""
    question = spelling.plain(question).strip().rstrip("?").strip()
    if "?" in question:
        return None
    said = " ".join(markup.unmarked(spelling.plain(sentence)).replace("**", "").split())
    said = re.sub(r"(?<!\w)([*_])([^*_]+)\1(?!\w)", r"\2", said.removesuffix(".")).strip()
    question = _IN_FORM.sub("", _LAST.sub("", question))
    if len(question) > _MAX or len(said) > _MAX:
        return None
    for pattern in (_NOT_THAT, *_statements(question)):
        if found := re.fullmatch(pattern, said):
            return found["said"]
    return None


def _statements(question: str) -> list[str]:
    """The patterns of the statements that answer a question, with the answer as ``said``."""
    name = rf"(?P<said>{_NAME})"
    if found := _WHEN.fullmatch(question):
        time = f"(?P<said>{_OF_TIME})" if found["when"] else name
        led = rf"(?:in|on|at) {time}" if not found["when"] else rf"(?:in|on) {time}"
        words = [re.escape(word) for word in found["of"].split()]
        orders = (
            " ".join([*words[:at], found["be"], *words[at:]]) for at in range(1, len(words) + 1)
        )
        ends = (" ".join(words[at:]) for at in range(1, len(words)))
        its = [rf"(?i:(?:it|he|she|they) {found['be']} {end}) {led}" for end in ends]
        era = [rf"(?:[Ii]n )?{time}(?: (?:AD|CE))?"] if found["when"] else [rf"[Ii]n {time}"]
        return [*(rf"(?i:{whole}) {led}" for whole in orders), *its, *era]
    if found := _RELATED.fullmatch(question):
        one, other = (rf"\[?{re.escape(found[who])}\]?" for who in ("one", "other"))
        return [
            rf"{one} (?:is|was) {other}['’]s {_KIN}",
            rf"{one} (?:is|was) the {_KIN} of {other}",
        ]
    if found := _IS_WHAT.fullmatch(question):
        name = rf"(?P<said>{_DATE}|{_NAME})"
        of = re.escape(found["of"])
        it_is = rf"[Ii]t(?:['’]s| {found['be']}) {name}"
        return [rf"(?i:{of} {found['be']}) {name}", rf"{name} (?i:{found['be']} {of})", it_is]
    if found := _DOES_WHAT.fullmatch(question):
        verb, _, of = found["does"].partition(" ")
        wholes = [found["does"], f"{verb} {re.sub(rf'(?i)^{_WORK}', '', of)}"]
        active = [rf"{name} (?i:{re.escape(one)})" for one in wholes]
        done = _BY.get(verb.lower())
        works = [of, re.sub(rf"(?i)^{_WORK}", "", of)]
        passive = [rf"(?i:{re.escape(one)} (?:was|were) {done} by) {name}" for one in works if done]
        return [*active, *passive, rf"[Ii]t (?:is|was) {name}"]
    return []
