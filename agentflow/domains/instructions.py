"""Sentences around a problem that change nothing in it: how to go about it, how to answer."""

from __future__ import annotations

import re

_QUESTION = "(?:multiple-choice |multiple choice )?question"
_ANSWER = (
    "(?:only |just )?(?:the |your |a |an |one )?(?:final |correct |right |best |concise )*"
    "(?:answer option|answer|option letter|option|letter|choice)(?: letter)?(?: only)?"
    "(?: of the (?:correct|right|best) (?:answer|option|choice))?"
)
_BOX = r"(?:a box|\\boxed ?\{[A-Za-z/. ]{0,20}\}|one sentence|a single sentence)"
_STEPWISE = "(?:step[- ]by[- ]step|carefully)"
_SENTENCES = (
    "question(?= ?:)",
    f"{_QUESTION}(?= ?:)",
    "answer(?= ?:)",
    f"answer (?:the|this) (?:following )?{_QUESTION}"
    "(?: based on the (?:provided |given )?(?:information|maze|map|drawing)(?: above| below)?)?"
    f"(?: by (?:choosing|selecting|picking) {_ANSWER})?",
    f"(?:answer with|reply with|respond with|give|state|provide|write|output|choose|select|pick) "
    f"{_ANSWER}(?: (?:in|inside|within|by enclosing it (?:in|within)) {_BOX})?",
    f"(?:put|enclose|box) {_ANSWER}(?: (?:in|inside|within) {_BOX})?",
    "elaborate on the reasoning behind your answer"
    "(?: in a (?:detailed,? )?(?:step-by-step )?explanation)?",
    f"(?:let's |let us )?(?:think|work|reason|go)(?: through (?:it|this|the problem))? {_STEPWISE}"
    "(?: before (?:answering|you answer))?",
    f"(?:explain|show) your (?:reasoning|work|steps|answer)(?: {_STEPWISE})?",
    f"carefully read the following {_QUESTION} and think through the solution {_STEPWISE} before "
    "providing your final answer",
    "you are (?:a helpful assistant|an expert (?:problem|puzzle|maze) solver)",
)
_ONE = "|".join(f"(?:{one})" for one in _SENTENCES).replace(" ", r"\s+").replace(r"\s+?", r"\s?")
_INSTRUCTION = re.compile(
    rf"(?:\A|(?<=[.!?:;\n]))[^\S\n]*(?:(?:please|first|then|finally|now),?\s+){{0,2}}(?:{_ONE})"
    r"[^\S\n]*(?:[.:!]+|\Z|(?=\n))",
    re.I,
)


def without(text: str) -> str:
    """The text without the sentences that only say how to go about the problem, or in what form to
    answer; each is understood to its last word. A line break stands in place of each."""
    while (shorter := _INSTRUCTION.sub("\n", text)) != text:
        text = shorter
    return text
