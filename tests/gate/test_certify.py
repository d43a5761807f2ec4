"""A certificate says what was blocked and missed, and is none where nothing was tried."""

from __future__ import annotations

from dataclasses import replace

import pytest
from gate_samples import RULES, STATE, bank

from agentflow.errors import BadInput
from agentflow.gate import (
    SCHEMA_MUTATIONS,
    Action,
    Call,
    Mutation,
    certify,
    with_args,
    with_state,
)

GOLD = [Action(STATE, Call("transfer", {"to": "ann", "dollars": 5, "note": "x"}), "first")]
REQUIRED = SCHEMA_MUTATIONS[1:]
MUTATIONS = (
    *REQUIRED,
    Mutation("to a stranger", "known", lambda one: [with_args(one, to="eve")]),
    Mutation("no friends", "known", lambda one: [with_state(one, "friends", value=[])]),
    Mutation("too much", "small", lambda one: [with_args(one, dollars=d) for d in (101, 2000)]),
)


def test_a_certificate() -> None:
    found = certify(bank(), GOLD, MUTATIONS)
    assert found.holds()
    assert (found.gold, found.blocked, found.caught) == (1, [], 1.0)
    counts = {row.rule: (row.mutants, row.caught, row.by_rule) for row in found.rows}
    assert counts == {"known": (2, 2, 2), "small": (2, 2, 1), "schema": (3, 3, 3)}
    assert found.table().splitlines()[-1] == "| all | 7 | 7 | 6 |"


def test_what_is_missed_is_named() -> None:
    lax = bank(rules=(replace(RULES[0], name="known", check=RULES[1].check), RULES[1]))
    found = certify(lax, GOLD, MUTATIONS)
    assert found.rows[0].missed == ["first: to a stranger", "first: no friends"]
    assert not found.holds()
    assert 0 < found.caught < 0.95


def test_what_is_blocked_is_named() -> None:
    found = certify(bank(otherwise="ask"), [with_args(GOLD[0], dollars=500)], MUTATIONS)
    assert found.blocked == [("first", "at most 100 dollars without a person")]
    assert not found.holds()


def test_nothing_tried_is_nothing_certified() -> None:
    assert not certify(bank(), [], MUTATIONS).holds()
    assert not certify(bank(), GOLD, ()).holds()
    assert not certify(bank(), GOLD, MUTATIONS[:-1]).holds()  # no mutant breaks "small"
    assert certify(bank(), GOLD, ()).caught == 0.0


def test_a_mutation_of_a_rule_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"no such rule .* it has known, small, schema"):
        certify(bank(), GOLD, [replace(MUTATIONS[-1], breaks="large")])


def test_what_a_mutation_makes_leaves_the_state_alone() -> None:
    changed = with_state(GOLD[0], "friends", value=[])
    assert (GOLD[0].state["friends"], changed.state["friends"]) == (["ann", "bob"], [])
