"""Our plugin inside a real vLLM: the V1 runner, on a CPU (``make test-vllm``)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import aiohttp
import pytest

import agentflow
from agentflow import models
from agentflow.domains import Game24
from agentflow.errors import BadInput
from agentflow.models import HTTPModel, Request, Token, complete, in_engine, next_token
from agentflow.models.metered import Metered
from agentflow.monitors.probes import Prober, ProbeSettings
from agentflow.monitors.rules import EntropyLevel
from agentflow.problem import Problem
from agentflow.profile import Piece, Sampling
from agentflow.trace import Segment, Trace
from agentflow.vllm_plugin.ask import PROTOCOL, Ask, Report
from agentflow.vllm_plugin.digits import report

if find_spec("vllm") is None:
    pytest.skip("vLLM is not installed: make test-vllm", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PUZZLES = ("1 6 8 12", "3 3 8 8", "4 7 8 8", "2 3 5 12")
GREEDY = Sampling(temperature=0.0, top_p=1.0, top_k=0)


async def prompt_for(model: HTTPModel, puzzle: str = PUZZLES[0]) -> tuple[int, ...]:
    return await model.tokenize(model.profile.render(f"game24: {puzzle}"))


def ids(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(token.id for token in tokens if token.id is not None)


async def special(model: HTTPModel, marker: str) -> int:
    (found,) = await model.tokenize([Piece(marker, special=True)])
    return found


# Whether it is there


async def test_the_client_finds_it(model: HTTPModel) -> None:
    assert model.capabilities.in_engine == (4, 1496)  # behind the four markers


async def test_another_version_is_one_clear_error(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(in_engine, "PROTOCOL", PROTOCOL + 1)
    other = HTTPModel(url, idle_timeout=300)
    with pytest.raises(
        BadInput, match=rf"version {PROTOCOL + 1} .* this server version {PROTOCOL}"
    ):
        await other.open()
    await other.close()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("{", "Invalid JSON"),
        ('{"protocol":1,"first":4,"base":1496,"stop":{"close":[3],"nonsense":1}}', "Extra inputs"),
        ('{"protocol":1,"first":4,"base":1496,"probe":["yes"]}', "max_tokens is 1"),
    ],
)
async def test_what_is_wrong_is_refused_at_the_door(model: HTTPModel, said: str, why: str) -> None:
    body = {"model": model.name, "prompt": [5], "max_tokens": 1}
    body |= {"vllm_xargs": {"agentflow": said}}
    with pytest.raises(BadInput, match=f"400: .*{why}"):
        await model.json("POST", f"{model.base_url}/completions", body)


# Probes


async def test_a_probe_is_the_whole_vocabularys(model: HTTPModel) -> None:
    for puzzle in PUZZLES:
        prompt = await prompt_for(model, puzzle)
        whole = await next_token(model, prompt)
        found = await in_engine.probe(model, prompt, ("entropy", "confidence"))
        assert found["entropy"] == pytest.approx(whole.entropy, abs=1e-5)
        assert found["confidence"] == pytest.approx(whole.top[0][1], abs=1e-5)


async def test_the_probes_of_methods_go_through_it(model: HTTPModel) -> None:
    """The same numbers as over the wire, by a request of two tokens a number."""
    trace = Trace()
    trace.append(Segment("prompt", "the prompt", await prompt_for(model)))
    metered = Metered(model, "probe", "here")

    async def ask(role: str) -> Metered:
        return metered

    problem = Problem("game24", PUZZLES[0])
    prober = Prober(ask, problem, Game24)
    wire = replace(prober, settings=ProbeSettings(alternatives=model.capabilities.logprobs))
    ours, theirs = await prober.entropy(trace), await wire.entropy(trace)
    assert ours["entropy"] == pytest.approx(theirs["entropy"], abs=1e-5)
    ours, theirs = await prober.completeness(trace), await wire.completeness(trace)
    assert {n: ours[n] for n in ("yes", "no")} == pytest.approx(
        {n: theirs[n] for n in ("yes", "no")}, abs=1e-5
    )
    assert [e["generated"] for e in metered.entries.values()] == [2, 1, 4, 1]


async def test_without_it_twenty_are_asked_for_and_the_bounds_hold(model: HTTPModel) -> None:
    trace = Trace()
    trace.append(Segment("prompt", "the prompt", await prompt_for(model)))
    plain = Metered(model, "probe", "here")
    model.capabilities = replace(model.capabilities, in_engine=None)

    async def ask(role: str) -> Metered:
        return plain

    prober = Prober(ask, Problem("game24", PUZZLES[0]), Game24)
    found, whole = (
        await prober.entropy(trace),
        await replace(prober, settings=ProbeSettings(alternatives=1500)).entropy(trace),
    )
    low, high = found["bounds"]
    assert low - 1e-6 <= whole["entropy"] <= high + 1e-6
    assert found["entropy"] <= low + 1e-9


async def test_a_probe_beside_a_stream_finds_its_prefix(model: HTTPModel) -> None:
    prompt = (await prompt_for(model) * 10)[:160]
    await complete(model, Request(prompt, 2, GREEDY))
    ask = Ask(protocol=PROTOCOL, first=4, base=1496, probe=("entropy",))
    done = await complete(model, Request(prompt, 2, GREEDY, ask=ask))
    assert done.finish.cached == 128


# Exits


async def test_a_budget(model: HTTPModel) -> None:
    prompt, stop = await prompt_for(model), await in_engine.stop_for(model, budget=30)
    plain = await complete(model, Request(prompt, 60, GREEDY))
    thought, ended = await in_engine.reason(model, Request(prompt, 400, GREEDY), stop)
    assert (ended.reason, ended.tokens) == ("budget", 30)
    assert [t.text for t in thought.tokens[-1:]] == ["</think>"]
    assert ids(thought.tokens)[:30] == ids(plain.tokens)[:30]  # up to there nothing was touched


async def test_the_engine_exits_where_the_clients_monitor_would(model: HTTPModel) -> None:
    """Its curve is that of the whole vocabulary, and the rule on it stops at the same token."""
    prompt, rule = await prompt_for(model, "3 3 8 8"), EntropyLevel(level=0.15, min_checks=3)
    entropy = {"level": rule.level, "first": True, "min_checks": 3}
    stop = await in_engine.stop_for(model, entropy=entropy, every=5, budget=60)
    request = Request(prompt, 400, Sampling(1.0, 1.0, 0), 3)
    thought, ended = await in_engine.reason(model, request, stop, curve=20)
    memory: dict[str, Any] = {}
    curve, fired = [], None
    for tokens in range(5, ended.tokens + 1, 5):
        whole = await next_token(model, prompt + ids(thought.tokens)[:tokens])
        curve.append(whole.entropy)
        memory, stopped = rule.step(memory, whole.entropy)
        fired = tokens if stopped and fired is None else fired
    assert list(ended.curve) == pytest.approx(curve, abs=1e-4)  # a batch rounds otherwise
    assert fired == (ended.tokens if ended.reason == "entropy_level" else None)


async def test_the_close_and_the_prefix_and_on_to_the_answer(model: HTTPModel) -> None:
    """One request: the thinking cut by the engine, the answer, and the report behind it."""
    prompt = await prompt_for(model)
    close, turn, end = [await special(model, m) for m in ("</think>", "<|im_end|>", "<think>")]
    prefix = await model.tokenize([Piece("\nAnswer:")])
    whole = await complete(model, Request(prompt, 1000, GREEDY))
    thought = [token.text for token in whole.tokens].index("</think>")
    stop = await in_engine.stop_for(model, budget=thought - 1, close=(close, *prefix))
    ask = Ask(
        protocol=PROTOCOL, first=4, base=1496, stop=stop, report=Report(after=(turn,), end=end)
    )
    body = HTTPModel._body(model, Request(prompt, 1000, GREEDY, ask=ask)) | {"stream": False}
    body.pop("stream_options")
    reply = await model.json("POST", f"{model.base_url}/completions", body)
    came = reply["choices"][0]["token_ids"]
    assert tuple(came[thought - 1 :][: 1 + len(prefix)]) == (close, *prefix)
    behind = came.index(turn) + 1
    ended = report(came[behind : came.index(end, behind)], 4, 1496, 1.0)
    assert (ended.reason, ended.tokens) == ("budget", thought - 1)
    assert reply["choices"][0]["stop_reason"] == end
    assert behind - thought - len(prefix) > 3  # there was an answer


async def test_the_turn_does_not_end_inside_the_thinking(model: HTTPModel) -> None:
    """As many tokens of it as are wanted, though greedy decoding would close it before."""
    prompt = await prompt_for(model)
    plain = await complete(model, Request(prompt, 1000, GREEDY))
    closed = [token.text for token in plain.tokens].index("</think>")
    stop = await in_engine.stop_for(model, least=closed + 20, budget=closed + 40)
    thought, ended = await in_engine.reason(model, Request(prompt, 1000, GREEDY), stop)
    assert closed + 20 <= ended.tokens <= closed + 40
    assert ids(thought.tokens)[:closed] == ids(plain.tokens)[:closed]


async def test_streams_beside_it_are_left_alone(model: HTTPModel) -> None:
    prompt = await prompt_for(model, "2 3 5 12")
    stop = await in_engine.stop_for(model, entropy={"variance": 0.0}, budget=40)

    async def plain() -> tuple[int, ...]:
        return ids((await complete(model, Request(prompt, 50, GREEDY, cache=False))).tokens)

    alone = await plain()
    request = Request(prompt, 200, GREEDY, cache=False)
    together = await asyncio.gather(
        plain(), *(in_engine.reason(model, request, stop) for _ in range(4)), plain()
    )
    assert together[0] == together[-1] == alone
    assert {one[1].reason for one in together[1:-1]} == {"budget"}


# A method beside the engine


async def served(url: str, **body: Any) -> list[dict[str, Any]]:
    """The events of a run in the server's own process."""
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{url}/agentflow", json=body) as reply,
    ):
        if reply.status != 200:
            return [await reply.json() | {"status": reply.status}]
        lines = (await reply.read()).decode().split("\n\n")
    assert lines[-2:] == ["data: [DONE]", ""]
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-2]]


async def test_a_method_runs_beside_the_engine(
    url: str, is_right: Callable[[str, Any], bool]
) -> None:
    """Cuts and corrections without HTTP; the same as over the wire."""
    corrections, verified = 0, 0
    for puzzle in (*PUZZLES, "1 2 12 13", "5 5 5 9"):
        *events, result = await served(url, problem=puzzle, method="interwhen")
        assert result["type"] == "result"
        assert result["status"] in ("verified", "abstained", "exhausted")
        assert result["error"] == ""
        assert {"token", "verdict"} <= {event["type"] for event in events}
        if result["status"] == "verified":
            verified += 1
            assert is_right(str(result["answer"]), [int(n) for n in puzzle.split()])
        corrections += result["corrections"]
    print(f"beside the engine: {verified} of 6 verified, {corrections} corrections")
    assert verified
    assert corrections


async def test_its_stream_is_that_of_the_wire(url: str) -> None:
    settings = {"temperature": 0.0, "solver_tokens": 200}
    *_, result = await served(url, problem=PUZZLES[0], method="direct", settings=settings)
    over = await agentflow.asolve(PUZZLES[0], "direct", model=url, idle_timeout=300, **settings)
    await models.close_all()
    assert result["answer"] == over.answer
    assert result["cost"]["generated"] == over.cost.generated


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"problem": "1 2 3 4", "settings": {"model": "http://x"}}, 400, "model are the server's"),
        ({"problem": "1 2 3 4", "profile": "nobody"}, 400, "no profile 'nobody'"),
        ({"problem": "1 2 3 4", "method": "nothing"}, None, "nothing"),
        ({"problem": "1 2 3 4", "settings": {"k_stables": 1}}, None, "k_stables"),
    ],
)
async def test_what_it_cannot_run_is_one_message(
    url: str, body: dict[str, Any], status: int | None, why: str
) -> None:
    *_, last = await served(url, **body)
    assert last.get("status") == status
    assert why in json.dumps(last)


# What goes wrong


async def test_requests_that_are_cut_off_leave_nothing_behind(model: HTTPModel) -> None:
    prompt, stop = await prompt_for(model), await in_engine.stop_for(model, budget=500)
    space = model.capabilities.in_engine
    assert space is not None
    ask = Ask(protocol=PROTOCOL, first=space.first, base=space.base, stop=stop)
    for seed in range(20):
        request = Request(prompt, 900, Sampling(2.0, 1.0, 0), seed, ask=ask)
        async with aclosing(model.stream(request)) as stream:
            await anext(stream)
    _, ended = await in_engine.reason(
        model,
        Request(prompt, 400, GREEDY),
        await in_engine.stop_for(model, budget=5),
    )
    assert (ended.reason, ended.tokens) == ("budget", 5)
    root = model.base_url.removesuffix("/v1")
    async with aiohttp.ClientSession() as session, session.get(f"{root}/health") as reply:
        assert reply.status == 200
