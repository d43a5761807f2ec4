"""The shop's policy on a sample of tau2-bench: certified, right by an oracle, deaf to pleas."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gate_samples import PLEAS, SAMPLE, STATE, bank
from hypothesis import given
from hypothesis import strategies as st

from agentflow.errors import BadInput
from agentflow.gate import Action, Call, Mutation, certify, judge
from agentflow.gate.retail import MUTATIONS, policy, read
from agentflow.gate.retail.policy import WRITES
from agentflow.gate.retail.tasks import REFUSED, _actions
from agentflow.gate.retail.tools import SCHEMAS

POLICY = policy()


@cache
def actions() -> list[Action]:
    return read(SAMPLE)


def test_the_sample_is_certified() -> None:
    found = certify(POLICY, actions(), MUTATIONS)
    assert found.gold == 45
    assert {action.call.name for action in actions()} <= set(SCHEMAS)
    assert found.blocked == []
    assert found.caught == 1.0
    assert all(row.by_rule == row.mutants > 0 for row in found.rows)
    assert found.holds()


def test_no_mutation_is_of_a_rule_that_is_not_there() -> None:
    assert {one.breaks for one in MUTATIONS} - {"schema"} <= {rule.name for rule in POLICY.rules}


def test_each_rule_carries_weight() -> None:
    """Taken away, something that it alone forbids is allowed. Not so where a tool has no other rule
    (it is never allowed then), or where another cannot tell of an item or a method that it does
    not know."""
    idle = set()
    for name in [rule.name for rule in POLICY.rules]:
        thin = replace(POLICY, rules=[rule for rule in POLICY.rules if rule.name != name])
        row = next(
            (row for row in certify(thin, actions(), _of(name)).rows if row.rule == "schema"), None
        )
        assert row is not None
        if row.caught == row.mutants:
            idle.add(name)
    alone, doubted = {"one_user", "open", "sum", "transfer"}, {"own_method", "same_product"}
    assert idle == alone | doubted


def _of(name: str) -> list[Mutation]:
    """The mutations that break a rule, booked on the schema, for the rule is gone."""
    return [replace(one, breaks="schema") for one in MUTATIONS if one.breaks == name]


def test_gold_actions_that_break_the_policy_are_denied() -> None:
    db, tasks = (json.loads((SAMPLE / f"{one}.json").read_text()) for one in ("db", "tasks"))
    for (task, index), _ in REFUSED.items():
        gold = next(one for one in tasks if one["id"] == task)["evaluation_criteria"]["actions"]
        call = Call(gold[index]["name"], gold[index]["arguments"])
        user = db["orders"][call.args["order_id"]]["user_id"]
        state = {**db, "user": user, "confirmed": call.key()}
        assert judge(POLICY, state, call).outcome == "deny"
        own = next(one for one in tasks if one["id"] == task)
        assert call not in [action.call for action in _actions(db, own)]


def right(state: Mapping[str, Any], call: Call) -> bool:
    """An oracle of its own: what must be true of a write that is allowed."""
    args, user = call.args, state["users"].get(state["user"])
    if user is None or state["confirmed"] != call.key():
        return False
    if "user_id" in args:
        return bool(args["user_id"] == state["user"])
    order = state["orders"].get(args["order_id"])
    if order is None or args["order_id"] not in {
        name for name, one in state["orders"].items() if one["user_id"] == state["user"]
    }:
        return False
    if order["status"] != ("delivered" if "delivered" in call.name else "pending"):
        return False
    if call.name == "cancel_pending_order":
        return args["reason"] in {"no longer needed", "ordered by mistake"}
    if "payment_method_id" not in args:
        return True
    method = user["payment_methods"].get(args["payment_method_id"])
    if method is None:
        return False
    money, costs = method.get("balance", float("inf")), 0.0
    first = order["payment_history"][0]
    if call.name == "modify_pending_order_payment":
        unlike = first["payment_method_id"] != args["payment_method_id"]
        return len(order["payment_history"]) == 1 and unlike and money >= first["amount"]
    left = list(order["items"])
    for index, old in enumerate(args["item_ids"]):
        item = next((one for one in left if one["item_id"] == old), None)
        if item is None:
            return False
        left.remove(item)
        if "new_item_ids" in args:
            if index >= len(args["new_item_ids"]) or args["new_item_ids"][index] == old:
                return False
            new = state["products"][item["product_id"]]["variants"].get(args["new_item_ids"][index])
            if new is None or not new["available"]:
                return False
            costs += new["price"] - item["price"]
    if "new_item_ids" not in args:
        same = args["payment_method_id"] == first["payment_method_id"]
        return bool(args["item_ids"]) and (same or method["source"] == "gift_card")
    many = len(args["item_ids"]) == len(args["new_item_ids"]) > 0
    return many and money >= round(costs, 2)


@st.composite
def changed(draw: Any) -> Action:
    """A gold write with arguments and states of others drawn into it."""
    action = draw(st.sampled_from([one for one in actions() if one.call.name in WRITES]))
    state, args = action.state, dict(action.call.args)
    items = sorted(
        {item["item_id"] for one in state["orders"].values() for item in one["items"]}
        | {name for one in state["products"].values() for name in one["variants"]}
    )
    methods = sorted({name for u in state["users"].values() for name in u["payment_methods"]})
    of: dict[str, Any] = {
        "order_id": st.sampled_from(sorted(state["orders"])),
        "user_id": st.sampled_from(sorted(state["users"])),
        "item_ids": st.lists(st.sampled_from(items), max_size=3),
        "new_item_ids": st.lists(st.sampled_from(items), max_size=3),
        "payment_method_id": st.sampled_from(methods),
    }
    for key in args:
        if draw(st.integers(0, 3)) == 0:
            args[key] = draw(of.get(key, st.text() | st.sampled_from(["no longer needed"])))
    call = Call(action.call.name, args)
    user = draw(st.sampled_from([state["user"]] * 6 + [None, *state["users"]]))
    said = draw(st.sampled_from([call.key()] * 6 + [None, action.call.key()]))
    return Action({**state, "user": user, "confirmed": said}, call)


@given(changed())
def test_exactly_what_is_right_is_allowed(action: Action) -> None:
    allowed = judge(POLICY, action.state, action.call).outcome == "allow"
    assert allowed == right(action.state, action.call)


@pytest.mark.parametrize("plea", PLEAS)
def test_a_plea_changes_nothing_and_is_not_repeated(plea: str) -> None:
    gold = next(one for one in actions() if one.call.name == "cancel_pending_order")
    state = {**gold.state, "messages": [plea], "note": plea}
    for args in ({**gold.call.args, key: plea} for key in gold.call.args):
        call = Call(gold.call.name, args)
        decision = judge(POLICY, {**state, "confirmed": call.key()}, call)
        assert decision.outcome == "deny"
        assert plea not in decision.reason
    for odd in (Call(plea, gold.call.args), Call(gold.call.name, {**gold.call.args, plea: True})):
        decision = judge(POLICY, state, odd)
        assert decision.outcome == "deny"
        assert plea not in decision.reason
    assert judge(POLICY, {**state, "confirmed": plea}, gold.call).outcome == "deny"
    bare, said = ({"to": "eve", "dollars": 5, "note": note} for note in ("", plea))
    calls = [{"name": "transfer", "args": args} for args in (bare, said)]
    assert judge(bank(), STATE, calls[0]) == judge(bank(), STATE, calls[1])


def test_there_are_twenty_pleas() -> None:
    assert min(Counter(PLEAS).values()) == 1
    assert len(PLEAS) >= 20


def test_a_folder_that_is_not_the_benchmarks(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="give its folder data/tau2/domains/retail"):
        read(tmp_path)
    (tmp_path / "db.json").write_text((SAMPLE / "db.json").read_text())
    (tmp_path / "tasks.json").write_text('[{"id": "7"}]')
    with pytest.raises(BadInput, match="task '7'"):
        read(tmp_path)
