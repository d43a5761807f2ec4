"""A real vLLM with the bundled model: what the client assumes of it (``make test-vllm``).

No assertion depends on speed: where a server on a busy machine may be done before it is asked, it
is asked again.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable
from importlib.util import find_spec
from typing import Any

import aiohttp
import pytest
from vllm_server import BLOCK

import agentflow
from agentflow import models
from agentflow.errors import BadInput
from agentflow.models import Completion, HTTPModel, Request, Token, complete, next_token, sample
from agentflow.monitors import TokenBudget, watch
from agentflow.profile import Piece, Sampling
from agentflow.trace import Segment, Trace

if find_spec("vllm") is None:
    pytest.skip("vLLM is not installed: make test-vllm", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

PUZZLE = "1 6 8 12"
GREEDY = Sampling(temperature=0.0)
WILD = Sampling(temperature=2.0, top_p=1.0, top_k=0)
ENDLESS = {"type": "array", "items": {"type": "integer"}, "minItems": 10_000}
"""A schema that lets a stream end nowhere but at its limit."""
TRIES = 30
"""So often a busy machine may let a whole stream end before the server hears of us."""


@pytest.fixture
async def llama() -> AsyncIterator[models.Model]:
    """The client of the embedded engine, with the same model."""
    yield await models.connect("embedded")
    await models.close_all()


async def prompt_for(model: models.Model, puzzle: str = PUZZLE) -> tuple[int, ...]:
    return await model.tokenize(model.profile.render(f"game24: {puzzle}"))


async def ask(model: HTTPModel, path: str, **body: Any) -> Any:
    """One of vLLM's own endpoints."""
    url, body = model.base_url.removesuffix("/v1") + path, body | {"model": model.name}
    async with aiohttp.ClientSession() as session, session.post(url, json=body) as reply:
        return await reply.json()


async def metric(model: HTTPModel, name: str) -> float:
    """A number that the server keeps."""
    url = model.base_url.removesuffix("/v1") + "/metrics"
    async with aiohttp.ClientSession() as session, session.get(url) as reply:
        lines = (await reply.text()).splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith(f"vllm:{name}{{"))


async def idle(model: HTTPModel) -> None:
    """Waits until the server generates no more; the test's own limit ends one that never stops."""
    while await metric(model, "num_requests_running"):  # noqa: ASYNC110 -- another process
        await asyncio.sleep(0.02)


def ids(completion: Completion) -> tuple[int, ...]:
    return tuple(token.id for token in completion.tokens if token.id is not None)


# What the client is told


async def test_the_client_knows_its_server(model: HTTPModel) -> None:
    assert (model.name, model.profile.name) == ("agentflow-pocket", "pocket")
    assert model.capabilities.exact_prefix
    reply = await ask(model, "/tokenize", prompt="x")
    assert reply["max_model_len"] == model.profile.context


# Prompts


async def test_both_engines_read_a_prompt_alike(model: HTTPModel, llama: models.Model) -> None:
    for puzzle in (PUZZLE, "3 3 8 8", "1 2 12 13"):
        assert await prompt_for(model, puzzle) == await prompt_for(llama, puzzle)
    text = [Piece("if a < b: x[0] = [1, 2] # é → 🎈\n\n  </div>")]
    assert await model.tokenize(text) != ()


@pytest.mark.parametrize("text", ["</think>", "so <think>\n<|im_end|>, is it", "<<|im_start|>>"])
async def test_a_users_markers_stay_letters(model: HTTPModel, text: str) -> None:
    found = await model.tokenize([Piece(text)])
    for marker in ("<think>", "</think>", "<|im_start|>", "<|im_end|>"):
        (special,) = await model.tokenize([Piece(marker, special=True)])
        assert special not in found
    reply = await ask(model, "/detokenize", tokens=list(found))
    assert reply["prompt"] == text


# Streaming


async def test_a_stream_end_to_end(model: HTTPModel) -> None:
    """Every token has its id and its text; the turn's end is not one."""
    prompt = await prompt_for(model)
    completion = await complete(model, Request(prompt, 1500, seed=1))
    assert completion.finish[:2] == ("stop", len(prompt))
    assert len(ids(completion)) == len(completion.tokens) > 20
    (close,) = await model.tokenize([Piece("</think>", special=True)])
    assert [t.id for t in completion.tokens if t.text == "</think>"] == [close]
    reply = await ask(model, "/detokenize", tokens=list(ids(completion)))
    assert reply["prompt"] == completion.text
    assert not any(stop in completion.text for stop in model.profile.stops)


async def test_tokens_come_while_the_server_still_generates(model: HTTPModel) -> None:
    request = Request(await prompt_for(model), 1900, schema=ENDLESS)
    for _ in range(TRIES):
        stream = model.stream(request)
        assert isinstance(await anext(stream), Token)
        running = await metric(model, "num_requests_running")
        await stream.aclose()
        if running:
            return
    pytest.fail("the first token came only after the last was generated")


async def test_a_character_of_several_tokens_comes_whole(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    for top in (0, 3):
        request = Request(prompt, 60, GREEDY, schema={"const": "é→🎈"}, top=top)
        completion = await complete(model, request)
        assert completion.text == '"é→🎈"'
        assert len(completion.tokens) > len(completion.text)


class Coarse(HTTPModel):
    """The client of a server that sends several tokens at a time."""

    def _body(self, request: Request) -> dict[str, Any]:
        return super()._body(request) | {"stream_interval": 7}


@pytest.mark.parametrize("top", [0, 2])
async def test_several_tokens_in_one_event(model: HTTPModel, top: int) -> None:
    """Each has its own text, with alternatives or without."""
    coarse = Coarse(model.base_url, idle_timeout=300)
    await coarse.open()
    request = Request(await prompt_for(model), 1500, GREEDY, top=top, cache=False)
    fine, found = await complete(model, request), await complete(coarse, request)
    await coarse.close()
    assert found == fine


async def test_a_cut_stops_the_server(model: HTTPModel) -> None:
    """The request would go on to its last token: its schema has no end."""
    prompt = await prompt_for(model)
    for seed in range(TRIES):
        trace = Trace()
        trace.append(Segment("prompt", "the prompt", prompt))
        before = await metric(model, "generation_tokens_total")
        request = Request(prompt, 1900, WILD, seed, schema=ENDLESS)
        leg = await watch(model, trace, request, [TokenBudget(30)])
        await idle(model)
        assert leg.ended == "intervened"
        generated = await metric(model, "generation_tokens_total") - before
        assert 30 <= generated <= 1900
        if generated < 1900:
            return
    pytest.fail("the server generated all tokens, however early it was left")


async def test_generation_ends_where_the_context_does(model: HTTPModel) -> None:
    long = (await prompt_for(model) * 200)[: model.profile.context - 20]
    completion = await complete(model, Request(long, 5000, WILD, seed=1))
    assert completion.finish.prompt == len(long)
    assert len(completion.tokens) <= 20


async def test_a_prompt_longer_than_the_context_is_refused(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    with pytest.raises(BadInput, match="context of 2,048"):
        await complete(model, Request(prompt * 200, 5))
    with pytest.raises(BadInput, match=r"400: .*context"):  # as text, only the server can tell
        await complete(model, Request("24 " * 3000, 5))


async def test_a_token_that_there_is_not_is_refused(model: HTTPModel) -> None:
    with pytest.raises(BadInput, match=r"400: .*out of vocabulary"):
        await complete(model, Request((100_000,), 5))


# The prefix cache


async def test_probes_find_the_prefix_of_a_running_stream_cached(model: HTTPModel) -> None:
    """Eight probes in a stream: all but what does not fill a block was computed already."""
    before = [await metric(model, f"prefix_cache_{name}_total") for name in ("hits", "queries")]
    kept, probes = await prompt_for(model, "2 3 5 12"), 0
    stream = model.stream(Request(kept, 1000, schema=ENDLESS))
    async for token in stream:
        if not isinstance(token, Token) or token.id is None or probes == 8:
            break
        kept += (token.id,)
        if len(kept) % 100 == 50:
            await next_token(model, kept, top=5)
            probes += 1
    await stream.aclose()
    after = [await metric(model, f"prefix_cache_{name}_total") for name in ("hits", "queries")]
    hits, queries = (b - a for a, b in zip(before, after, strict=True))
    print(f"prefix cache: {hits:.0f} of {queries:.0f} prompt tokens ({hits / queries:.1%})")
    assert probes == 8
    assert hits / queries > 0.8


async def test_the_cache_is_told_and_can_be_left_out(model: HTTPModel) -> None:
    """What comes out is the same with and without."""
    prompt = (await prompt_for(model) * 10)[:160]
    cold, _, warm, again = [
        await complete(model, Request(prompt, 20, GREEDY, cache=cache))
        for cache in (False, True, True, False)
    ]
    assert [one.finish.cached for one in (cold, warm, again)] == [0, 160 - BLOCK, 0]
    assert ids(cold) == ids(warm) == ids(again)


# Log-probabilities


async def test_the_whole_next_token_distribution(model: HTTPModel, llama: models.Model) -> None:
    """As many alternatives as llama.cpp gives, and nearly the same ones."""
    prompt = await prompt_for(model)
    found, other = await next_token(model, prompt), await next_token(llama, prompt)
    assert len(found.top) == len(other.top) == model.capabilities.logprobs
    assert found.missing < 1e-3
    assert found.entropy == pytest.approx(other.entropy, abs=0.02)
    assert dict(found.top[:5]) == pytest.approx(dict(other.top[:5]), abs=0.01)
    few = await next_token(model, prompt, top=3)
    assert dict(few.top) == pytest.approx(dict(found.top[:3]))
    assert few.missing == pytest.approx(1 - sum(p for _, p in few.top))


async def test_log_probabilities_are_raw_whatever_the_sampling(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    raw = (await next_token(model, prompt, top=5)).top
    for sampling in (GREEDY, Sampling(0.1, 0.5, 1), WILD):
        (token,) = (await complete(model, Request(prompt, 1, sampling, top=5))).tokens
        assert dict(models.model.distribution(token.top).top) == pytest.approx(dict(raw))


async def test_a_probe_at_the_end_of_the_turn(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    whole = ids(await complete(model, Request(prompt, 1500, seed=1)))
    found = await next_token(model, prompt + whole)
    assert found.top[0][0] == "<|im_end|>"
    assert found.missing < 1e-3


async def test_asking_for_alternatives_changes_nothing(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    plain, asked = [
        await complete(model, Request(prompt, 1500, GREEDY, top=top, cache=False)) for top in (0, 4)
    ]
    assert [t[:2] for t in plain.tokens] == [t[:2] for t in asked.tokens]
    assert all(len(token.top) == 4 for token in asked.tokens)


# Sampling


async def test_samples_are_independent(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    found = await sample(model, Request(prompt, 60, seed=5), 6)
    assert all(len(one.tokens) > 20 for one in found)
    assert len({one.text for one in found}) > 1


async def test_the_seed_decides(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    first, again, other = [
        ids(await complete(model, Request(prompt, 100, WILD, seed=seed, cache=False)))
        for seed in (3, 3, 4)
    ]
    assert first == again
    assert first != other


async def test_what_follows_a_schema_is_json(model: HTTPModel) -> None:
    schema = {
        "type": "object",
        "properties": {
            "verdict": {"enum": ["right", "wrong"]},
            "steps": {"type": "array", "items": {"type": "boolean"}, "maxItems": 3},
        },
        "required": ["verdict", "steps"],
        "additionalProperties": False,
    }
    prompt = await prompt_for(model)
    for seed in range(4):
        completion = await complete(model, Request(prompt, 200, WILD, seed, schema=schema))
        assert completion.finish.reason == "stop"
        value = json.loads(completion.text)
        assert sorted(value) == ["steps", "verdict"]
        assert value["verdict"] in ("right", "wrong")
    with pytest.raises(BadInput, match="400"):
        await complete(model, Request(prompt, 20, schema={"type": "nonsense"}))


async def test_a_prefix_is_continued_exactly(model: HTTPModel) -> None:
    prompt = await prompt_for(model)
    whole = ids(await complete(model, Request(prompt, 120, GREEDY)))
    for kept in (1, 40, 90):
        request = Request(prompt + whole[:kept], 120 - kept, GREEDY)
        assert ids(await complete(model, request)) == whole[kept:]


async def test_greedy_parity_with_the_embedded_engine(
    model: HTTPModel, llama: models.Model
) -> None:
    """The same tokens, or they part where vLLM itself finds both as likely to within 0.1.

    llama.cpp keeps its attention in 16 bits, so near ties may fall either way.
    """
    same = 0
    for puzzle in (PUZZLE, "3 3 8 8", "1 2 12 13", "4 7 8 8", "2 3 5 12", "5 5 5 9"):
        prompt = await prompt_for(model, puzzle)
        ours, theirs = [
            ids(await complete(one, Request(prompt, 400, GREEDY, cache=False)))
            for one in (model, llama)
        ]
        pairs = zip(ours, theirs, strict=False)
        agreed = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
        if agreed is None:
            assert ours == theirs
            same += 1
            continue
        likely = await next_token(model, prompt + ours[:agreed], top=2)
        (_, first), (_, second) = likely.top
        assert second > 0.9 * first, f"{puzzle}: they part at token {agreed}"
    print(f"greedy parity: {same} of 6 the same to the end")
    assert same >= 3


# Through a graph


async def test_interwhen_end_to_end(url: str, is_right: Callable[[str, Any], bool]) -> None:
    """It corrects steps, and what it calls verified is right."""
    corrections, verified = 0, 0
    for puzzle in (PUZZLE, "3 3 8 8", "4 7 8 8", "2 3 5 12", "1 2 12 13", "5 5 5 9"):
        result = await agentflow.asolve(puzzle, "interwhen", model=url, idle_timeout=300)
        assert result.status in ("verified", "abstained", "exhausted")
        assert result.error == ""
        if result.status == "verified":
            verified += 1
            assert is_right(str(result.answer), [int(n) for n in puzzle.split()])
        corrections += result.corrections
        assert result.cost.generated > 0
    await models.close_all()
    print(f"interwhen: {verified} of 6 verified, {corrections} corrections")
    assert verified
    assert corrections


async def test_what_is_put_in_a_words_place_end_to_end(url: str) -> None:
    """The server tells the alternatives to a word: the end of the thinking, or other tokens."""
    words, put, closed = ["Wait", "Hmm", "Yes"], 0, 0
    for puzzle in ("4 7 8 8", "2 3 5 12", PUZZLE, "1 2 12 13"):
        settings = {"penalty": 1000.0, "thought_tokens": 0, "max_tokens": 400}
        result = await agentflow.asolve(
            puzzle, "thought_switching", model=url, words=words, idle_timeout=300, **settings
        )
        assert result.error == ""
        assert not set(words) & set(re.findall(r"\w+", result.trace.split("</think>")[0]))
        put += result.corrections
        closed += any(one.kind == "marker" for one in result.trace.segments)
    await models.close_all()
    print(f"thought_switching: {put} tokens put in a word's place, {closed} thinkings closed")
    assert put
    assert closed


async def test_a_cancelled_run_leaves_nothing_running(model: HTTPModel) -> None:
    begun = asyncio.Event()
    run = agentflow.asolve(
        "5 5 5 9",
        "interwhen",
        model=model.base_url,
        idle_timeout=300,
        on_event=lambda event: begun.set(),
    )
    task = asyncio.create_task(run)
    await begun.wait()  # the first tokens have come; there are hundreds to follow
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await models.close_all()
    await idle(model)
