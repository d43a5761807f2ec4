"""An argument counts once it is written to its end, however the text is cut into pieces."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest
from gate_samples import STATE, bank
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, field_validator, model_validator

from agentflow.gate import Call, Policy, Rule, foresee, judge
from agentflow.gate.pieces import Piece
from agentflow.gate.written import Written, go_on
from agentflow.verdict import Verdict


def written(*pieces: str) -> list[Written]:
    """The call behind each piece."""
    calls: list[Written] = []
    found = []
    for piece in pieces:
        calls = go_on(calls, [Piece(0, args=piece)])
        found += calls
    return found


def test_a_number_may_go_on_until_a_comma() -> None:
    steps = ['{"a": 1', "2", ', "b', '": [1, 2', "]", "}"]
    assert [call.args for call in written(*steps)] == [
        {}, {}, {"a": 12}, {"a": 12}, {"a": 12}, {"a": 12, "b": [1, 2]},
    ]  # fmt: skip
    assert [call.ended for call in written(*steps)] == [False] * 5 + [True]


@pytest.mark.parametrize(
    "text",
    ['{"a": 1]', '{"a": 1}}', '{"a": 1} x', "[1]", '"a"', "null", "12", "{,}", '{"a": 1,}',
     '{"a": 1,, "b": 2}', '{"a": 1, "a": 1}', '{"a" 1}', "{'a': 1}", '{"a": NaN}', '{"a": 01}',
     '{"a": [1}, "b": 2}', '{"a": "\\ud800"}', '{"a": {"b": "\\ud800"}}', "{a: 1}", '{"a": True}',
     '{"a": 1}{"b": 2}', '{"a": ' + "9" * 5000 + "}", '{"a": "\\x"}', '﻿{"a": 1}', "{\xa0}"],
)  # fmt: skip
def test_what_is_no_json_object(text: str) -> None:
    for pieces in ([text], list(text)):
        call = written(*pieces)[-1]
        assert call.wrong
        assert not call.whole


@pytest.mark.parametrize("text", ["", "{", '{"a', '{"a": 1', '{"a": 1, "b": "x', '{"a": "}'])
def test_what_is_not_written_to_its_end_is_not_whole(text: str) -> None:
    call = written(*text)[-1] if text else Written()
    assert (call.wrong, call.whole) == ("", False)


def test_line_breaks_in_a_text_are_read_as_langchain_reads_them() -> None:
    assert written('{"a": "x\ny"}')[-1].args == {"a": "x\ny"}


def test_a_name_that_goes_on_behind_the_arguments() -> None:
    calls = go_on([], [Piece(0, "c", "trans"), Piece(0, "", "fer"), Piece(0, args="{")])
    assert calls[0].name == "transfer"
    assert not calls[0].wrong
    assert go_on(calls, [Piece(0, "", "s")])[0].wrong


def test_calls_are_put_together_by_index_and_id() -> None:
    first = [Piece(0, "a", "x", "{"), Piece(1, "b", "y", "{"), Piece(0, args="}"), Piece(1, "b")]
    alone = [Piece(None, "c", "z", "{}"), Piece(None, "d", "z", "{}"), Piece(0, "e", "w", "{")]
    calls = go_on([], first + alone)
    assert [(one.id, one.name, one.ended) for one in calls] == [
        ("a", "x", True), ("b", "y", False), ("c", "z", True), ("d", "z", True), ("e", "w", False),
    ]  # fmt: skip
    assert [Written(**json.loads(json.dumps(asdict(one)))) for one in calls] == calls


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text() | st.sampled_from(['"', "\\", "{", '"},', "ann", "\\u0041"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
KEYS = st.sampled_from(["to", "dollars", "note", "a}", 'b"', ","])


def cut(draw: Any, text: str) -> list[str]:
    places = draw(st.lists(st.integers(0, len(text)), max_size=6))
    ends = [*sorted(places), len(text)]
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


@given(st.data(), st.dictionaries(KEYS, JSON, max_size=4), st.booleans())
def test_any_split_is_read_as_the_whole(data: Any, args: dict[str, Any], plain: bool) -> None:
    text = json.dumps(args, ensure_ascii=plain, indent=data.draw(st.sampled_from([None, 1])))
    steps = written(*cut(data.draw, text))
    assert steps[-1].whole
    assert steps[-1].args == args
    for step in steps:
        assert step.args.items() <= args.items() if _flat(args) else set(step.args) <= set(args)
        assert all(args[key] == value for key, value in step.args.items())


def _flat(args: dict[str, Any]) -> bool:
    return not any(isinstance(value, list | dict) for value in args.values())


def strict(text: str) -> dict[str, Any] | None:
    """An oracle: one JSON object whose own keys are there once."""
    pairs: list[Any] = []

    def hook(found: list[Any]) -> Any:
        pairs[:] = [found]
        return dict(found)

    def refuse(word: str) -> Any:
        raise ValueError(word)

    try:
        value = json.loads(text, object_pairs_hook=hook, parse_constant=refuse, strict=False)
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and len(pairs[0]) == len(value) else None


@given(st.data())
def test_any_text_is_whole_if_it_is_json(data: Any) -> None:
    text = json.dumps(data.draw(st.dictionaries(KEYS, JSON, max_size=3)))
    signs = st.sampled_from([*'{}[]":,\\ \n1a', '"to": 1', ""])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(signs) + text[at + data.draw(st.integers(0, 2)) :]
    steps = written(*cut(data.draw, text))
    found = strict(text)
    assert steps[-1].whole == (found is not None)
    if found is not None:
        assert steps[-1].args == found


# Verdicts


def swallows(state: Any, call: Call) -> Verdict:
    """Whatever it reads, it goes on."""
    try:
        return Verdict(call.args["note"] != "no")
    except BaseException:
        return Verdict(False)


def gets(state: Any, call: Call) -> Verdict:
    return Verdict(call.args.get("note", "no") != "no")


def counts(state: Any, call: Call) -> Verdict:
    return Verdict(len(call.args) == 3 and "note" in call.args and next(iter(call.args)) == "to")


def shows(state: Any, call: Call) -> Verdict:
    return Verdict("no" not in repr(call.args))


def key(state: Any, call: Call) -> Verdict:
    return Verdict("eve" not in call.key())


def policies() -> list[Policy]:
    odd = (swallows, gets, counts, shows, key)
    rules = [Rule(one.__name__, one.__name__, one, frozenset({"transfer"})) for one in odd]
    return [
        bank(rules=[*bank().rules, *rules][:most], otherwise=otherwise)
        for most in (2, 3, 4, 5, 6, 7)
        for otherwise in ("deny", "ask")
    ]


POLICIES = policies()
ARGS = st.fixed_dictionaries(
    {},
    optional={
        "to": st.sampled_from(["ann", "eve", 5]),
        "dollars": st.sampled_from([5, 500, 5000, -1, "5", True]),
        "note": st.sampled_from(["", "no", "yes", None]),
        "approved": st.just(True),
    },
)


@given(st.data(), ARGS, st.sampled_from(POLICIES), st.sampled_from(["transfer", "close", "rob"]))
def test_what_is_foreseen_is_what_is_judged(
    data: Any, args: dict[str, Any], policy: Policy, name: str
) -> None:
    items = data.draw(st.permutations(list(args.items())))
    whole = judge(policy, STATE, Call(name, dict(items)))
    for most in range(len(items) + 1):
        early = foresee(policy, STATE, Call(name, dict(items[:most])))
        assert early is None or early.outcome == whole.outcome != "allow"


def test_what_can_be_told_is_told_early() -> None:
    policy = bank(otherwise="ask")
    early = foresee(policy, STATE, Call("transfer", {"to": "eve"}))
    assert early is not None
    assert (early.outcome, early.reason) == ("deny", "money goes to friends")
    assert foresee(policy, STATE, Call("transfer", {"to": "ann"})) is None
    assert foresee(policy, STATE, Call("transfer", {})) is None


def test_a_refuted_call_is_denied_whatever_else_is_wrong_with_it() -> None:
    decision = judge(bank(otherwise="ask"), STATE, Call("transfer", {"to": "eve", "dollars": "5"}))
    assert (decision.outcome, decision.reason) == ("deny", "money goes to friends")
    decision = judge(bank(otherwise="ask"), STATE, Call("transfer", {"to": "ann", "dollars": "5"}))
    assert (decision.outcome, decision.reason) == (
        "ask", "arguments missing or of a wrong type: dollars",
    )  # fmt: skip


class Swapped(BaseModel):
    a: str
    b: str

    @model_validator(mode="before")
    @classmethod
    def swap(cls, given: Any) -> Any:
        return {"a": given.get("b"), "b": given.get("a")}


class Shouted(BaseModel):
    a: str

    @field_validator("a")
    @classmethod
    def shout(cls, value: str) -> str:
        return value.upper()


@pytest.mark.parametrize("schema", [Swapped, Shouted])
def test_a_schema_that_changes_its_fields_is_judged_as_a_whole(schema: type[BaseModel]) -> None:
    rule = Rule("a", "a", lambda state, one: Verdict(one.args["a"] == "Y"), frozenset({"do"}))
    policy = Policy({"do": schema}, [rule])
    assert foresee(policy, {}, Call("do", {"a": "y"})) is None
    args = {"a": "x", "b": "Y"} if schema is Swapped else {"a": "y"}
    assert judge(policy, {}, Call("do", args)).outcome == "allow"
