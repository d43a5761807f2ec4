"""The client's side of the plugin, on a fake server and a scripted model (a real engine:
``tests/engines/test_in_engine.py``)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from fake_server import Fake

from agentflow.domains import Game24
from agentflow.errors import BadInput, MissingCapability
from agentflow.models import Capabilities, HTTPModel, Request, ScriptedModel, Token, in_engine
from agentflow.models.metered import Metered
from agentflow.models.model import Digits
from agentflow.monitors.probes import Prober, ProbeSettings
from agentflow.problem import Problem
from agentflow.trace import Segment, Trace
from agentflow.vllm_plugin.ask import KEY, SIGNATURE, parse_ask
from agentflow.vllm_plugin.digits import MOST, encode

SPACE = Digits(10, 1000)
UNKNOWN = {"error": {"message": f"vllm_xargs.{KEY}: the plugin is not switched on"}}
OTHER = {"error": {"message": "the client speaks version 1 of agentflow's plugin and this is 2"}}


def digits(value: float, most: float, space: Digits = SPACE) -> list[int]:
    return [space.first + digit for digit in encode(value, most, space.base)]


def says(version: float) -> Any:
    """A server whose plugin says its version."""
    return {"choices": [{"token_ids": digits(version, 1000, Digits(4, 1000))}]}


@pytest.fixture
def fake_vllm(fake: Fake) -> Fake:
    if fake.dialect != "vllm":
        pytest.skip("vLLM's alone")
    return fake


async def opened(fake: Fake) -> HTTPModel:
    model = HTTPModel(fake.url, idle_timeout=600)
    try:
        await model.open()
    except BadInput:
        await model.close()
        raise
    return model


class TestFinding:
    async def test_a_server_without_it(self, fake: Fake, model: HTTPModel) -> None:
        assert model.capabilities.in_engine is None
        assert fake.requests == []

    async def test_a_plugin_that_answers(self, fake_vllm: Fake) -> None:
        """Its four markers are the ids 0 to 3; a thousand behind them every vocabulary has."""
        fake_vllm.plugin = says(SIGNATURE), 200
        model = await opened(fake_vllm)
        assert model.capabilities.in_engine == Digits(4, 1000)
        await model.close()

    @pytest.mark.parametrize(
        ("said", "status"),
        [
            (UNKNOWN, 400),
            ({"error": {"message": "no such argument"}}, 400),
            ({}, 500),
            ({}, 200),
            ([], 200),
            ({"choices": [{"token_ids": [5, 6, 7]}]}, 200),
            ({"choices": [{"token_ids": ["a", "b"]}]}, 200),
            ({"choices": [{"token_ids": [0, 1]}]}, 200),
            ({"choices": [{"token_ids": [5, 6]}]}, 200),
            (says(SIGNATURE + 0.1), 200),
        ],
    )
    async def test_what_has_none_is_used_without(
        self, fake_vllm: Fake, said: Any, status: int
    ) -> None:
        fake_vllm.plugin = said, status
        model = await opened(fake_vllm)
        assert model.capabilities.in_engine is None
        assert model.capabilities.exact_prefix
        await model.close()

    async def test_another_version_is_an_error(self, fake_vllm: Fake) -> None:
        fake_vllm.plugin = OTHER, 400
        with pytest.raises(BadInput, match="version 1 of agentflow's plugin"):
            await opened(fake_vllm)

    async def test_what_is_asked_goes_out_as_xargs(self, fake_vllm: Fake) -> None:
        fake_vllm.plugin = says(SIGNATURE), 200
        fake_vllm.reply = fake_vllm.says("no")
        model = await opened(fake_vllm)
        with pytest.raises(MissingCapability, match="its plugin did not answer"):
            await in_engine.probe(model, (5, 6), ("entropy",))
        (body,) = fake_vllm.requests
        ask = parse_ask(body["vllm_xargs"])
        assert ask is not None
        assert ask.probe == ("entropy",)
        assert (body["max_tokens"], body["ignore_eos"], body["stop_token_ids"]) == (2, True, [])
        await model.close()


@pytest.mark.parametrize(
    ("markers", "vocabulary", "space"),
    [
        ([0, 1, 2, 3], 1500, Digits(4, 1496)),
        ([151_643, 151_645, 151_667], 151_936, Digits(0, 151_643)),
        ([0, 1, 2, 3], None, Digits(4, 1000)),
        ([], None, Digits(0, 1000)),
        ([100], 300, None),
    ],
)
def test_digits_are_the_widest_range_without_a_marker(
    markers: Sequence[int], vocabulary: int | None, space: Digits | None
) -> None:
    assert in_engine.digit_ids(markers, vocabulary) == space


def scripted(ids: Sequence[int], **more: Any) -> ScriptedModel:
    """A model with the plugin that streams these ids."""
    able = Capabilities(in_engine=SPACE)
    return ScriptedModel([Token("x", i) for i in ids], capabilities=able, **more)


class TestProbe:
    async def test_it_is_read_from_the_ids(self) -> None:
        model = scripted([*digits(2.5, MOST), *digits(0.25, 1)])
        found = await in_engine.probe(model, "so far", ("entropy", "yes"), yes=(5,))
        assert found == {
            "entropy": pytest.approx(2.5, abs=1e-5),
            "yes": pytest.approx(0.25, abs=1e-5),
        }
        (request,) = model.requests
        assert (request.max_tokens, request.sampling.temperature, request.top) == (4, 0.0, 0)
        assert request.ask is not None
        assert request.ask.yes == (5,)

    async def test_without_the_plugin_it_is_one_clear_error(self) -> None:
        with pytest.raises(MissingCapability, match="start it with 'agentflow model serve'"):
            await in_engine.probe(ScriptedModel("x"), "so far", ("entropy",))

    async def test_the_words_of_a_probe(self) -> None:
        """Each way to begin one that is a token of its own."""
        model = ScriptedModel("x")
        found = await in_engine.ids_of(model, ("Yes",))
        assert len(found) == len(set(found)) > 6


class TestReason:
    async def test_the_report_is_cut_off_and_read(self) -> None:
        model = scripted([])
        stop = await in_engine.stop_for(model, budget=3)
        close = stop.close[0]
        ids = [500_001, 500_002, 500_003, close, *(SPACE.first + d for d in (7, 0, 3, 0))]
        playing = ScriptedModel(
            [Token("x", i) for i in ids], capabilities=Capabilities(in_engine=SPACE)
        )
        assert (await in_engine.stop_for(playing, budget=3)) == stop
        thought, ended = await in_engine.reason(playing, Request("prompt", 50), stop)
        assert [token.id for token in thought.tokens] == ids[:4]
        assert (ended.reason, ended.tokens, ended.curve) == ("budget", 3, ())
        ask = playing.requests[-1].ask
        assert ask is not None
        assert ask.report is not None
        assert ask.report.end not in (*stop.close, *stop.guard)
        assert playing.requests[-1].max_tokens == 55

    async def test_a_stream_without_a_report_is_an_error(self) -> None:
        model = scripted([500_001, 500_002])
        stop = await in_engine.stop_for(model, budget=3)
        with pytest.raises(MissingCapability, match="no whole report"):
            await in_engine.reason(model, Request("prompt", 50), stop)


class TestProber:
    async def test_the_plugin_is_used_where_it_is(self) -> None:

        model = scripted(digits(1.5, MOST))
        metered = Metered(model, "probe", "here")

        async def ask(role: str) -> Metered:
            return metered

        trace = Trace()
        trace.append(Segment("prompt", "Q", await model.tokenize(model.profile.render("Q"))))
        prober = Prober(ask, Problem("game24", "1 2 3 4"), Game24)
        found = await prober.entropy(trace)
        assert found == {"entropy": pytest.approx(1.5, abs=1e-5), "missing": 0.0}

    @pytest.mark.parametrize(
        ("limit", "alternatives", "asked_for"),
        [(1500, None, 20), (1500, 1500, 1500), (5, None, 5), (None, None, 1_000_000)],
    )
    async def test_else_twenty_are_asked_for(
        self, limit: int | None, alternatives: int | None, asked_for: int
    ) -> None:
        """And the bounds are told, where the vocabulary is known."""

        half = math.log(0.5)
        able = Capabilities(logprobs=limit)
        model = ScriptedModel([Token("a", None, half, (("a", half),))], capabilities=able)
        metered = Metered(model, "probe", "here")

        async def ask(role: str) -> Metered:
            return metered

        trace = Trace()
        trace.append(Segment("prompt", "Q", await model.tokenize(model.profile.render("Q"))))
        problem = Problem("game24", "1 2 3 4")
        settings = ProbeSettings(alternatives=alternatives)
        prober = Prober(ask, problem, Game24, settings=settings)
        found = await prober.entropy(trace)
        assert model.requests[-1].top == asked_for
        assert found["missing"] == pytest.approx(0.5)
        assert ("bounds" in found) == (limit == 1500)
        if limit == 1500:
            low, high = found["bounds"]
            assert found["entropy"] < low < high
