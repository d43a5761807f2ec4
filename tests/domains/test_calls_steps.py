"""Calls that say which step of a plan they are."""

from __future__ import annotations

import json
from functools import partial

import pytest
from replies import equal


def _function(name: str, *keys: str) -> dict[str, object]:
    properties = {key: {"type": "string"} for key in keys}
    given = {"type": "object", "properties": properties, "required": [*keys]}
    return {"name": name, "description": "Keeps notes.", "parameters": given}


PROBLEM = json.dumps(
    {
        "question": "Write 'it's late' into late.txt, then remove old.txt. My plan:\n"
        '[{"step": "1.1 Make the note"}, {"step": "1.2 Write the note", "tool": "note_write"}]\n'
        "2.1 Remove the old one\nDo not call note_remove",
        "function": [_function("note_write", "path", "text"), _function("note_remove", "path")],
    }
)
GOLD = json.dumps(
    [
        {"note_write": {"path": ["late.txt"], "text": ["it's late"]}},
        {"note_remove": {"path": ["old.txt"]}},
    ]
)
CALLS = [
    {
        "step": "1.2 Write the note",
        "tool": "note_write",
        "param": {"path": "late.txt", "text": "it's late"},
    },
    {"step": "2.1 Remove the old one", "tool": "note_remove", "param": {"path": "old.txt"}},
]
judged = partial(equal, "calls", PROBLEM, gold=GOLD)


@pytest.mark.parametrize("spelled", [json.dumps, repr, partial(json.dumps, indent=1)])
@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```", "Here are the calls:\n\n{}"])
def test_steps_of_the_plan_that_was_given(spelled: object, fence: str) -> None:
    assert callable(spelled)
    assert judged(fence.format(spelled(CALLS))) is True
    assert judged(fence.format(spelled(CALLS).replace("old.txt", "new.txt"))) is not True
    assert judged(fence.format(spelled(CALLS[:1]))) is not True


def test_steps_that_are_counted() -> None:
    counted = [one | {"step": at} for at, one in enumerate(CALLS, 1)]
    assert judged(json.dumps(counted)) is True
    assert judged(repr(counted)) is True


@pytest.mark.parametrize(
    "step",
    [
        "Do not call note_remove",
        "Do not remove the old one",
        "Remove",
        "Remove the old one later",
        "2.1 Remove the old one, if it is there",
        "2.1 Remove the old one. This call is wrong.",
        "2.1 Remove the old on",
        "1 Make the note",
        "an example",
        "skip this",
        "2.1 Remove the old one only after 3 days",
        "undo this call",
        "bad: 2.1 Remove the old one",
        "2.1 Remove the old one?",
    ],
)
def test_another_step_leaves_calls_open(step: str) -> None:
    said = [CALLS[0], CALLS[1] | {"step": step}]
    assert judged(json.dumps(said)) is not True
    assert judged(repr(said)) is not True
    assert judged(f"Here are the calls:\n\n{said!r}") is not True


@pytest.mark.parametrize("more", [{"steps": "2"}, {"step": True}, {"step": ["a"]}, {"skipped": 1}])
def test_another_field_leaves_calls_open(more: dict[str, object]) -> None:
    said = [CALLS[0], {**more, "tool": "note_remove", "param": {"path": "old.txt"}}]
    assert judged(json.dumps(said)) is not True
    assert judged(repr(said)) is not True
