"""Chat-only servers: what they stream, how they fail, and which methods run on them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st

import agentflow
from agentflow import models
from agentflow.errors import (
    BadInput,
    BadReply,
    MissingCapability,
    ModelUnavailable,
    Refused,
    StreamBroken,
    Withheld,
)
from agentflow.ledger import total
from agentflow.models import ChatAPI, Finish, Request, complete, embedded, next_token
from agentflow.models.budget import Budget
from agentflow.models.splitter import Splitter
from agentflow.models.turns import CHAT, SEAM, ChatProfile
from agentflow.profile import PROFILES, Sampling

PUZZLE = "4 7 8 8"
THOUGHT = "8 / 8 is 1 , so\n( 7 - 1 ) * 4"
ANSWER = "Answer: ( 7 - 8 / 8 ) * 4 = 24"
USAGE = {
    "prompt_tokens": 7,
    "completion_tokens": 5,
    "prompt_tokens_details": {"cached_tokens": 2},
}
PROMPT = CHAT.render("Q")[0].text


def delta(reason: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": reason}]}


LAST = {"choices": [], "usage": USAGE}


def content(*pieces: Any, reason: str | None = "stop") -> list[dict[str, Any]]:
    return [*(delta(content=piece) for piece in pieces), delta(reason), LAST]


class Fake:
    """A chat-only server.

    Attributes:
        events: What a completion streams.
        replies: What the next ones stream, in the place of these.
        requests: The bodies of all completions, with their headers under ``headers``.
        status: What a completion is answered with; ``after`` is its ``Retry-After``, and ``said``
            its error.
        unknown: Keys that a request may not have.
        listed: The models it lists; None where it has no such list.
        cut: Whether the connection breaks behind the events; or ``hangs``, and stays open.
    """

    def __init__(self) -> None:
        self.replies: list[Sequence[dict[str, Any] | bytes]] = []
        self.events: Sequence[dict[str, Any] | bytes] = content(ANSWER)
        self.requests: list[dict[str, Any]] = []
        self.status, self.after, self.unknown = 200, "", list[str]()
        self.said = "says no"
        self.listed: list[str] | None = ["some-chat-model"]
        self.asked = 0
        self.cut = self.hangs = False
        self.url = ""
        self.app = web.Application()
        self.app.router.add_get("/v1/models", self.models)
        self.app.router.add_post("/v1/chat/completions", self.completions)

    async def models(self, request: web.Request) -> web.StreamResponse:
        self.asked += 1
        if self.listed is None:
            raise web.HTTPNotFound
        return web.json_response({"data": [{"id": name} for name in self.listed]})

    async def completions(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(await request.json() | {"headers": dict(request.headers)})
        if self.status != 200:
            error = {"error": {"message": self.said}}
            headers = {"Retry-After": self.after}
            return web.json_response(error, status=self.status, headers=headers)
        if bad := [key for key in self.unknown if key in self.requests[-1]]:
            error = {"error": {"message": f"Unknown name {bad[0]!r}"}}
            return web.json_response(error, status=400)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for event in self.replies.pop(0) if self.replies else self.events:
            data = event if isinstance(event, bytes) else b"data: " + json.dumps(event).encode()
            await response.write(data + b"\n\n")
        if self.cut:
            assert request.transport is not None
            request.transport.abort()
        elif self.hangs:
            with suppress(ConnectionError):
                while True:  # until the client has gone
                    await response.write(b": still here\n\n")
                    await asyncio.sleep(0.01)
        else:
            await response.write(b"data: [DONE]\n\n")
        return response


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    """A chat-only server; ``fake.url`` is its base URL."""
    one = Fake()
    async with TestServer(one.app, host="127.0.0.1") as server:
        one.url = f"http://127.0.0.1:{server.port}/v1"
        yield one
        await models.close_all()


@pytest.fixture
async def model(fake: Fake) -> AsyncIterator[ChatAPI]:
    """The opened client of the fake server."""
    one = ChatAPI(fake.url, idle_timeout=600)
    await one.open()
    yield one
    await one.close()


async def pieces(model: ChatAPI) -> list[str]:
    return [token.text for token in (await complete(model, Request(PROMPT, 50))).tokens]


# What is sent


async def test_a_request_carries_the_messages_and_only_what_the_common_api_knows(
    fake: Fake, model: ChatAPI
) -> None:
    prompt = CHAT.render('say "</think>"', "be brief")[0].text
    await complete(model, Request(prompt, 50, Sampling(0.5, 0.9, 0), seed=3))
    sent = fake.requests[0]
    del sent["headers"]
    assert sent == {
        "model": "some-chat-model",
        "messages": [
            {"role": "system", "content": "be brief"},
            {"role": "user", "content": 'say "</think>"'},
        ],
        "max_tokens": 50,
        "temperature": 0.5,
        "top_p": 0.9,
        "presence_penalty": 0.0,
        "frequency_penalty": 0.0,
        "seed": 3,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


async def test_top_k_and_a_schema_are_sent_where_they_are_set(fake: Fake, model: ChatAPI) -> None:
    schema = {"type": "object"}
    await complete(model, Request(PROMPT, 5, Sampling(1.0, 1.0, 20), schema=schema))
    assert fake.requests[0]["top_k"] == 20
    assert fake.requests[0]["response_format"]["json_schema"]["schema"] == schema


async def test_a_named_model_need_not_be_listed(fake: Fake) -> None:
    for listed in (["other"], None):
        fake.listed = listed
        model = ChatAPI(fake.url, "an-alias")
        await model.open()
        await complete(model, Request(PROMPT, 5))
        assert fake.requests[-1]["model"] == "an-alias"
        await model.close()


@pytest.mark.parametrize(
    ("listed", "says"),
    [
        ([], "lists no model; name one"),
        (["a", "b"], r"several models \(a, b\); name one"),
        (None, "answered 404: .*; a server .* needs a name, as h"),
    ],
)
async def test_without_a_name_the_server_must_list_one(
    fake: Fake, listed: list[str] | None, says: str
) -> None:
    fake.listed = listed
    model = ChatAPI(fake.url)
    with pytest.raises(BadInput, match=says):
        await model.open()
    await model.close()


# What comes


async def test_usage_comes_from_the_last_event(model: ChatAPI) -> None:
    assert (await complete(model, Request(PROMPT, 5))).finish == Finish("stop", 7, 2, (), 5)


@pytest.mark.parametrize(
    "said", [{"prompt_tokens": 0, "completion_tokens": 0}, {"prompt_tokens": 7, "total_tokens": -1}]
)
async def test_counts_behind_the_end_cost_no_reply(
    fake: Fake, model: ChatAPI, said: dict[str, int]
) -> None:
    """Zeros take nothing back, and a whole reply is not lost for a count that cannot be read."""
    begun = {**delta(content="so"), "usage": {"prompt_tokens": 7, "completion_tokens": 1}}
    fake.events = [begun, delta("stop"), {"choices": [], "usage": said}]
    reply = await complete(model, Request(PROMPT, 5))
    assert (reply.text, reply.finish.prompt) == ("<think></think>so", 7)


async def test_what_was_told_of_a_reply_that_is_withheld_is_counted(fake: Fake) -> None:
    hidden = {"completion_tokens_details": {"reasoning_tokens": 4999}}
    counts = {"prompt_tokens": 20, "completion_tokens": 5000, **hidden}
    fake.events = [delta(content="so"), delta("content_filter"), {"choices": [], "usage": counts}]
    budget = Budget()
    result = await agentflow.asolve(
        PUZZLE, "direct", model=f"chat:{fake.url}", retries=0, spending=budget
    )
    told = total(result.ledger)
    assert (told.prompt, told.generated, told.reasoning, told.estimated) == (20, 5000, 4999, 0)
    assert (budget.prompt, budget.generated) == (20, 5000)


async def test_a_printed_stop_token_is_dropped(fake: Fake, model: ChatAPI) -> None:
    fake.events = content("so", "<|im_end|>")
    assert await pieces(model) == ["<think>", "</think>", "so"]


async def test_length_is_told_from_stop(fake: Fake, model: ChatAPI) -> None:
    fake.events = content("a", reason="length")
    assert (await complete(model, Request(PROMPT, 5))).finish.reason == "length"


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
async def test_streamed_reasoning_stands_between_markers(
    fake: Fake, model: ChatAPI, field: str
) -> None:
    fake.events = [
        delta(role="assistant", content="", **{field: None}),
        delta(content=None, **{field: "I "}),
        delta(**{field: "think"}),
        *content("\n\n", "so"),
    ]
    assert await pieces(model) == ["<think>", "I ", "think", "</think>", "\n\n", "so"]


def thought(*texts: str) -> dict[str, Any]:
    """Thinking as Mistral writes it."""
    return {"type": "thinking", "thinking": [{"type": "text", "text": text} for text in texts]}


def text(said: str) -> dict[str, Any]:
    return {"type": "text", "text": said}


SOURCE = {"type": "reference", "reference_ids": [1]}
THINKS = ["<think>", "I am", "</think>"]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            ["", [thought("I")], [thought(" am")], "so", ""],
            ["<think>", "I", " am", "</think>", "so"],
        ),
        ([[thought("I")], [text("so"), SOURCE]], ["<think>", "I", "</think>", "so"]),
        ([[thought("I", " am"), text("s"), thought(), text("o")]], [*THINKS, "so"]),
        ([[{**thought("I am"), "closed": True}], [text("so")]], [*THINKS, "so"]),
        ([[{"type": "thinking", "thinking": "I am"}], "so"], [*THINKS, "so"]),
        ([[thought("I am")]], ["<think>", "I am"]),
        ([[text("so")]], ["<think>", "</think>", "so"]),
        ([[], "so"], ["<think>", "</think>", "so"]),
    ],
)
async def test_content_that_is_a_list_of_chunks(
    fake: Fake, model: ChatAPI, said: list[Any], expected: list[str]
) -> None:
    fake.events = content(*said)
    assert await pieces(model) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (["so"], ["<think>", "</think>", "so"]),
        (["<think>I think</think>so"], ["<think>", "I think", "</think>", "so"]),
        (["\n<th", "ink>", "I", " </th", "ink", ">so"], ["<think>", "I", " ", "</think>", "so"]),
        (["<think>a </thi", "ng> b"], ["<think>", "a ", "</thing> b"]),
        (["<think>a </thi"], ["<think>", "a ", "</thi"]),
        (["<th"], ["<think>", "</think>", "<th"]),
        (["a <think> b"], ["<think>", "</think>", "a <think> b"]),
        (["<think></think>"], ["<think>", "</think>"]),
        (["[THINK]I</think>[/TH", "INK]so"], ["<think>", "I</think>", "</think>", "so"]),
        (["◁thi", "nk▷I◁/think", "▷so"], ["<think>", "I", "</think>", "so"]),
        (["[TH", "IS]"], ["<think>", "</think>", "[THIS]"]),
        ([], []),
    ],
)
async def test_markers_in_the_content_count_as_well(
    fake: Fake, model: ChatAPI, said: list[str], expected: list[str]
) -> None:
    fake.events = content(*said)
    assert await pieces(model) == expected


async def test_a_profile_whose_template_opens_the_thinking(fake: Fake) -> None:
    """Its content begins in the thinking, unless the server tells the thinking apart."""
    model = ChatAPI(fake.url, profile=PROFILES["qwen3-thinking"])
    await model.open()
    fake.events = content("I think</think>", "so")
    assert await pieces(model) == ["<think>", "I think", "</think>", "so"]
    fake.events = [delta(reasoning="I think"), *content("so")]
    assert await pieces(model) == ["<think>", "I think", "</think>", "so"]
    assert fake.requests[0]["messages"] == [{"role": "user", "content": "Q"}]
    await model.close()


async def test_a_profile_without_thinking_still_has_an_answer_part(fake: Fake) -> None:
    model = ChatAPI(fake.url, profile=PROFILES["llama-3.1-instruct"])
    await model.open()
    assert model.profile.sampling == PROFILES["llama-3.1-instruct"].sampling
    assert await pieces(model) == ["<think>", "</think>", ANSWER]
    await model.close()


def cuts(text: str, places: Sequence[int]) -> list[str]:
    edges = [0, *sorted(min(place, len(text)) for place in places), len(text)]
    return [text[a:b] for a, b in pairwise(edges)]


@given(
    st.text(alphabet="a<>/thinkt \n", max_size=30),
    st.text(alphabet="b<>/thinkt \n", max_size=30),
    st.lists(st.integers(0, 80), max_size=20),
)
def test_however_the_content_is_cut_the_markers_are_found(
    thought: str, answer: str, places: list[int]
) -> None:
    def feed(said: list[str]) -> Iterator[str]:
        splitter = Splitter(CHAT)
        for piece in said:
            yield from splitter.feed("", piece)
        yield from splitter.end()

    text = f"<think>{thought}</think>{answer}"
    found = list(feed(cuts(text, places)))
    first = text.index("</think>")
    assert "".join(found) == text
    close = found.index("</think>")
    assert "".join(found[:close]) == text[:first]
    assert "" not in found


async def test_log_probabilities_come_token_by_token(fake: Fake, model: ChatAPI) -> None:
    """What verifiers' scores are made of; a token that holds a marker's part has none."""
    tops = [{"token": " Correct", "logprob": -0.1}, {"token": " Wrong", "logprob": -2.5}]
    logged = [
        {"token": "Verdict:", "logprob": -0.2, "top_logprobs": []},
        {"token": " Correct", "logprob": -0.1, "top_logprobs": tops},
    ]
    one = delta(content="Verdict: Correct")
    one["choices"][0]["logprobs"] = {"content": logged}
    fake.events = [one, *content()]
    found = await complete(model, Request(PROMPT, 50, top=2))
    assert (fake.requests[0]["logprobs"], fake.requests[0]["top_logprobs"]) == (True, 2)
    assert [token.text for token in found.tokens][2:] == ["Verdict:", " Correct"]
    assert found.tokens[-1].top == ((" Correct", -0.1), (" Wrong", -2.5))


async def test_pieces_are_not_tokens_and_thinking_may_be_hidden(fake: Fake, model: ChatAPI) -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 40}
    details = {"completion_tokens_details": {"reasoning_tokens": 30}}
    fake.events = [
        *content("one piece of many tokens")[:-1],
        {"choices": [], "usage": usage | details},
    ]
    assert (await complete(model, Request(PROMPT, 50))).finish == Finish(
        "stop", 7, None, (), 40, 30
    )
    apart = {"prompt_tokens": 7, "completion_tokens": 10, "total_tokens": 47}  # Gemini's
    fake.events = [*content("so")[:-1], {"choices": [], "usage": apart}]
    assert (await complete(model, Request(PROMPT, 50))).finish == Finish(
        "stop", 7, None, (), 40, 30
    )
    fake.events = [delta(content="a "), delta(content="b "), *content("c")]
    result = await agentflow.asolve(PUZZLE, "direct", model=model)
    asked = [one for one in result.ledger.values() if one["calls"]]
    assert {(one["generated"], one["prompt"]) for one in asked} == {(5, 7)}


async def test_a_refusal_is_what_the_model_says(fake: Fake, model: ChatAPI) -> None:
    fake.events = [delta(refusal="I will "), delta(refusal="not."), *content()]
    assert (await pieces(model))[2:] == ["I will ", "not."]


async def test_an_unknown_server_teaches_what_it_does_not_take(fake: Fake, model: ChatAPI) -> None:
    fake.unknown = ["seed", "max_tokens"]
    for _ in range(2):
        await complete(model, Request(PROMPT, 50))
    assert len(fake.requests) == 4  # two were refused, once each
    assert "seed" not in fake.requests[-1]
    assert fake.requests[-1]["max_completion_tokens"] == 50


# What goes wrong


async def test_a_query_of_the_base_url_stands_behind_the_path(fake: Fake) -> None:
    """As Azure has it."""
    model = ChatAPI(f"{fake.url}?api-version=preview", "m")
    await complete(model, Request(PROMPT, 5))
    assert model.at("/models") == f"{fake.url}/models?api-version=preview"
    assert fake.requests
    await model.close()


async def test_a_reply_that_came_is_not_waited_for(fake: Fake) -> None:
    """Some servers keep a connection open behind a finish reason and the counts, without [DONE]."""
    fake.hangs = True
    model = ChatAPI(fake.url, "m", idle_timeout=600)
    assert (await complete(model, Request(PROMPT, 5))).finish == Finish("stop", 7, 2, (), 5)
    await model.close()


async def test_a_limit_of_replies_is_no_key_to_leave_out(fake: Fake, model: ChatAPI) -> None:
    fake.status = 400
    fake.said = "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]"
    with pytest.raises(BadInput, match=r"ask for less \(max_tokens\)"):
        await complete(model, Request(PROMPT, 9000))
    assert len(fake.requests) == 1


async def test_a_limit_of_requests_says_how_long_to_wait(fake: Fake, model: ChatAPI) -> None:
    for said, after in (("7", 7.0), ("0.5", 0.5), ("Sun, 06 Nov 1994 08:49:37 GMT", 0.0)):
        fake.status, fake.after = 429, said
        with pytest.raises(ModelUnavailable) as raised:
            await complete(model, Request(PROMPT, 5))
        assert raised.value.after == after


async def test_a_key_that_a_server_repeats_is_not_told(fake: Fake) -> None:
    model = ChatAPI(fake.url, "m", api_key="says no")
    fake.status = 401
    with pytest.raises(BadInput, match=r"401: \(the key\)$"):
        await complete(model, Request(PROMPT, 5))
    fake.status, fake.events = 200, [{"error": {"message": "key says no is bad"}}]
    with pytest.raises(ModelUnavailable, match=r"key \(the key\) is bad"):
        await complete(model, Request(PROMPT, 5))
    await model.close()


@pytest.mark.parametrize(
    ("status", "kind"),
    [(400, BadInput), (401, BadInput), (429, ModelUnavailable), (503, ModelUnavailable)],
)
async def test_http_errors_carry_the_servers_message(
    fake: Fake, model: ChatAPI, status: int, kind: type[Exception]
) -> None:
    fake.status = status
    with pytest.raises(kind, match=f"{status}: says no"):
        await complete(model, Request(PROMPT, 5))


@pytest.mark.parametrize(
    ("events", "kind", "says"),
    [
        ([delta(content="a"), {"error": {"message": "boom"}}], StreamBroken, "3 tokens .boom"),
        ([{"error": {"message": "boom"}}], ModelUnavailable, "0 tokens .boom"),
        ([delta(content="a")], StreamBroken, "without a finish reason"),
        ([], ModelUnavailable, "without a finish reason"),
        ([delta(content="a"), b"data: {"], StreamBroken, "after 3 tokens"),
        (content("a", reason="content_filter"), StreamBroken, "ended with 'content_filter'"),
        (content("a", reason="content_filter: RECITATION"), Withheld, "withholds the rest"),
        (content("a", reason="insufficient_system_resource"), StreamBroken, "ended with 'insuff"),
        ([{"object": "error", "message": "boom", "code": 400}], BadInput, "answered 400: boom"),
        ([{"error": {"message": "boom", "code": "429"}}], ModelUnavailable, "0 tokens .boom.$"),
        ([{"error": {"message": "boom", "code": 400}}], BadInput, "answered 400: boom"),
        ([delta(content=[{"type": "thinking"}])], BadReply, r"content\[\].thinking is missing"),
        ([delta(content=[{"type": "image_url"}])], BadReply, r"content\[\].type is 'image_url'"),
        ([delta(tool_calls={})], BadReply, "delta.tool_calls is an object, where a list"),
        ([delta(content=["so"])], BadReply, r"delta.content\[\] is 'so', where an object"),
        ([delta(content={"type": "text"})], BadReply, "delta.content is an object, where a text"),
        ([delta(content=[{"type": "text", "text": 7}])], BadReply, r"content\[\].text is 7"),
    ],
)
async def test_streams_that_go_wrong(
    fake: Fake, model: ChatAPI, events: Any, kind: type[Exception], says: str
) -> None:
    fake.events = events
    with pytest.raises(kind, match=says):
        await complete(model, Request(PROMPT, 5))


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        *((word, "stop") for word in ("eos", "eos_token", "stop_sequence", "end_turn", "STOP")),
        *((word, "stop") for word in ("finished", "end", "FINISHED")),
        *((word, "length") for word in ("length", "model_length", "MAX_TOKENS")),
    ],
)
async def test_providers_have_words_of_their_own_for_the_end(
    fake: Fake, model: ChatAPI, said: str, reason: str
) -> None:
    fake.events = content("a", reason=said)
    assert (await complete(model, Request(PROMPT, 5))).finish.reason == reason


@pytest.mark.parametrize(
    ("usage", "told"),
    [
        # xAI's total has the thinking that it also tells
        ({"completion_tokens": 5, "total_tokens": 42, "reasoning_tokens": 30}, (None, 35, 30)),
        ({"completion_tokens": 40, "reasoning_tokens": 30}, (None, 40, 30)),  # SGLang's
        ({"completion_tokens": 40, "cached_tokens": 3}, (3, 40, 0)),  # Moonshot's
        ({"completion_tokens": 40, "prompt_cache_hit_tokens": 3}, (3, 40, 0)),  # DeepSeek's
    ],
)
async def test_providers_count_in_fields_of_their_own(
    fake: Fake, model: ChatAPI, usage: dict[str, int], told: tuple[int | None, int, int]
) -> None:
    last = {"choices": [], "usage": {"prompt_tokens": 7} | usage}
    fake.events = [*content("so")[:-1], last, {"choices": [], "usage": {}}]
    found = (await complete(model, Request(PROMPT, 50))).finish
    assert (found.cached, found.generated, found.reasoning) == told


async def test_a_server_that_does_not_stream_gives_its_answer_all_the_same() -> None:
    async def whole(request: web.Request) -> web.StreamResponse:
        return web.json_response(answer)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", whole)
    choice: Any = {"message": {"role": "assistant", "content": "so"}, "finish_reason": "stop"}
    answer: dict[str, Any] = {"choices": [choice], "usage": USAGE}
    async with TestServer(app, host="127.0.0.1") as server:
        model = ChatAPI(f"http://127.0.0.1:{server.port}/v1", "m")
        assert (await pieces(model))[2:] == ["so"]
        choice["message"]["content"] = [thought("I"), text("so")]
        assert await pieces(model) == ["<think>", "I", "</think>", "so"]
        answer = {"error": {"message": "no credit", "code": 402}}
        with pytest.raises(BadInput, match="answered 402: no credit"):
            await pieces(model)
        await model.close()


@pytest.mark.parametrize(
    "fields",
    [
        {"thinking": "I"},
        {"reasoning": [{"type": "text", "text": "I"}]},
        {"reasoning_content": [{"type": "reasoning", "text": "I"}]},
        {"content": [{"type": "reasoning", "summary": [{"type": "summary_text", "text": "I"}]}]},
        {"content": [{"type": "redacted_thinking", "data": "x"}], "reasoning": "I"},
    ],
)
async def test_thinking_comes_in_many_fields(
    fake: Fake, model: ChatAPI, fields: dict[str, Any]
) -> None:
    fake.events = [delta(**fields), *content([{"type": "output_text", "text": "so"}])]
    assert await pieces(model) == ["<think>", "I", "</think>", "so"]


async def test_a_message_repeated_at_the_end_is_read_once(fake: Fake, model: ChatAPI) -> None:
    last = {"choices": [{"message": {"content": "so"}, "finish_reason": "stop"}]}
    fake.events = [delta(content="so"), last]
    assert (await pieces(model))[2:] == ["so"]


async def test_calls_that_a_server_tells_apart_are_what_the_model_says(
    fake: Fake, model: ChatAPI
) -> None:
    def call(place: int, **function: Any) -> dict[str, Any]:
        return {"index": place, "function": function}

    fake.events = [
        delta(content=None, tool_calls=[call(0, name="f", arguments="")]),
        delta(tool_calls=[call(0, arguments='{"a": '), call(1, name="g", arguments="{}")]),
        delta(tool_calls=[call(0, arguments="1}")]),
        delta("tool_calls"),
    ]
    found = await complete(model, Request(PROMPT, 50))
    said = json.loads(found.tokens[-1].text)["tool_calls"]
    assert [one["function"] for one in said] == [
        {"name": "f", "arguments": '{"a": 1}'},
        {"name": "g", "arguments": "{}"},
    ]
    assert found.finish.reason == "stop"
    fake.events = [delta("function_call", function_call={"name": "f", "arguments": {"a": 1}})]
    assert '"name":"f"' in (await pieces(model))[-1]


async def test_a_count_of_nothing_is_none(fake: Fake, model: ChatAPI) -> None:
    early = {"usage": {"prompt_tokens": 7, "completion_tokens": 0}}
    fake.events = [delta() | early, *content("a")[:-1]]
    assert (await complete(model, Request(PROMPT, 50))).finish[1:5] == (7, None, (), None)


@pytest.mark.parametrize(
    "said",
    [
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens "
        "(1000 in the messages, 8000 in the completion). Please reduce max_tokens.",
        "prompt is too long: 208310 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
        "the request exceeds the available context size, try increasing it",
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens",
        "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    ],
)
async def test_a_request_that_does_not_fit_is_refused_whatever_the_words(
    fake: Fake, model: ChatAPI, said: str
) -> None:
    fake.events = [{"error": {"message": said}}]
    with pytest.raises(Refused, match=r"ask for less .max_tokens., or serve it with a longer"):
        await complete(model, Request(PROMPT, 5))
    fake.said = said
    for status in (400, 500):
        fake.status, before = status, len(fake.requests)
        with pytest.raises(Refused, match=f"answered {status}.*ask for less"):
            await complete(model, Request(PROMPT, 5))
        assert len(fake.requests) == before + 1  # nothing that it names was left out
    fake.status = 429  # there it is a limit of its rate
    with pytest.raises(ModelUnavailable, match="429"):
        await complete(model, Request(PROMPT, 5))


async def test_a_connection_that_breaks_behind_the_reason_loses_nothing(
    fake: Fake, model: ChatAPI
) -> None:
    fake.events, fake.cut = content("a")[:-1], True
    assert (await complete(model, Request(PROMPT, 5))).finish == Finish("stop")


async def test_what_was_held_back_is_kept_when_the_stream_breaks(
    fake: Fake, model: ChatAPI
) -> None:
    fake.events, fake.cut = [delta(content="<think>a </thi")], True
    stream = model.stream(Request(PROMPT, 5))
    assert [(await anext(stream))[0] for _ in range(3)] == ["<think>", "a ", "</thi"]
    with pytest.raises(StreamBroken, match="after 3 tokens"):
        await anext(stream)


async def test_after_a_break_the_server_is_asked_again_what_it_serves(
    fake: Fake, model: ChatAPI
) -> None:
    await model.open()
    assert (model.name, fake.asked) == ("some-chat-model", 1)
    fake.events, fake.listed = [], ["new"]
    with pytest.raises(ModelUnavailable):
        await complete(model, Request(PROMPT, 5))
    await model.open()
    assert (model.name, fake.asked) == ("new", 2)


async def test_what_a_chat_only_server_cannot_do_says_so(fake: Fake, model: ChatAPI) -> None:
    for prompt in ("so far", (1, 2)):
        with pytest.raises(MissingCapability, match="some-chat-model lacks the capability"):
            await complete(model, Request(prompt, 5))
    with pytest.raises(MissingCapability, match="no log-prob"):
        await next_token(model, PROMPT)
    with pytest.raises(MissingCapability, match="no tokenizer"):
        await model.tokenize([])
    assert len(fake.requests) == 1  # whether it gives log-probabilities is seen only then


def test_a_profile_is_kept_but_for_its_template() -> None:
    profile = ChatAPI("http://x/v1", profile=PROFILES["pocket"]).profile
    assert isinstance(profile, ChatProfile)
    assert (profile.name, profile.context) == ("pocket", 2048)
    assert json.loads(profile.render("Q")[0].text) == [{"role": "user", "content": "Q"}]


# Methods


async def test_direct_runs(fake: Fake) -> None:
    fake.events = [*(delta(reasoning_content=t) for t in THOUGHT.split(" ")), *content(ANSWER)]
    result = await agentflow.asolve(PUZZLE, "direct", model=f"chat:{fake.url}#some-chat-model")
    assert (result.status, result.answer) == ("verified", "( 7 - 8 / 8 ) * 4")
    assert result.trace.split("</think>") == (f"<think>{THOUGHT.replace(' ', '')}", ANSWER)
    assert (result.cost.calls, result.cost.prompt, result.cost.cached) == (1, 7, 2)
    (request,) = fake.requests
    assert request["messages"][-1]["role"] == "user"
    assert PUZZLE in request["messages"][-1]["content"]


async def test_interwhen_steers_between_messages(fake: Fake) -> None:
    """A wrong step ends the stream; the thought so far goes back with the note, as a new turn."""
    wrong = "8 / 8 = 2 (left: 2 4 7)\n"
    right = "8 / 8 = 1 (left: 1 4 7)\n7 - 1 = 6 (left: 4 6)\n4 * 6 = 24 (left: 24)\n"
    begun = [delta(reasoning_content=wrong), *(delta(reasoning_content="and on ") for _ in "abc")]
    gone_on = [delta(reasoning_content=right), *content("Answer: (7 - 8 / 8) * 4 = 24")]
    fake.replies = [[*begun, *content(ANSWER)], gone_on]
    result = await agentflow.asolve(PUZZLE, "interwhen", model=f"chat:{fake.url}")
    assert (result.status, result.corrections) == ("verified", 1)
    first, second = fake.requests
    assert second["messages"][: len(first["messages"])] == first["messages"]
    shown, asked = second["messages"][len(first["messages"]) :]
    assert (shown["role"], asked["role"]) == ("assistant", "user")
    assert shown["content"].startswith(wrong + "Wait, ")
    assert "Go on from where your text ends" in asked["content"]
    thinking, answer = result.trace.split("</think>")
    assert thinking.count("<think>") == 1
    assert right in thinking
    assert answer == "Answer: (7 - 8 / 8) * 4 = 24"
    assert [event["lacking"] for event in result.events if event["type"] == "weaker"] == [
        "continues"
    ]


async def test_thinking_that_was_ended_is_answered_in_a_new_turn(fake: Fake) -> None:
    """What it thinks again is no part of the trace; the answer is."""
    thought = [delta(reasoning_content=f"{n} \n") for n in range(8)]
    again = [delta(reasoning_content="again"), *content(ANSWER)]
    fake.replies = [[*thought, *content("never")], again]
    result = await agentflow.asolve(
        PUZZLE, "interwhen", model=f"chat:{fake.url}", step_verifier=False, thinking_tokens=4
    )
    assert result.answer == "( 7 - 8 / 8 ) * 4"
    assert "again" not in result.trace.body
    assert "give the final answer" in fake.requests[1]["messages"][-1]["content"]
    # the first was closed before its usage came, the second told it
    entries = [entry for entry in result.ledger.values() if entry["calls"]]
    assert [entry["estimated"] for entry in entries] == [1, 0]
    assert entries[0]["prompt"] > 0
    assert entries[1]["generated"] == USAGE["completion_tokens"]


async def test_interwhen_without_monitors_runs(fake: Fake) -> None:
    result = await agentflow.asolve(
        PUZZLE, "interwhen", model=f"chat:{fake.url}", step_verifier=False
    )
    assert (result.status, result.answer) == ("verified", "( 7 - 8 / 8 ) * 4")


async def test_a_reply_that_cannot_be_used_does_not_ask_after_the_server(
    fake: Fake, model: ChatAPI
) -> None:
    fake.events = content("a", reason="tool_calls")
    with pytest.raises(StreamBroken, match=r"\(it ended with 'tool_calls'\)$"):
        await complete(model, Request(PROMPT, 5))


async def test_a_stream_that_breaks_for_good_ends_exhausted_with_its_text(fake: Fake) -> None:
    fake.events, fake.cut = [delta(content="<think>so far")], True
    result = await agentflow.asolve(PUZZLE, "direct", model=f"chat:{fake.url}", retries=1)
    assert result.status == "exhausted"
    assert result.trace.body == f"<think>so far{SEAM}so far"
    assert "the stream broke after 1 tokens" in result.error
    assert len(fake.requests) == 2
    assert (result.cost.calls, result.cost.estimated) == (2, 2)
    first, second = (one["messages"] for one in fake.requests)
    assert second == first  # nothing came to its line's end: it is asked anew


async def test_a_stream_that_breaks_goes_on_in_a_new_turn_behind_its_last_whole_line(
    fake: Fake,
) -> None:
    """What the broken line would have said, nobody reads: neither here, nor the model."""
    model = ChatAPI(fake.url, "some-chat-model")
    await model.open()
    prompt = model.profile.render("Solve it.")[0].text + f"<think>\nOne.\nTw{SEAM}"
    fake.events = [delta(reasoning_content="Two."), *content("Done.")]
    found = [item async for item in model.stream(Request(prompt, 50))]
    assert [getattr(item, "text", None) for item in found] == ["Two.", "</think>", "Done.", None]
    user, own, asked = fake.requests[-1]["messages"]
    assert (user["content"], own) == ("Solve it.", {"role": "assistant", "content": "One."})
    assert "Go on" in asked["content"]
    await model.close()


@pytest.mark.slow
@pytest.mark.skipif(not embedded.bundled().is_file(), reason="the bundled model is not here")
async def test_a_real_server_says_the_same_over_messages() -> None:
    """llama.cpp with the model's own template, greedily, beside raw completions."""
    settings = {"temperature": 0.0, "cache": False}
    chat = {"solver": {"at": "embedded", "api": "chat", "profile": "pocket"}}
    try:
        over_chat = await agentflow.asolve("1 6 8 12", "direct", roles=chat, **settings)
        raw = await agentflow.asolve("1 6 8 12", "direct", **settings)
    finally:
        await models.close_all()
    assert over_chat.trace.body.removeprefix("<think>").strip() == raw.trace.body.strip()
    assert over_chat.answer == raw.answer is not None
    assert over_chat.cost.prompt == raw.cost.prompt > 0
