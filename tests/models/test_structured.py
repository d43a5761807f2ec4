"""Structured output: valid, repaired, or the default; never a crash."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pydantic import Field

from agentflow.errors import ModelUnavailable, Refused
from agentflow.models import Capabilities, Fault, ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.scripted import Reply as Script
from agentflow.models.structured import Parsed, Reply, Whole, ask, ask_json
from agentflow.profile import PROFILES


class Point(Reply):
    x: Whole = Field(ge=0)


DEFAULT = Point(x=7)
MALFORMED = [
    "",
    "three",
    "3",
    '{"x": -1}',
    '{"y": 1}',
    '{"x": 1, "y": 2}',
    'It is not {"x": 1}',
    '{"x": 1} is wrong',
    '```json\n{"x": 1, "x": 2}\n```',
    '{"x": 1',
    "{'x': NaN}",
    '{"x": true}',
]


def played(replies: Sequence[Script]) -> ScriptedModel:
    """Plays one reply after the other."""
    left = list(replies)
    return ScriptedModel(lambda prompt: left.pop(0))


async def asked(model: ScriptedModel) -> tuple[Parsed[Point], Metered]:
    meter = Metered(model, "selector", "0/x")
    return await ask_json(meter, ("", "Where?"), Point, DEFAULT, seed=5), meter


async def test_valid() -> None:
    model = played(['{"x": 3}\n'])
    got, meter = await asked(model)
    assert (got.value.x, got.how, got.error) == (3, "valid", "")
    assert list(meter.entries) == ["selector/0/x/0"]
    (request,) = model.requests
    assert request.schema == Point.model_json_schema()
    assert request.seed == 5


@pytest.mark.parametrize("first", MALFORMED)
async def test_repaired_once_with_the_error_shown(first: str) -> None:
    model = played([first, '{"x": "3"}'])
    got, meter = await asked(model)
    assert (got.value.x, got.how) == (3, "repaired")
    assert got.error
    again = model.text(model.requests[1].prompt)  # type: ignore[arg-type]
    assert got.error in again
    assert first.strip() in again
    assert "Where?" in again
    assert model.requests[1].schema == model.requests[0].schema
    assert model.requests[1].seed != model.requests[0].seed
    assert list(meter.entries)[-1] == "selector/0/x/2/repaired"
    assert sum(entry["calls"] for entry in meter.entries.values()) == 2


@pytest.mark.parametrize("second", MALFORMED)
async def test_then_the_default(second: str) -> None:
    model = played(["no", second])
    got, meter = await asked(model)
    assert (got.value, got.how) == (DEFAULT, "default")
    assert got.error
    assert len(model.requests) == 2
    assert list(meter.entries)[-1] == "selector/0/x/2/default"


async def test_the_default_where_the_prompt_fills_the_context() -> None:
    model = ScriptedModel('{"x": 3}')
    prompt = "word " * PROFILES["pocket"].context
    got = await ask_json(model, ("", prompt), Point, DEFAULT)
    assert (got.value, got.how) == (DEFAULT, "default")
    assert "context" in got.error
    assert model.requests == []


async def test_a_repair_that_has_no_room_is_none() -> None:
    model = ScriptedModel("no")
    prompt = "word " * (PROFILES["pocket"].context - 20)
    got = await ask_json(model, ("", prompt), Point, DEFAULT)
    assert (got.value, got.how) == (DEFAULT, "default")
    assert len(model.requests) == 1
    assert "context" not in got.error


async def test_a_refused_repair_gives_the_default_and_costs_what_was_said() -> None:
    got, meter = await asked(played(["three", [Fault(Refused("the prompt is too long", 400))]]))
    assert (got.value, got.how) == (DEFAULT, "default")
    assert got.error.endswith("; asked again, the prompt is too long")
    assert [one["calls"] for one in meter.entries.values()] == [1, 1, 0]
    assert next(iter(meter.entries.values()))["generated"] > 0
    with pytest.raises(Refused):
        await asked(played([[Fault(Refused("no such model", 404))]]))


async def test_a_model_that_is_gone_is_no_malformed_reply() -> None:
    with pytest.raises(ModelUnavailable):
        await asked(played([[Fault(ModelUnavailable("gone"))]]))


async def test_thinking_is_skipped_or_left_out() -> None:
    model = ScriptedModel('{"x": 3}')
    await ask_json(model, ("", "Where?"), Point, DEFAULT)
    prompt = model.text(model.requests[0].prompt)  # type: ignore[arg-type]
    assert prompt.endswith(model.profile.no_think)
    model = ScriptedModel(
        '<think>{"x": 1}?</think>{"x": 3}', capabilities=Capabilities(continues=False)
    )
    got = await ask_json(model, ("", "Where?"), Point, DEFAULT)
    assert (got.value.x, got.how) == (3, "valid")


async def test_any_format() -> None:
    got = await ask(ScriptedModel("42"), ("", "?"), int, 0)
    assert (got.value, got.how) == (42, "valid")
