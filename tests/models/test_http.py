"""The HTTP engine against a fake server: what it sends, and what it makes of the answers."""

from __future__ import annotations

import asyncio
import math
import re
from dataclasses import replace
from typing import Any

import pytest
from aiohttp import web
from fake_server import (
    SPECIAL,
    Fake,
    Reply,
    broken,
    connected,
    event,
    last_event,
    llamacpp_event,
    two,
    vllm_event,
)

import agentflow
from agentflow.errors import (
    BadInput,
    MissingCapability,
    ModelUnavailable,
    StreamBroken,
    Withheld,
)
from agentflow.models import Finish, HTTPModel, Request, Token, complete, next_token, sample
from agentflow.monitors import StepVerifier, watch
from agentflow.profile import PROFILES, Piece, Sampling
from agentflow.trace import Segment, Trace

# What comes out of a good stream


async def test_tokens_ids_and_usage(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says(" 1 6\n</think>\nAnswer")
    completion = await complete(model, Request((1, 2), 50))
    assert [(t.id, t.text) for t in completion.tokens] == fake.tokens(" 1 6\n</think>\nAnswer")
    assert completion.finish == Finish("stop", 5, 3)


async def test_the_stop_token_is_dropped(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says("Yes<|im_end|>")
    completion = await complete(model, Request((1,), 5))
    assert completion.text == "Yes"
    assert [t.id for t in completion.tokens] == fake.ids("Yes")


async def test_half_a_character_is_replaced_where_it_is_sent(fake: Fake, model: HTTPModel) -> None:
    """UTF-8 has none; a domain or a monitor may have read it from a file."""
    fake.reply = fake.says("Yes")
    await model.tokenize([Piece("a\ud83eb")])
    await complete(model, Request("a\ud83eb", 10))
    assert fake.requests[-1]["prompt"] == "a\ufffdb"


async def test_length_is_told_from_stop(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says("Yes", "length")
    assert (await complete(model, Request((1,), 1))).finish.reason == "length"


async def test_a_marker_is_recognised_by_its_id(fake: Fake, model: HTTPModel) -> None:
    """An engine may print a special token as nothing, or differently: the id decides."""

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in [*fake.events([(3, "")], None), *fake.events(fake.tokens("Yes"))]:
            await response.write(one)

    fake.reply = reply
    tokens = (await complete(model, Request((1,), 5))).tokens
    assert [(t.id, t.text) for t in tokens] == [(3, "</think>"), *fake.tokens("Yes")]


async def test_letters_that_spell_a_marker_close_nothing(fake: Fake, model: HTTPModel) -> None:
    """``<``, ``/think``, ``>`` as three ordinary tokens are text, for watch too."""
    line = " 1 6 8 12 : 12 - 8 = 5 -> 1 5 6\n"
    spelled = [*((i, fake.vocabulary[i]) for i in fake.ids("</think>\n")), *fake.tokens(line)]

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in fake.events(spelled):
            await response.write(one)

    fake.reply = reply
    domain = agentflow.domains.get("game24")
    monitor = StepVerifier(domain.parse("1 6 8 12"), domain, PROFILES["pocket"])
    trace = Trace()
    trace.append(Segment("prompt", "x", (1,)))
    leg = await watch(model, trace, Request((1,), 50), [monitor])
    assert leg.intervention is not None
    assert leg.intervention.text.startswith("Wait,")  # the voice of the thinking, not the answer's


async def test_one_byte_at_a_time(fake: Fake, model: HTTPModel) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for byte in b"".join(fake.events(fake.tokens("é → 24\n"))):
            await response.write(bytes([byte]))

    fake.reply = reply
    assert (await complete(model, Request((1,), 9))).text == "é → 24\n"


# What goes wrong


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (broken(two), "without a finish reason); is the server still running?"),
        (broken(two, abort=True), "(the connection was closed in the middle); is the server"),
        (broken(lambda fake: [*two(fake), b"data: {'half\n\n"]), ""),
        (broken(lambda fake: [*two(fake), b"data: 24\n\n"]), "its field data is 24"),
        (broken(lambda fake: [*two(fake), event(error={"message": "no memory"})]), "no memory"),
        (broken(lambda fake: [*two(fake), b'error: {"message":"no memory"}\n\n']), "no memory"),
    ],
    ids=["truncated", "reset", "malformed", "no-object", "error", "llama.cpp-error"],
)
async def test_a_stream_that_breaks(fake: Fake, model: HTTPModel, reply: Reply, says: str) -> None:
    """What came before is delivered; the error names the URL and the count."""
    fake.reply = reply
    received: list[Token | Finish] = []

    async def receive() -> None:
        async for item in model.stream(Request((1,), 9)):
            received.append(item)

    with pytest.raises(StreamBroken, match="after 2 tokens") as caught:
        await receive()
    assert fake.url in str(caught.value)
    assert says in str(caught.value)
    gone = says.startswith(("without", "(the connection"))
    assert ("is the server still running?" in str(caught.value)) == gone
    assert [t.text for t in received if isinstance(t, Token)] == [" 1", " 6"]


async def test_a_stream_that_breaks_before_its_first_token_is_worth_a_retry(
    fake: Fake, model: HTTPModel
) -> None:
    fake.reply = broken(lambda fake: [], abort=True)
    with pytest.raises(ModelUnavailable, match=re.escape(fake.url)):
        await complete(model, Request((1,), 9))


async def test_an_error_in_the_stream_that_no_retry_cures_is_bad_input(
    fake: Fake, model: HTTPModel
) -> None:
    """vLLM answers 200 before it has looked at the request as a whole."""
    error = {"message": "Token id 5000 is out of vocabulary", "code": 400}
    fake.reply = broken(lambda fake: [event(error=error)])
    with pytest.raises(BadInput, match="answered 400: Token id 5000 is out of vocabulary"):
        await complete(model, Request((5000,), 9))
    fake.reply = broken(lambda fake: [event(error=error | {"code": 503})])
    with pytest.raises(ModelUnavailable, match="Token id 5000"):
        await complete(model, Request((5000,), 9))


async def test_a_server_that_shuts_down_breaks_the_stream(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says(" 1 6", "abort")
    with pytest.raises(StreamBroken, match=r"after 2 tokens .*'abort'"):
        await complete(model, Request((1,), 9))


async def test_a_reset_behind_the_finish_reason_is_no_loss(fake: Fake, model: HTTPModel) -> None:
    fake.reply = broken(lambda fake: fake.events(fake.tokens("Yes"))[:-1], abort=True)
    assert (await complete(model, Request((1,), 9))).text == "Yes"


async def test_silence_counts_as_broken(fake: Fake) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for one in two(fake):
            await response.write(one)
        await fake.gone.wait()

    fake.reply = reply
    impatient = HTTPModel(fake.url, idle_timeout=2)
    await impatient.open()
    with pytest.raises(StreamBroken, match="after 2 tokens"):
        await complete(impatient, Request((1,), 9))
    await impatient.close()


async def test_a_server_that_only_keeps_the_connection_open_is_silent(fake: Fake) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        await response.write(two(fake)[0])
        while True:
            await response.write(b": ping\n\n")
            await asyncio.sleep(0.05)

    fake.reply = reply
    impatient = HTTPModel(fake.url, idle_timeout=2)
    await impatient.open()
    with pytest.raises(StreamBroken, match=r"after 1 tokens \(no event for 2 s\)"):
        await complete(impatient, Request((1,), 9))
    await impatient.close()


async def test_closing_the_stream_aborts_the_request(fake: Fake, model: HTTPModel) -> None:
    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        while True:
            await response.write(fake.events(fake.tokens("No\n"), None)[0])
            await asyncio.sleep(0.01)

    fake.reply = reply
    stream = model.stream(Request((1,), 10_000))
    await anext(stream)
    await stream.aclose()
    assert await fake.gone.wait()


@pytest.mark.parametrize("own", [0, None])
async def test_a_cut_waits_for_a_token_that_is_computed_behind_it(
    fake: Fake, model: HTTPModel, own: int | None
) -> None:
    """Only where llama.cpp is to go on from what the stream wrote: the last token is computed when
    the next one comes."""
    more = asyncio.Event()

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        await response.write(fake.events(fake.tokens("No"), None)[0])
        await more.wait()
        await response.write(fake.events(fake.tokens("Yes"), None)[0])
        await fake.gone.wait()

    fake.reply, fake.slots = reply, 4
    stream = model.stream(Request((1,), 10_000, cache=False, own=own))
    await anext(stream)
    closing = asyncio.ensure_future(stream.aclose())
    waits = own is not None and fake.dialect == "llamacpp"
    if waits:
        for _ in range(100):
            await asyncio.sleep(0)
        assert not closing.done()
        more.set()
    await closing
    assert await fake.gone.wait()
    assert more.is_set() is waits


async def test_streams_run_side_by_side_over_one_client(fake: Fake, model: HTTPModel) -> None:
    """None waits for another: each reply waits until all have begun."""
    begun = 0
    everyone = asyncio.Event()

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        nonlocal begun
        begun += 1
        if begun == 20:
            everyone.set()
        await everyone.wait()
        await fake.says(f"seed {body['seed']}")(fake, response, body)

    fake.reply = reply
    completions = await sample(model, Request((1,), 9, seed=100), 20)
    assert [c.text for c in completions] == [f"seed {100 + i}" for i in range(20)]


# What is sent


async def test_every_request_carries_all_sampling_parameters_and_the_seed(
    fake: Fake, model: HTTPModel
) -> None:
    fake.reply = fake.says("Yes")
    await complete(model, Request((1, 2), 7, Sampling(0.9, 0.8, 5), seed=42, cache=False))
    (body,) = fake.requests
    expected = {
        "prompt": [1, 2],
        "max_tokens": 7,
        "temperature": 0.9,
        "top_p": 0.8,
        "top_k": 5,
        "min_p": 0.0,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "seed": 42,
        "stream": True,
        "model": "agentflow-pocket",
    }
    assert body == body | expected
    if fake.dialect == "llamacpp":
        assert body["cache_prompt"] is False
        assert (body["repeat_penalty"], body["typical_p"], body["logprobs"]) == (1.0, 1.0, 1)
    else:
        assert body["return_token_ids"] is True
        assert body["repetition_penalty"] == 1.0
        assert body["stop_token_ids"] == [1]
        assert body["cache_salt"]
    await complete(model, Request((1, 2), 7))
    assert "cache_salt" not in fake.requests[1]
    assert fake.requests[1].get("cache_prompt", True)


@pytest.mark.parametrize(("slots", "slot"), [(4, 1), (0, 0)])
async def test_what_a_run_wrote_itself_is_reused_and_nothing_else(
    fake: Fake, model: HTTPModel, slots: int, slot: int
) -> None:
    """The sixth sample of a run: its first stream, and the one behind a cut."""
    fake.reply, fake.slots = fake.says("Yes"), slots
    first = Request((1, 2), 7, cache=False, own=5)
    await complete(model, first)
    await complete(model, replace(first, prompt=(1, 2, 3), known=3))
    bodies = fake.requests
    if fake.dialect == "llamacpp":
        assert [body["cache_prompt"] for body in bodies] == [False, True]
        assert [body["id_slot"] for body in bodies] == [slot, slot]
    else:  # each under a salt of its own: nothing is reused
        assert len({body["cache_salt"] for body in bodies}) == 2
    await complete(model, Request((1, 2), 7, cache=False, known=2))
    assert "id_slot" not in fake.requests[-1]
    assert fake.requests[-1].get("cache_prompt", False) is False


async def test_a_schema_is_sent_in_the_engines_own_words(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says("24")
    schema = {"type": "integer"}
    await complete(model, Request((1,), 7, schema=schema))
    (body,) = fake.requests
    if fake.dialect == "llamacpp":
        assert body["json_schema"] == schema
    else:
        assert body["structured_outputs"] == {"json": schema}


async def test_no_more_is_asked_of_vllm_than_its_context_holds() -> None:
    fake = Fake("vllm")
    fake.reply = fake.says("Yes", "length")
    async with connected(fake) as model:
        await complete(model, Request((7,) * 2000, 5000))
        assert [request["max_tokens"] for request in fake.requests] == [48]
        with pytest.raises(BadInput, match=r"2,048 tokens fill the model's context of 2,048"):
            await complete(model, Request((7,) * 2048, 1))
        assert len(fake.requests) == 1


async def test_tokenization_is_remembered_and_markers_are_pieces_of_their_own(
    fake: Fake, model: HTTPModel
) -> None:
    pieces = model.profile.render("game24: 1 6 8 12")
    first = await model.tokenize(pieces)
    asked = len(fake.tokenized)
    assert await model.tokenize(pieces) == first
    assert len(fake.tokenized) == asked
    assert first[0] == SPECIAL.index("<|im_start|>")
    assert first[-2:] == (SPECIAL.index("<think>"), *fake.ids("\n"))


async def test_long_texts_are_not_remembered(fake: Fake, model: HTTPModel) -> None:
    """A server sees many problems; kept, they would fill its memory."""
    await model.tokenize([Piece("x" * 2000)])
    asked = len(fake.tokenized)
    await model.tokenize([Piece("x" * 2000)])
    assert len(fake.tokenized) == asked + 1


@pytest.mark.parametrize(
    "text", ["</think>", "so </think> it is", "<<think>>", "<|im_end|></think>", "a <|im_start|>"]
)
async def test_a_marker_in_plain_text_stays_letters(
    fake: Fake, model: HTTPModel, text: str
) -> None:
    assert await model.tokenize([Piece("</think>", special=True)]) == (3,)
    ids = await model.tokenize([Piece(text)])
    assert not {0, 1, 2, 3} & set(ids)
    assert "".join(fake.vocabulary[i] for i in ids) == text


async def test_plain_text_without_a_marker_is_tokenized_whole(fake: Fake, model: HTTPModel) -> None:
    asked = len(fake.tokenized)
    await model.tokenize([Piece("if a < b and c > d: x[0] = [1, 2]")])
    assert fake.tokenized[asked:] == ["if a < b and c > d: x[0] = [1, 2]"]


# Probes


async def test_the_distribution_of_the_next_token(fake: Fake, model: HTTPModel) -> None:
    top = [(" Yes", math.log(0.5)), (" no", math.log(0.25)), ("yes", math.log(0.125))]

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        shape = llamacpp_event if fake.dialect == "llamacpp" else vllm_event
        await response.write(shape(9, " Yes", math.log(0.5), top) + last_event("length"))

    fake.reply = reply
    found = await next_token(model, (1, 2), top=3)
    assert [text for text, _ in found.top] == [" Yes", " no", "yes"]
    assert found.missing == pytest.approx(0.125)
    assert found.probability(["yes"]) == pytest.approx(0.625)
    assert found.probability(["NO ", "maybe"]) == pytest.approx(0.25)
    expected = -sum(p * math.log(p) for p in (0.5, 0.25, 0.125))
    assert found.entropy == pytest.approx(expected)
    (body,) = fake.requests
    assert (body["temperature"], body["top_p"], body["top_k"]) == (1.0, 1.0, 0)
    assert (body["max_tokens"], body["logprobs"]) == (1, 3)


async def test_a_probe_that_draws_the_end_of_the_turn_still_has_its_distribution(
    fake: Fake, model: HTTPModel
) -> None:
    top = [("<|im_end|>", math.log(0.75)), (" No", math.log(0.25))]

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        shape = llamacpp_event if fake.dialect == "llamacpp" else vllm_event
        await response.write(shape(1, "<|im_end|>", math.log(0.75), top) + last_event("stop"))

    fake.reply = reply
    found = await next_token(model, (1, 2), top=2)
    assert found.probability(["no"]) == pytest.approx(0.25)
    assert found.missing == pytest.approx(0)


@pytest.mark.parametrize(
    ("said", "reason"), [("eos", "stop"), ("stop_sequence", "stop"), ("repetition", "length")]
)
async def test_servers_have_words_of_their_own_for_the_end(
    fake: Fake, model: HTTPModel, said: str, reason: str
) -> None:
    fake.reply = fake.says(" 1 6", said)
    assert (await complete(model, Request((1,), 9))).finish.reason == reason


async def test_what_a_provider_withholds_is_no_whole_text(fake: Fake, model: HTTPModel) -> None:
    fake.reply = fake.says(" 1 6", "content_filter")
    with pytest.raises(Withheld, match="after 2 tokens"):
        await complete(model, Request((1,), 9))


async def test_a_server_that_tells_no_ids_is_sent_text() -> None:
    """SGLang and older vLLMs tokenize, but ids of what they wrote would be missing in a prompt."""
    fake = Fake("sglang")
    fake.tells_ids = False
    async with connected(fake) as model:
        assert not model.capabilities.exact_prefix
        assert model.capabilities.continues
    fake.tells_ids = True
    async with connected(fake) as model:
        assert model.capabilities.exact_prefix


@pytest.mark.parametrize("most", [5, 151_936])
async def test_as_many_alternatives_are_asked_for_as_vllm_gives(most: int) -> None:
    fake = Fake("vllm")
    fake.most = most
    fake.reply = fake.says("Yes")
    async with connected(fake) as model:
        with pytest.raises(MissingCapability, match="gave no log-probabilities"):
            await next_token(model, (1,))  # this one gives none
        assert [request["logprobs"] for request in fake.requests] == [most]


async def test_vllms_tokens_that_look_alike_are_all_there() -> None:
    """It lists alternatives by their text, unless it is asked to list them by id."""
    fake = Fake("vllm")
    fake.vocabulary += [" Yes", "�", "�"]
    top = [("token_id:4", math.log(0.5)), ("token_id:5", -3.0), ("token_id:6", -2.0)]
    top += [("token_id:1", -4.0), ("token_id:0", -20.0)]  # the last was drawn, and is one too many

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        assert body["return_tokens_as_token_ids"] is True
        named = vllm_event(0, "token_id:0", -20.0, top).replace(
            b'"text": "token_id:0"', b'"text": ""'
        )
        await response.write(named + last_event("length"))

    fake.reply = reply
    async with connected(fake) as model:
        for _ in range(2):
            found = await next_token(model, (1,), top=4)
            assert [text for text, _ in found.top] == [" Yes", "�", "�", "<|im_end|>"]
            expected = [0.5, math.exp(-2), math.exp(-3), math.exp(-4)]
            assert [p for _, p in found.top] == pytest.approx(expected)


async def test_tokens_that_come_together_have_their_own_texts() -> None:
    """Else a cut between them would fall before them all."""
    fake = Fake("vllm")
    said = fake.tokens(" 1 6 8\n</think>\nAnswer<|im_end|>")

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        for part in (said[:3], said[3:]):
            ids, text = [i for i, _ in part], "".join(t for _, t in part)
            choice = {"text": text.removesuffix("<|im_end|>"), "token_ids": ids}
            await response.write(event(choices=[choice]))
        await response.write(last_event("stop"))

    fake.reply = reply
    async with connected(fake) as model:
        completion = await complete(model, Request((1,), 20))
        assert [(t.id, t.text) for t in completion.tokens] == said[:-1]


async def test_a_server_that_tells_no_texts_lists_alternatives_by_their_text() -> None:
    fake = Fake("vllm")
    fake.detokenizes = False

    async def reply(fake: Fake, response: web.StreamResponse, body: dict[str, Any]) -> None:
        assert body["return_tokens_as_token_ids"] is False
        await response.write(vllm_event(9, " Yes", -0.5, [(" Yes", -0.5)]) + last_event("length"))

    fake.reply = reply
    async with connected(fake) as model:
        assert (await next_token(model, (1,), top=1)).top == ((" Yes", math.exp(-0.5)),)


def test_requests_are_values() -> None:
    request = Request((1, 2), 3)
    assert replace(request, seed=1) != request
    assert hash(request) == hash(Request((1, 2), 3))
