"""Replies whose first signs were torn off: ``:B)``, or a label whose colon is on the next line."""

import pytest

from agentflow import domains
from agentflow.thinking import split

CHOICE = domains.get("commonsense").parse(
    "Where does the dough rise best?\nA) In a cold room\nB) In a warm drawer\nC) In a full oven"
)
LOGIC = domains.get("logic").parse(
    "All cats purr.\nTom is a cat.\nConclusion: Tom purrs.\n"
    "Options:\nA) True\nB) False\nC) Uncertain"
)


@pytest.mark.parametrize(
    ("name", "reply", "read"),
    [
        ("commonsense", ":B) In a warm drawer.", "(B)"),
        ("commonsense", "\ufffd\n\n:B) In a warm drawer", "(B)"),
        ("commonsense", "://\n\n:B) In a warm drawer", "(B)"),
        ("commonsense", "answer\n:B) In a warm drawer", "(B)"),
        ("commonsense", "</think>\n\n:C) In a full oven", "(C)"),
        ("commonsense", ":B) In a full oven", None),
        ("commonsense", "~B) In a warm drawer", None),
        ("commonsense", "!B) In a warm drawer", None),
        ("logic", "answer\n:A) True.", "True"),
        ("logic", "**Final answer**\n\n: C) Uncertain", "Uncertain"),
        ("logic", "answer\n:A) False", None),
        ("logic", "not the answer\n:A) True", None),
    ],
)
def test_a_torn_label_is_none(name, reply, read):
    domain = domains.get(name)
    said = split(reply).answer
    answer = None if said is None else domain.answer(said)
    problem = CHOICE if name == "commonsense" else LOGIC
    assert (answer and domain.normalise(problem, answer)) == read
