"""The shop's tools: schemas of their arguments, and what those that write do to the database."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, create_model

from agentflow.gate.policy import Call

TEXT: Any = (str, ...)
LIST: Any = (list[str], ...)
_ADDRESS = dict.fromkeys(("address1", "address2", "city", "state", "country", "zip"), TEXT)
_CHANGE = {"order_id": TEXT, "item_ids": LIST, "new_item_ids": LIST, "payment_method_id": TEXT}
_FIELDS: dict[str, dict[str, Any]] = {
    "calculate": {"expression": TEXT},
    "cancel_pending_order": {"order_id": TEXT, "reason": TEXT},
    "exchange_delivered_order_items": _CHANGE,
    "find_user_id_by_email": {"email": TEXT},
    "find_user_id_by_name_zip": {"first_name": TEXT, "last_name": TEXT, "zip": TEXT},
    "get_item_details": {"item_id": TEXT},
    "get_order_details": {"order_id": TEXT},
    "get_product_details": {"product_id": TEXT},
    "get_user_details": {"user_id": TEXT},
    "list_all_product_types": {},
    "modify_pending_order_address": {"order_id": TEXT, **_ADDRESS},
    "modify_pending_order_items": _CHANGE,
    "modify_pending_order_payment": {"order_id": TEXT, "payment_method_id": TEXT},
    "modify_user_address": {"user_id": TEXT, **_ADDRESS},
    "return_delivered_order_items": {
        key: field for key, field in _CHANGE.items() if key != "new_item_ids"
    },
    "transfer_to_human_agents": {"summary": TEXT},
}
SCHEMAS: dict[str, type[BaseModel]] = {
    name: create_model(name, **fields) for name, fields in _FIELDS.items()
}


def total(order: Mapping[str, Any]) -> float:
    """What the order was paid with, in dollars."""
    return float(order["payment_history"][0]["amount"])


def difference(state: Mapping[str, Any], args: Mapping[str, Any]) -> float:
    """What the new items of a call cost more than the old ones, in dollars.

    Raises:
        KeyError: If an item is not in the order, or a new one not among the product's.
    """
    order = state["orders"][args["order_id"]]
    items = {item["item_id"]: item for item in order["items"]}
    more = 0.0
    for old, new in zip(args["item_ids"], args["new_item_ids"], strict=True):
        variants = state["products"][items[old]["product_id"]]["variants"]
        more += variants[new]["price"] - items[old]["price"]
    return round(more, 2)


def apply(state: dict[str, Any], call: Call) -> None:
    """Do to the database what a call of a tool that writes does; other calls change nothing.

    The state is changed in place. The call must be one that the policy allows.
    """
    args = call.args
    order = state["orders"].get(args.get("order_id"))
    match call.name:
        case "cancel_pending_order":
            for paid in list(order["payment_history"]):
                _pay(state, order, paid["payment_method_id"], -paid["amount"])
            order["status"] = "cancelled"
        case "exchange_delivered_order_items":
            order["status"] = "exchange requested"
        case "return_delivered_order_items":
            order["status"] = "return requested"
        case "modify_user_address":
            state["users"][args["user_id"]]["address"] = _address(args)
        case "modify_pending_order_address":
            order["address"] = _address(args)
        case "modify_pending_order_items":
            _pay(state, order, args["payment_method_id"], difference(state, args))
            for old, new in zip(args["item_ids"], args["new_item_ids"], strict=True):
                item = next(one for one in order["items"] if one["item_id"] == old)
                variant = state["products"][item["product_id"]]["variants"][new]
                item |= {key: variant[key] for key in ("item_id", "price", "options")}
            order["status"] = "pending (item modified)"
        case "modify_pending_order_payment":
            before = order["payment_history"][0]["payment_method_id"]
            _pay(state, order, args["payment_method_id"], total(order))
            _pay(state, order, before, -total(order))


def _address(args: Mapping[str, Any]) -> dict[str, Any]:
    return {key: args[key] for key in _ADDRESS}


def _pay(state: dict[str, Any], order: dict[str, Any], method: str, amount: float) -> None:
    """Dollars from a payment method to the shop; back if negative."""
    card = state["users"][order["user_id"]]["payment_methods"][method]
    if card["source"] == "gift_card":
        card["balance"] = round(card["balance"] - amount, 2)
    kind = "payment" if amount > 0 else "refund"
    paid = {"transaction_type": kind, "amount": abs(amount), "payment_method_id": method}
    order["payment_history"].append(paid)
