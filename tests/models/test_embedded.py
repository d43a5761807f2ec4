"""llama.cpp in this process, with the model that ships (or ``AGENTFLOW_TEST_GGUF``)."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

import agentflow
from agentflow import domains, models
from agentflow.errors import BadInput
from agentflow.models import (
    Completion,
    HTTPModel,
    Model,
    Request,
    Token,
    complete,
    embedded,
    next_token,
    sample,
)
from agentflow.models.model import Finish
from agentflow.monitors import KStable, TokenBudget, watch
from agentflow.profile import Piece, Sampling
from agentflow.trace import Segment, Trace

GGUF = Path(os.environ.get("AGENTFLOW_TEST_GGUF") or embedded.bundled())
FOUND = GGUF.is_file()
pytestmark = pytest.mark.slow

PUZZLE = "1 6 8 12"
GREEDY = Sampling(temperature=0.0)


@pytest.fixture
async def model() -> AsyncIterator[Model]:
    """The client of the embedded engine, which lives as long as the test process."""
    if not FOUND:
        pytest.skip(f"no model at {GGUF}")
    yield await models.connect(str(GGUF))
    await models.close_all()


async def prompt_for(model: Model, puzzle: str = PUZZLE) -> tuple[int, ...]:
    return await model.tokenize(model.profile.render(f"game24: {puzzle}"))


async def ask(model: Model, path: str, **body: Any) -> Any:
    """One of llama.cpp's own endpoints."""
    assert isinstance(model, HTTPModel)
    root = model.base_url.removesuffix("/v1")
    async with aiohttp.ClientSession() as session, session.post(root + path, json=body) as reply:
        return await reply.json()


def ids(completion: Completion) -> tuple[int, ...]:
    return tuple(token.id for token in completion.tokens if token.id is not None)


async def test_a_stream_end_to_end(model: Model) -> None:
    """Every token has its id, its text and its log-probability; the turn's end is not one."""
    prompt = await prompt_for(model)
    completion = await complete(model, Request(prompt, 1500, seed=1))
    assert completion.finish.reason == "stop"
    assert completion.finish.prompt == len(prompt)
    assert len(ids(completion)) == len(completion.tokens) > 20
    assert all(token.logprob is not None and token.logprob <= 0 for token in completion.tokens)
    assert completion.text.count("</think>") == 1
    assert not any(stop in completion.text for stop in model.profile.stops)


async def test_the_close_marker_comes_as_one_token(model: Model) -> None:
    completion = await complete(model, Request(await prompt_for(model), 1500, seed=1))
    (close,) = await model.tokenize([Piece("</think>", special=True)])
    assert [t.id for t in completion.tokens if t.text == "</think>"] == [close]


async def test_the_ids_say_the_text(model: Model) -> None:
    completion = await complete(model, Request(await prompt_for(model), 1500, seed=2))
    said = await ask(model, "/detokenize", tokens=list(ids(completion)))
    assert said["content"] == completion.text


async def test_a_prefix_is_continued_exactly(model: Model) -> None:
    """Prompt and received ids, sent again, lead to what followed them; the cache stays cold."""
    prompt = await prompt_for(model)
    whole = ids(await complete(model, Request(prompt, 120, GREEDY, cache=False)))
    for kept in (1, 40, 90):
        request = Request(prompt + whole[:kept], 120 - kept, GREEDY, cache=False)
        assert ids(await complete(model, request)) == whole[kept:]


async def test_a_stream_behind_a_cut_goes_on_bit_by_bit(model: Model) -> None:
    """Read again in one go, what was written token by token would be rounded otherwise. Another
    stream of the run has another slot."""
    prompt, other = await prompt_for(model), await prompt_for(model, "2 3 4 5")
    first = Request(prompt, 120, GREEDY, cache=False, own=0)
    whole = (await complete(model, first)).tokens
    for kept in (90, 40, 1):
        await complete(model, Request(other, 20, seed=kept, cache=False, own=1))
        behind = prompt + tuple(token.id for token in whole[:kept] if token.id is not None)
        rest = replace(first, prompt=behind, max_tokens=120 - kept, known=len(behind))
        found = await complete(model, rest)
        assert found.tokens == whole[kept:]  # log-probabilities as well
        assert found.finish.cached == len(behind) - 1
    again = await complete(model, first)  # a new run reads its prompt itself
    assert (again.tokens, again.finish.cached) == (whole, 0)


def kept(trace: Trace) -> list[Any]:
    """Every cut with what it left, and the whole; what had come behind it is a matter of timing."""
    again, found = Trace(), list[Any]()
    for operation in trace.operations:
        again.apply(operation)
        if operation["op"] == "cut":
            found.append((operation, again.text))
    return [*found, trace.text]


async def test_a_correction_costs_no_second_reading(model: Model) -> None:
    """Counted by the engine itself: the prompt, and a token or a few behind each cut."""
    server = embedded.start(GGUF, change={"endpoint_metrics": True})
    address = str(server.listening_address)
    # A run that spends its tokens ends a token or two apart: what comes behind a cut is spent too.
    given = {"model": f"{address}/v1", "max_tokens": 4000, "n": 1, "redraws": 100}
    given |= {"max_corrections": 5, "idle_timeout": 600.0}

    async def read(cache: Any, seed: int) -> tuple[agentflow.Result, int]:
        before = await _read_so_far(address)
        found = await agentflow.asolve("2 9 10 10", "unified", cache=cache, seed=seed, **given)
        return found, await _read_so_far(address) - before

    for seed in range(10):
        found, evaluated = await read("run", seed)
        if found.corrections and found.status != "exhausted":
            break
    prompt = len(found.trace.segments[0].ids)
    assert found.corrections > 0
    assert found.status != "exhausted"
    assert prompt < evaluated <= prompt + 4 * found.corrections
    again, _ = await read("run", seed)
    assert kept(again.trace) == kept(found.trace)
    assert again.answer == found.answer
    assert (await read(False, seed))[1] > 2 * prompt


async def _read_so_far(address: str) -> int:
    """The prompt tokens that an engine has evaluated."""
    async with aiohttp.ClientSession() as session, session.get(f"{address}/metrics") as reply:
        told = dict(line.split() for line in (await reply.text()).splitlines() if line[0] != "#")
    return int(told["llamacpp:prompt_tokens_total"])


async def test_the_seed_decides(model: Model) -> None:
    prompt = await prompt_for(model)
    hot = Sampling(temperature=1.0, top_p=1.0, top_k=0)
    first, again, other = [
        ids(await complete(model, Request(prompt, 200, hot, seed=seed, cache=False)))
        for seed in (3, 3, 4)
    ]
    assert first == again
    assert first != other


async def test_watching_changes_nothing(model: Model) -> None:
    """With a cold cache and nothing beside it, an unobjected stream is the unmonitored one."""
    domain = domains.get("game24")
    quiet = [KStable(domain.parse(PUZZLE), domain, k=10**6), TokenBudget(10**6)]
    prompt = await prompt_for(model)
    texts = []
    for monitors in ([], quiet):
        trace = Trace()
        trace.append(Segment("prompt", "the prompt", prompt))
        await watch(model, trace, Request(prompt, 600, seed=5, cache=False), monitors)
        texts.append(trace.body)
    assert texts[0] == texts[1]
    assert texts[0]


async def test_an_unobjected_run_is_the_direct_one(model: Model) -> None:
    for seed in range(10):
        common = {"model": str(GGUF), "seed": seed, "cache": False, "max_tokens": 600}
        watched = await agentflow.asolve(PUZZLE, "interwhen", **common)
        if watched.corrections == 0 and len(watched.judged) > 3:
            direct = await agentflow.asolve(PUZZLE, "direct", **common)
            assert watched.trace.body == direct.trace.body
            return
    pytest.fail("every run was objected to")


async def test_the_whole_next_token_distribution(model: Model) -> None:
    found = await next_token(model, await prompt_for(model))
    assert isinstance(model, HTTPModel)
    url = f"{model.base_url}/models"
    async with aiohttp.ClientSession() as session, session.get(url) as reply:
        served = (await reply.json())["data"][0]
    assert len(found.top) == served["meta"]["n_vocab"]
    assert sum(p for _, p in found.top) == pytest.approx(1, abs=1e-3)
    assert found.missing < 1e-3
    assert found.entropy >= 0
    few = await next_token(model, await prompt_for(model), top=3)
    assert [text for text, _ in few.top] == [text for text, _ in found.top[:3]]
    assert few.missing == pytest.approx(1 - sum(p for _, p in few.top))


async def test_probes_do_not_depend_on_what_is_drawn(model: Model) -> None:
    """At the end of an answer the likeliest token ends the turn; its distribution is there."""
    prompt = await prompt_for(model)
    whole = ids(await complete(model, Request(prompt, 1500, seed=1)))
    found = await next_token(model, prompt + whole)
    assert found.top[0][0] == "<|im_end|>"
    assert found.missing < 1e-3


async def test_more_streams_than_slots(model: Model) -> None:
    prompt = await prompt_for(model)
    found = await sample(model, Request(prompt, 30), embedded.SLOTS + 2)
    assert all(len(one.tokens) for one in found)


async def test_closing_streams_frees_their_slots(model: Model) -> None:
    prompt = await prompt_for(model)
    for _ in range(embedded.SLOTS * 2):
        stream = model.stream(Request(prompt, 1900, Sampling(temperature=2.0)))
        assert isinstance(await anext(stream), Token)
        await stream.aclose()
    last = await asyncio.wait_for(complete(model, Request(prompt, 1)), 600)
    assert isinstance(last.finish, Finish)


async def test_a_prompt_longer_than_the_context_is_refused(model: Model) -> None:
    prompt = await prompt_for(model)
    with pytest.raises(BadInput, match=r"400: .*context"):
        await complete(model, Request(prompt * 200, 5))


async def test_generation_ends_where_the_context_does(model: Model) -> None:
    """A prompt that nearly fills the context leaves room for a few tokens, then ``length``."""
    prompt = await prompt_for(model)
    long = (prompt * 200)[: model.profile.context - 20]
    completion = await complete(model, Request(long, 500, seed=1))
    assert len(completion.tokens) <= 20


def test_what_is_no_gguf_file(tmp_path: Path) -> None:
    wrong = tmp_path / "model.gguf"
    wrong.write_bytes(b"PK\x03\x04 not a model")
    with pytest.raises(BadInput, match="not a GGUF file") as caught:
        embedded.serve(wrong)
    assert str(wrong) in str(caught.value)
    with pytest.raises(BadInput, match="no such model file"):
        embedded.serve(tmp_path / "missing.gguf")
    with pytest.raises(BadInput, match="no such model file"):
        embedded.serve(tmp_path)


@pytest.mark.skipif(not FOUND, reason=f"no model at {GGUF}")
def test_a_truncated_gguf_file(tmp_path: Path) -> None:
    half = tmp_path / "half.gguf"
    half.write_bytes(GGUF.read_bytes()[:100_000])
    with pytest.raises(BadInput, match="cannot load it"):
        embedded.serve(half)


OVERWRITE = """
import asyncio, sys
from agentflow import models
from agentflow.models import Request, complete

async def main(path):
    model = await models.connect(path)
    prompt = await model.tokenize(model.profile.render("game24: 1 6 8 12"))
    open(path, "wb").close()
    assert (await complete(model, Request(prompt, 5))).tokens
    await models.close_all()

asyncio.run(main(sys.argv[1]))
"""


@pytest.mark.skipif(not FOUND, reason=f"no model at {GGUF}")
def test_a_model_file_may_be_replaced_while_it_is_served(tmp_path: Path) -> None:
    """In a process of its own: llama.cpp would crash it if it had mapped the file."""
    copy = tmp_path / "copy.gguf"
    copy.write_bytes(GGUF.read_bytes())
    done = subprocess.run([sys.executable, "-c", OVERWRITE, str(copy)], capture_output=True)
    assert done.returncode == 0, done.stderr.decode()


async def test_a_run_names_the_file_that_is_missing() -> None:
    with pytest.raises(BadInput, match=r"nowhere\.gguf: no such model file"):
        await agentflow.asolve(PUZZLE, "direct", model="nowhere.gguf")


def test_the_cache_beside_the_slots_is_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """llama.cpp's default grew one recording to 15 GB."""
    assert _params(monkeypatch).cache_ram_mib == embedded.CACHE_MIB == 256


def test_what_costs_time_for_nothing_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured by ``benchmarks/engine.py``."""
    xllamacpp = pytest.importorskip("xllamacpp")
    params = _params(monkeypatch)
    off = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    assert params.flash_attn_type == off
    assert params.force_pure_content_parser


def _params(monkeypatch: pytest.MonkeyPatch) -> Any:
    """What llama.cpp is started with."""
    xllamacpp = pytest.importorskip("xllamacpp")
    started: list[Any] = []
    monkeypatch.setattr(xllamacpp, "Server", started.append)
    embedded.start(embedded.bundled())
    return started[0]
