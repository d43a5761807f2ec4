"""What meta verification's replies say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentflow.models.structured import parse
from agentflow.verifiers.meta import Meta, notes


def reply(follows: tuple[bool, ...] = (True, True), **changed: Any) -> str:
    said = {
        "conditions": ["48 in April"],
        "objective": "the total",
        "steps": [f"step {n}" for n in range(len(follows))],
        "complete": True,
        "why": "",
        "consistency": [
            {"step": n, "follows": ok, "why": "" if ok else "a jump"}
            for n, ok in enumerate(follows, 1)
        ],
    }
    return json.dumps(said | changed)


def test_complete_and_consistent() -> None:
    meta = parse(Meta, reply())
    assert (meta.ok, meta.wrong) == (True, None)
    assert notes(meta).endswith("The solution is complete, and each step follows.")


def test_a_step_that_does_not_follow() -> None:
    meta = parse(Meta, reply((True, False, False)))
    assert (meta.ok, meta.wrong and meta.wrong.step) == (False, 2)
    assert "Step 3 does not follow: a jump" in notes(meta)


def test_an_incomplete_solution_skips_consistency() -> None:
    meta = parse(Meta, reply((True, False), complete=False, why="no answer"))
    assert (meta.ok, meta.consistency) == (False, [])
    assert notes(meta).endswith("The solution is not complete: no answer")


@pytest.mark.parametrize(
    "bad",
    [
        "yes",
        "[]",
        "Surely not: " + reply(),
        reply(extra=1),
        reply(complete="maybe"),
        reply(steps=[]),
        reply(consistency=[]),
        reply(consistency=[{"step": 2, "follows": True}, {"step": 1, "follows": True}]),
        f"[{reply()}, {reply()}]",
    ],
)
def test_what_cannot_be_read(bad: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        parse(Meta, bad)


def test_a_fence_is_taken_off() -> None:
    assert parse(Meta, f"```json\n{reply()}\n```") == parse(Meta, reply())


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(list(Meta.model_fields)), inner)
        ),
        max_leaves=12,
    )
)
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        meta = parse(Meta, json.dumps(value))
    except ValueError:
        return
    assert meta.ok == (meta.complete and all(one.follows for one in meta.consistency))


@pytest.mark.parametrize(
    ("why", "read"),
    [
        ("", True),
        ("none", True),
        ("It follows from the conditions.", True),
        ("The last step answers the question.", True),
        ("the unit is missing", False),
        ("only if May has 31 days", False),
        ("48 is taken twice", False),
        ("follows?", False),
    ],
)
def test_a_yes_goes_with_no_reason_against_it(why: str, read: bool) -> None:
    step = [{"step": 1, "follows": True, "why": why}]
    for text in (reply((True,), why=why), reply((True,), consistency=step)):
        if read:
            assert parse(Meta, text).ok
        else:
            with pytest.raises(ValueError, match="more is said of it"):
                parse(Meta, text)
