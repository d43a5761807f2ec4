"""tau2-bench's retail folder (``db.json``, ``tasks.json``) as right actions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from agentflow.errors import BadInput
from agentflow.gate.certify import Action
from agentflow.gate.policy import Call
from agentflow.gate.retail.policy import LOOKUPS, WRITES
from agentflow.gate.retail.tools import apply

REFUSED = {("64", 6): "the order is pending", ("105", 0): "the gift card lacks 4.10 dollars"}
"""(Task, index) of the gold actions that break the written policy; why. The benchmark's own tools
refuse them too and change nothing, which is what its tasks then compare."""


def read(folder: Path) -> list[Action]:
    """The gold actions of all tasks but the :data:`REFUSED`, each with the state before it.

    The customer is the one whose id, e-mail address, or name and zip code the task tells the
    simulated user. Until a look-up of the task finds a customer nobody is authenticated; where the
    task has no look-up the customer is, from the start. An action that writes counts as confirmed:
    the tasks do not record what was said.

    Raises:
        BadInput: If a file is missing or is not as the benchmark has it; names the task.
    """
    try:
        db = json.loads((folder / "db.json").read_text(encoding="utf-8"))
        tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(
            f"{folder}: no db.json and tasks.json of tau2-bench ({error}); "
            "give its folder data/tau2/domains/retail"
        ) from error
    found: list[Action] = []
    for task in tasks:
        try:
            found += _actions(db, task)
        except (KeyError, TypeError, AttributeError) as error:
            where = task.get("id") if isinstance(task, dict) else task
            raise BadInput(f"{folder / 'tasks.json'}: task {where!r}: {error!r}") from error
    return found


def _actions(db: Mapping[str, Any], task: Mapping[str, Any]) -> Iterator[Action]:
    calls = [
        Call(one["name"], one["arguments"])
        for one in task["evaluation_criteria"].get("actions") or []
    ]
    state = {key: db[key] for key in ("products", "orders", "users")}
    customer = _customer(db, task)
    known = None if any(call.name in LOOKUPS for call in calls) else customer
    for index, call in enumerate(calls):
        if (task["id"], index) in REFUSED:
            continue
        seen = {"user": known, "confirmed": call.key() if call.name in WRITES else None}
        label = f"task {task['id']}, action {index}, {call.name}"
        yield Action({**state, **seen}, call, label)
        if call.name in LOOKUPS and _finds(db["users"][customer], call.args):
            known = customer
        state = _private(state, call)
        apply(state, call)


def _finds(user: Mapping[str, Any], args: Mapping[str, Any]) -> bool:
    """Whether a look-up finds the customer; the rule of the policy has its own word for it."""
    has = {"email": user["email"], **user["name"], "zip": user["address"]["zip"]}
    return all(has[key].lower() == value.lower() for key, value in args.items())


def _private(db: Mapping[str, Any], call: Call) -> dict[str, Any]:
    """The database with copies of what a call may change: the rest is shared by all states."""
    orders, users = dict(db["orders"]), dict(db["users"])
    order, user = call.args.get("order_id"), call.args.get("user_id")
    if order in orders:
        orders[order] = deepcopy(orders[order])
        user = orders[order]["user_id"]
    if user in users:
        users[user] = deepcopy(users[user])
    return {"products": db["products"], "orders": orders, "users": users}


def _customer(db: Mapping[str, Any], task: Mapping[str, Any]) -> str:
    texts = task["user_scenario"]["instructions"].values()
    text = " ".join(value for value in texts if isinstance(value, str)).lower()
    found = []
    for name, user in db["users"].items():
        full = f"{user['name']['first_name']} {user['name']['last_name']}".lower()
        by_zip = full in text and user["address"]["zip"] in text
        if name in text or user["email"].lower() in text or by_zip:
            found.append(name)
    if len(found) != 1:
        raise KeyError(f"{len(found)} customers are told of, not one")
    return str(found[0])
