"""What rules in code are shown of the shop's state: the few records that a call is about."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from agentflow.gate.policy import Call

KNOWS = """\
- `user`: the id of the customer who was authenticated, or null.
- `profile`: that customer's record, or null: `name` (`first_name`, `last_name`), `email`, `address`
  (with `zip`), `payment_methods` (id -> `source`, and `balance` in dollars for a `gift_card`).
- `confirmed`: the call that the customer said yes to, as `{"name": ..., "args": {...}}`, or null.
- `order`: the order that `order_id` names, or null: `user_id`, `status`, `items` (a list of
  `item_id`, `product_id`, `price`), `payment_history` (a list of `transaction_type`, `amount`,
  `payment_method_id`; the first is how the order was paid).
- `products`: product id -> `variants` (item id -> `available`, `price`), of the order's products.
"""
"""The shop's state in words, for who writes rules."""


def view(state: Mapping[str, Any], call: Call) -> dict[str, Any]:
    """The records of the customer, of the order that the call names, and of its products."""
    args = call.args
    order = state["orders"].get(args["order_id"]) if "order_id" in args else None
    products = {item["product_id"] for item in order["items"]} if order else set()
    return {
        "user": state["user"],
        "profile": state["users"].get(state["user"]),
        "confirmed": _confirmed(state["confirmed"]),
        "order": order,
        "products": {name: one for name, one in state["products"].items() if name in products},
    }


def _confirmed(key: Any) -> dict[str, Any] | None:
    """The call whose key it is."""
    if not isinstance(key, str):
        return None
    try:
        name, args = json.loads(key)
    except ValueError:
        return None
    return {"name": name, "args": args}
