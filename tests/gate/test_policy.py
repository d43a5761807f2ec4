"""A call is allowed only where every rule about it passed; whatever is not understood is not."""

from __future__ import annotations

from threading import Event
from typing import Any

import pytest
from gate_samples import RULES, STATE, bank, call
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.gate import Call, Rule, judge
from agentflow.verdict import Verdict

TRANSFER = frozenset({"transfer"})


def test_what_passes_is_allowed() -> None:
    decision = judge(bank(), STATE, call())
    assert (decision.outcome, decision.reason) == ("allow", "")
    assert [verdict.ok for verdict in decision.verdicts.values()] == [True, True]
    assert judge(bank(), STATE, Call("transfer", {"to": "bob", "dollars": 1})).outcome == "allow"


@pytest.mark.parametrize("otherwise", ["deny", "ask"])
def test_what_is_refuted_is_denied_whatever_is_set(otherwise: str) -> None:
    decision = judge(bank(otherwise=otherwise), STATE, call("eve", 500))
    assert (decision.outcome, decision.reason) == ("deny", "money goes to friends")


def fails(state: Any, one: Call) -> Verdict:
    raise SystemExit(0)


def recurs(state: Any, one: Call) -> Verdict:
    return recurs(state, one)


def hangs(state: Any, one: Call) -> Verdict:
    Event().wait()
    return Verdict(True)


UNCERTAIN: dict[str, tuple[dict[str, Any], Any, str]] = {
    "undecided": ({}, call(dollars=500), "at most 100 dollars without a person"),
    "no rule": ({"rules": ()}, call(), "no rule of the policy"),
    "no rule for this": ({}, {"name": "close", "args": {"account": "a"}}, "no rule of the policy"),
    "fault": ({"fault": "line 3"}, call(), "cannot be used: line 3"),
    "unknown tool": ({}, {"name": "Transfer", "args": {}}, "knows no tool"),
    "no name": ({}, {"args": {}}, "no JSON object"),
    "name a list": ({}, {"name": ["transfer"], "args": {}}, "knows no tool"),
    "no arguments": ({}, {"name": "transfer"}, "no JSON object"),
    "arguments a text": ({}, {"name": "transfer", "args": "to=ann"}, "no JSON object"),
    "not a call": ({}, None, "no JSON object"),
    "missing": ({}, {"name": "transfer", "args": {"to": "ann"}}, "wrong type: dollars"),
    "number as text": ({}, call(dollars="5"), "wrong type: dollars"),
    "bool as number": ({}, call(dollars=True), "wrong type: dollars"),
    "float": ({}, call(dollars=5.5), "wrong type: dollars"),
    "NaN": ({}, call(dollars=float("nan")), "no JSON object"),
    "None": ({}, call(to=None), "wrong type: to"),
    "a list of it": ({}, call(to=["ann"]), "wrong type: to"),
    "an object": ({}, call(to=object()), "no JSON object"),
    "too many": ({}, call(approved=True), "schema does not know"),
    "surrogate": ({}, call(to="\ud800"), "cannot be read|wrong type|schema does not know"),
}


@pytest.mark.parametrize("otherwise", ["deny", "ask"])
@pytest.mark.parametrize("name", UNCERTAIN)
def test_what_is_not_understood_is_never_allowed(name: str, otherwise: str) -> None:
    changed, one, why = UNCERTAIN[name]
    decision = judge(bank(otherwise=otherwise, **changed), STATE, one)
    assert decision.outcome == otherwise
    assert any(part in decision.reason for part in why.split("|"))


@pytest.mark.parametrize(
    "check",
    [fails, recurs, lambda s, c: True, lambda s, c: None, lambda s, c: Verdict(1),  # type: ignore[arg-type]
     lambda s, c: Verdict("yes"), lambda s, c: s["nothing"], lambda s: Verdict(True)],
)  # fmt: skip
def test_a_rule_that_fails_is_no_pass(check: Any) -> None:
    policy = bank(rules=(*RULES, Rule("odd", "it is odd", check, TRANSFER)))
    decision = judge(policy, STATE, call())
    assert decision.outcome == "deny"
    assert decision.reason.startswith("it is odd (")


def test_a_rule_that_hangs_is_no_pass_nor_are_those_behind_it() -> None:
    rules = (RULES[0], Rule("slow", "it is slow", hangs, TRANSFER), RULES[1])
    decision = judge(bank(rules=rules, seconds=0.2), STATE, call())
    assert decision.outcome == "deny"
    assert decision.verdicts["slow"].ok is None
    assert decision.verdicts["small"].ok is None


def test_a_rule_cannot_change_what_the_next_one_sees() -> None:
    def changes(state: Any, one: Call) -> Verdict:
        one.args["to"] = "ann"  # type: ignore[index]
        return Verdict(True)

    rules = (Rule("changes", "", changes, TRANSFER), *RULES)
    assert judge(bank(rules=rules), STATE, call("eve")).outcome == "deny"


def test_rules_see_defaults() -> None:
    seen: list[Any] = []

    def sees(state: Any, one: Call) -> Verdict:
        seen.append(one.args)
        return Verdict(True)

    judge(bank(rules=[Rule("sees", "", sees, TRANSFER)]), STATE, call())
    assert seen == [{"to": "ann", "dollars": 5, "note": ""}]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rules": (RULES[0], RULES[0])}, "two rules are called 'known'"),
        ({"rules": [Rule("x", "", fails, frozenset({"nothing"}))]}, "'x' is about 'nothing'"),
        ({"schemas": {"transfer": {"type": "object"}}, "rules": ()}, "no pydantic model"),
        ({"otherwise": "allow"}, "it is 'deny' or 'ask'"),
    ],
)
def test_a_policy_that_makes_no_sense(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        bank(**changed)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["ann"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(
    st.dictionaries(st.sampled_from(["to", "dollars", "note", "approved"]), JSON | st.just("ann")),
    st.sampled_from(["transfer", "transfer", "close", ""]) | st.text(),
)
def test_nothing_is_allowed_that_breaks_a_rule(args: dict[str, Any], name: str) -> None:
    decision = judge(bank(), STATE, {"name": name, "args": args})
    if decision.outcome == "allow":
        assert name == "transfer"
        assert args["to"] in STATE["friends"]
        assert type(args["dollars"]) is int
        assert 0 < args["dollars"] <= 100
        assert set(args) <= {"to", "dollars", "note"}


def test_a_key_tells_true_from_one() -> None:
    assert Call("a", {"x": True}).key() != Call("a", {"x": 1}).key()
    assert Call("a", {"x": 1, "y": 2}).key() == Call("a", {"y": 2, "x": 1}).key()
