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


def read(folder: Path) -> list[Action]:
    """All gold actions of all tasks, each with the state before it.

    The customer is the one whose id, e-mail address, or name and zip code the task tells the
    simulated user; before the first look-up of a user that is to be made nobody is authenticated.
    An action that writes counts as confirmed: the tasks do not record what was said.

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
    state = _private(db, calls)
    customer = _customer(db, task)
    looked_up = [index for index, call in enumerate(calls) if call.name in LOOKUPS]
    for index, call in enumerate(calls):
        known = customer if not looked_up or index > looked_up[0] else None
        seen = {"user": known, "confirmed": call.key() if call.name in WRITES else None}
        before = {**state, **seen}
        state = _private(state, [call])
        yield Action(before, call, f"task {task['id']}, action {index}, {call.name}")
        apply(state, call)


def _private(db: Mapping[str, Any], calls: list[Call]) -> dict[str, Any]:
    """The database with copies of what calls may change: the rest is shared by all states."""
    orders, users = dict(db["orders"]), dict(db["users"])
    for args in (call.args for call in calls):
        if args.get("order_id") in orders:
            orders[args["order_id"]] = deepcopy(orders[args["order_id"]])
        owner = args.get("user_id") or orders.get(args.get("order_id"), {}).get("user_id")
        if owner in users:
            users[owner] = deepcopy(users[owner])
    return {"products": db["products"], "orders": orders, "users": users}


def _customer(db: Mapping[str, Any], task: Mapping[str, Any]) -> str:
    told = task["user_scenario"]["instructions"].values()
    text = " ".join(value for value in told if isinstance(value, str)).lower()
    found = []
    for name, user in db["users"].items():
        full = f"{user['name']['first_name']} {user['name']['last_name']}".lower()
        by_zip = full in text and user["address"]["zip"] in text
        if name in text or user["email"].lower() in text or by_zip:
            found.append(name)
    if len(found) != 1:
        raise KeyError(f"{len(found)} customers are told of, not one")
    return str(found[0])
