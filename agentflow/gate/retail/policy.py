"""The rules of the shop, each with the sentence that it checks, in our words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from agentflow.gate.policy import Call, Check, Policy, Rule, always
from agentflow.gate.retail.tools import SCHEMAS, difference, total
from agentflow.verdict import Verdict

State = Mapping[str, Any]

READS = frozenset({"get_order_details", "get_user_details"})
PENDING = frozenset(name for name in SCHEMAS if name.startswith(("cancel_p", "modify_p")))
DELIVERED = frozenset({"exchange_delivered_order_items", "return_delivered_order_items"})
WRITES = PENDING | DELIVERED | {"modify_user_address"}
CHANGES = frozenset({"exchange_delivered_order_items", "modify_pending_order_items"})
LOOKUPS = frozenset({"find_user_id_by_email", "find_user_id_by_name_zip"})
PAYING = CHANGES | {"return_delivered_order_items", "modify_pending_order_payment"}
REASONS = ("no longer needed", "ordered by mistake")
OPEN = frozenset({"get_item_details", "get_product_details", "list_all_product_types"})


def _order(state: State, call: Call) -> Mapping[str, Any] | None:
    found: Mapping[str, Any] | None = state["orders"].get(call.args["order_id"])
    return found


def _authenticated(state: State, call: Call) -> Verdict:
    return Verdict(state["user"] is not None and state["user"] in state["users"])


def _own(state: State, call: Call) -> Verdict:
    """Of an order that does not exist nothing can be read, and nothing may be written."""
    if "user_id" in call.args:
        return Verdict(call.args["user_id"] == state["user"])
    order = _order(state, call)
    if order is None:
        return Verdict(call.name in READS, "there is no such order")
    return Verdict(order["user_id"] == state["user"])


def _one_user(state: State, call: Call) -> Verdict:
    if state["user"] is None:
        return Verdict(True)
    user, args = state["users"][state["user"]], call.args
    if "email" in args:
        return Verdict(user["email"].lower() == args["email"].lower())
    keys = ("first_name", "last_name")
    same = all(user["name"][key].lower() == args[key].lower() for key in keys)
    return Verdict(same and user["address"]["zip"] == args["zip"])


def _confirmed(state: State, call: Call) -> Verdict:
    return Verdict(state["confirmed"] == call.key())


def _status(wanted: str) -> Check:
    def check(state: State, call: Call) -> Verdict:
        order = _order(state, call)
        return Verdict(order is not None and order["status"] == wanted)

    return check


def _reason(state: State, call: Call) -> Verdict:
    return Verdict(call.args["reason"] in REASONS)


def _ordered(state: State, call: Call) -> Verdict:
    order = _order(state, call)
    if order is None or not call.args["item_ids"]:
        return Verdict(False)
    has = Counter(item["item_id"] for item in order["items"])
    return Verdict(Counter(call.args["item_ids"]) <= has)


def _paired(state: State, call: Call) -> Verdict:
    return Verdict(len(call.args["item_ids"]) == len(call.args["new_item_ids"]) > 0)


def _variants(state: State, call: Call) -> list[tuple[str, str, Any]] | None:
    """(Old item, new item, the product's variants) by position; None where an item is not had."""
    order = _order(state, call)
    products = {item["item_id"]: item["product_id"] for item in order["items"]} if order else {}
    pairs = zip(call.args["item_ids"], call.args["new_item_ids"], strict=False)
    try:
        return [(old, new, state["products"][products[old]]["variants"]) for old, new in pairs]
    except KeyError:
        return None


def _same_product(state: State, call: Call) -> Verdict:
    found = _variants(state, call)
    return Verdict(found is not None and all(new in variants for _, new, variants in found))


def _available(state: State, call: Call) -> Verdict:
    found = _variants(state, call)
    if found is None or not all(new in variants for _, new, variants in found):
        return Verdict(None, "a new item is not known")
    return Verdict(all(variants[new]["available"] is True for _, new, variants in found))


def _other_item(state: State, call: Call) -> Verdict:
    pairs = zip(call.args["item_ids"], call.args["new_item_ids"], strict=False)
    return Verdict(all(old != new for old, new in pairs))


def _method(state: State, call: Call) -> Mapping[str, Any] | None:
    order = _order(state, call)
    methods = state["users"][order["user_id"]]["payment_methods"] if order else {}
    found: Mapping[str, Any] | None = methods.get(call.args["payment_method_id"])
    return found


def _own_method(state: State, call: Call) -> Verdict:
    return Verdict(_method(state, call) is not None)


def _refund(state: State, call: Call) -> Verdict:
    order, method = _order(state, call), _method(state, call)
    if order is None or method is None:
        return Verdict(None, "the order or the payment method is not known")
    first = order["payment_history"][0]["payment_method_id"]
    return Verdict(method["source"] == "gift_card" or call.args["payment_method_id"] == first)


def _new_method(state: State, call: Call) -> Verdict:
    order = _order(state, call)
    paid = order["payment_history"] if order else []
    return Verdict(
        len(paid) == 1 and paid[0]["payment_method_id"] != call.args["payment_method_id"]
    )


def _balance(state: State, call: Call) -> Verdict:
    order, method = _order(state, call), _method(state, call)
    if order is None or method is None:
        return Verdict(None, "the order or the payment method is not known")
    if method["source"] != "gift_card":
        return Verdict(True)
    costs = total(order) if "new_item_ids" not in call.args else difference(state, call.args)
    return Verdict(bool(method["balance"] >= costs))


def _sum(state: State, call: Call) -> Verdict:
    return Verdict(re.fullmatch(r"[0-9+\-*/(). ]+", call.args["expression"]) is not None)


def policy() -> Policy:
    """The policy of the shop."""
    rows: list[tuple[str, str, Check, frozenset[str]]] = [
        ("authenticated", "the customer is identified first", _authenticated, WRITES | READS),
        ("own", "only orders and data of the customer are touched", _own, WRITES | READS),
        ("one_user", "one customer in a conversation", _one_user, LOOKUPS),
        ("confirmed", "the customer says yes to exactly this action", _confirmed, WRITES),
        ("pending", "the order's status is pending", _status("pending"), PENDING),
        ("delivered", "the order's status is delivered", _status("delivered"), DELIVERED),
        ("reason", f"the reason is one of {REASONS}", _reason, frozenset({"cancel_pending_order"})),
        ("ordered", "the items are in the order", _ordered, PAYING - _PAYMENT),
        ("paired", "each item has one new item", _paired, CHANGES),
        ("same_product", "a new item is of the same product", _same_product, CHANGES),
        ("available", "a new item is available", _available, CHANGES),
        ("other_item", "a new item differs from the old one", _other_item, CHANGES),
        ("own_method", "the payment method is the customer's", _own_method, PAYING),
        ("refund", "a refund goes to the original method or a gift card", _refund, _RETURN),
        ("new_method", "one payment method other than the original", _new_method, _PAYMENT),
        ("balance", "a gift card covers what is to be paid", _balance, CHANGES | _PAYMENT),
        ("sum", "only numbers are calculated", _sum, frozenset({"calculate"})),
        ("open", "anybody may ask about products", always, OPEN),
        ("transfer", "a person can always take over", always, _TRANSFER),
    ]
    return Policy(SCHEMAS, [Rule(*row) for row in rows], one_at_a_time=True)


_PAYMENT = frozenset({"modify_pending_order_payment"})
_RETURN = frozenset({"return_delivered_order_items"})
_TRANSFER = frozenset({"transfer_to_human_agents"})
