"""What stands in front of a call tells how things stand, and what is done where the call fails."""

from __future__ import annotations

import json
from functools import partial

import pytest
from replies import equal

from agentflow.domains.calls import surroundings


def _function(name: str, key: str) -> dict[str, object]:
    given = {"type": "object", "properties": {key: {"type": "string"}}, "required": [key]}
    return {"name": name, "description": "Finds a parcel.", "parameters": given}


PROBLEM = json.dumps(
    {
        "question": "Where is my parcel p-7? My plan is level-3. The parcel was not found in the "
        "depot.",
        "function": [
            _function("find_in_depot", "parcel"),
            _function("find_on_truck", "parcel"),
            _function("approve_return", "parcel"),
        ],
    }
)
GOLD = json.dumps([{"find_on_truck": {"parcel": ["p-7"]}}])
CALL = '```function_call\n{"function": "find_on_truck", "parameters": {"parcel": "p-7"}}\n```'
judged = partial(equal, "calls", PROBLEM, gold=GOLD)


@pytest.mark.parametrize(
    "front",
    [
        "The parcel 'p-7' was not found in the depot. I will now look for it on the truck.",
        "Since your plan is level-3, I can use the `find_on_truck` function to find the parcel.",
        "I will first try to find it on the truck. If that fails, I'll look in the depot.",
        "I will first look on the truck. If it is not there, I will then ask for its return.",
        "I should first look on the truck, then in the depot.\n\nHere's my first function call:",
        "I apologize. Let's try finding it on the truck:",
    ],
)
def test_how_things_stand_and_what_is_done_later(front: str) -> None:
    assert judged(f"{front}\n\n{CALL}") is True
    assert judged(f"{front}\n\n{CALL.replace('p-7', 'p-8')}") is not True


@pytest.mark.parametrize(
    "front",
    [
        "If it is not in the depot, I will look on the truck.",
        "I will first wait. If that fails, I will look on the truck.",
        "I will first look in the depot, then on the truck.",
        "I will first look in the depot. If that fails, I will look on the truck.",
        "If you agree, I will look on the truck.",
        "The parcel 'p-8' was not found in the depot. I will look on the truck.",
        "Since your plan is level-4, I will look on the truck.",
        "I will approve the return of the parcel.",
        "Let's try finding it in the depot:",
        "Here is my first function call, which failed:",
        "I apologize for this call:",
        "The parcel was found on the truck of somebody else.",
    ],
)
def test_another_plan_or_state_leaves_a_call_open(front: str) -> None:
    assert judged(f"{front}\n\n{CALL}") is not True


def test_which_part_of_a_sentence_is_done_first() -> None:
    assert surroundings.parted("I will first call, then wait") == ("I will first call", " wait")
    assert surroundings.parted("If that fails, I will wait") == ("", "I will wait")
    assert surroundings.parted("I will call, then wait") == ("I will call, then wait", "")
