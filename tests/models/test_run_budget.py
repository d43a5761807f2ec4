"""The budget of a run: one for all its roles and samples."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agentflow
from agentflow.errors import BadInput, Exhausted, Paused, StreamBroken
from agentflow.ledger import Entry, record
from agentflow.models import (
    Capabilities,
    Delay,
    Fault,
    Finish,
    Request,
    ScriptedModel,
    complete,
)
from agentflow.models.budget import BESIDE, Budget
from agentflow.models.metered import Metered
from agentflow.prices import PRICES, Price, price_of
from agentflow.profile import Piece

PRICED = {"scripted": Price(prompt=10.0, generated=100.0)}


def finish_of(model: Any, request: Request) -> tuple[int, str]:
    completion = asyncio.run(complete(model, request))
    return len(completion.tokens), completion.finish.reason


@given(st.integers(1, 40), st.lists(st.integers(1, 20), min_size=1, max_size=6))
@settings(deadline=None)
def test_requests_side_by_side_have_one_budget(limit: int, wanted: list[int]) -> None:
    budget = Budget(limit)
    model = ScriptedModel("a " * 100)
    meters = [Metered(model, "solver", str(n), budget) for n in range(len(wanted))]

    async def ask() -> list[int]:
        asked = zip(meters, wanted, strict=True)
        found = await asyncio.gather(*(complete(m, Request("b", n)) for m, n in asked))
        return [len(one.tokens) for one in found]

    came = asyncio.run(ask())
    assert sum(came) == min(limit, sum(wanted)) == budget.generated
    assert all(n <= most for n, most in zip(came, wanted, strict=True))
    entries = {k: v for meter in meters for k, v in meter.entries.items()}
    assert sum(entry["generated"] for entry in entries.values()) == sum(came)
    assert bool(budget.over) == (sum(wanted) >= limit)


TURNS = Capabilities(continues=False, turns=True, exact_prefix=False)


class Hiding(ScriptedModel):
    """A server that keeps its thinking back, and counts it behind the last token.

    Attributes:
        hidden: By a request's seed, how many tokens it thinks.
        asked: What was under way when each request came: the most tokens of all together.
    """

    def __init__(self, hidden: Sequence[int], text: str = "a " * 100) -> None:
        super().__init__(text, capabilities=TURNS)
        self.hidden, self.under_way, self.asked = hidden, 0, list[int]()

    async def stream(self, request: Request) -> Any:
        hidden = min(self.hidden[request.seed % len(self.hidden)], request.max_tokens - 1)
        shown = replace(request, max_tokens=request.max_tokens - hidden)
        self.under_way += request.max_tokens
        self.asked.append(self.under_way)
        try:
            count = hidden
            async for item in super().stream(shown):
                await asyncio.sleep(0)
                if isinstance(item, Finish):
                    item = item._replace(generated=count, reasoning=hidden)
                else:
                    count += 1
                yield item
        finally:
            self.under_way -= request.max_tokens


SIDE_BY_SIDE = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 15)), min_size=1, max_size=6)


async def beside(model: Hiding, budget: Budget, wanted: Sequence[int]) -> list[int]:
    """How many tokens are shown of each request, made side by side."""
    meters = [Metered(model, "solver", str(n), budget) for n in range(len(wanted))]
    asked = (
        complete(meter, Request("b", most, seed=n))
        for n, (meter, most) in enumerate(zip(meters, wanted, strict=True))
    )
    came = [len(one.tokens) for one in await asyncio.gather(*asked)]
    entries = {k: v for meter in meters for k, v in meter.entries.items()}
    assert sum(entry["cost"] for entry in entries.values()) == pytest.approx(budget.cost)
    assert sum(entry["generated"] for entry in entries.values()) == budget.generated
    assert budget.held == []
    return came


@given(st.integers(0, 60), SIDE_BY_SIDE)
@settings(deadline=None)
def test_side_by_side_no_cost_passes_the_limit(limit: int, wanted: list[tuple[int, int]]) -> None:
    """Not even that of tokens which a server keeps back and counts behind the last one."""
    dollars = {"scripted": Price(prompt=0.0, generated=1e6)}
    budget = Budget(max_cost=float(limit), prices=dollars)
    model = Hiding([hidden for _, hidden in wanted])
    came = asyncio.run(beside(model, budget, [most for most, _ in wanted]))
    assert budget.cost <= limit + 1e-6
    assert bool(sum(came)) == (limit >= 1)  # what came before is kept


@given(st.integers(1, 60), SIDE_BY_SIDE)
@settings(deadline=None)
def test_nor_do_tokens(limit: int, wanted: list[tuple[int, int]]) -> None:
    """And what the limit has room for is asked, if need be one after the other."""
    budget, model = Budget(limit), Hiding([hidden for _, hidden in wanted])
    came = asyncio.run(beside(model, budget, [most for most, _ in wanted]))
    assert budget.generated == min(limit, sum(most for most, _ in wanted))
    assert max(model.asked) <= limit
    assert len(model.asked) == sum(map(bool, came))


def test_requests_wait_for_what_others_may_take_and_did_not() -> None:
    """Each may take the whole limit; they come one after the other, and all are answered."""
    budget, model = Budget(40), Hiding([5], "a b c")
    assert asyncio.run(beside(model, budget, [40] * 4)) == [3] * 4
    assert (budget.generated, budget.over) == (4 * 8, "")
    budget, model = Budget(1000), Hiding([5], "a b c")
    assert asyncio.run(beside(model, budget, [40] * 4)) == [3] * 4
    assert model.asked == [40, 80, 120, 160]  # nothing is waited for that has room


async def test_what_is_asked_beside_a_solvers_own_stream_does_not_wait_for_it() -> None:
    budget, model = Budget(50), Hiding([0], "a b c")
    meter, own = Metered(model, "verifier", "0", budget), object()
    async with budget.admitted(model, Request("b", 40), own):
        waits = asyncio.ensure_future(complete(meter, Request("b", 20)))
        token = BESIDE.set(own)
        assert len((await complete(meter, Request("b", 20))).tokens) == 3
        BESIDE.set(object())  # of another's, which holds nothing: it has what is left
        assert (await complete(meter, Request("b", 20))).finish.reason == "stop"
        assert model.requests[-1].max_tokens == 50 - 3 - 40
        BESIDE.reset(token)
        assert not waits.done()
    assert len((await waits).tokens) == 3
    assert budget.over == ""


@pytest.mark.usefixtures("virtual_time")
async def test_who_waits_ends_with_the_runs_time() -> None:
    budget, model = Budget(40, 3.0), Hiding([0])
    async with budget.admitted(model, Request("b", 40)):
        found = await complete(Metered(model, "solver", "0", budget), Request("b", 40))
    assert (found.tokens, found.finish.reason, model.requests) == ((), "length", [])
    assert budget.over == "the time limit of 3.0 s is over"


@pytest.mark.parametrize("limits", [{"max_tokens": 60}, {"max_cost": 60.0}])
async def test_samples_of_a_hiding_model_share_a_limit(limits: dict[str, Any]) -> None:
    """Each sample may take all of it; none is told that it is spent, as long as it is not."""
    model = Hiding([5], "</think>\nAnswer: (7 - 8 / 8) * 4")
    prices = {"*": {"prompt": 0.0, "generated": 1e6}}
    result = await agentflow.asolve(
        "4 7 8 8",
        "sampling",
        model=model,
        critic="none",
        choose="majority",
        k=3,
        prices=prices,
        **limits,
    )
    assert (result.status, result.error) == ("verified", "")
    assert [one["candidate"] for one in result.samples] == ["(7 - 8 / 8) * 4"] * 3
    assert result.cost.generated <= 60
    assert max(model.asked) <= 60


def test_a_server_that_sends_more_is_cut() -> None:
    class Deaf(ScriptedModel):
        async def stream(self, request: Request) -> Any:
            async for item in super().stream(Request(request.prompt, 1000)):
                yield item

    meter = Metered(Deaf("a " * 50), "solver", "0", Budget(9))
    assert finish_of(meter, Request("b", 100)) == (9, "length")
    assert meter.budget.over == "the budget of 9 tokens is spent"


def test_what_is_spent_asks_nothing() -> None:
    model = ScriptedModel("a " * 50)
    meter = Metered(model, "solver", "0", Budget(9, generated=9))
    assert finish_of(meter, Request("b", 100)) == (0, "length")
    assert (model.requests, meter.entries) == ([], {})
    with pytest.raises(Exhausted, match="the budget of 9 tokens is spent"):
        asyncio.run(called(meter))


async def called(meter: Metered, error: Exception | None = None) -> None:
    """One call that is not streamed."""
    async with meter.call():
        if error is not None:
            raise error


def test_a_time_limit_of_a_models_own_is_not_the_runs() -> None:
    meter = Metered(ScriptedModel(""), "prm", "0", Budget(None, 60.0))
    with pytest.raises(TimeoutError, match="silent"):
        asyncio.run(called(meter, TimeoutError("silent")))
    assert meter.budget.over == ""


def test_a_reply_that_ends_in_time_is_not_cut() -> None:
    meter = Metered(ScriptedModel("a b c"), "solver", "0", Budget(100, 60.0))
    assert finish_of(meter, Request("b", 100))[1] == "stop"
    assert meter.budget.over == ""


def test_a_server_that_is_silent_is_left_at_the_runs_time() -> None:
    meter = Metered(ScriptedModel(["a", Delay(60)]), "solver", "0", Budget(seconds=0.05))
    assert finish_of(meter, Request("b", 100)) == (1, "length")
    assert meter.budget.over == "the time limit of 0.05 s is over"


def test_money() -> None:
    budget = Budget(max_cost=0.0011, prices=PRICED)  # 10 prompt tokens, and 10 generated ones
    model = ScriptedModel("a " * 50)
    meter = Metered(model, "solver", "0", budget)
    prompt = asyncio.run(model.tokenize([Piece("b\n" * 5)]))
    assert len(prompt) == 10
    assert finish_of(meter, Request(prompt, 100)) == (10, "length")
    (entry,) = meter.entries.values()
    assert entry["cost"] == pytest.approx(0.0011) == pytest.approx(budget.cost)
    assert finish_of(meter, Request(prompt, 100)) == (0, "length")
    assert budget.over == "the budget of 0.0011 dollars is spent"


def test_a_prompt_that_costs_too_much_is_not_sent() -> None:
    model = ScriptedModel("a")
    meter = Metered(model, "solver", "0", Budget(max_cost=0.001, prices=PRICED))
    assert finish_of(meter, Request(tuple(range(1000)), 100)) == (0, "length")
    assert model.requests == []


def test_what_a_ledger_knows_is_taken_off() -> None:
    entries = record("a", Entry("solver", generated=7, cost=0.5, seconds=2.0, until=3.0))
    entries |= record("b", Entry("verifier", generated=1, cost=0.25, seconds=2.0, until=2.5))
    budget = Budget(10, 60.0, 1.0).resumed(entries)
    assert (budget.generated, budget.cost) == (8, 0.75)
    assert 3.0 <= budget.clock < 50
    old = record("a", Entry("solver", generated=7))
    del old["a"]["cost"], old["a"]["until"]
    assert Budget(10).resumed(old).generated == 7


@pytest.mark.parametrize(
    ("model", "own", "expected"),
    [
        ("gpt-4o", {}, PRICES["gpt-4o"]),
        ("openai/GPT-4o-mini-2024-07-18", {}, PRICES["gpt-4o-mini"]),
        ("gpt-4o-audio-preview", {}, None),
        ("gpt-4o", {"gpt-*": Price(prompt=1)}, Price(prompt=1)),
        ("gpt-4o", {"*": Price(), "gpt-4o": Price(prompt=2)}, Price(prompt=2)),
        ("mine", {"*": Price()}, Price()),
        ("mine", {}, None),
    ],
)
def test_prices(model: str, own: dict[str, Price], expected: Price | None) -> None:
    assert price_of(model, own) == expected


def test_cached_tokens_have_a_price_of_their_own() -> None:
    assert Price(prompt=2, cached=1, generated=8).of(1_000_000, 500_000, 0) == 1.5
    assert Price(prompt=2, generated=8).of(1_000_000, 500_000, 1_000_000) == 10


async def test_a_model_without_a_price_is_an_error_before_the_first_request() -> None:
    model = ScriptedModel("a")
    with pytest.raises(BadInput, match=r"needs the price of 'scripted'.*set prices = "):
        await agentflow.asolve("4 7 8 8", "direct", model=model, max_cost=1.0)
    assert model.requests == []
    given: Any = {"solver": ScriptedModel("a", name="agentflow-pocket"), "verifier": model}
    with pytest.raises(BadInput, match="'scripted'"):
        await agentflow.asolve("4 7 8 8", "sampling", model=given, max_cost=1.0)
    assert given["solver"].requests == []


async def test_a_run_that_costs_too_much() -> None:
    model = ScriptedModel("a " * 500)
    prices = {"scripted": {"prompt": 0, "generated": 100}}
    result = await agentflow.asolve(
        "4 7 8 8", "sampling", model=model, max_cost=0.002, prices=prices
    )
    assert result.status == "exhausted"
    assert "the budget of 0.002 dollars is spent" in result.reason
    assert result.cost.cost == pytest.approx(0.002)
    assert result.cost.generated == 20


@pytest.mark.parametrize("method", ["direct", "sampling", "verified_sampling", "unified"])
async def test_what_was_never_asked_costs_nothing(method: str) -> None:
    """A first prompt that costs more than the run may is not sent, and the ledger has no call."""
    model = ScriptedModel("a " * 500)
    prices = {"scripted": {"prompt": 1000, "generated": 1000}}
    result = await agentflow.asolve("4 7 8 8", method, model=model, max_cost=0.002, prices=prices)
    assert (result.status, model.requests) == ("exhausted", [])
    cost = result.cost
    assert (cost.calls, cost.prompt, cost.generated, cost.cost) == (0, 0, 0, 0.0)
    said = "the budget of 0.002 dollars is spent, with no answer yet"
    assert result.reason == (f"of 4 samples: {said}" if method == "sampling" else said)


@pytest.mark.parametrize("method", ["verified_sampling", "unified", "generate_test"])
async def test_no_sample_is_begun_behind_the_runs_limit(method: str) -> None:
    model = ScriptedModel("a " * 500)
    result = await agentflow.asolve("4 7 8 8", method, model=model, max_tokens=20)
    assert (result.status, len(model.requests), len(result.samples)) == ("exhausted", 1, 1)
    assert result.reason == "the budget of 20 tokens is spent, with no answer yet"


async def test_a_break_that_leaves_no_money_is_counted_once() -> None:
    """The request that broke is in the ledger; the one for the rest is not made."""
    model = ScriptedModel([" a", " b", Fault(StreamBroken("gone"))])
    prices = {"scripted": {"prompt": 1.0, "generated": 1000.0}}
    result = await agentflow.asolve(
        "4 7 8 8", "direct", model=model, max_cost=0.0025, prices=prices
    )
    assert (result.status, len(model.requests)) == ("exhausted", 1)
    cost = result.cost
    assert (cost.calls, cost.prompt, cost.generated) == (1, model.requests[0].length, 2)


async def test_an_answer_that_nobody_could_check_any_more_is_the_candidate() -> None:
    said = "</think>\nAnswer: (7 - 8 / 8) * 4 = 24\n"
    whole = await agentflow.asolve("4 7 8 8", "direct", model=ScriptedModel(said))
    limit = whole.cost.generated
    result = await agentflow.asolve(
        "4 7 8 8",
        "solve_detect_verify",
        model=ScriptedModel(said),
        detect=False,
        max_tokens=limit,
        judge_answers=False,
    )
    assert (result.status, result.answer) == ("exhausted", None)
    assert result.candidate == whole.answer
    assert f"the budget of {limit} tokens is spent" in result.reason
    assert result.trace.body == whole.trace.body


async def test_what_is_verified_in_time_is_verified() -> None:
    said = "</think>\nAnswer: (7 - 8 / 8) * 4 = 24\n"
    whole = await agentflow.asolve("4 7 8 8", "verified_sampling", model=ScriptedModel(said))
    assert whole.status == "verified"
    again = await agentflow.asolve(
        "4 7 8 8",
        "verified_sampling",
        model=ScriptedModel(said),
        max_tokens=whole.cost.generated,
    )
    assert (again.status, again.answer) == ("verified", whole.answer)


async def test_a_thread_has_what_it_had_left(tmp_path: Path) -> None:
    """A run that is paused again and again: each time with a budget of its own making."""
    model = ScriptedModel("8 / 8 = 2 (left: 2 4 7)\n" * 30)
    given: dict[str, Any] = {"checkpoints": tmp_path / "t.sqlite", "model": model}
    more: dict[str, Any] = {"max_corrections": 1000, "review": True}
    with pytest.raises(Paused):
        await agentflow.asolve("4 7 8 8", "interwhen", thread="t", max_tokens=100, **more, **given)
    for _ in range(50):
        try:
            result = await agentflow.aresume("t", **given)
            break
        except Paused:
            continue
    assert result.status == "exhausted"
    assert "the budget of 100 tokens is spent" in result.reason
    assert result.cost.generated == 100


@pytest.mark.usefixtures("virtual_time")
async def test_a_tool_that_outlasts_the_time_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: Any) -> Any:
        await asyncio.sleep(60)

    monkeypatch.setattr("agentflow.in_time._LATE", 0.05)
    monkeypatch.setattr("agentflow.domains.game24.Game24.verify_answer", never)
    said = "</think>\nAnswer: (7 - 8 / 8) * 4 = 24\n"
    model = ScriptedModel(said)
    result = await agentflow.asolve("4 7 8 8", "interwhen", model=model, timeout=3.0)
    assert (result.status, result.reason) == ("exhausted", "the time limit of 3.0 s is over")
    assert result.trace.body.endswith(said)
    assert result.cost.generated > 0
    assert result.problem["text"] == "4 7 8 8"


class Unreachable(ScriptedModel):
    """A model whose server takes for ever to open, from some time on."""

    def __init__(self, after: int) -> None:
        super().__init__("</think>\nAnswer: (7 - 8 / 8) * 4 = 24\n")
        self.after, self.opened = after, 0

    async def open(self) -> None:
        self.opened += 1
        if self.opened > self.after:
            await asyncio.sleep(600)


@pytest.mark.parametrize(
    ("method", "limits"),
    [
        ("direct", {}),
        ("sampling", {}),
        ("unified", {}),
        ("direct", {"max_cost": 1.0, "prices": {"*": {}}}),
    ],
)
@pytest.mark.parametrize("after", [0, 1])
@pytest.mark.usefixtures("virtual_time")
async def test_the_time_limit_holds_while_a_server_is_opened(
    method: str, limits: dict[str, Any], after: int
) -> None:
    model, loop = Unreachable(after), asyncio.get_running_loop()
    started = loop.time()
    result = await agentflow.asolve("4 7 8 8", method, model=model, timeout=3.0, **limits)
    assert (result.status, result.answer) == ("exhausted", None)
    assert "the time limit of 3.0 s is over" in result.reason
    assert loop.time() - started < 4


@pytest.mark.usefixtures("virtual_time")
async def test_it_holds_for_a_verifier_too() -> None:
    loop = asyncio.get_running_loop()
    started = loop.time()
    verdict, _ = await agentflow.ajudge(
        "4 7 8 8", "(7 - 8 / 8) * 4 = 24", "critic", model=Unreachable(0), timeout=3.0
    )
    assert (verdict.ok, verdict.kind) == (None, "exhausted")
    assert loop.time() - started < 4


def test_a_finish_is_passed_on() -> None:
    model = Metered(ScriptedModel("a"), "solver", "0", Budget(5))
    assert asyncio.run(complete(model, Request("bc", 5))).finish == Finish("stop", 2)


async def test_a_prompt_of_text_is_estimated_until_its_server_says() -> None:
    text = Capabilities(exact_prefix=False)
    budget = Budget()
    broken = ScriptedModel(["x", Fault(StreamBroken("gone"))], capabilities=text)
    with pytest.raises(StreamBroken):
        await complete(Metered(broken, "solver", "0", budget), Request("some text", 9))
    assert (budget.prompt, budget.generated) == (2, 1)
    whole = ScriptedModel("x", capabilities=text)
    await complete(Metered(whole, "solver", "1", budget), Request("some text", 9))
    assert budget.prompt == 2 + 9  # which is what it says, a token a character


async def test_a_call_that_is_not_streamed_is_taken_off() -> None:
    budget = Budget(9)
    meter = Metered(ScriptedModel("x"), "prm", "0", budget)
    async with meter.call() as count:
        count.prompt, count.generated = 7, 9
    assert (budget.prompt, budget.generated) == (7, 9)
    assert meter.entries == budget.entries
    (entry,) = meter.entries.values()
    assert (entry["calls"], entry["prompt"], entry["generated"]) == (1, 7, 9)
    with pytest.raises(Exhausted, match="the budget of 9 tokens is spent"):
        async with meter.call():
            raise AssertionError("nothing is left to ask with")
    assert len(meter.entries) == 1


@pytest.mark.usefixtures("virtual_time")
async def test_a_call_is_counted_that_outlasts_the_time() -> None:
    meter = Metered(ScriptedModel("x"), "prm", "0", Budget(seconds=3.0))
    with pytest.raises(Exhausted, match=r"the time limit of 3.0 s is over"):
        async with meter.call():
            await asyncio.sleep(60)
    (entry,) = meter.entries.values()
    assert entry["calls"] == 1
    assert entry["seconds"] >= 3


@pytest.mark.parametrize("told", [None, 3])
async def test_a_reply_that_the_server_cuts_short_is_not_said_to_spend_a_limit(
    told: int | None,
) -> None:
    class Short(ScriptedModel):
        async def stream(self, request: Request) -> Any:
            async for item in super().stream(replace(request, max_tokens=3)):
                yield item._replace(generated=told) if isinstance(item, Finish) else item

    result = await agentflow.asolve(
        "4 7 8 8", "direct", model=Short("8 / 8 = 1 (left: 1 4 7)\n"), solver_tokens=100
    )
    assert result.status == "exhausted"
    said = "the server ended the reply after 3 of the 100 tokens that it was asked for"
    assert result.reason == f"{said}, with no answer yet"


async def test_nor_where_nobody_counts_the_tokens() -> None:
    class Short(ScriptedModel):
        async def stream(self, request: Request) -> Any:
            async for item in super().stream(replace(request, max_tokens=3)):
                yield item._replace(prompt=None) if isinstance(item, Finish) else item

    model = Short("8 / 8 = 1 (left: 1 4 7)\n", capabilities=Capabilities(exact_prefix=False))
    result = await agentflow.asolve("4 7 8 8", "direct", model=model, solver_tokens=100)
    said = "the server cut the reply short; it was asked for 100 tokens at most"
    assert result.reason == f"{said}, with no answer yet"


async def test_a_reply_as_long_as_the_limit_spends_it() -> None:
    result = await agentflow.asolve(
        "4 7 8 8", "direct", model=ScriptedModel("a " * 50), solver_tokens=9
    )
    assert result.reason == "the budget of 9 tokens is spent, with no answer yet"
