"""Texts that say nothing are no statements, queries, plans or texts that a run goes on with."""

from __future__ import annotations

import json

import pytest
from counting import is_linear

from agentflow.models.structured import is_placeholder, parse, says_nothing
from agentflow.nodes.asking import something, telling
from agentflow.nodes.chain_of_verification import Checks
from agentflow.nodes.cumulative import Proposal
from agentflow.nodes.fact_check import Facts, Query
from agentflow.nodes.plan import read_plan
from agentflow.nodes.premises import Premises
from agentflow.nodes.reconstruction import Difference, compared
from agentflow.nodes.tool_integrated import Helpful

PLACEHOLDERS = [
    "",
    "...",
    "…",
    "-",
    "***",
    "``` ```",
    '""',
    "{}",
    "[]",
    "?",
    "<the problem>",
    "N/A",
]
PLACEHOLDERS += [
    "[restated problem]",
    "null",
    "(TODO)",
    "tbd.",
    "your plan here",
    "The plan goes here.",
]
NONE = [
    "none",
    "None.",
    "(nothing)",
    "no answer",
    "unknown",
    "I don't know.",
    "See above.",
    "empty",
]
NONE += [
    "Nothing more is needed.",
    "No statement.",
    "I cannot do that.",
    "same as above",
]
NONE += ["I'm sorry, but I can't help with that.", "As an AI language model, I cannot answer this."]
SAYS = ["Reach 24.", "x = 5", "[1, 7)", "∅", "None of the steps is wrong.", "[cat, dog]", "{a, b}"]
SAYS += ["The value of x is not known.", "Nothing is left of the 12.", "A is not B.", "Add them."]
SAYS += [
    "12",
    "利马",
    "It has no corners.",
    "Llamas cannot swim.",
    "The answer to the question is red.",
]


@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_placeholders(text: str) -> None:
    assert is_placeholder(text)
    assert says_nothing(text)
    with pytest.raises(ValueError, match="empty"):
        something(text)


@pytest.mark.parametrize("text", NONE)
def test_that_there_is_nothing_is_nothing(text: str) -> None:
    assert says_nothing(text)
    assert something(text)  # it may be an answer
    with pytest.raises(ValueError, match="does not say"):
        telling(text)


@pytest.mark.parametrize("text", SAYS)
def test_what_says_something(text: str) -> None:
    assert telling(f" {text}\n") == text
    assert read_plan(f"<plan>{text}</plan>") == text


@pytest.mark.parametrize("text", [*PLACEHOLDERS[1:], *NONE])
def test_no_reply_says_it_with_nothing(text: str) -> None:
    """It is empty, where that has a meaning; else the reply is malformed."""
    for kind, said, field in (
        (Proposal, {"rests_on": [], "statement": text}, "statement"),
        (Query, {"query": text}, "query"),
        (Helpful, {"helps": text}, "helps"),
        (Facts, {"facts": [text]}, "facts"),
    ):
        try:
            read = getattr(parse(kind, json.dumps(said)), field)
        except ValueError:
            continue
        assert read in ("", [""]), kind
    for malformed, empty in (
        (Checks, {"checks": [{"statement": "It is 5.", "question": text}]}),
        (Premises, {"conditions": [text], "uses": []}),
    ):
        with pytest.raises(ValueError, match=r"."):
            parse(malformed, json.dumps(empty))
    with pytest.raises(ValueError, match="plan"):
        read_plan(f"<plan>{text}</plan>")


def test_a_condition_that_is_none_was_not_invented() -> None:
    kept = {"condition": "has 5", "kept": True}
    said = {"conditions": [kept], "invented": ["None."], "same_question": True}
    assert compared(parse(Difference, json.dumps(said)), "").ok


@pytest.mark.parametrize("unit", ["no ", "<a", "[a ", "n/a", "x", "your "])
def test_long_texts(unit: str) -> None:
    is_linear(lambda size: says_nothing(unit * size), size=250)
