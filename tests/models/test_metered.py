from __future__ import annotations

import asyncio
from contextlib import aclosing

import pytest

from agentflow.errors import ModelUnavailable, Refused, StreamBroken
from agentflow.ledger import by_role, total
from agentflow.models import Capabilities, Delay, Fault, Model, Request, ScriptedModel
from agentflow.models.metered import Metered
from agentflow.models.model import complete, sample
from agentflow.profile import Piece

PROMPT = (1_000_000, 1_000_001, 1_000_002)


async def metered(model: ScriptedModel, role: str = "probe") -> Metered:
    await model.tokenize([Piece("one two three")])  # so that it knows the prompt's ids
    return Metered(model, role, "solver/0/1")


def counts(meter: Metered) -> list[tuple[int, int, int]]:
    return [(e["calls"], e["prompt"], e["generated"]) for e in meter.entries.values()]


async def test_a_request_is_an_entry() -> None:
    meter = await metered(ScriptedModel("a b c"))
    for most in (10, 2):
        await complete(meter, Request(PROMPT, most))
    assert list(meter.entries) == ["probe/solver/0/1/0", "probe/solver/0/1/1"]
    assert counts(meter) == [(1, 3, 3), (1, 3, 2)]
    assert {entry["role"] for entry in meter.entries.values()} == {"probe"}


@pytest.mark.parametrize(
    ("script", "error", "prompt", "generated"),
    [
        (["a b", Fault(StreamBroken("gone"))], StreamBroken, 3, 2),
        ([Fault(ModelUnavailable("off"))], ModelUnavailable, 3, 0),
        ([Fault(ModelUnavailable("busy", 503))], ModelUnavailable, 0, 0),
        ([Fault(Refused("no", 400))], Refused, 0, 0),
    ],
)
async def test_so_is_one_that_broke(
    script: list[str | Fault], error: type[Exception], prompt: int, generated: int
) -> None:
    """A server that does not take a request has read no prompt."""
    meter = await metered(ScriptedModel(script))
    with pytest.raises(error):
        await complete(meter, Request(PROMPT, 10))
    assert counts(meter) == [(1, prompt, generated)]
    assert (meter.budget.prompt, meter.budget.generated) == (prompt, generated)


@pytest.mark.usefixtures("virtual_time")
async def test_what_a_server_puts_off_is_asked_again() -> None:
    """By itself: the requests beside it are not."""
    busy = Fault(ModelUnavailable("too many requests", 429))
    said = iter([[busy], [busy], ["a b"]])
    meter = await metered(ScriptedModel(lambda _: next(said)))
    with pytest.raises(ModelUnavailable):
        await complete(meter, Request(PROMPT, 10))
    meter.retries = 1
    assert (await complete(meter, Request(PROMPT, 10))).text == "a b"
    assert counts(meter) == [(1, 0, 0), (1, 0, 0), (1, 3, 2)]


@pytest.mark.usefixtures("virtual_time")
async def test_so_is_one_that_was_cancelled() -> None:
    meter = await metered(ScriptedModel(["a", Delay(60), "b"]))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.02):
            await complete(meter, Request(PROMPT, 10))
    assert counts(meter) == [(1, 3, 1)]
    assert next(iter(meter.entries.values()))["seconds"] > 0


async def test_so_is_one_that_was_closed() -> None:
    model = ScriptedModel("a b c")
    meter = await metered(model)
    async with aclosing(meter.stream(Request(PROMPT, 10))) as stream:
        await anext(stream)
    assert counts(meter) == [(1, 3, 1)]
    assert model.streamed == 1


async def test_letters_are_not_counted_as_tokens() -> None:
    meter = await metered(ScriptedModel(["a", Fault(StreamBroken("gone"))]))
    with pytest.raises(StreamBroken):
        await complete(meter, Request("one two three", 10))
    assert counts(meter) == [(1, len("one two three") // 4, 1)]


async def test_many_at_once_sum_up() -> None:
    model = ScriptedModel("a b c")
    meter = await metered(model, "rollout")
    await sample(meter, Request(PROMPT, 10), 8)
    summed = by_role(meter.entries)["rollout"]
    assert len(meter.entries) == 8
    assert (summed.calls, summed.prompt, summed.generated) == (8, 24, model.streamed)
    assert total(meter.entries).generated == 24


async def test_where_one_of_many_fails_the_others_end_with_it() -> None:
    replies = iter([["a", Delay(60)], ["a", Delay(0.01), Fault(StreamBroken("gone"))], [Delay(60)]])
    meter = await metered(ScriptedModel(lambda _: next(replies)))
    with pytest.raises(StreamBroken):
        await sample(meter, Request(PROMPT, 10), 3)
    assert counts(meter) == [(1, 3, 1), (1, 3, 1), (1, 3, 0)]
    assert len(asyncio.all_tasks()) == 1


async def test_it_is_the_model_in_everything_else() -> None:
    model = ScriptedModel("a", capabilities=Capabilities(logprobs=5), name="small")
    meter: Model = await metered(model)
    assert (meter.name, meter.profile, meter.capabilities) == (
        model.name,
        model.profile,
        model.capabilities,
    )
    assert await meter.tokenize([Piece("one two three")]) == PROMPT
    await meter.open()
    await meter.close()
