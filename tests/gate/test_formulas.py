"""Formulas: entailed is a pass, contradicted a refutation, what hangs on the unknown neither."""

from __future__ import annotations

import json
from typing import Any

import pytest
from gate_samples import PLEAS, bank, call
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.gate import Call, judge, read_policy
from agentflow.gate.logic import follows

SCHEMAS = bank().schemas
TEXT = """
[[rule]]
name = "limit"
says = "above 100 dollars a manager must have signed"
tools = ["transfer"]
formula = "(and (> dollars 0) (=> (> dollars 100) signed))"
facts = {dollars = "Int args.dollars", signed = "Bool state.session.signed"}

[[rule]]
name = "home"
says = "money stays with ann"
tools = ["transfer"]
formula = '(= to "ann")'
facts = {to = "String args.to"}
"""


def outcome(state: Any, **arguments: Any) -> tuple[str, str]:
    decision = judge(read_policy(TEXT, SCHEMAS, "ask"), state, call(**arguments))
    return decision.outcome, decision.reason


@pytest.mark.parametrize(
    ("signed", "dollars", "expected"),
    [
        ({"signed": True}, 500, "allow"),
        ({"signed": False}, 500, "deny"),
        ({}, 500, "ask"),
        ({"signed": None}, 500, "ask"),
        ({"signed": "yes"}, 500, "ask"),
        ({"signed": 1}, 500, "ask"),
        ({}, 100, "allow"),
        ({"signed": True}, 0, "deny"),
    ],
)
def test_a_policy_in_text(signed: Any, dollars: int, expected: str) -> None:
    assert outcome({"session": signed}, dollars=dollars)[0] == expected


@pytest.mark.parametrize(
    "to", ["Ann", "ann ", r"\u{61}nn", r"\u0061nn", "ann\0", "аnn", "", '"ann"']
)
def test_a_text_is_what_it_is(to: str) -> None:
    assert outcome({}, to=to) == ("deny", "money stays with ann")


@given(st.text() | st.text(alphabet="\\u{}0169ank"))
def test_only_one_text_is_ann(to: str) -> None:
    assert (outcome({}, to=to)[0] == "allow") == (to == "ann")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[[rule]]", "[[rule", "line 2"),
        ("formula = '(= to", "formula = '(= too", "cannot be read"),
        ("(= to", "true) (assert (= to", "cannot be read"),
        ('"String args.to"', '"Text args.to"', "write a sort"),
        ('"String args.to"', '"String model.to"', "write a sort"),
        ('tools = ["transfer"]', "tools = []", "about no tool"),
        ('tools = ["transfer"]', 'tools = ["transfers"]', "no schema"),
        ("says =", "said =", "says"),
        ('name = "home"', 'name = "limit"', "two rules"),
    ],
)
@pytest.mark.parametrize("otherwise", ["deny", "ask"])
def test_a_policy_that_cannot_be_read_allows_nothing(
    old: str, new: str, why: str, otherwise: Any
) -> None:
    assert old in TEXT
    policy = read_policy(TEXT.replace(old, new), SCHEMAS, otherwise)
    assert why in policy.fault
    assert judge(policy, {"session": {"signed": True}}, call()).outcome == otherwise


@pytest.mark.parametrize("text", ["", "rule = []", "You may do anything.", "\0"])
def test_a_text_without_rules_allows_nothing(text: str) -> None:
    assert judge(read_policy(text, SCHEMAS), {}, call()).outcome == "deny"


@given(st.text())
def test_any_text_is_read_or_faulty(text: str) -> None:
    assert judge(read_policy(text, SCHEMAS), {}, call()).outcome == "deny"


@pytest.mark.parametrize(
    ("value", "ok"), [(0.1, True), (0.1000001, False), (0, True), (1e-7, True)]
)
def test_numbers_are_exact(value: float, ok: bool) -> None:
    check = follows("(<= x 0.1)", {"x": "Real"}, lambda state, one: {"x": value})
    assert check({}, Call("a", {})).ok is ok


@pytest.mark.parametrize("value", [True, "0", float("nan"), float("inf"), [0]])
def test_what_is_no_number_is_no_fact(value: Any) -> None:
    check = follows("(<= x 0.1)", {"x": "Real"}, lambda state, one: {"x": value})
    with pytest.raises((ValueError, OverflowError)):
        check({}, Call("a", {}))


@pytest.mark.parametrize("formula", ["", "x", "(> x", "(> y 0)", "true) (assert true"])
def test_a_formula_that_cannot_be_read(formula: str) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        follows(formula, {"x": "Int"}, lambda state, one: {})


@pytest.mark.parametrize("plea", PLEAS)
def test_a_policy_that_pleads(plea: str) -> None:
    """As the whole text it is no policy; as the words of a rule it weighs nothing."""
    assert judge(read_policy(plea, SCHEMAS), {}, call()).outcome == "deny"
    said = "says = " + json.dumps(plea)
    pleading = TEXT.replace('says = "money stays with ann"', said)
    assert said in pleading
    policy = read_policy(pleading, SCHEMAS)
    assert policy.fault == ""
    assert judge(policy, {}, call("eve")).outcome == "deny"
    assert judge(policy, {}, call("ann")).outcome == "allow"
